// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/decision_bar.h"

#include "views/widgets/elided_button.h"
#include "views/widgets/flow_layout.h"

#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QVBoxLayout>

namespace cutaway::views {

namespace {
constexpr int kLowLines = 9;
}

static void follow(Session* session, const DecisionChoice& choice) {
    const QStringList made = session->options().decisions;
    session->decide(choice.decision.isEmpty() ? leftToCompiler(made, choice.subject)
                                              : decided(made, choice.decision));
}

/// Pairs are chosen as two items; of more the first that is a value is meant.
static std::vector<DecisionChoice> choicesOf(const Session& session,
                                             const std::vector<ItemId>& items) {
    const QStringList& made = session.options().decisions;
    std::vector<DecisionChoice> choices = decisionChoices(*session.record(), items, made);
    for (size_t i = 0; choices.empty() && i < items.size(); ++i)
        choices = decisionChoices(*session.record(), {items[i]}, made);
    return choices;
}

DecisionBar::DecisionBar(Session* session, SelectionState* selection, QString advice,
                         QWidget* parent)
    : QFrame(parent), session_(session), selection_(selection), advice_(std::move(advice)),
      now_(new QLabel), buttons_(new QWidget) {
    setObjectName("decisionBar");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 2, 6, 2);
    column->setSpacing(1);
    now_->setObjectName("muted");
    now_->setWordWrap(true);
    now_->setMinimumWidth(1); // of a long name
    column->addWidget(now_);
    new FlowLayout(buttons_, 0, 6, 3);
    column->addWidget(buttons_);
    leaveRoom();
}

/// Buttons have their room from the start: what is above would move under the mouse that chooses.
/// Where there is hardly any, they take that of the words.
void DecisionBar::leaveRoom() {
    const QWidget* pane = parentWidget();
    low_ = pane && pane->height() < kLowLines * fontMetrics().lineSpacing();
    const int height = buttons_->layout()->contentsMargins().top() * 2 +
                       QPushButton(QStringLiteral("x")).sizeHint().height();
    buttons_->setMinimumHeight(height);
    now_->setMinimumHeight(low_ ? height : 0);
    showParts();
}

void DecisionBar::showParts() {
    const bool any = buttons_->layout()->count() > 0;
    now_->setVisible(!low_ || !any);
    buttons_->setVisible(low_ ? any : !session_->isReadOnly());
}

bool DecisionBar::event(QEvent* event) {
    if (event->type() == QEvent::ParentChange && parentWidget())
        parentWidget()->installEventFilter(this);
    return QFrame::event(event);
}

bool DecisionBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize) leaveRoom();
    return QFrame::eventFilter(watched, event);
}

/// What Tab leaves for the buttons of this bar, where they are new: Qt has them behind everything.
QWidget* DecisionBar::before() const {
    QWidget* at = previousInFocusChain();
    while (at != this && (at->focusPolicy() == Qt::NoFocus || isAncestorOf(at)))
        at = at->previousInFocusChain();
    return at;
}

void DecisionBar::refresh() {
    while (QLayoutItem* item = buttons_->layout()->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // one of them may have been clicked just now
        delete item;
    }
    std::vector<DecisionChoice> choices;
    if (!session_->isReadOnly()) choices = choicesOf(*session_, selection_->items());
    now_->setText(session_->isReadOnly() ? tr("A saved record is not compiled again.")
                  : choices.empty()      ? advice_
                                         : tr("Now: %1").arg(choices.front().now));
    now_->setToolTip(now_->text());
    std::erase_if(choices, [](const DecisionChoice& choice) { return choice.title.isEmpty(); });
    QWidget* last = before();
    for (const DecisionChoice& choice : choices) {
        auto* button = new ElidedButton(choice.title);
        button->setToolTip(
            choice.title + "\n" +
            tr("Decide instead of the compiler: it compiles again, and What if tells "
               "what it changes"));
        connect(button, &QPushButton::clicked, this, [this, choice] { follow(session_, choice); });
        buttons_->layout()->addWidget(button);
        setTabOrder(last, button);
        last = button;
    }
    buttons_->setToolTip(now_->text());
    showParts();
}

void DecisionBar::addTo(QMenu* menu, Session* session, const std::vector<ItemId>& items) {
    if (session->isReadOnly()) return;
    auto choices = decisionChoices(*session->record(), items, session->options().decisions);
    std::erase_if(choices, [](const DecisionChoice& choice) { return choice.title.isEmpty(); });
    for (const DecisionChoice& choice : choices)
        menu->addAction(choice.title, session, [session, choice] { follow(session, choice); });
    if (!choices.empty()) menu->addSeparator();
}

} // namespace cutaway::views
