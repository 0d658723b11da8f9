// SPDX-License-Identifier: Apache-2.0
#include "app/engine/transport.h"

#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace cutaway::engine {

namespace {
constexpr size_t kLargestMessage = size_t{1} << 30;
constexpr std::string_view kHeader = "Content-Length:";
} // namespace

bool Transport::fill() {
    char block[1 << 16];
    for (;;) {
        ssize_t n = ::read(input_, block, sizeof block);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        buffer_.append(block, static_cast<size_t>(n));
        return true;
    }
}

std::optional<std::string> Transport::read() {
    size_t headerEnd;
    while ((headerEnd = buffer_.find("\r\n\r\n")) == std::string::npos)
        if (buffer_.size() > 4096 || !fill()) return std::nullopt;
    size_t at = buffer_.find(kHeader);
    if (at == std::string::npos || at > headerEnd) return std::nullopt;
    size_t length = std::strtoull(buffer_.c_str() + at + kHeader.size(), nullptr, 10);
    if (length > kLargestMessage) return std::nullopt;
    size_t begin = headerEnd + 4;
    while (buffer_.size() < begin + length)
        if (!fill()) return std::nullopt;
    std::string body = buffer_.substr(begin, length);
    buffer_.erase(0, begin + length);
    return body;
}

void Transport::write(const nlohmann::json& message) {
    // Text that is no UTF-8 (a script's string) is replaced rather than refused.
    std::string body = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    std::string bytes = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    std::lock_guard lock(writing_);
    for (size_t sent = 0; sent < bytes.size();) {
        ssize_t n = ::write(output_, bytes.data() + sent, bytes.size() - sent);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        sent += static_cast<size_t>(n);
    }
}

} // namespace cutaway::engine
