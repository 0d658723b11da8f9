// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/part_tabs.h"

#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace cutaway::views {

PartTabs::PartTabs(int lowLines, QWidget* parent)
    : QWidget(parent), lowLines_(lowLines), column_(new QVBoxLayout(this)),
      tabs_(new QTabWidget(this)), splitter_(new QSplitter(Qt::Vertical)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(0);
    column_->addWidget(tabs_, 1);
    tabs_->setDocumentMode(true);
    tabs_->hide();
}

void PartTabs::addPart(QWidget* part, const QString& title) {
    const auto at = std::ranges::find_if(parts_, &Part::head);
    if (!splitter_->parentWidget()) column_->addWidget(splitter_, 1); // below the heads
    parts_.insert(at, {part, title, false, true});
    if (part->accessibleName().isEmpty()) part->setAccessibleName(title);
    splitter_->addWidget(part);
}

void PartTabs::addHead(QWidget* head, const QString& title) {
    column_->insertWidget(static_cast<int>(std::ranges::count_if(parts_, &Part::head)), head);
    parts_.push_back({head, title, true, true});
}

void PartTabs::showPart(QWidget* part) {
    if (low_) tabs_->setCurrentWidget(part);
}

QWidget* PartTabs::shownPart() const {
    return low_ ? tabs_->currentWidget() : nullptr;
}

void PartTabs::setPartVisible(QWidget* part, bool visible) {
    for (Part& one : parts_)
        if (one.widget == part) one.visible = visible;
    if (!low_) part->setVisible(visible);
}

void PartTabs::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const bool low = height() < lowLines_ * fontMetrics().lineSpacing();
    if (low == low_) return;
    low_ = low;
    arrange();
    emit lowChanged();
}

void PartTabs::arrange() {
    tabs_->clear();
    int heads = 0;
    for (const Part& part : parts_) {
        if (low_)
            tabs_->addTab(part.widget, part.title);
        else if (part.head)
            column_->insertWidget(heads++, part.widget);
        else
            splitter_->addWidget(part.widget);
        if (!low_) part.widget->setVisible(part.visible);
    }
    tabs_->setVisible(low_);
    splitter_->setVisible(!low_);
}

} // namespace cutaway::views
