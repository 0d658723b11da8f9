// SPDX-License-Identifier: Apache-2.0
/// \file
/// ONNX models (github.com/onnx/onnx, onnx/onnx.proto) as plain values. Protocol buffers' wire format is read here
/// without the library, which takes one version of the schema; fields that are not known are skipped.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::formats {

/// Behind a model's path: the file of its weights, as torch.onnx.export and as Optimum name it.
constexpr std::string_view kOnnxWeights[] = {".data", "_data"};

struct OnnxTensor {
    std::string name;
    int type = 0; ///< TensorProto.DataType
    std::vector<int64_t> sizes;
    std::string bytes; ///< little-endian, row-major
    /// Where its bytes lie in another file: a path beside the model's, empty where they do not.
    std::string file;
    uint64_t offset = 0;
    std::optional<uint64_t> length; ///< nothing: all that follows

    /// The product of the sizes; nothing where one is negative or it is beyond 2^40.
    std::optional<int64_t> numel() const;
};

/// Bytes of an element of TensorProto.DataType \p type; 0: strings, and types that are not known.
size_t onnxElementBytes(int type);

struct OnnxGraph;

struct OnnxAttribute {
    std::string name;
    std::optional<float> number;
    std::optional<int64_t> integer;
    std::optional<std::string> text;
    std::shared_ptr<OnnxTensor> tensor;
    std::shared_ptr<OnnxGraph> graph;
    std::vector<float> numbers;
    std::vector<int64_t> integers;
    std::vector<std::string> texts;
    int type = 0; ///< AttributeProto.AttributeType; 0 where an old writer did not say it
};

struct OnnxNode {
    std::string name, op, domain;
    /// As PyTorch's exporter writes it into the metadata: "['', 'mlp', 'mlp.0', 'linear']", the modules that the
    /// node stands in, the outermost first, and then its name. Empty: not told.
    std::string scopes;
    std::vector<std::string> inputs, outputs; ///< empty: one that is left out
    std::vector<OnnxAttribute> attributes;
};

struct OnnxSize {
    std::optional<int64_t> number;
    std::string symbol; ///< its name where it is no number; may be empty
};

/// An input, an output, or what is known of a value between them.
struct OnnxValue {
    std::string name;
    int type = 0; ///< of a tensor's elements; 0: no tensor
    std::vector<OnnxSize> sizes;
};

struct OnnxGraph {
    std::string name;
    std::vector<OnnxNode> nodes;
    std::vector<OnnxTensor> initializers;
    std::vector<OnnxValue> inputs, outputs, values;
};

struct OnnxModel {
    std::string producer, producerVersion;
    int64_t opset = 1;                  ///< of the domain ai.onnx
    std::vector<std::string> functions; ///< names of those that the model defines itself
    OnnxGraph graph;
};

/// Errors: user error where the bytes are no model, or damaged.
base::Result<OnnxModel> readOnnx(std::string_view bytes);

/// A TensorProto by itself. Errors: user error where it is damaged.
base::Result<OnnxTensor> readOnnxTensor(std::string_view bytes);

} // namespace cutaway::formats
