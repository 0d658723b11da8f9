// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/inspector/inspector_pane.h"

#include "views/models/overview.h"
#include "views/widgets/fact_text.h"

#include <QScrollBar>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <utility>

namespace cutaway::views {

namespace {
constexpr int kStaysMs = 400;
}

InspectorPane::InspectorPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), text_(new QTextBrowser) {
    text_->setObjectName("inspectorText");
    text_->setAccessibleName(tr("What is selected"));
    text_->setOpenLinks(false);
    text_->setFrameShape(QFrame::NoFrame);
    text_->setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
    setFocusProxy(text_);
    body()->addWidget(text_);
    connect(text_, &QTextBrowser::anchorClicked, this, &InspectorPane::follow);
    remarksDue_.setSingleShot(true);
    remarksDue_.setInterval(kStaysMs);
    connect(&remarksDue_, &QTimer::timeout, this, [this] {
        if (!isVisible() || selection().items().size() != 1) return;
        for (ItemId kernel : remarkedKernels(record(), selection().items().front()))
            this->session().askRemarks(kernel);
    });
    connect(&this->session(), &Session::remarksCame, this, [this] {
        if (!isVisible() || isOverview_) return;
        const int place = text_->verticalScrollBar()->value();
        facts_ = factsOf(record(), selection().items(), factSources());
        showFacts();
        text_->verticalScrollBar()->setValue(place);
    });
}

void InspectorPane::follow(const QUrl& link) {
    const QString text = link.toString();
    const int number = text.section(':', 1).toInt();
    if (text.startsWith("item:")) return selection().select({static_cast<ItemId>(number)});
    if (number < 0 || static_cast<size_t>(number) >= facts_.places.size()) return;
    const FactPlace place = facts_.places[static_cast<size_t>(number)];
    emit revealRequested(place.pane, place.stage);
    if (place.item != kNoItem) selection().select({place.item});
}

void InspectorPane::showSelection(bool) {
    facts_ = factsOf(record(), selection().items(), factSources());
    isOverview_ = facts_.kind.isEmpty() && entry();
    if (isOverview_)
        facts_ =
            overviewOf(record(), *session().currentFunction(), *entry(), session().isPartial());
    showFacts();
    remarksDue_.start();
}

void InspectorPane::showFacts() {
    const QString hint =
        QString("<p style='color:%1'>%2</p>")
            .arg(theme().muted.name(),
                 emptyAdvice(tr("Click anything: a line, a node, a kernel, a line of code. "
                                "All that is known of it stands here."))
                     .toHtmlEscaped());
    QString html = facts_.kind.isEmpty() ? hint : factsHtml(facts_, theme());
    if (isOverview_) html += hint;
    if (std::exchange(html_, html) != html) text_->setHtml(html);
    text_->verticalScrollBar()->setValue(0);
}

void InspectorPane::showStatus() {
    if (facts_.kind.isEmpty() || isOverview_) showFacts();
}

} // namespace cutaway::views
