// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A sample on the start page: the shape of its graph, its name and what it teaches.
#pragma once

#include "views/models/thumbnail.h"
#include "views/widgets/theme.h"

#include <QAbstractButton>

namespace cutaway::views {

/// Draws the shape of a graph, as large as it fits into \p room and no larger than life.
void paintThumbnail(QPainter& painter, const Thumbnail& thumbnail, const QRectF& room,
                    const Theme& theme);

class SampleCard : public QAbstractButton {
    Q_OBJECT
public:
    /// \param badge stands beside the title: "Start here"; empty: nothing
    SampleCard(const Thumbnail& thumbnail, const QString& title, const QString& teaches,
               const QString& badge, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QFont titleFont() const;
    QFont textFont() const;
    int textHeight() const;
    double paintBadge(QPainter& painter, const QRectF& line) const;

    const Thumbnail& thumbnail_;
    QString teaches_, badge_;
    Theme theme_;
};

} // namespace cutaway::views
