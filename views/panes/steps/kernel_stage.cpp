// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/steps/kernel_stage.h"

#include <QPainter>
#include <QRegularExpression>
#include <algorithm>
#include <map>

namespace cutaway::views {

namespace {
constexpr double kMargin = 12, kLeastTitle = 20, kGap = 16, kMostCell = 26, kLeastCell = 5;
constexpr int kFewLines = 3;     ///< of the loops, at least
constexpr double kLettered = 13; ///< a cell that has room for a sign
using Touching = KernelStory::Touching;

double titleHeight(const QFont& font) {
    return std::max(kLeastTitle, QFontMetricsF(font).height() + 3);
}

std::vector<int64_t> rowCoords(const KernelStory::Touch& touch) {
    return touch.coords.empty()
               ? touch.coords
               : std::vector<int64_t>(touch.coords.begin(), touch.coords.end() - 1);
}
int64_t columnCoord(const KernelStory::Touch& touch) {
    return touch.coords.empty() ? 0 : touch.coords.back();
}
bool isComputed(const KernelStory::Touch& touch) {
    return std::find(touch.coords.begin(), touch.coords.end(), -1) != touch.coords.end();
}
/// Sorted, each once.
template <typename T> void addTo(std::vector<T>& all, const T& one) {
    const auto at = std::lower_bound(all.begin(), all.end(), one);
    if (at == all.end() || *at != one) all.insert(at, one);
}
} // namespace

KernelStage::KernelStage(QWidget* parent) : QWidget(parent), theme_(lightTheme()) {
    setAccessibleName(tr("Kernel over the first elements"));
}

static QColor mixed(const QColor& ground, const QColor& color, double share) {
    auto part = [&](int a, int b) { return static_cast<int>(a + (b - a) * share); };
    return QColor(part(ground.red(), color.red()), part(ground.green(), color.green()),
                  part(ground.blue(), color.blue()));
}

QColor KernelStage::wasRead(const Theme& theme) {
    return mixed(theme.base, theme.accent, 0.28);
}

QColor KernelStage::wasWritten(const Theme& theme) {
    return mixed(theme.base, theme.good, 0.4);
}

void KernelStage::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

void KernelStage::setStory(KernelStory story) {
    story_ = std::move(story);
    grids_.assign(story_.buffers.size(), {});
    for (const KernelStory::Moment& moment : story_.moments)
        for (const KernelStory::Touch& touch : moment.touches) {
            Grid& grid = grids_[touch.buffer];
            if (isComputed(touch)) {
                grid.computed = true;
                continue;
            }
            addTo(grid.rows, rowCoords(touch));
            addTo(grid.columns, columnCoord(touch));
        }
    for (size_t b = 0; b < grids_.size(); ++b)
        findCacheLines(b);
    setMoment(0);
}

void KernelStage::findCacheLines(size_t buffer) {
    Grid& grid = grids_[buffer];
    grid.cacheLines = story_.cacheLines(buffer);
    const KernelStory::CacheLines lines(story_.buffers[buffer]);
    for (std::vector<int64_t> coords : grid.rows) {
        coords.push_back(0);
        int64_t last = -1;
        for (size_t c = 0; c < grid.columns.size(); ++c) {
            coords.back() = grid.columns[c];
            const int64_t line = lines.of(coords);
            grid.beginsLine.push_back(c > 0 && line != last);
            last = line;
        }
    }
}

void KernelStage::setMoment(int moment) {
    moment_ = static_cast<size_t>(std::max(0, moment));
    update();
}

size_t KernelStage::Grid::rowOf(const KernelStory::Touch& touch) const {
    return static_cast<size_t>(std::lower_bound(rows.begin(), rows.end(), rowCoords(touch)) -
                               rows.begin());
}

size_t KernelStage::Grid::columnOf(const KernelStory::Touch& touch) const {
    return static_cast<size_t>(
        std::lower_bound(columns.begin(), columns.end(), columnCoord(touch)) - columns.begin());
}

double KernelStage::heightOf(size_t buffer, double cell) const {
    return titleHeight(font()) +
           cell * static_cast<double>(std::max<size_t>(1, grids_[buffer].rows.size())) + kGap;
}

static QString labelOf(const std::vector<int64_t>& row) {
    QStringList parts;
    for (int64_t c : row)
        parts << QString::number(c);
    return parts.join(", ");
}

double KernelStage::labelWidth(size_t buffer) const {
    double widest = 0;
    for (const auto& row : grids_[buffer].rows)
        widest = std::max(widest, QFontMetricsF(font()).horizontalAdvance(labelOf(row)));
    return widest + 6;
}

double KernelStage::gridWidth(size_t buffer, double cell) const {
    return labelWidth(buffer) + cell * static_cast<double>(grids_[buffer].columns.size());
}

QString KernelStage::titleOf(size_t buffer, size_t cacheLines) const {
    QString title = story_.buffers[buffer].name + "  " + story_.buffers[buffer].type;
    if (cacheLines > 0)
        title += "  " + tr("%n cache line(s) so far", nullptr, static_cast<int>(cacheLines));
    if (grids_[buffer].computed) title += "  " + tr("(places that only values tell)");
    return title;
}

/// At any moment.
double KernelStage::titleWidth(size_t buffer) const {
    return QFontMetricsF(font()).horizontalAdvance(titleOf(buffer, 99));
}

/// Beside each other as long as there is room, from the left upper corner.
std::vector<QRectF> KernelStage::placesOf(double width, double cell) const {
    std::vector<QRectF> places;
    double x = 0, top = 0, high = 0;
    for (size_t b = 0; b < grids_.size(); ++b) {
        const double wanted = std::max(titleWidth(b), gridWidth(b, cell)) + kGap;
        if (x > 0 && x + wanted > width) {
            x = 0, top += high, high = 0;
        }
        places.emplace_back(x, top, std::min(wanted, width - x), heightOf(b, cell));
        x += wanted;
        high = std::max(high, places.back().height());
    }
    return places;
}

double KernelStage::heightOfBuffers(double width, double cell) const {
    double height = 0;
    for (const QRectF& place : placesOf(width, cell))
        height = std::max(height, place.bottom());
    return height;
}

bool KernelStage::showsAllBuffers() const {
    const QRectF room = areasOf().buffers;
    return heightOfBuffers(room.width(), kLeastCell) - kGap <= room.height();
}

bool KernelStage::showsTitles() const {
    const std::vector<QRectF> places = placesOf(areasOf().buffers.width(), kLeastCell);
    for (size_t b = 0; b < places.size(); ++b)
        if (places[b].width() < titleWidth(b)) return false;
    return true;
}

KernelStage::Areas KernelStage::areasOf() const {
    const QRectF all = QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin);
    double code = 0;
    for (const QString& line : story_.lines)
        code = std::max(code, QFontMetricsF(codeFont()).horizontalAdvance(line) + 12);
    // Beside the loops where both have room, else below them: lines that are cut tell nothing.
    if (code <= all.width() / 2)
        return {QRectF(all.left(), all.top(), code, all.height()),
                all.adjusted(code + kGap, 0, 0, 0)};
    // The line of now stays in sight, so that few will do where buffers need the room.
    const double lines = static_cast<double>(story_.lines.size()) * lineHeight();
    const double left = all.height() - kGap - heightOfBuffers(all.width(), kLeastCell);
    const double few = left < kFewLines * lineHeight() // no room is enough for all of them
                           ? std::max(kFewLines * lineHeight(), all.height() / 3)
                           : kFewLines * lineHeight();
    const double high = std::min(lines, std::max(few, std::min(all.height() / 2, left)));
    return {QRectF(all.left(), all.top(), all.width(), high), all.adjusted(0, high + kGap, 0, 0)};
}

void KernelStage::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_.base);
    if (story_.moments.empty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const Areas areas = areasOf();
    paintLoops(painter, areas.loops);
    const QRectF& right = areas.buffers;
    double cell = kMostCell;
    auto fits = [&](double size) {
        for (size_t b = 0; b < grids_.size(); ++b)
            if (gridWidth(b, size) > right.width()) return false;
        return heightOfBuffers(right.width(), size) - kGap <= right.height();
    };
    while (cell > kLeastCell && !fits(cell))
        cell -= 1;
    const std::vector<QRectF> places = placesOf(right.width(), cell);
    painter.setClipRect(right.adjusted(-kMargin, 0, kMargin, kMargin));
    const QPointF at = right.topLeft() - QPointF(0, scrolledBy(places, right.height()));
    for (size_t b = 0; b < grids_.size(); ++b)
        if (const QRectF area = places[b].translated(at); area.intersects(right))
            paintGrid(painter, b, area, cell);
}

/// How far down what is touched now lies, where not all buffers have a place in sight.
double KernelStage::scrolledBy(const std::vector<QRectF>& places, double room) const {
    QRectF touched;
    for (const KernelStory::Touch& touch : story_.moments[moment_].touches)
        touched |= places[touch.buffer];
    return touched.bottom() - kGap <= room ? 0 : touched.top();
}

bool KernelStage::showsTouched() const {
    const QRectF room = areasOf().buffers;
    const std::vector<QRectF> places = placesOf(room.width(), kLeastCell);
    const double by = scrolledBy(places, room.height());
    return std::ranges::all_of(story_.moments[moment_].touches, [&](const auto& touch) {
        const QRectF& place = places[touch.buffer];
        return place.top() >= by && place.bottom() - kGap - by <= room.height();
    });
}

double KernelStage::lineHeight() {
    return QFontMetrics(codeFont()).height() + 2;
}

/// The line of now stays in sight.
void KernelStage::paintLoops(QPainter& painter, const QRectF& area) const {
    const int now = story_.moments[moment_].line;
    painter.setFont(codeFont());
    const double line = lineHeight();
    const int room = std::max(1, static_cast<int>(area.height() / line));
    const int count = static_cast<int>(story_.lines.size());
    const int first = std::clamp(now - room / 2, 0, std::max(0, count - room));
    const int end = std::min(count, first + room);
    for (int k = first; k < end; ++k) {
        const QRectF row(area.left(), area.top() + (k - first) * line, area.width(), line);
        if (k == now) painter.fillRect(row, theme_.selected);
        painter.setPen(theme_.text);
        painter.drawText(row.adjusted(4, 0, 0, 0), Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(story_.lines[k], Qt::ElideRight,
                                                          static_cast<int>(row.width()) - 6));
        // How many are out of sight.
        QString more;
        if (k == first && first > 0) more = QString("↑ %1").arg(first);
        if (k == end - 1 && end < count) more = QString("↓ %1").arg(count - end);
        painter.setPen(theme_.muted);
        painter.drawText(row.adjusted(0, 0, -6, 0), Qt::AlignVCenter | Qt::AlignRight, more);
    }
    painter.setFont(font());
}

void KernelStage::paintGrid(QPainter& painter, size_t buffer, const QRectF& area,
                            double cell) const {
    const Grid& grid = grids_[buffer];
    std::map<std::pair<size_t, size_t>, Touching> before, now;
    std::map<std::pair<size_t, size_t>, int> by; ///< who does it; of several the first
    bool somewhere = false;
    for (size_t m = 0; m <= moment_; ++m)
        for (const KernelStory::Touch& touch : story_.moments[m].touches) {
            if (touch.buffer != buffer) continue;
            if (isComputed(touch)) {
                somewhere = somewhere || m == moment_;
                continue;
            }
            const std::pair place{grid.rowOf(touch), grid.columnOf(touch)};
            (m == moment_ ? now : before)[place] = touch.kind;
            if (m == moment_) by.emplace(place, touch.worker);
        }
    const QString title = titleOf(buffer, grid.cacheLines[moment_]);
    painter.setPen(somewhere ? theme_.mark : theme_.text);
    painter.drawText(
        QRectF(area.left(), area.top(), area.width(), titleHeight(font())), Qt::AlignVCenter,
        painter.fontMetrics().elidedText(title, Qt::ElideRight, static_cast<int>(area.width())));
    const double left = area.left() + labelWidth(buffer);
    static const QRegularExpression lastSize("(\\d+)\\]");
    const auto columns = lastSize.match(story_.buffers[buffer].type).captured(1).toULongLong();
    if (columns > grid.columns.size() && !grid.rows.empty()) { // not touched in this part
        painter.setPen(theme_.muted);
        const double high = std::max(cell, double(painter.fontMetrics().height()));
        const double behind = left + static_cast<double>(grid.columns.size()) * cell + 4;
        QString words = tr("… %1 columns in all").arg(columns);
        if (painter.fontMetrics().horizontalAdvance(words) > area.right() - behind)
            words = QStringLiteral("…"); // the title tells how many
        painter.drawText(
            QRectF(behind, area.top() + titleHeight(font()), area.right() - behind, high),
            Qt::AlignLeft | Qt::AlignTop, words);
    }
    for (size_t r = 0; r < grid.rows.size(); ++r) {
        const double y = area.top() + titleHeight(font()) + static_cast<double>(r) * cell;
        painter.setPen(theme_.muted);
        if (cell >= kLettered - 2)
            painter.drawText(QRectF(area.left(), y, left - area.left() - 4, cell),
                             Qt::AlignRight | Qt::AlignVCenter, labelOf(grid.rows[r]));
        for (size_t c = 0; c < grid.columns.size(); ++c) {
            const QRectF box(left + static_cast<double>(c) * cell, y, cell - 1, cell - 1);
            const auto lit = now.find({r, c});
            const auto old = before.find({r, c});
            const bool written = old != before.end() && old->second != Touching::Read;
            QColor fill = old == before.end() ? theme_.base
                          : written           ? wasWritten(theme_)
                                              : wasRead(theme_);
            if (lit != now.end())
                fill = lit->second == Touching::Read    ? theme_.accent
                       : lit->second == Touching::Write ? theme_.good
                                                        : theme_.warning;
            painter.fillRect(box, fill);
            painter.setPen(lit != now.end() ? theme_.mark : theme_.border);
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box);
            if (grid.beginsLine[r * grid.columns.size() + c]) {
                painter.setPen(QPen(theme_.text, 2)); // another cache line begins
                painter.drawLine(box.topLeft(), box.bottomLeft());
            }
            if (lit == now.end() || cell < kLettered) continue;
            painter.setPen(theme_.on(fill));
            const int worker = by[{r, c}];
            painter.drawText(box, Qt::AlignCenter,
                             worker >= 0                      ? QString::number(worker)
                             : lit->second == Touching::Read  ? QStringLiteral("r")
                             : lit->second == Touching::Write ? QStringLiteral("w")
                                                              : QStringLiteral("+"));
        }
    }
}

} // namespace cutaway::views
