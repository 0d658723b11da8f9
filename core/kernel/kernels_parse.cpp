// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/kernels_text.h"
#include "core/kernel/loops_text.h"
#include "core/kernel/nest.h"
#include "core/kernel/parse_call.h"
#include "core/kernel/tree_text.h"
#include "core/kernel/verify.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <stdexcept>

namespace cutaway::kernel {

namespace {

constexpr std::string_view kKernel = "kernel ";

int linesIn(std::string_view text) {
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

/// Reads the first line off a text.
std::string_view takeLine(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

/// Where the next kernel begins; the end of the text when there is none.
size_t nextKernel(std::string_view text) {
    if (text.starts_with(kKernel)) return 0;
    const size_t at = text.find("\n" + std::string(kKernel));
    return at == std::string_view::npos ? text.size() : at + 1;
}

class KernelsParser {
public:
    KernelsParser(LoopProgram loops, const std::string& file, int line) : file_(file), line_(line) {
        program_.loops = std::move(loops);
        for (const Buffer& buffer : program_.loops.buffers)
            buffers_[buffer.name] = buffer.id;
    }

    base::Result<KernelProgram> run(std::string_view text) {
        while (!text.empty()) {
            const std::string_view head = text.substr(0, text.find('\n') + 1);
            const size_t end = text.find('\n') == std::string_view::npos
                                   ? text.size()
                                   : head.size() + nextKernel(text.substr(head.size()));
            CUTAWAY_CHECK(parseKernel(text.substr(0, end)));
            text.remove_prefix(end);
        }
        if (auto problem = verify(program_))
            return base::userError({file_, 1}, "these kernels cannot run: " + *problem);
        return std::move(program_);
    }

private:
    base::Status parseKernel(std::string_view text) {
        Kernel kernel;
        kernel.id = KernelId(static_cast<uint32_t>(program_.kernels.size()));
        bool calls = false;
        try {
            parseHead(lineOf(text), kernel);
            calls = isCall(text);
            if (calls) parseCall(text, kernel);
        } catch (const ParseError& error) {
            return base::userError({file_, line_, column()}, error.what);
        } catch (const std::logic_error& error) { // sizes without a line
            return base::userError({file_, line_, column()}, error.what());
        }
        if (!calls) {
            // Its lines are counted from the kernel's first.
            CUTAWAY_TRY(kernel.tree, parseTree(program_.loops, text, {file_, line_}));
            kernel.oneLoop = withOneLoop(program_.loops, *kernel.tree);
            line_ += linesIn(text);
        }
        program_.kernels.push_back(std::move(kernel));
        return {};
    }

    TextReader& lineOf(std::string_view& text) {
        ++line_;
        const std::string_view line = takeLine(text);
        length_ = line.size();
        return reader_.emplace(line);
    }
    int column() const { return reader_ ? static_cast<int>(length_ - reader_->left()) + 1 : 1; }
    void expectEnd() {
        if (!reader_->atEnd()) throw ParseError{"expected the end of the line"};
    }

    BufferId buffer(std::string_view name) const {
        const auto it = buffers_.find(name);
        if (it == buffers_.end()) throw ParseError{fmt::format("{} is no buffer above", name)};
        return it->second;
    }

    /// kernel NAME(reads a, b; writes c):
    void parseHead(TextReader& reader, Kernel& kernel) {
        reader.expect("kernel");
        kernel.name = reader.word();
        reader.expect("(");
        reader.expect("reads");
        if (!reader.take(";")) {
            do
                kernel.reads.push_back(buffer(reader.word()));
            while (reader.take(","));
            reader.expect(";");
        }
        reader.expect("writes");
        do
            kernel.writes.push_back(buffer(reader.word()));
        while (reader.take(","));
        reader.expect(")");
        reader.expect(":");
        expectEnd();
        kernel.members = kernel.writes;
        kernel.device = program_.loops.buffer(kernel.writes.front()).device;
    }

    /// Whether the first line is RESULT = CALL(...: loops say what elements or types they define.
    static bool isCall(std::string_view text) {
        TextReader reader(takeLine(text));
        try {
            reader.word();
            return reader.take("=") && CallReader::take(reader) != nullptr;
        } catch (const ParseError&) {
            return false;
        }
    }

    /// RESULT = CALL(...), then lines "then EPILOGUE".
    void parseCall(std::string_view text, Kernel& kernel) {
        TextReader& reader = lineOf(text);
        const std::string name = reader.word();
        if (buffer(name) != kernel.writes.front())
            throw ParseError{fmt::format("expected {}, which the kernel writes",
                                         program_.loops.buffer(kernel.writes.front()).name)};
        reader.expect("=");
        const LibraryOpInfo* op = CallReader::take(reader);
        kernel.call = calls_.call(reader, *op, program_.loops.buffer(kernel.writes.front()));
        expectEnd();
        while (!text.empty()) {
            TextReader& line = lineOf(text);
            if (line.atEnd()) continue;
            line.expect("then");
            kernel.call->epilogues.push_back(calls_.epilogue(line));
            expectEnd();
        }
    }

    KernelProgram program_;
    std::map<std::string, BufferId, std::less<>> buffers_;
    CallReader calls_{program_.loops, [this](std::string_view name) {
                          const auto it = buffers_.find(name);
                          return it == buffers_.end() ? std::nullopt : std::optional(it->second);
                      }};
    std::string file_;
    int line_ = 0; ///< lines read
    std::optional<TextReader> reader_;
    size_t length_ = 0;
};

} // namespace

static base::Result<KernelProgram> parsePart(const TextPart& part, const std::string& file) {
    const std::string_view loops = part.text.substr(0, nextKernel(part.text));
    CUTAWAY_TRY(LoopProgram program, parseLoops({loops, part.linesBefore}, file));
    return KernelsParser(std::move(program), file, part.linesBefore + linesIn(loops))
        .run(part.text.substr(loops.size()));
}

base::Result<KernelProgram> parseKernels(std::string_view text, const std::string& file) {
    return parsePart({text}, file);
}

base::Result<std::vector<KernelProgram>> parseAllKernels(std::string_view text,
                                                         const std::string& file) {
    std::vector<KernelProgram> programs;
    for (const TextPart& part : partsOf(text, "loops ")) {
        CUTAWAY_TRY(KernelProgram program, parsePart(part, file));
        programs.push_back(std::move(program));
    }
    return programs;
}

} // namespace cutaway::kernel
