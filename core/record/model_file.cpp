// SPDX-License-Identifier: Apache-2.0
#include "core/record/model_file.h"

#include "core/base/file_system.h"
#include "core/record/json.h"
#include "core/record/model_graph.h"

#include <algorithm>
#include <filesystem>

namespace cutaway::record {

void ModelGraph::add(const ModelNode& node) {
    std::string name = node.name;
    for (int number = 1; places_.contains(name); ++number)
        name = node.name + "_" + std::to_string(number);
    GraphNode made;
    made.item = static_cast<ItemId>(items_.size());
    made.name = name;
    made.kind = node.kind;
    made.op = node.op;
    made.type = node.type;
    made.modulePath = node.modulePath;
    made.text = name + (node.type.empty() ? "" : ": " + node.type) + " = " +
                (node.kind == "call" ? node.op + "(" + node.arguments + ")" : node.kind);
    for (const std::string& input : node.inputs)
        if (const auto at = places_.find(input); at != places_.end())
            made.inputs.push_back(static_cast<ItemId>(at->second));
    places_[name] = stage_.nodes.size();
    items_.push_back({ItemKind::Node, stage_.name + "/" + name});
    stage_.nodes.push_back(std::move(made));
}

void ModelGraph::alias(const std::string& name, const std::string& node) {
    if (const auto at = places_.find(node); at != places_.end()) places_[name] = at->second;
}

void ModelGraph::addOutput(const std::string& name) {
    const auto at = places_.find(name);
    stage_.outputs.push_back(at == places_.end() ? kNoItem : static_cast<ItemId>(at->second));
}

void ModelGraph::moveInto(Record& record) && {
    const auto first = static_cast<ItemId>(record.items.size());
    auto shift = [first](ItemId& item) {
        if (item != kNoItem) item += first;
    };
    for (GraphNode& node : stage_.nodes) {
        shift(node.item);
        std::ranges::for_each(node.inputs, shift);
        stage_.text += node.text + "\n";
    }
    std::ranges::for_each(stage_.outputs, shift);
    record.items.insert(record.items.end(), items_.begin(), items_.end());
    record.functions.front().entries.front().graphs.push_back(std::move(stage_));
}

base::Result<Record> readModel(std::string_view bytes, const std::string& path) {
    const std::filesystem::path file(path);
    Record record;
    record.path = path;
    record.functions.push_back({file.stem().string(), {}, {Entry()}});
    auto located = [&](base::Status status) {
        if (!status && status.error().where.file.empty()) {
            base::Diagnostic error = status.error();
            error.where.file = path;
            return base::Status(error);
        }
        return status;
    };
    const std::vector<GraphStage>& graphs = record.functions.front().entries.front().graphs;
    CUTAWAY_CHECK(located(addExported(bytes, record)));
    if (graphs.empty()) CUTAWAY_CHECK(located(addPrinted(bytes, file.filename().string(), record)));
    if (graphs.empty()) CUTAWAY_CHECK(located(addOnnx(bytes, record)));
    if (graphs.empty())
        return base::userError({path}, "this holds no graph that can be read",
                               "give a record (.cutaway), an ONNX model, what torch.export saved, "
                               "or a graph as PyTorch prints it");
    return record;
}

base::Result<Record> openToCompare(const std::string& path) {
    CUTAWAY_TRY(const std::string bytes, base::readFile(path));
    if (path.ends_with(".cutaway") || bytes.find("record.json") != std::string::npos)
        return parse(bytes, path);
    return readModel(bytes, path);
}

} // namespace cutaway::record
