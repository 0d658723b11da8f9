// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A list to type into: all commands of the window, or everything in the record.
#pragma once

#include <QDialog>
#include <functional>
#include <vector>

class QLineEdit;
class QListWidget;

namespace cutaway::views {

struct PaletteEntry {
    QString text;   ///< "View: Fit graph"
    QString detail; ///< shortcut or kind, on the right
    bool enabled = true;
    std::function<void()> act;
};

class CommandPalette : public QDialog {
    Q_OBJECT
public:
    CommandPalette(const QString& prompt, std::vector<PaletteEntry> entries, QWidget* parent);
    /// Entries that fit \p typed, best first: every word must occur, its letters together or, for
    /// one word, in order.
    static std::vector<int> matching(const std::vector<PaletteEntry>& entries, const QString& typed,
                                     int most);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill(const QString& typed);
    void take();
    std::vector<PaletteEntry> entries_;
    QLineEdit* input_;
    QListWidget* list_;
};

} // namespace cutaway::views
