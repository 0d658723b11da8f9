// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fills the record while a compilation runs: makes items, and links each to what it came from.
#pragma once

#include "core/codegen/source.h"
#include "core/ir/graph.h"
#include "core/memory/plan.h"
#include "core/partition/partition.h"
#include "core/record/record.h"
#include "core/runtime/target.h"

#include <map>
#include <memory>

namespace cutaway::pipeline {

/// The record under construction, shared by every compilation of one program.
class RecordBuilder {
public:
    record::Record record;

    record::ItemId addItem(record::ItemKind kind, std::string key);
    void link(record::ItemId item, record::ItemId from) { record.links.push_back({item, from}); }
    /// Registers a source text: one item a line.
    void addSource(const std::string& name, const std::string& text);
    /// The item of a source line, or kNoItem for files that are not registered.
    record::ItemId sourceLine(const base::Location& where) const;
    /// The function's row, made when it is new.
    record::Function& function(const std::string& name, const base::Location& where);
};

/// Records one entry. Node, buffer and kernel items of a graph are found again by graph name.
class EntryRecorder {
public:
    EntryRecorder(RecordBuilder& builder, record::Function& function);
    /// For a graph of this entry that is compiled later: a new entry, which says whose it is.
    /// What is recorded already never changes.
    std::unique_ptr<EntryRecorder> forBackward() const;

    record::Entry& entry();
    /// What its items' keys begin with: "model.0".
    std::string entryName() const { return key({}).substr(0, key({}).size() - 1); }

    /// The calls from node \p first on are made in modules that these lines made; told before
    /// the graph is added.
    void addModules(uint32_t first, std::vector<base::Location> lines) {
        moduleLines_[first] = std::move(lines);
    }
    /// Items for the graph's nodes. \p parent: name of the recorded graph that Node::from refers
    /// to; empty: the nodes come from source lines.
    void addGraph(const ir::Graph& graph, const std::string& parent);
    void addPartition(const partition::Partition& partition);
    /// What else could have been saved, of the partition that was added.
    void addChoices(const partition::Partition& partition);
    /// Buffers of one graph; Buffer::from refers to its nodes.
    void addLoops(const kernel::LoopProgram& loops);
    /// Kernels and decisions of a graph whose loops were added.
    void addKernels(const kernel::KernelProgram& program);
    void addMemory(const kernel::KernelProgram& program, const memory::MemoryPlan& plan);
    /// The text of kernel \p index of \p graphName for a target. \param launched it is what runs
    void addCode(const std::string& graphName, size_t index, const runtime::Target& target,
                 const codegen::KernelSource& source, bool launched);
    /// A sentence on kernel \p index, after those on its schedule.
    void addReason(const std::string& graphName, size_t index, std::string reason);
    /// What was considered for the kernels of \p graphName on a kind of device. \param launched
    /// it is what they run by
    void addSchedules(const std::string& graphName, ir::Device::Kind kind,
                      const std::vector<schedule::Schedule>& schedules, bool launched);
    /// What was measured of the kernels' own candidates since addSchedules, and which are taken now.
    void addMeasured(const std::string& graphName, ir::Device::Kind kind,
                     const std::vector<schedule::Schedule>& schedules);
    void addTime(const std::string& stage, double ms);

private:
    record::LoweredGraph& lowered(const std::string& graphName);
    record::ItemId nodeItem(const std::string& graphName, ir::NodeId id) const;
    std::string key(const std::string& rest) const;

    RecordBuilder& builder_;
    std::string functionName_;
    size_t functionIndex_, entryIndex_;
    std::map<uint32_t, std::vector<base::Location>> moduleLines_;    ///< by the first node
    std::map<std::string, std::vector<record::ItemId>> nodeItems_;   ///< by graph, by NodeId
    std::map<std::string, std::vector<record::ItemId>> bufferItems_; ///< by graph, by BufferId
};

} // namespace cutaway::pipeline
