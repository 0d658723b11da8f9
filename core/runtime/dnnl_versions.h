// SPDX-License-Identifier: Apache-2.0
/// \file
/// oneDNN's C++ interface where its versions 2 and 3 differ: descriptors of operations went away,
/// and with them the scale of element-wise post-ops.
#pragma once

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

/// The shared engine; a CPU engine holds nothing.
inline const dnnl::engine& cpuEngine() {
    static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    return engine;
}

} // namespace cutaway::runtime::dnnl_versions
