// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The painted part of the memory pane.
#pragma once

#include "core/record/record.h"
#include "views/bridge/selection_state.h"
#include "views/widgets/theme.h"

#include <QWidget>

namespace cutaway::views {

class MemoryMap : public QWidget {
    Q_OBJECT
public:
    explicit MemoryMap(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setSelectionState(SelectionState* selection) { selection_ = selection; }
    /// \param lowered a part of \p record, or null.
    void setPlan(RecordPtr record, const record::LoweredGraph* lowered);
    /// Lights what is in use at a kernel, and dims the rest; -1: all as usual.
    void setMoment(int kernel);
    void setEmptyText(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF plot() const;
    void paintKernels(QPainter& painter, const QRectF& area, double step);
    const record::KernelInfo* kernelAt(QPointF at) const;
    QRectF boxOf(const record::MemoryItem& item) const;
    /// A buffer in the arena.
    struct Band {
        const record::MemoryItem* item;
        ItemId buffer;
        int holder = -1; ///< the band in whose place it begins; -1: none
        int sharer = -1; ///< the first that begins in its place
    };
    /// Several where one is in the place of another.
    std::vector<const Band*> bandsAt(QPointF at) const;
    void paintLabel(QPainter& painter, const Band& band) const;
    void paintBand(QPainter& painter, const Band& band);

    RecordPtr record_; ///< keeps what lowered_ points to
    const record::LoweredGraph* lowered_ = nullptr;
    std::vector<Band> bands_;
    int moment_ = -1;
    int peak_ = -1; ///< the kernel at which most is in use; -1: none
    SelectionState* selection_ = nullptr;
    Theme theme_;
    QString emptyText_;
};

} // namespace cutaway::views
