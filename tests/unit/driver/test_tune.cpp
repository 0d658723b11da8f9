// SPDX-License-Identifier: Apache-2.0
// Times of schedules are their own, or said not to be.
#include "core/driver/tools.h"

#include <QtTest>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cutaway;

class TestTune : public QObject {
    Q_OBJECT

    static driver::TunedKernel kernel(double predicted, double measured, bool disturbed) {
        return {"f.0", "forward", "k", {{1, "elements", predicted, measured, true, disturbed}}};
    }

private slots:
    /// A call takes longer than the turn of a program that has the same processor.
    void times_of_a_busy_machine_are_disturbed() {
        cpu_set_t before, one;
        QCOMPARE(sched_getaffinity(0, sizeof before, &before), 0);
        CPU_ZERO(&one);
        for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
            if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
        QCOMPARE(sched_setaffinity(0, sizeof one, &one), 0);
        const pid_t other = fork();
        if (other == 0)
            for (;;) {
            } // until it is killed
        driver::SessionOptions options;
        options.path = "model.py";
        options.threads = 1;
        options.text = "import torch\n"
                       "def model(x):\n    return torch.erf(torch.exp(torch.sin(x)))\n"
                       "def example_inputs(size):\n    return (torch.randn(2048, 4096),)\n";
        driver::Tools tools{std::string()};
        auto kernels = driver::tune(tools, options, 1);
        kill(other, SIGKILL);
        waitpid(other, nullptr, 0);
        sched_setaffinity(0, sizeof before, &before);
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
