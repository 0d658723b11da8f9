// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/glossary.h"

#include <QCoreApplication>
#include <algorithm>

namespace cutaway::views {

namespace {

struct Term {
    const char *term, *meaning, *pane;
};

const Term kTerms[] = {
    {QT_TRANSLATE_NOOP("Glossary", "Arena"),
     QT_TRANSLATE_NOOP("Glossary",
                       "One block of memory in which all buffers between kernels lie. Buffers that "
                       "are not needed at the same time may share its bytes."),
     "memory"},
    {QT_TRANSLATE_NOOP("Glossary", "Arithmetic intensity"),
     QT_TRANSLATE_NOOP("Glossary", "Operations for each byte that is read or written. Little of "
                                   "it: memory is the limit; much of it: arithmetic."),
     "times"},
    {QT_TRANSLATE_NOOP("Glossary", "Backend"),
     QT_TRANSLATE_NOOP("Glossary", "Who compiles what was captured: eager (nobody), aot_eager "
                                   "(joint graph and partition only), inductor (everything)."),
     "run"},
    {QT_TRANSLATE_NOOP("Glossary", "Backward graph"),
     QT_TRANSLATE_NOOP("Glossary",
                       "What computes the gradients, from the saved tensors and the tangents."),
     "graph"},
    {QT_TRANSLATE_NOOP("Glossary", "Buffer"),
     QT_TRANSLATE_NOOP("Glossary", "What one loop nest computes: a tensor in memory, or a value "
                                   "that never leaves the registers of a fused kernel."),
     "kernels"},
    {QT_TRANSLATE_NOOP("Glossary", "Capture"),
     QT_TRANSLATE_NOOP("Glossary", "Running the function once with stand-ins for tensors. What it "
                                   "does to them becomes a graph; Python itself is gone."),
     "capture"},
    {QT_TRANSLATE_NOOP("Glossary", "Decomposition"),
     QT_TRANSLATE_NOOP(
         "Glossary",
         "A composite operation (softmax, layer norm) written as small ones, which can be fused."),
     "passes"},
    {QT_TRANSLATE_NOOP("Glossary", "Eager"),
     QT_TRANSLATE_NOOP("Glossary", "One operation after the other, each at once, as Python calls "
                                   "them. What compiled code is compared with."),
     "run"},
    {QT_TRANSLATE_NOOP("Glossary", "Forward graph"),
     QT_TRANSLATE_NOOP(
         "Glossary",
         "What runs first: the function's results, and what it saves for the backward."),
     "graph"},
    {QT_TRANSLATE_NOOP("Glossary", "Fusion"),
     QT_TRANSLATE_NOOP(
         "Glossary",
         "Several operations in one kernel, so that what lies between them need not reach memory."),
     "kernels"},
    {QT_TRANSLATE_NOOP("Glossary", "Graph"),
     QT_TRANSLATE_NOOP("Glossary", "Operations as nodes, tensors as the edges between them."),
     "graph"},
    {QT_TRANSLATE_NOOP("Glossary", "Graph break"),
     QT_TRANSLATE_NOOP(
         "Glossary",
         "A place that cannot be captured: Python runs it, and another graph begins behind it."),
     "capture"},
    {QT_TRANSLATE_NOOP("Glossary", "Guard"),
     QT_TRANSLATE_NOOP("Glossary", "A condition that held at capture (a shape, a value). While all "
                                   "hold, the compiled entry may be used again."),
     "capture"},
    {QT_TRANSLATE_NOOP("Glossary", "Joint graph"),
     QT_TRANSLATE_NOOP("Glossary", "Forward and backward in one graph, before they are cut apart."),
     "graph"},
    {QT_TRANSLATE_NOOP("Glossary", "Kernel"),
     QT_TRANSLATE_NOOP("Glossary",
                       "What is launched at once: loops that were fused, or a call of a library."),
     "kernels"},
    {QT_TRANSLATE_NOOP("Glossary", "Loop IR"),
     QT_TRANSLATE_NOOP(
         "Glossary",
         "Each buffer as a loop nest over its elements, before kernels are made of them."),
     "kernels"},
    {QT_TRANSLATE_NOOP("Glossary", "Minimum cut"),
     QT_TRANSLATE_NOOP("Glossary", "The cheapest set of values that separates what is known in the "
                                   "forward from what the backward computes. These are saved."),
     "partition"},
    {QT_TRANSLATE_NOOP("Glossary", "Operation"),
     QT_TRANSLATE_NOOP("Glossary", "One step on tensors, with its ATen name: aten.add.Tensor."),
     "graph"},
    {QT_TRANSLATE_NOOP("Glossary", "Pass"),
     QT_TRANSLATE_NOOP("Glossary", "A rewrite of a graph that keeps what it computes."), "passes"},
    {QT_TRANSLATE_NOOP("Glossary", "Partition"),
     QT_TRANSLATE_NOOP("Glossary", "Cutting the joint graph into forward and backward, and "
                                   "deciding what is saved between them."),
     "partition"},
    {QT_TRANSLATE_NOOP("Glossary", "Pointwise"),
     QT_TRANSLATE_NOOP("Glossary",
                       "Each element of the result needs the same element of the inputs only."),
     "graph"},
    {QT_TRANSLATE_NOOP("Glossary", "Primals and tangents"),
     QT_TRANSLATE_NOOP(
         "Glossary",
         "Inputs of the joint graph: those of the function, and the gradients of its results."),
     "graph"},
    {QT_TRANSLATE_NOOP("Glossary", "Recomputation"),
     QT_TRANSLATE_NOOP(
         "Glossary",
         "Computing a value again in the backward because that costs less than keeping it."),
     "partition"},
    {QT_TRANSLATE_NOOP("Glossary", "Record"),
     QT_TRANSLATE_NOOP("Glossary",
                       "Everything that a compilation did, in one file: what the window shows."),
     "compare"},
    {QT_TRANSLATE_NOOP("Glossary", "Reduction"),
     QT_TRANSLATE_NOOP("Glossary", "Many elements become one: a sum, a maximum."), "graph"},
    {QT_TRANSLATE_NOOP("Glossary", "Saved tensor"),
     QT_TRANSLATE_NOOP("Glossary",
                       "A value that the forward keeps in memory until the backward has run."),
     "partition"},
    {QT_TRANSLATE_NOOP("Glossary", "Schedule"),
     QT_TRANSLATE_NOOP("Glossary", "How a kernel's loops run: vectors, threads, tiles. Several are "
                                   "predicted, the fastest is taken."),
     "kernels"},
    {QT_TRANSLATE_NOOP("Glossary", "Stride"),
     QT_TRANSLATE_NOOP("Glossary", "How far apart in memory neighbours along a dimension lie."),
     "inspector"},
    {QT_TRANSLATE_NOOP("Glossary", "Traffic"),
     QT_TRANSLATE_NOOP("Glossary", "Bytes that kernels read and write. What fusion makes less."),
     "kernels"},
};

} // namespace

std::vector<GlossaryEntry> glossary() {
    std::vector<GlossaryEntry> all;
    for (const Term& row : kTerms)
        all.push_back({QCoreApplication::translate("Glossary", row.term),
                       QCoreApplication::translate("Glossary", row.meaning), row.pane});
    std::ranges::sort(all, [](const GlossaryEntry& a, const GlossaryEntry& b) {
        return a.term.localeAwareCompare(b.term) < 0;
    });
    return all;
}

} // namespace cutaway::views
