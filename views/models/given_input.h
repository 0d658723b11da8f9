// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A value in place of one of a case file's example inputs, as the decision that says so:
/// "input 0=normal(0, 1, 7)", "input 1=file(x.npy, HASH)".
#pragma once

#include <QString>
#include <QStringList>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

namespace cutaway::views {

struct GivenInput {
    enum class Kind : uint8_t { Own, Normal, Uniform, Integers, Zeros, Ones, File };
    int number = 0; ///< of the case's tensors
    Kind kind = Kind::Own;
    double a = 0, b = 1; ///< mean and deviation, or from a to below b
    quint64 seed = 1;
    QString path, hash; ///< of a file's bytes: numbers of another file are not taken for these

    bool hasRange() const {
        return kind == Kind::Normal || kind == Kind::Uniform || kind == Kind::Integers;
    }
    /// Empty when it is the script's own.
    QString decision() const;
    /// What is wrong with it, for people; empty: nothing.
    QString problem() const;
};

/// Nothing when it is no such decision.
std::optional<GivenInput> givenInput(const QString& decision);
/// What each of the first \p count tensors is by these decisions.
std::vector<GivenInput> givenInputs(const QStringList& decisions, int count);
/// The decisions with these in place of all that were about inputs.
QStringList withInputs(QStringList decisions, const std::vector<GivenInput>& inputs);
/// What the file is known by; empty when it cannot be read.
QString inputHash(const QString& path);

/// A tensor of the case.
struct CaseInput {
    QString argument, type;
    bool integral = false;
};
/// What the engine's "inputs" answers.
std::vector<CaseInput> caseInputsFromJson(const nlohmann::json& json);

} // namespace cutaway::views
