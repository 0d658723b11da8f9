// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that finds things in all panes, and goes from one of them to the next.
#include "views/main_window.h"

#include "views/models/node_query.h"
#include "views/models/record_search.h"
#include "views/panes/source/source_pane.h"
#include "views/widgets/command_palette.h"
#include "views/workspace.h"

#include <QPointer>
#include <atomic>

namespace cutaway::views {

void MainWindow::showItemPalette() {
    constexpr size_t kMostFound = 300;
    auto shown = std::make_shared<std::atomic<RecordPtr>>(session_.record());
    if (!session_.lacksTexts()) // they are there, or have come
        session_.withTexts([shown](const RecordPtr& whole, const QString&) { *shown = whole; });
    auto find = [this, shown, text = session_.text()](const QString& typed) {
        const RecordPtr record = *shown;
        std::vector<PaletteEntry> entries;
        QString problem;
        if (const auto line = lineAsked(typed, text))
            entries.push_back(
                {tr("Line %1: %2").arg(line->number).arg(line->text), tr("source"), true,
                 [this, at = line->number - 1] { workspace_->reveal<SourcePane>()->goTo(at, 0); }});
        auto all = std::make_shared<Found>(Found{typed, {}, 0});
        for (const FoundItem& one : searchRecord(*record, typed, kMostFound, &problem)) {
            const auto at = static_cast<int>(all->keys.size());
            all->keys << record->key(one.item);
            entries.push_back({one.text,
                               one.owner.isEmpty() ? one.where : one.where + " · " + one.owner,
                               true, [this, all, at] {
                                   found_ = *all;
                                   found_.at = at - 1;
                                   goToFound(1);
                               }});
        }
        if (!problem.isEmpty()) entries.insert(entries.begin(), {problem, {}, false, {}});
        return entries;
    };
    QPointer<CommandPalette> palette = new CommandPalette(
        tr("Find anything: words, op:mm, bytes>1k, in:kernels, /expression/"),
        NodeQuery::help() + "  in:joint  in:source  in:cpp  in:passes  in:reasons", std::move(find),
        this);
    if (!found_.typed.isEmpty()) palette->begin(found_.typed);
    palette->show();
    if (!session_.lacksTexts()) return;
    session_.withTexts([shown, palette](const RecordPtr& whole, const QString&) {
        if (!whole) return;
        *shown = whole;
        if (palette) palette->findAgain();
    });
}

/// \param by 1 to the next, -1 to the one before; from the last to the first
void MainWindow::goToFound(int by) {
    const auto count = static_cast<int>(found_.keys.size());
    for (int tried = 0; tried < count; ++tried) { // what is shown may be another record by now
        found_.at = (found_.at + by + count) % count;
        const ItemId item = session_.record()->find(found_.keys[found_.at]);
        if (item == kNoItem) continue;
        goTo(item);
        return say(tr("%1 of %2 that “%3” finds").arg(found_.at + 1).arg(count).arg(found_.typed));
    }
    showItemPalette();
}

} // namespace cutaway::views
