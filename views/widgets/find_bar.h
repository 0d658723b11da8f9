// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Finding and replacing in a text, in a row below it.
#pragma once

#include <QFrame>

class QCheckBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace cutaway::views {

class CodeView;

class FindBar : public QFrame {
    Q_OBJECT
public:
    explicit FindBar(CodeView* view, QWidget* parent = nullptr);
    /// Shows the row with what is selected in the text. \param replace with the field to replace by
    void open(bool replace);
    void findNext(bool forward = true);
    /// Another document: nothing that was wanted in the last one is known.
    void forget();
    void replaceOne();
    void replaceAll();
    QLineEdit* wanted() const { return wanted_; }
    QLineEdit* replacement() const { return replacement_; }
    QCheckBox* expression() const { return expression_; }
    QString said() const;

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool find(bool forward, bool fromSelectionStart);
    int count() const;
    void showCount();

    CodeView* view_;
    QLineEdit *wanted_, *replacement_;
    QCheckBox *matchCase_, *expression_;
    QToolButton *replaceButton_, *allButton_;
    QLabel* said_;
};

} // namespace cutaway::views
