// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/decisions.h"

#include "core/record/not_followed.h"
#include "views/language/sentences.h"
#include "views/models/format.h"

#include <QCoreApplication>
#include <algorithm>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Decisions)
};

QString str(const std::string& text) {
    return QString::fromStdString(text);
}

/// "2 KiB" of "2048B"; shares and what is said in other units stand as they are.
QString budgetText(const QString& budget) {
    bool isCount = false;
    const qlonglong bytes = budget.chopped(budget.endsWith('B') ? 1 : 0).toLongLong(&isCount);
    return budget.endsWith('B') && isCount ? format::bytes(bytes) : budget;
}

bool isSaving(const QString& verb) {
    return verb == "save" || verb == "recompute";
}

/// "joint/cos" of its item's key; empty: of another stage. Keys begin with their function.
QString jointName(const RecordView& view, ItemId item) {
    const Place& place = view.place(item);
    const record::Entry* entry = view.entry(place.function, place.entry);
    const record::GraphStage* joint = entry ? entry->graph("joint") : nullptr;
    if (!joint || !entry->hasPartition) return {};
    for (const record::GraphNode& node : joint->nodes)
        if (node.item == item) return node.kind == "call" ? str(node.name) : QString();
    return {};
}

/// The lowered graph that has the buffer, and the buffer.
std::pair<const record::LoweredGraph*, const record::LoopBuffer*> bufferAt(const RecordView& view,
                                                                           ItemId item) {
    const Place& place = view.place(item);
    if (const record::Entry* entry = view.entry(place.function, place.entry))
        for (const record::LoweredGraph& lowered : entry->lowered)
            for (const record::LoopBuffer& buffer : lowered.buffers)
                if (buffer.item == item) return {&lowered, &buffer};
    return {nullptr, nullptr};
}

void addTakingBack(std::vector<DecisionChoice>& choices, const QString& subject,
                   const QStringList& made, const QString& now) {
    for (const QString& decision : made)
        if (decisionSubject(decision) == subject)
            choices.push_back({Words::tr("Leave it to the compiler"), {}, subject, now});
}

void addSaving(std::vector<DecisionChoice>& choices, const RecordView& view, ItemId item,
               const QStringList& made) {
    const QString name = jointName(view, item);
    if (name.isEmpty()) return;
    const Place& place = view.place(item);
    const record::Partition& cut = view.entry(place.function, place.entry)->partition;
    auto isItem = [&](const auto& one) { return one.item == item; };
    const bool saved = std::ranges::any_of(cut.saved, isItem);
    const bool again = std::ranges::any_of(cut.recomputed, isItem);
    const QString now = saved   ? Words::tr("saved")
                        : again ? Words::tr("computed again")
                                : Words::tr("not needed by the backward");
    const QString subject = decisionSubject("save " + name);
    // What the backward does not need would be neither kept for it nor made in it.
    if (again)
        choices.push_back(
            {Words::tr("Save “%1” for the backward").arg(name), "save " + name, subject, now});
    if (saved)
        choices.push_back({Words::tr("Compute “%1” again in the backward").arg(name),
                           "recompute " + name, subject, now});
    addTakingBack(choices, subject, made, now);
    if (choices.empty()) choices.push_back({{}, {}, subject, now});
}

/// Whether no wish puts the two into one kernel: what a library computes, it reads from memory, and
/// what may follow inside of its call does so by itself.
bool neverFused(const record::FusionDecision& decision) {
    return !decision.fused && (decision.rule == "library call" || decision.rule == "devices" ||
                               decision.rule == "empty" || decision.rule == "off");
}

void addFusing(std::vector<DecisionChoice>& choices, const RecordView& view, ItemId a, ItemId b,
               const QStringList& made) {
    const auto [graph, first] = bufferAt(view, a);
    const auto [other, second] = bufferAt(view, b);
    if (!graph || graph != other) return;
    for (const record::FusionDecision& decision : graph->decisions) {
        if (decision.a != a || decision.b != b) continue;
        const QString pair =
            QString(" %1/%2 %1/%3").arg(str(graph->graph), str(first->name), str(second->name));
        const QString subject = decisionSubject("apart" + pair);
        const QString now =
            (decision.fused ? Words::tr("one kernel: %1") : Words::tr("two kernels: %1"))
                .arg(told(decision.rule));
        if (decision.fused)
            choices.push_back(
                {Words::tr("Keep “%1” and “%2” apart").arg(str(first->name), str(second->name)),
                 "apart" + pair, subject, now});
        else if (!neverFused(decision))
            choices.push_back(
                {Words::tr("Fuse “%1” and “%2”").arg(str(first->name), str(second->name)),
                 "together" + pair, subject, now});
        addTakingBack(choices, subject, made, now);
        if (choices.empty())
            choices.push_back(
                {{},
                 {},
                 subject,
                 Words::tr("%1. No decision changes that: %2").arg(now, told(decision.reason))});
        return;
    }
}

} // namespace

QString decisionSubject(const QString& decision) {
    const QString verb = decision.section(' ', 0, 0);
    if (isSaving(verb)) return "value " + decision.section(' ', 1);
    if (verb == "schedule") return decision.section('=', 0, 0);
    if (verb == "budget" || verb == "partitioner") return verb;
    if (verb == "without" || verb == "order" || verb == "freezing") return decision;
    if (verb == "input" || verb == "with") return decision.section('=', 0, 0);
    QStringList names = decision.section(' ', 1).split(' ');
    names.sort();
    return "pair " + names.join(' ');
}

QString decisionText(const QString& decision) {
    const QString verb = decision.section(' ', 0, 0), rest = decision.section(' ', 1);
    if (verb == "save") return Words::tr("save %1").arg(rest);
    if (verb == "recompute") return Words::tr("compute %1 again").arg(rest);
    if (verb == "schedule")
        return Words::tr("run %1 as %2").arg(rest.section('=', 0, 0), rest.section('=', 1));
    if (verb == "budget") return Words::tr("memory budget %1").arg(budgetText(rest));
    if (verb == "partitioner") return Words::tr("partitioner %1").arg(rest);
    if (verb == "freezing") return Words::tr("fold what parameters alone give");
    if (verb == "without") return Words::tr("without the pass %1").arg(rest);
    if (verb == "with")
        return Words::tr("pass %1: %2").arg(rest.section(' ', 0, 0), rest.section(' ', 1));
    if (verb == "order")
        return Words::tr("%1 right before %2").arg(rest.section(' ', 0, 0), rest.section(' ', 1));
    if (verb == "input")
        return Words::tr("input %1: %2").arg(rest.section('=', 0, 0), rest.section('=', 1));
    const QString a = rest.section(' ', 0, 0), b = rest.section(' ', 1);
    return verb == "apart" ? Words::tr("%1 and %2 apart").arg(a, b)
                           : Words::tr("%1 with %2").arg(a, b);
}

QString recipeText(const QStringList& decisions) {
    QString text = "# " +
                   Words::tr("Decided instead of the compiler, in this order. A shell applies it "
                             "with: cutaway bench FILE --recipe RECIPE") +
                   "\n";
    for (const QString& one : decisions)
        text += "\n# " + decisionText(one) + "\n" + one + "\n";
    return text;
}

std::optional<QStringList> readRecipe(const QString& text, QString* problem) {
    static const QStringList verbs{"save",     "recompute", "apart",       "together",
                                   "schedule", "budget",    "partitioner", "without",
                                   "order",    "input",     "freezing",    "with"};
    QStringList decisions;
    int number = 0;
    for (const QString& whole : text.split('\n')) {
        ++number;
        const QString line = whole.trimmed();
        if (line.isEmpty() || line.startsWith('#')) continue;
        if (!verbs.contains(line.section(' ', 0, 0))) {
            *problem = Words::tr("line %1 is no decision: %2").arg(number).arg(line.left(60));
            return {};
        }
        decisions << line;
    }
    if (decisions.isEmpty()) {
        *problem = Words::tr("it decides nothing");
        return {};
    }
    return decisions;
}

QString decisionsText(const QString& decisions) {
    QStringList all;
    for (const QString& one : decisions.split("; ", Qt::SkipEmptyParts))
        all << decisionText(one);
    return all.join("; ");
}

namespace {
/// What a name stands for in a record.
struct Meaning {
    QString op, text; ///< of its line in the script
    int line = 0;     ///< 0: none
};
} // namespace

static Meaning nodeMeaning(const RecordView& view, const std::string& graph,
                           const std::string& name) {
    for (const record::Function& function : view.record().functions)
        for (const record::Entry& entry : function.entries) {
            const record::GraphStage* stage = entry.graph(graph);
            if (!stage) continue;
            for (const record::GraphNode& node : stage->nodes) {
                if (node.name != name) continue;
                Meaning meaning{str(node.op), {}, 0};
                if (!node.source.empty())
                    for (const record::SourceFile& file : view.record().files)
                        if (file.name == node.source.back().file) {
                            meaning.line = node.source.back().line;
                            meaning.text =
                                str(file.text).section('\n', meaning.line - 1, meaning.line - 1);
                        }
                return meaning;
            }
        }
    return {};
}

/// Of the values or buffers that a decision names.
static std::vector<Meaning> meaningsOf(const RecordView& view, const QString& decision) {
    const QString verb = decision.section(' ', 0, 0), rest = decision.section(' ', 1);
    if (isSaving(verb)) return {nodeMeaning(view, "joint", rest.toStdString())};
    std::vector<Meaning> meanings;
    if (verb == "apart" || verb == "together")
        for (const QString& buffer : rest.split(' '))
            meanings.push_back(nodeMeaning(view, buffer.section('/', 0, 0).toStdString(),
                                           buffer.section('/', 1).toStdString()));
    return meanings;
}

QString decisionMeaning(const RecordView& view, const QString& decision) {
    QStringList meanings; // lines move when others are written above them: no numbers here
    for (const Meaning& one : meaningsOf(view, decision))
        meanings << (one.op + " " + one.text.trimmed()).trimmed();
    meanings.removeAll(QString());
    return meanings.join("; ");
}

/// "sub of line 10"
static QString placesOf(const std::vector<Meaning>& meanings) {
    QStringList places;
    for (const Meaning& one : meanings)
        if (!one.op.isEmpty())
            places << (one.line > 0 ? Words::tr("%1 of line %2")
                                          .arg(one.op.section('.', one.op.contains('.') ? 1 : 0,
                                                              one.op.contains('.') ? 1 : 0))
                                          .arg(one.line)
                                    : one.op);
    return places.join(", ");
}

DecisionNotes notesOf(const RecordView& view, const QStringList& decisions,
                      const QHash<QString, QString>& meanings) {
    DecisionNotes notes;
    for (const QString& one : decisions) {
        const QString before = meanings.value(one), now = decisionMeaning(view, one);
        if (!before.isEmpty() && !now.isEmpty() && before != now)
            notes[one] = {true, Words::tr("the name now means another value: %1")
                                    .arg(placesOf(meaningsOf(view, one)))};
    }
    for (const base::Diagnostic& message : view.record().messages)
        if (const auto unmet = record::notFollowedOf(message))
            notes[str(unmet->decision)] = {false,
                                           Words::tr("not followed: %1").arg(told(unmet->reason))};
    return notes;
}

QStringList leftToCompiler(QStringList all, const QString& subject) {
    all.removeIf([&](const QString& one) { return decisionSubject(one) == subject; });
    return all;
}

QStringList decided(QStringList all, const QString& decision) {
    all = leftToCompiler(std::move(all), decisionSubject(decision));
    all << decision;
    // Moves of passes build on each other: they stay in their order.
    const auto rank = [](const QString& one) {
        return one.startsWith("order ") ? QStringLiteral("order") : one;
    };
    std::ranges::stable_sort(all, {}, rank);
    return all;
}

std::vector<DecisionChoice>
decisionChoices(const RecordView& view, const std::vector<ItemId>& items, const QStringList& made) {
    std::vector<DecisionChoice> choices;
    if (items.size() == 1) addSaving(choices, view, items[0], made);
    if (items.size() == 2) addFusing(choices, view, items[0], items[1], made);
    return choices;
}

QString scheduleDecision(const RecordView& view, ItemId kernel, const QString& candidate) {
    const Place& place = view.place(kernel);
    const record::Entry* entry = view.entry(place.function, place.entry);
    if (!entry) return {};
    for (const record::LoweredGraph& lowered : entry->lowered)
        for (const record::KernelInfo& one : lowered.kernels)
            if (one.item == kernel)
                return QString("schedule %1/%2=%3")
                    .arg(str(lowered.graph), str(one.name), candidate);
    return {};
}

Outcome outcomeOf(const record::Record& record) {
    Outcome sum;
    for (const record::Function& function : record.functions)
        for (const record::Entry& entry : function.entries) {
            for (const record::SavedTensor& tensor : entry.partition.saved)
                sum.savedBytes += tensor.bytes;
            sum.saved += static_cast<int>(entry.partition.saved.size());
            sum.recomputed += static_cast<int>(entry.partition.recomputed.size());
            sum.parts += entry.backwardOf < 0 && !entry.lowered.empty();
            for (const record::LoweredGraph& lowered : entry.lowered) {
                sum.arena += lowered.memory.arenaBytes;
                for (const record::KernelInfo& kernel : lowered.kernels) {
                    ++sum.kernels;
                    sum.traffic += kernel.bytesRead + kernel.bytesWritten;
                    const std::string target = kernel.device.starts_with("cuda") ? "cuda" : "cpu";
                    const auto taken = std::ranges::find_if(
                        kernel.candidates, [&](const record::ScheduleCandidate& candidate) {
                            return candidate.taken && candidate.target == target;
                        });
                    if (taken == kernel.candidates.end())
                        ++sum.unpredicted;
                    else
                        sum.predictedUs += taken->predictedUs;
                    if (taken != kernel.candidates.end() && kernel.candidates.size() > 1)
                        sum.schedules.insert(str(lowered.graph) + "/" + str(kernel.name),
                                             {str(taken->text()), taken->predictedUs});
                }
            }
        }
    return sum;
}

} // namespace cutaway::views
