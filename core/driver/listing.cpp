// SPDX-License-Identifier: Apache-2.0
#include "core/base/keyed_hash.h"
#include "core/driver/tools.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::driver {

namespace {

const record::Code* findCode(const record::KernelInfo& kernel, const std::string& language) {
    for (const record::Code& code : kernel.codes)
        if (code.language == language) return &code;
    return nullptr;
}

std::string textOf(const record::Code& code) {
    std::string text;
    for (const record::CodeLine& line : code.lines)
        text += line.text + "\n";
    return text;
}

record::CodeLine linked(const std::string& text, int sourceLine, const record::Code& source) {
    auto index = static_cast<size_t>(sourceLine) - 1;
    bool known = sourceLine > 0 && index < source.lines.size();
    return {known ? source.lines[index].item : record::kNoItem, text};
}

Listing linkedListing(const runtime::CompilerListing& made, std::string_view language,
                      const record::Code& source) {
    Listing result;
    result.code.language = language;
    result.code.note = made.note;
    for (const jit::AsmLine& line : made.lines)
        result.code.lines.push_back(linked(line.text, line.sourceLine, source));
    return result;
}

/// Those of the kernel itself: what the prelude became says little.
Listing remarkedText(const runtime::CompilerListing& made, const record::Code& source) {
    Listing result{source, {}};
    static constexpr const char* kKinds[] = {"passed", "missed", "analysis"};
    for (const jit::Remark& remark : made.remarks)
        if (remark.sourceLine > source.hiddenPrefix)
            result.remarks.push_back({kKinds[static_cast<size_t>(remark.kind)], remark.pass,
                                      remark.message, remark.sourceLine});
    return result;
}

/// The target whose compiler lists \p language, or null; \p known gets every language.
runtime::Target* targetListing(const pipeline::Toolchain& toolchain, std::string_view language,
                               std::string& known) {
    runtime::Target* found = nullptr;
    for (const auto& target : toolchain.targets()) {
        known += std::string(target->language()) + ", ";
        for (std::string_view name : target->listings()) {
            known += std::string(name) + ", ";
            if (name == language) found = target.get();
        }
    }
    known += "loops";
    return found;
}

} // namespace

std::string codeHash(const record::Code& code) {
    return base::keyedHash({}, {code.language, textOf(code)});
}

base::Result<Listing> listing(Tools& tools, const record::KernelInfo& kernel,
                              const std::string& language) {
    if (const record::Code* known = findCode(kernel, language))
        return Listing{*known, kernel.remarks};
    const bool remarks = language == "remarks";
    pipeline::Toolchain& toolchain = tools.parts().toolchain;
    std::string known;
    runtime::Target* target = targetListing(toolchain, remarks ? "asm" : language, known);
    const auto& all = toolchain.targets();
    if (std::ranges::any_of(all, [&](const auto& row) { return row->language() == language; }))
        return base::userError(
            {}, fmt::format("kernel {} has no {} text: no schedule there runs its loops",
                            kernel.name, language));
    if (!target)
        return base::userError({}, fmt::format("unknown language '{}'", language),
                               "known: " + known);
    const record::Code* source = findCode(kernel, std::string(target->language()));
    if (!source)
        return base::userError(
            {}, fmt::format("kernel {} is a library call: it has no generated code", kernel.name));
    if (!tools.parts().generated.contains(codeHash(*source)))
        return base::userError(
            {},
            fmt::format("the code of kernel {} comes from a file and is not compiled", kernel.name),
            "compile the script that the record was made from");
    const auto device = ir::deviceFromName(kernel.device);
    CUTAWAY_TRY(
        runtime::CompilerListing made,
        target->list({remarks ? "asm" : language, kernel.name, textOf(*source),
                      source->hiddenPrefix, device ? device->index : 0, toolchain.cacheFolder()}));
    return remarks ? remarkedText(made, *source) : linkedListing(made, language, *source);
}

} // namespace cutaway::driver
