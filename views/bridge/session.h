// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// One open document and what the engine made of it: text, options, the last good record, messages,
/// measurements. It decides when to compile and what is out of date; panes only show it.
#pragma once

#include "core/base/diagnostic.h"
#include "views/bridge/document_file.h"
#include "views/bridge/draft_store.h"
#include "views/bridge/engine_client.h"
#include "views/models/counted.h"
#include "views/models/decisions.h"
#include "views/models/given_input.h"
#include "views/models/measured.h"
#include "views/models/node_values.h"
#include "views/models/numbers.h"
#include "views/models/record_view.h"
#include "views/models/remarks.h"
#include "views/models/roofline.h"
#include "views/models/sampled.h"

#include <map>
#include <tuple>

namespace cutaway::views {

struct CompileOptions {
    QString size; ///< a key of the case file's `sizes`; empty: the script's own
    QString device = QStringLiteral("cpu");
    QString backend = QStringLiteral("inductor");
    QStringList decisions; ///< made instead of the compiler: see models/decisions.h
    bool operator==(const CompileOptions&) const = default;
};

struct RunOptions {
    QStringList backends;
    int threads = 0; ///< 0: all cores
    double minSeconds = 0.3;
    /// What the compiler does without what is decided is measured, too: it goes into the history.
    bool beside = false;
};

/// One text of one kernel that the engine makes on demand.
struct ListingKey {
    int function = 0, entry = 0;
    QString graph, kernel, language;
    friend bool operator<(const ListingKey& a, const ListingKey& b) {
        return std::tie(a.function, a.entry, a.graph, a.kernel, a.language) <
               std::tie(b.function, b.entry, b.graph, b.kernel, b.language);
    }
};

struct Listing {
    record::Code code;
    std::vector<record::Remark> remarks;
    QString problem; ///< why there is no text
};

/// What is said of a kernel's C++ text by its compiler.
struct TextRemarks {
    std::vector<PlacedRemark> all;
    QString problem; ///< why nothing is
};

/// As the engine's requests want them.
nlohmann::json decisionsJson(const QStringList& decisions);

class Session : public QObject {
    Q_OBJECT
public:
    Session(EngineClient* engine, DraftStore drafts, QObject* parent = nullptr);
    ~Session() override;

    EngineClient* engine() const { return engine_; }
    const DraftStore& drafts() const { return drafts_; }

    // The document.
    bool openFile(const QString& path, QString* error);
    /// Opens unsaved text, with its path if it has one.
    void openDraft(const Draft& draft);
    /// A script without a path; it becomes a draft once it is edited.
    void newDocument(const QString& text);
    /// Nothing is open afterwards. Fails when unsaved edits can not be kept as a draft.
    bool closeDocument(QString* error);
    /// Fails when another program changed the file; keepMine() allows it.
    bool save(QString* error);
    bool saveAs(const QString& path, QString* error);
    using RecordWriter = std::function<base::Status(const record::Record&)>;
    using Written = std::function<void(const base::Status&)>;
    /// Gives \p write the record with those measurements that are of it, beside the GUI thread;
    /// \p done then gets what came of it, on this one.
    void writeRecord(RecordWriter write, Written done);
    bool isWriting() const { return writing_ > 0; }
    bool hasDocument() const { return hasDocument_; }
    bool isReadOnly() const { return readOnly_; }
    /// Whether it is what torch.export saved: text() is the script that the engine makes of it, empty
    /// until there is a record, and is not edited.
    bool isModel() const { return model_; }
    /// Shows a record, that another program goes on writing, as it grows; until another document.
    void follow();
    bool isFollowing() const { return following_; }
    /// Whether the program that writes it still runs.
    bool isGrowing() const { return growing_; }
    const QString& path() const { return path_; }
    const QString& text() const { return text_; }
    QString savedText() const { return savedText_; }
    bool isModified() const { return text_ != savedText_; }
    /// What tells this document from others: its path, or an id of a script without one.
    const QString& key() const { return key_; }
    /// An edit: compiles after a short pause.
    void setText(const QString& text);
    /// What others did to the file since it was read or written here.
    enum class DiskState { Same, Changed, Missing };
    DiskState diskState() const { return diskState_; }
    /// What the file holds when it was changed by others; nothing: no script any more.
    const std::optional<QString>& diskText() const { return diskText_; }
    /// Looks at the file now; the watch over it calls this, too.
    void lookAtDisk();
    /// Takes what others wrote.
    void reloadFromDisk();
    /// What is here stays, and the next save() overwrites what is there now.
    void keepMine();

    /// When the open text came from a draft instead of the file.
    std::optional<QDateTime> restoredDraft() const { return restored_; }
    void discardDraft();
    /// Throws a draft away, and what was decided and tried with it.
    void discard(const Draft& draft);
    void keepDraft() { restored_.reset(); }
    /// Whether what is decided of the file came from an earlier window, until keepDecisions() or
    /// another decision.
    bool decisionsRestored() const { return decisionsRestored_; }
    void keepDecisions() { decisionsRestored_ = false; }
    /// Writes the draft of unsaved edits, and what is decided of a file, now. \returns false when
    /// they would be lost with the document: neither saved nor kept.
    bool keepEdits(QString* error = nullptr);
    /// Whether another window has unsaved edits of this file.
    bool othersEdit() const { return !readOnly_ && !path_.isEmpty() && drafts_.othersHold(key_); }
    /// Why unsaved edits are not kept as a draft; empty: they are.
    const QString& draftProblem() const { return draftProblem_; }

    // What to compile for.
    const CompileOptions& options() const { return options_; }
    void setOptions(const CompileOptions& options);
    const QStringList& sizes() const { return sizes_; }
    /// Decides instead of the compiler, which compiles again; can be undone.
    void decide(const QStringList& decisions);
    /// The same of the size and the device, too.
    void change(const CompileOptions& options);
    bool canUndoDecision() const { return !decisionsBefore_.isEmpty(); }
    bool canRedoDecision() const { return !decisionsAfter_.isEmpty(); }
    /// What was decided last came after every edit that is in the text.
    bool isDecisionLast() const {
        return canUndoDecision() && decisionsBefore_.last().text == text_;
    }
    /// What was taken back last of decisions comes before any edit that was taken back.
    bool isDecisionNext() const {
        return canRedoDecision() && decisionsAfter_.last().text == text_;
    }
    void undoDecision();
    void redoDecision();
    /// Every different compilation of this document, in their order.
    const std::vector<Experiment>& experiments() const { return experiments_; }
    using WholeHandler = std::function<void(const RecordPtr& whole, const QString& problem)>;
    /// Goes back to what one of them was of: its text, size, device and decisions; can be undone.
    void returnTo(const Experiment& experiment);
    /// Compiles what the decisions are compared with, unless it was: it becomes an experiment, and
    /// what is shown stays.
    void compileUndecided();
    /// Compiles another file for the same device, as it is on the disk; what is shown stays. Null and
    /// why not where that fails.
    void compileBeside(const QString& path, WholeHandler handler);
    /// What is not as it was decided in the last compilation that came to something.
    const DecisionNotes& decisionNotes() const { return decisionNotes_; }

    // What came out.
    const RecordPtr& record() const { return record_; }
    bool isStale() const;
    bool isCompiling() const { return compileId_ != 0 || decoding_; }
    /// The engine is done, and what it answered is being read.
    bool isDecoding() const { return compileId_ == 0 && decoding_; }
    /// How long the work has lasted that the status tells of.
    qint64 workingMs() const;
    /// A record is read, which will take the place of what is open: documentChanged(), or openFailed().
    bool isOpening() const { return opening_; }
    bool isRunning() const { return runId_ != 0; }
    /// What is shown lacks later stages: they are on their way, or failed, or were cancelled.
    bool isPartial() const { return partial_; }
    bool isBusy() const {
        return isCompiling() || isOpening() || isRunning() || isMeasuringMachine() ||
               isComparing() || isTiming() || debounce_.isActive();
    }
    bool failed() const { return failed_; }
    /// Whether the last text that was compiled holds nothing to compile.
    bool compilesNothing() const { return nothing_; }
    /// What is shown is of the text and the options that are chosen, and these compile.
    bool isCurrent() const { return !isStale() && !failed_ && !nothing_; }
    bool wasCancelled() const { return cancelled_; }
    /// What the engine said last of where it is in this compilation, or where that ended: a label
    /// of a stage, or words; empty: nothing yet, or it went well.
    const QString& whereCompiling() const { return whereCompiling_; }
    double compileMs() const { return compileMs_; }
    /// True after the engine ended while it compiled the text, which is then not tried again by
    /// itself.
    bool wasInterrupted() const { return interrupted_; }
    /// Which compilation of this window the record that is shown came from: it grows while that
    /// lasts, and what it holds stays.
    int compilation() const { return compilation_; }
    /// When the record that is shown arrived.
    const QDateTime& recordTime() const { return recordTime_; }
    const std::vector<base::Diagnostic>& diagnostics() const { return diagnostics_; }
    const std::vector<record::Run>& runs() const { return runs_; }
    const std::vector<record::Check>& checks() const { return checks_; }
    /// What calls of runs() were counted to do.
    const std::vector<Counted>& counted() const { return counted_; }
    /// Where calls of runs() computed.
    const std::vector<Sampled>& sampled() const { return sampled_; }
    /// Of the backend that is shown, and of what is shown; null: nothing was sampled of it.
    const Sampled* sampledOfShown() const;
    /// Every measurement of this document, in their order.
    const std::vector<record::Run>& history() const { return history_; }
    /// What a measurement must be of to stand for what is shown. \param threads 0: any number
    Measured shown(int threads = 0) const;
    /// Of runs() and numbers() those that are of what is shown: no others may stand for it.
    std::vector<record::Run> runsOfShown() const;
    NumbersPtr numbersOfShown() const;
    const QString& runProblem() const { return runProblem_; }
    /// What could not be measured of runs(): "aot_eager: …".
    const QStringList& missingRuns() const { return missingRuns_; }
    /// Whether runs() are of a measurement that was not made to its end.
    bool isRunPartial() const { return !runProblem_.isEmpty() && runsAreNew_; }
    /// They are measured anew, and what there is of them is of the measurement before.
    bool awaitsRuns() const { return isRunning() && !runsAreNew_; }
    void compileNow();
    /// As a person asks for it: starts the engine if it is gone, and tries what it ended over
    /// again.
    void compileAgain();
    /// Whether the compilation waits for a measurement to end.
    bool compileWaits() const { return compileWaits_ && isCompiling() && isRunning(); }
    void run(const RunOptions& options);
    /// Why run() would measure nothing, for people; empty: it would measure.
    QString whyNoRun() const;
    void cancel();
    /// What the chosen device was measured to reach; not known before measureMachine().
    Ceilings ceilings() const { return ceilings_.value(options_.device); }
    /// Measures a large sum and a large product on the chosen device: about a second.
    void measureMachine();
    bool isMeasuringMachine() const { return machineId_ != 0; }
    const QString& machineProblem() const { return machineProblem_; }

    /// Every value of what is shown beside eager mode and double precision; null until compared.
    const NumbersPtr& numbers() const { return numbers_; }
    /// Asks the engine for them; whyNoRun() says why it would not.
    void compareValues();
    bool isComparing() const { return probeId_ != 0; }
    const QString& compareProblem() const { return probeProblem_; }

    /// Times every schedule that was considered for every kernel; whyNoRun() says why it would not.
    void timeSchedules();
    bool isTiming() const { return tuneId_ != 0; }
    const QString& timingProblem() const { return tuneProblem_; }
    /// Of a kernel so run, of the text and the options that are chosen.
    ScheduleTime scheduleTime(const std::string& graph, const std::string& kernel,
                              const std::string& schedule) const;

    // Which function and entry the panes show.
    int function() const { return function_; }
    int entryIndex() const { return entry_; }
    void setFocus(int function, int entry);
    /// Null while there is nothing to show.
    /// Null: nothing is shown.
    const record::Function* currentFunction() const {
        return currentEntry() ? &record_->record().functions[static_cast<size_t>(function_)]
                              : nullptr;
    }
    const record::Entry* currentEntry() const { return record_->entry(function_, entry_); }

    /// What the catalogue says of an operation ("aten.cos.default"): summary and formula, one line
    /// each; empty while the engine has not told.
    QString opDoc(const QString& op) const;

    using ListingHandler = std::function<void(const Listing&)>;
    /// Calls back at once when the text is known, else when the engine has made it.
    void listing(const ListingKey& key, ListingHandler handler);

    using InputsHandler =
        std::function<void(const std::vector<CaseInput>& inputs, const QString& problem)>;
    /// Asks the engine which tensors the case file gives to its model; \p handler is not called once
    /// another document came.
    void caseInputs(InputsHandler handler);

    using SourcesHandler = std::function<void(int files, const QString& problem)>;
    /// Asks the engine for the kernels as files that can be built, and writes them below a folder,
    /// beside the GUI thread. \p handler then gets how many these are, or why there are none; it is
    /// not called once another document came.
    void exportSources(bool cuda, const QString& folder, SourcesHandler handler);

    /// Code of many lines comes without its texts: who shows a kernel asks for its listing.
    bool lacksTexts() const { return lacksTexts_ && !whole_; }
    /// Calls \p use with the record that is shown and all of its texts: at once where they are
    /// there, else when the engine has sent them, or with null and the reason why not.
    void withTexts(WholeHandler use);

    using StoryHandler = std::function<void(const JsonPtr& story, const QString& problem)>;
    /// Asks the engine how something of the record came about (method "story"). \param handler
    /// gets null and the reason where there is no such story; not called once another record came
    void story(nlohmann::json params, StoryHandler handler);

    using OverlayHandler = std::function<void(NodeValuesPtr values, const QString& problem)>;
    /// Asks the engine for the numbers of an overlay of a plug-in for what is shown. \param handler
    /// gets null and the reason where there are none; not called once another record came
    void overlay(const QString& name, OverlayHandler handler);

    /// Asks for what the compiler of the kernel's C++ text says of it; remarksCame() tells that it is
    /// there. Nothing is asked twice.
    void askRemarks(ItemId kernel);
    /// Null: not asked, or not here yet.
    const TextRemarks* remarks(ItemId kernel) const;

signals:
    void documentChanged(); ///< another document, or another path
    /// The text changed without the editor. \param other it is another document's
    void textReplaced(bool other);
    void diskChanged(); ///< diskState
    void draftProblemChanged();
    void modifiedChanged();
    void optionsChanged();
    void recordChanged();
    void focusChanged();
    void diagnosticsChanged();
    void runsChanged();
    void numbersChanged();
    void openFailed(const QString& problem); ///< of a record; what was open stays
    void schedulesTimed();                   ///< scheduleTime(), or timingProblem()
    void remarksCame();                      ///< remarks() of one more kernel
    void machineMeasured();                  ///< ceilings(), or why there are none
    void statusChanged();                    ///< compiling, running, stale, failed
    void progress(const QString& stage, double fraction);

private:
    bool openFile(const QString& path, const QString& draftFile, QString* error);
    /// \param key tells documents apart: see Draft::key
    /// \param decisions made in an earlier window
    void setDocument(const QString& key, const QString& path, const QString& text, bool readOnly,
                     const QStringList& decisions = {});
    /// What was decided when something else was decided instead, and of which text that was.
    struct Decided {
        CompileOptions options;
        QString text;
    };
    /// What was decided, tried and measured of a document in this window: it is there again when
    /// the document is opened again.
    struct Work {
        QString size;
        QStringList decisions;
        QList<Decided> before, after;
        QHash<QString, QString> meanings;
        std::vector<Experiment> experiments;
        quint64 experiment = 0;
        std::vector<record::Run> runs, history;
        std::vector<record::Check> checks;
        std::vector<Counted> counted;
        std::vector<Sampled> sampled;
    };
    void keepWork();
    void takeWork(const QStringList& decisions);
    /// Remembers what decisions are about while the record that they were chosen in is at hand.
    void rememberMeanings(const QStringList& decisions, const QStringList& known);
    void engineStateChanged();
    void requestOps();
    /// \param text the script that was compiled, which may differ from the editor's by now
    void compileReplied(int generation, const QString& text, const EngineReply& reply);
    /// A record on its way from the engine: as columns, or as JSON where there are none.
    struct Sent {
        QByteArray columns;
        JsonPtr json;
        bool isThere() const { return !columns.isEmpty() || json; }
    };
    static Sent sentRecord(const JsonPtr& holder, const QByteArray& attachment);
    void decode(int generation, const QString& text, const Sent& sent, bool partial);
    void keepSoFar(const QByteArray& columns);
    void decodeSoFar();
    void forgetSoFar();
    /// What was decoded takes the place of what is shown.
    void takeRecord(const RecordPtr& view, const QString& text, bool partial);
    void openRecordFile(const QString& path);
    void readRecordFile();
    void showRecordFile(const RecordPtr& view);
    void acceptRecord(const RecordPtr& record, const QString& text);
    /// Takes it up in experiments().
    void remember(const RecordView& view, const QString& text);
    void keepExperiment(Experiment made);
    void cancelAside();
    void wholeCame(const RecordPtr& whole, const QString& problem);
    void setDiskState(DiskState state, std::optional<QString> text);
    void forgetRequests();
    void setDiagnostics(std::vector<base::Diagnostic> diagnostics);
    void runReplied(const EngineReply& reply);
    void someMeasured(const nlohmann::json& rows);
    void takeMeasured(const nlohmann::json& rows);
    void forgetRuns();
    void probeReplied(const EngineReply& reply);
    void tuneReplied(const EngineReply& reply);
    QString tunedText() const;
    void writeDraft();
    void removeDraft();
    QString keepEditsNow();
    void lookForWriter();
    /// The "text" of a request about the document; null: the file's.
    nlohmann::json textToSend() const;

    EngineClient* engine_;
    DraftStore drafts_;
    QString key_, path_, text_, savedText_;
    bool hasDocument_ = false, readOnly_ = false, model_ = false, bom_ = false;
    bool opening_ = false, followsNext_ = false;
    int openings_ = 0;
    bool following_ = false; ///< the record's file: whatever comes is shown
    bool growing_ = false;   ///< its writer was there when it was looked at last
    QTimer looking_;         ///< for the writer, while a record is followed
    FileWatch watch_;
    DiskState diskState_ = DiskState::Same;
    std::optional<QString> diskText_;
    bool keptMissing_ = false;          ///< the person knows that there is no file
    QPair<QDateTime, qint64> diskSeen_; ///< time and size of a record's file when it was read
    std::optional<QDateTime> restored_;
    bool decisionsRestored_ = false;
    QString draftProblem_;
    CompileOptions options_;
    QStringList sizes_;
    QList<Decided> decisionsBefore_, decisionsAfter_;
    QHash<QString, QString> meanings_; ///< of a decision: see decisionMeaning()
    std::vector<Experiment> experiments_;
    quint64 experiment_ = 0, lastExperiment_ = 0; ///< the one that is shown; the newest
    DecisionNotes decisionNotes_;
    QHash<QString, Work> work_; ///< of documents that were left, by their keys
    RecordPtr record_ = emptyRecord();
    QString recordText_;
    QDateTime recordTime_;
    CompileOptions recordOptions_, compileOptions_;
    std::vector<base::Diagnostic> diagnostics_;
    bool failed_ = false, cancelled_ = false, decoding_ = false, interrupted_ = false;
    bool nothing_ = false, partial_ = false;
    QString compileText_; ///< the script that is compiled
    QByteArray soFar_;    ///< the newest record of its first stages that is not shown yet
    bool decodingSoFar_ = false;
    QElapsedTimer compileSince_, workSince_; ///< the latter of what is measured or compared
    bool compileWaits_ = false;              ///< the request came while a measurement was under way
    QString suspect_;                        ///< the text that the engine compiled when it ended
    int generation_ = 0, compilation_ = 0, compileId_ = 0, runId_ = 0, runNumber_ = 0;
    QString runText_; ///< the script that is measured
    int machineId_ = 0;
    QHash<QString, Ceilings> ceilings_; ///< by device
    QString machineProblem_;
    QString whereCompiling_;
    double compileMs_ = 0;
    std::vector<record::Run> runs_, runsBeside_, history_;
    QString runDecisions_; ///< what runs_ are of, and runsBeside_ are not
    std::vector<record::Check> checks_;
    std::vector<Counted> counted_;
    std::vector<Sampled> sampled_;
    QString runProblem_;
    QStringList missingRuns_;
    bool runsAreNew_ = false;  ///< of the measurement that was asked for last
    size_t historyBefore_ = 0; ///< how long history_ was before runs_ came
    int probeId_ = 0, probeNumber_ = 0;
    int asideId_ = 0;
    std::optional<Measured> aside_; ///< what was compiled aside last, or is
    int tuneId_ = 0, tuneNumber_ = 0;
    QString tuneProblem_, tuneOf_, tunedOf_; ///< what is timed, and what was
    QHash<QString, ScheduleTime> scheduleTimes_;
    QString probeText_, probeProblem_; ///< the script whose values are compared
    NumbersPtr numbers_;
    int function_ = 0, entry_ = 0;
    QHash<QString, QString> opDocs_;
    bool lacksTexts_ = false;
    RecordPtr whole_; ///< with the texts that record_ lacks; null: nobody asked for them
    std::vector<WholeHandler> wholeWaiting_;
    std::map<ListingKey, Listing> listings_;
    std::map<ListingKey, std::vector<ListingHandler>> waiting_;
    std::map<ItemId, std::optional<TextRemarks>> remarks_; ///< nothing: asked
    QTimer debounce_, draftTimer_, soFarTimer_;
    int writing_ = 0;
    QThreadPool decoder_, writer_;
};

} // namespace cutaway::views
