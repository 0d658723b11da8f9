// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Numbers for people: every one with its unit. The only place that formats quantities.
#pragma once

#include <QString>
#include <cstdint>

namespace cutaway::views::format {

QString bytes(int64_t value);             ///< "0 B", "1.5 KiB", "64 MiB"
QString microseconds(double value);       ///< "850 ns", "12.3 µs", "4.56 ms", "1.20 s"
QString milliseconds(double value);       ///< the same, from milliseconds
QString count(int64_t value);             ///< "12 345"
QString flops(double value);              ///< "1.2 MFLOP"; empty for 0
QString bandwidth(double bytesPerSecond); ///< "12.3 GB/s"
QString ratio(double value);              ///< "2.31×"
QString percent(double share);            ///< "37.5 %" of 0.375
QString error(double value);              ///< "3.1e-07", "0", "not measured"
QString age(int64_t seconds);             ///< "12 s", "3 min", "2 h 5 min"
/// "aten.cos.default" -> "cos"; "aten.mul.Tensor" -> "mul".
QString shortOp(const QString& op);
/// A command's or menu's title without the letter that chooses it: "Open" of "&Open" and of "Open(&O)",
/// as languages without letters write it.
QString withoutMnemonic(QString title);
/// A path with the home folder as ~.
QString shortPath(const QString& path);

} // namespace cutaway::views::format
