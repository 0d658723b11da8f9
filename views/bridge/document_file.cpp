// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/document_file.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStringDecoder>

namespace cutaway::views {

namespace {

constexpr qint64 kMostScriptBytes = 16 << 20;
constexpr qint64 kHeadBytes = 256; ///< that tell what a file is
/// A trace's events follow what it tells of the machine.
constexpr qint64 kTraceHeadBytes = 1 << 16;
constexpr int kSettleMs = 120; ///< editors write in several steps
constexpr const char* kBom = "\xef\xbb\xbf";
constexpr const char *kOnnx = "ONNX", *kExport = "PyTorch (torch.export)";

struct Words {
    Q_DECLARE_TR_FUNCTIONS(DocumentFile)
};

/// A zip archive that lists a record.json; an archive's table of contents is at its end.
bool isRecord(QFile& file, const QByteArray& head) {
    constexpr qint64 kTable = 64 << 10;
    if (!head.startsWith("PK\x03\x04")) return false;
    if (!file.seek(std::max<qint64>(0, file.size() - kTable))) return false;
    return file.read(kTable).contains("record.json");
}

/// The first byte that no script has: a zero, or the start of a wrong UTF-8 sequence; -1: none.
qsizetype firstForeignByte(const QByteArray& bytes) {
    QStringDecoder decoder(QStringConverter::Utf8, QStringConverter::Flag::Stateless);
    const QString all = decoder(bytes);
    const qsizetype zero = bytes.indexOf('\0');
    if (!decoder.hasError()) return zero;
    qsizetype low = 0, high = bytes.size(); // the longest sound start ends in front of the error
    while (low < high) {
        const qsizetype middle = (low + high + 1) / 2;
        QStringDecoder part(QStringConverter::Utf8); // may end within a sequence
        const QString start = part(QByteArrayView(bytes).first(middle));
        if (part.hasError())
            high = middle - 1;
        else
            low = middle;
    }
    // A sequence that breaks off is told by what follows it; the fault is where it starts.
    for (qsizetype back = 1; back <= std::min<qsizetype>(3, low); ++back) {
        const auto lead = static_cast<uchar>(bytes[low - back]);
        if (lead < 0x80) break;
        if (lead < 0xc0) continue;
        const int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
        if (length > back) low -= back;
        break;
    }
    return zero >= 0 ? std::min(zero, low) : low;
}

/// What a file of another program's model is called; empty: it is none that is known.
QString modelFormat(const QByteArray& head, const QString& path) {
    const bool zip = head.startsWith("PK\x03\x04");
    // The first fields of its protocol buffer: the version, then who made it or what it uses.
    const bool onnx = head.size() > 2 && head[0] == 0x08 && head[1] > 0 && head[1] < 0x20 &&
                      (head[2] == 0x12 || head[2] == 0x3a || head[2] == 0x42);
    if (onnx) return QString::fromLatin1(kOnnx);
    if (zip && (path.endsWith(".pt2", Qt::CaseInsensitive) || head.contains("archive_format")))
        return QString::fromLatin1(kExport);
    if ((zip && head.contains("data.pkl")) || head.startsWith("\x80\x02"))
        return QStringLiteral("PyTorch (torch.save)");
    if (head.startsWith("GGUF")) return QStringLiteral("GGUF");
    if (head.mid(8, 2) == "{\"" && path.endsWith(".safetensors", Qt::CaseInsensitive))
        return QStringLiteral("safetensors");
    if (head.startsWith("\x89HDF")) return QStringLiteral("HDF5 (Keras)");
    if (head.mid(4, 4) == "TFL3") return QStringLiteral("TFLite");
    return {};
}

bool isTraceText(const QByteArray& head) {
    const QByteArray text = head.startsWith(kBom) ? head.mid(3).trimmed() : head.trimmed();
    if (text.startsWith('{')) return text.contains("\"traceEvents\"");
    return text.startsWith('[') && text.contains("\"ph\"") && text.contains("\"ts\"");
}

/// "V1122 00:27:40.909000 11092 torch/_dynamo/utils.py:1927] {…"
bool isTorchLog(const QByteArray& head) {
    static const QRegularExpression line(
        R"(^[A-Z]\d{4} \d\d:\d\d:\d\d\.\d+ (\d+ )+(\S*/)?torch/\S+\.py:\d+\])");
    return line.match(QString::fromUtf8(head)).hasMatch();
}

} // namespace

bool DocumentFile::isGraph(const QString& path) {
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) return false;
    const QByteArray head = file.peek(kHeadBytes);
    const QString format = modelFormat(head, path);
    return format == QLatin1String(kOnnx) || format == QLatin1String(kExport) || isTorchLog(head);
}

bool DocumentFile::isModel(const QString& path) {
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) return false;
    const QString format = modelFormat(file.peek(kHeadBytes), path);
    return (format == QLatin1String(kExport) && path.endsWith(".pt2")) ||
           (format == QLatin1String(kOnnx) && path.endsWith(".onnx"));
}

bool DocumentFile::isTrace(const QString& path) {
    QFile file(path);
    return QFileInfo(path).isFile() && file.open(QIODevice::ReadOnly) &&
           isTraceText(file.peek(kTraceHeadBytes));
}

std::optional<DocumentFile> DocumentFile::read(const QString& path, QString* error) {
    auto refuse = [&](const QString& why) {
        if (error) *error = QString("%1: %2").arg(path, why);
        return std::nullopt;
    };
    const QFileInfo info(path);
    if (!info.exists()) return refuse(Words::tr("there is no such file"));
    // A pipe or a device would be read for ever.
    if (!info.isFile()) return refuse(Words::tr("this is no file but a folder, pipe or device"));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return refuse(file.errorString());
    DocumentFile found;
    const QByteArray head = file.peek(kHeadBytes);
    if (isRecord(file, head) || path.endsWith(".cutaway")) {
        found.record = true;
        return found;
    }
    if (isModel(path)) return found;
    const QString opens =
        Words::tr("Cutaway opens scripts (.py), exported programs (.pt2), ONNX models (.onnx) "
                  "and records (.cutaway).");
    if (const QString format = modelFormat(head, path); !format.isEmpty())
        return refuse(
            Words::tr("this is a model in the format %1, which holds no program to "
                      "compile. %2 Open the script that it was made with; graphs of ONNX and "
                      "torch.export can be added in Compare.")
                .arg(format, opens));
    if (isTorchLog(head))
        return refuse(Words::tr("this is a log of PyTorch's compiler, whose graphs can be added in "
                                "Compare. %1")
                          .arg(opens));
    if (isTraceText(file.peek(kTraceHeadBytes)))
        return refuse(
            Words::tr("these are trace events; Times shows them beside a script. %1").arg(opens));
    if (head.startsWith("PK\x03\x04"))
        return refuse(
            Words::tr("this is a zip archive without a Cutaway record in it. %1").arg(opens));
    if (info.size() > kMostScriptBytes)
        return refuse(Words::tr("%1 MiB are too much for a script; the most is %2 MiB. %3")
                          .arg(info.size() >> 20)
                          .arg(kMostScriptBytes >> 20)
                          .arg(opens));
    if (!file.seek(0)) return refuse(file.errorString());
    QByteArray bytes = file.read(kMostScriptBytes + 1);
    if (const qsizetype at = firstForeignByte(bytes); at >= 0)
        return refuse(
            Words::tr("this is no text in UTF-8 (line %1, byte %2 of the file is 0x%3). %4")
                .arg(bytes.first(at).count('\n') + 1)
                .arg(at + 1)
                .arg(static_cast<uchar>(bytes[at]), 2, 16, QChar('0'))
                .arg(opens));
    found.bom = bytes.startsWith(kBom);
    if (found.bom) bytes.remove(0, 3);
    found.text = QString::fromUtf8(bytes);
    return found;
}

QByteArray DocumentFile::bytes(const QString& text, bool bom) {
    return bom ? kBom + text.toUtf8() : text.toUtf8();
}

FileWatch::FileWatch(QObject* parent) : QObject(parent) {
    settle_.setSingleShot(true);
    settle_.setInterval(kSettleMs);
    connect(&settle_, &QTimer::timeout, this, [this] {
        // A file that was replaced is another one, which must be watched anew.
        watcher_.removePath(path_);
        if (QFileInfo::exists(path_)) watcher_.addPath(path_);
        emit touched();
    });
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, [this] { settle_.start(); });
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, [this] {
        // Others' files in the folder change, too; ours did if it is gone or watched no more.
        if (!watcher_.files().contains(path_)) settle_.start();
    });
}

void FileWatch::watch(const QString& path) {
    const QStringList before = watcher_.files() + watcher_.directories();
    if (!before.isEmpty()) watcher_.removePaths(before);
    settle_.stop();
    path_ = path;
    if (path.isEmpty()) return;
    watcher_.addPath(QFileInfo(path).absolutePath());
    if (QFileInfo::exists(path)) watcher_.addPath(path);
}

} // namespace cutaway::views
