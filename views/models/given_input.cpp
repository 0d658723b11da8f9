// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/given_input.h"

#include "core/record/record.h"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>
#include <cmath>
#include <nlohmann/json.hpp>

namespace cutaway::views {

using Kind = GivenInput::Kind;

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(GivenInput)
};

constexpr const char* kNames[] = {"", "normal", "uniform", "ints", "zeros", "ones", "file"};
constexpr int kHashLetters = 12;

QString number(double value) {
    return QString::number(value, 'g', 12);
}

} // namespace

QString GivenInput::decision() const {
    if (kind == Kind::Own) return {};
    const QString head = QString("input %1=%2")
                             .arg(QString::number(this->number), kNames[static_cast<size_t>(kind)]);
    if (kind == Kind::Zeros || kind == Kind::Ones) return head;
    if (kind == Kind::File) return head + "(" + path + (hash.isEmpty() ? "" : ", " + hash) + ")";
    return head + QString("(%1, %2, %3)").arg(views::number(a), views::number(b)).arg(seed);
}

QString GivenInput::problem() const {
    if (kind == Kind::File && path.isEmpty()) return Words::tr("no file is chosen");
    if (kind == Kind::File && path.contains("; ")) return Words::tr("the file's name holds “; ”");
    if (kind == Kind::File && hash.isEmpty()) return Words::tr("the file cannot be read");
    if (kind == Kind::Normal && b < 0) return Words::tr("the deviation is negative");
    if ((kind == Kind::Uniform || kind == Kind::Integers) && a >= b)
        return Words::tr("the range is empty");
    if (kind == Kind::Integers && (a != std::floor(a) || b != std::floor(b)))
        return Words::tr("the range is not of whole numbers");
    return {};
}

std::optional<GivenInput> givenInput(const QString& decision) {
    static const QRegularExpression form("^input (\\d+)=(\\w+)(?:\\((.*)\\))?$");
    const auto match = form.match(decision);
    if (!match.hasMatch()) return std::nullopt;
    GivenInput input;
    input.number = match.captured(1).toInt();
    for (size_t k = 1; k < std::size(kNames); ++k)
        if (match.captured(2) == QLatin1String(kNames[k])) input.kind = static_cast<Kind>(k);
    if (input.kind == Kind::Own) return std::nullopt;
    const QString inside = match.captured(3);
    if (input.hasRange()) {
        const QStringList parts = inside.split(',');
        if (parts.size() != 3) return std::nullopt;
        input.a = parts[0].toDouble();
        input.b = parts[1].toDouble();
        input.seed = parts[2].trimmed().toULongLong();
    }
    if (input.kind == Kind::File) {
        static const QRegularExpression hashed("^(.*), ([0-9a-f]{8,})$");
        const auto parts = hashed.match(inside);
        input.path = parts.hasMatch() ? parts.captured(1) : inside;
        input.hash = parts.captured(2);
    }
    return input;
}

std::vector<GivenInput> givenInputs(const QStringList& decisions, int count) {
    std::vector<GivenInput> inputs(static_cast<size_t>(std::max(0, count)));
    for (int i = 0; i < count; ++i)
        inputs[static_cast<size_t>(i)].number = i;
    for (const QString& decision : decisions)
        if (const auto input = givenInput(decision); input && input->number < count)
            inputs[static_cast<size_t>(input->number)] = *input;
    return inputs;
}

QStringList withInputs(QStringList decisions, const std::vector<GivenInput>& inputs) {
    decisions.removeIf([](const QString& one) { return one.startsWith("input "); });
    for (const GivenInput& input : inputs)
        if (const QString decision = input.decision(); !decision.isEmpty()) decisions << decision;
    decisions.sort();
    return decisions;
}

QString inputHash(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QByteArray bytes = file.readAll();
    return QString::fromStdString(record::textHash(bytes.toStdString())).left(kHashLetters);
}

std::vector<CaseInput> caseInputsFromJson(const nlohmann::json& json) {
    std::vector<CaseInput> inputs;
    const auto rows = json.is_object() ? json.find("inputs") : json.end();
    if (rows == json.end() || !rows->is_array()) return inputs;
    for (const nlohmann::json& row : *rows) {
        if (!row.is_object()) continue;
        auto text = [&](const char* field) {
            const auto at = row.find(field);
            return at != row.end() && at->is_string() ? QString::fromStdString(*at) : QString();
        };
        inputs.push_back(
            {text("argument"), text("type"), row.value("integral", nlohmann::json()) == true});
    }
    return inputs;
}

} // namespace cutaway::views
