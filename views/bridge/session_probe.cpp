// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Session that compares every value of a step with eager mode and double precision, and
// that asks what the step is called with.
#include "views/bridge/session.h"

#include <QDir>
#include <nlohmann/json.hpp>

namespace cutaway::views {

using nlohmann::json;

void Session::compareValues() {
    if (probeId_ || !whyNoRun().isEmpty()) return;
    json params = {{"path", path_.toStdString()},
                   {"text", text_.toStdString()},
                   {"device", options_.device.toStdString()},
                   {"backend", options_.backend.toStdString()},
                   {"decisions", decisionsJson(options_.decisions)}};
    if (!options_.size.isEmpty()) params["size"] = options_.size.toStdString();
    probeProblem_.clear();
    probeText_ = text_;
    probeId_ = engine_->request("probe", std::move(params),
                                [this, number = ++probeNumber_](const EngineReply& reply) {
                                    // Else another document came first.
                                    if (number == probeNumber_) probeReplied(reply);
                                });
    emit statusChanged();
}

void Session::caseInputs(InputsHandler handler) {
    json params = {{"path", path_.toStdString()},
                   {"text", text_.toStdString()},
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

void Session::exportSources(bool cuda, SourcesHandler handler) {
    json params = {{"path", path_.toStdString()},
                   {"text", text_.toStdString()},
                   {"device", options_.device.toStdString()},
                   {"backend", options_.backend.toStdString()},
                   {"decisions", decisionsJson(options_.decisions)},
                   {"cuda", cuda}};
    if (!options_.size.isEmpty()) params["size"] = options_.size.toStdString();
    engine_->request(
        "sources", std::move(params),
        [this, key = key_, handler = std::move(handler)](const EngineReply& reply) {
            if (key != key_) return; // another document came first
            if (reply.error) return handler({}, reply.error->message);
            std::vector<std::pair<QString, QByteArray>> files;
            const json found = reply.result->is_object() ? reply.result->value("files", json())
                                                         : json();
            if (found.is_array())
                for (const json& file : found) {
                    const json path = file.is_object() ? file.value("path", json()) : json(),
                               data = file.is_object() ? file.value("data", json()) : json();
                    if (!path.is_string() || !data.is_string()) continue;
                    const QString name = QString::fromStdString(path);
                    if (staysBelow(name))
                        files.emplace_back(name, QByteArray::fromBase64(
                                                     QByteArray::fromStdString(data)));
                }
            handler(files, files.empty() ? tr("the engine's answer holds no files") : QString());
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
