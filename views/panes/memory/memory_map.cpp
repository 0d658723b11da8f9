// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/memory/memory_map.h"

#include "views/language/sentences.h"
#include "views/models/format.h"
#include "views/models/memory_peak.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <string_view>
#include <unordered_map>

namespace cutaway::views {

namespace {
constexpr double kLeastBox = 4; ///< pixels; a smaller one has no inside
}

MemoryMap::MemoryMap(QWidget* parent) : QWidget(parent), theme_(lightTheme()) {
    setMinimumSize(160, 100);
    setAccessibleName(tr("Memory plan"));
}

void MemoryMap::setTheme(const Theme& theme) {
    theme_ = theme;
    update();
}

void MemoryMap::setPlan(RecordPtr record, const record::LoweredGraph* lowered) {
    record_ = std::move(record);
    lowered_ = lowered;
    bands_.clear();
    peak_ = lowered ? memoryPeak(*lowered).kernel : -1;
    if (lowered) {
        std::unordered_map<std::string_view, ItemId> buffers;
        for (const record::LoopBuffer& buffer : lowered->buffers)
            buffers.emplace(buffer.name, buffer.item);
        const std::vector<int> places = sharedPlaces(lowered->memory);
        std::vector<int> bandOf(places.size(), -1);
        for (size_t i = 0; i < places.size(); ++i) {
            const record::MemoryItem& item = lowered->memory.items[i];
            if (item.kind != "arena") continue;
            const auto at = buffers.find(item.buffer);
            bandOf[i] = static_cast<int>(bands_.size());
            bands_.push_back({&item, at == buffers.end() ? kNoItem : at->second});
        }
        for (size_t i = 0; i < places.size(); ++i) {
            if (places[i] < 0) continue;
            Band& band = bands_[static_cast<size_t>(bandOf[i])];
            band.holder = bandOf[static_cast<size_t>(places[i])];
            int& sharer = bands_[static_cast<size_t>(band.holder)].sharer;
            if (sharer < 0) sharer = bandOf[i];
        }
    }
    update();
}

void MemoryMap::setMoment(int kernel) {
    moment_ = kernel;
    update();
}

void MemoryMap::setEmptyText(const QString& text) {
    emptyText_ = text;
    update();
}

QRectF MemoryMap::plot() const {
    return QRectF(rect()).adjusted(72, 16, -14, -30);
}

QRectF MemoryMap::boxOf(const record::MemoryItem& item) const {
    QRectF area = plot();
    double steps = std::max<double>(1, double(lowered_->kernels.size()));
    double bytes = std::max<double>(1, double(lowered_->memory.arenaBytes));
    double x0 = area.left() + item.firstKernel / steps * area.width();
    double x1 = area.left() + (item.lastKernel + 1) / steps * area.width();
    double y0 = area.bottom() - double(item.offset) / bytes * area.height();
    double y1 = area.bottom() - double(item.offset + item.bytes) / bytes * area.height();
    return QRectF(QPointF(x0, y1), QPointF(x1, y0)).adjusted(1, 1, -1, -1);
}

std::vector<const MemoryMap::Band*> MemoryMap::bandsAt(QPointF at) const {
    std::vector<const Band*> found;
    for (const Band& band : bands_)
        if (boxOf(*band.item).contains(at)) found.push_back(&band);
    return found;
}

void MemoryMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme_.base);
    if (bands_.empty()) {
        painter.setPen(theme_.muted);
        painter.drawText(rect().adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap,
                         emptyText_);
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    QRectF area = plot();
    painter.setPen(theme_.border);
    painter.drawRect(area);
    const double step = area.width() / std::max<double>(1, double(lowered_->kernels.size()));
    if (peak_ >= 0) {
        QColor light = theme_.warning;
        light.setAlphaF(0.16);
        const QRectF column(area.left() + peak_ * step, area.top(), step, area.height());
        painter.fillRect(column, light);
        painter.setPen(theme_.warning);
        painter.drawText(QRectF(column.center().x() - 40, area.top() - 13, 80, 13), Qt::AlignCenter,
                         tr("peak"));
    }
    if (moment_ >= 0) {
        painter.setPen(QPen(theme_.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(area.left() + moment_ * step, area.top(), step, area.height()));
    }
    paintKernels(painter, area, step);
    painter.setPen(theme_.muted);
    painter.drawText(QRectF(0, area.top() - 8, area.left() - 6, 16), Qt::AlignRight,
                     format::bytes(lowered_->memory.arenaBytes));
    painter.drawText(QRectF(0, area.bottom() - 8, area.left() - 6, 16), Qt::AlignRight, "0");
    for (const Band& band : bands_)
        paintBand(painter, band);
    for (const Band& band : bands_) // over all of them, one in the place of another, too
        paintLabel(painter, band);
}

void MemoryMap::paintBand(QPainter& painter, const Band& band) {
    const QRectF box = boxOf(*band.item);
    const Highlight level = selection_ ? selection_->level(band.buffer) : Highlight::None;
    QColor fill = theme_.kind(OpKind::Pointwise);
    fill.setAlphaF(theme_.dark ? 0.30 : 0.18);
    if (level >= Highlight::Direct) fill = theme_.highlight(level);
    QPen rim = level >= Highlight::Direct ? QPen(theme_.mark, 1.6)
                                          : QPen(theme_.kind(OpKind::Pointwise), 1);
    if (moment_ >= 0) {
        const bool awake = band.item->firstKernel <= moment_ && band.item->lastKernel >= moment_;
        fill.setAlphaF(awake ? 0.55f : 0.05f);
        if (!awake) rim = QPen(theme_.border, 1);
    }
    if (box.width() < kLeastBox || box.height() < kLeastBox) // all rim
        return painter.fillRect(box.normalized().adjusted(-1, -1, 1, 1), rim.color());
    painter.setPen(rim);
    painter.setBrush(fill);
    painter.drawRoundedRect(box, 3, 3);
    painter.setBrush(Qt::NoBrush);
}

/// Where one band lies on another, each is named where it is alone, and both where neither is.
void MemoryMap::paintLabel(QPainter& painter, const Band& band) const {
    const QRectF box = boxOf(*band.item);
    constexpr double kLeastLabel = 40;
    QRectF room = box;
    QString name = QString::fromStdString(band.item->buffer);
    if (band.holder >= 0)
        room.setLeft(
            std::max(room.left(), boxOf(*bands_[static_cast<size_t>(band.holder)].item).right()));
    if (band.sharer >= 0) {
        const record::MemoryItem& sharer = *bands_[static_cast<size_t>(band.sharer)].item;
        const QRectF other = boxOf(sharer);
        if (other.left() - room.left() >= kLeastLabel)
            room.setRight(other.left());
        else if (other.right() - box.right() < kLeastLabel)
            name += ", " + QString::fromStdString(sharer.buffer);
    }
    if (room.width() < kLeastLabel || room.height() < 14) return;
    painter.setPen(theme_.text);
    painter.drawText(
        room.adjusted(4, 0, -4, 0), Qt::AlignCenter,
        painter.fontMetrics().elidedText(name, Qt::ElideRight, static_cast<int>(room.width()) - 8));
}

/// Their names below, where there is room for them; else how many there are.
void MemoryMap::paintKernels(QPainter& painter, const QRectF& area, double step) {
    constexpr double kLeastName = 56;
    painter.setPen(theme_.muted);
    if (step < kLeastName) {
        painter.drawText(
            QRectF(area.left(), area.bottom() + 6, area.width(), 20), Qt::AlignCenter,
            tr("%1 kernel(s), in order", nullptr, static_cast<int>(lowered_->kernels.size()))
                .arg(format::count(static_cast<int64_t>(lowered_->kernels.size()))));
        return;
    }
    for (size_t k = 0; k < lowered_->kernels.size(); ++k) {
        const record::KernelInfo& kernel = lowered_->kernels[k];
        const QRectF room(area.left() + double(k) * step + 3, area.bottom() + 4, step - 6, 20);
        const bool lit = selection_ && selection_->level(kernel.item) >= Highlight::Direct;
        painter.setPen(lit ? theme_.text : theme_.muted);
        painter.drawText(room, Qt::AlignCenter,
                         painter.fontMetrics().elidedText(QString::fromStdString(kernel.name),
                                                          Qt::ElideMiddle,
                                                          static_cast<int>(room.width())));
    }
}

/// The kernel whose column a point below the bands is in; null: none.
const record::KernelInfo* MemoryMap::kernelAt(QPointF at) const {
    if (!lowered_ || lowered_->kernels.empty() || at.y() <= plot().bottom()) return nullptr;
    const double place = (at.x() - plot().left()) / plot().width();
    const auto index = static_cast<int>(place * double(lowered_->kernels.size()));
    return place < 0 || index >= static_cast<int>(lowered_->kernels.size())
               ? nullptr
               : &lowered_->kernels[static_cast<size_t>(index)];
}

void MemoryMap::mousePressEvent(QMouseEvent* event) {
    if (const record::KernelInfo* kernel = kernelAt(event->position()); kernel && selection_)
        return selection_->select({kernel->item}, this);
    std::vector<ItemId> buffers;
    for (const Band* band : bandsAt(event->position()))
        if (band->buffer != kNoItem) buffers.push_back(band->buffer);
    if (selection_ && !buffers.empty()) selection_->select(buffers, this);
}

bool MemoryMap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    if (const record::KernelInfo* kernel = kernelAt(help->pos()))
        QToolTip::showText(help->globalPos(), QString::fromStdString(kernel->name), this);
    else {
        QStringList texts;
        for (const Band* band : bandsAt(help->pos()))
            texts << tr("%1\n%2 at offset %3\n%4")
                         .arg(QString::fromStdString(band->item->buffer),
                              format::bytes(band->item->bytes), format::count(band->item->offset),
                              told(band->item->reason));
        QToolTip::showText(help->globalPos(), texts.join('\n'), this); // empty: hides it
    }
    return true;
}

} // namespace cutaway::views
