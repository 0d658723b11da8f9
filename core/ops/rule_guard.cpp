// SPDX-License-Identifier: Apache-2.0
#include "core/ops/rule_guard.h"

#include "core/ir/printer.h"
#include "core/ir/promotion.h"

#include <fmt/format.h>

namespace cutaway::ops {

base::Diagnostic brokenRule(std::string_view op, const ir::SourceStack& source,
                            const std::string& rule, const std::exception& error) {
    const bool placed = source && !source->empty();
    if (dynamic_cast<const ir::PromotionRefused*>(&error))
        return base::userError(placed ? source->back().where : base::Location{}, error.what(),
                               "convert one of them with .to(dtype)");
    return base::bugError(fmt::format("{} of {}: {}", rule, ir::qualifiedOpName(op), error.what()),
                          placed ? source->back().where : base::Location{});
}

base::Diagnostic inGradient(std::string_view op, const ir::SourceStack& source,
                            base::Diagnostic error) {
    if (!error.where.known() && source && !source->empty()) error.where = source->back().where;
    error.message += fmt::format(" (in the gradient of {})", ir::qualifiedOpName(op));
    return error;
}

} // namespace cutaway::ops
