// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/code_font.h"

#include "views/widgets/theme.h"

#include <QFontDatabase>
#include <QGuiApplication>

namespace cutaway::views {

namespace {

/// Looked up once: asking for all families takes milliseconds, and every cell of code asks.
QString usualFamily() {
    static const QString usual = [] {
        const QStringList present = QFontDatabase::families();
        for (const char* family : {"JetBrains Mono", "Cascadia Code", "Source Code Pro", "SF Mono",
                                   "Menlo", "DejaVu Sans Mono"})
            if (present.contains(QLatin1String(family))) return QString::fromLatin1(family);
        return QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
    }();
    return usual;
}

QString& chosenFamily() {
    static QString chosen;
    return chosen;
}

} // namespace

void setCodeFamily(const QString& family) {
    chosenFamily() = family;
}

QFont codeFont() {
    QFont font(chosenFamily().isEmpty() ? usualFamily() : chosenFamily());
    font.setPointSizeF(QGuiApplication::font().pointSizeF());
    font.setFixedPitch(true);
    return font;
}

} // namespace cutaway::views
