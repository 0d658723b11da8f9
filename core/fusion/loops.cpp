// SPDX-License-Identifier: Apache-2.0
#include "core/fusion/loops.h"

#include "core/base/said.h"
#include "core/kernel/address.h"
#include "core/kernel/device_traits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace cutaway::fusion {

using ir::Sym;
using kernel::Buffer;
using kernel::Expr;
using kernel::ExprKind;
using kernel::LoopProgram;

namespace {

// A whole-tensor sum is cut into rows of at most this many elements, to have work for all threads.
constexpr int64_t kLongestSumRow = 16384;
constexpr int64_t kShortestSumRow = 256;

ir::Var axisVar(size_t i) {
    return {'k', static_cast<uint16_t>(i)};
}

size_t cutOf(const Group& group) {
    if (!group.rows) return 0;
    const auto cut = cutAt(group.dims, group.rows);
    if (!cut) throw std::logic_error("rows of a kernel do not fit its loops");
    return *cut;
}

/// Merges neighbouring axes and chooses the inner one.
class Chooser {
public:
    Chooser(const LoopProgram& program, const Analysis& analysis, const Grouping& grouping,
            const Group& group, const std::vector<bool>& stores)
        : program_(program), analysis_(analysis), grouping_(grouping), group_(group),
          stores_(stores) {}

    Loops run() {
        loops_.axes.assign(group_.dims.size(), Sym(0));
        loops_.cut = cutOf(group_);
        collectOffsets();
        if (group_.scanned)
            columns();
        else if (group_.rows)
            fixedRows();
        else if (sumsEverything())
            sumRows();
        else
            pointwise();
        return std::move(loops_);
    }

private:
    // Consecutive axes [begin, end) that one loop runs over.
    struct Run {
        size_t begin, end;
        Extent size;
    };

    bool sumsEverything() const {
        return std::any_of(group_.members.begin(), group_.members.end(), [&](BufferId id) {
            return grouping_.roles[id.index] == Role::FullReduce;
        });
    }

    void addOffset(const Sym& offset) {
        if (offset.isConst()) return;
        if (std::find(offsets_.begin(), offsets_.end(), offset) == offsets_.end())
            offsets_.push_back(offset);
    }

    // Offsets of loads and stores, and index values, over the axes.
    void collectOffsets() {
        std::vector<Sym> axes;
        for (size_t i = 0; i < group_.dims.size(); ++i)
            axes.push_back(Sym(axisVar(i)));
        for (BufferId id : group_.members) {
            const Buffer& buffer = program_.buffer(id);
            const auto variables =
                memberVariables(analysis_[id], grouping_.roles[id.index], group_, axes, loops_.cut);
            auto look = [&](ExprId, const Expr& e) {
                if (e.kind == ExprKind::Index) addOffset(e.index.substitute(variables));
                if (e.kind != ExprKind::Load || grouping_.together(e.buffer, id)) return;
                Sym offset(0);
                for (size_t i = 0; i < e.coords.size(); ++i)
                    if (!e.coords[i].indirect.valid())
                        offset = offset + e.coords[i].index * program_.buffer(e.buffer).strides[i];
                addOffset(offset.substitute(variables));
            };
            if (analysis_[id].body.valid()) program_.pool.visit(analysis_[id].body, look);
            if (buffer.kind == kernel::BufferKind::Scatter)
                for (const kernel::Coord& coord : program_.pool[buffer.place].coords)
                    if (coord.indirect.valid()) program_.pool.visit(coord.indirect, look);
            if (!stores_[id.index]) continue;
            Sym offset(0);
            if (buffer.kind == kernel::BufferKind::Scatter) {
                const Expr& place = program_.pool[buffer.place];
                for (size_t i = 0; i < place.coords.size(); ++i)
                    if (!place.coords[i].indirect.valid())
                        offset = offset + place.coords[i].index * buffer.strides[i];
                addOffset(offset.substitute(variables));
                storeOffsets_.push_back(offset.substitute(variables));
                // A direct coordinate stays a variable of its own: it tells which updates meet.
                for (const kernel::Coord& coord : place.coords)
                    if (!coord.indirect.valid()) addOffset(coord.index.substitute(variables));
                continue;
            }
            for (size_t i = 0; i < buffer.sizes.size(); ++i)
                if (!buffer.sizes[i].is(1))
                    offset = offset + Sym(kernel::dimVar(i)) * buffer.strides[i];
            addOffset(offset.substitute(variables));
            storeOffsets_.push_back(offset.substitute(variables));
        }
    }

    bool mergeable(size_t a, size_t b) const {
        return std::all_of(offsets_.begin(), offsets_.end(), [&](const Sym& offset) {
            std::optional<Sym> x = offset.coefficient(axisVar(a));
            std::optional<Sym> y = offset.coefficient(axisVar(b));
            return x && y && *x == *y * group_.dims[b].size();
        });
    }

    std::vector<Run> runs(size_t begin, size_t end) const {
        std::vector<Run> result;
        for (size_t i = begin; i < end; ++i) {
            if (!result.empty() && mergeable(i - 1, i)) {
                result.back().end = i + 1;
                result.back().size *= group_.dims[i];
            } else {
                result.push_back({i, i + 1, group_.dims[i]});
            }
        }
        return result;
    }

    // axes of the run = digits of its index.
    void assign(const Run& run, const Sym& index) {
        Sym rest = index;
        for (size_t i = run.end; i-- > run.begin;) {
            const Sym& size = group_.dims[i].size();
            loops_.axes[i] = i == run.begin ? rest : ir::mod(rest, size);
            rest = ir::floorDiv(rest, size);
        }
    }

    void addOuter(const Run& run) {
        const ir::Var variable = kernel::outerVar(loops_.outer.size());
        loops_.outer.push_back({variable, run.size.size()});
        assign(run, Sym(variable));
    }
    /// Whether the elements of a row are only read, assigned and reduced along it: then a pass over
    /// them may be several loops.
    bool mayNest() const {
        bool reduces = false;
        for (BufferId id : group_.members) {
            const Role role = grouping_.roles[id.index];
            if (role == Role::RowScan || role == Role::ColumnReduce || role == Role::Column)
                return false;
            reduces |= role == Role::RowReduce;
        }
        return reduces && !group_.scatter.valid();
    }

    /// Where the axes [begin, end) are no single run for every access, or an access divides one:
    /// elements from there to the end.
    std::vector<Extent> boundaries(size_t begin, size_t end) const {
        std::vector<Extent> all;
        auto add = [&](const Extent& elements) {
            if (std::find(all.begin(), all.end(), elements) == all.end()) all.push_back(elements);
        };
        const std::vector<Run> separate = runs(begin, end);
        Extent inside = 1;
        for (size_t r = separate.size(); r-- > 1;)
            add(inside *= separate[r].size);
        inside = 1;
        for (size_t axis = end; axis-- > begin; inside *= group_.dims[axis])
            for (const Sym& offset : offsets_)
                for (const Sym& divisor : divisorsOf(offset, axisVar(axis)))
                    add(inside * Extent(program_, divisor));
        std::ranges::sort(all, [](const Extent& a, const Extent& b) { return a < b; });
        return all;
    }

    /// What \p sym divides the variable by.
    static std::vector<Sym> divisorsOf(const Sym& sym, ir::Var v) {
        std::vector<Sym> divisors;
        if (sym.isConst()) return divisors;
        for (const Sym::Term& term : sym.terms())
            for (const Sym::Atom& atom : term.atoms) {
                if (atom.kind == Sym::Atom::Kind::Variable) continue;
                const bool divides =
                    atom.kind == Sym::Atom::Kind::FloorDiv || atom.kind == Sym::Atom::Kind::Mod;
                const std::vector<Sym> deeper = divisorsOf(atom.a, v);
                divisors.insert(divisors.end(), deeper.begin(), deeper.end());
                if (divides && atom.a.asVar() == v) divisors.push_back(atom.b);
            }
        return divisors;
    }

    /// A loop for each part of the row, as many as accesses tell apart.
    void setPass(const Run& row) {
        std::vector<Extent> parts; ///< elements inside each loop around the innermost
        for (const Extent& elements : boundaries(row.begin, row.end))
            if (!(elements == Extent(1)) && divides(elements, row.size) &&
                !(elements == row.size) && (parts.empty() || divides(parts.back(), elements)))
                parts.push_back(elements);
        if (parts.empty() || !mayNest()) return setInner(row);
        loops_.inner.extent = parts.front().size();
        Extent around = row.size, inside = 1;
        for (size_t k = parts.size(); k-- > 0; around = parts[k]) {
            const ir::Var variable = kernel::outerVar(loops_.outer.size() + loops_.nest.size());
            loops_.nest.push_back({variable, (around / parts[k]).size()});
        }
        // From the innermost axis on: what is between two loops' ends is digits of those loops.
        Sym index = Sym(kernel::innerVar()), one(1);
        Run run{row.end, row.end, 1};
        size_t next = 0;
        for (size_t axis = row.end; axis-- > row.begin;) {
            run.begin = axis;
            inside *= group_.dims[axis];
            for (; next < parts.size() && parts[next] < inside; ++next)
                index =
                    index + Sym(variableOf(next, parts)) * ir::floorDiv(parts[next].size(), one);
            const bool ends = axis == row.begin || (next < parts.size() && parts[next] == inside);
            if (!ends) continue;
            assign(run, index);
            for (size_t of = run.begin; of < run.end; ++of)
                loops_.axes[of] = loops_.axes[of].simplify(loops_.bounds());
            if (axis == row.begin) break;
            one = inside.size();
            index = Sym(variableOf(next++, parts));
            run.end = axis;
        }
        std::string sizes;
        for (const kernel::Axis& axis : loops_.nest)
            sizes += axis.extent.str() + " x ";
        loops_.reasons.push_back(base::said("a row is loops over {}: its axes lie apart",
                                            sizes + loops_.inner.extent.str()));
    }

    /// Of the loop around \p parts[k] elements.
    ir::Var variableOf(size_t k, const std::vector<Extent>& parts) const {
        return loops_.nest[parts.size() - 1 - k].variable;
    }

    void setInner(const Run& run) {
        loops_.inner.extent = run.size.size();
        assign(run, Sym(kernel::innerVar()));
    }

    void fixedRows() {
        for (const Run& run : runs(0, loops_.cut))
            addOuter(run);
        setPass({loops_.cut, group_.dims.size(), group_.points / group_.rows});
        const bool scans = std::ranges::any_of(group_.members, [&](BufferId id) {
            return grouping_.roles[id.index] == Role::RowScan;
        });
        loops_.reasons.push_back(base::said("{} rows of {} elements: a {} fixes the loops",
                                            group_.rows, group_.points / group_.rows,
                                            scans ? base::said("running value along rows")
                                                  : base::said("sum over rows or columns")));
    }

    /// Loops that the threads share, the rows one after the other, and the columns of a chunk.
    void columns() {
        const auto rows = cutAt(group_.dims, group_.rows / group_.scanned);
        if (!rows) throw std::logic_error("rows of a kernel do not fit its loops");
        for (const Run& run : runs(0, *rows))
            addOuter(run);
        if (kernel::traitsOf(group_.device).columnsAsRows) {
            for (const Run& run : runs(loops_.cut, group_.dims.size()))
                addOuter(run);
            setInner({*rows, loops_.cut, group_.scanned});
            loops_.reasons.push_back(
                base::said("{} columns of {} elements, each in a loop of its own: a running value "
                           "down columns fixes the loops",
                           group_.points / group_.scanned, group_.scanned));
            return;
        }
        const Run inner{loops_.cut, group_.dims.size(), group_.points / group_.rows};
        const int64_t chunk = chunkOf(inner, group_.rows.hint() / group_.scanned.hint());
        loops_.reasons.push_back(base::said(
            "{} rows one after the other, {} columns: a running value down columns fixes the loops",
            group_.scanned, inner.size));
        if (chunk == 0) {
            addOuter({*rows, loops_.cut, group_.scanned});
            return setInner(inner);
        }
        const ir::Var part = kernel::outerVar(loops_.outer.size());
        loops_.outer.push_back({part, Sym(inner.size.hint() / chunk)});
        addOuter({*rows, loops_.cut, group_.scanned});
        loops_.inner.extent = Sym(chunk);
        assign(inner, Sym(part) * Sym(chunk) + Sym(loops_.inner.variable));
        loops_.reasons.push_back(base::said("columns in {} parts of {}, for the threads to share",
                                            inner.size.hint() / chunk, chunk));
    }

    /// Columns that one thread runs down at a time, when there are better fewer than all: what they
    /// are so far stays in a cache, and there is work for several threads. 0: all.
    static int64_t chunkOf(const Run& columns, int64_t others) {
        constexpr int64_t kMost = 512, kLeast = 64, kShares = 16;
        if (!columns.size.size().isConst()) return 0;
        const int64_t all = columns.size.hint();
        const int64_t wanted =
            others >= kShares ? kMost : std::clamp(all * others / kShares, kLeast, kMost);
        for (int64_t chunk = std::min(wanted, all / 2) / kLeast * kLeast; chunk > 0;
             chunk -= kLeast)
            if (all % chunk == 0) return chunk;
        return 0;
    }

    // The axis that most accesses walk with stride 1; stores count twice.
    size_t bestInner(const std::vector<Run>& all) const {
        size_t best = all.size() - 1;
        int bestScore = -1;
        for (size_t i = all.size(); i-- > 0;) {
            const ir::Var last = axisVar(all[i].end - 1);
            int score = 0;
            auto unit = [&](const Sym& offset) {
                std::optional<Sym> c = offset.coefficient(last);
                return c && c->is(1);
            };
            for (const Sym& offset : offsets_)
                score += unit(offset);
            for (const Sym& offset : storeOffsets_)
                score += unit(offset);
            if (score > bestScore) {
                bestScore = score;
                best = i;
            }
        }
        return best;
    }

    void pointwise() {
        const std::vector<Run> all = runs(0, group_.dims.size());
        if (all.empty()) return;
        const size_t inner = bestInner(all);
        for (size_t i = 0; i < all.size(); ++i)
            if (i != inner) addOuter(all[i]);
        setInner(all[inner]);
        loops_.reasons.push_back(
            all.size() == 1
                ? base::said("every access is contiguous: one loop of {} elements", all[0].size)
                : base::said("inner loop of {} elements: most accesses walk it with stride 1",
                             all[inner].size));
    }

    void sumRows() {
        const std::vector<Run> all = runs(0, group_.dims.size());
        if (all.empty()) return;
        const Run last = all.back();
        for (size_t i = 0; i + 1 < all.size(); ++i)
            addOuter(all[i]);
        const bool enoughRows =
            group_.points.hint() / std::max<int64_t>(last.size.hint(), 1) >= 64 &&
            last.size <= 4 * kLongestSumRow;
        if (enoughRows || group_.points <= kLongestSumRow) return setInner(last);
        // A size that is a symbol has no divisor that is known.
        if (!last.size.size().isConst()) return setInner(last);
        const int64_t whole = last.size.hint();
        int64_t length = std::min(kLongestSumRow, whole);
        while (length > kShortestSumRow && whole % length != 0)
            --length;
        if (whole % length != 0 || length == whole) {
            loops_.reasons.push_back(
                base::said("{} elements have no divisor between {} and {}: the "
                           "sum is one row",
                           last.size, kShortestSumRow, kLongestSumRow));
            return setInner(last);
        }
        const ir::Var variable = kernel::outerVar(loops_.outer.size());
        loops_.outer.push_back({variable, Sym(whole / length)});
        loops_.inner.extent = Sym(length);
        assign(last, Sym(variable) * Sym(length) + Sym(kernel::innerVar()));
        loops_.reasons.push_back(
            base::said("sum of {} elements cut into {} rows of {}, one partial "
                       "sum a thread",
                       whole, whole / length, length));
    }

    const LoopProgram& program_;
    const Analysis& analysis_;
    const Grouping& grouping_;
    const Group& group_;
    const std::vector<bool>& stores_;
    std::vector<Sym> offsets_, storeOffsets_;
    Loops loops_;
};

} // namespace

ir::Sym::Bound Loops::bounds() const {
    return [this](ir::Var v) -> std::optional<Sym> {
        if (v == inner.variable) return inner.extent;
        if (v.kind == 'o' && v.index < outer.size()) return outer[v.index].extent;
        for (const kernel::Axis& axis : nest)
            if (axis.variable == v) return axis.extent;
        return std::nullopt;
    };
}

bool Loops::isOfPass(ir::Var v) const {
    return v == inner.variable ||
           std::ranges::any_of(nest, [&](const kernel::Axis& axis) { return axis.variable == v; });
}

std::function<std::optional<Sym>(ir::Var)> memberVariables(const BufferInfo& info, Role role,
                                                           const Group& group,
                                                           const std::vector<Sym>& axes,
                                                           size_t cut) {
    size_t begin = 0, end = axes.size();
    if (role == Role::Row || role == Role::RowAll) end = cut;
    if (role == Role::Column) begin = cut;
    std::map<ir::Var, Sym> values;
    size_t axis = end;
    for (size_t i = info.dims.size(); i-- > 0;) {
        Sym value(0);
        Extent stride = 1;
        while (!(stride == info.dims[i]) && axis > begin) {
            --axis;
            value = value + axes[axis] * stride.size();
            stride *= group.dims[axis];
        }
        if (!(stride == info.dims[i]))
            throw std::logic_error("loops of a member do not fit its kernel");
        values.emplace(info.vars[i], value);
    }
    return [values](ir::Var v) -> std::optional<Sym> {
        if (v.kind != 'd' && v.kind != 'r') return std::nullopt;
        auto it = values.find(v);
        return it == values.end() ? Sym(0) : it->second; // a dimension of size 1
    };
}

Loops chooseLoops(const LoopProgram& program, const Analysis& analysis, const Grouping& grouping,
                  const Group& group, const std::vector<bool>& stores) {
    return Chooser(program, analysis, grouping, group, stores).run();
}

} // namespace cutaway::fusion
