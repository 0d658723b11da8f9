// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Session that compares every value of a step with eager mode and double precision, and
// that asks what the step is called with.
#include "views/bridge/session.h"

#include "core/base/file_set.h"

#include <QDir>
#include <QFile>
#include <nlohmann/json.hpp>

namespace cutaway::views {

using nlohmann::json;

void Session::compareValues() {
    if (probeId_ || !whyNoRun().isEmpty()) return;
    json params = {{"path", path_.toStdString()},
                   {"text", textToSend()},
                   {"device", options_.device.toStdString()},
                   {"backend", options_.backend.toStdString()},
                   {"decisions", decisionsJson(options_.decisions)}};
    if (!options_.size.isEmpty()) params["size"] = options_.size.toStdString();
    probeProblem_.clear();
    probeText_ = text_;
    workSince_.start();
    probeId_ = engine_->request("probe", std::move(params),
                                [this, number = ++probeNumber_](const EngineReply& reply) {
                                    // Else another document came first.
                                    if (number == probeNumber_) probeReplied(reply);
                                });
    emit statusChanged();
}

QString Session::tunedText() const {
    return QStringList{options_.size, options_.device, options_.backend, text_}.join('\n');
}

static QString scheduleKey(const std::string& graph, const std::string& kernel,
                           const std::string& schedule) {
    return QString::fromStdString(graph + '/' + kernel + '/' + schedule);
}

void Session::timeSchedules() {
    if (tuneId_ || !whyNoRun().isEmpty()) return;
    QStringList decisions;
    for (const QString& one : options_.decisions)
        if (!one.startsWith("schedule ")) decisions << one; // all of them are tried
    json params = {{"path", path_.toStdString()},
                   {"text", textToSend()},
                   {"device", options_.device.toStdString()},
                   {"backend", options_.backend.toStdString()},
                   {"decisions", decisionsJson(decisions)}};
    if (!options_.size.isEmpty()) params["size"] = options_.size.toStdString();
    tuneProblem_.clear();
    tuneOf_ = tunedText();
    workSince_.start();
    tuneId_ = engine_->request("tune", std::move(params),
                               [this, number = ++tuneNumber_](const EngineReply& reply) {
                                   // Else another document came first.
                                   if (number == tuneNumber_) tuneReplied(reply);
                               });
    emit schedulesTimed();
    emit statusChanged();
}

void Session::tuneReplied(const EngineReply& reply) {
    tuneId_ = 0;
    QHash<QString, ScheduleTime> found;
    if (reply.error) {
        tuneProblem_ =
            reply.error->code == EngineError::kCancelled ? tr("cancelled") : reply.error->message;
    } else if (reply.result->is_object() && reply.result->contains("schedules")) {
        for (const json& row : (*reply.result)["schedules"]) {
            const auto word = [&row](const char* name) {
                const auto at = row.is_object() ? row.find(name) : row.end();
                return at != row.end() && at->is_string() ? at->get<std::string>() : std::string();
            };
            if (row.is_object() && row.contains("us") && row["us"].is_number())
                found.insert(scheduleKey(word("graph"), word("kernel"), word("schedule")),
                             {row["us"].get<double>(), row.value("disturbed", json()) == true});
        }
    }
    if (!found.isEmpty()) {
        scheduleTimes_ = std::move(found);
        tunedOf_ = tuneOf_;
    } else if (tuneProblem_.isEmpty()) {
        tuneProblem_ = tr("no kernel has a schedule to time");
    }
    if (tuneOf_ != tunedText()) tuneProblem_.clear(); // of what is not chosen any more
    emit schedulesTimed();
    emit statusChanged();
}

ScheduleTime Session::scheduleTime(const std::string& graph, const std::string& kernel,
                                   const std::string& schedule) const {
    if (tunedOf_ != tunedText()) return {};
    return scheduleTimes_.value(scheduleKey(graph, kernel, schedule));
}

void Session::caseInputs(InputsHandler handler) {
    json params = {{"path", path_.toStdString()},
                   {"text", textToSend()},
                   {"device", options_.device.toStdString()}};
    if (!options_.size.isEmpty()) params["size"] = options_.size.toStdString();
    engine_->request("inputs", std::move(params),
                     [this, key = key_, handler = std::move(handler)](const EngineReply& reply) {
                         if (key != key_) return; // another document came first
                         if (reply.error) return handler({}, reply.error->message);
                         handler(caseInputsFromJson(*reply.result), {});
                     });
}

/// Whether it lies below the folder that it is relative to.
static bool staysBelow(const QString& path) {
    return !path.isEmpty() && !QDir::isAbsolutePath(path) && !path.split('/').contains("..");
}

/// Writes the files of the engine's answer below a folder. \returns how many there are
static base::Result<int> writeSources(const json& answer, const QString& folder) {
    base::FileSet all;
    int count = 0;
    const json none = json::array();
    const auto found = answer.is_object() ? answer.find("files") : answer.end();
    for (const json& file : found != answer.end() && found->is_array() ? *found : none) {
        if (!file.is_object() || !file.contains("path") || !file.contains("data")) continue;
        const json &path = file["path"], &data = file["data"];
        if (!path.is_string() || !data.is_string()) continue;
        const QString name = QString::fromStdString(path);
        if (!staysBelow(name)) continue;
        const auto& text = data.get_ref<const std::string&>();
        const QByteArray bytes = QByteArray::fromBase64(
            QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size())));
        if (base::Status added = all.add(QFile::encodeName(folder + "/" + name).toStdString(),
                                         {bytes.constData(), static_cast<size_t>(bytes.size())});
            !added)
            return added.error();
        ++count;
    }
    if (count == 0)
        return base::bugError(Session::tr("the engine's answer holds no files").toStdString());
    if (base::Status done = all.commit(); !done) return done.error();
    return count;
}

void Session::exportSources(bool cuda, const QString& folder, SourcesHandler handler) {
    json params = {{"path", path_.toStdString()},
                   {"text", textToSend()},
                   {"device", options_.device.toStdString()},
                   {"backend", options_.backend.toStdString()},
                   {"decisions", decisionsJson(options_.decisions)},
                   {"cuda", cuda}};
    if (!options_.size.isEmpty()) params["size"] = options_.size.toStdString();
    engine_->request(
        "sources", std::move(params),
        [this, key = key_, folder, handler = std::move(handler)](const EngineReply& reply) {
            if (key != key_) return; // another document came first
            if (reply.error) return handler(0, reply.error->message);
            ++writing_;
            writer_.start([this, key, folder, handler, answer = reply.result] {
                const base::Result<int> written = writeSources(*answer, folder);
                const QString problem =
                    written ? QString() : QString::fromStdString(written.error().message);
                QMetaObject::invokeMethod(
                    this, [this, key, handler, problem, files = written ? *written : 0] {
                        --writing_;
                        if (key == key_) handler(files, problem);
                    });
            });
        });
}

void Session::probeReplied(const EngineReply& reply) {
    probeId_ = 0;
    if (reply.error) {
        probeProblem_ = reply.error->code != EngineError::kCancelled ? reply.error->message
                        : probeText_ != text_ ? tr("stopped: the text changed meanwhile")
                                              : tr("cancelled");
    } else if (NumbersPtr found = numbersFromJson(*reply.result)) {
        numbers_ = std::move(found);
    } else {
        probeProblem_ = tr("the engine's answer to “probe” holds no values");
    }
    emit numbersChanged();
    emit statusChanged();
}

} // namespace cutaway::views
