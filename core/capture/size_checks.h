// SPDX-License-Identifier: Apache-2.0
/// \file
/// Guards on sizes that are symbols: where each symbol's value is found in a call, and the
/// relations between sizes that the capture relied on, as one flat program.
#pragma once

#include "core/capture/objects.h"
#include "core/ir/shape_env.h"
#include "core/ir/size_program.h"

#include <set>

namespace cutaway::capture {

/// Where a number of a call comes from.
struct SizePlace {
    enum class Kind : uint8_t { Size, Stride, Int };
    int32_t slot = 0; ///< of the guard program: a tensor, or an int
    Kind kind = Kind::Size;
    int32_t dim = 0;
    int64_t read(const Val& v) const;
};

class SizeChecks {
public:
    /// Symbols in order: their values are read from these places.
    void addSymbol(SizePlace place) { symbols_.push_back(place); }
    /// The number at \p place is \p size.
    void addPlace(SizePlace place, const ir::Sym& size) {
        places_.push_back({place, program_.slot(size)});
    }
    void addRelation(const ir::Condition& condition);
    /// An int of the result; \returns its number for integer().
    int32_t addInteger(const ir::Sym& size);
    /// An int that the script computes: of 64 bits, here and on the way to it.
    void addExact(const ir::Sym& size) { exact_.slot(size); }

    /// Whether everything holds for the values of a call, by slot of the guard program.
    bool hold(std::span<const Val* const> values);
    /// After hold() gave false: what does not, where \p name tells a slot's source.
    std::string failure(std::span<const Val* const> values,
                        const std::function<std::string(int32_t)>& name);
    // After a check that held:
    std::span<const int64_t> symbolValues() const { return symbolValues_; }
    int64_t integer(int32_t number) const {
        return slots_[static_cast<size_t>(integers_[static_cast<size_t>(number)])];
    }

private:
    struct Place {
        SizePlace place;
        int32_t slot;
    };
    struct Relation {
        ir::Condition::Relation relation;
        int32_t a, b;
    };
    std::vector<SizePlace> symbols_;
    std::vector<Place> places_;
    std::vector<Relation> relations_;
    std::vector<int32_t> integers_;
    ir::SizeProgram program_, exact_;
    std::vector<int64_t> symbolValues_, slots_, exactSlots_;
};

/// Whether all that \p program computes has 64 bits. \p slots: scratch.
bool isExact(const ir::SizeProgram& program, std::span<const int64_t> symbols,
             std::vector<int64_t>& slots);

/// Which sizes of the inputs of one stretch of a function have varied between its captures.
/// Source: torch/_dynamo/pgo.py.
class SizeHistory {
public:
    std::optional<bool> dynamic; ///< torch.compile's argument
    /// Notes what a source has in this capture; what differs from before varies from now on.
    void note(const std::string& source, const std::vector<int64_t>& numbers);
    bool varies(const std::string& source, size_t i) const;
    /// The script needed the number of a source: it is a constant in every capture from now on.
    void fix(const std::string& source) { fixed_.insert(source); }
    bool isFixed(const std::string& source) const { return fixed_.contains(source); }

private:
    std::map<std::string, std::vector<std::optional<int64_t>>> seen_;
    std::set<std::string> fixed_;
};

} // namespace cutaway::capture
