// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the evaluator tells of a script as it runs: what it read from where, what it is about to
/// change. A capture listens and makes guards and recipes of it; while nothing is captured, nobody
/// does.
#pragma once

#include "core/capture/objects.h"

#include <optional>

namespace cutaway::capture {

struct Frame;

/// As it is: listens to nothing.
class ScriptObserver {
public:
    virtual ~ScriptObserver() = default;

    // what was read
    /// A value is about to be used: its kind is relied upon from here on.
    virtual void readValue(Object*) {}
    /// A local whose value is plain: guarded, or made a symbol, when it is read.
    virtual void readUnread(Frame&, size_t /*slot*/) {}
    /// A local variable had no value.
    virtual void readUnset(const Frame&, int32_t /*slot*/) {}
    virtual void readGlobal(DictObj* /*globals*/, StrObj* /*name*/, const Val&) {}
    /// \p builtin: what the name means instead, or null.
    virtual void readNoGlobal(DictObj* /*globals*/, StrObj* /*name*/, const Val* /*builtin*/) {}
    virtual void readCell(CellObj*, const std::string& /*name*/) {}
    virtual void readAttr(Object* /*owner*/, StrObj* /*name*/, const Val&) {}
    /// \p owner keeps no such name itself: it was looked for elsewhere (then or in vain).
    virtual void readAbsent(Object* /*owner*/, StrObj* /*name*/) {}
    /// No attribute at all: for the text of the guards.
    virtual void readNoAttr(Object* /*owner*/, StrObj* /*name*/) {}
    /// \p found: null when the class has none. \p after: what super() looked behind.
    virtual void readClass(ClassObj&, const ClassObj* /*after*/, StrObj* /*name*/,
                           const Val* /*found*/) {}
    virtual void readSubclasses(ClassObj&, const Val& /*tuple*/) {}
    virtual void readDefault(FunctionObj&, size_t /*parameter*/, const Val&) {}
    virtual void readKeywordDefault(FunctionObj&, StrObj* /*name*/, const Val&) {}
    virtual void readNames(Object* /*owner*/, DictObj& /*attributes*/) {}
    virtual void readItem(Object* /*owner*/, const Val& /*key*/, const Val&) {}
    /// An int under a name, or at a key or index: a symbol where it varies between calls. Asked
    /// before it is told that it was read, which the symbol need not be.
    virtual std::optional<Val> attrSymbol(Object* /*owner*/, StrObj* /*name*/, const Val&) {
        return std::nullopt;
    }
    virtual std::optional<Val> itemSymbol(Object* /*owner*/, const Val& /*key*/, const Val&) {
        return std::nullopt;
    }
    /// The same of what a cell holds, and of a float that is a global variable.
    virtual std::optional<Val> cellSymbol(CellObj*, const std::string& /*name*/) {
        return std::nullopt;
    }
    virtual std::optional<Val> globalSymbol(DictObj* /*globals*/, StrObj* /*name*/, const Val&) {
        return std::nullopt;
    }
    /// The items of a list or tuple at \p start, \p start + \p step ..., \p count of them.
    virtual void readItems(Object* /*owner*/, const std::vector<Val>& /*items*/, int64_t /*start*/,
                           int64_t /*step*/, int64_t /*count*/) {}
    virtual void readMissing(DictObj*, const Val& /*key*/) {}
    virtual void readLength(Object*) {}
    virtual void readType(Object*) {}
    /// Which object it is was relied upon.
    virtual void readIdentity(Object*) {}
    /// Two objects were found to be two.
    virtual void readDistinct(Object*, Object*) {}
    /// What is known of a tensor without its values.
    virtual void readTensor(TensorObj&) {}
    /// A parameter, buffer or other tensor that a module keeps.
    virtual void readModuleTensor(TensorObj&) {}
    virtual void readDefaultDevice() {}
    virtual void readCurrentGpu() {}

    // what happens
    /// Before an instruction of a frame that a capture may go on in.
    virtual void remember(const Frame&) {}
    /// Before an object changes. \p what names it in messages.
    virtual void beforeChange(Object*, const char* /*what*/) {}
    /// Before an instance of a class that has a __del__ is made.
    virtual void beforeFinalizable(const ClassObj&) {}
    /// Before a built-in function runs that does what no graph can (BuiltinObj::stops).
    virtual void beforeStop(const BuiltinObj&) {}
    /// A call of a generator function made it.
    virtual void madeGenerator(GeneratorObj&) {}
    /// A loop goes on within a generator that was made under capture.
    virtual void steppedGenerator(const GeneratorObj&) {}
    /// Whether frames of called functions can be taken up where they stand.
    virtual bool resumesCalls() const { return false; }
};

} // namespace cutaway::capture
