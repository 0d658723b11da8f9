// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/capture/capture_pane.h"

#include "views/models/rows.h"
#include "views/widgets/code_view.h"
#include "views/widgets/item_view.h"

#include <QSplitter>
#include <QVBoxLayout>

namespace cutaway::views {

CapturePane::CapturePane(PaneContext context, QWidget* parent)
    : Pane(context, parent), guards_(new ItemView(rows::guardColumns(), "guardList")),
      code_(new CodeView), splitter_(new QSplitter(Qt::Vertical)) {
    setFocusProxy(guards_);
    splitter_->addWidget(guards_);
    splitter_->addWidget(code_);
    body()->addWidget(splitter_);
    guards_->setSelectionState(&selection());
    guards_->setOrigin(this);
    guards_->setStretchColumn(static_cast<int>(rows::GuardColumn::Condition));
    code_->setLanguage("python");
    code_->setReadOnly(true);
    code_->setAccessibleName(tr("Transformed code"));
}

void CapturePane::showTheme() {
    guards_->setTheme(theme());
    code_->setTheme(theme());
}

void CapturePane::showRecord() {
    guards_->fillRows(entry() ? entry()->guards.size() : 0,
                      [of = session().record(), entry = entry()] {
                          return entry ? rows::guards(*of, *entry) : std::vector<Row>();
                      });
    QString text = entry() ? QString::fromStdString(entry()->transformedCode) : QString();
    code_->setVisible(!text.isEmpty());
    code_->setCode(text);
}

void CapturePane::showStatus() {
    guards_->setEmptyText(emptyAdvice(tr("This entry has no guards.")));
}

void CapturePane::showSelection(bool reveal) {
    guards_->updateHighlights(reveal);
}

} // namespace cutaway::views
