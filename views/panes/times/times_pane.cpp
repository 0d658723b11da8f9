// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/times/times_pane.h"

#include "views/models/format.h"
#include "views/models/significance.h"
#include "views/models/trace_file.h"
#include "views/panes/times/curve_chart.h"
#include "views/panes/times/roofline_chart.h"
#include "views/widgets/choice_box.h"
#include "views/widgets/elided_button.h"
#include "views/widgets/low_tabs.h"
#include "views/widgets/timeline_view.h"

#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace cutaway::views {

namespace {
constexpr int kSearchLetters = 24, kLaneRoom = 40;
constexpr int kLookedAtMs = 2500;
constexpr int kLowLines = 12; ///< of a pane that has no room for more than its drawing
} // namespace

static QLabel* note() {
    auto* label = new QLabel;
    label->setObjectName("muted");
    label->setWordWrap(true);
    label->setMargin(6);
    return label;
}

/// An empty note takes no room. \param disturbed why times are not the program's own; empty: they are
static void say(QLabel* note, const QString& text, const QString& disturbed = {},
                const Theme& theme = {}) {
    note->setText(disturbed.isEmpty()
                      ? text
                      : QString("<span style='color:%1'>%2</span> %3")
                            .arg(theme.warning.name(),
                                 TimesPane::tr("Disturbed: %1.").arg(disturbed).toHtmlEscaped(),
                                 text.toHtmlEscaped()));
    note->setVisible(!text.isEmpty());
}

/// A drawing over what is said of it.
static QWidget* above(QWidget* drawing, QWidget* below) {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(drawing, 1);
    column->addWidget(below);
    return page;
}

TimesPane::TimesPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), tabs_(new QTabWidget), call_(new TimelineView),
      flame_(new TimelineView), compilation_(new TimelineView), trace_(new TimelineView),
      roofline_(new RooflineChart), callNote_(note()), flameNote_(note()), compileNote_(note()),
      machineNote_(note()), traceNote_(note()), chain_(note()), search_(new QLineEdit),
      traceScroll_(new QScrollArea), measure_(new ElidedButton(tr("Measure the machine"))),
      sweep_(new QPushButton), over_(new ChoiceBox), curves_(new CurveChart), curveNote_(note()),
      sweepNote_(note()) {
    setFocusProxy(tabs_);
    tabs_->setDocumentMode(true);
    tabs_->setMinimumHeight(leastTabs(tabs_));
    tabs_->addTab(above(call_, callNote_), tr("A call"));
    tabs_->addTab(above(flame_, flameNote_), tr("Flame graph"));
    tabs_->addTab(above(compilation_, compileNote_), tr("Compilation"));
    auto* foot = new QWidget;
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(6, 3, 6, 3);
    row->addWidget(machineNote_, 1);
    row->addWidget(measure_);
    tabs_->addTab(above(roofline_, foot), tr("Roofline"));
    tabs_->addTab(makeSweepPage(), tr("Sweep"));
    tabs_->addTab(makeTracePage(), tr("A trace"));
    tabs_->setTabToolTip(tabs_->count() - 1, tr("What another program measured, to compare with"));
    body()->addWidget(tabs_);
    body()->addWidget(chain_);
    chain_->setObjectName("kernelChain");
    chain_->setTextFormat(Qt::RichText);
    chain_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    chain_->setAccessibleName(tr("Why the selected kernel takes its time"));
    chain_->hide();
    connect(chain_, &QLabel::linkActivated, this, &TimesPane::follow);
    alternatives_.setSingleShot(true);
    alternatives_.setInterval(kLookedAtMs);
    connect(&alternatives_, &QTimer::timeout, this, [this] {
        askedOf_ = session().record();
        session().timeSchedules();
    });
    connect(tabs_, &QTabWidget::currentChanged, this, &TimesPane::showChain);
    connect(&session(), &Session::schedulesTimed, this, &TimesPane::showChain);
    for (QLabel* one : {callNote_, flameNote_, compileNote_})
        one->hide(); // until there is something to say
    compilation_->setAccessibleName(tr("Timeline of the compilation"));
    call_->setAccessibleName(tr("Timeline of a call"));
    flame_->setAccessibleName(tr("Flame graph of a call"));
    call_->setSelectionState(&selection());
    trace_->setSelectionState(&selection());
    flame_->setSelectionState(&selection());
    roofline_->setSelectionState(&selection());
    measure_->setToolTip(tr("How fast a large sum reads and writes, how fast a large product "
                            "multiplies: about a second"));
    connect(measure_, &QPushButton::clicked, &session(), &Session::measureMachine);
    connect(&session(), &Session::machineMeasured, this, &TimesPane::showMeasurements);
}

const record::Run* TimesPane::run() const {
    const record::Run* found = nullptr;
    for (const record::Run& one : session().runs())
        if (!one.kernels.empty() && (!found || one.backend == "inductor")) found = &one;
    return found;
}

void TimesPane::showMeasurements() {
    const record::Run* measured = entry() ? run() : nullptr;
    const Measured now = session().shown();
    drawnFor_ = now;
    awaiting_ = session().awaitsRuns();
    const bool dimmed = measured && (awaiting_ || !Measured(*measured).matches(now));
    Timeline line = measured ? callTimeline(*measured, *entry()) : Timeline();
    // Every drawing of it says what it is of: another compilation may be on the screen.
    const QString of =
        measured ? tr("Measured with %1. ").arg(Measured(*measured).textBeside(now)) : QString();
    say(callNote_, of + line.note, line.disturbed, theme());
    call_->setTimeline(std::move(line), dimmed);
    Timeline flame = measured ? flameGraph(*measured, record(), *entry()) : Timeline();
    say(flameNote_, of + flame.note, flame.disturbed, theme());
    flame_->setTimeline(std::move(flame), dimmed);
    const Ceilings most = session().ceilings();
    roofline_->setPoints(measured ? rooflinePoints(*measured, *entry())
                                  : std::vector<RooflinePoint>(),
                         most, dimmed);
    roofline_->setArrow(measured ? rooflineArrow(session().runs(), *measured) : std::nullopt);
    showCurves();
    const QString machine = most.known() ? tr("This machine: %1, %2/s in a large product")
                                               .arg(format::bandwidth(most.bytesPerSecond),
                                                    format::flops(most.flopsPerSecond))
                            : !session().machineProblem().isEmpty()
                                ? tr("Not measured: %1").arg(session().machineProblem())
                                : tr("What the machine can do is not measured yet.");
    say(machineNote_, of + machine, measured ? whyKernelsUnsteady(*measured) : QString(), theme());
    showStatus();
}

void TimesPane::showRecord() {
    Timeline line = entry() ? compileTimeline(*entry()) : Timeline();
    say(compileNote_, line.note);
    compilation_->setTimeline(std::move(line), false);
    showTrace();
    showMeasurements();
}

/// What stands behind the kernel's time, step by step, each leading there.
void TimesPane::showChain() {
    const record::Run* measured = entry() && session().isCurrent() ? run() : nullptr;
    ItemId kernel = kNoItem;
    for (ItemId item : selection().items())
        if (record().kernel(item) && record().place(item).code < 0) kernel = item;
    const auto timed = [this](const std::string& graph, const std::string& name,
                              const std::string& schedule) {
        return session().scheduleTime(graph, name, schedule);
    };
    chainSteps_.clear();
    if (measured && Measured(*measured).matches(session().shown()))
        chainSteps_ = kernelChain(record(), kernel, *measured, timed);
    QStringList all;
    for (size_t i = 0; i < chainSteps_.size(); ++i) {
        const ChainStep& step = chainSteps_[i];
        const QString text = step.text.toHtmlEscaped();
        const bool canTime = step.times && session().whyNoRun().isEmpty();
        const bool leads =
            !step.items.empty() || canTime || (!step.decision.isEmpty() && !session().isReadOnly());
        if (step.times && session().isTiming())
            all << tr("timing its schedules…");
        else if (leads)
            all << QString("<a href='%1' style='color:%2'>%3</a>")
                       .arg(QString::number(i), theme().accent.name(), text);
        else if (!step.times)
            all << text;
    }
    chain_->setText(all.join(" ← "));
    const bool room = height() > kLowLines * fontMetrics().lineSpacing();
    // Beside what was measured; the other tabs are about other things.
    const bool measures = std::ranges::any_of(
        std::initializer_list<QWidget*>{call_, flame_, roofline_},
        [this](const QWidget* one) { return tabs_->currentWidget()->isAncestorOf(one); });
    chain_->setVisible(!all.isEmpty() && room && measures);
    // What would be faster is measured for whoever looks at a slice for a while; once.
    if (chain_->isVisible() && std::ranges::any_of(chainSteps_, &ChainStep::times) &&
        askedOf_ != session().record() && session().whyNoRun().isEmpty() && !session().isBusy())
        alternatives_.start();
    else
        alternatives_.stop();
}

void TimesPane::follow(const QString& link) {
    const size_t at = link.toULongLong();
    if (at >= chainSteps_.size()) return;
    const ChainStep step = chainSteps_[at];
    if (!step.items.empty()) return selection().select(step.items);
    if (step.times) return session().timeSchedules();
    session().decide(decided(session().options().decisions, step.decision));
}

void TimesPane::resizeEvent(QResizeEvent* event) {
    Pane::resizeEvent(event);
    showChain();
}

void TimesPane::showSelection(bool) {
    showChain();
    call_->update();
    flame_->update();
    trace_->update();
    roofline_->update();
}

void TimesPane::showStatus() {
    showChain();
    if (awaiting_ != session().awaitsRuns() || drawnFor_ != session().shown())
        return showMeasurements(); // which tells the status, too
    const QString advice = session().isRunning()
                               ? tr("Measuring…")
                               : measureAdvice(tr("Nothing was measured yet: F5 measures."));
    call_->setEmptyText(advice);
    flame_->setEmptyText(advice);
    roofline_->setEmptyText(run() ? tr("No kernel here both computes and moves bytes.") : advice);
    compilation_->setEmptyText(emptyAdvice(tr("This record holds no times.")));
    measure_->setEnabled(session().engine()->isUsable() && !session().isMeasuringMachine());
    curves_->setEmptyText(
        session().isRunning()
            ? tr("Measuring…")
            : measureAdvice(run()
                                ? tr("No measurement of what is shown: F5 measures it, and a sweep "
                                     "measures it at every size or number of threads.")
                                : tr("Nothing was measured yet: F5 measures, and a sweep "
                                     "measures at every size or number of threads.")));
    const QString whyNot = session().whyNoRun();
    sweep_->setText(sweeping_ ? tr("Cancel") : tr("Sweep"));
    sweep_->setEnabled(sweeping_ || (whyNot.isEmpty() && !session().isBusy()));
    sweep_->setToolTip(whyNot.isEmpty() ? tr("Measure at each of them") : whyNot);
    measure_->setText(session().isMeasuringMachine() ? tr("Measuring…")
                                                     : tr("Measure the machine"));
}

void TimesPane::showTheme() {
    call_->setTheme(theme());
    trace_->setTheme(theme());
    flame_->setTheme(theme());
    compilation_->setTheme(theme());
    roofline_->setTheme(theme());
    curves_->setTheme(theme());
}

QWidget* TimesPane::makeTracePage() {
    auto* foot = new QWidget;
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(6, 3, 6, 3);
    row->addWidget(traceNote_, 1);
    search_->setPlaceholderText(tr("Find a slice"));
    search_->setAccessibleName(search_->placeholderText());
    search_->setToolTip(tr("Part of its name; Return goes to the next, Shift+Return back"));
    search_->setClearButtonEnabled(true);
    search_->setMinimumWidth(1);
    search_->setMaximumWidth(fontMetrics().averageCharWidth() * kSearchLetters);
    search_->setEnabled(false); // until there is a trace
    row->addWidget(search_);
    connect(search_, &QLineEdit::textChanged, this, &TimesPane::showFound);
    connect(search_, &QLineEdit::returnPressed, this, [this] {
        const bool back = QGuiApplication::keyboardModifiers() & Qt::ShiftModifier;
        if (const Span* span = trace_->goToFound(!back)) {
            const QPoint at = trace_->rectOf(*span).center().toPoint();
            traceScroll_->ensureVisible(traceScroll_->width() / 2, at.y(), 0, kLaneRoom);
        }
    });
    auto* open = new ElidedButton(tr("Open a trace…"));
    open->setToolTip(tr("Chrome's trace events, as torch.profiler, Perfetto and “cutaway bench "
                        "--trace” write them"));
    row->addWidget(open);
    connect(open, &QPushButton::clicked, this, &TimesPane::askTrace);
    trace_->setAccessibleName(tr("Timeline of a trace"));
    trace_->setEmptyText(tr("No trace is open: what torch.profiler exports can be shown here."));
    // As many lanes as threads and their calls are deep.
    traceScroll_->setWidgetResizable(true);
    traceScroll_->setFrameShape(QFrame::NoFrame);
    traceScroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    traceScroll_->setWidget(trace_);
    return above(traceScroll_, foot);
}

void TimesPane::askTrace() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a trace"),
                                                      QFileInfo(session().path()).absolutePath(),
                                                      tr("Traces (*.json);;All files (*)"));
    if (!path.isEmpty()) openTrace(path);
}

QLineEdit* TimesPane::searchField() const {
    return search_->isVisible() && search_->isEnabled() ? search_ : nullptr;
}

/// How many slices there are, and how long they take, tells the note.
void TimesPane::showFound() {
    const QString text = search_->text().trimmed();
    const TimelineView::Found found = trace_->find(text);
    traceNote_->setText(text.isEmpty() ? told_
                                       : tr("“%1”: %2 slices, %3 together.")
                                             .arg(text, format::count(int64_t(found.count)),
                                                  format::microseconds(found.us)));
}

void TimesPane::openTrace(const QString& path) {
    tabs_->setCurrentIndex(tabs_->count() - 1);
    const QString name = QFileInfo(path).fileName();
    traceNote_->setText(tr("Reading “%1”…").arg(name));
    reader_.start([this, path, name]() -> LatestWork::Finish {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return [this, why = file.errorString()] { traceNote_->setText(why); };
        auto line = readTrace(file.readAll(), name);
        if (!line)
            return [this, why = line.error().message] {
                traceNote_->setText(QString::fromStdString(why)); // what was open stays
            };
        return [this, name, line = std::make_shared<const Timeline>(std::move(*line))] {
            traceName_ = name;
            given_ = line;
            showTrace();
        };
    });
}

void TimesPane::showTrace() {
    if (!given_) return;
    linker_.start([this, given = given_, name = traceName_, record = session().record(),
                   function = session().function(),
                   index = session().entryIndex()]() -> LatestWork::Finish {
        auto line = std::make_shared<Timeline>(*given);
        const record::Entry* owner = record->entry(function, index);
        const int linked = owner ? linkKernels(*line, *owner) : 0;
        return [this, line, name, linked] {
            told_ = tr("%1: %2 slices, %3. %4 of them are named as kernels of what is shown and "
                       "lead there.")
                        .arg(name, format::count(int64_t(line->spans.size())),
                             format::microseconds(line->us), format::count(linked));
            trace_->setTimeline(std::move(*line), false);
            trace_->setMinimumHeight(trace_->wantedHeight());
            search_->setEnabled(true);
            showFound();
        };
    });
}

QWidget* TimesPane::makeSweepPage() {
    auto* foot = new QWidget;
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(6, 3, 6, 3);
    over_->setAccessibleName(tr("Sweep over"));
    over_->addItem(tr("over threads"), static_cast<int>(SweepOver::Threads));
    over_->addItem(tr("over sizes"), static_cast<int>(SweepOver::Sizes));
    row->addWidget(over_);
    row->addWidget(sweepNote_, 1);
    row->addWidget(sweep_);
    connect(over_, &QComboBox::activated, this, &TimesPane::showCurves);
    connect(sweep_, &QPushButton::clicked, this, [this] {
        if (!sweeping_) return sweep(over());
        session().cancel(); // first: what is put back below is compiled
        tellSweep(tr("Cancelled within %1 of %2.")
                      .arg(allSteps_ - static_cast<int>(steps_.size()))
                      .arg(allSteps_));
        endSweep();
    });
    // Not at once: what changed the status is still about to do something.
    connect(&session(), &Session::statusChanged, this, &TimesPane::advance, Qt::QueuedConnection);
    connect(&session(), &Session::documentChanged, this, [this] {
        sweeping_ = false;
        steps_.clear();
        tellSweep({});
    });
    for (auto changed : {&Session::modifiedChanged, &Session::optionsChanged})
        connect(&session(), changed, this, &TimesPane::forgetSweep);
    auto* drawing = above(curves_, curveNote_);
    curveNote_->hide();
    return above(drawing, foot);
}

SweepOver TimesPane::over() const {
    return static_cast<SweepOver>(over_->currentData().toInt());
}

void TimesPane::tellSweep(const QString& text) {
    sweepNote_->setText(text);
    toldText_ = session().text();
    toldDecisions_ = session().options().decisions;
}

void TimesPane::forgetSweep() {
    if (!sweeping_ &&
        (toldText_ != session().text() || toldDecisions_ != session().options().decisions))
        tellSweep({});
}

void TimesPane::showCurves() {
    const int all = over() == SweepOver::Sizes ? session().engine()->info().threads : 0;
    Curves curves = curvesOf(session().history(), session().shown(all), over(), session().sizes());
    QString why; // of the first: they say the same but for how it was found out
    for (const Curves::One& curve : curves.curves)
        for (const CurvePoint& point : curve.points)
            if (why.isEmpty()) why = point.disturbed;
    say(curveNote_, why.isEmpty() ? QString() : tr("Rings are such times."), why, theme());
    curves_->setCurves(std::move(curves));
}

void TimesPane::sweep(SweepOver over) {
    if (sweeping_ || !session().whyNoRun().isEmpty()) return;
    over_->setCurrentIndex(over_->findData(static_cast<int>(over)));
    sizeBefore_ = session().options().size;
    steps_.clear();
    if (over == SweepOver::Threads)
        for (int threads : threadSteps(session().engine()->info().threads))
            steps_.push_back({sizeBefore_, threads});
    else
        for (const QString& size : session().sizes())
            steps_.push_back({size, 0});
    sweeping_ = true;
    allSteps_ = static_cast<int>(steps_.size());
    tellSweep({});
    sweepText_ = session().text();
    ran_ = asked_ = false;
    advance();
}

/// The next step as soon as the engine is free: another size is compiled first.
void TimesPane::advance() {
    if (!sweeping_ || session().isBusy()) return;
    QString why = session().whyNoRun();
    if (why.isEmpty() && ran_) why = session().runProblem();
    if (session().text() != sweepText_) why = tr("the text changed meanwhile");
    if (!why.isEmpty())
        tellSweep(tr("The sweep ended early: %1").arg(why));
    else if (steps_.empty())
        tellSweep({});
    if (!why.isEmpty() || steps_.empty()) return endSweep();
    const Step step = steps_.front();
    const int number = allSteps_ - static_cast<int>(steps_.size()) + 1;
    tellSweep(step.threads > 0
                  ? tr("%n thread(s): %1 of %2", nullptr, step.threads).arg(number).arg(allSteps_)
                  : tr("Size %1: %2 of %3").arg(step.size).arg(number).arg(allSteps_));
    if (session().options().size != step.size) {
        if (std::exchange(asked_, true)) return endSweep(); // the script offers it no more
        CompileOptions options = session().options();
        options.size = step.size;
        return session().setOptions(options);
    }
    asked_ = false;
    constexpr double kSeconds = 0.2;
    steps_.pop_front();
    ran_ = true;
    session().run({{"eager", "inductor"}, step.threads, kSeconds});
}

void TimesPane::endSweep() {
    sweeping_ = false;
    steps_.clear();
    if (CompileOptions options = session().options(); options.size != sizeBefore_) {
        options.size = sizeBefore_;
        session().setOptions(options);
    }
    showCurves();
    showStatus();
}

} // namespace cutaway::views
