// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/stage_bar.h"

#include "views/models/format.h"

#include <QAction>
#include <QCoreApplication>
#include <QPainter>
#include <QToolButton>
#include <algorithm>

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

static bool isDone(const StageCell& cell) {
    return cell.state == StageCell::State::Done;
}
static bool isRunning(const StageCell& cell) {
    return cell.state == StageCell::State::Running;
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
    showAll();
}

void StageBar::setCells(std::vector<StageCell> cells, bool current) {
    double total = 0;
    for (const StageCell& cell : cells)
        total += cell.ms;
    worthTelling_ = total / 50;
    // While the first text compiles, what is to come is shown, too.
    const bool begun = std::ranges::any_of(cells, &isDone);
    const bool running = std::ranges::any_of(cells, &isRunning);
    if (begun || !running)
        std::erase_if(cells,
                      [](const StageCell& cell) { return cell.state == StageCell::State::Absent; });
    cells_ = std::move(cells);
    current_ = current;
    showAll();
}

void StageBar::resizeEvent(QResizeEvent* event) {
    // Unfolded over what is below, it would not fold again in its new width.
    if (auto* more = findChild<QToolButton*>("qt_toolbar_ext_button")) more->setChecked(false);
    QToolBar::resizeEvent(event);
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
                         : cell.state == State::Absent  ? theme_.faint
                         : cell.state == State::Running ? theme_.accent
                         : current_                     ? theme_.good
                                                        : theme_.warning;
    action->setIcon(dot(color));
    action->setEnabled(cell.stage.shown && cell.state == State::Done);
    // The table of stages is the engine's; what it says is in the catalogue of contents.
    auto said = [](const QString& text) {
        return QCoreApplication::translate("Stages", text.toUtf8().constData());
    };
    QString tip = tr("%1: %2").arg(said(cell.stage.title), said(cell.stage.summary));
    if (!numbers.isEmpty()) tip += "\n" + numbers.join(", ");
    if (cell.state == State::Running) tip += "\n" + tr("under way");
    if (cell.state == State::Failed) tip += "\n" + tr("the compilation ended here");
    if (cell.state == State::Done && !current_) tip += "\n" + tr("of an earlier text");
    action->setToolTip(tip);
}

} // namespace cutaway::views
