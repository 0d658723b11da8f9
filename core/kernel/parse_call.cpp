// SPDX-License-Identifier: Apache-2.0
#include "core/kernel/parse_call.h"

#include "core/kernel/row_call.h"

#include <fmt/format.h>

#include <cstdlib>

namespace cutaway::kernel {

namespace {

std::vector<int64_t> numbers(TextReader& reader, std::string_view end) {
    std::vector<int64_t> found;
    for (const ir::Sym& value : CallReader::shape(reader, end)) {
        if (!value.isConst()) throw ParseError{"expected numbers"};
        found.push_back(value.constant());
    }
    return found;
}

/// ; cholesky, quiet)
void readTask(TextReader& reader, LibraryCall& call) {
    reader.expect(";");
    std::string words = reader.word();
    while (!reader.take(")")) {
        reader.expect(",");
        words += ", " + reader.word();
    }
    const auto task = MatrixTask::fromText(words);
    if (!task) throw ParseError{fmt::format("'{}' of matrices is not known", words)};
    call.task = *task;
}

/// ; causal, scale 0.125)
void readAttention(TextReader& reader, AttentionTask& task) {
    reader.expect(";");
    while (!reader.take("scale")) {
        const std::string word = reader.word();
        bool* flag = word == "causal"  ? &task.causal
                     : word == "safe"  ? &task.safe
                     : word == "inner" ? &task.inner
                                       : nullptr;
        if (!flag) throw ParseError{fmt::format("'{}' of attention is not known", word)};
        *flag = true;
        reader.expect(",");
    }
    task.scale = std::strtod(reader.upTo(")").c_str(), nullptr);
    reader.expect(")");
}

} // namespace

ir::Sym CallReader::size(const SyntaxNode& node) {
    auto value = indexOf(node);
    if (!value) throw ParseError{"expected a size"};
    return *value;
}

int64_t CallReader::number(TextReader& reader) {
    const ir::Sym value = size(reader.expression());
    if (!value.isConst()) throw ParseError{"expected a number"};
    return value.constant();
}

ir::Shape CallReader::shape(TextReader& reader, std::string_view end) {
    ir::Shape shape;
    for (const SyntaxNode& node : reader.list(end))
        shape.push_back(size(node));
    return shape;
}

/// NAME[sizes; strides ...; offset ...]
StridedView CallReader::view(TextReader& reader) const {
    StridedView view;
    const std::string name = reader.word();
    const auto buffer = find_(name);
    if (!buffer) throw ParseError{name + " is no buffer above"};
    view.buffer = *buffer;
    reader.expect("[");
    view.sizes = shape(reader, ";");
    reader.expect("strides");
    view.strides = shape(reader, ";");
    reader.expect("offset");
    view.offset = size(reader.expression());
    reader.expect("]");
    return view;
}

const LibraryOpInfo* CallReader::take(TextReader& reader) {
    for (const LibraryOpInfo& op : libraryOps())
        if (reader.take(std::string(op.name) + "(")) return &op;
    return nullptr;
}

/// ; along 1, descending)
void CallReader::row(TextReader& reader, LibraryCall& call) const {
    reader.expect(";");
    reader.expect("along");
    call.row.dim = static_cast<int>(number(reader));
    call.row.dtype = program_.buffer(call.operands[0].buffer).dtype;
    while (!reader.take(")")) {
        reader.expect(",");
        const std::string word = reader.word();
        if (!readRowWord(word, call.op, call.row))
            throw ParseError{fmt::format("{} of rows is not known", word)};
    }
}

/// VIEW, VIEW; stride 1, 1; padding 0, 0; dilation 1, 1; groups 1) as [sizes; strides ..] +
/// BIAS
LibraryCall CallReader::call(TextReader& reader, const LibraryOpInfo& op,
                             const Buffer& result) const {
    LibraryCall call;
    call.op = op.op;
    for (size_t i = 0; i < op.operands.size(); ++i) {
        const bool mayEnd = op.lastIsOptional && i + 1 == op.operands.size();
        if (i && mayEnd && !reader.take(",")) break;
        if (i && !mayEnd) reader.expect(",");
        call.operands.push_back(view(reader));
    }
    const bool rows = op.op == LibraryOp::Sort || op.op == LibraryOp::Scan;
    if (rows) {
        row(reader, call);
    } else if (op.op == LibraryOp::LinearAlgebra) {
        readTask(reader, call);
    } else if (op.op == LibraryOp::Attention || op.op == LibraryOp::AttentionBackward) {
        readAttention(reader, call.attention);
    } else if (reader.take(";")) {
        reader.expect("stride");
        call.window.stride = numbers(reader, ";");
        reader.expect("padding");
        call.window.padding = numbers(reader, ";");
        reader.expect("dilation");
        call.window.dilation = numbers(reader, ";");
        reader.expect("groups");
        const std::vector<int64_t> groups = numbers(reader, ")");
        if (groups.size() != 1) throw ParseError{"expected one number of groups"};
        call.window.groups = groups[0];
    } else {
        reader.expect(")");
    }
    call.sizes = result.sizes;
    call.strides = ir::contiguousStrides(result.sizes);
    if (reader.take("as")) {
        reader.expect("[");
        call.sizes = shape(reader, ";");
        reader.expect("strides");
        call.strides = shape(reader, "]");
    }
    if (reader.take("+")) call.bias = view(reader);
    return call;
}

/// add VIEW, add 0.5, multiply by 2, relu
Epilogue CallReader::epilogue(TextReader& reader) const {
    Epilogue epilogue;
    if (reader.take("relu")) return epilogue;
    const bool adds = reader.take("add");
    if (!adds) {
        if (!reader.take("multiply")) throw ParseError{"expected 'add', 'multiply by' or 'relu'"};
        reader.expect("by");
    }
    epilogue.kind = adds ? Epilogue::Kind::AddScalar : Epilogue::Kind::MulScalar;
    const std::string rest = reader.rest();
    char* end = nullptr;
    epilogue.scalar = std::strtod(rest.c_str(), &end);
    const auto length = static_cast<size_t>(end - rest.c_str());
    // A buffer may be called inf.
    if (length == 0 || (adds && rest.find('[') != std::string::npos)) {
        if (!adds) throw ParseError{"expected a number"};
        epilogue.kind = Epilogue::Kind::AddTensor;
        epilogue.tensor = view(reader);
        return epilogue;
    }
    reader.skipOver(length);
    return epilogue;
}

} // namespace cutaway::kernel
