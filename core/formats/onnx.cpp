// SPDX-License-Identifier: Apache-2.0
// Numbers of fields are those of onnx.proto; the wire format: protobuf.dev/programming-guides/encoding.
#include "core/formats/onnx.h"

#include <bit>
#include <charconv>
#include <cstring>

namespace cutaway::formats {

namespace {

constexpr int kDeepest = 32; // graphs within graphs

/// A field of a message: a number, or bytes.
struct Field {
    int number = 0;
    uint64_t value = 0;
    std::string_view bytes;
    bool isBytes = false;

    int64_t integer() const { return static_cast<int64_t>(value); }
    float real() const { return std::bit_cast<float>(static_cast<uint32_t>(value)); }
    std::string text() const { return std::string(bytes); }
};

/// Reads a message field by field; next() ends, and isSound() is false, where it is damaged.
class Message {
public:
    explicit Message(std::string_view bytes) : rest_(bytes) {}
    bool next(Field& field) {
        uint64_t key = 0;
        if (rest_.empty() || !number(key)) return false;
        field = {static_cast<int>(key >> 3), 0, {}, false};
        switch (key & 7) {
        case 0:
            return number(field.value);
        case 1:
            return fixed(8, field.value);
        case 2: {
            uint64_t length = 0;
            if (!number(length) || length > rest_.size()) return sound_ = false;
            field.bytes = rest_.substr(0, length);
            field.isBytes = true;
            rest_.remove_prefix(length);
            return true;
        }
        case 5:
            return fixed(4, field.value);
        default:
            return sound_ = false;
        }
    }
    bool number(uint64_t& value) {
        value = 0;
        for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
            const auto byte = static_cast<uint8_t>(rest_.front());
            rest_.remove_prefix(1);
            value |= static_cast<uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80) return true;
        }
        return sound_ = false;
    }
    bool fixed(size_t size, uint64_t& value) {
        if (rest_.size() < size) return sound_ = false;
        value = 0;
        for (size_t i = 0; i < size; ++i)
            value |= static_cast<uint64_t>(static_cast<uint8_t>(rest_[i])) << (8 * i);
        rest_.remove_prefix(size);
        return true;
    }
    bool atEnd() const { return rest_.empty(); }
    bool isSound() const { return sound_; }

private:
    std::string_view rest_;
    bool sound_ = true;
};

class Reader {
public:
    bool sound = true;

    template <typename F> void each(std::string_view bytes, F see) {
        Message message(bytes);
        Field field;
        while (message.next(field))
            see(field);
        sound &= message.isSound();
    }

    /// Numbers of a repeated field, which are one by one or packed; of 4 or 8 bytes where \p width is.
    template <typename F> void numbers(const Field& field, size_t width, F take) {
        if (!field.isBytes) return take(field.value);
        Message packed(field.bytes);
        for (uint64_t value = 0; !packed.atEnd();) {
            if (!(width ? packed.fixed(width, value) : packed.number(value))) break;
            take(value);
        }
        sound &= packed.isSound();
    }

    OnnxTensor tensor(std::string_view bytes);
    OnnxValue value(std::string_view bytes);
    OnnxAttribute attribute(std::string_view bytes, int depth);
    OnnxNode node(std::string_view bytes, int depth);
    OnnxGraph graph(std::string_view bytes, int depth);
    OnnxModel model(std::string_view bytes);

private:
    void external(OnnxTensor& into, std::string_view entry);
    void metadata(OnnxNode& into, std::string_view entry);
};

/// An entry of TensorProto.external_data: location, offset, length.
void Reader::external(OnnxTensor& into, std::string_view entry) {
    std::string key, value;
    each(entry, [&](const Field& field) { (field.number == 1 ? key : value) = field.text(); });
    uint64_t number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    if (key == "location") into.file = value;
    if (key == "offset") into.offset = number;
    if (key == "length") into.length = number;
}

OnnxTensor Reader::tensor(std::string_view bytes) {
    OnnxTensor made;
    each(bytes, [&](const Field& field) {
        if (field.number == 2) made.type = static_cast<int>(field.value);
        if (field.number == 1)
            numbers(field, 0,
                    [&](uint64_t size) { made.sizes.push_back(static_cast<int64_t>(size)); });
        if (field.number == 8) made.name = field.text();
        if (field.number == 9) made.bytes = field.text();
        if (field.number == 13) external(made, field.bytes);
    });
    // Elements as numbers: of four bytes at least each, narrow types in int32_data.
    const size_t width = onnxElementBytes(made.type);
    auto put = [&](uint64_t value, size_t each) {
        char text[8];
        for (size_t i = 0; i < 8; ++i)
            text[i] = static_cast<char>(value >> (8 * i));
        made.bytes.append(text, std::min(each, sizeof text));
    };
    const bool complex = made.type == 14 || made.type == 15; // two numbers an element
    each(bytes, [&](const Field& field) {
        if (field.number == 4) numbers(field, 4, [&](uint64_t v) { put(v, 4); });
        if (field.number == 10) numbers(field, 8, [&](uint64_t v) { put(v, 8); });
        if (field.number == 5 || field.number == 7 || field.number == 11)
            numbers(field, 0, [&](uint64_t v) { put(v, complex ? width / 2 : width); });
    });
    return made;
}

OnnxValue Reader::value(std::string_view bytes) {
    OnnxValue made;
    auto shape = [&](const Field& dimension) {
        OnnxSize size;
        each(dimension.bytes, [&](const Field& one) {
            if (one.number == 1) size.number = one.integer();
            if (one.number == 2) size.symbol = one.text();
        });
        made.sizes.push_back(size);
    };
    auto tensorType = [&](const Field& field) {
        if (field.number == 1) made.type = static_cast<int>(field.value);
        if (field.number == 2) each(field.bytes, shape);
    };
    each(bytes, [&](const Field& field) {
        if (field.number == 1) made.name = field.text();
        if (field.number != 2) return;
        each(field.bytes, [&](const Field& kind) {
            if (kind.number == 1) each(kind.bytes, tensorType);
        });
    });
    return made;
}

OnnxAttribute Reader::attribute(std::string_view bytes, int depth) {
    OnnxAttribute made;
    each(bytes, [&](const Field& field) {
        if (field.number == 1) made.name = field.text();
        if (field.number == 2) made.number = field.real();
        if (field.number == 3) made.integer = field.integer();
        if (field.number == 4) made.text = field.text();
        if (field.number == 5) made.tensor = std::make_shared<OnnxTensor>(tensor(field.bytes));
        if (field.number == 6)
            made.graph = std::make_shared<OnnxGraph>(graph(field.bytes, depth + 1));
        if (field.number == 7)
            numbers(field, 4, [&](uint64_t v) {
                made.numbers.push_back(std::bit_cast<float>(static_cast<uint32_t>(v)));
            });
        if (field.number == 8)
            numbers(field, 0,
                    [&](uint64_t v) { made.integers.push_back(static_cast<int64_t>(v)); });
        if (field.number == 9) made.texts.push_back(field.text());
        if (field.number == 20) made.type = static_cast<int>(field.value);
    });
    return made;
}

/// An entry of NodeProto.metadata_props.
void Reader::metadata(OnnxNode& into, std::string_view entry) {
    std::string key, value;
    each(entry, [&](const Field& field) { (field.number == 1 ? key : value) = field.text(); });
    if (key == "pkg.torch.onnx.name_scopes") into.scopes = std::move(value);
}

OnnxNode Reader::node(std::string_view bytes, int depth) {
    OnnxNode made;
    each(bytes, [&](const Field& field) {
        if (field.number == 1) made.inputs.push_back(field.text());
        if (field.number == 2) made.outputs.push_back(field.text());
        if (field.number == 3) made.name = field.text();
        if (field.number == 4) made.op = field.text();
        if (field.number == 5) made.attributes.push_back(attribute(field.bytes, depth));
        if (field.number == 7) made.domain = field.text();
        if (field.number == 9) metadata(made, field.bytes);
    });
    sound &= !made.op.empty();
    return made;
}

OnnxGraph Reader::graph(std::string_view bytes, int depth) {
    OnnxGraph made;
    if (depth > kDeepest) {
        sound = false;
        return made;
    }
    each(bytes, [&](const Field& field) {
        if (field.number == 1) made.nodes.push_back(node(field.bytes, depth));
        if (field.number == 2) made.name = field.text();
        if (field.number == 5) made.initializers.push_back(tensor(field.bytes));
        if (field.number == 11) made.inputs.push_back(value(field.bytes));
        if (field.number == 12) made.outputs.push_back(value(field.bytes));
        if (field.number == 13) made.values.push_back(value(field.bytes));
    });
    return made;
}

OnnxModel Reader::model(std::string_view bytes) {
    OnnxModel made;
    each(bytes, [&](const Field& field) {
        if (field.number == 2) made.producer = field.text();
        if (field.number == 3) made.producerVersion = field.text();
        if (field.number == 7) made.graph = graph(field.bytes, 0);
        if (field.number == 8) {
            std::string domain;
            int64_t version = 1;
            each(field.bytes, [&](const Field& one) {
                if (one.number == 1) domain = one.text();
                if (one.number == 2) version = one.integer();
            });
            if (domain.empty() || domain == "ai.onnx") made.opset = version;
        }
        if (field.number == 25)
            each(field.bytes, [&](const Field& one) {
                if (one.number == 1) made.functions.push_back(one.text());
            });
    });
    return made;
}

} // namespace

std::optional<int64_t> OnnxTensor::numel() const {
    constexpr int64_t kMost = int64_t{1} << 40;
    int64_t count = 1;
    bool none = false;
    for (int64_t size : sizes) {
        if (size < 0 || size > kMost) return std::nullopt;
        none |= size == 0;
        count *= size == 0 ? 1 : size;
        if (count > kMost) return std::nullopt;
    }
    return none ? 0 : count;
}

size_t onnxElementBytes(int type) {
    constexpr size_t kBytes[] = {0, 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8, 8, 16, 2, 1, 1, 1, 1};
    return type > 0 && static_cast<size_t>(type) < std::size(kBytes) ? kBytes[type] : 0;
}

base::Result<OnnxModel> readOnnx(std::string_view bytes) {
    constexpr const char* kAgain = "write the model again";
    if (bytes.size() < 8 || bytes[0] != 0x08) // the version of the format comes first
        return base::userError({}, "this is no ONNX model", kAgain);
    Reader reader;
    OnnxModel model = reader.model(bytes);
    if (!reader.sound) return base::userError({}, "this ONNX model is damaged", kAgain);
    return model;
}

base::Result<OnnxTensor> readOnnxTensor(std::string_view bytes) {
    Reader reader;
    OnnxTensor tensor = reader.tensor(bytes);
    if (!reader.sound) return base::userError({}, "this tensor of ONNX is damaged");
    return tensor;
}

} // namespace cutaway::formats
