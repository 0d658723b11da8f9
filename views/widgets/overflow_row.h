// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Buttons in a row. Where they do not all fit, those at the end are in a menu behind a »; the one
/// that is checked stays.
#pragma once

#include <QToolButton>
#include <QWidget>

namespace cutaway::views {

class OverflowRow : public QWidget {
public:
    /// \param moreTip what the menu's button says
    explicit OverflowRow(const QString& moreTip, QWidget* parent = nullptr);

    /// Others than before, which nobody needs any more.
    void setButtons(const QList<QToolButton*>& buttons);
    /// Again, after another was checked.
    void arrange();

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    void fillMenu();
    QList<QToolButton*> buttons_;
    QToolButton* more_;
};

} // namespace cutaway::views
