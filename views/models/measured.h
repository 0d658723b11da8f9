// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What a measurement is of: numbers of one text, size, device and number of threads never stand
/// for those of another.
#pragma once

#include "core/record/record.h"

#include <QStringList>

namespace cutaway::views {

struct Measured {
    QString function; ///< whose call it is of, which size then names ("call 3"); empty: the script
    QString size, device, textHash;
    QString decisions; ///< made instead of the compiler, as record::Run has them
    int threads = 0;   ///< 0: any

    explicit Measured(const record::Run& run);
    explicit Measured(const record::Check& check);
    /// \param text the script itself
    Measured(QString size, const QString& device, const QString& text, int threads = 0,
             const QStringList& decisions = {});

    /// It is of a call that the script makes of its \p name: what bench calls "call 3".
    void setCall(const std::string& name, int number);
    bool operator==(const Measured&) const = default;
    /// What stands for a script's numbers as a whole, where those of a call are shown.
    Measured ofScript() const;
    /// The same, as the compiler alone would have it: with the inputs that were given.
    Measured undecided() const;
    /// Whether a measurement of this may stand for \p shown.
    bool matches(const Measured& shown) const;
    /// "size tiny, cpu, 2 threads"; "Net, call 3, cpu, 2 threads"
    QString text() const;
    /// The same, and what of \p shown that does not tell: its decisions, its text.
    QString textBeside(const Measured& shown) const;
};

/// Of a kernel, run by one of its schedules.
struct ScheduleTime {
    double us = 0;          ///< 0: not timed
    bool disturbed = false; ///< other programs had the processors: the time is not its own
};

} // namespace cutaway::views
