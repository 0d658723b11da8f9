// SPDX-License-Identifier: Apache-2.0
#include "core/driver/onnx_model.h"

#include "core/driver/onnx_script.h"

#include "core/base/file_system.h"

#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <map>

namespace cutaway::driver {

namespace {

using capture::HeldTensor;
using formats::OnnxTensor;

/// The files that weights lie in, each read once.
struct Files {
    const ReadFile& read;
    std::map<std::string, std::string> bytes;
};

/// The bytes of a weight that lies in a file beside the model.
base::Result<std::string> besides(const OnnxTensor& tensor, const std::string& path, Files& files) {
    const std::filesystem::path file = std::filesystem::path(tensor.file).lexically_normal();
    if (file.is_absolute() || file.empty() || *file.begin() == "..")
        return base::userError(
            {path},
            fmt::format("weight '{}' lies in a file elsewhere: '{}'", tensor.name, tensor.file),
            "keep weights in files beside the model");
    const std::string name = (std::filesystem::path(path).parent_path() / file).string();
    if (!files.bytes.contains(name)) {
        auto read = files.read ? files.read(name) : base::readFile(name, kLargestModel);
        if (!read) return read.error();
        files.bytes[name] = std::move(*read);
    }
    const std::string& bytes = files.bytes.at(name);
    const uint64_t length =
        tensor.length.value_or(bytes.size() - std::min<uint64_t>(tensor.offset, bytes.size()));
    if (tensor.offset > bytes.size() || length > bytes.size() - tensor.offset)
        return base::userError({path},
                               fmt::format("'{}' has {} bytes; weight '{}' lies from {} to {}",
                                           tensor.file, bytes.size(), tensor.name, tensor.offset,
                                           tensor.offset + length),
                               "write the model again");
    return bytes.substr(tensor.offset, length);
}

base::Result<runtime::TensorPtr> held(const OnnxTensor& tensor, const std::string& path,
                                      Files& files) {
    const auto wrong = [&](std::string what) {
        return base::userError({path}, fmt::format("weight '{}' {}", tensor.name, what),
                               "write the model again");
    };
    const auto dtype = ir::dtypeFromOnnx(tensor.type);
    if (!dtype)
        return wrong(
            fmt::format("has elements of ONNX's type {}, which no tensor here has", tensor.type));
    const auto count = tensor.numel();
    if (!count || tensor.sizes.size() > 64) return wrong("has sizes that no tensor has");
    std::string read;
    if (!tensor.file.empty()) {
        CUTAWAY_TRY(read, besides(tensor, path, files));
    }
    const std::string& bytes = tensor.file.empty() ? tensor.bytes : read;
    const size_t wanted = static_cast<size_t>(*count) * ir::sizeBytes(*dtype);
    if (bytes.size() != wanted)
        return wrong(
            fmt::format("has {} bytes; its {} elements take {}", bytes.size(), *count, wanted));
    ir::HostTensor host = ir::HostTensor::zeros(*dtype, tensor.sizes);
    if (wanted) std::memcpy(host.bytes.data(), bytes.data(), wanted);
    return runtime::fromHost(host, {});
}

} // namespace

base::Result<ModelScript> onnxModel(std::string_view bytes, const std::string& path,
                                    const ReadFile& read) {
    auto wrong = [&](const base::Diagnostic& why) {
        return base::userError({path}, "this ONNX model cannot be read: " + why.message, why.hint);
    };
    const auto model = formats::readOnnx(bytes);
    if (!model) return wrong(model.error());
    OnnxScript script(*model);
    auto text = script.text(std::filesystem::path(path).filename().string());
    if (!text) return wrong(text.error());
    ModelScript made;
    Files files{read, {}};
    made.text = std::move(*text);
    made.modulesOfLines = script.modulesOfLines();
    for (const auto& [name, tensor] : script.held()) {
        HeldTensor one;
        one.kind = HeldTensor::Kind::Buffer;
        one.name = name;
        CUTAWAY_TRY(one.tensor, held(*tensor, path, files));
        made.tensors.push_back(std::move(one));
    }
    return made;
}

} // namespace cutaway::driver
