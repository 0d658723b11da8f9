// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/signs.h"

namespace cutaway::codegen {

std::string_view comparisonSign(kernel::ScalarOp op) {
    switch (op) {
    case kernel::ScalarOp::Lt:
        return "<";
    case kernel::ScalarOp::Le:
        return "<=";
    case kernel::ScalarOp::Gt:
        return ">";
    case kernel::ScalarOp::Ge:
        return ">=";
    case kernel::ScalarOp::Eq:
        return "==";
    case kernel::ScalarOp::Ne:
        return "!=";
    default:
        return {};
    }
}

} // namespace cutaway::codegen
