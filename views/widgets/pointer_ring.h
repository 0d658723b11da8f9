// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A ring around the mouse pointer that is seen from the last row. It takes no clicks.
#pragma once

#include <QColor>
#include <QTimer>
#include <QWidget>

namespace cutaway::views {

class PointerRing : public QWidget {
    Q_OBJECT
public:
    /// Above everything in \p window while it is shown.
    explicit PointerRing(QWidget* window);
    void setColor(const QColor& color);

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void follow();
    QTimer timer_;
    QColor color_;
};

} // namespace cutaway::views
