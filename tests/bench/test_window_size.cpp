// SPDX-License-Identifier: Apache-2.0
// What a large graph costs the window: from a saved record to all panes, the longest time that the
// GUI thread was away, a frame while the graph is dragged, a selection until everything is lit.
#include "views/main_window.h"
#include "views/panes/graph/graph_pane.h"
#include "views/widgets/graph_canvas.h"
#include "views/workspace.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>
#include <ctime>
#include <functional>

using namespace cutaway::views;

/// Milliseconds that this thread has computed: what other programs do does not count.
static double threadMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

/// Times every event that the GUI thread handles, but for painting.
class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override {
        if (depth_++ > 0) {
            const bool handled = QApplication::notify(receiver, event);
            --depth_;
            return handled;
        }
        const QByteArray what = receiver->metaObject()->className();
        const int type = event->type();
        const double begin = threadMs();
        const bool handled = QApplication::notify(receiver, event);
        const double ms = threadMs() - begin;
        const bool paints = type == QEvent::UpdateRequest || type == QEvent::Paint;
        if (ms > longest_ && !paints) {
            longest_ = ms;
            what_ = what + " " + QByteArray::number(type);
        }
        --depth_;
        return handled;
    }
    /// The longest event since the last call, in milliseconds.
    double take() { return std::exchange(longest_, 0); }
    const QByteArray& what() const { return what_; }

private:
    int depth_ = 0;
    double longest_ = 0;
    QByteArray what_;
};

class TestWindowSize : public QObject {
    Q_OBJECT

    /// Waits in an event loop that blocks, so that its turns can be told apart.
    static bool waitUntil(const std::function<bool()>& done, int ms) {
        QElapsedTimer timer;
        timer.start();
        QEventLoop loop;
        QTimer poll;
        bool good = false;
        connect(&poll, &QTimer::timeout, &loop, [&] {
            good = done();
            if (good || timer.elapsed() > ms) loop.quit();
        });
        poll.start(2);
        loop.exec();
        return good;
    }
    static bool idle(MainWindow& window) {
        return waitUntil([&] { return window.isIdle(); }, 200000);
    }
    static double msSince(const QElapsedTimer& timer) { return double(timer.nsecsElapsed()) / 1e6; }

    QString compiled(const QString& name, const QByteArray& script) {
        const QString source = folder_.filePath(name + ".py"),
                      out = folder_.filePath(name + ".cutaway");
        QFile file(source);
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(script);
        file.close();
        QProcess::execute(CUTAWAY_TOOL, {"compile", source, "-o", out});
        return out;
    }

private slots:
    void a_record_is_shown_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<double>("limitMs"); // ten times the aim
        const QByteArray mixed = "    for _ in range(%1):\n"
                                 "        x = torch.sin(x) * 0.5 + torch.cos(x)\n";
        auto times = [&](int count) {
            return QByteArray(mixed).replace("%1", QByteArray::number(count));
        };
        QTest::newRow("2000 joint nodes") << times(220) << 5000.0;
        QTest::newRow("10000 joint nodes") << times(1100) << 10000.0;
    }
    void a_record_is_shown() {
        QFETCH(QByteArray, body);
        QFETCH(double, limitMs);
        const QString path = compiled(
            QString(QTest::currentDataTag()).replace(' ', '_'),
            "import torch\n\n\n@torch.compile\ndef f(x):\n" + body +
                "    return x.sum()\n\n\nf(torch.randn(64, 64, requires_grad=True)).backward()\n");
        QVERIFY(QFile::exists(path));
        MainWindow::Options options;
        options.engineCommand = {CUTAWAY_TOOL, "serve"};
        options.settingsFile = folder_.filePath("settings.ini");
        MainWindow window(options);
        window.resize(1280, 800);
        window.show();
        window.setGraphStage("joint");
        window.workspace()->pane<GraphPane>()->setFolding(FoldKind::None); // every node is drawn
        auto& turn = *static_cast<TimedApplication*>(qApp);
        QVERIFY(idle(window));
        turn.take();
        QElapsedTimer timer;
        timer.start();
        window.openFile(path);
        QVERIFY(waitUntil([&] { return !window.session()->record()->isEmpty() && window.isIdle(); },
                          200000));
        const double shown = msSince(timer), away = turn.take();
        const QByteArray longest = turn.what();
        window.setGraphStage("joint");
        QVERIFY(idle(window));
        const double joint = turn.take();
        GraphCanvas* canvas = window.workspace()->pane<GraphPane>()->canvas();
        const size_t nodes = canvas->scene().nodes.size();
        QVERIFY(nodes > 1500);
        canvas->fit();
        timer.start();
        const int frames = 10;
        for (int i = 0; i < frames; ++i) {
            canvas->zoomBy(1.01);
            canvas->grab();
        }
        const double frame = msSince(timer) / frames;
        timer.start();
        window.selection()->select({canvas->scene().nodes[nodes / 2].item});
        for (Pane* pane : window.workspace()->findChildren<Pane*>())
            pane->flush();
        const double lit = msSince(timer);
        QVERIFY(idle(window));
        for (const char* id : {"partition", "passes", "kernels", "memory", "capture", "compare"}) {
            timer.start();
            window.reveal(id);
            QCoreApplication::processEvents();
            QVERIFY(idle(window));
            const double busy = turn.take();
            qInfo("  %s: %.0f ms, GUI thread away %.1f ms in %s", id, msSince(timer), busy,
                  turn.what().constData());
        }
        qInfo("%zu nodes: file to panes %.0f ms, GUI thread away %.0f ms in %s (joint %.0f ms), a "
              "frame "
              "%.1f ms, selection to lights %.1f ms",
              nodes, shown, away, longest.constData(), joint, frame, lit);
        QVERIFY2(shown < limitMs, qPrintable(QString::number(shown)));
    }

private:
    QTemporaryDir folder_;
};

int main(int argc, char** argv) {
    TimedApplication app(argc, argv);
    TestWindowSize test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_window_size.moc"
