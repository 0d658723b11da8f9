// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The glossary with a search; each word leads to the pane that shows it.
#pragma once

#include "views/models/glossary.h"

#include <QDialog>

class QLineEdit;
class QTextBrowser;

namespace cutaway::views {

class GlossaryDialog : public QDialog {
    Q_OBJECT
public:
    explicit GlossaryDialog(QWidget* parent = nullptr);
    QLineEdit* filter() const { return filter_; }
    QTextBrowser* text() const { return text_; }

signals:
    void paneRequested(const QString& pane);

private:
    void fill(const QString& wanted);
    std::vector<GlossaryEntry> all_;
    QLineEdit* filter_;
    QTextBrowser* text_;
};

} // namespace cutaway::views
