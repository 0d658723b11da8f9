// SPDX-License-Identifier: Apache-2.0
// Programs that torch.export saved (.pt2): what they compute, their gradients and what they write, against what
// PyTorch computed of them (tests/data/record_exported_programs.py); damaged ones.
#include "core/driver/exported_model.h"
#include "core/driver/nothing_compiled.h"
#include "core/driver/session.h"
#include "core/formats/zip.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QtTest>
#include <cmath>

using namespace cutaway;

class TestExportedPrograms : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void they_compute_what_pytorch_computes_data();
    void they_compute_what_pytorch_computes();
    void every_operation_is_a_line_with_its_place();
    void open_sizes_stay_open();
    void damaged_ones_are_told();
    void ones_that_compute_nothing_are_told();
    void names_are_no_code();

private:
    driver::Tools tools_{std::string(CUTAWAY_BINARY_DIR "/kernels_of_tests")};
};

static const QString kFolder = CUTAWAY_SOURCE_DIR "/tests/data/exported/";

static std::string read(const QString& name) {
    QFile file(kFolder + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// Prints as record_exported_programs.py does.
static const char* const kShow = R"(

def rounded(t):
    return [f"{v:.4f}" for v in t.detach().double().flatten().tolist()]


inputs = example_inputs("")
called = torch.compile(model, fullgraph=True) if compiled else model
flat = [t for t in torch.utils._pytree.tree_leaves(called(*inputs)) if t is not None]
for t in flat:
    print(t.dtype, list(t.shape), *rounded(t))
if trained:
    sum(t.sum() for t in flat if t.requires_grad).backward()
for own, p in sorted(model.named_parameters()):
    print(own, *rounded(p if p.grad is None else p.grad))
for own, b in sorted(model.named_buffers()):
    if own in saved.state_dict:
        print(own, *rounded(b))
)";

void TestExportedPrograms::they_compute_what_pytorch_computes_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("compiled");
    const QStringList files = QDir(kFolder).entryList({"*.pt2"}, QDir::Files);
    QVERIFY(files.size() >= 5);
    for (const QString& file : files)
        for (bool compiled : {false, true})
            QTest::addRow("%s %s", qPrintable(file), compiled ? "compiled" : "eager")
                << file.chopped(4) << compiled;
}

void TestExportedPrograms::they_compute_what_pytorch_computes() {
    QFETCH(QString, name);
    QFETCH(bool, compiled);
    const auto model = driver::exportedModel(read(name + ".pt2"), name.toStdString() + ".pt2");
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().message.c_str());
    driver::SessionOptions options;
    options.path = (name + ".pt2").toStdString();
    options.content = read(name + ".pt2");
    const bool trained = !name.endsWith("functional") && name != "constants";
    options.text = model->text + "compiled = " + (compiled ? "True" : "False") +
                   "\ntrained = " + (trained ? "True" : "False") + kShow;
    QString printed;
    options.print = [&](std::string_view text) {
        printed += QString::fromUtf8(text.data(), qsizetype(text.size()));
    };
    const auto status = driver::runScript(tools_, options);
    QVERIFY2(status.ok(), status.ok() ? "" : status.error().message.c_str());
    const QStringList ours = printed.trimmed().split('\n');
    QStringList theirs = QString::fromStdString(read(name + ".txt")).trimmed().split('\n');
    theirs.removeIf([](const QString& line) { // buffers that are not saved: constants here
        return line.startsWith("hidden ") || line.startsWith("lifted") || line.startsWith("c_");
    });
    QCOMPARE(ours.size(), theirs.size());
    for (qsizetype i = 0; i < ours.size(); ++i) {
        const QStringList a = ours[i].split(' '), b = theirs[i].split(' ');
        QCOMPARE(a.size(), b.size());
        for (qsizetype k = 0; k < a.size(); ++k) {
            bool isNumber = false;
            const double x = b[k].toDouble(&isNumber);
            const bool same = isNumber ? std::abs(a[k].toDouble() - x) <= 3e-4 : a[k] == b[k];
            QVERIFY2(same, qPrintable(ours[i] + "\n" + theirs[i]));
        }
    }
}

void TestExportedPrograms::every_operation_is_a_line_with_its_place() {
    const auto model = driver::exportedModel(read("sizes.pt2"), "a/sizes.pt2");
    QVERIFY(model.ok());
    const QString text = QString::fromStdString(model->text);
    QVERIFY2(text.contains("saved = torch.export.load(\"sizes.pt2\")\ntrain = True\n"),
             qPrintable(text));
    QVERIFY2(text.contains("linear = torch.ops.aten.linear.default(x, p_fc_weight, p_fc_bias)\n"),
             qPrintable(text));
    const QRegularExpression place(
        "\\n        # File: record_exported_programs.py:\\d+ in forward, code: y = self.fc");
    QVERIFY2(text.contains(place), qPrintable(text));
    QVERIFY(text.contains("    torch._dynamo.mark_dynamic(inputs[0], 0)\n    return inputs\n"));
    driver::SessionOptions options;
    options.path = "sizes.pt2";
    options.content = read("sizes.pt2");
    const driver::Compiled compiled = driver::compile(tools_, options);
    QVERIFY(!compiled.error);
    for (const record::GraphNode& node :
         compiled.record.functions.at(0).entries.at(0).graphs.at(0).nodes)
        if (node.op == "aten.linear.default") QCOMPARE(node.modulePath, std::string("fc"));
}

void TestExportedPrograms::open_sizes_stay_open() {
    driver::SessionOptions options;
    options.path = "sizes.pt2";
    options.content = read("sizes.pt2");
    const driver::Compiled compiled = driver::compile(tools_, options);
    QVERIFY(!compiled.error);
    const record::Entry& entry = compiled.record.functions.at(0).entries.at(0);
    const QString text = QString::fromStdString(entry.graphs.at(0).text);
    QVERIFY2(text.contains("x: f32[s0, 4]") && text.contains("f32[2*s0 + 1, 2]"), qPrintable(text));
}

/// The archive with one of its files replaced.
static std::string changed(const char* name, const std::string& end,
                           const std::function<void(std::string&)>& change) {
    formats::ZipEntries entries = *formats::readZip(read(name));
    for (auto& [file, bytes] : entries)
        if (QString::fromStdString(file).endsWith(QString::fromStdString(end))) change(bytes);
    return *formats::writeZip(entries);
}

void TestExportedPrograms::damaged_ones_are_told() {
    auto told = [](const std::string& bytes) {
        const auto model = driver::exportedModel(bytes, "m.pt2");
        return model.ok() ? QString() : QString::fromStdString(model.error().message);
    };
    QVERIFY(!told("PK\x03\x04nothing").isEmpty());
    QCOMPARE(driver::exportedModel("text", "m.pt2").error().where.file, std::string("m.pt2"));
    QVERIFY(!told(*formats::writeZip({{"a", "b"}})).isEmpty());
    const std::string whole = read("buffers.pt2");
    for (size_t length = 0; length < whole.size(); length += 997)
        QVERIFY(!told(whole.substr(0, length)).isEmpty());
    auto cut = [](std::string& bytes) { bytes.resize(bytes.size() / 2); };
    QVERIFY(told(changed("buffers.pt2", "weights/weight_0", cut)).contains("bytes that are there"));
    QVERIFY(!told(changed("buffers.pt2", "models/model.json", cut)).isEmpty());
    auto replaced = [](const char* from, const char* to) {
        return [from, to](std::string& bytes) {
            bytes = QString::fromStdString(bytes).replace(from, to).toStdString();
        };
    };
    for (const char* size : {"-1", "9223372036854775807", "1099511627776", "\"x\""})
        QVERIFY2(
            !told(changed("buffers.pt2", "weights_config.json",
                          replaced("\"as_int\": 6", qPrintable(QString("\"as_int\": ") + size))))
                 .isEmpty(),
            size);
    QVERIFY(told(changed("buffers.pt2", "models/model.json",
                         replaced("torch.ops.aten.gelu.default", "torch.ops.higher_order.cond")))
                .contains("torch.ops.higher_order.cond"));
}

void TestExportedPrograms::ones_that_compute_nothing_are_told() {
    const base::Diagnostic told = driver::nothingCompiled("model.pt2", "import torch\n");
    QCOMPARE(told.message, "nothing was compiled: the exported program computes nothing");
}

void TestExportedPrograms::names_are_no_code() {
    for (const char* name : {"x); print(1", "x\\nimport os", "x y"}) {
        const std::string bytes =
            changed("buffers.pt2", "models/model.json", [&](std::string& json) {
                json = QString::fromStdString(json)
                           .replace("\"x\"", QString("\"%1\"").arg(name))
                           .toStdString();
            });
        QVERIFY2(!driver::exportedModel(bytes, "m.pt2").ok(), name);
    }
    const auto model = driver::exportedModel(read("sizes.pt2"), "a\nimport b\"\n.pt2");
    QVERIFY(model.ok());
    QVERIFY(!QString::fromStdString(model->text).contains("\nimport b"));
}

QTEST_GUILESS_MAIN(TestExportedPrograms)
#include "test_exported_programs.moc"
