// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Everything that is known of what is selected, with links to all that it mentions.
#pragma once

#include "views/models/item_facts.h"
#include "views/panes/pane.h"

#include <QTimer>

class QTextBrowser;
class QUrl;

namespace cutaway::views {

class InspectorPane : public Pane {
    Q_OBJECT
public:
    InspectorPane(PaneContext context, QWidget* parent);
    QTextBrowser* text() const { return text_; }
    const ItemFacts& facts() const { return facts_; }
    FactSources sources() const { return factSources(); }

protected:
    void showTheme() override { showFacts(); }
    void showRecord() override {} // the selection, which follows, tells all of it
    void showMeasured() override { showSelection(false); }
    void showSelection(bool reveal) override;
    void showHover() override {}
    void showStatus() override;

private:
    void showFacts();
    void follow(const QUrl& link);

    QTextBrowser* text_;
    ItemFacts facts_;
    QString html_;            ///< as the text has it: laying it out anew takes milliseconds
    bool isOverview_ = false; ///< nothing is selected: facts_ are of the compiled part
    QTimer remarksDue_;       ///< asked for of what stays selected
};

} // namespace cutaway::views
