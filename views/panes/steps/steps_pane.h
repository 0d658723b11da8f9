// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// How things come about, to be played and stepped through: a kernel over the first elements, the
/// minimum cut path by path, the arena kernel by kernel.
#pragma once

#include "views/models/stories.h"
#include "views/panes/pane.h"

class QComboBox;
class QLabel;
class QStackedWidget;

namespace cutaway::views {

class GraphCanvas;
class KernelStage;
class Legend;
class MemoryMap;
class PaneBar;
class Player;

class StepsPane : public Pane {
    Q_OBJECT
public:
    enum Story { Kernel, Cut, Arena };
    StepsPane(PaneContext context, QWidget* parent);
    void tell(Story story);
    Player* player() const { return player_; }
    QString caption() const;
    bool isSettled() const override;

protected:
    void showTheme() override;
    void showRecord() override;
    void showSelection(bool reveal) override;
    void showHover() override {}
    void showStatus() override;

private:
    void fillChoices();
    void fillTargets();
    void showStory();
    void showNotice(const QString& text);
    void askKernel(ItemId kernel);
    void askCut();
    void showKernel(KernelStory story);
    void showCut(CutTale tale);
    void showArena(int graph);
    void begin(int moments);
    void showMoment(int moment);
    void say(const QString& caption);
    void lightCut(size_t moment);
    void showLegend();

    QComboBox *stories_, *choices_, *targets_; ///< the last: how a kernel is run
    PaneBar* scheduleBar_ = nullptr;           ///< of a kernel
    QLabel* schedule_;
    QStackedWidget* stages_;
    QLabel *notice_, *caption_;
    KernelStage* kernel_;
    GraphCanvas* graph_;
    MemoryMap* arena_;
    Legend* legend_;
    Player* player_;
    CutTale cut_;
    RecordPtr of_; ///< what the story is of; keeps what lowered_ points to
    const record::LoweredGraph* lowered_ = nullptr;
    bool isStoryChosen_ = false;
    QString told_; ///< which story of of_
    int keep_ = 0; ///< the moment where it goes on when it is told again
    int ticket_ = 0;
    bool waiting_ = false;
};

} // namespace cutaway::views
