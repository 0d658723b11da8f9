// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/cpu_tools.h"

#include "core/base/said.h"
#include "core/schedule/cpu_scatter.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace cutaway::schedule {

using namespace kernel;

namespace {

// A processor looks some hundreds of instructions ahead: of longer iterations it sees one at a
// time, so those that are to overlap must be interleaved in the text.
constexpr size_t kLookAhead = 128;
constexpr int kVectorRegisters = 8; ///< for values that wait, of the 16 of most machines
/// A kept row up to this size stays in the first or second cache, beside streamed outputs.
constexpr int64_t kCachedRowBytes = 256 << 10;
constexpr int64_t kMostLanes = 64;
constexpr int64_t kLine = 64, kWays = 16; ///< of the second cache: bytes; lines of one set

bool isPowerOf2(int64_t n) {
    return n > 0 && (n & (n - 1)) == 0;
}

/// Registers that one value of so many lanes takes.
int64_t registersOf(const RowFacts& facts, const DeviceModel& model, int64_t vector) {
    const int64_t bytes = vector * static_cast<int64_t>(facts.innerLoops().widest);
    return std::max<int64_t>(bytes / model.vectorBytes, 1);
}

bool beyondLookAhead(const RowFacts& facts) {
    return facts.innerLoops().steps > kLookAhead && facts.innerLoops().light;
}

/// Whether a row may wait in the output that it is stored to: the texts of rows x one loop of
/// constant extents know how.
bool keepsInOutputs(const RowFacts& facts, const Decisions& these) {
    return facts.constantSizes && !facts.scatters && these.get("loops", 1) == 1;
}

struct Memory {
    double us = 0;
    std::string words;
};

/// Time to move the kernel's bytes between its caches and the places where they fit.
Memory memoryOf(const RowFacts& facts, const DeviceModel& model, int64_t threads, bool stream) {
    const auto read = static_cast<double>(facts.kernel.bytesRead);
    const double written = bytesWritten(facts);
    const auto units = static_cast<double>(threads);
    const double far = std::min(model.bytesPerUs, units * model.unitBytesPerUs);
    const auto cache = static_cast<double>(model.cacheBytes) / 2;
    const double near = static_cast<double>(model.nearBytes) * units;
    auto rate = [&](double bytes) {
        return bytes > cache           ? far
               : read + written > near ? units * model.cacheBytesPerUs
                                       : units * model.nearBytesPerUs;
    };
    Memory memory;
    memory.us = read / rate(read);
    // A line that is written is read first, unless stores bypass the caches.
    memory.us += stream ? written / far : written * (written > cache ? 2 : 1) / rate(written);
    memory.words = base::said("{:.1f} us to move {:.0f} bytes {}", memory.us, read + written,
                              std::max(read, written) > cache ? base::said("of memory")
                              : read + written > near         ? base::said("in the last cache")
                                                              : base::said("in a core's cache"));
    return memory;
}

/// Time of one thread to do all instructions.
double computeUs(const RowFacts& facts, const DeviceModel& model, int64_t vector, bool nested,
                 int64_t tile) {
    const InnerLoops& loops = facts.innerLoops();
    const auto rows = static_cast<double>(facts.rows), inner = static_cast<double>(facts.inner);
    const int64_t part = nested ? facts.piece() : tile;
    const int64_t pieces = part > 0 ? std::max<int64_t>(facts.inner / part, 1) : 1;
    const int64_t turns = pieces * ((facts.inner / pieces + vector - 1) / vector);
    const double registers = std::max(
        1.0, static_cast<double>(vector) * static_cast<double>(loops.widest) / model.vectorBytes);
    // `words` counts 4-byte words; a register of the widest value holds fewer of them.
    const double wide = static_cast<double>(loops.widest) / 4;
    const double words = loops.words + (nested ? loops.pieceWords : 0);
    double instructions = static_cast<double>(turns) * words / wide * registers;
    if (beyondLookAhead(facts) && registers < 2) instructions *= 1.5;
    const double gathered = nested ? loops.pieceGathered : loops.gathered;
    instructions += inner * gathered * 2 + loops.rowOps + 20 * static_cast<double>(pieces);
    return rows * instructions / model.opsPerUs;
}

/// The number of elements for which the threads of \p these save as much as waking them takes.
int64_t threadsFrom(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    const int64_t threads = these.get("threads", 1);
    Decisions alone = these;
    alone.set("threads", 1);
    const double elements =
        std::max(1.0, static_cast<double>(facts.rows) * static_cast<double>(facts.inner));
    const double each = (predictCpu(facts, model, alone).us - model.launchUs) / elements;
    const double saved = each * (1 - 1 / static_cast<double>(threads));
    return saved > 0 ? static_cast<int64_t>(model.wake(threads) / saved) + 1 : 0;
}

/// One pass over the elements of rows, some of whose accesses lie along the rows; nothing is stored
/// or summed between.
bool turnsInTiles(const RowFacts& facts) {
    if (!facts.turned().any() || !facts.constantRow || facts.scans || facts.scatters) return false;
    if (facts.reducesRows || facts.reducesColumns || facts.reducesAll) return false;
    int passes = 0;
    for (const RowTree::Pass& pass : facts.form.passes) {
        passes += pass.inner;
        for (const RowTree::Statement& s : pass.statements)
            if (!pass.inner && s.op == RowOp::Store) return false;
    }
    return passes == 1;
}

/// Lines of turned accesses that the second cache keeps until the next row reads on in them: those
/// that lie a power of two apart share few of its places.
int64_t linesKept(const RowFacts& facts, const DeviceModel& model) {
    const int64_t sets = std::max<int64_t>(model.nearBytes / kLine / kWays, 1);
    const int64_t apart = facts.turned().apart;
    const int64_t used = apart % kLine == 0 ? sets / std::gcd(sets, apart / kLine) : sets;
    const auto accesses = facts.turned().loads.size() + facts.turned().stored.size();
    return used * kWays / static_cast<int64_t>(std::max<size_t>(accesses, 1));
}

/// The longest part of a row whose lines are kept; 0: there is none, or rows need no parts.
int64_t tileOf(const RowFacts& facts, const DeviceModel& model) {
    constexpr int64_t kShortest = 16, kLongest = 64;
    if (!turnsInTiles(facts) || facts.inner <= linesKept(facts, model)) return 0;
    for (int64_t tile = std::min(kLongest, linesKept(facts, model)); tile >= kShortest; --tile)
        if (facts.inner % tile == 0 && tile < facts.inner) return tile;
    return 0;
}

/// Turned accesses whose lines are not kept get one for every element.
double linesUs(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    if (!facts.turned().any() || these.get("tile", facts.inner) <= linesKept(facts, model))
        return 0;
    const auto accesses =
        static_cast<double>(facts.turned().loads.size() + facts.turned().stored.size());
    const double threads = static_cast<double>(these.get("threads", 1));
    return accesses * static_cast<double>(facts.rows) * static_cast<double>(facts.inner) * kLine /
           std::min(model.bytesPerUs, threads * model.unitBytesPerUs);
}

/// Whether any store may bypass the caches: not one that adds.
bool assigns(const RowFacts& facts) {
    for (const auto* passes : {&facts.form.passes, &facts.form.finish})
        for (const RowTree::Pass& pass : *passes)
            for (const RowTree::Statement& s : pass.statements)
                if (s.op == RowOp::Store && !s.accumulates()) return true;
    return false;
}

/// What threads can share: elements, rows, or the target of sums at computed places.
int64_t sharesOf(const RowFacts& facts) {
    if (facts.form.isOneLongLoop()) return facts.inner;
    return facts.scatters ? std::max(facts.rows, facts.inner) : facts.rows;
}

} // namespace

std::vector<int64_t> lanesOf(const RowFacts& facts, const DeviceModel& model) {
    int64_t width =
        std::max<int64_t>(1, model.vectorBytes / static_cast<int64_t>(facts.innerLoops().widest));
    // A row whose length is a symbol may be longer in another call.
    const bool known = !facts.form.inner || facts.form.inner->extent.isConst();
    while (known && width > 1 && width > facts.inner)
        width /= 2;
    std::vector<int64_t> all = {width};
    if (width > 1) all.push_back(width / 2);
    if (!beyondLookAhead(facts)) return all;
    for (int64_t each = 2; each <= 4; each *= 2)
        if (each * facts.innerLoops().peakLive <= kVectorRegisters && each * width <= facts.inner &&
            each * width <= kMostLanes)
            all.push_back(each * width);
    return all;
}

std::vector<std::string_view> cpuDecisions() {
    return {"vector", "accumulators", "loops",          "tile",    "threads", "threads-from",
            "stream", "prefetch",     "keep-in-output", "atomics", "copies",  "sorted"};
}

/// What threads may do where they meet, beside owners, which have no name: they are what \p all
/// proposes already.
static void addWaysToMeet(const RowFacts& facts, int64_t lanes, std::vector<Decisions>& all) {
    const std::vector<Decisions> byOwners = all;
    for (const Decisions& these : byOwners)
        if (these.get("threads", 1) > 1 && these.get("vector") == lanes &&
            these.get("stream") == 0 && these.get("loops", 1) == 1)
            for (std::string_view way : waysToMeet()) {
                Decisions& one = all.emplace_back(these);
                one.set(way, 1);
                if (way == "sorted" && facts.form.isOneLongLoop()) one.set("vector", 1);
            }
}

std::vector<Decisions> proposeCpu(const RowFacts& facts, const DeviceModel& model) {
    const int64_t shares = sharesOf(facts);
    const auto cache = static_cast<double>(model.cacheBytes) / 2;
    const double written = bytesWritten(facts);
    const int64_t kept = facts.innerLoops().keptRowBytes;
    std::vector<Decisions> all;
    auto shared = [&](const Decisions& loops) {
        for (int64_t threads : {int64_t{1}, int64_t{model.units}}) {
            if (threads > 1 && shares < 2) continue;
            // Whether waking threads pays is asked in every call where sizes are symbols.
            const bool asked = !facts.constantSizes && shares >= 2 && model.units > 1;
            if (threads == 1 && asked) continue;
            // Streams are a choice where outputs may not fit the caches.
            for (int64_t stream : {0, 1}) {
                if (stream == 1 && (written < cache / 4 || !assigns(facts))) continue;
                Decisions one = loops;
                one.set("threads", threads);
                if (asked) one.set("threads-from", threadsFrom(facts, model, one));
                if (stream == 1) one.set("stream", 1);
                if (kept > 0 && keepsInOutputs(facts, one))
                    one.set("keep-in-output", stream == 0 || kept > kCachedRowBytes);
                all.push_back(one);
                if (stream == 0 || !facts.form.isOneLongLoop()) continue;
                one.set("prefetch", 1);
                all.push_back(std::move(one));
            }
            if (model.units == 1) break;
        }
    };
    const std::vector<int64_t> lanes = lanesOf(facts, model);
    auto inOneLoop = [&](int64_t vector) {
        Decisions these{{"vector", vector}};
        if (facts.innerLoops().reduces) these.set("accumulators", 4);
        return these;
    };
    auto inSeveralLoops = [&](int64_t vector) {
        Decisions these = inOneLoop(vector);
        these.set("loops", facts.passLoops());
        return these;
    };
    const int64_t piece = facts.piece();
    for (int64_t vector : lanes) {
        shared(inOneLoop(vector));
        if (piece >= std::max<int64_t>(vector, 2)) shared(inSeveralLoops(vector));
    }
    // An innermost loop that is shorter than all of those fills narrower ones.
    if (piece > 1 && piece < lanes.back())
        shared(inSeveralLoops(static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(piece)))));
    if (meetingStatement(facts)) addWaysToMeet(facts, lanes.front(), all);
    if (const int64_t tile = tileOf(facts, model); tile > 0)
        for (int64_t vector : lanes)
            shared({{"vector", vector}, {"tile", tile}});
    return all;
}

std::string checkCpu(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    const int64_t vector = these.get("vector", 1), threads = these.get("threads", 1);
    const int64_t accumulators = these.get("accumulators", 4);
    if (!isPowerOf2(vector) || vector > kMostLanes)
        return base::said("vectors of {} lanes: a power of two, up to {}", vector, kMostLanes);
    if (vector > 1 && !facts.form.inner) return base::said("there is no inner loop for vectors");
    // Wider values than registers keep several waiting each; narrow ones can always be spilled.
    const int64_t each = registersOf(facts, model, vector);
    if (each > 1 && each * facts.innerLoops().peakLive > 4 * kVectorRegisters)
        return base::said("values of {} lanes take {} registers each, and {} are alive at once",
                          vector, each, facts.innerLoops().peakLive);
    if (!isPowerOf2(accumulators) || accumulators > 16)
        return base::said("{} accumulators: a power of two, up to 16", accumulators);
    if (const int64_t loops = these.get("loops", 1); loops != 1 && loops != facts.passLoops())
        return facts.passLoops() > 1
                   ? base::said("a row is one loop or {}, not {}", facts.passLoops(), loops)
                   : std::string(base::said("accesses walk a row as one loop"));
    if (const int64_t tile = these.get("tile"); tile != 0) {
        if (!turnsInTiles(facts))
            return base::said("no accesses lie along the rows: tiles turn nothing");
        if (tile < vector || tile >= facts.inner || facts.inner % tile != 0)
            return base::said("rows of {} elements are not cut into tiles of {}", facts.inner,
                              tile);
    }
    if (these.has("keep-in-output") && !keepsInOutputs(facts, these))
        return base::said("only rows of constant extents, in one piece, wait in outputs");
    if (these.get("prefetch") != 0 && these.get("stream") == 0)
        return base::said("loads ask for what comes next beside streamed stores only");
    if (threads < 1) return base::said("{} threads", threads);
    if (these.get("threads-from") < 0)
        return base::said("threads from a negative number of elements on");
    if (threads > 1 && sharesOf(facts) < 2) return base::said("threads have one row to share");
    return checkMeeting(facts, model, these);
}

Prediction predictCpu(const RowFacts& facts, const DeviceModel& model, const Decisions& these) {
    const InnerLoops& loops = facts.innerLoops();
    const int64_t vector = these.get("vector", 1), threads = these.get("threads", 1);
    const bool stream = these.get("stream") != 0;
    Prediction prediction;
    const bool nested = these.get("loops", 1) > 1;
    const int64_t tile = these.get("tile");
    const double one = computeUs(facts, model, vector, nested, tile);
    auto& reasons = prediction.reasons;
    const double compute = meetingStatement(facts) ? meetingUs(facts, model, these, one, reasons)
                                                   : one / static_cast<double>(threads);
    const Memory memory = memoryOf(facts, model, threads, stream);
    reasons.push_back(base::said("vectors of {} lanes: {} bytes of registers, values of {} bytes, "
                                 "{} elements a row: {:.1f} us to compute",
                                 vector, model.vectorBytes, loops.widest, facts.inner, compute));
    if (const int64_t registers = registersOf(facts, model, vector); registers > 1)
        reasons.push_back(base::said("{} registers a value: of {} steps in a row each is done for "
                                     "{} vectors before the next",
                                     registers, loops.steps, registers));
    if (nested)
        reasons.push_back(
            base::said("a row is {} loops, {} elements in the innermost: {:.0f} values that one "
                       "loop gathers lie side by side",
                       facts.passLoops(), facts.piece(), loops.gathered - loops.pieceGathered));
    reasons.push_back(memory.words);
    // They overlap, but not wholly. Beside streamed stores a processor does not fetch what comes next
    // by itself: a loop that computes as long as it moves bytes has to ask, another has its asking in
    // its way. (64 MiB on one core, in ms, stored, streamed, and asking, too: cos(cos(x)) 22, 64, 21;
    // three inputs and a sum 5, 2.5, 5.)
    const bool prefetch = these.get("prefetch") != 0, computes = compute >= memory.us;
    const bool waits = stream && facts.form.isOneLongLoop() && computes && !prefetch;
    double us = std::max(compute, memory.us) + (waits ? 1 : 0.25) * std::min(compute, memory.us);
    if (prefetch && !computes) us += memory.us - compute;
    if (const double lines = linesUs(facts, model, these); lines > 0) {
        us += lines;
        reasons.push_back(base::said("{:.1f} us for a line of {} bytes for every element that lies "
                                     "along {}: {} of them are kept",
                                     lines, kLine,
                                     facts.form.rows[facts.turned().row].variable.str(),
                                     linesKept(facts, model)));
    }
    if (tile > 0)
        reasons.push_back(base::said("tiles of {} elements: their lines are kept until the next "
                                     "rows read on in them",
                                     tile));
    if (threads > 1) {
        const double wake = model.wake(threads);
        reasons.push_back(base::said("{} threads: {:.1f} us to wake them", threads, wake));
        if (const int64_t from = these.get("threads-from"); from > 0)
            reasons.push_back(base::said("in calls of less than {} elements, one thread", from));
        us += wake;
    } else {
        reasons.push_back(base::said("one thread: nobody to wake"));
    }
    if (stream)
        reasons.push_back(base::said("stores bypass the caches: {} bytes written, they hold {}",
                                     facts.kernel.bytesWritten, model.cacheBytes));
    if (waits) reasons.push_back(base::said("beside such stores, loads wait for the computation"));
    if (prefetch) reasons.push_back(base::said("loads ask for what lies 2 KiB further on"));
    prediction.us = model.launchUs + us;
    return prediction;
}

CpuPlan cpuPlan(const Candidate& candidate) {
    const Decisions& decisions = candidate.decisions;
    CpuPlan plan;
    plan.parts = candidate.by == kCpuParts;
    plan.chunked = candidate.by == kElements || plan.parts;
    plan.vector = static_cast<int>(decisions.get("vector", 1));
    plan.accumulators = static_cast<int>(decisions.get("accumulators", 4));
    plan.loops = decisions.get("loops", 1);
    plan.tile = decisions.get("tile");
    plan.threads = static_cast<int>(decisions.get("threads", 1));
    plan.threadsFrom = decisions.get("threads-from");
    plan.stream = decisions.get("stream") != 0;
    plan.prefetch = decisions.get("prefetch") != 0;
    plan.keepInOutput = decisions.get("keep-in-output", 1) != 0;
    plan.sums = plan.threads < 2                ? kernel::Conflict::None
                : decisions.get("atomics") != 0 ? kernel::Conflict::Atomic
                : decisions.get("copies") != 0  ? kernel::Conflict::Copies
                : decisions.get("sorted") != 0  ? kernel::Conflict::Sorted
                                                : kernel::Conflict::Owner;
    return plan;
}

} // namespace cutaway::schedule
