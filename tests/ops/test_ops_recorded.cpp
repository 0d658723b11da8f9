// SPDX-License-Identifier: Apache-2.0
// Composites have their formula as reference; what it gives is compared with what PyTorch gave for
// the same inputs (compare_with_torch.py --record).
#include "core/base/file_system.h"
#include "core/ops/composite.h"
#include "tests/ops/sample_graph.h"

#include <QtTest>

#include <map>
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

/// "op sample": the results.
std::map<std::string, std::vector<HostTensor>> readRecord() {
    auto text = base::readFile(CUTAWAY_SOURCE_DIR "/tests/data/composites_by_torch.txt");
    if (!text.ok()) qFatal("%s", text.error().str().c_str());
    std::map<std::string, std::vector<HostTensor>> record;
    for (const std::string& line : split(*text, '\n')) {
        const std::vector<std::string> words = split(line, ' ');
        std::vector<HostTensor>& results = record[words[0] + " " + words[1]];
        for (size_t i = 2; i + 2 < words.size(); i += 3) {
            std::vector<int64_t> sizes;
            for (const std::string& size : split(words[i + 1] == "-" ? "" : words[i + 1], 'x'))
                sizes.push_back(std::stoll(size));
            HostTensor tensor = HostTensor::zeros(dtypeOf(words[i]), sizes);
            int64_t at = 0;
            for (const std::string& value : split(words[i + 2] == "-" ? "" : words[i + 2], ','))
                tensor.set(at++, std::stod(value));
            if (at != tensor.numel()) qFatal("%s: too few values", line.c_str());
            results.push_back(std::move(tensor));
        }
    }
    return record;
}

} // namespace

class TestOpsRecorded : public QObject {
    Q_OBJECT
private slots:
    void composites_give_what_pytorch_gives() {
        const auto record = readRecord();
        std::string failures;
        int compared = 0;
        for (const ops::OpDef& def : ops::catalogue().all()) {
            if (!ops::isComposite(def)) continue;
            const std::vector<ops::Sample> samples = def.samples();
            for (size_t i = 0; i < samples.size(); ++i) {
                if (!samples[i].expectedError.empty()) continue;
                auto at = record.find(def.name() + " " + std::to_string(i));
                if (at == record.end()) {
                    failures += "\n  " + tests::label(def, i) + "is not recorded";
                    continue;
                }
                auto made = tests::makeSampleGraph(def, samples[i]);
                QVERIFY2(made.ok(), tests::label(def, i).c_str());
                auto found = ops::evaluate(made->graph, made->inputs);
                const std::string wrong = found.ok()
                                              ? tests::difference(*found, at->second, 2e-5)
                                              : found.error().message;
                if (!wrong.empty()) failures += "\n  " + tests::label(def, i) + wrong;
                ++compared;
            }
        }
        QVERIFY2(failures.empty(), failures.c_str());
        QVERIFY(compared > 150);
    }
};

QTEST_APPLESS_MAIN(TestOpsRecorded)
#include "test_ops_recorded.moc"
