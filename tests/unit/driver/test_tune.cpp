// SPDX-License-Identifier: Apache-2.0
// Times of schedules are their own, or said not to be.
#include "core/driver/tools.h"
#include "tests/support/busy_processor.h"

#include <QtTest>

#include <memory>

using namespace cutaway;

class TestTune : public QObject {
    Q_OBJECT

    static driver::TunedKernel kernel(double predicted, double measured, bool disturbed) {
        return {"f.0", "forward", "k", {{1, "elements", predicted, measured, true, disturbed}}};
    }

private Q_SLOTS:
    /// A call takes longer than the turn of a program that has the same processor.
    void times_of_a_busy_machine_are_disturbed() {
        auto busy = std::make_unique<testing::BusyProcessor>();
        QVERIFY(busy->isBusy());
        driver::SessionOptions options;
        options.path = "model.py";
        options.threads = 1;
        options.text = "import torch\n"
                       "def model(x):\n    return torch.erf(torch.exp(torch.sin(x)))\n"
                       "def example_inputs(size):\n    return (torch.randn(2048, 4096),)\n";
        driver::Tools tools{std::string()};
        auto kernels = driver::tune(tools, options, 1);
        busy.reset();
        QVERIFY2(kernels.ok(), kernels.ok() ? "" : kernels.error().str().c_str());
        QCOMPARE(kernels->size(), size_t{1});
        for (const driver::TunedCandidate& candidate : kernels->front().candidates) {
            QVERIFY(candidate.measuredUs > 0);
            QVERIFY2(candidate.disturbed, candidate.text.c_str());
        }
        QVERIFY(kernels->front().isDisturbed());
    }
    void no_summary_is_made_of_disturbed_times() {
        const std::string left = "left out, because other programs disturbed their times: 1 of ";
        QCOMPARE(driver::tuneSummary({kernel(2, 90, true)}), left + "1 kernels\n");
        const std::string both = driver::tuneSummary({kernel(2, 90, true), kernel(4, 4, false)});
        QVERIFY2(both.starts_with(left + "2 kernels\n1 candidates of 1 kernels\n"), both.c_str());
        QVERIFY2(both.find("geometric mean 1.00") != std::string::npos, both.c_str());
    }
};

QTEST_GUILESS_MAIN(TestTune)
#include "test_tune.moc"
