// SPDX-License-Identifier: Apache-2.0
// What a call of a compiled function costs beside its kernels, what capturing costs, and that calls
// keep no memory.
#include "core/base/sanitizers.h"
#include "tests/support/script_world.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::test;

class TestCaptureTimes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void guards_of_ten_inputs();
    void capture_of_an_operation();
    void calls_keep_no_memory();
};

namespace {

/// The number that a script prints last.
double measured(const std::string& text) {
    ScriptWorld world;
    const ScriptRun run = world.run("import torch, time\n" + text);
    if (!run.error.empty()) {
        qWarning("%s", run.error.c_str());
        return 1e9; // above every limit
    }
    return QString::fromStdString(run.printed).trimmed().split('\n').last().toDouble();
}

double residentMiB() {
    QFile file("/proc/self/statm");
    if (!file.open(QFile::ReadOnly)) return 0;
    return file.readAll().split(' ').value(1).toDouble() * 4096 / (1 << 20);
}

} // namespace

void TestCaptureTimes::guards_of_ten_inputs() {
    // Nothing is computed: what remains are the arguments, ten tensor guards, and the result.
    const double us = measured(R"(
@torch.compile
def f(a, b, c, d, e, g, h, i, j, k):
    n = a.shape[0] + b.shape[0] + c.shape[0] + d.shape[0] + e.shape[0]
    return n + g.shape[0] + h.shape[0] + i.shape[0] + j.shape[0] + k.shape[0]
def plain(a, b, c, d, e, g, h, i, j, k): return a
xs = [torch.ones(4, 4) for _ in range(10)]
a, b, c, d, e, g, h, i, j, k = xs
f(*xs)
def time_of(function):
    best = 1e9
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(500): function(a, b, c, d, e, g, h, i, j, k)
        best = min(best, time.perf_counter() - start)
    return best / 500 * 1e6
print(time_of(f) - time_of(plain))
)");
    qInfo("guards of ten inputs with dispatch: %.2f us more than an empty function", us);
    QVERIFY(us < 10); // the aim is 1 us on an idle machine
}

void TestCaptureTimes::capture_of_an_operation() {
    const double us = measured(R"(
def f(x):
    for _ in range(500): x = (x + 1) * x
    return x
best = 1e9
for _ in range(5):
    torch._dynamo.reset()
    start = time.perf_counter()
    torch.compile(f)(torch.ones(4))
    best = min(best, time.perf_counter() - start)
print(best / 1000 * 1e6)
)");
    // The reference world evaluates the graph once, too.
    qInfo("capture of an operation: %.2f us", us);
    QVERIFY(us > 0 && us < (base::kSanitized ? 4000 : 200));
}

void TestCaptureTimes::calls_keep_no_memory() {
    const char* const text = R"(
def h(x, i):
    y = x * 2
    len(y.tolist())
    return y + i
s = {"n": torch.zeros(2)}
@torch.compile
def f(x):
    s["n"] = s["n"] * 0.5 + x
    return h(x, 1) + s["n"]
x = torch.ones(2)
for _ in range(%1): f(x)
)";
    QVERIFY(measured(QString(text).arg(2000).toStdString()) < 1);
    if (base::kSanitized) QSKIP("a sanitizer keeps freed memory for a while");
    const double before = residentMiB();
    QVERIFY(measured(QString(text).arg(20000).toStdString()) < 1);
    const double after = residentMiB();
    qInfo("20 000 calls: %.1f MiB more", after - before);
    QVERIFY2(after - before < 8, qPrintable(QString::number(after - before)));
}

QTEST_APPLESS_MAIN(TestCaptureTimes)
#include "test_capture_times.moc"
