// SPDX-License-Identifier: Apache-2.0
/// \file
/// How the partitioner sees an operation (PyTorch: get_default_op_list and is_fusible in
/// torch/_functorch/partitioners.py). The facts stand in the operation's record.
#pragma once

#include "core/ops/catalogue.h"

namespace cutaway::partition {

/// Null for placeholders, constants and getitem.
const ops::OpDef* opOf(const ir::Node& node);
bool isGetitem(const ir::Node& node);
/// Shows the memory of its input: never saved, never a reason to save.
bool isView(const ir::Node& node);
bool isRandom(const ir::Node& node);
/// May be computed a second time in the backward graph.
bool isRecomputable(const ir::Node& node);
/// Can be one kernel with its neighbours.
bool isFusible(const ir::Node& node);
/// \p user can be computed in the kernel that computes \p producer.
bool areFusible(const ir::Node& producer, const ir::Node& user);
/// Bytes of all results.
int64_t bytesOf(const ir::Node& node, const ir::Graph& graph);
/// Floating-point operations, roughly: 2 M N K for a product, the record's number an element else.
double flopsOf(const ir::Node& node, const ir::Graph& graph);

} // namespace cutaway::partition
