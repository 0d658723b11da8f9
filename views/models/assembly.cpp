// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/assembly.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QSet>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(Assembly)
};

bool isLabel(const QString& line) {
    return line.endsWith(':') && !line.startsWith(' ') && !line.startsWith('\t');
}

/// _Z… names in plain text; what cannot be read stays.
QString withPlainNames(const QString& line) {
    static const QRegularExpression mangled("_Z\\w+");
    QString result;
    qsizetype last = 0;
    for (auto match = mangled.globalMatch(line); match.hasNext();) {
        const auto found = match.next();
        int status = 0;
        const std::unique_ptr<char, decltype(&std::free)> plain(
            abi::__cxa_demangle(found.captured().toUtf8().constData(), nullptr, nullptr, &status),
            &std::free);
        result += line.mid(last, found.capturedStart() - last);
        result += status == 0 ? QString::fromUtf8(plain.get()) : found.captured();
        last = found.capturedEnd();
    }
    return result + line.mid(last);
}

/// An operation and what it does; a leading v (wide registers) and a trailing type are told apart.
struct Instruction {
    const char *name, *help;
};
constexpr Instruction kInstructions[] = {
    {"add", QT_TRANSLATE_NOOP("Assembly", "adds")},
    {"addsub", QT_TRANSLATE_NOOP("Assembly", "subtracts and adds in turn")},
    {"and", QT_TRANSLATE_NOOP("Assembly", "bitwise and")},
    {"andn", QT_TRANSLATE_NOOP("Assembly", "bitwise and with the complement of the first")},
    {"andnot", QT_TRANSLATE_NOOP("Assembly", "bitwise and with the complement of the first")},
    {"blend", QT_TRANSLATE_NOOP("Assembly", "takes each element from one of two, by a mask")},
    {"blendm", QT_TRANSLATE_NOOP("Assembly", "takes each element from one of two, by a mask")},
    {"blendv", QT_TRANSLATE_NOOP("Assembly", "takes each element from one of two, by a mask")},
    {"broadcast", QT_TRANSLATE_NOOP("Assembly", "copies one element to all")},
    {"call", QT_TRANSLATE_NOOP("Assembly", "calls a function")},
    {"cmp", QT_TRANSLATE_NOOP("Assembly", "compares")},
    {"cvt", QT_TRANSLATE_NOOP("Assembly", "converts between types")},
    {"dec", QT_TRANSLATE_NOOP("Assembly", "subtracts one")},
    {"div", QT_TRANSLATE_NOOP("Assembly", "divides")},
    {"extract", QT_TRANSLATE_NOOP("Assembly", "takes out a part of a register")},
    {"fmadd", QT_TRANSLATE_NOOP("Assembly", "multiplies and adds at once, with one rounding")},
    {"fmsub", QT_TRANSLATE_NOOP("Assembly", "multiplies and subtracts at once, with one rounding")},
    {"fnmadd", QT_TRANSLATE_NOOP("Assembly", "subtracts a product at once, with one rounding")},
    {"gather", QT_TRANSLATE_NOOP("Assembly", "loads elements from several addresses")},
    {"hadd", QT_TRANSLATE_NOOP("Assembly", "adds neighbours")},
    {"imul", QT_TRANSLATE_NOOP("Assembly", "multiplies integers")},
    {"inc", QT_TRANSLATE_NOOP("Assembly", "adds one")},
    {"insert", QT_TRANSLATE_NOOP("Assembly", "puts a part into a register")},
    {"jmp", QT_TRANSLATE_NOOP("Assembly", "goes on at the label")},
    {"lea", QT_TRANSLATE_NOOP("Assembly", "computes an address")},
    {"max", QT_TRANSLATE_NOOP("Assembly", "the larger of two")},
    {"min", QT_TRANSLATE_NOOP("Assembly", "the smaller of two")},
    {"mov", QT_TRANSLATE_NOOP("Assembly", "copies: loads, stores, or from register to register")},
    {"mova", QT_TRANSLATE_NOOP("Assembly", "loads or stores at an aligned address")},
    {"movu", QT_TRANSLATE_NOOP("Assembly", "loads or stores at any address")},
    {"movnt", QT_TRANSLATE_NOOP("Assembly", "stores past the caches")},
    {"movsxd", QT_TRANSLATE_NOOP("Assembly", "copies a number into a wider register")},
    {"movzx", QT_TRANSLATE_NOOP("Assembly", "copies a number into a wider register, with zeros")},
    {"mul", QT_TRANSLATE_NOOP("Assembly", "multiplies")},
    {"neg", QT_TRANSLATE_NOOP("Assembly", "changes the sign")},
    {"nop", QT_TRANSLATE_NOOP("Assembly", "does nothing")},
    {"or", QT_TRANSLATE_NOOP("Assembly", "bitwise or")},
    {"perm", QT_TRANSLATE_NOOP("Assembly", "moves elements to other places")},
    {"pop", QT_TRANSLATE_NOOP("Assembly", "takes from the stack")},
    {"prefetch", QT_TRANSLATE_NOOP("Assembly", "fetches into a cache what is needed soon")},
    {"push", QT_TRANSLATE_NOOP("Assembly", "puts on the stack")},
    {"rcp", QT_TRANSLATE_NOOP("Assembly", "about one divided by it")},
    {"ret", QT_TRANSLATE_NOOP("Assembly", "returns")},
    {"rndscale", QT_TRANSLATE_NOOP("Assembly", "rounds to a whole number")},
    {"round", QT_TRANSLATE_NOOP("Assembly", "rounds to a whole number")},
    {"rsqrt", QT_TRANSLATE_NOOP("Assembly", "about one divided by the square root")},
    {"sar", QT_TRANSLATE_NOOP("Assembly", "shifts right, keeping the sign")},
    {"scalef", QT_TRANSLATE_NOOP("Assembly", "multiplies by a power of two")},
    {"shl", QT_TRANSLATE_NOOP("Assembly", "shifts left")},
    {"shr", QT_TRANSLATE_NOOP("Assembly", "shifts right")},
    {"shuf", QT_TRANSLATE_NOOP("Assembly", "moves elements to other places")},
    {"sll", QT_TRANSLATE_NOOP("Assembly", "shifts left")},
    {"sqrt", QT_TRANSLATE_NOOP("Assembly", "square root")},
    {"sra", QT_TRANSLATE_NOOP("Assembly", "shifts right, keeping the sign")},
    {"srl", QT_TRANSLATE_NOOP("Assembly", "shifts right")},
    {"sub", QT_TRANSLATE_NOOP("Assembly", "subtracts")},
    {"ternlog", QT_TRANSLATE_NOOP("Assembly", "any bitwise function of three")},
    {"test", QT_TRANSLATE_NOOP("Assembly", "compares the bits of two")},
    {"unpck", QT_TRANSLATE_NOOP("Assembly", "takes elements of two in turn")},
    {"xor", QT_TRANSLATE_NOOP("Assembly", "bitwise exclusive or; of a register with itself: zero")},
    {"zeroupper", QT_TRANSLATE_NOOP("Assembly", "clears the upper halves of the wide registers")},
};

} // namespace

record::Code readableAssembly(const record::Code& code) {
    static const QRegularExpression reference("[.\\w$]+");
    // A label is worth a line when an instruction that is left names it, or when it is a
    // function's.
    QSet<QString> named;
    for (const record::CodeLine& line : code.lines) {
        const QString text = QString::fromStdString(line.text);
        if (isLabel(text) || text.trimmed().startsWith('.') || text.trimmed().startsWith('#'))
            continue;
        for (auto match = reference.globalMatch(text); match.hasNext();)
            named.insert(match.next().captured());
    }
    record::Code result = code;
    result.lines.clear();
    result.hiddenPrefix = 0;
    for (const record::CodeLine& line : code.lines) {
        const QString text = QString::fromStdString(line.text);
        const QString bare = text.trimmed();
        if (bare.isEmpty() || (bare.startsWith('.') && !isLabel(text))) continue;
        if (isLabel(text)) {
            const QString name = text.chopped(1);
            const bool constant = name.startsWith(".LCPI");
            if (constant || (name.startsWith('.') && !named.contains(name))) continue;
        }
        result.lines.push_back({line.item, withPlainNames(text).toStdString()});
    }
    return result;
}

QString instructionHelp(const QString& line) {
    static const QRegularExpression first("^\\s+(?:lock\\s+|rep\\s+)?([a-z][a-z0-9]*)\\b");
    const auto match = first.match(line);
    if (!match.hasMatch()) return {};
    const QString full = match.captured(1);
    if (full.startsWith('j') && full != "jmp")
        return full + ": " + Words::tr("goes on at the label, if the comparison says so");
    // The longest name that the instruction begins with, with or without its v or p.
    const Instruction* best = nullptr;
    bool wide = false;
    for (const QString& name :
         {full, full.startsWith('v') ? full.mid(1) : QString(),
          full.startsWith("vp") || full.startsWith('p') ? full.mid(full.startsWith('v') ? 2 : 1)
                                                        : QString()}) {
        for (const Instruction& one : kInstructions)
            if (!name.isEmpty() && name.startsWith(QLatin1String(one.name)) &&
                (!best || qstrlen(one.name) > qstrlen(best->name))) {
                best = &one;
                wide = full.startsWith('v');
            }
        if (best) break;
    }
    if (!best) return {};
    QString help = full + ": " + Words::tr(best->help);
    const QString type = full.endsWith("ps")   ? Words::tr("floats")
                         : full.endsWith("pd") ? Words::tr("doubles")
                         : full.endsWith("ss") ? Words::tr("one float")
                         : full.endsWith("sd") ? Words::tr("one double")
                                               : QString();
    QStringList more;
    if (!type.isEmpty()) more << type;
    for (const auto& [name, bits] : {std::pair("zmm", 512), {"ymm", 256}, {"xmm", 128}})
        if (wide && line.contains(QLatin1String(name))) {
            if (!type.startsWith("one")) more << Words::tr("%1 bits at once").arg(bits);
            break;
        }
    return more.isEmpty() ? help : help + " (" + more.join(", ") + ")";
}

} // namespace cutaway::views
