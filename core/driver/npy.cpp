// SPDX-License-Identifier: Apache-2.0
#include "core/driver/npy.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <span>

namespace cutaway::driver {

namespace {

using ir::HostTensor;

/// The text between \p key's colon and what ends it; nothing: there is no such key.
std::optional<std::string_view> field(std::string_view header, std::string_view key,
                                      std::string_view ends) {
    const size_t at = header.find(fmt::format("'{}':", key));
    if (at == std::string_view::npos) return std::nullopt;
    size_t begin = at + key.size() + 3;
    while (begin < header.size() && header[begin] == ' ')
        ++begin;
    const size_t end = header.find_first_of(ends, begin + 1);
    if (end == std::string_view::npos) return std::nullopt;
    return header.substr(begin, end - begin);
}

std::optional<ir::DType> dtypeOf(std::string_view descr) {
    std::string name(descr);
    std::erase_if(name, [](char c) { return c == '\'' || c == ' '; });
    if (name.size() > 2 && name.back() == '1' && name[0] == '<') name[0] = '|';
    for (const ir::DTypeInfo& row : ir::allDTypes())
        if (!name.empty() && row.numpy == name) return row.id;
    return std::nullopt;
}

/// "(3, 4" -> 3, 4; nothing: no sizes, more dimensions than NumPy's arrays have, or more elements than
/// memory can address, sizes of 0 left out (strides are products of the others).
std::optional<std::vector<int64_t>> sizesOf(std::string_view text) {
    constexpr size_t kMostDimensions = 64;
    std::vector<int64_t> sizes;
    int64_t elements = 1;
    for (size_t at = 1; at < text.size();) {
        if (text[at] == ',' || text[at] == ' ') {
            ++at;
            continue;
        }
        int64_t value = 0;
        const size_t begin = at;
        for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
            value = value * 10 + (text[at] - '0');
            if (value > (int64_t{1} << 40)) return std::nullopt;
        }
        if (at == begin) return std::nullopt;
        if (value != 0 && elements > (int64_t{1} << 40) / value) return std::nullopt;
        if (value != 0) elements *= value;
        sizes.push_back(value);
        if (sizes.size() > kMostDimensions) return std::nullopt;
    }
    return sizes;
}

/// Elements in Fortran order, row-major.
HostTensor transposed(const HostTensor& in, size_t width) {
    HostTensor out = HostTensor::zeros(in.dtype, in.sizes);
    const size_t rank = in.sizes.size();
    std::vector<int64_t> index(rank);
    for (int64_t i = 0, count = in.numel(); i < count; ++i) {
        int64_t from = 0, step = 1;
        for (size_t d = 0; d < rank; ++d) {
            from += index[d] * step;
            step *= in.sizes[d];
        }
        std::memcpy(out.bytes.data() + static_cast<size_t>(i) * width,
                    in.bytes.data() + static_cast<size_t>(from) * width, width);
        for (size_t d = rank; d-- > 0;) {
            if (++index[d] < in.sizes[d]) break;
            index[d] = 0;
        }
    }
    return out;
}

} // namespace

base::Result<HostTensor> readNpy(std::string_view bytes, const std::string& path) {
    auto wrong = [&](const std::string& what) {
        return base::userError({path}, "this is no array that can be read: " + what,
                               "numpy.save writes .npy files");
    };
    constexpr std::string_view kMagic("\x93NUMPY", 6);
    if (!bytes.starts_with(kMagic) || bytes.size() < 12) return wrong("it is no .npy file");
    const bool wide = bytes[6] != 1;
    size_t length = 0;
    for (size_t i = wide ? 4 : 2; i-- > 0;)
        length = length << 8 | static_cast<unsigned char>(bytes[8 + i]);
    const size_t begin = wide ? 12 : 10;
    if (length > bytes.size() - begin) return wrong("its header is cut off");
    const std::string_view header = bytes.substr(begin, length),
                           data = bytes.substr(begin + length);
    const auto descr = field(header, "descr", ",}"), order = field(header, "fortran_order", ",}"),
               shape = field(header, "shape", ")");
    if (!descr || !order || !shape) return wrong("its header names no dtype, order or shape");
    const auto dtype = dtypeOf(*descr);
    if (!dtype) return wrong(fmt::format("dtype {} is not known", *descr));
    const auto sizes = sizesOf(*shape);
    if (!sizes) return wrong(fmt::format("shape {}) is none", *shape));
    size_t elements = 1;
    for (int64_t size : *sizes)
        elements *= static_cast<size_t>(size);
    const size_t width = ir::sizeBytes(*dtype);
    if (data.size() / width < elements || data.size() < elements * width)
        return wrong(fmt::format("{} bytes for {} elements of {}", data.size(), elements,
                                 ir::info(*dtype).name));
    HostTensor tensor = HostTensor::zeros(*dtype, *sizes);
    std::ranges::copy(std::as_bytes(std::span(data.substr(0, elements * width))),
                      tensor.bytes.begin());
    if (*dtype == ir::DType::Bool) // kernels know 0 and 1 alone
        for (std::byte& byte : tensor.bytes)
            byte = byte == std::byte{0} ? byte : std::byte{1};
    return order->starts_with("True") ? transposed(tensor, width) : tensor;
}

} // namespace cutaway::driver
