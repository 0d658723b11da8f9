// SPDX-License-Identifier: Apache-2.0
/// \file
/// JSON-RPC 2.0 messages over a pair of file descriptors, framed by Content-Length as in the
/// Language Server Protocol.
#pragma once

#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace cutaway::engine {

class Transport {
public:
    Transport(int input, int output) : input_(input), output_(output) {}

    /// The next message's body; nothing at the end of the stream or when its framing is damaged.
    std::optional<std::string> read();
    /// Thread-safe. Errors (a closed pipe) are ignored: the reader will see the end of the stream.
    void write(const nlohmann::json& message);

private:
    bool fill();

    int input_, output_;
    std::string buffer_;
    std::mutex writing_;
};

} // namespace cutaway::engine
