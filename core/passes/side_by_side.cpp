// SPDX-License-Identifier: Apache-2.0
#include "core/passes/side_by_side.h"

namespace cutaway::passes {

using ir::Arg;
using ir::NodeId;

void SideBySide::add(Members members) {
    if (members.size() < 2) return;
    for (NodeId member : members)
        groupOf_[member] = groups_.size();
    groups_.push_back({std::move(members), {}});
}

NodeId SideBySide::joined(const Members& members, size_t argument, int64_t dim) {
    ir::ArgList pieces;
    for (NodeId member : members)
        pieces.push_back(Arg(*graph_.node(member).args[argument].node()));
    return sweep_.builder().call("cat", {Arg(std::move(pieces)), Arg(ir::Sym(dim))});
}

void SideBySide::replace(const ir::Node& member, const Join& join) {
    Group& group = groups_[groupOf_.at(member.id)];
    const NodeId id = member.id;
    const std::vector<ir::TensorType> types = member.types;
    ops::Builder& b = sweep_.builder();
    if (!group.whole.valid()) group.whole = join(group.members);
    ir::Sym begin(0);
    for (NodeId before : group.members) {
        if (before == id) break;
        begin = begin + b.type(before).sizes.back();
    }
    const auto last = static_cast<int64_t>(types[0].rank()) - 1;
    const NodeId piece =
        b.call("slice.Tensor", {Arg(group.whole), Arg(ir::Sym(last)), Arg(begin),
                                Arg(begin + types[0].sizes.back()), Arg(ir::Sym(1))});
    relaid_.add(piece, types);
    sweep_.replace(id, piece);
}

} // namespace cutaway::passes
