// SPDX-License-Identifier: Apache-2.0
#include "core/jit/listing.h"

#include <fmt/format.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ModuleSlotTracker.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

namespace cutaway::jit {

namespace {

/// Passes whose remarks tell a reader something about a kernel. The rest (gvn, licm, inline of
/// prelude functions, prologue bookkeeping) would bury them.
bool tellsSomething(llvm::StringRef pass) {
    static const std::set<std::string, std::less<>> passes = {
        "loop-vectorize",  "slp-vectorizer",   "loop-unroll", "loop-unroll-full",
        "loop-distribute", "openmp-opt",       "asm-printer", "stack-frame-layout",
        "prologepilog",    "loop-interchange", "loop-idiom",  "vector-combine"};
    return passes.count(std::string_view(pass.data(), pass.size())) > 0;
}

/// "rows" for "_ZL4rowsPKPvPclll", wherever a text holds the name that a linker knows a function by.
std::string withPlainNames(std::string text) {
    const auto isOfName = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    };
    for (size_t at = 0; (at = text.find("_Z", at)) != std::string::npos;) {
        size_t end = at;
        while (end < text.size() && isOfName(text[end]))
            ++end;
        std::string plain = llvm::demangle(text.substr(at, end - at));
        if (const size_t arguments = plain.find('('); arguments != std::string::npos)
            plain.resize(arguments);
        text.replace(at, end - at, plain);
        at += std::max<size_t>(1, plain.size());
    }
    return text;
}

class RemarkCollector : public llvm::DiagnosticHandler {
public:
    explicit RemarkCollector(std::vector<Remark>& remarks) : remarks_(remarks) {}

    bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
        if (const auto* remark = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info))
            keep(*remark);
        return true;
    }
    bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override {
        return tellsSomething(pass);
    }
    bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override {
        return tellsSomething(pass);
    }
    bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override {
        return tellsSomething(pass);
    }
    bool isAnyRemarkEnabled() const override { return true; }

private:
    void keep(const llvm::DiagnosticInfoOptimizationBase& info) {
        if (!tellsSomething(info.getPassName())) return;
        // The instructions of each block, by the block's number: the assembly shows them.
        if (info.getRemarkName() == "InstructionMix") return;
        Remark remark;
        if (info.isPassed()) remark.kind = Remark::Kind::Passed;
        if (info.isMissed()) remark.kind = Remark::Kind::Missed;
        remark.pass = info.getPassName().str();
        if (info.isLocationAvailable()) {
            remark.sourceLine = static_cast<int>(info.getLocation().getLine());
            remark.sourceColumn = static_cast<int>(info.getLocation().getColumn());
        }
        remark.message = withPlainNames(info.getMsg());
        while (!remark.message.empty() && remark.message.back() == '\n')
            remark.message.pop_back();
        remarks_.push_back(std::move(remark));
    }
    std::vector<Remark>& remarks_;
};

void sortRemarks(std::vector<Remark>& remarks) {
    auto key = [](const Remark& r) {
        return std::tie(r.sourceLine, r.sourceColumn, r.pass, r.kind, r.message);
    };
    std::sort(remarks.begin(), remarks.end(),
              [&](const Remark& a, const Remark& b) { return key(a) < key(b); });
    remarks.erase(std::unique(remarks.begin(), remarks.end(),
                              [&](const Remark& a, const Remark& b) { return key(a) == key(b); }),
                  remarks.end());
}

/// "  %1 = fmul ..., !dbg !12" without what refers to metadata.
std::string withoutMetadata(std::string line) {
    for (const char* mark : {", !dbg !", ", !tbaa !", ", !llvm.loop !", ", !prof !", ", !range !",
                             ", !noundef !", ", !srcloc !"}) {
        const size_t begin = line.find(mark);
        if (begin == std::string::npos) continue;
        size_t end = begin + std::string_view(mark).size();
        while (end < line.size() && line[end] >= '0' && line[end] <= '9')
            ++end;
        line.erase(begin, end - begin);
    }
    return line;
}

/// Instructions inlined from the prelude get the place of the statement that called it.
void toStatements(llvm::Module& module, unsigned preludeLines) {
    for (llvm::Function& function : module)
        for (llvm::BasicBlock& block : function)
            for (llvm::Instruction& instruction : block) {
                const llvm::DILocation* place = instruction.getDebugLoc();
                while (place && place->getLine() <= preludeLines && place->getInlinedAt())
                    place = place->getInlinedAt();
                if (place) instruction.setDebugLoc(place);
            }
}

std::string textOf(const llvm::Module& module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    for (const llvm::Function& function : module)
        function.print(stream);
    return text;
}

std::vector<AsmLine> linesOf(const llvm::Module& module) {
    std::vector<AsmLine> lines;
    llvm::ModuleSlotTracker slots(&module);
    std::string text;
    auto flush = [&](int sourceLine) {
        size_t begin = 0;
        while (begin < text.size()) {
            size_t end = std::min(text.find('\n', begin), text.size());
            lines.push_back({withoutMetadata(text.substr(begin, end - begin)), sourceLine});
            begin = end + 1;
        }
        text.clear();
    };
    llvm::raw_string_ostream stream(text);
    for (const llvm::Function& function : module) {
        if (function.isDeclaration()) continue;
        slots.incorporateFunction(function);
        if (!lines.empty()) lines.push_back({});
        const llvm::DISubprogram* program = function.getSubprogram();
        stream << "define ";
        function.getReturnType()->print(stream);
        stream << " @" << function.getName() << "(";
        for (const llvm::Argument& argument : function.args()) {
            if (argument.getArgNo() > 0) stream << ", ";
            argument.getType()->print(stream);
            stream << ' ';
            argument.printAsOperand(stream, false, slots);
        }
        stream << ") {";
        flush(program ? static_cast<int>(program->getLine()) : 0);
        for (const llvm::BasicBlock& block : function) {
            block.printAsOperand(stream, false, slots);
            stream << ":";
            text.erase(0, text.starts_with('%') ? 1 : 0);
            flush(0);
            for (const llvm::Instruction& instruction : block) {
                instruction.print(stream, slots);
                const llvm::DebugLoc& place = instruction.getDebugLoc();
                flush(place ? static_cast<int>(place.getLine()) : 0);
            }
        }
        lines.push_back({"}", 0});
    }
    return lines;
}

/// The fourth word of ".loc file line column ...".
int lineOfLoc(std::string_view directive) {
    size_t at = directive.find_first_not_of(" \t", directive.find(".loc") + 4);
    at = directive.find_first_of(" \t", at);
    at = directive.find_first_not_of(" \t", at);
    int line = 0;
    if (at != std::string_view::npos)
        std::from_chars(directive.data() + at, directive.data() + directive.size(), line);
    return line;
}

/// Labels that nothing jumps to (".Ltmp3", ".Lfunc_begin0") only carry debug tables.
bool isBookkeepingLabel(std::string_view line) {
    return line.starts_with(".Ltmp") || line.starts_with(".Lfunc_") || line.starts_with(".Linfo") ||
           line.starts_with(".Ldebug") || line.starts_with(".Lline") || line.starts_with(".Lsec");
}

bool isData(std::string_view line) {
    for (const char* kind : {".byte", ".short", ".long", ".quad", ".zero", ".ascii", ".asciz"})
        if (line.starts_with(kind)) return true;
    return false;
}

std::vector<AsmLine> assemblyLines(const std::string& text) {
    std::vector<AsmLine> lines;
    int source = 0;
    bool debugTables = false;
    size_t begin = 0;
    while (begin < text.size()) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        const size_t first = line.find_first_not_of(" \t");
        if (first == std::string::npos) continue;
        const std::string_view body = std::string_view(line).substr(first);
        if (body.starts_with(".section")) debugTables = body.find(".debug_") != std::string::npos;
        if (body.starts_with(".text")) debugTables = false;
        if (debugTables || isBookkeepingLabel(body) || body.starts_with('#')) continue;
        if (body.starts_with(".loc")) {
            source = lineOfLoc(body);
            continue;
        }
        const bool label = line.back() == ':' || line.find(":  ") != std::string::npos ||
                           line.find(":\t") != std::string::npos;
        if (body.starts_with('.') && !label && !isData(body)) continue;
        const bool code = !label && !isData(body);
        std::replace(line.begin(), line.end(), '\t', ' ');
        if (code) line = "    " + line.substr(line.find_first_not_of(' '));
        lines.push_back({std::move(line), code ? source : 0});
    }
    return lines;
}

} // namespace

base::Result<CodeListing> makeListing(const std::string& name, const std::string& text,
                                      const CpuTarget& target, const CpuCompileOptions& options,
                                      Machine& machine) {
    CodeListing listing;
    llvm::LLVMContext context;
    CUTAWAY_TRY(auto module,
                toModule(context, name, text, cppArguments(target, options.optimisation, true)));
    listing.llvmBefore = textOf(*module);
    context.setDiagnosticHandler(std::make_unique<RemarkCollector>(listing.remarks));
    machine.optimise(*module);
    toStatements(*module, static_cast<unsigned>(options.preludeLines));
    listing.llvm = linesOf(*module);
    listing.assembly = assemblyLines(machine.assembly(*module));
    sortRemarks(listing.remarks);
    listing.target = fmt::format("x86-64, {}, LLVM {}", target.tune, llvmVersion());
    return listing;
}

int LineTable::lineAt(size_t offset) const {
    const auto after = std::ranges::upper_bound(rows, offset, {}, &Row::offset);
    return after == rows.begin() ? 0 : std::prev(after)->line;
}

namespace {

/// A function of an object: where it begins in its section, and how long it is.
struct Extent {
    uint64_t offset = 0, bytes = 0;
};

/// The machine code of a text, with or without line tables.
struct Compiled {
    std::string object;
    std::unique_ptr<llvm::object::ObjectFile> file;
    std::map<std::string, Extent> functions;
    size_t bytes = 0; ///< of all instructions

    base::Status read() {
        auto opened = llvm::object::ObjectFile::createObjectFile(
            llvm::MemoryBufferRef(llvm::StringRef(object), "object"));
        if (!opened) return base::bugError(llvm::toString(opened.takeError()));
        file = std::move(*opened);
        for (const llvm::object::SectionRef& section : file->sections())
            if (section.isText()) bytes = std::max<size_t>(bytes, section.getSize());
        for (const llvm::object::ELFSymbolRef symbol : file->symbols()) {
            auto type = symbol.getType();
            auto name = symbol.getName();
            auto value = symbol.getValue();
            if (!type || !name || !value)
                return base::bugError("a symbol of machine code cannot be read");
            if (*type == llvm::object::SymbolRef::ST_Function && symbol.getSize() > 0)
                functions[name->str()] = {*value, symbol.getSize()};
        }
        return {};
    }
};

base::Result<Compiled> compiled(const std::string& name, const std::string& text,
                                const CpuTarget& target, const CpuCompileOptions& options,
                                Machine& machine, bool lines) {
    llvm::LLVMContext context;
    CUTAWAY_TRY(auto module,
                toModule(context, name, text, cppArguments(target, options.optimisation, lines)));
    machine.optimise(*module);
    if (lines) toStatements(*module, static_cast<unsigned>(options.preludeLines));
    Compiled result;
    result.object = machine.object(*module);
    CUTAWAY_CHECK(result.read());
    return result;
}

std::vector<LineTable::Row> rowsOf(const llvm::object::ObjectFile& file) {
    std::vector<LineTable::Row> rows;
    const auto dwarf = llvm::DWARFContext::create(file);
    for (const auto& unit : dwarf->compile_units())
        if (const auto* lines = dwarf->getLineTableForUnit(unit.get()))
            for (const llvm::DWARFDebugLine::Row& row : lines->Rows)
                rows.push_back({row.Address.Address, static_cast<int>(row.Line)});
    std::ranges::stable_sort(rows, {}, &LineTable::Row::offset);
    return rows;
}

} // namespace

// Line tables change no code but that around teams of threads, where OpenMP wants to know places:
// lines are those of the functions that are the same in both.
base::Result<LineTable> makeLineTable(const std::string& name, const std::string& text,
                                      const CpuTarget& target, const CpuCompileOptions& options,
                                      Machine& machine) {
    CUTAWAY_TRY(const Compiled plain, compiled(name, text, target, options, machine, false));
    CUTAWAY_TRY(const Compiled lined, compiled(name, text, target, options, machine, true));
    const LineTable all{lined.bytes, rowsOf(*lined.file)};
    LineTable table{plain.bytes, {}};
    for (const auto& [function, at] : plain.functions) {
        const auto same = lined.functions.find(function);
        if (same == lined.functions.end() || same->second.bytes != at.bytes) continue;
        const Extent& there = same->second;
        table.rows.push_back({at.offset, all.lineAt(there.offset)});
        for (const LineTable::Row& row : all.rows)
            if (row.offset > there.offset && row.offset < there.offset + there.bytes)
                table.rows.push_back({at.offset + (row.offset - there.offset), row.line});
        table.rows.push_back({at.offset + at.bytes, 0});
    }
    std::ranges::stable_sort(table.rows, {}, &LineTable::Row::offset);
    return table;
}

} // namespace cutaway::jit
