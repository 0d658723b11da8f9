// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/theme.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace cutaway::views {

/// Relative luminance as WCAG 2 defines it.
static double luminance(const QColor& color) {
    auto linear = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
           0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
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
        p.setColor(QPalette::Disabled, role, disabled);
    p.setColor(QPalette::Disabled, QPalette::Highlight, border);
    return p;
}

QString Theme::styleSheet() const {
    QFile file(":/styles/window.qss");
    if (!file.open(QIODevice::ReadOnly)) return {};
    QString text = QString::fromUtf8(file.readAll());
    const std::pair<const char*, QColor> tokens[] = {
        {"window", window},     {"base", base},
        {"raised", raised},     {"text", this->text},
        {"muted", muted},       {"faint", faint},
        {"border", border},     {"accentText", accentText},
        {"accent", accent},     {"error", error},
        {"warning", warning},   {"good", good},
        {"disabled", disabled}, {"direct", direct},
        {"through", through},   {"removed", removed},
        {"hover", hover}};
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

QColor Theme::on(const QColor& ground) const {
    const QColor black("#10141a"), white("#ffffff");
    return contrast(ground, black) >= contrast(ground, white) ? black : white;
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
    // Of the GUI thread; never freed: pictures must not go after the application.
    static auto& drawn = *new std::map<std::tuple<QString, QRgb, QRgb>, QIcon>;
    QIcon& icon = drawn[{name, text.rgba(), disabled.rgba()}];
    if (!icon.isNull()) return icon;
    QFile file(":/icons/" + name + ".svg");
    if (!file.open(QIODevice::ReadOnly)) return {};
    QByteArray source = file.readAll();
    for (auto [mode, color] :
         {std::pair{QIcon::Normal, text}, std::pair{QIcon::Disabled, disabled}}) {
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

} // namespace cutaway::views
