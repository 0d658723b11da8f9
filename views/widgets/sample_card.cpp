// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/sample_card.h"

#include <QPainter>
#include <QTextLayout>
#include <algorithm>

namespace cutaway::views {

namespace {

constexpr int kLetters = 32;     ///< of the text, in a line
constexpr int kLines = 3;        ///< of it; the tooltip tells the rest
constexpr int kPad = 10;         ///< around the words
constexpr double kPicture = 0.5; ///< height of the picture, of the card's width
constexpr double kLargest = 0.8;
constexpr double kRounding = 8;

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto mix = [share](int x, int y) { return static_cast<int>(x + (y - x) * share); };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

/// As many lines as there is room for, the last one shortened.
void drawLines(QPainter& painter, const QString& text, const QRectF& room) {
    QTextLayout layout(text, painter.font());
    const QFontMetricsF metrics(painter.font());
    const int most = std::max(1, static_cast<int>(room.height() / metrics.lineSpacing()));
    layout.beginLayout();
    for (int at = 0;; ++at) {
        QTextLine line = layout.createLine();
        if (!line.isValid()) break;
        line.setLineWidth(room.width());
        const QPointF place(room.left(), room.top() + at * metrics.lineSpacing());
        const bool last = at + 1 == most && line.textStart() + line.textLength() < text.size();
        const QString words = last ? text.mid(line.textStart())
                                   : text.mid(line.textStart(), line.textLength()).trimmed();
        painter.drawText(place + QPointF(0, metrics.ascent()),
                         last ? metrics.elidedText(words, Qt::ElideRight, room.width()) : words);
        if (at + 1 == most) break;
    }
    layout.endLayout();
}

} // namespace

void paintThumbnail(QPainter& painter, const Thumbnail& thumbnail, const QRectF& room,
                    const Theme& theme) {
    if (thumbnail.isEmpty()) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double scale = std::min(
        {room.width() / thumbnail.size.width(), room.height() / thumbnail.size.height(), kLargest});
    painter.translate(room.center() -
                      QPointF(thumbnail.size.width(), thumbnail.size.height()) * scale / 2);
    painter.scale(scale, scale);
    painter.setPen(Qt::NoPen);
    for (size_t i = 0; i < thumbnail.bands.size(); ++i) {
        QColor color = i == 0 ? theme.kind(OpKind::Pointwise) : theme.again;
        color.setAlphaF(theme.dark ? 0.12 : 0.08);
        painter.setBrush(color);
        painter.drawRoundedRect(thumbnail.bands[i], 12, 12);
    }
    painter.setBrush(Qt::NoBrush);
    for (const Thumbnail::Edge& edge : thumbnail.edges) {
        const QColor color = edge.saved ? theme.saved : mixed(theme.faint, theme.base, 0.45);
        painter.setPen(QPen(color, (edge.saved ? 1.6 : 0.9) / scale, Qt::SolidLine, Qt::FlatCap,
                            Qt::RoundJoin));
        painter.drawPolyline(edge.points);
    }
    for (const Thumbnail::Node& node : thumbnail.nodes) {
        const QColor kind = theme.kind(node.kind);
        painter.setPen(QPen(kind, 1 / scale, node.ghost ? Qt::DashLine : Qt::SolidLine));
        painter.setBrush(mixed(theme.base, kind, node.ghost ? 0.15 : 0.55));
        const double round = node.kind == OpKind::Input ? node.rect.height() / 2 : 5;
        painter.drawRoundedRect(node.rect, round, round);
    }
    painter.restore();
}

SampleCard::SampleCard(const Thumbnail& thumbnail, const QString& title, const QString& teaches,
                       const QString& badge, QWidget* parent)
    : QAbstractButton(parent), thumbnail_(thumbnail), teaches_(teaches), badge_(badge) {
    setText(title);
    setAccessibleName(badge.isEmpty() ? title : title + ", " + badge);
    setAccessibleDescription(teaches);
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SampleCard::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

QFont SampleCard::titleFont() const {
    QFont bold = font();
    bold.setBold(true);
    return bold;
}

QFont SampleCard::textFont() const {
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.92);
    return small;
}

int SampleCard::textHeight() const {
    return QFontMetrics(titleFont()).height() + 3 + kLines * QFontMetrics(textFont()).lineSpacing();
}

QSize SampleCard::sizeHint() const {
    const int wide = QFontMetrics(textFont()).averageCharWidth() * kLetters + 2 * kPad;
    const int picture = static_cast<int>(wide * kPicture);
    return {wide, picture + textHeight() + 2 * kPad};
}

void SampleCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool lit = hasFocus() || underMouse();
    painter.setPen(QPen(lit ? theme_.accent : theme_.border, hasFocus() ? 2 : 1));
    painter.setBrush(theme_.base);
    const QRectF all = QRectF(rect()).adjusted(1, 1, -1, -1);
    painter.drawRoundedRect(all, kRounding, kRounding);
    QRectF words = all.adjusted(kPad, 0, -kPad, -kPad);
    words.setTop(words.bottom() - textHeight());
    const QRectF picture(all.left() + kPad, all.top() + kPad, all.width() - 2 * kPad,
                         words.top() - all.top() - 2 * kPad);
    paintThumbnail(painter, thumbnail_, picture, theme_);
    const QFontMetricsF title(titleFont());
    const double taken =
        paintBadge(painter, {words.left(), words.top(), words.width(), title.height()});
    painter.setFont(titleFont());
    painter.setPen(lit ? theme_.accent : theme_.text);
    painter.drawText(QPointF(words.left(), words.top() + title.ascent()),
                     title.elidedText(text(), Qt::ElideRight, words.width() - taken));
    words.setTop(words.top() + title.height() + 3);
    painter.setFont(textFont());
    painter.setPen(theme_.muted);
    drawLines(painter, teaches_, words);
}

/// Beside the name. \returns the room that it takes
double SampleCard::paintBadge(QPainter& painter, const QRectF& line) const {
    if (badge_.isEmpty()) return 0;
    const QFontMetricsF metrics(textFont());
    QRectF badge(0, 0, metrics.horizontalAdvance(badge_) + 14, line.height() + 2);
    badge.moveCenter({line.right() - badge.width() / 2, line.center().y()});
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.accent);
    painter.drawRoundedRect(badge, badge.height() / 2, badge.height() / 2);
    painter.setFont(textFont());
    painter.setPen(theme_.accentText);
    painter.drawText(badge, Qt::AlignCenter, badge_);
    return badge.width() + kPad;
}

} // namespace cutaway::views
