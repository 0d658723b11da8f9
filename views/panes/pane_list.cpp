// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/pane_list.h"

#include "views/panes/capture/capture_pane.h"
#include "views/panes/code/code_pane.h"
#include "views/panes/compare/compare_pane.h"
#include "views/panes/graph/graph_pane.h"
#include "views/panes/inspector/inspector_pane.h"
#include "views/panes/kernels/kernels_pane.h"
#include "views/panes/memory/memory_pane.h"
#include "views/panes/messages/messages_pane.h"
#include "views/panes/numbers/numbers_pane.h"
#include "views/panes/output/output_pane.h"
#include "views/panes/partition/partition_pane.h"
#include "views/panes/passes/passes_pane.h"
#include "views/panes/run/run_pane.h"
#include "views/panes/source/source_pane.h"
#include "views/panes/steps/steps_pane.h"
#include "views/panes/times/times_pane.h"
#include "views/panes/tour/tour_pane.h"
#include "views/panes/whatif/whatif_pane.h"

#include <QCoreApplication>

namespace cutaway::views {

template <typename T> static Pane* make(PaneContext context, QWidget* parent) {
    return new T(context, parent);
}

std::span<const PaneRow> paneList() {
    static const PaneRow rows[] = {
        {"source", QT_TRANSLATE_NOOP("Panes", "Source"),
         QT_TRANSLATE_NOOP("Panes", "The script. Editing it compiles it again."), "Alt+1",
         PanePlace::Left, make<SourcePane>},
        {"inspector", QT_TRANSLATE_NOOP("Panes", "Inspector"),
         QT_TRANSLATE_NOOP("Panes", "Everything that is known of what is selected."), "Alt+I",
         PanePlace::LeftBottom, make<InspectorPane>},
        {"messages", QT_TRANSLATE_NOOP("Panes", "Messages"),
         QT_TRANSLATE_NOOP("Panes", "Errors, warnings and notes with their places."), "Alt+2",
         PanePlace::LeftBottom, make<MessagesPane>},
        {"capture", QT_TRANSLATE_NOOP("Panes", "Capture"),
         QT_TRANSLATE_NOOP("Panes", "Guards, graph breaks and the transformed code."), "Alt+3",
         PanePlace::LeftBottom, make<CapturePane>},
        {"tour", QT_TRANSLATE_NOOP("Panes", "Tours"),
         QT_TRANSLATE_NOOP("Panes", "Steps that lead through the window, with things to try."),
         "Alt+T", PanePlace::LeftBottom, make<TourPane>},
        {"graph", QT_TRANSLATE_NOOP("Panes", "Graph"),
         QT_TRANSLATE_NOOP("Panes", "Any stage of the graph, drawn."), "Alt+4", PanePlace::Center,
         make<GraphPane>},
        {"partition", QT_TRANSLATE_NOOP("Panes", "Partition"),
         QT_TRANSLATE_NOOP("Panes", "The joint graph with the cut, and what crosses it."), "Alt+5",
         PanePlace::Center, make<PartitionPane>},
        {"passes", QT_TRANSLATE_NOOP("Panes", "Passes"),
         QT_TRANSLATE_NOOP("Panes", "Every pass in order, with what it changed."), "Alt+6",
         PanePlace::Center, make<PassesPane>},
        {"compare", QT_TRANSLATE_NOOP("Panes", "Compare"),
         QT_TRANSLATE_NOOP("Panes", "Any two stages or passes as text, and records side by side."),
         "Alt+C", PanePlace::Center, make<ComparePane>},
        {"code", QT_TRANSLATE_NOOP("Panes", "Code"),
         QT_TRANSLATE_NOOP("Panes", "The generated text of each kernel, down to the machine."),
         "Alt+7", PanePlace::Right, make<CodePane>},
        {"kernels", QT_TRANSLATE_NOOP("Panes", "Kernels"),
         QT_TRANSLATE_NOOP("Panes", "Kernels, their buffers and loops, and why they were fused."),
         "Alt+8", PanePlace::RightBottom, make<KernelsPane>},
        {"run", QT_TRANSLATE_NOOP("Panes", "Run"),
         QT_TRANSLATE_NOOP("Panes", "Eager against compiled: time, memory and error."), "Alt+9",
         PanePlace::RightBottom, make<RunPane>},
        {"whatif", QT_TRANSLATE_NOOP("Panes", "What if"),
         QT_TRANSLATE_NOOP("Panes",
                           "What was decided instead of the compiler, and what it changed."),
         "Alt+W", PanePlace::RightBottom, make<WhatIfPane>},
        {"memory", QT_TRANSLATE_NOOP("Panes", "Memory"),
         QT_TRANSLATE_NOOP("Panes", "Where intermediate buffers lie, and for how long."), "Alt+0",
         PanePlace::RightBottom, make<MemoryPane>},
        {"steps", QT_TRANSLATE_NOOP("Panes", "Steps"),
         QT_TRANSLATE_NOOP("Panes", "A kernel, the cut and the arena, moment by moment."), "Alt+S",
         PanePlace::Center, make<StepsPane>},
        {"times", QT_TRANSLATE_NOOP("Panes", "Times"),
         QT_TRANSLATE_NOOP("Panes",
                           "What follows what in a call and in the compilation, and how near "
                           "the kernels come to what the machine can do."),
         "Alt+M", PanePlace::RightBottom, make<TimesPane>},
        {"numbers", QT_TRANSLATE_NOOP("Panes", "Numbers"),
         QT_TRANSLATE_NOOP("Panes",
                           "Every value beside eager mode and double precision, and which is the "
                           "first that parts from them."),
         "Alt+N", PanePlace::RightBottom, make<NumbersPane>},
        {"output", QT_TRANSLATE_NOOP("Panes", "Output"),
         QT_TRANSLATE_NOOP("Panes", "What the script prints."), "Alt+O", PanePlace::RightBottom,
         make<OutputPane>},
    };
    return rows;
}

} // namespace cutaway::views
