// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Session that asks the engine for measurements and for kernel texts.
#include "views/bridge/session.h"

#include "core/record/columns.h"
#include "core/record/json.h"
#include "views/models/release_aside.h"

#include <nlohmann/json.hpp>

namespace cutaway::views {

using nlohmann::json;

QString Session::whyNoRun() const {
    if (!hasDocument_) return tr("No script is open.");
    if (readOnly_) return tr("A saved record is not measured again.");
    if (!engine_->isUsable()) return tr("The engine is not running.");
    if (isCompiling() && (partial_ || record()->isEmpty()))
        return tr("The script is still being compiled.");
    if (isCompiling()) return {}; // what it says first is not known
    if (failed_) return tr("The script does not compile.");
    if (nothing_) return tr("The script compiles nothing: there is nothing to measure.");
    return {};
}

void Session::run(const RunOptions& options) {
    if (runId_ || !whyNoRun().isEmpty()) return;
    json backends = json::array();
    for (const QString& backend : options.backends)
        backends.push_back(backend.toStdString());
    json params = {{"path", path_.toStdString()},
                   {"text", textToSend()},
                   {"device", options_.device.toStdString()},
                   {"backends", backends},
                   {"minTime", options.minSeconds},
                   {"threads", options.threads}};
    if (!options_.size.isEmpty()) params["size"] = options_.size.toStdString();
    params["decisions"] = decisionsJson(options_.decisions);
    params["beside"] = options.beside && options.backends.contains(options_.backend);
    params["backend"] = options_.backend.toStdString();
    runDecisions_ = options_.decisions.join("; ");
    if (const record::Entry* entry = currentEntry(); entry && entry->call > 0) {
        params["function"] = currentFunction()->name;
        params["call"] = entry->call;
        params["backward"] = hasBackward(*currentFunction(), *entry);
    }
    runProblem_.clear();
    runsAreNew_ = false;
    runText_ = text_;
    workSince_.start();
    runId_ = engine_->request("run", std::move(params),
                              [this, number = ++runNumber_](const EngineReply& reply) {
                                  // Else another document came first.
                                  if (number == runNumber_) runReplied(reply);
                              });
    emit statusChanged();
}

/// The comparison with double precision tells the errors of two backends.
static void fillErrors(std::vector<record::Run>& runs, const std::vector<record::Check>& checks) {
    double eager = -1, compiled = -1;
    for (const record::Check& check : checks) {
        eager = std::max(eager, check.eagerError);
        compiled = std::max(compiled, check.compiledError);
    }
    for (record::Run& run : runs)
        if (run.maxError < 0)
            run.maxError = run.backend == "eager"      ? eager
                           : run.backend == "inductor" ? compiled
                                                       : -1;
}

void Session::forgetRuns() {
    runs_.clear();
    runsBeside_.clear();
    checks_.clear();
    counted_.clear();
    sampled_.clear();
    missingRuns_.clear();
    if (!std::exchange(runsAreNew_, true)) historyBefore_ = history_.size();
}

/// Adds them to those that are there, and to the history.
void Session::takeMeasured(const json& rows) {
    for (const json& item : rows.value("runs", json::array()))
        if (auto run = record::runFromJson(item); run.ok()) {
            const bool asked = QString::fromStdString(run->decisions) == runDecisions_;
            (asked ? runs_ : runsBeside_).push_back(*run);
        }
    for (const json& item : rows.value("checks", json::array()))
        if (auto check = record::checkFromJson(item); check.ok()) checks_.push_back(*check);
    for (Counted& one : countedFromJson(rows.value("counts", json::array())))
        counted_.push_back(std::move(one));
    for (Sampled& one : sampledFromJson(rows.value("samples", json::array())))
        sampled_.push_back(std::move(one));
    for (const json& item : rows.value("diagnostics", json::array()))
        if (auto problem = record::diagnosticFromJson(item)) {
            const json backend = item.value("backend", json());
            const QString whose =
                backend.is_string() ? QString::fromStdString(backend) : tr("double precision");
            missingRuns_ << whose + ": " + QString::fromStdString(problem->str());
        }
    fillErrors(runs_, checks_);
    history_.resize(historyBefore_);
    history_.insert(history_.end(), runs_.begin(), runs_.end());
    history_.insert(history_.end(), runsBeside_.begin(), runsBeside_.end());
}

void Session::someMeasured(const json& rows) {
    // What was measured before stays until there is something in its place.
    if (!runsAreNew_ && rows.value("runs", json::array()).empty()) return;
    if (!runsAreNew_) forgetRuns();
    takeMeasured(rows);
    emit runsChanged();
}

void Session::runReplied(const EngineReply& reply) {
    runId_ = 0;
    if (!reply.error || reply.error->code != EngineError::kGone) compileWaits_ = false;
    if (reply.error) {
        runProblem_ = reply.error->code != EngineError::kCancelled ? reply.error->message
                      : runText_ != text_ ? tr("stopped: the text changed meanwhile")
                                          : tr("cancelled");
        const json* data = reply.error->data.get();
        if (data && data->is_object())
            if (auto at = data->find("diagnostics");
                at != data->end() && at->is_array() && !at->empty())
                if (auto diagnostic = record::diagnosticFromJson(at->front()))
                    runProblem_ = QString::fromStdString(diagnostic->str());
    } else if (reply.result->is_object()) {
        forgetRuns(); // what was told on the way comes again
        takeMeasured(*reply.result);
        if (runs_.empty()) runProblem_ = tr("the engine measured nothing");
    } else {
        runProblem_ = tr("the engine's answer to “run” is not an object");
    }
    emit runsChanged();
    emit statusChanged();
}

void Session::measureMachine() {
    if (machineId_ || !engine_->isUsable()) return;
    json params = {{"path", "machine.py"},
                   {"text", ceilingsScript().toStdString()},
                   {"device", options_.device.toStdString()},
                   {"backends", {"inductor"}},
                   {"minTime", 0.1},
                   {"threads", 0},
                   {"check", false}};
    machineProblem_.clear();
    machineId_ = engine_->request(
        "run", std::move(params), [this, device = options_.device](const EngineReply& reply) {
            machineId_ = 0;
            std::optional<Ceilings> found;
            if (reply.error)
                machineProblem_ = reply.error->message;
            else if (reply.result->is_object())
                for (const json& item : reply.result->value("runs", json::array()))
                    if (auto run = record::runFromJson(item); run.ok()) found = ceilingsOf(*run);
            if (found)
                ceilings_[device] = *found;
            else if (machineProblem_.isEmpty())
                machineProblem_ = tr("the engine measured no kernels");
            emit machineMeasured();
            emit statusChanged();
        });
    emit statusChanged();
}

static Listing listingFromReply(const EngineReply& reply) {
    Listing listing;
    if (reply.error) {
        listing.problem = reply.error->message;
        return listing;
    }
    if (!reply.result->is_object() || !reply.result->contains("code")) {
        listing.problem = Session::tr("the engine's answer holds no text");
        return listing;
    }
    auto code = record::codeFromJson((*reply.result)["code"]);
    if (!code.ok()) {
        listing.problem = QString::fromStdString(code.error().message);
        return listing;
    }
    listing.code = *code;
    for (const json& item : reply.result->value("remarks", json::array()))
        if (auto remark = record::remarkFromJson(item); remark.ok())
            listing.remarks.push_back(*remark);
    return listing;
}

void Session::listing(const ListingKey& key, ListingHandler handler) {
    if (auto at = listings_.find(key); at != listings_.end()) return handler(at->second);
    bool asked = waiting_.count(key) != 0;
    waiting_[key].push_back(std::move(handler));
    if (asked) return;
    json params = {{"function", key.function},
                   {"entry", key.entry},
                   {"graph", key.graph.toStdString()},
                   {"kernel", key.kernel.toStdString()},
                   {"language", key.language.toStdString()}};
    engine_->request("listing", std::move(params),
                     [this, key, of = std::weak_ptr(record_)](const EngineReply& reply) {
                         if (of.lock() != record_) return; // belongs to an older record
                         Listing listing = listingFromReply(reply);
                         if (listing.problem.isEmpty()) listings_[key] = listing;
                         auto handlers = std::move(waiting_[key]);
                         waiting_.erase(key);
                         for (const ListingHandler& call : handlers)
                             call(listing);
                     });
}

void Session::askRemarks(ItemId item) {
    const record::KernelInfo* kernel = record_->kernel(item);
    if (!kernel || readOnly_ || isPartial() || !engine_->isUsable() || remarks_.contains(item))
        return;
    const Place& at = record_->place(item);
    const record::Entry* entry = record_->entry(at.function, at.entry);
    remarks_[item] = std::nullopt;
    const ListingKey key{
        at.function, at.entry,
        QString::fromStdString(entry->lowered[static_cast<size_t>(at.lowered)].graph),
        QString::fromStdString(kernel->name), QStringLiteral("remarks")};
    listing(key, [this, item](const Listing& listing) {
        remarks_[item] = TextRemarks{placedRemarks(listing.code, listing.remarks), listing.problem};
        emit remarksCame();
    });
}

const TextRemarks* Session::remarks(ItemId kernel) const {
    const auto at = remarks_.find(kernel);
    return at != remarks_.end() && at->second ? &*at->second : nullptr;
}

void Session::withTexts(WholeHandler use) {
    if (!lacksTexts()) return use(lacksTexts_ ? whole_ : record_, {});
    wholeWaiting_.push_back(std::move(use));
    if (wholeWaiting_.size() > 1) return; // asked already
    engine_->request("record", {{"generation", compilation_}},
                     [this, of = std::weak_ptr(record_)](const EngineReply& reply) {
                         if (of.lock() != record_) return; // who waited was told
                         if (reply.error) return wholeCame(nullptr, reply.error->message);
                         decoder_.start([this, of, columns = reply.attachment] {
                             auto decoded = record::fromColumns(
                                 {columns.constData(), static_cast<size_t>(columns.size())});
                             RecordPtr view;
                             QString problem;
                             if (decoded)
                                 view =
                                     sharedAside(std::make_unique<RecordView>(std::move(*decoded)));
                             else
                                 problem = QString::fromStdString(decoded.error().message);
                             QMetaObject::invokeMethod(this, [this, of, view, problem] {
                                 if (of.lock() == record_) wholeCame(view, problem);
                             });
                         });
                     });
}

void Session::wholeCame(const RecordPtr& whole, const QString& problem) {
    whole_ = whole;
    for (const WholeHandler& use : std::exchange(wholeWaiting_, {}))
        use(whole, problem);
}

void Session::cancelAside() {
    if (!asideId_) return;
    engine_->cancel(std::exchange(asideId_, 0));
    aside_.reset();
}

void Session::compileUndecided() {
    const Measured now = shown().ofScript(), plain = now.undecided();
    const auto isPlain = [&](const Experiment& one) { return one.of.matches(plain); };
    if (plain == now || readOnly_ || isCompiling() || record_->isEmpty() || !isCurrent() ||
        !engine_->isUsable() || aside_ == plain || std::ranges::any_of(experiments_, isPlain))
        return;
    aside_ = plain; // what fails is not tried again and again
    json params = {{"path", path_.toStdString()},
                   {"text", textToSend()},
                   {"device", options_.device.toStdString()},
                   {"backend", options_.backend.toStdString()},
                   {"decisions", decisionsJson(plain.decisions.split("; ", Qt::SkipEmptyParts))},
                   {"attached", true},
                   {"codeLines", 0},
                   {"aside", true}};
    if (!options_.size.isEmpty()) params["size"] = options_.size.toStdString();
    asideId_ =
        engine_->request("compile", std::move(params), [this, plain](const EngineReply& reply) {
            if (aside_ != plain) return; // another document came first
            asideId_ = 0;
            if (reply.error && reply.error->code == EngineError::kCancelled) aside_.reset();
            if (reply.error) return;
            decoder_.start([this, plain, columns = reply.attachment] {
                auto made =
                    record::fromColumns({columns.constData(), static_cast<size_t>(columns.size())});
                if (!made) return;
                QMetaObject::invokeMethod(this, [this, plain, outcome = outcomeOf(*made)] {
                    if (aside_ != plain) return;
                    keepExperiment({plain, outcome, {}, text_});
                    emit runsChanged();
                });
            });
        });
}

void Session::compileBeside(const QString& path, WholeHandler handler) {
    json params = {{"path", path.toStdString()},
                   {"device", options_.device.toStdString()},
                   {"backend", options_.backend.toStdString()},
                   {"attached", true},
                   {"aside", true}};
    engine_->request("compile", std::move(params),
                     [this, handler = std::move(handler)](const EngineReply& reply) {
                         if (reply.error) return handler(nullptr, reply.error->message);
                         decoder_.start([this, handler, columns = reply.attachment] {
                             auto made = record::fromColumns(
                                 {columns.constData(), static_cast<size_t>(columns.size())});
                             RecordPtr view;
                             QString problem;
                             if (made)
                                 view = sharedAside(std::make_unique<RecordView>(std::move(*made)));
                             else
                                 problem = QString::fromStdString(made.error().message);
                             QMetaObject::invokeMethod(
                                 this, [handler, view, problem] { handler(view, problem); });
                         });
                     });
}

void Session::story(json params, StoryHandler handler) {
    engine_->request("story", std::move(params),
                     [this, of = std::weak_ptr(record_),
                      handler = std::move(handler)](const EngineReply& reply) {
                         if (of.lock() != record_) return; // belongs to an older record
                         handler(reply.result, reply.error ? reply.error->message : QString());
                     });
}

void Session::overlay(const QString& name, OverlayHandler handler) {
    engine_->request("overlay", {{"overlay", name.toStdString()}},
                     [this, name, of = std::weak_ptr(record_),
                      handler = std::move(handler)](const EngineReply& reply) {
                         if (of.lock() != record_) return; // belongs to an older record
                         if (reply.error) return handler(nullptr, reply.error->message);
                         auto values = std::make_shared<NodeValues>();
                         values->title = name;
                         const json told = reply.result->is_object()
                                               ? reply.result->value("values", json::object())
                                               : json::object();
                         for (const auto& [key, value] : told.items())
                             if (value.is_number())
                                 values->byName.insert(QString::fromStdString(key),
                                                       value.get<double>());
                         handler(values, {});
                     });
}

void Session::requestOps() {
    engine_->request("ops", json::object(), [this](const EngineReply& reply) {
        if (!reply.result || !reply.result->is_object()) return; // an older engine
        for (const json& op : reply.result->value("ops", json::array())) {
            if (!op.is_object()) continue;
            auto text = [&](const char* field) {
                auto at = op.find(field);
                return at != op.end() && at->is_string() ? QString::fromStdString(*at) : QString();
            };
            opDocs_.insert(text("name"), text("summary") + "\n" + text("formula"));
        }
    });
}

QString Session::opDoc(const QString& op) const {
    QString name = op.startsWith("aten.") ? op.mid(5) : op;
    if (auto at = opDocs_.constFind(name); at != opDocs_.constEnd()) return *at;
    if (name.endsWith(".default")) name.chop(8);
    return opDocs_.value(name);
}

} // namespace cutaway::views
