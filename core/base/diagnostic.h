// SPDX-License-Identifier: Apache-2.0
/// \file
/// Messages for people: where, what was found, what was expected, what to do next.
#pragma once

#include <string>
#include <vector>

namespace cutaway::base {

/// A place in a text file. Lines and columns count from 1; 0 means "not known".
struct Location {
    std::string file;
    int line = 0;
    int column = 0;
    int endLine = 0;
    int endColumn = 0;

    bool known() const { return line > 0; }
    /// "file:line:column", or the shorter form of what is known.
    std::string str() const;
    bool operator==(const Location&) const = default;
};

enum class Severity { Error, Warning, Note };

/// Whose fault it is: the input's (exit 1), the usage's (2), the machine's (3), or ours (a bug).
/// Cancelled is nobody's: whoever waits for the result has said that it is not wanted any more.
enum class Fault { User, Usage, Environment, Bug, Cancelled };

/// The class of the exception that a script sees of a user's or the machine's fault, as PyTorch's.
enum class ErrorClass : unsigned char { Runtime, Type, Value, Index, NotImplemented, OutOfMemory };

struct DiagnosticNote {
    Location where;
    std::string message;
};

/// One message. Wording: lower-case start, no final period, found and expected values, user's
/// names.
struct Diagnostic {
    Severity severity = Severity::Error;
    Fault fault = Fault::User;
    Location where;
    std::string message;
    std::vector<DiagnosticNote> notes;
    std::string hint; ///< what to do next; may be empty
    ErrorClass errorClass = ErrorClass::Runtime;

    /// This diagnostic as another class of exception.
    Diagnostic as(ErrorClass which) &&;

    /// "file:line:col: error: message", then a line for every note and for the hint.
    std::string str() const;
};

Diagnostic userError(Location where, std::string message, std::string hint = {});
Diagnostic environmentError(std::string message, std::string hint = {});
Diagnostic usageError(std::string message, std::string hint = {});
Diagnostic bugError(std::string message, Location where = {});
/// What work gives that stopped because its CancelToken says so.
Diagnostic cancelledError();

} // namespace cutaway::base
