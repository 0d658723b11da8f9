// SPDX-License-Identifier: Apache-2.0
#include "core/base/diagnostic.h"

#include <fmt/format.h>

namespace cutaway::base {

std::string Location::str() const {
    if (line <= 0) return file;
    if (column <= 0) return fmt::format("{}:{}", file, line);
    return fmt::format("{}:{}:{}", file, line, column);
}

static std::string prefixed(const Location& where, std::string_view label, std::string_view text) {
    std::string place = where.str();
    if (!place.empty()) place += ": ";
    return fmt::format("{}{}: {}", place, label, text);
}

std::string Diagnostic::str() const {
    std::string_view label = severity == Severity::Error     ? "error"
                             : severity == Severity::Warning ? "warning"
                                                             : "note";
    std::string text = prefixed(where, label, message);
    for (const DiagnosticNote& note : notes)
        text += "\n" + prefixed(note.where, "note", note.message);
    if (!hint.empty()) text += "\nhint: " + hint;
    return text;
}

Diagnostic Diagnostic::as(ErrorClass which) && {
    errorClass = which;
    return std::move(*this);
}

Diagnostic userError(Location where, std::string message, std::string hint) {
    return {Severity::Error,    Fault::User, std::move(where),
            std::move(message), {},          std::move(hint)};
}
Diagnostic environmentError(std::string message, std::string hint) {
    return {Severity::Error, Fault::Environment, {}, std::move(message), {}, std::move(hint)};
}
Diagnostic usageError(std::string message, std::string hint) {
    return {Severity::Error, Fault::Usage, {}, std::move(message), {}, std::move(hint)};
}
Diagnostic cancelledError() {
    return {Severity::Error, Fault::Cancelled, {}, "cancelled", {}, {}};
}
Diagnostic bugError(std::string message, Location where) {
    return {Severity::Error,
            Fault::Bug,
            std::move(where),
            std::move(message),
            {},
            "this is a defect of Cutaway; please report it with the input that caused it"};
}

} // namespace cutaway::base
