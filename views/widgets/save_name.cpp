// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/save_name.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QRegularExpression>

namespace cutaway::views {

/// "svg" of "Scalable vector graphics (*.svg)"; empty: that kind has none of its own.
static QString endingOf(const QString& filter) {
    static const QRegularExpression ending(R"(\(\*\.([A-Za-z0-9]+))");
    return ending.match(filter).captured(1);
}

QString askSaveName(QWidget* parent, const QString& title, const QString& proposal,
                    const QString& filter, const QString& suffix) {
    QFileDialog dialog(parent, title, QFileInfo(proposal).absolutePath(), filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setFileMode(QFileDialog::AnyFile);
    dialog.setDefaultSuffix(suffix);
    dialog.selectFile(QFileInfo(proposal).fileName());
    auto* name = dialog.findChild<QLineEdit*>("fileNameEdit");
    // It selects the file that it completes a name to on the way, which is then the one that is
    // written: typing "a.png" beside an "a.svg" would give that.
    if (name) name->setCompleter(nullptr);
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, [&](const QString& kind) {
        const QString ending = endingOf(kind);
        if (ending.isEmpty() || !name) return;
        dialog.setDefaultSuffix(ending);
        const qsizetype dot = name->text().lastIndexOf('.');
        if (dot > name->text().lastIndexOf('/')) name->setText(name->text().left(dot + 1) + ending);
    });
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

} // namespace cutaway::views
