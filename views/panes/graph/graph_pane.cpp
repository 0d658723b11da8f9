// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/graph/graph_pane.h"

#include "views/bridge/layout_request.h"
#include "views/models/box_facts.h"
#include "views/models/node_query.h"
#include "views/models/stage_drawing.h"
#include "views/widgets/choice_box.h"
#include "views/widgets/fact_text.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/legend.h"
#include "views/widgets/overflow_row.h"
#include "views/widgets/pane_bar.h"

#include <QButtonGroup>
#include <QCryptographicHash>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTextDocumentFragment>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace cutaway::views {

namespace {

constexpr size_t kMostForDot = 300;
constexpr size_t kMostSearched = 2000; ///< nodes of another stage, while somebody types
constexpr size_t kMostAtOnce = 400;    ///< nodes placed without another thread: some milliseconds
constexpr qsizetype kMostKept = 24;    ///< placed scenes
constexpr int kLayoutBudgetMs = 600, kFallbackMs = 150;
constexpr int kSearchWide = 170, kSearchLeast = 40, kClearButton = 26, kSearchInset = 34;
constexpr int kSearchFirst = 100; ///< the field takes what room it may have, then the gap beside it

/// Equal for scenes that look alike but for their items: such a scene needs no new layout.
QByteArray signatureOf(const QString& stage, const GraphScene& scene) {
    QCryptographicHash hash(QCryptographicHash::Sha1);
    hash.addData(stage.toUtf8());
    for (const SceneNode& node : scene.nodes) {
        hash.addData((node.title + "/" + node.name + "/" + node.subtitle + "\n").toUtf8());
        hash.addData(QByteArray::number(node.rect.width())); // of the type that it is written in
    }
    for (const SceneFrame& frame : scene.frames)
        hash.addData((frame.key + "\n").toUtf8());
    for (const SceneEdge& edge : scene.edges)
        hash.addData(QByteArray::number(edge.from) + ">" + QByteArray::number(edge.to) + ";");
    return hash.result();
}

/// Shows its text whole or not at all; the tooltip tells it then.
class WholeLabel : public QLabel {
    void paintEvent(QPaintEvent* event) override {
        if (fontMetrics().horizontalAdvance(text()) <= width()) QLabel::paintEvent(event);
    }
};

/// The geometry of \p from with the items of \p to: the same scene where these are the same.
ScenePtr withItems(const ScenePtr& from, const GraphScene& to) {
    const auto& old = from->graph.nodes;
    const bool same = std::ranges::equal(old, to.nodes, [](const auto& a, const auto& b) {
        return a.item == b.item && a.members == b.members;
    });
    if (same) return from;
    GraphScene scene = from->graph;
    for (size_t i = 0; i < scene.nodes.size(); ++i) {
        scene.nodes[i].item = to.nodes[i].item;
        scene.nodes[i].members = to.nodes[i].members;
        scene.nodes[i].inside = to.nodes[i].inside;
    }
    return shared(std::move(scene));
}

} // namespace

GraphPane::GraphPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), stages_(new QButtonGroup(this)), search_(new QLineEdit),
      found_(new QLabel), canvas_(new GraphCanvas), legend_(new Legend), heatChoice_(new ChoiceBox),
      scaleChoice_(new QToolButton), foldChoice_(new ChoiceBox), counts_(new WholeLabel),
      hint_(new QLabel(canvas_)) {
    makeToolbar();
    body()->addWidget(canvas_, 1);
    makeFootRow();
    setFocusProxy(canvas_);
    canvas_->setObjectName("graphCanvas");
    canvas_->setSelectionState(&selection(), this);
    canvas_->setTooltip([this](const SceneNode& node) {
        return node.inside ? factsTip(boxFacts(node), theme()) : itemTip(node.item);
    });
    connect(canvas_, &GraphCanvas::insideWanted, this, &GraphPane::goInside);
    connect(&this->session(), &Session::textReplaced, this, [this](bool other) {
        if (!other) return;
        shownOf_.clear();
        search_->clear();
        given_ = nullptr; // they were of other nodes
        if (heat_ == HeatKind::Given && overlay_.isEmpty()) setHeat(HeatKind::None);
    });
    connect(this->session().engine(), &EngineClient::stateChanged, this, &GraphPane::showOverlays);
    fallback_.setSingleShot(true);
    fallback_.setInterval(kFallbackMs);
}

void GraphPane::makeToolbar() {
    auto* bar = new PaneBar;
    stageRow_ = new OverflowRow(tr("Other graphs"));
    bar->addWidget(stageRow_);
    stages_->setExclusive(true);
    bar->addStretch();
    search_->setPlaceholderText(tr("Find a node"));
    search_->setClearButtonEnabled(true);
    search_->setMaximumWidth(kSearchWide);
    search_->installEventFilter(this);
    search_->setMinimumWidth(kSearchLeast);
    search_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // it gives way first
    search_->setAccessibleName(tr("Find a node"));
    search_->setToolTip(NodeQuery::help());
    bar->addWidget(search_, kSearchFirst);
    makeFoundCount();
    body()->addWidget(bar);
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        int count = canvas_->setSearch(text);
        showFound(text.trimmed().isEmpty() ? -1 : count);
    });
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        if (QGuiApplication::keyboardModifiers() & Qt::AltModifier) return selectFound();
        canvas_->goToMatch(QGuiApplication::keyboardModifiers() & Qt::ShiftModifier ? -1 : 1);
    });
    connect(stages_, &QButtonGroup::buttonClicked, this,
            [this](QAbstractButton* button) { setStage(button->property("stage").toString()); });
}

/// The count stands inside of the field: beside it, it would push the bar wider.
void GraphPane::makeFoundCount() {
    auto* inside = new QHBoxLayout(search_);
    inside->setContentsMargins(0, 0, kClearButton, 0);
    inside->addStretch(1);
    inside->addWidget(found_);
    found_->setObjectName("muted");
    found_->setAttribute(Qt::WA_TransparentForMouseEvents);
    found_->hide();
    hint_->setObjectName("foundElsewhere");
    hint_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    hint_->setMargin(6);
    hint_->setAutoFillBackground(true);
    hint_->hide();
    connect(hint_, &QLabel::linkActivated, this, &GraphPane::setStage);
}

/// Below the field, which has no room for it.
void GraphPane::placeHint() {
    hint_->adjustSize();
    hint_->move(std::max(0, canvas_->width() - hint_->width()), 0);
}

/// "3 in captured": where what is looked for is, when it is not here.
QStringList GraphPane::foundElsewhere() const {
    if (!entry()) return {};
    QStringList all;
    for (const record::GraphStage& stage : entry()->graphs) {
        const QString name = QString::fromStdString(stage.name);
        if (name == stage_ || stage.nodes.size() > kMostSearched) continue;
        // As it is found once it is shown: of a text that mentions it nothing is told here.
        const GraphScene scene = plainScene(stage, textWidth(canvas_->font()));
        const NodeQuery query(search_->text().trimmed());
        const auto count = std::ranges::count_if(
            scene.nodes, [&](const SceneNode& node) { return query.matches(node); });
        const QString found = tr("%1 in %2").arg(count);
        if (count > 0)
            all << found.arg(
                QString("<a href='%1' style='color:%2'>%1</a>").arg(name, theme().accent.name()));
    }
    return all;
}

void GraphPane::showFound(int count) {
    found_->setVisible(count >= 0);
    answer_ = count < 0 ? QString() : QString::number(count);
    QString said = count < 0 ? QString() : tr("%1 found").arg(count);
    hint_->clear();
    if (const QString problem = canvas_->searchProblem(); !problem.isEmpty()) {
        said = problem;
        hint_->setText(count == 0 ? problem.toHtmlEscaped() : QString());
    } else if (const QStringList others = count == 0 ? foundElsewhere() : QStringList();
               !others.isEmpty()) {
        hint_->setText(tr("none here; %1").arg(others.join(", ")));
        said = QTextDocumentFragment::fromHtml(hint_->text()).toPlainText();
    }
    hint_->setVisible(!hint_->text().isEmpty());
    placeHint();
    search_->setToolTip(count < 0 ? NodeQuery::help() : said + "\n" + NodeQuery::help());
    search_->setAccessibleDescription(said);
    placeFound();
    showCounts();
}

/// The field grows for its answer; where it cannot, the question comes first, the number alone
/// stands beside it, and the rest among the counts below.
void GraphPane::placeFound() {
    const int asked = search_->fontMetrics().horizontalAdvance(search_->text()) + kSearchInset;
    const int whole = found_->fontMetrics().horizontalAdvance(answer_) + 4;
    const int wanted = asked + whole + kClearButton;
    search_->setMaximumWidth(std::max(kSearchWide, answer_.isEmpty() ? 0 : wanted));
    found_->setText(search_->width() >= wanted ? answer_ : answer_.section(' ', 0, 0));
    search_->setTextMargins(0, 0, answer_.isEmpty() ? 0 : found_->sizeHint().width() + 4, 0);
}

bool GraphPane::eventFilter(QObject* watched, QEvent* event) {
    if (watched == search_ && event->type() == QEvent::Resize) {
        placeFound();
        placeHint();
    }
    // Where it gave way it has room while it is used; stages then go into their menu.
    if (watched == search_ && event->type() == QEvent::FocusIn)
        search_->setMinimumWidth(std::min(kSearchWide, width() / 2));
    if (watched == search_ && event->type() == QEvent::FocusOut && search_->text().isEmpty())
        search_->setMinimumWidth(kSearchLeast);
    if (watched == search_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        search_->clear(); // as the filters of tables
        canvas_->setFocus();
        return true;
    }
    if (watched == counts_ && event->type() == QEvent::Resize) placeCounts();
    return Pane::eventFilter(watched, event);
}

bool GraphPane::isSettled() const {
    return Pane::isSettled() && layoutId_ == 0 && !placer_.isBusy() && !heater_.isBusy() &&
           canvas_->isSettled();
}

void GraphPane::setStage(const QString& stage) {
    wanted_ = stage;
    if (stage == stage_) return;
    stage_ = stage;
    emit stageChanged();
    showStages();
    showScene();
    canvas_->revealHighlight();
}

bool GraphPane::showStage(const QString& stage) {
    if (!entry() || !entry()->graph(stage.toStdString())) return false;
    setStage(stage);
    return true;
}

void GraphPane::showStages() {
    QStringList names;
    if (entry())
        for (const record::GraphStage& stage : entry()->graphs)
            names << QString::fromStdString(stage.name);
    QStringList present;
    for (QAbstractButton* button : stages_->buttons())
        present << button->property("stage").toString();
    if (names != present) {
        QList<QToolButton*> buttons;
        for (const QString& name : names) {
            auto* button = new QToolButton;
            button->setText(name);
            button->setCheckable(true);
            button->setProperty("stage", name);
            button->setProperty("segment", true);
            button->setToolTip(tr("Show the %1 graph").arg(name));
            stages_->addButton(button);
            buttons << button;
        }
        stageRow_->setButtons(buttons);
    }
    if (!names.isEmpty()) stage_ = names.contains(wanted_) ? wanted_ : names.first();
    for (QAbstractButton* button : stages_->buttons())
        button->setChecked(button->property("stage").toString() == stage_);
    stageRow_->arrange();
}

void GraphPane::showRecord() {
    const QString before = stage_;
    showStages();
    const bool more = stage_ == before && isMoreOfTheSame();
    of_ = session().record();
    compilation_ = session().compilation();
    if (!overlay_.isEmpty() && overlayOf_ != of_ && !session().isPartial()) setOverlay(overlay_);
    folding_.names = entry() ? foldNames(*entry()) : FoldNames();
    if (!more) return showScene();
    if (placer_.isBusy()) return;
    measureHeat();
}

bool GraphPane::isMoreOfTheSame() const {
    if (session().compilation() != compilation_ || session().record() == of_) return false;
    if (shown_.isEmpty() && !placer_.isBusy()) return false;
    const std::string stage = stage_.toStdString();
    const record::Entry* old = of_->entry(session().function(), session().entryIndex());
    const record::GraphStage *was = old ? old->graph(stage) : nullptr,
                             *is = entry() ? entry()->graph(stage) : nullptr;
    return was && is && was->nodes.size() == is->nodes.size();
}

GraphScene GraphPane::everyNode() const {
    const record::GraphStage* stage = entry() ? entry()->graph(stage_.toStdString()) : nullptr;
    const bool boxes = std::ranges::any_of(
        canvas_->scene().nodes, [](const SceneNode& node) { return node.inside != nullptr; });
    if (!stage || !boxes) return canvas_->scene();
    return wholeStage(*stage, canvas_->font(), folding_);
}

void GraphPane::showScene() {
    fallback_.stop();
    placer_.forget();
    if (layoutId_) session().engine()->cancel(std::exchange(layoutId_, 0));
    const record::GraphStage* stage = entry() ? entry()->graph(stage_.toStdString()) : nullptr;
    if (!stage) {
        shown_.clear();
        canvas_->setEmptyText(emptyAdvice(tr("This entry has no graph.")));
        canvas_->setScene(shared({}), false);
        map_ = {};
        showCounts();
        return legend_->setEntries({}, {});
    }
    if (stage->nodes.size() > kMostAtOnce) return placeAside();
    GraphScene scene = drawnStage(*stage, canvas_->font(), folding_);
    QByteArray signature = signatureOf(stage_, scene);
    if (auto at = placed_.constFind(signature); at != placed_.constEnd())
        return present(withItems(*at, scene), signature);
    if (stage_ != "joint" && scene.frames.empty() && scene.nodes.size() <= kMostForDot &&
        session().engine()->isUsable())
        return requestPlaces(scene, signature);
    placeStage(scene, *stage);
    const ScenePtr placed = shared(std::move(scene));
    keep(signature, placed);
    present(placed, signature);
}

/// A large graph is measured and placed on another thread; what is shown stays until then.
void GraphPane::placeAside() {
    canvas_->setEmptyText(tr("Placing the nodes…"));
    placer_.start([this, record = session().record(), function = session().function(),
                   entry = session().entryIndex(), name = stage_, font = canvas_->font(),
                   known = placed_, folding = folding_]() -> LatestWork::Finish {
        const record::Entry* owner = record->entry(function, entry);
        const record::GraphStage* stage = owner ? owner->graph(name.toStdString()) : nullptr;
        if (!stage) return {};
        GraphScene scene = drawnStage(*stage, font, folding);
        QByteArray signature = signatureOf(name, scene);
        ScenePtr placed;
        if (auto at = known.constFind(signature); at != known.constEnd()) {
            placed = withItems(*at, scene);
        } else {
            placeStage(scene, *stage);
            placed = shared(std::move(scene));
        }
        return [this, placed, signature] {
            keep(signature, placed);
            present(placed, signature);
        };
    });
}

void GraphPane::requestPlaces(const GraphScene& scene, const QByteArray& signature) {
    // A layout of our own comes first when the engine takes long enough for an eye to notice.
    fallback_.disconnect(this);
    connect(&fallback_, &QTimer::timeout, this, [this, scene, signature] {
        GraphScene own = scene;
        placeLayered(own);
        present(shared(std::move(own)), signature);
    });
    fallback_.start();
    auto token = std::make_shared<int>(0);
    *token = layoutId_ =
        requestLayout(*session().engine(), scene, kLayoutBudgetMs,
                      [this, scene, signature, token](std::optional<GraphScene> placed) {
                          if (*token != layoutId_) return; // a newer graph is wanted
                          layoutId_ = 0;
                          fallback_.stop();
                          GraphScene result = placed ? *placed : scene;
                          if (!placed) placeLayered(result);
                          const ScenePtr shown = shared(std::move(result));
                          keep(signature, shown);
                          present(shown, signature);
                      });
}

void GraphPane::keep(const QByteArray& signature, const ScenePtr& scene) {
    placedOrder_.removeAll(signature);
    placedOrder_ << signature;
    placed_.insert(signature, scene);
    while (placedOrder_.size() > kMostKept)
        placed_.remove(placedOrder_.takeFirst());
}

void GraphPane::present(const ScenePtr& scene, const QByteArray& signature) {
    bool same = signature == shown_;
    shown_ = signature;
    const QString what = QString("%1 %2 %3")
                             .arg(stage_)
                             .arg(session().function())
                             .arg(static_cast<int>(folding_.kind));
    const bool edited = std::exchange(shownOf_, what) == what && !same && anchor_.isEmpty();
    if (edited)
        canvas_->setEdited(scene);
    else
        canvas_->setScene(scene, same, std::exchange(anchor_, QString()));
    if (!search_->text().trimmed().isEmpty()) showFound(canvas_->setSearch(search_->text()));
    measureHeat();
    if (std::exchange(revealNext_, false)) canvas_->revealHighlight();
}

void GraphPane::showTheme() {
    canvas_->setTheme(theme());
    legend_->setTheme(theme());
    showLegend();
}

void GraphPane::showSelection(bool reveal) {
    if (reveal)
        canvas_->revealHighlight();
    else
        canvas_->update();
}

void GraphPane::showStatus() {
    canvas_->setEmptyText(emptyAdvice(tr("This entry has no graph.")));
}

} // namespace cutaway::views
