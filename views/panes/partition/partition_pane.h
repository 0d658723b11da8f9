// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The joint graph with the cut drawn, and tables of what is saved and what is computed again.
#pragma once

#include "views/panes/pane.h"

class QLabel;
class QSplitter;
class QTabWidget;

namespace cutaway::views {

class GraphCanvas;
class ItemView;
class Legend;

class PartitionPane : public Pane {
    Q_OBJECT
public:
    PartitionPane(PaneContext context, QWidget* parent);
    GraphCanvas* canvas() const { return canvas_; }
    bool showStage(const QString& stage) override { return stage == "partition"; }

protected:
    void showTheme() override;
    void showRecord() override;
    void showSelection(bool reveal) override;
    void showStatus() override;

private:
    QString advice() const;
    GraphCanvas* canvas_;
    Legend* legend_;
    QLabel* summary_;
    QTabWidget* tabs_;
    ItemView *saved_, *recomputed_;
    QByteArray shown_;
};

} // namespace cutaway::views
