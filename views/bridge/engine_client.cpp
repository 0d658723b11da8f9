// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/engine_client.h"

#include "core/record/json.h"

#include <QPointer>
#include <QThread>
#include <QVariant>
#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

namespace cutaway::views {

using nlohmann::json;

namespace {

constexpr qsizetype kKeptErrorBytes = 8192;

QString text(const json& object, const char* name) {
    auto at = object.find(name);
    return at != object.end() && at->is_string() ? QString::fromStdString(at->get<std::string>())
                                                 : QString();
}

/// Passes of the graph that may be left out.
QStringList optionalPasses(const json& result) {
    QStringList names;
    if (auto at = result.find("optionalPasses"); at != result.end() && at->is_array())
        for (const json& pass : *at)
            if (pass.is_string()) names << QString::fromStdString(pass);
    return names;
}

/// What each pass's rule is, by its name.
QVariantMap passTexts(const json& result) {
    QVariantMap texts;
    if (auto at = result.find("passTexts"); at != result.end() && at->is_object())
        for (const auto& [name, text] : at->items())
            if (text.is_string())
                texts.insert(QString::fromStdString(name),
                             QString::fromStdString(text.get<std::string>()));
    return texts;
}

/// The number that each pass takes, if any: {name, usual, least, most, summary}, by the pass's name.
QVariantMap passArguments(const json& result) {
    QVariantMap all;
    if (auto at = result.find("passArguments"); at != result.end() && at->is_object())
        for (const auto& [pass, argument] : at->items()) {
            if (!argument.is_object()) continue;
            QVariantMap own{{"name", text(argument, "name")},
                            {"summary", text(argument, "summary")}};
            for (const char* number : {"usual", "least", "most"}) {
                const auto value = argument.find(number);
                if (value != argument.end() && value->is_number_integer())
                    own.insert(QLatin1String(number), QVariant::fromValue(value->get<qint64>()));
            }
            if (own.size() == 5) all.insert(QString::fromStdString(pass), own);
        }
    return all;
}

EngineInfo infoFromJson(const json& result) {
    EngineInfo info;
    if (!result.is_object()) return info;
    info.producer = text(result, "producer");
    info.cudaMessage = text(result, "cudaMessage");
    if (auto at = result.find("cudaAvailable"); at != result.end() && at->is_boolean())
        info.cudaAvailable = at->get<bool>();
    if (auto at = result.find("threads"); at != result.end() && at->is_number_integer())
        info.threads = at->get<int>();
    if (auto at = result.find("devices"); at != result.end() && at->is_array())
        for (const json& device : *at)
            if (device.is_string()) info.devices << QString::fromStdString(device);
    if (auto at = result.find("backends"); at != result.end() && at->is_array())
        for (const json& backend : *at)
            if (backend.is_string()) info.backends << QString::fromStdString(backend);
    if (auto at = result.find("overlays"); at != result.end() && at->is_array())
        for (const json& overlay : *at)
            if (overlay.is_object())
                info.overlays.push_back({text(overlay, "name"), text(overlay, "summary")});
    if (auto at = result.find("pluginProblems"); at != result.end() && at->is_array())
        for (const json& problem : *at)
            if (auto told = record::diagnosticFromJson(problem))
                info.pluginProblems << QString::fromStdString(told->message);
    if (auto at = result.find("stages"); at != result.end() && at->is_array())
        for (const json& stage : *at)
            if (stage.is_object())
                info.stages.push_back({text(stage, "name"), text(stage, "title"),
                                       text(stage, "summary"),
                                       stage.value("shown", json()) == true});
    return info;
}

} // namespace

EngineClient::EngineClient(QStringList command, QObject* parent)
    : QObject(parent), command_(std::move(command)) {
    parser_.setMaxThreadCount(1);
}

EngineClient::~EngineClient() {
    discardProcess();
    parser_.waitForDone();
}

void EngineClient::setState(State state) {
    if (state_ == state) return;
    state_ = state;
    emit stateChanged();
}

void EngineClient::start() {
    if (process_) return;
    if (command_.isEmpty()) return giveUp(State::Failed, tr("no engine command is set"));
    ++life_;
    endedFor_ = 0;
    reader_ = {};
    errors_.clear();
    problem_.clear();
    process_ = new QProcess(this);
    connect(process_, &QProcess::readyReadStandardOutput, this, &EngineClient::readOutput);
    connect(process_, &QProcess::readyReadStandardError, this, &EngineClient::readErrors);
    connect(process_, &QProcess::finished, this, &EngineClient::processEnded);
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            giveUp(State::Failed, tr("could not start the engine “%1”: %2")
                                      .arg(command_.join(' '), process_->errorString()));
    });
    setState(State::Starting);
    QPointer<QProcess> process = process_;
    process_->start(command_.first(), command_.mid(1));
    if (process && process == process_) initialize();
}

void EngineClient::initialize() {
    request("initialize", json::object(), [this](const EngineReply& reply) {
        if (reply.error) {
            if (process_)
                giveUp(State::Failed,
                       tr("the engine did not start properly: %1").arg(reply.error->message));
            return;
        }
        info_ = infoFromJson(*reply.result);
        setProperty("optionalPasses", QVariant(optionalPasses(*reply.result)));
        setProperty("passTexts", passTexts(*reply.result));
        setProperty("passArguments", passArguments(*reply.result));
        setState(State::Ready);
    });
}

void EngineClient::stop() {
    discardProcess();
    failAll(EngineError::kGone, tr("the engine was stopped"));
    setState(State::Stopped);
}

void EngineClient::restart() {
    stop();
    start();
}

void EngineClient::discardProcess() {
    if (!process_) return;
    ++life_;
    process_->disconnect(this);
    // The process may hang in a kernel and ignore requests; nothing of it is worth waiting for.
    process_->kill();
    process_->waitForFinished(500);
    process_->deleteLater();
    process_ = nullptr;
}

void EngineClient::giveUp(State state, const QString& problem) {
    problem_ = problem;
    QString last = QString::fromUtf8(errors_).trimmed();
    if (!last.isEmpty()) problem_ += "\n" + last.right(2000);
    discardProcess();
    state_ = state; // handlers that ask must see the new state; the signal comes after them
    failAll(EngineError::kGone, problem);
    emit stateChanged();
}

void EngineClient::processEnded(int exitCode, QProcess::ExitStatus status) {
    readErrors();
    giveUp(State::Crashed, status == QProcess::CrashExit
                               ? tr("the engine crashed")
                               : tr("the engine ended with exit code %1").arg(exitCode));
}

int EngineClient::request(const char* method, json params, Handler handler, int timeoutMs) {
    int id = nextId_++;
    Pending& entry = pending_[id];
    entry.handler = std::move(handler);
    entry.since.start();
    if (!process_) {
        QMetaObject::invokeMethod(
            this,
            [this, id] {
                EngineReply reply;
                reply.error = EngineError{EngineError::kGone, tr("the engine is not running"), {}};
                finish(id, std::move(reply));
            },
            Qt::QueuedConnection);
        return id;
    }
    json message = {
        {"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
    // Invalid UTF-8 in a path must not throw inside the window.
    std::string body = message.dump(-1, ' ', false, json::error_handler_t::replace);
    process_->write(framed(QByteArray::fromStdString(body)));
    if (timeoutMs > 0)
        QTimer::singleShot(timeoutMs, this, [this, id] {
            if (!pending_.contains(id)) return;
            cancel(id);
            EngineReply reply;
            reply.error = EngineError{EngineError::kTimeout, tr("no reply in time"), {}};
            finish(id, std::move(reply));
        });
    return id;
}

/// How often the machine is wanted beyond what it has: the engine gets as much less of it.
static int crowding() {
    constexpr int kMost = 5;
    double load = 0;
    if (::getloadavg(&load, 1) != 1) return 1;
    return std::clamp(static_cast<int>(load / QThread::idealThreadCount()), 1, kMost);
}

void EngineClient::cancel(int id) {
    if (!process_ || !pending_.contains(id)) return;
    json message = {{"jsonrpc", "2.0"}, {"method", "$/cancel"}, {"params", {{"id", id}}}};
    process_->write(framed(QByteArray::fromStdString(message.dump())));
    // Whoever asked is free at once; what the engine says of it, and when, is waited for here.
    QTimer::singleShot(0, this, [this, id, life = life_] {
        const auto at = pending_.find(id);
        if (life != life_ || at == pending_.end()) return;
        EngineReply reply;
        reply.error = EngineError{EngineError::kCancelled, tr("cancelled"), nullptr};
        reply.ms = static_cast<double>(at->since.nsecsElapsed()) / 1e6;
        if (const Handler handler = std::exchange(at->handler, nullptr)) handler(reply);
    });
    auto stillPending = [this, id, life = life_] {
        const bool alive = state_ == State::Ready || state_ == State::Unresponsive;
        return life == life_ && alive && pending_.contains(id);
    };
    const int grace = cancelGraceMs_ * crowding();
    QTimer::singleShot(grace / 2, this, [this, stillPending] {
        if (!stillPending()) return;
        problem_ = tr("the engine is still at work that was cancelled");
        setState(State::Unresponsive);
    });
    QTimer::singleShot(grace, this, [this, id, stillPending] {
        if (!stillPending()) return;
        endedFor_ = id;
        giveUp(State::Crashed, tr("the engine did not end work that was cancelled and was "
                                  "ended itself"));
    });
}

void EngineClient::readErrors() {
    if (!process_) return;
    errors_ += process_->readAllStandardError();
    if (errors_.size() > kKeptErrorBytes) errors_ = errors_.right(kKeptErrorBytes);
}

void EngineClient::readOutput() {
    reader_.feed(process_->readAllStandardOutput());
    while (auto next = reader_.next()) {
        parser_.start([this, life = life_, body = next->body, attachment = next->attachment] {
            // The engine evaluates scripts of strangers: its words are limited as theirs are.
            auto parsed = record::parseJson({body.constData(), static_cast<size_t>(body.size())});
            auto message = std::make_shared<json>(parsed ? std::move(*parsed)
                                                         : json(json::value_t::discarded));
            QMetaObject::invokeMethod(
                this, [this, message, attachment, life] { received(message, attachment, life); },
                Qt::QueuedConnection);
        });
    }
    if (!reader_.problem().isEmpty())
        giveUp(State::Crashed, tr("the engine sent %1").arg(reader_.problem()));
}

void EngineClient::received(JsonPtr message, const QByteArray& attachment, quint64 life) {
    if (life != life_) return;
    if (message->is_discarded() || !message->is_object())
        return giveUp(State::Crashed, tr("the engine sent a message that is not JSON"));
    if (message->contains("id")) return handleReply(message, attachment);
    QString method = text(*message, "method");
    auto params = message->find("params");
    if (params == message->end() || !params->is_object()) return;
    const json id = params->value("request", json(0));
    const int request = id.is_number_integer() ? id.get<int>() : 0;
    if (method == "progress") {
        json fraction = params->value("fraction", json(0));
        emit progress(request, text(*params, "stage"),
                      fraction.is_number() ? fraction.get<double>() : 0.0);
    } else if (method == "stage") {
        emit stageDone(request, attachment);
    } else if (method == "measured") {
        emit measured(request, JsonPtr(message, &*params));
    } else if (method == "log") {
        emit log(text(*params, "message"));
    }
}

void EngineClient::handleReply(const JsonPtr& whole, const QByteArray& attachment) {
    const json& message = *whole;
    const json& id = message["id"];
    auto error = message.find("error");
    auto result = message.find("result");
    bool wrong = error != message.end() && !error->is_object();
    if (id.is_null() && error != message.end() && !wrong) // none of our requests in particular
        return giveUp(State::Crashed,
                      tr("the engine refused a message: %1").arg(text(*error, "message")));
    if (!id.is_number_integer() || wrong || (error == message.end() && result == message.end()))
        return giveUp(State::Crashed, tr("the engine sent a malformed reply"));
    EngineReply reply;
    reply.attachment = attachment;
    if (error != message.end()) {
        json code = error->value("code", json(0));
        reply.error = EngineError{code.is_number_integer() ? code.get<int>() : 0,
                                  text(*error, "message"), nullptr};
        if (auto data = error->find("data"); data != error->end())
            reply.error->data = JsonPtr(whole, &*data);
    } else {
        reply.result = JsonPtr(whole, &*result);
    }
    finish(id.get<int>(), std::move(reply));
}

void EngineClient::finish(int id, EngineReply reply) {
    auto at = pending_.find(id);
    if (at == pending_.end()) return;
    Pending entry = std::move(*at);
    pending_.erase(at);
    reply.ms = static_cast<double>(entry.since.nsecsElapsed()) / 1e6;
    if (state_ == State::Unresponsive && pending_.isEmpty()) setState(State::Ready);
    if (entry.handler) entry.handler(reply);
}

void EngineClient::failAll(int code, const QString& message) {
    const QList<int> ids = pending_.keys();
    for (int id : ids) {
        EngineReply reply;
        reply.error = EngineError{code, message, nullptr};
        finish(id, std::move(reply));
    }
}

} // namespace cutaway::views
