// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/tour.h"

#include "core/record/json.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(TourFile)
};
} // namespace

using nlohmann::json;

namespace {

/// Fields of one JSON object; says where one is wrong.
class Fields {
public:
    Fields(const json& object, QString where) : object_(object), where_(std::move(where)) {}

    QString text(const char* name, bool needed = false) {
        taken_ << QString::fromLatin1(name);
        const auto at = object_.find(name);
        if (at == object_.end()) {
            if (needed) fail(Words::tr("“%1” is missing").arg(name));
            return {};
        }
        if (at->is_string()) return QString::fromStdString(at->get<std::string>());
        fail(Words::tr("“%1” is no text").arg(name));
        return {};
    }
    json object(const char* name) {
        taken_ << QString::fromLatin1(name);
        const auto at = object_.find(name);
        if (at == object_.end()) return json::object();
        if (!at->is_object()) fail(Words::tr("“%1” is no object").arg(name));
        return at->is_object() ? *at : json::object();
    }
    void ignore(const char* name) { taken_ << QString::fromLatin1(name); }
    /// Says of the first field that nobody asked for.
    QString problem() {
        for (const auto& [name, value] : object_.items())
            if (!taken_.contains(QString::fromStdString(name)))
                fail(Words::tr("nobody knows “%1”").arg(QString::fromStdString(name)));
        return problem_;
    }

private:
    void fail(const QString& text) {
        if (problem_.isEmpty()) problem_ = where_ + ": " + text;
    }
    const json& object_;
    QString where_, problem_;
    QStringList taken_;
};

base::Diagnostic wrong(const QString& text) {
    return base::userError({}, text.toStdString());
}

QString readStep(const json& from, const QString& where, TourStep& step) {
    if (!from.is_object()) return where + ": " + Words::tr("a step is an object");
    Fields fields(from, where);
    step.title = fields.text("title");
    step.text = fields.text("text", true);
    step.attempt = fields.text("try");
    step.notes = fields.text("notes");
    const json show = fields.object("show"), until = fields.object("until"),
               ask = fields.object("ask");
    if (QString problem = fields.problem(); !problem.isEmpty()) return problem;
    Fields shown(show, where + ", show");
    step.pane = shown.text("pane"), step.stage = shown.text("stage");
    step.select = shown.text("select");
    if (QString problem = shown.problem(); !problem.isEmpty()) return problem;
    Fields met(until, where + ", until");
    step.untilSelected = met.text("selected"), step.untilValue = met.text("value");
    step.untilIs = met.text("is");
    if (QString problem = met.problem(); !problem.isEmpty()) return problem;
    Fields asked(ask, where + ", ask");
    step.question = asked.text("question", !ask.empty());
    step.value = asked.text("value", !ask.empty());
    step.hint = asked.text("hint");
    return asked.problem();
}

} // namespace

base::Result<Tour> readTour(const QByteArray& bytes, const QString& name) {
    auto parsed = record::parseJson({bytes.constData(), static_cast<size_t>(bytes.size())});
    if (!parsed) return parsed.error();
    if (!parsed->is_object()) return wrong(name + ": " + Words::tr("a tour is an object"));
    Tour tour;
    Fields fields(*parsed, name);
    tour.title = fields.text("title", true);
    tour.about = fields.text("about");
    tour.sample = fields.text("sample");
    fields.ignore("steps");
    if (QString problem = fields.problem(); !problem.isEmpty()) return wrong(problem);
    const auto steps = parsed->find("steps");
    if (steps == parsed->end() || !steps->is_array() || steps->empty())
        return wrong(name + ": " + Words::tr("“steps” is no list of steps"));
    for (const json& one : *steps) {
        TourStep step;
        const QString where = Words::tr("%1, step %2").arg(name).arg(tour.steps.size() + 1);
        if (QString problem = readStep(one, where, step); !problem.isEmpty()) return wrong(problem);
        tour.steps.push_back(std::move(step));
    }
    return tour;
}

QByteArray writeTour(const Tour& tour) {
    using Ordered = nlohmann::ordered_json;
    auto put = [](Ordered& object, const char* name, const QString& text) {
        if (!text.isEmpty()) object[name] = text.toStdString();
    };
    Ordered out;
    put(out, "title", tour.title);
    put(out, "about", tour.about);
    put(out, "sample", tour.sample);
    out["steps"] = Ordered::array();
    for (const TourStep& step : tour.steps) {
        Ordered one = Ordered::object(), show, until, ask;
        put(one, "title", step.title);
        put(one, "text", step.text);
        put(show, "pane", step.pane), put(show, "stage", step.stage);
        put(show, "select", step.select);
        put(until, "selected", step.untilSelected), put(until, "value", step.untilValue);
        put(until, "is", step.untilIs);
        put(ask, "question", step.question), put(ask, "value", step.value);
        put(ask, "hint", step.hint);
        put(one, "try", step.attempt);
        put(one, "notes", step.notes);
        const std::pair<const char*, const Ordered*> parts[] = {
            {"show", &show}, {"until", &until}, {"ask", &ask}};
        for (const auto& [name, part] : parts)
            if (!part->empty()) one[name] = *part;
        out["steps"].push_back(std::move(one));
    }
    return QByteArray::fromStdString(out.dump(1) + "\n");
}

/// A tour that comes along, in the language that is spoken: resources/translations/contents_zh.ts.
static Tour translated(Tour tour) {
    auto say = [](QString& text) {
        if (!text.isEmpty()) text = QCoreApplication::translate("Tours", text.toUtf8().constData());
    };
    say(tour.title), say(tour.about);
    for (TourStep& step : tour.steps)
        for (QString* text :
             {&step.title, &step.text, &step.attempt, &step.question, &step.hint, &step.notes})
            say(*text);
    return tour;
}

std::vector<Tour> shippedTours() {
    std::vector<Tour> tours;
    QStringList names = QDir(":/tours").entryList({"*.json"}, QDir::Files);
    std::ranges::sort(names, {},
                      [](const QString& name) { return name.section('_', 0, 0).toInt(); });
    for (const QString& name : std::as_const(names)) {
        QFile file(":/tours/" + name);
        if (!file.open(QIODevice::ReadOnly)) continue;
        if (auto tour = readTour(file.readAll(), name)) tours.push_back(translated(*tour));
    }
    return tours;
}

std::optional<QString> tourValue(const record::Entry& entry, const QString& name) {
    const QString what = name.section('.', 0, 0), of = name.section('.', 1);
    auto number = [](auto value) { return QString::number(static_cast<qlonglong>(value)); };
    auto listed = [&](const auto& all) -> std::optional<QString> {
        if (of == "count") return number(all.size());
        QStringList names;
        int64_t bytes = 0;
        for (const auto& one : all) {
            names << QString::fromStdString(one.name);
            bytes += one.bytes;
        }
        if (of == "bytes") return number(bytes);
        if (of == "names") return names.join(", ");
        return std::nullopt;
    };
    if (what == "saved" && entry.hasPartition) return listed(entry.partition.saved);
    if (what == "recomputed" && entry.hasPartition) return listed(entry.partition.recomputed);
    if (what == "nodes") {
        const record::GraphStage* stage = entry.graph(of.toStdString());
        return stage ? std::optional(number(stage->nodes.size())) : std::nullopt;
    }
    if (what == "kernels") {
        size_t count = 0;
        bool found = of == "count";
        for (const record::LoweredGraph& lowered : entry.lowered)
            if (of == "count" || lowered.graph == of.toStdString()) {
                count += lowered.kernels.size();
                found = true;
            }
        return found ? std::optional(number(count)) : std::nullopt;
    }
    if (name == "passes.changed")
        return number(std::count_if(entry.passes.begin(), entry.passes.end(),
                                    [](const record::PassRun& pass) { return pass.changed; }));
    if (name == "guards.count") return number(entry.guards.size());
    if (name == "breaks.count") return number(entry.breaks.size());
    if (name == "memory.arena") {
        int64_t bytes = 0;
        for (const record::LoweredGraph& lowered : entry.lowered)
            bytes += lowered.memory.arenaBytes;
        return number(bytes);
    }
    return std::nullopt;
}

bool isAnswer(const QString& typed, const QString& value) {
    auto parts = [](const QString& text) {
        QStringList all = text.toLower().split(',');
        for (QString& one : all)
            one = one.simplified().remove(' ');
        all.sort();
        return all;
    };
    return !typed.trimmed().isEmpty() && parts(typed) == parts(value);
}

} // namespace cutaway::views
