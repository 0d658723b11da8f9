// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/capture/capture_pane.h"

#include "views/models/capture_rows.h"
#include "views/models/rows.h"
#include "views/widgets/code_view.h"
#include "views/widgets/item_view.h"
#include "views/widgets/part_tabs.h"

#include <QSplitter>
#include <QVBoxLayout>

namespace cutaway::views {

namespace {
constexpr int kLowLines = 24; ///< three parts of a head and four rows
}

CapturePane::CapturePane(PaneContext context, QWidget* parent)
    : Pane(context, parent), units_(new ItemView(rows::unitColumns(), "unitTree")),
      guards_(new ItemView(rows::guardColumns(), "guardList")), code_(new CodeView),
      parts_(new PartTabs(kLowLines)) {
    setFocusProxy(guards_);
    units_->setAccessibleName(tr("Compiled parts"));
    units_->setSelectionState(&selection());
    units_->setOrigin(this);
    units_->setStretchColumn(static_cast<int>(rows::UnitColumn::What));
    units_->setWrapped(true); // why a graph breaks is a sentence
    connect(units_, &ItemView::rowChosen, this, [this](const Row* row) {
        const QStringList numbers = row ? row->detail.split(' ') : QStringList();
        if (numbers.size() == 2) session().setFocus(numbers[0].toInt(), numbers[1].toInt());
    });
    parts_->addPart(units_, tr("Compiled parts"));
    parts_->addPart(guards_, tr("Guards"));
    parts_->addPart(code_, tr("Transformed code"));
    parts_->splitter()->setStretchFactor(0, 3);
    parts_->splitter()->setStretchFactor(1, 2);
    parts_->splitter()->setStretchFactor(2, 2);
    body()->addWidget(parts_);
    guards_->setSelectionState(&selection());
    guards_->setOrigin(this);
    guards_->setStretchColumn(static_cast<int>(rows::GuardColumn::Condition));
    code_->setLanguage("python");
    code_->setReadOnly(true);
    code_->setAccessibleName(tr("Transformed code"));
}

bool CapturePane::showStage(const QString& stage) {
    if (stage != "guards") return false;
    parts_->showPart(guards_);
    return true;
}

void CapturePane::showTheme() {
    units_->setTheme(theme());
    guards_->setTheme(theme());
    code_->setTheme(theme());
}

void CapturePane::showRecord() {
    if (unitsOf_ != session().record()) { // else another entry of it is shown
        unitsOf_ = session().record();
        // Only scripts have calls, and counts want the room.
        units_->setColumnHidden(static_cast<int>(rows::UnitColumn::Calls),
                                !rows::tellsCalls(unitsOf_->record()));
        units_->fillRows(unitsOf_->record().functions.size(),
                         [of = unitsOf_] { return rows::units(*of); });
    }
    guards_->fillRows(entry() ? entry()->guards.size() : 0,
                      [of = session().record(), entry = entry()] {
                          return entry ? rows::guards(*of, *entry) : std::vector<Row>();
                      });
    QString text = entry() ? QString::fromStdString(entry()->transformedCode) : QString();
    parts_->setPartVisible(code_, !text.isEmpty());
    code_->setCode(text);
}

void CapturePane::showStatus() {
    units_->setEmptyText(emptyAdvice(tr("No function was compiled.")));
    guards_->setEmptyText(emptyAdvice(tr("This entry has no guards.")));
}

void CapturePane::showSelection(bool reveal) {
    units_->updateHighlights(reveal);
    guards_->updateHighlights(reveal);
}

} // namespace cutaway::views
