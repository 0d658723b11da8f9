// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/steps/steps_pane.h"

#include "views/panes/memory/memory_map.h"
#include "views/panes/steps/kernel_stage.h"
#include "views/widgets/choice_box.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/legend.h"
#include "views/widgets/pane_bar.h"
#include "views/widgets/player.h"

#include <QComboBox>
#include <QLabel>
#include <QPointer>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

namespace cutaway::views {

namespace {
/// "0 is block 0, thread 0; … 7 is block 1, thread 3"
QString fewWorkers(const QStringList& workers) {
    return workers.size() == 1 ? workers.front()
                               : QString("0 = %1 … %2 = %3")
                                     .arg(workers.front())
                                     .arg(workers.size() - 1)
                                     .arg(workers.back());
}
constexpr size_t kMostNodes = 400; ///< placed on the GUI thread in some milliseconds
/// Classes of heat that the cut is told in.
enum CutClass { Reached = 0, UsedUp = 2, Lit = 4 };
} // namespace

StepsPane::StepsPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), stories_(new ChoiceBox), choices_(new ChoiceBox),
      targets_(new ChoiceBox), schedule_(new QLabel), stages_(new QStackedWidget),
      notice_(new QLabel), caption_(new QLabel), kernel_(new KernelStage), graph_(new GraphCanvas),
      arena_(new MemoryMap), legend_(new Legend), player_(new Player) {
    auto* bar = new PaneBar;
    stories_->addItem(tr("A kernel, element by element"), Kernel);
    stories_->addItem(tr("The cut, path by path"), Cut);
    stories_->addItem(tr("The arena, kernel by kernel"), Arena);
    stories_->setToolTip(tr("What is played"));
    stories_->setAccessibleName(stories_->toolTip());
    choices_->setToolTip(tr("Of which kernel or graph"));
    choices_->setAccessibleName(choices_->toolTip());
    choices_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    targets_->setToolTip(
        tr("How the kernel is run: its loops alone, one statement after the other, "
           "or with the vectors, threads and tiles of its schedule"));
    targets_->setAccessibleName(tr("How the kernel is run"));
    targets_->setObjectName("storyTarget");
    targets_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    bar->addWidget(stories_);
    bar->addWidget(choices_, 1);
    body()->addWidget(bar);
    scheduleBar_ = new PaneBar;
    schedule_->setObjectName("muted");
    schedule_->setSizePolicy(QSizePolicy::Ignored,
                             QSizePolicy::Preferred); // cut off where it is narrow
    scheduleBar_->addWidget(targets_);
    scheduleBar_->addWidget(schedule_, 1);
    body()->addWidget(scheduleBar_);
    notice_->setAlignment(Qt::AlignCenter);
    notice_->setWordWrap(true);
    notice_->setMargin(16);
    notice_->setObjectName("muted");
    for (QWidget* stage : std::initializer_list<QWidget*>{notice_, kernel_, graph_, arena_})
        stages_->addWidget(stage);
    body()->addWidget(stages_, 1);
    body()->addWidget(legend_);
    caption_->setWordWrap(true);
    caption_->setMargin(6);
    caption_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    body()->addWidget(caption_);
    body()->addWidget(player_);
    setFocusProxy(player_);
    graph_->setSelectionState(&selection(), this);
    graph_->setTooltip([this](const SceneNode& node) { return itemTip(node.item); });
    arena_->setSelectionState(&selection());
    connect(stories_, &QComboBox::activated, this, [this] {
        isStoryChosen_ = true;
        showRecord();
    });
    connect(choices_, &QComboBox::activated, this, [this] {
        fillTargets();
        showStory();
    });
    connect(targets_, &QComboBox::activated, this, [this] { showStory(); });
    connect(player_, &Player::momentChanged, this, &StepsPane::showMoment);
}

void StepsPane::tell(Story story) {
    isStoryChosen_ = true;
    stories_->setCurrentIndex(stories_->findData(story));
    showRecord();
}

QString StepsPane::caption() const {
    return caption_->text();
}

bool StepsPane::isSettled() const {
    const bool comes = waiting_ && of_ == session().record(); // else it is dropped, and asked anew
    return Pane::isSettled() && !comes && graph_->isSettled();
}

void StepsPane::showTheme() {
    kernel_->setTheme(theme());
    graph_->setTheme(theme());
    arena_->setTheme(theme());
    legend_->setTheme(theme());
    player_->setTheme(theme());
    showLegend();
}

/// Unless somebody has chosen, what there is to tell: where libraries do all, it is the arena.
void StepsPane::showRecord() {
    const auto tellUnlessChosen = [this](Story story) {
        if (!isStoryChosen_) stories_->setCurrentIndex(stories_->findData(story));
        fillChoices();
    };
    tellUnlessChosen(Kernel);
    if (entry() && choices_->count() == 0 && !session().isPartial()) tellUnlessChosen(Arena);
    showStory();
}

void StepsPane::fillChoices() {
    const QString before = choices_->currentText();
    const int story = stories_->currentData().toInt();
    choices_->clear();
    if (entry() && story != Cut)
        for (size_t g = 0; g < entry()->lowered.size(); ++g) {
            const record::LoweredGraph& graph = entry()->lowered[g];
            const QString name = QString::fromStdString(graph.graph);
            if (story == Arena) choices_->addItem(name, static_cast<int>(g));
            for (const record::KernelInfo& kernel : graph.kernels)
                if (story == Kernel && kernel.kind == "loops")
                    choices_->addItem(name + " · " + QString::fromStdString(kernel.name),
                                      kernel.item);
        }
    choices_->setVisible(choices_->count() > 0);
    if (const int same = choices_->findText(before); same >= 0) choices_->setCurrentIndex(same);
    fillTargets();
}

/// The kernel's own device first, then what else could run it, then its loops alone.
void StepsPane::fillTargets() {
    const QString before = targets_->currentData().toString();
    const record::KernelInfo* kernel =
        stories_->currentData().toInt() == Kernel && choices_->count() > 0
            ? record().kernel(choices_->currentData().toUInt())
            : nullptr;
    targets_->clear();
    scheduleBar_->setVisible(kernel);
    if (!kernel) return;
    const auto runs = [&](const char* target) {
        return std::ranges::any_of(kernel->candidates, [&](const auto& one) {
            return one.target == target && one.refused.empty();
        });
    };
    const bool gpu = kernel->device.starts_with("cuda");
    for (const char* target : gpu ? std::array{"cuda", "cpu"} : std::array{"cpu", "cuda"})
        if (runs(target))
            targets_->addItem(target == std::string_view("cuda") ? tr("As on a GPU")
                                                                 : tr("As on the CPU"),
                              QString::fromLatin1(target));
    targets_->addItem(tr("Loops alone"), QString());
    if (const int same = targets_->findData(before); same >= 0 && !before.isNull())
        targets_->setCurrentIndex(same);
}

/// A kernel that is selected anywhere is the one that is told of.
void StepsPane::showSelection(bool) {
    arena_->update();
    if (stories_->currentData().toInt() != Kernel) return;
    for (ItemId item : selection().items()) {
        const ItemId kernel = record().kernelOf(item);
        const int at = kernel == kNoItem ? -1 : choices_->findData(kernel);
        if (at < 0) continue;
        if (at == choices_->currentIndex()) return;
        choices_->setCurrentIndex(at);
        fillTargets();
        return showStory();
    }
}

void StepsPane::showStatus() {
    if (stages_->currentWidget() == notice_ && !waiting_) showStory();
}

void StepsPane::showNotice(const QString& text) {
    notice_->setText(text);
    schedule_->clear();
    stages_->setCurrentWidget(notice_);
    caption_->clear();
    caption_->setMinimumHeight(0);
    player_->setLength(0);
    legend_->setEntries({}, {});
}

void StepsPane::showStory() {
    ++ticket_;
    waiting_ = false;
    const int story = stories_->currentData().toInt();
    const QString now =
        stories_->currentText() + "/" + choices_->currentText() + "/" + targets_->currentText();
    keep_ = of_ == session().record() && told_ == now ? player_->moment() : 0;
    of_ = session().record();
    told_ = now;
    if (!entry()) return showNotice(emptyAdvice(tr("Nothing was compiled here.")));
    if (story == Arena)
        return choices_->count() > 0
                   ? showArena(choices_->currentData().toInt())
                   : showNotice(emptyAdvice(tr("This entry has no memory plan.")));
    if (story == Kernel && choices_->count() == 0)
        return showNotice(
            emptyAdvice(tr("No kernel here has loops of its own: libraries do all.")));
    if (session().isPartial())
        return showNotice(session().isCompiling()
                              ? tr("The engine tells this when the compilation is done.")
                              : emptyAdvice({}));
    if (session().isReadOnly() || !session().engine()->isUsable())
        return showNotice(
            session().isReadOnly()
                ? tr("The engine tells this of what it has compiled: open the script.")
                : tr("The engine is not running, so nobody can tell this."));
    story == Kernel ? askKernel(choices_->currentData().toUInt()) : askCut();
}

void StepsPane::askKernel(ItemId item) {
    const record::KernelInfo* kernel = record().kernel(item);
    if (!kernel) return;
    const Place& at = record().place(item);
    waiting_ = true;
    QPointer<StepsPane> self(this);
    session().story({{"of", "kernel"},
                     {"function", at.function},
                     {"entry", at.entry},
                     {"graph", entry()->lowered[static_cast<size_t>(at.lowered)].graph},
                     {"kernel", kernel->name},
                     {"target", targets_->currentData().toString().toStdString()}},
                    [self, ticket = ticket_](const JsonPtr& reply, const QString& problem) {
                        if (!self || ticket != self->ticket_) return;
                        self->waiting_ = false;
                        if (!reply) return self->showNotice(problem);
                        auto story = kernelStoryOf(*reply);
                        if (!story) return self->showNotice(tr("The engine told no story."));
                        self->showKernel(std::move(*story));
                    });
}

void StepsPane::askCut() {
    std::vector<std::string> decisions;
    for (const QString& decision : session().options().decisions)
        decisions.push_back(decision.toStdString());
    waiting_ = true;
    QPointer<StepsPane> self(this);
    session().story({{"of", "cut"},
                     {"function", session().function()},
                     {"entry", session().entryIndex()},
                     {"decisions", decisions}},
                    [self, ticket = ticket_](const JsonPtr& reply, const QString& problem) {
                        if (!self || ticket != self->ticket_) return;
                        self->waiting_ = false;
                        if (!reply) return self->showNotice(problem);
                        auto tale = cutTaleOf(*reply);
                        if (!tale) return self->showNotice(tr("The engine told no story."));
                        self->showCut(std::move(*tale));
                    });
}

void StepsPane::showKernel(KernelStory story) {
    const auto moments = static_cast<int>(story.moments.size());
    if (moments == 0) return showNotice(tr("This kernel has nothing to do."));
    schedule_->setText(story.schedule);
    schedule_->setToolTip(story.schedule);
    kernel_->setStory(std::move(story));
    stages_->setCurrentWidget(kernel_);
    showLegend();
    begin(moments);
}

void StepsPane::showCut(CutTale tale) {
    const record::GraphStage* joint = entry()->graph("joint");
    if (!joint || joint->nodes.size() > kMostNodes)
        return showNotice(tr("This joint graph is too large to be watched: %1 nodes, the most is "
                             "%2.")
                              .arg(joint ? joint->nodes.size() : 0)
                              .arg(kMostNodes));
    cut_ = std::move(tale);
    GraphScene scene = plainScene(*joint, textWidth(graph_->font()));
    placeMirrored(scene, backwardNodes(*joint, scene));
    graph_->setScene(shared(std::move(scene)), false);
    graph_->fit();
    stages_->setCurrentWidget(graph_);
    showLegend();
    begin(static_cast<int>(cut_.moments()));
}

void StepsPane::showArena(int graph) {
    lowered_ = &entry()->lowered[static_cast<size_t>(graph)];
    arena_->setPlan(of_, lowered_);
    arena_->setEmptyText(tr("Every buffer of this graph is an input, an output or lives in "
                            "registers: the arena is empty."));
    stages_->setCurrentWidget(arena_);
    showLegend();
    begin(static_cast<int>(lowered_->kernels.size()));
}

/// A story that is told again, in another theme or size of type, goes on where it was.
void StepsPane::begin(int moments) {
    const int at = keep_;
    player_->setLength(moments);
    player_->setMoment(at);
}

/// The room of a longer one stays: what is above it and the player do not move at every step.
void StepsPane::say(const QString& caption) {
    caption_->setText(caption);
    caption_->setMinimumHeight(
        std::max(caption_->minimumHeight(), caption_->heightForWidth(caption_->width())));
}

void StepsPane::showMoment(int moment) {
    if (player_->length() == 0) return;
    if (stages_->currentWidget() == kernel_) {
        kernel_->setMoment(moment);
        say(captionOf(kernel_->story(), static_cast<size_t>(moment)));
    } else if (stages_->currentWidget() == graph_) {
        lightCut(static_cast<size_t>(moment));
        say(captionOf(cut_, static_cast<size_t>(moment)));
    } else if (stages_->currentWidget() == arena_) {
        arena_->setMoment(moment);
        say(arenaCaption(*lowered_, moment));
    }
}

void StepsPane::lightCut(size_t moment) {
    const QStringList lit = cut_.lit(moment), used = cut_.usedUp(moment);
    const bool growing = moment >= cut_.steps.size() && moment + 1 < cut_.moments();
    std::vector<int> classes;
    std::vector<bool> dimmed;
    for (const SceneNode& node : graph_->scene().nodes) {
        const QString& name = node.name.isEmpty() ? node.title : node.name;
        const bool isLit = lit.contains(name);
        const int of = isLit ? growing ? Reached : Lit : used.contains(name) ? UsedUp : -1;
        classes.push_back(of);
        dimmed.push_back(of < 0);
    }
    graph_->setHeat(std::move(classes));
    graph_->setDimmed(std::move(dimmed));
}

void StepsPane::showLegend() {
    if (stages_->currentWidget() == kernel_) {
        const QStringList& workers = kernel_->story().workers;
        const bool alone = workers.isEmpty();
        return legend_->setEntries({{theme().accent, tr("reads"), false, alone ? "r" : ""},
                                    {theme().good, tr("writes"), false, alone ? "w" : ""},
                                    {theme().warning, tr("adds up"), false, alone ? "+" : ""},
                                    {KernelStage::wasRead(theme()), tr("was read")},
                                    {KernelStage::wasWritten(theme()), tr("was written")}},
                                   alone ? QString() : tr("numbers: %1").arg(fewWorkers(workers)));
    }
    if (stages_->currentWidget() == graph_)
        return legend_->setEntries({{theme().heat[Lit], tr("on the path; in the end, saved")},
                                    {theme().heat[UsedUp], tr("price used up")},
                                    {theme().heat[Reached], tr("the backward's side")}},
                                   {});
    legend_->setEntries({}, {});
}

} // namespace cutaway::views
