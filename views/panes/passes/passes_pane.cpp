// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/passes/passes_pane.h"

#include "views/language/sentences.h"
#include "views/models/rows.h"
#include "views/widgets/code_view.h"
#include "views/widgets/flow_layout.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/item_view.h"
#include "views/widgets/low_tabs.h"
#include "views/widgets/pane_bar.h"
#include "views/widgets/rows_room.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace cutaway::views {

namespace {
const QString kWithout = QStringLiteral("without "); ///< the decision that leaves a pass out
const QString kWith = QStringLiteral("with ");       ///< that gives it another number
constexpr size_t kMostAtOnce = 400; ///< nodes placed without another thread: some milliseconds
} // namespace

PassesPane::PassesPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), list_(new ItemView(rows::passColumns(), "passList")),
      onlyChanged_(new QCheckBox(tr("Only with changes"))), summary_(new QLabel),
      switches_(new QWidget), argumentBar_(new QWidget), argumentText_(new QLabel),
      argument_(new QSpinBox), rewriteBar_(new QWidget), rewriteText_(new QLabel),
      tabs_(new QTabWidget), changes_(new CodeView), rule_(new QPlainTextEdit),
      canvas_(new GraphCanvas), counts_(new QLabel) {
    setFocusProxy(list_);
    auto* bar = new PaneBar;
    onlyChanged_->setChecked(true);
    onlyChanged_->setToolTip(tr("Only passes that changed something"));
    bar->addWidget(onlyChanged_);
    bar->addStretch();
    counts_->setMinimumWidth(1); // in large type it gives way
    bar->addWidget(counts_);
    bar->addButton("up", tr("Previous pass that changed something ([); any: {"), this,
                   [this] { step(-1); });
    bar->addButton("down", tr("Next pass that changed something (]); any: }"), this,
                   [this] { step(1); });
    body()->addWidget(bar);
    auto* detail = new QWidget;
    auto* column = new QVBoxLayout(detail);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    summary_->setWordWrap(true);
    QSizePolicy whole(QSizePolicy::Preferred, QSizePolicy::Minimum); // where the pane is low, too
    whole.setHeightForWidth(true);
    for (QLabel* label : {summary_, argumentText_})
        label->setSizePolicy(whole);
    summary_->setMargin(6);
    summary_->setObjectName("muted");
    column->addWidget(summary_);
    new FlowLayout(switches_, 6, 6, 3);
    column->addWidget(switches_);
    auto* argument = new QHBoxLayout(argumentBar_);
    argument->setContentsMargins(6, 3, 6, 3);
    argument->addWidget(argument_);
    argument->addWidget(argumentText_, 1);
    argumentText_->setWordWrap(true); // else it would widen the pane
    argument_->setKeyboardTracking(false);
    argument_->setAccelerated(true);
    argumentText_->setObjectName("muted");
    argumentText_->setBuddy(argument_);
    column->addWidget(argumentBar_);
    connect(argument_, &QSpinBox::valueChanged, this, &PassesPane::decideArgument);
    makeRewriteBar(column);
    tabs_->setDocumentMode(true);
    tabs_->setMinimumHeight(leastTabs(tabs_));
    tabs_->addTab(changes_, tr("Changes"));
    tabs_->addTab(canvas_, tr("On the graph"));
    tabs_->addTab(rule_, tr("The rule"));
    tabs_->setTabToolTip(2, tr("What the pass does, when it fires, when it must not"));
    rule_->setReadOnly(true);
    rule_->setFrameShape(QFrame::NoFrame);
    rule_->setAccessibleName(tr("The rule"));
    column->addWidget(tabs_, 1);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(list_);
    splitter->addWidget(detail);
    new RowsRoom(splitter, list_, 0.5);
    body()->addWidget(splitter);
    list_->setStretchColumn(static_cast<int>(rows::PassColumn::Pass));
    changes_->setReadOnly(true);
    changes_->setLanguage("python");
    changes_->setLineNumbers(false);
    changes_->setAccessibleName(tr("Changes"));
    canvas_->setObjectName("passGraph");
    canvas_->setAccessibleName(tr("Graph after the pass"));
    canvas_->setSelectionState(&selection(), this);
    canvas_->setTooltip([this](const SceneNode& node) { return itemTip(node.item); });
    connect(tabs_, &QTabWidget::currentChanged, this, [this] {
        showGraph();
        if (tabs_->underMouse()) tabs_->currentWidget()->setFocus(); // for the keys that step
    });
    connect(changes_, &CodeView::lineActivated, this, [this](int line) {
        if (static_cast<size_t>(line) >= lineItems_.size()) return;
        if (const ItemId item = lineItems_[static_cast<size_t>(line)]; item != kNoItem)
            selection().select({item}, this);
    });
    connect(onlyChanged_, &QCheckBox::toggled, this, [this] { showRecord(); });
    connect(list_, &ItemView::rowChosen, this, [this](const Row* row) {
        if (row->detail.startsWith(kWithout)) return showLeftOut(row->detail.mid(kWithout.size()));
        showPass(row->detail.toInt());
    });
    auto key = [this](const char* keys, auto act) {
        auto* shortcut = new QShortcut(QKeySequence(QLatin1String(keys)), this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, act);
    };
    key("[", [this] { step(-1); });
    key("]", [this] { step(1); });
    key("{", [this] { stepAny(-1); });
    key("}", [this] { stepAny(1); });
    key(",", [this] { stepRewrite(-1); });
    key(".", [this] { stepRewrite(1); });
}

void PassesPane::makeRewriteBar(QVBoxLayout* column) {
    auto* row = new QHBoxLayout(rewriteBar_);
    row->setContentsMargins(6, 0, 6, 3);
    rewriteText_->setWordWrap(true);
    row->addWidget(rewriteText_, 1);
    const auto add = [&](const char* icon, const QString& tip, int by) {
        auto* button = new QToolButton;
        button->setProperty("iconName", QString::fromLatin1(icon));
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        connect(button, &QToolButton::clicked, this, [this, by] { stepRewrite(by); });
        row->addWidget(button);
    };
    add("back", tr("Rewrite before (,); before the first: all"), -1);
    add("forward", tr("Next rewrite (.)"), 1);
    column->addWidget(rewriteBar_);
}

const record::PassRun* PassesPane::shownPass() const {
    const auto at = static_cast<size_t>(current_);
    return entry() && current_ >= 0 && at < entry()->passes.size() ? &entry()->passes[at] : nullptr;
}

void PassesPane::stepRewrite(int by) {
    const record::PassRun* pass = shownPass();
    if (!pass) return;
    const int next = std::clamp(rewrite_ + by, 0, static_cast<int>(pass->rewrites.size()));
    if (next == rewrite_) return;
    rewrite_ = next;
    showRewrite();
    showText(*pass);
    showGraph();
}

void PassesPane::showRewrite() {
    const record::PassRun* pass = shownPass();
    summary_->setVisible(rewrite_ == 0); // one rule's condition in place of what all of them do
    rewriteBar_->setVisible(pass && !pass->rewrites.empty());
    if (!pass || pass->rewrites.empty()) return;
    const auto count = static_cast<int>(pass->rewrites.size());
    if (rewrite_ == 0)
        return rewriteText_->setText(tr("%n rewrite(s), all of them below", nullptr, count));
    const record::Rewrite& one = pass->rewrites[static_cast<size_t>(rewrite_) - 1];
    const auto plain = [](const std::string& text) {
        return QString::fromStdString(text).trimmed().toHtmlEscaped();
    };
    const auto sentence = [](const std::string& text) { return told(text).toHtmlEscaped(); };
    QString text = tr("Rewrite %1 of %2: %3")
                       .arg(rewrite_)
                       .arg(count)
                       .arg("<b>" + sentence(one.rule.empty() ? pass->summary : one.rule) + "</b>");
    text += "<br><code>" + plain(one.line.empty() ? one.node : one.line) + "</code><br>";
    text += one.condition.empty() ? tr("met its condition.")
                                  : tr("met its condition: %1.").arg(sentence(one.condition));
    QStringList now;
    for (const std::string& name : one.becomes)
        now << "<code>" + plain(name) + "</code>";
    if (!now.isEmpty()) text += " " + tr("Read from now on: %1.").arg(now.join(", "));
    rewriteText_->setText(text);
}

bool PassesPane::isSettled() const {
    return Pane::isSettled() && !placer_.isBusy() && canvas_->isSettled();
}

void PassesPane::stepAny(int direction) {
    if (!entry() || entry()->passes.empty()) return;
    const int count = static_cast<int>(entry()->passes.size());
    const int next = std::clamp(current_ + direction, 0, count - 1);
    if (onlyChanged_->isChecked() && !entry()->passes[static_cast<size_t>(next)].changed)
        onlyChanged_->setChecked(false);
    list_->selectDetail(QString::number(next));
}

void PassesPane::step(int direction) {
    if (!entry()) return;
    int count = static_cast<int>(entry()->passes.size());
    int start = current_ < 0 && direction < 0 ? count : current_;
    for (int i = start + direction; i >= 0 && i < count; i += direction)
        if (entry()->passes[static_cast<size_t>(i)].changed)
            return list_->selectDetail(QString::number(i));
}

void PassesPane::showRecord() {
    if (std::exchange(about_, session().path()) != session().path()) current_ = -1;
    int before = current_;
    const QString chosen = current_ < 0 ? QString() : chosen_;
    if (const QString moved = std::exchange(followed_, QString()); entry() && !moved.isEmpty())
        for (int step : {0, -1, 1}) // to a neighbour's place
            if (const auto at = static_cast<size_t>(before + step);
                at < entry()->passes.size() &&
                QString::fromStdString(entry()->passes[at].pass) == moved) {
                before = before + step;
                break;
            }
    const QStringList out = leftOut();
    std::vector<Row> rows;
    if (entry()) rows = rows::passes(*entry(), onlyChanged_->isChecked());
    if (!out.isEmpty()) rows.push_back(rows::passesLeftOut(out, kWithout));
    list_->setRows(std::move(rows));
    if (left_.isEmpty() && out.contains(chosen)) left_ = chosen; // by a decision of elsewhere
    if (out.contains(left_)) { // it was chosen when it was left out
        list_->selectDetail(kWithout + left_);
        return showLeftOut(left_);
    }
    const QString left = left_;
    bool ran = false;
    for (size_t i = 0; entry() && !left.isEmpty() && i < entry()->passes.size(); ++i)
        if (QString::fromStdString(entry()->passes[i].pass) == left) {
            before = static_cast<int>(i); // it was put back
            ran = true;
        }
    bool exists = entry() && before >= 0 && static_cast<size_t>(before) < entry()->passes.size();
    current_ = exists ? before : -1;
    if (current_ < 0)
        step(1);
    else if (list_->selectDetail(QString::number(current_)); !isChosen(current_))
        showPass(current_); // the list leaves it out
    if (current_ < 0) showPass(-1);
    // What is shown is still of before the decision.
    if (session().options().decisions.contains(kWithout + left) == ran) left_ = left;
}

QStringList PassesPane::leftOut() const {
    QStringList names;
    if (!entry()) return names;
    for (const QString& one : session().options().decisions) {
        const QString name = one.startsWith(kWithout) ? one.mid(kWithout.size()) : QString();
        const bool ran = std::ranges::any_of(entry()->passes, [&](const record::PassRun& pass) {
            return QString::fromStdString(pass.pass) == name;
        });
        if (!name.isEmpty() && !ran) names << name;
    }
    return names;
}

void PassesPane::showLeftOut(QString name) { // a copy: that may be left_
    showPass(-1);
    left_ = std::move(name);
    summary_->setText(tr("<b>%1</b> was left out of this compilation.").arg(left_.toHtmlEscaped()));
}

bool PassesPane::isChosen(int pass) const {
    const Row* row = list_->currentRow();
    return row && row->detail == QString::number(pass);
}

void PassesPane::showPass(int index) {
    current_ = index;
    left_.clear();
    rewrite_ = 0;
    showRewrite();
    showSwitches();
    showArgument();
    const bool none = !entry() || index < 0 || static_cast<size_t>(index) >= entry()->passes.size();
    tabs_->setVisible(!none);
    if (none) {
        summary_->setText(tr("No pass is chosen."));
        counts_->clear();
        changes_->setCode({});
        lineItems_.clear();
        rule_->clear();
        return showGraph();
    }
    const record::PassRun& pass = entry()->passes[static_cast<size_t>(index)];
    chosen_ = QString::fromStdString(pass.pass);
    const QString text = session()
                             .engine()
                             ->property("passTexts")
                             .toMap()
                             .value(QString::fromStdString(pass.pass))
                             .toString();
    rule_->clear();
    rule_->appendHtml(text.isEmpty() ? tr("Nothing is known of its rule.") : ruleHtml(text));
    rule_->moveCursor(QTextCursor::Start);
    const QString name = QString::fromStdString(pass.pass);
    const QStringList optional = session().engine()->property("optionalPasses").toStringList();
    summary_->setText(QString("<b>%1</b> · %2%3")
                          .arg(name.toHtmlEscaped(), told(pass.summary).toHtmlEscaped(),
                               optional.isEmpty() || optional.contains(name)
                                   ? QString()
                                   : tr(". Later stages rely on it: it is never left out.")));
    int added = 0, removed = 0, rewritten = 0;
    for (const record::NodeChange& change : pass.changes)
        ++(change.before.empty() ? added : change.after.empty() ? removed : rewritten);
    counts_->setText(tr("+%1  −%2  ~%3").arg(added).arg(removed).arg(rewritten));
    counts_->setToolTip(tr("added, removed, rewritten"));
    showText(pass);
    showGraph();
}

/// A paragraph a line, with what its first words mean.
QString PassesPane::ruleHtml(const QString& text) {
    const std::pair<const char*, QString> heads[] = {
        {"fires", tr("Fires")},
        {"must", tr("Must not fire")},
        {"nearly", tr("Nearly (looks like a case, and is none or another)")},
        {"Source", tr("Source")}};
    QString html;
    for (const QString& line : text.split('\n')) {
        QString rest = line, head;
        for (const auto& [word, title] : heads)
            if (line.section(':', 0, 0).section(' ', 0, 0) == QLatin1String(word)) {
                head = "<b>" + title.toHtmlEscaped() + ":</b> ";
                rest = line.section(':', 1).trimmed();
            }
        html += "<p>" + head + rest.toHtmlEscaped() + "</p>";
    }
    return html;
}

/// One button for the pass that is shown, if it may be left out, and one for each that was.
void PassesPane::showSwitches() {
    qDeleteAll(switches_->findChildren<QPushButton*>(Qt::FindDirectChildrenOnly));
    auto add = [this](const QString& text, const QString& tip, auto decide) {
        auto* button = new QPushButton(text);
        button->setToolTip(tip);
        button->setEnabled(!session().isReadOnly());
        switches_->layout()->addWidget(button);
        // It is gone once the pane shows what came of it.
        connect(button, &QPushButton::clicked, this, decide, Qt::QueuedConnection);
    };
    const QStringList made = session().options().decisions;
    if (entry() && current_ >= 0 && static_cast<size_t>(current_) < entry()->passes.size()) {
        const QString name =
            QString::fromStdString(entry()->passes[static_cast<size_t>(current_)].pass);
        const QString without = kWithout + name;
        if (session().engine()->property("optionalPasses").toStringList().contains(name) &&
            !made.contains(without))
            add(tr("Leave this pass out"), tr("Compile without it, to see what follows"),
                [this, made, without, name] {
                    left_ = name;
                    session().decide(decided(made, without));
                });
    }
    addMoves(made, add);
    for (const QString& one : made)
        if (one.startsWith(kWithout))
            add(tr("Put “%1” back").arg(one.section(' ', 1)), tr("It was left out"),
                [this, made, one] { session().decide(leftToCompiler(made, one)); });
    switches_->setVisible(switches_->layout()->count() > 0);
}

/// The number that the pass goes by; what it usually is, where a person gave it another one.
void PassesPane::showArgument() {
    const record::PassRun* pass = shownPass();
    const QString name = pass ? QString::fromStdString(pass->pass) : QString();
    const QVariantMap takes =
        session().engine()->property("passArguments").toMap().value(name).toMap();
    argumentBar_->setVisible(!takes.isEmpty());
    argumentOf_ = takes.isEmpty() ? QString() : name + " " + takes.value("name").toString();
    if (takes.isEmpty()) return;
    int value = takes.value("usual").toInt();
    const QString subject = kWith + argumentOf_;
    for (const QString& one : session().options().decisions)
        if (decisionSubject(one) == subject) value = one.section('=', 1).toInt();
    const QSignalBlocker quiet(argument_);
    argument_->setRange(takes.value("least").toInt(), takes.value("most").toInt());
    argument_->setValue(value);
    argument_->setPrefix(takes.value("name").toString() + ": ");
    argument_->setEnabled(!session().isReadOnly());
    const QString told = views::told(takes.value("summary").toString().toStdString());
    argument_->setAccessibleName(told);
    const QString usual = QLocale().toString(takes.value("usual").toInt());
    argumentText_->setText(
        value == takes.value("usual").toInt() ? told : tr("%1 (usually %2)").arg(told, usual));
}

void PassesPane::decideArgument() {
    const QVariantMap takes = session()
                                  .engine()
                                  ->property("passArguments")
                                  .toMap()
                                  .value(argumentOf_.section(' ', 0, 0))
                                  .toMap();
    const QStringList made = session().options().decisions;
    const QString decision = kWith + argumentOf_ + "=" + QString::number(argument_->value());
    session().decide(argument_->value() == takes.value("usual").toInt()
                         ? leftToCompiler(made, decisionSubject(decision))
                         : decided(made, decision));
}

/// To the places of its neighbours, which it and they may have: neither is one that others rely on.
void PassesPane::addMoves(const QStringList& made, const AddSwitch& add) {
    const QStringList optional = session().engine()->property("optionalPasses").toStringList();
    const auto neighbour = [&](int by) {
        const int at = current_ + by;
        if (!entry() || current_ < 0 || at < 0 || at >= static_cast<int>(entry()->passes.size()))
            return QString();
        const record::PassRun &own = entry()->passes[static_cast<size_t>(current_)],
                              &other = entry()->passes[static_cast<size_t>(at)];
        const QString name = QString::fromStdString(other.pass);
        return own.stage == other.stage && optional.contains(name) &&
                       optional.contains(QString::fromStdString(own.pass))
                   ? name
                   : QString();
    };
    const QString before = neighbour(-1), after = neighbour(1);
    if (entry() && current_ >= 0 && static_cast<size_t>(current_) < entry()->passes.size()) {
        const QString own =
            QString::fromStdString(entry()->passes[static_cast<size_t>(current_)].pass);
        const auto move = [this, made, own](const QString& pass, const QString& other) {
            return [this, made, pass, other, own] {
                QStringList now = made;
                // Back to where it was is no decision.
                if (now.removeAll("order " + other + " " + pass) == 0)
                    now << "order " + pass + " " + other;
                followed_ = own;
                session().decide(now);
            };
        };
        if (!before.isEmpty())
            add(tr("Earlier"), tr("Run it before “%1”").arg(before), move(own, before));
        if (!after.isEmpty())
            add(tr("Later"), tr("Run it after “%1”").arg(after), move(after, own));
    }
    for (const QString& one : made)
        if (one.startsWith("order "))
            add(tr("Undo “%1 before %2”").arg(one.section(' ', 1, 1), one.section(' ', 2)),
                tr("Run them in their usual order"),
                [this, made, one] { session().decide(leftToCompiler(made, one)); });
}

void PassesPane::showText(const record::PassRun& pass) {
    const record::GraphStage* stage = entry()->graph(pass.stage);
    QStringList lines;
    std::vector<int> signs;
    lineItems_.clear();
    auto itemOf = [&](const std::string& name) {
        if (stage)
            for (const record::GraphNode& node : stage->nodes)
                if (node.name == name) return node.item;
        return kNoItem;
    };
    auto add = [&](const std::string& text, int sign, ItemId item) {
        for (const QString& line : QString::fromStdString(text).trimmed().split('\n')) {
            lines << (sign > 0 ? "+ " : sign < 0 ? "- " : "  ") + line;
            signs.push_back(sign);
            lineItems_.push_back(item);
        }
    };
    for (const record::NodeChange& change : pass.changes) {
        if (rewrite_ > 0 && change.rewrite != rewrite_) continue;
        const ItemId item = itemOf(change.node);
        if (!change.before.empty()) add(change.before, -1, item);
        if (!change.after.empty()) add(change.after, 1, item);
        if (change.before.empty() && change.after.empty())
            add(change.kind + " " + change.node, change.kind == "removed" ? -1 : 1, item);
    }
    if (lines.isEmpty()) add(tr("nothing to change").toStdString(), 0, kNoItem);
    changes_->setCode(lines.join('\n'));
    changes_->setDiff(signs);
    changes_->revealLine(0);
}

/// Built when it is looked at; of a large graph on another thread.
void PassesPane::showGraph() {
    placer_.forget();
    if (tabs_->currentWidget() != canvas_) return;
    if (!entry() || current_ < 0) return canvas_->setScene(shared({}), false);
    const std::string& name = entry()->passes[static_cast<size_t>(current_)].stage;
    const QByteArray same = QByteArray::fromStdString(name) +
                            QByteArray::number(session().function()) + ":" +
                            QByteArray::number(session().entryIndex());
    std::shared_ptr<PassSteps> known;
    if (stepsRecord_ == session().record() && stepsStage_ == same && stepsFont_ == canvas_->font())
        known = steps_;
    const record::GraphStage* stage = entry()->graph(name);
    if (stage && stage->nodes.size() <= kMostAtOnce) {
        if (!known) known = std::make_shared<PassSteps>(*entry(), name, textWidth(canvas_->font()));
        return present(session().record(), known,
                       shared(known->scene(static_cast<size_t>(current_), rewrite_)), same);
    }
    if (canvas_->scene().nodes.empty()) canvas_->setEmptyText(tr("Placing the nodes…"));
    placer_.start([this, known, record = session().record(), function = session().function(),
                   index = session().entryIndex(), name, same, font = canvas_->font(),
                   pass = static_cast<size_t>(current_),
                   rewrite = rewrite_]() mutable -> LatestWork::Finish {
        const record::Entry* owner = record->entry(function, index);
        if (!owner) return {};
        if (!known) known = std::make_shared<PassSteps>(*owner, name, textWidth(font));
        return [this, record, known, scene = shared(known->scene(pass, rewrite)), same] {
            present(record, known, scene, same);
        };
    });
}

void PassesPane::present(const RecordPtr& of, std::shared_ptr<PassSteps> steps, ScenePtr scene,
                         const QByteArray& same) {
    steps_ = std::move(steps);
    stepsFont_ = canvas_->font();
    stepsRecord_ = of;
    stepsStage_ = same;
    canvas_->setScene(std::move(scene), shown_ == same);
    shown_ = same;
    const auto& nodes = canvas_->scene().nodes;
    const auto first = std::find_if(nodes.begin(), nodes.end(),
                                    [](const SceneNode& node) { return node.change != 0; });
    if (first != nodes.end() && !canvas_->shownArea().contains(first->rect))
        canvas_->revealNode(static_cast<int>(first - nodes.begin()));
}

void PassesPane::showSelection(bool reveal) {
    changes_->setHighlights([this](int line) {
        return static_cast<size_t>(line) < lineItems_.size()
                   ? selection().level(lineItems_[static_cast<size_t>(line)])
                   : Highlight::None;
    });
    if (reveal && tabs_->currentWidget() == canvas_)
        canvas_->revealHighlight();
    else
        canvas_->update();
}

void PassesPane::showStatus() {
    list_->setEmptyText(emptyAdvice(tr("No pass changed anything.")));
    canvas_->setEmptyText(emptyAdvice(tr("No pass is chosen.")));
}

void PassesPane::showTheme() {
    list_->setTheme(theme());
    changes_->setTheme(theme());
    canvas_->setTheme(theme());
}

} // namespace cutaway::views
