// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/node_values.h"

#include "core/record/json.h"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>
#include <nlohmann/json.hpp>

namespace cutaway::views {

using base::Result; // a qualified type before a function hides its words from lupdate

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(NodeValues)
};

base::Diagnostic wrong(const QString& text) {
    return base::userError({}, text.toStdString());
}

Result<NodeValues> fromJson(const QByteArray& bytes, NodeValues values) {
    auto parsed = record::parseJson({bytes.constData(), static_cast<size_t>(bytes.size())});
    if (!parsed) return parsed.error();
    for (const auto& [name, value] : parsed->items()) {
        if (!value.is_number())
            return wrong(Words::tr("%1: “%2” has no number")
                             .arg(values.title, QString::fromStdString(name)));
        values.byName.insert(QString::fromStdString(name), value.get<double>());
    }
    return values;
}
} // namespace

Result<NodeValues> readNodeValues(const QByteArray& bytes, const QString& file) {
    NodeValues values;
    values.title = file;
    if (bytes.trimmed().startsWith('{')) return fromJson(bytes, std::move(values));
    int line = 0;
    for (const QString& row : QString::fromUtf8(bytes).split('\n')) {
        ++line;
        if (row.trimmed().isEmpty()) continue;
        const QString name = row.section(',', 0, -2).trimmed(),
                      number = row.section(',', -1).trimmed();
        bool good = false;
        const double value = number.toDouble(&good);
        if (good && std::isfinite(value) && !name.isEmpty()) {
            values.byName.insert(QString(name).remove('"'), value);
        } else if (line == 1 && !name.isEmpty()) {
            values.title = number; // titles
        } else {
            return wrong(Words::tr("%1, line %2: expected a node and a number, “cos_1,0.5”")
                             .arg(file)
                             .arg(line));
        }
    }
    if (values.byName.isEmpty()) return wrong(Words::tr("%1 holds no numbers of nodes").arg(file));
    return values;
}

} // namespace cutaway::views
