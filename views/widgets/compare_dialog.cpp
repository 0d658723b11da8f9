// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/compare_dialog.h"

#include "core/base/line_diff.h"
#include "core/base/text.h"
#include "views/models/format.h"
#include "views/widgets/code_view.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace cutaway::views {

CompareDialog::CompareDialog(const QString& name, const QString& onDisk, const QString& here,
                             const Theme& theme, QWidget* parent)
    : QDialog(parent), view_(new CodeView),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Close)) {
    setWindowTitle(tr("Compare %1").arg(name));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(820, 560);
    const auto lines = base::diffLines(base::splitLines(onDisk.toStdString()),
                                       base::splitLines(here.toStdString()));
    QStringList texts;
    std::vector<int> signs;
    int removed = 0, added = 0, first = -1;
    for (const base::DiffLine& line : lines) {
        removed += line.sign < 0;
        added += line.sign > 0;
        if (line.sign != 0 && first < 0) first = static_cast<int>(signs.size());
        texts << (line.sign > 0   ? "+ "
                  : line.sign < 0 ? "- "
                                  : "  ") +
                     QString::fromStdString(line.text);
        signs.push_back(line.sign);
    }
    auto* column = new QVBoxLayout(this);
    auto lineCount = [](int many) {
        return tr("%1 line(s)", nullptr, many).arg(format::count(many));
    };
    auto* head = new QLabel(tr("− only in the file on disk: %1;  + only here: %2")
                                .arg(lineCount(removed), lineCount(added)));
    column->addWidget(head);
    column->addWidget(view_, 1);
    column->addWidget(buttons_);
    connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
    view_->setLanguage("python");
    view_->setLineNumbers(false);
    view_->setTheme(theme);
    view_->setCode(texts.join('\n'), false);
    view_->setReadOnly(true);
    view_->SendScintilla(QsciScintilla::SCI_CLEARCMDKEY, QsciScintilla::SCK_ESCAPE);
    buttons_->button(QDialogButtonBox::Close)->setFocus();
    view_->setDiff(signs);
    view_->setAccessibleName(tr("Differences"));
    if (first >= 0) view_->revealLine(first);
}

void CompareDialog::addChoice(const QString& text, std::function<void()> act) {
    QPushButton* button = buttons_->addButton(text, QDialogButtonBox::ActionRole);
    connect(button, &QPushButton::clicked, this, [this, act = std::move(act)] {
        accept();
        act();
    });
}

} // namespace cutaway::views
