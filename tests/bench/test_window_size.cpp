// SPDX-License-Identifier: Apache-2.0
// What large graphs cost the window: layouts, frames while a graph is dragged and zoomed, the first
// picture; a record of ten thousand nodes from the file to all panes, with every event of the GUI
// thread measured, and a selection until everything is lit.
#include "core/base/sanitizers.h"
#include "views/main_window.h"
#include "views/models/compound_layout.h"
#include "views/models/record_search.h"
#include "views/panes/graph/graph_pane.h"
#include "views/widgets/code_view.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/item_view.h"
#include "views/widgets/timeline_view.h"
#include "views/workspace.h"

#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QHeaderView>
#include <QLineEdit>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>

using namespace cutaway;
using namespace cutaway::views;

/// Milliseconds that this thread has computed: what other programs do does not count.
static double threadMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

/// Machines differ by half in what a thread computes in a millisecond, and one from run to run by a
/// quarter: a test fails at twice the aim, and tells the figure always.
constexpr double kSlack = base::kSanitized ? 40 : 2;
/// What a turn of the GUI thread should take at most, in milliseconds of its processor.
constexpr double kTurn = 16;

/// What this program holds of the machine's memory.
static double residentMiB() {
    QFile file("/proc/self/statm");
    if (!file.open(QIODevice::ReadOnly)) return 0;
    return file.readAll().split(' ').value(1).toDouble() * 4096 / (1 << 20);
}

/// Blocks of two hundred and fifty layers: ten thousand nodes with their backward.
static const QByteArray kBlocks =
    "import torch\n\n\n@torch.compile\ndef f(x, w, b):\n"
    "    for _ in range(250):\n"
    "        h = torch.nn.functional.layer_norm(x, (64,))\n"
    "        h = torch.nn.functional.gelu(h @ w + b)\n"
    "        x = x + h @ w\n"
    "    return x.sum()\n\n\n"
    "f(torch.randn(32, 64, requires_grad=True), torch.randn(64, 64),\n"
    "  torch.randn(64)).backward()\n";

/// Times every event that the GUI thread handles.
class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override {
        if (depth_++ > 0) {
            const bool handled = QApplication::notify(receiver, event);
            --depth_;
            return handled;
        }
        const QObject* owner = receiver->parent() ? receiver->parent() : receiver;
        const QByteArray what = QByteArray(receiver->metaObject()->className()) + " of " +
                                owner->metaObject()->className() + " " +
                                owner->objectName().toUtf8();
        const int type = event->type();
        const double begin = threadMs();
        const bool handled = QApplication::notify(receiver, event);
        const double ms = threadMs() - begin;
        if (ms > kTurn) qInfo("  %.1f ms: %s, event %d", ms, what.constData(), type);
        if (ms > longest_) {
            longest_ = ms;
            what_ = what + ", event " + QByteArray::number(type);
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

    /// A joint graph of about so many nodes: towers of blocks with a skip connection, whose
    /// backward reads what the forward computed; about as wide as it is high.
    static record::GraphStage joint(int nodes) {
        record::GraphStage stage;
        stage.name = "joint";
        auto add = [&](const char* kind, const std::string& op, std::vector<ItemId> inputs,
                       bool backward) {
            record::GraphNode node;
            node.item = static_cast<ItemId>(stage.nodes.size());
            node.name = op + "_" + std::to_string(node.item);
            node.kind = kind;
            if (node.kind == "call") node.op = "aten." + op + ".default";
            node.type = "float32[64, 64]";
            node.bytes = 16384;
            node.inputs = std::move(inputs);
            node.backward = backward;
            stage.nodes.push_back(node);
            return node.item;
        };
        auto call = [&](const std::string& op, std::vector<ItemId> inputs, bool backward) {
            return add("call", op, std::move(inputs), backward);
        };
        const int blocks = std::max(1, nodes / 16), tower = int(std::sqrt(blocks));
        const ItemId input = add("placeholder", "x", {}, false),
                     w = add("placeholder", "w", {}, false);
        ItemId x = input;
        std::vector<std::array<ItemId, 3>> kept;
        for (int i = 0; i < blocks; ++i) {
            if (i % tower == 0) x = input; // towers side by side
            const ItemId mean = call("mean", {x}, false), centred = call("sub", {x, mean}, false),
                         scaled = call("mul", {centred, centred}, false),
                         product = call("mm", {scaled, w}, false),
                         bent = call("tanh", {product}, false), out = call("mm", {bent, w}, false);
            x = call("add", {x, out}, false);
            kept.push_back({centred, scaled, bent});
        }
        const ItemId tangents = add("placeholder", "tangents_1", {}, true);
        ItemId g = tangents;
        for (int i = blocks; i-- > 0;) {
            if (i % tower == tower - 1) g = tangents;
            const auto [centred, scaled, bent] = kept[size_t(i)];
            const ItemId slope = call("mul", {bent, bent}, true), down = call("mm", {g, w}, true),
                         through = call("mul", {down, slope}, true),
                         weights = call("mm", {scaled, through}, true),
                         inner = call("mm", {through, w}, true),
                         twice = call("mul", {inner, centred}, true),
                         mean = call("mean", {twice}, true),
                         less = call("sub", {twice, mean}, true);
            g = call("add", {g, less}, true);
            stage.outputs.push_back(weights);
        }
        return stage;
    }

    static ScenePtr placedJoint(int nodes) {
        const record::GraphStage stage = joint(nodes);
        GraphScene scene =
            stageScene(stage, textWidth(QApplication::font()), {FoldKind::None, {}, {}, kFoldRoom});
        placeMirrored(scene, backwardNodes(stage, scene));
        return shared(std::move(scene));
    }

    /// Opens the record at \p path in a new window and uses its panes.
    /// \param away the longest turn of the GUI thread in each step, in milliseconds, and what it was
    /// \param lit how long the slowest of five selections took to light up everywhere, in ms
    void useRecord(const QString& path, std::vector<std::pair<double, QByteArray>>& away,
                   double& lit) {
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
        window.session()->newDocument("x = 1\n"); // the panes are there, with nothing in them
        QVERIFY(idle(window));
        const QStringList panes{"partition", "passes", "kernels", "memory", "capture", "compare"};
        for (const QString& id : panes) { // what a pane costs when it is first shown is Qt's
            window.reveal(id);
            QVERIFY(idle(window));
        }
        turn.take();
        QElapsedTimer timer;
        timer.start();
        window.openFile(path);
        QVERIFY(waitUntil([&] { return !window.session()->record()->isEmpty() && window.isIdle(); },
                          200000));
        const double shown = msSince(timer);
        auto note = [&](const QByteArray& during) {
            const double ms = turn.take();
            away.emplace_back(ms, during + ": " + turn.what());
        };
        note("opening");
        GraphCanvas* canvas = window.workspace()->pane<GraphPane>()->canvas();
        window.reveal("graph");
        QVERIFY(idle(window));
        note("graph");
        const size_t nodes = canvas->scene().nodes.size();
        QVERIFY(nodes > 9000);
        for (const QString& id : panes) {
            window.reveal(id);
            QVERIFY(idle(window));
            note(id.toUtf8());
        }
        for (int i = 1; i < 6; ++i) {
            const double begin = threadMs();
            window.selection()->select({canvas->scene().nodes[nodes * size_t(i) / 7].item});
            for (Pane* pane : window.workspace()->findChildren<Pane*>())
                pane->flush();
            lit = std::max(lit, threadMs() - begin);
            QVERIFY(idle(window));
            note("selecting");
        }
        auto* graph = window.workspace()->pane<GraphPane>();
        window.reveal("graph");
        QVERIFY(idle(window));
        turn.take();
        for (HeatKind kind : {HeatKind::Bytes, HeatKind::Work, HeatKind::None}) {
            QTimer::singleShot(0, graph, [&] { graph->setHeat(kind); });
            QTest::qWait(1);
            QVERIFY(idle(window));
            note("heat");
        }
        for (const char* text : {"mm", "op:mm bytes>1k", "/mul_\\d+5$/", ""}) {
            QTimer::singleShot(0, graph, [&] { graph->search()->setText(text); });
            QTest::qWait(1);
            QVERIFY(idle(window));
            note("search");
        }
        for (const char* text : {"", "mm", "in:cpp sum_2"}) { // on another thread, in the window
            const double begin = threadMs();
            const auto found = searchRecord(*window.session()->record(), text, 300);
            const double ms = threadMs() - begin;
            qInfo("  %zu items found for “%s” in %.0f ms", found.size(), text, ms);
            QVERIFY(found.size() > 10);
            QVERIFY2(ms <= kSlack * 250, qPrintable(QString::number(ms)));
        }
        auto* table = window.workspace()->findChild<ItemView*>("decisionTable");
        window.reveal("kernels");
        QVERIFY(idle(window));
        QVERIFY(RowModel::size(table->rowModel()->content()) > 10000);
        turn.take();
        for (const char* text : {"f", "fused", "fused add", ""}) {
            QTimer::singleShot(0, table, [&] { table->setFilter(text); });
            QTest::qWait(1);
            QVERIFY(idle(window));
            note("filter");
        }
        for (int column : {2, 0, -1}) {
            QTimer::singleShot(
                0, table, [&] { table->header()->setSortIndicator(column, Qt::DescendingOrder); });
            QTest::qWait(1);
            QVERIFY(idle(window));
            note("sort");
        }
        const double held = residentMiB();
        qInfo("  %.0f MiB are held (aim 400)", held);
        QVERIFY2(held <= kSlack * 400, qPrintable(QString::number(held)));
        const auto longest = std::ranges::max_element(away);
        qInfo(
            "%zu nodes: file to panes %.0f ms, GUI thread away at most %.1f ms (%s), selection to "
            "lights %.1f ms",
            nodes, shown, longest->first, longest->second.constData(), lit);
    }

private Q_SLOTS:
    void a_joint_graph_is_placed_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<double>("aimMs");
        QTest::newRow("2000") << 2000 << 100.0;
        QTest::newRow("20000") << 20000 << 2000.0;
    }
    void a_joint_graph_is_placed() {
        QFETCH(int, nodes);
        QFETCH(double, aimMs);
        const record::GraphStage stage = joint(nodes);
        double least = 1e9;
        for (int i = 0; i < 3; ++i) {
            const double begin = threadMs();
            GraphScene scene = stageScene(stage, textWidth(QApplication::font()),
                                          {FoldKind::None, {}, {}, kFoldRoom});
            placeMirrored(scene, backwardNodes(stage, scene));
            least = std::min(least, threadMs() - begin);
            QVERIFY(scene.nodes.size() * 10 > size_t(nodes) * 9);
        }
        qInfo("%d nodes placed in %.0f ms (aim %.0f)", nodes, least, aimMs);
        QVERIFY2(least <= kSlack * aimMs, qPrintable(QString::number(least)));
    }

    void a_large_graph_is_moved_data() {
        QTest::addColumn<int>("nodes");
        QTest::addColumn<double>("aimMs");
        QTest::newRow("10000") << 10000 << 16.0;
        QTest::newRow("100000") << 100000 << 33.0;
    }
    void a_large_graph_is_moved() {
        QFETCH(int, nodes);
        QFETCH(double, aimMs);
        const ScenePtr scene = placedJoint(nodes);
        GraphCanvas canvas;
        canvas.resize(1280, 800);
        canvas.show();
        QElapsedTimer first;
        first.start();
        canvas.setScene(scene, false);
        QVERIFY(waitUntil([&] { return !canvas.isSettled() && canvas.isShown(); }, 60000));
        const double shown = msSince(first);
        QVERIFY(waitUntil([&] { return canvas.isSettled(); }, 60000));
        const double drawn = msSince(first);
        QImage screen(canvas.size(), QImage::Format_ARGB32_Premultiplied);
        double most = 0, sum = 0;
        int frames = 0;
        auto frame = [&] {
            const double begin = threadMs();
            canvas.render(&screen);
            const double ms = threadMs() - begin;
            most = std::max(most, ms);
            sum += ms;
            ++frames;
            QCoreApplication::processEvents(); // pictures arrive while it moves
        };
        auto drag = [&](QPoint by) {
            const QPoint from(640, 400);
            QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
            for (int i = 1; i <= 10; ++i) {
                QTest::mouseMove(&canvas, from + by * i / 10);
                frame();
            }
            QTest::mouseRelease(&canvas, Qt::LeftButton, {}, from + by);
        };
        canvas.fit();
        for (int i = 0; i < 30; ++i) { // from all of it to where texts can be read
            canvas.zoomBy(1.2);
            frame();
            if (i % 5 == 0) drag({120, 90});
        }
        for (int i = 0; i < 30; ++i) {
            canvas.zoomBy(1 / 1.2);
            frame();
        }
        canvas.fit();
        QVERIFY(waitUntil([&] { return canvas.isSettled(); }, 60000));
        canvas.render(&screen);
        QSet<QRgb> colours;
        for (int i = 0; i < screen.width() * screen.height(); i += 7)
            colours.insert(screen.pixel(i % screen.width(), i / screen.width()));
        QVERIFY(colours.size() > 4); // frames were of something
        qInfo(
            "%d nodes: a frame %.1f ms, at most %.1f (aim %.0f); the first picture after %.0f ms, "
            "the last after %.0f",
            nodes, sum / frames, most, aimMs, shown, drawn);
        QVERIFY2(sum / frames <= kSlack * aimMs, qPrintable(QString::number(sum / frames)));
        QVERIFY2(most <= 2 * kSlack * aimMs, qPrintable(QString::number(most)));
        QVERIFY2(shown <= kSlack * 1000, qPrintable(QString::number(shown)));
    }

    /// What a profiler writes in some seconds: threads, each with calls within calls.
    void a_million_slices_are_moved() {
        constexpr int kTracks = 8, kDepth = 4, kCalls = 1'000'000 / kTracks / kDepth;
        Timeline line;
        for (int track = 0; track < kTracks * kDepth; ++track) {
            line.lanes << QString("thread %1").arg(track);
            for (int i = 0; i < kCalls; ++i)
                line.spans.push_back({QString("call %1").arg(i % 50), track, 10.0 * i, 2.0 + i % 8,
                                      kNoItem, Span::Kind::Slice, false,
                                      static_cast<uint8_t>(i % 50)});
        }
        line.us = 10.0 * kCalls;
        TimelineView view;
        view.resize(1280, 1000);
        view.show();
        const size_t count = line.spans.size();
        const double begin = threadMs();
        view.setTimeline(std::move(line), false);
        const double taken = threadMs() - begin;
        QImage screen(view.size(), QImage::Format_ARGB32_Premultiplied);
        double most = 0, sum = 0;
        int frames = 0;
        const auto frame = [&] {
            const double start = threadMs();
            view.render(&screen);
            const double ms = threadMs() - start;
            most = std::max(most, ms), sum += ms, ++frames;
        };
        const auto keys = [&](Qt::Key key, int times) {
            for (int i = 0; i < times; ++i) {
                QTest::keyClick(&view, key);
                frame();
            }
        };
        keys(Qt::Key_Plus, 25); // from all of it to single calls
        keys(Qt::Key_Right, 20);
        keys(Qt::Key_Minus, 25);
        qInfo("%zu slices: a frame %.1f ms, at most %.1f (aim 16); taken in %.0f ms", count,
              sum / frames, most, taken);
        QVERIFY2(sum / frames <= kSlack * 16, qPrintable(QString::number(sum / frames)));
        QVERIFY2(most <= 1.5 * kSlack * 16, qPrintable(QString::number(most)));
    }

    /// What everything is painted anew for.
    void colours_and_presentation_change() {
        MainWindow::Options options;
        options.settingsFile = folder_.filePath("looks.ini");
        options.engineCommand = {CUTAWAY_TOOL, "serve"};
        MainWindow window(options);
        window.resize(1280, 800);
        window.show();
        window.session()->newDocument("import torch\n\n\n@torch.compile\ndef f(x):\n"
                                      "    return x.cos().cos().sum()\n\n\n"
                                      "f(torch.randn(2000, requires_grad=True)).backward()\n");
        QVERIFY(waitUntil([&] { return !window.session()->record()->isEmpty() && window.isIdle(); },
                          200000));
        const auto measured = [&](const char* what, const QKeySequence& keys) {
            const auto actions = window.findChildren<QAction*>();
            const auto act = std::ranges::find(actions, keys, &QAction::shortcut);
            if (act == actions.end()) return false;
            double least = 1e9;
            // There and back, twice; on a machine that is busy for a while more often.
            for (int i = 0; i < 4 || (i < 16 && least > kSlack * 100); ++i) {
                const double begin = threadMs();
                (*act)->trigger();
                QTest::qWait(300); // until all is painted: what it waits does not count
                least = std::min(least, threadMs() - begin);
            }
            qInfo("  %s: %.0f ms (aim 100)", what, least);
            return least <= kSlack * 100;
        };
        const bool themed = measured("another theme", QKeySequence("Ctrl+Alt+T"));
        QVERIFY(measured("presentation", QKeySequence(Qt::Key_F11)));
        QVERIFY(themed);
    }

    void a_record_of_ten_thousand_nodes() {
        const QString path = compiled("blocks", kBlocks);
        QVERIFY(QFile::exists(path));
        // What else the machine does lengthens one turn or another, seldom the same one three times.
        std::vector<std::pair<double, QByteArray>> least;
        double lit = 1e9;
        for (int i = 0; i < 3; ++i) {
            std::vector<std::pair<double, QByteArray>> away;
            double slowest = 0;
            useRecord(path, away, slowest);
            if (QTest::currentTestFailed()) return;
            lit = std::min(lit, slowest);
            if (least.empty()) least = away;
            for (size_t step = 0; step < away.size(); ++step)
                least[step] = std::min(least[step], away[step]);
        }
        const auto& [longest, during] = *std::ranges::max_element(least);
        qInfo("  longest turn %.1f ms (aim %.0f): %s", longest, kTurn, during.constData());
        QVERIFY2(longest <= kSlack * kTurn,
                 qPrintable(QString("%1 ms %2").arg(longest).arg(during.constData())));
        QVERIFY2(lit <= kSlack * 50, qPrintable(QString::number(lit)));
    }

    /// Data written into a script.
    void a_line_of_four_hundred_kilobytes() {
        CodeView editor;
        editor.setLanguage("python");
        editor.resize(700, 500);
        editor.show();
        const QString code =
            "import torch\nx = [" + QString("0.5, ").repeated(80000) + "]\ny = 1\n";
        auto measured = [&](const char* what, double aim, const std::function<void()>& act) {
            const double begin = threadMs();
            act();
            editor.repaint();
            QCoreApplication::processEvents();
            const double ms = threadMs() - begin;
            qInfo("  %s: %.1f ms", what, ms);
            return ms <= kSlack * aim;
        };
        QWidget* view = editor.viewport();
        QVERIFY(measured("first paint", 100, [&] { editor.setCode(code, false); }));
        QVERIFY(measured("pointer", 16, [&] { QTest::mouseMove(view, {60, 25}); }));
        QVERIFY(measured("pointer", 16, [&] { QTest::mouseMove(view, {90, 25}); }));
        QVERIFY(
            measured("click", 33, [&] { QTest::mouseClick(view, Qt::LeftButton, {}, {90, 25}); }));
        QVERIFY(measured("key", 33, [&] { QTest::keyClick(&editor, Qt::Key_1); }));
        QVERIFY(measured("end", 33, [&] { QTest::keyClick(&editor, Qt::Key_End); }));
        QVERIFY(measured("error", 33, [&] { editor.addError(1, 5, 9, "wrong", false); }));
    }

    /// The script itself: its graphs and partition are there long before its code.
    void first_stages_of_ten_thousand_nodes() {
        // As above: a turn that only what else the machine does makes long is seldom long twice.
        double least = 1e9;
        QByteArray what;
        for (int i = 0; i < 3 && least > kTurn; ++i) {
            double away = 0;
            firstStages(away, what);
            if (QTest::currentTestFailed()) return;
            least = std::min(least, away);
        }
        QVERIFY2(least <= kSlack * kTurn, what.constData());
    }

private:
    /// \param[out] away the longest turn of the GUI thread, in milliseconds; \p what it was
    void firstStages(double& away, QByteArray& what) {
        MainWindow::Options options;
        options.engineCommand = {CUTAWAY_TOOL, "serve"};
        options.settingsFile = folder_.filePath("stages.ini");
        MainWindow window(options);
        window.resize(1280, 800);
        window.show();
        QVERIFY(idle(window));
        auto& turn = *static_cast<TimedApplication*>(qApp);
        turn.take();
        const Session& session = *window.session();
        QElapsedTimer timer;
        timer.start();
        window.session()->newDocument(kBlocks);
        auto holds = [&](auto what) {
            const record::Entry* entry = session.currentEntry();
            return entry && what(*entry);
        };
        auto waitFor = [&](auto what) {
            waitUntil([&] { return holds(what) || session.failed(); }, 200000);
            return msSince(timer);
        };
        const double captured =
            waitFor([](const record::Entry& entry) { return entry.graph("captured") != nullptr; });
        const double joint =
            waitFor([](const record::Entry& entry) { return entry.graph("joint") != nullptr; });
        const double cut = waitFor([](const record::Entry& entry) { return entry.hasPartition; });
        QVERIFY(session.isPartial());
        QVERIFY(!session.failed());
        QVERIFY(idle(window));
        const double whole = msSince(timer);
        QVERIFY(!session.isPartial());
        away = turn.take();
        what = turn.what();
        qInfo(
            "captured graph after %.0f ms, joint graph %.0f, partition %.0f, all %.0f; GUI thread "
            "away at most %.1f ms (%s)",
            captured, joint, cut, whole, away, what.constData());
        QVERIFY2(cut * 2 < whole, qPrintable(QString::number(cut)));
    }

    QTemporaryDir folder_;
};

int main(int argc, char** argv) {
    TimedApplication app(argc, argv);
    TestWindowSize test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_window_size.moc"
