// SPDX-License-Identifier: Apache-2.0
// torch.Tensor and the classes of PyTorch before dtypes (torch.FloatTensor, torch.LongTensor ...)
// as constructors: of sizes, of nested data, of another tensor.
#include <fmt/format.h>

#include "core/capture/script_observer.h"
#include "core/capture/torch_support.h"
#include "core/ir/dtype_words.h"

namespace cutaway::capture {

std::string tensorClassName(ir::DType dtype) {
    return ir::scalarType(dtype) + "Tensor";
}

namespace {

/// The classes that scripts may call.
constexpr ir::DType kClasses[] = {ir::DType::Float32,  ir::DType::Float64, ir::DType::Float16,
                                  ir::DType::BFloat16, ir::DType::Int64,   ir::DType::Int32,
                                  ir::DType::Int16,    ir::DType::Int8,    ir::DType::UInt8,
                                  ir::DType::Bool};

bool isSequence(const Val& v) {
    return v.is(Kind::List) || v.is(Kind::Tuple);
}

template <ir::DType D> bool recognises(const Val& v) {
    if (!v.is(Kind::Tensor)) return false;
    const ir::TensorType& type = v.as<TensorObj>()->type();
    return type.dtype == D && !type.device.isCuda();
}

template <size_t... I> std::vector<TensorClass> classes(std::index_sequence<I...>) {
    return {{tensorClassName(kClasses[I]), recognises<kClasses[I]>}...};
}

} // namespace

Val constructTensor(Interp& in, const BuiltinObj& self, const Arguments& args) {
    const bool any = self.text == "Tensor";
    ir::DType dtype = in.defaultDType();
    for (ir::DType candidate : kClasses)
        if (self.text == tensorClassName(candidate)) dtype = candidate;
    for (const auto& [name, v] : args.keywords)
        if (name->text != "device" || !any)
            in.raise(Error::Type, fmt::format("{}() has no parameter '{}'", self.name, name->text));
    const TensorOptions options = tensorOptions(in, args, self.name);
    const std::span<const Val> given = args.positional;
    if (given.size() == 1 && given[0].is(Kind::Tensor)) {
        if (!any && given[0].as<TensorObj>()->type().dtype != dtype)
            in.raise(Error::Type, fmt::format("expected {} (got {})", ir::name(dtype),
                                              ir::name(given[0].as<TensorObj>()->type().dtype)));
        return in.operation("detach", {given[0]});
    }
    const bool sizes = given.size() != 1 || !isSequence(given[0]) ||
                       (given[0].is(Kind::Tuple) && given[0].as<TupleObj>()->size);
    if (!sizes) return tensorOfData(in, given[0], dtype, options.device);
    in.observer().readDefaultDevice();
    const Val shape = given.size() == 1 && isSequence(given[0]) ? given[0]
                      : given.empty()                           ? in.tuple({Val::integer(0)})
                                      : in.tuple({given.begin(), given.end()});
    std::vector<std::pair<StrObj*, Val>> keywords{
        {in.intern("dtype"), Val::dtype(dtype)},
        {in.intern("device"), Val::device(options.device)}};
    return in.operation("zeros", Arguments{{&shape, 1}, keywords});
}

std::vector<TensorClass> tensorClasses() {
    return classes(std::make_index_sequence<std::size(kClasses)>());
}

} // namespace cutaway::capture
