// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/glossary_dialog.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace cutaway::views {

GlossaryDialog::GlossaryDialog(QWidget* parent)
    : QDialog(parent), all_(glossary()), filter_(new QLineEdit), text_(new QTextBrowser) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName("glossary");
    setWindowTitle(tr("Glossary"));
    resize(560, 560);
    auto* column = new QVBoxLayout(this);
    filter_->setPlaceholderText(tr("Find a word"));
    filter_->setAccessibleName(filter_->placeholderText());
    filter_->setClearButtonEnabled(true);
    column->addWidget(filter_);
    text_->setOpenLinks(false);
    text_->setAccessibleName(windowTitle());
    column->addWidget(text_, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(filter_, &QLineEdit::textChanged, this, &GlossaryDialog::fill);
    connect(text_, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& link) { emit paneRequested(link.toString().section(':', 1)); });
    fill({});
}

void GlossaryDialog::fill(const QString& wanted) {
    QString html;
    for (const GlossaryEntry& entry : all_) {
        if (!entry.term.contains(wanted, Qt::CaseInsensitive) &&
            !entry.meaning.contains(wanted, Qt::CaseInsensitive))
            continue;
        html += QString("<p><b>%1</b><br>%2")
                    .arg(entry.term.toHtmlEscaped(), entry.meaning.toHtmlEscaped());
        if (!entry.pane.isEmpty())
            html += QString(" <a href='pane:%1'>%2</a>").arg(entry.pane, tr("Show"));
        html += "</p>";
    }
    text_->setHtml(html.isEmpty() ? tr("No word like that.") : html);
}

} // namespace cutaway::views
