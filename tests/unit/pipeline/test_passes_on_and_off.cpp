// SPDX-License-Identifier: Apache-2.0
// Every pass of the table can be switched off by its name: random graphs give the same results and
// gradients without it, and without all of them, as with all.
#include "core/pipeline/compile.h"
#include "core/pipeline/pass_runner.h"
#include "core/pipeline/pass_table.h"
#include "tests/support/interpret.h"
#include "tests/support/random_graph.h"
#include "tests/support/random_joins.h"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <set>

using namespace cutaway;
using namespace cutaway::testing;
using namespace cutaway::pipeline;

namespace {

/// Results, then gradients, of what \p options make of a graph; the passes before lowering
/// included.
HostTensors run(const ir::Graph& captured, const Options& options, unsigned seed) {
    Partitioned parts = take(partitionGraph(captured, true, options, nullptr));
    std::mt19937 random(seed);
    const HostTensors primals = randomInputs(parts.forward, random);
    auto lowered = [&](const ir::Graph& graph) {
        ir::Graph working = beginStage(graph);
        check(runPasses(PassPoint::Lowering, working, options, nullptr));
        return working;
    };
    HostTensors results = interpret(lowered(parts.forward), primals);
    if (!parts.training) return results;
    HostTensors inputs(results.begin() + parts.forwardOutputs, results.end());
    results.resize(static_cast<size_t>(parts.forwardOutputs));
    const std::vector<NodeId> placeholders = parts.backward.placeholders();
    for (size_t i = inputs.size(); i < placeholders.size(); ++i)
        inputs.push_back(randomTensor(parts.backward.node(placeholders[i]).type(), random));
    for (ir::HostTensor& gradient : interpret(lowered(parts.backward), inputs))
        results.push_back(std::move(gradient));
    return results;
}

std::set<std::string> optionalPasses() {
    std::set<std::string> names;
    for (const PassRow& row : passTable())
        if (!row.required) names.insert(std::string(row.name));
    return names;
}

} // namespace

class TestPassesOnAndOff : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_change_of_a_walk_is_of_the_rewrite_that_made_it() {
        int rewrites = 0;
        for (unsigned seed = 1; seed <= 40; ++seed) {
            ir::Graph graph = randomGraph(seed);
            std::vector<record::PassRun> runs;
            check(runPasses(PassPoint::Captured, graph, {}, &runs));
            check(runPasses(PassPoint::Joint, graph, {}, &runs));
            for (const record::PassRun& run : runs) {
                const int count = static_cast<int>(run.rewrites.size());
                rewrites += count;
                for (const record::Rewrite& one : run.rewrites)
                    QVERIFY(!one.node.empty());
                for (const record::NodeChange& change : run.changes) {
                    QVERIFY(change.rewrite >= 0 && change.rewrite <= count);
                    // What a walk takes away met its rule, or was left over from what did.
                    const bool walked = run.pass == "simplify_algebra" ||
                                        run.pass == "merge_common" || run.pass == "decompose";
                    QVERIFY2(!walked || change.kind != "added" || change.rewrite > 0,
                             qPrintable(QString::fromStdString(run.pass + ": " + change.after)));
                    if (change.kind != "rewritten" || change.rewrite == 0) continue;
                    // It met the rule itself, read what is gone, or reads what was built.
                    bool own = run.rewrites[size_t(change.rewrite) - 1].node == change.node;
                    for (const record::NodeChange& other : run.changes)
                        own = own || (other.rewrite == change.rewrite &&
                                      ((other.kind == "removed" &&
                                        change.before.find(other.node) != std::string::npos) ||
                                       (other.kind == "added" &&
                                        change.after.find(other.node) != std::string::npos)));
                    QVERIFY2(own, qPrintable(QString::fromStdString(change.before)));
                }
            }
        }
        QVERIFY(rewrites > 20);
    }
    void results_and_gradients_are_the_same_without_each_pass() {
        const std::set<std::string> passes = optionalPasses();
        QVERIFY(passes.contains("cut_joins") && passes.contains("join_stores"));
        const std::function<ir::Graph(unsigned)> makers[] = {randomGraph, randomStores, randomCuts};
        for (const auto& make : makers)
            for (unsigned seed = 1; seed <= 25; ++seed) {
                const ir::Graph graph = make(seed);
                Options options;
                const HostTensors expected = run(graph, options, seed);
                auto same = [&](const std::string& without) {
                    const double apart = distance(run(graph, options, seed), expected);
                    if (apart < 1e-4) return true;
                    qWarning("seed %u without %s: %g", seed, without.c_str(), apart);
                    return false;
                };
                for (const std::string& name : passes) {
                    options.disabledPasses = {name};
                    QVERIFY(same(name));
                }
                options.disabledPasses = passes;
                QVERIFY(same("all"));
            }
    }
    void results_and_gradients_are_the_same_in_every_order() {
        const std::set<std::string> names = optionalPasses();
        std::vector<PassOrder> possible;
        for (const std::string& pass : names)
            for (const std::string& other : names)
                if (whyNoOrder({pass, other}).empty()) possible.push_back({pass, other});
        QVERIFY(possible.size() > 20);
        for (unsigned seed = 1; seed <= 10; ++seed) {
            const ir::Graph graph = randomGraph(seed);
            Options options;
            const HostTensors expected = run(graph, options, seed);
            for (const PassOrder& order : possible) {
                options.passOrders = {order};
                QVERIFY2(distance(run(graph, options, seed), expected) < 1e-4,
                         (order.pass + " before " + order.other).c_str());
            }
            options.passOrders = possible;
            QVERIFY(distance(run(graph, options, seed), expected) < 1e-4);
        }
    }
    void results_and_gradients_are_the_same_whatever_argument_a_pass_is_given() {
        const std::function<ir::Graph(unsigned)> makers[] = {randomGraph, randomStores, randomCuts};
        int given = 0;
        for (const auto& make : makers)
            for (unsigned seed = 1; seed <= 10; ++seed) {
                const ir::Graph graph = make(seed);
                const HostTensors expected = run(graph, {}, seed);
                for (const PassRow& row : passTable()) {
                    const passes::PassArgument* takes = row.run.argument();
                    if (!takes) continue;
                    QVERIFY(takes->least <= takes->usual && takes->usual <= takes->most);
                    for (const int64_t value : {takes->least, takes->most}) {
                        Options options;
                        options.passArguments[std::string(row.name)] = value;
                        QVERIFY2(distance(run(graph, options, seed), expected) < 1e-4,
                                 (std::string(row.name) + " " + std::to_string(value)).c_str());
                        ++given;
                    }
                }
            }
        QVERIFY(given > 300);
    }
    void an_argument_is_read_or_it_is_said_what_is_expected() {
        QCOMPARE(take(readArgument("fold_constants", "elements=0")), int64_t{0});
        const auto problem = [](const char* pass, const char* text) {
            const auto read = readArgument(pass, text);
            return read ? std::string() : read.error().message;
        };
        QCOMPARE(problem("fold_all", "x=1"), std::string("unknown pass 'fold_all'"));
        QCOMPARE(problem("remove_dead", "x=1"),
                 std::string("pass 'remove_dead' takes no argument"));
        QCOMPARE(problem("fold_constants", "pieces=1"),
                 std::string("pass 'fold_constants' has no argument 'pieces'"));
        for (const char* number : {"", "x", "-1", "1.5", "99999999999"})
            QCOMPARE(problem("fold_constants", (std::string("elements=") + number).c_str()),
                     "argument 'elements' of pass 'fold_constants': expected a number from 0 to "
                     "16777216, found '" +
                         std::string(number) + "'");
    }
    void every_pass_tells_its_rule() {
        for (const PassRow& row : passTable()) {
            const QString text = QString::fromStdString(passText(row.name));
            QVERIFY2(text.contains("fires:") && text.contains("must not:"), row.name.data());
            QVERIFY2(!text.contains("///") && !text.contains("#include"), row.name.data());
            QVERIFY2(!text.contains("  ") && !text.contains("\n\n"), row.name.data());
        }
        QVERIFY(passText("nothing").empty());
        const QStringList lines = QString::fromStdString(passText("merge_common")).split('\n');
        QCOMPARE(lines.size(), 6); // what it does, four parts, an end
        QCOMPARE(lines[1], QString("fires: cos(x), cos(x); add(a, b), add(b, a); equal constants"));
    }
    void no_pass_moves_past_one_that_is_required() {
        const auto names = [](const std::vector<PassOrder>& orders) {
            std::vector<std::string> all;
            for (const PassRow* row : passesAt(PassPoint::Joint, orders))
                all.emplace_back(row->name);
            return all;
        };
        const auto usual = names({});
        const auto changed = names({{"merge_common", "fold_constants"}});
        QVERIFY(usual != changed);
        const auto at = std::ranges::find(changed, "fold_constants");
        QVERIFY(at != changed.begin() && *(at - 1) == "merge_common");
        QVERIFY(std::ranges::is_permutation(usual, changed));
        QVERIFY(names({{"channels_last", "fold_constants"}}) == usual);  // past remove_dead
        QVERIFY(names({{"fuse_attention", "fold_constants"}}) == usual); // of another point
        for (const PassOrder& wrong :
             {PassOrder{"channels_last", "fold_constants"}, PassOrder{"remove_dead", "cut_joins"},
              PassOrder{"cut_joins", "cut_joins"}, PassOrder{"nothing", "cut_joins"}})
            QVERIFY2(!whyNoOrder(wrong).empty(), wrong.pass.c_str());
    }
};

QTEST_APPLESS_MAIN(TestPassesOnAndOff)
#include "test_passes_on_and_off.moc"
