// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A list to type into: all commands of the window, or everything in the record.
#pragma once

#include "views/models/latest_work.h"

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
    QString about{}; ///< searched for whole words, too
};

class CommandPalette : public QDialog {
    Q_OBJECT
public:
    CommandPalette(const QString& prompt, std::vector<PaletteEntry> entries, QWidget* parent);
    /// \param find gives the entries for what is typed, best first; called on another thread
    using Find = std::function<std::vector<PaletteEntry>(const QString& typed)>;
    CommandPalette(const QString& prompt, const QString& help, Find find, QWidget* parent);
    /// As if \p typed had been typed, which the next letter replaces.
    void begin(const QString& typed);
    /// Where there is more to find than before.
    void findAgain();
    /// Entries that fit \p typed, best first: every word must occur, its letters together or, for
    /// one word, in order.
    static std::vector<int> matching(const std::vector<PaletteEntry>& entries, const QString& typed,
                                     int most);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void make(const QString& prompt);
    void fill(const QString& typed);
    void list(const std::vector<int>& entries);
    void take();
    std::vector<PaletteEntry> entries_;
    QLineEdit* input_;
    QListWidget* list_;
    Find find_;
    bool takes_ = false;      ///< what is found first, as soon as it is
    LatestWork finder_{this}; ///< last: it waits for what it does before the rest goes
};

} // namespace cutaway::views
