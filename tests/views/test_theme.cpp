// SPDX-License-Identifier: GPL-3.0-or-later
// Every theme can be read: contrasts as WCAG 2 counts them, kinds that are told apart by colour,
// and by people with the common colour blindnesses where a theme says so.
#include "views/widgets/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QRegularExpression>
#include <QSet>
#include <QSlider>
#include <QtTest>
#include <cmath>

using namespace cutaway::views;

namespace {

struct Lab {
    double l, a, b;
};

/// CIE L*a*b* of a colour as \p matrix lets it be seen (linear RGB).
Lab seen(const QColor& color, const double (&matrix)[3][3]) {
    auto linear = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    const double in[3] = {linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
    double rgb[3];
    for (int i = 0; i < 3; ++i)
        rgb[i] = std::clamp(matrix[i][0] * in[0] + matrix[i][1] * in[1] + matrix[i][2] * in[2], 0.0,
                            1.0);
    const double x = (0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.95047;
    const double y = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    const double z = (0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.08883;
    auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}

// Machado, Oliveira and Fernandes 2009, full severity.
constexpr double kUsual[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr double kProtan[3][3] = {{0.152286, 1.052583, -0.204868},
                                  {0.114503, 0.786281, 0.099216},
                                  {-0.003882, -0.048116, 1.051998}};
constexpr double kDeutan[3][3] = {{0.367322, 0.860646, -0.227968},
                                  {0.280085, 0.672501, 0.047413},
                                  {-0.011820, 0.042940, 0.968881}};

double distance(const QColor& a, const QColor& b, const double (&matrix)[3][3]) {
    const Lab x = seen(a, matrix), y = seen(b, matrix);
    return std::hypot(x.l - y.l, x.a - y.a, x.b - y.b);
}

template <typename Colors> double nearest(const Colors& colors, const double (&matrix)[3][3]) {
    double least = 1e9;
    for (size_t i = 0; i < colors.size(); ++i)
        for (size_t j = i + 1; j < colors.size(); ++j)
            least = std::min(least, distance(colors[i], colors[j], matrix));
    return least;
}

} // namespace

class TestTheme : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void texts_can_be_read_data() {
        QTest::addColumn<QString>("id");
        for (const ThemeRow& row : themeRows())
            QTest::newRow(row.id) << QString(row.id);
    }
    void texts_can_be_read() {
        QFETCH(QString, id);
        const Theme& t = themeCalled(id, false);
        const double least = id.endsWith("contrast") ? 7 : 4.5;
        const std::pair<const char*, QColor> texts[] = {
            {"text", t.text},       {"muted", t.muted},   {"line numbers, placeholders", t.faint},
            {"comment", t.comment}, {"string", t.string}, {"number", t.number},
            {"keyword", t.keyword}, {"name", t.name},     {"type", t.type},
            {"label", t.label}};
        auto check = [](const char* what, const QColor& a, const char* where, const QColor& b,
                        double limit) {
            QVERIFY2(contrast(a, b) >= limit,
                     qPrintable(QString("%1 on %2: %3").arg(what, where).arg(contrast(a, b))));
        };
        for (const auto& [what, color] : texts) {
            const bool syntax = color != t.text && color != t.muted && color != t.faint;
            check(what, color, "base", t.base, syntax ? 4.5 : least);
            if (!syntax) check(what, color, "window", t.window, 4.5);
            if (color == t.faint) continue;
            check(what, color, "through", t.through, 4.5);
            check(what, color, "direct", t.direct, 4.5);
            check(what, color, "selected", t.selected, 4.5);
            check(what, color, "added", t.added, 4.5);
            check(what, color, "removed", t.removed, 4.5);
        }
        for (const QColor& tone : {t.error, t.warning, t.good, t.accent})
            check("tone", tone, "base", t.base, 4.5);
        check("accent text", t.accentText, "accent", t.accent, 4.5);
        // What the pointer is on: buttons, links, titles of menus.
        check("text", t.text, "hover", t.hover, least);
        check("muted", t.muted, "hover", t.hover, 4.5);
        for (const QColor& kind : t.kinds)
            check("letter", t.on(kind), "kind", kind, 4.5);
        for (const QColor& heat : t.heat)
            check("letter", t.on(heat), "heat", heat, 4.5);
    }
    void kinds_and_heat_are_told_apart() {
        for (const ThemeRow& row : themeRows()) {
            QVERIFY2(nearest(row.theme.kinds, kUsual) >= 18, row.id);
            QVERIFY2(nearest(row.theme.heat, kUsual) >= 15, row.id);
            if (!QString(row.id).contains('-')) continue; // says that it is for everybody
            for (const auto* blind : {&kProtan, &kDeutan}) {
                const auto& matrix = *blind;
                QVERIFY2(nearest(row.theme.kinds, matrix) >= 12, row.id);
                QVERIFY2(nearest(row.theme.heat, matrix) >= 10, row.id);
                QVERIFY2(distance(row.theme.added, row.theme.removed, matrix) >= 8, row.id);
            }
        }
        QSet<QString> letters;
        for (int kind = 0; kind < kOpKinds; ++kind)
            letters << opKindLetter(static_cast<OpKind>(kind));
        QCOMPARE(letters.size(), kOpKinds);
    }
    void what_is_chosen_stands_out_from_what_is_related() {
        for (const ThemeRow& row : themeRows()) {
            const Theme& t = row.theme;
            QVERIFY2(distance(t.selected, t.base, kUsual) > distance(t.direct, t.base, kUsual) + 5,
                     row.id);
            QVERIFY2(distance(t.direct, t.base, kUsual) > distance(t.through, t.base, kUsual),
                     row.id);
        }
    }
    /// The most that a pixel of a part stands out from the ground it is on.
    static double standsOut(QWidget& widget, const QRect& part) {
        const QImage image = widget.grab().toImage();
        const QColor ground = image.pixelColor(part.center());
        double most = 1;
        for (int y = part.top(); y <= part.bottom(); ++y)
            for (int x = part.left(); x <= part.right(); ++x)
                most = std::max(most, contrast(image.pixelColor(x, y), ground));
        return most;
    }
    void boxes_to_check_and_arrows_are_seen_in_every_theme() {
        for (const ThemeRow& row : themeRows()) {
            QApplication::setPalette(row.theme.palette());
            qApp->setStyleSheet(row.theme.styleSheet());
            QWidget ground;
            ground.setAutoFillBackground(true);
            ground.resize(200, 100);
            QCheckBox box(&ground);
            box.setGeometry(0, 0, 40, 30);
            QDoubleSpinBox spin(&ground);
            spin.setGeometry(60, 0, 100, 30);
            ground.show();
            const double unchecked = standsOut(ground, {1, 1, 30, 28});
            QVERIFY2(unchecked > 2.5, row.id);
            box.setChecked(true);
            QVERIFY2(standsOut(ground, {4, 8, 8, 14}) > 4, row.id); // the tick
            const QImage with = ground.grab().toImage();
            spin.setButtonSymbols(QAbstractSpinBox::NoButtons);
            QVERIFY2(with != ground.grab().toImage(), row.id);
            spin.setButtonSymbols(QAbstractSpinBox::UpDownArrows);
            QVERIFY2(standsOut(ground, {146, 3, 11, 23}) > 2.5, row.id);
        }
        qApp->setStyleSheet({});
    }
    void sliders_are_seen_in_every_theme() {
        for (const ThemeRow& row : themeRows()) {
            QApplication::setPalette(row.theme.palette());
            qApp->setStyleSheet(row.theme.styleSheet());
            QWidget ground;
            ground.setAutoFillBackground(true);
            ground.resize(200, 40);
            QSlider slider(Qt::Horizontal, &ground);
            slider.setGeometry(10, 5, 180, 30);
            slider.setRange(0, 2);
            slider.setValue(1);
            ground.show();
            const QImage image = ground.grab().toImage();
            const auto seen = [&](int x) {
                return contrast(image.pixelColor(x, 20), image.pixelColor(x, 2));
            };
            QVERIFY2(seen(100) >= 4.5, row.id); // the handle
            QVERIFY2(seen(40) >= 3 && seen(160) >= 3, row.id);
        }
        qApp->setStyleSheet({});
    }
    void the_other_theme_is_as_this_one() {
        for (const ThemeRow& row : themeRows()) {
            const QString other = otherTheme(row.id, false);
            QCOMPARE(other.section('-', 1), QString(row.id).section('-', 1));
            QVERIFY(themeCalled(other, false).dark != row.theme.dark);
            QCOMPARE(otherTheme(other, false), QString(row.id));
        }
        QCOMPARE(otherTheme("system", false), QString("dark"));
        QCOMPARE(otherTheme("system", true), QString("light"));
    }
    void every_colour_is_set() {
        for (const ThemeRow& row : themeRows()) {
            QVERIFY(row.theme.disabled.isValid() && row.theme.faint.isValid());
            for (const QColor& color : row.theme.heat)
                QVERIFY(color.isValid());
            QString sheet = row.theme.styleSheet();
            sheet.remove(QRegularExpression("/\\*.*?\\*/"));
            QVERIFY(!sheet.isEmpty() && !sheet.contains('@'));
        }
    }
};

QTEST_MAIN(TestTheme)
#include "test_theme.moc"
