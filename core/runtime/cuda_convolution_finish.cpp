// SPDX-License-Identifier: Apache-2.0
// CUDA text of what follows a convolution's sums.
#include "core/runtime/cuda_convolution_text.h"

#include <fmt/format.h>

#include <bit>

namespace cutaway::runtime {
namespace {

using Kind = kernel::Epilogue::Kind;

/// Where a view over the result has what belongs to the result's element \p at.
std::string indexText(const ResultSpec& spec, const MatrixView& view) {
    std::vector<int64_t> sizes = spec.batch, strides = view.batchStrides,
                         dense = spec.result.batchStrides;
    sizes.insert(sizes.end(), {spec.m, spec.n});
    strides.insert(strides.end(), {view.rowStride, view.columnStride});
    dense.insert(dense.end(), {spec.result.rowStride, spec.result.columnStride});
    bool same = true;
    std::string text = "0";
    int64_t inner = 1;
    for (size_t d = sizes.size(); d-- > 0; inner *= sizes[d]) {
        if (sizes[d] == 1) continue;
        same = same && strides[d] == dense[d];
        if (strides[d] != 0)
            text += fmt::format(" + at / {} % {} * {}", inner, sizes[d], strides[d]);
    }
    return same ? "at" : text;
}

std::string scalarText(double value) {
    return fmt::format("__uint_as_float(0x{:08x}u)",
                       std::bit_cast<uint32_t>(static_cast<float>(value)));
}

} // namespace

std::string finishText(const ConvolutionSpec& spec) {
    std::string parameters, arguments, body;
    auto add = [&](const std::string& name, const std::string& index) {
        parameters += ", const number* __restrict__ " + name;
        arguments += ", " + name;
        body += fmt::format("    value = value + wide({}[{}]);\n", name, index);
    };
    if (spec.bias) add("bias", spec.biasByChannel ? "channel" : indexText(spec, *spec.bias));
    int tensors = 0;
    for (const EpilogueSpec& epilogue : spec.epilogues) {
        if (epilogue.kind == Kind::AddTensor)
            add(fmt::format("added_{}", tensors++), indexText(spec, epilogue.tensor));
        else if (epilogue.kind == Kind::Relu)
            body += "    value = value < 0 ? 0.0f : value;\n";
        else
            body += fmt::format("    value = value {} {};\n",
                                epilogue.kind == Kind::AddScalar ? '+' : '*',
                                scalarText(epilogue.scalar));
    }
    return fmt::format("#define FURTHER_PARAMETERS {0}\n#define FURTHER_ARGUMENTS {1}\n"
                       "DEVICE float finished(float value, index_t at, index_t channel{0}) {{\n"
                       "{2}    return value;\n}}\n",
                       parameters, arguments, body);
}

} // namespace cutaway::runtime
