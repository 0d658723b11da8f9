// SPDX-License-Identifier: Apache-2.0
// Source: tools/autograd/derivatives.yaml.
#include "core/ops/saved_values.h"

#include "core/ops/catalogue.h"

#include <string_view>
#include <unordered_map>

namespace cutaway::ops {

namespace {

struct Row {
    std::string_view op, arguments;
    bool result = false;
};

constexpr Row kRows[] = {
    {"log_sigmoid", "self"},
    {"threshold", "self"},
    {"prelu", "self weight"},
    {"sgn", "self", true},
    {"special_log_ndtr", "self", true},
    {"pow.Scalar", "exponent", true},
    {"prod", "self", true},
    {"prod.dim_int", "self", true},
    {"cumprod", "self", true},
    {"cummax", "self"},
    {"cummin", "self"},
    {"nansum", "self"},
    {"nanmean", "self"},
    {"ldexp.Tensor", "other", true},
    {"linalg_vector_norm", "self", true},
    {"norm.ScalarOpt_dim_dtype", "self", true},
    {"norm.word", "self", true},
    {"pdist", "self", true},
    {"_pdist_forward", "self", true},
    {"take", "self"},
    {"gather", "self"},
    {"index_add", "source"},
    {"nll_loss", "self target"},
    {"nll_loss_nd", "self target"},
    {"binary_cross_entropy_with_logits", "self target"},
    {"avg_pool1d", "self"},
    {"avg_pool2d", "self"},
    {"avg_pool3d", "self"},
    {"max_pool1d", "self"},
    {"max_pool2d", "self"},
    {"max_pool3d", "self"},
    {"adaptive_avg_pool1d", "self"},
    {"adaptive_avg_pool2d", "self"},
    {"adaptive_avg_pool3d", "self"},
    {"adaptive_max_pool1d", "self"},
    {"adaptive_max_pool2d", "self"},
    {"adaptive_max_pool3d", "self"},
    {"linalg_cross", "self other"},
    {"cross", "self other"},
    {"inverse", "", true},
    {"linalg_inv", "", true},
    {"det", "", true},
    {"linalg_det", "", true},
    {"linalg_cholesky", "", true},
    {"linalg_solve", "", true},
    {"linalg_qr", "", true},
    {"linalg_svd", "", true},
    {"linalg_svdvals", "", true},
    {"linalg_eigh", "", true},
    {"linalg_eigvalsh", "", true},
};

std::unordered_map<const OpDef*, SavedValues> tableOfAll() {
    std::unordered_map<const OpDef*, SavedValues> table;
    for (const Row& row : kRows) {
        const OpDef* def = catalogue().find(row.op);
        if (!def) continue;
        SavedValues& saved = table[def];
        saved.result = row.result;
        std::string_view rest = row.arguments;
        while (!rest.empty()) {
            const size_t end = std::min(rest.find(' '), rest.size());
            if (const int at = def->parsed.find(std::string(rest.substr(0, end))); at >= 0)
                saved.arguments.push_back(static_cast<size_t>(at));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return table;
}

} // namespace

const SavedValues* savedBeside(const OpDef& def) {
    static const std::unordered_map<const OpDef*, SavedValues> kTable = tableOfAll();
    const auto found = kTable.find(&def);
    return found == kTable.end() ? nullptr : &found->second;
}

} // namespace cutaway::ops
