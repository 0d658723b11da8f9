// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/loops_text.h"
#include "core/kernel/parse_call.h"
#include "core/kernel/verify.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <stdexcept>

namespace cutaway::kernel {

namespace {

class LoopsParser {
public:
    explicit LoopsParser(TextPart part) : text_(part.text), line_(part.linesBefore) {
        names_.buffer = [this](std::string_view name) { return find(name); };
        names_.bufferType = [this](BufferId id) { return program_.buffer(id).dtype; };
        names_.place = [](BufferId, std::vector<Coord> coords) { return coords; };
    }

    base::Result<LoopProgram> run(const std::string& file) {
        try {
            while (!text_.empty())
                parseLine();
            if (program_.name.empty()) throw ParseError{"expected 'loops NAME:'"};
            if (checksUsed() > program_.checks.size())
                throw ParseError{fmt::format("expected a line '{}'", checkName())};
            return checked(file);
        } catch (const ParseError& error) {
            return base::userError({file, line_, column()}, error.what);
        } catch (const std::logic_error& error) { // dtypes that do not fit, sizes without a line
            return base::userError({file, line_, column()}, error.what());
        }
    }

private:
    base::Result<LoopProgram> checked(const std::string& file) {
        program_.shapes = std::make_shared<const ir::ShapeEnv>(std::move(shapes_));
        for (const Buffer& buffer : program_.buffers)
            for (const ir::Shape* shape : {&buffer.sizes, &buffer.strides, &buffer.reduced})
                for (const ir::Sym& size : *shape)
                    program_.hint(size); // throws for a symbol that has no line
        if (auto problem = verify(program_))
            return base::userError({file, 1}, "these loops cannot run: " + *problem);
        if (program_.shapes->symbols().empty()) program_.shapes = nullptr;
        return std::move(program_);
    }

    int column() const { return reader_ ? static_cast<int>(length_ - reader_->left()) + 1 : 1; }

    std::optional<BufferId> find(std::string_view name) const {
        auto it = buffers_.find(name);
        return it == buffers_.end() ? std::nullopt : std::optional(it->second);
    }

    void parseLine() {
        ++line_;
        const std::string_view line = text_.substr(0, text_.find('\n'));
        text_.remove_prefix(std::min(line.size() + 1, text_.size()));
        length_ = line.size();
        TextReader& reader = reader_.emplace(line);
        if (reader.atEnd()) return;
        if (program_.name.empty()) {
            reader.expect("loops");
            program_.name = reader.word();
            reader.expect(":");
        } else if (reader.take("return")) {
            parseOutput(reader);
        } else if (TextReader rest = reader; rest.take("size") && !rest.take(":")) {
            reader.expect("size");
            parseSize(reader);
        } else if (TextReader rest = reader; rest.take(checkName())) {
            reader = rest;
            parseCheck(reader);
        } else {
            parseBuffer(reader);
        }
        if (!reader.atEnd()) throw ParseError{"expected the end of the line"};
    }

    /// size s0 = 16, from 4 to 64
    void parseSize(TextReader& reader) {
        reader.expect(fmt::format("s{}", shapes_.symbols().size()));
        reader.expect("=");
        const int64_t hint = CallReader::number(reader);
        ir::SizeRange range;
        if (reader.take(",")) {
            reader.expect("from");
            range.least = CallReader::number(reader);
            if (reader.take("to")) range.most = CallReader::number(reader);
        }
        if (hint < range.least || hint > range.most)
            throw ParseError{"expected a size that is in its range, of 2 and more"};
        shapes_.add(hint, {}, range);
    }

    void parseOutput(TextReader& reader) {
        program_.outputNames.emplace_back(reader.upTo(" = "));
        reader.expect("=");
        program_.outputs.push_back(reader.take("none") ? StridedView() : calls_.view(reader));
    }

    size_t checksUsed() const {
        size_t used = 0;
        for (uint32_t i = 0; i < program_.pool.size(); ++i)
            if (const Expr& e = program_.pool[ExprId(i)]; e.kind == ExprKind::Check)
                used = std::max<size_t>(used, e.check.index + 1);
        return used;
    }

    std::string checkName() const { return fmt::format("check{}:", program_.checks.size()); }

    /// index 'ARGUMENT' of OPERATION, dimension 1 of size 128; divisor of OPERATION
    void parseCheck(TextReader& reader) {
        Check check;
        if (reader.take("divisor")) {
            check.kind = Check::Kind::Divisor;
            reader.expect("of");
            check.operation = reader.word();
        } else {
            reader.expect("index");
            reader.expect("'");
            check.argument = reader.upTo("'");
            reader.expect("'");
            reader.expect("of");
            check.operation = reader.word();
            reader.expect(",");
            reader.expect("dimension");
            check.dimension = static_cast<int>(CallReader::number(reader));
            reader.expect("of");
            reader.expect("size");
            check.size = CallReader::size(reader.expression());
        }
        program_.checks.push_back(std::move(check));
    }

    void parseBuffer(TextReader& reader) {
        Buffer buffer;
        buffer.id = BufferId(static_cast<uint32_t>(program_.buffers.size()));
        buffer.name = reader.word();
        if (find(buffer.name)) throw ParseError{"a second buffer is called " + buffer.name};
        reader.expect(":");
        parseType(reader, buffer);
        reader.expect("=");
        if (TextReader rest = reader; rest.take("input") && rest.atEnd()) {
            reader = rest;
            buffer.kind = BufferKind::Input;
            program_.inputs.push_back(buffer.id);
        } else if (reader.take("constant(")) {
            buffer.kind = BufferKind::Constant;
            parseConstant(reader, buffer);
        } else if (reader.take("other result of")) {
            buffer.kind = BufferKind::Result;
            parseResult(reader, buffer);
        } else if (const LibraryOpInfo* op = CallReader::take(reader)) {
            buffer.kind = BufferKind::Library;
            buffer.call = calls_.call(reader, *op, buffer);
        } else {
            parseBody(reader, buffer);
        }
        buffers_[buffer.name] = buffer.id;
        program_.buffers.push_back(std::move(buffer));
    }

    /// f32[4, 3], with strides [1, 4] behind it where it is not contiguous, and a GPU's name.
    void parseType(TextReader& reader, Buffer& buffer) {
        const auto dtype = dtypeNamed(reader.word());
        if (!dtype) throw ParseError{"expected a type, as f32[2, 3]"};
        buffer.dtype = *dtype;
        reader.expect("[");
        buffer.sizes = CallReader::shape(reader, "]");
        buffer.strides =
            reader.take("[") ? CallReader::shape(reader, "]") : ir::contiguousStrides(buffer.sizes);
        if (buffer.strides.size() != buffer.sizes.size())
            throw ParseError{fmt::format("expected {} strides", buffer.sizes.size())};
        if (!reader.take("cuda")) return;
        reader.expect(":");
        buffer.device = {ir::Device::Kind::Cuda, static_cast<int>(CallReader::number(reader))};
    }

    static void setValue(ir::HostTensor& value, int64_t i, const SyntaxNode& written) {
        const SyntaxNode* node = &written;
        const bool negative = node->kind == SyntaxNode::Kind::Sign && node->text == "neg";
        if (negative) node = &node->operands[0];
        if (node->kind != SyntaxNode::Kind::Number) throw ParseError{"expected a number"};
        const std::string text = (negative ? "-" : "") + node->text;
        if (ir::isFloating(value.dtype))
            value.set(i, std::strtod(text.c_str(), nullptr));
        else
            value.setInt(i, std::strtoll(text.c_str(), nullptr, 10));
    }

    /// 1, -2 x 40, 3): forty times -2
    void parseConstant(TextReader& reader, Buffer& buffer) {
        if (reader.take("..."))
            throw ParseError{"the values of this constant are left out: there are too many"};
        for (const ir::Sym& extent : buffer.sizes)
            if (!extent.isConst()) throw ParseError{"a constant needs constant sizes"};
        ir::HostTensor value = ir::HostTensor::zeros(buffer.dtype, ir::constants(buffer.sizes));
        int64_t count = 0;
        while (!reader.take(")")) {
            if (count > 0) reader.expect(",");
            const SyntaxNode node = reader.expression();
            const int64_t times = reader.take("x") ? CallReader::number(reader) : 1;
            if (times < 1 || times > value.numel() - count)
                throw ParseError{fmt::format("expected {} values", value.numel())};
            for (const int64_t end = count + times; count < end; ++count)
                setValue(value, count, node);
        }
        if (count != value.numel())
            throw ParseError{fmt::format("expected {} values, found {}", value.numel(), count)};
        buffer.constant = std::make_shared<const ir::HostTensor>(std::move(value));
    }

    /// What \p reader says between \p kind 0 and its last loop: "r0 in 0..4, r1 in 0..8".
    static ir::Shape parseLoops(TextReader& reader, char kind) {
        ir::Shape sizes;
        do {
            if (variableOf(reader.word()) != ir::Var{kind, static_cast<uint16_t>(sizes.size())})
                throw ParseError{fmt::format("expected loop {}{}", kind, sizes.size())};
            reader.expect("in");
            reader.expect("0");
            reader.expect("..");
            sizes.push_back(CallReader::size(reader.expression()));
        } while (reader.take(","));
        return sizes;
    }

    /// VALUE into BASE at BUFFER[place]  for r0 in 0..8
    void parseScatter(TextReader& reader, Buffer& buffer) {
        buffer.kind = BufferKind::Scatter;
        buffer.body = build(program_.pool, names_, reader.expression(), buffer.dtype);
        reader.expect("into");
        const std::string name = reader.word();
        const auto base = find(name);
        if (!base) throw ParseError{name + " is no buffer above"};
        buffer.base = *base;
        reader.expect("at");
        const SyntaxNode place = reader.expression();
        if (place.kind != SyntaxNode::Kind::Element || place.text != buffer.name)
            throw ParseError{fmt::format("expected a place in {}", buffer.name)};
        buffer.place = program_.pool.load(buffer.id, buffer.dtype,
                                          coordsOf(program_.pool, names_, place.operands));
        reader.expect("for");
        buffer.reduced = parseLoops(reader, 'r');
    }

    /// BUFFER, or of a scan BUFFER, VALUE  for d0 in 0..8
    void parseResult(TextReader& reader, Buffer& buffer) {
        const std::string name = reader.word();
        const auto of = find(name);
        if (!of) throw ParseError{name + " is no buffer above"};
        buffer.of = *of;
        if (!reader.take(",")) return;
        buffer.body = build(program_.pool, names_, reader.expression(), buffer.dtype);
        reader.expect("for");
        if (parseLoops(reader, 'd') != buffer.sizes)
            throw ParseError{"the loops are not the sizes of the buffer"};
    }

    void parseBody(TextReader& reader, Buffer& buffer) {
        std::optional<ir::DType> wanted = buffer.dtype;
        for (auto op = ReduceOp::Sum; op <= ReduceOp::Welford;
             op = static_cast<ReduceOp>(static_cast<uint8_t>(op) + 1)) {
            if (reader.take(fmt::format("{} of", text(op)))) {
                buffer.reduce = op;
                return parseScatter(reader, buffer);
            }
            if (!reader.take(fmt::format("{} over", text(op)))) continue;
            buffer.kind = BufferKind::Reduction;
            buffer.reduce = op;
            buffer.reduced = parseLoops(reader, 'r');
            reader.expect("of");
            if (op == ReduceOp::ArgMax || op == ReduceOp::ArgMin) wanted = std::nullopt;
            break;
        }
        buffer.body = build(program_.pool, names_, reader.expression(), wanted);
        const ir::Shape loops = reader.take("for") ? parseLoops(reader, 'd') : ir::Shape();
        if (loops != buffer.sizes)
            throw ParseError{fmt::format("the loops are {}, the type says {}", ir::str(loops),
                                         ir::str(buffer.sizes))};
    }

    std::string_view text_;
    std::optional<TextReader> reader_; ///< of the line
    size_t length_ = 0;
    int line_ = 0;
    LoopProgram program_;
    ir::ShapeEnv shapes_;
    std::map<std::string, BufferId, std::less<>> buffers_;
    NameTable names_;
    CallReader calls_{program_, [this](std::string_view name) { return find(name); }};
};

} // namespace

base::Result<LoopProgram> parseLoops(const TextPart& part, const std::string& file) {
    return LoopsParser(part).run(file);
}

base::Result<LoopProgram> parseLoops(std::string_view text, const std::string& file) {
    return LoopsParser({text}).run(file);
}

base::Result<std::vector<LoopProgram>> parseAllLoops(std::string_view text,
                                                     const std::string& file) {
    std::vector<LoopProgram> programs;
    for (const TextPart& part : partsOf(text, "loops ")) {
        CUTAWAY_TRY(LoopProgram program, LoopsParser(part).run(file));
        programs.push_back(std::move(program));
    }
    return programs;
}

} // namespace cutaway::kernel
