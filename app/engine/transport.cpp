// SPDX-License-Identifier: Apache-2.0
#include "app/engine/transport.h"

#include "core/base/file_system.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace cutaway::engine {

namespace {

constexpr size_t kLargestMessage = size_t{256} << 20;
constexpr size_t kLongestHeader = 4096;
constexpr std::string_view kLength = "Content-Length:", kAttachment = "Attachment-Length:";
// Between broker and engine only.
constexpr std::string_view kFile = "File-Length:", kFileError = "File-Error-Length:",
                           kBeside = "Beside-Length:", kStreamError = "Stream-Error-Length:";

/// In ASCII and on one line, whatever it holds.
std::string quoted(std::string_view text) {
    constexpr size_t kShown = 40;
    return nlohmann::json(text.substr(0, kShown))
        .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

/// Names of header fields are the same in capitals and small letters.
bool startsWithName(std::string_view line, std::string_view name) {
    auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return line.size() >= name.size() &&
           std::equal(name.begin(), name.end(), line.begin(),
                      [&](char a, char b) { return small(a) == small(b); });
}

/// The number of bytes that the line of \p name tells; nothing when there is no such line or
/// \p problem was set: two such lines, no decimal number, more than \p most.
std::optional<size_t> field(std::string_view header, std::string_view name, size_t most,
                            std::string& problem) {
    std::optional<size_t> found;
    for (size_t begin = 0; begin < header.size();) {
        const size_t end = std::min(header.find("\r\n", begin), header.size());
        std::string_view line = header.substr(begin, end - begin);
        begin = end + 2;
        if (!startsWithName(line, name)) continue;
        line.remove_prefix(name.size());
        while (line.starts_with(' '))
            line.remove_prefix(1);
        size_t value = 0;
        auto [stop, code] = std::from_chars(line.data(), line.data() + line.size(), value);
        const bool decimal = code == std::errc() && stop == line.data() + line.size();
        if (found)
            problem = fmt::format("{} expected once in a header, found twice", name);
        else if (!decimal || value > most)
            problem = fmt::format("{} expected a number of bytes up to {}, found {}", name, most,
                                  quoted(line));
        if (!problem.empty()) return std::nullopt;
        found = value;
    }
    return found;
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
        if (!fill()) {
            problem_ = fmt::format("the input ended after {} of {} bytes of a message",
                                   buffer_.size() - begin, length);
            return std::nullopt;
        }
    return buffer_.substr(begin, length);
}

std::optional<std::string> Transport::takeHeader() {
    size_t end;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos &&
           buffer_.size() <= kLongestHeader)
        if (!fill()) {
            if (!buffer_.empty()) problem_ = "the input ended in the header of a message";
            return std::nullopt;
        }
    if (end <= kLongestHeader) return buffer_.substr(0, end);
    problem_ =
        fmt::format("expected a header of at most {} bytes, found a longer one", kLongestHeader);
    return std::nullopt;
}

std::optional<Message> Transport::read() {
    if (!problem_.empty()) return std::nullopt;
    const auto header = takeHeader();
    if (!header) return std::nullopt;
    const auto length = field(*header, kLength, kLargestMessage, problem_);
    const auto file = field(*header, kFile, base::kLargestFile, problem_);
    const auto fileError = field(*header, kFileError, kLargestMessage, problem_);
    const auto beside = field(*header, kBeside, base::kLargestFile, problem_);
    const auto streamError = field(*header, kStreamError, kLargestMessage, problem_);
    if (!length && problem_.empty())
        problem_ = fmt::format("expected a header with {} N before a message, found none", kLength);
    if (!problem_.empty()) return std::nullopt;
    size_t at = header->size() + 4;
    auto part = [&](size_t bytes) {
        auto taken = take(at, bytes);
        at += bytes;
        return taken;
    };
    Message message;
    auto body = part(*length);
    if (!body) return std::nullopt;
    message.body = std::move(*body);
    if (file && !(message.file = part(*file))) return std::nullopt;
    if (fileError && !(message.fileError = part(*fileError))) return std::nullopt;
    if (beside && !(message.beside = part(*beside))) return std::nullopt;
    if (streamError && !(message.streamError = part(*streamError))) return std::nullopt;
    buffer_.erase(0, at);
    return message;
}

void Transport::send(std::string_view first, std::string_view second) {
    std::lock_guard lock(writing_);
    base::writeAll(output_, first);
    if (!second.empty()) base::writeAll(output_, second);
}

void Transport::write(const nlohmann::json& message, std::string_view attachment) {
    // Text that is no UTF-8 (a script's string) is replaced rather than refused.
    std::string body = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    std::string header = fmt::format("{} {}\r\n", kLength, body.size());
    if (!attachment.empty()) header += fmt::format("{} {}\r\n", kAttachment, attachment.size());
    send(header + "\r\n" + body, attachment);
}

void Transport::write(const Message& message) {
    std::string bytes = fmt::format("{} {}\r\n", kLength, message.body.size());
    if (message.file) bytes += fmt::format("{} {}\r\n", kFile, message.file->size());
    if (message.fileError) bytes += fmt::format("{} {}\r\n", kFileError, message.fileError->size());
    if (message.beside) bytes += fmt::format("{} {}\r\n", kBeside, message.beside->size());
    if (message.streamError)
        bytes += fmt::format("{} {}\r\n", kStreamError, message.streamError->size());
    send(bytes + "\r\n" + message.body + message.file.value_or("") +
         message.fileError.value_or("") + message.beside.value_or("") +
         message.streamError.value_or(""));
}

} // namespace cutaway::engine
