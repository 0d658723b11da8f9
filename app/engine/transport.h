// SPDX-License-Identifier: Apache-2.0
/// \file
/// JSON-RPC 2.0 messages over a pair of file descriptors, framed by Content-Length as in the
/// Language Server Protocol.
#pragma once

#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace cutaway::engine {

/// One message. The broker (broker.h) reads the file that a request names and sends it along.
struct Message {
    std::string body;
    std::optional<std::string> file;      ///< its bytes
    std::optional<std::string> fileError; ///< or a diagnostic as JSON
    std::optional<std::string> beside;    ///< an ONNX model's weights: formats::kOnnxWeights
    /// What was wrong with the client's stream: the last message, of nothing else.
    std::optional<std::string> streamError;
};

class Transport {
public:
    Transport(int input, int output) : input_(input), output_(output) {}

    /// The next message; nothing at the end of the stream or when its framing is damaged.
    std::optional<Message> read();
    /// How the framing was damaged; empty as long as it was not.
    const std::string& problem() const { return problem_; }
    /// Thread-safe. Errors (a closed pipe) are ignored: the reader will see the end of the stream.
    /// \param attachment bytes that follow the message; its header tells their number
    void write(const nlohmann::json& message, std::string_view attachment = {});
    void write(const Message& message);

private:
    bool fill();
    std::optional<std::string> takeHeader();
    std::optional<std::string> take(size_t begin, size_t length);
    void send(std::string_view first, std::string_view second = {});

    int input_, output_;
    std::string buffer_, problem_;
    std::mutex writing_;
};

} // namespace cutaway::engine
