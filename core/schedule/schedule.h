// SPDX-License-Identifier: Apache-2.0
/// \file
/// How a kernel is to run on a device: the ways that were considered, each with its decisions, a
/// predicted time and reasons, and the one that is taken. Emitters print what a candidate says and
/// choose nothing.
#pragma once

#include "core/base/result.h"
#include "core/kernel/kernel_program.h"
#include "core/schedule/device_model.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::schedule {

/// One choice: "vector 8". Flags are 0 and 1.
struct Decision {
    std::string what;
    int64_t value = 0;
    bool operator==(const Decision&) const = default;
};

/// The choices of one candidate, in the order of its template: "vector 8, threads 2". The text is
/// all that is needed to make the same kernel again.
class Decisions {
public:
    Decisions() = default;
    Decisions(std::initializer_list<Decision> all) : all_(all) {}

    const std::vector<Decision>& all() const { return all_; }
    bool has(std::string_view what) const;
    /// The value, or \p otherwise when nothing was decided.
    int64_t get(std::string_view what, int64_t otherwise = 0) const;
    /// Changes a decision, or adds it.
    void set(std::string_view what, int64_t value);
    std::string str() const;
    bool operator==(const Decisions&) const = default;

private:
    std::vector<Decision> all_;
};

/// One way to run a kernel.
struct Candidate {
    std::string by; ///< the template, "rows"; of a library call the provider, "oneDNN"
    Decisions decisions;
    double predictedUs = 0;
    std::vector<std::string> reasons; ///< in words, with numbers
    std::string refused;              ///< why it cannot run this kernel; empty: it can
    /// Bytes that a library's call has for itself while it runs, where the provider was asked.
    int64_t workspace = 0;
    double measuredUs = 0; ///< by autotuning; 0: it was not timed

    /// "rows: vector 8, threads 2"
    std::string str() const;
};

/// Template and decisions of a candidate's text, the reverse of Candidate::str.
/// Errors: usage error that says what is wrong with the text.
base::Result<Candidate> parseCandidate(std::string_view text);

struct Schedule {
    std::vector<Candidate> considered; ///< in the order of the table; refused ones too
    int taken = -1;      ///< smallest prediction, fastest measured, or the one asked for; -1: none
    bool forced = false; ///< somebody asked for the one taken

    const Candidate& chosen() const { return considered[static_cast<size_t>(taken)]; }
};

/// Every way that the templates of the model's kind of device know to run \p kernel's loops.
Schedule makeSchedule(const kernel::KernelProgram& program, const kernel::Kernel& kernel,
                      const DeviceModel& model);
/// makeSchedule for every kernel; library calls get an empty one.
std::vector<Schedule> makeSchedules(const kernel::KernelProgram& program, const DeviceModel& model);

/// Takes the candidate that \p wanted names: its number in `considered`, from 1, or its text, whose
/// template and decisions are then checked and added where they are not considered yet.
/// Errors: usage error that tells why it cannot be taken, or what there is to take.
base::Status force(Schedule& schedule, const kernel::KernelProgram& program,
                   const kernel::Kernel& kernel, const DeviceModel& model, std::string_view wanted);

} // namespace cutaway::schedule
