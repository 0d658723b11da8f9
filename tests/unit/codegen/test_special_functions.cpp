// SPDX-License-Identifier: Apache-2.0
// The accuracy that resources/kernel_headers/special_functions.h states; the values are of 40
// digits (mpmath). Generated C++ gives what the interpreter gives, and CUDA's text compiles.
#include "core/codegen/source.h"
#include "core/jit/cpu_compiler.h"
#include "core/kernel/scalar_eval.h"

#include <QtTest>

#include <cmath>

using namespace cutaway;
using kernel::ScalarOp;

namespace {

struct Known {
    ScalarOp op;
    double x, y, value;
};
const Known kKnown[] = {
    {ScalarOp::Erfcx, -3.0, 0, 16205.988853999586625},
    {ScalarOp::Erfcx, -0.5, 0, 1.9523604891825570933},
    {ScalarOp::Erfcx, 0.0, 0, 1.0},
    {ScalarOp::Erfcx, 0.3, 0, 0.73459933456765514992},
    {ScalarOp::Erfcx, 2.0, 0, 0.25539567631050574387},
    {ScalarOp::Erfcx, 9.9, 0, 0.056702456938832268241},
    {ScalarOp::Erfcx, 10.1, 0, 0.055590487009239876009},
    {ScalarOp::Erfcx, 50.0, 0, 0.0112815362653237725},
    {ScalarOp::Erfinv, -0.99, 0, -1.8213863677184494559},
    {ScalarOp::Erfinv, -0.3, 0, -0.27246271472675434502},
    {ScalarOp::Erfinv, 1e-08, 0, 8.8622692545275805539e-9},
    {ScalarOp::Erfinv, 0.1, 0, 0.088855990494257691974},
    {ScalarOp::Erfinv, 0.5, 0, 0.47693627620446987338},
    {ScalarOp::Erfinv, 0.9, 0, 1.1630871536766741628},
    {ScalarOp::Erfinv, 0.999999, 0, 3.4589107372754987775},
    {ScalarOp::Ndtri, 1e-10, 0, -6.3613409024040561991},
    {ScalarOp::Ndtri, 0.001, 0, -3.0902323061678135354},
    {ScalarOp::Ndtri, 0.02425, 0, -1.9729610513118848376},
    {ScalarOp::Ndtri, 0.3, 0, -0.52440051270804081597},
    {ScalarOp::Ndtri, 0.5, 0, 0.0},
    {ScalarOp::Ndtri, 0.7, 0, 0.52440051270804065631},
    {ScalarOp::Ndtri, 0.999, 0, 3.0902323061678132778},
    {ScalarOp::Digamma, -3.7, 0, -0.84507685887041935462},
    {ScalarOp::Digamma, -0.5, 0, 0.036489973978576520559},
    {ScalarOp::Digamma, 0.1, 0, -10.423754940411076232},
    {ScalarOp::Digamma, 1.0, 0, -0.57721566490153286061},
    {ScalarOp::Digamma, 1.5, 0, 0.036489973978576520559},
    {ScalarOp::Digamma, 9.5, 0, 2.1977378764029495332},
    {ScalarOp::Digamma, 30.0, 0, 3.3844381326855248766},
    {ScalarOp::Digamma, 1000000.0, 0, 13.815510057964190771},
    {ScalarOp::Trigamma, -3.7, 0, 14.842421864124279949},
    {ScalarOp::Trigamma, -0.5, 0, 8.9348022005446793094},
    {ScalarOp::Trigamma, 0.1, 0, 101.4332991507927477},
    {ScalarOp::Trigamma, 1.0, 0, 1.6449340668482264365},
    {ScalarOp::Trigamma, 1.5, 0, 0.93480220054467930942},
    {ScalarOp::Trigamma, 9.5, 0, 0.11099728846909903237},
    {ScalarOp::Trigamma, 30.0, 0, 0.033895060357739944214},
    {ScalarOp::Trigamma, 1000000.0, 0, 1.0000005000001666667e-6},
    {ScalarOp::I0, -5.0, 0, 27.239871823604446895},
    {ScalarOp::I0, 0.0, 0, 1.0},
    {ScalarOp::I0, 0.5, 0, 1.0634833707413235193},
    {ScalarOp::I0, 3.0, 0, 4.8807925858650240856},
    {ScalarOp::I0, 19.9, 0, 39513376.520066823762},
    {ScalarOp::I0, 20.1, 0, 48017874.107136503023},
    {ScalarOp::I0, 100.0, 0, 1.0737517071310738235e+42},
    {ScalarOp::I0e, -5.0, 0, 0.18354081260932835307},
    {ScalarOp::I0e, 0.0, 0, 1.0},
    {ScalarOp::I0e, 0.5, 0, 0.64503527044915006811},
    {ScalarOp::I0e, 3.0, 0, 0.24300035416182539847},
    {ScalarOp::I0e, 19.9, 0, 0.090008588864389597294},
    {ScalarOp::I0e, 20.1, 0, 0.089553763620613444035},
    {ScalarOp::I0e, 1000.0, 0, 0.012617240455891256586},
    {ScalarOp::I1, -5.0, 0, -24.335642142450527199},
    {ScalarOp::I1, 0.0, 0, 0.0},
    {ScalarOp::I1, 0.5, 0, 0.25789430539089631636},
    {ScalarOp::I1, 3.0, 0, 3.9533702174026093965},
    {ScalarOp::I1, 19.9, 0, 38507423.874862282838},
    {ScalarOp::I1, 20.1, 0, 46807739.533029882763},
    {ScalarOp::I1, 100.0, 0, 1.0683693903381624812e+42},
    {ScalarOp::I1e, -5.0, 0, -0.16397226694454235693},
    {ScalarOp::I1e, 0.0, 0, 0.0},
    {ScalarOp::I1e, 0.5, 0, 0.15642080318487169714},
    {ScalarOp::I1e, 3.0, 0, 0.19682671329730085363},
    {ScalarOp::I1e, 19.9, 0, 0.087717102131706101082},
    {ScalarOp::I1e, 20.1, 0, 0.087296851843201591986},
    {ScalarOp::I1e, 1000.0, 0, 0.01261093025692862947},
    {ScalarOp::K0, 0.01, 0, 4.7212447301610949443},
    {ScalarOp::K0, 0.5, 0, 0.92441907122766586178},
    {ScalarOp::K0, 1.9, 0, 0.12884597927604749404},
    {ScalarOp::K0, 2.1, 0, 0.10078374088996693491},
    {ScalarOp::K0, 10.0, 0, 0.000017780062316167651811},
    {ScalarOp::K0, 50.0, 0, 3.4101677497894955139e-23},
    {ScalarOp::K1, 0.01, 0, 99.973894118296245561},
    {ScalarOp::K1, 0.5, 0, 1.6564411200033008937},
    {ScalarOp::K1, 1.9, 0, 0.15966015303266762929},
    {ScalarOp::K1, 2.1, 0, 0.12274641153350789646},
    {ScalarOp::K1, 10.0, 0, 0.000018648773453825584597},
    {ScalarOp::K1, 50.0, 0, 3.4441022267175556126e-23},
    {ScalarOp::K0e, 0.01, 0, 4.7686940285444618845},
    {ScalarOp::K0e, 0.5, 0, 1.52410938577390953},
    {ScalarOp::K0e, 1.9, 0, 0.86145061675175578899},
    {ScalarOp::K0e, 2.1, 0, 0.82301715253166205755},
    {ScalarOp::K0e, 10.0, 0, 0.39163193443659866573},
    {ScalarOp::K0e, 500.0, 0, 0.056035915417234515428},
    {ScalarOp::K1e, 0.01, 0, 100.97864845824004908},
    {ScalarOp::K1e, 0.5, 0, 2.7310097082117857054},
    {ScalarOp::K1e, 1.9, 0, 1.06747092981457005},
    {ScalarOp::K1e, 2.1, 0, 1.0023680527405790625},
    {ScalarOp::K1e, 10.0, 0, 0.41076657059578875113},
    {ScalarOp::K1e, 500.0, 0, 0.05609192337055556924},
    {ScalarOp::AiryAi, -20.0, 0, -0.17640612707798468959},
    {ScalarOp::AiryAi, -8.6, 0, -0.31311245261726257358},
    {ScalarOp::AiryAi, -7.5, 0, 0.32177571638064787527},
    {ScalarOp::AiryAi, -6.89, 0, 0.092943624681881599793},
    {ScalarOp::AiryAi, -6.5, 0, -0.23802030199711580359},
    {ScalarOp::AiryAi, -2.0, 0, 0.22740742820168557599},
    {ScalarOp::AiryAi, -0.5, 0, 0.4757280916105395888},
    {ScalarOp::AiryAi, 0.0, 0, 0.35502805388781723926},
    {ScalarOp::AiryAi, 0.9, 0, 0.15188680364054435726},
    {ScalarOp::AiryAi, 1.1, 0, 0.12004942735539765503},
    {ScalarOp::AiryAi, 5.0, 0, 0.00010834442813607441735},
    {ScalarOp::AiryAi, 20.0, 0, 1.6916728686705403136e-27},
    {ScalarOp::Zeta, 1.5, 0.3, 8.2377616714597234206},
    {ScalarOp::Zeta, 2.0, 1.0, 1.6449340668482264365},
    {ScalarOp::Zeta, 3.0, 10.5, 0.0049875721238575846427},
    {ScalarOp::Zeta, 10.0, 2.0, 0.00099457512781808533715},
    {ScalarOp::Igamma, 0.5, 0.2, 0.47291074313446192633},
    {ScalarOp::Igamma, 2.0, 3.0, 0.80085172652854422808},
    {ScalarOp::Igamma, 20.0, 21.0, 0.61573722773565783939},
    {ScalarOp::Igamma, 100.0, 80.0, 0.017108313035133114166},
    {ScalarOp::Igammac, 0.5, 0.2, 0.52708925686553807367},
    {ScalarOp::Igammac, 2.0, 3.0, 0.19914827347145577192},
    {ScalarOp::Igammac, 20.0, 21.0, 0.38426277226434216061},
    {ScalarOp::Igammac, 100.0, 80.0, 0.98289168696486688583},
    {ScalarOp::ChebyshevT, 0.3, 5.0, 0.99887999999999999725},
    {ScalarOp::ChebyshevT, 0.3, 20.0, 0.98213013105489211107},
    {ScalarOp::ChebyshevT, 1.5, 4.0, 23.5},
    {ScalarOp::ChebyshevU, 0.3, 5.0, 1.0137600000000000149},
    {ScalarOp::ChebyshevU, 0.3, 20.0, 1.0413172668589775514},
    {ScalarOp::ChebyshevU, 1.5, 4.0, 55.0},
    {ScalarOp::HermiteH, 0.3, 5.0, 31.757759999999999133},
    {ScalarOp::HermiteH, 1.5, 12.0, 940113.0},
    {ScalarOp::LaguerreL, 0.3, 5.0, -0.093332749999999973046},
    {ScalarOp::LaguerreL, 1.5, 12.0, 0.020705163509814770191},
    {ScalarOp::LegendreP, 0.3, 5.0, 0.34538625000000000187},
    {ScalarOp::LegendreP, 0.7, 12.0, -0.25664009407164165066},
};

struct Named {
    ScalarOp op;
    const char* name;
    int arity;
};
const Named kFunctions[] = {
#define SPECIAL_OP(op, function, arity, flops) {ScalarOp::op, #function, arity},
#define SPECIAL_INTEGER_OP(op, function, arity, flops)
#include "core/kernel/special_ops.def"
};

class TestSpecialFunctions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void values_are_those_of_forty_digits() {
        for (const Known& known : kKnown) {
            const double found =
                kernel::evaluateSpecial(known.op, ir::DType::Float64, {known.x, 0}, {known.y, 0})
                    .real;
            const double size = std::max(std::fabs(known.value), 1e-3);
            QVERIFY2(std::fabs(found - known.value) <= 2e-13 * size,
                     qPrintable(
                         QString("%1(%2, %3) = %4, expected %5")
                             .arg(QString::fromStdString(std::string(kernel::info(known.op).text)))
                             .arg(known.x)
                             .arg(known.y)
                             .arg(found, 0, 'g', 17)
                             .arg(known.value, 0, 'g', 17)));
        }
    }
    void generated_code_gives_the_same() {
        std::string text = "#define LANES 4\n";
        text += codegen::cppPrelude();
        for (const Named& f : kFunctions)
            text +=
                std::string("extern \"C\" void apply_") + f.name +
                "(const float* x, const float* y, float* z) {\n    store(z, special::" + f.name +
                (f.arity == 1 ? "(load(x))" : "(load(x), load(y))") + ");\n}\n";
        auto compiler = jit::CpuCompiler::create();
        auto module = compiler->compile("special", text, {});
        QVERIFY2(module.ok(), module.ok() ? "" : module.error().message.c_str());
        const float x[] = {0.25f, 0.875f, 1.5f, NAN}, y[] = {2.0f, 5.0f, 0.5f, 1.0f};
        for (const Named& f : kFunctions) {
            using Entry = void (*)(const float*, const float*, float*);
            auto apply = reinterpret_cast<Entry>((*module)->symbol(std::string("apply_") + f.name));
            QVERIFY2(apply, f.name);
            float z[4];
            apply(x, y, z);
            for (int k = 0; k < 4; ++k) {
                const double expected =
                    kernel::evaluateSpecial(f.op, ir::DType::Float32, {x[k], 0}, {y[k], 0}).real;
                const bool same = std::isnan(expected)
                                      ? std::isnan(z[k])
                                      : expected == z[k] || std::fabs(expected - z[k]) <=
                                                                2e-7 * std::fabs(expected);
                QVERIFY2(same, qPrintable(QString("%1 of lane %2: %3, expected %4")
                                              .arg(f.name)
                                              .arg(k)
                                              .arg(z[k])
                                              .arg(expected)));
            }
        }
    }
    void cuda_text_compiles() {
        std::string calls;
        for (const Named& f : kFunctions)
            calls += std::string("special::") + f.name + "\n";
        std::string text(codegen::cudaPrelude());
        text += codegen::specialFunctions(calls);
        text += "extern \"C\" __global__ void all(float* x, double* y) {\n";
        for (const Named& f : kFunctions)
            for (const char* v : {"x", "y"})
                text += std::string("    ") + v + "[0] = special::" + f.name + "(" + v + "[1]" +
                        (f.arity == 2 ? std::string(", ") + v + "[2]" : "") + ");\n";
        text += "}\n";
        auto ptx = jit::previewPtx("all", text, "sm_90");
        QVERIFY2(ptx.ok(), ptx.ok() ? "" : ptx.error().message.c_str());
    }
    void texts_without_special_functions_have_none() {
        QVERIFY(codegen::specialFunctions("op::exp(x)").empty());
        const std::string one = codegen::specialFunctions("special::digamma(x)");
        QVERIFY(one.find("double digamma(") != std::string::npos);
        QVERIFY(one.find("double zeta(") == std::string::npos);
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestSpecialFunctions)
#include "test_special_functions.moc"
