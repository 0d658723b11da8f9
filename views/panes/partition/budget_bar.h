// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Memory against time: the choices of what to save, a slider over them, and a compilation with the
/// one that it is left at.
#pragma once

#include "views/bridge/session.h"
#include "views/widgets/theme.h"

#include <QFrame>

class QLabel;
class QPushButton;
class QSlider;

namespace cutaway::views {

/// The curve: peaks to the right, estimated times upwards; what was taken is filled, what the
/// slider is at is ringed, runs that were measured with a choice are crosses. These are whole calls:
/// their height is on a scale of their own.
class BudgetCurve : public QWidget {
    Q_OBJECT
public:
    explicit BudgetCurve(QWidget* parent = nullptr);
    struct Mark {
        int64_t bytes = 0;
        double us = 0;
    };
    void setPoints(std::vector<Mark> points, std::vector<Mark> measured, Mark taken);
    void setAt(int at);
    void setTheme(const Theme& theme);
    QPointF placeOf(const Mark& mark) const;

signals:
    void clicked(int point);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    QPointF placed(const Mark& mark, const std::vector<Mark>& scale) const;
    std::vector<Mark> points_, measured_;
    Mark taken_;
    int at_ = 0;
    Theme theme_;
};

class BudgetBar : public QFrame {
    Q_OBJECT
public:
    explicit BudgetBar(Session* session, QWidget* parent = nullptr);
    /// \param cut null: there is none, nothing is shown
    void show(const record::Partition* cut);
    void setTheme(const Theme& theme) { curve_->setTheme(theme); }
    BudgetCurve* curve() const { return curve_; }

private:
    void tell();
    QString estimated(const record::MemoryPoint& point) const;
    int pointInForce() const;
    void decide();
    std::vector<BudgetCurve::Mark> measured() const;

    Session* session_;
    BudgetCurve* curve_;
    QSlider* slider_;
    QLabel* text_;
    QPushButton* clear_;
    std::vector<record::MemoryPoint> points_; ///< from the lowest peak
    record::MemoryPoint taken_;
    QString budget_;
};

} // namespace cutaway::views
