// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the torch module and tensor methods share.
#pragma once

#include "core/capture/interp.h"

#include <functional>
#include <optional>

namespace cutaway::capture {

/// Whether ops::bind knows the base name (aliases such as "divide" included).
bool operationExists(const std::string& base);
/// The dtype that the class int, float or bool stands for where one is asked for (tensor_ops.cpp).
std::optional<ir::DType> dtypeOfClass(const Val& v);
/// Autocast blocks, the default dtype and inference mode: functions of torch._C.
void addTensorModes(Interp& interp, ModuleObj& internal);
/// What torch/overrides.py needs of the evaluator.
void addOverrides(Interp& interp, ModuleObj& internal);
Val convertTo(Interp& interp, const Val& tensor, ir::DType dtype);
/// \p view, a real tensor, may show memory of \p of. \p cut: no gradient goes through it.
void noteView(TensorObj& view, TensorObj& of, ViewOrigin origin, bool cut);
/// Why the tape cannot follow that a view of this origin is written, or with \p indirectly that what
/// it is of is. \p result: "Output 0 of Slice", which step of the tape gave it; "": none.
std::string whyNotFollowed(ViewOrigin origin, const std::string& result, bool indirectly);
/// Raises when elements of a tensor that is written share memory (expand()).
void wantSeparateElements(Interp& interp, const ir::TensorType& type);
/// Raises when other elements of \p written lie where \p read, or a tensor of that list, has some;
/// with \p whole also when they are the same.
void wantOtherMemory(Interp& interp, const TensorObj& written, const Val& read, bool whole = false);
/// Whether an operation of this name reads or writes places that a tensor of integers says.
bool goesByPlaces(const std::string& base);
/// Raises where a tensor of \p dtype cannot hold \p number (RuntimeError; OverflowError of one
/// beyond 64 bits); what is no number passes.
void wantHeld(Interp& interp, const Val& number, ir::DType dtype);
/// torch.tensor of nested lists of numbers; a constant of the graph under capture. \p dtype: else
/// what the numbers give.
Val tensorOfData(Interp& interp, const Val& data, const std::optional<ir::DType>& dtype,
                 ir::Device device);
Val moveTo(Interp& interp, const Val& tensor, ir::Device device);
/// A flag of a call; raises TypeError.
bool wantBool(Interp& interp, const Val& v, std::string_view what);
ir::Device wantDevice(Interp& interp, const Val& v);
/// Stops a capture: no graph makes a tensor that requires a gradient out of nothing.
void wantNoNewLeaf(Interp& interp);

/// The arguments of a builtin that the script library calls: exactly so many, by position.
std::span<const Val> wantPositional(Interp& interp, const BuiltinObj& self, const Arguments& args,
                                    size_t count);

/// dtype=, device=, requires_grad=; the rest of the keywords must be \p others.
struct TensorOptions {
    std::optional<ir::DType> dtype;
    ir::Device device;
    bool requiresGrad = false;
    Val generator; ///< unbound: the default one
};
TensorOptions tensorOptions(Interp& interp, const Arguments& args, const std::string& function,
                            std::initializer_list<std::string_view> others = {});
/// The size at \p place of those that a function is given.
int64_t wantSize(Interp& interp, const Val& v, size_t place, const std::string& function);
/// Sizes given as numbers or as one sequence.
std::vector<int64_t> wantSizes(Interp& interp, std::span<const Val> given,
                               const std::string& function);

// random_functions.cpp
/// torch.rand and the like, and the library's own names for generators.
void addRandom(Interp& interp, ModuleObj& torch, ModuleObj& internal);
void addCuda(Interp& interp, ModuleObj& internal); ///< torch.cuda (cuda_functions.cpp)
/// uniform_(), normal_(), bernoulli_() ... of a tensor; the builtin's text is the method's name.
Val drawInPlace(Interp& interp, const BuiltinObj& self, const Arguments& args);

// autograd_functions.cpp: the tape as scripts see it
/// Adds what torch.autograd is written with to the library's own names.
void addAutograd(Interp& interp, ModuleObj& internal);
/// Whether \p function only stands before another one of its name.
bool standsBefore(const runtime::GradFunction& function);
/// The function of the tape that a script sees as \p object, which is none of a leaf.
runtime::GradFunction& shownFunction(const GradFunctionObj& object);

// grad_functions.cpp
/// Unbound when there is none.
Val gradFunctionAttr(Interp& interp, const Val& function, StrObj* name);
/// "<AddBackward0 object at 0x7f...>"
std::string gradFunctionText(const GradFunctionObj& function);

// call_times.cpp
/// Adds what torch.profiler is written with to the library's own names.
void addCallTimes(Interp& interp, ModuleObj& internal);

// out_tensors.cpp
/// What \p compute gives of the arguments of function \p name without out=, put where that says.
/// Errors: as PyTorch's where the tensors given are of dtypes that it refuses.
Val withOut(Interp& interp, const std::string& name, const Arguments& args,
            const std::function<Val(const Arguments&)>& compute);

// tensor_classes.cpp
/// "FloatTensor": the class of PyTorch before dtypes.
std::string tensorClassName(ir::DType dtype);
struct TensorClass {
    std::string name;
    bool (*recognises)(const Val&); ///< tensors of its dtype in the CPU's memory
};
std::vector<TensorClass> tensorClasses();
/// torch.Tensor(2, 3) and torch.Tensor(torch.Size((2, 3))): zeros, where PyTorch leaves what was in
/// memory; torch.Tensor([1, 2]): the data; torch.Tensor(t): t itself, detached.
/// Errors: TypeError where a class of one dtype is given a tensor of another.
Val constructTensor(Interp& interp, const BuiltinObj& self, const Arguments& args);

/// What __torch_function__ is asked for: a function of torch, and what torch.Tensor calls the function
/// of a method ("" for others). torch_overrides.cpp
bool isFunctionOfTorch(Interp& interp, const Val& callee);
std::string tensorMethod(const MethodObj& method);

/// x.index_put_((mask, positions), values): masks are positions, too.
Val indexPut(Interp& interp, const BuiltinObj& self, const Arguments& args);
/// Positions of a mask's true elements, one vector for each of its dimensions; stops a capture.
std::vector<Val> maskPositions(Interp& interp, const Val& mask);

/// A function of torch and of tensors whose results are as long as values say (counted_ops.cpp).
struct CountedFunction {
    std::string_view name;
    BuiltinFunction function;
};
/// What stops a capture at one of them.
/// BuiltinObj::text of what makes weak references.
inline constexpr std::string_view kMakesWeak = "weak";
/// Raises where the bytes of a bytearray are seen by a tensor or a memoryview and would move.
void wantOwnSize(Interp& interp, const BytesObj& bytes, size_t size);
/// _native.tensor_of_bytes(b): a tensor of uint8 in the memory of a bytearray, whose size stays as
/// long as the tensor lives.
Val tensorOfBytes(Interp& interp, const BuiltinObj& self, const Arguments& args);

inline constexpr const char* kCounted = "gives a tensor as long as values of another one say";
const CountedFunction* countedFunction(std::string_view name); ///< null when there is none

} // namespace cutaway::capture
