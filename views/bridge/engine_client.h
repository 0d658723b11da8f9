// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The window's end of the engine: a child process that speaks JSON-RPC 2.0 over standard input and
/// output. The process may crash, hang or talk nonsense at any time; here that becomes a state, and
/// every open request gets an error.
#pragma once

#include "views/bridge/message_framing.h"
#include "views/models/stage_cells.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QThreadPool>
#include <QTimer>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace cutaway::views {

using JsonPtr = std::shared_ptr<const nlohmann::json>;

struct EngineError {
    static constexpr int kCompile = -32000;   ///< the engine's: the input was wrong
    static constexpr int kGone = -32001;      ///< ours: the process ended
    static constexpr int kTimeout = -32002;   ///< ours: no reply in time
    static constexpr int kCancelled = -32800; ///< the engine's answer to a cancelled request
    int code = 0;
    QString message;
    JsonPtr data; ///< may be null
};

struct EngineReply {
    JsonPtr result; ///< null when there is an error
    std::optional<EngineError> error;
    QByteArray attachment; ///< of the result, or of the error
    double ms = 0;         ///< from request to reply
};

/// Numbers of nodes that a plug-in of the engine computes.
struct OverlayInfo {
    QString name, summary;
};

struct EngineInfo {
    QString producer; ///< "cutaway 0.1.0"
    bool cudaAvailable = false;
    QString cudaMessage;
    QStringList devices, backends;
    std::vector<OverlayInfo> overlays;
    QStringList pluginProblems;    ///< why plug-ins are not there that were asked for
    std::vector<StageInfo> stages; ///< in order
    int threads = 0; ///< of the engine's machine, which need not be this one; 0: it does not say
};

class EngineClient : public QObject {
    Q_OBJECT
public:
    enum class State {
        Stopped,
        Starting,
        Ready,
        Unresponsive, ///< alive, but a cancelled request was not given up soon: about to be ended
        Crashed,      ///< ended by itself, or was ended because it sent nonsense
        Failed        ///< could not be started
    };
    Q_ENUM(State)
    using Handler = std::function<void(const EngineReply&)>;

    /// \param command program and arguments, e.g. {"cutaway", "serve"} or {"ssh", "host", ...}
    explicit EngineClient(QStringList command, QObject* parent = nullptr);
    /// Another one, from the next start on.
    void setCommand(QStringList command) { command_ = std::move(command); }
    ~EngineClient() override;

    void start();
    void stop();
    void restart();
    State state() const { return state_; }
    bool isUsable() const { return state_ == State::Ready || state_ == State::Unresponsive; }
    /// Why the engine is not there, for people; with the end of what it wrote on standard error.
    const QString& problem() const { return problem_; }
    /// The request whose cancelling it did not follow, for which it was ended here; 0: none.
    int endedFor() const { return endedFor_; }
    const EngineInfo& info() const { return info_; }
    qint64 processId() const { return process_ ? process_->processId() : 0; }

    /// Sends a request; \p handler runs exactly once on this object's thread, never from inside
    /// this call. \param timeoutMs 0: wait for ever. \returns the request's id.
    int request(const char* method, nlohmann::json params, Handler handler, int timeoutMs = 0);
    /// Asks the engine to give up a request; its handler runs at once. An engine that has not done
    /// so after the grace period is ended.
    void cancel(int id);
    void setCancelGrace(int ms) { cancelGraceMs_ = ms; }
    int pendingRequests() const { return static_cast<int>(pending_.size()); }

signals:
    void stateChanged();
    void progress(int request, const QString& stage, double fraction);
    /// What is there of a record that \p request asked for, as columns.
    void stageDone(int request, const QByteArray& soFar);
    /// Rows of what \p request measures, as its result will hold them: those that are new.
    void measured(int request, const JsonPtr& rows);
    void log(const QString& message);

private:
    struct Pending {
        Handler handler;
        QElapsedTimer since;
    };
    void setState(State state);
    void readOutput();
    void readErrors();
    void received(JsonPtr message, const QByteArray& attachment, quint64 life);
    void handleReply(const JsonPtr& whole, const QByteArray& attachment);
    void finish(int id, EngineReply reply);
    void failAll(int code, const QString& message);
    void processEnded(int exitCode, QProcess::ExitStatus status);
    void giveUp(State state, const QString& problem);
    void discardProcess();
    void initialize();

    QStringList command_;
    QProcess* process_ = nullptr;
    MessageReader reader_;
    QByteArray errors_; ///< the end of standard error
    QString problem_;
    EngineInfo info_;
    State state_ = State::Stopped;
    QHash<int, Pending> pending_;
    int nextId_ = 1, endedFor_ = 0;
    int cancelGraceMs_ = 3000;
    quint64 life_ = 0;   ///< counts processes, so that a dead one's last words are not heard
    QThreadPool parser_; ///< one thread: large replies are parsed off the GUI thread, in order
};

} // namespace cutaway::views
