// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A style sheet in place of another that differs from it in colours alone.
#pragma once

#include <QObject>
#include <QPalette>

namespace cutaway::views {

/// Qt polishes every widget for a sheet, and lays all of them out anew. Here those are polished that
/// can be seen, the others when they are shown; and nothing is laid out, as colours have no size.
class Restyle : public QObject {
public:
    /// Of the application; it watches what is shown from now on.
    static void apply(const QString& sheet, const QPalette& palette);

private:
    explicit Restyle(QObject* parent);
    bool eventFilter(QObject* object, QEvent* event) override;

    bool changing_ = false;
};

} // namespace cutaway::views
