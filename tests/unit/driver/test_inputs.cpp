// SPDX-License-Identifier: Apache-2.0
// Values in place of a case file's own: drawn as PyTorch draws them, or an array of a file.
#include "core/driver/case.h"
#include "core/driver/npy.h"

#include "core/base/base64.h"

#include <QtTest>
#include <cstring>

using namespace cutaway;

namespace {

/// What the model's first output is.
base::Result<ir::HostTensor> outputOf(const std::string& inputs, std::vector<std::string> decisions,
                                      const std::string& file = {}) {
    driver::SessionOptions options;
    options.path = "model.py";
    options.text = "import torch\n"
                   "def model(x, n):\n    return x * 1, n * 1\n"
                   "def example_inputs(size):\n" +
                   inputs;
    options.decisions = std::move(decisions);
    options.readInput = [file](const std::string&) -> base::Result<std::string> { return file; };
    driver::Tools tools{std::string()};
    CUTAWAY_TRY(driver::LoadedProgram loaded,
                driver::loadProgram(tools, options, "eager", nullptr));
    CUTAWAY_TRY(driver::CaseStep step, driver::CaseStep::make(loaded, "", "eager"));
    CUTAWAY_CHECK(step.run());
    return runtime::toHost(*step.outputs()[options.decisions[0].starts_with("input 1") ? 1 : 0]);
}

const char* kOwn = "    return torch.full((3, 5), 9.0), torch.arange(4)\n";

std::string npy(const std::string& descr, const std::string& shape, const std::string& data,
                const std::string& fortran = "False") {
    std::string header =
        "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
    header.resize((header.size() + 10 + 64) / 64 * 64 - 10, ' ');
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(header.size() % 256);
    file += static_cast<char>(header.size() / 256);
    return file + header + data;
}

std::string floats(const std::vector<float>& values) {
    std::string bytes(values.size() * sizeof(float), '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

std::vector<double> valuesOf(const ir::HostTensor& tensor) {
    std::vector<double> values;
    for (int64_t i = 0; i < tensor.numel(); ++i)
        values.push_back(tensor.get(i));
    return values;
}

} // namespace

class TestInputs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbers_are_those_of_torch_data();
    void numbers_are_those_of_torch();
    void constants_and_files();
    void what_cannot_be_read_is_told_data();
    void what_cannot_be_read_is_told();
    void arrays_of_numpy();
    void what_is_no_array_is_told_data();
    void what_is_no_array_is_told();
    void cases_tell_their_tensors();
    void bytes_as_text();
};

void TestInputs::numbers_are_those_of_torch_data() {
    QTest::addColumn<QString>("given");
    QTest::addColumn<QString>("own");
    QTest::newRow("normal") << "0=normal(0, 1, 7)" << "torch.randn(3, 5), torch.arange(4)";
    QTest::newRow("uniform") << "0=uniform(0, 1, 7)" << "torch.rand(3, 5), torch.arange(4)";
    QTest::newRow("moved") << "0=normal(2, 3, 7)"
                           << "torch.empty(3, 5).normal_(2, 3), torch.arange(4)";
    QTest::newRow("integers") << "1=ints(-3, 10, 7)"
                              << "torch.zeros(3, 5), torch.randint(-3, 10, (4,))";
}

void TestInputs::numbers_are_those_of_torch() {
    QFETCH(QString, given);
    QFETCH(QString, own);
    const std::string decision = "input " + given.toStdString();
    auto found = outputOf(kOwn, {decision});
    QVERIFY2(found.ok(), found.ok() ? "" : found.error().str().c_str());
    driver::SessionOptions options;
    options.path = "model.py";
    options.text = "import torch\ndef model(x, n):\n    return x * 1, n * 1\n"
                   "def example_inputs(size):\n    torch.manual_seed(7)\n    return " +
                   own.toStdString() + "\n";
    driver::Tools tools{std::string()};
    auto loaded = driver::loadProgram(tools, options, "eager", nullptr);
    QVERIFY(loaded.ok());
    auto step = driver::CaseStep::make(*loaded, "", "eager");
    QVERIFY(step.ok() && step->run().ok());
    auto drawn = runtime::toHost(*step->outputs()[given.startsWith('1') ? 1 : 0]);
    QVERIFY(drawn.ok());
    QCOMPARE(valuesOf(*found), valuesOf(*drawn));
}

void TestInputs::constants_and_files() {
    auto ones = outputOf(kOwn, {"input 0=ones"});
    QVERIFY(ones.ok());
    QCOMPARE(valuesOf(*ones), std::vector<double>(15, 1.0));
    QCOMPARE(ones->sizes, (std::vector<int64_t>{3, 5}));
    const std::string file = npy("<f4", "(2, 2)", floats({1, 2, 3, 4}));
    auto read = outputOf(kOwn, {"input 0=file(x.npy)"}, file);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().str().c_str());
    QCOMPARE(read->sizes, (std::vector<int64_t>{2, 2})); // sizes are the file's
    QCOMPARE(valuesOf(*read), (std::vector<double>{1, 2, 3, 4}));
    const std::string hash = record::textHash(file).substr(0, 12);
    QVERIFY(outputOf(kOwn, {"input 0=file(x.npy, " + hash + ")"}, file).ok());
    auto other = outputOf(kOwn, {"input 0=file(x.npy, 0123456789ab)"}, file);
    QVERIFY(!other.ok());
    QCOMPARE(other.error().message, std::string("this file is another one than was chosen"));
    auto kind = outputOf(kOwn, {"input 1=file(x.npy)"}, file);
    QVERIFY(!kind.ok());
    QCOMPARE(kind.error().message, std::string("input 1 is int64, and the file holds float32"));
}

void TestInputs::what_cannot_be_read_is_told_data() {
    QTest::addColumn<QString>("given");
    for (const char* text :
         {"0", "x=ones", "0=", "0=twos", "0=normal(0, 1)", "0=normal(0, -1, 7)",
          "0=uniform(1, 1, 7)", "0=ints(0.5, 2, 7)", "0=ints(0, 2, -1)", "0=file()",
          "0=normal(0, 1, 7", "0=normal(nan, 1, 7)", "2=ones", "1=normal(0, 1, 7)"})
        QTest::newRow(text) << text;
}

void TestInputs::what_cannot_be_read_is_told() {
    QFETCH(QString, given);
    auto found = outputOf(kOwn, {"input " + given.toStdString()});
    QVERIFY(!found.ok());
    QVERIFY(found.error().fault == base::Fault::Usage);
}

void TestInputs::arrays_of_numpy() {
    auto read = [](const std::string& bytes) { return driver::readNpy(bytes, "x.npy"); };
    auto plain = read(npy("<f4", "(2, 3)", floats({1, 2, 3, 4, 5, 6})));
    QVERIFY(plain.ok());
    auto turned = read(npy("<f4", "(2, 3)", floats({1, 4, 2, 5, 3, 6}), "True"));
    QVERIFY(turned.ok());
    QCOMPARE(valuesOf(*turned), valuesOf(*plain));
    auto scalar = read(npy("|u1", "()", "\x07"));
    QVERIFY(scalar.ok() && scalar->sizes.empty());
    QCOMPARE(scalar->get(0), 7.0);
    QVERIFY(read(npy("<i8", "(0,)", "")).ok());
    auto truths = read(npy("|b1", "(3,)", std::string("\x02\x00\xff", 3)));
    QVERIFY(truths.ok());
    QCOMPARE(valuesOf(*truths), (std::vector<double>{1, 0, 1}));
}

void TestInputs::what_is_no_array_is_told_data() {
    QTest::addColumn<QByteArray>("bytes");
    auto row = [](const char* name, const std::string& bytes) {
        QTest::newRow(name) << QByteArray::fromStdString(bytes);
    };
    row("nothing", "");
    row("a picture", "\x89PNG and so on and on");
    row("cut off", npy("<f4", "(2,)", floats({1, 2})).substr(0, 20));
    row("too little", npy("<f4", "(3,)", floats({1, 2})));
    row("another dtype", npy("<U8", "(1,)", std::string(32, 'x')));
    row("big-endian", npy(">f4", "(1,)", floats({1})));
    row("a sea of elements", npy("<f4", "(1099511627776, 1099511627776)", floats({1})));
    row("strides beyond memory", npy("<f4", "(0, 1099511627776, 1099511627776)", ""));
    std::string ones = "(";
    for (int k = 0; k < 65; ++k)
        ones += "1, ";
    row("more dimensions than arrays have", npy("<f4", ones + ")", floats({1})));
    row("no sizes", npy("<f4", "(a,)", floats({1})));
    row("no header", npy("<f4", "(1,)", "").replace(10, 3, "xyz"));
}

void TestInputs::what_is_no_array_is_told() {
    QFETCH(QByteArray, bytes);
    auto read = driver::readNpy(bytes.toStdString(), "x.npy");
    QVERIFY(!read.ok());
    QVERIFY(read.error().fault == base::Fault::User);
}

void TestInputs::cases_tell_their_tensors() {
    driver::SessionOptions options;
    options.path = "model.py";
    options.text = "import torch\ndef model(x, more):\n    return x\n"
                   "def example_inputs(size):\n"
                   "    x = torch.zeros(2)\n    return x, [x, torch.arange(3)]\n";
    driver::Tools tools{std::string()};
    auto inputs = driver::caseInputs(tools, options);
    QVERIFY(inputs.ok());
    QCOMPARE(inputs->size(), size_t(2));
    QCOMPARE((*inputs)[0].argument, std::string("0"));
    QCOMPARE((*inputs)[1].argument, std::string("1.2"));
    QVERIFY((*inputs)[1].integral && !(*inputs)[0].integral);
    QCOMPARE(driver::inputFile("input 0=file(/a, b/x.npy, 0123456789ab)"), "/a, b/x.npy");
    QVERIFY(!driver::inputFile("input 0=ones") && !driver::inputFile("save x"));
}

void TestInputs::bytes_as_text() {
    for (size_t length = 0; length < 70; ++length) {
        std::string bytes;
        for (size_t i = 0; i < length; ++i)
            bytes += static_cast<char>(i * 37);
        QCOMPARE(base::fromBase64(base::toBase64(bytes)), bytes);
    }
    QCOMPARE(base::toBase64("Man"), std::string("TWFu"));
    QVERIFY(!base::fromBase64("TWF*"));
}

QTEST_GUILESS_MAIN(TestInputs)
#include "test_inputs.moc"
