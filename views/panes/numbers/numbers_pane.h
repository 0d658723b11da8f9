// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Where results part: every value of the compiled step with its errors, and which is the first that
/// rounding does not explain.
#pragma once

#include "views/panes/pane.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace cutaway::views {

class HistogramView;
class ItemView;
class PartTabs;

class NumbersPane : public Pane {
    Q_OBJECT
public:
    NumbersPane(PaneContext context, QWidget* parent);
    ItemView* table() const { return table_; }
    HistogramView* histogram() const { return histogram_; }
    QString summary() const;
    QLineEdit* searchField() const override { return search_; }
    /// Compares the values of what is shown.
    void compare();
    /// Selects the first value that rounding does not explain.
    void goToFirst();

protected:
    bool showsResults() const override { return false; } // it says what its numbers are of
    void showTheme() override;
    void showRecord() override;
    void showSelection(bool reveal) override;
    void showStatus() override;

private:
    void fill();
    void showHistogram();

    QWidget* head_; ///< what to compare, and what came of it
    PartTabs* parts_;
    QComboBox* graph_;
    QLineEdit* search_;
    QCheckBox* only_;
    QPushButton *first_, *compare_;
    QLabel* summary_;
    ItemView* table_;
    HistogramView* histogram_;
    std::optional<Measured> filledFor_;
    bool filledAnew_ = false; ///< while the values were compared anew
};

} // namespace cutaway::views
