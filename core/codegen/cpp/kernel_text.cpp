// SPDX-License-Identifier: Apache-2.0
#include "core/codegen/cpp/kernel_text.h"

#include "core/codegen/cpp/prelude.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::codegen::cpp {

using ir::DType;
using kernel::BufferId;

bool mentions(const Lines& lines, const std::string& name) {
    return std::any_of(lines.all().begin(), lines.all().end(),
                       [&](const LinePtr& line) { return mentions(line->text, name); });
}

void KernelText::nameEverything(const std::vector<ir::Var>& variables,
                                const std::vector<kernel::TreeLocal>& values) {
    names_.names.unique(kernel_.name);
    for (ir::Var variable : variables)
        names_.names.unique(variable.str());
    for (const ir::DTypeInfo& row : ir::allDTypes())
        names_.names.unique(vectorType(row.id, names_.lanes));
    // Values take the graph's names before memory, which is in_NAME and out_NAME.
    names_.locals.resize(values.size());
    for (size_t i = 0; i < values.size(); ++i)
        names_.locals[i].name = names_.names.unique(values[i].name);
    for (BufferId id : kernel_.reads)
        names_.pointers[id] = names_.names.unique("in_" + program_.loops.buffer(id).name);
    for (BufferId id : kernel_.writes)
        names_.pointers[id] = names_.names.unique("out_" + program_.loops.buffer(id).name);
}

Lines KernelText::heading() const {
    Lines lines;
    lines.add(fmt::format("// {}", kernel_.name));
    auto list = [&](const char* what, const std::vector<BufferId>& ids) {
        std::string text;
        for (BufferId id : ids) {
            const kernel::Buffer& buffer = program_.loops.buffer(id);
            text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", buffer.name,
                                ir::shortName(buffer.dtype), ir::str(buffer.sizes));
        }
        if (!text.empty()) lines.add(fmt::format("//   {} {}", what, text));
    };
    list("reads ", kernel_.reads);
    list("writes", kernel_.writes);
    for (DType dtype : names_.usedVectors)
        lines.add(
            fmt::format("typedef {} {};", preludeType(dtype), vectorType(dtype, names_.lanes)));
    lines.add("");
    return lines;
}

Lines KernelText::pointers(const Lines& used, const std::vector<ir::Var>& sizes) const {
    Lines lines(1);
    size_t index = 0;
    auto declare = [&](BufferId id, const char* constant) {
        const std::string& name = names_.pointers.at(id);
        if (mentions(used, name))
            lines.add(fmt::format("{0}{1}* {2} = ({0}{1}*)buffers[{3}];", constant,
                                  scalarType(program_.loops.buffer(id).dtype), name, index),
                      {id});
        ++index;
    };
    for (BufferId id : kernel_.reads)
        declare(id, "const ");
    for (BufferId id : kernel_.writes)
        declare(id, "");
    if (mentions(used, "faults"))
        lines.add(fmt::format("long* faults = (long*)buffers[{}];", index));
    index += makesChecks(program_, kernel_);
    for (size_t k = 0; k < sizes.size(); ++k)
        if (const std::string name = sizes[k].str(); mentions(used, name))
            lines.add(
                fmt::format("const long {} = ((const long*)buffers[{}])[{}];", name, index, k));
    return lines;
}

} // namespace cutaway::codegen::cpp
