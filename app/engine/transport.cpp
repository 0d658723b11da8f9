// SPDX-License-Identifier: Apache-2.0
#include "app/engine/transport.h"

#include "core/base/file_system.h"

#include <cerrno>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace cutaway::engine {

namespace {

constexpr size_t kLargestMessage = size_t{256} << 20;
constexpr size_t kLongestHeader = 4096;
constexpr std::string_view kLength = "Content-Length:";
// Between broker and engine only.
constexpr std::string_view kFile = "File-Length:", kFileError = "File-Error-Length:";

/// The number after \p name at the start of one of the lines; nothing when it is absent or none.
std::optional<size_t> field(std::string_view header, std::string_view name) {
    for (size_t begin = 0; begin < header.size();) {
        const size_t end = std::min(header.find("\r\n", begin), header.size());
        std::string_view line = header.substr(begin, end - begin);
        begin = end + 2;
        if (!line.starts_with(name)) continue;
        line.remove_prefix(name.size());
        while (line.starts_with(' '))
            line.remove_prefix(1);
        size_t value = 0;
        auto [stop, code] = std::from_chars(line.data(), line.data() + line.size(), value);
        if (code != std::errc() || stop != line.data() + line.size()) return std::nullopt;
        return value;
    }
    return std::nullopt;
}

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

std::optional<std::string> Transport::take(size_t begin, size_t length) {
    while (buffer_.size() < begin + length)
        if (!fill()) return std::nullopt;
    return buffer_.substr(begin, length);
}

std::optional<Message> Transport::read() {
    size_t headerEnd;
    while ((headerEnd = buffer_.find("\r\n\r\n")) == std::string::npos)
        if (buffer_.size() > kLongestHeader || !fill()) return std::nullopt;
    const std::string header = buffer_.substr(0, headerEnd);
    const auto length = field(header, kLength);
    const auto file = field(header, kFile), fileError = field(header, kFileError);
    if (!length || *length > kLargestMessage || file.value_or(0) > base::kLargestFile ||
        fileError.value_or(0) > kLargestMessage)
        return std::nullopt;
    size_t at = headerEnd + 4;
    Message message;
    auto part = [&](size_t bytes) {
        auto taken = take(at, bytes);
        at += bytes;
        return taken;
    };
    auto body = part(*length);
    if (!body) return std::nullopt;
    message.body = std::move(*body);
    if (file && !(message.file = part(*file))) return std::nullopt;
    if (fileError && !(message.fileError = part(*fileError))) return std::nullopt;
    buffer_.erase(0, at);
    return message;
}

void Transport::send(const std::string& bytes) {
    std::lock_guard lock(writing_);
    base::writeAll(output_, bytes);
}

void Transport::write(const nlohmann::json& message) {
    // Text that is no UTF-8 (a script's string) is replaced rather than refused.
    std::string body = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    send(fmt::format("{} {}\r\n\r\n", kLength, body.size()) + body);
}

void Transport::write(const Message& message) {
    std::string bytes = fmt::format("{} {}\r\n", kLength, message.body.size());
    if (message.file) bytes += fmt::format("{} {}\r\n", kFile, message.file->size());
    if (message.fileError) bytes += fmt::format("{} {}\r\n", kFileError, message.fileError->size());
    send(bytes + "\r\n" + message.body + message.file.value_or("") +
         message.fileError.value_or(""));
}

} // namespace cutaway::engine
