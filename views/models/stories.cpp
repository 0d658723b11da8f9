// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/stories.h"

#include "views/models/format.h"
#include "views/models/memory_peak.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Stories)
};

using nlohmann::json;
constexpr size_t kNamed = 6;

QString str(const json& text) {
    return QString::fromStdString(text.get<std::string>());
}
QStringList strings(const json& list) {
    QStringList all;
    for (const json& one : list)
        all << str(one);
    return all;
}

/// "a, b, c and 4 more"
QString few(const QStringList& names, const QString& between) {
    QString text = names.mid(0, kNamed).join(between);
    const int more = static_cast<int>(names.size() - kNamed);
    return names.size() > static_cast<qsizetype>(kNamed)
               ? Words::tr("%1 and %n more", nullptr, more).arg(text)
               : text;
}

KernelStory::Touching touchingOf(const std::string& kind) {
    return kind == "read"    ? KernelStory::Touching::Read
           : kind == "write" ? KernelStory::Touching::Write
                             : KernelStory::Touching::Accumulate;
}

/// Which words stand for a worker, and how many of each kind there really are.
void readWorkers(const json& reply, KernelStory& story) {
    int blocks = 0, threads = 0;
    for (const json& one : reply.value("workers", json::array())) {
        const int block = one.at("block").get<int>(), thread = one.at("thread").get<int>();
        blocks = std::max(blocks, block + 1), threads = std::max(threads, thread + 1);
        story.workers << (block < 0    ? Words::tr("thread %1").arg(thread)
                          : thread < 0 ? Words::tr("block %1").arg(block)
                                       : Words::tr("block %1, thread %2").arg(block).arg(thread));
    }
    story.schedule = str(reply.value("schedule", json(std::string())));
    const auto count = [&](const char* name) { return reply.value(name, qint64{0}); };
    if (count("blocks") > blocks && blocks > 0)
        story.smaller = Words::tr("Drawn: %1 of %2 blocks, with %3 of %4 threads each.")
                            .arg(blocks)
                            .arg(format::count(count("blocks")))
                            .arg(std::max(threads, 1))
                            .arg(std::max<qint64>(count("block"), 1));
    else if (count("block") > threads && threads > 0)
        story.smaller =
            Words::tr("Drawn: %1 of %2 threads of a block.").arg(threads).arg(count("block"));
    else if (count("threads") > threads && threads > 0)
        story.smaller = Words::tr("Drawn: %1 of %2 threads.").arg(threads).arg(count("threads"));
}

} // namespace

std::optional<KernelStory> kernelStoryOf(const json& reply) {
    try {
        KernelStory story;
        story.lines = strings(reply.at("lines"));
        readWorkers(reply, story);
        for (const json& loop : reply.at("left"))
            story.left << Words::tr("%1: %2 of %3")
                              .arg(str(loop.at("loop")))
                              .arg(loop.at("shown").get<int64_t>())
                              .arg(loop.at("extent").get<int64_t>());
        for (const json& one : reply.at("buffers"))
            story.buffers.push_back({str(one.at("name")), str(one.at("type")),
                                     one.at("sizes").get<std::vector<int64_t>>()});
        for (const json& one : reply.at("moments")) {
            KernelStory::Moment moment{one.at("line").get<int>(), str(one.at("at")), {}};
            if (moment.line < 0 || moment.line >= story.lines.size()) return std::nullopt;
            for (const json& touch : one.at("touches")) {
                moment.touches.push_back({touchingOf(touch.at("kind").get<std::string>()),
                                          touch.at("buffer").get<size_t>(),
                                          touch.at("coords").get<std::vector<int64_t>>(),
                                          touch.value("worker", -1)});
                const KernelStory::Touch& last = moment.touches.back();
                if (last.worker >= story.workers.size() || last.buffer >= story.buffers.size() ||
                    last.coords.size() != story.buffers[last.buffer].sizes.size())
                    return std::nullopt;
            }
            story.moments.push_back(std::move(moment));
        }
        return story;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

KernelStory::CacheLines::CacheLines(const Buffer& buffer) : strides_(buffer.sizes.size(), 1) {
    static const QRegularExpression form("^[a-z]+(\\d*)[^\\]]*\\](?:\\[([\\d, ]*)\\])?");
    const auto told = form.match(buffer.type);
    bytes_ = told.captured(1).toInt() / 8;
    for (size_t d = buffer.sizes.size(); d-- > 1;)
        strides_[d - 1] = strides_[d] * buffer.sizes[d];
    if (told.captured(2).isEmpty()) return;
    const QStringList numbers = told.captured(2).split(", ");
    for (size_t d = 0; d < strides_.size(); ++d)
        strides_[d] = numbers.value(static_cast<qsizetype>(d)).toLongLong();
}

int64_t KernelStory::CacheLines::of(const std::vector<int64_t>& coords) const {
    int64_t element = 0;
    for (size_t d = 0; d < std::min(coords.size(), strides_.size()); ++d) {
        if (coords[d] < 0) return -1;
        element += coords[d] * strides_[d];
    }
    return bytes_ > 0 ? element * bytes_ / kCacheLine : -1;
}

std::vector<size_t> KernelStory::cacheLines(size_t buffer) const {
    const CacheLines lines(buffers[buffer]);
    std::set<int64_t> touched;
    std::vector<size_t> counts;
    for (const Moment& moment : moments) {
        for (const Touch& touch : moment.touches)
            if (const int64_t line = touch.buffer == buffer ? lines.of(touch.coords) : -1;
                line >= 0)
                touched.insert(line);
        counts.push_back(touched.size());
    }
    return counts;
}

std::optional<CutTale> cutTaleOf(const json& reply) {
    try {
        CutTale tale;
        for (const json& one : reply.at("steps"))
            tale.steps.push_back({strings(one.at("path")), str(one.at("narrow")),
                                  one.at("flow").get<int64_t>(), one.at("total").get<int64_t>()});
        for (const json& one : reply.at("rounds"))
            tale.rounds.push_back(strings(one));
        tale.saved = strings(reply.at("saved"));
        tale.value = reply.at("value").get<int64_t>();
        return tale;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

QStringList CutTale::lit(size_t moment) const {
    if (moment < steps.size()) return steps[moment].path;
    QStringList reached;
    if (moment + 1 >= moments()) return saved;
    for (size_t k = 0; k <= moment - steps.size(); ++k)
        reached << rounds[k];
    return reached;
}

QStringList CutTale::usedUp(size_t moment) const {
    QStringList names;
    for (size_t k = 0; k < std::min(moment + 1, steps.size()); ++k)
        names << steps[k].narrow;
    return names;
}

/// Whether \p next follows \p last along its only coordinate that differs, which is \p along.
static bool follows(const KernelStory::Touch& next, const KernelStory::Touch& last, size_t& along) {
    if (next.buffer != last.buffer || next.coords.size() != last.coords.size()) return false;
    size_t differing = 0;
    for (size_t d = 0; d < next.coords.size(); ++d)
        if (next.coords[d] != last.coords[d]) {
            along = d;
            ++differing;
        }
    return differing == 1 && last.coords[along] >= 0 &&
           next.coords[along] == last.coords[along] + 1;
}

/// What is touched in one way: "x[0, 3]", and what vectors touch beside each other "x[0, 0…15]".
static QStringList elementsOf(const KernelStory& story, const KernelStory::Moment& now,
                              KernelStory::Touching kind) {
    std::vector<std::pair<KernelStory::Touch, KernelStory::Touch>> runs; // first and last
    std::vector<size_t> along;
    for (const KernelStory::Touch& touch : now.touches) {
        if (touch.kind != kind) continue;
        size_t axis = 0;
        bool known = false;
        for (size_t k = 0; k < runs.size() && !known; ++k) {
            const bool isLong = runs[k].first.coords != runs[k].second.coords;
            if (!follows(touch, runs[k].second, axis) || (isLong && axis != along[k])) continue;
            runs[k].second = touch;
            along[k] = axis;
            known = true;
        }
        if (known) continue;
        runs.emplace_back(touch, touch);
        along.push_back(0);
    }
    QStringList all;
    for (size_t k = 0; k < runs.size(); ++k) {
        const auto& [first, last] = runs[k];
        QStringList coords;
        for (size_t d = 0; d < first.coords.size(); ++d) {
            const QString from =
                first.coords[d] < 0 ? QStringLiteral("?") : QString::number(first.coords[d]);
            coords << (first.coords[d] == last.coords[d]
                           ? from
                           : QString("%1…%2").arg(from).arg(last.coords[d]));
        }
        all << QString("%1[%2]").arg(story.buffers[first.buffer].name, coords.join(", "));
    }
    return all;
}

/// How many carry out what happens then.
static size_t workersOf(const KernelStory::Moment& now) {
    std::set<int> all;
    for (const KernelStory::Touch& touch : now.touches)
        all.insert(touch.worker);
    return all.size();
}

QString captionOf(const KernelStory& story, size_t moment) {
    const KernelStory::Moment& now = story.moments[moment];
    const auto elements = [&](KernelStory::Touching kind) { return elementsOf(story, now, kind); };
    QStringList all;
    if (const QStringList reads = elements(KernelStory::Touching::Read); !reads.isEmpty())
        all << Words::tr("reads %1").arg(few(reads, ", "));
    if (const QStringList writes = elements(KernelStory::Touching::Write); !writes.isEmpty())
        all << Words::tr("writes %1").arg(few(writes, ", "));
    if (const QStringList sums = elements(KernelStory::Touching::Accumulate); !sums.isEmpty())
        all << Words::tr("adds up in %1").arg(few(sums, ", "));
    if (all.isEmpty()) all << Words::tr("touches no memory: the value stays in a register");
    QString text = now.at.isEmpty() ? Words::tr("Once: %1.").arg(all.join("; "))
                                    : Words::tr("%1: %2.").arg(now.at, all.join("; "));
    if (workersOf(now) > 1)
        text = Words::tr("%n thread(s) at once.", nullptr, static_cast<int>(workersOf(now))) + " " +
               text;
    if (!story.smaller.isEmpty()) text += " " + story.smaller;
    if (!story.left.isEmpty())
        text += " " + Words::tr("Iterations shown of each loop: %1.").arg(story.left.join(", "));
    return text;
}

QString captionOf(const CutTale& tale, size_t moment) {
    if (moment < tale.steps.size()) {
        const CutTale::Step& step = tale.steps[moment];
        const QString path = few(step.path, " → ");
        return Words::tr("Path %1 of %2: %3. It pays %4, and the price of “%5” is used up. "
                         "Paid until now: %6.")
            .arg(moment + 1)
            .arg(tale.steps.size())
            .arg(path, format::count(step.flow), step.narrow, format::count(step.total));
    }
    if (moment + 1 < tale.moments()) {
        const QStringList& now = tale.rounds[moment - tale.steps.size()];
        return Words::tr("No path is left. The backward's side grows against what has room left, "
                         "by %1: %n value(s) until now.",
                         nullptr, static_cast<int>(tale.lit(moment).size()))
            .arg(few(now, ", "));
    }
    if (tale.saved.isEmpty()) return Words::tr("The cut: nothing need be saved.");
    return Words::tr("The cut: %1 saved, for a price of %2. No cut costs less, because the paths "
                     "have paid just as much.")
        .arg(few(tale.saved, ", "), format::count(tale.value));
}

QString arenaCaption(const record::LoweredGraph& lowered, int kernel) {
    const MemoryPeak now = memoryAt(lowered, kernel);
    const QString name = QString::fromStdString(lowered.kernels[static_cast<size_t>(kernel)].name);
    QString text =
        now.items.empty()
            ? Words::tr("Kernel %1 of %2, %3: nothing of the arena is in use.")
                  .arg(kernel + 1)
                  .arg(lowered.kernels.size())
                  .arg(name)
            : Words::tr("Kernel %1 of %2, %3: %4 of %5 in use.")
                  .arg(kernel + 1)
                  .arg(lowered.kernels.size())
                  .arg(name, format::bytes(now.inUse), format::bytes(lowered.memory.arenaBytes));
    QStringList come, go;
    for (const record::MemoryItem* item : now.items) {
        if (item->firstKernel == kernel) come << QString::fromStdString(item->buffer);
        if (item->lastKernel == kernel) go << QString::fromStdString(item->buffer);
    }
    if (!come.isEmpty()) text += " " + Words::tr("Comes: %1.").arg(few(come, ", "));
    if (!go.isEmpty()) text += " " + Words::tr("Goes afterwards: %1.").arg(few(go, ", "));
    if (kernel == memoryPeak(lowered).kernel) text += " " + Words::tr("This is the peak.");
    return text;
}

} // namespace cutaway::views
