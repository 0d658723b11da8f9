// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Every pass run in order; what the chosen one added, removed and rewrote, as text and on the
/// graph.
#pragma once

#include "views/models/latest_work.h"
#include "views/models/pass_steps.h"
#include "views/models/placed_scene.h"
#include "views/panes/pane.h"

#include <functional>
#include <memory>

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QSpinBox;
class QTabWidget;

namespace cutaway::views {

class CodeView;
class GraphCanvas;
class ItemView;

class PassesPane : public Pane {
    Q_OBJECT
public:
    PassesPane(PaneContext context, QWidget* parent);
    /// The next (+1) or previous (-1) pass that changed something.
    void step(int direction);
    int rewrite() const { return rewrite_; }
    QLabel* rewriteText() const { return rewriteText_; }
    /// The next or previous pass, whether it changed anything or not.
    void stepAny(int direction);
    GraphCanvas* canvas() const { return canvas_; }
    QPlainTextEdit* rule() const { return rule_; }
    QWidget* switches() const { return switches_; }
    QSpinBox* argument() const { return argument_; }
    QTabWidget* tabs() const { return tabs_; }
    bool isSettled() const override;
    int currentPass() const { return current_; }
    bool showStage(const QString& stage) override {
        return stage == "passes" || stage == "decompose";
    }

protected:
    void showTheme() override;
    void showRecord() override;
    void showSelection(bool reveal) override;
    void showStatus() override;

private:
    bool isChosen(int pass) const; ///< in the list
    void showPass(int index);
    void showLeftOut(QString name);
    QStringList leftOut() const; ///< of what is compiled
    void showSwitches();
    void showArgument();
    void decideArgument();
    static QString ruleHtml(const QString& text);
    using AddSwitch =
        std::function<void(const QString& text, const QString& tip, std::function<void()> decide)>;
    void addMoves(const QStringList& made, const AddSwitch& add);
    void showText(const record::PassRun& pass);
    /// What the pass's rule did at one node after the other.
    void makeRewriteBar(QVBoxLayout* column);
    void stepRewrite(int by);
    void showRewrite();
    const record::PassRun* shownPass() const;
    void showGraph();
    /// \param of the record that the steps were made of
    void present(const RecordPtr& of, std::shared_ptr<PassSteps> steps, ScenePtr scene,
                 const QByteArray& same);
    ItemView* list_;
    QCheckBox* onlyChanged_;
    QLabel* summary_;
    QWidget* switches_;    ///< what can be left out, and what was
    QWidget* argumentBar_; ///< the number that the pass goes by
    QLabel* argumentText_;
    QSpinBox* argument_;
    QWidget* rewriteBar_;
    QLabel* rewriteText_;
    int rewrite_ = 0; ///< number of the one that is shown alone; 0: all of the pass
    QTabWidget* tabs_;
    CodeView* changes_;
    QPlainTextEdit* rule_; ///< the pass's own text
    GraphCanvas* canvas_;
    QLabel* counts_;                   ///< how many were added, removed, rewritten
    std::vector<ItemId> lineItems_;    ///< of the lines of changes_
    std::shared_ptr<PassSteps> steps_; ///< of stepsStage_ in stepsRecord_
    QFont stepsFont_;                  ///< that they are placed for
    RecordPtr stepsRecord_;
    QByteArray stepsStage_;
    QByteArray shown_; ///< stage and record of the scene on the screen
    int current_ = -1;
    QString chosen_;     ///< the name of the current pass
    QString about_;      ///< path of the document that it is of
    QString argumentOf_; ///< the pass and its argument's name: "fold_constants elements"
    QString left_;       ///< the pass that is chosen though it was left out
    QString followed_;   ///< the pass that was moved: it stays the chosen one
    LatestWork placer_;  ///< last: it waits for what it does before the rest goes
};

} // namespace cutaway::views
