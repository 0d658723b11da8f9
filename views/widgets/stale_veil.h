// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Lies over a pane whose content is out of date: dims it and tells its age. Clicks go through.
#pragma once

#include "views/widgets/theme.h"

#include <QDateTime>
#include <QLabel>
#include <QTimer>

namespace cutaway::views {

class StaleVeil : public QWidget {
    Q_OBJECT
public:
    /// Covers \p pane.
    explicit StaleVeil(QWidget* pane);
    void setTheme(const Theme& theme);
    /// \param of when the content was made
    /// \param partial it lacks later stages
    void lift(const QDateTime& of, bool partial);
    void drop();
    /// "Last good result, 12 s old (14:03:07)"
    QString text() const { return label_->text(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showAge();
    void place();
    QRect quietPlace() const;

    Theme theme_;
    QLabel* label_;
    QTimer clock_;
    QDateTime of_;
    bool partial_ = false;
};

} // namespace cutaway::views
