// SPDX-License-Identifier: Apache-2.0
#include "core/jit/cpu_compiler.h"

#include "core/base/file_system.h"
#include "core/jit/quick_code.h"

#include <QtTest>

#include <filesystem>
#include <set>

using namespace cutaway;
using namespace cutaway::jit;

namespace {

const char* const kDouble = R"(
extern "C" void twice(void* const* buffers, void*, long) {
    const float* x = (const float*)buffers[0];
    float* y = (float*)buffers[1];
    for (long i = 0; i < 64; ++i) {
        y[i] = 2 * x[i];
    }
}
)";
const char* const kThreads = R"(
extern "C" int omp_get_thread_num(void);
extern "C" void who(void* const* buffers, void*, long threads) {
    long* y = (long*)buffers[0];
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (long part = 0; part < threads; ++part)
        y[part] = 1 + omp_get_thread_num();
}
)";

using Entry = void (*)(void* const*, void*, long);

class TestCpuCompiler : public QObject {
    Q_OBJECT

    std::unique_ptr<CpuCompiler> compiler_ = CpuCompiler::create();
    QTemporaryDir folder_;

    std::string cacheFolder() const { return folder_.path().toStdString() + "/cache"; }
    std::vector<std::filesystem::path> cachedFiles() const {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(cacheFolder()))
            if (entry.path().extension() == ".o") files.push_back(entry.path());
        return files;
    }
    static void runTwice(const std::shared_ptr<CpuModule>& module) {
        auto entry = reinterpret_cast<Entry>(module->symbol("twice"));
        QVERIFY(entry != nullptr);
        std::vector<float> x(64, 1.5f), y(64, 0.0f);
        void* buffers[] = {x.data(), y.data()};
        entry(buffers, nullptr, 1);
        QCOMPARE(y, std::vector<float>(64, 3.0f));
    }

private Q_SLOTS:
    void a_text_becomes_a_function() {
        CpuCompileTimes times;
        auto module = compiler_->compile("twice", kDouble, {}, &times);
        QVERIFY2(module.ok(), module.ok() ? "" : module.error().str().c_str());
        QVERIFY(!(*module)->fromCache());
        QVERIFY((*module)->symbol("nothing") == nullptr);
        QVERIFY(times.frontendMs > 0 && times.codegenMs > 0 && !times.cached);
        runTwice(*module);
    }

    void pragmas_run_on_a_team_of_threads() {
        auto module = compiler_->compile("who", kThreads, {});
        QVERIFY2(module.ok(), module.ok() ? "" : module.error().str().c_str());
        std::vector<int64_t> y(2, 0);
        void* buffers[] = {y.data()};
        reinterpret_cast<Entry>((*module)->symbol("who"))(buffers, nullptr, 2);
        QCOMPARE(y[0], int64_t(1));
        QCOMPARE(y[1], int64_t(2));
    }

    /// What samples of running code are told by: the lines of the instructions in memory.
    void instructions_in_memory_have_lines_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line");
        QTest::newRow("loop") << QByteArray("twice") << QByteArray(kDouble) << 6;
        QTest::newRow("team") << QByteArray("who") << QByteArray(kThreads) << 7;
    }
    void instructions_in_memory_have_lines() {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, text);
        QFETCH(int, line);
        auto module = compiler_->compile(name.toStdString(), text.toStdString(), {});
        QVERIFY2(module.ok(), module.ok() ? "" : module.error().str().c_str());
        auto table = compiler_->lineTable(name.toStdString(), text.toStdString(), {});
        QVERIFY2(table.ok(), table.ok() ? "" : table.error().str().c_str());
        const std::span<const std::byte> code = (*module)->code();
        QVERIFY(!code.empty());
        QCOMPARE(table->bytes, code.size());
        const auto* entry = static_cast<const std::byte*>((*module)->symbol(name.toStdString()));
        QVERIFY(entry >= code.data() && entry < code.data() + code.size());
        std::set<int> lines;
        for (size_t offset = 0; offset < code.size(); ++offset)
            lines.insert(table->lineAt(offset));
        // What line tables change around a team is left out.
        QVERIFY(lines.contains(line) || QString(QTest::currentDataTag()) == "team");
        const int count = static_cast<int>(text.count('\n'));
        for (int one : lines)
            QVERIFY(one >= 0 && one <= count);
    }

    void two_texts_may_define_the_same_name() {
        auto first = compiler_->compile("f", "extern \"C\" long f() { return 1; }", {});
        auto second = compiler_->compile("f", "extern \"C\" long f() { return 2; }", {});
        QVERIFY(first.ok() && second.ok());
        QCOMPARE(reinterpret_cast<long (*)()>((*first)->symbol("f"))(), 1L);
        QCOMPARE(reinterpret_cast<long (*)()>((*second)->symbol("f"))(), 2L);
    }

    void text_that_does_not_compile_is_a_bug_with_its_line() {
        auto module =
            compiler_->compile("broken", "extern \"C\" void broken() {\n    wrong;\n}\n", {});
        QVERIFY(!module.ok());
        QCOMPARE(module.error().fault, base::Fault::Bug);
        QCOMPARE(module.error().where.line, 2);
        QVERIFY(module.error().message.find("undeclared identifier 'wrong'") != std::string::npos);
        QCOMPARE(module.error().notes.front().message, std::string("    wrong;"));
    }

    void unknown_symbols_are_named() {
        auto module = compiler_->compile(
            "lost",
            "extern \"C\" void nowhere_at_all();\nextern \"C\" void lost() { nowhere_at_all(); }",
            {});
        QVERIFY(!module.ok());
        QVERIFY(module.error().message.find("nowhere_at_all") != std::string::npos);
    }

    void files_cannot_be_included() {
        auto module = compiler_->compile("reader", "#include \"/etc/passwd\"\n", {});
        QVERIFY(!module.ok());
        QVERIFY(module.error().message.find("file not found") != std::string::npos);
    }

    void texts_compile_on_several_threads_in_order() {
        std::vector<std::pair<std::string, std::string>> texts;
        for (int i = 0; i < 12; ++i)
            texts.push_back({"f" + std::to_string(i),
                             "extern \"C\" long f() { return " + std::to_string(i) + "; }"});
        std::vector<CpuCompileTimes> times;
        auto modules = compiler_->compileAll(texts, {}, &times);
        QCOMPARE(modules.size(), size_t(12));
        QCOMPARE(times.size(), size_t(12));
        for (int i = 0; i < 12; ++i) {
            QVERIFY(modules[i].ok());
            QCOMPARE(reinterpret_cast<long (*)()>((*modules[i])->symbol("f"))(), long(i));
        }
    }

    void texts_are_not_begun_after_a_cancellation() {
        CpuCompileOptions options;
        options.cancel.cancel();
        auto modules = compiler_->compileAll({{"a", kDouble}, {"b", kDouble}}, options);
        QCOMPARE(modules.size(), size_t(2));
        for (const auto& module : modules)
            QCOMPARE(module.ok() ? "" : module.error().message, std::string("cancelled"));
    }

    void the_second_compilation_comes_from_the_cache() {
        CpuCompileOptions options;
        options.cacheFolder = cacheFolder();
        auto first = compiler_->compile("twice", kDouble, options);
        QVERIFY(first.ok() && !(*first)->fromCache());
        QCOMPARE(cachedFiles().size(), size_t(1));
        CpuCompileTimes times;
        auto second = CpuCompiler::create()->compile("twice", kDouble, options, &times);
        QVERIFY(second.ok() && (*second)->fromCache() && times.cached);
        runTwice(*second);
        options.optimisation = 1;
        auto other = compiler_->compile("twice", kDouble, options);
        QVERIFY(other.ok() && !(*other)->fromCache());
    }

    void quick_code_computes_the_same_and_is_no_other_codes_entry() {
        QTemporaryDir own;
        CpuCompileOptions options;
        options.cacheFolder = own.path().toStdString() + "/cache";
        for (int call = 0; call < 2; ++call) {
            const QuickCode quick;
            auto module = compiler_->compile("twice", kDouble, options);
            QVERIFY(module.ok() && (*module)->fromCache() == (call == 1));
            runTwice(*module);
        }
        auto module = compiler_->compile("twice", kDouble, options);
        QVERIFY(module.ok() && !(*module)->fromCache());
        runTwice(*module);
    }

    void damaged_cache_entries_are_replaced() {
        CpuCompileOptions options;
        options.cacheFolder = cacheFolder();
        QVERIFY(compiler_->compile("twice", kDouble, options).ok());
        for (const auto& path : cachedFiles()) {
            auto bytes = base::readFile(path.string());
            QVERIFY(bytes.ok());
            bytes->back() = static_cast<char>(bytes->back() ^ 1);
            QVERIFY(base::writeFileAtomically(path.string(), bytes->substr(0, bytes->size())).ok());
        }
        auto again = compiler_->compile("twice", kDouble, options);
        QVERIFY(again.ok() && !(*again)->fromCache());
        runTwice(*again);
        auto third = compiler_->compile("twice", kDouble, options);
        QVERIFY(third.ok() && (*third)->fromCache());
        QVERIFY(!compiler_->cacheProblem().has_value());
    }

    void an_unusable_cache_is_said_once() {
        const std::string path = folder_.path().toStdString() + "/file";
        QVERIFY(base::writeFileAtomically(path, "not a folder").ok());
        CpuCompileOptions options;
        options.cacheFolder = path + "/cache";
        auto module = compiler_->compile("twice", kDouble, options);
        QVERIFY(module.ok());
        runTwice(*module);
        auto problem = compiler_->cacheProblem();
        QVERIFY(problem.has_value());
        QCOMPARE(problem->severity, base::Severity::Warning);
        QVERIFY(compiler_->compile("twice", kDouble, options).ok());
        QVERIFY(!compiler_->cacheProblem().has_value());
    }

    void the_listing_links_instructions_to_lines() {
        auto listing = compiler_->list("twice", kDouble, {});
        QVERIFY2(listing.ok(), listing.ok() ? "" : listing.error().str().c_str());
        QVERIFY(listing->llvmBefore.find("define") != std::string::npos);
        auto onLine = [](const std::vector<AsmLine>& lines, const char* word) {
            for (const AsmLine& line : lines)
                if (line.text.find(word) != std::string::npos && line.sourceLine == 6) return true;
            return false;
        };
        QVERIFY(onLine(listing->llvm, "store"));
        QVERIFY(onLine(listing->assembly, "mov"));
        bool described = false;
        for (const Remark& remark : listing->remarks)
            described |= remark.pass == "asm-printer";
        QVERIFY(described);
        for (const AsmLine& line : listing->assembly)
            QVERIFY2(line.text.find(".loc") == std::string::npos, line.text.c_str());
    }

    void remarks_name_functions_as_the_text_does() {
        const std::string text = "static __attribute__((noinline)) void rows(float* y, long n) {\n"
                                 "    for (long i = 0; i < n; ++i) y[i] *= 2.0f;\n"
                                 "}\n"
                                 "extern \"C\" void twice(float* y, long n) {\n"
                                 "    rows(y, n);\n"
                                 "    rows(y, n + 1);\n"
                                 "}\n";
        auto listing = compiler_->list("twice", text, {});
        QVERIFY2(listing.ok(), listing.ok() ? "" : listing.error().str().c_str());
        bool named = false;
        for (const Remark& remark : listing->remarks) {
            QVERIFY2(remark.message.find("_Z") == std::string::npos, remark.message.c_str());
            QVERIFY2(remark.message.find("BasicBlock") == std::string::npos,
                     remark.message.c_str());
            named = named || remark.message.find("'rows'") != std::string::npos ||
                    remark.message.find("rows") != std::string::npos;
        }
        QVERIFY(named);
    }

    void an_older_processor_gets_code_without_wide_registers() {
        CpuCompileOptions options;
        options.cpu = "haswell";
        auto listing = compiler_->list("twice", kDouble, options);
        QVERIFY(listing.ok());
        QCOMPARE(listing->target, "x86-64, haswell, LLVM " + llvmVersion());
        for (const AsmLine& line : listing->assembly)
            QVERIFY2(line.text.find("zmm") == std::string::npos, line.text.c_str());
    }

    void cuda_text_becomes_ptx_without_a_toolkit() {
        const std::string text = "extern \"C\" __global__ void twice(const float* x, float* y) {\n"
                                 "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                 "    y[i] = expf(x[i]) + rsqrtf(x[i]);\n"
                                 "}\n";
        auto ptx = previewPtx("twice", text, "sm_90");
        QVERIFY2(ptx.ok(), ptx.ok() ? "" : ptx.error().str().c_str());
        for (const char* part :
             {".target sm_90", ".entry twice", "%ctaid.x", "rsqrt.approx", "expf"})
            QVERIFY2(ptx->find(part) != std::string::npos, part);
        auto wrong = previewPtx("wrong", "__global__ void f() {\n    nothing();\n}\n", "sm_90");
        QVERIFY(!wrong.ok());
        QCOMPARE(wrong.error().where.line, 2);
    }

    void this_processor_is_described() {
        const HostCpu host = hostCpu();
        QVERIFY(!host.name.empty());
        QVERIFY(host.vectorBytes == 16 || host.vectorBytes == 32 || host.vectorBytes == 64);
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestCpuCompiler)
#include "test_cpu_compiler.moc"
