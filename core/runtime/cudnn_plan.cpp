// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/cudnn_plan.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace cutaway::runtime {
namespace {

using kernel::LibraryOp;

// Of cudnn_graph.h; the numbers are part of the interface of versions 8 and 9.
enum Kind {
    kConvolution = 1,
    kEngine = 2,
    kEngineConfig = 3,
    kHeuristic = 4,
    kPlan = 5,
    kForward = 10,
    kBackwardFilter = 11,
    kBackwardData = 12,
    kOperationGraph = 15,
    kVariantPack = 16,
    kTensor = 17
};
enum Type {
    kHandle = 0,
    kDataType = 1,
    kInt64 = 3,
    kFloat = 4,
    kDouble = 5,
    kPointer = 6,
    kConvolutionMode = 7,
    kHeuristicMode = 8,
    kNumericalNote = 11,
    kDescriptor = 15,
    kBehaviourNote = 19
};
enum Attribute {
    kComputeType = 100,
    kMode = 101,
    kDilations = 102,
    kStrides = 103,
    kPaddingBehind = 104,
    kPaddingBefore = 105,
    kSpatialDims = 106,
    kHeuristicChosenMode = 200,
    kHeuristicGraph = 201,
    kHeuristicResults = 202,
    kConfigEngine = 300,
    kPlanHandle = 400,
    kPlanConfig = 401,
    kPlanWorkspace = 402,
    kGraphHandle = 800,
    kGraphOperations = 801,
    kTensorAlignment = 900,
    kTensorDataType = 901,
    kTensorSizes = 902,
    kTensorStrides = 903,
    kTensorId = 906,
    kPackIds = 1000,
    kPackPointers = 1001,
    kPackWorkspace = 1003,
    kEngineNumericalNotes = 1303,
    kEngineBehaviourNotes = 1305
};
/// An operation and its attributes' first number: alpha, beta, convolution, weight, image, output.
struct Operation {
    Kind kind;
    int alpha;
};
enum { kBeta = 1, kWindow = 2, kWeight = 3, kImage = 4, kOutput = 5 }; // behind alpha
constexpr Operation kOperations[] = {{kForward, 700}, {kBackwardData, 706}, {kBackwardFilter, 712}};
constexpr int kCrossCorrelation = 1, kHeuristicA = 3, kComputeDouble = 1;
enum Note { kTensorCores = 0, kRoundsInputs = 1, kRoundsSums = 2, kNondeterministic = 4 };
constexpr int kCompilesAtRunTime = 0;
constexpr int kAsked = 16, kMostNotes = 16;
constexpr int64_t kMostWorkspace = int64_t{512} << 20;
constexpr int64_t kIds[] = {1, 2, 3};

const Operation& operationOf(LibraryOp op) {
    return kOperations[op == LibraryOp::Convolution        ? 0
                       : op == LibraryOp::ConvolutionImage ? 1
                                                           : 2];
}

/// A descriptor that is filled, finalized and destroyed; a failure stays until it is asked for.
class Described {
public:
    Described(const CudnnGraphFunctions& dnn, Kind kind) : dnn_(&dnn) {
        failed_ = dnn.create(kind, &made_) != 0;
        if (failed_) made_ = nullptr;
    }
    Described(Described&& other) noexcept
        : dnn_(other.dnn_), made_(std::exchange(other.made_, nullptr)), failed_(other.failed_) {}
    Described& operator=(Described&& other) noexcept {
        std::swap(dnn_, other.dnn_);
        std::swap(made_, other.made_);
        std::swap(failed_, other.failed_);
        return *this;
    }
    ~Described() {
        if (made_) dnn_->destroy(made_);
    }
    template <typename T>
    Described& set(int attribute, Type type, const T* values, size_t count = 1) {
        if (!failed_)
            failed_ = dnn_->set(made_, attribute, type, static_cast<int64_t>(count), values) != 0;
        return *this;
    }
    Described& set(int attribute, const std::vector<int64_t>& values) {
        return set(attribute, kInt64, values.data(), values.size());
    }
    Described& set(int attribute, const Described& other) {
        failed_ |= other.failed_;
        return set(attribute, kDescriptor, &other.made_);
    }
    /// The values that there are, at most \p count; fewer than none on a failure.
    template <typename T> int64_t get(int attribute, Type type, T* values, size_t count) const {
        int64_t given = 0;
        if (failed_ ||
            dnn_->get(made_, attribute, type, static_cast<int64_t>(count), &given, values) != 0)
            return -1;
        return std::min(given, static_cast<int64_t>(count));
    }
    bool finish() {
        if (!failed_) failed_ = dnn_->finalize(made_) != 0;
        return !failed_;
    }
    void* get() const { return made_; }

private:
    const CudnnGraphFunctions* dnn_;
    void* made_ = nullptr;
    bool failed_ = false;
};

Described describe(const CudnnGraphFunctions& dnn, const CudnnProblem& problem,
                   const CudnnProblem::Tensor& tensor, int64_t id) {
    Described made(dnn, kTensor);
    made.set(kTensorDataType, kDataType, &problem.dataType)
        .set(kTensorId, kInt64, &id)
        .set(kTensorSizes, tensor.sizes)
        .set(kTensorStrides, tensor.strides)
        .set(kTensorAlignment, kInt64, &tensor.alignment)
        .finish();
    return made;
}

Described describe(const CudnnGraphFunctions& dnn, const CudnnProblem& problem) {
    Described made(dnn, kConvolution);
    const auto spatial = static_cast<int64_t>(problem.padding.size());
    made.set(kComputeType, kDataType, &problem.computeType)
        .set(kMode, kConvolutionMode, &kCrossCorrelation)
        .set(kSpatialDims, kInt64, &spatial)
        .set(kPaddingBefore, problem.padding)
        .set(kPaddingBehind, problem.padding)
        .set(kStrides, problem.stride)
        .set(kDilations, problem.dilation)
        .finish();
    return made;
}

/// Whether the engine of \p config computes as precisely as the problem wants.
bool suits(const CudnnGraphFunctions& dnn, const CudnnProblem& problem, const Described& config) {
    Described engine(dnn, kEngine);
    void* made = engine.get();
    if (config.get(kConfigEngine, kDescriptor, &made, 1) < 0) return false;
    std::array<int, kMostNotes> notes{}, behaviour{};
    const int64_t count =
        engine.get(kEngineNumericalNotes, kNumericalNote, notes.data(), kMostNotes);
    const int64_t manners =
        engine.get(kEngineBehaviourNotes, kBehaviourNote, behaviour.data(), kMostNotes);
    if (count < 0 || manners < 0) return false;
    auto says = [&](Note note) {
        return std::find(notes.begin(), notes.begin() + count, note) != notes.begin() + count;
    };
    if (std::find(behaviour.begin(), behaviour.begin() + manners, kCompilesAtRunTime) !=
        behaviour.begin() + manners)
        return false;
    const bool rounds = problem.dtype == ir::DType::Float32 && !problem.tf32 && says(kTensorCores);
    return !rounds && !says(kRoundsInputs) && !says(kRoundsSums) &&
           !(problem.deterministic && says(kNondeterministic));
}

} // namespace

bool CudnnGraphFunctions::load(const jit::CudaLibrary& from) {
    return from.load(create, "cudnnBackendCreateDescriptor") &&
           from.load(destroy, "cudnnBackendDestroyDescriptor") &&
           from.load(set, "cudnnBackendSetAttribute") &&
           from.load(get, "cudnnBackendGetAttribute") &&
           from.load(finalize, "cudnnBackendFinalize") && from.load(execute, "cudnnBackendExecute");
}

struct CudnnPlan::State {
    const CudnnGraphFunctions& dnn;
    void* handle;
    // The plan refers to what it was made of.
    Described image, weight, output, convolution, operation, graph, heuristic;
    std::vector<Described> configs;
    std::optional<Described> plan;
    int64_t workspaceBytes = 0;

    State(const CudnnGraphFunctions& functions, void* handleOfDevice, const CudnnProblem& problem)
        : dnn(functions), handle(handleOfDevice),
          image(describe(dnn, problem, problem.image, kIds[0])),
          weight(describe(dnn, problem, problem.weight, kIds[1])),
          output(describe(dnn, problem, problem.output, kIds[2])),
          convolution(describe(dnn, problem)), operation(dnn, operationOf(problem.op).kind),
          graph(dnn, kOperationGraph), heuristic(dnn, kHeuristic) {}
    bool choose(const CudnnProblem& problem);
    bool take(const CudnnProblem& problem, const Described& config);
};

bool CudnnPlan::State::take(const CudnnProblem& problem, const Described& config) {
    if (!suits(dnn, problem, config)) return false;
    Described made(dnn, kPlan);
    made.set(kPlanHandle, kHandle, &handle).set(kPlanConfig, config);
    if (!made.finish()) return false;
    if (made.get(kPlanWorkspace, kInt64, &workspaceBytes, 1) != 1) return false;
    if (workspaceBytes > kMostWorkspace) return false;
    plan = std::move(made);
    return true;
}

bool CudnnPlan::State::choose(const CudnnProblem& problem) {
    const Operation& o = operationOf(problem.op);
    const double one = 1, zero = 0;
    const float oneFloat = 1, zeroFloat = 0;
    if (problem.computeType == kComputeDouble)
        operation.set(o.alpha, kDouble, &one).set(o.alpha + kBeta, kDouble, &zero);
    else
        operation.set(o.alpha, kFloat, &oneFloat).set(o.alpha + kBeta, kFloat, &zeroFloat);
    operation.set(o.alpha + kWindow, convolution)
        .set(o.alpha + kWeight, weight)
        .set(o.alpha + kImage, image)
        .set(o.alpha + kOutput, output);
    if (!operation.finish()) return false;
    if (!graph.set(kGraphHandle, kHandle, &handle).set(kGraphOperations, operation).finish())
        return false;
    heuristic.set(kHeuristicGraph, graph).set(kHeuristicChosenMode, kHeuristicMode, &kHeuristicA);
    if (!heuristic.finish()) return false;
    std::vector<void*> made;
    for (int i = 0; i < kAsked; ++i)
        made.push_back(configs.emplace_back(dnn, kEngineConfig).get());
    const int64_t count = heuristic.get(kHeuristicResults, kDescriptor, made.data(), made.size());
    for (int64_t i = 0; i < count; ++i)
        if (take(problem, configs[static_cast<size_t>(i)])) return true;
    return false;
}

CudnnPlan::CudnnPlan(std::unique_ptr<State> state) : state_(std::move(state)) {}
CudnnPlan::~CudnnPlan() = default;

std::unique_ptr<CudnnPlan> CudnnPlan::make(const CudnnGraphFunctions& dnn, void* handle,
                                           const CudnnProblem& problem) {
    auto state = std::make_unique<State>(dnn, handle, problem);
    if (!state->choose(problem)) return nullptr;
    return std::unique_ptr<CudnnPlan>(new CudnnPlan(std::move(state)));
}

size_t CudnnPlan::workspaceBytes() const {
    return static_cast<size_t>(state_->workspaceBytes);
}

int CudnnPlan::run(void* image, void* weight, void* output, void* workspace) const {
    constexpr int kFailed = -1;
    const State& s = *state_;
    void* const pointers[] = {image, weight, output};
    Described pack(s.dnn, kVariantPack);
    pack.set(kPackIds, kInt64, kIds, std::size(kIds))
        .set(kPackPointers, kPointer, pointers, std::size(pointers))
        .set(kPackWorkspace, kPointer, &workspace);
    return pack.finish() ? s.dnn.execute(s.handle, s.plan->get(), pack.get()) : kFailed;
}

} // namespace cutaway::runtime
