// SPDX-License-Identifier: Apache-2.0
/// \file
/// Guards: a flat program over the values that a capture read, checked on every call. Loads put
/// pointers to values into slots (parents before children); checks compare a slot. Nothing is
/// allocated while checking.
#pragma once

#include "core/capture/objects.h"
#include "core/capture/world.h"

namespace cutaway::capture {

/// The values of one call that a guard program starts from.
struct Roots {
    const Val* locals = nullptr;
    const Val* stack = nullptr;
    const Val* cells = nullptr;
    bool gradMode = true;
    ir::Device defaultDevice;
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
        LoadItem,
        LoadKey,
        CheckIdentity,
        CheckConstant,
        CheckClass,
        CheckLayout,
        CheckKind,
        CheckLength,
        CheckKeys,
        CheckMissing,
        CheckTensor,
        CheckSame,
        CheckGradMode,
        CheckDevice
    };
    What what = What::LoadLocal;
    int32_t slot = 0;
    int32_t from = 0;   ///< parent slot; CheckSame: the other slot
    uint32_t hint = 0;  ///< where a name was found last time
    int64_t number = 0; ///< index, length, layout, position of sizes and strides
    Val value;          ///< name, key, expected value
};

/// Expected properties of a tensor, in one block of memory.
struct TensorPattern {
    ir::DType dtype;
    ir::Device device;
    bool requiresGrad;
    std::vector<int64_t> sizes, strides;
};

class GuardProgram {
public:
    std::vector<GuardStep> steps;
    std::vector<TensorPattern> tensors;
    size_t slots = 0;

    void seal() { values_.assign(slots, nullptr); }
    bool check(const Roots& roots);
    /// After a check that held: the value in a slot.
    const Val& value(int32_t slot) const { return *values_[static_cast<size_t>(slot)]; }

private:
    bool load(GuardStep& step, const Roots& roots);
    bool holds(GuardStep& step, const Roots& roots) const;
    std::vector<const Val*> values_;
};

} // namespace cutaway::capture
