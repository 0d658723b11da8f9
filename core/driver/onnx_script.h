// SPDX-License-Identifier: Apache-2.0
/// \file
/// Private to driver: the graph of an ONNX model as Python text, a line an operator.
#pragma once

#include "core/formats/onnx.h"

#include <map>
#include <set>
#include <unordered_map>

namespace cutaway::driver {

class OnnxScript {
public:
    explicit OnnxScript(const formats::OnnxModel& model) : model_(model) {}

    /// The whole script. \param file the model's name
    /// Errors: what of the model scripts do not have; located nowhere.
    base::Result<std::string> text(const std::string& file);

    /// After text(): the tensors that it names, the model's own.
    const std::vector<std::pair<std::string, const formats::OnnxTensor*>>& held() const {
        return held_;
    }

    /// After text(): the module that a line's operator stands in, where its name tells it.
    const std::map<int, std::string>& modulesOfLines() const { return modules_; }

private:
    /// A Python name for a value, of nothing else.
    std::string named(const std::string& value);
    /// What stands for a value in the lines; errors where nothing has made it.
    base::Result<std::string> used(const std::string& value) const;
    /// Numbers stand where they are used; other tensors are held by the module.
    base::Result<std::string> constant(const formats::OnnxTensor& tensor, const std::string& name);
    base::Result<std::string> attribute(const formats::OnnxNode& node,
                                        const formats::OnnxAttribute& attribute,
                                        const std::string& function);
    base::Status addInitializers(const formats::OnnxGraph& graph);
    /// Exporters give weights that are equal several names, by Identity.
    bool isSharedWeight(const formats::OnnxNode& node) const;
    base::Status addNode(std::string& lines, const formats::OnnxNode& node,
                         const std::string& indent, std::string& place);
    base::Status addConstant(const formats::OnnxNode& node);
    /// Nodes, then what they return.
    base::Status addBody(std::string& lines, const formats::OnnxGraph& graph,
                         const std::string& indent);
    base::Result<std::string> exampleInputs() const;

    const formats::OnnxModel& model_;
    std::vector<const formats::OnnxValue*> inputs_; ///< what a caller gives
    std::unordered_map<std::string, std::string> texts_;
    std::set<std::string> taken_;
    std::map<int, std::string> modules_;
    std::vector<std::pair<std::string, const formats::OnnxTensor*>> held_;
};

} // namespace cutaway::driver
