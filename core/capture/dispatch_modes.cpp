// SPDX-License-Identifier: Apache-2.0
// Modes that a script is asked through for each operation (torch.utils._python_dispatch).
#include "core/capture/call_observer.h"
#include "core/capture/graph_rows.h"
#include "core/capture/script_graph.h"
#include "core/capture/torch_support.h"

#include <fmt/format.h>

#include <memory>

namespace cutaway::capture {

namespace {

using Self = const BuiltinObj&;
using Args = const Arguments&;
using runtime::TensorPtr;

/// Asks a function of the script for what each operation gives (torch.utils._python_dispatch).
class Dispatcher : public CallObserver {
public:
    Dispatcher(Interp& in, Val handler) : in_(in), handler_(std::move(handler)) {}

    void called(const ops::OpDef&, const ir::ArgList&, std::span<const TensorPtr>,
                std::span<const TensorPtr>) override {}
    bool replaces() const override { return true; }
    base::Result<std::vector<TensorPtr>> instead(const ops::OpDef& def, const ir::ArgList& args,
                                                 std::span<const TensorPtr> tensors,
                                                 size_t count) override {
        const Asked asked(this, before());
        const bool inPlace = writes(def, args, tensors);
        auto reference = [&](ir::NodeId id) {
            const TensorPtr& t = tensors[id.index];
            return in_.tensor(inPlace && id.index == args[0].node()->index ? copyOf(*t) : plain(t));
        };
        auto [values, named] = argumentsOf(in_, def.name(), args, reference);
        const Val given = in_.tuple(in_.items(values));
        const std::string name = inPlace ? inPlaceName(def) : def.name();
        const Val found = in_.call(handler_, {overload(in_, name), given, named});
        std::vector<TensorPtr> results;
        for (const Val& v : found.is(Kind::Tensor) ? std::vector<Val>{found} : in_.items(found))
            results.push_back(plain(in_.real(v, "a result of __torch_dispatch__")));
        if (results.size() != count)
            in_.raise(Error::Runtime,
                      fmt::format("__torch_dispatch__ gave {} tensors for {}, which gives {}",
                                  results.size(), def.name(), count));
        return results;
    }
    TensorPtr written(const std::string& name, const runtime::Tensor& into,
                      const Val* value) override {
        const Asked asked(this, before());
        std::vector<Val> given{in_.tensor(copyOf(into))};
        if (value) given.push_back(*value);
        const Val found = in_.call(
            handler_, {overload(in_, name), in_.tuple(std::move(given)), Val(in_.make<DictObj>())});
        return plain(in_.real(found, "a result of __torch_dispatch__"));
    }

private:
    /// What the function calls goes to whom was asked before.
    struct Asked {
        CallObserver* const self;
        Asked(CallObserver* own, CallObserver* other) : self(own) { current() = other; }
        Asked(const Asked&) = delete;
        ~Asked() { current() = self; }
    };
    static TensorPtr plain(const TensorPtr& t) {
        TensorPtr made = runtime::viewOf(t, t->type.sizes, t->type.strides, 0);
        made->type.requiresGrad = false;
        return made;
    }
    /// What a function in place writes to: the tape may want the tensor as it was.
    TensorPtr copyOf(const runtime::Tensor& t) {
        ir::TensorType type = t.type;
        type.requiresGrad = false;
        TensorPtr made = in_.need(runtime::emptyTensor(type));
        in_.need(runtime::copyInto(*made, t));
        return made;
    }
    /// Whether what the operation gives is written into its first operand.
    static bool writes(const ops::OpDef& def, const ir::ArgList& args,
                       std::span<const TensorPtr> tensors) {
        const CallObserver::Write* write = CallObserver::Write::current();
        if (!write || write->base != def.parsed.base || args.empty() || !args[0].node())
            return false;
        const runtime::Tensor& first = *tensors[args[0].node()->index];
        return first.storage == write->into->storage && first.offset == write->into->offset;
    }
    /// "add_.Tensor" of add.Tensor, "relu_" of relu.
    static std::string inPlaceName(const ops::OpDef& def) {
        std::string name = def.name();
        return name.insert(def.parsed.base.size(), "_");
    }

    Interp& in_;
    Val handler_;
};

/// As long as it is on, each operation goes to a function; it is off when it is called, or is gone.
struct DispatchScope : BuiltinObj {
    DispatchScope(Interp& in, Val handler)
        : BuiltinObj("torch._C.dispatch_scope.end", end),
          dispatcher(std::make_unique<Dispatcher>(in, std::move(handler))) {}
    static Val end(Interp&, Self self, Args) {
        const_cast<DispatchScope&>(static_cast<const DispatchScope&>(self)).dispatcher.reset();
        return Val::none();
    }
    void clear() override { dispatcher.reset(); }
    std::unique_ptr<Dispatcher> dispatcher;
};

} // namespace

Val dispatchScope(Interp& in, Self self, Args args) {
    return Val(in.make<DispatchScope>(in, wantPositional(in, self, args, 1)[0]));
}

} // namespace cutaway::capture
