// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Records side by side, and any two of their texts line by line; two stages, or graphs as passes
/// left them, also as one drawing. What is compared with what is shown now are results that were
/// kept, and saved records. All of them stand beside each other as graphs and as measured calls.
#pragma once

#include "views/models/graph_difference.h"
#include "views/models/latest_work.h"
#include "views/panes/pane.h"

#include <functional>

class QBoxLayout;
class QButtonGroup;
class QComboBox;
class QLabel;
class QPushButton;
class QTabWidget;
class QToolButton;

namespace cutaway::views {

class CodeView;
class GraphCanvas;
class GraphsBeside;
class ItemView;
class Legend;
class TimelineView;

class ComparePane : public Pane {
    Q_OBJECT
public:
    ComparePane(PaneContext context, QWidget* parent);
    bool isSettled() const override;
    /// Takes what is shown now up among the records.
    void keepShown();
    /// Opens a saved record beside, or compiles a model or a script. Errors are told in the pane.
    void addRecord(const QString& path);
    /// \param side 0: left, 1: right. \param record 0: what is shown now
    void choose(int side, int record, const QString& text);
    /// Writes a record that was taken up to a file, beside the GUI thread. Errors are told in the pane.
    /// \param record 1: the first that was taken up
    void saveRecord(int record, const QString& path);
    int recordCount() const { return static_cast<int>(kept_.size()) + 1; }
    CodeView* view() const { return view_; }
    QString counts() const;
    /// Which stages of two records differ; empty: of one record, or nothing is compared as text.
    QString stages() const;
    /// Draws both graphs as one, or the nodes of one side where they stand in it.
    void showOnGraph(DifferenceSide side = DifferenceSide::Both);
    GraphCanvas* canvas() const { return canvas_; }
    const GraphDifference& difference() const { return *difference_; }
    ItemView* table() const { return table_; }
    /// Draws the graph that is chosen on the right of every record beside each other.
    void showBeside();
    GraphsBeside* beside() const { return beside_; }
    /// The measured calls of all records on one axis.
    TimelineView* calls() const { return calls_; }

protected:
    void showTheme() override;
    void showRecord() override;
    void showMeasured() override { fill(); }
    void showColours() override;
    void showSelection(bool reveal) override;
    void showStatus() override;

private:
    ComparedRecord shownNow() const;
    QString scriptAndSize(const RecordView& record) const;
    ComparedRecord recordAt(int index) const;
    void fill();
    int chosenRecord() const;
    void showChosen();
    void askWhereToSave();
    void fillTexts(int side);
    bool follow(int side);
    void showSame();
    void keepNow();
    void compare();
    void readRecord(const QString& path, std::function<void(const QString&)> otherwise);
    void addCompiled(const QString& path);
    void take(ComparedRecord record);
    void present(const Comparison& comparison, const std::vector<StageDifference>& stages);
    void tellStages(const std::vector<StageDifference>& stages);
    void showGraphsBeside();
    void makeChoices(QBoxLayout* column);
    QWidget* makeTabs();
    void addTabsOfAll();
    void chooseGraphs();
    std::vector<ComparedRecord> allRecords() const;
    void drawCalls();
    void presentGraph(std::shared_ptr<const GraphDifference> difference, const QByteArray& of);
    void showSide();

    std::vector<ComparedRecord> kept_;
    int compiling_ = 0;   ///< files that are compiled to be taken up
    QStringList unsaved_; ///< titles of those that are in no file
    ItemView* table_;
    QComboBox *records_[2], *texts_[2];
    QLabel *counts_, *stages_; ///< of what is chosen; of all stages of two records
    std::vector<StageDifference> stagesTold_;
    QPushButton *keep_, *save_, *forget_;
    QLabel* lasts_; ///< how long what is unsaved is kept
    QTabWidget* tabs_;
    CodeView* view_;
    GraphCanvas* canvas_;
    Legend* legend_;
    QWidget* graph_; ///< the page of both
    GraphsBeside* beside_;
    TimelineView* calls_;
    QLabel* callsNote_;
    QWidget* callsPage_;
    QButtonGroup* sides_;           ///< by DifferenceSide
    QToolButton* same_;             ///< whether two records are compared by the same text
    std::vector<ItemId> lineItems_; ///< of what is shown now
    std::shared_ptr<const GraphDifference> difference_ = std::make_shared<GraphDifference>();
    std::vector<QString> told_; ///< by node of what is drawn
    QByteArray drawn_;          ///< what the drawing is of
    LatestWork work_, opening_, saving_,
        timing_; ///< last: they wait for what they do before the rest goes
};

} // namespace cutaway::views
