// SPDX-License-Identifier: Apache-2.0
// What calls of torch say of a tensor that is made: sizes, dtype, device, whether it wants a gradient.
#include "core/capture/script_observer.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"
#include "core/ops/call_forms.h"

#include <fmt/format.h>

#include <algorithm>

namespace cutaway::capture {

bool operationExists(const std::string& base) {
    return ops::hasName(base);
}

bool wantBool(Interp& in, const Val& v, std::string_view what) {
    if (!v.isBool())
        in.raise(Error::Type, fmt::format("{} must be a bool, found {}", what, in.typeName(v)));
    return v.asBool();
}

ir::Device wantDevice(Interp& in, const Val& v) {
    if (v.tag() == Tag::Device) return v.asDevice();
    if (v.isNone()) {
        in.observer().readDefaultDevice();
        return in.defaultDevice();
    }
    if (v.isInt()) return {ir::Device::Kind::Cuda, static_cast<int>(v.asInt())};
    const std::string& name = wantStr(in, v, "the device");
    auto device = ir::deviceFromName(name);
    if (!device)
        in.raise(Error::Runtime,
                 name.find(':') != std::string::npos
                     ? fmt::format("Invalid device string: '{}'", name)
                     : "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, "
                       "ve, fpga, maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone "
                       "device type at start of device string: " +
                           name,
                 "expected 'cpu' or 'cuda'");
    if (name == "cuda") {
        in.observer().readCurrentGpu();
        device->index = in.currentGpu();
    }
    return *device;
}

Val convertTo(Interp& in, const Val& tensor, ir::DType dtype) {
    if (tensor.as<TensorObj>()->type().dtype == dtype) return tensor;
    return in.operation("prims.convert_element_type", {tensor, Val::dtype(dtype)});
}

Val moveTo(Interp& in, const Val& tensor, ir::Device device) {
    const bool there = tensor.as<TensorObj>()->type().device == device;
    return there ? tensor : in.world().moved(tensor, device);
}

void wantNoNewLeaf(Interp& in) {
    in.world().wantReal("a leaf that requires a gradient is made",
                        "make it outside the compiled function");
}

std::vector<int64_t> wantSizes(Interp& in, std::span<const Val> given,
                               const std::string& function) {
    std::vector<Val> values(given.begin(), given.end());
    if (values.size() == 1 && (values[0].is(Kind::Tuple) || values[0].is(Kind::List)))
        values = in.items(values[0]);
    std::vector<int64_t> sizes;
    for (const Val& v : values)
        sizes.push_back(wantSize(in, v, sizes.size(), function));
    return sizes;
}

TensorOptions tensorOptions(Interp& in, const Arguments& args, const std::string& function,
                            std::initializer_list<std::string_view> others) {
    TensorOptions options;
    options.device = in.defaultDevice();
    for (const auto& [name, v] : args.keywords) {
        if (std::find(others.begin(), others.end(), name->text) != others.end()) continue;
        if (name->text == "dtype") {
            if (v.isNone()) continue;
            const std::optional<ir::DType> ofClass = dtypeOfClass(v);
            if (!ofClass && v.tag() != Tag::DType)
                in.raise(Error::Type,
                         fmt::format("dtype must be a torch.dtype, found {}", in.typeName(v)));
            options.dtype = ofClass ? *ofClass : v.asDType();
        } else if (name->text == "device") {
            options.device = wantDevice(in, v);
        } else if (name->text == "requires_grad") {
            options.requiresGrad = wantBool(in, v, "requires_grad");
        } else if (name->text == "generator") {
            if (!v.isNone()) options.generator = v;
        } else if (name->text == "layout" || name->text == "pin_memory" || name->text == "out" ||
                   name->text == "names" || name->text == "memory_format") {
            // The only layout that there is.
            const bool usual = name->text == "layout" && in.repr(v) == "torch.strided";
            if (!usual && !v.isNone() && !(v.isBool() && !v.asBool()))
                in.raise(Error::Type,
                         fmt::format("{}(): {}= is not supported", function, name->text),
                         "leave it out");
        } else {
            in.raise(Error::Type, fmt::format("{}() has no parameter '{}'", function, name->text));
        }
    }
    return options;
}

} // namespace cutaway::capture
