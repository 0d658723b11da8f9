// SPDX-License-Identifier: Apache-2.0
#include "core/base/file_set.h"
#include "core/base/quote.h"
#include "core/base/text.h"
#include "core/codegen/cuda/cuda_text.h"
#include "core/driver/case.h"
#include "core/driver/export.h"
#include "core/driver/export_text.h"
#include "core/driver/nothing_compiled.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <string_view>

namespace cutaway::resources {
extern const std::string_view kExportHeader, kExportCmake, kExportCmakeCuda, kExportCudaHeader,
    kExportCmakeAll, kExportReadme;
}

namespace cutaway::driver {

namespace {

using codegen::cudaType;
using kernel::BufferId;
using memory::Placement;

constexpr int64_t kSharedWithoutAsking = 48 << 10; // of a CUDA block; more needs an attribute

/// \p text with each "@WORD@" of \p words in its place.
std::string filledIn(std::string_view text,
                     std::initializer_list<std::pair<std::string_view, std::string>> words) {
    std::string out(text);
    for (const auto& [word, with] : words) {
        const std::string mark = "@" + std::string(word) + "@";
        for (size_t at = 0; (at = out.find(mark, at)) != std::string::npos; at += with.size())
            out.replace(at, mark.size(), with);
    }
    return out;
}

/// Writes one graph's folder.
class GraphExport {
public:
    GraphExport(const backend::KeptRun& run, std::vector<ExportedFile>& files, std::string folder,
                bool cuda, int threads, std::vector<codegen::KernelSource> sources)
        : run_(run), loops_(run.program->loops), files_(files), folder_(std::move(folder)),
          cuda_(cuda), threads_(threads), sources_(std::move(sources)) {}

    base::Status write() {
        CUTAWAY_CHECK(writeKernels());
        put(run_.graph + ".h", header());
        put(run_.graph + (cuda_ ? ".cu" : ".cpp"), calls());
        put("main.cpp", mainText());
        put("cutaway_export.h", resources::kExportHeader);
        if (cuda_) put("cutaway_cuda.h", resources::kExportCudaHeader);
        put("CMakeLists.txt", cmake());
        return writeData();
    }

private:
    void put(const std::string& name, std::string_view text) {
        files_.push_back({folder_ + "/" + name, std::string(text)});
    }

    base::Status writeKernels() {
        for (size_t i = 0; i < sources_.size(); ++i)
            if (run_.program->kernels[i].hasCode())
                put(kernelFile(i), sources_[i].text + (cuda_ ? launcher(i) : ""));
        return {};
    }

    static std::vector<BufferId> arguments(const kernel::Kernel& kernel) {
        std::vector<BufferId> all = kernel.reads;
        all.insert(all.end(), kernel.writes.begin(), kernel.writes.end());
        return all;
    }

    /// The host's function behind a CUDA kernel's text: its parameter types and its launch.
    std::string launcher(size_t i) const {
        const kernel::Kernel& kernel = run_.program->kernels[i];
        const codegen::KernelSource& source = sources_[i];
        std::string out =
            fmt::format("\n// Launches the kernel: what it reads, then what it "
                        "writes.\nvoid launch_{}(void* const* buffers, void* scratch) {{\n",
                        source.entry);
        if (source.launch.sharedBytes > kSharedWithoutAsking)
            out += fmt::format("    cudaFuncSetAttribute({}, "
                               "cudaFuncAttributeMaxDynamicSharedMemorySize, {});\n",
                               source.entry, source.launch.sharedBytes);
        out += fmt::format("    {}<<<{}, {}, {}>>>(", source.entry, source.launch.blocks.constant(),
                           source.launch.threads, source.launch.sharedBytes);
        const std::vector<BufferId> buffers = arguments(kernel);
        for (size_t k = 0; k < buffers.size(); ++k)
            out += fmt::format("static_cast<{}{}*>(buffers[{}]), ",
                               k < kernel.reads.size() ? "const " : "",
                               cudaType(loops_.buffer(buffers[k]).dtype), k);
        if (source.checks)
            out += fmt::format("static_cast<long long*>(buffers[{}]), ", buffers.size());
        return out + "scratch);\n}\n";
    }

    std::string kernelFile(size_t i) const {
        return run_.program->kernels[i].name + (cuda_ ? ".cu" : ".cpp");
    }

    std::string cmake() const {
        std::string files;
        for (size_t i = 0; i < sources_.size(); ++i)
            if (run_.program->kernels[i].hasCode()) files += "    " + kernelFile(i) + "\n";
        return filledIn(cuda_ ? resources::kExportCmakeCuda : resources::kExportCmake,
                        {{"GRAPH", run_.graph}, {"FOLDER", folder_}, {"SOURCES", files}});
    }

    std::string signature() const {
        return fmt::format("void cutaway_{}(const void* const* inputs, void* const* outputs)",
                           run_.graph);
    }

    std::string header() const {
        std::string out = "// Written by `cutaway export`.\n#pragma once\n\n#include <cstdint>\n\n";
        out += "/// Inputs, in order:\n";
        for (size_t i = 0; i < loops_.inputs.size(); ++i) {
            const kernel::Buffer& buffer = loops_.buffer(loops_.inputs[i]);
            out += fmt::format("///   {}: {} {} {}, strides {}\n", i, buffer.name,
                               cType(buffer.dtype), ir::str(buffer.sizes), ir::str(buffer.strides));
        }
        out += "/// Outputs (memory to write; see main.cpp for the views on it):\n";
        for (const Placement& place : run_.plan.placements)
            if (place.kind == Placement::Kind::Output)
                out += fmt::format("///   {}: {} {} bytes\n", place.index,
                                   loops_.buffer(place.buffer).name, place.bytes);
        out += signature() + ";\n";
        return out +
               fmt::format("/// An index out of bounds or an integer divided by zero in a call, "
                           "whose outputs are made up\n/// then; null if there was none. Told "
                           "once.{}\nconst char* cutaway_{}_fault();\n",
                           cuda_ ? " Call it when the device is idle." : "", run_.graph);
    }

    bool checks() const {
        return std::any_of(sources_.begin(), sources_.end(),
                           [](const codegen::KernelSource& source) { return source.checks; });
    }

    /// The fault words and the function that tells what they say.
    std::string faults() const {
        std::string messages;
        for (const kernel::Check& check : loops_.checks)
            messages += "    " + base::cString(check.message("%lld")) + ",\n";
        if (!checks())
            return fmt::format("const char* cutaway_{}_fault() {{ return nullptr; }}\n\n",
                               run_.graph);
        const size_t words = loops_.checks.size() + 1;
        const std::string memory =
            cuda_ ? fmt::format("long long* faultWords() {{\n    static long long* words = "
                                "mappedWords({});\n    return words;\n}}\n",
                                words)
                  : fmt::format("long long* faultWords() {{\n    static long long words[{}];\n    "
                                "return words;\n}}\n",
                                words);
        return fmt::format("namespace {{\n// A value that does not meet check k is in word k + 1, "
                           "and k + 1 in word 0.\nconstexpr const char* kChecks[] = {{\n{}}};\n"
                           "{}}} // namespace\n\nconst char* cutaway_{}_fault() {{\n    return "
                           "takeFault(faultWords(), kChecks);\n}}\n\n",
                           messages, memory, run_.graph);
    }

    /// The expression that gives a buffer's address inside the generated function.
    std::string address(BufferId id) const {
        const Placement* place = run_.plan.find(id);
        switch (place->kind) {
        case Placement::Kind::Input:
            return fmt::format("const_cast<void*>(inputs[{}])", place->index);
        case Placement::Kind::Output:
            return fmt::format("outputs[{}]", place->index);
        case Placement::Kind::Constant:
            return fmt::format("constant({})", id.index);
        case Placement::Kind::Arena:
            return fmt::format("arena + {}", place->offset);
        }
        return {};
    }

    std::string constants() const {
        std::string tables, cases;
        for (const Placement& place : run_.plan.placements) {
            if (place.kind != Placement::Kind::Constant) continue;
            const kernel::Buffer& buffer = loops_.buffer(place.buffer);
            std::string bytes;
            for (std::byte b : buffer.constant->bytes)
                bytes += fmt::format("{},", static_cast<int>(b));
            tables += fmt::format("alignas(64) const unsigned char constant_{}[] = {{{}}}; // {}\n",
                                  buffer.id.index, bytes, buffer.name);
            cases += fmt::format(
                "    case {0}: return {1};\n", buffer.id.index,
                cuda_ ? fmt::format("cutaway_export::deviceCopy(constant_{0}, sizeof constant_{0})",
                                    buffer.id.index)
                      : fmt::format("const_cast<unsigned char*>(constant_{0})", buffer.id.index));
        }
        if (tables.empty()) return {};
        return tables + "void* constant(int id) {\n    switch (id) {\n" + cases +
               "    }\n    return nullptr;\n}\n";
    }

    std::string epilogueText(const kernel::Epilogue& step, const std::string& type) const {
        static constexpr const char* kKinds[] = {"kAddTensor", "kAddScalar", "kMulScalar", "kRelu"};
        std::string text = fmt::format("{{Epilogue<{}>::{}, {}", type,
                                       kKinds[static_cast<size_t>(step.kind)], step.scalar);
        if (step.tensor)
            text += fmt::format(", static_cast<const {}*>(static_cast<void*>({})), {}", type,
                                address(step.tensor->buffer), viewText(*step.tensor));
        return text + "}";
    }

    /// "POINTER, VIEW" of an operand.
    std::string operandText(const kernel::StridedView& view, const std::string& type) const {
        return fmt::format("static_cast<{}*>(static_cast<void*>({})), {}", type,
                           address(view.buffer), viewText(view));
    }

    /// A product; one over nothing adds the bias to what is in the result, and the epilogues.
    std::string productText(const std::string& a, const std::string& b,
                            const kernel::StridedView* bias, const kernel::StridedView& result,
                            const std::string& epilogues, const std::string& type) const {
        const std::string added =
            bias ? fmt::format("static_cast<{}*>(static_cast<void*>({})), &bias", type,
                               address(bias->buffer))
                 : "nullptr, nullptr";
        std::string out;
        if (bias) out += fmt::format("        const View bias = {};\n", viewText(*bias));
        return out + fmt::format("        {}<{}>({}, {}, {}, {}, {{{}}});\n",
                                 cuda_ ? "deviceMatmul" : "matmul", type, a, b, added,
                                 operandText(result, type), epilogues);
    }

    /// "FUNCTION<OPERAND, RESULT>(OPERAND, VIEW, RESULT, VIEW, Rows{...});"
    std::string rowsCall(const kernel::Kernel& kernel) const {
        const kernel::LibraryCall& call = *kernel.call;
        const std::string from = cType(call.row.dtype);
        const std::string to = cType(loops_.buffer(kernel.writes[0]).dtype);
        const kernel::StridedView result{kernel.writes[0], call.sizes, call.strides, ir::Sym(0)};
        return fmt::format("    {}<{}, {}>({}, {}, Rows{{{}, {}, {}, {}, {}, {}}});\n",
                           cuda_ ? "deviceRows" : "rows", from, to,
                           operandText(call.operands[0], from), operandText(result, to),
                           call.op == kernel::LibraryOp::Sort, call.row.dim,
                           static_cast<int>(call.row.running), call.row.descending,
                           call.row.backwards, static_cast<int>(call.row.order));
    }

    /// "attention<TYPE>({OPERANDS}, {VIEWS}, RESULT, Attention{...});"
    std::string attentionCall(const kernel::Kernel& kernel) const {
        const kernel::LibraryCall& call = *kernel.call;
        const std::string type = cType(loops_.buffer(kernel.writes[0]).dtype);
        std::string data, views;
        for (const kernel::StridedView& view : call.operands) {
            data += fmt::format("{}static_cast<const {}*>(static_cast<void*>({}))",
                                data.empty() ? "" : ", ", type, address(view.buffer));
            views += (views.empty() ? "" : ", ") + viewText(view);
        }
        const kernel::AttentionTask& task = call.attention;
        return fmt::format(
            "    attention<{0}>({{{1}}}, {{{2}}}, static_cast<{0}*>(static_cast<void*>("
            "{3})), Attention{{{4}, {5}, {6}, {7}, {8}, {9}}});\n",
            type, data, views, address(kernel.writes[0]),
            call.op == kernel::LibraryOp::AttentionBackward,
            call.operands.size() == kernel::info(call.op).operands.size(), task.causal, task.safe,
            task.inner, task.scale);
    }

    std::string libraryCall(const kernel::Kernel& kernel) const {
        const kernel::LibraryCall& call = *kernel.call;
        if (isAttention(kernel)) return attentionCall(kernel);
        if (call.op == kernel::LibraryOp::Sort || call.op == kernel::LibraryOp::Scan)
            return rowsCall(kernel);
        const std::string type = cType(loops_.buffer(kernel.writes[0]).dtype);
        std::vector<kernel::Epilogue> steps = call.epilogues;
        const bool product = call.op == kernel::LibraryOp::MatrixProduct;
        if (!product && call.bias)
            steps.insert(steps.begin(),
                         {kernel::Epilogue::Kind::AddTensor, 0, call.bias, BufferId()});
        std::string epilogues;
        for (const kernel::Epilogue& step : steps)
            epilogues += (epilogues.empty() ? "" : ", ") + epilogueText(step, type);
        const std::string a = operandText(call.operands[0], type);
        const std::string b = operandText(call.operands[1], type);
        const kernel::StridedView result{kernel.writes[0], call.sizes, call.strides, ir::Sym(0)};
        std::string out = fmt::format("    {{ // {}\n", kernel.name);
        if (product) {
            out += productText(a, b, call.bias ? &*call.bias : nullptr, result, epilogues, type);
            return out + "    }\n";
        }
        const kernel::ConvolutionWindow& w = call.window;
        auto numbers = [](std::vector<int64_t> values, int64_t fill) {
            values.insert(values.begin(), 3 - values.size(), fill);
            return fmt::format("{{{}}}", fmt::join(values, ", "));
        };
        out += fmt::format(
            "        {}<{}>({}, {}, {}, Window{{{}, {}, {}, {}, {}}});\n",
            cuda_ ? "deviceConvolution" : "convolution", type, a, b, operandText(result, type),
            static_cast<int>(call.op) - static_cast<int>(kernel::LibraryOp::Convolution), w.groups,
            numbers(w.stride, 1), numbers(w.padding, 0), numbers(w.dilation, 1));
        if (!steps.empty()) {
            const ir::Shape& sizes = loops_.buffer(kernel.members[0]).sizes;
            const kernel::StridedView whole{kernel.writes[0], sizes, ir::contiguousStrides(sizes),
                                            ir::Sym(0)};
            ir::Shape rows = sizes, columns = sizes;
            rows.back() = columns[columns.size() - 2] = ir::Sym(0);
            const ir::Shape still(sizes.size(), ir::Sym(0));
            out += productText("nullptr, " + viewText(rows, still, ir::Sym(0)),
                               "nullptr, " + viewText(columns, still, ir::Sym(0)), &whole, whole,
                               epilogues, type);
        }
        return out + "    }\n";
    }

    std::string loopsCall(const kernel::Kernel& kernel, const codegen::KernelSource& source) const {
        std::string list;
        for (BufferId id : arguments(kernel))
            list += (list.empty() ? "" : ", ") + address(id);
        if (source.checks) list += ", faultWords()";
        return fmt::format("    {{\n        void* buffers[] = {{{}}};\n        {}{}(buffers, "
                           "scratch{});\n    }}\n",
                           list, cuda_ ? "launch_" : "", source.entry, cuda_ ? "" : ", kThreads");
    }

    std::string declarations() const {
        std::string out;
        for (size_t i = 0; i < sources_.size(); ++i) {
            const kernel::Kernel& kernel = run_.program->kernels[i];
            if (!kernel.hasCode()) continue;
            out += cuda_ ? fmt::format("void launch_{}(void* const* buffers, void* scratch);\n",
                                       sources_[i].entry)
                         : fmt::format("extern \"C\" void {}(void* const* buffers, void* scratch, "
                                       "long threads);\n",
                                       sources_[i].entry);
        }
        return out;
    }

    std::string calls() const {
        int64_t scratch = 64;
        for (const codegen::KernelSource& source : sources_)
            scratch =
                std::max({scratch, source.scratchBytes.constant(), source.ticketBytes.constant()});
        std::string out =
            fmt::format("// Written by `cutaway export`: the kernels of graph {} in order.\n"
                        "#include \"{}.h\"\n\n#include \"cutaway_export.h\"\n{}\n{}\n"
                        "using namespace cutaway_export;\n\nnamespace {{\n"
                        "[[maybe_unused]] constexpr long kThreads = {};\n{}}} // namespace\n\n",
                        run_.graph, run_.graph, cuda_ ? "#include \"cutaway_cuda.h\"\n" : "",
                        declarations(), threads_, constants());
        const char* get = cuda_ ? "deviceMemory" : "allocate";
        out += faults();
        out += signature() + " {\n    (void)inputs;\n";
        out += fmt::format("    static char* arena = static_cast<char*>({}({}));\n", get,
                           std::max<int64_t>(run_.plan.arenaBytes, 64));
        out +=
            fmt::format("    static char* scratch = static_cast<char*>({}({}));\n", get, scratch);
        out += "    (void)arena;\n    (void)scratch;\n";
        for (size_t i = 0; i < sources_.size(); ++i) {
            const kernel::Kernel& kernel = run_.program->kernels[i];
            out += kernel.hasCode() ? loopsCall(kernel, sources_[i]) : libraryCall(kernel);
        }
        return out + "}\n";
    }

    std::string mainText() const {
        std::string out = fmt::format(
            "// Written by `cutaway export`: runs the graph on the recorded inputs, compares, "
            "times.\n"
            "#include \"{}.h\"\n#include \"cutaway_export.h\"\n{}\n#include <chrono>\n\n"
            "using namespace cutaway_export;\n\nint main() {{\n    const std::string data = "
            "DATA_FOLDER;\n"
            "    std::vector<const void*> inputs;\n    std::vector<void*> outputs;\n",
            run_.graph, cuda_ ? "#include \"cutaway_cuda.h\"\n" : "");
        auto bytesOf = [](const runtime::TensorPtr& t) {
            return std::max<int64_t>(spanElements(t->type.sizes, t->type.strides), 1) *
                   static_cast<int64_t>(ir::sizeBytes(t->type.dtype));
        };
        for (size_t i = 0; i < run_.inputs.size(); ++i)
            out += fmt::format("    inputs.push_back({2}(data + \"/input_{0}.bin\", {1}));\n", i,
                               bytesOf(run_.inputs[i]), cuda_ ? "readToDevice" : "readData");
        std::map<int, int64_t> allocations;
        for (const Placement& place : run_.plan.placements)
            if (place.kind == Placement::Kind::Output)
                allocations[place.index] = std::max(allocations[place.index], place.bytes);
        for (auto [index, bytes] : allocations)
            out += fmt::format("    outputs.push_back({}({}));\n",
                               cuda_ ? "deviceMemory" : "allocate", std::max<int64_t>(bytes, 64));
        out += fmt::format(
            "    cutaway_{0}(inputs.data(), outputs.data());\n{1}    if (const char* fault = "
            "cutaway_{0}_fault()) {{\n        std::fprintf(stderr, \"%s\\n\", fault);\n        "
            "return 1;\n    }}\n    double worst = 0;\n",
            run_.graph, cuda_ ? "    synchronize();\n" : "");
        for (size_t i = 0; i < run_.outputs.size(); ++i)
            out += comparison(i);
        out += fmt::format("    double best = 1e30;\n    for (int i = 0; i < 20; ++i) {{\n"
                           "        auto start = std::chrono::steady_clock::now();\n"
                           "        cutaway_{}(inputs.data(), outputs.data());\n{}"
                           "        double us = std::chrono::duration<double, "
                           "std::micro>(std::chrono::steady_clock::now() - "
                           "start).count();\n        best = us < best ? us : best;\n    }}\n"
                           "    std::printf(\"{}: largest relative error %.3g, best of 20 calls "
                           "%.1f us\\n\", worst, best);\n"
                           "    return worst < 1e-4 ? 0 : 1;\n}}\n",
                           run_.graph, cuda_ ? "        synchronize();\n" : "", run_.graph);
        return out;
    }

    std::string comparison(size_t i) const {
        const kernel::StridedView& view = loops_.outputs[i];
        const runtime::TensorPtr& output = run_.outputs[i];
        const Placement* place = view.buffer.valid() ? run_.plan.find(view.buffer) : nullptr;
        if (!output || !place || place->kind != Placement::Kind::Output) return {};
        const std::string typeName = cType(output->type.dtype);
        const char* type = typeName.c_str();
        int64_t bytes = output->type.bytes();
        std::string got = fmt::format("outputs[{}]", place->index);
        if (cuda_) got = fmt::format("toHost({}, {})", got, place->bytes);
        return fmt::format(
            "    {{\n        const {0}* expected = static_cast<{0}*>(readData(data + "
            "\"/output_{1}.bin\", {2}));\n        const double error = largestError<{0}>("
            "static_cast<{0}*>({3}), {4}, expected);\n        if (!(error <= worst) && "
            "!std::isnan(worst)) worst = error;\n        std::printf(\"output {1} (%s): relative "
            "error %.3g\\n\", {5}, error);\n"
            "    }}\n",
            type, i, bytes, got, viewText(view),
            base::cString(i < loops_.outputNames.size() ? loops_.outputNames[i] : ""));
    }

    base::Status writeData() {
        for (size_t i = 0; i < run_.inputs.size(); ++i) {
            CUTAWAY_TRY(std::string bytes, spannedBytes(*run_.inputs[i]));
            put(fmt::format("data/input_{}.bin", i), bytes);
        }
        for (size_t i = 0; i < run_.outputs.size(); ++i) {
            if (!run_.outputs[i]) continue;
            CUTAWAY_TRY(ir::HostTensor dense, runtime::toHost(*run_.outputs[i]));
            put(fmt::format("data/output_{}.bin", i),
                {reinterpret_cast<const char*>(dense.bytes.data()), dense.bytes.size()});
        }
        return {};
    }

    const backend::KeptRun& run_;
    const kernel::LoopProgram& loops_;
    std::vector<ExportedFile>& files_;
    std::string folder_;
    bool cuda_;
    int threads_;
    std::vector<codegen::KernelSource> sources_;
};

/// What builds all graphs at once, and what tells how.
void addGuide(std::vector<ExportedFile>& files, const std::string& script, bool cuda,
              const std::vector<std::pair<std::string, const backend::KeptRun*>>& graphs) {
    std::string folders, rows;
    for (const auto& [folder, run] : graphs) {
        folders += fmt::format("add_subdirectory({})\n", folder);
        const auto count = std::ranges::count_if(run->program->kernels, &kernel::Kernel::hasCode);
        rows +=
            fmt::format("| `{}/` | graph {} of `{}`: {} of {} kernels generated, others calls |\n",
                        folder, run->graph, run->function, count, run->program->kernels.size());
    }
    files.push_back({"CMakeLists.txt",
                     filledIn(resources::kExportCmakeAll,
                              {{"ARCHITECTURES", cuda ? "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n"
                                                        "    set(CMAKE_CUDA_ARCHITECTURES 90)\n"
                                                        "endif()\n"
                                                      : ""},
                               {"LANGUAGES", cuda ? "CXX CUDA" : "CXX"},
                               {"GRAPHS", folders}})});
    files.push_back(
        {"README.md",
         filledIn(
             resources::kExportReadme,
             {{"SCRIPT", std::filesystem::path(script).filename().string()},
              {"LANGUAGE", cuda ? "CUDA C++" : "C++"},
              {"ENDING", cuda ? "cu" : "cpp"},
              {"KERNELFILES", cuda ? "other `*.cu`" : "other `*.cpp`"},
              {"NEEDS", cuda ? "CMake 3.18, the CUDA toolkit and a C++20 compiler. For another "
                               "GPU than an H100:\n`cmake -S . -B build "
                               "-DCMAKE_CUDA_ARCHITECTURES=80` (its compute capability)."
                             : "CMake 3.18 and a C++20 compiler with OpenMP."},
              {"FOLDERS", rows}})});
}

} // namespace

base::Result<std::vector<ExportedFile>> exportedSources(Tools& tools, const SessionOptions& given,
                                                        bool cuda) {
    SessionOptions options = given;
    // Exported kernels for a GPU are the generated ones: attention stays products and a softmax.
    if (cuda) options.disabledPasses.insert("fuse_attention");
    CUTAWAY_TRY(const ProgramRun ran,
                runOnce(tools, options, nullptr, backend::KeepRuns::FixedSizes));
    if (ran.kept().empty() && options.backend == "eager")
        return base::userError({options.path}, "nothing to export: no graph was compiled",
                               "use --backend inductor or aot_eager");
    if (ran.kept().empty()) {
        CUTAWAY_TRY(const ModelScript script, scriptOf(options));
        base::Diagnostic why = nothingCompiled(options.path, script.text);
        why.severity = base::Severity::Error;
        return why;
    }
    base::FileNames names;
    std::vector<ExportedFile> files;
    std::vector<std::pair<std::string, const backend::KeptRun*>> graphs;
    for (const backend::KeptRun& run : ran.kept()) {
        // As compiled where that is for the same kind of device.
        std::vector<codegen::KernelSource> sources = run.sources;
        const runtime::Target& target =
            tools.parts().toolchain.target(cuda ? ir::Device::Kind::Cuda : ir::Device::Kind::Cpu);
        const runtime::TargetDevice device = target.exampleDevice(ran.loaded.options.limits());
        for (size_t i = 0; i < sources.size(); ++i) {
            const kernel::Kernel& kernel = run.program->kernels[i];
            if (kernel.call && kernel.call->op == kernel::LibraryOp::LinearAlgebra)
                return base::userError({options.path},
                                       "linear algebra cannot be exported: it is LAPACK's",
                                       "export the functions around it");
            if (!kernel.hasCode() || kernel.device.kind == device.model.kind) continue;
            sources[i] = target.emit(*run.program, kernel,
                                     target.schedule(*run.program, kernel, device).chosen());
        }
        const std::string name = names.next(run.function + "_" + run.graph);
        GraphExport graph(run, files, name, cuda, runtime::threads(), std::move(sources));
        CUTAWAY_CHECK(graph.write());
        graphs.emplace_back(name, &run);
    }
    addGuide(files, options.path, cuda, graphs);
    return files;
}

base::Status exportSources(Tools& tools, const SessionOptions& options, const std::string& folder,
                           bool cuda) {
    CUTAWAY_TRY(const std::vector<ExportedFile> all, exportedSources(tools, options, cuda));
    base::FileSet files;
    for (const ExportedFile& file : all)
        CUTAWAY_CHECK(files.add(folder + "/" + file.path, file.bytes));
    return files.commit();
}

} // namespace cutaway::driver
