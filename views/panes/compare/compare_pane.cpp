// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/compare/compare_pane.h"

#include "core/record/json.h"
#include "core/record/model_file.h"
#include "views/models/rows.h"
#include "views/models/side_by_side.h"
#include "views/panes/compare/graphs_beside.h"
#include "views/widgets/choice_box.h"
#include "views/widgets/code_view.h"
#include "views/widgets/flow_layout.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/item_view.h"
#include "views/widgets/legend.h"
#include "views/widgets/low_tabs.h"
#include "views/widgets/rows_room.h"
#include "views/widgets/save_name.h"
#include "views/widgets/timeline_view.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace cutaway::views {

ComparePane::ComparePane(PaneContext context, QWidget* parent)
    : Pane(context, parent), table_(new ItemView(rows::comparedColumns(), "comparedTable")),
      counts_(new QLabel), stages_(new QLabel), keep_(new QPushButton(tr("Keep this"))),
      save_(new QPushButton(tr("Save as…"))), forget_(new QPushButton(tr("Remove"))),
      lasts_(new QLabel(tr("What “Keep this” took up lasts until the window closes; “Save as…” "
                           "writes the chosen record to a file."))),
      tabs_(new QTabWidget), view_(new CodeView), canvas_(new GraphCanvas), legend_(new Legend),
      graph_(new QWidget), beside_(new GraphsBeside(&selection(), this)), calls_(new TimelineView),
      callsNote_(new QLabel), callsPage_(new QWidget), sides_(new QButtonGroup(this)),
      same_(new QToolButton) {
    auto* bar = new QFrame;
    bar->setObjectName("paneBar");
    auto* row = new FlowLayout(bar, 6, 4, 3);
    auto* add = new QPushButton(tr("Add…"));
    add->setToolTip(
        tr("Open beside what is shown a saved record, or the graph of an ONNX model, of what "
           "torch.export saved, or as PyTorch prints it"));
    for (QWidget* widget : std::initializer_list<QWidget*>{keep_, add, forget_})
        row->addWidget(widget);
    body()->addWidget(bar);
    lasts_->setObjectName("muted");
    lasts_->setWordWrap(true);
    auto* line = new QHBoxLayout; // beside it: the bar is as wide as it may be
    line->setContentsMargins(6, 2, 6, 2);
    line->addWidget(lasts_, 1);
    line->addWidget(save_);
    body()->addLayout(line);
    auto* below = new QWidget;
    auto* column = new QVBoxLayout(below);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    makeChoices(column);
    column->addWidget(makeTabs(), 1);
    // Times are looked at first, and four numbers of nodes are wide.
    table_->header()->moveSection(static_cast<int>(rows::ComparedColumn::Nodes),
                                  table_->header()->count() - 1);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(table_);
    splitter->addWidget(below);
    new RowsRoom(splitter, table_, 0.33);
    body()->addWidget(splitter, 1);
    setFocusProxy(keep_); // Tab goes through the records and what of them is compared
    connect(keep_, &QPushButton::clicked, this, &ComparePane::keepShown);
    connect(add, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(
            this, tr("Add a record"), QFileInfo(session().path()).absolutePath(),
            tr("Records, models, scripts and printed graphs (*.cutaway *.onnx *.pt2 *.py *.txt);;"
               "All files (*)"));
        if (!path.isEmpty()) addRecord(path);
    });
    connect(forget_, &QPushButton::clicked, this, [this] {
        if (const int index = chosenRecord(); index > 0) {
            unsaved_.removeAll(kept_[static_cast<size_t>(index) - 1].title);
            kept_.erase(kept_.begin() + index - 1);
        }
        fill();
        showChosen();
    });
    connect(save_, &QPushButton::clicked, this, &ComparePane::askWhereToSave);
    connect(table_, &ItemView::meantRowChanged, this, &ComparePane::showChosen);
    connect(table_, &ItemView::rowOpened, this, [this](const Row* row) {
        const QString text = texts_[1]->currentData().toString();
        choose(1, 0, text);
        choose(0, row->detail.toInt(), text);
    });
    showChosen();
}

/// Which records are compared, by which texts, and where else they differ.
void ComparePane::makeChoices(QBoxLayout* column) {
    auto* choices = new QWidget;
    auto* grid = new QGridLayout(choices);
    grid->setContentsMargins(6, 4, 6, 4);
    for (int side : {0, 1}) {
        records_[side] = new ChoiceBox;
        texts_[side] = new ChoiceBox;
        grid->addWidget(new QLabel(side == 0 ? QStringLiteral("−") : QStringLiteral("+")), side, 0);
        grid->addWidget(records_[side], side, 1);
        grid->addWidget(texts_[side], side, 2);
        const QString name = side == 0 ? tr("Left") : tr("Right");
        records_[side]->setAccessibleName(tr("%1 record").arg(name));
        texts_[side]->setAccessibleName(tr("%1 text").arg(name));
        for (QComboBox* box : {records_[side], texts_[side]}) {
            box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
            box->setMinimumContentsLength(8);
        }
        connect(records_[side], &QComboBox::activated, this, [this, side] {
            fillTexts(side);
            if (!follow(1 - side)) follow(side);
            compare();
        });
        connect(texts_[side], &QComboBox::activated, this, [this, side] {
            follow(side);
            compare();
        });
    }
    same_->setObjectName("sameText");
    same_->setCheckable(true);
    same_->setChecked(true);
    same_->setProperty("segment", true);
    same_->setAccessibleName(tr("The same text on both sides"));
    connect(same_, &QToolButton::toggled, this, [this] {
        if (!follow(1)) follow(0);
        compare();
    });
    grid->addWidget(same_, 0, 3, 2, 1, Qt::AlignCenter);
    counts_->setObjectName("muted");
    // Always one line, so that nothing moves under the mouse when it says more.
    counts_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    counts_->setMinimumHeight(counts_->fontMetrics().height());
    grid->addWidget(counts_, 2, 1, 1, 3);
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);
    column->addWidget(choices);
    stages_->setObjectName("muted");
    stages_->setWordWrap(true);
    stages_->setMargin(6);
    stages_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    stages_->hide(); // until two records are chosen
    connect(stages_, &QLabel::linkActivated, this, [this](const QString& text) {
        for (int side : {0, 1})
            texts_[side]->setCurrentIndex(texts_[side]->findData(text));
        compare();
    });
    column->addWidget(stages_);
}

/// 0: what is shown now, or none.
int ComparePane::chosenRecord() const {
    const Row* row = table_->currentRow();
    return row ? row->detail.toInt() : 0;
}

void ComparePane::showChosen() {
    forget_->setEnabled(chosenRecord() > 0);
    save_->setEnabled(chosenRecord() > 0);
    save_->setToolTip(save_->isEnabled()
                          ? tr("Write the chosen record to a file, which “Add…” opens")
                          : tr("Choose a record that was taken up here"));
    for (QWidget* one : {static_cast<QWidget*>(lasts_), static_cast<QWidget*>(save_)})
        one->setVisible(!unsaved_.isEmpty());
    forget_->setToolTip(forget_->isEnabled() ? tr("Take the chosen record off this list")
                        : kept_.empty()      ? tr("Nothing was taken up here yet")
                                             : tr("What is shown now stays: choose another row"));
}

bool ComparePane::isSettled() const {
    return Pane::isSettled() && !work_.isBusy() && !timing_.isBusy() && !saving_.isBusy() &&
           !opening_.isBusy() && compiling_ == 0 && canvas_->isSettled() && beside_->isSettled();
}

QWidget* ComparePane::makeTabs() {
    view_->setReadOnly(true);
    view_->setLineNumbers(false);
    view_->setAccessibleName(tr("Differences"));
    connect(view_, &CodeView::lineActivated, this, [this](int line) {
        if (static_cast<size_t>(line) >= lineItems_.size()) return;
        if (const ItemId item = lineItems_[static_cast<size_t>(line)]; item != kNoItem)
            selection().select({item}, this);
    });
    canvas_->setObjectName("comparedGraph");
    canvas_->setAccessibleName(tr("Both graphs as one"));
    canvas_->setSelectionState(&selection(), this);
    canvas_->setTooltip([this](const SceneNode& node) {
        const size_t at = static_cast<size_t>(&node - canvas_->scene().nodes.data());
        const QString lines = at < told_.size() ? told_[at].toHtmlEscaped() : QString();
        return "<pre>" + lines + "</pre>" + (node.item == kNoItem ? QString() : itemTip(node.item));
    });
    auto* sides = new QWidget;
    auto* row = new QHBoxLayout(sides);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    const std::pair<QString, QString> words[] = {
        {tr("Both"), tr("What either side holds: + only right, − only left, ~ rewritten")},
        {tr("Left"), tr("The left graph, where its nodes stand in both")},
        {tr("Right"), tr("The right graph, where its nodes stand in both")}};
    for (const auto& [title, tip] : words) {
        auto* button = new QToolButton;
        button->setText(title);
        button->setToolTip(tip);
        button->setCheckable(true);
        button->setProperty("segment", true);
        sides_->addButton(button, static_cast<int>(sides_->buttons().size()));
        row->addWidget(button);
    }
    sides_->button(0)->setChecked(true);
    sides->hide();
    tabs_->setDocumentMode(true);
    tabs_->setMinimumHeight(leastTabs(tabs_));
    tabs_->addTab(view_, tr("Text"));
    auto* graph = new QVBoxLayout(graph_);
    graph->setContentsMargins(0, 0, 0, 0);
    graph->setSpacing(0);
    graph->addWidget(canvas_, 1);
    graph->addWidget(legend_);
    tabs_->addTab(graph_, tr("On the graph"));
    addTabsOfAll();
    tabs_->setCornerWidget(sides);
    connect(sides_, &QButtonGroup::idClicked, this, [this] { showSide(); });
    connect(tabs_, &QTabWidget::currentChanged, this, [this, sides] {
        sides->setVisible(tabs_->currentWidget() == graph_);
        if (tabs_->currentWidget() == graph_ || tabs_->currentWidget() == beside_) chooseGraphs();
        compare();
    });
    return tabs_;
}

/// Loops, kernels and code cannot be drawn: the graph that they were made of can.
void ComparePane::chooseGraphs() {
    for (QComboBox* text : texts_) {
        const QString id = text->currentData().toString();
        if (id.startsWith("graph/") || id.startsWith("pass/")) continue;
        const int at = text->findData("graph/" + id.section('/', 1));
        if (at >= 0) text->setCurrentIndex(at);
    }
}

/// Not of two records: of all that were taken up.
void ComparePane::addTabsOfAll() {
    tabs_->addTab(beside_, tr("Graphs"));
    tabs_->setTabToolTip(tabs_->count() - 1,
                         tr("The graph that is chosen on the right, of every record beside each "
                            "other; a node lights in all of them"));
    calls_->setAccessibleName(tr("Calls of all records"));
    calls_->setSelectionState(&selection());
    callsNote_->setObjectName("muted");
    callsNote_->setWordWrap(true);
    callsNote_->setMargin(6);
    callsNote_->hide(); // until there is something to say
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(calls_);
    auto* column = new QVBoxLayout(callsPage_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(scroll, 1);
    column->addWidget(callsNote_);
    tabs_->addTab(callsPage_, tr("Calls"));
    tabs_->setTabToolTip(tabs_->count() - 1,
                         tr("The measured calls of all records on one axis; a kernel lights with "
                            "those that compute the same"));
}

void ComparePane::showBeside() {
    tabs_->setCurrentWidget(beside_);
}

void ComparePane::showColours() {
    if (tabs_->currentWidget() == callsPage_) drawCalls(); // of disturbed ones it is said in colour
    if (!stages_->isHidden()) tellStages(stagesTold_);     // links have that of the theme
}

void ComparePane::drawCalls() {
    timing_.start(
        [this, all = allRecords(), measurable = !session().isReadOnly()]() -> LatestWork::Finish {
            auto line = std::make_shared<Timeline>(callsSideBySide(all, measurable));
            return [this, line] {
                QStringList said;
                if (!line->disturbed.isEmpty())
                    said << QString("<span style='color:%1'>%2</span>")
                                .arg(theme().warning.name(),
                                     tr("Disturbed: %1.").arg(line->disturbed).toHtmlEscaped());
                if (!line->note.isEmpty()) said << line->note.toHtmlEscaped();
                callsNote_->setText(said.join(' '));
                callsNote_->setVisible(!said.isEmpty() && !line->spans.empty());
                calls_->setTimeline(std::move(*line), false);
                calls_->setMinimumHeight(calls_->wantedHeight());
                counts_->clear();
                counts_->setToolTip({});
            };
        });
}

void ComparePane::showOnGraph(DifferenceSide side) {
    sides_->button(static_cast<int>(side))->setChecked(true);
    tabs_->setCurrentWidget(graph_);
    showSide();
}

ComparedRecord ComparePane::shownNow() const {
    RecordPtr shown = session().record();
    if (!session().lacksTexts()) // they are there, or have come
        session().withTexts([&](const RecordPtr& whole, const QString&) { shown = whole; });
    ComparedRecord now{tr("shown now"), shown, session().function(), session().entryIndex(), {}};
    for (const record::Run& run : session().history())
        if (Measured(run).matches(session().shown())) now.runs.push_back(run);
    return now;
}

/// What titles of records of the same begin with.
QString ComparePane::scriptAndSize(const RecordView& record) const {
    const QString size = QString::fromStdString(record.record().size);
    return QFileInfo(session().path()).completeBaseName() + ", " +
           (size.isEmpty() ? QString() : size + ", ");
}

ComparedRecord ComparePane::recordAt(int index) const {
    return index > 0 && index < recordCount() ? kept_[static_cast<size_t>(index) - 1] : shownNow();
}

std::vector<ComparedRecord> ComparePane::allRecords() const {
    std::vector<ComparedRecord> all{shownNow()};
    const QString common = scriptAndSize(*all[0].record);
    for (ComparedRecord one : kept_) { // what tells them apart is not cut
        if (one.title.startsWith(common)) one.title.remove(0, common.size());
        all.push_back(std::move(one));
    }
    return all;
}

void ComparePane::keepShown() {
    session().withTexts([self = QPointer(this)](const RecordPtr&, const QString&) {
        if (self) self->keepNow();
    });
}

void ComparePane::keepNow() {
    ComparedRecord now = shownNow();
    if (!now.shown()) return;
    const auto isNow = [&](const ComparedRecord& one) {
        return one.record == now.record && one.function == now.function && one.entry == now.entry &&
               one.runs.size() == now.runs.size();
    };
    if (const auto kept = std::ranges::find_if(kept_, isNow); kept != kept_.end())
        return choose(0, static_cast<int>(kept - kept_.begin()) + 1,
                      texts_[1]->currentData().toString());
    const QString decisions = session().shown().decisions; // not those that do not compile
    now.title = scriptAndSize(*now.record) + session().recordTime().toString("HH:mm:ss");
    if (!decisions.isEmpty()) now.title += ": " + decisions;
    const QString title = now.title; // of one compilation several may be kept: measured anew
    const auto isTaken = [&](const ComparedRecord& one) { return one.title == now.title; };
    for (int number = 2; std::ranges::any_of(kept_, isTaken); ++number)
        now.title = QString("%1 (%2)").arg(title).arg(number);
    unsaved_ << now.title;
    kept_.push_back(std::move(now));
    fill();
    showChosen();
    choose(0, recordCount() - 1, texts_[1]->currentData().toString());
}

void ComparePane::askWhereToSave() {
    const int record = chosenRecord();
    if (record <= 0) return;
    const QFileInfo script(session().path());
    const QString path = askSaveName(this, tr("Save record"),
                                     script.absolutePath() + "/" + script.completeBaseName(),
                                     tr("Records (*.cutaway)"), "cutaway");
    if (!path.isEmpty()) saveRecord(record, path);
}

void ComparePane::saveRecord(int record, const QString& path) {
    saving_.start([this, one = recordAt(record), path]() -> LatestWork::Finish {
        record::Record whole = one.record->record();
        whole.runs = one.runs;
        const base::Status status = record::save(whole, QFile::encodeName(path).toStdString());
        const QString problem = status ? QString() : QString::fromStdString(status.error().message);
        return [this, title = one.title, problem] {
            if (!problem.isEmpty()) return counts_->setText(problem);
            unsaved_.removeAll(title);
            showChosen();
        };
    });
}

void ComparePane::addRecord(const QString& path) {
    const QString end = QFileInfo(path).suffix().toLower();
    // Compared by what becomes of it, and by its own graph only where nothing does.
    if (end == "onnx" || end == "pt2") return addCompiled(path);
    readRecord(path, [this, path, isScript = end == "py"](const QString& problem) {
        isScript ? addCompiled(path) : counts_->setText(problem);
    });
}

/// \param otherwise is given why it cannot be read
void ComparePane::readRecord(const QString& path, std::function<void(const QString&)> otherwise) {
    opening_.start([this, path, otherwise = std::move(otherwise)]() -> LatestWork::Finish {
        auto opened = std::make_shared<base::Result<record::Record>>(
            record::openToCompare(QFile::encodeName(path).toStdString()));
        RecordPtr view;
        std::vector<record::Run> runs;
        if (opened->ok()) {
            runs = opened->value().runs;
            view = std::make_shared<RecordView>(std::move(opened->value()));
        }
        return [this, opened, view, runs, path, otherwise] {
            if (!view) return otherwise(QString::fromStdString(opened->error().message));
            take({QFileInfo(path).fileName(), view, 0, 0, runs});
        };
    });
}

void ComparePane::addCompiled(const QString& path) {
    const QString name = QFileInfo(path).fileName();
    ++compiling_;
    counts_->setText(tr("Compiling %1…").arg(name));
    session().compileBeside(
        path, [self = QPointer(this), path, name](const RecordPtr& made, const QString& problem) {
            if (!self) return;
            --self->compiling_;
            if (made && made->entry(0, 0)) return self->take({name, made, 0, 0, {}});
            const QString why = made ? tr("%1 compiles nothing").arg(name)
                                     : tr("%1 does not compile: %2").arg(name, problem);
            if (name.endsWith(".py")) return self->counts_->setText(why);
            self->readRecord(path, [self, why](const QString&) { self->counts_->setText(why); });
        });
}

void ComparePane::take(ComparedRecord record) {
    kept_.push_back(std::move(record));
    fill();
    choose(0, recordCount() - 1, texts_[1]->currentData().toString());
}

void ComparePane::choose(int side, int record, const QString& text) {
    records_[side]->setCurrentIndex(record);
    fillTexts(side);
    if (const int at = texts_[side]->findData(text); at >= 0) texts_[side]->setCurrentIndex(at);
    follow(side);
    compare();
}

void ComparePane::fill() {
    const std::vector<ComparedRecord> all = allRecords();
    table_->setRows(rows::compared(all, !session().isReadOnly()));
    for (int side : {0, 1}) {
        const int before = records_[side]->currentIndex();
        records_[side]->clear();
        for (const ComparedRecord& one : all)
            records_[side]->addItem(one.title);
        records_[side]->setCurrentIndex(
            before >= 0 && before < static_cast<int>(all.size()) ? before : 0);
        fillTexts(side);
    }
    if (!follow(1)) follow(0);
    compare();
}

/// Of two records the same text is compared, as long as that is wished: what is chosen on \p side is
/// chosen on the other, too. \returns whether both sides are so; the other record may not have it
bool ComparePane::follow(int side) {
    if (!same_->isChecked() || records_[0]->currentIndex() == records_[1]->currentIndex())
        return true;
    const int at = texts_[1 - side]->findData(texts_[side]->currentData());
    if (at >= 0) texts_[1 - side]->setCurrentIndex(at);
    return at >= 0;
}

/// Whether the sides are of the same text, and why not.
void ComparePane::showSame() {
    const bool two = records_[0]->currentIndex() != records_[1]->currentIndex();
    const bool same = texts_[0]->currentData() == texts_[1]->currentData();
    same_->setText(same ? QStringLiteral("=") : QStringLiteral("≠"));
    same_->setEnabled(two);
    same_->setToolTip(!two ? tr("Of one record each side is chosen by itself")
                      : !same && same_->isChecked()
                          ? tr("One of the records has no text of this name")
                          : tr("Of two records, what is chosen on one side is chosen on the "
                               "other, too"));
}

/// What was chosen stays where the other record has it, too.
void ComparePane::fillTexts(int side) {
    const QString before = texts_[side]->currentData().toString();
    texts_[side]->clear();
    const ComparedRecord record = recordAt(records_[side]->currentIndex());
    if (const record::Entry* entry = record.shown())
        for (const TextChoice& choice : textChoices(*entry))
            texts_[side]->addItem(choice.title, choice.id);
    int at = texts_[side]->findData(before);
    for (const char* usual : {"graph/forward", "graph/captured"}) // the same on both sides
        if (at < 0) at = texts_[side]->findData(usual);
    texts_[side]->setCurrentIndex(std::max(0, at));
}

void ComparePane::compare() {
    showSame();
    if (tabs_->currentWidget() == callsPage_) return drawCalls();
    if (tabs_->currentWidget() != view_) stages_->hide();
    if (tabs_->currentWidget() == beside_) return showGraphsBeside();
    const int at[] = {records_[0]->currentIndex(), records_[1]->currentIndex()};
    const ComparedRecord left = recordAt(at[0]), right = recordAt(at[1]);
    const QString a = texts_[0]->currentData().toString(), b = texts_[1]->currentData().toString();
    auto isCode = [](const QString& id) { return id.startsWith("cpp/") || id.startsWith("cuda/"); };
    if (((at[0] == 0 && isCode(a)) || (at[1] == 0 && isCode(b))) && session().lacksTexts()) {
        counts_->setText(tr("Asking the engine…"));
        return session().withTexts(
            [self = QPointer(this)](const RecordPtr& whole, const QString& problem) {
                if (self && whole) self->compare();
                if (self && !whole) self->counts_->setText(problem);
            });
    }
    if (tabs_->currentWidget() != graph_)
        return work_.start([this, left, right, a, b, two = at[0] != at[1]]() -> LatestWork::Finish {
            const auto stages = two ? compareStages(left, right) : std::vector<StageDifference>();
            return
                [this, made = compareTexts(left, a, right, b), stages] { present(made, stages); };
        });
    const QByteArray of = QString("%1/%2/%3/%4").arg(at[0]).arg(a).arg(at[1]).arg(b).toUtf8();
    if (canvas_->scene().nodes.empty()) canvas_->setEmptyText(tr("Placing the nodes…"));
    work_.start([this, left, right, a, b, of, nowLeft = at[0] == 0, nowRight = at[1] == 0,
                 font = canvas_->font()]() -> LatestWork::Finish {
        auto made = std::make_shared<GraphDifference>(
            graphDifference(left, a, nowLeft, right, b, nowRight, textWidth(font)));
        return [this, made, of] { presentGraph(made, of); };
    });
}

void ComparePane::presentGraph(std::shared_ptr<const GraphDifference> difference,
                               const QByteArray& of) {
    difference_ = std::move(difference);
    canvas_->setEmptyText(difference_->isGraph
                              ? tr("Neither graph holds a node.")
                              : tr("Loops, kernels and code are no graphs: choose a graph, or one "
                                   "after a pass, on both sides."));
    counts_->setText(difference_->isGraph ? tr("Nodes: +%1  −%2  ~%3  =%4")
                                                .arg(difference_->added)
                                                .arg(difference_->removed)
                                                .arg(difference_->rewritten)
                                                .arg(difference_->same)
                                          : QString());
    counts_->setToolTip(tr("only right, only left, rewritten, the same"));
    const bool keep = drawn_ == of;
    drawn_ = of;
    told_.clear();
    if (!keep) canvas_->setScene(shared({}), false);
    showSide();
}

void ComparePane::showSide() {
    const auto side = static_cast<DifferenceSide>(sides_->checkedId());
    GraphScene scene = sideOf(*difference_, side);
    told_.clear();
    const int other = side == DifferenceSide::Left ? 1 : -1;
    for (size_t i = 0; i < difference_->told.size(); ++i)
        if (side == DifferenceSide::Both || difference_->scene.nodes[i].change != other)
            told_.push_back(difference_->told[i]);
    const bool keep = !canvas_->scene().nodes.empty();
    canvas_->setScene(shared(std::move(scene)), keep);
}

/// The left one on the left, the right one beside it, and then the others.
void ComparePane::showGraphsBeside() {
    const int more = recordCount() - GraphsBeside::kMost;
    counts_->setText(more > 0 ? tr("%n more record(s) not drawn", nullptr, more) : QString());
    counts_->setToolTip({});
    std::vector<int> order{records_[0]->currentIndex()};
    if (records_[1]->currentIndex() != order[0]) order.push_back(records_[1]->currentIndex());
    for (int i = 0; i < recordCount(); ++i)
        if (std::ranges::find(order, i) == order.end()) order.push_back(i);
    std::vector<ComparedRecord> all;
    for (int i : order)
        all.push_back(recordAt(i));
    const auto shown = static_cast<size_t>(std::ranges::find(order, 0) - order.begin());
    beside_->setRecords(all, shown, texts_[1]->currentData().toString());
}

void ComparePane::tellStages(const std::vector<StageDifference>& stages) {
    QStringList differ;
    for (const StageDifference& one : stages)
        if (one.removed + one.added > 0)
            differ << QString("<a href='%1'>%2</a> −%3 +%4")
                          .arg(one.text.id, one.text.title.toHtmlEscaped())
                          .arg(one.removed)
                          .arg(one.added);
    stages_->setVisible(!stages.empty());
    const auto count = static_cast<int>(stages.size());
    stages_->setText(differ.isEmpty()
                         ? tr("All %n stage(s) of both records are the same.", nullptr, count)
                         : tr("%1 of %n stage(s) differ:", nullptr, count).arg(differ.size()) +
                               " " + differ.join(" · "));
}

QString ComparePane::stages() const {
    return stages_->isHidden() ? QString() : stages_->text();
}

void ComparePane::present(const Comparison& comparison,
                          const std::vector<StageDifference>& stages) {
    stagesTold_ = stages;
    tellStages(stages);
    QStringList texts;
    std::vector<int> signs;
    lineItems_.clear();
    const bool leftIsNow = records_[0]->currentIndex() == 0,
               rightIsNow = records_[1]->currentIndex() == 0;
    int first = -1;
    for (const ComparedLine& line : comparison.lines) {
        if (line.sign != 0 && first < 0) first = static_cast<int>(signs.size());
        texts << (line.sign > 0 ? "+ " : line.sign < 0 ? "- " : "  ") + line.text;
        signs.push_back(line.sign);
        lineItems_.push_back(rightIsNow && line.right != kNoItem ? line.right
                             : leftIsNow                         ? line.left
                                                                 : kNoItem);
    }
    view_->setCode(texts.join('\n'), false);
    view_->setDiff(signs);
    if (first >= 0) view_->revealLine(first);
    const bool itself =
        leftIsNow && rightIsNow && texts_[0]->currentData() == texts_[1]->currentData();
    const bool nothing = comparison.lines.empty(); // on either side
    const QString what = texts_[0]->currentData() == texts_[1]->currentData()
                             ? texts_[1]->currentText()
                             : texts_[0]->currentText() + " → " + texts_[1]->currentText();
    const bool same = comparison.removed + comparison.added == 0;
    counts_->setText(
        nothing  ? QString()
        : itself ? tr("%1: the same text twice").arg(what)
        : same   ? tr("%1: no difference").arg(what)
               : tr("%1, lines: −%2  +%3").arg(what).arg(comparison.removed).arg(comparison.added));
    counts_->setToolTip(itself && !nothing
                            ? tr("Choose another stage on one side, or keep this result and "
                                 "change the script.")
                            : QString());
    showSelection(false);
}

QString ComparePane::counts() const {
    return counts_->text();
}

void ComparePane::showRecord() {
    fill();
}

void ComparePane::showSelection(bool reveal) {
    view_->setHighlights([this](int line) {
        return static_cast<size_t>(line) < lineItems_.size() &&
                       lineItems_[static_cast<size_t>(line)] != kNoItem
                   ? selection().level(lineItems_[static_cast<size_t>(line)])
                   : Highlight::None;
    });
    calls_->update();
    const bool besides = tabs_->currentWidget() == beside_;
    beside_->showSelection(reveal && besides);
    if (besides) return;
    if (reveal && tabs_->currentWidget() == graph_) return canvas_->revealHighlight();
    if (reveal) view_->revealHighlight();
    canvas_->update();
}

void ComparePane::showStatus() {
    table_->setEmptyText(emptyAdvice(tr("Nothing to compare yet.")));
    calls_->setEmptyText(
        session().isReadOnly()
            ? tr("No record has times of kernels, and a saved one is not measured "
                 "again.")
            : emptyAdvice(tr("No record has times of kernels yet: F5 measures what "
                             "is shown, “Keep this” takes it up with them.")));
    keep_->setEnabled(entry());
    keep_->setToolTip(entry() ? tr("Take this result up here, to compare what comes after with it, "
                                   "until the window closes")
                              : tr("Nothing is compiled that could be taken up"));
}

void ComparePane::showTheme() {
    table_->setTheme(theme());
    view_->setTheme(theme());
    canvas_->setTheme(theme());
    beside_->setTheme(theme());
    calls_->setTheme(theme());
    legend_->setTheme(theme());
    legend_->setEntries({{theme().good, tr("only right"), false, QStringLiteral("+")},
                         {theme().error, tr("only left"), false, QStringLiteral("−")},
                         {theme().warning, tr("rewritten"), false, QStringLiteral("~")},
                         {theme().faint, tr("the same"), false}},
                        {});
}

} // namespace cutaway::views
