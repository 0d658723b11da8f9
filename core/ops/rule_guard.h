// SPDX-License-Identifier: Apache-2.0
/// \file
/// An exception of an operation's own rule is a defect of that rule: it becomes a diagnostic at the
/// script's line, naming the operation. What a rule says of the user's arguments is no defect.
#pragma once

#include "core/base/result.h"
#include "core/ir/graph.h"
#include "core/ops/refusal.h"
#include "core/ops/unknown_sizes.h"

#include <exception>
#include <new>
#include <string>
#include <string_view>

namespace cutaway::ops {

/// "gradient rule of aten.cos.default: ...", a bug at the place of \p source, which may be null.
base::Diagnostic brokenRule(std::string_view op, const ir::SourceStack& source,
                            const std::string& rule, const std::exception& error);

/// What a call in the gradient of \p op refuses, at the place of \p source, which may be null.
base::Diagnostic inGradient(std::string_view op, const ir::SourceStack& source,
                            base::Diagnostic error);

/// What \p work gives, a Status or a Result. Memory that runs out is nobody's rule.
/// \param rule "gradient rule"; read once the work has failed
template <typename Work>
auto guardRule(std::string_view op, const ir::SourceStack& source, const std::string& rule,
               const Work& work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const UnknownSizes&) {
        throw; // no defect of the rule: whoever reads a text knows what to do
    } catch (const CallRefused& refused) {
        return refused.error;
    } catch (const Refusal& refused) {
        // Sizes too large are the user's, whichever call of the rule meets them.
        if (refused.error.fault == base::Fault::Environment) return refused.error;
        return brokenRule(op, source, rule, refused);
    } catch (const std::exception& error) {
        return brokenRule(op, source, rule, error);
    }
}

/// The same of a gradient rule. What its calls refuse is refused to the user, as by PyTorch's formulas
/// (a bool that is subtracted): shape rules of what was called have taken the arguments.
template <typename Work>
auto guardGradient(std::string_view op, const ir::SourceStack& source, const Work& work)
    -> decltype(work()) {
    return guardRule(op, source, "gradient rule", [&]() -> decltype(work()) {
        try {
            return work();
        } catch (const Refusal& refused) {
            if (refused.error.fault == base::Fault::Bug) throw;
            throw CallRefused(inGradient(op, source, refused.error));
        }
    });
}

} // namespace cutaway::ops
