// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/pane.h"

#include "views/language/sentences.h"
#include "views/models/deep_link.h"
#include "views/models/latest_work.h"
#include "views/panes/decision_bar.h"
#include "views/widgets/fact_text.h"
#include "views/widgets/stale_veil.h"

#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace cutaway::views {

namespace {
constexpr int kStaleDelayMs = 300; ///< nothing is shown for shorter work
}

Pane::Pane(PaneContext context, QWidget* parent) : QWidget(parent), context_(context) {
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    body_ = new QVBoxLayout;
    body_->setSpacing(0);
    outer->addLayout(body_, 1);
    update_.setSingleShot(true);
    update_.setInterval(0);
    connect(&update_, &QTimer::timeout, this, &Pane::flush);
    staleDelay_.setSingleShot(true);
    staleDelay_.setInterval(kStaleDelayMs);
    connect(&staleDelay_, &QTimer::timeout, this, &Pane::showStale);
    Session* session = context_.session;
    connect(session, &Session::recordChanged, this, [this] { schedule(kRecord | kSelection); });
    connect(session, &Session::focusChanged, this, [this] { schedule(kRecord | kSelection); });
    connect(session, &Session::runsChanged, this, [this] { schedule(kMeasured); });
    for (auto changed : {&Session::optionsChanged, &Session::modifiedChanged})
        connect(session, changed, this, [this] { schedule(kStatus); });
    connect(session, &Session::statusChanged, this, [this] {
        schedule(kStatus);
        if (!context_.session->isStale() || !showsResults())
            showStale();
        else if (!veil_->isVisible() && !staleDelay_.isActive())
            staleDelay_.start();
    });
    connect(context_.selection, &SelectionState::changed, this, [this] { schedule(kSelection); });
    connect(context_.selection, &SelectionState::hovered, this, [this] { schedule(kHover); });
    veil_ = new StaleVeil(this);
}

void Pane::applyTheme(const Theme& theme) {
    theme_ = theme;
    veil_->setTheme(theme);
    showTheme();
    const std::pair fonts(QApplication::font(), codeFont());
    schedule(std::exchange(fonts_, fonts) == fonts ? kColours : kRecord | kSelection);
}

bool Pane::isSettled() const {
    const QList<LatestWork*> works = findChildren<LatestWork*>();
    return !update_.isActive() && std::ranges::none_of(works, &LatestWork::isBusy);
}

QDockWidget* Pane::dock() const {
    QWidget* at = parentWidget();
    while (at && !qobject_cast<QDockWidget*>(at))
        at = at->parentWidget();
    return qobject_cast<QDockWidget*>(at);
}

/// Qt does not hide a dock behind another tab: it puts it where nobody can see it.
bool Pane::isInSight() const {
    if (!isVisible()) return false;
    const QDockWidget* in = dock();
    return !in || in->isFloating() || !in->parentWidget() ||
           in->geometry().intersects(in->parentWidget()->rect());
}

void Pane::schedule(int what) {
    dirty_ |= what;
    if (isInSight()) update_.start();
}

bool Pane::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Move && watched == dock() && isInSight()) {
        cameIntoSight();
        if (dirty_) update_.start();
    }
    return QWidget::eventFilter(watched, event);
}

void Pane::flush() {
    update_.stop();
    if (!isVisible()) return;
    int what = dirty_;
    dirty_ = 0;
    if (what & kRecord)
        showRecord();
    else if (what & kColours)
        showColours();
    if ((what & kMeasured) && !(what & kRecord)) showMeasured();
    if (what & (kRecord | kSelection | kColours))
        showSelection((what & kSelection) && selection().origin() != this);
    else if (what & kHover)
        showHover();
    if (what & (kRecord | kStatus | kColours | kMeasured)) showStatus();
}

void Pane::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (QDockWidget* in = dock()) in->installEventFilter(this); // once, however often
    if (isInSight()) cameIntoSight();
    if (dirty_) update_.start(); // behind others, too: what it shows says how large it must be
}

void Pane::showStale() {
    staleDelay_.stop();
    if (context_.session->isStale() && showsResults())
        veil_->lift(context_.session->recordTime(), context_.session->isPartial());
    else
        veil_->drop();
}

FactSources Pane::factSources() const {
    return {[session = context_.session](const QString& op) { return session->opDoc(op); },
            session().isCurrent() ? &session().runs() : nullptr, session().shown(),
            [session = context_.session](ItemId kernel) {
                const TextRemarks* known = session->remarks(kernel);
                return known ? &known->all : nullptr;
            }};
}

QString Pane::itemTip(ItemId item) const {
    return factsTip(factsOf(record(), item, factSources()), theme_);
}

QString Pane::linkTo(ItemId item, const QString& box) const {
    return DeepLink{QFileInfo(session().path()).absoluteFilePath(), session().options().size,
                    record().key(item), box}
        .text();
}

void Pane::addActions(QMenu* menu, const std::vector<ItemId>& items) {
    DecisionBar::addTo(menu, context_.session, items);
    if (items.size() != 1) return;
    for (const FactPlace& place : factsOf(record(), items.front(), factSources()).places)
        menu->addAction(tr("Reveal in %1").arg(place.title), this, [this, place] {
            emit revealRequested(place.pane, place.stage);
            selection().select({place.item});
        });
    if (!session().path().isEmpty())
        menu->addAction(tr("Copy a &link to it"), this, [this, item = items.front()] {
            QGuiApplication::clipboard()->setText(linkTo(item));
        });
    menu->addSeparator();
}

static QString firstUpper(const std::string& message) {
    const QString text = told(message);
    return text.left(1).toUpper() + text.mid(1);
}

QString Pane::emptyAdvice(const QString& otherwise) const {
    if (!session().hasDocument()) return tr("Open a script to begin.");
    if (session().isDecoding()) return tr("Reading the result…");
    if (session().isCompiling()) return tr("Compiling…");
    if (!session().engine()->isUsable() && record().isEmpty())
        return tr("The engine is not running. Start it again to compile.");
    if (session().wasInterrupted())
        return tr("The engine ended while it compiled this text. F7 compiles it again.");
    if (session().wasCancelled()) return tr("The compilation was cancelled. F7 compiles again.");
    if (record().isEmpty() && session().isReadOnly() && session().failed())
        return tr("This record cannot be read. See Messages.");
    if (record().isEmpty() && session().compilesNothing()) {
        for (const base::Diagnostic& said : session().diagnostics())
            if (said.fault == base::Fault::User && !said.hint.empty())
                return tr("%1.\nTo see something here, %2. What the script prints stands in "
                          "Output.")
                    .arg(firstUpper(said.message), told(said.hint));
        return tr("This script compiles nothing. What it prints stands in Output.");
    }
    if (record().isEmpty())
        return session().failed() ? tr("The script does not compile yet. See Messages.")
                                  : tr("Nothing has been compiled yet.");
    if (session().isPartial()) return tr("The compilation did not come this far. See Messages.");
    return otherwise;
}

QString Pane::measureAdvice(const QString& otherwise) const {
    const QString whyNot = session().whyNoRun();
    return emptyAdvice(session().isReadOnly()
                           ? tr("This record holds no measurement of what is shown, and a saved "
                                "record is not measured again.")
                       : whyNot.isEmpty() ? otherwise
                                          : whyNot);
}

} // namespace cutaway::views
