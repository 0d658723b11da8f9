// SPDX-License-Identifier: Apache-2.0
// Attributes and methods of tensors that are more than an operation of the catalogue.
#include "core/capture/complex_tensors.h"
#include "core/capture/guards.h"
#include "core/capture/interp.h"
#include "core/capture/nan_identity.h"
#include "core/capture/script_observer.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_calls.h"
#include "core/capture/torch_support.h"
#include "core/capture/type_methods.h"
#include "core/ir/dtype_words.h"
#include "core/ir/meta_device.h"
#include "core/ops/call_forms.h"
#include "core/ops/catalogue.h"
#include "core/ops/memory_order.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;

TensorObj& self(Args a) {
    return *a.positional[0].as<TensorObj>();
}
Arguments rest(Args a) {
    return {a.positional.subspan(1), a.keywords};
}

/// A method without arguments.
template <BuiltinFunction function> Val alone(Interp& in, Self f, Args a) {
    parseArguments(in, f.text, rest(a), {});
    return function(in, f, a);
}

Val sizeMethod(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "size", rest(a), {"dim="});
    Val shape = in.getAttr(a.positional[0], in.intern("shape"));
    return v[0].bound() && !v[0].isNone() ? in.getItem(shape, v[0]) : shape;
}

Val stride(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "stride", rest(a), {"dim="});
    std::vector<Val> strides;
    for (const ir::Sym& s : self(a).type().strides)
        strides.push_back(in.size(s));
    Val all = in.tuple(std::move(strides));
    return v[0].bound() ? in.getItem(all, v[0]) : all;
}

Val dim(Interp&, Self, Args a) {
    return Val::integer(static_cast<int64_t>(self(a).type().rank()));
}
Val numel(Interp& in, Self, Args a) {
    return in.size(self(a).type().numel());
}
Val isContiguous(Interp& in, Self, Args a) {
    const ir::TensorType& type = self(a).type();
    const Val given = parseArguments(in, "is_contiguous", rest(a), {"*", "memory_format="})[0];
    const std::string format = given.bound() ? in.text(given) : "contiguous_format";
    if (format == "contiguous_format") return Val::boolean(type.isContiguous());
    if (format != "channels_last" && format != "channels_last_3d")
        in.raise(Error::Value,
                 fmt::format("is_contiguous: expected a memory format, found '{}'", format));
    if (type.rank() != (format == "channels_last" ? 4 : 5)) return Val::boolean(false);
    ir::TensorType inner = type; // seen with the channels last, is it row-major?
    for (ir::Shape* shape : {&inner.sizes, &inner.strides})
        std::rotate(shape->begin() + 1, shape->begin() + 2, shape->end());
    return Val::boolean(inner.isContiguous());
}
Val isFloatingPoint(Interp&, Self, Args a) {
    return Val::boolean(ir::isFloating(self(a).type().dtype));
}
Val elementSize(Interp&, Self, Args a) {
    return Val::integer(static_cast<int64_t>(ir::sizeBytes(self(a).type().dtype)));
}
Val item(Interp& in, Self, Args a) {
    return in.elementNumber(self(a), ".item()");
}

Val tolist(Interp& in, Self, Args a) {
    if (Val numbers = in.world().numbers(self(a)); numbers.bound()) return numbers;
    ir::HostTensor host = in.need(runtime::toHost(*in.real(a.positional[0], ".tolist()")));
    std::function<Val(size_t, int64_t&)> nest = [&](size_t dim, int64_t& at) -> Val {
        if (dim == host.sizes.size()) {
            return elementOf(in, host, at++);
        }
        std::vector<Val> row;
        for (int64_t k = 0; k < host.sizes[dim]; ++k)
            in.add(row, nest(dim + 1, at));
        return in.list(std::move(row));
    };
    int64_t at = 0;
    return nest(0, at);
}

Val requiresGrad(Interp& in, Self, Args a) {
    auto v = parseArguments(in, "requires_grad_", rest(a), {"requires_grad="});
    if (v[0].bound() && !v[0].isBool())
        in.raise(Error::Type,
                 fmt::format("requires_grad must be a bool, found {}", in.typeName(v[0])));
    in.setAttr(a.positional[0], in.intern("requires_grad"),
               Val::boolean(!v[0].bound() || in.truthy(v[0])));
    return a.positional[0];
}

/// What to() gives of \p x in a memory format, having converted it: x itself only where its strides
/// say that it has the format (suggest_memory_format), those of single elements, too.
Val inFormat(Interp& in, const Val& x, const Val& converted,
             const std::pair<StrObj*, Val>& format) {
    const ir::TensorType& type = wantTensor(in, converted, "the tensor").type();
    const bool last = in.text(format.second) != "contiguous_format";
    const bool same = converted.to<TensorObj>() == x.to<TensorObj>();
    const bool lies = same ? ops::isChannelsLast(type) == last
                           : !last && type.strides == ir::contiguousStrides(type.sizes);
    return lies ? converted : in.operation("clone", Arguments{{&converted, 1}, {&format, 1}});
}

/// The same where the call names a format.
Val inNamedFormat(Interp& in, const Args& a, Val converted) {
    for (const std::pair<StrObj*, Val>& keyword : a.keywords)
        if (keyword.first->text == "memory_format" && !keyword.second.isNone() &&
            in.text(keyword.second) != "preserve_format")
            converted = inFormat(in, a.positional[0], converted, keyword);
    return converted;
}

Val to(Interp& in, Self, Args a) {
    Val result = a.positional[0];
    auto apply = [&](const Val& v) {
        if (v.isNone() || v.isBool()) return;
        if (v.tag() == Tag::DType) {
            result = convertTo(in, result, v.asDType());
        } else if (const std::optional<ir::DType> dtype = dtypeOfClass(v)) {
            result = convertTo(in, result, *dtype);
        } else if (auto* other = v.to<TensorObj>()) {
            result = moveTo(in, convertTo(in, result, other->type().dtype), other->type().device);
        } else {
            result = moveTo(in, result, wantDevice(in, v));
        }
    };
    int flags = 0; // non_blocking, copy
    bool copies = false;
    for (const Val& v : a.positional.subspan(1)) {
        apply(v);
        if (v.isBool() && ++flags == 2) copies = in.truthy(v);
    }
    for (const auto& [name, v] : a.keywords) {
        if (name->text == "dtype" || name->text == "device" || name->text == "other") apply(v);
        if (name->text == "copy") copies = in.truthy(v);
    }
    if (copies && result.to<TensorObj>() == a.positional[0].to<TensorObj>())
        result = in.operation("clone", {result});
    return inNamedFormat(in, a, result);
}

Val cast(Interp& in, Self f, Args a) {
    parseArguments(in, f.text, rest(a), {"*", "memory_format="});
    const ir::DType dtype = f.text == "byte"   ? ir::DType::UInt8
                            : f.text == "char" ? ir::DType::Int8
                                               : ir::dtypeFromName(f.text).value();
    return inNamedFormat(in, a, convertTo(in, a.positional[0], dtype));
}

/// The bits of complex numbers are those of pairs of real ones, which lie along the last dimension.
Val complexBits(Interp& in, Val x, ir::DType to) {
    const ir::TensorType type = wantTensor(in, x, "the tensor").type();
    const std::string deed = fmt::format("to view {} as {} (different element sizes)",
                                         ir::scalarType(type.dtype), ir::scalarType(to));
    if (type.rank() == 0) in.raise(Error::Runtime, "self.dim() cannot be 0 " + deed);
    if (!type.strides.back().is(1))
        in.raise(Error::Runtime, fmt::format("self.stride(-1) must be 1 {}, but got {}", deed,
                                             type.strides.back().str()));
    const Val last = Val::integer(-1);
    x = in.operation("detach", {x});
    if (ir::isComplex(type.dtype))
        x = in.operation("flatten", {in.operation("view_as_real", {x}), Val::integer(-2), last});
    const ir::DType real = ir::realType(to);
    if (ir::realType(type.dtype) != real) x = in.operation("view", {x, Val::dtype(real)});
    if (!ir::isComplex(to)) return x;
    const ir::Sym size = wantTensor(in, x, "the tensor").type().sizes.back();
    if (size.isConst() && size.constant() % 2 != 0)
        in.raise(Error::Runtime, fmt::format("self.size(-1) must be divisible by 2 {}, but got {}",
                                             deed, size.str()));
    const Val pairs = in.list({last, Val::integer(2)});
    return in.operation("view_as_complex", {in.operation("unflatten", {x, last, pairs})});
}

/// x.view(sizes), or x.view(dtype): the same bits.
Val viewed(Interp& in, Self f, Args a) {
    Val dtype;
    if (a.positional.size() == 2 && a.keywords.empty()) dtype = a.positional[1];
    if (a.positional.size() == 1 && a.keywords.size() == 1 && a.keywords[0].first->text == "dtype")
        dtype = a.keywords[0].second;
    if (dtype.tag() != Tag::DType) return in.operation(f.text, a);
    const TensorObj& t = self(a);
    const ir::DType from = t.type().dtype, to = dtype.asDType();
    if (from == to) return in.operation("alias", {a.positional[0]});
    const auto fromBytes = static_cast<int64_t>(ir::sizeBytes(from));
    const auto toBytes = static_cast<int64_t>(ir::sizeBytes(to));
    if (fromBytes < toBytes) {
        const int64_t ratio = toBytes / fromBytes;
        const int64_t begin = in.world().sizeValue(in.world().beginning(self(a)));
        const ir::Shape& sizes = t.type().sizes;
        const bool fits = !sizes.empty() && in.world().sizeValue(sizes.back()) % ratio == 0;
        if (fits && begin % ratio != 0) // else something else is wrong first
            in.raise(Error::Runtime,
                     fmt::format("self.storage_offset() must be divisible by {} to view {} as {} "
                                 "(different element sizes), but got {}",
                                 ratio, ir::scalarType(from), ir::scalarType(to), begin));
    }
    if (ir::isComplex(from) || ir::isComplex(to)) return complexBits(in, a.positional[0], to);
    return in.operation("view", {a.positional[0], dtype});
}

/// x.type(): the name; x.type(dtype) or of such a name: the tensor converted.
Val typeOrConverted(Interp& in, Self f, Args a) {
    auto v = parseArguments(in, f.text, rest(a), {"dtype=", "non_blocking="});
    const TensorObj& t = self(a);
    if (!v[0].bound() || v[0].isNone()) {
        std::string name = "torch." + tensorClassName(t.type().dtype);
        if (t.type().device.isCuda()) name.insert(6, "cuda.");
        return in.str(name);
    }
    if (v[0].tag() == Tag::DType) return convertTo(in, a.positional[0], v[0].asDType());
    const std::string name = v[0].is(Kind::Class) ? "torch." + v[0].as<ClassObj>()->name
                             : v[0].is(Kind::Str) ? v[0].as<StrObj>()->text
                                                  : std::string();
    for (const ir::DTypeInfo& row : ir::allDTypes())
        if (name == "torch." + tensorClassName(row.id))
            return convertTo(in, a.positional[0], row.id);
    in.raise(Error::Value,
             fmt::format("invalid type: {}", v[0].is(Kind::Class)
                                                 ? "'" + v[0].as<ClassObj>()->name + "'"
                                                 : in.repr(v[0])),
             "pass a dtype, as torch.float16");
}

Val onDevice(Interp& in, Self f, Args a) {
    ir::Device device;
    if (f.text == "cpu") {
        parseArguments(in, f.text, rest(a), {"*", "memory_format="});
        return inNamedFormat(in, a, moveTo(in, a.positional[0], device));
    }
    auto v =
        parseArguments(in, f.text, rest(a), {"device=", "non_blocking=", "*", "memory_format="});
    const bool given = v[0].bound() && !v[0].isNone();
    device = wantDevice(in, given ? v[0] : in.str("cuda"));
    if (!device.isCuda())
        in.raise(Error::Runtime,
                 fmt::format("Invalid device, must be cuda device: {}", device.str()));
    return inNamedFormat(in, a, moveTo(in, a.positional[0], device));
}

Val detachInPlace(Interp& in, Self, Args a) {
    in.world().detachInPlace(self(a));
    return a.positional[0];
}

/// unsqueeze_: the tensor becomes a view of what it was.
Val reshapeInPlace(Interp& in, Self f, Args a) {
    const Val method = in.getAttr(a.positional[0], in.intern(f.text.substr(0, f.text.size() - 1)));
    const Val view = in.call(method, a.positional.subspan(1), a.keywords);
    in.world().become(self(a), wantTensor(in, view, "a view"));
    return a.positional[0];
}

Val fill(Interp& in, Self f, Args a) {
    Val target = a.positional[0];
    bool copies = f.text == "copy_";
    Val value = Val::integer(0);
    if (copies)
        value = parseArguments(in, "copy_", rest(a), {"src", "non_blocking="})[0];
    else if (f.text == "fill_")
        value = parseArguments(in, "fill_", rest(a), {"value"})[0];
    else
        parseArguments(in, f.text, rest(a), {});
    if (auto* tensor = value.to<TensorObj>(); tensor && !copies && tensor->type().rank() > 0)
        in.raise(Error::Runtime,
                 fmt::format("fill_() takes a number or a tensor of 0 dimensions, found {}",
                             tensor->type().str()),
                 "use copy_() to write a tensor's elements");
    const std::string base = f.text.substr(0, f.text.size() - 1), what = f.text + "()";
    if (copies && value.isNumber()) {
        const ir::DType dtype = value.isBool()    ? ir::DType::Bool
                                : value.isFloat() ? in.defaultDType()
                                                  : ir::DType::Int64;
        value = in.world().number(value, dtype, {});
    }
    if (copies) wantTensor(in, value, what);
    if (value.is(Kind::Tensor))
        in.world().write(target, [&] { return target; }, value, {base, !copies, what});
    else
        in.world().fill(base, target, value);
    return target;
}

Val dataPointer(Interp& in, Self, Args a) {
    return Val::integer(static_cast<int64_t>(
        reinterpret_cast<uintptr_t>(in.real(a.positional[0], "data_ptr()")->data())));
}
Val storageOffset(Interp& in, Self, Args a) {
    return Val::integer(in.real(a.positional[0], "storage_offset()")->offset);
}
Val storageBytes(Interp& in, Self, Args a) {
    return Val::integer(
        static_cast<int64_t>(in.real(a.positional[0], "untyped_storage()")->storage->sizeBytes()));
}
Val typeAs(Interp& in, Self, Args a) {
    Val other = parseArguments(in, "type_as", rest(a), {"other"})[0];
    return convertTo(in, a.positional[0],
                     wantTensor(in, other, "type_as()'s argument").type().dtype);
}

struct Row {
    const char* names;
    BuiltinFunction function;
    const char* stops = nullptr;
};

const Row kMethods[] = {
    {"size", sizeMethod},
    {"stride", stride},
    {"dim ndimension", alone<dim>},
    {"numel nelement", alone<numel>},
    {"is_contiguous", isContiguous},
    {"is_floating_point", alone<isFloatingPoint>},
    {"element_size", alone<elementSize>},
    {"item", alone<item>},
    {"tolist", alone<tolist>},
    {"requires_grad_", requiresGrad},
    {"to", to},
    {"float double half bfloat16 int long short byte char bool cfloat cdouble", cast},
    {"type", typeOrConverted},
    {"view", viewed},
    {"cuda cpu", onDevice},
    {"detach_", alone<detachInPlace>},
    {"unsqueeze_ squeeze_ t_ transpose_ swapaxes_ swapdims_", reshapeInPlace},
    {"zero_ fill_ copy_", fill},
    {"uniform_ normal_ random_ bernoulli_ _dropout_ exponential_ geometric_ cauchy_ log_normal_",
     drawInPlace},
    {"index_put index_put_", indexPut},
    {"data_ptr", alone<dataPointer>, "reads an address"},
    {"storage_offset", alone<storageOffset>, "reads where a tensor begins"},
    {"_storage_bytes", alone<storageBytes>, "reads the size of a storage"},
    {"type_as", typeAs},
};

Val operationMethod(Interp& in, Self f, Args a) {
    return in.operation(f.text, a);
}
/// __radd__, __and__: what the sign does.
struct SignMethod {
    std::string_view name;
    BinaryOp sign;
};
constexpr SignMethod kSignMethods[] = {
    {"add", BinaryOp::Add},     {"sub", BinaryOp::Sub}, {"mul", BinaryOp::Mul},
    {"truediv", BinaryOp::Div}, {"div", BinaryOp::Div}, {"floordiv", BinaryOp::FloorDiv},
    {"mod", BinaryOp::Mod},     {"pow", BinaryOp::Pow}, {"matmul", BinaryOp::MatMul},
    {"and", BinaryOp::And},     {"or", BinaryOp::Or},   {"xor", BinaryOp::Xor}};
/// The row of "__add__", "__radd__" or "__iadd__", or null.
const SignMethod* signMethod(std::string_view name) {
    if (name.size() < 5 || !name.starts_with("__") || !name.ends_with("__")) return nullptr;
    const std::string_view word = name.substr(2, name.size() - 4);
    for (const SignMethod& row : kSignMethods)
        if (word == row.name ||
            ((word.starts_with('r') || word.starts_with('i')) && word.substr(1) == row.name))
            return &row;
    return nullptr;
}
Val signOf(Interp& in, Self f, Args a) {
    const SignMethod& row = *signMethod(f.text);
    const Val other = parseArguments(in, f.text, rest(a), {"other"})[0];
    if (f.text.size() == row.name.size() + 4) return in.binary(row.sign, a.positional[0], other);
    const bool reflected = f.text[2] == 'r';
    if (reflected && row.sign == BinaryOp::Div) // torch/_tensor.py: __rdiv__
        return in.binary(BinaryOp::Mul, in.operation("reciprocal", {a.positional[0]}), other);
    return reflected ? in.binary(row.sign, other, a.positional[0])
                     : in.inPlace(row.sign, a.positional[0], other);
}
Val element(Interp& in, Self, Args a) {
    return in.getItem(a.positional[0], parseArguments(in, "__getitem__", rest(a), {"index"})[0]);
}

/// Whether tensors have a method of the operation's name that changes them.
bool changesInPlace(const std::string& operation) {
    const auto overloads = ops::overloadsOf(operation);
    return !overloads.empty() && ops::hasInPlaceForm(*overloads.front());
}
Val inPlaceMethod(Interp& in, Self f, Args a) {
    return in.inPlaceOperation(f.text, a);
}

} // namespace

const Val& gradientOf(Interp& in, TensorObj& t) {
    if (!t.real->grad)
        t.gradient = {};
    else if (!t.gradient || t.gradient->real != t.real->grad)
        t.gradient = Ref<TensorObj>(in.tensor(t.real->grad).as<TensorObj>());
    return t.gradient.val();
}

/// Attributes that are what the tensor is.
static bool isComputed(std::string_view name) {
    constexpr std::string_view kNames[] = {"shape",    "real",    "imag",    "dtype", "device",
                                           "ndim",     "is_cuda", "T",       "mT",    "H",
                                           "mH",       "is_leaf", "grad_fn", "_base", "layout",
                                           "itemsize", "nbytes",  "_version"};
    return std::ranges::find(kNames, name) != std::end(kNames);
}

/// A tensor's method that is not written in the script language; unbound: there is none.
static Val methodNamed(Interp& in, StrObj* name) {
    const std::string& n = name->text;
    auto made = [&](BuiltinFunction function, const char* stops, const std::string& text,
                    bool takesSymbols) {
        Val method = in.builtin("Tensor." + n, function, stops);
        method.as<BuiltinObj>()->takesSymbols = takesSymbols;
        method.as<BuiltinObj>()->text = text;
        return method;
    };
    for (const auto& row : kMethods) {
        const std::string_view names = row.names;
        for (size_t at = 0; at < names.size();) {
            const size_t end = std::min(names.find(' ', at), names.size());
            if (names.substr(at, end - at) == n) return made(row.function, row.stops, n, true);
            at = end + 1;
        }
    }
    if (n == "__getitem__") return made(element, nullptr, n, true);
    if (signMethod(n)) return made(signOf, nullptr, n, true);
    if (const CountedFunction* counted = countedFunction(n))
        return made(counted->function, kCounted, n, false);
    // What the script language defines by the name of an operation does more than that.
    const Val* written = in.tensorClass()->find(name);
    if (written && written->is(Kind::Function)) return {};
    if (operationExists(n)) return made(operationMethod, nullptr, n, true);
    const bool inPlaceName = n.size() > 1 && n.back() == '_' && n[n.size() - 2] != '_';
    const std::string changed = n.substr(0, n.size() - 1);
    return inPlaceName && changesInPlace(changed) ? made(inPlaceMethod, nullptr, changed, true)
                                                  : Val();
}

Val Interp::tensorAttr(const Val& object, StrObj* name) {
    auto& t = *object.as<TensorObj>();
    const std::string& n = name->text;
    if (torchOverrides.calls && (n == "T" || n == "mT" || n == "H" || n == "mH" || n == "data"))
        return torchOverrides.calls->operation("getattr", {object, Val(name)},
                                               [&] { return tensorAttr(object, name); });
    auto metadata = [&] { observer_->readTensor(t); };
    if (ir::isComplex(t.type().dtype))
        if (Val own = complexAttr(*this, object, name); own.bound()) return metadata(), own;
    if (n == "shape") {
        metadata();
        std::vector<Val> sizes;
        for (const ir::Sym& s : t.type().sizes)
            sizes.push_back(size(s));
        Val shape = tuple(std::move(sizes));
        shape.as<TupleObj>()->size = true;
        return shape;
    }
    if (n == "real") return object;
    if (n == "imag")
        raise(Error::Type, "imag is not implemented for tensors with non-complex dtypes.");
    if (n == "dtype") return metadata(), Val::dtype(t.type().dtype);
    if (n == "device") return metadata(), Val::device(t.type().device);
    if (n == "ndim") return metadata(), Val::integer(static_cast<int64_t>(t.type().rank()));
    if (n == "requires_grad") return metadata(), Val::boolean(t.type().requiresGrad);
    if (n == "is_cuda") return metadata(), Val::boolean(t.type().device.isCuda());
    if (n == "is_meta") return metadata(), Val::boolean(ir::isMeta(t.type().device));
    if (n == "T" || n == "mT" || n == "H" || n == "mH") {
        metadata();
        int64_t rank = static_cast<int64_t>(t.type().rank());
        if ((n == "mT" || n == "mH") && rank > 0)
            return operation("transpose", {object, Val::integer(-2), Val::integer(-1)});
        std::vector<Val> dims;
        for (int64_t i = rank; i-- > 0;)
            dims.push_back(Val::integer(i));
        return operation("permute", {object, list(std::move(dims))});
    }
    if (n == "grad") {
        const Val gradient = world_->gradient(t);
        return gradient.bound() ? gradient : Val::none();
    }
    if (n == "data") {
        Val seen = operation("detach", {object});
        world_->ownWrites(*seen.as<TensorObj>());
        return seen;
    }
    if (n == "_base") {
        world_->wantReal("'_base' of a tensor is read", "read it outside the compiled function");
        if (!t.viewOf) return Val::none();
        return t.viewOf->object ? Val(t.viewOf->object) : tensor(t.viewOf->real);
    }
    if (n == "is_leaf" && (metadata(), t.parameter || !t.type().requiresGrad))
        return Val::boolean(true);
    if (n == "is_leaf" || n == "grad_fn")
        world_->wantReal(n == "is_leaf" ? "'is_leaf' of a tensor depends on the tape"
                                        : "'grad_fn' of a tensor depends on the tape",
                         "read it outside the compiled function");
    if (n == "is_leaf") return Val::boolean(!t.real || t.real->isLeaf());
    if (n == "grad_fn")
        return t.real && t.real->gradFunction ? gradFunction(t.real->gradFunction, nullptr)
                                              : Val::none();
    if (n == "__class__") {
        observer_->readType(object.object());
        return Val(typeOf(object));
    }
    if (n == "__dict__") {
        DictObj& names = namesOf(t);
        observer_->readNames(&t, names);
        return Val(&names);
    }
    if (t.attributes)
        if (const Val* own = t.attributes->find(name)) {
            observer_->readNames(&t, *t.attributes);
            observer_->readItem(t.attributes.get(), Val(name), *own);
            return *own;
        }
    auto known = tensorMethods_.find(n);
    if (known == tensorMethods_.end()) {
        const Val method = methodNamed(*this, name);
        if (!method.bound()) {
            // Methods that are written in the script language (torch/__init__.py).
            const Val* written = tensorClass_->find(name);
            if (written) return bindMethod(*written, object, typeOf(object));
            observer_->readAbsent(&t, name);
            return Val();
        }
        method.as<BuiltinObj>()->receiver = tensorClass_.get();
        known = tensorMethods_.emplace(n, method).first;
    }
    metadata();
    return Val(make<MethodObj>(known->second, object));
}

/// Those of a real tensor are as old as any capture, whenever the first is set.
DictObj& Interp::namesOf(TensorObj& t) {
    if (t.attributes) return *t.attributes;
    const bool before = heap_->countAsLibrary(t.real != nullptr);
    t.attributes = Ref<DictObj>(make<DictObj>());
    heap_->countAsLibrary(before);
    return *t.attributes;
}

void Interp::setTensorAttr(TensorObj& t, StrObj* name, const Val& value) {
    const std::string& n = name->text;
    if (n == "grad") return world_->setGradient(t, value);
    if (n == "requires_grad") return world_->setRequiresGrad(t, value);
    if (n == "data") return world_->setData(t, value);
    if (n == "real" || n == "imag") { // of complex numbers a part of their memory
        callMethod(getAttr(Val(&t), name), value.is(Kind::Tensor) ? "copy_" : "fill_", {value});
        return;
    }
    if (isComputed(n))
        raise(Error::Attribute,
              fmt::format("attribute '{}' of 'torch._C.TensorBase' objects is not writable", n),
              "it is what the tensor's type and place say");
    DictObj& names = namesOf(t);
    observer_->readNames(&t, names);
    observer_->beforeChange(&names, "an attribute of a tensor");
    names.set(name, value);
}

namespace {

Val callTensorMethod(Interp& in, const BuiltinObj& self, const Arguments& args) {
    if (args.positional.empty())
        in.raise(Error::Type, fmt::format("unbound method {}() needs an argument", self.name));
    const Val& object = args.positional[0];
    StrObj* name = in.intern(self.text);
    auto* tensor = object.to<TensorObj>();
    Val method =
        tensor && tensor->subclass ? in.tensorAttr(object, name) : in.getAttr(object, name);
    return in.call(method, args.positional.subspan(1), args.keywords);
}

} // namespace

Val tensorFunction(Interp& in, const std::string& name) {
    auto listed = [&](const Row& row) {
        const std::string names = fmt::format(" {} ", row.names);
        return names.find(" " + name + " ") != std::string::npos;
    };
    const bool inPlace = name.size() > 1 && name.back() == '_' && name[name.size() - 2] != '_' &&
                         changesInPlace(name.substr(0, name.size() - 1));
    if (name != "__getitem__" && !inPlace && !operationExists(name) && !countedFunction(name) &&
        !signMethod(name) && std::none_of(std::begin(kMethods), std::end(kMethods), listed))
        return {};
    Val made = in.builtin("Tensor." + name, callTensorMethod);
    made.as<BuiltinObj>()->takesSymbols = true;
    made.as<BuiltinObj>()->text = name;
    return made;
}

} // namespace cutaway::capture
