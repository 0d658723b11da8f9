// SPDX-License-Identifier: Apache-2.0
// ONNX: a ModelProto in protocol buffers' wire format. Numbers of fields are those of onnx.proto.
#include "core/record/model_graph.h"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

namespace cutaway::record {

namespace {

constexpr std::array kTypes{"?",    "f32", "u8",  "i8",  "u16", "i16", "i32",  "i64", "str",
                            "bool", "f16", "f64", "u32", "u64", "c64", "c128", "bf16"};

/// A field of a message: a number, or bytes.
struct Field {
    int number = 0;
    uint64_t value = 0;
    std::string_view bytes;
};

/// Reads a message field by field; next() ends, and isSound() is false, where it is damaged.
class Message {
public:
    explicit Message(std::string_view bytes) : rest_(bytes) {}
    bool next(Field& field) {
        uint64_t key = 0;
        if (rest_.empty() || !varint(key)) return false;
        field = {static_cast<int>(key >> 3), 0, {}};
        switch (key & 7) {
        case 0:
            return varint(field.value);
        case 1:
            return fixed(8, field);
        case 2: {
            uint64_t length = 0;
            if (!varint(length) || length > rest_.size()) return sound_ = false;
            field.bytes = rest_.substr(0, length);
            rest_.remove_prefix(length);
            return true;
        }
        case 5:
            return fixed(4, field);
        default:
            return sound_ = false;
        }
    }
    /// The next of packed numbers, which have no keys.
    bool number(uint64_t& value) { return !rest_.empty() && varint(value); }
    bool isSound() const { return sound_; }

private:
    bool varint(uint64_t& value) {
        value = 0;
        for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
            const auto byte = static_cast<uint8_t>(rest_.front());
            rest_.remove_prefix(1);
            value |= static_cast<uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80) return true;
        }
        return sound_ = false;
    }
    bool fixed(size_t size, Field& field) {
        if (rest_.size() < size) return sound_ = false;
        for (size_t i = 0; i < size; ++i)
            field.value |= static_cast<uint64_t>(static_cast<uint8_t>(rest_[i])) << (8 * i);
        rest_.remove_prefix(size);
        return true;
    }

    std::string_view rest_;
    bool sound_ = true;
};

/// Calls \p see for each field. \returns whether the message was sound.
template <typename F> bool each(std::string_view bytes, F see) {
    Message message(bytes);
    Field field;
    while (message.next(field))
        see(field);
    return message.isSound();
}

std::string_view firstIn(std::string_view bytes, int number) {
    std::string_view found;
    each(bytes, [&](const Field& field) {
        if (field.number == number && found.empty()) found = field.bytes;
    });
    return found;
}

std::string typeText(uint64_t type, const std::vector<std::string>& sizes) {
    return fmt::format("{}[{}]", type < kTypes.size() ? kTypes[type] : "?", fmt::join(sizes, ", "));
}

/// TypeProto.Tensor of a ValueInfoProto.
std::string valueType(std::string_view value) {
    const std::string_view tensor = firstIn(firstIn(value, 2), 1);
    uint64_t type = 0;
    std::vector<std::string> sizes;
    each(tensor, [&](const Field& field) {
        if (field.number == 1) type = field.value;
        if (field.number != 2) return;
        each(field.bytes, [&](const Field& dimension) {
            std::string text = "?";
            each(dimension.bytes, [&](const Field& one) {
                if (one.number == 1) text = std::to_string(static_cast<int64_t>(one.value));
                if (one.number == 2 && !one.bytes.empty()) text = one.bytes;
            });
            sizes.push_back(text);
        });
    });
    return tensor.empty() ? std::string() : typeText(type, sizes);
}

/// Type and name of a TensorProto.
std::pair<std::string, std::string> weight(std::string_view tensor) {
    uint64_t type = 0;
    std::vector<std::string> sizes;
    each(tensor, [&](const Field& field) {
        if (field.number == 2) type = field.value;
        if (field.number != 1) return;
        if (field.bytes.empty()) return sizes.push_back(std::to_string(field.value));
        Message packed(field.bytes);
        for (uint64_t size = 0; packed.number(size);)
            sizes.push_back(std::to_string(size));
    });
    return {typeText(type, sizes), std::string(firstIn(tensor, 8))};
}

/// "axis=1" of an AttributeProto; of tensors and graphs the name alone.
std::string attribute(std::string_view bytes) {
    std::string value;
    std::vector<std::string> list;
    each(bytes, [&](const Field& field) {
        if (field.number == 2)
            value = fmt::format("{}", std::bit_cast<float>(static_cast<uint32_t>(field.value)));
        if (field.number == 3) value = std::to_string(static_cast<int64_t>(field.value));
        if (field.number == 4) value = fmt::format("'{}'", field.bytes.substr(0, 80));
        if (field.number == 8 && field.bytes.empty())
            list.push_back(std::to_string(static_cast<int64_t>(field.value)));
    });
    if (!list.empty()) value = fmt::format("[{}]", fmt::join(list, ", "));
    const std::string name(firstIn(bytes, 1));
    return value.empty() ? name : name + "=" + value;
}

using Types = std::unordered_map<std::string, std::string>;

bool addNode(ModelGraph& graph, std::string_view bytes, const Types& types) {
    ModelNode node;
    std::vector<std::string> arguments, results, attributes;
    const bool sound = each(bytes, [&](const Field& field) {
        const std::string text(field.bytes);
        if (field.number == 1) arguments.push_back(text.empty() ? "None" : text);
        if (field.number == 2) results.push_back(text);
        if (field.number == 4) node.op = text;
        if (field.number == 5) attributes.push_back(attribute(field.bytes));
    });
    node.inputs = arguments;
    arguments.insert(arguments.end(), attributes.begin(), attributes.end());
    node.arguments = fmt::format("{}", fmt::join(arguments, ", "));
    node.name = results.empty() || results.front().empty() ? node.op : results.front();
    if (const auto at = types.find(node.name); at != types.end()) node.type = at->second;
    graph.add(node);
    for (size_t i = 1; i < results.size(); ++i)
        graph.alias(results[i], node.name);
    return sound && !node.op.empty();
}

} // namespace

base::Status addOnnx(std::string_view bytes, Record& record) {
    if (bytes.size() < 8 || bytes[0] != 0x08) return {}; // the version of the format comes first
    std::string_view stored;
    if (!each(bytes,
              [&](const Field& field) {
                  if (field.number == 7) stored = field.bytes;
              }) ||
        stored.empty())
        return {};
    Types types;
    ModelGraph graph("captured");
    std::vector<std::string_view> nodes, inputs, outputs;
    std::vector<std::pair<std::string, std::string>> weights;
    bool sound = each(stored, [&](const Field& field) {
        if (field.number == 1) nodes.push_back(field.bytes);
        if (field.number == 5) weights.push_back(weight(field.bytes));
        if (field.number == 11) inputs.push_back(field.bytes);
        if (field.number == 12) outputs.push_back(field.bytes);
        if (field.number >= 11 && field.number <= 13)
            types[std::string(firstIn(field.bytes, 1))] = valueType(field.bytes);
    });
    for (std::string_view input : inputs)
        if (const std::string name(firstIn(input, 1)); !graph.has(name))
            graph.add({name, "placeholder", {}, {}, types[name], {}, {}});
    for (const auto& [type, name] : weights)
        if (!graph.has(name)) graph.add({name, "placeholder", {}, {}, type, {}, {}});
    for (std::string_view node : nodes)
        sound = addNode(graph, node, types) && sound;
    for (std::string_view output : outputs)
        graph.addOutput(std::string(firstIn(output, 1)));
    if (!sound || graph.isEmpty()) return base::userError({}, "this ONNX model is damaged");
    std::move(graph).moveInto(record);
    return {};
}

} // namespace cutaway::record
