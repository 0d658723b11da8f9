// SPDX-License-Identifier: Apache-2.0
// The accuracy that resources/kernel_headers/prelude_cpp.h states, measured over all magnitudes of
// float32 and on special values, for every vector width.
#include "core/codegen/source.h"
#include "core/jit/cpu_compiler.h"

#include <QtTest>

#include <cmath>
#include <cstring>

using namespace cutaway;

namespace {

double sigmoid(double x) {
    return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
double rsqrt(double x) {
    return 1 / std::sqrt(x);
}

struct Function {
    const char* name;
    double (*exact)(double);
    double bound; ///< units in the last place, as stated in the prelude
};
const Function kFunctions[] = {
    {"exp", std::exp, 1.1},     {"expm1", std::expm1, 1.5}, {"log", std::log, 1.0},
    {"log1p", std::log1p, 1.6}, {"sin", std::sin, 2.1},     {"cos", std::cos, 2.1},
    {"tan", std::tan, 3.8},     {"tanh", std::tanh, 2.5},   {"erf", std::erf, 1.3},
    {"sigmoid", sigmoid, 2.4},  {"rsqrt", rsqrt, 1.5}};

/// Error in units in the last place of the exact result; subnormal results have the spacing of the
/// smallest normal one.
double errorOf(double exact, float got) {
    const auto rounded = static_cast<float>(exact);
    if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) && std::isnan(got) ? 0 : 1e9;
    if (std::isinf(rounded) || std::isinf(got)) return rounded == got ? 0 : 1e9;
    if (exact == 0) return got == 0 && std::signbit(exact) == std::signbit(got) ? 0 : 1e9;
    int exponent = 0;
    std::frexp(exact, &exponent);
    return std::fabs(exact - got) / std::ldexp(1.0, std::max(exponent - 24, -149));
}

class TestPreludeMath : public QObject {
    Q_OBJECT

    std::unique_ptr<jit::CpuCompiler> compiler_ = jit::CpuCompiler::create();
    std::shared_ptr<jit::CpuModule> module_; ///< of the last width
    int lanes_ = 0;
    QString cpu_;

    using Entry = void (*)(const float*, float*, long);
    Entry entry(const char* name, int lanes, const QString& cpu) {
        if (lanes != lanes_ || cpu != cpu_) {
            std::string text = "#define LANES " + std::to_string(lanes) + "\n";
            text += codegen::cppPrelude();
            for (const Function& f : kFunctions)
                text += std::string("extern \"C\" void apply_") + f.name +
                        "(const float* x, float* y, long n) {\n"
                        "    for (long i = 0; i < n; i += LANES) store(y + i, math::" +
                        f.name + "(load(x + i)));\n}\n";
            jit::CpuCompileOptions options;
            options.cpu = cpu.toStdString();
            auto module = compiler_->compile("math", text, options);
            if (!module.ok()) qFatal("%s", module.error().str().c_str());
            module_ = *module;
            lanes_ = lanes;
            cpu_ = cpu;
        }
        return reinterpret_cast<Entry>(module_->symbol(std::string("apply_") + name));
    }

private Q_SLOTS:
    void vector_functions_keep_their_accuracy_data() {
        QTest::addColumn<int>("function");
        QTest::addColumn<int>("lanes");
        QTest::addColumn<QString>("cpu");
        for (const auto& [cpu, lanes] : {std::pair{"", 16}, {"x86-64-v3", 8}, {"x86-64", 4}}) {
            if (lanes * 4 > jit::hostCpu().vectorBytes) continue;
            for (size_t f = 0; f < std::size(kFunctions); ++f)
                QTest::addRow("%s, %d lanes", kFunctions[f].name, lanes)
                    << static_cast<int>(f) << lanes << QString(cpu);
        }
    }
    void vector_functions_keep_their_accuracy() {
        QFETCH(int, function);
        QFETCH(int, lanes);
        QFETCH(QString, cpu);
        const Function& f = kFunctions[function];
        Entry apply = entry(f.name, lanes, cpu);
        QVERIFY(apply != nullptr);
        std::vector<float> x = {0.0f,        -0.0f,          INFINITY,   -INFINITY, NAN,
                                1.0f,        -1.0f,          1e-45f,     -1e-45f,   3.4e38f,
                                -3.4e38f,    1.1754944e-38f, 88.72284f,  -103.9f,   -87.4f,
                                89.0f,       9999.999f,      10000.001f, 1e22f,     -1.0f + 6e-8f,
                                16777216.0f, 1.5707964f,     3.1415927f, 0.92f};
        // Every 4999th of the 2^32 bit patterns: all signs, exponents and NaN.
        for (uint64_t bits = 0; bits <= 0xffffffffu; bits += 4999) {
            const auto pattern = static_cast<uint32_t>(bits);
            float value;
            std::memcpy(&value, &pattern, sizeof value);
            x.push_back(value);
        }
        // And densely where people compute.
        for (int k = -100000; k <= 100000; ++k)
            x.push_back(static_cast<float>(k) * 1.3e-4f);
        while (x.size() % 16 != 0)
            x.push_back(1.0f);
        std::vector<float> y(x.size());
        apply(x.data(), y.data(), static_cast<long>(x.size()));
        double worst = 0;
        float where = 0;
        for (size_t k = 0; k < x.size(); ++k) {
            const double error = errorOf(f.exact(x[k]), y[k]);
            if (error > worst) {
                worst = error;
                where = x[k];
            }
        }
        QVERIFY2(
            worst <= f.bound,
            qPrintable(
                QString("%1 ulp at %2, stated %3").arg(worst).arg(where, 0, 'g', 9).arg(f.bound)));
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestPreludeMath)
#include "test_prelude_math.moc"
