// SPDX-License-Identifier: Apache-2.0
/// \file
/// The text of library calls and of views, back to what it says. Internal to core/kernel; throws
/// ParseError.
#pragma once

#include "core/kernel/loop_program.h"
#include "core/kernel/parse_expr.h"

namespace cutaway::kernel {

class CallReader {
public:
    using Find = std::function<std::optional<BufferId>(std::string_view name)>;

    /// \param program outlives the reader
    CallReader(const LoopProgram& program, Find find) : program_(program), find_(std::move(find)) {}

    static ir::Sym size(const SyntaxNode& node);
    static int64_t number(TextReader& reader);
    static ir::Shape shape(TextReader& reader, std::string_view end); ///< up to and with \p end
    StridedView view(TextReader& reader) const;
    /// The operation whose call begins here, read with its bracket; or null, and nothing is read.
    static const LibraryOpInfo* take(TextReader& reader);
    /// What follows. \param result what it computes
    LibraryCall call(TextReader& reader, const LibraryOpInfo& op, const Buffer& result) const;
    Epilogue epilogue(TextReader& reader) const; ///< behind "then"

private:
    void row(TextReader& reader, LibraryCall& call) const;

    const LoopProgram& program_;
    Find find_;
};

} // namespace cutaway::kernel
