// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What the Steps pane plays, moment by moment, with a caption for each: a kernel over the first
/// iterations of its loops, the minimum cut path by path (both told by the engine), and the arena
/// kernel by kernel (told by the record).
#pragma once

#include "core/record/record.h"

#include <QStringList>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

namespace cutaway::views {

struct KernelStory {
    enum class Touching { Read, Write, Accumulate };
    struct Buffer {
        QString name, type;
        std::vector<int64_t> sizes;
    };
    struct Touch {
        Touching kind = Touching::Read;
        size_t buffer = 0;
        std::vector<int64_t> coords; ///< -1: only values could tell
        int worker = -1;             ///< index in workers; -1: there is one
    };
    struct Moment {
        int line = 0; ///< in lines
        QString at;   ///< "o0 = 2, i = 5"
        std::vector<Touch> touches;
    };
    QStringList lines, left; ///< left: "o0: 4 of 128"
    QStringList workers;     ///< who shares the loops: "thread 0", "block 1, thread 2"
    QString schedule;        ///< that the loops are run by; empty: they alone
    QString smaller;         ///< what is drawn smaller than it is; empty: nothing
    std::vector<Buffer> buffers;
    std::vector<Moment> moments;

    static constexpr int kCacheLine = 64; ///< bytes, of every processor that kernels are run on
    /// Which cache line of a buffer its elements lie in.
    class CacheLines {
    public:
        explicit CacheLines(const Buffer& buffer);
        /// Counted from the buffer's begin; -1: the place of the element, or its width, is not known.
        int64_t of(const std::vector<int64_t>& coords) const;

    private:
        std::vector<int64_t> strides_;
        int64_t bytes_ = 0; ///< of an element
    };
    /// How many of a buffer's cache lines are touched up to each moment.
    std::vector<size_t> cacheLines(size_t buffer) const;
};

struct CutTale {
    struct Step {
        QStringList path;
        QString narrow;
        int64_t flow = 0, total = 0;
    };
    std::vector<Step> steps;
    std::vector<QStringList> rounds;
    QStringList saved;
    int64_t value = 0;

    /// Every path, every round, and the cut.
    size_t moments() const { return steps.size() + rounds.size() + 1; }
    /// Nodes that are told of then: on the path, or reached in that round or before; or the cut.
    QStringList lit(size_t moment) const;
    /// Values whose price is used up by then.
    QStringList usedUp(size_t moment) const;
};

/// Nothing when the engine's answer is no such story.
std::optional<KernelStory> kernelStoryOf(const nlohmann::json& reply);
std::optional<CutTale> cutTaleOf(const nlohmann::json& reply);

QString captionOf(const KernelStory& story, size_t moment);
QString captionOf(const CutTale& tale, size_t moment);
/// \param kernel index in \p lowered
QString arenaCaption(const record::LoweredGraph& lowered, int kernel);

} // namespace cutaway::views
