// SPDX-License-Identifier: Apache-2.0
// What scripts and decisions say of the memory of a training step reaches the partition, and the
// record tells of it.
#include "core/driver/session.h"
#include "core/pipeline/stage_text.h"
#include "core/record/json.h"

#include <QtTest>

#include <algorithm>
#include <nlohmann/json.hpp>

using namespace cutaway;

namespace {

constexpr const char* kBlocks = R"(
import torch
from torch.utils.checkpoint import checkpoint
torch.manual_seed(0)
def block(x, w):
    return torch.tanh(torch.relu(x @ w) @ w.t())
def f(x, w):
    for i in range(2):
        x = %BLOCK%
    return x.sum()
x = torch.randn(8, 8, requires_grad=True)
w = torch.randn(8, 8, requires_grad=True)
torch.compile(f)(x, w).backward()
print(x.grad.sum(), w.grad.sum())
)";

struct Outcome {
    std::string printed;
    driver::Compiled compiled;

    const record::Partition* cut() const {
        for (const record::Function& function : compiled.record.functions)
            for (const record::Entry& entry : function.entries)
                if (entry.hasPartition) return &entry.partition;
        return nullptr;
    }
    int64_t fresh() const {
        int64_t bytes = 0;
        for (const record::SavedTensor& saved : cut()->saved)
            bytes += saved.input ? 0 : saved.bytes;
        return bytes;
    }
    bool recomputes(const std::string& name) const {
        return std::any_of(
            cut()->recomputed.begin(), cut()->recomputed.end(),
            [&](const record::RecomputedValue& value) { return value.name == name; });
    }
};

} // namespace

class TestMemoryOfScripts : public QObject {
    Q_OBJECT

    driver::Tools tools_{std::string()};

    Outcome run(const QString& block, const std::string& first = {},
                const std::vector<std::string>& decisions = {},
                const std::string& backend = "inductor") {
        Outcome outcome;
        driver::SessionOptions options;
        options.path = "s.py";
        options.text = "import torch\n" + first + "\n" +
                       QString(kBlocks).replace("%BLOCK%", block).toStdString();
        options.decisions = decisions;
        options.backend = backend;
        options.print = [&](std::string_view text) { outcome.printed += text; };
        outcome.compiled = driver::compile(tools_, options);
        return outcome;
    }

private Q_SLOTS:
    void a_checkpoint_in_a_compiled_function_breaks_nothing_and_is_honoured() {
        const Outcome plain = run("block(x, w)");
        const Outcome o = run("checkpoint(block, x, w, use_reentrant=False)");
        const Outcome eager = run("checkpoint(block, x, w, use_reentrant=False)", {}, {}, "eager");
        QVERIFY2(!o.compiled.error, o.compiled.error ? o.compiled.error->str().c_str() : "");
        QVERIFY(o.compiled.record.messages.empty());
        QCOMPARE(o.printed, plain.printed);
        QCOMPARE(o.printed, eager.printed);
        QVERIFY(plain.cut() && o.cut());
        QVERIFY(!plain.recomputes("mm") && o.recomputes("mm") && o.recomputes("mm_2"));
        QVERIFY(o.fresh() < plain.fresh());
        // Nested: the outer one.
        const Outcome nested =
            run("checkpoint(lambda a: checkpoint(block, a, w, use_reentrant=False) * 2, x, "
                "use_reentrant=False)");
        QVERIFY(nested.compiled.record.messages.empty());
        QVERIFY(nested.cut() && nested.recomputes("mm") && nested.recomputes("tanh"));
    }
    void a_region_ends_with_an_exception() {
        const Outcome o = run("x @ w", R"(
from torch.utils.checkpoint import checkpoint as ck
def bad(x):
    raise ValueError("no")
@torch.compile(fullgraph=True)
def g(x):
    try:
        ck(bad, x, use_reentrant=False)
    except ValueError:
        pass
    return torch.cos(torch.cos(torch.mm(x, x)))
g(torch.ones(4, 4, requires_grad=True)).sum().backward()
)");
        QVERIFY2(!o.compiled.error, o.compiled.error ? o.compiled.error->str().c_str() : "");
        QVERIFY(o.cut() && !o.recomputes("mm"));
    }
    void a_configured_budget_is_that_of_what_is_compiled_next() {
        const Outcome plain = run("block(x, w)");
        const Outcome none =
            run("block(x, w)", "torch._functorch.config.activation_memory_budget = 0");
        QVERIFY(none.cut() && none.fresh() == 0 && plain.fresh() > 0);
        QCOMPARE(none.cut()->algorithm, std::string("budget"));
        QCOMPARE(none.printed, plain.printed);
        const Outcome usual =
            run("block(x, w)", "torch._functorch.config.activation_memory_budget = 1.0");
        QCOMPARE(usual.cut()->algorithm, std::string("min_cut"));
        const Outcome bad =
            run("block(x, w)", "torch._functorch.config.activation_memory_budget = 1.5");
        QVERIFY(bad.compiled.error &&
                bad.compiled.error->str().find("0 <= m <= 1") != std::string::npos);
    }
    void decisions_set_a_budget_and_a_partitioner() {
        const Outcome plain = run("block(x, w)");
        QVERIFY(run("block(x, w)", {}, {"budget 0"}).fresh() == 0);
        const Outcome peak = run("block(x, w)", {},
                                 {"budget " + std::to_string(plain.cut()->point.peakBytes) + "B"});
        QVERIFY(peak.cut()->point.peakBytes <= plain.cut()->point.peakBytes);
        QVERIFY(peak.cut()->point.us <= plain.cut()->point.us);
        // The decision stands above the script.
        const Outcome both = run(
            "block(x, w)", "torch._functorch.config.activation_memory_budget = 0", {"budget 1"});
        QCOMPARE(both.cut()->algorithm, std::string("min_cut"));
        const Outcome most = run("block(x, w)", {}, {"partitioner default"});
        QCOMPARE(most.cut()->algorithm, std::string("default"));
        QVERIFY(most.fresh() > plain.fresh());
    }
    void decisions_that_cannot_be_read_say_what_was_expected_data() {
        QTest::addColumn<QStringList>("decisions");
        QTest::addColumn<QString>("told");
        QTest::newRow("above 1") << QStringList{"budget 1.5"} << "from 0 to 1, or a peak";
        QTest::newRow("negative") << QStringList{"budget -1MiB"} << "from 0 to 1, or a peak";
        QTest::newRow("no number") << QStringList{"budget much"} << "memory budget 'much'";
        QTest::newRow("unit") << QStringList{"budget 3MB"} << "memory budget '3MB'";
        QTest::newRow("nan") << QStringList{"budget nan"} << "memory budget 'nan'";
        QTest::newRow("name") << QStringList{"partitioner best"} << "known: min_cut, default";
        QTest::newRow("pass") << QStringList{"without everything"} << "unknown pass 'everything'";
        QTest::newRow("needed pass") << QStringList{"without remove_dead"} << "cannot be left out";
        QTest::newRow("order") << QStringList{"order remove_dead cut_joins"} << "stays where it is";
        QTest::newRow("order of points")
            << QStringList{"order fuse_attention cut_joins"} << "stands between";
        QTest::newRow("both") << QStringList{"budget 0.5", "partitioner default"}
                              << "leave out one of the two";
    }
    void decisions_that_cannot_be_read_say_what_was_expected() {
        QFETCH(QStringList, decisions);
        QFETCH(QString, told);
        std::vector<std::string> all;
        for (const QString& decision : decisions)
            all.push_back(decision.toStdString());
        const Outcome o = run("block(x, w)", {}, all);
        QVERIFY(o.compiled.error);
        QVERIFY2(QString::fromStdString(o.compiled.error->str()).contains(told),
                 o.compiled.error->str().c_str());
    }
    void a_pass_is_left_out() {
        auto ran = [](const Outcome& o, std::string_view pass) {
            for (const record::Function& function : o.compiled.record.functions)
                for (const record::Entry& entry : function.entries)
                    for (const record::PassRun& one : entry.passes)
                        if (one.pass == pass) return true;
            return false;
        };
        const Outcome all = run("block(x, w)", {}, {});
        const Outcome without = run("block(x, w)", {}, {"without merge_common"});
        QVERIFY(ran(all, "merge_common") && !ran(without, "merge_common"));
        QVERIFY(ran(without, "simplify_algebra"));
        QCOMPARE(without.printed, all.printed);
    }
    void the_record_keeps_the_curve() {
        const Outcome o = run("block(x, w)", {}, {"budget 0.5"});
        QVERIFY(!o.cut()->curve.empty() && !o.cut()->budget.empty());
        auto again = record::fromJson(record::toJson(o.compiled.record));
        QVERIFY(again.ok());
        for (const record::Function& function : again->functions)
            for (const record::Entry& entry : function.entries) {
                if (!entry.hasPartition) continue;
                QCOMPARE(entry.partition.curve.size(), o.cut()->curve.size());
                QCOMPARE(entry.partition.curve.back().us, o.cut()->curve.back().us);
                QCOMPARE(entry.partition.point.peakBytes, o.cut()->point.peakBytes);
                QCOMPARE(entry.partition.budget, o.cut()->budget);
                std::string text;
                QVERIFY(
                    pipeline::partitionText({*again, function, entry, {}}, "partition", text).ok());
                QVERIFY2(text.find("budget: asked for 0.5 of what min_cut saves") !=
                                 std::string::npos &&
                             text.find("\n> ") != std::string::npos,
                         text.c_str());
            }
    }
};

QTEST_GUILESS_MAIN(TestMemoryOfScripts)
#include "test_memory_of_scripts.moc"
