// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/stage_bar.h"

#include "views/models/format.h"

#include <QAction>
#include <QPainter>
#include <QToolButton>

namespace cutaway::views {

/// A dot in the colour of a state.
static QIcon dot(const QColor& color) {
    QPixmap pixmap(16, 16);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(QPointF(8, 8), 5, 5);
    painter.end();
    QIcon icon;
    for (QIcon::Mode mode : {QIcon::Normal, QIcon::Disabled})
        icon.addPixmap(pixmap, mode); // a stage that nobody can look at is no less done
    return icon;
}

StageBar::StageBar(QWidget* parent) : QToolBar(tr("Stages"), parent), theme_(lightTheme()) {
    setObjectName("stageBar");
    setMovable(false);
    setIconSize(QSize(10, 10));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(this, &QToolBar::actionTriggered, this,
            [this](QAction* action) { emit stageChosen(action->data().toString()); });
}

void StageBar::setTheme(const Theme& theme) {
    theme_ = theme;
    // Qt's button for what does not fit has an icon of its own, dark on dark.
    if (auto* more = findChild<QToolButton*>("qt_toolbar_ext_button"))
        more->setIcon(theme.icon("forward"));
    showAll();
}

void StageBar::setCells(std::vector<StageCell> cells, bool current) {
    double total = 0;
    for (const StageCell& cell : cells)
        total += cell.ms;
    worthTelling_ = total / 50;
    std::erase_if(cells, [this](const StageCell& cell) {
        using State = StageCell::State;
        const bool brief = !cell.stage.shown && cell.ms < worthTelling_;
        return cell.state == State::Absent || (cell.state == State::Done && brief);
    });
    cells_ = std::move(cells);
    current_ = current;
    showAll();
}

void StageBar::showAll() {
    while (actions().size() > static_cast<qsizetype>(cells_.size()))
        delete actions().last();
    while (actions().size() < static_cast<qsizetype>(cells_.size()))
        addAction(QString());
    for (qsizetype i = 0; i < actions().size(); ++i)
        show(actions()[i], cells_[static_cast<size_t>(i)]);
}

void StageBar::show(QAction* action, const StageCell& cell) const {
    using State = StageCell::State;
    const QString time = cell.ms > 0 ? format::milliseconds(cell.ms) : QString();
    QStringList numbers{cell.count, time};
    numbers.removeAll(QString());
    action->setData(cell.stage.name);
    action->setText(cell.ms < worthTelling_ || time.isEmpty() ? cell.stage.name
                                                              : cell.stage.name + " " + time);
    const QColor color = cell.state == State::Failed    ? theme_.error
                         : cell.state == State::Running ? theme_.accent
                         : current_                     ? theme_.good
                                                        : theme_.warning;
    action->setIcon(dot(color));
    action->setEnabled(cell.stage.shown && cell.state == State::Done);
    QString tip = cell.stage.title + ": " + cell.stage.summary;
    if (!numbers.isEmpty()) tip += "\n" + numbers.join(", ");
    if (cell.state == State::Running) tip += "\n" + tr("under way");
    if (cell.state == State::Failed) tip += "\n" + tr("the compilation ended here");
    if (cell.state == State::Done && !current_) tip += "\n" + tr("of an earlier text");
    action->setToolTip(tip);
}

} // namespace cutaway::views
