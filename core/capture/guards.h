// SPDX-License-Identifier: Apache-2.0
/// \file
/// Guards: a flat program over the values that a capture read, checked on every call. Loads put
/// pointers to values into slots (parents before children); checks compare a slot. Nothing is
/// allocated while checking.
#pragma once

#include "core/capture/autocast.h"
#include "core/capture/code.h"
#include "core/capture/objects.h"
#include "core/capture/size_checks.h"
#include "core/capture/world.h"

#include <functional>
#include <string>

namespace cutaway::capture {

class Interp;

/// The values of one call that a guard program starts from.
struct Roots {
    const Val* locals = nullptr;
    const Val* stack = nullptr;
    const Val* cells = nullptr;
    Interp* interp = nullptr;
    bool gradMode = true;
    ir::Device defaultDevice;
    TensorModes tensorModes;
    uint64_t lookupEpoch = 0; ///< Interp::lookupEpoch()
};

struct GuardStep {
    enum class What : uint8_t {
        LoadLocal,
        LoadStack,
        LoadRootCell,
        LoadFixed,
        LoadGlobal,
        LoadCell,
        LoadAttr,
        LoadClassAttr,
        LoadNames,           ///< the __dict__ of an instance or a tensor, which gets one
        LoadKeywordDefaults, ///< a function's __kwdefaults__
        LoadClosure,         ///< a cell of a function
        LoadBound,           ///< of a bound method: 0 the function, 1 its object
        LoadGrad,            ///< a tensor's .grad
        LoadPart,            ///< of an iterator: what it goes through, or a function that it calls
        LoadItem,
        LoadKey,
        CheckIdentity,
        CheckCode, ///< a function made of the same text, with nothing of its own but its cells
        CheckConstant,
        CheckClass,
        CheckAbsent, ///< none of the names is among the attributes or keys
        CheckKind,
        CheckParameter,
        CheckNoGrad, ///< a tensor without .grad
        CheckBegins, ///< a tensor that begins at this element of its storage
        CheckLeaf,   ///< a tensor that nothing computed on the tape
        CheckLength,
        CheckKeys,
        CheckPlace, ///< an iterator that stands where the value does
        CheckMissing,
        CheckTensor,
        CheckInt,
        CheckFloat, ///< finite
        CheckOrder, ///< a float, against the value: number is twice the operator, and whether it holds
        CheckSame,
        CheckDistinct,
        CheckGradMode, ///< and the tensor modes
        CheckDevice,
        CheckGpu ///< which GPU "cuda" without a number is
    };
    What what = What::LoadLocal;
    int32_t slot = 0;
    int32_t from = 0;   ///< parent slot; CheckSame, CheckDistinct: the other slot
    uint32_t hint = 0;  ///< where a name was found last time
    int64_t number = 0; ///< index, length, key set where CheckAbsent held, position of sizes
    Val value;          ///< name, key, expected value

    static GuardStep of(What what, int64_t number = 0, Val value = {}) {
        GuardStep s;
        s.what = what;
        s.number = number;
        s.value = std::move(value);
        return s;
    }
};

/// What looking a name up in a class, or a parameter's default, gave. Such things change rarely:
/// they are looked up again only when Interp::lookupEpoch() has moved.
struct Lookup {
    Val holder;                      ///< class, or function; an instance, whose class is looked at
    Val name;                        ///< attribute; position of a default
    const ClassObj* after = nullptr; ///< super(): look behind this class
    Val found;                       ///< unbound: there is none
    bool holds() const;
};

/// A size or stride that is no constant: SizeChecks look at it.
inline constexpr int64_t kAnySize = -1;

/// Expected properties of a tensor, in one block of memory.
struct TensorPattern {
    ir::DType dtype;
    ir::Device device;
    bool requiresGrad, inference;
    std::vector<int64_t> sizes, strides; ///< kAnySize: not looked at
    std::vector<SizeMark> marks; ///< a tensor with other marks wants a compilation of its own
};

class GuardProgram {
public:
    std::vector<GuardStep> steps;
    std::vector<TensorPattern> tensors;
    std::vector<Lookup> lookups;
    std::vector<int32_t> apart; ///< slots of objects of which no two may be one
    SizeChecks sizes;
    uint64_t lookupEpoch = 0; ///< when the lookups held
    TensorModes tensorModes;  ///< around the capture
    size_t slots = 0;

    void seal() { values_.assign(slots, nullptr); }
    bool check(const Roots& roots);
    /// What does not hold for the call, with what was expected and what came; empty: everything
    /// does. \p locals: names of the frame's variables, \p cells: of its cells.
    std::string failure(const Roots& roots, std::span<const std::string> locals,
                        std::span<const std::string> cells);
    /// After a check that held: the value in a slot.
    const Val& value(int32_t slot) const { return *values_[static_cast<size_t>(slot)]; }

private:
    bool load(GuardStep& step, const Roots& roots);
    bool holds(GuardStep& step, const Roots& roots) const;
    bool lookupsHold(uint64_t epoch);
    bool allApart();
    std::string failureOf(const GuardStep& step, const Roots& roots,
                          const std::function<std::string(int32_t)>& name) const;
    std::vector<const Val*> values_;
    std::vector<const Object*> scratch_; ///< of allApart()
};

/// .grad of a real tensor, the same object every time; unbound when there is none.
const Val& gradientOf(Interp& interp, TensorObj& t);

/// Whether something looks at the gradient of a leaf.
bool hasHooks(const runtime::Tensor& t);

/// Of finite floats.
bool isInOrder(CompareOp op, double a, double b);
/// The number of CheckKind: the kind of a value, and whether a tuple is a torch.Size.
int64_t guardedKind(const Val& v);
/// A function that is told from others of its text by its cells alone.
bool isPlainClosure(const FunctionObj& f);

} // namespace cutaway::capture
