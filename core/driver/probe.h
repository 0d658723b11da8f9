// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where results part: every value of a compiled step beside the same value by eager mode, one
/// operation after the other, and in double precision.
#pragma once

#include "core/driver/session.h"

#include <nlohmann/json_fwd.hpp>

namespace cutaway::driver {

/// How far a value lies from the one in double precision, at its worst element. Infinite where one
/// is finite and the other is not.
struct ValueError {
    double absolute = 0;
    double relative = 0; ///< to the element or, if that is larger, to the root mean square of all
    bool beyond = false; ///< more than rounding explains (design section 14)
};

/// One value of a graph.
struct ProbedValue {
    std::string key; ///< of its item in the record: "model.0/forward/cos"
    std::string function, graph, name, op, type;
    /// Where the compiled value is from: an input, memory that a kernel wrote, the reference functions
    /// of the operations on such values (what fusion keeps in registers), or nowhere.
    enum class Origin { Input, Stored, Computed, Unknown } origin = Origin::Unknown;
    std::string counterpart; ///< captured graph: the compiled graph's node that is the same value
    ValueError compiled;     ///< meaningful unless Origin::Unknown
    std::optional<ValueError> eager;
    double limit = 0; ///< relative error that rounding may make without cancellation; 0: exact
    /// Of the compiled value (of the one in double precision where that is not known): NaN without
    /// finite elements.
    double least = 0, most = 0, mean = 0;
    int64_t elements = 0, notFinite = 0;
    std::string firstNotFinite; ///< "[0, 3] is nan"; empty: none is
    /// How many finite elements lie in each of equal parts from least to most; empty: none do.
    std::vector<int64_t> histogram;
};

struct Probe {
    /// By function: the captured graph, what is compiled as forward and as backward, each in the
    /// order in which it is computed.
    std::vector<ProbedValue> values;
    /// The first value of a compiled graph that lies beyond rounding; -1: none.
    int first = -1;
    std::vector<std::string> problems; ///< why eager mode's values are missing
    std::string size, device, textHash, decisions;
    int threads = 0;
};

/// Compiles and runs a case file's step or a script, and holds all its values beside each other.
/// Errors: user error for what compiles nothing, and for more values than memory should hold.
base::Result<Probe> probe(Tools& tools, const SessionOptions& options);

/// What the engine answers and `check --probe --json` prints. A number that is not finite is text:
/// "inf", "nan".
nlohmann::json probeJson(const Probe& probe);
/// A table of the compiled graphs, and what comes first.
std::string probeText(const Probe& probe);

} // namespace cutaway::driver
