// SPDX-License-Identifier: Apache-2.0
#include "core/backend/value_checks.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace cutaway::backend {
namespace {

using runtime::Tensor;
using runtime::TensorPtr;

/// The arguments of one call by name.
struct Call {
    const ops::OpDef& def;
    const ir::ArgList& args;
    std::span<const TensorPtr> tensors;

    const ir::Arg* arg(std::string_view name) const {
        int at = def.parsed.find(name);
        return at < 0 ? nullptr : &args[static_cast<size_t>(at)];
    }
    const Tensor* tensor(std::string_view name) const {
        const ir::Arg* found = arg(name);
        return found && found->node() ? tensors[found->node()->index].get() : nullptr;
    }
    int64_t integer(std::string_view name) const {
        const ir::Arg* found = arg(name);
        const ir::Sym* number = found ? std::get_if<ir::Sym>(found) : nullptr;
        return number ? number->constant() : 0;
    }
};

/// An operation with an index tensor: its elements are positions in a dimension of \p table.
struct IndexRow {
    std::string_view base, table, index;
    int dimension; ///< kDimArgument: the argument `dim`; kClasses: the one that holds the classes
};
constexpr int kDimArgument = -1, kClasses = -2;
constexpr std::array<IndexRow, 5> kIndexed = {{{"gather", "self", "index", kDimArgument},
                                               {"scatter", "self", "index", kDimArgument},
                                               {"scatter_add", "self", "index", kDimArgument},
                                               {"embedding", "weight", "indices", 0},
                                               {"nll_loss_forward", "self", "target", kClasses}}};

int64_t dimensionOf(const IndexRow& row, const Call& call, int64_t rank) {
    if (row.dimension == kClasses) return rank > 1 ? 1 : 0;
    if (row.dimension != kDimArgument) return row.dimension;
    int64_t dim = call.integer("dim");
    return dim < 0 ? dim + rank : dim;
}

base::Status checkIndices(const IndexRow& row, const Call& call) {
    const Tensor *table = call.tensor(row.table), *index = call.tensor(row.index);
    if (!table || !index || index->type.device.isCuda()) return {};
    auto rank = static_cast<int64_t>(table->type.rank());
    int64_t dim = dimensionOf(row, call, rank);
    // A number is indexed like a vector of one element.
    int64_t size = rank == 0 ? 1 : table->type.sizes[static_cast<size_t>(dim)].constant();
    const ir::Arg* ignored = call.arg("ignore_index");
    CUTAWAY_TRY(ir::HostTensor host, runtime::toHost(*index));
    for (int64_t i = 0, n = host.numel(); i < n; ++i) {
        int64_t value = host.getInt(i);
        if (value >= 0 && value < size) continue;
        if (ignored && value == call.integer("ignore_index")) continue;
        return base::userError(
            {},
            fmt::format("{}: {} {} is out of bounds for dimension {} with size {}", row.base,
                        row.index == "target" ? "target" : "index", value, dim, size),
            fmt::format("values from 0 to {} are allowed", size - 1));
    }
    return {};
}

bool isInteger(const Tensor& tensor) {
    return !ir::isFloating(tensor.type.dtype);
}

base::Status checkDivisor(const Call& call) {
    const Tensor* self = call.tensor("self");
    const ir::Arg* other = call.arg("other");
    if (!self || !other || !isInteger(*self)) return {};
    auto zero = [&] {
        return base::userError(
            {},
            fmt::format("{}: integer division by zero (ZeroDivisionError)", call.def.parsed.base),
            "divide floats, or replace the zeros with torch.where first");
    };
    if (const ir::Sym* number = std::get_if<ir::Sym>(other))
        return number->is(0) ? base::Status(zero()) : base::Status();
    const Tensor* divisor = call.tensor("other");
    if (!divisor || !isInteger(*divisor) || divisor->type.device.isCuda()) return {};
    if (self->type.numel().is(0)) return {};
    CUTAWAY_TRY(ir::HostTensor host, runtime::toHost(*divisor));
    for (int64_t i = 0, n = host.numel(); i < n; ++i)
        if (host.getInt(i) == 0) return zero();
    return {};
}

} // namespace

base::Status checkValues(const ops::OpDef& def, const ir::ArgList& args,
                         std::span<const TensorPtr> tensors) {
    const std::string& base = def.parsed.base;
    Call call{def, args, tensors};
    for (const IndexRow& row : kIndexed)
        if (row.base == base) return checkIndices(row, call);
    if (base == "floor_divide" || base == "remainder") return checkDivisor(call);
    const ir::Arg* mode = call.arg("rounding_mode");
    if (base == "div" && mode && !mode->isNone()) return checkDivisor(call);
    return {};
}

} // namespace cutaway::backend
