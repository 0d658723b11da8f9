// SPDX-License-Identifier: Apache-2.0
#include "core/lower/lower.h"
#include "core/lower/asks.h"
#include "core/lower/lowering.h"

#include "core/ops/rule_guard.h"

#include "core/base/tick.h"
#include "core/kernel/address.h"
#include "core/kernel/scalar_eval.h"
#include "core/lower/range.h"
#include "core/ops/catalogue.h"
#include "core/ops/memory_order.h"
#include "core/ops/written_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace cutaway::lower {

std::vector<Coord> broadcastCoords(const ir::Shape& sizes, const std::vector<Sym>& at) {
    std::vector<Coord> coords;
    const size_t shift = at.size() - sizes.size();
    for (size_t i = 0; i < sizes.size(); ++i)
        coords.push_back({sizes[i].is(1) ? Sym(0) : at[shift + i], {}});
    return coords;
}

std::vector<Sym> loopsInMemoryOrder(const ir::TensorType& type) {
    const std::vector<size_t> order = ops::memoryOrder(type);
    std::vector<Sym> coords(type.rank(), Sym(0));
    for (size_t at = 0; at < order.size(); ++at)
        if (!type.sizes[order[at]].is(1)) coords[order[at]] = Sym(kernel::dimVar(at));
    return coords;
}

std::vector<Sym> coordsInMemoryOrder(const ir::TensorType& type) {
    const std::vector<Sym> coords = loopCoords(type.sizes);
    std::vector<Sym> placed;
    for (size_t dim : ops::memoryOrder(type))
        placed.push_back(coords[dim]);
    return placed;
}

static ir::Shape sizesInMemoryOrder(const ir::TensorType& type) {
    ir::Shape sizes;
    for (size_t dim : ops::memoryOrder(type))
        sizes.push_back(type.sizes[dim]);
    return sizes;
}

bool hasElements(const ir::Shape& sizes) {
    return std::none_of(sizes.begin(), sizes.end(), [](const Sym& s) { return s.is(0); });
}

/// Whether the node's elements jump where an operand's pass a number.
static bool jumps(const ir::Node& node, const ops::OpDef& def) {
    const auto whole = [](const ir::TensorType& type) {
        return !ir::isFloating(type.dtype) && !ir::isComplex(type.dtype);
    };
    return !def.isView() && (def.traits.jumps || std::ranges::any_of(node.types, whole));
}

/// Loads of an Indexed rule.
class ArgLoader final : public ops::LoadArg {
public:
    ArgLoader(Lowering& lowering, const ir::Node& node, Buffer& buffer)
        : lowering_(lowering), node_(node), buffer_(buffer) {}
    ExprId operator()(size_t arg, std::vector<Coord> coords) override {
        const ir::NodeId* id = node_.args[arg].node();
        if (!id) throw std::logic_error(fmt::format("argument {} is not a tensor", arg));
        return load(*id, coords);
    }

    ExprId element(size_t arg, size_t index, std::vector<Coord> coords) override {
        const ir::ArgList* list = node_.args[arg].list();
        if (!list || index >= list->size() || !(*list)[index].node())
            throw std::logic_error(fmt::format("argument {} has no tensor {}", arg, index));
        return load(*(*list)[index].node(), coords);
    }

private:
    ExprId load(ir::NodeId id, const std::vector<Coord>& coords) {
        const Value& value = lowering_.valueOf(id);
        lowering_.note(buffer_, value);
        return lowering_.asRead(node_, id, lowering_.load(value, coords));
    }
    Lowering& lowering_;
    const ir::Node& node_;
    Buffer& buffer_;
};

std::string Lowering::uniqueName(const std::string& wanted) {
    std::string name = wanted;
    for (int i = 1; !names_.insert(name).second; ++i)
        name = fmt::format("{}_{}", wanted, i);
    return name;
}

Buffer Lowering::newBuffer(const ir::Node& node, const ir::TensorType& type,
                           const std::string& name, BufferKind kind) {
    Buffer buffer;
    buffer.name = name;
    buffer.kind = kind;
    buffer.dtype = type.dtype;
    buffer.device = type.device;
    // Loops run in memory order: a buffer of permuted dimensions is row-major itself, and its value
    // has the permutation in the coordinates.
    const bool loops = kind == BufferKind::Pointwise || kind == BufferKind::Library;
    buffer.sizes = loops ? sizesInMemoryOrder(type) : type.sizes;
    buffer.strides = kind == BufferKind::Input ? type.strides : ir::contiguousStrides(buffer.sizes);
    buffer.from = {node.id.index};
    loopSizes_ = buffer.sizes;
    return buffer;
}

BufferId Lowering::add(Buffer buffer) {
    buffer.id = BufferId(static_cast<uint32_t>(program_.buffers.size()));
    std::vector<uint32_t> unique;
    for (uint32_t id : buffer.from)
        if (std::find(unique.begin(), unique.end(), id) == unique.end()) unique.push_back(id);
    buffer.from = std::move(unique);
    program_.buffers.push_back(std::move(buffer));
    return program_.buffers.back().id;
}

ExprId Lowering::load(const Value& value, const std::vector<Coord>& coords,
                      const ir::Shape& reduced) {
    return loadValue(program_, value, coords, bounds(loopSizes_, reduced));
}

/// What one of a call's operations reads rounded, all do: x - trunc(x).
std::vector<bool> Lowering::exactReaders() const {
    const auto call = [](const ir::Node& node) {
        return std::pair<const void*, bool>(node.source.get(), node.backward);
    };
    std::set<std::pair<const void*, bool>> jumping;
    for (ir::NodeId id : graph_.order()) {
        const ir::Node& node = graph_.node(id);
        const ops::OpDef* def = ops::catalogue().find(node.op);
        if (def && jumps(node, *def)) jumping.insert(call(node));
    }
    std::vector<bool> exact(graph_.idLimit());
    for (ir::NodeId id : graph_.order())
        exact[id.index] = jumping.contains(call(graph_.node(id)));
    return exact;
}

ExprId Lowering::asRead(const ir::Node& reader, ir::NodeId id, ExprId element) {
    const ir::Node& made = graph_.node(id);
    const bool same = made.source == reader.source && made.backward == reader.backward;
    if (!exact_[reader.id.index] || same || !ir::isHalf(made.type().dtype)) return element;
    const Value& value = valueOf(id);
    if (!value.isConstant()) {
        const BufferKind kind = program_.buffer(value.buffer).kind;
        if (kind == BufferKind::Input || kind == BufferKind::Constant) return element;
    }
    return rounded(made.type().dtype, element);
}

ExprId Lowering::rounded(DType half, ExprId element) {
    return program_.pool.op(half == DType::Float16 ? kernel::ScalarOp::RoundF16
                                                   : kernel::ScalarOp::RoundBF16,
                            {program_.pool.cast(DType::Float32, element)});
}

void Lowering::note(Buffer& buffer, const Value& value) const {
    buffer.from.insert(buffer.from.end(), value.through.begin(), value.through.end());
}

size_t Lowering::selectedBy(const ir::Node& getitem) {
    return static_cast<size_t>(std::get<Sym>(getitem.args[1]).constant());
}

std::vector<bool> Lowering::liveNodes() {
    std::vector<bool> live(graph_.idLimit());
    for (ir::NodeId id : graph_.outputs)
        if (id.valid()) live[id.index] = true;
    const auto& order = graph_.order();
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        if (!live[it->index]) continue;
        const ir::Node& node = graph_.node(*it);
        ir::forEachNode(node.args, [&](ir::NodeId arg) { live[arg.index] = true; });
        if (node.op == "getitem") selected_.emplace(node.args[0].node()->index, selectedBy(node));
    }
    return live;
}

Result<LoopProgram> Lowering::run() {
    const std::vector<bool> live = liveNodes();
    exact_ = exactReaders();
    for (ir::NodeId id : graph_.order())
        names_.insert(graph_.node(id).name);
    for (ir::NodeId id : graph_.order()) {
        const ir::Node& node = graph_.node(id);
        if (!live[id.index] && node.kind != ir::NodeKind::Placeholder) continue;
        base::tick();
        CUTAWAY_CHECK(
            ops::guardRule(node.op, node.source, "lowering rule", [&] { return lowerNode(node); }));
    }
    CUTAWAY_CHECK(lowerOutputs());
    return std::move(program_);
}

bool Lowering::isLive(const ir::Node& tuple, size_t result) const {
    return selected_.contains({tuple.id.index, result});
}

/// "max_values", "max_indices"; of other tuples "moments_0", "moments_1".
std::string Lowering::resultName(const ir::Node& tuple, size_t result) {
    const bool places = tuple.types[1].dtype == DType::Int64;
    return uniqueName(fmt::format("{}_{}", tuple.name,
                                  !places       ? std::to_string(result)
                                  : result == 0 ? "values"
                                                : "indices"));
}

Status Lowering::lowerNode(const ir::Node& node) {
    if (node.kind == ir::NodeKind::Placeholder) return lowerPlaceholder(node), Status();
    if (node.kind == ir::NodeKind::Constant) return lowerConstant(node), Status();
    if (node.op == "getitem") {
        Value& value = values_[node.id.index];
        value = tuples_.at(node.args[0].node()->index).at(selectedBy(node));
        value.through.push_back(node.id.index);
        return {};
    }
    const ops::OpDef* def = ops::catalogue().find(node.op);
    if (!def)
        return base::bugError(
            fmt::format("operation {} of node {} is not in the catalogue", node.op, node.name));
    return lowerCall(node, *def);
}

Status Lowering::lowerCall(const ir::Node& node, const ops::OpDef& def) {
    if (auto* how = std::get_if<ops::Pointwise>(&def.lowering))
        return lowerPointwise(node, def, *how), Status();
    if (auto* how = std::get_if<ops::Indexed>(&def.lowering))
        return lowerIndexed(node, def, *how), Status();
    if (auto* how = std::get_if<ops::Reduction>(&def.lowering))
        return lowerReduction(node, def, *how);
    if (auto* how = std::get_if<ops::View>(&def.lowering))
        return values_[node.id.index] = viewed(node, *how, valueOf(*node.args[0].node())), Status();
    if (auto* how = std::get_if<ops::Scatter>(&def.lowering))
        return lowerScatter(node, def, *how), Status();
    if (def.isLibrary()) return lowerLibrary(node, def), Status();
    if (std::holds_alternative<ops::Decompose>(def.lowering))
        return base::bugError(fmt::format("operation {} of node {} reached lowering undecomposed",
                                          node.op, node.name));
    const std::string_view why = std::get<ops::NoLowering>(def.lowering).why;
    return base::userError(locationOf(node),
                           fmt::format("operation {} cannot be compiled: {}", node.op, why),
                           "run it outside the compiled function");
}

void Lowering::lowerPlaceholder(const ir::Node& node) {
    const BufferId id = add(newBuffer(node, BufferKind::Input));
    program_.inputs.push_back(id);
    values_[node.id.index] = {id, loopCoords(node.type().sizes), {}, node.type().sizes, {}};
}

void Lowering::lowerConstant(const ir::Node& node) {
    Value& value = values_[node.id.index];
    value.sizes = node.type().sizes;
    if (node.constant->numel() == 1) {
        const DType dtype = node.constant->dtype;
        value.constant = ir::isFloating(dtype)
                             ? program_.pool.constant(dtype, node.constant->get(0))
                             : program_.pool.constantInt(dtype, node.constant->getInt(0));
        value.through = {node.id.index};
        return;
    }
    Buffer buffer = newBuffer(node, BufferKind::Constant);
    buffer.constant = node.constant;
    value.buffer = add(std::move(buffer));
    value.coords = loopCoords(value.sizes);
}

// The same expression for every element needs no buffer: consumers see the constant.
Value Lowering::pointwise(const ir::TensorType& type, Buffer buffer) {
    Value value;
    value.sizes = type.sizes;
    if (program_.pool[buffer.body].dtype != ir::computeType(buffer.dtype))
        throw std::logic_error(fmt::format("expression is {}, result is {}",
                                           ir::name(program_.pool[buffer.body].dtype),
                                           ir::name(buffer.dtype)));
    if (program_.pool[buffer.body].kind == kernel::ExprKind::Constant) {
        if (ir::isStorageOnly(buffer.dtype)) { // as memory would keep it
            const double number = program_.pool[buffer.body].value;
            buffer.body =
                program_.pool.constant(buffer.dtype, kernel::scalarOf(buffer.dtype, number).real);
        }
        value.constant = buffer.body;
        value.through = buffer.from;
        return value;
    }
    value.coords = coordsInMemoryOrder(type);
    value.buffer = add(std::move(buffer));
    return value;
}

void Lowering::lowerPointwise(const ir::Node& node, const ops::OpDef& def,
                              const ops::Pointwise& how) {
    Buffer buffer = newBuffer(node, BufferKind::Pointwise);
    const std::vector<Sym> at = loopsInMemoryOrder(node.type());
    std::vector<ExprId> inputs;
    ir::forEachNode(node.args, [&](ir::NodeId arg) {
        const Value& value = valueOf(arg);
        note(buffer, value);
        inputs.push_back(asRead(node, arg, load(value, broadcastCoords(value.sizes, at))));
    });
    NodeAsks asks(program_, node);
    buffer.body = how.build(program_.pool, callOf(node, def, asks), inputs);
    finishPointwise(node, std::move(buffer));
}

void Lowering::lowerIndexed(const ir::Node& node, const ops::OpDef& def, const ops::Indexed& how) {
    Buffer buffer = newBuffer(node, BufferKind::Pointwise);
    const std::vector<Sym> out = loopsInMemoryOrder(node.type());
    ArgLoader loader(*this, node, buffer);
    NodeAsks asks(program_, node);
    buffer.body = asks.keep(how.build(program_.pool, callOf(node, def, asks), loader, out));
    // Conditions of reads at fixed places go; nothing else changes.
    const auto same = [](ir::Var) { return std::optional<Coord>(); };
    buffer.body = kernel::rewriteUnder(program_, {}, buffer.body, same, {}, {});
    finishPointwise(node, std::move(buffer));
}

/// What it starts as is a buffer of its own, whose memory the scatter takes over.
void Lowering::lowerScatter(const ir::Node& node, const ops::OpDef& def, const ops::Scatter& how) {
    const ir::NodeId base = *node.args[static_cast<size_t>(how.base)].node();
    const ir::NodeId updates = *node.args[static_cast<size_t>(how.updates)].node();
    const auto over = static_cast<size_t>(how.over < 0 ? how.updates : how.over);
    const ir::Shape sizes = graph_.node(*node.args[over].node()).type().sizes;
    const ir::TensorType& type = node.type();
    Value& result = values_[node.id.index];
    if (!hasElements(sizes) || !hasElements(type.sizes)) {
        // With nothing to write, still memory of its own: what is written to it later is its alone.
        result = materialise(valueOf(base), type, node.name + "_start");
        result.through.push_back(node.id.index);
        return;
    }
    kernel::ExprPool& pool = program_.pool;
    const Value start = materialise(valueOf(base), type, node.name + "_start");
    Buffer buffer = newBuffer(node, BufferKind::Scatter);
    const Value& value = valueOf(updates);
    buffer.sizes = sizesInMemoryOrder(type);
    buffer.strides = ir::contiguousStrides(buffer.sizes);
    buffer.base = start.buffer;
    buffer.reduce = how.reduce;
    buffer.reduced = sizes;
    loopSizes_.clear();
    std::vector<Sym> at;
    for (size_t k = 0; k < sizes.size(); ++k)
        at.push_back(sizes[k].is(1) ? Sym(0) : Sym(kernel::reduceVar(k)));
    note(buffer, value);
    std::vector<Coord> coords;
    for (const Sym& coord : at)
        coords.push_back({coord, {}});
    ArgLoader loader(*this, node, buffer);
    NodeAsks asks(program_, node);
    const std::vector<Coord> place = how.place(pool, callOf(node, def, asks), loader, at);
    const ExprId update = pool.cast(type.dtype, load(value, coords, buffer.reduced));
    // A number has one position: nothing is left of the index there but what was asked of it.
    buffer.body = place.empty() ? asks.keep(update) : update;
    std::vector<Coord> placed;
    for (size_t dim : ops::memoryOrder(type))
        placed.push_back(place[dim]);
    buffer.place = pool.load(BufferId(static_cast<uint32_t>(program_.buffers.size())), type.dtype,
                             std::move(placed));
    const BufferId id = add(std::move(buffer));
    result = {id, coordsInMemoryOrder(type), {}, type.sizes, {}};
}

/// \p source, the value of the node's first argument or one equal to it, seen through the view.
Value Lowering::viewed(const ir::Node& node, const ops::View& how, const Value& source) const {
    const ops::OpDef& def = *ops::catalogue().find(node.op);
    Value value;
    value.sizes = node.type().sizes;
    value.constant = source.constant;
    value.buffer = source.buffer;
    value.through = source.through;
    value.through.push_back(node.id.index);
    if (!source.isConstant()) {
        const auto bound = bounds(value.sizes, {});
        const std::vector<Sym> place =
            how.map(ops::OpCall(def, node.args, graph_), loopCoords(value.sizes));
        const auto moved = [&](ir::Var v) {
            return v.kind == 'd' ? std::optional(place[v.index]) : std::nullopt;
        };
        for (const Sym& coord : source.coords)
            value.coords.push_back(coord.substitute(moved).simplify(bound));
    }
    return value;
}

Value Lowering::materialise(const Value& value, const ir::TensorType& type,
                            const std::string& name) {
    Buffer copy;
    copy.name = uniqueName(name);
    copy.dtype = type.dtype;
    copy.device = type.device;
    copy.sizes = loopSizes_ = sizesInMemoryOrder(type);
    copy.strides = ir::contiguousStrides(copy.sizes);
    copy.from = value.through;
    if (value.buffer.valid()) {
        const auto& from = program_.buffer(value.buffer).from;
        copy.from.insert(copy.from.end(), from.begin(), from.end());
    }
    std::vector<Coord> coords;
    for (const Sym& coord : loopsInMemoryOrder(type))
        coords.push_back({coord, {}});
    copy.body = load(value, coords);
    if (copy.dtype == DType::Bool) copy.body = program_.pool.cast(copy.dtype, copy.body);
    return {add(std::move(copy)), coordsInMemoryOrder(type), {}, value.sizes, {}};
}

void Lowering::widen(Buffer& buffer) {
    if (!ir::isStorageOnly(buffer.dtype)) return;
    buffer.dtype = ir::computeType(buffer.dtype);
    buffer.name = uniqueName(buffer.name + "_wide");
}

Value Lowering::narrowed(const ir::TensorType& type, const std::string& name, const Value& wide) {
    if (!ir::isStorageOnly(type.dtype)) return wide;
    Value value = materialise(wide, type, name);
    program_.buffers[value.buffer.index].name = name;
    return value;
}

Value Lowering::outputValue(ir::NodeId id) {
    const Value& value = valueOf(id);
    const bool everyCalls =
        value.isConstant() || program_.buffer(value.buffer).kind == BufferKind::Constant;
    if (!everyCalls) return value;
    const ir::Node& node = graph_.node(id);
    const ops::OpDef* def = ops::catalogue().find(node.op);
    if (const auto* how = def ? std::get_if<ops::View>(&def->lowering) : nullptr)
        return viewed(node, *how, outputValue(*node.args[0].node()));
    auto known = owned_.find(id.index);
    if (known == owned_.end())
        known =
            owned_.emplace(id.index, materialise(value, node.type(), node.name + "_copy")).first;
    return known->second;
}

/// Where \p view, without elements, begins as the value of \p id: a view that begins behind the end of a
/// dimension of size 1 has no coordinate that tells it.
Sym Lowering::beginning(ir::NodeId id, const StridedView& view) {
    Sym start(0);
    for (;;) {
        const ir::Node& node = graph_.node(id);
        const ops::OpDef* def = ops::catalogue().find(node.op);
        if (!def || !std::holds_alternative<ops::View>(def->lowering)) break;
        start = start + ops::startOfView(ops::OpCall(*def, node.args, graph_), node.type(), -1);
        id = *node.args[0].node();
    }
    const Value whole = outputValue(id);
    if (whole.isConstant() || !(whole.buffer == view.buffer)) return view.offset;
    const auto seen = kernel::stridedView(program_.buffer(whole.buffer), whole.coords, whole.sizes);
    return seen ? seen->offset + start : view.offset;
}

Status Lowering::lowerOutputs() {
    for (size_t i = 0; i < graph_.outputs.size(); ++i) {
        const ir::NodeId id = graph_.outputs[i];
        if (!id.valid()) {
            program_.outputs.push_back({});
            continue;
        }
        const ir::Node& node = graph_.node(id);
        std::vector<uint32_t> from;
        StridedView view = operand(outputValue(id), node.type(), node.type().sizes, nullptr,
                                   node.name + "_copy", from);
        // Where there is one place only, any stride leads to it: the type's is what a script sees.
        const bool empty = node.type().numel().is(0);
        for (size_t dim = 0; dim < view.sizes.size(); ++dim)
            if (empty || view.sizes[dim].is(1)) view.strides[dim] = node.type().strides[dim];
        if (empty) view.offset = beginning(id, view);
        program_.outputs.push_back(std::move(view));
    }
    return {};
}

Result<LoopProgram> lowerGraph(const ir::Graph& graph) {
    return Lowering(graph).run();
}

} // namespace cutaway::lower
