// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What lies in a file, told by its content and not by its name; and a watch over it.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <optional>

namespace cutaway::views {

struct DocumentFile {
    bool record = false; ///< a .cutaway file, whatever its name; it is read by record::open
    bool bom = false;    ///< the text starts with a byte order mark
    QString text;        ///< of a script

    /// Nothing when the file cannot be read or is neither a script nor a record; \p error then
    /// says what it is instead.
    static std::optional<DocumentFile> read(const QString& path, QString* error);
    /// Whether Chrome's trace events lie there: JSON, an object or a list of them.
    static bool isTrace(const QString& path);
    /// Whether there are graphs of another program that can be compared with a record's: a model in
    /// ONNX or torch.export's format, a log of PyTorch's compiler.
    static bool isGraph(const QString& path);
    /// Whether a program that torch.export saved lies there, of which the engine makes a script.
    static bool isModel(const QString& path);
    /// The bytes that a script is saved as.
    static QByteArray bytes(const QString& text, bool bom);
};

/// Tells when something happened to a file: written, replaced by another of its name, removed.
class FileWatch : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(QObject* parent = nullptr);
    /// \param path empty: none
    void watch(const QString& path);

signals:
    void touched(); ///< once for changes that follow closely; the content may be the same

private:
    QFileSystemWatcher watcher_;
    QString path_;
    QTimer settle_;
};

} // namespace cutaway::views
