// SPDX-License-Identifier: Apache-2.0
// ONNX's own cases (Debian's libonnx-testdata), one operator each: what a model computes here against what is stored
// beside it. What does not pass is named with its reason in tests/data/onnx_cases_that_fail.txt.
#include "core/driver/onnx_model.h"
#include "core/driver/session.h"
#include "core/formats/onnx.h"
#include "core/ir/dtype.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace cutaway;

class TestOnnxModels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void they_compute_what_is_stored_beside_them_data();
    void they_compute_what_is_stored_beside_them();
    void models_of_exporters_compute_what_pytorch_does_data();
    void models_of_exporters_compute_what_pytorch_does();
    void an_operator_is_a_line();
    void damaged_ones_are_told();
    void names_are_no_code();
    void weights_lie_beside_the_model();

private:
    driver::Tools tools_{std::string(CUTAWAY_BINARY_DIR "/kernels_of_tests")};
};

static const QString kData = "/usr/share/libonnx-testdata/data/";

static std::string bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

static ir::HostTensor hostOf(const formats::OnnxTensor& tensor) {
    const auto dtype = ir::dtypeFromOnnx(tensor.type);
    if (!dtype) throw std::runtime_error("its tensors are not of numbers");
    const auto count =
        tensor.numel(); // a sequence or an optional value reads as a tensor of anything
    if (!count || static_cast<size_t>(*count) * ir::sizeBytes(*dtype) != tensor.bytes.size())
        throw std::runtime_error("its tensors are not whole");
    ir::HostTensor host = ir::HostTensor::zeros(*dtype, tensor.sizes);
    if (!tensor.bytes.empty())
        std::memcpy(host.bytes.data(), tensor.bytes.data(), tensor.bytes.size());
    return host;
}

/// A tensor as a Python expression; of complex numbers it is none.
static std::string textOf(const formats::OnnxTensor& tensor) {
    const ir::HostTensor host = hostOf(tensor);
    std::vector<std::string> numbers;
    const bool real = ir::info(host.dtype).category == ir::DTypeInfo::Category::Floating;
    for (int64_t i = 0; i < host.numel(); ++i)
        numbers.push_back(!real ? std::to_string(host.getInt(i)) : fmt::format("{}", host.get(i)));
    const std::string_view name = ir::info(host.dtype).name;
    const char* first = real ? "float64" : host.dtype == ir::DType::UInt64 ? "uint64" : "int64";
    return fmt::format("torch.tensor([{}(n) for n in '{}'.split()], dtype=torch.{}).to(torch.{})"
                       ".reshape([{}])",
                       real ? "float" : "int", fmt::join(numbers, " "), first, name,
                       fmt::join(tensor.sizes, ", "));
}

static std::string texts(const QString& folder, const char* kind) {
    std::string list;
    for (int i = 0;; ++i) {
        const QString path = QString("%1/test_data_set_0/%2_%3.pb").arg(folder, kind).arg(i);
        if (!QFile::exists(path)) return list;
        const auto tensor = formats::readOnnxTensor(bytesOf(path));
        if (!tensor.ok()) throw std::runtime_error("its tensors cannot be read");
        list += textOf(*tensor) + ",\n    ";
    }
}

/// The tolerances of ONNX's own runner (onnx/backend/test/runner).
static const char* const kCompare = R"(
from torch.onnx._values import tensor
got = run(*inputs)
got = [got] if len(expected) == 1 else list(got)
for a, b in zip(got, expected):
    a = tensor(a)
    assert a.dtype == b.dtype, f"{a.dtype}, not {b.dtype}"
    assert a.shape == b.shape, f"{tuple(a.shape)}, not {tuple(b.shape)}"
    if not b.is_floating_point():
        assert torch.equal(a, b), f"{a}, not {b}"
    else:
        assert torch.allclose(a.double(), b.double(), rtol=1e-3, atol=1e-6, equal_nan=True), f"{a}, not {b}"
)";

/// Empty, or what went wrong.
static std::string ran(driver::Tools& tools, const QString& folder, bool compiled) {
    try {
        driver::SessionOptions options;
        options.path = (folder + "/model.onnx").toStdString();
        options.content = bytesOf(folder + "/model.onnx");
        auto model = driver::onnxModel(*options.content, options.path);
        if (!model.ok()) return model.error().message;
        options.text = model->text + "\ninputs = (" + texts(folder, "input") + ")\nexpected = [" +
                       texts(folder, "output") +
                       "]\nrun = " + (compiled ? "torch.compile(model, fullgraph=True)" : "model") +
                       kCompare;
        options.print = [](std::string_view) {};
        const auto status = driver::runScript(tools, options);
        return status.ok() ? "" : status.error().message;
    } catch (const std::runtime_error& error) {
        return error.what();
    }
}

/// Name -> reason.
static QMap<QString, QString> thatFail() {
    QMap<QString, QString> named;
    for (const QByteArray& line :
         QByteArray::fromStdString(
             bytesOf(CUTAWAY_SOURCE_DIR "/tests/data/onnx_cases_that_fail.txt"))
             .split('\n'))
        if (const qsizetype space = line.indexOf(' '); space > 0)
            named[QString::fromUtf8(line.left(space))] = QString::fromUtf8(line.mid(space + 1));
    return named;
}

void TestOnnxModels::they_compute_what_is_stored_beside_them_data() {
    if (!QDir(kData).exists()) QSKIP("libonnx-testdata is not installed");
    QTest::addColumn<QString>("folder");
    // CUTAWAY_ONNX_EVERY=1 tries all; by default a part, another in each folder.
    const int every = std::max(1, qEnvironmentVariableIsSet("CUTAWAY_ONNX_EVERY")
                                      ? qEnvironmentVariableIntValue("CUTAWAY_ONNX_EVERY")
                                      : 12);
    int number = 0;
    for (const char* kind : {"node", "simple", "pytorch-operator", "pytorch-converted"})
        for (const QString& name :
             QDir(kData + kind).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
            if (number++ % every == 0)
                QTest::addRow("%s/%s", kind, qPrintable(name)) << kData + kind + "/" + name;
}

void TestOnnxModels::they_compute_what_is_stored_beside_them() {
    static const QMap<QString, QString> failing = thatFail();
    static int number = 0;
    QFETCH(QString, folder);
    const QString name = QString::fromUtf8(QTest::currentDataTag());
    const std::string problem = ran(tools_, folder, false);
    if (failing.contains(name)) {
        QVERIFY2(!problem.empty(), "passes: take it out of tests/data/onnx_cases_that_fail.txt");
        return;
    }
    QVERIFY2(problem.empty(), problem.c_str());
    if (number++ % 4) return;
    const std::string compiled = ran(tools_, folder, true);
    // Numbers that a graph computes decide what is computed: no whole graph.
    QVERIFY2(compiled.empty() || compiled.find("that the graph computes") != std::string::npos,
             compiled.c_str());
}

static const QString kExported = CUTAWAY_SOURCE_DIR "/tests/data/onnx/";

void TestOnnxModels::models_of_exporters_compute_what_pytorch_does_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("compiled");
    const QStringList files = QDir(kExported).entryList({"*.onnx"}, QDir::Files);
    QVERIFY(files.size() >= 3);
    for (const QString& file : files)
        for (bool compiled : {false, true})
            QTest::addRow("%s %s", qPrintable(file), compiled ? "compiled" : "eager")
                << file.chopped(5) << compiled;
}

/// On inputs of another size than the model was exported with, where its sizes are open.
void TestOnnxModels::models_of_exporters_compute_what_pytorch_does() {
    QFETCH(QString, name);
    QFETCH(bool, compiled);
    driver::SessionOptions options;
    options.path = (name + ".onnx").toStdString();
    options.content = bytesOf(kExported + name + ".onnx");
    const auto model = driver::onnxModel(*options.content, options.path);
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().message.c_str());
    options.text = model->text +
                   "\nrun = " + (compiled ? "torch.compile(model, fullgraph=True)" : "model") +
                   "\n" + bytesOf(kExported + name + ".txt");
    QString printed;
    options.print = [&](std::string_view text) {
        printed += QString::fromUtf8(text.data(), qsizetype(text.size()));
    };
    const auto status = driver::runScript(tools_, options);
    QVERIFY2(status.ok(), status.ok() ? "" : status.error().message.c_str());
    QCOMPARE(printed, "equal\n");
}

/// A message of the fields that a model needs: version 8, ai.onnx 17, and \p graph.
static std::string modelOf(const std::string& graph) {
    auto longField = [](int number, const std::string& bytes) {
        std::string made(1, char(number << 3 | 2));
        for (size_t rest = bytes.size(); made.size() == 1 || rest; rest >>= 7)
            made += char((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
        return made + bytes;
    };
    return std::string("\x08\x08", 2) + longField(8, std::string("\x10\x11", 2)) +
           longField(7, graph);
}

static std::string field(int number, const std::string& bytes) {
    return std::string{char(number << 3 | 2), char(bytes.size())} + bytes;
}

/// A graph of \p nodes, from the input \p x (float32[2]) to the output \p y.
static std::string graphOf(const std::string& nodes, const std::string& x, const std::string& y) {
    const std::string shape = field(1, std::string("\x08\x02", 2)),
                      type = field(2, field(1, std::string("\x08\x01", 2) + field(2, shape)));
    return nodes + field(2, "g") + field(11, field(1, x) + type) + field(12, field(1, y) + type);
}

static std::string nodeOf(const std::string& op, const std::string& x, const std::string& y,
                          const std::string& more = {}) {
    return field(1, field(1, x) + field(2, y) + field(4, op) + more);
}

void TestOnnxModels::an_operator_is_a_line() {
    const std::string graph = graphOf(nodeOf("Relu", "x.1", "/a/h", field(3, "/b/b.0/c/Relu")) +
                                          nodeOf("Neg", "/a/h", "print"),
                                      "x.1", "print");
    const auto model = driver::onnxModel(modelOf(graph), "a/m.onnx");
    QVERIFY2(model.ok(), model.ok() ? "" : model.error().message.c_str());
    const QString text = QString::fromStdString(model->text);
    for (const char* part :
         {"# m.onnx: an ONNX model, operators of version 17",
          "held = _operators.load(\"m.onnx\")\n",
          "    def forward(self, x_1):\n        # b.0.c\n        a_h = op.Relu(x_1)\n"
          "        print_ = op.Neg(a_h)\n        return print_\n",
          "    inputs = (torch.randn([2], dtype=torch.float32),)\n"})
        QVERIFY2(text.contains(part), qPrintable(text));
    // What is open has a name and an example, which --size overrides.
    std::string open = graph;
    for (size_t at = 0; (at = open.find("\x08\x02", at)) != std::string::npos; at += 2)
        open[at] = '\x12', open[at + 1] = '\x00'; // a symbol without a name
    const auto sized = driver::onnxModel(modelOf(open), "a/m.onnx");
    QVERIFY(sized.ok());
    QVERIFY2(QString::fromStdString(sized->text).contains("open_sizes = {\"x.1_0\": 2}\n"),
             sized->text.c_str());
    QCOMPARE(model->modulesOfLines.size(), size_t{1});
    const auto& [line, module] = *model->modulesOfLines.begin();
    QCOMPARE(module, std::string("b.0.c"));
    QCOMPARE(text.split('\n')[line - 1].trimmed(), QString("a_h = op.Relu(x_1)"));
    // As torch.onnx.export tells it by now; what it puts around everything is no module.
    const auto scoped = [](const std::string& scopes) {
        return field(9, field(1, "pkg.torch.onnx.name_scopes") + field(2, scopes));
    };
    const auto told = driver::onnxModel(
        modelOf(graphOf(nodeOf("Relu", "x", "h", scoped("['', 'mlp', 'mlp.0', 'relu']")) +
                            nodeOf("Neg", "h", "i", scoped("['', 'neg']")) +
                            nodeOf("Exp", "i", "j", scoped("['_empty_hook', 'exp']")),
                        "x", "j")),
        "m.onnx");
    QVERIFY(told.ok());
    QCOMPARE(told->modulesOfLines.size(), size_t{1});
    QCOMPARE(told->modulesOfLines.begin()->second, std::string("mlp.0"));
}

void TestOnnxModels::damaged_ones_are_told() {
    const std::string whole = modelOf(graphOf(nodeOf("Relu", "x", "y"), "x", "y"));
    QVERIFY(driver::onnxModel(whole, "m.onnx").ok());
    for (size_t end = 0; end < whole.size(); ++end) { // no crash, and never a model of a part
        const auto model = driver::onnxModel(std::string_view(whole).substr(0, end), "m.onnx");
        QVERIFY(!model.ok());
        QVERIFY2(model.error().message.starts_with("this ONNX model cannot be read: "),
                 model.error().message.c_str());
    }
    for (size_t at = 0; at < whole.size(); ++at)
        for (int bit = 0; bit < 8; ++bit) {
            std::string other = whole;
            other[at] = char(other[at] ^ (1 << bit));
            (void)driver::onnxModel(other, "m.onnx");
        }
    auto says = [](const std::string& nodes) {
        const auto model = driver::onnxModel(modelOf(graphOf(nodes, "x", "y")), "m.onnx");
        return QString::fromStdString(model.ok() ? "" : model.error().message);
    };
    QVERIFY(says(nodeOf("Relu", "z", "y")).contains("'z' is used before anything computes it"));
    QVERIFY(says(nodeOf("Relu", "x", "z")).contains("'y' is used before anything computes it"));
    QVERIFY(says(nodeOf("Relu", "x", "y", field(7, "com.microsoft")))
                .contains("the operator 'Relu' of the domain 'com.microsoft'"));
}

void TestOnnxModels::names_are_no_code() {
    const std::string evil = "y\nimport os\n\"'";
    const auto model = driver::onnxModel(
        modelOf(graphOf(nodeOf("Relu", "x", evil, field(3, "/a\nimport os/Relu")), "x", evil)),
        "m\nimport os.onnx");
    QVERIFY(model.ok());
    QVERIFY2(!QString::fromStdString(model->text).contains("\nimport os"), model->text.c_str());
    for (const std::string op : {"Relu(x)\nimport os\nop.Relu", "a.b", ""}) {
        const auto other =
            driver::onnxModel(modelOf(graphOf(nodeOf(op, "x", "y"), "x", "y")), "m.onnx");
        QVERIFY(!other.ok());
    }
}

void TestOnnxModels::weights_lie_beside_the_model() {
    QTemporaryDir folder;
    auto entry = [](const std::string& key, const std::string& value) {
        return field(13, field(1, key) + field(2, value));
    };
    auto model = [&](const std::string& file, const std::string& length) {
        const std::string weight =
            field(5, std::string("\x08\x02\x10\x01", 4) + field(8, "w") + entry("location", file) +
                         entry("offset", "4") + entry("length", length));
        const std::string path = (folder.path() + "/m.onnx").toStdString();
        const std::string add =
            field(1, field(1, "x") + field(1, "w") + field(2, "y") + field(4, "Add"));
        return driver::onnxModel(modelOf(weight + graphOf(add, "x", "y")), path);
    };
    QFile file(folder.path() + "/w.bin");
    QVERIFY(file.open(QIODevice::WriteOnly));
    const float numbers[] = {9, 1, 2};
    file.write(reinterpret_cast<const char*>(numbers), sizeof numbers);
    file.close();
    const auto whole = model("w.bin", "8");
    QVERIFY2(whole.ok(), whole.ok() ? "" : whole.error().message.c_str());
    QCOMPARE(whole->tensors.size(), size_t{1});
    auto says = [&](const std::string& name, const std::string& length) {
        const auto made = model(name, length);
        return QString::fromStdString(made.ok() ? "" : made.error().message);
    };
    QVERIFY(says("w.bin", "12").contains("'w.bin' has 12 bytes; weight 'w' lies from 4 to 16"));
    QVERIFY(says("w.bin", "4").contains("has 4 bytes; its 2 elements take 8"));
    for (const char* away : {"../w.bin", "/etc/passwd", "a/../../w.bin"})
        QVERIFY(says(away, "8").contains("weight 'w' lies in a file elsewhere"));
}

QTEST_GUILESS_MAIN(TestOnnxModels)
#include "test_onnx_models.moc"
