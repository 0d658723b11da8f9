// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What follows what, and how long each takes: the kernels of a measured call, the stages of a
/// compilation with their passes.
#pragma once

#include "views/models/record_view.h"

#include <QStringList>
#include <cstdint>
#include <vector>

namespace cutaway::views {

struct Span {
    enum class Kind : uint8_t { Kernel, Rest, Stage, Pass, Lines, Slice };
    QString name;
    int lane = 0;
    double begin = 0, us = 0;
    ItemId item = kNoItem; ///< of a kernel, or of the first line
    Kind kind = Kind::Kernel;
    bool disturbed = false; ///< others had the processors: the time is not its own
    uint8_t hue = 0;        ///< of a slice: its colour, the same for one name
};

struct Timeline {
    QStringList lanes;
    std::vector<Span> spans; ///< by their begins in each lane
    double us = 0;           ///< of all
    QString note;            ///< what the picture does not tell
    QString disturbed{};     ///< why times are not the program's own, for people; empty: they are
};

enum class CallLanes : uint8_t { Graphs, GraphsAndThreads };
/// The kernels of one call in their order, each as long as it took when it was timed by itself, and
/// what the call takes beside them; below, a lane for each thread of a CPU where there are several
/// and for the stream of each GPU, where \p lanes wants them.
Timeline callTimeline(const record::Run& run, const record::Entry& entry,
                      CallLanes lanes = CallLanes::GraphsAndThreads);
/// Whom the time of a call belongs to: the call, its graphs, the lines of the script that the kernels
/// came from, the kernels, the threads; each span lies above what it holds. Neighbours of the same
/// lines are one.
Timeline flameGraph(const record::Run& run, const RecordView& view, const record::Entry& entry);
/// The stages in their order, the passes within theirs.
Timeline compileTimeline(const record::Entry& entry);

/// The item of a kernel by its name; kNoItem: there is none.
ItemId kernelItem(const record::Entry& entry, const std::string& graph, const std::string& kernel);

} // namespace cutaway::views
