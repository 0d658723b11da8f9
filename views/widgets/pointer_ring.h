// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A ring around the mouse pointer that is seen from the last row, with the trail of where it has
/// been; as a spotlight, all but what lies around it is darkened. It takes no clicks.
#pragma once

#include <QColor>
#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <deque>

namespace cutaway::views {

class PointerRing : public QWidget {
    Q_OBJECT
public:
    /// Above everything in \p window while it is shown.
    explicit PointerRing(QWidget* window);
    void setColor(const QColor& color);
    void setSpotlight(bool on);
    void setTrail(bool on);

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    struct Passed {
        QPointF at;
        qint64 ms;
    };
    void follow();
    QRegion touched() const; ///< what is painted now
    QRectF light() const;

    QTimer timer_;
    QElapsedTimer clock_;
    QColor color_;
    QPointF at_;
    std::deque<Passed> trail_; ///< where the pointer was a moment ago, the newest last
    QRegion before_;           ///< what was painted last
    bool spotlight_ = false, trailing_ = true;
};

} // namespace cutaway::views
