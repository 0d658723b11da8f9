// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Every value of a compiled step beside eager mode and double precision: what the engine's "probe"
/// answers, as rows, as a sentence, and as an error for every item of a record.
#pragma once

#include "views/models/measured.h"
#include "views/models/row_model.h"

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace cutaway::views {

struct NumberError {
    double absolute = 0, relative = 0; ///< of the worst element; infinite where only one is finite
    bool beyond = false;               ///< more than rounding explains
};

struct NumberRow {
    enum class Origin : uint8_t { Input, Stored, Computed, Unknown };
    QString key; ///< of the record's item
    QString function, graph, name, op, type, counterpart;
    Origin origin = Origin::Unknown;
    std::optional<NumberError> compiled, eager;
    double limit = 0, least = 0, most = 0, mean = 0;
    qint64 elements = 0, notFinite = 0;
    QString firstNotFinite;        ///< "[0, 3] is nan"; empty: none is
    std::vector<qint64> histogram; ///< in equal parts from least to most
};

struct Numbers {
    std::vector<NumberRow> values; ///< in the order in which they are computed
    int first = -1;                ///< the first that rounding does not explain; -1: none
    QStringList problems;
    Measured of;

    const NumberRow* firstBeyond() const {
        return first >= 0 ? &values[static_cast<size_t>(first)] : nullptr;
    }
};
using NumbersPtr = std::shared_ptr<const Numbers>;

/// Null when it is not what "probe" answers.
NumbersPtr numbersFromJson(const nlohmann::json& json);

/// Which rows are shown.
struct NumberFilter {
    QString graph;           ///< empty: those that are compiled
    QString query;           ///< as NodeQuery
    bool onlyBeyond = false; ///< compiled or eager beyond rounding, or not finite
};

enum class NumberColumn {
    Value,
    Op,
    Error,
    NotFinite,
    Eager,
    Absolute,
    EagerAbsolute,
    Least,
    Most,
    Mean,
    Origin,
    Type
};
std::vector<Column> numberColumns();
/// \param shown what is not of this is dimmed
std::vector<Row> numberRows(const Numbers& numbers, const RecordView& view,
                            const NumberFilter& filter, const Measured& shown);
/// What is first, in words.
QString numberSummary(const Numbers& numbers);

/// Relative errors of the compiled values by the items of their nodes, those of the joint graph
/// included.
QHash<ItemId, double> errorsByItem(const Numbers& numbers, const RecordView& view);

} // namespace cutaway::views
