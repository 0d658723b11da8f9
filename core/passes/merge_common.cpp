// SPDX-License-Identifier: Apache-2.0
#include "core/passes/merge_common.h"

#include "core/base/hash.h"
#include "core/base/said.h"
#include "core/passes/shared_memory.h"
#include "core/passes/sweep.h"

#include <algorithm>
#include <unordered_map>

namespace cutaway::passes {
namespace {

/// add(a, b, alpha) commutes only when alpha is 1; the other commutative operations have two
/// arguments.
bool operandsMaySwap(const ir::Node& node, const ops::OpDef& def) {
    if (!def.traits.commutative || node.args.size() < 2) return false;
    if (!node.args[0].node() || !node.args[1].node()) return false;
    for (size_t i = 2; i < node.args.size(); ++i)
        if (!node.args[i].isNone() && numberOf(node.args[i]) != 1) return false;
    return true;
}

ir::ArgList canonicalArgs(const ir::Node& node, const ops::OpDef* def) {
    ir::ArgList args = node.args;
    if (def && operandsMaySwap(node, *def) && *args[1].node() < *args[0].node())
        std::swap(args[0], args[1]);
    return args;
}

uint64_t hashOf(const ir::Node& node, const ir::ArgList& args) {
    base::Hasher hasher;
    hasher.add(node.op).add(ir::hashArgs(args)).add(uint64_t{node.types.size()});
    for (const ir::TensorType& type : node.types) {
        hasher.add(static_cast<uint64_t>(type.dtype)).add(uint64_t{type.rank()});
        for (const ir::Sym& size : type.sizes)
            hasher.add(size.hash());
    }
    if (node.constant) {
        const auto& bytes = node.constant->bytes;
        hasher.add(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    return hasher.word();
}

bool sameValue(const ir::Node& a, const ir::ArgList& aArgs, const ir::Node& b,
               const ir::ArgList& bArgs) {
    if (a.kind != b.kind || a.op != b.op || a.tuple != b.tuple || !(aArgs == bArgs)) return false;
    if (a.kind == ir::NodeKind::Constant && a.constant->bytes != b.constant->bytes) return false;
    return std::equal(a.types.begin(), a.types.end(), b.types.begin(), b.types.end(), sameType);
}

void gatherProvenance(ir::Node& kept, const ir::Node& merged) {
    for (ir::NodeId id : merged.from)
        if (std::find(kept.from.begin(), kept.from.end(), id) == kept.from.end())
            kept.from.push_back(id);
}

} // namespace

base::Status mergeCommon(ir::Graph& graph) {
    Sweep sweep(graph);
    SharedMemory shared(graph);
    struct Entry {
        ir::NodeId id;
        ir::ArgList args;
    };
    std::unordered_map<uint64_t, std::vector<Entry>> seen;
    auto visit = [&](ir::Node& node) -> base::Status {
        const ops::OpDef* def = opOf(node);
        if (node.kind == ir::NodeKind::Placeholder || (def && def->isRandom())) return {};
        ir::ArgList args = canonicalArgs(node, def);
        // NaN arguments compare unequal and -0.0 equals 0.0; the hash tells both bit patterns
        // apart.
        std::vector<Entry>& entries = seen[hashOf(node, args)];
        for (const Entry& entry : entries) {
            ir::Node& kept = graph.node(entry.id);
            if (!sameValue(kept, entry.args, node, args)) continue;
            if (!shared.mayReplace(node.id, kept.id)) continue;
            gatherProvenance(kept, node);
            sweep.because(
                base::said("it is the same operation of the same arguments as {}", kept.name));
            shared.replaced(node.id, kept.id);
            sweep.replace(node.id, kept.id);
            return {};
        }
        entries.push_back({node.id, std::move(args)});
        return {};
    };
    return sweep.run(visit, false);
}

} // namespace cutaway::passes
