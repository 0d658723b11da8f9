// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/decisions.h"
#include "views/models/format.h"
#include "views/models/rows.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringView>
#include <algorithm>
#include <functional>

namespace cutaway::views::rows {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Attempts)
};

constexpr qsizetype kLongestLine = 60;

/// "line 9: y = torch.cos(x)": the first that is another.
QString editOf(const QString& now, const QString& before) {
    const QStringList lines = now.split('\n'), old = before.split('\n');
    qsizetype at = 0;
    while (at < lines.size() && at < old.size() && lines[at] == old[at])
        ++at;
    const QString line = lines.value(at).trimmed();
    return line.isEmpty() ? Words::tr("edit from line %1 on").arg(at + 1)
                          : Words::tr("edit, line %1: %2").arg(at + 1).arg(line.left(kLongestLine));
}

/// What it is that the one before is not.
QString whatOf(const Experiment& one, const Experiment* before) {
    if (!before) {
        const QString decided = decisionsText(one.of.decisions);
        return decided.isEmpty() ? Words::tr("the first that was compiled")
                                 : Words::tr("the first that was compiled: %1").arg(decided);
    }
    QStringList all;
    if (one.text != before->text) all << editOf(one.text, before->text);
    if (one.of.size != before->of.size) all << Words::tr("size %1").arg(one.of.size);
    if (one.of.device != before->of.device) all << Words::tr("device %1").arg(one.of.device);
    if (one.of.decisions != before->of.decisions) {
        const QString decided = decisionsText(one.of.decisions);
        all << (decided.isEmpty() ? Words::tr("as the compiler decides") : decided);
    }
    return all.isEmpty() ? Words::tr("compiled again") : all.join("; ");
}

/// "96 KiB (+32 KiB)": better is less.
template <typename Value>
Cell against(Value value, const Value* shown, const std::function<QString(Value)>& text) {
    Cell cell{text(value), QVariant::fromValue(value), -1, Tone::Normal, {}};
    if (!shown || *shown == value) return cell;
    const bool more = value > *shown;
    cell.text += QString(" (%1%2)").arg(more ? QChar('+') : QChar(0x2212),
                                        text(more ? value - *shown : *shown - value));
    cell.tone = more ? Tone::Warning : Tone::Good;
    return cell;
}

Row rowOf(const Experiment& one, const Experiment* before, const Experiment* shown, size_t index) {
    const auto field = [&](auto Outcome::* name) {
        return shown && shown != &one ? &(shown->outcome.*name) : nullptr;
    };
    const std::function<QString(int64_t)> bytes = [](int64_t value) {
        return format::bytes(value);
    };
    Row row;
    row.detail = QString::number(index);
    row.bold = shown == &one;
    const QString what = whatOf(one, before);
    row.cells = {{what, {}, -1, Tone::Normal, what},
                 {QLocale().toString(one.made.time(), QLocale::ShortFormat), one.made},
                 against<double>(one.outcome.predictedUs, field(&Outcome::predictedUs),
                                 [](double value) { return format::microseconds(value); }),
                 against<int64_t>(one.outcome.savedBytes, field(&Outcome::savedBytes), bytes),
                 against<int>(one.outcome.kernels, field(&Outcome::kernels),
                              [](int value) { return QString::number(value); }),
                 against<int64_t>(one.outcome.traffic, field(&Outcome::traffic), bytes),
                 against<int64_t>(one.outcome.arena, field(&Outcome::arena), bytes)};
    return row;
}

} // namespace

std::vector<Column> attemptColumns() {
    return {{Words::tr("Compilation"), false, false,
             Words::tr("what it has that the one before has not; a double click or Enter goes back "
                       "to it")},
            {Words::tr("When"), true, false, {}},
            {Words::tr("Predicted"), true, false,
             Words::tr("time of all kernels by the cost model; beside it, against what is shown"),
             "us"},
            {Words::tr("Saved"), true, false, Words::tr("bytes that the backwards keep"), "bytes"},
            {Words::tr("Kernels"), true, false, {}, "1"},
            {Words::tr("Traffic"), true, false, Words::tr("bytes read and written by kernels"),
             "bytes"},
            {Words::tr("Arena"), true, false, Words::tr("memory for what lies between kernels"),
             "bytes"}};
}

std::vector<Row> attempts(const std::vector<Experiment>& all, const Measured& shown) {
    const Measured now = shown.ofScript();
    const auto isShown = [&](const Experiment& one) { return one.of.matches(now); };
    const auto at = std::ranges::find_if(all, isShown);
    const Experiment* current = at == all.end() ? nullptr : &*at;
    const auto find = [&](quint64 number) {
        const auto found = std::ranges::find(all, number, &Experiment::number);
        return number == 0 || found == all.end() ? nullptr : &*found;
    };
    std::vector<std::vector<size_t>> after(all.size());
    std::vector<size_t> first;
    for (size_t i = 0; i < all.size(); ++i) {
        const Experiment* before = find(all[i].before);
        (before ? after[static_cast<size_t>(before - all.data())] : first).push_back(i);
    }
    // The newest goes on in the same list, the others are branches below.
    const auto emitFrom = [&](auto& self, size_t index, std::vector<Row>& into) -> void {
        Row row = rowOf(all[index], find(all[index].before), current, index);
        const std::vector<size_t>& next = after[index];
        for (size_t k = 0; k + 1 < next.size(); ++k)
            self(self, next[k], row.children);
        into.push_back(std::move(row));
        if (!next.empty()) self(self, next.back(), into);
    };
    std::vector<Row> result;
    for (const size_t index : first)
        emitFrom(emitFrom, index, result);
    return result;
}

} // namespace cutaway::views::rows
