// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the readers of model files (model_file.h) share: a graph that is put together by names.
#pragma once

#include "core/base/result.h"
#include "core/record/record.h"

#include <string_view>
#include <unordered_map>

namespace cutaway::record {

/// A node as a file tells it. Its inputs are names of nodes before it; others are left out.
struct ModelNode {
    std::string name, kind = "call", op, arguments, type, modulePath;
    std::vector<std::string> inputs;
};

class ModelGraph {
public:
    explicit ModelGraph(std::string stage) { stage_.name = std::move(stage); }
    /// A second one of a name is another node.
    void add(const ModelNode& node);
    /// \p name leads to what \p node gives, too.
    void alias(const std::string& name, const std::string& node);
    void addOutput(const std::string& name);
    bool isEmpty() const { return stage_.nodes.empty(); }
    bool has(const std::string& name) const { return places_.contains(name); }
    /// Puts it into \p record's entry, its items into the record.
    void moveInto(Record& record) &&;

private:
    GraphStage stage_;
    std::vector<Item> items_;
    std::unordered_map<std::string, size_t> places_; ///< of nodes, by the names of their results
};

/// Nothing is added when the bytes are of another format.
/// Errors: user error: the bytes are damaged.
base::Status addOnnx(std::string_view bytes, Record& record);
base::Status addExported(std::string_view bytes, Record& record);
/// \param file its name tells which graph it is: "aot_joint_graph_3.txt"
base::Status addPrinted(std::string_view text, const std::string& file, Record& record);

} // namespace cutaway::record
