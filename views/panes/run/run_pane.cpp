// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/run/run_pane.h"

#include "views/models/rows.h"
#include "views/widgets/flow_layout.h"
#include "views/widgets/inputs_dialog.h"
#include "views/widgets/item_view.h"
#include "views/widgets/low_tabs.h"
#include "views/widgets/tab_order.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFrame>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

namespace cutaway::views {

static constexpr size_t kOwnBackends = 3; ///< others are plug-ins'

RunPane::RunPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), threads_(new QSpinBox), seconds_(new QDoubleSpinBox),
      inputs_(new QPushButton(tr("Inputs…"))), run_(new QPushButton(tr("Run"))), note_(new QLabel),
      tabs_(new QTabWidget), splitter_(new QSplitter(Qt::Vertical)),
      runs_(new ItemView(rows::runColumns(), "runTable")),
      timings_(new ItemView(rows::timingColumns(), "timingTable")),
      lines_(new ItemView(rows::lineColumns(), "lineTable")),
      counts_(new ItemView(rows::countColumns(), "countTable")),
      checks_(new ItemView(rows::checkColumns(), "checkTable")),
      history_(new ItemView(rows::historyColumns(), "historyTable")) {
    setFocusProxy(run_);
    form_ = makeForm();
    body()->addWidget(form_);
    note_->setObjectName("notice");
    note_->setWordWrap(true);
    note_->setMargin(6);
    note_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    note_->hide();
    body()->addWidget(note_);
    tabs_->setDocumentMode(true);
    splitter_->setMinimumHeight(leastTabs(tabs_));
    runs_->setAccessibleName(tr("Backends"));
    tabs_->addTab(timings_, tr("Kernels"));
    tabs_->addTab(lines_, tr("Lines"));
    tabs_->setTabToolTip(tabs_->indexOf(lines_),
                         tr("Where a call computes: lines of the kernels' texts, by samples"));
    tabs_->addTab(counts_, tr("Counters"));
    tabs_->addTab(checks_, tr("Errors"));
    tabs_->addTab(history_, tr("History"));
    connect(history_, &ItemView::rowOpened, this, [this](const Row* row) {
        baseline_ = row->detail.toInt();
        fillTables();
    });
    splitter_->addWidget(runs_);
    splitter_->addWidget(tabs_);
    splitter_->setSizes({130, 170});
    counts_->setStretchColumn(static_cast<int>(rows::CountColumn::What));
    counts_->setWrapped(true); // why a machine counts nothing is a sentence
    lines_->setStretchColumn(static_cast<int>(rows::LineColumn::Line));
    for (ItemView* view : {timings_, lines_, counts_, checks_, history_})
        view->setMinimumHeight(1);
    body()->addWidget(splitter_, 1);
    for (ItemView* view : {timings_, lines_}) {
        view->setSelectionState(&selection());
        view->setOrigin(this);
    }
    connect(runs_, &ItemView::rowChosen, this,
            [this](const Row* row) { showTimings(row->detail); });
    connect(threads_, &QSpinBox::valueChanged, this, [this] { showStatus(); });
}

QWidget* RunPane::makeForm() {
    auto* form = new QFrame;
    form->setObjectName("paneBar");
    auto* row = new FlowLayout(form, 8, 10, 6);
    for (const char* name : {"eager", "aot_eager", "inductor"})
        row->addWidget(addBackend(QString::fromLatin1(name), qstrcmp(name, "aot_eager") != 0));
    othersAt_ = row;
    backends_[0]->setToolTip(tr("the captured graph, one kernel an operation"));
    backends_[1]->setToolTip(tr("joint graph and partition, one kernel an operation"));
    backends_[2]->setToolTip(tr("the whole pipeline"));
    threads_->setRange(0, 1024);
    showThreads();
    threads_->setPrefix(tr("threads: "));
    threads_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    seconds_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    threads_->setAccessibleName(tr("Threads"));
    seconds_->setRange(0.05, 60);
    seconds_->setSingleStep(0.1);
    seconds_->setValue(0.3);
    seconds_->setDecimals(2);
    seconds_->setSuffix(tr(" s each"));
    seconds_->setToolTip(tr("how long each backend is measured at least"));
    seconds_->setAccessibleName(tr("Seconds for each backend"));
    run_->setObjectName("primary");
    run_->setToolTip(tr("Measure the chosen backends (F5)"));
    row->addWidget(threads_);
    row->addWidget(seconds_);
    inputs_->setToolTip(tr("What the model is called with: the script's own values, numbers of a "
                           "distribution, or an array of a file"));
    row->addWidget(inputs_);
    row->addWidget(run_);
    connect(inputs_, &QPushButton::clicked, this, &RunPane::chooseInputs);
    connect(run_, &QPushButton::clicked, this, &RunPane::run);
    return form;
}

void RunPane::chooseInputs() {
    inputs_->setEnabled(false); // until the engine answers
    session().caseInputs([this](const std::vector<CaseInput>& inputs, const QString& problem) {
        showStatus();
        if (inputs.empty()) {
            note_->setText(problem.isEmpty()
                               ? tr("Only a case file, with example_inputs, is called "
                                    "with inputs that can be chosen.")
                               : problem);
            return note_->show();
        }
        (new InputsDialog(
             inputs, givenInputs(session().options().decisions, static_cast<int>(inputs.size())),
             [this](const std::vector<GivenInput>& given) {
                 session().decide(withInputs(session().options().decisions, given));
             },
             this))
            ->show();
    });
}

void RunPane::run() {
    if (session().isRunning()) return session().cancel();
    RunOptions options;
    for (QCheckBox* box : backends_)
        if (box->isChecked()) options.backends << box->text();
    options.threads = threads_->value();
    options.minSeconds = seconds_->value();
    options.beside = true;
    session().run(options);
}

QCheckBox* RunPane::addBackend(const QString& name, bool chosen) {
    auto* box = new QCheckBox(name);
    box->setChecked(chosen);
    connect(box, &QCheckBox::toggled, this, [this] { showStatus(); });
    backends_.push_back(box);
    return box;
}

/// Those of plug-ins.
void RunPane::showBackends() {
    const QStringList& known = session().engine()->info().backends;
    if (known.isEmpty()) return; // nobody knows
    for (size_t i = backends_.size(); i-- > kOwnBackends;)
        if (!known.contains(backends_[i]->text())) {
            delete backends_[i];
            backends_.erase(backends_.begin() + static_cast<ptrdiff_t>(i));
        }
    for (const QString& name : known)
        if (std::ranges::none_of(backends_, [&](auto* box) { return box->text() == name; }))
            othersAt_->insertWidget(static_cast<int>(backends_.size()), addBackend(name, false));
}

/// In a low pane tables below each other and below what to measure would have a row each.
void RunPane::resizeEvent(QResizeEvent* event) {
    Pane::resizeEvent(event);
    constexpr int kLeastLines = 20; // with the form above
    const bool low = height() < kLeastLines * fontMetrics().height();
    if (low == (tabs_->indexOf(runs_) >= 0)) return showNote();
    if (low) {
        tabs_->insertTab(0, runs_, tr("Backends"));
        tabs_->addTab(form_, tr("Options"));
        tabs_->setCurrentIndex(0);
    } else {
        tabs_->removeTab(tabs_->indexOf(form_));
        body()->insertWidget(0, form_);
        form_->show();
        tabs_->removeTab(tabs_->indexOf(runs_));
        splitter_->insertWidget(0, runs_);
        splitter_->setSizes({130, 170});
        runs_->show();
    }
    runs_->setMinimumHeight(low ? 1 : leastRuns_);
    orderTabs(tabs_, low ? form_ : static_cast<QWidget*>(runs_), low);
    setFocusProxy(low ? static_cast<QWidget*>(runs_) : run_);
    showStatus(); // which names the button where it is seen
}

/// All threads of the engine's machine, which need not be this one.
void RunPane::showThreads() {
    const int all = session().engine()->info().threads;
    threads_->setSpecialValueText(all > 0 ? tr("threads: all (%1)").arg(all) : tr("threads: all"));
}

void RunPane::showMeasured() {
    backend_.clear();
    for (const record::Run& run : session().runs())
        if (backend_.isEmpty() || run.backend == "inductor")
            backend_ = QString::fromStdString(run.backend);
    fillTables();
}

Measured RunPane::shown() const {
    const int chosen = threads_->value();
    return session().shown(chosen > 0 ? chosen : session().engine()->info().threads);
}

/// What is measured anew is dimmed until it is there.
std::vector<Row> RunPane::dimmed(std::vector<Row> rows) const {
    if (session().awaitsRuns())
        for (Row& row : rows)
            row.dimmed = true;
    return rows;
}

void RunPane::fillTables() {
    filledFor_ = shown();
    filledAwaiting_ = session().awaitsRuns();
    runs_->setRows(dimmed(rows::runs(session().runs(), shown())));
    showLines();
    counts_->setRows(dimmed(rows::counts(session().counted())));
    counts_->setEmptyText(
        tr("Instructions, cycles, misses and page faults of a call stand here once "
           "it is measured."));
    checks_->setRows(dimmed(rows::checks(session().checks(), shown())));
    checks_->setEmptyText(tr("No comparison with double precision yet."));
    const auto count = static_cast<int>(session().history().size());
    if (baseline_ >= count) baseline_ = 0;
    history_->setRows(rows::history(session().history(), count > 0 ? baseline_ : -1, shown()));
    history_->setEmptyText(tr("Every measurement of this document is kept here, to be compared."));
    showTimings(backend_);
}

void RunPane::showLines() {
    const Sampled* sampled = session().sampledOfShown();
    lines_->setRows(dimmed(rows::lines(session().currentEntry(), sampled)));
    lines_->setEmptyText(sampled && !sampled->missing.isEmpty()
                             ? tr("No samples: %1").arg(sampled->missing)
                             : tr("Where a call computes stands here once it is measured."));
}

void RunPane::showTimings(const QString& backend) {
    backend_ = backend;
    std::vector<Row> rows;
    std::vector<rows::TimingColumn> uncounted = rows::uncountedColumns({});
    for (const record::Run& run : session().runs())
        if (QString::fromStdString(run.backend) == backend) {
            rows = rows::timings(run, shown(), session().currentEntry());
            uncounted = rows::uncountedColumns(run);
        }
    for (int column = 0; column < timings_->model()->columnCount(); ++column)
        timings_->setColumnHidden(
            column, std::ranges::find(uncounted, rows::TimingColumn(column)) != uncounted.end());
    timings_->setRows(dimmed(std::move(rows)));
    timings_->setEmptyText(backend == "eager" ? tr("Eager operations are not timed one by one.")
                                              : tr("No kernel times yet."));
    tabs_->setTabText(tabs_->indexOf(timings_),
                      backend.isEmpty() ? tr("Kernels") : tr("Kernels of %1").arg(backend));
}

/// Why the numbers in the table are not those of what is shown; empty: they are.
QString RunPane::staleNote() const {
    const Measured now = shown();
    for (const record::Run& run : session().runs()) {
        const Measured of(run);
        if (of.matches(now)) continue;
        const QString note = tr("Measured with %1").arg(of.textBeside(now));
        return note + (session().isRunning() ? QString(".") : tr(". Run again to renew."));
    }
    return {};
}

void RunPane::showRecord() {
    showMeasured();
    timings_->updateHighlights(false);
}

void RunPane::showSelection(bool reveal) {
    for (ItemView* view : {timings_, lines_})
        view->updateHighlights(reveal);
}

void RunPane::showStatus() {
    bool any = std::any_of(backends_.begin(), backends_.end(),
                           [](const QCheckBox* box) { return box->isChecked(); });
    bool running = session().isRunning();
    showThreads();
    showBackends();
    if (!filledFor_ || *filledFor_ != shown() || filledAwaiting_ != session().awaitsRuns())
        fillTables();
    int given = 0;
    for (const QString& decision : session().options().decisions)
        given += givenInput(decision).has_value();
    inputs_->setText(given ? tr("Inputs (%1)…").arg(given) : tr("Inputs…"));
    inputs_->setEnabled(session().whyNoRun().isEmpty());
    run_->setText(running ? tr("Cancel") : tr("Run"));
    const QString whyNot = any ? session().whyNoRun() : tr("No backend is chosen.");
    run_->setEnabled(running || whyNot.isEmpty());
    run_->setToolTip(running            ? tr("Give up the measurement")
                     : whyNot.isEmpty() ? tr("Measure the chosen backends (F5)")
                                        : whyNot);
    QStringList notes{staleNote()};
    if (const QString problem = session().runProblem(); !problem.isEmpty()) {
        notes.prepend(tr("Not measured: %1.").arg(problem));
        if (!session().runs().empty())
            notes << (session().isRunPartial()
                          ? tr("The rows below were measured before that.")
                          : tr("The numbers below are those of the measurement before."));
    }
    for (const QString& missing : session().missingRuns())
        notes << tr("Not measured: %1.").arg(missing);
    notes.removeAll(QString());
    notes_ = notes;
    showNote();
    const CompileOptions& options = session().options();
    QString what = options.size.isEmpty() ? options.device
                                          : tr("size “%1” on %2").arg(options.size, options.device);
    runs_->setEmptyText(
        running ? tr("Measuring…")
                : measureAdvice((tabs_->indexOf(form_) < 0
                                     ? tr("Press Run to measure %1.")
                                     : tr("F5 measures %1. What is measured is chosen in Options."))
                                    .arg(what)));
}

/// A line each; in a low pane one in all, whose tooltip has the rest: the rows come first.
void RunPane::showNote() {
    const bool low = tabs_->indexOf(runs_) >= 0;
    note_->setWordWrap(!low);
    note_->setMinimumWidth(1); // of a whole line
    note_->setToolTip(notes_.join('\n'));
    note_->setText(low ? fontMetrics().elidedText(notes_.join(' '), Qt::ElideRight,
                                                  width() - 2 * note_->margin())
                       : notes_.join('\n'));
    note_->setVisible(!notes_.isEmpty());
}

void RunPane::showTheme() {
    // Where there is any room, three backends stand side by side; what is below gives way.
    constexpr int kRows = 3, kRowRoom = 18;
    leastRuns_ = runs_->header()->sizeHint().height() + kRows * (fontMetrics().height() + kRowRoom);
    const bool low = tabs_->indexOf(runs_) >= 0;
    runs_->setMinimumHeight(low ? 1 : leastRuns_);
    runs_->setTheme(theme());
    timings_->setTheme(theme());
    counts_->setTheme(theme());
    checks_->setTheme(theme());
    history_->setTheme(theme());
}

} // namespace cutaway::views
