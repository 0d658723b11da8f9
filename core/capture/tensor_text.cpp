// SPDX-License-Identifier: Apache-2.0
// Tensors as they are printed (torch/_tensor_str.py).
#include "core/capture/complex_tensors.h"
#include "core/capture/interp.h"
#include "core/capture/torch_support.h"
#include "core/ir/meta_device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

namespace cutaway::capture {

namespace {

/// How the numbers of a tensor are written, so that they stand below each other
/// (torch/_tensor_str.py, _Formatter).
struct NumberForm {
    const ir::HostTensor& host;
    const PrintOptions& options;
    bool floating, whole = true, scientific = false;
    size_t width = 0; ///< of what is finite and not 0

    /// \param shown the places of the elements that are seen
    NumberForm(const ir::HostTensor& h, const PrintOptions& o, const std::vector<int64_t>& shown)
        : host(h), options(o), floating(ir::isFloating(h.dtype)) {
        double largest = 0, smallest = INFINITY;
        for (int64_t i : shown) {
            double v = std::fabs(host.get(i));
            if (!floating || !std::isfinite(v)) continue;
            whole &= v == std::floor(v);
            if (v == 0) continue;
            largest = std::max(largest, v);
            smallest = std::min(smallest, v);
        }
        scientific = options.scientific.value_or(
            largest > 0 && (largest / smallest > 1000 || largest > 1e8 || smallest < 1e-4));
        for (int64_t i : shown)
            if (!floating || (std::isfinite(host.get(i)) && host.get(i) != 0))
                width = std::max(width, text(i).size());
        if (width == 0) width = 1;
    }
    std::string text(int64_t i) const {
        if (host.dtype == ir::DType::Bool) return host.getInt(i) ? "True" : "False";
        if (host.dtype == ir::DType::UInt64)
            return std::to_string(static_cast<uint64_t>(host.getInt(i)));
        if (!floating) return std::to_string(host.getInt(i));
        double v = host.get(i);
        if (!std::isfinite(v)) return std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf";
        if (scientific) return fmt::format("{:.{}e}", v, options.precision);
        return whole ? fmt::format("{:.0f}.", v) : fmt::format("{:.{}f}", v, options.precision);
    }
    std::string padded(int64_t i) const { return fmt::format("{:>{}}", text(i), width); }
};

} // namespace

/// What follows the numbers: what they do not tell. On a line of their own where they do not fit
/// (torch/_tensor_str.py, _add_suffixes).
static void addSuffixes(const Interp& in, const runtime::Tensor& real, const ir::HostTensor& host,
                        size_t lineWidth, std::string& out) {
    const bool pairs = ir::isComplex(real.type.dtype);
    const int64_t total = host.numel();
    const bool meta = ir::isMeta(real.type.device);
    const bool usual =
        (host.dtype == in.defaultDType() && (!pairs || total > 0)) || // of the parts
        (total > 0 && !meta && (host.dtype == ir::DType::Int64 || host.dtype == ir::DType::Bool));
    const size_t lineStart = out.rfind('\n') + 1; // 0 where there is one line
    size_t lineLength = out.size() - lineStart + 2;
    auto suffix = [&](const std::string& text) {
        const bool fits = lineLength + text.size() + 2 <= lineWidth;
        out += fits ? ", " + text : ",\n       " + text;
        lineLength = fits ? lineLength + text.size() + 2 : 7 + text.size();
    };
    if (real.type.device != ir::Device())
        suffix(fmt::format("device='{}'", real.type.device.str()));
    if (meta || (total == 0 && host.sizes.size() != 1))
        suffix(fmt::format("size=({}{})", fmt::join(host.sizes, ", "),
                           host.sizes.size() == 1 ? "," : ""));
    if (!usual) suffix(fmt::format("dtype=torch.{}", ir::name(real.type.dtype)));
    if (real.gradFunction)
        suffix(fmt::format("grad_fn=<{}>", real.gradFunction->name));
    else if (real.type.requiresGrad)
        suffix("requires_grad=True");
}

/// What is printed of \p t: all, or with \p summarise of the long dimensions so many elements from
/// either end. \p pairs: the last dimension is one complex number's.
static ir::HostTensor printedPart(Interp& in, const runtime::TensorPtr& t, bool summarise,
                                  int64_t edge, bool pairs) {
    const std::vector<int64_t> whole = ir::constants(t->type.sizes);
    std::vector<int64_t> sizes = whole;
    std::vector<size_t> cut;
    for (size_t d = 0; d + pairs < whole.size(); ++d)
        if (summarise && whole[d] > 2 * edge) {
            sizes[d] = 2 * edge;
            cut.push_back(d);
        }
    if (cut.empty()) return in.need(runtime::toHost(*t));
    ir::HostTensor part = ir::HostTensor::zeros(t->type.dtype, sizes);
    const size_t bytes = ir::sizeBytes(part.dtype);
    for (uint64_t corner = 0; corner < uint64_t{1} << cut.size(); ++corner) {
        ir::Shape window = t->type.sizes;
        std::vector<int64_t> start(sizes.size(), 0);
        int64_t offset = 0;
        for (size_t k = 0; k < cut.size(); ++k) {
            window[cut[k]] = ir::Sym(edge);
            if (!(corner >> k & 1)) continue;
            start[cut[k]] = edge;
            offset += (whole[cut[k]] - edge) * t->type.strides[cut[k]].constant();
        }
        const ir::HostTensor host =
            in.need(runtime::toHost(*runtime::viewOf(t, window, t->type.strides, offset)));
        std::vector<int64_t> at(sizes.size(), 0);
        for (int64_t i = 0; i < host.numel(); ++i) {
            int64_t to = 0;
            for (size_t d = 0; d < sizes.size(); ++d)
                to = to * sizes[d] + start[d] + at[d];
            std::memcpy(&part.bytes[static_cast<size_t>(to) * bytes],
                        &host.bytes[static_cast<size_t>(i) * bytes], bytes);
            for (size_t d = at.size(); d-- > 0 && ++at[d] == host.sizes[d];)
                at[d] = 0;
        }
    }
    return part;
}

std::string Interp::tensorText(TensorObj& t) {
    if (!t.real) return fmt::format("<tensor {} under capture>", t.type().str());
    const bool pairs = ir::isComplex(t.real->type.dtype);
    const int64_t total = t.real->type.numel().constant();
    const bool summarise = total > printOptions.threshold;
    const int64_t edge = printOptions.edgeItems;
    const size_t lineWidth = printOptions.lineWidth;
    if (ir::isMeta(t.real->type.device)) {
        ir::HostTensor sizes; // and no values
        sizes.dtype = t.real->type.dtype;
        sizes.sizes = ir::constants(t.real->type.sizes);
        std::string out = "tensor(...";
        addSuffixes(*this, *t.real, sizes, lineWidth, out);
        return out + ")";
    }
    ir::HostTensor host = printedPart(
        *this, pairs ? runtime::seenAs(t.real, runtime::pairsType(t.real->type)) : t.real,
        summarise, edge, pairs);
    if (pairs) host.sizes.pop_back();
    const auto isCut = [&](size_t dim) {
        return host.sizes[dim] < t.real->type.sizes[dim].constant();
    };
    // Of complex numbers, real and imaginary parts have a form each.
    std::vector<int64_t> places;
    for (int64_t i = 0; i < host.numel(); ++i)
        places.push_back(pairs ? 2 * i : i);
    const NumberForm real(host, printOptions, places);
    for (int64_t& place : places)
        place += 1;
    const NumberForm imaginary = pairs ? NumberForm(host, printOptions, places) : real;
    auto one = [&](int64_t i) -> std::string {
        if (!pairs) return real.text(i);
        const std::string turn = imaginary.text(2 * i + 1);
        return real.padded(2 * i) + (turn[0] == '-' ? "" : "+") + turn + "j";
    };
    const size_t width = pairs ? 0 : real.width;
    const size_t cell = real.width + (pairs ? imaginary.width + 1 : 0);
    std::string out = (t.subclass ? t.subclass->name : "tensor") + "(";
    const size_t indent = out.size();
    // Numbers in lines of lineWidth characters.
    auto writeRow = [&](size_t dim, int64_t base) {
        const int64_t n = host.sizes[dim];
        const size_t perLine =
            std::max<size_t>(1, (std::max(lineWidth, indent + dim) - (indent + dim)) / (cell + 2));
        size_t written = 0;
        auto next = [&](const std::string& text) {
            if (written > 0)
                out += written % perLine ? ", " : ",\n" + std::string(indent + 1 + dim, ' ');
            out += text;
            ++written;
        };
        for (int64_t i = 0; i < n; ++i) {
            if (isCut(dim) && i == edge) next(" ...");
            next(fmt::format("{:>{}}", one(base + i), width));
        }
        out += "]";
    };
    std::function<void(size_t, int64_t)> write = [&](size_t dim, int64_t base) {
        if (dim == host.sizes.size()) {
            out += host.sizes.empty() ? one(base) : fmt::format("{:>{}}", one(base), width);
            return;
        }
        int64_t n = host.sizes[dim], stride = 1;
        for (size_t k = dim + 1; k < host.sizes.size(); ++k)
            stride *= host.sizes[k];
        out += "[";
        if (dim + 1 == host.sizes.size()) return writeRow(dim, base);
        const std::string separator = "," + std::string(host.sizes.size() - dim - 1, '\n') +
                                      std::string(indent + 1 + dim, ' ');
        for (int64_t i = 0; i < n; ++i) {
            if (i > 0) out += separator;
            if (isCut(dim) && i == edge) out += "..." + separator;
            write(dim + 1, base + i * stride);
        }
        out += "]";
    };
    // Without elements, brackets and numbers tell neither sizes nor dtype (torch/_tensor_str.py).
    if (total == 0)
        out += "[]";
    else
        write(0, 0);
    addSuffixes(*this, *t.real, host, lineWidth, out);
    out += ")";
    return t.parameter ? "Parameter containing:\n" + out : out;
}

} // namespace cutaway::capture
