// SPDX-License-Identifier: Apache-2.0
#include "tests/ops/sample_graph.h"

#include <QtTest>

using namespace cutaway;
using tests::label;

class TestOpsReference : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void shape_rules_give_the_shape_of_the_reference() {
        int compared = 0;
        for (const ops::OpDef& def : ops::catalogue().all()) {
            std::vector<ops::Sample> samples = def.samples();
            for (size_t i = 0; i < samples.size(); ++i) {
                if (!samples[i].expectedError.empty()) continue;
                auto made = tests::makeSampleGraph(def, samples[i]);
                QVERIFY2(made.ok(),
                         (label(def, i) + (made.ok() ? "" : made.error().message)).c_str());
                if (def.isRandom()) continue;
                // evaluate compares every result with the type that the shape rule gave it.
                auto values = ops::evaluate(made->graph, made->inputs);
                QVERIFY2(values.ok(),
                         (label(def, i) + (values.ok() ? "" : values.error().message)).c_str());
                auto doubles = ops::evaluateDouble(made->graph, made->inputs);
                QVERIFY2(doubles.ok(),
                         (label(def, i) + (doubles.ok() ? "" : doubles.error().message)).c_str());
                ++compared;
            }
        }
        QVERIFY(compared > 400);
    }
    void bad_samples_give_their_exact_message() {
        int compared = 0;
        for (const ops::OpDef& def : ops::catalogue().all()) {
            std::vector<ops::Sample> samples = def.samples();
            for (size_t i = 0; i < samples.size(); ++i) {
                if (samples[i].expectedError.empty()) continue;
                auto made = tests::makeSampleGraph(def, samples[i]);
                QVERIFY2(!made.ok(), (label(def, i) + "was accepted").c_str());
                QVERIFY2(made.error().message == samples[i].expectedError,
                         (label(def, i) + made.error().message + "\n   expected " +
                          samples[i].expectedError)
                             .c_str());
                QCOMPARE(made.error().fault, base::Fault::User);
                ++compared;
            }
        }
        QVERIFY(compared > 80);
    }
    void view_operations_give_true_strides() {
        // Reading the input's memory by the view's strides gives what the reference gives.
        for (const ops::OpDef& def : ops::catalogue().all()) {
            if (!std::holds_alternative<ops::View>(def.lowering)) continue;
            std::vector<ops::Sample> samples = def.samples();
            for (size_t i = 0; i < samples.size(); ++i) {
                if (!samples[i].expectedError.empty()) continue;
                auto made = tests::makeSampleGraph(def, samples[i]);
                QVERIFY(made.ok());
                const ir::TensorType& in = made->graph.node(made->graph.placeholders()[0]).type();
                const ir::TensorType& out = made->graph.node(made->call).type();
                std::vector<int64_t> inSizes = ir::constants(in.sizes),
                                     inStrides = ir::constants(in.strides);
                std::vector<int64_t> outSizes = ir::constants(out.sizes),
                                     outStrides = ir::constants(out.strides);
                auto values = *ops::evaluate(made->graph, made->inputs);
                if (values[0].numel() == 0) continue;
                std::vector<double> memory(static_cast<size_t>(made->inputs[0].numel()));
                forEach(inSizes, inStrides, [&](int64_t linear, int64_t offset) {
                    memory[static_cast<size_t>(offset)] = made->inputs[0].get(linear);
                });
                // The start of slice, select, .. is found as the place of the first element.
                int64_t start = startOf(memory, values[0].get(0), def.parsed.base);
                forEach(outSizes, outStrides, [&](int64_t linear, int64_t offset) {
                    QVERIFY2(memory[static_cast<size_t>(start + offset)] == values[0].get(linear),
                             label(def, i).c_str());
                });
            }
        }
    }

private:
    static int64_t startOf(const std::vector<double>& memory, double first,
                           const std::string& base) {
        constexpr std::string_view kOffset[] = {"slice", "select", "diagonal", "as_strided"};
        if (std::find(std::begin(kOffset), std::end(kOffset), base) == std::end(kOffset)) return 0;
        for (size_t i = 0; i < memory.size(); ++i)
            if (memory[i] == first) return static_cast<int64_t>(i);
        return 0;
    }
    template <class F>
    static void forEach(const std::vector<int64_t>& sizes, const std::vector<int64_t>& strides,
                        F f) {
        int64_t count = 1;
        for (int64_t size : sizes)
            count *= size;
        for (int64_t linear = 0; linear < count; ++linear) {
            int64_t rest = linear, offset = 0;
            for (size_t d = sizes.size(); d-- > 0; rest /= sizes[d])
                offset += rest % sizes[d] * strides[d];
            f(linear, offset);
        }
    }
};

QTEST_APPLESS_MAIN(TestOpsReference)
#include "test_ops_reference.moc"
