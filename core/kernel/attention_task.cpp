// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/attention_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::kernel {

std::string AttentionTask::str() const {
    std::string words;
    if (causal) words += "causal, ";
    if (safe) words += "safe, ";
    if (inner) words += "inner, ";
    return words + fmt::format("scale {}", scale);
}

namespace {

constexpr double kLowest = -std::numeric_limits<double>::infinity();

double score(const AttentionTask& task, const SlowHead& head, int64_t row, int64_t key) {
    if (task.causal && key > row) return kLowest;
    double sum = 0;
    for (int64_t i = 0; i < head.width; ++i)
        sum += head.query(row, i) * head.key(key, i);
    sum *= task.scale;
    return head.mask ? sum + head.mask(row, key) : sum;
}

} // namespace

SlowAttention slowAttention(const AttentionTask& task, const SlowHead& head) {
    SlowAttention result;
    std::vector<double> weights(static_cast<size_t>(head.keys));
    for (int64_t row = 0; row < head.rows; ++row) {
        double largest = kLowest, sum = 0;
        for (int64_t key = 0; key < head.keys; ++key) {
            double& weight = weights[static_cast<size_t>(key)] = score(task, head, row, key);
            largest = std::isnan(weight) ? weight : std::max(largest, weight);
        }
        const bool unseen = task.safe && largest == kLowest;
        for (double& weight : weights)
            sum += weight = unseen ? 0 : std::exp(weight - largest);
        for (int64_t column = 0; column < head.valueWidth; ++column) {
            double y = 0;
            for (int64_t key = 0; key < head.keys; ++key)
                y += weights[static_cast<size_t>(key)] / (unseen ? 1 : sum) *
                     head.value(key, column);
            result.output.push_back(y);
        }
        result.logarithms.push_back(unseen ? 0 : largest + std::log(sum));
    }
    return result;
}

SlowAttentionGradients slowAttentionBackward(const AttentionTask& task, const SlowHead& head) {
    SlowAttentionGradients g;
    g.query.resize(static_cast<size_t>(head.rows * head.width));
    g.key.resize(static_cast<size_t>(head.keys * head.width));
    g.value.resize(static_cast<size_t>(head.keys * head.valueWidth));
    for (int64_t row = 0; row < head.rows; ++row) {
        double both = 0;
        for (int64_t i = 0; i < head.valueWidth; ++i)
            both += head.gradient(row, i) * head.output(row, i);
        for (int64_t key = 0; key < head.keys; ++key) {
            const double s = score(task, head, row, key);
            // A key that is not seen has no weight, whatever the row's sum is.
            const double weight = s == kLowest ? 0 : std::exp(s - head.logarithms(row));
            double towards = -both;
            for (int64_t i = 0; i < head.valueWidth; ++i) {
                towards += head.gradient(row, i) * head.value(key, i);
                g.value[static_cast<size_t>(key * head.valueWidth + i)] +=
                    weight * head.gradient(row, i);
            }
            const double scoreGradient = weight * towards * task.scale;
            for (int64_t i = 0; i < head.width; ++i) {
                g.query[static_cast<size_t>(row * head.width + i)] +=
                    scoreGradient * head.key(key, i);
                g.key[static_cast<size_t>(key * head.width + i)] +=
                    scoreGradient * head.query(row, i);
            }
        }
    }
    return g;
}

} // namespace cutaway::kernel
