// SPDX-License-Identifier: Apache-2.0
/// \file
/// The two worlds that a script's tensors live in, behind one interface: in the eager one an
/// operation computes and a change writes memory; in the capturing one an operation becomes a node
/// of the graph, a change gives the tensor another node (functionalisation), and whoever needs a
/// value stops the capture. The evaluator asks the world that is in force (Interp::world()).
#pragma once

#include "core/capture/objects.h"
#include "core/ir/shape_env.h"
#include "core/ops/catalogue.h"
#include "core/runtime/random.h"

#include <functional>
#include <string_view>

namespace cutaway::capture {

class Capture;
class Interp;

/// What a function computes that is called while something is written: a tensor.
using Computation = std::function<Val()>;

/// How write() writes.
struct Writing {
    std::string base;      ///< the operation's name without an underscore, for messages
    bool fills = false;    ///< all elements become one number, so that they may share memory
    std::string_view what; ///< names the deed in messages
};

/// A call of backward() or torch.autograd.grad().
struct GradientRequest {
    std::vector<Val> roots, gradients; ///< what is differentiated, what its gradients are (None: 1)
    std::vector<Val> inputs;
    bool retainGraph = false;
    bool record = false;     ///< the gradients can be differentiated again
    bool accumulate = false; ///< into .grad
};

class TensorWorld {
public:
    explicit TensorWorld(Interp& interp) : in_(interp) {}
    TensorWorld(const TensorWorld&) = delete;
    virtual ~TensorWorld() = default;

    // operations
    /// One operation of the catalogue: its results. \p args name tensors by their position in
    /// \p tensors. Errors carry no location.
    virtual base::Result<std::vector<Val>> call(const ops::OpDef& def, ir::ArgList args,
                                                const std::vector<TensorObj*>& tensors) = 0;
    /// Makes \p self what \p compute gives, of the same sizes: \p self. \p base, the operation's
    /// name without an underscore, is for messages.
    virtual Val mutate(const std::string& base, const Val& self, const Computation& compute) = 0;
    /// Writes \p value, a number or a tensor, broadcast and converted, into what \p view shows of
    /// \p self.
    virtual void write(const Val& self, const Computation& view, const Val& value,
                       const Writing& how) = 0;
    /// Makes all elements of \p self the number \p value.
    virtual void fill(const std::string& base, const Val& self, const Val& value) = 0;
    virtual Val moved(const Val& tensor, ir::Device device) = 0;
    /// A list of the rows where a loop gets them from one operation; unbound: it takes one by one.
    virtual Val rows(const Val& tensor) = 0;
    /// Whether other elements of \p b lie where \p a has some, or with \p whole the same; false where
    /// that is not known.
    virtual bool overlap(const TensorObj& a, const TensorObj& b, bool whole) = 0;
    /// Where \p t begins in its storage, in its elements.
    virtual ir::Sym beginning(TensorObj& t) = 0;
    /// \p operand of an operation in place on \p written, which it shares memory with: what autograd
    /// saves of it is not what is there behind the write (but of the first operand it keeps a copy).
    virtual Val savedBefore(const Val& operand, const TensorObj& written) {
        (void)written;
        return operand;
    }

    // new tensors
    virtual Val constant(ir::HostTensor value, ir::Device device) = 0;
    /// A number without dimensions.
    virtual Val number(const Val& value, ir::DType dtype, ir::Device device) = 0;
    /// Random numbers, in the order of the memory of the new tensor.
    virtual Val drawn(const ir::TensorType& type, const runtime::Draw& draw,
                      runtime::Generator& generator) = 0;
    /// The same in place; \p base is for messages.
    virtual void redraw(const std::string& base, const Val& self, const runtime::Draw& draw,
                        runtime::Generator& generator) = 0;
    /// 1 with the chances that a tensor has, else 0.
    virtual Val bernoulli(const Val& chances, runtime::Generator& generator) = 0;

    // values
    /// The tensor with its elements. \p what says who needs them; \p hint, what to do where they
    /// are not there.
    virtual const runtime::TensorPtr& value(TensorObj& t, std::string_view what,
                                            std::string_view hint) = 0;
    /// What comes next reads values or has effects that no graph has.
    virtual void wantReal(std::string_view message, std::string_view hint) = 0;
    /// The same of a result whose sizes follow from values.
    virtual void wantCount(std::string_view message) = 0;
    /// The number of a tensor of one element, which the graph computes; unbound: value() has it.
    virtual Val number(TensorObj&) { return {}; }
    /// The numbers of a tensor as nested lists, where the graph computes them; unbound: value() has
    /// them.
    virtual Val numbers(TensorObj&) { return {}; }
    /// Whether a tensor's elements can be compared without leaving the world.
    virtual bool comparesElements() const = 0;
    /// What operations see of a tensor.
    virtual const ir::TensorType& type(TensorObj& t) = 0;

    // sizes
    /// The same size in its shortest form.
    virtual ir::Sym size(const ir::Sym& size) = 0;
    virtual int64_t sizeValue(const ir::Sym& size) = 0;
    virtual bool decide(const ir::Condition& condition) = 0;
    /// The truth of a condition; none where a graph can compute it and nobody needs it yet.
    virtual std::optional<bool> answer(const ir::Condition& condition) { return decide(condition); }
    /// Whether an int that the script computes from sizes has 64 bits; calls of which that is not so
    /// are not served by what is captured now.
    virtual bool exact(const ir::Sym& size) = 0;

    // gradients
    /// .grad; unbound: there is none.
    virtual Val gradient(TensorObj& t) = 0;
    virtual void setGradient(TensorObj& t, const Val& value) = 0;
    virtual void setRequiresGrad(TensorObj& t, const Val& value) = 0;
    virtual void setData(TensorObj& t, const Val& value) = 0;
    /// \p t, the .data of a tensor, is written without autograd being told.
    virtual void ownWrites(TensorObj& t) = 0;
    virtual void detachInPlace(TensorObj& t) = 0;
    /// \p t is from here on what \p view, a view of it, is (unsqueeze_).
    virtual void become(TensorObj& t, TensorObj& view) = 0;
    /// A list of the gradients of the inputs, None where nothing depends on one; None where they
    /// are accumulated.
    virtual Val backward(const GradientRequest& request) = 0;
    /// Between open and close, what is computed is computed again in the backward.
    virtual void checkpointRegion(bool open) = 0;

    /// Whether results of \p def may lie in the memory of its first operand.
    static bool sharesMemory(const ops::OpDef& def);

protected:
    /// What gives the elements that \p base, with an underscore, writes into x.
    static std::string outOfPlace(const std::string& base);
    /// What \p compute gives, of the sizes and the dtype of \p t; raises where it does not fit.
    Val fitting(const std::string& base, TensorObj& t, const Computation& compute);
    /// Raises where the tape would save a tensor of inference mode.
    void wantNoneSaved(const ops::OpDef& def, const std::vector<TensorObj*>& tensors) const;
    /// Raises where a tensor of inference mode would be written outside of it.
    void wantNormal(const TensorObj& t) const;

    Interp& in_;
};

/// Tensors with memory; operations run at once, on the tape where a gradient is wanted.
class EagerWorld final : public TensorWorld {
public:
    using TensorWorld::TensorWorld;
    base::Result<std::vector<Val>> call(const ops::OpDef& def, ir::ArgList args,
                                        const std::vector<TensorObj*>& tensors) override;
    Val mutate(const std::string& base, const Val& self, const Computation& compute) override;
    void write(const Val& self, const Computation& view, const Val& value,
               const Writing& how) override;
    void fill(const std::string& base, const Val& self, const Val& value) override;
    Val moved(const Val& tensor, ir::Device device) override;
    Val rows(const Val& tensor) override;
    bool overlap(const TensorObj& a, const TensorObj& b, bool whole) override;
    ir::Sym beginning(TensorObj& t) override { return ir::Sym(t.real->offset); }
    Val savedBefore(const Val& operand, const TensorObj& written) override;
    Val constant(ir::HostTensor value, ir::Device device) override;
    Val number(const Val& value, ir::DType dtype, ir::Device device) override;
    Val drawn(const ir::TensorType& type, const runtime::Draw& draw,
              runtime::Generator& generator) override;
    void redraw(const std::string& base, const Val& self, const runtime::Draw& draw,
                runtime::Generator& generator) override;
    Val bernoulli(const Val& chances, runtime::Generator& generator) override;
    const runtime::TensorPtr& value(TensorObj& t, std::string_view what,
                                    std::string_view hint) override;
    void wantReal(std::string_view, std::string_view) override {}
    void wantCount(std::string_view) override {}
    bool comparesElements() const override { return true; }
    const ir::TensorType& type(TensorObj& t) override { return t.type(); }
    ir::Sym size(const ir::Sym& size) override;
    int64_t sizeValue(const ir::Sym& size) override;
    bool decide(const ir::Condition& condition) override;
    bool exact(const ir::Sym& size) override;
    Val gradient(TensorObj& t) override;
    void setGradient(TensorObj& t, const Val& value) override;
    void setRequiresGrad(TensorObj& t, const Val& value) override;
    void setData(TensorObj& t, const Val& value) override;
    void ownWrites(TensorObj& t) override;
    void detachInPlace(TensorObj& t) override;
    void become(TensorObj& t, TensorObj& view) override;
    Val backward(const GradientRequest& request) override;
    void checkpointRegion(bool) override {}

private:
    /// Of savedBefore(): versions that the write, once it is there, counts up.
    std::vector<std::shared_ptr<uint32_t>> saved_;
};

/// Tensors that are nodes of a capture's graph, or inputs of it.
class CapturingWorld final : public TensorWorld {
public:
    CapturingWorld(Interp& interp, Capture& capture) : TensorWorld(interp), capture_(capture) {}
    base::Result<std::vector<Val>> call(const ops::OpDef& def, ir::ArgList args,
                                        const std::vector<TensorObj*>& tensors) override;
    Val mutate(const std::string& base, const Val& self, const Computation& compute) override;
    void write(const Val& self, const Computation& view, const Val& value,
               const Writing& how) override;
    void fill(const std::string& base, const Val& self, const Val& value) override;
    Val moved(const Val& tensor, ir::Device device) override;
    Val rows(const Val&) override { return {}; }
    ir::Sym beginning(TensorObj& t) override;
    bool overlap(const TensorObj& a, const TensorObj& b, bool whole) override;
    Val constant(ir::HostTensor value, ir::Device device) override;
    Val number(const Val& value, ir::DType dtype, ir::Device device) override;
    Val drawn(const ir::TensorType& type, const runtime::Draw& draw,
              runtime::Generator& generator) override;
    void redraw(const std::string& base, const Val& self, const runtime::Draw& draw,
                runtime::Generator& generator) override;
    Val bernoulli(const Val& chances, runtime::Generator& generator) override;
    const runtime::TensorPtr& value(TensorObj& t, std::string_view what,
                                    std::string_view hint) override;
    void wantReal(std::string_view message, std::string_view hint) override;
    void wantCount(std::string_view message) override;
    Val number(TensorObj& t) override;
    Val numbers(TensorObj& t) override;
    bool comparesElements() const override { return false; }
    const ir::TensorType& type(TensorObj& t) override;
    ir::Sym size(const ir::Sym& size) override;
    int64_t sizeValue(const ir::Sym& size) override;
    bool decide(const ir::Condition& condition) override;
    std::optional<bool> answer(const ir::Condition& condition) override;
    bool exact(const ir::Sym& size) override;
    Val gradient(TensorObj& t) override;
    void setGradient(TensorObj& t, const Val& value) override;
    void setRequiresGrad(TensorObj& t, const Val& value) override;
    void setData(TensorObj& t, const Val& value) override;
    void ownWrites(TensorObj& t) override;
    void detachInPlace(TensorObj& t) override;
    void become(TensorObj& t, TensorObj& view) override;
    Val backward(const GradientRequest& request) override;
    void checkpointRegion(bool open) override;

private:
    Val expanded(const Val& value, TensorObj& like, bool fills);

    Capture& capture_;
};

} // namespace cutaway::capture
