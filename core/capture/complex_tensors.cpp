// SPDX-License-Identifier: Apache-2.0
#include "core/capture/complex_tensors.h"

#include "core/capture/integers.h"
#include "core/capture/nan_identity.h"
#include "core/capture/torch_support.h"
#include "core/ir/half.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

namespace cutaway::capture {

/// Whether \p v is a complex tensor, number or dtype, or a sequence with one.
static bool hasComplex(const Val& v) {
    switch (v.tag()) {
    case Tag::DType:
        return ir::isComplex(v.asDType());
    case Tag::Object:
        break;
    default:
        return false;
    }
    switch (v.object()->kind) {
    case Kind::Class:
        return dtypeOfClass(v) == ir::DType::Complex128;
    case Kind::Tensor:
        return ir::isComplex(v.as<TensorObj>()->type().dtype);
    case Kind::Complex:
        return true;
    case Kind::List:
    case Kind::Tuple: {
        const auto& items = v.is(Kind::List) ? v.as<ListObj>()->items : v.as<TupleObj>()->items;
        return std::any_of(items.begin(), items.end(), [](const Val& item) {
            auto* t = item.to<TensorObj>();
            return item.is(Kind::Complex) || (t && ir::isComplex(t->type().dtype));
        });
    }
    default:
        return false;
    }
}

/// The part of the script library that computes complex tensors, with all of its tables.
static Val complexLibrary(Interp& in) {
    in.libraryImport("torch._complex_linalg");
    return in.libraryImport("torch._complex");
}

Val callComplex(Interp& in, const char* function, std::initializer_list<Val> arguments) {
    const Val module = complexLibrary(in);
    return in.call(in.getAttr(module, in.intern(function)), arguments);
}

bool isComplexOperation(const std::string& base, const Arguments& arguments) {
    if (base == "view_as_real" || base == "detach") return false;
    return std::any_of(arguments.positional.begin(), arguments.positional.end(), hasComplex) ||
           std::any_of(arguments.keywords.begin(), arguments.keywords.end(),
                       [](const auto& keyword) { return hasComplex(keyword.second); });
}

Val complexOperation(Interp& in, const std::string& base, const Arguments& arguments) {
    auto* keywords = in.make<DictObj>();
    Val keep(keywords);
    for (const auto& [name, value] : arguments.keywords)
        keywords->set(name, value);
    return callComplex(
        in, "operation",
        {in.str(base), in.tuple({arguments.positional.begin(), arguments.positional.end()}), keep});
}

Val complexAttr(Interp& in, const Val& tensor, StrObj* name) {
    const Val module = complexLibrary(in);
    const Val methods = in.getAttr(module, in.intern("Methods"));
    Val* found = methods.as<ClassObj>()->find(name);
    return found ? in.bindMethod(*found, tensor, in.tensorClass()) : Val();
}

Val elementOf(Interp& in, const ir::HostTensor& host, int64_t i) {
    if (host.dtype == ir::DType::Bool) return Val::boolean(host.getInt(i) != 0);
    if (ir::isFloating(host.dtype)) return newFloat(host.get(i));
    if (!ir::isComplex(host.dtype)) {
        const int64_t bits = host.getInt(i);
        if (host.dtype != ir::DType::UInt64 || bits >= 0) return Val::integer(bits);
        return integerFromBytes(in, {reinterpret_cast<const char*>(&bits), sizeof bits}, false);
    }
    ir::Complex128 z;
    const std::byte* at = host.bytes.data() + static_cast<size_t>(i) * ir::sizeBytes(host.dtype);
    if (host.dtype == ir::DType::Complex64) {
        ir::Complex64 narrow;
        std::memcpy(&narrow, at, sizeof narrow);
        z = ir::Complex128(narrow);
    } else {
        std::memcpy(&z, at, sizeof z);
    }
    return Val(in.make<ComplexObj>(z.real, z.imaginary));
}

/// An int beyond 64 bits with a sign.
static void setWideElement(Interp& in, ir::HostTensor& host, int64_t i, const Val& v) {
    if (ir::isFloating(host.dtype)) return host.set(i, integerFloat(in, v));
    if (host.dtype == ir::DType::Bool) return host.setInt(i, 1);
    if (host.dtype != ir::DType::UInt64)
        in.raise(Error::Value, "Overflow when unpacking long long");
    int64_t bits = 0;
    const std::string bytes = integerBytes(in, v, sizeof bits, false); // raises where it is more
    std::memcpy(&bits, bytes.data(), sizeof bits);
    host.setInt(i, bits);
}

void setElement(Interp& in, ir::HostTensor& host, int64_t i, const Val& v) {
    if (v.is(Kind::Complex)) in.raise(Error::Type, "must be real number, not complex");
    if (host.dtype == ir::DType::UInt64 && v.isIntegral() && v.asInt() < 0)
        return setWideElement(in, host, i, v); // raises
    if (v.is(Kind::Integer)) return setWideElement(in, host, i, v);
    if (ir::isFloating(host.dtype) || host.dtype == ir::DType::Bool)
        return v.isIntegral() ? host.setInt(i, v.asInt()) : host.set(i, v.asFloat());
    if (v.isFloat() && !(std::fabs(v.asFloat()) < 0x1p63))
        in.raise(Error::Runtime,
                 fmt::format("{} does not fit {}", in.repr(v), ir::name(host.dtype)));
    const int64_t whole = v.isIntegral() ? v.asInt() : static_cast<int64_t>(v.asFloat());
    const ir::IntegerLimits limits = ir::integerLimits(host.dtype);
    const bool wraps = limits.min == 0 && ir::sizeBytes(host.dtype) < 8;
    const bool all = ir::sizeBytes(host.dtype) == 8;
    if (!all && (whole > limits.max || whole < (wraps ? -limits.max - 1 : limits.min)))
        in.raise(Error::Runtime,
                 fmt::format("{} does not fit {}", in.repr(v), ir::name(host.dtype)));
    host.setInt(i, whole);
}

} // namespace cutaway::capture
