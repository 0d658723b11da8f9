// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/session.h"

#include "core/record/columns.h"
#include "core/record/json.h"
#include "views/models/release_aside.h"

#include <QFileInfo>
#include <nlohmann/json.hpp>
#include <utility>

namespace cutaway::views {

using nlohmann::json;

namespace {
constexpr int kDebounceMs = 80;
constexpr int kDraftMs = 400;
constexpr int kLookMs = 500;          ///< for the writer of a record
constexpr int kMostCodeLines = 20000; ///< that come with a record
constexpr size_t kMostExperiments = 200;
/// A whole record, though of another text, gives way to the first stages of this one after that
/// long; and these to more of them after as long as it took to read and show them: half of the time.
constexpr int kWholeStaysMs = 1000, kSoFarStaysMs = 20;
} // namespace

Session::Session(EngineClient* engine, DraftStore drafts, QObject* parent)
    : QObject(parent), engine_(engine), drafts_(std::move(drafts)) {
    decoder_.setMaxThreadCount(1);
    writer_.setMaxThreadCount(1);
    debounce_.setSingleShot(true);
    debounce_.setInterval(kDebounceMs);
    connect(&debounce_, &QTimer::timeout, this, &Session::compileNow);
    draftTimer_.setSingleShot(true);
    draftTimer_.setInterval(kDraftMs);
    connect(&draftTimer_, &QTimer::timeout, this, &Session::writeDraft);
    soFarTimer_.setSingleShot(true);
    connect(&soFarTimer_, &QTimer::timeout, this, &Session::decodeSoFar);
    connect(engine_, &EngineClient::stageDone, this, [this](int request, const QByteArray& soFar) {
        if (request == compileId_) keepSoFar(soFar);
    });
    connect(engine_, &EngineClient::measured, this, [this](int request, const JsonPtr& rows) {
        if (request == runId_) someMeasured(*rows);
    });
    connect(&watch_, &FileWatch::touched, this, &Session::lookAtDisk);
    looking_.setInterval(kLookMs);
    connect(&looking_, &QTimer::timeout, this, &Session::lookForWriter);
    connect(engine_, &EngineClient::stateChanged, this, &Session::engineStateChanged);
    connect(engine_, &EngineClient::progress, this,
            [this](int request, const QString& stage, double fraction) {
                if (request == compileId_) whereCompiling_ = stage;
                if (request == compileId_ || request == runId_ || request == probeId_ ||
                    request == tuneId_)
                    emit progress(stage, fraction);
            });
}

Session::~Session() {
    keepEdits();
    decoder_.waitForDone();
    writer_.waitForDone();
}

void Session::setDocument(const QString& key, const QString& path, const QString& text,
                          bool readOnly, const QStringList& decisions) {
    bool other = key != key_ || !hasDocument_;
    if (other) keepWork();
    opening_ = false;
    ++openings_; // of a record that is read meanwhile
    key_ = key;
    path_ = path;
    text_ = text;
    readOnly_ = readOnly;
    model_ = !readOnly && DocumentFile::isModel(path);
    following_ = growing_ = false;
    hasDocument_ = true;
    keptMissing_ = !path.isEmpty() && !QFileInfo::exists(path);
    diskState_ = DiskState::Same;
    diskText_.reset();
    watch_.watch(path);
    if (other) {
        forgetRequests();
        partial_ = false;
        sizes_.clear();
        takeWork(decisions);
        runProblem_.clear();
        missingRuns_.clear();
        runsAreNew_ = false;
        probeProblem_.clear();
        numbers_ = nullptr;
        compileMs_ = 0;
        setDiagnostics({});
        acceptRecord(emptyRecord(), {});
    }
    emit documentChanged();
    emit textReplaced(other);
    emit modifiedChanged();
    emit optionsChanged();
    emit runsChanged();
    emit numbersChanged();
    emit diskChanged();
    if (!readOnly) compileNow();
}

void Session::keepWork() {
    if (!hasDocument_ || readOnly_) return;
    work_[key_] = {options_.size,    options_.decisions,
                   decisionsBefore_, decisionsAfter_,
                   meanings_,        experiments_,
                   experiment_,      runs_,
                   history_,         checks_,
                   counted_,         sampled_};
}

void Session::takeWork(const QStringList& decisions) {
    const bool known = work_.contains(key_) && !readOnly_;
    Work work = known ? work_.take(key_) : Work{};
    options_.size = work.size;
    options_.decisions = known ? work.decisions : decisions;
    decisionsBefore_ = work.before;
    if (!known && !decisions.isEmpty())
        decisionsBefore_ << Decided{{options_.size, options_.device, options_.backend, {}},
                                    text_}; // back to the compiler's
    decisionsAfter_ = work.after;
    meanings_ = work.meanings;
    experiments_ = std::move(work.experiments);
    experiment_ = work.experiment;
    runs_ = std::move(work.runs);
    history_ = std::move(work.history);
    checks_ = std::move(work.checks);
    counted_ = std::move(work.counted);
    sampled_ = std::move(work.sampled);
    decisionNotes_.clear();
}

/// Whatever is still under way belongs to the document before; the engine is freed for this one.
void Session::forgetRequests() {
    debounce_.stop();
    forgetSoFar();
    ++generation_;
    ++runNumber_;
    ++probeNumber_;
    ++tuneNumber_;
    cancelAside();
    aside_.reset();
    for (int* id : {&compileId_, &runId_, &probeId_, &tuneId_})
        if (*id) engine_->cancel(std::exchange(*id, 0));
    tuneProblem_.clear();
    decoding_ = failed_ = cancelled_ = interrupted_ = nothing_ = false;
}

void Session::setText(const QString& text) {
    if (text == text_ || readOnly_ || model_) return;
    text_ = text;
    cancelled_ = interrupted_ = false; // these were of the text before
    tuneProblem_.clear();
    if (std::exchange(failed_, false)) setDiagnostics({});
    emit modifiedChanged();
    emit statusChanged();
    debounce_.start();
    if (!draftTimer_.isActive()) draftTimer_.start(); // of who types on, too
}

void Session::setOptions(const CompileOptions& options) {
    if (options == options_) return;
    if (options.decisions != options_.decisions) {
        decisionsRestored_ = false;
        draftTimer_.start();
    }
    options_ = options;
    tuneProblem_.clear();
    emit optionsChanged();
    compileNow();
}

void Session::decide(const QStringList& decisions) {
    CompileOptions options = options_;
    options.decisions = decisions;
    change(options);
}

void Session::change(const CompileOptions& options) {
    if (options == options_ || readOnly_) return;
    decisionsBefore_ << Decided{options_, text_};
    decisionsAfter_.clear();
    rememberMeanings(options.decisions, options_.decisions);
    setOptions(options);
}

void Session::returnTo(const Experiment& experiment) {
    if (readOnly_) return;
    if (experiment.text != text_) {
        setText(experiment.text);
        emit textReplaced(false);
    }
    change({experiment.of.size, experiment.of.device, options_.backend,
            experiment.of.decisions.split("; ", Qt::SkipEmptyParts)});
}

void Session::rememberMeanings(const QStringList& decisions, const QStringList& known) {
    for (const QString& one : decisions)
        if (!known.contains(one)) meanings_[one] = decisionMeaning(*record_, one);
}

void Session::undoDecision() {
    if (decisionsBefore_.isEmpty()) return;
    const Decided before = decisionsBefore_.takeLast();
    decisionsAfter_ << Decided{options_, before.text};
    setOptions(before.options);
}

void Session::redoDecision() {
    if (decisionsAfter_.isEmpty()) return;
    const Decided after = decisionsAfter_.takeLast();
    decisionsBefore_ << Decided{options_, after.text};
    setOptions(after.options);
}

/// The sizes that an error's data tells; none: the compilation did not come that far.
static QStringList sizesIn(const json& data) {
    QStringList sizes;
    auto at = data.find("sizes");
    if (at == data.end() || !at->is_array()) return sizes;
    for (const json& size : *at)
        if (size.is_string()) sizes << QString::fromStdString(size);
    return sizes;
}

Measured Session::shown(int threads) const {
    const record::Entry* entry = currentEntry();
    Measured now{options_.size,
                 readOnly_ && entry ? QString::fromStdString(entry->device) : options_.device,
                 text_, threads, options_.decisions};
    if (entry && entry->call > 0) now.setCall(currentFunction()->name, entry->call);
    return now;
}

std::vector<record::Run> Session::runsOfShown() const {
    std::vector<record::Run> matching;
    std::ranges::copy_if(
        runs_, std::back_inserter(matching),
        [now = shown()](const record::Run& run) { return Measured(run).matches(now); });
    return matching;
}

const Sampled* Session::sampledOfShown() const {
    const record::Entry* entry = currentEntry();
    if (!entry) return nullptr;
    const auto isIts = [&](const auto& one) { return one.backend == entry->backend; };
    if (!std::ranges::any_of(runsOfShown(), isIts)) return nullptr;
    const QString backend = QString::fromStdString(entry->backend);
    const auto at = std::ranges::find(sampled_, backend, &Sampled::backend);
    return at == sampled_.end() ? nullptr : &*at;
}

NumbersPtr Session::numbersOfShown() const {
    return numbers_ && numbers_->of.matches(shown().ofScript()) ? numbers_ : nullptr;
}

bool Session::isStale() const {
    return !record_->isEmpty() && (recordText_ != text_ || recordOptions_ != options_);
}

void Session::compileAgain() {
    suspect_ = {};
    if (engine_->isUsable()) return compileNow();
    engine_->start(); // compiles as soon as it is ready
}

json decisionsJson(const QStringList& decisions) {
    json all = json::array();
    for (const QString& one : decisions)
        all.push_back(one.toStdString());
    return all;
}

void Session::compileNow() {
    debounce_.stop();
    if (!hasDocument_ || readOnly_ || !engine_->isUsable()) return;
    if (compileId_) engine_->cancel(compileId_);
    if (runId_ && runText_ != text_) engine_->cancel(runId_); // nobody waits for its numbers now
    if (probeId_) engine_->cancel(probeId_);
    if (tuneId_) engine_->cancel(tuneId_);
    cancelAside();
    int generation = ++generation_;
    cancelled_ = interrupted_ = false;
    suspect_ = {};
    whereCompiling_.clear();
    compileOptions_ = options_;
    compileText_ = text_;
    compileSince_.start();
    forgetSoFar();
    compileWaits_ = isRunning();
    json params = {{"path", path_.toStdString()},
                   {"text", textToSend()},
                   {"device", options_.device.toStdString()},
                   {"backend", options_.backend.toStdString()},
                   {"attached", true},
                   {"stages", true},
                   {"codeLines", kMostCodeLines},
                   {"generation", generation}};
    if (!options_.size.isEmpty()) params["size"] = options_.size.toStdString();
    params["decisions"] = decisionsJson(options_.decisions);
    compileId_ = engine_->request("compile", std::move(params),
                                  [this, generation, text = text_](const EngineReply& reply) {
                                      if (generation == generation_)
                                          compileReplied(generation, text, reply);
                                  });
    emit statusChanged();
}

void Session::compileReplied(int generation, const QString& text, const EngineReply& reply) {
    const int id = std::exchange(compileId_, 0);
    if (reply.result) {
        compileMs_ = reply.ms;
        const Sent sent = sentRecord(reply.result, reply.attachment);
        if (sent.isThere()) return decode(generation, text, sent, false);
        setDiagnostics(
            {base::bugError(tr("the engine's answer to `compile` holds no record").toStdString())});
        failed_ = true;
        emit statusChanged();
        return;
    }
    if (reply.error->code == EngineError::kGone || reply.error->code == EngineError::kCancelled) {
        cancelled_ = reply.error->code == EngineError::kCancelled;
        const int endedFor = engine_->endedFor();
        const bool waited = compileWaits_ || (endedFor != 0 && endedFor != id);
        interrupted_ = !cancelled_ && !waited; // what had not begun ended nothing
        if (interrupted_) suspect_ = text;
        if (cancelled_) {
            failed_ = false; // what is known of an older text says nothing of this one
            setDiagnostics({});
        }
        emit statusChanged();
        return;
    }
    failed_ = true;
    std::vector<base::Diagnostic> found;
    const json* data = reply.error->data.get();
    if (data && data->is_object()) {
        if (auto at = data->find("diagnostics"); at != data->end() && at->is_array())
            for (const json& item : *at)
                if (auto diagnostic = record::diagnosticFromJson(item))
                    found.push_back(*diagnostic);
        const QStringList sizes = sizesIn(*data);
        if (!options_.size.isEmpty() && !sizes.isEmpty() && !sizes.contains(options_.size)) {
            sizes_ = sizes;
            options_.size.clear(); // the script offers it no more
            emit optionsChanged();
            return compileNow();
        }
        const Sent sent = sentRecord(reply.error->data, reply.attachment);
        if (sent.isThere() && (record_->isEmpty() || partial_))
            decode(generation, text, sent, true);
    }
    if (found.empty()) found.push_back(base::userError({}, reply.error->message.toStdString()));
    setDiagnostics(std::move(found));
    emit statusChanged();
}

Session::Sent Session::sentRecord(const JsonPtr& holder, const QByteArray& attachment) {
    if (!holder || !holder->is_object()) return {};
    const auto at = holder->find("record");
    if (at == holder->end()) return {};
    if (at->is_object()) return {{}, JsonPtr(holder, &*at)};
    return {attachment, nullptr};
}

static base::Result<record::Record> recordOf(const QByteArray& columns, const JsonPtr& otherwise) {
    if (otherwise) return record::fromJson(*otherwise);
    return record::fromColumns({columns.constData(), static_cast<size_t>(columns.size())});
}

void Session::decode(int generation, const QString& text, const Sent& sent, bool partial) {
    decoding_ = true;
    emit statusChanged();
    decoder_.start([this, generation, text, sent, partial] {
        auto result =
            std::make_shared<base::Result<record::Record>>(recordOf(sent.columns, sent.json));
        RecordPtr view;
        if (result->ok())
            view = sharedAside(std::make_unique<RecordView>(std::move(result->value())));
        QMetaObject::invokeMethod(this, [this, generation, result, view, partial, text] {
            if (generation != generation_) return;
            decoding_ = false;
            if (!view) {
                failed_ = true;
                setDiagnostics({result->error()});
            } else {
                if (!partial) {
                    failed_ = false;
                    whereCompiling_.clear();
                    nothing_ = view->isEmpty();
                    setDiagnostics(view->record().messages);
                }
                // A text that compiles nothing (half of one, mostly) takes nothing off the screen.
                if (!view->isEmpty() || record_->isEmpty()) takeRecord(view, text, partial);
            }
            emit statusChanged();
        });
    });
}

json Session::textToSend() const {
    return model_ ? json() : json(text_.toStdString());
}

void Session::takeRecord(const RecordPtr& view, const QString& sent, bool partial) {
    QString text = sent;
    if (const auto& files = view->record().files; model_ && !files.empty()) {
        text = QString::fromStdString(files[0].text);
        if (std::exchange(text_, text) != text) emit textReplaced(false);
        savedText_ = compileText_ = text;
    }
    const QString size = QString::fromStdString(view->record().size);
    if (!partial || !view->record().sizes.empty()) sizes_.clear();
    for (const std::string& key : view->record().sizes)
        sizes_ << QString::fromStdString(key);
    if (options_ == compileOptions_) options_.size = compileOptions_.size = size;
    recordOptions_ = compileOptions_;
    recordOptions_.size = size;
    partial_ = partial;
    if (!partial) remember(*view, text);
    acceptRecord(view, text);
    emit optionsChanged();
}

void Session::keepSoFar(const QByteArray& columns) {
    soFar_ = columns;
    if (decodingSoFar_ || soFarTimer_.isActive()) return;
    const bool whole = !record_->isEmpty() && !partial_;
    const auto wait = whole ? kWholeStaysMs - compileSince_.elapsed() : 0;
    soFarTimer_.start(static_cast<int>(std::max<qint64>(0, wait)));
}

void Session::forgetSoFar() {
    soFarTimer_.stop();
    soFar_.clear();
}

void Session::decodeSoFar() {
    if (soFar_.isEmpty() || !compileId_) return;
    decodingSoFar_ = true;
    decoder_.start([this, id = compileId_, columns = std::exchange(soFar_, {})] {
        QElapsedTimer took;
        took.start();
        auto result = recordOf(columns, nullptr);
        RecordPtr view;
        if (result) view = sharedAside(std::make_unique<RecordView>(std::move(*result)));
        QMetaObject::invokeMethod(this, [this, id, view, took] {
            decodingSoFar_ = false;
            if (id == compileId_ && view && !view->isEmpty()) {
                takeRecord(view, compileText_, true);
                emit statusChanged();
            }
            soFarTimer_.start(std::max(kSoFarStaysMs, static_cast<int>(took.elapsed())));
        });
    });
}

void Session::remember(const RecordView& view, const QString& text) {
    const record::Record& record = view.record();
    const QStringList& decisions = compileOptions_.decisions;
    decisionNotes_ = notesOf(view, decisions, meanings_);
    for (const QString& one : decisions) // of an earlier window, whose record is not here
        if (!meanings_.contains(one)) meanings_[one] = decisionMeaning(view, one);
    keepExperiment(
        {{QString::fromStdString(record.size), compileOptions_.device, text, 0, decisions},
         outcomeOf(record),
         decisionNotes_,
         text});
    const auto shown = std::ranges::find(
        experiments_,
        Measured(QString::fromStdString(record.size), compileOptions_.device, text, 0, decisions),
        &Experiment::of);
    if (shown != experiments_.end()) experiment_ = shown->number;
}

void Session::keepExperiment(Experiment made) {
    made.made = QDateTime::currentDateTime();
    if (const auto at = std::ranges::find(experiments_, made.of, &Experiment::of);
        at != experiments_.end()) { // rows keep their places
        made.number = at->number;
        made.before = at->before;
        *at = std::move(made);
    } else {
        made.number = ++lastExperiment_;
        made.before = experiment_;
        experiments_.push_back(std::move(made));
    }
    if (experiments_.size() > kMostExperiments) experiments_.erase(experiments_.begin());
}

void Session::acceptRecord(const RecordPtr& record, const QString& text) {
    const record::Function* old = nullptr;
    if (const auto& functions = record_->record().functions;
        function_ >= 0 && static_cast<size_t>(function_) < functions.size())
        old = &functions[static_cast<size_t>(function_)];
    const auto& functions = record->record().functions;
    int function = 0;
    while (static_cast<size_t>(function) + 1 < functions.size() && !record->entry(function, 0))
        ++function;
    for (size_t i = 0; old && i < functions.size(); ++i)
        if (functions[i].name == old->name && !functions[i].entries.empty())
            function = static_cast<int>(i);
    RecordPtr before = record_; // `old` points into it
    if (!record->entry(function, entry_)) entry_ = 0;
    function_ = function;
    record_ = record;
    recordText_ = text;
    compilation_ = generation_;
    recordTime_ = QDateTime::currentDateTime();
    listings_.clear();
    waiting_.clear();
    remarks_.clear();
    lacksTexts_ = record::lacksTexts(record->record());
    whole_ = nullptr;
    if (!wholeWaiting_.empty()) wholeCame(nullptr, tr("another record came first"));
    emit recordChanged();
    emit focusChanged();
}

void Session::setFocus(int function, int entry) {
    if (function == function_ && entry == entry_) return;
    if (!record_->entry(function, entry)) return;
    function_ = function;
    entry_ = entry;
    emit focusChanged();
}

void Session::setDiagnostics(std::vector<base::Diagnostic> diagnostics) {
    diagnostics_ = std::move(diagnostics);
    emit diagnosticsChanged();
}

void Session::engineStateChanged() {
    if (engine_->state() == EngineClient::State::Ready && opDocs_.isEmpty()) requestOps();
    // What the engine fell over would only bring it down again, and what was given up is not wanted.
    const bool again = !cancelled_ && (suspect_.isNull() || suspect_ != text_);
    if (engine_->state() == EngineClient::State::Ready && compileId_ == 0 && again) compileNow();
    emit statusChanged();
}

qint64 Session::workingMs() const {
    if (isRunning() || isComparing() || isTiming()) return workSince_.elapsed();
    return isCompiling() && compileSince_.isValid() ? compileSince_.elapsed() : 0;
}

void Session::cancel() {
    debounce_.stop();
    if (std::exchange(opening_, false)) {
        ++openings_;
        emit openFailed({});
    }
    if (compileId_) engine_->cancel(compileId_);
    if (runId_) engine_->cancel(runId_);
    if (machineId_) engine_->cancel(machineId_);
    if (probeId_) engine_->cancel(probeId_);
    if (tuneId_) engine_->cancel(tuneId_);
    emit statusChanged();
}

} // namespace cutaway::views
