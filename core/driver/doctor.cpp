// SPDX-License-Identifier: Apache-2.0
#include "core/base/box.h"
#include "core/base/private_folder.h"
#include "core/driver/report.h"
#include "core/driver/tools.h"
#include "core/jit/cuda_compiler.h"
#include "core/ops/catalogue.h"
#include "core/pipeline/stage_text.h"
#include "core/runtime/cuda.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

namespace cutaway::driver {

using nlohmann::json;

namespace {

std::string kindText(const ops::OpDef& def) {
    struct Visitor {
        std::string operator()(const ops::Decompose& d) const {
            return d.when == ops::DecomposeWhen::BeforeAutograd ? "composite, before autograd"
                                                                : "composite";
        }
        std::string operator()(const ops::Pointwise&) const { return "pointwise"; }
        std::string operator()(const ops::Indexed&) const { return "indexed"; }
        std::string operator()(const ops::Reduction&) const { return "reduction"; }
        std::string operator()(const ops::View&) const { return "view"; }
        std::string operator()(const ops::MatrixProduct&) const { return "matrix product"; }
        std::string operator()(const ops::Scatter&) const { return "scatter"; }
        std::string operator()(const ops::Convolution&) const { return "convolution"; }
        std::string operator()(const ops::RowsOfLibrary&) const { return "library call on rows"; }
        std::string operator()(const ops::MatrixOfLibrary&) const {
            return "library call on matrices";
        }
        std::string operator()(const ops::AttentionOfLibrary&) const {
            return "library call for attention";
        }
        std::string operator()(const ops::NoLowering&) const { return "runtime"; }
    };
    return std::visit(Visitor{}, def.lowering);
}

std::string gradientText(const ops::OpDef& def) {
    if (std::holds_alternative<ops::VjpRule>(def.gradient)) return "yes";
    if (std::holds_alternative<ops::ThroughDecomposition>(def.gradient))
        return "through its decomposition";
    return "no: " + std::string(std::get<ops::NotDifferentiable>(def.gradient).why);
}

json opJson(const ops::OpDef& def) {
    return {{"name", def.name()},
            {"schema", std::string(def.schema)},
            {"kind", kindText(def)},
            {"category", std::string(ops::name(def.category))},
            {"gradient", gradientText(def)},
            {"summary", def.doc.summary},
            {"formula", def.doc.formula},
            {"source", def.doc.source}};
}

std::string opPage(const ops::OpDef& def) {
    return fmt::format("{}\n  {}\n  {}\n  category: {}\n  kind: {}\n  gradient: {}\n  source: {}\n",
                       def.schema, def.doc.summary, def.doc.formula, ops::name(def.category),
                       kindText(def), gradientText(def), def.doc.source);
}

} // namespace

json opsJson() {
    json result = json::array();
    for (const ops::OpDef& def : ops::catalogue().all())
        result.push_back(opJson(def));
    return result;
}

base::Result<std::string> opsText(const std::string& name) {
    const ops::Catalogue& catalogue = ops::catalogue();
    std::string out;
    if (name.empty()) {
        for (const ops::OpDef& def : catalogue.all())
            out += fmt::format("{:<36} {:<15} {:<26} {}\n", def.name(), ops::name(def.category),
                               kindText(def), def.doc.summary);
        return out + fmt::format("{} operations\n", catalogue.all().size());
    }
    // As graphs print it: aten.add.Tensor, aten.cos.default.
    if (name.starts_with("aten.")) return opsText(name.substr(5));
    if (name.ends_with(".default")) return opsText(name.substr(0, name.size() - 8));
    if (const ops::OpDef* def = catalogue.find(name)) return opPage(*def);
    for (const ops::OpDef* def : catalogue.overloads(name))
        out += opPage(*def);
    if (!out.empty()) return out;
    std::string nearest;
    for (const std::string& candidate : catalogue.nearest(name))
        nearest += (nearest.empty() ? "" : ", ") + candidate;
    return base::usageError(fmt::format("unknown operation '{}'", name),
                            nearest.empty() ? "" : "nearest: " + nearest);
}

json doctorJson(Tools& tools) {
    pipeline::Toolchain& toolchain = tools.parts().toolchain;
    json result;
    result["cutaway"] = CUTAWAY_VERSION;
    result["cpu"] = {{"name", toolchain.host().name},
                     {"features", toolchain.host().features},
                     {"vectorBytes", toolchain.host().vectorBytes},
                     {"threads", std::thread::hardware_concurrency()}};
    result["memoryBytes"] = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    result["llvm"] = jit::llvmVersion();
    result["cuda"] = json::array(); // of the devices; else what is missing
    for (int index = 0; index < std::max(runtime::cudaDeviceCount(), 1); ++index) {
        auto cuda = runtime::cudaDevice(index);
        if (!cuda) {
            result["cuda"] = {{"missing", cuda.error().message}, {"hint", cuda.error().hint}};
            break;
        }
        result["cuda"].push_back({{"name", fmt::format("cuda:{}", index)},
                                  {"device", cuda->name},
                                  {"architecture", cuda->architecture},
                                  {"multiprocessors", cuda->multiprocessors},
                                  {"memoryBytes", cuda->memoryBytes},
                                  {"driver", cuda->driverVersion}});
    }
    if (auto nvrtc = jit::CudaCompiler::create())
        result["nvrtc"] = (*nvrtc)->version();
    else
        result["nvrtc"] = {{"missing", nvrtc.error().message}, {"hint", nvrtc.error().hint}};
    const std::string& cache = toolchain.cacheFolder();
    json cacheRow = {{"folder", cache}};
    if (!cache.empty()) {
        auto opened = base::PrivateFolder::open(cache);
        auto status = opened ? opened->write("probe", "") : base::Status(opened.error());
        cacheRow["writable"] = status.ok();
        if (!status) cacheRow["problem"] = status.error().message;
    } else if (auto problem = cacheProblem(tools)) {
        cacheRow["problem"] = problem->message;
    }
    result["cache"] = cacheRow;
    result["box"] = base::boxSupport();
    return result;
}

std::string doctorText(Tools& tools) {
    json facts = doctorJson(tools);
    auto text = [](const json& value) {
        if (value.is_string()) return value.get<std::string>();
        if (value.contains("missing"))
            return value["missing"].get<std::string>() +
                   (value["hint"] == "" ? "" : "; " + value["hint"].get<std::string>());
        return value.dump();
    };
    const json& cpu = facts["cpu"];
    std::string features;
    for (const json& feature : cpu["features"])
        features += " " + feature.get<std::string>();
    std::string out = fmt::format("Cutaway      {}\n", facts["cutaway"].get<std::string>());
    out += fmt::format("CPU          {}, {} threads, {} byte vectors:{}\n",
                       cpu["name"].get<std::string>(), cpu["threads"].get<int>(),
                       cpu["vectorBytes"].get<int>(), features);
    out +=
        fmt::format("Memory       {}\n", pipeline::bytesText(facts["memoryBytes"].get<int64_t>()));
    out += fmt::format("LLVM, Clang  {}\n", facts["llvm"].get<std::string>());
    const json& cuda = facts["cuda"];
    if (cuda.is_object()) out += "CUDA         not available: " + text(cuda) + "\n";
    for (size_t index = 0; cuda.is_array() && index < cuda.size(); ++index) {
        const json& one = cuda[index];
        out += fmt::format(
            "{:<13}{}, {}, {} multiprocessors, {}, driver {}\n",
            index == 0 ? "CUDA" : fmt::format("cuda:{}", index), one["device"].get<std::string>(),
            one["architecture"].get<std::string>(), one["multiprocessors"].get<int>(),
            pipeline::bytesText(one["memoryBytes"].get<int64_t>()), one["driver"].get<int>());
    }
    out += "NVRTC        " + text(facts["nvrtc"]) + "\n";
    const json& cache = facts["cache"];
    const std::string folder = cache["folder"];
    out += "Cache        " + (folder.empty() ? "none" : folder);
    if (cache.contains("problem")) out += ", not used: " + cache["problem"].get<std::string>();
    return out + "\nEngine's box " + facts["box"].get<std::string>() + "\n";
}

} // namespace cutaway::driver
