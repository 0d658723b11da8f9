// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What every pane is: a widget that shows the session's record and the common selection, and reads
/// nothing else. Updates are coalesced, and put off while the pane is hidden behind another tab.
#pragma once

#include "views/bridge/selection_state.h"
#include "views/bridge/session.h"
#include "views/models/item_facts.h"
#include "views/widgets/theme.h"

#include <QTimer>
#include <QWidget>

class QMenu;
class QLineEdit;
class QDockWidget;
class QVBoxLayout;

namespace cutaway::views {

class FindBar;
class StaleVeil;

struct PaneContext {
    Session* session;
    SelectionState* selection;
};

class Pane : public QWidget {
    Q_OBJECT
public:
    Pane(PaneContext context, QWidget* parent);

    /// Called once before the pane is shown, and whenever colours or fonts change.
    void applyTheme(const Theme& theme);
    const Theme& theme() const { return theme_; }
    /// False while something is still on its way to this pane (a layout, a listing).
    virtual bool isSettled() const;
    /// Turns to a stage of the engine's table by name. \returns false when it is not this pane's.
    virtual bool showStage(const QString&) { return false; }
    /// Brings a visible pane up to date now.
    void flush();
    /// Where text is sought in what this pane shows; null: it has no such text.
    virtual FindBar* findBar() const { return nullptr; }
    /// The field in which what is sought here is typed, and Return goes on; null: there is none.
    virtual QLineEdit* searchField() const { return nullptr; }
    /// What hovering over an item tells; empty: nothing is known of it.
    QString itemTip(ItemId item) const;
    /// Adds what can be done with items: decide instead of the compiler, "reveal in …" for every
    /// place that a single one has.
    void addActions(QMenu* menu, const std::vector<ItemId>& items);
    /// \param box DeepLink::box
    QString linkTo(ItemId item, const QString& box = {}) const;

signals:
    /// Another pane is to show something. \param stage of the graph pane; empty: the one it shows
    void revealRequested(const QString& pane, const QString& stage);
    /// What waits to be looked at in this pane, for its tab; 0: nothing.
    void waitingChanged(int count);

protected:
    virtual void showTheme() = 0;
    /// The record, the function or the entry changed; or the size of the letters.
    virtual void showRecord() = 0;
    /// Only the colours changed: what showRecord() has written in the former ones.
    virtual void showColours() {}
    /// \param reveal the selection was made elsewhere: scroll to it.
    virtual void showSelection(bool reveal) = 0;
    /// What the pointer rests on, here or in another pane, changed what is lit: paint anew, go nowhere.
    virtual void showHover() { showSelection(false); }
    /// Measurements changed, and no record with them (showRecord() shows those that are there).
    virtual void showMeasured() {}
    /// Compiling, stale, engine state, options, edits.
    virtual void showStatus() {}
    /// False for the source, which is never out of date.
    virtual bool showsResults() const { return true; }
    /// It came to the front of its tabs, or into the window.
    virtual void cameIntoSight() {}
    /// Whether anybody could see it: not where it is closed, or behind another tab.
    bool isInSight() const;

    Session& session() const { return *context_.session; }
    SelectionState& selection() const { return *context_.selection; }
    const RecordView& record() const { return *context_.session->record(); }
    const record::Entry* entry() const { return context_.session->currentEntry(); }
    /// What an empty pane says: what to do next.
    QString emptyAdvice(const QString& otherwise) const;
    /// The same where a measurement is missing. \param otherwise how one is made
    QString measureAdvice(const QString& otherwise) const;
    QVBoxLayout* body() const { return body_; }
    /// What factsOf needs beside the record.
    FactSources factSources() const;

    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QDockWidget* dock() const;
    void schedule(int what);
    void showStale();

    enum { kRecord = 1, kSelection = 2, kStatus = 4, kHover = 8, kColours = 16, kMeasured = 32 };
    PaneContext context_;
    Theme theme_;
    std::pair<QFont, QFont> fonts_; ///< of words and of code, that the pane is laid out for
    QVBoxLayout* body_;
    StaleVeil* veil_;
    QTimer update_, staleDelay_;
    int dirty_ = kRecord | kSelection | kStatus;
};

} // namespace cutaway::views
