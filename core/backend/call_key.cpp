// SPDX-License-Identifier: Apache-2.0
#include "core/backend/call_key.h"

#include "core/runtime/deterministic.h"

#include <bit>
#include <cstring>

namespace cutaway::backend {
namespace {

/// Every part begins with its kind and, where its length is not the kind's, its length: no two
/// lists of parts are the same bytes.
class Key {
public:
    explicit Key(std::string& bytes) : bytes_(bytes) {}

    template <typename T> void number(T value) {
        char raw[sizeof value];
        std::memcpy(raw, &value, sizeof value);
        bytes_.append(raw, sizeof value);
    }
    void text(std::string_view value) {
        number(value.size());
        bytes_ += value;
    }
    void size(const ir::Sym& value) {
        number(value.isConst());
        if (value.isConst())
            number(value.constant());
        else
            text(value.str());
    }
    void device(const ir::Device& value) {
        number(value.kind);
        number(value.index);
    }
    void arg(const ir::Arg& value) {
        number(static_cast<uint8_t>(value.index()));
        std::visit([&](const auto& held) { part(held); },
                   static_cast<const ir::Arg::variant&>(value));
    }
    void args(const ir::ArgList& list) {
        number(list.size());
        for (const ir::Arg& value : list)
            arg(value);
    }

private:
    void part(std::monostate) {}
    void part(ir::NodeId id) { number(id.index); }
    void part(bool value) { number(value); }
    void part(const ir::Sym& value) { size(value); }
    void part(double value) { number(std::bit_cast<uint64_t>(value)); }
    void part(ir::DType value) { number(value); }
    void part(const ir::Device& value) { device(value); }
    void part(const std::string& value) { text(value); }
    void part(const ir::ArgList& value) { args(value); }

    std::string& bytes_;
};

} // namespace

void addToKey(std::string& bytes, const runtime::TensorPtr& tensor) {
    Key key(bytes);
    key.number(tensor != nullptr);
    if (!tensor) return;
    const ir::TensorType& type = tensor->type;
    key.number(type.dtype);
    key.device(type.device);
    key.number(type.rank());
    for (const ir::Sym& size : type.sizes)
        key.size(size);
    for (const ir::Sym& stride : type.strides)
        key.size(stride);
}

std::string callKey(std::string_view op, const ir::ArgList& args,
                    std::span<const runtime::TensorPtr> tensors) {
    std::string bytes;
    bytes.reserve(256);
    Key key(bytes);
    key.text(op);
    key.args(args);
    for (const runtime::TensorPtr& tensor : tensors)
        addToKey(bytes, tensor);
    if (runtime::deterministic()) bytes.push_back('=');
    return bytes;
}

} // namespace cutaway::backend
