// SPDX-License-Identifier: Apache-2.0
// Stories told from the records of the samples: every kernel that has loops can be followed, within
// its buffers and on its lines; the cut followed path by path saves what was saved.
#include "core/driver/session.h"
#include "core/driver/stories.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <map>
#include <set>

using namespace cutaway;

class TestStories : public QObject {
    Q_OBJECT

    static record::Record compiled(const QString& file, std::vector<std::string> decisions = {},
                                   const char* size = "") {
        driver::Tools tools{base::Result<std::string>(std::string())};
        driver::SessionOptions options;
        options.path = file.toStdString();
        options.decisions = std::move(decisions);
        options.size = size;
        driver::Compiled made = driver::compile(tools, options);
        if (made.error) qWarning("%s", made.error->message.c_str());
        return std::move(made.record);
    }
    static QString sample(const char* name) {
        return QString(CUTAWAY_SOURCE_DIR) + "/samples/" + name;
    }
    static bool runsOn(const record::KernelInfo& kernel, const std::string& target) {
        return target.empty() || std::ranges::any_of(kernel.candidates, [&](const auto& one) {
                   return one.target == target && one.refused.empty();
               });
    }
    static void checkKernel(const record::LoweredGraph& graph, const record::KernelInfo& kernel,
                            const std::string& target) {
        const auto story = driver::tellKernel(graph, kernel, target);
        if (kernel.kind != "loops") {
            QVERIFY(!story.ok());
            QVERIFY(story.error().message.find("library") != std::string::npos);
            return;
        }
        QVERIFY2(story.ok(),
                 (kernel.name + (story.ok() ? "" : ": " + story.error().message)).c_str());
        QCOMPARE(story->schedule.empty(), target.empty());
        QVERIFY(!story->moments.empty());
        std::set<std::string> written;
        for (const driver::KernelStory::Moment& moment : story->moments) {
            QVERIFY(moment.line > 0 && size_t(moment.line) < story->lines.size());
            const std::string& line = story->lines[size_t(moment.line)];
            for (const driver::KernelStory::Touch& touch : moment.touches) {
                const driver::KernelStory::Buffer& buffer = story->buffers[size_t(touch.buffer)];
                QVERIFY2(line.find(buffer.name + "[") != std::string::npos,
                         (line + ": " + buffer.name).c_str());
                QCOMPARE(touch.coords.size(), buffer.sizes.size());
                QVERIFY(touch.worker >= -1 && touch.worker < int(story->workers.size()));
                for (size_t d = 0; d < touch.coords.size(); ++d)
                    QVERIFY(touch.coords[d] >= -1 && touch.coords[d] < buffer.sizes[d]);
                if (touch.kind != "read") written.insert(buffer.name);
            }
        }
        // A long story may end before the last loop.
        if (story->moments.size() < 400)
            QCOMPARE(written, std::set<std::string>(kernel.writes.begin(), kernel.writes.end()));
        QCOMPARE(story->whole, story->left.empty() && story->moments.size() < 400);
    }

private Q_SLOTS:
    void every_sample_can_be_followed_data() {
        QTest::addColumn<QString>("file");
        const QDir folder(sample(""));
        for (const QString& name : folder.entryList({"*.py"}))
            QTest::newRow(qPrintable(name)) << folder.filePath(name);
        const QDir models(CUTAWAY_SOURCE_DIR "/tests/data/onnx"); // with open sizes
        for (const QString& name : models.entryList({"*_by_dynamo.onnx"}))
            QTest::newRow(qPrintable(name)) << models.filePath(name);
    }
    void every_sample_can_be_followed() {
        QFETCH(QString, file);
        const record::Record record = compiled(file);
        QVERIFY(!record.functions.empty());
        for (const record::Function& function : record.functions)
            for (const record::Entry& entry : function.entries) {
                for (const record::LoweredGraph& graph : entry.lowered)
                    for (const record::KernelInfo& kernel : graph.kernels)
                        for (const char* target : {"", "cpu", "cuda"})
                            if (kernel.kind != "loops" || runsOn(kernel, target))
                                checkKernel(graph, kernel, target);
                if (!entry.hasPartition) continue;
                const auto tale = driver::tellCut(entry, {});
                QVERIFY2(tale.ok(), tale.ok() ? "" : tale.error().message.c_str());
                QCOMPARE(double(tale->value), entry.partition.cutWeight);
                std::set<std::string> saved;
                for (const record::SavedTensor& one : entry.partition.saved)
                    saved.insert(one.name);
                QCOMPARE(std::set<std::string>(tale->saved.begin(), tale->saved.end()), saved);
                int64_t total = 0;
                for (const driver::CutTale::Step& step : tale->steps) {
                    total += step.flow;
                    QCOMPARE(step.total, total);
                    QVERIFY(!step.path.empty());
                }
                QCOMPARE(total, tale->value);
            }
    }
    /// Which columns each worker reads at once, "0: 0…15 | 1: 32…47".
    static QString readAtOnce(const driver::KernelStory& story, size_t moment) {
        std::map<int, std::vector<int64_t>> read;
        for (const driver::KernelStory::Touch& touch : story.moments[moment].touches)
            if (touch.kind == "read") read[touch.worker].push_back(touch.coords.back());
        QStringList all;
        for (const auto& [worker, columns] : read)
            all << QString("%1: %2…%3").arg(worker).arg(columns.front()).arg(columns.back());
        return all.join(" | ");
    }
    void threads_and_blocks_share_what_is_done() {
        const record::Record record =
            compiled(sample("double_cosine.py"),
                     {"schedule forward/fused_cos_cos_1=elements: vector 16, threads 2"}, "cpu");
        const record::LoweredGraph& graph = record.functions[0].entries[0].lowered[0];
        const record::KernelInfo& kernel = graph.kernels[0];
        const auto cpu = driver::tellKernel(graph, kernel, "cpu");
        QVERIFY2(cpu.ok(), cpu.ok() ? "" : cpu.error().message.c_str());
        QCOMPARE(cpu->workers.size(), size_t{2});
        QCOMPARE(cpu->threads, int64_t{2});
        QCOMPARE(readAtOnce(*cpu, 0), QString("0: 0…15 | 1: 32…47")); // a stretch each
        QVERIFY(cpu->lines[1].find("threads") != std::string::npos);
        const auto gpu = driver::tellKernel(graph, kernel, "cuda");
        QVERIFY2(gpu.ok(), gpu.ok() ? "" : gpu.error().message.c_str());
        QCOMPARE(gpu->workers.size(), size_t{8}); // two blocks of four, drawn small
        QVERIFY(gpu->blocks > 2 && gpu->block > 4);
        const QString read = readAtOnce(*gpu, 0);
        QVERIFY2(read.startsWith("0: 0…3 | 1: 4…7 | 2: 8…11"), qPrintable(read)); // side by side
        const auto alone = driver::tellKernel(graph, kernel, "");
        QVERIFY(alone.ok() && alone->workers.empty());
        QCOMPARE(alone->moments[0].touches.size(), size_t{1});
        QVERIFY(!driver::tellKernel(graph, kernel, "tpu").ok());
    }
    /// Lanes of a warp share a row, and a block has several rows.
    void lanes_share_rows_that_blocks_share() {
        const record::Record record = compiled(sample("softmax_cross_entropy.py"), {});
        const record::LoweredGraph& graph = record.functions[0].entries[0].lowered[0];
        const auto story = driver::tellKernel(graph, graph.kernels[0], "cuda");
        QVERIFY2(story.ok(), story.ok() ? "" : story.error().message.c_str());
        bool shared = false; // one row by several at once
        for (const driver::KernelStory::Moment& moment : story->moments) {
            std::map<int64_t, std::set<int>> byRow;
            for (const driver::KernelStory::Touch& touch : moment.touches)
                if (touch.kind == "read" && touch.coords.size() == 2)
                    byRow[touch.coords[0]].insert(touch.worker);
            shared |= byRow.size() > 1 && std::ranges::all_of(byRow, [](const auto& row) {
                          return row.second.size() > 1;
                      });
        }
        QVERIFY(shared);
    }
    void tiles_are_done_one_after_the_other() {
        QTemporaryDir folder;
        QFile script(folder.filePath("turned_sum.py"));
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("import torch\ntrain = False\nsizes = {'cpu': (1024, 1024)}\n"
                     "def model(x, y):\n    return x.t() + y\n"
                     "def example_inputs(size):\n"
                     "    return (torch.randn(sizes[size]), torch.randn(sizes[size]))\n");
        script.close();
        const record::Record record = compiled(script.fileName());
        const record::LoweredGraph& graph = record.functions[0].entries[0].lowered[0];
        const auto found = std::ranges::find_if(graph.kernels, [](const auto& kernel) {
            return std::ranges::any_of(kernel.candidates, [](const auto& one) {
                return one.taken && one.decisions.find("tile ") != std::string::npos;
            });
        });
        QVERIFY(found != graph.kernels.end());
        const auto story = driver::tellKernel(graph, *found, "cpu");
        QVERIFY2(story.ok(), story.ok() ? "" : story.error().message.c_str());
        // A loop over tiles, one over rows, one in a tile.
        QVERIFY(std::ranges::count_if(story->lines, [](const std::string& line) {
                    return line.find("for ") != std::string::npos;
                }) >= 3);
    }
    void a_decided_cut_is_followed_as_decided() {
        const record::Record record = compiled(sample("double_cosine.py"), {"save cos"});
        const record::Entry& entry = record.functions[0].entries[0];
        const auto tale = driver::tellCut(entry, {"save cos"});
        QVERIFY2(tale.ok(), tale.ok() ? "" : tale.error().message.c_str());
        QVERIFY(std::find(tale->saved.begin(), tale->saved.end(), "cos") != tale->saved.end());
        QVERIFY(!driver::tellCut(entry, {}).ok()); // told from other wishes: not what was recorded
    }
    void where_there_is_no_cut_that_is_said() {
        const record::Record plain = compiled(sample("mul_add_relu.py"));
        const auto none = driver::tellCut(plain.functions[0].entries[0], {});
        QVERIFY(!none.ok() && none.error().message.find("no cut") != std::string::npos);
        const record::Record other = compiled(sample("double_cosine.py"), {"partitioner default"});
        const auto decided = driver::tellCut(other.functions[0].entries[0], {});
        QVERIFY(!decided.ok() && decided.error().message.find("'default'") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestStories)
#include "test_stories.moc"
