// SPDX-License-Identifier: Apache-2.0
/// \file
/// softmax(q k^T * scale + mask) v in a captured graph, however it is written.
#pragma once

#include "core/ir/graph.h"

#include <optional>
#include <vector>

namespace cutaway::passes {

/// A matrix operand: a node with its dimensions in another order; the last two are the matrix.
struct MatrixOperand {
    ir::NodeId node;
    std::vector<int> order; ///< empty: as they are
};

struct AttentionPattern {
    MatrixOperand query, key, value; ///< [batch.., L, E], [batch.., S, E], [batch.., S, V]
    std::vector<int> result;         ///< the order of the result's dimensions; empty: as computed
    double scale = 1;
    bool causal = false;
    bool exact = true;  ///< what is hidden is -inf
    bool safe = false;  ///< a row that sees nothing is 0
    bool whole = false; ///< one call, whose products a processor computes in float32 at least
    ir::NodeId mask;    ///< added to the scores, or where they are -inf; invalid: none
    enum class Mask : uint8_t { Added, Hidden, Seen };
    Mask meaning = Mask::Added; ///< of booleans: true hides, or true shows
    /// The size of scores: batch.., L, S.
    ir::Shape scores;
};

/// Finds patterns by their last product, or scaled_dot_product_attention.
class AttentionMatcher {
public:
    explicit AttentionMatcher(const ir::Graph& graph);
    std::optional<AttentionPattern> match(const ir::Node& last) const;
    /// What nothing but the pattern that ends in \p last uses: what it becomes stands for these, too.
    std::vector<ir::NodeId> inside(const ir::Node& last, const AttentionPattern& found) const;
    /// Whether a backward goes through it.
    bool learns(const AttentionPattern& found) const {
        return hasGradient(found.query.node) || hasGradient(found.key.node) ||
               hasGradient(found.value.node);
    }

private:
    struct Product {
        MatrixOperand a, b; ///< [batch.., i, k] and [batch.., k, j]
        std::vector<int> result;
        double factor = 1;
        ir::NodeId added;
    };
    std::optional<Product> productOf(const ir::Node& node) const;
    std::optional<Product> einsumOf(const ir::Node& node) const;
    std::optional<AttentionPattern> wholeOf(const ir::Node& node) const;
    /// The node behind argument \p i when nothing else uses it.
    const ir::Node* only(const ir::Node& node, size_t i) const;
    const ir::Node* argument(const ir::Node& node, size_t i) const;
    /// What a cast between 16 bits and float32 converts, as attention is computed in float32.
    const ir::Node* pastCast(const ir::Node* node) const;
    bool readMasks(const ir::Node*& scores, AttentionPattern& found) const;
    bool readMask(const ir::Node*& scores, AttentionPattern& found) const;
    bool hide(ir::NodeId condition, bool trueHides, std::optional<double> with,
              AttentionPattern& found) const;
    bool hideAdded(ir::NodeId mask, AttentionPattern& found) const;
    enum class Triangle : uint8_t { None, Lower, Upper };
    Triangle triangle(ir::NodeId mask, int depth = 0) const;
    /// What a constant or a filled tensor holds throughout.
    std::optional<double> valueOf(const ir::Arg& arg) const;
    // Of nodes that came after the graph was looked through, the answer that changes nothing.
    bool isUsedOnce(ir::NodeId id) const { return id.index < uses_.size() && uses_[id.index] == 1; }
    bool hasGradient(ir::NodeId id) const {
        return id.index >= gradient_.size() || gradient_[id.index];
    }

    const ir::Graph& graph_;
    std::vector<int> uses_;      ///< by id
    std::vector<bool> gradient_; ///< by id: some input that it is computed from wants one
};

} // namespace cutaway::passes
