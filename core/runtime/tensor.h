// SPDX-License-Identifier: Apache-2.0
/// \file
/// Real tensors: storage on a device, a strided window on it, and what autograd needs.
#pragma once

#include "core/base/result.h"
#include "core/ir/host_tensor.h"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace cutaway::runtime {

/// Bytes on a device; freed (returned to the device's caching allocator) with the last reference.
class Storage {
public:
    virtual ~Storage() = default;
    void* data() const { return data_; }
    size_t sizeBytes() const { return sizeBytes_; }
    ir::Device device() const { return device_; }

    uint32_t version = 0; ///< counts in-place writes that autograd asks about: all but .data's
    uint32_t writes = 0;  ///< counts all in-place writes

protected:
    void* data_ = nullptr;
    size_t sizeBytes_ = 0;
    ir::Device device_;
};
using StoragePtr = std::shared_ptr<Storage>;

class Tensor;
using TensorPtr = std::shared_ptr<Tensor>;
struct GradFunction;

/// What looks at the gradient of one tensor on its way back.
struct GradHooks {
    /// Given the gradient, gives it or another one of the same sizes; by number of registration.
    std::map<int64_t, std::function<base::Result<TensorPtr>(TensorPtr)>> onGradient;
    /// Leaves: called once the gradient has been added to .grad.
    std::map<int64_t, std::function<base::Status()>> afterAccumulation;
    int64_t next = 0;            ///< number of the next registration
    std::weak_ptr<Tensor> keeps; ///< computed tensors: where retain_grad() wants the gradient
};

class Tensor {
public:
    ir::TensorType type; ///< constant sizes and strides; requiresGrad included
    StoragePtr storage;
    int64_t offset = 0; ///< elements from the storage's start

    TensorPtr grad;                             ///< leaves only, after backward
    std::shared_ptr<GradFunction> gradFunction; ///< null for leaves
    int gradOutput = 0;                         ///< which result of gradFunction this is
    std::shared_ptr<GradHooks> hooks;           ///< leaves only; null: none
    /// A view that the tape knows nothing of: it requires a gradient as its base does, and gets none.
    bool asBase = false;
    /// Of what came from .data and its views: their in-place writes. Null: the storage counts.
    std::shared_ptr<uint32_t> ownVersion;

    void* data() const {
        return static_cast<std::byte*>(storage->data()) +
               offset * static_cast<int64_t>(ir::sizeBytes(type.dtype));
    }
    bool isLeaf() const { return gradFunction == nullptr; }
    uint32_t version() const { return ownVersion ? *ownVersion : storage->version; }
    /// It is being written in place.
    void countWrite() {
        ++storage->writes;
        ++(ownVersion ? *ownVersion : storage->version);
    }
};

/// A node of the autograd tape.
struct GradFunction : std::enable_shared_from_this<GradFunction> {
    GradFunction();
    GradFunction(const GradFunction&) = delete;
    GradFunction& operator=(const GradFunction&) = delete;
    /// Takes chains of any length apart without recursion.
    virtual ~GradFunction();
    std::string name;        ///< "CosBackward0", "CompiledFunctionBackward"
    const uint64_t sequence; ///< grows with every function made: the tape runs the latest first
    /// The forward inputs that gradients go to; null entries take none. Made by gradEdge(), so that
    /// the tape alone keeps no activation alive.
    std::vector<TensorPtr> inputs;
    std::vector<ir::TensorType> outputTypes;
    std::map<int, std::shared_ptr<GradHooks>> hooks; ///< by output
    bool released = false;                           ///< release() freed what apply needs
    /// Gradients of inputs from gradients of outputs (null: no gradient arrived there).
    virtual base::Result<std::vector<TensorPtr>>
    apply(const std::vector<TensorPtr>& gradOutputs) = 0;
    /// The same where nothing is asked of it afterwards: what it saved may go on the way.
    virtual base::Result<std::vector<TensorPtr>>
    applyLast(const std::vector<TensorPtr>& gradOutputs) {
        return apply(gradOutputs);
    }
    /// The same with what it computes on the tape itself: for second derivatives. Of a function that
    /// cannot, the gradients come, and deriving them ends in a user error.
    virtual base::Result<std::vector<TensorPtr>>
    applyRecorded(const std::vector<TensorPtr>& gradOutputs);
    /// Called once gradients have passed: frees saved tensors, so that memory falls while the tape
    /// runs back. \returns false when everything was kept and apply may run again.
    virtual bool release() { return false; }
};

/// What a GradFunction puts into `inputs` for a forward input: null when it requires no gradient,
/// the tensor itself when it is a leaf, else a tensor without storage that only carries the edge.
TensorPtr gradEdge(const TensorPtr& input);
/// The hooks of a tensor that requires a gradient; made when there are none yet.
GradHooks& gradHooks(Tensor& tensor);

/// Uninitialised memory. Errors: environment error naming the bytes asked for and available.
base::Result<StoragePtr> allocate(ir::Device device, size_t bytes);
base::Result<TensorPtr> emptyTensor(const ir::TensorType& type);
/// \returns a row-major copy in host memory (waits for the device).
base::Result<ir::HostTensor> toHost(const Tensor& tensor);
base::Result<TensorPtr> fromHost(const ir::HostTensor& host, ir::Device device);
/// A window on the same storage. \param offset elements from the base's first element. Requires no
/// gradient: recording is the caller's.
TensorPtr viewOf(const TensorPtr& base, ir::Shape sizes, ir::Shape strides, int64_t offset);
/// The memory of \p tensor, from its first element on, as elements of another dtype: a complex number
/// as a pair of real ones, or back. Requires no gradient.
TensorPtr seenAs(const TensorPtr& tensor, const ir::TensorType& type);
/// The type of complex numbers seen as pairs, along one more dimension at the end.
ir::TensorType pairsType(const ir::TensorType& complex);
/// Copies values (same sizes; strides, dtype and device may differ; overlapping windows behave as
/// if the source were read first) and counts the destination's version up. Errors: user error
/// without location when the sizes differ.
base::Status copyInto(Tensor& destination, const Tensor& source);

struct MemoryStatistics {
    int64_t currentBytes = 0;
    int64_t peakBytes = 0;
};
MemoryStatistics memoryStatistics(ir::Device device);
void resetPeak(ir::Device device);
/// Returns cached blocks to the system.
void trimCaches();

/// Waits until the device has finished everything queued.
base::Status synchronize(ir::Device device);
/// Threads that OpenMP starts at most (OMP_THREAD_LIMIT). Work shared out for more would stay undone.
int mostThreads();
/// Threads that CPU kernels use, mostThreads() at most; default: the machine's.
void setThreads(int threads);
int threads();

} // namespace cutaway::runtime
