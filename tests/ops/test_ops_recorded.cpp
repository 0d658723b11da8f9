// SPDX-License-Identifier: Apache-2.0
// Composites have their formula as reference; what it gives is compared with what PyTorch gave for
// the same inputs (compare_with_torch.py --record).
#include "core/ops/composite.h"
#include "tests/ops/sample_graph.h"

#include <QtTest>

#include <sstream>

using namespace cutaway;
using ir::HostTensor;

namespace {

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, at);)
        parts.push_back(part);
    return parts;
}

ir::DType dtypeOf(const std::string& name) {
    for (ir::DType dtype : {ir::DType::Float32, ir::DType::Float64, ir::DType::Int32,
                            ir::DType::Int64, ir::DType::UInt8, ir::DType::Bool})
        if (ir::name(dtype) == name) return dtype;
    qFatal("unknown dtype %s", name.c_str());
}

/// "float32 2x3 1,2,.." for each result.
std::vector<HostTensor> resultsOf(const std::vector<std::string>& words) {
    std::vector<HostTensor> results;
    for (size_t i = 0; i + 2 < words.size(); i += 3) {
        std::vector<int64_t> sizes;
        for (const std::string& size : split(words[i + 1] == "-" ? "" : words[i + 1], 'x'))
            sizes.push_back(std::stoll(size));
        HostTensor tensor = HostTensor::zeros(dtypeOf(words[i]), sizes);
        int64_t at = 0;
        for (const std::string& value : split(words[i + 2] == "-" ? "" : words[i + 2], ','))
            tensor.set(at++, std::stod(value));
        if (at != tensor.numel()) qFatal("%s: too few values", words[i + 2].c_str());
        results.push_back(std::move(tensor));
    }
    return results;
}

} // namespace

class TestOpsRecorded : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void composites_give_what_pytorch_gives() {
        const tests::Tally tally = tests::checkRecorded(
            tests::readSampleRecord(CUTAWAY_SOURCE_DIR "/tests/data/composites_by_torch.txt"),
            ops::isComposite,
            [](const ops::OpDef& def, const ops::Sample& sample,
               const std::vector<std::string>& words) -> std::string {
                auto made = tests::makeSampleGraph(def, sample);
                if (!made.ok()) return made.error().message;
                auto found = ops::evaluate(made->graph, made->inputs);
                return found.ok() ? tests::difference(*found, resultsOf(words), 2e-5)
                                  : found.error().message;
            });
        QVERIFY2(tally.failures.empty(), tally.failures.c_str());
        QVERIFY(tally.checked > 150);
    }
};

QTEST_APPLESS_MAIN(TestOpsRecorded)
#include "test_ops_recorded.moc"
