// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Session that deals with files: what is read, written, kept as a draft, and what
// others do to it meanwhile.
#include "views/bridge/session.h"

#include "core/base/file_system.h"
#include "core/base/held_file.h"
#include "core/record/json.h"
#include "views/language/sentences.h"
#include "views/models/release_aside.h"

#include <QFileInfo>
#include <functional>

namespace cutaway::views {

static QPair<QDateTime, qint64> stampOf(const QString& path) {
    const QFileInfo info(path);
    return {info.lastModified(), info.size()};
}

bool Session::openFile(const QString& path, QString* error) {
    return openFile(path, {}, error);
}

bool Session::openFile(const QString& path, const QString& draftFile, QString* error) {
    auto found = DocumentFile::read(path, error);
    if (!found || !keepEdits(error)) return false;
    QString absolute = QFileInfo(path).absoluteFilePath();
    if (found->record) {
        openRecordFile(absolute);
        return true;
    }
    QString text = found->text;
    savedText_ = text;
    diskSeen_ = stampOf(path);
    bom_ = found->bom;
    restored_.reset();
    auto draft = drafts_.take(absolute, draftFile);
    if (draft && draft->text == text) drafts_.remove();
    if (draft && draft->text != text) {
        restored_ = draft->time;
        text = draft->text;
        // If others wrote the file after the edits began, saving these would undo that.
        if (draft->base) savedText_ = *draft->base;
    }
    const QStringList decisions = draft ? draft->decisions : drafts_.decisionsOf(absolute);
    const bool before = work_.contains(absolute) || (hasDocument_ && key_ == absolute);
    decisionsRestored_ = !before && !decisions.isEmpty();
    setDocument(absolute, absolute, text, false, decisions);
    lookAtDisk();
    return true;
}

void Session::openDraft(const Draft& draft) {
    if (!draft.path.isEmpty() && QFileInfo::exists(draft.path)) {
        openFile(draft.path, draft.file, nullptr);
        return;
    }
    keepEdits();
    const bool held = drafts_.take(draft.key, draft.file).has_value();
    savedText_.clear();
    bom_ = false;
    restored_ = draft.time;
    decisionsRestored_ = false;
    setDocument(draft.key, draft.path, draft.text, false, draft.decisions);
    if (!held) draftTimer_.start(); // it was thrown away meanwhile, and is on no disk
}

void Session::newDocument(const QString& text) {
    keepEdits();
    drafts_.release();
    savedText_ = text;
    bom_ = decisionsRestored_ = false;
    restored_.reset();
    setDocument(DraftStore::newKey(), {}, text, false);
}

bool Session::closeDocument(QString* error) {
    if (!keepEdits(error)) return false;
    drafts_.release();
    savedText_.clear();
    restored_.reset();
    bom_ = decisionsRestored_ = false;
    setDocument({}, {}, {}, true); // nothing to compile
    readOnly_ = hasDocument_ = false;
    emit documentChanged();
    return true;
}

bool Session::keepEdits(QString* error) {
    if (draftTimer_.isActive() || !draftProblem_.isEmpty()) writeDraft();
    if (error) *error = draftProblem_;
    return draftProblem_.isEmpty();
}

using RecordHandler = std::function<void(const RecordPtr&, const base::Diagnostic&)>;

/// Reads a record on the thread of \p pool and gives it to \p handler on that of \p session; null and
/// why not where it cannot be read.
static void readRecord(QThreadPool& pool, QObject* session, const QString& path,
                       RecordHandler handler) {
    pool.start([session, path, handler = std::move(handler)] {
        auto result = record::open(path.toStdString());
        RecordPtr view;
        if (result.ok()) view = sharedAside(std::make_unique<RecordView>(std::move(*result)));
        const base::Diagnostic problem = result.ok() ? base::Diagnostic() : result.error();
        QMetaObject::invokeMethod(session, [handler, view, problem] { handler(view, problem); });
    });
}

/// What is open stays until the record could be read.
void Session::openRecordFile(const QString& path) {
    opening_ = true;
    followsNext_ = false;
    workSince_.start();
    emit statusChanged();
    readRecord(decoder_, this, path,
               [this, path, seen = stampOf(path),
                number = ++openings_](const RecordPtr& view, const base::Diagnostic& problem) {
                   if (number != openings_) return;
                   opening_ = false;
                   QString draft;
                   if (!view || !keepEdits(&draft)) {
                       emit openFailed(view ? draft : told(problem));
                       return statusChanged();
                   }
                   drafts_.release();
                   savedText_.clear();
                   restored_.reset();
                   decisionsRestored_ = false;
                   setDocument(path, path, {}, true);
                   diskSeen_ = seen;
                   decoding_ = true;
                   emit statusChanged();
                   // In a turn of its own: the window has laid out what it shows of a document.
                   const auto show = [this, view, generation = generation_] {
                       if (generation != generation_) return;
                       decoding_ = false;
                       showRecordFile(view);
                       emit statusChanged();
                       if (followsNext_) follow();
                   };
                   QMetaObject::invokeMethod(this, show, Qt::QueuedConnection);
               });
}

/// As it is on the disk now.
void Session::readRecordFile() {
    diskSeen_ = stampOf(path_);
    const int generation = ++generation_;
    decoding_ = true;
    emit statusChanged();
    readRecord(decoder_, this, path_,
               [this, generation](const RecordPtr& view, const base::Diagnostic& problem) {
                   if (generation != generation_) return;
                   decoding_ = false;
                   failed_ = !view;
                   if (view)
                       showRecordFile(view);
                   else
                       setDiagnostics({problem});
                   emit statusChanged();
                   if (following_) lookAtDisk(); // it may have grown meanwhile
               });
}

void Session::follow() {
    followsNext_ = opening_;
    if (opening_) return;
    if (!readOnly_ || path_.isEmpty()) return;
    following_ = true;
    lookAtDisk();
    growing_ = false;
    lookForWriter();
    emit statusChanged();
}

void Session::lookForWriter() {
    const bool growing =
        following_ && base::HeldFile::isHeld(QFile::encodeName(path_).toStdString());
    if (!following_)
        looking_.stop();
    else
        looking_.start();
    if (std::exchange(growing_, growing) != growing) emit statusChanged();
}

void Session::showRecordFile(const RecordPtr& view) {
    const record::Record& record = view->record();
    text_ = savedText_ =
        record.files.empty() ? QString() : QString::fromStdString(record.files[0].text);
    runs_ = record.runs;
    checks_ = record.checks;
    // Older records do not say what their measurements are of: it is the record itself.
    const std::string hash = record::textHash(text_.toStdString());
    const record::Entry* entry = view->entry(0, 0);
    for (record::Run& run : runs_)
        if (run.textHash.empty()) run.textHash = hash;
    for (record::Check& check : checks_)
        if (check.textHash.empty()) {
            check.textHash = hash;
            check.size = record.size;
            check.device = entry ? entry->device : std::string();
        }
    options_.size = QString::fromStdString(record.size);
    options_.decisions.clear();
    for (const std::string& decision : record.decisions)
        options_.decisions << QString::fromStdString(decision);
    history_ = runs_;
    sizes_.clear();
    if (!record.size.empty()) sizes_ << options_.size;
    recordOptions_ = options_;
    setDiagnostics(record.messages);
    acceptRecord(view, text_);
    emit textReplaced(false);
    emit modifiedChanged();
    emit optionsChanged();
    emit runsChanged();
}

bool Session::save(QString* error) {
    lookAtDisk();
    if (diskState_ != DiskState::Changed) return saveAs(path_, error);
    if (error) *error = tr("%1: another program changed this file").arg(path_);
    return false;
}

bool Session::saveAs(const QString& path, QString* error) {
    const base::Status written = base::writeFileAtomically(
        QFile::encodeName(path).toStdString(), DocumentFile::bytes(text_, bom_).toStdString());
    if (!written) {
        if (error) *error = QString::fromStdString(written.error().message);
        return false;
    }
    if (model_) return true; // a copy of what the engine made of it
    removeDraft();
    restored_.reset();
    key_ = path_ = QFileInfo(path).absoluteFilePath();
    savedText_ = text_;
    writeDraft(); // nothing but what is decided
    keptMissing_ = false;
    watch_.watch(path_);
    setDiskState(DiskState::Same, {});
    emit documentChanged();
    emit modifiedChanged();
    return true;
}

void Session::setDiskState(DiskState state, std::optional<QString> text) {
    if (state == diskState_ && text == diskText_) return;
    diskState_ = state;
    diskText_ = std::move(text);
    emit diskChanged();
}

void Session::lookAtDisk() {
    if (!hasDocument_ || path_.isEmpty()) return;
    if (!QFileInfo::exists(path_))
        return setDiskState(keptMissing_ ? DiskState::Same : DiskState::Missing, {});
    if (following_ && stampOf(path_) != diskSeen_) {
        if (!decoding_) readRecordFile();
        return setDiskState(DiskState::Same, {});
    }
    if (readOnly_ || model_)
        return setDiskState(stampOf(path_) == diskSeen_ ? DiskState::Same : DiskState::Changed, {});
    auto found = DocumentFile::read(path_, nullptr);
    if (!found || found->record) return setDiskState(DiskState::Changed, {});
    if (found->text == savedText_ && found->bom == bom_ && !keptMissing_)
        return setDiskState(DiskState::Same, {});
    setDiskState(DiskState::Changed, found->text);
}

void Session::reloadFromDisk() {
    if (readOnly_) {
        setDiskState(DiskState::Same, {});
        return readRecordFile();
    }
    auto found = DocumentFile::read(path_, nullptr);
    if (!found || found->record || model_) {
        openFile(path_, nullptr);
        return;
    }
    removeDraft();
    restored_.reset();
    text_ = savedText_ = found->text;
    bom_ = found->bom;
    keptMissing_ = false;
    setDiskState(DiskState::Same, {});
    draftTimer_.start(); // what is decided is of the file now
    emit textReplaced(false);
    emit modifiedChanged();
    compileNow();
}

void Session::keepMine() {
    keptMissing_ = diskState_ == DiskState::Missing;
    diskSeen_ = stampOf(path_);
    if (keptMissing_) savedText_.clear();
    if (diskText_) savedText_ = *diskText_;
    setDiskState(DiskState::Same, {});
    draftTimer_.start(); // what is kept is now an edit of what is there
    emit modifiedChanged();
}

void Session::writeRecord(RecordWriter write, Written done) {
    const record::Entry* entry = currentEntry();
    Measured own(QString::fromStdString(record_->record().size),
                 entry ? QString::fromStdString(entry->device) : options_.device, recordText_, 0,
                 recordOptions_.decisions);
    // A script's record has the calls of all its functions.
    auto others = [&](const auto& row) { return !Measured(row).ofScript().matches(own); };
    std::vector<record::Run> runs = runs_;
    std::vector<record::Check> checks = checks_;
    std::erase_if(runs, others);
    std::erase_if(checks, others);
    ++writing_;
    auto written = [this, done = std::move(done)](const base::Status& status) {
        --writing_;
        done(status);
    };
    withTexts([this, written, runs = std::move(runs), checks = std::move(checks),
               write = std::move(write)](const RecordPtr& of, const QString& problem) {
        if (!of)
            return written(base::environmentError(
                tr("the texts of the kernels did not come: %1").arg(problem).toStdString()));
        writer_.start([this, of, runs, checks, write, written] {
            record::Record copy = of->record();
            copy.runs = runs;
            copy.checks = checks;
            auto status = std::make_shared<const base::Status>(write(copy));
            QMetaObject::invokeMethod(this, [written, status] { written(*status); });
        });
    });
}

/// A draft holds what is decided of its text. What is decided of a saved file is kept by its path.
/// \returns why not; empty: it is kept
QString Session::keepEditsNow() {
    if (isModified()) {
        const base::Status status = drafts_.write(
            {path_, text_, QDateTime::currentDateTime(), key_, savedText_, {}, options_.decisions});
        return status ? QString()
                      : tr("unsaved edits could not be kept: %1")
                            .arg(QString::fromStdString(status.error().message));
    }
    drafts_.remove();
    if (path_.isEmpty()) return {};
    const base::Status status = drafts_.keepDecisions(path_, options_.decisions);
    return status ? QString()
                  : tr("what is decided could not be kept: %1")
                        .arg(QString::fromStdString(status.error().message));
}

void Session::writeDraft() {
    draftTimer_.stop();
    if (readOnly_) return;
    const QString problem = keepEditsNow();
    if (std::exchange(draftProblem_, problem) != problem) emit draftProblemChanged();
}

void Session::removeDraft() {
    draftTimer_.stop();
    drafts_.remove();
    if (!std::exchange(draftProblem_, {}).isEmpty()) emit draftProblemChanged();
}

void Session::discard(const Draft& draft) {
    DraftStore::discard(draft);
    work_.remove(draft.key);
}

void Session::discardDraft() {
    if (QFileInfo::exists(path_)) return reloadFromDisk();
    removeDraft();
    restored_.reset();
    text_ = savedText_;
    emit textReplaced(false);
    emit modifiedChanged();
    compileNow();
}

} // namespace cutaway::views
