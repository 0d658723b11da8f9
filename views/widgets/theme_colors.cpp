// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of every theme. tests/views/test_theme.cpp measures their contrasts and distances.
#include "views/widgets/theme.h"

namespace cutaway::views {

const Theme& lightTheme() {
    static const Theme theme = [] {
        Theme t;
        t.dark = false;
        t.window = "#eef0f3";
        t.base = "#ffffff";
        t.raised = "#f7f8fa";
        t.text = "#1f2530";
        t.muted = "#535d6e";
        t.faint = "#626b7c";
        t.disabled = "#9aa3b2";
        t.border = t.hover = "#d5d9e0";
        t.accent = "#2f62c9";
        t.accentText = "#ffffff";
        t.error = "#b3261e";
        t.warning = "#8a5000";
        t.good = "#176b40";
        t.selected = "#ffd976";
        t.direct = "#ffedb8";
        t.through = "#eef1f7";
        t.mark = "#d98e04";
        t.saved = "#d9480f";
        t.again = "#7048b6";
        t.added = "#dcf3e3";
        t.removed = "#fbe1de";
        t.kinds = {QColor("#5f6b7d"), QColor("#866b3f"), QColor("#2f6fd0"),
                   QColor("#b84f12"), QColor("#7a4cc2"), QColor("#9fb0c4"),
                   QColor("#b3367f"), QColor("#1f7f80"), QColor("#437f30")};
        t.heat = {QColor("#8fa6c8"), QColor("#5f9ea8"), QColor("#7aa33c"), QColor("#d08a1d"),
                  QColor("#c2321f")};
        t.keyword = "#8a2fb0";
        t.string = "#14652f";
        t.number = "#963f00";
        t.comment = "#545e6e";
        t.name = "#2456b3";
        t.type = "#0a606c";
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
        t.muted = "#9aa4b4";
        t.faint = "#8b95a6";
        t.disabled = "#566070";
        t.border = t.hover = "#323842";
        t.accent = "#6ea1f5";
        t.accentText = "#0e1420";
        t.error = "#f07c72";
        t.warning = "#e0a84a";
        t.good = "#5fc98b";
        t.selected = "#443508";
        t.direct = "#2f2815";
        t.through = "#222833";
        t.mark = "#f0b93a";
        t.saved = "#ff8a5c";
        t.again = "#b79bf2";
        t.added = "#1b3a29";
        t.removed = "#43231f";
        t.kinds = {QColor("#8a95a7"), QColor("#b59f7c"), QColor("#5f9df0"),
                   QColor("#ee9052"), QColor("#a988ee"), QColor("#56637a"),
                   QColor("#e273b4"), QColor("#4fbdbd"), QColor("#86bf6c")};
        t.heat = {QColor("#4a5f86"), QColor("#43909d"), QColor("#86ab3f"), QColor("#e0a03a"),
                  QColor("#ff6a4d")};
        t.keyword = "#c792ea";
        t.string = "#9cd08f";
        t.number = "#f0a66b";
        t.comment = "#99a5b7";
        t.name = "#82b1ff";
        t.type = "#6fc7d6";
        t.label = "#f2a07b";
        return t;
    }();
    return theme;
}

/// Kinds and heat that people with any of the common colour blindnesses tell apart; differences in
/// blue and orange instead of green and red.
static Theme safe(Theme t) {
    if (t.dark) {
        t.kinds = {QColor("#f2f2f2"), QColor("#f0e442"), QColor("#4aa3e0"),
                   QColor("#e8702a"), QColor("#7656d0"), QColor("#788894"),
                   QColor("#e7a9cb"), QColor("#1fc79a"), QColor("#b07d53")};
        t.heat = {QColor("#2f4b7c"), QColor("#5f6a76"), QColor("#948b6c"), QColor("#cdb04c"),
                  QColor("#fde725")};
        t.added = "#17365c", t.removed = "#4f3312";
        t.good = "#6db6f2";
    } else {
        t.kinds = {QColor("#3f3f46"), QColor("#d9b000"), QColor("#0072b2"),
                   QColor("#d55e00"), QColor("#5b2a86"), QColor("#b9c6ce"),
                   QColor("#c0609a"), QColor("#00b894"), QColor("#7a5230")};
        t.heat = {QColor("#e6d36a"), QColor("#b8a862"), QColor("#878365"), QColor("#55618a"),
                  QColor("#173f8a")};
        t.added = "#d6e7fb", t.removed = "#fde3c8";
        t.good = "#0060a0";
    }
    return t;
}

/// Black and white, and what is lit in full colours.
static Theme highContrast(Theme t) {
    if (t.dark) {
        t.window = t.base = "#000000";
        t.raised = "#101010";
        t.text = "#ffffff", t.muted = "#e4e4e4", t.faint = "#c8c8c8", t.comment = "#c8d4e4";
        t.border = "#9a9a9a", t.disabled = "#8a8a8a", t.hover = "#3c3c3c";
        t.accent = "#8fc1ff", t.mark = "#ffd400";
        t.selected = "#3d3200", t.direct = "#241d00", t.through = "#1c1c2a";
    } else {
        t.window = t.base = "#ffffff";
        t.raised = "#f4f4f4";
        t.text = "#000000", t.muted = "#242424", t.faint = "#3a3a3a", t.comment = "#30363f";
        t.border = "#5a5a5a", t.disabled = "#767676", t.hover = "#d6d6d6";
        t.accent = "#0a3fa8", t.mark = "#9a5b00";
    }
    return t;
}

const std::vector<ThemeRow>& themeRows() {
    static const std::vector<ThemeRow> rows = {
        {"light", QT_TRANSLATE_NOOP("Theme", "&Light"), lightTheme()},
        {"dark", QT_TRANSLATE_NOOP("Theme", "&Dark"), darkTheme()},
        {"light-safe", QT_TRANSLATE_NOOP("Theme", "Light, for &colour blindness"),
         safe(lightTheme())},
        {"dark-safe", QT_TRANSLATE_NOOP("Theme", "Dark, for c&olour blindness"), safe(darkTheme())},
        {"light-contrast", QT_TRANSLATE_NOOP("Theme", "Light, &high contrast"),
         highContrast(safe(lightTheme()))},
        {"dark-contrast", QT_TRANSLATE_NOOP("Theme", "Dark, h&igh contrast"),
         highContrast(safe(darkTheme()))},
    };
    return rows;
}

QString otherTheme(const QString& id, bool systemDark) {
    const std::vector<ThemeRow>& rows = themeRows();
    for (size_t i = 0; i < rows.size(); ++i)
        if (id == QLatin1String(rows[i].id)) return QString::fromLatin1(rows[i ^ 1].id);
    return QString::fromLatin1(rows[systemDark ? 0 : 1].id);
}

const Theme& themeCalled(const QString& id, bool systemDark) {
    for (const ThemeRow& row : themeRows())
        if (id == QLatin1String(row.id)) return row.theme;
    return systemDark ? darkTheme() : lightTheme();
}

} // namespace cutaway::views
