// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// How often values occur: a bar for each part from the least to the largest.
#pragma once

#include "views/widgets/theme.h"

#include <QWidget>
#include <vector>

namespace cutaway::views {

class HistogramView : public QWidget {
    Q_OBJECT
public:
    explicit HistogramView(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// \param parts none: \p title alone is shown
    void setParts(std::vector<qint64> parts, double least, double most, const QString& title);
    /// What hovering at \p x tells; empty: nothing is there.
    QString textAt(int x) const;
    QSize sizeHint() const override { return {240, 80}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF plot() const;

    Theme theme_;
    std::vector<qint64> parts_;
    double least_ = 0, most_ = 0;
    QString title_;
};

} // namespace cutaway::views
