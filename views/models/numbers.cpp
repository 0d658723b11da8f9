// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/numbers.h"

#include "views/models/format.h"
#include "views/models/node_query.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace cutaway::views {

using nlohmann::json;

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Numbers)
};

QString text(const json& object, const char* field) {
    const auto at = object.find(field);
    return at != object.end() && at->is_string() ? QString::fromStdString(*at) : QString();
}

/// NaN where there is none.
double number(const json& object, const char* field) {
    const auto at = object.find(field);
    if (at == object.end()) return NAN;
    if (at->is_number()) return *at;
    if (*at == "inf") return INFINITY;
    return *at == "-inf" ? -INFINITY : NAN;
}

std::optional<NumberError> error(const json& object, const char* field) {
    const auto at = object.find(field);
    if (at == object.end() || !at->is_object()) return std::nullopt;
    return NumberError{number(*at, "absolute"), number(*at, "relative"),
                       at->value("beyond", json()) == true};
}

NumberRow rowOf(const json& object) {
    NumberRow row;
    row.key = text(object, "key");
    row.function = text(object, "function");
    row.graph = text(object, "graph");
    row.name = text(object, "name");
    row.op = text(object, "op");
    row.type = text(object, "type");
    row.counterpart = text(object, "counterpart");
    row.firstNotFinite = text(object, "firstNotFinite");
    const QString origin = text(object, "origin");
    using Origin = NumberRow::Origin;
    row.origin = origin == "input"      ? Origin::Input
                 : origin == "stored"   ? Origin::Stored
                 : origin == "computed" ? Origin::Computed
                                        : Origin::Unknown;
    row.compiled = error(object, "compiled");
    row.eager = error(object, "eager");
    row.limit = number(object, "limit");
    row.least = number(object, "min");
    row.most = number(object, "max");
    row.mean = number(object, "mean");
    auto count = [&](const char* field) {
        const double value = number(object, field);
        return std::isfinite(value) ? static_cast<qint64>(value) : 0;
    };
    row.elements = count("elements");
    row.notFinite = count("notFinite");
    if (const auto at = object.find("histogram"); at != object.end() && at->is_array())
        for (const json& part : *at)
            row.histogram.push_back(part.is_number_integer() ? part.get<qint64>() : 0);
    return row;
}

} // namespace

NumbersPtr numbersFromJson(const json& object) {
    if (!object.is_object()) return nullptr;
    const auto values = object.find("values");
    if (values == object.end() || !values->is_array()) return nullptr;
    record::Check of;
    of.size = text(object, "size").toStdString();
    of.device = text(object, "device").toStdString();
    of.textHash = text(object, "text_hash").toStdString();
    of.decisions = text(object, "decisions").toStdString();
    const double threads = number(object, "threads");
    of.threads = std::isfinite(threads) ? static_cast<int>(threads) : 0;
    auto numbers = std::make_shared<Numbers>(Numbers{{}, -1, {}, Measured(of)});
    for (const json& value : *values)
        if (value.is_object()) numbers->values.push_back(rowOf(value));
    const double first = number(object, "first");
    if (first >= 0 && first < static_cast<double>(numbers->values.size()))
        numbers->first = static_cast<int>(first);
    if (const auto at = object.find("problems"); at != object.end() && at->is_array())
        for (const json& problem : *at)
            if (problem.is_string()) numbers->problems << QString::fromStdString(problem);
    return numbers;
}

std::vector<Column> numberColumns() {
    return {
        {Words::tr("Value"), false, true,
         Words::tr("in the order in which they are computed; sorted by it again with a click")},
        {Words::tr("Operation"), false, true, {}},
        {Words::tr("Error"), true, false,
         Words::tr("of the compiled value against double precision, at its worst element: "
                   "relative to the element or, if that is larger, to the root mean square of "
                   "all")},
        {Words::tr("Not finite"), true, false, Words::tr("elements that are infinite or NaN")},
        {Words::tr("Eager error"), true, false,
         Words::tr("the same of eager mode, one operation after the other")},
        {Words::tr("Absolute"), true, false,
         Words::tr("largest absolute error of the compiled value")},
        {Words::tr("Eager absolute"), true, false,
         Words::tr("largest absolute error of eager mode")},
        {Words::tr("Least"), true, false, Words::tr("of the elements that are finite")},
        {Words::tr("Largest"), true, false, Words::tr("of the elements that are finite")},
        {Words::tr("Mean"), true, false, Words::tr("of the elements that are finite")},
        {Words::tr("Compiled value"), false, false,
         Words::tr("stored: read from the memory that a kernel wrote; computed: fusion keeps it "
                   "in registers, so it is computed from what is stored by the reference of "
                   "its operation, on the graph after the passes; in half precision a kernel may "
                   "keep more digits than that")},
        {Words::tr("Type"), false, true, {}}};
}

namespace {

QString originText(const NumberRow& row) {
    const QString same = row.counterpart.isEmpty() ? QString() : " " + row.counterpart;
    switch (row.origin) {
    case NumberRow::Origin::Input:
        return Words::tr("input");
    case NumberRow::Origin::Stored:
        return Words::tr("stored") + same;
    case NumberRow::Origin::Computed:
        return Words::tr("computed") + same;
    case NumberRow::Origin::Unknown:
        break;
    }
    return Words::tr("not there");
}

QString errorText(double value) {
    return std::isinf(value) ? QString(QChar(0x221e)) : format::error(value);
}

/// A bar from 1e-9 to 1 of the logarithm: a float32 rounding is a quarter of it.
double errorBar(double value) {
    if (!(value > 0)) return -1;
    return std::clamp((std::log10(value) + 9) / 9, 0.02, 1.0);
}

Cell errorCell(const std::optional<NumberError>& error, bool relative, double limit) {
    if (!error) return {QString(QChar(0x2013)), -1.0, -1, Tone::Muted};
    const double value = relative ? error->relative : error->absolute;
    Cell cell{errorText(value), value, -1, error->beyond ? Tone::Error : Tone::Normal};
    if (!relative) return cell;
    cell.bar = errorBar(value);
    if (error->beyond) cell.text.prepend(QChar(0x2260) + QString(" "));
    cell.tooltip =
        error->beyond ? Words::tr("More than rounding explains: without cancellation "
                                  "at most %1.")
                            .arg(format::error(limit))
        : value > limit
            ? Words::tr("Rounding explains it: on the way numbers cancel, "
                        "a branch hangs on one that is nearly equal, or "
                        "they overflow.")
            : Words::tr("Within %1, which rounding alone may make.").arg(format::error(limit));
    return cell;
}

Cell valueCell(double value) {
    if (std::isnan(value)) return {QString(QChar(0x2013)), {}, -1, Tone::Muted};
    return {QString::number(value, 'g', 5), value};
}

/// "3, first [0, 2] is nan"
QString notFiniteText(const NumberRow& row) {
    if (row.notFinite == 0) return {};
    const QString count = format::count(row.notFinite);
    return row.firstNotFinite.isEmpty() ? count
                                        : Words::tr("%1, first %2").arg(count, row.firstNotFinite);
}

bool isRemarkable(const NumberRow& row) {
    return (row.compiled && row.compiled->beyond) || (row.eager && row.eager->beyond) ||
           row.notFinite > 0;
}

bool holds(const NodeQuery& query, const NumberRow& row) {
    if (query.isEmpty()) return true;
    SceneNode fields;
    fields.title = row.op.isEmpty() ? row.name : row.op;
    fields.name = row.name;
    fields.op = row.op;
    fields.subtitle = row.type;
    return query.matches(fields);
}

} // namespace

std::vector<Row> numberRows(const Numbers& numbers, const RecordView& view,
                            const NumberFilter& filter, const Measured& shown) {
    std::vector<Row> rows;
    const bool dimmed = !numbers.of.matches(shown);
    const NodeQuery query(filter.query);
    for (size_t i = 0; i < numbers.values.size(); ++i) {
        const NumberRow& value = numbers.values[i];
        if (filter.graph.isEmpty() ? value.graph == "captured" : value.graph != filter.graph)
            continue;
        if ((filter.onlyBeyond && !isRemarkable(value)) || !holds(query, value)) continue;
        Row row;
        const bool first = static_cast<int>(i) == numbers.first;
        const QString place = filter.graph.isEmpty() ? value.graph + "/" : QString();
        Cell name{place + value.name, static_cast<double>(i), -1,
                  first ? Tone::Error : Tone::Normal};
        if (first) name.tooltip = Words::tr("The first value that rounding does not explain.");
        row.cells = {
            name,
            {value.op.isEmpty() ? Words::tr("input") : value.op,
             {},
             -1,
             value.op.isEmpty() ? Tone::Muted : Tone::Normal},
            errorCell(value.compiled, true, value.limit),
            {notFiniteText(value), static_cast<double>(value.notFinite), -1, Tone::Warning},
            errorCell(value.eager, true, value.limit),
            errorCell(value.compiled, false, value.limit),
            errorCell(value.eager, false, value.limit),
            valueCell(value.least),
            valueCell(value.most),
            valueCell(value.mean),
            {originText(value), {}, -1, Tone::Muted},
            {value.type, {}}};
        if (const ItemId item = view.find(value.key); item != kNoItem) row.items = {item};
        row.detail = QString::number(i);
        row.bold = first;
        row.dimmed = dimmed;
        rows.push_back(std::move(row));
    }
    return rows;
}

QString numberSummary(const Numbers& numbers) {
    qint64 compared = 0, stored = 0, notFinite = 0;
    double worst = 0, eager = 0;
    QString where; ///< the first element that is not finite
    for (const NumberRow& row : numbers.values) {
        if (row.graph == "captured" || row.origin == NumberRow::Origin::Input) continue;
        ++compared;
        stored += row.origin == NumberRow::Origin::Stored;
        notFinite += row.notFinite > 0;
        if (where.isEmpty() && !row.firstNotFinite.isEmpty())
            where = row.graph + "/" + row.name + row.firstNotFinite;
        auto take = [](double& most, const std::optional<NumberError>& error) {
            if (error && std::isfinite(error->relative)) most = std::max(most, error->relative);
        };
        take(worst, row.compiled);
        take(eager, row.eager);
    }
    QStringList said;
    if (const NumberRow* first = numbers.firstBeyond())
        said << Words::tr("“%1” (%2) of the %3 graph is the first value that rounding does not "
                          "explain: its error is %4.")
                    .arg(first->name, first->op, first->graph,
                         errorText(first->compiled ? first->compiled->relative : NAN));
    else
        said << Words::tr("No error is larger than rounding explains.");
    said << Words::tr("%1 values, %2 as kernels stored them; largest finite error %3, eager's %4.")
                .arg(format::count(compared), format::count(stored), errorText(worst),
                     errorText(eager));
    if (notFinite)
        said << Words::tr("%n value(s) hold elements that are not finite.", nullptr,
                          static_cast<int>(notFinite)) +
                    (where.isEmpty() ? QString() : " " + Words::tr("The first: %1.").arg(where));
    for (const QString& problem : numbers.problems)
        said << Words::tr("Eager mode's values are missing: %1.").arg(problem);
    return said.join(' ');
}

QHash<ItemId, double> errorsByItem(const Numbers& numbers, const RecordView& view) {
    QHash<ItemId, double> errors;
    for (const NumberRow& row : numbers.values) {
        if (!row.compiled) continue;
        const ItemId item = view.find(row.key);
        if (item != kNoItem) errors.insert(item, row.compiled->relative);
        if (row.graph == "captured") continue;
        const QString joint =
            row.key.chopped(row.graph.size() + 1 + row.name.size()) + "joint/" + row.name;
        // The forward's comes first; a value that the backward computes again is the same.
        const ItemId of = view.find(joint);
        if (of != kNoItem && !errors.contains(of)) errors.insert(of, row.compiled->relative);
    }
    return errors;
}

} // namespace cutaway::views
