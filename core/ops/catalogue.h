// SPDX-License-Identifier: Apache-2.0
/// \file
/// Every operation Cutaway knows. Families are joined by one explicit list in catalogue.cpp.
#pragma once

#include "core/ops/op_def.h"

#include <memory>

namespace cutaway::ops {

class Catalogue {
public:
    Catalogue();
    ~Catalogue();
    Catalogue(const Catalogue&) = delete;

    /// By full name, "add.Tensor" or "cos"; null when there is none.
    const OpDef* find(std::string_view name) const;
    /// Every overload of a base name, "add" -> add.Tensor, add.Scalar; in catalogue order.
    std::span<const OpDef* const> overloads(std::string_view base) const;
    std::span<const OpDef> all() const;
    /// The base names nearest to a misspelt one, best first, at most \p count.
    std::vector<std::string> nearest(std::string_view base, size_t count = 3) const;

private:
    struct Tables;
    std::unique_ptr<Tables> tables_;
};

/// The catalogue, built on first use; immutable, safe from every thread.
const Catalogue& catalogue();

/// Every overload that a call by the name \p base may mean: Catalogue::overloads(), and those of the
/// other names by which PyTorch's Python functions go ("subtract", "special_erf").
std::span<const OpDef* const> overloadsOf(std::string_view base);

/// Picks the overload of \p base whose schema accepts positional and keyword arguments, and returns
/// the complete argument list in schema order. Used by the script's torch.* calls, tensor methods
/// and the importers. Errors: user error naming the schema(s) tried.
struct BoundCall {
    const OpDef* def = nullptr;
    ir::ArgList args;
};
base::Result<BoundCall> bind(std::string_view base, const ir::ArgList& positional,
                             const std::vector<std::pair<std::string, ir::Arg>>& keywords);

} // namespace cutaway::ops
