// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Records side by side, and any two of their texts line by line. What is compared with what is
/// shown now are results that were kept, and saved records.
#pragma once

#include "views/models/comparison.h"
#include "views/models/latest_work.h"
#include "views/panes/pane.h"

class QComboBox;
class QLabel;

namespace cutaway::views {

class CodeView;
class ItemView;

class ComparePane : public Pane {
    Q_OBJECT
public:
    ComparePane(PaneContext context, QWidget* parent);
    bool isSettled() const override { return Pane::isSettled() && !work_.isBusy(); }
    /// Takes what is shown now up among the records.
    void keepShown();
    /// Opens a saved record beside. Errors are told in the pane.
    void addRecord(const QString& path);
    /// \param side 0: left, 1: right. \param record 0: what is shown now
    void choose(int side, int record, const QString& text);
    int recordCount() const { return static_cast<int>(kept_.size()) + 1; }
    CodeView* view() const { return view_; }
    QString counts() const;
    ItemView* table() const { return table_; }

protected:
    void showTheme() override;
    void showRecord() override;
    void showSelection(bool reveal) override;
    void showStatus() override;

private:
    ComparedRecord shownNow() const;
    ComparedRecord recordAt(int index) const;
    void fill();
    void fillTexts(int side);
    void compare();
    void present(const Comparison& comparison);

    std::vector<ComparedRecord> kept_;
    ItemView* table_;
    QComboBox *records_[2], *texts_[2];
    QLabel* counts_;
    CodeView* view_;
    std::vector<ItemId> lineItems_; ///< of what is shown now
    LatestWork work_, opening_;     ///< last: they wait for what they do before the rest goes
};

} // namespace cutaway::views
