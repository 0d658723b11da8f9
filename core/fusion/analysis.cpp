// SPDX-License-Identifier: Apache-2.0
#include "core/fusion/analysis.h"

#include "core/kernel/device_traits.h"
#include "core/kernel/substitute.h"

#include <algorithm>
#include <limits>

namespace cutaway::fusion {

using ir::Sym;
using kernel::Buffer;
using kernel::BufferKind;
using kernel::Expr;
using kernel::ExprKind;
using kernel::LoopProgram;

namespace {

Extent product(const LoopProgram& program, const ir::Shape& sizes) {
    Extent total = 1;
    for (const Sym& size : sizes)
        total *= Extent(program, size);
    return total;
}

// Row-major index of a place, in the order of the buffer's dimensions (not of its memory).
std::optional<Sym> flatIndex(const Buffer& buffer, const std::vector<kernel::Coord>& coords) {
    const ir::Shape strides = ir::contiguousStrides(buffer.sizes);
    Sym flat(0);
    for (size_t i = 0; i < coords.size(); ++i) {
        if (coords[i].indirect.valid()) return std::nullopt;
        flat = flat + coords[i].index * strides[i];
    }
    return flat;
}

void addLoops(const LoopProgram& program, BufferInfo& info, const ir::Shape& sizes, char kind) {
    for (size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i].is(1)) continue;
        info.dims.emplace_back(program, sizes[i]);
        info.vars.push_back({kind, static_cast<uint16_t>(i)});
    }
}

// A reduction runs column-wise when what it reads has the reduced dimensions outside the kept ones.
bool readsReducedOutside(const LoopProgram& program, const Buffer& buffer) {
    bool outside = false, decided = false;
    program.pool.visit(buffer.body, [&](ExprId, const Expr& e) {
        if (decided || e.kind != ExprKind::Load) return;
        std::optional<Sym> flat = flatIndex(program.buffer(e.buffer), e.coords);
        if (!flat) return;
        int64_t leastReduced = INT64_MAX, mostKept = 0;
        auto look = [&](const ir::Shape& sizes, char kind) {
            for (size_t i = 0; i < sizes.size(); ++i) {
                if (sizes[i].is(1)) continue;
                std::optional<Sym> c = flat->coefficient({kind, static_cast<uint16_t>(i)});
                if (!c || c->is(0)) return false;
                for (ir::Var v : c->variables())
                    if (v.kind != 's') return false;
                if (kind == 'r')
                    leastReduced = std::min(leastReduced, program.hint(*c));
                else
                    mostKept = std::max(mostKept, program.hint(*c));
            }
            return true;
        };
        decided = look(buffer.reduced, 'r') && look(buffer.sizes, 'd');
        outside = decided && leastReduced > mostKept;
    });
    return outside;
}

/// Whether loops of a kernel do a scan down columns: beside enough neighbours to fill vectors.
bool scansColumns(const LoopProgram& program, const Buffer& buffer) {
    constexpr int64_t kFewestColumns = 16;
    const kernel::RowCall& row = buffer.call->row;
    int64_t columns = 1;
    for (size_t k = static_cast<size_t>(row.dim) + 1; k < buffer.sizes.size(); ++k)
        columns *= program.hint(buffer.sizes[k]);
    return columns >= kFewestColumns;
}

/// The element that a scan adds at each point of its buffer, where loops of a kernel do it: along
/// dense rows, or down columns, of an operand that lies as its buffer does. Else invalid: a
/// library's call.
ExprId scannedValue(LoopProgram& program, const Buffer& buffer) {
    const kernel::LibraryCall& call = *buffer.call;
    const size_t rank = buffer.sizes.size();
    if (call.op != kernel::LibraryOp::Scan || rank == 0 || buffer.numel().is(0)) return {};
    const auto dim = static_cast<size_t>(call.row.dim);
    if (buffer.sizes[dim].is(1)) return {};
    const bool columns = dim + 1 != rank;
    if (columns && !scansColumns(program, buffer)) return {};
    const kernel::DeviceTraits& traits = kernel::traitsOf(buffer.device);
    const int64_t length = program.hint(buffer.sizes[dim]);
    if (length > (columns ? traits.longestColumnScan : traits.longestScan) &&
        program.hint(buffer.numel()) / length <
            (columns ? traits.enoughColumnScans : traits.enoughScans))
        return {};
    const kernel::StridedView& operand = call.operands[0];
    const Buffer& from = program.buffer(operand.buffer);
    bool plain = operand.sizes == buffer.sizes && operand.offset.is(0) &&
                 from.sizes == operand.sizes && call.sizes == buffer.sizes;
    for (size_t i = 0; plain && i < rank; ++i)
        plain = buffer.sizes[i].is(1) ||
                (from.strides[i] == operand.strides[i] && call.strides[i] == buffer.strides[i]);
    if (!plain || from.dtype != ir::computeType(from.dtype)) return {};
    const bool truth = from.dtype == ir::DType::Bool;
    if (truth && !call.row.givesPlaces()) return {};
    std::vector<kernel::Coord> coords;
    for (size_t i = 0; i < rank; ++i)
        coords.push_back({buffer.sizes[i].is(1) ? Sym(0) : Sym(kernel::dimVar(i)), {}});
    const ExprId element = program.pool.load(from.id, from.dtype, std::move(coords));
    return truth ? program.pool.cast(ir::DType::UInt8, element) : element;
}

/// Whether an extreme and its position are found for many columns at once, as sums are; of few rows
/// the columns' own memory would be read and written as often as what they are found in.
bool takesColumns(const LoopProgram& program, const Buffer& buffer) {
    constexpr int64_t kFewestColumns = 16, kFewestRows = 16;
    int64_t rows = 1;
    for (const Sym& size : buffer.reduced)
        rows *= program.hint(size);
    return kernel::isArg(buffer.reduce) && program.pool[buffer.body].dtype != ir::DType::Bool &&
           rows >= kFewestRows && program.hint(buffer.numel()) >= kFewestColumns;
}

void setLoops(const LoopProgram& program, const Buffer& buffer, BufferInfo& info) {
    info.numel = product(program, buffer.sizes);
    if (buffer.kind == BufferKind::Pointwise) {
        info.kind = LoopKind::Map;
        addLoops(program, info, buffer.sizes, 'd');
    } else if (buffer.kind == BufferKind::Scatter) {
        info.kind = LoopKind::Map; // of its updates
        addLoops(program, info, buffer.reduced, 'r');
    } else if (buffer.kind == BufferKind::Library && info.own.valid()) {
        const auto dim = static_cast<size_t>(buffer.call->row.dim);
        const bool columns = dim + 1 != buffer.sizes.size();
        info.kind = columns ? LoopKind::ColumnScan : LoopKind::RowScan;
        if (columns) info.scanned = Extent(program, buffer.sizes[dim]);
        addLoops(program, info, buffer.sizes, 'd');
    } else if (buffer.kind == BufferKind::Reduction) {
        const bool two = kernel::givesTwo(buffer.reduce);
        const bool full = info.numel == 1;
        const bool column = (!two || takesColumns(program, buffer)) && !full &&
                            readsReducedOutside(program, buffer);
        // Two results over everything are found along one loop: a single row.
        info.kind = column         ? LoopKind::ColumnReduce
                    : full && !two ? LoopKind::FullReduce
                                   : LoopKind::RowReduce;
        if (column) addLoops(program, info, buffer.reduced, 'r');
        addLoops(program, info, buffer.sizes, 'd');
        if (!column) addLoops(program, info, buffer.reduced, 'r');
        if (info.kind == LoopKind::RowReduce) info.rows = info.numel;
        if (info.kind == LoopKind::ColumnReduce) info.rows = product(program, buffer.reduced);
    }
    for (const Extent& size : info.dims)
        info.points *= size;
    if (info.kind == LoopKind::RowScan) info.rows = info.points / info.dims.back();
    if (info.kind == LoopKind::ColumnScan) {
        info.rows = 1;
        for (size_t k = 0; k <= static_cast<size_t>(buffer.call->row.dim); ++k)
            info.rows *= Extent(program, buffer.sizes[k]);
    }
    Extent stride = 1;
    for (size_t i = info.dims.size(); i-- > 0; stride *= info.dims[i])
        info.flat = info.flat + Sym(info.vars[i]) * stride.size();
}

// The usual case, seen without index arithmetic: equal sizes, equal coordinates.
bool isOwnElement(const Buffer& consumer, const Buffer& buffer, const Expr& load) {
    if (consumer.kind != BufferKind::Pointwise && consumer.kind != BufferKind::Library)
        return false;
    if (buffer.sizes != consumer.sizes) return false;
    for (size_t i = 0; i < load.coords.size(); ++i) {
        if (load.coords[i].indirect.valid()) return false;
        if (buffer.sizes[i].is(1)) continue;
        if (load.coords[i].index.asVar() != kernel::dimVar(i)) return false;
    }
    return true;
}

Relation relationOf(const LoopProgram& program, const Buffer& consumer, const BufferInfo& info,
                    const Expr& load) {
    const Buffer& buffer = program.buffer(load.buffer);
    const Extent numel = product(program, buffer.sizes);
    if (isOwnElement(consumer, buffer, load) && numel > 1) return Relation::Same;
    if (numel == 1) return Relation::Single;
    if (numel == 0 || info.points == 0) return Relation::Other;
    std::optional<Sym> flat = flatIndex(buffer, load.coords);
    if (!flat) return Relation::Other;
    *flat = flat->simplify(loopBounds(consumer));
    if (*flat == info.flat && numel == info.points) return Relation::Same;
    Extent outer = 1;
    for (size_t cut = 0; cut < info.dims.size(); ++cut, outer *= info.dims[cut - 1]) {
        const Extent inner = info.points / outer;
        if (!(numel == outer) && !(numel == inner)) continue;
        Sym suffix(0), prefix(0);
        Extent stride = 1;
        for (size_t i = info.dims.size(); i-- > cut; stride *= info.dims[i])
            suffix = suffix + Sym(info.vars[i]) * stride.size();
        stride = 1;
        for (size_t i = cut; i-- > 0; stride *= info.dims[i])
            prefix = prefix + Sym(info.vars[i]) * stride.size();
        if (numel == outer && *flat == prefix) return Relation::Prefix;
        if (numel == inner && *flat == suffix) return Relation::Suffix;
    }
    return Relation::Other;
}

void describeBody(const LoopProgram& program, const Buffer& buffer, BufferInfo& info) {
    info.loads.clear();
    info.flops = 0;
    info.nodes = 0;
    auto look = [&](ExprId id, const Expr& e) {
        ++info.nodes;
        if (e.kind == ExprKind::Op) info.flops += kernel::info(e.op).flops;
        if (e.kind == ExprKind::Load && e.buffer != buffer.id)
            info.loads.push_back({id, e.buffer, relationOf(program, buffer, info, e)});
    };
    program.pool.visit(info.body, look);
    if (buffer.kind != BufferKind::Scatter) return;
    program.pool.visit(buffer.place, look);
    // All of it, before the first update.
    info.loads.push_back({{}, buffer.base, Relation::Other});
}

bool readsOnlyInputs(const LoopProgram& program, const BufferInfo& info) {
    return std::all_of(info.loads.begin(), info.loads.end(), [&](const Access& access) {
        const BufferKind kind = program.buffer(access.buffer).kind;
        return kind == BufferKind::Input || kind == BufferKind::Constant;
    });
}

/// Another result has the loops of what it is a result of.
void setLoopsOf(const BufferInfo& leader, BufferId of, BufferInfo& info) {
    info.kind = leader.kind;
    info.dims = leader.dims;
    info.vars = leader.vars;
    info.points = leader.points;
    info.rows = leader.rows;
    info.scanned = leader.scanned;
    info.numel = leader.numel;
    info.flat = leader.flat;
    info.loads = {{{}, of, Relation::Same}};
}

/// Puts producers into consumers' bodies.
class Recomputation {
public:
    Recomputation(LoopProgram& program, Analysis& analysis, std::vector<int> uses)
        : program_(program), analysis_(analysis), uses_(std::move(uses)) {}

    /// \param forced when not null: these producers, whatever they cost, and no others
    void into(const Buffer& consumer, const std::set<BufferId>* forced = nullptr) {
        BufferInfo& info = analysis_[consumer.id];
        if (!info.body.valid()) return;
        consumer_ = &consumer;
        forced_ = forced;
        const ExprId before = info.body;
        info.body = kernel::rewrite(program_.pool, before, keepVariables, nullptr,
                                    [this](const Expr& load) {
                                        double spent = 0;
                                        return expand(load, spent, kUnlimited);
                                    });
        if (info.body != before) describeBody(program_, consumer, info);
    }

private:
    static constexpr double kUnlimited = std::numeric_limits<double>::infinity();
    static std::optional<kernel::Coord> keepVariables(ir::Var) { return std::nullopt; }

    /// What a load costs counts what its own loads cost: a chain of cheap values is not cheap.
    /// \param spent operations so far, \p end where they must stop.
    ExprId expand(const Expr& load, double& spent, double end) {
        const Buffer& producer = program_.buffer(load.buffer);
        const double most = std::min(allowance(producer, load), end - spent);
        if (most < 0) return {};
        const double cost = flopsOf(producer);
        if (most < cost) return {};
        BufferInfo& info = analysis_[consumer_->id];
        if (std::find(info.recomputes.begin(), info.recomputes.end(), producer.id) ==
            info.recomputes.end())
            info.recomputes.push_back(producer.id);
        auto place = [&](ir::Var v) -> std::optional<kernel::Coord> {
            return v.kind == 'd' ? std::optional(load.coords[v.index]) : std::nullopt;
        };
        spent += cost;
        const double stop = spent + (most - cost);
        return kernel::rewriteUnder(program_, load.mask(), producer.body, place,
                                    loopBounds(*consumer_),
                                    [&](const Expr& inner) { return expand(inner, spent, stop); });
    }

    double flopsOf(const Buffer& producer) const {
        double flops = 0;
        program_.pool.visit(producer.body, [&](ExprId, const Expr& e) {
            if (e.kind == ExprKind::Op) flops += kernel::info(e.op).flops;
        });
        return flops;
    }

    /// Operations that computing the load's value where it is read may cost; negative: it is read.
    double allowance(const Buffer& producer, const Expr& load) const {
        constexpr double kNone = -1;
        if (producer.kind != BufferKind::Pointwise) return kNone;
        if (forgetsIndex(program_, load)) return kNone;
        if (forced_) return forced_->contains(producer.id) ? kUnlimited : kNone;
        const BufferInfo& from = analysis_[producer.id];
        const BufferInfo& to = analysis_[consumer_->id];
        if (from.nodes + to.nodes > kMaxBody || producer.device != consumer_->device) return kNone;
        if (from.loads.empty()) return 16;
        const bool fewer = to.points * 4 <= from.numel;
        switch (relationOf(program_, *consumer_, to, load)) {
        case Relation::Same:
        case Relation::Prefix:
            return kNone;
        case Relation::Single:
            return !from.mustStore && readsOnlyInputs(program_, from) ? kUnlimited : kNone;
        case Relation::Suffix:
            return !from.mustStore && readsOnlyInputs(program_, from) ? 4 : kNone;
        case Relation::Other:
            break;
        }
        if (fewer) return 64;
        if (from.mustStore) return kNone;
        const bool once = uses_[producer.id.index] == 1 && to.points <= from.numel;
        return once ? 16 : 4;
    }

    LoopProgram& program_;
    Analysis& analysis_;
    std::vector<int> uses_;
    const Buffer* consumer_ = nullptr;
    const std::set<BufferId>* forced_ = nullptr;
};

void markStored(const LoopProgram& program, Analysis& analysis) {
    for (const kernel::StridedView& view : program.outputs)
        if (view.buffer.valid()) analysis[view.buffer].mustStore = true;
    for (const Buffer& buffer : program.buffers) {
        if (buffer.base.valid()) analysis[buffer.base].mustStore = true;
        if (!buffer.call || analysis[buffer.id].kind != LoopKind::None) continue;
        for (const kernel::StridedView& view : buffer.call->reads())
            analysis[view.buffer].mustStore = true;
    }
}

} // namespace

ir::Sym::Bound loopBounds(const Buffer& buffer) {
    return [&buffer](ir::Var v) -> std::optional<Sym> {
        const ir::Shape* sizes = v.kind == 'd'   ? &buffer.sizes
                                 : v.kind == 'r' ? &buffer.reduced
                                                 : nullptr;
        if (!sizes || v.index >= sizes->size()) return std::nullopt;
        return (*sizes)[v.index];
    };
}

bool forgetsIndex(const LoopProgram& program, const Expr& load) {
    const Buffer& producer = program.buffer(load.buffer);
    std::vector<bool> used(load.coords.size());
    auto use = [&](const Sym& index) {
        for (ir::Var v : index.variables())
            if (v.kind == 'd' && v.index < used.size()) used[v.index] = true;
    };
    for (size_t i = 0; i < used.size(); ++i)
        used[i] = !load.coords[i].indirect.valid();
    if (std::ranges::all_of(used, std::identity())) return false;
    program.pool.visit(producer.body, [&](ExprId, const Expr& e) {
        use(e.index);
        for (const kernel::Coord& coord : e.coords)
            use(coord.index);
    });
    return !std::ranges::all_of(used, std::identity());
}

void collectConsumers(LoopProgram& program, Analysis& analysis) {
    for (BufferInfo& info : analysis.infos)
        info.consumers.clear();
    // Backwards: what only recomputed values read is read by nobody.
    for (auto it = program.buffers.rbegin(); it != program.buffers.rend(); ++it) {
        BufferInfo& info = analysis[it->id];
        std::reverse(info.consumers.begin(), info.consumers.end());
        if (isOnlyRecomputed(program, analysis, it->id)) continue;
        for (const Access& access : info.loads) {
            auto& consumers = analysis[access.buffer].consumers;
            if (consumers.empty() || consumers.back() != it->id) consumers.push_back(it->id);
        }
    }
}

bool isOnlyRecomputed(const LoopProgram& program, const Analysis& analysis, BufferId id) {
    return program.buffer(id).kind == BufferKind::Pointwise && !analysis[id].mustStore &&
           analysis[id].consumers.empty();
}

void recomputeIn(LoopProgram& program, Analysis& analysis, BufferId consumer,
                 const std::set<BufferId>& producers) {
    Recomputation(program, analysis, {}).into(program.buffer(consumer), &producers);
}

Analysis analyse(LoopProgram& program, bool recompute) {
    Analysis analysis;
    analysis.infos.resize(program.buffers.size());
    std::vector<int> uses(program.buffers.size());
    for (Buffer& buffer : program.buffers) {
        BufferInfo& info = analysis[buffer.id];
        if (buffer.kind == BufferKind::Result) {
            if (analysis[buffer.of].kind != LoopKind::None) {
                setLoopsOf(analysis[buffer.of], buffer.of, info);
                continue;
            }
            buffer.kind = BufferKind::Pointwise; // a library gives positions only
            buffer.of = {};
        }
        info.own = buffer.kind == BufferKind::Library ? scannedValue(program, buffer) : buffer.body;
        setLoops(program, buffer, info);
        info.body = info.own;
        if (info.kind == LoopKind::None) continue;
        describeBody(program, buffer, info);
        for (const Access& access : info.loads)
            ++uses[access.buffer.index];
    }
    markStored(program, analysis);
    if (recompute) {
        Recomputation recomputation(program, analysis, uses);
        for (const Buffer& buffer : program.buffers)
            if (analysis[buffer.id].kind != LoopKind::None) recomputation.into(buffer);
    }
    collectConsumers(program, analysis);
    return analysis;
}

} // namespace cutaway::fusion
