// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/theme.h"

#include <QFile>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QPainter>
#include <QPixmap>
#include <QRegularExpression>
#include <QSvgRenderer>

namespace cutaway::views {

const Theme& lightTheme() {
    static const Theme theme = [] {
        Theme t;
        t.dark = false;
        t.window = "#eef0f3";
        t.base = "#ffffff";
        t.raised = "#f7f8fa";
        t.text = "#1f2530";
        t.muted = "#667085";
        t.faint = "#a3abb9";
        t.border = "#d5d9e0";
        t.accent = "#2f62c9";
        t.accentText = "#ffffff";
        t.error = "#c0352b";
        t.warning = "#a86200";
        t.good = "#1c7c4a";
        t.selected = "#ffd976";
        t.direct = "#ffedb8";
        t.through = "#eef1f7";
        t.mark = "#d98e04";
        t.saved = "#d9480f";
        t.again = "#7048b6";
        t.added = "#dcf3e3";
        t.removed = "#fbe1de";
        t.kinds = {QColor("#7c8798"), QColor("#a08a6a"), QColor("#3d7dd8"),
                   QColor("#c2571a"), QColor("#7d4fc4"), QColor("#8a97a8"),
                   QColor("#b3367f"), QColor("#2b8f8f"), QColor("#4f8f3a")};
        t.keyword = "#8a2fb0";
        t.string = "#1a7a3c";
        t.number = "#b04d00";
        t.comment = "#7a8699";
        t.name = "#2456b3";
        t.type = "#0f7b8a";
        t.label = "#9a3412";
        return t;
    }();
    return theme;
}

const Theme& darkTheme() {
    static const Theme theme = [] {
        Theme t;
        t.dark = true;
        t.window = "#1b1e24";
        t.base = "#14171c";
        t.raised = "#232830";
        t.text = "#dbe0e8";
        t.muted = "#939dad";
        t.faint = "#5d6675";
        t.border = "#323842";
        t.accent = "#6ea1f5";
        t.accentText = "#0e1420";
        t.error = "#f07c72";
        t.warning = "#e0a84a";
        t.good = "#5fc98b";
        t.selected = "#6b5310";
        t.direct = "#43381a";
        t.through = "#222833";
        t.mark = "#f0b93a";
        t.saved = "#ff8a5c";
        t.again = "#b79bf2";
        t.added = "#1b3a29";
        t.removed = "#43231f";
        t.kinds = {QColor("#8a95a7"), QColor("#b59f7c"), QColor("#5f9df0"),
                   QColor("#ee9052"), QColor("#a988ee"), QColor("#7b8798"),
                   QColor("#e273b4"), QColor("#4fbdbd"), QColor("#86bf6c")};
        t.keyword = "#c792ea";
        t.string = "#9cd08f";
        t.number = "#f0a66b";
        t.comment = "#6f7b8d";
        t.name = "#82b1ff";
        t.type = "#6fc7d6";
        t.label = "#f2a07b";
        return t;
    }();
    return theme;
}

QPalette Theme::palette() const {
    QPalette p;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, base);
    p.setColor(QPalette::AlternateBase, raised);
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, faint);
    p.setColor(QPalette::Button, raised);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, error);
    p.setColor(QPalette::Highlight, accent);
    p.setColor(QPalette::HighlightedText, accentText);
    p.setColor(QPalette::ToolTipBase, raised);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::Light, dark ? border.lighter(115) : QColor(Qt::white));
    p.setColor(QPalette::Midlight, raised);
    p.setColor(QPalette::Mid, border);
    p.setColor(QPalette::Dark, dark ? base : border.darker(115));
    p.setColor(QPalette::Shadow, QColor(0, 0, 0, 90));
    for (QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        p.setColor(QPalette::Disabled, role, faint);
    p.setColor(QPalette::Disabled, QPalette::Highlight, border);
    return p;
}

QString Theme::styleSheet() const {
    QFile file(":/styles/window.qss");
    if (!file.open(QIODevice::ReadOnly)) return {};
    QString text = QString::fromUtf8(file.readAll());
    const std::pair<const char*, QColor> tokens[] = {
        {"window", window}, {"base", base},       {"raised", raised},   {"text", this->text},
        {"muted", muted},   {"faint", faint},     {"border", border},   {"accentText", accentText},
        {"accent", accent}, {"error", error},     {"warning", warning}, {"good", good},
        {"direct", direct}, {"through", through}, {"removed", removed}};
    for (const auto& [name, color] : tokens)
        text.replace(QRegularExpression(QString("@%1\\b").arg(name)), color.name());
    text.replace("@scheme", dark ? "dark" : "light");
    return text;
}

QColor Theme::tone(Tone tone) const {
    switch (tone) {
    case Tone::Normal:
        return text;
    case Tone::Muted:
        return muted;
    case Tone::Good:
        return good;
    case Tone::Warning:
        return warning;
    case Tone::Error:
        return error;
    }
    return text;
}

QColor Theme::highlight(Highlight level) const {
    switch (level) {
    case Highlight::None:
        return {};
    case Highlight::Through:
        return through;
    case Highlight::Direct:
        return direct;
    case Highlight::Selected:
        return selected;
    }
    return {};
}

QIcon Theme::icon(const QString& name) const {
    QFile file(":/icons/" + name + ".svg");
    if (!file.open(QIODevice::ReadOnly)) return {};
    QByteArray source = file.readAll();
    QIcon icon;
    for (auto [mode, color] : {std::pair{QIcon::Normal, text}, std::pair{QIcon::Disabled, faint}}) {
        QByteArray colored = source;
        colored.replace("currentColor", color.name().toUtf8());
        QSvgRenderer renderer(colored);
        for (int size : {16, 24, 32, 48, 64}) {
            QPixmap pixmap(size, size);
            pixmap.fill(Qt::transparent);
            QPainter painter(&pixmap);
            renderer.render(&painter);
            painter.end();
            icon.addPixmap(pixmap, mode);
        }
    }
    return icon;
}

QFont codeFont() {
    static const QStringList wanted{"JetBrains Mono", "Cascadia Code", "Source Code Pro",
                                    "SF Mono",        "Menlo",         "DejaVu Sans Mono"};
    QStringList present = QFontDatabase::families();
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    for (const QString& family : wanted)
        if (present.contains(family)) {
            font = QFont(family);
            break;
        }
    font.setPointSizeF(QGuiApplication::font().pointSizeF());
    font.setFixedPitch(true);
    return font;
}

} // namespace cutaway::views
