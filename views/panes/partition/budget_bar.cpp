// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/partition/budget_bar.h"

#include "views/language/sentences.h"
#include "views/models/decisions.h"
#include "views/models/format.h"
#include "views/models/rows.h"
#include "views/widgets/elided_button.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::views {

namespace {

constexpr int kMargin = 8;
constexpr double kRadius = 3;
const QString kSubject = "budget";

QString decisionOf(const record::MemoryPoint& point) {
    return QString("%1 %2B").arg(kSubject).arg(point.peakBytes);
}

/// Less of one, and no more of the other.
bool beats(const record::MemoryPoint& a, const record::MemoryPoint& b) {
    return a.peakBytes <= b.peakBytes && a.us <= b.us && (a.peakBytes < b.peakBytes || a.us < b.us);
}

} // namespace

BudgetCurve::BudgetCurve(QWidget* parent) : QWidget(parent) {
    setFixedSize(180, 48);
    setObjectName("budgetCurve");
}

void BudgetCurve::setPoints(std::vector<Mark> points, std::vector<Mark> measured, Mark taken) {
    points_ = std::move(points);
    measured_ = std::move(measured);
    taken_ = taken;
    update();
}

void BudgetCurve::setAt(int at) {
    at_ = at;
    update();
}

void BudgetCurve::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

QPointF BudgetCurve::placed(const Mark& mark, const std::vector<Mark>& scale) const {
    double left = taken_.bytes, right = taken_.bytes;
    for (const Mark& each : points_)
        left = std::min(left, double(each.bytes)), right = std::max(right, double(each.bytes));
    double low = scale.front().us, high = low;
    for (const Mark& each : scale)
        low = std::min(low, each.us), high = std::max(high, each.us);
    auto share = [](double at, double from, double to) {
        return to > from ? (at - from) / (to - from) : 0.5;
    };
    return {kMargin + share(double(mark.bytes), left, right) * (width() - 2 * kMargin),
            height() - kMargin - share(mark.us, low, high) * (height() - 2 * kMargin)};
}

QPointF BudgetCurve::placeOf(const Mark& mark) const {
    std::vector<Mark> estimates = points_;
    estimates.push_back(taken_);
    return placed(mark, estimates);
}

void BudgetCurve::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme_.muted, 1));
    QPolygonF line;
    for (const Mark& point : points_)
        line << placeOf(point);
    painter.drawPolyline(line);
    painter.setBrush(theme_.base);
    for (const QPointF& at : line)
        painter.drawEllipse(at, kRadius, kRadius);
    painter.setPen(QPen(theme_.good, 1.5));
    for (const Mark& mark : measured_) {
        const QPointF at = placed(mark, measured_);
        painter.drawLine(at - QPointF(kRadius, kRadius), at + QPointF(kRadius, kRadius));
        painter.drawLine(at - QPointF(kRadius, -kRadius), at + QPointF(kRadius, -kRadius));
    }
    painter.setPen(QPen(theme_.accent, 1.5));
    painter.setBrush(theme_.accent);
    painter.drawEllipse(placeOf(taken_), kRadius, kRadius);
    painter.setBrush(Qt::NoBrush);
    if (at_ >= 0 && at_ < line.size()) painter.drawEllipse(line[at_], 2 * kRadius, 2 * kRadius);
}

void BudgetCurve::mouseReleaseEvent(QMouseEvent* event) {
    int nearest = -1;
    double least = std::numeric_limits<double>::max();
    for (size_t i = 0; i < points_.size(); ++i) {
        const QPointF away = placeOf(points_[i]) - event->position();
        const double distance = QPointF::dotProduct(away, away);
        if (distance >= least) continue;
        least = distance;
        nearest = static_cast<int>(i);
    }
    if (nearest >= 0) emit clicked(nearest);
}

BudgetBar::BudgetBar(Session* session, QWidget* parent)
    : QFrame(parent), session_(session), curve_(new BudgetCurve), slider_(new QSlider),
      text_(new QLabel), clear_(new ElidedButton(tr("Leave it to the compiler"))) {
    setObjectName("decisionBar");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 3, 6, 3);
    column->setSpacing(2);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    column->addLayout(row);
    slider_->setOrientation(Qt::Horizontal);
    slider_->setObjectName("budgetSlider");
    slider_->setAccessibleName(tr("Memory of a training step"));
    slider_->setPageStep(1);
    slider_->setMinimumWidth(80);
    slider_->setToolTip(tr("Choose how much memory a training step may take: it compiles again, "
                           "and What if tells what it changes"));
    text_->setObjectName("muted");
    text_->setWordWrap(true);
    text_->setMinimumWidth(1);
    row->addWidget(curve_);
    auto* chosen = new QVBoxLayout;
    chosen->setSpacing(2);
    row->addLayout(chosen, 1);
    chosen->addWidget(slider_);
    chosen->addWidget(clear_, 0, Qt::AlignLeft); // whole, however narrow the pane is
    column->addWidget(text_); // over the whole width: beside the curve it was a column of words
    curve_->setToolTip(tr("Memory to the right, time upwards, as estimated. Click to choose. A "
                          "cross is a measured call, on a scale of its own: it takes launches and "
                          "all functions into account."));
    connect(curve_, &BudgetCurve::clicked, this, [this](int point) {
        if (!slider_->isEnabled()) return;
        slider_->setValue(point);
        decide();
    });
    connect(slider_, &QSlider::valueChanged, this, [this] { tell(); });
    connect(slider_, &QSlider::sliderReleased, this, [this] { decide(); });
    connect(slider_, &QSlider::actionTriggered, this, [this](int action) { // a key, a page
        if (action != QAbstractSlider::SliderMove)
            QMetaObject::invokeMethod(this, [this] { decide(); }, Qt::QueuedConnection);
    });
    connect(session_, &Session::runsChanged, this, &BudgetBar::tell);
    connect(clear_, &QPushButton::clicked, this,
            [this] { session_->decide(leftToCompiler(session_->options().decisions, kSubject)); });
}

/// Runs that were measured with a budget of one of the points, or without any.
std::vector<BudgetCurve::Mark> BudgetBar::measured() const {
    std::vector<BudgetCurve::Mark> marks;
    const Measured now(session_->shown());
    for (const record::Run& run : session_->runs()) {
        if (run.backend != "inductor") continue;
        const Measured of(run);
        if (of.size != now.size || of.device != now.device || of.textHash != now.textHash) continue;
        for (const record::MemoryPoint& point : points_)
            if (of.decisions == decisionOf(point)) marks.push_back({point.peakBytes, run.us});
        if (of.matches(now)) marks.push_back({taken_.peakBytes, run.us});
    }
    return marks;
}

void BudgetBar::show(const record::Partition* cut) {
    setVisible(cut && cut->curve.size() > 1);
    if (!isVisibleTo(parentWidget())) return;
    points_.assign(cut->curve.rbegin(), cut->curve.rend());
    taken_ = cut->point;
    QStringList parts;
    for (const QString& part : QString::fromStdString(cut->budget).split("; "))
        parts << told(part);
    budget_ = parts.join("; ");
    std::vector<BudgetCurve::Mark> marks;
    for (const record::MemoryPoint& point : points_)
        marks.push_back({point.peakBytes, point.us});
    const QSignalBlocker quiet(slider_);
    slider_->setRange(0, static_cast<int>(points_.size()) - 1);
    slider_->setValue(pointInForce());
    slider_->setEnabled(!session_->isReadOnly());
    const QStringList& made = session_->options().decisions;
    clear_->setVisible(!session_->isReadOnly() && leftToCompiler(made, kSubject) != made);
    curve_->setPoints(std::move(marks), measured(), {taken_.peakBytes, taken_.us});
    tell();
}

/// The point that was decided; else the one that is nearest to what the compiler took.
int BudgetBar::pointInForce() const {
    size_t nearest = 0;
    for (size_t i = 0; i < points_.size(); ++i) {
        if (session_->options().decisions.contains(decisionOf(points_[i])))
            return static_cast<int>(i);
        const auto away = [&](size_t at) {
            return std::abs(points_[at].peakBytes - taken_.peakBytes);
        };
        if (away(i) < away(nearest)) nearest = i;
    }
    return static_cast<int>(nearest);
}

void BudgetBar::tell() {
    const auto at = static_cast<size_t>(slider_->value());
    if (at >= points_.size()) return;
    curve_->setAt(slider_->value());
    const record::MemoryPoint& point = points_[at];
    QString text;
    if (const auto parts = session_->record()->parts(); parts.size() > 1)
        for (const RecordView::Part& part : parts)
            if (part.function == session_->function() && part.entry == session_->entryIndex())
                text = tr("Of %1 alone, one of %2 parts:").arg(part.title).arg(parts.size()) + " ";
    const QString peak = format::bytes(point.peakBytes), saved = format::bytes(point.savedBytes);
    text += point.peakBytes == taken_.peakBytes && point.savedBytes == taken_.savedBytes
                ? tr("Peak %1, saved %2, as now.").arg(peak, saved)
                : tr("Peak %1 (now %2), saved %3 (now %4).")
                      .arg(peak, format::bytes(taken_.peakBytes), saved,
                           format::bytes(taken_.savedBytes));
    // What was compiled, and better measured, outweighs what is estimated before that.
    const QString tried = rows::budgetSummary(session_->experiments(), session_->history(),
                                              session_->shown(), decisionOf(point));
    text += " " + (tried.isEmpty() ? estimated(point) : tried);
    if (beats(point, taken_) && !session_->options().decisions.contains(decisionOf(point)))
        text += " " + (budget_.isEmpty()
                           ? tr("The compiler leaves it: without a budget it cuts as PyTorch does, "
                                "by what saving costs, not by this estimate.")
                           : tr("The budget does not need it."));
    text_->setText(text);
    const QString about =
        tr("Peak: of saved and live values in a training step; saved: without inputs.") + " " +
        tr("All of this function alone, estimated before there are kernels: what is decided of "
           "these changes nothing here. The arena that kernels share, and what they are predicted "
           "to take, stand in What if.");
    text_->setToolTip(budget_.isEmpty() ? about : about + "\n" + budget_);
}

/// Before fusion, so as a part of what now is estimated: no number that What if has another one for.
QString BudgetBar::estimated(const record::MemoryPoint& point) const {
    constexpr double kSame = 0.005;
    const double change = taken_.us > 0 ? point.us / taken_.us - 1 : 0;
    if (std::abs(change) < kSame) return tr("Estimated before fusion: as fast as now.");
    const QString part = format::percent(std::abs(change));
    return change > 0 ? tr("Estimated before fusion: %1 slower than now.").arg(part)
                      : tr("Estimated before fusion: %1 faster than now.").arg(part);
}

void BudgetBar::decide() {
    const auto at = static_cast<size_t>(slider_->value());
    if (at >= points_.size() || session_->isReadOnly()) return;
    session_->decide(decided(session_->options().decisions, decisionOf(points_[at])));
}

} // namespace cutaway::views
