// SPDX-License-Identifier: Apache-2.0
// What the script library's Python modules (random, sys, traceback ...) need of the evaluator.
#include "core/base/said.h"
#include "core/capture/capture.h"
#include "core/capture/integers.h"
#include "core/capture/regular_expressions.h"
#include "core/capture/torch_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace cutaway::capture {

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;

/// Python's Mersenne twister (MT19937), its state in the bytes of a bytearray: 624 words and an
/// index.
struct Twister {
    uint32_t words[624];
    uint32_t index;

    void seed(uint32_t s) {
        words[0] = s;
        for (uint32_t i = 1; i < 624; ++i)
            words[i] = 1812433253u * (words[i - 1] ^ (words[i - 1] >> 30)) + i;
        index = 624;
    }
    void seed(const std::vector<uint32_t>& key) {
        seed(19650218u);
        uint32_t i = 1, j = 0;
        const auto n = static_cast<uint32_t>(key.size());
        for (uint32_t k = std::max(624u, n); k > 0; --k) {
            words[i] = (words[i] ^ ((words[i - 1] ^ (words[i - 1] >> 30)) * 1664525u)) + key[j] + j;
            if (++i >= 624) {
                words[0] = words[623];
                i = 1;
            }
            if (++j >= n) j = 0;
        }
        for (uint32_t k = 623; k > 0; --k) {
            words[i] = (words[i] ^ ((words[i - 1] ^ (words[i - 1] >> 30)) * 1566083941u)) - i;
            if (++i >= 624) {
                words[0] = words[623];
                i = 1;
            }
        }
        words[0] = 0x80000000u;
        index = 624;
    }
    uint32_t next() {
        if (index >= 624) {
            for (uint32_t k = 0; k < 624; ++k) {
                const uint32_t y = (words[k] & 0x80000000u) | (words[(k + 1) % 624] & 0x7fffffffu);
                words[k] = words[(k + 397) % 624] ^ (y >> 1) ^ ((y & 1) ? 0x9908b0dfu : 0);
            }
            index = 0;
        }
        uint32_t y = words[index++];
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680u;
        y ^= (y << 15) & 0xefc60000u;
        return y ^ (y >> 18);
    }
};
static_assert(std::is_trivially_copyable_v<Twister>);

/// Each call of a compiled function draws numbers of its own from a generator of the outside.
void wantOwnGenerator(Interp& in, const Val& v) {
    const Capture* capture = in.capture();
    if (!capture || v.object()->serial >= capture->startSerial()) return;
    throw CaptureStop{base::said("random numbers are drawn from a generator"),
                      base::said("draw outside the compiled function, or with torch's functions"),
                      {},
                      {},
                      {},
                      capture->noBreaks};
}

/// Lets \p use work on the state that a bytearray holds.
template <typename Use> auto withTwister(Interp& in, const Val& state, Use use) {
    auto* bytes = state.to<BytesObj>();
    if (!bytes || !bytes->changeable || bytes->bytes.size() != sizeof(Twister))
        in.raise(Error::Type, "not the state of a generator of random numbers");
    wantOwnGenerator(in, state);
    in.mutating(bytes, "a generator of random numbers");
    Twister t;
    std::memcpy(&t, bytes->bytes.data(), sizeof t);
    auto result = use(t);
    std::memcpy(bytes->bytes.data(), &t, sizeof t);
    return result;
}

Val newTwister(Interp& in, Self, Args) {
    return Val(in.make<BytesObj>(std::string(sizeof(Twister), '\0'), true));
}
Val seedTwister(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "seed", args, {"state", "number"});
    const bool negative = compareIntegers(v[1], Val::integer(0)) < 0;
    const Val magnitude = negative ? negated(in, v[1]) : v[1];
    const auto count = static_cast<size_t>((bitLength(magnitude) + 31) / 32);
    const std::string bytes = integerBytes(in, magnitude, std::max<size_t>(count, 1) * 4, false);
    std::vector<uint32_t> key(std::max<size_t>(count, 1));
    for (size_t i = 0; i < key.size(); ++i)
        for (size_t k = 0; k < 4; ++k)
            key[i] |= static_cast<uint32_t>(static_cast<unsigned char>(bytes[4 * i + k]))
                      << (8 * k);
    withTwister(in, v[0], [&](Twister& t) {
        t.seed(key);
        return 0;
    });
    return Val::none();
}
Val drawFloat(Interp& in, Self, Args args) {
    return Val::real(
        withTwister(in, parseArguments(in, "random", args, {"state"})[0], [](Twister& t) {
            const uint32_t a = t.next() >> 5, b = t.next() >> 6;
            return (a * 67108864.0 + b) * (1.0 / 9007199254740992.0);
        }));
}
Val drawBits(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "getrandbits", args, {"state", "k"});
    const int64_t k = wantInt(in, v[1], "the number of bits");
    if (k < 0) in.raise(Error::Value, "number of bits must be non-negative");
    if (k > 1 << 20) in.raise(Error::Overflow, "too many bits");
    const std::string bytes = withTwister(in, v[0], [&](Twister& t) {
        std::string out;
        for (int64_t left = k; left > 0; left -= 32) {
            uint32_t word = t.next();
            if (left < 32) word >>= 32 - left;
            for (int i = 0; i < 4; ++i)
                out += static_cast<char>(word >> (8 * i));
        }
        return out;
    });
    return integerFromBytes(in, bytes, false);
}

/// draw(method, generator, ...): the method draws, as a whole.
Val drawWhole(Interp& in, Self, Args args) {
    wantOwnGenerator(in, args.positional[1]);
    return in.call(args.positional[0],
                   std::vector<Val>(args.positional.begin() + 1, args.positional.end()),
                   args.keywords);
}

Val writeText(Interp& in, Self self, Args args) {
    const std::string& text =
        wantStr(in, parseArguments(in, "write", args, {"text"})[0], "the text");
    self.text == "error" ? in.printError(text) : in.print(text);
    return Val::integer(static_cast<int64_t>(textWidth(text)));
}
Val handledNow(Interp& in, Self, Args) {
    Val v = in.handled();
    return v.bound() ? v : Val::none();
}
Val collected(Interp& in, Self, Args) {
    return Val::integer(static_cast<int64_t>(in.collectGarbage()));
}

/// What a weak reference may show.
Object* wantReferable(Interp& in, const Val& v) {
    const auto refuse = [&] {
        in.raise(Error::Type,
                 fmt::format("cannot create weak reference to '{}' object", in.typeName(v)));
    };
    if (!v.isObject()) refuse();
    switch (v.object()->kind) {
    case Kind::Instance: {
        const auto& slots = v.as<InstanceObj>()->type->slots;
        if (slots && std::ranges::find(*slots, "__weakref__") == slots->end()) refuse();
        break;
    }
    case Kind::List:
    case Kind::Dict:
    case Kind::Str:
        if (!v.as<BuiltinTypeObj>()->own) refuse();
        break;
    case Kind::Set:
    case Kind::Function:
    case Kind::Method:
    case Kind::Builtin:
    case Kind::Class:
    case Kind::Module:
    case Kind::Tensor:
    case Kind::Generator:
    case Kind::Compiled:
        break;
    default:
        refuse();
    }
    return v.object();
}
/// watch(reference, target, told): Heap::watch().
Val watch(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "ref", args, {"reference", "object", "told"});
    Object* target = wantReferable(in, v[1]);
    in.heap().watch(v[0].as<InstanceObj>(), target, in.truthy(v[2]));
    return Val::none();
}
Val watched(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "ref", args, {"reference"});
    Object* target = in.heap().watched(v[0].as<InstanceObj>());
    return target ? Val(target) : Val::none();
}
Val watchers(Interp& in, Self, Args args) {
    auto v = parseArguments(in, "getweakrefs", args, {"object"});
    std::vector<Val> all;
    if (v[0].isObject())
        for (Object* reference : in.heap().watchers(v[0].object()))
            all.emplace_back(reference);
    return in.list(std::move(all));
}

Val accountOf(Interp& in, Self, Args args) {
    Val v = parseArguments(in, "format_exception", args, {"exception"})[0];
    auto* e = v.to<InstanceObj>();
    if (!e || !e->type->exception) in.raise(Error::Type, "an exception is wanted");
    const std::vector<TraceEntry> none;
    return in.str(in.traceback(v, e->raised ? e->raised->trace : none, 0));
}
Val placeOf(Interp& in, const SourceText& source, int line, const std::string& function) {
    const bool module = function.empty() || function == "<script>";
    return in.tuple({in.str(source.file), Val::integer(line),
                     in.str(module ? "<module>" : function), in.str(source.trimmed(line))});
}
/// Where the script is: (file, line, function, text) of every frame, the innermost first.
Val frames(Interp& in, Self, Args) {
    std::vector<Val> all;
    for (const Frame* f = in.top(); f; f = f->caller) {
        const size_t ip = std::min<size_t>(f->ip, f->code->spans.size() - 1);
        all.push_back(placeOf(in, *f->code->source, f->code->spans[ip].line, f->code->name));
    }
    return in.list(std::move(all));
}
/// The same of where an exception came by, the outermost first.
Val framesOfTraceback(Interp& in, Self, Args args) {
    auto* t = parseArguments(in, "extract_tb", args, {"tb"})[0].to<TracebackObj>();
    if (!t) in.raise(Error::Type, "a traceback is wanted");
    std::vector<Val> all;
    if (const auto& raised = t->exception.as<InstanceObj>()->raised)
        for (size_t i = raised->trace.size(); i-- > 0;) {
            const TraceEntry& entry = raised->trace[i];
            all.push_back(placeOf(in, *entry.source, entry.span.line, entry.function));
        }
    return in.list(std::move(all));
}
/// The lines of the text that a function stands in, and its first and last line there.
Val sourceOf(Interp& in, Self, Args args) {
    auto* f = parseArguments(in, "getsource", args, {"function"})[0].to<FunctionObj>();
    if (!f) return Val::none();
    std::vector<Val> lines;
    for (const std::string& line : f->code->source->lines)
        lines.push_back(in.str(line));
    const frontend::Span& span = f->code->span;
    return in.tuple(
        {in.list(std::move(lines)), Val::integer(span.line), Val::integer(span.endLine)});
}
Val classFlags(Interp&, Self, Args args) {
    auto* type = args.positional.empty() ? nullptr : args.positional[0].to<ClassObj>();
    return Val::boolean(type && type->native);
}
Val floatBits(Interp& in, Self self, Args args) {
    Val v = parseArguments(in, self.text, args, {"x"})[0];
    if (self.text == "float_bits")
        return Val::integer(std::bit_cast<int64_t>(wantFloat(in, v, "x")));
    if (self.text == "float_of_bits") return Val::real(std::bit_cast<double>(wantInt(in, v, "x")));
    if (self.text == "single_bits")
        return Val::integer(std::bit_cast<uint32_t>(static_cast<float>(wantFloat(in, v, "x"))));
    return Val::real(std::bit_cast<float>(static_cast<uint32_t>(wantInt(in, v, "x"))));
}
Val moduleNames(Interp& in, Self, Args) {
    return in.loadedModules();
}
/// submodule(name, names): a module of that name with what the dict has.
Val submodule(Interp& in, Self, Args args) {
    const ModuleObj* m = in.module(wantStr(in, args.positional[0], "the name"));
    for (const auto& e : args.positional[1].as<DictObj>()->entries())
        if (e.live()) m->attributes->set(e.key.as<StrObj>(), e.value);
    m->attributes->set(in.intern("__name__"), in.str(m->name));
    return Val::none();
}
Val callerGlobals(Interp& in, Self, Args) {
    const Frame* f = in.top();
    while (f && f->code->source->library)
        f = f->caller;
    return f ? f->globals.val() : Val::none();
}
Val makeAttributes(Interp& in, Self, Args args) {
    return Val(in.attributesOf(args.positional[0]) ? in.attributesOf(args.positional[0]).val()
                                                   : Val::none());
}

/// The bytes of a bytearray as memory of a tensor.
class ByteStorage : public runtime::Storage {
public:
    explicit ByteStorage(std::shared_ptr<std::string> bytes) : bytes_(std::move(bytes)) {
        data_ = bytes_->data();
        sizeBytes_ = bytes_->size();
    }

private:
    std::shared_ptr<std::string> bytes_;
};

} // namespace

void wantOwnSize(Interp& in, const BytesObj& bytes, size_t size) {
    if (bytes.held.use_count() > 1 && size != bytes.bytes.size())
        in.raise(Error::Buffer, "Existing exports of data: object cannot be re-sized");
}

Val tensorOfBytes(Interp& in, Self, Args args) {
    constexpr size_t kReadBehind = 64; // kernels may read a register's width
    auto& bytes = *args.positional[0].as<BytesObj>();
    if (bytes.held.use_count() == 1) bytes.bytes.reserve(bytes.bytes.size() + kReadBehind);
    auto tensor = std::make_shared<runtime::Tensor>();
    tensor->type = ir::TensorType::contiguous(ir::DType::UInt8,
                                              {ir::Sym(static_cast<int64_t>(bytes.bytes.size()))});
    tensor->storage = std::make_shared<ByteStorage>(bytes.held);
    return in.tensor(std::move(tensor));
}

Val Interp::loadedModules() {
    Val names(make<DictObj>());
    for (const auto& [name, m] : modules_)
        if (m) names.as<DictObj>()->set(intern(name), m.val());
    return names;
}

/// What the text of an annotation means, or the text where it cannot be evaluated.
Val Interp::annotationsOf(FunctionObj& f) {
    Val all(make<DictObj>());
    for (const auto& [name, text] : f.code->annotations) {
        const OutsideCapture outside(*this);
        Val value;
        try {
            value = evaluate(text, f.globals, true);
        } catch (ScriptError&) {
            value = str(text);
        }
        all.as<DictObj>()->set(intern(name), value);
    }
    if (!f.attributes) f.attributes = Ref<DictObj>(make<DictObj>());
    if (!capture_) f.attributes->set(intern("__annotations__"), all);
    return all;
}

void Interp::setUpPython() {
    ModuleObj* native = module("_native");
    auto add = [&](const char* name, BuiltinFunction f, const char* text = "",
                   const char* stops = nullptr) {
        Val v = builtin(name, f, stops);
        v.as<BuiltinObj>()->text = text;
        native->attributes->set(intern(name), v);
    };
    add("random_state", newTwister);
    add("random_seed", seedTwister);
    add("random_float", drawFloat);
    add("random_bits", drawBits);
    add("draw", drawWhole);
    add("write", writeText, "", "writes text");
    add("write_error", writeText, "error", "writes text");
    add("handled", handledNow);
    add("account", accountOf);
    add("frames", frames, "", "asks where it is called");
    add("frames_of", framesOfTraceback);
    add("source", sourceOf);
    add("is_native", classFlags);
    add("modules", moduleNames);
    add("submodule", submodule);
    addRegularExpressions(*this, *native);
    add("caller_globals", callerGlobals);
    add("attributes", makeAttributes);
    add("tensor_of_bytes", tensorOfBytes, "", "makes a tensor in the memory of a bytearray");
    add("collect", collected);
    add("watch", watch, kMakesWeak.data(), "makes a weak reference");
    add("watched", watched, "", "asks what is still there");
    add("watchers", watchers, kMakesWeak.data(), "asks what is still there");
    for (const char* name : {"float_bits", "float_of_bits", "single_bits", "single_of_bits"})
        add(name, floatBits, name);
    native->attributes->set(intern("path"), str(options_.path));
    libraryNames_->set(intern("_native"), Val(native));
    modules_.erase("_native");
    heap_->onAbandoned = [this](Object* o) {
        const OutsideCapture outside(*this);
        if (o->kind == Kind::Instance) {
            const Val object(o);
            if (heap_->takeGone(o))
                callUnseen(getAttr(object, intern("_gone")), {});
            else
                finalize(object);
            return;
        }
        auto& generator = *static_cast<GeneratorObj*>(o);
        try {
            closeGenerator(generator);
        } catch (ScriptError&) { // nobody is there to catch it
        } catch (CaptureStop&) {
        }
        generator.frame.reset(); // one that yields again is not asked again
    };
}

void Interp::callUnseen(const Val& callee, std::initializer_list<Val> args) {
    try {
        call(callee, args);
    } catch (const ScriptError& error) {
        if (!error.exception.bound()) throw;
        printError(fmt::format("Exception ignored in: {}\n{}", repr(callee), traceback(error)));
    }
}

void Interp::finalize(const Val& object) {
    const Val* method = special(object, "__del__");
    if (!method) return;
    const Val function = *method;
    try {
        call(bindMethod(function, object, typeOf(object)), {});
    } catch (const ScriptError& error) {
        if (!error.exception.bound()) throw;
        printError(fmt::format("Exception ignored in: {}\n{}", repr(function), traceback(error)));
    }
}

size_t Interp::collectGarbage() {
    const size_t count = heap_->collect();
    if (!heap_->hasAbandoned()) return count;
    heap_->finishAbandoned();
    return count + heap_->collect();
}

} // namespace cutaway::capture
