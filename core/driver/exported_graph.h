// SPDX-License-Identifier: Apache-2.0
/// \file
/// Private to driver: the graph of a program that torch.export saved, as Python text. The format is
/// torch/_export/serde/schema.py (version 8).
#pragma once

#include "core/base/result.h"
#include "core/ir/dtype.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::driver {

constexpr int64_t kMostElements = int64_t{1} << 40;

/// {"as_int": 16}, or {"as_expr": {..., "hint": {"as_int": 16}}}; nothing: no number.
std::optional<int64_t> numberOf(const nlohmann::json& size);
std::optional<std::vector<int64_t>> numbersOf(const nlohmann::json& sizes);

/// torch._export.serde.schema.ScalarType; nothing: an element type that tensors here do not have.
std::optional<ir::DType> exportedDtype(const nlohmann::json& number);

class ExportedGraph {
public:
    /// Errors: what of it is not as the format says, or not a part of scripts; located nowhere.
    static base::Result<ExportedGraph> read(const nlohmann::json& whole);

    /// The tensor_values of the inputs that a caller gives.
    const std::vector<const nlohmann::json*>& inputMetas() const { return inputMetas_; }

    /// The whole script. \param file the archive's name; \param train as case files say it;
    /// \param saved whether the file's example inputs are among the tensors that are held
    /// \param[out] modules of which module of the model a line, counted from 1, was a part
    base::Result<std::string> text(const std::string& file, bool train, bool saved,
                                   std::map<int, std::string>& modules) const;

private:
    base::Status readInputs();
    base::Status addOutputs(std::string& lines) const;
    /// \param place the line of the exported source that was told last
    static base::Status addNode(std::string& lines, const nlohmann::json& node, std::string& place);
    std::string randomInputs() const;

    const nlohmann::json* whole_ = nullptr;
    std::string version_;                           ///< PyTorch's
    std::vector<std::string> inputs_;               ///< names that forward takes
    std::vector<const nlohmann::json*> inputMetas_; ///< of these
    struct Own {
        std::string name, inModule;
        bool parameter; ///< else a buffer
    };
    std::vector<Own> own_;                                       ///< what the module holds
    std::vector<std::pair<std::string, std::string>> constants_; ///< inputs that are no tensors
};

} // namespace cutaway::driver
