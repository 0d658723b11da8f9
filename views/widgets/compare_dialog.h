// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Two texts of one file, line against line.
#pragma once

#include "views/widgets/theme.h"

#include <QDialog>
#include <functional>

class QDialogButtonBox;

namespace cutaway::views {

class CodeView;

class CompareDialog : public QDialog {
    Q_OBJECT
public:
    /// \param onDisk lines only in this one are marked as removed
    /// \param here lines only in this one are marked as added
    CompareDialog(const QString& name, const QString& onDisk, const QString& here,
                  const Theme& theme, QWidget* parent);
    CodeView* view() const { return view_; }
    /// A button that ends the dialog and then acts.
    void addChoice(const QString& text, std::function<void()> act);

private:
    CodeView* view_;
    QDialogButtonBox* buttons_;
};

} // namespace cutaway::views
