// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What a measurement is of: numbers of one text, size, device and number of threads never stand
/// for those of another.
#pragma once

#include "core/record/record.h"

#include <QStringList>

namespace cutaway::views {

struct Measured {
    QString size, device, textHash;
    QString decisions; ///< made instead of the compiler, as record::Run has them
    int threads = 0;   ///< 0: any

    explicit Measured(const record::Run& run);
    explicit Measured(const record::Check& check);
    /// \param text the script itself
    Measured(QString size, const QString& device, const QString& text, int threads = 0,
             const QStringList& decisions = {});

    bool operator==(const Measured&) const = default;
    /// The same, as the compiler alone would have it: with the inputs that were given.
    Measured undecided() const;
    /// Whether a measurement of this may stand for \p shown.
    bool matches(const Measured& shown) const;
    /// "size tiny, cpu, 2 threads"
    QString text() const;
    /// The same, and what of \p shown that does not tell: its decisions, its text.
    QString textBeside(const Measured& shown) const;
};

} // namespace cutaway::views
