// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/format.h"

#include <QCoreApplication>
#include <QDir>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace cutaway::views::format {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Format)
};

/// Three significant digits, without an exponent and without useless zeros behind whole numbers.
QString digits(double value) {
    double size = std::fabs(value);
    int decimals = size >= 100 || size == std::floor(size) ? 0 : size >= 10 ? 1 : 2;
    return QString::number(value, 'f', decimals);
}

QString scaled(double value, double base, const char* const* units, int count) {
    int unit = 0;
    while (std::fabs(value) >= base && unit + 1 < count) {
        value /= base;
        ++unit;
    }
    return digits(value) + QChar(0x00a0) + QString::fromUtf8(units[unit]);
}

} // namespace

QString bytes(int64_t value) {
    static const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    static const QRegularExpression zeros(QStringLiteral("\\.0+(?!\\d)"));
    // 24 KiB and a few bytes: beside "24 KiB" stands no "24.0 KiB".
    return scaled(static_cast<double>(value), 1024, units, 5).remove(zeros);
}

QString microseconds(double value) {
    static const char* const units[] = {"ns", "µs", "ms", "s"};
    return scaled(value * 1000, 1000, units, 4);
}

QString milliseconds(double value) {
    return microseconds(value * 1000);
}

QString count(int64_t value) {
    QString text = QString::number(value);
    for (qsizetype at = text.size() - 3; at > (value < 0 ? 1 : 0); at -= 3)
        text.insert(at, QChar(0x00a0));
    return text;
}

QString flops(double value) {
    static const char* const units[] = {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP"};
    return value <= 0 ? QString() : scaled(value, 1000, units, 5);
}

QString bandwidth(double bytesPerSecond) {
    static const char* const units[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
    return bytesPerSecond <= 0 ? QString() : scaled(bytesPerSecond, 1000, units, 5);
}

QString ratio(double value) {
    return std::isfinite(value) && value > 0 ? digits(value) + QChar(0x00d7) : QString();
}

QString percent(double share) {
    return digits(std::round(share * 1000) / 10) + QChar(0x00a0) + "%";
}

QString age(int64_t seconds) {
    const QString space(QChar(0x00a0));
    const int64_t whole = std::max<int64_t>(0, seconds);
    if (whole < 60) return QString::number(whole) + space + "s";
    const int64_t minutes = whole / 60;
    if (minutes < 60) return QString::number(minutes) + space + "min";
    return QString::number(minutes / 60) + space + "h" + space + QString::number(minutes % 60) +
           space + "min";
}

QString error(double value) {
    if (value < 0 || std::isnan(value)) return Words::tr("not measured");
    if (value == 0) return QStringLiteral("0");
    return QString::number(value, 'e', 1);
}

QString shortOp(const QString& op) {
    QStringList parts = op.split('.');
    if (parts.size() >= 2 && (parts[0] == "aten" || parts[0] == "prims")) return parts[1];
    return op.startsWith("torch.") ? parts.last() : op;
}

QString withoutMnemonic(QString title) {
    static const QRegularExpression apart(R"(\s?\(&.\))");
    return title.remove(apart).remove('&');
}

QString shortPath(const QString& path) {
    QString home = QDir::homePath();
    if (path.startsWith(home + "/")) return "~" + path.mid(home.size());
    return path;
}

} // namespace cutaway::views::format
