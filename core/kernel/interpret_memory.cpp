// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/interpret_memory.h"

#include "core/kernel/bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace cutaway::kernel {

using ir::DType;

namespace {

/// A size symbol that nothing has told.
constexpr int64_t kUnknown = std::numeric_limits<int64_t>::min();

} // namespace

int64_t LoopState::operator()(ir::Var v) const {
    const std::vector<int64_t>* values = v.kind == 'd'   ? &d
                                         : v.kind == 'r' ? &r
                                         : v.kind == 'o' ? &o
                                         : v.kind == 's' ? &s
                                                         : nullptr;
    if (values && v.index < values->size() && (*values)[v.index] != kUnknown)
        return (*values)[v.index];
    if (v.kind == 'i') return i;
    throw std::logic_error("unknown variable " + v.str());
}

void LoopState::set(ir::Var v, int64_t value) {
    if (v.kind == 'i') {
        i = value;
        return;
    }
    std::vector<int64_t>& values = v.kind == 'd' ? d : v.kind == 'r' ? r : v.kind == 's' ? s : o;
    if (v.index >= values.size()) values.resize(v.index + 1);
    values[v.index] = value;
}

int64_t valueOf(const ir::Sym& sym, const LoopState& state) {
    if (sym.isConst()) return sym.constant();
    auto floorOf = [](int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); };
    int64_t sum = 0;
    for (const ir::Sym::Term& term : sym.terms()) {
        int64_t product = term.coefficient;
        for (const ir::Sym::Atom& atom : term.atoms) {
            using Kind = ir::Sym::Atom::Kind;
            if (atom.kind == Kind::Variable) {
                product *= state(atom.variable);
                continue;
            }
            const int64_t a = valueOf(atom.a, state), b = valueOf(atom.b, state);
            if (atom.kind == Kind::FloorDiv) product *= floorOf(a, b);
            if (atom.kind == Kind::Mod) product *= a - b * floorOf(a, b);
            if (atom.kind == Kind::Min) product *= std::min(a, b);
            if (atom.kind == Kind::Max) product *= std::max(a, b);
        }
        sum += product;
    }
    return sum;
}

void forEachIndex(const std::vector<int64_t>& sizes,
                  const std::function<void(const std::vector<int64_t>&)>& body) {
    for (int64_t size : sizes)
        if (size == 0) return;
    std::vector<int64_t> index(sizes.size());
    while (true) {
        body(index);
        size_t at = sizes.size();
        while (at > 0 && ++index[at - 1] == sizes[at - 1])
            index[--at] = 0;
        if (at == 0) return;
    }
}

namespace {

int64_t dot(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
    int64_t sum = 0;
    for (size_t i = 0; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

Scalar elementOf(const ir::HostTensor& tensor, int64_t i) {
    if (ir::isFloating(tensor.dtype)) return {tensor.get(i), 0};
    return {0, tensor.getInt(i)};
}

void setElement(ir::HostTensor& tensor, int64_t i, const Scalar& value) {
    if (ir::isFloating(tensor.dtype))
        tensor.set(i, value.real);
    else
        tensor.setInt(i, value.integer);
}

} // namespace

Image::Image(const Buffer& b, std::vector<int64_t> sizes, std::vector<int64_t> memoryStrides)
    : buffer(&b), strides(std::move(memoryStrides)) {
    int64_t extent = 1;
    for (size_t i = 0; i < sizes.size(); ++i)
        extent = sizes[i] == 0 || extent == 0 ? 0 : extent + (sizes[i] - 1) * strides[i];
    elements.assign(
        extent, {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<int32_t>::min()});
}

Scalar& Image::at(const std::vector<int64_t>& coords) {
    const int64_t offset = dot(coords, strides);
    if (offset < 0 || offset >= static_cast<int64_t>(elements.size()))
        throw std::logic_error(fmt::format("access outside {}", buffer->name));
    return elements[offset];
}

std::vector<int64_t> Memory::sizesOf(const ir::Shape& shape) const {
    std::vector<int64_t> sizes;
    for (const ir::Sym& size : shape)
        sizes.push_back(sizeOf(size));
    return sizes;
}

bool Memory::bind(const ir::Shape& shape, const std::vector<int64_t>& sizes) {
    if (shape.size() != sizes.size()) return false;
    for (size_t i = 0; i < shape.size(); ++i) {
        const std::optional<ir::Var> symbol = shape[i].asVar();
        const bool known =
            !symbol || (symbol->index < sizes_.s.size() && sizes_.s[symbol->index] != kUnknown);
        if (known) {
            if (sizeOf(shape[i]) != sizes[i]) return false;
            continue;
        }
        if (symbol->index >= sizes_.s.size()) sizes_.s.resize(symbol->index + 1, kUnknown);
        sizes_.s[symbol->index] = sizes[i];
    }
    return true;
}

Image& Memory::image(BufferId id) {
    while (program_.buffer(id).base.valid())
        id = program_.buffer(id).base; // the same memory
    auto it = images_.find(id);
    if (it != images_.end()) return it->second;
    const Buffer& buffer = program_.buffer(id);
    Image& made = images_.emplace(id, Image(buffer, sizesOf(buffer.sizes), sizesOf(buffer.strides)))
                      .first->second;
    if (buffer.constant) fill(id, *buffer.constant);
    return made;
}

void Memory::checkInside(BufferId id, const std::vector<int64_t>& coords) const {
    const Buffer& buffer = program_.buffer(id);
    for (size_t k = 0; k < coords.size(); ++k)
        if (coords[k] < 0 || coords[k] >= sizeOf(buffer.sizes[k]))
            throw std::logic_error(fmt::format("{} is read outside of dimension {}, at {}",
                                               buffer.name, k, coords[k]));
}

void Memory::fill(BufferId id, const ir::HostTensor& values) {
    Image& target = image(id);
    int64_t next = 0;
    forEachIndex(values.sizes, [&](const std::vector<int64_t>& index) {
        target.at(index) = elementOf(values, next++);
    });
}

Scalar& Memory::element(const StridedView& view, const std::vector<int64_t>& coords) {
    Image& source = image(view.buffer);
    const int64_t offset = sizeOf(view.offset) + dot(coords, sizesOf(view.strides));
    if (offset < 0 || offset >= static_cast<int64_t>(source.elements.size()))
        throw std::logic_error(fmt::format("view outside {}", source.buffer->name));
    return source.elements[offset];
}

ir::HostTensor Memory::read(const StridedView& view) {
    const std::vector<int64_t> sizes = sizesOf(view.sizes);
    ir::HostTensor result = ir::HostTensor::zeros(program_.buffer(view.buffer).dtype, sizes);
    int64_t next = 0;
    forEachIndex(sizes, [&](const std::vector<int64_t>& index) {
        setElement(result, next++, element(view, index));
    });
    return result;
}

void Memory::call(LibraryCall call, BufferId result) {
    for (StridedView& view : call.operands)
        for (ir::Sym& size : view.sizes)
            size = sizeOf(size);
    for (ir::Sym& size : call.sizes)
        size = sizeOf(size);
    Image& target = image(result);
    const DType dtype = program_.buffer(result).dtype;
    // With the bias it is rounded once.
    const DType summed = call.bias ? ir::computeType(dtype) : dtype;
    const std::vector<int64_t> strides = sizesOf(call.strides);
    const auto operand = [&](size_t which, std::span<const int64_t> index) {
        return element(call.operands[which], {index.begin(), index.end()});
    };
    forEachIndex(ir::constants(call.sizes), [&](const std::vector<int64_t>& index) {
        target.elements[dot(index, strides)] = info(call.op).element(call, summed, index, operand);
    });
    if (!call.bias) return;
    forEachIndex(sizesOf(program_.buffer(result).sizes), [&](const std::vector<int64_t>& index) {
        const Scalar sum[] = {target.at(index), element(*call.bias, index)};
        target.at(index) = evaluate(ScalarOp::Add, dtype, sum);
    });
}

base::Status loadInputs(Memory& memory, std::span<const ir::HostTensor> inputs) {
    const LoopProgram& program = memory.program();
    if (inputs.size() != program.inputs.size())
        return base::userError({}, fmt::format("program {} takes {} inputs, found {}", program.name,
                                               program.inputs.size(), inputs.size()));
    for (size_t i = 0; i < inputs.size(); ++i) {
        const Buffer& buffer = program.buffer(program.inputs[i]);
        if (buffer.dtype != inputs[i].dtype || !memory.bind(buffer.sizes, inputs[i].sizes))
            return base::userError({},
                                   fmt::format("input {} is {}, expected {}{}", buffer.name,
                                               inputs[i].type().str(), ir::shortName(buffer.dtype),
                                               ir::str(buffer.sizes)));
        memory.fill(buffer.id, inputs[i]);
    }
    return {};
}

std::vector<ir::HostTensor> readOutputs(Memory& memory) {
    std::vector<ir::HostTensor> outputs;
    for (const StridedView& view : memory.program().outputs)
        outputs.push_back(view.buffer.valid() ? memory.read(view) : ir::HostTensor{});
    return outputs;
}

Evaluation::Evaluation(Memory& memory, ExprId root) : memory_(memory) {
    memory.program().pool.visit(root, [&](ExprId id, const Expr&) { nodes_.push_back(id); });
    values_.resize(nodes_.size());
}

DType Evaluation::dtype() const {
    return memory_.program().pool[nodes_.back()].dtype;
}

size_t Evaluation::slot(ExprId id) const {
    return std::lower_bound(nodes_.begin(), nodes_.end(), id) - nodes_.begin();
}

Scalar Evaluation::evaluateNode(size_t at, const LoopState& state,
                                const std::function<Scalar(LocalId)>& locals) {
    const ExprPool& pool = memory_.program().pool;
    const Expr& e = pool[nodes_[at]];
    switch (e.kind) {
    case ExprKind::Constant:
        return {e.value, e.integer};
    case ExprKind::Index:
        return {0, valueOf(e.index, state)};
    case ExprKind::Local:
        return locals(e.local);
    case ExprKind::Cast:
        return (keepsBits(e) ? bitsOf : convert)(values_[slot(e.args[0])], pool[e.args[0]].dtype,
                                                 e.dtype);
    case ExprKind::Check: {
        const Scalar value = values_[slot(e.args[0])];
        const Check& check = memory_.program().check(e.check);
        const int64_t limit = memory_.sizeOf(check.size);
        if (check.holds(value.integer, limit)) return value;
        Check broken = check;
        broken.size = limit;
        throw CheckFailed{broken.failed(value.integer)};
    }
    case ExprKind::Op: {
        Scalar args[3];
        for (size_t k = 0; k < e.args.size(); ++k)
            args[k] = values_[slot(e.args[k])];
        return evaluate(e.op, pool[e.args[e.op == ScalarOp::Where ? 1 : 0]].dtype,
                        {args, e.args.size()});
    }
    case ExprKind::Load:
        break;
    }
    if (e.isMasked() && !values_[slot(e.mask())].integer) return values_[slot(e.neutral())];
    std::vector<int64_t> coords;
    for (const Coord& c : e.coords)
        coords.push_back(c.indirect.valid() ? values_[slot(c.indirect)].integer
                                            : valueOf(c.index, state));
    if (e.isMasked()) memory_.checkInside(e.buffer, coords);
    return memory_.image(e.buffer).at(coords);
}

Scalar Evaluation::operator()(const LoopState& state,
                              const std::function<Scalar(LocalId)>& locals) {
    for (size_t at = 0; at < nodes_.size(); ++at)
        values_[at] = evaluateNode(at, state, locals);
    return values_.back();
}

Accumulator::Accumulator(ReduceOp op, DType element, DType result)
    : op_(op), element_(element), result_(result),
      wide_(ir::isFloating(result) ? DType::Float64 : result) {
    if (!givesTwo(op_)) value_ = reduceIdentity(op_, wide_);
}

void Accumulator::add(const Scalar& value, int64_t index) {
    if (op_ == ReduceOp::Welford) {
        const double deviation = value.real - mean_;
        mean_ += deviation / static_cast<double>(++count_);
        squares_ += deviation * (value.real - mean_);
        return;
    }
    if (isArg(op_)) {
        if (best_ >= 0 && !argReplaces(op_, element_, value_, value)) return;
        value_ = value;
        best_ = index;
        return;
    }
    const Scalar args[] = {value_, convert(value, element_, wide_)};
    value_ = evaluate(combineOp(op_), wide_, args);
}

Scalar Accumulator::result() const {
    if (isArg(op_)) return {0, best_};
    if (op_ == ReduceOp::Welford) return scalarOf(result_, squares_);
    return convert(value_, wide_, result_);
}

Scalar Accumulator::other() const {
    return op_ == ReduceOp::Welford ? scalarOf(result_, mean_) : value_;
}

} // namespace cutaway::kernel
