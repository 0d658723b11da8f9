// SPDX-License-Identifier: Apache-2.0
#include "core/driver/exported_model.h"

#include "core/driver/exported_graph.h"
#include "core/formats/zip.h"
#include "core/record/json.h"
#include "core/record/json_fields.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace cutaway::driver {

namespace {

using capture::HeldTensor;
using ir::HostTensor;
using nlohmann::json;
using record::fieldAt;
using record::textAt;

constexpr std::string_view kModel = "models/model.json";
constexpr const char* kSaveAgain = "save it again with torch.export.save of PyTorch 2.9 or newer";

struct Archive {
    formats::ZipEntries entries;
    std::string root; ///< of the files' names
    std::string path;

    base::Diagnostic wrong(std::string what, std::string hint = kSaveAgain) const {
        return base::userError({path}, "this exported program cannot be read: " + std::move(what),
                               std::move(hint));
    }
    base::Result<json> parsed(const std::string& name) const {
        const std::string* text = entries.find(root + name);
        if (!text) return json();
        return record::parseJson(*text);
    }
};

base::Result<ir::DType> dtypeOf(const Archive& archive, const json& meta) {
    const json& number = fieldAt(meta, "dtype");
    if (const auto dtype = exportedDtype(number)) return *dtype;
    return archive.wrong(fmt::format("it has a tensor of the element type {}", number.dump()));
}

/// The elements that \p meta describes, of a storage's bytes; row-major.
base::Result<HostTensor> tensorOf(const Archive& archive, const json& meta,
                                  std::string_view storage) {
    CUTAWAY_TRY(const ir::DType dtype, dtypeOf(archive, meta));
    const auto sizes = numbersOf(fieldAt(meta, "sizes")),
               strides = numbersOf(fieldAt(meta, "strides"));
    const auto offset = numberOf(fieldAt(meta, "storage_offset"));
    if (!sizes || !strides || sizes->size() != strides->size() || sizes->size() > 64)
        return archive.wrong("the sizes of a tensor are not numbers");
    const size_t width = ir::sizeBytes(dtype);
    const auto most = static_cast<int64_t>(storage.size() / width);
    int64_t last = offset.value_or(0), count = 1;
    for (size_t d = 0; d < sizes->size(); ++d) {
        const int64_t size = (*sizes)[d], stride = (*strides)[d];
        if (size < 0 || stride < 0 || size > kMostElements || stride > kMostElements)
            return archive.wrong("the sizes of a tensor are not numbers");
        count *= size;
        last += stride * (size - 1);
        if (count > kMostElements || last > kMostElements)
            return archive.wrong("a tensor is larger than memory");
    }
    if (count > 0 && (offset.value_or(0) < 0 || last >= most))
        return archive.wrong(
            fmt::format("a tensor of {} elements needs more than the {} bytes that are there",
                        count, storage.size()));
    HostTensor made = HostTensor::zeros(dtype, *sizes);
    std::vector<int64_t> index(sizes->size());
    for (int64_t i = 0, from = offset.value_or(0); i < count; ++i) {
        std::memcpy(made.bytes.data() + static_cast<size_t>(i) * width,
                    storage.data() + static_cast<size_t>(from) * width, width);
        for (size_t d = sizes->size(); d-- > 0;) {
            from += (*strides)[d];
            if (++index[d] < (*sizes)[d]) break;
            from -= (*strides)[d] * (*sizes)[d];
            index[d] = 0;
        }
    }
    return made;
}

/// The tensors that a folder's table of contents names.
base::Status addHeld(const Archive& archive, const std::string& name, HeldTensor::Kind kind,
                     std::vector<HeldTensor>& into) {
    const std::string folder = fmt::format("data/{}/", name);
    CUTAWAY_TRY(const json contents,
                archive.parsed(fmt::format("{}model_{}_config.json", folder, name)));
    for (const auto& [called, entry] : fieldAt(contents, "config").items()) {
        const std::string file = textAt(entry, "path_name");
        const std::string* bytes = archive.entries.find(archive.root + folder + file);
        if (!bytes) return archive.wrong(fmt::format("'{}' is missing", folder + file));
        if (fieldAt(entry, "use_pickle") == true || !fieldAt(entry, "tensor_meta").is_object())
            return archive.wrong(
                fmt::format("'{}' is no tensor that stands there by itself", called),
                "save models of plain tensors");
        const json& meta = fieldAt(entry, "tensor_meta");
        CUTAWAY_TRY(const HostTensor host, tensorOf(archive, meta, *bytes));
        HeldTensor held;
        held.kind = fieldAt(entry, "is_param") == true ? HeldTensor::Kind::Parameter : kind;
        held.name = called;
        held.requiresGrad = fieldAt(meta, "requires_grad") == true;
        CUTAWAY_TRY(held.tensor, runtime::fromHost(host, {}));
        into.push_back(std::move(held));
    }
    return {};
}

/// The inputs that were saved with it, where those are tensors and nothing else: the storages of
/// torch.save's archive, in the order of the inputs.
base::Status addInputs(const Archive& archive, const ExportedGraph& graph,
                       std::vector<HeldTensor>& into) {
    const std::string* saved = archive.entries.find(archive.root + "data/sample_inputs/model.pt");
    auto storages = saved ? formats::readZip(*saved, kLargestModel)
                          : base::Result<formats::ZipEntries>(formats::ZipEntries());
    if (!storages) return {};
    std::vector<HeldTensor> inputs;
    for (const json* meta : graph.inputMetas()) {
        const std::string* bytes = storages->find(fmt::format("archive/data/{}", inputs.size()));
        const auto host = bytes ? tensorOf(archive, *meta, *bytes)
                                : base::Result<HostTensor>(archive.wrong("no input"));
        if (!host) return {}; // one that shares memory, or is no tensor: random ones do
        HeldTensor held;
        held.kind = HeldTensor::Kind::Input;
        CUTAWAY_TRY(held.tensor, runtime::fromHost(*host, {}));
        inputs.push_back(std::move(held));
    }
    std::ranges::move(inputs, std::back_inserter(into));
    return {};
}

} // namespace

bool isExportedModel(std::string_view bytes) {
    return bytes.starts_with("PK\x03\x04") && bytes.find(kModel) != std::string_view::npos &&
           bytes.find("archive_format") != std::string_view::npos;
}

base::Result<ModelScript> exportedModel(std::string_view bytes, const std::string& path) {
    Archive archive;
    archive.path = path;
    auto entries = formats::readZip(bytes, kLargestModel);
    if (!entries) return archive.wrong(entries.error().message);
    archive.entries = std::move(*entries);
    for (const auto& [name, text] : archive.entries)
        if (name.ends_with(kModel)) archive.root = name.substr(0, name.size() - kModel.size());
    CUTAWAY_TRY(const json whole, archive.parsed(std::string(kModel)));
    if (whole.is_null()) return archive.wrong(fmt::format("it holds no '{}'", kModel));
    auto read = ExportedGraph::read(whole);
    if (!read) return archive.wrong(read.error().message, read.error().hint);
    ModelScript script;
    CUTAWAY_CHECK(addHeld(archive, "weights", HeldTensor::Kind::Buffer, script.tensors));
    CUTAWAY_CHECK(addHeld(archive, "constants", HeldTensor::Kind::Constant, script.tensors));
    const bool trains = std::ranges::any_of(script.tensors, &HeldTensor::requiresGrad);
    const size_t held = script.tensors.size();
    CUTAWAY_CHECK(addInputs(archive, *read, script.tensors));
    const bool saved = script.tensors.size() == held + read->inputMetas().size();
    auto text = read->text(std::filesystem::path(path).filename().string(), trains, saved,
                           script.modulesOfLines);
    if (!text) return archive.wrong(text.error().message, text.error().hint);
    script.text = std::move(*text);
    return script;
}

} // namespace cutaway::driver
