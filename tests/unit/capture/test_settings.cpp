// SPDX-License-Identifier: Apache-2.0
// Settings of torch.backends reach what runs.
#include "core/runtime/deterministic.h"
#include "core/runtime/precision.h"
#include "tests/support/script_world.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::test;

class TestSettings : public QObject {
    Q_OBJECT

    ScriptWorld world_;

    std::string printed(const std::string& script) {
        return world_.run("import torch\n" + script).printed;
    }

private Q_SLOTS:
    void tf32_is_for_convolutions_by_default() {
        QCOMPARE(printed("print(torch.backends.cudnn.allow_tf32, "
                         "torch.backends.cuda.matmul.allow_tf32, "
                         "torch.get_float32_matmul_precision())"),
                 std::string("True False highest\n"));
        QVERIFY(runtime::precision() == runtime::Precision{});
    }
    void flags_reach_library_calls() {
        printed("torch.backends.cudnn.allow_tf32 = False");
        QVERIFY(!runtime::precision().convolutionTf32);
        printed("torch.backends.cuda.matmul.allow_tf32 = True");
        // A program finds the settings as they are by default, whatever the last one did.
        QVERIFY(runtime::precision().convolutionTf32);
        QVERIFY(runtime::precision().matmulTf32);
        const runtime::FullPrecision exact;
        QVERIFY(!runtime::precision().convolutionTf32 && !runtime::precision().matmulTf32);
    }
    void deterministic_results_are_asked_for_and_told() {
        QCOMPARE(printed("print(torch.are_deterministic_algorithms_enabled())\n"
                         "torch.use_deterministic_algorithms(True, warn_only=True)\n"
                         "print(torch.are_deterministic_algorithms_enabled(), "
                         "torch.is_deterministic_algorithms_warn_only_enabled())"),
                 std::string("False\nTrue True\n"));
        QVERIFY(runtime::deterministic());
        const size_t before = world_.compiler.captured.size();
        ScriptRun run = world_.run("import torch\n"
                                   "@torch.compile\n"
                                   "def f(x): return x * 2\n"
                                   "f(torch.ones(2))\n"
                                   "torch.use_deterministic_algorithms(True)\n"
                                   "f(torch.ones(2)); f(torch.ones(2))\n"
                                   "torch.use_deterministic_algorithms(False)\n"
                                   "f(torch.ones(2))\n");
        QCOMPARE(run.error, std::string());
        QVERIFY(!runtime::deterministic());
        // An entry of each, neither for the other's calls.
        QCOMPARE(world_.compiler.captured.size() - before, size_t(2));
    }
    void matmul_precision_has_names() {
        QCOMPARE(printed("torch.set_float32_matmul_precision('medium')\n"
                         "print(torch.get_float32_matmul_precision(), "
                         "torch.backends.cuda.matmul.allow_tf32)\n"
                         "torch.backends.cuda.matmul.allow_tf32 = False\n"
                         "print(torch.get_float32_matmul_precision())\n"
                         "torch.set_float32_matmul_precision('low')\n"
                         "print(torch.get_float32_matmul_precision())"),
                 std::string("medium True\nhighest\nhighest\n"));
        QVERIFY(!runtime::precision().matmulTf32);
    }
};

QTEST_APPLESS_MAIN(TestSettings)
#include "test_settings.moc"
