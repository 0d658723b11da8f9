// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/session.h"

#include "core/record/json.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <nlohmann/json.hpp>

namespace cutaway::views {

using nlohmann::json;

namespace {
constexpr int kDebounceMs = 80;
constexpr int kDraftMs = 400;
} // namespace

Session::Session(EngineClient* engine, DraftStore drafts, QObject* parent)
    : QObject(parent), engine_(engine), drafts_(std::move(drafts)) {
    decoder_.setMaxThreadCount(1);
    debounce_.setSingleShot(true);
    debounce_.setInterval(kDebounceMs);
    connect(&debounce_, &QTimer::timeout, this, &Session::compileNow);
    draftTimer_.setSingleShot(true);
    draftTimer_.setInterval(kDraftMs);
    connect(&draftTimer_, &QTimer::timeout, this, &Session::writeDraft);
    connect(engine_, &EngineClient::stateChanged, this, &Session::engineStateChanged);
    connect(engine_, &EngineClient::progress, this,
            [this](int request, const QString& stage, double fraction) {
                if (request == compileId_ || request == runId_) emit progress(stage, fraction);
            });
}

Session::~Session() {
    keepEdits();
    decoder_.waitForDone();
}

bool Session::openFile(const QString& path, QString* error) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        if (error) *error = tr("%1: %2").arg(path, file.errorString());
        return false;
    }
    keepEdits();
    QString absolute = QFileInfo(path).absoluteFilePath();
    if (path.endsWith(".cutaway")) {
        openRecordFile(absolute);
        return true;
    }
    QString text = QString::fromUtf8(file.readAll());
    savedText_ = text;
    restored_.reset();
    if (auto draft = drafts_.read(absolute); draft && draft->text != text) {
        text = draft->text;
        restored_ = draft->time;
    }
    setDocument(absolute, absolute, text, false);
    return true;
}

void Session::openDraft(const Draft& draft) {
    if (!draft.path.isEmpty() && QFileInfo::exists(draft.path)) {
        openFile(draft.path, nullptr);
        return;
    }
    keepEdits();
    savedText_.clear();
    restored_ = draft.time;
    setDocument(draft.key, draft.path, draft.text, false);
}

void Session::newDocument(const QString& text) {
    keepEdits();
    savedText_ = text;
    restored_.reset();
    setDocument(DraftStore::newKey(), {}, text, false);
}

void Session::keepEdits() {
    if (draftTimer_.isActive()) writeDraft();
}

void Session::setDocument(const QString& key, const QString& path, const QString& text,
                          bool readOnly) {
    bool other = key != key_ || !hasDocument_;
    key_ = key;
    path_ = path;
    text_ = text;
    readOnly_ = readOnly;
    hasDocument_ = true;
    if (other) {
        ++generation_; // whatever is still compiling belongs to the document before
        compileId_ = 0;
        decoding_ = false;
        sizeChosen_ = false;
        sizes_.clear();
        options_.size.clear();
        runs_.clear();
        checks_.clear();
        runProblem_.clear();
        compileMs_ = 0;
        setDiagnostics({});
        acceptRecord(emptyRecord(), {});
    }
    emit documentChanged();
    emit textReplaced();
    emit modifiedChanged();
    emit optionsChanged();
    emit runsChanged();
    if (!readOnly) requestSizes();
}

void Session::openRecordFile(const QString& path) {
    savedText_.clear();
    restored_.reset();
    setDocument(path, path, {}, true);
    decoding_ = true;
    emit statusChanged();
    decoder_.start([this, path, generation = generation_] {
        auto result =
            std::make_shared<base::Result<record::Record>>(record::open(path.toStdString()));
        RecordPtr view;
        if (result->ok()) view = std::make_shared<RecordView>(std::move(result->value()));
        QMetaObject::invokeMethod(this, [this, generation, result, view] {
            if (generation != generation_) return;
            decoding_ = false;
            failed_ = !view;
            if (!view) {
                setDiagnostics({result->error()});
            } else {
                const auto& files = view->record().files;
                text_ = savedText_ =
                    files.empty() ? QString() : QString::fromStdString(files[0].text);
                runs_ = view->record().runs;
                checks_ = view->record().checks;
                if (!view->record().size.empty())
                    sizes_ = {options_.size = QString::fromStdString(view->record().size)};
                runText_ = text_;
                runOptions_ = recordOptions_ = options_;
                setDiagnostics(view->record().messages);
                acceptRecord(view, text_);
                emit textReplaced();
                emit modifiedChanged();
                emit optionsChanged();
                emit runsChanged();
            }
            emit statusChanged();
        });
    });
}

bool Session::saveAs(const QString& path, QString* error) {
    QSaveFile file(path);
    bool written =
        file.open(QIODevice::WriteOnly) && file.write(text_.toUtf8()) >= 0 && file.commit();
    if (!written) {
        if (error) *error = tr("%1: %2").arg(path, file.errorString());
        return false;
    }
    draftTimer_.stop();
    drafts_.remove(key_);
    restored_.reset();
    key_ = path_ = QFileInfo(path).absoluteFilePath();
    savedText_ = text_;
    emit documentChanged();
    emit modifiedChanged();
    return true;
}

bool Session::saveRecord(const QString& path, QString* error) const {
    record::Record copy = record_->record();
    copy.runs = runs_;
    copy.checks = checks_;
    base::Status status = record::save(copy, path.toStdString());
    if (!status.ok() && error) *error = QString::fromStdString(status.error().str());
    return status.ok();
}

void Session::setText(const QString& text) {
    if (text == text_ || readOnly_) return;
    text_ = text;
    emit modifiedChanged();
    emit statusChanged();
    debounce_.start();
    draftTimer_.start();
}

void Session::writeDraft() {
    draftTimer_.stop();
    if (isModified())
        drafts_.write(key_, path_, text_);
    else
        drafts_.remove(key_);
}

void Session::discardDraft() {
    drafts_.remove(key_);
    restored_.reset();
    text_ = savedText_;
    emit textReplaced();
    emit modifiedChanged();
    compileNow();
}

void Session::setOptions(const CompileOptions& options) {
    if (options == options_) return;
    if (options.size != options_.size) sizeChosen_ = true;
    options_ = options;
    emit optionsChanged();
    compileNow();
}

void Session::chooseSize() {
    if (sizeChosen_ && sizes_.contains(options_.size)) return;
    options_.size = sizes_.value(0); // the smallest by custom: quick to compile and run
}

void Session::requestSizes() {
    if (!engine_->isUsable()) return;
    json params = {{"path", path_.toStdString()}, {"text", text_.toStdString()}};
    engine_->request("sizes", params, [this, generation = generation_](const EngineReply& reply) {
        if (generation != generation_) return; // an edit or another document came first
        if (reply.result && reply.result->is_object())
            if (auto at = reply.result->find("sizes");
                at != reply.result->end() && at->is_array()) {
                sizes_.clear();
                for (const json& size : *at)
                    if (size.is_string()) sizes_ << QString::fromStdString(size);
                chooseSize();
                emit optionsChanged();
            }
        compileNow();
    });
}

bool Session::isStale() const {
    return !record_->isEmpty() && (recordText_ != text_ || recordOptions_ != options_);
}

void Session::compileNow() {
    debounce_.stop();
    if (!hasDocument_ || readOnly_ || !engine_->isUsable()) return;
    if (compileId_) engine_->cancel(compileId_);
    int generation = ++generation_;
    cancelled_ = false;
    compileOptions_ = options_;
    json params = {{"path", path_.toStdString()},
                   {"text", text_.toStdString()},
                   {"device", options_.device.startsWith("cuda") ? "cuda" : "cpu"},
                   {"backend", options_.backend.toStdString()},
                   {"generation", generation}};
    if (!options_.size.isEmpty()) params["size"] = options_.size.toStdString();
    compileId_ = engine_->request("compile", std::move(params),
                                  [this, generation, text = text_](const EngineReply& reply) {
                                      if (generation == generation_)
                                          compileReplied(generation, text, reply);
                                  });
    emit statusChanged();
}

void Session::compileReplied(int generation, const QString& text, const EngineReply& reply) {
    compileId_ = 0;
    if (reply.result) {
        compileMs_ = reply.ms;
        auto at = reply.result->find("record");
        if (reply.result->is_object() && at != reply.result->end())
            return decode(generation, text, JsonPtr(reply.result, &*at), false);
        setDiagnostics({base::bugError("the engine's answer to `compile` holds no record")});
        failed_ = true;
        emit statusChanged();
        return;
    }
    if (reply.error->code == EngineError::kGone || reply.error->code == EngineError::kCancelled) {
        cancelled_ = reply.error->code == EngineError::kCancelled;
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
        auto partial = data->find("record");
        if (partial != data->end() && partial->is_object() && record_->isEmpty())
            decode(generation, text, JsonPtr(reply.error->data, &*partial), true);
    }
    if (found.empty()) found.push_back(base::userError({}, reply.error->message.toStdString()));
    setDiagnostics(std::move(found));
    emit statusChanged();
}

void Session::decode(int generation, const QString& text, JsonPtr from, bool partial) {
    decoding_ = true;
    emit statusChanged();
    decoder_.start([this, generation, text, from, partial] {
        auto result = std::make_shared<base::Result<record::Record>>(record::fromJson(*from));
        RecordPtr view;
        if (result->ok()) view = std::make_shared<RecordView>(std::move(result->value()));
        QMetaObject::invokeMethod(this, [this, generation, result, view, partial, text] {
            if (generation != generation_) return;
            decoding_ = false;
            if (!view) {
                failed_ = true;
                setDiagnostics({result->error()});
            } else {
                if (!partial) {
                    failed_ = false;
                    setDiagnostics(view->record().messages);
                }
                recordOptions_ = compileOptions_;
                acceptRecord(view, text);
            }
            emit statusChanged();
        });
    });
}

void Session::acceptRecord(const RecordPtr& record, const QString& text) {
    const record::Function* old = nullptr;
    if (const auto& functions = record_->record().functions;
        function_ >= 0 && static_cast<size_t>(function_) < functions.size())
        old = &functions[static_cast<size_t>(function_)];
    int function = 0;
    const auto& functions = record->record().functions;
    for (size_t i = 0; old && i < functions.size(); ++i)
        if (functions[i].name == old->name) function = static_cast<int>(i);
    RecordPtr before = record_; // `old` points into it
    if (!record->entry(function, entry_)) entry_ = 0;
    function_ = function;
    record_ = record;
    recordText_ = text;
    listings_.clear();
    waiting_.clear();
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
    if (engine_->state() == EngineClient::State::Ready && hasDocument_ && !readOnly_ &&
        compileId_ == 0)
        requestSizes();
    emit statusChanged();
}

void Session::cancel() {
    debounce_.stop();
    if (compileId_) engine_->cancel(compileId_);
    if (runId_) engine_->cancel(runId_);
    emit statusChanged();
}

} // namespace cutaway::views
