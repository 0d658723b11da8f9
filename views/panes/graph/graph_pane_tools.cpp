// SPDX-License-Identifier: GPL-3.0-or-later
// GraphPane below and beside the drawing: colours, legend, what is filtered, the menu of a node.
#include "views/panes/graph/graph_pane.h"

#include "views/models/format.h"
#include "views/widgets/flow_layout.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/legend.h"
#include "views/widgets/pane_bar.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>

namespace cutaway::views {

namespace {
constexpr size_t kMostAtOnce = 400; ///< nodes measured without another thread
constexpr int kMostCounted = 99999; ///< for which there always is room
constexpr int kLeastChoice = 48;
constexpr int kOverlayRole = Qt::UserRole + 1, kColumnRole = Qt::UserRole + 2;
} // namespace

void GraphPane::makeFootRow() {
    auto* foot = new QFrame; // in as many rows as it needs
    foot->setObjectName("paneBar");
    auto* row = new FlowLayout(foot, 6, 4, 3);
    row->setLastWide(true);
    heatChoice_->setObjectName("heatChoice");
    heatChoice_->setAccessibleName(tr("Colour"));
    heatChoice_->setToolTip(tr("What the colours of the nodes tell"));
    for (HeatKind kind : {HeatKind::None, HeatKind::Bytes, HeatKind::SavedBytes, HeatKind::Work,
                          HeatKind::Time, HeatKind::Occupancy, HeatKind::Error, HeatKind::Given})
        heatChoice_->addItem(heatName(kind), static_cast<int>(kind));
    foldChoice_->setObjectName("foldChoice");
    foldChoice_->setAccessibleName(tr("Boxes"));
    foldChoice_->setToolTip(tr("What is drawn as one box; a double click opens it"));
    foldChoice_->addItem(tr("Modules in boxes"), static_cast<int>(FoldKind::Modules));
    foldChoice_->addItem(tr("Repeats in boxes"), static_cast<int>(FoldKind::Repeats));
    foldChoice_->addItem(tr("Every node"), static_cast<int>(FoldKind::None));
    for (QComboBox* box : {heatChoice_, foldChoice_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(box == heatChoice_ ? 7 : 11);
        box->setMinimumWidth(kLeastChoice); // in a narrow pane their words are cut
    }
    auto* types = new QToolButton;
    types->setObjectName("edgeTypes");
    types->setText(tr("Types"));
    types->setCheckable(true);
    types->setToolTip(
        tr("Write shape, dtype, bytes and (where it is not contiguous) stride along the edges"));
    scaleChoice_->setObjectName("heatScale");
    scaleChoice_->setText(tr("Linear"));
    scaleChoice_->setCheckable(true);
    scaleChoice_->setToolTip(tr("Colours by equal steps of the quantity, not of its logarithm"));
    scaleChoice_->hide();
    row->addWidget(heatChoice_);
    row->addWidget(scaleChoice_);
    row->addWidget(foldChoice_);
    row->addWidget(types);
    auto* right = new PaneBar;
    right->setObjectName({}); // part of this bar
    right->row()->setContentsMargins(0, 0, 0, 0);
    right->addWidget(counts_, 1);
    right->addButton("zoom-out", tr("Zoom out (−)"), this, [this] { canvas_->zoomBy(0.8); });
    right->addButton("zoom-in", tr("Zoom in (+)"), this, [this] { canvas_->zoomBy(1.25); });
    right->addButton("fit", tr("Fit the whole graph (Space)"), this, [this] { canvas_->fit(); });
    row->addWidget(right);
    counts_->setObjectName("muted");
    // Numbers give way before the window has to grow.
    counts_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    counts_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    counts_->installEventFilter(this);
    body()->addWidget(legend_);
    body()->addWidget(foot);
    legend_->setFilters(true);
    makeEdgeWords(types);
    connect(legend_, &Legend::filterChanged, this, &GraphPane::showColours);
    connect(heatChoice_, &QComboBox::activated, this, [this](int index) {
        const auto kind = static_cast<HeatKind>(heatChoice_->itemData(index).toInt());
        const QString overlay = heatChoice_->itemData(index, kOverlayRole).toString();
        if (!overlay.isEmpty()) return setOverlay(overlay);
        if (const QVariant column = heatChoice_->itemData(index, kColumnRole); column.isValid())
            return setNodeValues(columns_[column.toULongLong()]);
        if (kind == HeatKind::Given) return askNodeValues();
        setHeat(kind);
    });
    connect(scaleChoice_, &QToolButton::toggled, this, [this](bool linear) {
        setHeatScale(linear ? HeatScale::Linear : HeatScale::Logarithmic);
    });
    connect(foldChoice_, &QComboBox::activated, this, [this](int index) {
        setFolding(static_cast<FoldKind>(foldChoice_->itemData(index).toInt()));
    });
    connect(canvas_, &GraphCanvas::foldToggled, this, &GraphPane::toggleFold);
    connect(canvas_, &GraphCanvas::menuRequested, this, &GraphPane::showMenu);
    connect(&session(), &Session::runsChanged, this, [this] {
        if (heat_ == HeatKind::Time) setHeat(heat_);
    });
    connect(&session(), &Session::numbersChanged, this, [this] {
        if (heat_ == HeatKind::Error) setHeat(heat_);
    });
}

/// The button shows and hides what its menu chooses.
void GraphPane::makeEdgeWords(QToolButton* types) {
    auto* menu = new QMenu(types);
    const std::pair<EdgeWord, QString> words[] = {{kDtype, tr("&Dtype")},
                                                  {kShape, tr("&Shape")},
                                                  {kStride, tr("S&tride")},
                                                  {kBytes, tr("&Bytes")}};
    const auto chosen = [menu] {
        uint8_t all = 0;
        for (const QAction* one : menu->actions())
            if (one->isChecked()) all |= static_cast<uint8_t>(one->data().toInt());
        return all;
    };
    for (const auto& [word, title] : words) {
        QAction* action = menu->addAction(title);
        action->setData(static_cast<int>(word));
        action->setCheckable(true);
        action->setChecked(true);
        connect(action, &QAction::toggled, this, [this, types, chosen] {
            if (types->isChecked() == (chosen() != 0)) return canvas_->setEdgeTypes(chosen());
            types->setChecked(chosen() != 0);
        });
    }
    types->setMenu(menu);
    types->setPopupMode(QToolButton::MenuButtonPopup);
    connect(types, &QToolButton::toggled, this, [this, menu, chosen](bool shown) {
        if (shown && chosen() == 0) // nothing is left to show
            for (QAction* one : menu->actions()) {
                const QSignalBlocker blocker(one);
                one->setChecked(true);
            }
        canvas_->setEdgeTypes(shown ? chosen() : 0);
    });
}

void GraphPane::setFolding(FoldKind kind, const QSet<QString>& opened,
                           const QSet<QString>& closed) {
    if (folding_.kind == kind && folding_.open == opened && folding_.closed == closed) return;
    folding_ = {kind, opened, closed, kFoldRoom, folding_.names};
    foldChoice_->setCurrentIndex(foldChoice_->findData(static_cast<int>(kind)));
    showScene();
    emit foldingChanged();
}

void GraphPane::toggleFold(const QString& key, bool open) {
    folding_.set(key, open);
    anchor_ = key;
    showScene();
    emit foldingChanged();
}

void GraphPane::goInside(ItemId item) {
    const record::GraphStage* stage = entry() ? entry()->graph(stage_.toStdString()) : nullptr;
    if (!stage) return;
    const std::vector<FoldItem> items = foldItems(*stage);
    const auto at =
        std::ranges::find_if(items, [&](const FoldItem& one) { return one.node->item == item; });
    const int index = static_cast<int>(at - items.begin());
    for (bool isIn = true; isIn;) { // a box may open to further ones
        isIn = false;
        for (const Fold& box : planFolds(items, folding_).boxes) {
            if (!std::ranges::binary_search(box.members, index)) continue;
            isIn = !folding_.open.contains(box.key);
            folding_.set(box.key, true);
            break;
        }
    }
    selection().select({item}, this);
    revealNext_ = true;
    showScene();
}

bool GraphPane::goToBox(const QString& key) {
    const record::GraphStage* stage = entry() ? entry()->graph(stage_.toStdString()) : nullptr;
    if (!stage) return false;
    const std::vector<FoldItem> items = foldItems(*stage);
    const auto held = [&](const Folding& folding) -> std::vector<int> {
        const FoldPlan plan = planFolds(items, folding);
        for (const Fold& box : plan.boxes)
            if (box.key == key) return box.members;
        std::vector<int> members; // of a frame
        for (size_t i = 0; i < items.size(); ++i)
            for (int f = plan.frameOf[i]; f >= 0; f = plan.frames[static_cast<size_t>(f)].parent)
                if (plan.frames[static_cast<size_t>(f)].key == key)
                    members.push_back(static_cast<int>(i));
        return members;
    };
    const std::vector<int> members = held(withEverythingOpen(items, folding_));
    if (members.empty()) return false;
    while (held(folding_).empty()) { // it stands in a closed one
        const FoldPlan plan = planFolds(items, folding_);
        const auto around = std::ranges::find_if(plan.boxes, [&](const Fold& box) {
            return std::ranges::binary_search(box.members, members.front());
        });
        if (around == plan.boxes.end() || folding_.open.contains(around->key)) break;
        folding_.set(around->key, true);
    }
    std::vector<ItemId> chosen;
    for (const int member : members)
        chosen.push_back(items[static_cast<size_t>(member)].node->item);
    selection().select(chosen, this);
    revealNext_ = true;
    showScene();
    return true;
}

void GraphPane::setHeat(HeatKind kind) {
    heat_ = kind;
    if (kind != HeatKind::Given) overlay_.clear();
    const auto column = std::ranges::find(columns_, given_);
    heatChoice_->setCurrentIndex(
        !overlay_.isEmpty() ? heatChoice_->findData(overlay_, kOverlayRole)
        : kind == HeatKind::Given && column != columns_.end()
            ? heatChoice_->findData(static_cast<qulonglong>(column - columns_.begin()), kColumnRole)
            : heatChoice_->findData(static_cast<int>(kind)));
    // Errors have classes of their own, occupancy goes from nothing to all.
    scaleChoice_->setVisible(kind != HeatKind::None && kind != HeatKind::Error &&
                             kind != HeatKind::Occupancy);
    measureHeat();
}

void GraphPane::setNodeValues(NodeValuesPtr values) {
    given_ = std::move(values);
    overlay_.clear();
    setHeat(HeatKind::Given);
}

void GraphPane::setColumns(const std::vector<NodeValues>& columns) {
    for (int i = heatChoice_->count(); i-- > 0;)
        if (heatChoice_->itemData(i, kColumnRole).isValid()) heatChoice_->removeItem(i);
    columns_.clear();
    int row = heatChoice_->findData(static_cast<int>(HeatKind::Given));
    for (const NodeValues& column : columns) { // the file's words for them
        heatChoice_->insertItem(++row, column.title);
        heatChoice_->setItemData(row, static_cast<qulonglong>(columns_.size()), kColumnRole);
        columns_.push_back(std::make_shared<NodeValues>(column));
    }
    setNodeValues(columns_.front());
}

/// Those of the engine, behind what there always is.
void GraphPane::showOverlays() {
    if (session().engine()->state() != EngineClient::State::Ready) return;
    for (int i = heatChoice_->count(); i-- > 0;)
        if (heatChoice_->itemData(i, kOverlayRole).isValid()) heatChoice_->removeItem(i);
    for (const OverlayInfo& overlay : session().engine()->info().overlays) {
        heatChoice_->addItem(overlay.name); // the plug-in's word for it
        const int row = heatChoice_->count() - 1;
        heatChoice_->setItemData(row, overlay.name, kOverlayRole);
        heatChoice_->setItemData(row, overlay.summary, Qt::ToolTipRole);
    }
    if (heatChoice_->findData(overlay_, kOverlayRole) < 0 && !overlay_.isEmpty())
        setHeat(HeatKind::None);
}

void GraphPane::setOverlay(const QString& name) {
    overlay_ = name;
    overlayOf_ = session().record();
    setHeat(HeatKind::Given);
    session().overlay(name, [this, name](NodeValuesPtr values, const QString& problem) {
        if (overlay_ != name) return; // something else was chosen since
        given_ = std::move(values);
        measureHeat();
        if (!problem.isEmpty()) legend_->setEntries({}, problem);
    });
}

void GraphPane::askNodeValues() {
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Numbers of nodes"), QFileInfo(session().path()).absolutePath(),
        tr("Lines of node,value, or a JSON object (*.csv *.json);;All files (*)"));
    QFile file(path);
    if (path.isEmpty()) return setHeat(heat_); // what it was
    if (constexpr qint64 kLargest = 64 << 20;
        !file.open(QIODevice::ReadOnly) || file.size() > kLargest) {
        setHeat(HeatKind::Given);
        return legend_->setEntries(
            {}, file.isOpen()
                    ? tr("%1 is too large to hold numbers of nodes").arg(QFileInfo(path).fileName())
                    : file.errorString());
    }
    auto values = readNodeValues(file.readAll(), QFileInfo(path).fileName());
    if (values) return setColumns(*values);
    given_ = nullptr;
    overlay_.clear();
    setHeat(HeatKind::Given);
    legend_->setEntries({}, QString::fromStdString(values.error().message));
}

void GraphPane::setHeatScale(HeatScale scale) {
    scale_ = scale;
    scaleChoice_->setChecked(scale == HeatScale::Linear);
    measureHeat();
}

/// Of a large graph on another thread.
void GraphPane::measureHeat() {
    heater_.forget();
    if (!entry() || heat_ == HeatKind::None) return showHeat({});
    auto measured = [kind = heat_, record = session().record(), function = session().function(),
                     index = session().entryIndex(), scene = canvas_->placedScene(),
                     runs = session().runsOfShown(), numbers = session().numbersOfShown(),
                     scale = scale_, given = given_] {
        const record::Entry* owner = record->entry(function, index);
        return owner ? heatMap(kind, *record, *owner, scene->graph, runs, numbers, scale, given)
                     : HeatMap();
    };
    if (canvas_->scene().nodes.size() <= kMostAtOnce) return showHeat(measured());
    heater_.start([this, measured]() -> LatestWork::Finish {
        return [this, map = measured()] { showHeat(map); };
    });
}

/// Why there are no colours although something was measured; empty: nothing was.
QString GraphPane::otherwiseMeasured() const {
    const Measured now = session().shown();
    if (session().isReadOnly() && heat_ == HeatKind::Time)
        return tr("this record holds no measurement of what is shown");
    if (heat_ == HeatKind::Error && session().numbers())
        return tr("compared with %1: F6 compares again")
            .arg(session().numbers()->of.textBeside(now));
    if (heat_ == HeatKind::Time && !session().runs().empty())
        return tr("measured with %1: F5 measures again")
            .arg(Measured(session().runs().front()).textBeside(now));
    return {};
}

void GraphPane::showHeat(HeatMap map) {
    map_ = std::move(map);
    if (map_.classes.empty())
        if (const QString why = otherwiseMeasured(); !why.isEmpty()) map_.note = why;
    canvas_->setHeat(map_.ofNode);
    showColours();
}

void GraphPane::showColours() {
    showLegend();
    showCounts();
    const GraphScene& scene = canvas_->scene();
    const bool heat = heat_ != HeatKind::None;
    std::vector<bool> dimmed(scene.nodes.size());
    for (size_t i = 0; i < dimmed.size(); ++i)
        dimmed[i] =
            !heat ? legend_->isOff(static_cast<int>(scene.nodes[i].kind))
                  : map_.ofNode.empty() || map_.ofNode[i] < 0 || legend_->isOff(map_.ofNode[i]);
    canvas_->setDimmed(std::move(dimmed));
}

void GraphPane::showLegend() {
    const GraphScene& scene = canvas_->scene();
    std::vector<LegendEntry> entries;
    if (heat_ != HeatKind::None) {
        for (size_t c = 0; c < map_.classes.size(); ++c)
            entries.push_back({theme().heat[c], map_.classes[c], false, {}, static_cast<int>(c)});
        return legend_->setEntries(std::move(entries), map_.note);
    }
    std::array<bool, kOpKinds> used{};
    for (const SceneNode& node : scene.nodes)
        used[static_cast<size_t>(node.kind)] = true;
    for (int kind = 0; kind < kOpKinds; ++kind)
        if (used[static_cast<size_t>(kind)])
            entries.push_back({theme().kind(static_cast<OpKind>(kind)),
                               opKindName(static_cast<OpKind>(kind)), false,
                               opKindLetter(static_cast<OpKind>(kind)), kind});
    legend_->setEntries(std::move(entries), {});
}

void GraphPane::showCounts() {
    const GraphScene& scene = canvas_->scene();
    int64_t nodes = 0, boxes = 0, drawn = 0;
    for (const SceneNode& node : scene.nodes) {
        if (node.chip) continue;
        ++drawn;
        boxes += !node.fold.isEmpty();
        nodes += node.members.empty() ? 1 : static_cast<int64_t>(node.members.size());
    }
    const QString all =
        tr("%1 node(s)", nullptr, static_cast<int>(nodes)).arg(format::count(nodes));
    QString text = all, whole = all;
    if (boxes > 0) {
        text = format::count(drawn) + " / " + all;
        whole += tr(", drawn as %1").arg(format::count(drawn));
    }
    countTexts_ = nodes == 0 ? QStringList{} : QStringList{text, all, format::count(nodes)};
    placeCounts();
    counts_->setToolTip(whole + "\n" +
                        tr("%1 edge(s)", nullptr, static_cast<int>(scene.edges.size()))
                            .arg(format::count(qint64(scene.edges.size()))));
}

/// As much of the counts as there is room for, the number of nodes at least.
void GraphPane::placeCounts() {
    const QFontMetrics metrics(counts_->font());
    counts_->setMinimumWidth(metrics.horizontalAdvance(format::count(kMostCounted)) + 4);
    for (const QString& text : countTexts_) {
        counts_->setText(text);
        if (metrics.horizontalAdvance(text) <= counts_->width()) return;
    }
    if (countTexts_.isEmpty()) counts_->clear();
}

void GraphPane::selectFound() {
    const std::vector<ItemId> items = canvas_->foundItems();
    if (!items.empty()) selection().select(items, this);
}

void GraphPane::showMenu(int index, QPoint at) {
    auto* menu = new QMenu(this);
    menu->setObjectName("graphMenu");
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const GraphScene& scene = canvas_->scene();
    if (index >= 0) {
        const SceneNode node = scene.nodes[static_cast<size_t>(index)];
        if (!node.fold.isEmpty())
            menu->addAction(tr("&Open the box"), this,
                            [this, key = node.fold] { toggleFold(key, true); });
        addActions(menu, node.inside ? node.members : std::vector<ItemId>{node.item});
        if (!node.fold.isEmpty() && node.inside && !node.members.empty() &&
            !session().path().isEmpty())
            menu->addAction(tr("Copy a &link to it"), this,
                            [this, link = linkTo(node.members.front(), stage_ + "/" + node.fold)] {
                                QApplication::clipboard()->setText(link);
                            });
        auto select = [this, menu, &scene](const QString& text, auto holds) {
            std::vector<ItemId> items;
            for (const SceneNode& other : scene.nodes)
                if (!other.chip && holds(other)) items.push_back(other.item);
            if (!items.empty())
                menu->addAction(text.arg(items.size()), this,
                                [this, items] { selection().select(items, this); });
        };
        std::vector<bool> from(scene.nodes.size()), to(scene.nodes.size());
        auto same = [&](int other) {
            return scene.nodes[static_cast<size_t>(other)].item == node.item;
        };
        for (const SceneEdge& edge : scene.edges) {
            if (same(edge.to)) from[static_cast<size_t>(edge.from)] = true;
            if (same(edge.from)) to[static_cast<size_t>(edge.to)] = true;
        }
        auto marked = [&scene](const std::vector<bool>& marks) {
            return [&scene, &marks](const SceneNode& other) {
                return marks[static_cast<size_t>(&other - scene.nodes.data())];
            };
        };
        select(tr("Select its &arguments (%1)"), marked(from));
        select(tr("Select its &users (%1)"), marked(to));
        if (!node.op.isEmpty())
            select(tr("Select every “%1” (%2)").arg(node.title, "%1"),
                   [&](const SceneNode& other) { return other.op == node.op; });
        if (!node.module.isEmpty())
            select(tr("Select all of module “%1” (%2)").arg(node.module, "%1"),
                   [&](const SceneNode& other) { return other.module == node.module; });
        menu->addSeparator();
        const record::GraphNode* row = node.inside ? nullptr : record().node(node.item);
        const QString text = row ? QString::fromStdString(row->text) : node.title;
        menu->addAction(tr("&Copy as text"), this,
                        [text] { QApplication::clipboard()->setText(text); });
        menu->addAction(tr("&Zoom to it"), this, [this, index] { canvas_->revealNode(index); });
    }
    for (int f = index < 0 ? -1 : scene.nodes[static_cast<size_t>(index)].frame; f >= 0;
         f = scene.frames[static_cast<size_t>(f)].parent) {
        const SceneFrame& frame = scene.frames[static_cast<size_t>(f)];
        menu->addAction(tr("Close the box “%1”").arg(frame.title), this,
                        [this, key = frame.key] { toggleFold(key, false); });
    }
    if (folding_.touched())
        menu->addAction(tr("Boxes as at f&irst"), this, [this] { setFolding(folding_.kind); });
    menu->addAction(tr("&Fit the whole graph"), this, [this] { canvas_->fit(); });
    if (!selection().isEmpty())
        menu->addAction(tr("C&lear the selection"), this, [this] { selection().clear(); });
    menu->popup(at);
}

} // namespace cutaway::views
