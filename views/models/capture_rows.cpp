// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/capture_rows.h"

#include "views/language/sentences.h"
#include "views/models/rows.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace cutaway::views::rows {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(CaptureRows)
};

QString str(const std::string& text) {
    return QString::fromStdString(text);
}

QString place(const base::Location& where) {
    return where.known() ? Words::tr("line %1").arg(where.line) : QString();
}

const record::Guard* guardOf(const record::Entry& entry, std::string_view kind) {
    const auto found = std::ranges::find(entry.guards, kind, &record::Guard::kind);
    return found == entry.guards.end() ? nullptr : &*found;
}

int operations(const record::Entry& entry, const char* stage = "captured") {
    const record::GraphStage* graph = entry.graph(stage);
    return graph ? static_cast<int>(
                       std::ranges::count(graph->nodes, "call", &record::GraphNode::kind))
                 : 0;
}

/// Told beside the guards, which the guards' list shows, too.
bool isNote(const record::Guard& guard) {
    return guard.kind == "RECOMPILES" || guard.kind == "CALLS";
}

class Tree {
public:
    Tree(const RecordView& view, size_t function)
        : view_(view), number_(function), function_(view.record().functions[function]) {}

    Row unit() {
        Row row;
        row.bold = true;
        int breaks = 0, nodes = 0;
        for (const record::Entry& entry : function_.entries) {
            breaks += static_cast<int>(entry.breaks.size());
            if (entry.backwardOf < 0) nodes += operations(entry);
        }
        const auto entries = std::ranges::count(function_.entries, -1, &record::Entry::backwardOf);
        row.cells =
            cells(str(function_.name), {},
                  Words::tr("%n graph(s)", nullptr, static_cast<int>(entries)) + ", " +
                      Words::tr("%n operation(s)", nullptr, nodes) +
                      (breaks ? ", " + Words::tr("%n graph break(s)", nullptr, breaks) : QString()),
                  function_.where);
        row.children = segment("");
        // Parts that no entry names any more: those whose entry has no graph.
        for (const record::Entry& entry : function_.entries)
            if (!shown_.contains(entry.segment)) row.children.push_back(part(entry.segment));
        return row;
    }

private:
    std::vector<Cell> cells(const QString& name, const QString& calls, const QString& what,
                            const base::Location& where, Tone tone = Tone::Normal) const {
        return {{name, {}, -1, tone, {}},
                {calls, {}, -1, Tone::Normal, {}},
                {what, {}, -1, tone, what},
                {place(where), {}, -1, Tone::Muted, {}}};
    }

    Row part(const std::string& name) {
        Row row;
        row.cells = cells(str(name), {}, Words::tr("goes on behind the graph break"), {});
        row.children = segment(name);
        return row;
    }

    /// The entries of a part of the function, and the parts that they break into.
    std::vector<Row> segment(const std::string& name) {
        shown_.insert(name);
        std::vector<Row> result;
        std::vector<std::string> next;
        for (size_t e = 0; e < function_.entries.size(); ++e) {
            const record::Entry& entry = function_.entries[e];
            if (entry.segment != name || entry.backwardOf >= 0) continue;
            result.push_back(entryRow(e));
            for (const record::Entry& other : function_.entries)
                if (!other.segment.empty() && !shown_.contains(other.segment) &&
                    entry.transformedCode.find(other.segment + "(") != std::string::npos) {
                    shown_.insert(other.segment);
                    next.push_back(other.segment);
                }
        }
        for (const std::string& each : next)
            result.push_back(part(each));
        return result;
    }

    Row entryRow(size_t e) {
        const record::Entry& entry = function_.entries[e];
        const auto guards =
            entry.guards.size() - static_cast<size_t>(std::ranges::count_if(entry.guards, isNote));
        const record::Guard* calls = guardOf(entry, "CALLS");
        Row row;
        row.detail = QString("%1 %2").arg(number_).arg(e);
        row.cells =
            cells(Words::tr("entry %1").arg(e + 1), calls ? str(calls->condition) : QString(),
                  Words::tr("%n operation(s)", nullptr, operations(entry)) + ", " +
                      Words::tr("%n guard(s)", nullptr, static_cast<int>(guards)),
                  {});
        if (const record::Guard* again = guardOf(entry, "RECOMPILES")) {
            Row why;
            why.detail = row.detail;
            why.cells =
                cells(Words::tr("made because"), {}, str(again->condition), {}, Tone::Muted);
            row.children.push_back(std::move(why));
        }
        for (const base::Diagnostic& found : entry.breaks) {
            Row broken;
            broken.detail = row.detail;
            broken.items = itemsAt(view_, found.where);
            broken.cells = cells(Words::tr("graph break"), {}, told(found.message), found.where,
                                 Tone::Warning);
            if (!found.hint.empty()) {
                Row hint;
                hint.detail = row.detail;
                hint.cells = cells(Words::tr("hint"), {}, told(found.hint), {}, Tone::Good);
                broken.children.push_back(std::move(hint));
            }
            row.children.push_back(std::move(broken));
        }
        for (size_t b = 0; b < function_.entries.size(); ++b) {
            if (function_.entries[b].backwardOf != static_cast<int>(e)) continue;
            Row backward;
            // Mostly it is shown with its forward, and nothing would stand in panes of its own.
            const bool own = !function_.entries[b].lowered.empty();
            backward.detail = own ? QString("%1 %2").arg(number_).arg(b) : row.detail;
            const QString many =
                Words::tr("%n operation(s)", nullptr,
                          operations(own ? function_.entries[b] : entry, "backward"));
            backward.cells = cells(Words::tr("backward"), {}, many, {});
            if (!own)
                backward.cells[static_cast<size_t>(UnitColumn::What)].tooltip =
                    Words::tr("%1, with its forward").arg(many);
            row.children.push_back(std::move(backward));
        }
        return row;
    }

    const RecordView& view_;
    size_t number_;
    const record::Function& function_;
    std::set<std::string> shown_; ///< parts that have their row
};

} // namespace

std::vector<Column> unitColumns() {
    return {{Words::tr("Compiled part"), false, false, {}},
            {Words::tr("Calls"), false, false,
             Words::tr("Numbers of the script's calls of the function that took the entry")},
            {Words::tr("What"), false, false, {}},
            {Words::tr("Where"), false, false, {}}};
}

bool tellsCalls(const record::Record& record) {
    const auto told = [](const record::Entry& entry) { return guardOf(entry, "CALLS") != nullptr; };
    return std::ranges::any_of(record.functions, [&](const record::Function& function) {
        return std::ranges::any_of(function.entries, told);
    });
}

std::vector<Row> units(const RecordView& view) {
    std::vector<Row> result;
    for (size_t f = 0; f < view.record().functions.size(); ++f)
        result.push_back(Tree(view, f).unit());
    return result;
}

} // namespace cutaway::views::rows
