// SPDX-License-Identifier: Apache-2.0
// The curve of saved bytes against time and choices on it, against all subsets of small graphs.
#include "core/base/sanitizers.h"
#include "core/partition/budget.h"
#include "core/partition/min_cut.h"
#include "core/partition/op_kinds.h"
#include "tests/support/captured_graphs.h"

#include <QElapsedTimer>
#include <QtTest>

#include <random>

using namespace cutaway;
using namespace cutaway::testing;
using partition::Choice;
using partition::JointInfo;
using partition::Rates;

namespace {

constexpr Rates kRates;

/// Random products with weights of several widths, and pointwise operations between.
ir::Graph randomCaptured(uint32_t seed, int steps) {
    std::mt19937 random(seed);
    Captured c;
    NodeId last = c.input("x", {32, 32});
    const char* const unary[] = {"cos", "exp", "tanh", "sigmoid"};
    std::vector<NodeId> same = {last}; ///< of the last one's sizes
    for (int step = 0; step < steps; ++step) {
        switch (random() % 4) {
        case 0: {
            const int64_t widths[] = {8, 32, 96, 200}, width = widths[random() % 4];
            const NodeId weight =
                c.input("w" + std::to_string(step), {c.graph.node(last).type().sizes[1], width});
            last = c.call("mm", {last, weight});
            same.clear();
            break;
        }
        case 1:
            last = c.call("mul.Tensor", {last, same[random() % same.size()]});
            break;
        default:
            last = c.call(unary[random() % 4], {last});
        }
        same.push_back(last);
    }
    c.output(c.call("sum", {last}));
    return std::move(c.graph);
}

std::vector<NodeId> savable(const JointInfo& info) {
    std::vector<NodeId> values;
    for (NodeId id : info.graph.order())
        if (info.requiredForward[id.index] && weightOf(info, id).canSave) values.push_back(id);
    return values;
}

/// Every subset that the backward can be computed from.
std::vector<Choice> allChoices(const JointInfo& info) {
    const std::vector<NodeId> values = savable(info);
    std::vector<NodeId> inputs, others;
    for (NodeId id : values)
        (info.graph.node(id).kind == ir::NodeKind::Placeholder ? inputs : others).push_back(id);
    std::vector<Choice> all;
    if (others.size() > 12) return all;
    for (uint32_t subset = 0; subset < 1u << others.size(); ++subset) {
        std::vector<NodeId> saved = inputs;
        for (size_t i = 0; i < others.size(); ++i)
            if (subset >> i & 1) saved.push_back(others[i]);
        all.push_back(partition::costOf({info, kRates}, saved));
    }
    return all;
}

/// The least time of at most \p bytes.
double bestWithin(const std::vector<Choice>& all, int64_t bytes) {
    double best = 1e300;
    for (const Choice& choice : all)
        if (choice.bytes <= bytes) best = std::min(best, choice.us);
    return best;
}

bool isNear(double a, double b) {
    return std::abs(a - b) <= 1e-6 * (std::abs(a) + std::abs(b));
}

} // namespace

class TestBudget : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void corners_of_the_curve_are_the_best_of_all_subsets() {
        size_t corners = 0;
        for (uint32_t seed = 0; seed < 40; ++seed) {
            const autodiff::JointGraph joint = jointOf(randomCaptured(seed, 9));
            const JointInfo info(joint);
            const std::vector<Choice> all = allChoices(info);
            if (all.empty()) continue;
            const std::vector<Choice> curve = take(partition::paretoCurve({info, kRates}));
            corners += curve.size();
            double least = 1e300;
            int64_t smallest = INT64_MAX;
            for (const Choice& choice : all) {
                least = std::min(least, choice.us);
                smallest = std::min(smallest, choice.bytes);
            }
            QVERIFY(isNear(curve.front().us, least));
            QCOMPARE(curve.back().bytes, smallest);
            for (size_t i = 0; i < curve.size(); ++i) {
                QVERIFY2(isNear(curve[i].us, bestWithin(all, curve[i].bytes)),
                         qPrintable(QString("seed %1, corner %2").arg(seed).arg(i)));
                if (i == 0) continue;
                QVERIFY(curve[i].bytes < curve[i - 1].bytes);
                // Nothing lies below the line between neighbours.
                const double slope = (curve[i].us - curve[i - 1].us) /
                                     static_cast<double>(curve[i].bytes - curve[i - 1].bytes);
                for (const Choice& choice : all)
                    QVERIFY(choice.us - curve[i].us -
                                slope * static_cast<double>(choice.bytes - curve[i].bytes) >
                            -1e-6 * curve[i].us);
            }
        }
        QVERIFY2(corners > 100, qPrintable(QString::number(corners)));
    }
    void a_budget_is_kept_and_the_gap_covers_the_distance_from_the_best() {
        int exact = 0, budgets = 0;
        double excess = 0;
        for (uint32_t seed = 0; seed < 40; ++seed) {
            const autodiff::JointGraph joint = jointOf(randomCaptured(seed, 9));
            const JointInfo info(joint);
            const std::vector<Choice> all = allChoices(info);
            if (all.empty()) continue;
            const std::vector<Choice> curve = take(partition::paretoCurve({info, kRates}));
            for (int64_t bytes = curve.back().bytes; bytes <= curve.front().bytes; bytes += 1024) {
                const auto [choice, gap] = partition::withinBytes({info, kRates}, curve, bytes);
                const double best = bestWithin(all, bytes);
                QVERIFY(choice.bytes <= bytes);
                QVERIFY2(choice.us - gap <= best * (1 + 1e-6), qPrintable(QString::number(seed)));
                exact += isNear(choice.us, best);
                excess += choice.us / best - 1;
                ++budgets;
            }
        }
        qInfo("%d of %d budgets: the best of all subsets; %.2f %% slower on average", exact,
              budgets, 100 * excess / budgets);
        QVERIFY(budgets > 300 && exact * 10 >= budgets * 8 && excess < 0.02 * budgets);
    }
    void what_is_computed_again_starts_from_inputs_that_are_saved() {
        const autodiff::JointGraph joint = jointOf(doubleCosine());
        const JointInfo info(joint);
        const Choice none = partition::costOf({info, kRates}, {}); // nothing named: all again
        QCOMPARE(none.saved.size(), size_t{1});
        QCOMPARE(joint.graph.node(none.saved[0]).name, std::string("primals_1"));
        QCOMPARE(none.bytes, 0);
    }
    void the_default_cut_is_on_or_above_the_curve() {
        for (ir::Graph (*make)() :
             {+[] { return layerNormGeluResidual(); }, +[] { return softmaxCrossEntropy(); },
              +[] { return mlpTrain(); }}) {
            const autodiff::JointGraph joint = jointOf(make());
            const JointInfo info(joint);
            const Choice usual = partition::costOf({info, kRates}, take(solveMinCut(info)).saved);
            const auto curve = take(partition::paretoCurve({info, kRates}));
            const auto budgeted = partition::withinBytes({info, kRates}, curve, usual.bytes);
            QVERIFY(budgeted.choice.us <= usual.us + budgeted.gapUs + 1e-9);
        }
    }
    void two_thousand_nodes_take_a_fifth_of_a_second() {
        const autodiff::JointGraph joint = jointOf(randomCaptured(1, 700));
        const JointInfo info(joint);
        QElapsedTimer timer;
        timer.start();
        const auto curve = take(partition::paretoCurve({info, kRates}));
        qInfo("%zu joint nodes: %zu corners in %lld ms", info.graph.order().size(), curve.size(),
              static_cast<long long>(timer.elapsed()));
        QVERIFY2(timer.elapsed() < (base::kSanitized ? 60000 : 4000),
                 "aim 200 ms on an idle machine");
    }
};

QTEST_APPLESS_MAIN(TestBudget)
#include "test_budget.moc"
