// SPDX-License-Identifier: Apache-2.0
/// \file
/// The fields of every record type, named once: the same list writes JSON and reads it.
/// To add a field, add it here and in record.h; older files simply lack it.
#pragma once

#include "core/record/record.h"

namespace cutaway::record {

// An archive is called as archive("name", field). Timings (fields that vary from run to run) go
// through archive.timing(...): they are a part of their own. archive.packed(...) is a flat list.

template <typename A> void fields(A& a, base::Location& v) {
    a("file", v.file), a("line", v.line), a("column", v.column);
    a("endLine", v.endLine), a("endColumn", v.endColumn);
}
template <typename A> void fields(A& a, base::DiagnosticNote& v) {
    a("where", v.where), a("message", v.message);
}
template <typename A> void fields(A& a, base::Diagnostic& v) {
    a("severity", v.severity), a("fault", v.fault), a("where", v.where), a("message", v.message);
    a("notes", v.notes), a("hint", v.hint);
}
template <typename A> void fields(A& a, Item& v) {
    a("kind", v.kind), a("key", v.key);
}
template <typename A> void fields(A& a, SourceFile& v) {
    a("name", v.name), a("text", v.text), a("lineItems", v.lineItems);
}
template <typename A> void fields(A& a, Guard& v) {
    a("kind", v.kind), a("source", v.source), a("condition", v.condition), a("where", v.where);
}
template <typename A> void fields(A& a, GraphNode& v) {
    a("item", v.item), a("name", v.name), a("kind", v.kind), a("op", v.op), a("text", v.text);
    a("type", v.type), a("bytes", v.bytes), a("inputs", v.inputs), a("source", v.source);
    a("modulePath", v.modulePath), a("backward", v.backward), a("rule", v.rule);
}
template <typename A> void fields(A& a, GraphStage& v) {
    a("name", v.name), a("text", v.text), a("nodes", v.nodes), a("outputs", v.outputs);
}
template <typename A> void fields(A& a, NodeChange& v) {
    a("kind", v.kind), a("node", v.node), a("before", v.before), a("after", v.after);
    a("rewrite", v.rewrite);
}
template <typename A> void fields(A& a, Rewrite& v) {
    a("node", v.node), a("line", v.line), a("with", v.with), a("rule", v.rule);
    a("condition", v.condition), a("becomes", v.becomes);
}
template <typename A> void fields(A& a, PassRun& v) {
    a("stage", v.stage), a("pass", v.pass), a("summary", v.summary), a("changed", v.changed);
    a.timing("ms", v.ms), a("changes", v.changes), a("rewrites", v.rewrites);
}
template <typename A> void fields(A& a, SavedTensor& v) {
    a("item", v.item), a("name", v.name), a("bytes", v.bytes), a("input", v.input);
    a("reason", v.reason);
}
template <typename A> void fields(A& a, RecomputedValue& v) {
    a("item", v.item), a("name", v.name), a("op", v.op), a("bytes", v.bytes), a("reason", v.reason);
}
template <typename A> void fields(A& a, MemoryPoint& v) {
    a("savedBytes", v.savedBytes), a("peakBytes", v.peakBytes), a("us", v.us);
    a("saved", v.saved), a("recomputed", v.recomputed);
}
template <typename A> void fields(A& a, Partition& v) {
    a("algorithm", v.algorithm), a("cutWeight", v.cutWeight), a("saved", v.saved);
    a("recomputed", v.recomputed), a("point", v.point), a("curve", v.curve);
    a("budget", v.budget);
}
template <typename A> void fields(A& a, LoopBuffer& v) {
    a("item", v.item), a("name", v.name), a("kind", v.kind), a("type", v.type), a("text", v.text);
    a("bytes", v.bytes), a("inMemory", v.inMemory);
}
template <typename A> void fields(A& a, FusionDecision& v) {
    a("a", v.a), a("b", v.b), a("fused", v.fused), a("rule", v.rule), a("reason", v.reason);
    a("bytesSaved", v.bytesSaved);
}
template <typename A> void fields(A& a, CodeLine& v) {
    a("item", v.item), a("text", v.text);
}
template <typename A> void fields(A& a, Code& v) {
    a("language", v.language), a("lines", v.lines), a("note", v.note);
    a("hiddenPrefix", v.hiddenPrefix);
}
template <typename A> void fields(A& a, Remark& v) {
    a("kind", v.kind), a("pass", v.pass), a("message", v.message), a("line", v.line);
}
template <typename A> void fields(A& a, ScheduleCandidate& v) {
    a("target", v.target), a("by", v.by), a("decisions", v.decisions);
    a("predictedUs", v.predictedUs), a("measuredUs", v.measuredUs), a("reasons", v.reasons);
    a("refused", v.refused), a("taken", v.taken), a("forced", v.forced);
}
template <typename A> void fields(A& a, GpuLoad& v) {
    a("threads", v.threads), a("registers", v.registers), a("sharedBytes", v.sharedBytes);
    a("blocks", v.blocks), a("share", v.share), a("limit", v.limit);
    a("architecture", v.architecture);
}
template <typename A> void fields(A& a, KernelInfo& v) {
    a("item", v.item), a("name", v.name), a("kind", v.kind), a("device", v.device);
    a("buffers", v.buffers), a("reads", v.reads), a("writes", v.writes);
    a("bytesRead", v.bytesRead), a("bytesWritten", v.bytesWritten), a("flops", v.flops);
    a("schedule", v.schedule), a("candidates", v.candidates);
    a("codes", v.codes), a("remarks", v.remarks), a("gpu", v.gpu);
}
template <typename A> void fields(A& a, MemoryItem& v) {
    a("buffer", v.buffer), a("kind", v.kind), a("reason", v.reason), a("offset", v.offset);
    a("bytes", v.bytes), a("firstKernel", v.firstKernel), a("lastKernel", v.lastKernel);
}
template <typename A> void fields(A& a, MemoryPlan& v) {
    a("arenaBytes", v.arenaBytes), a("unsharedBytes", v.unsharedBytes), a("items", v.items);
}
template <typename A> void fields(A& a, LoweredGraph& v) {
    a("graph", v.graph), a("sizes", v.sizes), a("buffers", v.buffers), a("ending", v.ending);
    a("decisions", v.decisions), a("kernels", v.kernels), a("memory", v.memory);
}
template <typename A> void fields(A& a, StageTime& v) {
    a("stage", v.stage), a("ms", v.ms);
}
template <typename A> void fields(A& a, Entry& v) {
    a("backwardOf", v.backwardOf);
    a("segment", v.segment), a("call", v.call), a("guards", v.guards),
        a("transformedCode", v.transformedCode);
    a("breaks", v.breaks), a("graphs", v.graphs), a("passes", v.passes);
    a("hasPartition", v.hasPartition), a("partition", v.partition), a("lowered", v.lowered);
    a.timing("times", v.times), a("device", v.device), a("backend", v.backend);
}
template <typename A> void fields(A& a, Function& v) {
    a("name", v.name), a("where", v.where), a("entries", v.entries);
}
template <typename A> void fields(A& a, ThreadPart& v) {
    a("thread", v.thread), a("begin", v.begin), a("us", v.us);
}
template <typename A> void fields(A& a, KernelCount& v) {
    a("what", v.what), a("value", v.value);
}
template <typename A> void fields(A& a, KernelTiming& v) {
    a("graph", v.graph), a("kernel", v.kernel), a("item", v.item), a("us", v.us);
    a("bytes", v.bytes), a("flops", v.flops), a("threads", v.threads), a("counts", v.counts);
}
template <typename A> void fields(A& a, Run& v) {
    a("case", v.caseName), a("device", v.device), a("size", v.size), a("backend", v.backend);
    a("threads", v.threads), a("train", v.train), a("us", v.us), a("us_min", v.usMin);
    a("runs", v.runs), a("compile_s", v.compileSeconds), a("peak_mib", v.peakMiB);
    a("launches", v.launches), a("saved_bytes", v.savedBytes), a("bytes_moved", v.bytesMoved);
    a("max_error", v.maxError), a("kernels", v.kernels), a("text_hash", v.textHash);
    a("eager_launches", v.eagerLaunches), a("decisions", v.decisions), a("samples", v.samples);
    a("disturbed", v.disturbed);
}
template <typename A> void fields(A& a, Check& v) {
    a("what", v.what), a("compiledError", v.compiledError), a("eagerError", v.eagerError);
    a("limit", v.limit), a("passed", v.passed), a("size", v.size), a("device", v.device);
    a("threads", v.threads), a("text_hash", v.textHash), a("decisions", v.decisions);
}
template <typename A> void fields(A& a, Link& v) { // in version 1
    a("item", v.item), a("from", v.from);
}
template <typename A> void fields(A& a, Record& v) {
    a("version", v.version), a("producer", v.producer), a("path", v.path), a("size", v.size);
    a("sizes", v.sizes), a("decisions", v.decisions), a("files", v.files),
        a("functions", v.functions), a("items", v.items);
    a.packed("links", v.links);
    a.timing("runs", v.runs), a.timing("checks", v.checks), a("messages", v.messages);
}

} // namespace cutaway::record
