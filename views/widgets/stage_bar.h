// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The pipeline as a row of buttons: each stage's state, count and time. What the record holds
/// nothing of is left out, once it holds something; a time under a fiftieth of all is told in the tooltip only.
#pragma once

#include "views/models/stage_cells.h"
#include "views/widgets/theme.h"

#include <QToolBar>

namespace cutaway::views {

class StageBar : public QToolBar {
    Q_OBJECT
public:
    explicit StageBar(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// \param current false: what is shown is of an earlier text
    void setCells(std::vector<StageCell> cells, bool current);

signals:
    void stageChosen(const QString& name);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void show(QAction* action, const StageCell& cell) const;
    void showAll();

    std::vector<StageCell> cells_;
    double worthTelling_ = 0; ///< milliseconds
    bool current_ = true;
    Theme theme_;
};

} // namespace cutaway::views
