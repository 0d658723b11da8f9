// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/graph_fold.h"

#include "views/models/format.h"

#include <QCoreApplication>
#include <QHash>
#include <QMap>
#include <QRegularExpression>

namespace cutaway::views {

namespace {

constexpr size_t kLeastHidden = 8; ///< nodes that a box must save to be worth it
constexpr size_t kLongestPeriod = 256;
/// With two stretches nothing but the looser comparison of the first would be known.
constexpr size_t kLeastTimes = 3;

QString tr(const char* text) {
    return QCoreApplication::translate("GraphFold", text);
}

class Repeats {
public:
    Repeats(const record::GraphStage& stage, const Folding& folding)
        : stage_(stage), folding_(folding) {
        QHash<ItemIdKey, int> at;
        QHash<QString, int> numbers;
        for (size_t i = 0; i < stage.nodes.size(); ++i) {
            at.insert(stage.nodes[i].item, static_cast<int>(i));
            position_.push_back(static_cast<int>(calls_.size()));
            if (stage.nodes[i].kind == "call") calls_.push_back(static_cast<int>(i));
        }
        for (int call : calls_) {
            const record::GraphNode& node = stage.nodes[static_cast<size_t>(call)];
            auto number = [&](const QString& signature) {
                auto known = numbers.constFind(signature);
                if (known == numbers.constEnd())
                    known = numbers.insert(signature, static_cast<int>(numbers.size()));
                return *known;
            };
            signatures_.push_back(number(signatureOf(node, call, at, false)));
            loose_.push_back(number(signatureOf(node, call, at, true)));
        }
    }

    std::vector<Fold> find() const {
        std::vector<Fold> result;
        for (size_t start = 0; start < calls_.size();) {
            size_t best = 0, bestPeriod = 0;
            for (size_t period = 1; period <= kLongestPeriod && start + 2 * period <= calls_.size();
                 ++period) {
                size_t equal = 0;
                // The first stretch may read what stands before the run.
                auto same = [&](size_t i) {
                    const auto& of = i < period ? loose_ : signatures_;
                    return of[start + i] == of[start + period + i];
                };
                while (start + period + equal < calls_.size() && same(equal))
                    ++equal;
                const size_t times = 1 + equal / period;
                if (times < kLeastTimes || times * period <= best) continue;
                best = times * period;
                bestPeriod = period;
            }
            if (bestPeriod == 0 || best < bestPeriod + kLeastHidden) {
                ++start;
                continue;
            }
            add(result, start, bestPeriod, best / bestPeriod);
            start += best;
        }
        return result;
    }

private:
    using ItemIdKey = record::ItemId;

    /// \param loose what it reads counts by its type alone
    QString signatureOf(const record::GraphNode& node, int call, const QHash<ItemIdKey, int>& at,
                        bool loose) const {
        // The printed arguments hold names and numbers; the names are replaced by where they lie.
        QString arguments = QString::fromStdString(node.text).section(" = ", 1);
        QHash<QString, QString> names;
        for (record::ItemId input : node.inputs) {
            const int from = at.value(input, -1);
            if (from < 0) continue;
            const record::GraphNode& producer = stage_.nodes[static_cast<size_t>(from)];
            const bool own = producer.kind == "call";
            const int back =
                position_[static_cast<size_t>(call)] - position_[static_cast<size_t>(from)];
            // A backward reads each block's own saved value, as a block reads its own weights.
            const bool saved = own && node.backward && !producer.backward;
            names.insert(QString::fromStdString(producer.name),
                         own && !saved && !loose
                             ? QString("<%1>").arg(back)
                             : QString::fromStdString("<" + (loose ? "" : producer.op) + " " +
                                                      producer.type + ">"));
        }
        static const QRegularExpression word("[A-Za-z_]\\w*");
        QString replaced;
        qsizetype last = 0;
        for (auto match = word.globalMatch(arguments); match.hasNext();) {
            const auto found = match.next();
            replaced += arguments.mid(last, found.capturedStart() - last);
            replaced += names.value(found.captured(), found.captured());
            last = found.capturedEnd();
        }
        replaced += arguments.mid(last);
        return QString::fromStdString(node.op) + "|" + QString::fromStdString(node.type) + "|" +
               (node.backward ? "b" : "f") + replaced;
    }

    void add(std::vector<Fold>& result, size_t start, size_t period, size_t times) const {
        Fold fold;
        const auto node = [&](size_t i) -> const record::GraphNode& {
            return stage_.nodes[static_cast<size_t>(calls_[i])];
        };
        fold.key = "repeat:" + QString::fromStdString(node(start).name);
        if (folding_.open.contains(fold.key)) return;
        fold.times = static_cast<int>(times);
        QStringList ops;
        for (size_t i = 0; i < period && i < 4; ++i)
            ops << format::shortOp(QString::fromStdString(node(start + i).op));
        fold.title = period <= 4 ? ops.join(" ") : tr("block of %1").arg(period);
        fold.title += QString(" × %1").arg(times);
        for (size_t i = start; i < start + period * times; ++i)
            fold.members.push_back(calls_[i]);
        result.push_back(std::move(fold));
    }

    const record::GraphStage& stage_;
    const Folding& folding_;
    std::vector<int> calls_;              ///< indices of calls
    std::vector<int> position_;           ///< by node: how many calls come before it
    std::vector<int> signatures_, loose_; ///< by call: equal numbers, equal signatures
};

/// A module is closed unless it or, for its parts, all above it were opened.
std::vector<Fold> modules(const record::GraphStage& stage, const Folding& folding) {
    QMap<QString, std::vector<int>> members;
    for (size_t i = 0; i < stage.nodes.size(); ++i) {
        const record::GraphNode& node = stage.nodes[i];
        if (node.modulePath.empty() || node.kind != "call") continue;
        const QString side = node.backward ? tr("backward of ") : QString();
        const QStringList parts = QString::fromStdString(node.modulePath).split('.');
        QString path;
        for (const QString& part : parts) {
            path += (path.isEmpty() ? "" : ".") + part;
            if (folding.open.contains("module:" + side + path)) continue;
            members[side + path].push_back(static_cast<int>(i));
            break;
        }
    }
    std::vector<Fold> result;
    for (auto at = members.constBegin(); at != members.constEnd(); ++at)
        if (at->size() > 1)
            result.push_back(
                {"module:" + at.key(),
                 at.key() + QString(" · ") +
                     format::counted(static_cast<int64_t>(at->size()), tr("node"), tr("nodes")),
                 *at, 1});
    return result;
}

} // namespace

std::vector<Fold> folds(const record::GraphStage& stage, const Folding& folding) {
    switch (folding.kind) {
    case FoldKind::None:
        return {};
    case FoldKind::Repeats:
        return Repeats(stage, folding).find();
    case FoldKind::Modules:
        return modules(stage, folding);
    }
    return {};
}

} // namespace cutaway::views
