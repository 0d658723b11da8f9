// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/timeline_view.h"

#include "views/models/format.h"
#include "views/models/significance.h"

#include <QHelpEvent>
#include <QImage>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace cutaway::views {

namespace {
constexpr double kSeenAround = 8; ///< of what is gone to: its length times that is in sight
constexpr double kLane = 26, kLaneGap = 6, kNames = 84, kAxis = 22, kMostZoom = 1e5, kThin = 3;
constexpr qsizetype kMostNames = 4000; ///< that are kept laid out
constexpr double kLeastTick = 90;      ///< pixels from one number of the axis to the next
} // namespace

/// As \p share of the one over the other, without what blending costs.
static QColor mixed(const QColor& below, const QColor& over, double share) {
    const auto part = [share](int a, int b) { return static_cast<int>(a + (b - a) * share); };
    return {part(below.red(), over.red()), part(below.green(), over.green()),
            part(below.blue(), over.blue())};
}

namespace {
/// What colours a span has that is not lit; those of slices follow.
enum Look : uint8_t { kDisturbed, kRest, kPass, kLines, kKernel, kSlice };
} // namespace

static uint8_t lookOf(const Span& span) {
    if (span.disturbed) return kDisturbed;
    switch (span.kind) {
    case Span::Kind::Rest:
        return kRest;
    case Span::Kind::Pass:
        return kPass;
    case Span::Kind::Lines:
        return kLines;
    case Span::Kind::Slice:
        return static_cast<uint8_t>(kSlice + span.hue % kOpKinds);
    default:
        return kKernel;
    }
}

TimelineView::TimelineView(QWidget* parent) : Chart(parent) {
    setMinimumSize(160, 80);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
}

void TimelineView::setTimeline(Timeline line, bool dimmed) {
    const bool same = line.us == line_.us && line.spans.size() == line_.spans.size();
    line_ = std::move(line);
    dimmed_ = dimmed;
    lanes_.assign(static_cast<size_t>(line_.lanes.size()), {});
    spansOfItem_.clear();
    widestName_ = kNames - 12;
    for (const QString& name : line_.lanes)
        widestName_ = std::max(widestName_, double(fontMetrics().horizontalAdvance(name)));
    std::vector<size_t> counts(lanes_.size(), 0); // growing takes as long as filling
    for (const Span& span : line_.spans)
        ++counts[static_cast<size_t>(span.lane)];
    for (size_t lane = 0; lane < lanes_.size(); ++lane)
        lanes_[lane].reserve(counts[lane]);
    for (size_t i = 0; i < line_.spans.size(); ++i) {
        const Span& span = line_.spans[i];
        lanes_[static_cast<size_t>(span.lane)].push_back(
            {span.begin, span.begin + span.us, static_cast<int>(i), span.item, lookOf(span)});
        if (span.item != kNoItem) spansOfItem_[span.item].push_back(static_cast<int>(i));
    }
    for (std::vector<Placed>& lane : lanes_)
        if (!std::ranges::is_sorted(lane, {}, &Placed::begin))
            std::ranges::stable_sort(lane, {}, &Placed::begin);
    found_.clear();
    foundAt_ = 0;
    if (!same) fit();
    update();
}

void TimelineView::fit() {
    from_ = 0;
    zoom_ = 1;
    update();
}

TimelineView::Found TimelineView::find(const QString& text) {
    Found result;
    found_.clear();
    foundAt_ = 0;
    for (size_t i = 0; !text.isEmpty() && i < line_.spans.size(); ++i)
        if (line_.spans[i].name.contains(text, Qt::CaseInsensitive)) {
            found_.push_back(static_cast<int>(i));
            result.us += line_.spans[i].us;
        }
    std::ranges::stable_sort(found_, {},
                             [this](int i) { return line_.spans[static_cast<size_t>(i)].begin; });
    result.count = found_.size();
    update();
    return result;
}

const Span* TimelineView::goToFound(bool forward) {
    if (found_.empty()) return nullptr;
    foundAt_ = forward         ? foundAt_ % found_.size() + 1
               : foundAt_ <= 1 ? found_.size()
                               : foundAt_ - 1;
    const Span& span = line_.spans[static_cast<size_t>(found_[foundAt_ - 1])];
    // As wide as it can be read, and not narrower than it is looked at.
    zoom_ = std::clamp(line_.us / std::max(kSeenAround * span.us, 1e-3), zoom_, kMostZoom);
    from_ = span.begin + span.us / 2 - line_.us / zoom_ / 2;
    moveBy(0);
    return &span;
}

int TimelineView::wantedHeight() const {
    return static_cast<int>(kAxis + 8 + double(lanes_.size()) * (kLane + kLaneGap));
}

/// Wide enough for the names of lanes, but for very long ones.
double TimelineView::nameWidth() const {
    return std::min(widestName_ + 12, std::max(kNames, width() / 4.0));
}

QRectF TimelineView::plot() const {
    return QRectF(rect()).adjusted(nameWidth(), kAxis, -10, -8);
}

QRectF TimelineView::rectOf(const Span& span) const {
    return rectOf(span, plot());
}

QRectF TimelineView::rectOf(const Span& span, const QRectF& area) const {
    const double scale = line_.us > 0 ? area.width() * zoom_ / line_.us : 0;
    return {area.left() + (span.begin - from_) * scale, area.top() + span.lane * (kLane + kLaneGap),
            std::max(1.0, span.us * scale), kLane};
}

const Span* TimelineView::spanAt(QPointF at) const {
    const QRectF area = plot();
    if (!area.contains(at)) return nullptr;
    const auto lane = static_cast<size_t>((at.y() - area.top()) / (kLane + kLaneGap));
    if (lane >= lanes_.size()) return nullptr;
    const Span* found = nullptr;
    eachSeen(lanes_[lane], [&](const Placed& placed) {
        const Span& span = line_.spans[static_cast<size_t>(placed.span)];
        if (rectOf(span).contains(at)) found = &span;
    });
    return found;
}

template <typename F> void TimelineView::eachSeen(const std::vector<Placed>& lane, F paint) const {
    const double perPixel = line_.us / zoom_ / std::max(1.0, plot().width());
    const double last = from_ + line_.us / zoom_;
    // Spans of a lane do not overlap: their ends are in order, too.
    auto at = std::ranges::lower_bound(lane, from_, {}, &Placed::end);
    while (at != lane.end()) {
        if (at->begin > last) return;
        paint(*at);
        const double pixel = std::floor((at->end - from_) / perPixel) + 1;
        const double behind = from_ + pixel * perPixel;
        // What ends in the pixel in which this one ends is not seen beside it: most often few.
        ptrdiff_t step = 1;
        const ptrdiff_t left = lane.end() - at;
        while (step < left && at[step].end <= behind)
            step *= 2;
        at = std::ranges::lower_bound(at + step / 2 + (step == 1), at + std::min(step, left),
                                      behind, {}, &Placed::end);
    }
}

bool TimelineView::isLit(ItemId item) const {
    return selection_ && item != kNoItem && selection_->level(item) >= Highlight::Direct;
}

void TimelineView::moveBy(double pixels) {
    const double seen = line_.us / zoom_;
    from_ = std::clamp(from_ + pixels * seen / plot().width(), 0.0, std::max(0.0, line_.us - seen));
    update();
}

void TimelineView::zoomAt(double x, double factor) {
    const double share = std::clamp((x - plot().left()) / plot().width(), 0.0, 1.0);
    const double at = from_ + share * line_.us / zoom_;
    zoom_ = std::clamp(zoom_ * factor, 1.0, kMostZoom);
    from_ = at - share * line_.us / zoom_;
    moveBy(0);
}

/// Numbers at round places.
void TimelineView::paintAxis(QPainter& painter) const {
    const QRectF area = plot();
    const double seen = line_.us / zoom_, wanted = seen * kLeastTick / area.width();
    double step = std::pow(10, std::floor(std::log10(wanted)));
    while (step < wanted)
        step *= step * 2 >= wanted ? 2 : step * 5 >= wanted ? 5 : 10;
    for (double us = std::ceil(from_ / step) * step; us <= from_ + seen; us += step) {
        const double x = area.left() + (us - from_) / seen * area.width();
        painter.setPen(theme_.border);
        painter.drawLine(QPointF(x, area.top() - 4), QPointF(x, area.bottom()));
        painter.setPen(theme_.muted);
        const QString text = us > 0 ? format::microseconds(us) : QStringLiteral("0");
        if (x + painter.fontMetrics().horizontalAdvance(text) / 2.0 > width()) continue;
        painter.drawText(QRectF(x - 60, 0, 120, kAxis - 4), Qt::AlignHCenter | Qt::AlignBottom,
                         text);
    }
}

/// Opaque: that costs less than blending.
void TimelineView::mixColors() {
    colors_ = {theme_.warning, theme_.faint, theme_.kind(OpKind::View),
               theme_.kind(OpKind::Reduction), theme_.kind(OpKind::Pointwise)};
    colors_.insert(colors_.end(), theme_.kinds.begin(), theme_.kinds.end());
    for (QColor& color : colors_)
        color = mixed(theme_.base, color, dimmed_ ? 0.12 : 0.30);
}

/// Spans that are hardly wider than a pixel, of which there may be one for each pixel, are one
/// picture of a row that is drawn as high as the lane.
void TimelineView::paintLane(QPainter& painter, const std::vector<Placed>& lane,
                             const QRectF& area) const {
    if (lane.empty()) return;
    const double scale = area.width() * zoom_ / line_.us;
    std::vector<QRgb> thin(static_cast<size_t>(std::max(1.0, std::ceil(area.width()))), 0);
    bool any = false;
    eachSeen(lane, [&](const Placed& placed) {
        const double width = std::max(1.0, (placed.end - placed.begin) * scale);
        if (width >= kThin)
            return paintSpan(painter, line_.spans[static_cast<size_t>(placed.span)], area);
        const double x = (placed.begin - from_) * scale;
        const auto first = static_cast<size_t>(std::max(0.0, x));
        const auto behind = std::max(first + 1, static_cast<size_t>(std::max(0.0, x + width)));
        const QRgb color = (isLit(placed.item) ? theme_.mark : colors_[placed.look]).rgb();
        for (size_t pixel = first; pixel < std::min(behind, thin.size()); ++pixel)
            thin[pixel] = color;
        any = true;
    });
    if (!any) return;
    const auto width = static_cast<int>(thin.size());
    const int laneAt = line_.spans[static_cast<size_t>(lane.front().span)].lane;
    painter.drawImage(QRect(static_cast<int>(area.left()),
                            static_cast<int>(area.top() + laneAt * (kLane + kLaneGap)), width,
                            static_cast<int>(kLane)),
                      QImage(reinterpret_cast<const uchar*>(thin.data()), width, 1,
                             QImage::Format_ARGB32_Premultiplied));
}

void TimelineView::paintSpan(QPainter& painter, const Span& span, const QRectF& area) const {
    const QRectF box = rectOf(span, area).intersected(area);
    if (box.isEmpty()) return;
    const bool lit = isLit(span.item);
    const QColor fill =
        lit ? theme_.highlight(selection_->level(span.item)) : colors_[lookOf(span)];
    if (lit && box.width() < kThin) {
        painter.fillRect(box.toAlignedRect(), theme_.mark);
    } else if (lit) { // few
        painter.setPen(QPen(theme_.mark, 1.8));
        painter.setBrush(fill);
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
    } else { // a gap parts it from the next
        painter.fillRect(box.toRect().adjusted(0, 1, -1, -1), fill);
    }
    if (span.disturbed) { // told without its colour, too
        QColor hatch = lit ? fill : theme_.warning;
        hatch.setAlphaF(dimmed_ ? 0.12 : 0.30);
        painter.fillRect(box.adjusted(1, 1, -1, -1), QBrush(hatch, Qt::BDiagPattern));
    }
    if (box.width() < 30) return;
    painter.setPen(dimmed_ ? theme_.faint : theme_.text);
    const QStaticText& name = nameIn(span.name, static_cast<int>(box.width()) - 8);
    painter.drawStaticText(QPointF(box.left() + 4, box.center().y() - name.size().height() / 2),
                           name);
}

/// Thousands of slices have few names, and to lay a text out takes longer than to paint it.
const QStaticText& TimelineView::nameIn(const QString& name, int room) const {
    if (namesFont_ != font() || names_.size() > kMostNames) names_.clear();
    namesFont_ = font();
    QStaticText& text = names_[{name, room}];
    if (text.text().isEmpty()) {
        text.setTextFormat(Qt::PlainText);
        text.setText(fontMetrics().elidedText(name, Qt::ElideMiddle, room));
        text.prepare({}, font());
    }
    return text;
}

void TimelineView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (!begin(painter, line_.spans.empty() || line_.us <= 0)) return;
    mixColors();
    paintAxis(painter);
    painter.setPen(theme_.muted);
    const QRectF area = plot();
    const double names = area.left() - 12;
    for (int lane = 0; lane < line_.lanes.size(); ++lane)
        painter.drawText(
            QRectF(6, area.top() + lane * (kLane + kLaneGap), names, kLane),
            Qt::AlignVCenter | Qt::AlignLeft,
            painter.fontMetrics().elidedText(line_.lanes[lane], Qt::ElideMiddle, int(names)));
    for (const std::vector<Placed>& lane : lanes_)
        paintLane(painter, lane, area);
    if (foundAt_ > 0) {
        painter.setPen(QPen(theme_.accent, 2));
        painter.setBrush(Qt::NoBrush);
        const Span& gone = line_.spans[static_cast<size_t>(found_[foundAt_ - 1])];
        painter.drawRect(rectOf(gone, area).intersected(area).adjusted(-1, -1, 1, 1));
    }
    for (auto at = spansOfItem_.constBegin(); at != spansOfItem_.constEnd(); ++at)
        if (isLit(at.key())) // over what shares its pixel
            for (int i : *at)
                paintSpan(painter, line_.spans[static_cast<size_t>(i)], area);
}

void TimelineView::wheelEvent(QWheelEvent* event) {
    if (event->modifiers() & Qt::ShiftModifier) return moveBy(-event->angleDelta().y());
    zoomAt(event->position().x(), std::pow(1.002, event->angleDelta().y()));
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    pressed_ = event->position();
    fromAtPress_ = from_;
    dragging_ = false;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & Qt::LeftButton)) return;
    const double moved = event->position().x() - pressed_.x();
    if (!dragging_ && std::abs(moved) < 5) return;
    dragging_ = true;
    from_ = fromAtPress_;
    moveBy(-moved);
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (dragging_ || !selection_ || event->button() != Qt::LeftButton) return;
    const Span* span = spanAt(event->position());
    if (span && span->item != kNoItem) selection_->select({span->item}, this);
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent*) {
    fit();
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomAt(plot().center().x(), 1.5);
    case Qt::Key_Minus:
        return zoomAt(plot().center().x(), 1 / 1.5);
    case Qt::Key_Left:
        return moveBy(-plot().width() / 10);
    case Qt::Key_Right:
        return moveBy(plot().width() / 10);
    case Qt::Key_Space:
        return fit();
    default:
        QWidget::keyPressEvent(event);
    }
}

bool TimelineView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const Span* span = spanAt(help->pos());
    if (!span) {
        QToolTip::hideText();
        return true;
    }
    const QString time = format::microseconds(span->us);
    QString tip = tr("%1\n%2, %3 % of all")
                      .arg(span->name, span->disturbed ? disturbedText(time) : time,
                           QString::number(100 * span->us / line_.us, 'f', 1));
    if (span->disturbed) tip += "\n" + line_.disturbed;
    QToolTip::showText(help->globalPos(), tip, this);
    return true;
}

} // namespace cutaway::views
