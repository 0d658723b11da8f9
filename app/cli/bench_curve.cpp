// SPDX-License-Identifier: Apache-2.0
// The curve of memory against time of a case file, measured: a compilation for each of its points.
#include "app/cli/commands.h"
#include "core/driver/report.h"
#include "core/record/json.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace cutaway::cli {

/// The partition with most to save; null: nothing was parted.
static const record::Partition* largestPartition(const record::Record& record) {
    const record::Partition* largest = nullptr;
    for (const record::Function& function : record.functions)
        for (const record::Entry& entry : function.entries) {
            if (!entry.hasPartition || entry.partition.curve.empty()) continue;
            auto most = [](const record::Partition& cut) { return cut.curve.front().savedBytes; };
            if (!largest || most(entry.partition) > most(*largest)) largest = &entry.partition;
        }
    return largest;
}

static void printPoint(const CommandOptions& options, const record::MemoryPoint& point,
                       const record::Run& row) {
    constexpr double kMiB = 1 << 20;
    if (options.json) {
        nlohmann::json line = record::toJson(row);
        line.erase("kernels"), line.erase("max_error");
        line["predicted_us"] = point.us;
        line["predicted_peak_bytes"] = point.peakBytes;
        std::fputs((line.dump() + "\n").c_str(), stdout);
    } else {
        std::fputs(
            fmt::format("{:<26} {:>11.3f} {:>15.3f} {:>13.1f} {:>12.1f} {:>12.1f} {:>9.1f}\n",
                        row.caseName, static_cast<double>(point.savedBytes) / kMiB,
                        static_cast<double>(point.peakBytes) / kMiB, point.us, row.us, row.usMin,
                        row.peakMiB)
                .c_str(),
            stdout);
    }
    std::fflush(stdout);
}

int benchCurve(const CommandOptions& options, const std::string& file) {
    driver::SessionOptions request = options.session;
    request.path = file;
    driver::Tools tools(std::string{});
    const driver::Compiled compiled = driver::compile(tools, request);
    if (compiled.error) return fail(*compiled.error);
    const record::Partition* cut = largestPartition(compiled.record);
    if (!cut)
        return fail(base::usageError("nothing of " + file + " is parted into forward and backward",
                                     "--curve is for cases that train"));
    if (!options.json)
        std::fputs(fmt::format("{:<26} {:>11} {:>15} {:>13} {:>12} {:>12} {:>9}\n", "case",
                               "saved MiB", "predicted peak", "predicted us", "us", "us_min",
                               "peak_mib")
                       .c_str(),
                   stdout);
    driver::BenchOptions how;
    how.backends = {options.session.backend};
    how.minSeconds = options.minSeconds;
    int worst = kSuccess;
    for (const record::MemoryPoint& point : cut->curve) {
        driver::SessionOptions asked = request;
        std::erase_if(asked.decisions,
                      [](const std::string& one) { return one.starts_with("budget "); });
        asked.decisions.push_back(fmt::format("budget {}B", point.peakBytes));
        auto report = [&](const record::Run& row, const std::optional<base::Diagnostic>& problem) {
            if (problem)
                worst = std::max(worst, fail(*problem));
            else
                printPoint(options, point, row);
        };
        if (base::Status status = driver::bench(tools, asked, how, report); !status)
            return std::max(worst, fail(status.error()));
    }
    return worst;
}

} // namespace cutaway::cli
