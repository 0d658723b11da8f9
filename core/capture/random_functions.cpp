// SPDX-License-Identifier: Apache-2.0
// Random numbers as scripts ask for them.
#include "core/base/said.h"
#include "core/capture/capture.h"
#include "core/capture/integers.h"
#include "core/capture/script_observer.h"
#include "core/capture/tensor_world.h"
#include "core/capture/torch_support.h"
#include "core/ops/memory_order.h"
#include "core/runtime/random_by_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace cutaway::capture {

int64_t wantSize(Interp& in, const Val& v, size_t place, const std::string& function) {
    if (v.is(Kind::Integer) && !plainInteger(v).isInt())
        in.raise(
            Error::Type,
            fmt::format("{}(): argument 'size' failed to unpack the object at pos {} with error "
                        "\"Overflow when unpacking long long\"",
                        function, place + 1));
    return wantInt(in, v, fmt::format("a size of {}()", function));
}

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;
using runtime::Distribution;
using runtime::Draw;

/// A torch.Generator is an object of the library around the state.
runtime::Generator& wantGenerator(Interp& in, const Val& v) {
    if (in.drawsRefused)
        in.raise(Error::Runtime,
                 "vmap: called random operation while in randomness error mode. Please either use "
                 "the 'same' or 'different' randomness flags on vmap or perform the randomness "
                 "operation out of vmap");
    if (!v.bound() || v.isNone()) return in.eager().generator();
    in.world().wantReal("random numbers are drawn from a generator",
                        "use the default one, or draw outside the compiled function");
    if (auto* state = v.to<GeneratorStateObj>()) return state->generator;
    if (auto* instance = v.to<InstanceObj>())
        if (Val* state = instance->attributes->find("_state"); state)
            if (auto* found = state->to<GeneratorStateObj>()) return found->generator;
    in.raise(Error::Type,
             fmt::format("generator must be a torch.Generator, found {}", in.typeName(v)));
}

/// A new tensor of that type, whose numbers come in the order of its memory.
Val drawTensor(Interp& in, const TensorOptions& options, const ir::TensorType& type,
               const Draw& draw) {
    for (const ir::Sym& s : type.sizes)
        if (s.isConst() && s.constant() < 0)
            in.raise(
                Error::Runtime,
                fmt::format("Trying to create tensor with negative dimension {}", s.constant()));
    if (ir::isComplex(type.dtype)) { // of variance 1: real and imaginary part have half of it
        TensorOptions real = options;
        real.requiresGrad = false;
        Draw part = draw;
        if (part.distribution == Distribution::Normal) part.b *= std::sqrt(0.5);
        Val t =
            in.operation("view_as_complex", {drawTensor(in, real, runtime::pairsType(type), part)});
        if (options.requiresGrad) in.setAttr(t, in.intern("requires_grad"), Val::boolean(true));
        return t;
    }
    runtime::Generator& generator = wantGenerator(in, options.generator);
    in.observer().readDefaultDevice();
    if (options.requiresGrad) wantNoNewLeaf(in);
    Val t = in.world().drawn(type, draw, generator);
    if (options.requiresGrad) t.as<TensorObj>()->real->type.requiresGrad = true;
    return t;
}

/// The same, row-major.
Val drawTensor(Interp& in, const TensorOptions& options, ir::DType dtype, const ir::Shape& shape,
               const Draw& draw) {
    return drawTensor(in, options, ir::TensorType::contiguous(dtype, shape, options.device), draw);
}

/// The type of a tensor made like another one, in the memory format that the call asks for.
ir::TensorType likeType(Interp& in, const TensorOptions& options, ir::DType dtype,
                        const ir::TensorType& like, Args args, const std::string& function) {
    ir::TensorType type = ir::TensorType::contiguous(dtype, like.sizes, options.device);
    std::string format = "preserve_format";
    for (const auto& [name, v] : args.keywords)
        if (name->text == "memory_format" && !v.isNone()) format = in.text(v);
    if (format.starts_with("torch.")) format.erase(0, 6);
    if (format == "preserve_format")
        type.strides = ops::stridesLike(like);
    else if (format != "contiguous_format")
        in.raise(Error::Type,
                 fmt::format("{}(): memory_format={} is not supported", function, format),
                 "call .to(memory_format=...) on the result");
    return type;
}

/// Sizes given as numbers or as one sequence; symbols stay symbols.
ir::Shape shapeOf(Interp& in, std::span<const Val> given, const std::string& function) {
    std::vector<Val> values(given.begin(), given.end());
    if (values.size() == 1 && (values[0].is(Kind::Tuple) || values[0].is(Kind::List)))
        values = in.items(values[0]);
    ir::Shape shape;
    for (const Val& v : values)
        if (auto* symbol = v.to<SymbolObj>())
            shape.push_back(symbol->size);
        else
            shape.emplace_back(wantSize(in, v, shape.size(), function));
    return shape;
}

/// The sizes of torch.randn(2, 3), torch.randn((2, 3)) or torch.randn(size=(2, 3)).
ir::Shape sizesOf(Interp& in, Self self, Args args) {
    std::vector<Val> given(args.positional.begin(), args.positional.end());
    for (const auto& [name, v] : args.keywords)
        if (name->text == "size") given = {v};
    return shapeOf(in, given, self.name);
}

/// What the record of a function that draws says of it.
const ops::Traits& traitsOf(Self self) {
    return ops::catalogue().overloads(self.text).front()->traits;
}

/// rand, randn, rand_like, randn_like.
Val random(Interp& in, Self self, Args args) {
    const bool like = traitsOf(self).ignoresValues;
    TensorOptions options = like ? tensorOptions(in, args, self.name, {"input", "memory_format"})
                                 : tensorOptions(in, args, self.name, {"size"});
    ir::TensorType made =
        ir::TensorType::contiguous(options.dtype.value_or(in.defaultDType()), {}, options.device);
    if (like) {
        if (args.positional.size() != 1 || !args.positional[0].is(Kind::Tensor))
            in.raise(Error::Type, fmt::format("{}() needs one tensor", self.name));
        const ir::TensorType& type = in.world().type(*args.positional[0].as<TensorObj>());
        bool device = false;
        for (const auto& [name, v] : args.keywords)
            device |= name->text == "device" && !v.isNone();
        if (!device) options.device = type.device;
        made = likeType(in, options, options.dtype.value_or(type.dtype), type, args, self.name);
    } else {
        made = ir::TensorType::contiguous(made.dtype, sizesOf(in, self, args), made.device);
    }
    if (!ir::hasGradients(made.dtype))
        in.raise(Error::Runtime,
                 fmt::format("{}() makes floating-point numbers, not {}", self.name,
                             ir::name(made.dtype)),
                 "use torch.randint");
    Draw draw;
    draw.distribution = traitsOf(self).distribution == ops::Distribution::Normal
                            ? Distribution::Normal
                            : Distribution::Uniform;
    return drawTensor(in, options, made, draw);
}

/// randint(low=0, high, size), randint_like(input, low=0, high).
Val randint(Interp& in, Self self, Args args) {
    TensorOptions options =
        self.text == "randint_like"
            ? tensorOptions(in, args, self.name, {"low", "high", "input", "memory_format"})
            : tensorOptions(in, args, self.name, {"low", "high", "size"});
    std::vector<Val> numbers(args.positional.begin(), args.positional.end());
    Val low = Val::integer(0), high, size;
    ir::TensorType made =
        ir::TensorType::contiguous(options.dtype.value_or(ir::DType::Int64), {}, options.device);
    if (self.text == "randint_like") {
        TensorObj& like = wantTensor(in, numbers.empty() ? Val::none() : numbers[0], "the input");
        const ir::TensorType& type = in.world().type(like);
        options.device = type.device;
        made = likeType(in, options, options.dtype.value_or(type.dtype), type, args, self.name);
        numbers.erase(numbers.begin());
    } else if (!numbers.empty() &&
               (numbers.back().is(Kind::Tuple) || numbers.back().is(Kind::List))) {
        size = numbers.back();
        numbers.pop_back();
    }
    if (numbers.size() > 2)
        in.raise(Error::Type, "torch.randint() takes low, high and a tuple of sizes");
    if (!numbers.empty()) high = numbers.back();
    if (numbers.size() == 2) low = numbers[0];
    for (const auto& [name, v] : args.keywords) {
        if (name->text == "low") low = v;
        if (name->text == "high") high = v;
        if (name->text == "size") size = v;
    }
    if (size.bound()) {
        const Val one[] = {size};
        made = ir::TensorType::contiguous(made.dtype, shapeOf(in, one, self.name), made.device);
    }
    if (!high.bound() || (!size.bound() && self.text == "randint"))
        in.raise(Error::Type, "torch.randint() misses the upper bound or the sizes",
                 "an example: torch.randint(0, 10, (3,))");
    Draw draw{.distribution = Distribution::Integer};
    draw.low = wantInt(in, low, "low");
    draw.high = wantInt(in, high, "high");
    if (draw.low >= draw.high)
        in.raise(
            Error::Runtime,
            fmt::format("random_ expects 'from' to be less than 'to', but got from={} >= to={}",
                        draw.low, draw.high));
    return drawTensor(in, options, made, draw);
}

Val randperm(Interp& in, Self self, Args args) {
    TensorOptions options = tensorOptions(in, args, self.name, {"n"});
    std::vector<Val> given(args.positional.begin(), args.positional.end());
    for (const auto& [name, v] : args.keywords)
        if (name->text == "n") given = {v};
    if (given.size() != 1) in.raise(Error::Type, "torch.randperm() takes one number");
    const int64_t n = wantInt(in, given[0], "n");
    if (n < 0) in.raise(Error::Runtime, fmt::format("n must be non-negative, got {}", n));
    // The numbers of a permutation are the host's on every device.
    const ir::Device device = std::exchange(options.device, ir::Device());
    Val order = drawTensor(in, options, options.dtype.value_or(ir::DType::Int64), {ir::Sym(n)},
                           {.distribution = Distribution::Permutation});
    return moveTo(in, order, device);
}

/// A probability.
double wantChance(Interp& in, const Val& v) {
    const double p = wantFloat(in, v, "p");
    if (!(p >= 0 && p <= 1))
        in.raise(Error::Runtime,
                 fmt::format("bernoulli_ expects p to be in [0, 1], but got p={}", p));
    return p;
}

bool wantsGradient(Interp& in, const Val& v) {
    return v.is(Kind::Tensor) && in.truthy(in.getAttr(v, in.intern("requires_grad")));
}

/// What was drawn by the values of \p from, which get gradients of 0.
Val drawnBy(Interp& in, Val drawn, const Val& from) {
    if (!wantsGradient(in, from)) return drawn;
    const Val rows = in.operation("contiguous", {from}); // as what is drawn lies
    return in.operation("where", {in.operation("lt", {rows, rows}), rows, drawn});
}

Val bernoulli(Interp& in, Self self, Args args) {
    auto v = parseArguments(in, self.name, args, {"input", "p=", "*", "generator=", "out="});
    if (v[1].bound() && !v[1].isNone()) wantChance(in, v[1]);
    const ir::TensorType& type = in.world().type(wantTensor(in, v[0], "the input"));
    runtime::Generator& generator = wantGenerator(in, v[2]);
    if (!ir::isFloating(type.dtype) && (!v[1].bound() || v[1].isNone()))
        in.raise(Error::NotImplemented,
                 fmt::format("bernoulli: not implemented for probabilities of {}",
                             ir::name(type.dtype)));
    if (!v[1].bound() || v[1].isNone())
        return drawnBy(in, in.world().bernoulli(v[0], generator), v[0]);
    const Draw draw{.distribution = Distribution::Bernoulli, .a = wantFloat(in, v[1], "p")};
    const auto like = ir::TensorType::contiguous(type.dtype, type.sizes, type.device);
    const Val made = in.world().drawn(like, draw, generator);
    if (!wantsGradient(in, v[0]) || !in.gradMode()) return made;
    const Val sampling = in.libraryImport("torch._sampling");
    return in.call(in.getAttr(sampling, in.intern("replaced")), {made, v[0]});
}

Val multinomial(Interp& in, Self self, Args args) {
    auto v = parseArguments(in, self.name, args,
                            {"input", "num_samples", "replacement=", "*", "generator=", "out="});
    const ir::DType dtype = wantTensor(in, v[0], "the weights").type().dtype;
    if (!ir::isFloating(dtype))
        in.raise(Error::Runtime,
                 fmt::format("multinomial only supports floating-point dtypes for input, got: {}",
                             ir::name(dtype)));
    return in.tensor(in.need(
        runtime::drawMultinomial(*in.real(v[0], "the weights"), wantInt(in, v[1], "num_samples"),
                                 v[2].bound() && in.truthy(v[2]), wantGenerator(in, v[3]))));
}

/// by_values(kind, tensors, generator)
Val byValues(Interp& in, Self self, Args args) {
    using runtime::ByValues;
    auto v = parseArguments(in, self.name, args, {"kind", "tensors", "generator="});
    constexpr std::pair<std::string_view, ByValues> kKinds[] = {
        {"poisson", ByValues::Poisson},
        {"binomial", ByValues::Binomial},
        {"gamma", ByValues::Gamma},
        {"gamma_slope", ByValues::GammaSlope},
        {"dirichlet_slope", ByValues::DirichletSlope}};
    std::vector<runtime::TensorPtr> tensors;
    for (const Val& tensor : in.items(v[1]))
        tensors.push_back(in.real(tensor, "the values"));
    const auto* kind =
        std::ranges::find(kKinds, in.text(v[0]), &std::pair<std::string_view, ByValues>::first);
    return in.tensor(in.need(runtime::byValues(kind->second, tensors, wantGenerator(in, v[2]))));
}

/// A tensor of deviations, where it has values by now: none below 0, none NaN.
void wantDeviations(Interp& in, const Val& v) {
    const TensorObj& t = *v.as<TensorObj>();
    if (ir::isComplex(t.type().dtype))
        in.raise(Error::Runtime, "normal expects standard deviation to be non-complex");
    if (!t.real) return;
    const ir::HostTensor values = in.need(runtime::toHost(*t.real));
    for (int64_t i = 0; i < values.numel(); ++i)
        if (!(values.get(i) >= 0))
            in.raise(Error::Runtime, "normal expects all elements of std >= 0.0");
}

/// normal(mean, std, size), normal(mean, std) of tensors.
Val normal(Interp& in, Self self, Args args) {
    TensorOptions options = tensorOptions(in, args, self.name, {"mean", "std", "size"});
    std::vector<Val> given(args.positional.begin(), args.positional.end());
    given.resize(3);
    for (const auto& [name, v] : args.keywords) {
        if (name->text == "mean") given[0] = v;
        if (name->text == "std") given[1] = v;
        if (name->text == "size") given[2] = v;
    }
    if (!given[0].bound()) given[0] = Val::real(0);
    if (!given[1].bound()) given[1] = Val::real(1);
    if (given[2].bound() && !given[2].isNone()) {
        Val one[] = {given[2]};
        if (const double deviation = wantFloat(in, given[1], "the deviation"); deviation < 0)
            in.raise(Error::Runtime,
                     fmt::format("normal expects std >= 0.0, but found std {}", deviation));
        return drawTensor(in, options, options.dtype.value_or(in.defaultDType()),
                          shapeOf(in, one, self.name),
                          {.distribution = Distribution::Normal,
                           .a = wantFloat(in, given[0], "the mean"),
                           .b = wantFloat(in, given[1], "the deviation")});
    }
    if (given[1].is(Kind::Tensor)) {
        wantDeviations(in, given[1]);
    } else if (const double deviation = wantFloat(in, given[1], "the deviation"); deviation < 0) {
        in.raise(Error::Runtime,
                 fmt::format("normal expects std >= 0.0, but found std {}", deviation));
    }
    Val sum; // of the sizes that the two have together
    for (const Val& v : {given[0], given[1]})
        if (v.is(Kind::Tensor)) sum = sum.bound() ? in.operation("add", {sum, v}) : v;
    const ir::TensorType type =
        in.world().type(wantTensor(in, sum.bound() ? sum : given[0], "the mean or the deviation"));
    options.device = type.device;
    Val drawn =
        drawTensor(in, options, type.dtype, type.sizes, {.distribution = Distribution::Normal});
    Val values[2];
    for (int i = 0; i < 2; ++i)
        values[i] = given[i].is(Kind::Tensor) ? in.operation("detach", {given[i]}) : given[i];
    drawn = in.operation("add", {in.operation("mul", {drawn, values[1]}), values[0]});
    return drawnBy(in, drawnBy(in, drawn, given[0]), given[1]);
}

/// A seed's 64 bits: of an int from -2 ** 63 to 2 ** 64 - 1.
uint64_t seedBits(Interp& in, const Val& seed) {
    if (seed.is(Kind::Integer)) {
        const Val shifted = integers(in, BinaryOp::RightShift, seed, Val::integer(63));
        if (!shifted.isIntegral() || shifted.asInt() != 1)
            in.raise(Error::Value, "Overflow when unpacking long long");
        const std::string bytes = integerBytes(in, seed, 8, false);
        uint64_t bits = 0;
        std::memcpy(&bits, bytes.data(), sizeof bits);
        return bits;
    }
    return static_cast<uint64_t>(wantInt(in, seed, "the seed"));
}

Val seedValue(Interp& in, uint64_t bits) {
    return integerFromBytes(in, {reinterpret_cast<const char*>(&bits), sizeof bits}, false);
}

Val manualSeed(Interp& in, Self self, Args args) {
    const Val seed = in.call(*in.builtins()->find(in.intern("int")),
                             {parseArguments(in, self.name, args, {"seed"})[0]});
    in.eager().generator().seed(seedBits(in, seed));
    return in.getAttr(Val(in.module("torch")), in.intern("default_generator"));
}

Val initialSeed(Interp& in, Self self, Args args) {
    return seedValue(in, wantGenerator(in, wantPositional(in, self, args, 1)[0]).seed());
}

/// gpu_numbers(generator, GPU): its seed, and the words of each thread that it has drawn.
Val gpuNumbers(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 2);
    const runtime::Generator::Gpu& at =
        wantGenerator(in, v[0]).gpu(static_cast<int>(wantInt(in, v[1], "the GPU")));
    return in.tuple({seedValue(in, at.seed), seedValue(in, at.words)});
}

/// set_gpu_numbers(generator, GPU, seed, words); all GPUs begin with the seed where GPU is None.
Val setGpuNumbers(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 4);
    runtime::Generator& generator = wantGenerator(in, v[0]);
    const Val whole = in.call(*in.builtins()->find(in.intern("int")), {v[2]});
    if (v[1].isNone())
        generator.seedGpus(seedBits(in, whole));
    else
        generator.gpu(static_cast<int>(wantInt(in, v[1], "the GPU"))) = {seedBits(in, whole),
                                                                         seedBits(in, v[3])};
    return Val::none();
}

/// without_draws(function, ...): what it returns; random operations in it raise.
Val withoutDraws(Interp& in, Self, Args args) {
    struct Refused {
        bool& on;
        const bool before;
        ~Refused() { on = before; }
    } refused{in.drawsRefused, std::exchange(in.drawsRefused, true)};
    return in.call(args.positional[0], args.positional.subspan(1), args.keywords);
}

/// own_writes(rows, given, function, ...): what it returns; it writes no tensors of the outside but those
/// given.
Val withOwnWrites(Interp& in, Self, Args args) {
    struct Within {
        Interp& in;
        Interp::Transform now;
        ~Within() { in.transform = now.outer; }
    } within{in, {in.serial(), {}, in.truthy(args.positional[0]), in.transform}};
    within.now.given = in.items(args.positional[1]);
    in.transform = &within.now;
    return in.call(args.positional[2], args.positional.subspan(3), args.keywords);
}

Val newGenerator(Interp& in, Self, Args) {
    return Val(in.make<GeneratorStateObj>());
}

Val seedGenerator(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 2);
    if (!isInteger(v[1]) || v[1].isBool())
        in.raise(Error::Runtime,
                 fmt::format("manual_seed expected a long, but got {}", in.typeName(v[1])));
    wantGenerator(in, v[0]).seed(seedBits(in, v[1]));
    return Val::none();
}

Val generatorState(Interp& in, Self self, Args args) {
    const std::vector<uint8_t> bytes =
        wantGenerator(in, wantPositional(in, self, args, 1)[0]).state();
    ir::HostTensor host =
        ir::HostTensor::zeros(ir::DType::UInt8, {static_cast<int64_t>(bytes.size())});
    for (size_t i = 0; i < bytes.size(); ++i)
        host.setInt(static_cast<int64_t>(i), bytes[i]);
    return in.tensor(in.need(runtime::fromHost(host, {})));
}

Val setGeneratorState(Interp& in, Self self, Args args) {
    auto v = wantPositional(in, self, args, 2);
    ir::HostTensor host = in.need(runtime::toHost(*in.real(v[1], "the state")));
    std::vector<uint8_t> bytes;
    for (int64_t i = 0; i < host.numel(); ++i)
        bytes.push_back(static_cast<uint8_t>(host.getInt(i)));
    in.need(wantGenerator(in, v[0]).setState(bytes));
    return Val::none();
}

/// The parameters of the in-place methods: two numbers, with what they are when left out.
struct Method {
    const char *name, *first, *second;
    Distribution distribution;
    double a = 0, b = 1;
};
constexpr Method kMethods[] = {
    {"uniform_", "from=", "to=", Distribution::Uniform},
    {"normal_", "mean=", "std=", Distribution::Normal},
    {"exponential_", "lambd=", "unused=", Distribution::Exponential, 1},
    {"geometric_", "p", "unused=", Distribution::Geometric},
    {"cauchy_", "median=", "sigma=", Distribution::Cauchy},
    {"log_normal_", "mean=", "std=", Distribution::LogNormal, 1, 2},
    {"bernoulli_", "p=", "unused=", Distribution::Bernoulli, 0.5},
    {"_dropout_", "p=", "unused=", Distribution::Dropout, 0.5},
    {"random_", "from=", "to=", Distribution::Any},
};

/// The numbers that a method's distribution is of.
void wantParameters(Interp& in, const Draw& draw) {
    const auto want = [&](bool holds, const std::string& text) {
        if (!holds) in.raise(Error::Runtime, text);
    };
    switch (draw.distribution) {
    case Distribution::Uniform:
        return want(draw.a <= draw.b, fmt::format("uniform_ expects to return a [from, to) range, "
                                                  "but found from={} > to={}",
                                                  draw.a, draw.b));
    case Distribution::Normal:
        return want(draw.b >= 0,
                    fmt::format("normal expects std >= 0.0, but found std {}", draw.b));
    case Distribution::Exponential:
        return want(draw.a > 0, fmt::format("exponential_ expects lambda > 0.0, but found "
                                            "lambda={}",
                                            draw.a));
    case Distribution::Geometric:
        return want(draw.a > 0 && draw.a < 1,
                    fmt::format("geometric_ expects p to be in (0, 1), but got p={}", draw.a));
    case Distribution::Cauchy:
        return want(draw.b > 0,
                    fmt::format("cauchy_ expects sigma > 0.0, but found sigma={}", draw.b));
    case Distribution::LogNormal:
        return want(draw.b > 0,
                    fmt::format("log_normal_ expects std > 0.0, but found std={}", draw.b));
    default:
        return;
    }
}

/// random_(from, to)
void wantBounds(Interp& in, const Draw& draw, ir::DType dtype) {
    if (draw.low >= draw.high)
        in.raise(
            Error::Runtime,
            fmt::format("random_ expects 'from' to be less than 'to', but got from={} >= to={}",
                        draw.low, draw.high));
    const bool truth = dtype == ir::DType::Bool;
    if (!truth && !ir::isIntegral(dtype)) return;
    const ir::IntegerLimits limits = truth ? ir::IntegerLimits{0, 1} : ir::integerLimits(dtype);
    if (draw.low < limits.min || draw.low > limits.max)
        in.raise(Error::Runtime, fmt::format("from is out of bounds for {}", ir::name(dtype)));
    if (draw.high - 1 > limits.max)
        in.raise(Error::Runtime, fmt::format("to - 1 is out of bounds for {}", ir::name(dtype)));
}

} // namespace

Val drawInPlace(Interp& in, Self f, Args a) {
    const Method* method = nullptr;
    for (const Method& each : kMethods)
        if (f.text == each.name) method = &each;
    auto v = parseArguments(in, f.text, {a.positional.subspan(1), a.keywords},
                            {method->first, method->second, "*", "generator="});
    TensorObj& t = *a.positional[0].as<TensorObj>();
    if (in.gradMode() && t.type().requiresGrad && t.real && t.real->isLeaf())
        in.raise(Error::Runtime,
                 "a leaf Variable that requires grad is being used in an in-place operation.",
                 "use torch.no_grad() around it");
    wantSeparateElements(in, t.type());
    runtime::Generator& generator = wantGenerator(in, v[2]);
    Draw draw{.distribution = method->distribution, .a = method->a, .b = method->b};
    if (draw.distribution == Distribution::Any) {
        if (v[0].bound() && !v[0].isNone()) {
            const bool both = v[1].bound() && !v[1].isNone();
            draw.distribution = Distribution::Integer;
            draw.low = both ? wantInt(in, v[0], "from") : 0;
            draw.high = wantInt(in, both ? v[1] : v[0], "to");
            wantBounds(in, draw, t.type().dtype);
        }
    } else if (draw.distribution == Distribution::Bernoulli && v[0].bound() &&
               v[0].is(Kind::Tensor)) {
        in.world().wantReal("bernoulli_() draws by the values of a tensor",
                            "use torch.bernoulli, or draw outside the compiled function");
        const Val below = in.operation("expand_as", {v[0], a.positional[0]});
        in.need(runtime::fillBernoulli(*t.real, *in.real(below, "p"), generator));
        const Val& self = a.positional[0];
        if (!in.gradMode() || !(wantsGradient(in, self) || wantsGradient(in, below))) return self;
        const Val values = in.operation("clone", {in.operation("detach", {self})});
        in.world().write(self, [&] { return self; }, drawnBy(in, values, below),
                         {f.text, true, "bernoulli_()"});
        return self;
    } else {
        const bool chance = draw.distribution == Distribution::Bernoulli ||
                            draw.distribution == Distribution::Dropout;
        if (v[0].bound())
            draw.a = chance ? wantChance(in, v[0]) : wantFloat(in, v[0], "the first argument");
        if (v[1].bound()) draw.b = wantFloat(in, v[1], "the second argument");
        wantParameters(in, draw);
    }
    Val target = a.positional[0];
    const bool pairs =
        draw.distribution == Distribution::Normal || draw.distribution == Distribution::Uniform;
    if (ir::isComplex(t.type().dtype) && !pairs)
        in.raise(Error::NotImplemented,
                 fmt::format("{}: not implemented for {}", f.text, ir::name(t.type().dtype)));
    if (ir::isComplex(t.type().dtype)) {
        target = in.operation("view_as_real", {target});
        if (draw.distribution == Distribution::Normal) draw.b *= std::sqrt(0.5);
    }
    in.world().redraw(f.text.substr(0, f.text.size() - 1), target, draw, generator);
    return a.positional[0];
}

void addRandom(Interp& in, ModuleObj& torch, ModuleObj& internal) {
    auto add = [&](ModuleObj& m, const char* name, BuiltinFunction f, const char* stops) {
        Val v = in.builtin(m.name + "." + name, f, stops);
        v.as<BuiltinObj>()->text = name;
        v.as<BuiltinObj>()->takesSymbols = true;
        m.attributes->set(in.intern(name), v);
    };
    for (const char* name : {"randn", "rand", "randn_like", "rand_like"})
        add(torch, name, random, nullptr);
    add(torch, "randint", randint, nullptr);
    add(torch, "randint_like", randint, nullptr);
    add(torch, "randperm", randperm, nullptr);
    add(torch, "bernoulli", bernoulli, nullptr);
    add(torch, "multinomial", multinomial, "draws by the values of a tensor");
    add(torch, "normal", normal, nullptr);
    add(torch, "manual_seed", manualSeed, "sets the seed");
    add(internal, "by_values", byValues, "draws by the values of a tensor");
    add(internal, "without_draws", withoutDraws, nullptr);
    add(internal, "own_writes", withOwnWrites, nullptr);
    add(internal, "new_generator", newGenerator, "makes a generator");
    add(internal, "seed_generator", seedGenerator, "sets the seed");
    add(internal, "generator_seed", initialSeed, "reads the seed");
    add(internal, "gpu_numbers", gpuNumbers, "reads a generator's state");
    add(internal, "set_gpu_numbers", setGpuNumbers, "sets a generator's state");
    add(internal, "generator_state", generatorState, "reads a generator's state");
    add(internal, "set_generator_state", setGeneratorState, "sets a generator's state");
}

/// The tensor that \p t is a view of, or itself.
static const TensorObj& wholeOf(const Interp& in, const TensorObj& t) {
    const TensorObj& seen = in.capture() ? in.capture()->viewed(t) : t;
    return seen.viewOf && seen.viewOf->object ? *seen.viewOf->object : seen;
}

void Interp::wantOwn(const TensorObj& t, std::string_view operation) {
    for (const Transform* each = transform; each; each = each->outer) {
        const TensorObj& whole = wholeOf(*this, t);
        if (whole.serial >= each->since) continue;
        if (std::ranges::any_of(each->given, [&](const Val& given) {
                return given.is(Kind::Tensor) && &wholeOf(*this, *given.as<TensorObj>()) == &whole;
            }))
            continue;
        if (each->rows)
            raise(
                Error::Runtime,
                "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists "
                "a Tensor `other` in extra_args that has more elements than `self`. This happened "
                "due to `other` being vmapped over but `self` not being vmapped over at level 1. "
                "Please try to use out-of-place operators instead of inplace arithmetic.",
                fmt::format("{}_() writes a tensor that exists outside of the function that vmap() "
                            "runs for each row",
                            operation));
        raise(
            Error::Runtime,
            fmt::format("During a grad (vjp, jvp, grad, etc) transform, the function provided "
                        "attempted to call in-place operation (aten::{}_) that would mutate a "
                        "captured Tensor. This is not supported; please rewrite the function being "
                        "transformed to explicitly accept the mutated Tensor(s) as inputs.",
                        operation));
    }
}

} // namespace cutaway::capture
