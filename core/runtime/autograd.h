// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs the tape backwards (PyTorch: torch/csrc/autograd/engine.cpp).
#pragma once

#include "core/runtime/tensor.h"

#include <functional>

namespace cutaway::runtime {

/// How the engine adds two gradients and makes the first one: through ops, so that the result is on
/// the right device and recorded nowhere.
struct GradientArithmetic {
    std::function<base::Result<TensorPtr>(const TensorPtr&, const TensorPtr&)> add;
    std::function<base::Result<TensorPtr>(const ir::TensorType&, double)> full;
};

/// What to differentiate, and where the gradients go.
struct BackwardRequest {
    std::vector<TensorPtr> roots = {};
    /// One for each root; null: ones for a tensor of one element, else a user error.
    std::vector<TensorPtr> gradients = {};
    /// Whose gradients are wanted; none: of every leaf that requires one.
    std::vector<TensorPtr> inputs = {};
    bool accumulate = true;   ///< add to .grad; else return the gradients of `inputs`
    bool retainGraph = false; ///< keep what the tape saved, so that it can be run back again
    bool record = false;      ///< the gradients are on the tape themselves (create_graph)
    bool checkNan = false;    ///< refuse NaN where it comes up (torch.autograd.detect_anomaly)
};

/// \returns without `accumulate` one gradient for each of the inputs, null where the roots do not
/// depend on it; else nothing.
base::Result<std::vector<TensorPtr>> backward(const BackwardRequest& request,
                                              const GradientArithmetic& arithmetic);

/// Writes \p value into \p window, a view of \p self with value's sizes. With \p recorded, and
/// where self or the value wants a gradient, self becomes the result of the write: the window's
/// gradient goes to the value, the rest to what self was (PyTorch: CopySlices). The value then has
/// the window's dtype; self may be the complex tensor whose pairs the window is of, or the reverse.
base::Status writeWindow(const TensorPtr& self, Tensor& window, const TensorPtr& value,
                         bool recorded);

/// \p window, which sees memory of \p base, is from now on what the tape knows base as, seen through
/// the window (PyTorch: AsStridedBackward0 of a view whose base was written).
void followBase(const TensorPtr& window, const TensorPtr& base);
/// Whether what the tape knows \p window as came from \p base through a view that shows less than the
/// window does: gradients of the rest end there.
bool leadsPast(const Tensor& window, const Tensor& base);
/// \p window sees memory of \p base, which was written, and the tape cannot follow that: it ends in
/// a user error, \p why, where a gradient reaches it.
void refuseWindow(const TensorPtr& window, const TensorPtr& base, std::string why);

/// Which result of which function of the tape a tensor is; of leaves no function.
struct Producer {
    const GradFunction* function = nullptr;
    int output = 0;
    static Producer of(const TensorPtr& edge) {
        return edge ? Producer{edge->gradFunction.get(), edge->gradOutput} : Producer();
    }
};
/// Refuses memory that was written in place since \p function saved it at \p version, with
/// PyTorch's message.
base::Status checkUnchanged(const GradFunction& function, const Tensor& saved, uint32_t version,
                            const Producer& producer);

/// What backward() says of a gradient of other sizes than the root that it was given for.
base::Diagnostic mismatchedShape(size_t number, const ir::TensorType& gradient,
                                 const ir::TensorType& root);
/// "torch.cuda.FloatTensor", as PyTorch's messages call a type.
std::string tensorTypeName(const ir::TensorType& type);
/// PyTorch's message of what was saved at version \p expected and is of \p version now. \p output: where
/// it came from, as in ", which is output 0 of Mul,"; \p who: what stands before the hint.
base::Diagnostic changedError(const ir::TensorType& type, std::string_view output, uint64_t version,
                              uint64_t expected, std::string_view who);
/// "Mul" of "MulBackward0", "Max1" of "MaxBackward1": what messages call a function of the tape.
std::string stepName(std::string_view name);

/// \p saved, at \p version a value of \p origin for backward(), is what that is now where it got other
/// memory since: its .data was assigned, and as in PyTorch the tape saved the tensor itself.
base::Status followData(TensorPtr& saved, uint32_t& version, const std::weak_ptr<Tensor>& origin);

/// Before \p tensor gets another step of the tape: whether retain_grad() wants its gradient, which
/// the step that it has no longer keeps.
bool takeKept(Tensor& tensor);
/// Behind it: what arrives at the step that \p tensor has is its gradient, where \p kept says so.
void keepAgain(const TensorPtr& tensor, bool kept);

} // namespace cutaway::runtime
