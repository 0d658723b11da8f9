// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/measured.h"

#include "views/models/decisions.h"

#include <QCoreApplication>
#include <QObject>
#include <utility>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Measured)
};
} // namespace

/// Records say "cuda:0", requests "cuda".
static QString deviceName(const QString& device) {
    return device == "cuda:0" ? QStringLiteral("cuda") : device;
}

/// bench's rows of a script's calls are named "file:function".
static QString functionOf(const record::Run& run) {
    const size_t colon = run.caseName.rfind(':');
    return colon == std::string::npos ? QString()
                                      : QString::fromStdString(run.caseName.substr(colon + 1));
}

Measured::Measured(const record::Run& run)
    : function(functionOf(run)), size(QString::fromStdString(run.size)),
      device(deviceName(QString::fromStdString(run.device))),
      textHash(QString::fromStdString(run.textHash)),
      decisions(QString::fromStdString(run.decisions)), threads(run.threads) {}

Measured::Measured(const record::Check& check)
    : size(QString::fromStdString(check.size)),
      device(deviceName(QString::fromStdString(check.device))),
      textHash(QString::fromStdString(check.textHash)),
      decisions(QString::fromStdString(check.decisions)), threads(check.threads) {}

Measured::Measured(QString size, const QString& device, const QString& text, int threads,
                   const QStringList& decisions)
    : size(std::move(size)), device(deviceName(device)),
      textHash(QString::fromStdString(record::textHash(text.toStdString()))),
      decisions(decisions.join("; ")), threads(threads) {}

void Measured::setCall(const std::string& name, int number) {
    function = QString::fromStdString(name);
    size = QStringLiteral("call %1").arg(number);
}

Measured Measured::ofScript() const {
    Measured whole = *this;
    if (!function.isEmpty()) whole.function.clear(), whole.size.clear();
    return whole;
}

Measured Measured::undecided() const {
    Measured plain = *this;
    QStringList inputs; // these are no matter of the compiler
    for (const QString& decision : decisions.split("; "))
        if (decision.startsWith("input ")) inputs << decision;
    plain.decisions = inputs.join("; ");
    return plain;
}

bool Measured::matches(const Measured& shown) const {
    return function == shown.function && size == shown.size && device == shown.device &&
           textHash == shown.textHash && decisions == shown.decisions &&
           (shown.threads == 0 || threads == shown.threads);
}

QString Measured::text() const {
    QStringList parts;
    if (!function.isEmpty())
        parts << function << size;
    else if (!size.isEmpty())
        parts << Words::tr("size %1").arg(size);
    parts << device;
    if (threads > 0) parts << Words::tr("threads: %1").arg(threads);
    if (!decisions.isEmpty()) parts << Words::tr("decided: %1").arg(decisionsText(decisions));
    return parts.join(", ");
}

QString Measured::textBeside(const Measured& shown) const {
    QString all = text();
    if (textHash != shown.textHash) all += Words::tr(", before the text changed");
    if (decisions == shown.decisions) return all;
    if (shown.decisions.isEmpty()) return all + Words::tr(", before that was taken back");
    return all + Words::tr(", before it was decided: %1").arg(decisionsText(shown.decisions));
}

} // namespace cutaway::views
