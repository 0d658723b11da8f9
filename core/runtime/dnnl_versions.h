// SPDX-License-Identifier: Apache-2.0
/// \file
/// oneDNN's C++ interface where its versions 2 and 3 differ: descriptors of operations went away,
/// and with them the scale of element-wise post-ops.
#pragma once

#include "core/ir/dtype.h"

#include <dnnl.hpp>
#include <dnnl_version.h>

namespace cutaway::runtime::dnnl_versions {

using Desc = dnnl::memory::desc;
using Dims = dnnl::memory::dims;

inline void appendEltwise(dnnl::post_ops& ops, dnnl::algorithm algorithm, float alpha, float beta) {
#if DNNL_VERSION_MAJOR >= 3
    ops.append_eltwise(algorithm, alpha, beta);
#else
    ops.append_eltwise(1, algorithm, alpha, beta);
#endif
}

/// The result times \p factor. \returns whether the version can say so of floating-point numbers.
inline bool setFactor([[maybe_unused]] dnnl::primitive_attr& attributes,
                      [[maybe_unused]] float factor) {
#if DNNL_VERSION_MAJOR >= 3
    return false;
#else
    attributes.set_output_scales(0, {factor});
    return true;
#endif
}

/// \param bias null: none
inline dnnl::matmul::primitive_desc matmul(const dnnl::engine& engine, const Desc& a, const Desc& b,
                                           const Desc* bias, const Desc& out,
                                           const dnnl::primitive_attr& attributes) {
#if DNNL_VERSION_MAJOR >= 3
    return bias ? dnnl::matmul::primitive_desc(engine, a, b, *bias, out, attributes)
                : dnnl::matmul::primitive_desc(engine, a, b, out, attributes);
#else
    auto desc = bias ? dnnl::matmul::desc(a, b, *bias, out) : dnnl::matmul::desc(a, b, out);
    return {desc, attributes, engine};
#endif
}

/// Taps of a convolution; dilation counts from 0.
struct Window {
    Dims stride, dilation, before, after;
};

inline dnnl::convolution_forward::primitive_desc
convolution(const dnnl::engine& engine, const Desc& image, const Desc& weight, const Desc* bias,
            const Desc& output, const Window& w, const dnnl::primitive_attr& attributes) {
    constexpr auto kind = dnnl::prop_kind::forward_training;
    constexpr auto way = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
    return bias ? dnnl::convolution_forward::primitive_desc(engine, kind, way, image, weight, *bias,
                                                            output, w.stride, w.dilation, w.before,
                                                            w.after, attributes)
                : dnnl::convolution_forward::primitive_desc(engine, kind, way, image, weight,
                                                            output, w.stride, w.dilation, w.before,
                                                            w.after, attributes);
#else
    using Operation = dnnl::convolution_forward::desc;
    auto desc =
        bias ? Operation(kind, way, image, weight, *bias, output, w.stride, w.dilation, w.before,
                         w.after)
             : Operation(kind, way, image, weight, output, w.stride, w.dilation, w.before, w.after);
    return {desc, attributes, engine};
#endif
}

/// The adjoint in the image (dnnl::convolution_backward_data) or in the weight
/// (dnnl::convolution_backward_weights).
template <typename Adjoint>
typename Adjoint::primitive_desc
convolutionAdjoint(const dnnl::engine& engine, const Desc& image, const Desc& weight,
                   const Desc& output, const Window& w, const dnnl::primitive_attr& attributes,
                   const dnnl::convolution_forward::primitive_desc& forward) {
    constexpr auto way = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
    return {engine,     way,      image,   weight,  output,    w.stride,
            w.dilation, w.before, w.after, forward, attributes};
#else
    typename Adjoint::desc desc(way, image, weight, output, w.stride, w.dilation, w.before,
                                w.after);
    return {desc, attributes, engine, forward};
#endif
}

/// Float32 and the two of 16 bits.
inline dnnl::memory::data_type typeOf(ir::DType dtype) {
    using Type = dnnl::memory::data_type;
    return dtype == ir::DType::BFloat16  ? Type::bf16
           : dtype == ir::DType::Float16 ? Type::f16
                                         : Type::f32;
}

/// What the processor, as far as this version knows it, multiplies 16-bit numbers with.
enum class Halves { None, Vectors, Tiles };
inline Halves halvesOf(ir::DType dtype) {
    using dnnl::cpu_isa;
    const auto isa = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
    const auto has = [&](cpu_isa wanted) {
        return (isa & static_cast<unsigned>(wanted)) == static_cast<unsigned>(wanted);
    };
    if (dtype == ir::DType::BFloat16) {
        if (has(cpu_isa::avx512_core_amx)) return Halves::Tiles;
        return has(cpu_isa::avx512_core_bf16) ? Halves::Vectors : Halves::None;
    }
#if DNNL_VERSION_MAJOR >= 3
    if (dtype == ir::DType::Float16) {
        if (has(cpu_isa::avx512_core_amx_fp16)) return Halves::Tiles;
        if (has(cpu_isa::avx512_core_fp16)) return Halves::Vectors;
    }
#endif
    return Halves::None;
}

/// The shared engine; a CPU engine holds nothing.
inline const dnnl::engine& cpuEngine() {
    static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    return engine;
}

} // namespace cutaway::runtime::dnnl_versions
