// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/kernels/kernels_pane.h"

#include "core/record/columns.h"
#include "views/language/sentences.h"
#include "views/models/format.h"
#include "views/models/rows.h"
#include "views/panes/decision_bar.h"
#include "views/widgets/code_view.h"
#include "views/widgets/detail_line.h"
#include "views/widgets/item_view.h"
#include "views/widgets/low_tabs.h"
#include "views/widgets/tab_order.h"

#include <QPointer>
#include <QScrollBar>
#include <QSplitter>
#include <QTabWidget>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

namespace cutaway::views {

namespace {

constexpr int kLowLines = 20;

const record::Code* codeOf(const record::KernelInfo& kernel, const char* language) {
    for (const record::Code& code : kernel.codes)
        if (code.language == language) return &code;
    return nullptr;
}

QString scheduleHtml(const record::KernelInfo& kernel) {
    QString html;
    auto escape = [](const std::string& s) { return QString::fromStdString(s).toHtmlEscaped(); };
    auto list = [&](const std::vector<std::string>& names) {
        QStringList all;
        for (const std::string& name : names)
            all << escape(name);
        return all.isEmpty() ? QStringLiteral("–") : all.join(", ");
    };
    html += QString("<p><b>%1</b> · %2 · %3</p>")
                .arg(escape(kernel.name), escape(kernel.kind), escape(kernel.device));
    html += KernelsPane::tr("<p>reads %1 (%2)<br>writes %3 (%4)</p>")
                .arg(list(kernel.reads), format::bytes(kernel.bytesRead), list(kernel.writes),
                     format::bytes(kernel.bytesWritten));
    if (kernel.schedule.empty()) return html;
    html += "<ul style='margin-left:-22px'>";
    for (const std::string& choice : kernel.schedule)
        html += "<li style='margin-bottom:3px'>" + told(choice).toHtmlEscaped() + "</li>";
    return html + "</ul>";
}

using Measure = std::function<ScheduleTime(const record::ScheduleCandidate&)>;

/// Empty where it was not timed. \param fastest microseconds: stands in bold
QString measuredHtml(const ScheduleTime& time, double fastest, const QColor& warning) {
    if (time.us <= 0) return {};
    const QString us = format::microseconds(time.us);
    if (time.disturbed)
        return QString("<span style='color:%1'>%2</span>")
            .arg(warning.name(), KernelsPane::tr("%1, disturbed").arg(us));
    return time.us > fastest ? us : "<b>" + us + "</b>";
}

/// What was considered for each target, the taken one in bold.
/// \param link colour of the links that take another; empty: none can be taken
/// \param measured of a candidate of the kernel's own device
QString candidatesHtml(const record::KernelInfo& kernel, const QString& link, const QColor& warning,
                       const Measure& measured) {
    QString html;
    double least = 0;
    bool timed = false;
    for (const record::ScheduleCandidate& candidate : kernel.candidates) {
        const ScheduleTime time = measured(candidate);
        timed = timed || time.us > 0;
        if (time.us > 0 && !time.disturbed && (least == 0 || time.us < least)) least = time.us;
    }
    std::string target;
    int number = 0;
    for (const record::ScheduleCandidate& candidate : kernel.candidates) {
        if (target != candidate.target) {
            if (!target.empty()) html += "</table>";
            target = candidate.target;
            number = 0;
            const QString name = target == "cuda" ? "CUDA" : "CPU";
            html += KernelsPane::tr("<p>Considered for %1:</p>").arg(name) +
                    "<table cellspacing='0' cellpadding='2'>";
            if (timed && kernel.device.starts_with(target))
                html += QString("<tr><td></td><td>%1</td><td>%2</td></tr>")
                            .arg(KernelsPane::tr("predicted"), KernelsPane::tr("measured"));
        }
        const QString text = QString::fromStdString(candidate.text()).toHtmlEscaped();
        QString mark = candidate.forced  ? KernelsPane::tr("asked for")
                       : candidate.taken ? KernelsPane::tr("taken")
                                         : QString();
        const bool own = kernel.device.starts_with(candidate.target);
        if (candidate.forced && !link.isEmpty())
            mark += QString(" · <a href='run:-1' style='color:%1'>%2</a>")
                        .arg(link, KernelsPane::tr("leave it to the compiler"));
        else if (own && !candidate.taken && candidate.refused.empty() && !link.isEmpty())
            mark = QString("<a href='run:%1' style='color:%2'>%3</a>")
                       .arg(QString::number(&candidate - kernel.candidates.data()), link,
                            KernelsPane::tr("run it so"));
        const QString time = candidate.refused.empty() ? format::microseconds(candidate.predictedUs)
                                                       : KernelsPane::tr("refused");
        QString taken;
        if (own) taken = measuredHtml(measured(candidate), least, warning);
        html +=
            QString("<tr><td align='right'>%1</td><td align='right'>%2</td>"
                    "<td align='right'>%3</td><td>%4</td><td>%5</td></tr>")
                .arg(QString::number(++number), time, taken,
                     candidate.taken ? "<b>" + text + "</b>" : text,
                     candidate.refused.empty() ? mark : told(candidate.refused).toHtmlEscaped());
    }
    return target.empty() ? html : html + "</table>";
}

} // namespace

KernelsPane::KernelsPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), tree_(new ItemView(rows::kernelColumns(), "kernelTree")),
      tabs_(new QTabWidget), loops_(new CodeView), schedule_(new QTextBrowser),
      decisions_(new ItemView(rows::decisionColumns(), "decisionTable")) {
    setFocusProxy(tree_);
    tabs_->setDocumentMode(true);
    tabs_->setMinimumHeight(leastTabs(tabs_));
    auto* pairs = new QWidget;
    auto* column = new QVBoxLayout(pairs);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(DetailLine::below(decisions_, static_cast<int>(rows::DecisionColumn::Reason),
                                        tr("Point at a row to read why.")),
                      1);
    bar_ = new DecisionBar(&session(), &selection(), tr("Choose a pair to decide otherwise."));
    column->addWidget(bar_);
    tabs_->addTab(pairs, tr("Fused or not"));
    tabs_->addTab(loops_, tr("Loops"));
    tabs_->addTab(schedule_, tr("Schedule"));
    splitter_ = new QSplitter(Qt::Vertical);
    splitter_->addWidget(tree_);
    splitter_->addWidget(tabs_);
    splitter_->setSizes({210, 220});
    body()->addWidget(splitter_);
    loops_->setLanguage("loops");
    loops_->setReadOnly(true);
    loops_->setLineNumbers(false);
    loops_->setAccessibleName(tr("Loop IR"));
    schedule_->setFrameShape(QFrame::NoFrame);
    schedule_->setOpenLinks(false);
    connect(schedule_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        const QString words = link.toString();
        if (words == "time")
            session().timeSchedules();
        else if (words == "cancel")
            session().cancel();
        else
            runSo(words.section(':', 1).toInt());
    });
    connect(&session(), &Session::schedulesTimed, this, &KernelsPane::showSchedule);
    schedule_->setAccessibleName(tr("Schedule"));
    tree_->setStretchColumn(static_cast<int>(rows::KernelColumn::Type));
    decisions_->setStretchColumn(static_cast<int>(rows::DecisionColumn::Reason));
    for (ItemView* view : {tree_, decisions_}) {
        view->setSelectionState(&selection());
        view->setOrigin(view);
    }
    connect(loops_, &CodeView::lineActivated, this, [this](int line) {
        const record::KernelInfo* kernel = record().kernel(kernel_);
        const record::Code* code = kernel ? codeOf(*kernel, "loops") : nullptr;
        if (!loopsThere_ || !code || static_cast<size_t>(line) >= code->lines.size()) return;
        if (ItemId item = code->lines[static_cast<size_t>(line)].item; item != kNoItem)
            selection().select({item}, loops_);
    });
}

/// Where there is no room for both, the kernels are a tab beside the others.
void KernelsPane::resizeEvent(QResizeEvent* event) {
    Pane::resizeEvent(event);
    const bool low = height() < kLowLines * fontMetrics().lineSpacing();
    if (low == (tabs_->indexOf(tree_) >= 0)) return;
    if (low) {
        const bool shown = tabs_->currentIndex() > 0;
        tabs_->insertTab(0, tree_, tr("Kernels"));
        if (!shown) tabs_->setCurrentIndex(0);
    } else {
        tabs_->removeTab(tabs_->indexOf(tree_));
        splitter_->insertWidget(0, tree_);
        tree_->show();
        splitter_->setSizes({210, 220});
    }
    orderTabs(tabs_, tree_, low);
}

/// \param candidate index in the kernel's list; -1: as the compiler decides
void KernelsPane::runSo(int candidate) {
    const record::KernelInfo* kernel = record().kernel(kernel_);
    if (!kernel || candidate >= static_cast<int>(kernel->candidates.size())) return;
    const QString text =
        candidate < 0
            ? QString()
            : QString::fromStdString(kernel->candidates[static_cast<size_t>(candidate)].text());
    const QString decision = scheduleDecision(record(), kernel_, text);
    const QStringList made = session().options().decisions;
    session().decide(candidate < 0 ? leftToCompiler(made, decisionSubject(decision))
                                   : decided(made, decision));
}

bool KernelsPane::showStage(const QString& stage) {
    const std::pair<const char*, int> tabs[] = {{"kernels", 0}, {"loops", 1}, {"schedule", 2}};
    for (auto [name, tab] : tabs)
        if (stage == name) {
            const bool beside = tabs_->indexOf(tree_) == 0; // see resizeEvent()
            tabs_->setCurrentIndex(tab + beside);
            return true;
        }
    return false;
}

void KernelsPane::showRecord() {
    kernel_ = kNoItem;
    if (!entry()) {
        tree_->setRows({});
        decisions_->setRows({});
        loops_->setCode({});
        schedule_->clear();
        return;
    }
    size_t buffers = 0, pairs = 0;
    for (const record::LoweredGraph& graph : entry()->lowered) {
        buffers += graph.buffers.size();
        pairs += graph.decisions.size();
    }
    tree_->fillRows(
        buffers, [of = session().record(), entry = entry()] { return rows::kernels(*of, *entry); });
    decisions_->fillRows(
        pairs, [of = session().record(), entry = entry()] { return rows::decisions(of, *entry); });
}

/// Loop IR and schedule of the kernel that is lit most.
void KernelsPane::showDetail() {
    ItemId best = kNoItem;
    Highlight strongest = Highlight::None;
    for (ItemId item : selection().items())
        if (ItemId owner = record().kernelOf(item); owner != kNoItem) {
            best = owner;
            strongest = Highlight::Selected;
        }
    if (entry())
        for (const record::LoweredGraph& graph : entry()->lowered)
            for (const record::KernelInfo& kernel : graph.kernels) {
                if (best == kNoItem) best = kernel.item;
                if (selection().level(kernel.item) > strongest) {
                    strongest = selection().level(kernel.item);
                    best = kernel.item;
                }
            }
    if (kernel_ != best || best == kNoItem) {
        kernel_ = best;
        showLoops();
        schedule_->verticalScrollBar()->setValue(0);
        showSchedule();
    }
    const record::KernelInfo* kernel = record().kernel(kernel_);
    const record::Code* code = kernel ? codeOf(*kernel, "loops") : nullptr;
    loops_->setHighlights([&](int line) {
        if (!loopsThere_ || !code || static_cast<size_t>(line) >= code->lines.size())
            return Highlight::None;
        ItemId item = code->lines[static_cast<size_t>(line)].item;
        return item == kNoItem ? Highlight::None : selection().level(item);
    });
}

static QString textOf(const record::Code& code) {
    QString text;
    for (const record::CodeLine& line : code.lines)
        text += QString::fromStdString(line.text) + "\n";
    return text.trimmed();
}

void KernelsPane::showLoops() {
    ++loopsTicket_;
    const record::KernelInfo* kernel = record().kernel(kernel_);
    const record::Code* code = kernel ? codeOf(*kernel, "loops") : nullptr;
    loopsThere_ = !code || !record::lacksTexts(*code);
    if (!loopsThere_) return askForLoops(*kernel);
    if (code) return loops_->setCode(textOf(*code));
    QString text;
    if (kernel)
        for (ItemId item : kernel->buffers)
            if (const record::LoopBuffer* buffer = record().buffer(item))
                text += QString::fromStdString(buffer->text).trimmed() + "\n\n";
    loops_->setCode(text.trimmed());
}

/// A record of many texts comes without them.
void KernelsPane::askForLoops(const record::KernelInfo& kernel) {
    if (session().isPartial()) return loops_->setCode(emptyAdvice({}));
    if (!session().engine()->isUsable())
        return loops_->setCode(tr("The engine is not running, so this text cannot be made."));
    loops_->setCode(tr("Asking the engine…"));
    const Place& at = record().place(kernel_);
    const ListingKey key{at.function, at.entry,
                         QString::fromStdString(entry()->lowered[at.lowered].graph),
                         QString::fromStdString(kernel.name), QStringLiteral("loops")};
    session().listing(key, [self = QPointer(this), ticket = loopsTicket_](const Listing& listing) {
        if (!self || ticket != self->loopsTicket_) return;
        self->loopsThere_ = listing.problem.isEmpty();
        self->loops_->setCode(self->loopsThere_ ? textOf(listing.code) : listing.problem);
        self->showDetail();
    });
}

/// How the kernel is run, what else was considered, and what that takes.
void KernelsPane::showSchedule() {
    const record::KernelInfo* kernel = record().kernel(kernel_);
    if (!kernel) return schedule_->clear();
    const QString color = theme().accent.name();
    std::string graph;
    if (entry())
        for (const record::LoweredGraph& lowered : entry()->lowered)
            for (const record::KernelInfo& one : lowered.kernels)
                if (one.item == kernel_) graph = lowered.graph;
    const auto link = [&](const char* to, const QString& words) {
        return QString("<a href='%1' style='color:%2'>%3</a>").arg(to, color, words);
    };
    QString asked; // stands where it is seen without scrolling
    if (session().isTiming())
        asked += "<p>" + tr("Timing every schedule of every kernel…") + " " +
                 link("cancel", tr("Cancel")) + "</p>";
    else if (!kernel->candidates.empty() && session().whyNoRun().isEmpty())
        asked += "<p>" + link("time", tr("Time every schedule")) + "</p>";
    const Measure measured = [&](const record::ScheduleCandidate& candidate) {
        if (!kernel->device.starts_with(candidate.target)) return ScheduleTime();
        const ScheduleTime time = session().scheduleTime(graph, kernel->name, candidate.text());
        return time.us > 0 ? time : ScheduleTime{candidate.measuredUs, false}; // by autotuning
    };
    const auto has = [&](auto what) {
        return std::ranges::any_of(kernel->candidates,
                                   [&](const auto& one) { return what(measured(one)); });
    };
    const QString problem = session().timingProblem().toHtmlEscaped();
    if (!problem.isEmpty() && !kernel->candidates.empty())
        asked += "<p>" +
                 (has([](const ScheduleTime& time) { return time.us > 0; })
                      ? tr("Not timed again: %1. The times are of before.")
                      : tr("Not timed: %1."))
                     .arg(problem) +
                 "</p>";
    if (has([](const ScheduleTime& time) { return time.disturbed; }))
        asked += QString("<p style='color:%1'>%2</p>")
                     .arg(theme().warning.name(),
                          tr("Other programs had the processors all the while: times that are "
                             "disturbed are not the kernel's own. Time again when nothing else "
                             "runs."));
    QString html = scheduleHtml(*kernel);
    html.insert(html.indexOf("</p>") + 4, asked);
    html += candidatesHtml(*kernel, session().isReadOnly() ? QString() : color, theme().warning,
                           measured);
    const int at = schedule_->verticalScrollBar()->value();
    schedule_->setHtml(html);
    schedule_->verticalScrollBar()->setValue(at);
}

void KernelsPane::showTheme() {
    tree_->setTheme(theme());
    decisions_->setTheme(theme());
    loops_->setTheme(theme());
}

void KernelsPane::showSelection(bool reveal) {
    bar_->refresh();
    tree_->updateHighlights(reveal && selection().origin() != tree_);
    decisions_->updateHighlights(reveal && selection().origin() != decisions_);
    showDetail();
    if (reveal && selection().origin() != loops_) loops_->revealHighlight();
}

void KernelsPane::showHover() {
    tree_->updateHighlights(false);
    decisions_->updateHighlights(false);
}

void KernelsPane::showStatus() {
    showSchedule();
    tree_->setEmptyText(emptyAdvice(tr("No kernels.")));
    decisions_->setEmptyText(
        emptyAdvice(tr("No two buffers share data: there was nothing to decide.")));
}

} // namespace cutaway::views
