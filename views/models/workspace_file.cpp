// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/workspace_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(WorkspaceFile)
};

constexpr qint64 kLargest = qint64{64} << 20;
constexpr int kVersion = 1;
const QString kMark = QStringLiteral("cutawayWorkspace");

QStringList textsOf(const QJsonValue& value) {
    QStringList texts;
    for (const QJsonValue& one : value.toArray())
        if (one.isString()) texts << one.toString();
    return texts;
}
} // namespace

QByteArray WorkspaceFile::bytes(const QString& file) const {
    QJsonObject splits, tabNumbers;
    for (auto at = splitters.begin(); at != splitters.end(); ++at)
        splits[at.key()] = QString::fromLatin1(at.value().toBase64());
    for (auto at = tabs.begin(); at != tabs.end(); ++at)
        tabNumbers[at.key()] = at.value();
    const QString relative =
        path.isEmpty() ? QString() : QFileInfo(file).absoluteDir().relativeFilePath(path);
    return QJsonDocument(QJsonObject{{kMark, kVersion},
                                     {"path", relative},
                                     {"text", text},
                                     {"size", size},
                                     {"device", device},
                                     {"backend", backend},
                                     {"decisions", QJsonArray::fromStringList(decisions)},
                                     {"selected", QJsonArray::fromStringList(selected)},
                                     {"stage", stage},
                                     {"boxes", boxes},
                                     {"opened", QJsonArray::fromStringList(opened)},
                                     {"closed", QJsonArray::fromStringList(closed)},
                                     {"tour", QString::fromUtf8(tour)},
                                     {"tourStep", tourStep},
                                     {"function", function},
                                     {"entry", entry},
                                     {"over", over},
                                     {"layout", QString::fromLatin1(layout.toBase64())},
                                     {"splitters", splits},
                                     {"tabs", tabNumbers}})
        .toJson();
}

std::optional<base::Result<WorkspaceFile>> WorkspaceFile::read(const QString& file) {
    if (!QFileInfo(file).isFile()) return {}; // a pipe would be waited for
    QFile in(file);
    if (!in.open(QIODevice::ReadOnly) || in.size() > kLargest || !in.peek(1).startsWith('{'))
        return {};
    const QJsonObject told = QJsonDocument::fromJson(in.readAll()).object();
    if (!told.contains(kMark)) return {};
    if (told[kMark].toInt() != kVersion)
        return base::userError(
            {file.toStdString()},
            Words::tr("this workspace was saved by a newer program").toStdString());
    WorkspaceFile kept;
    const QString path = told["path"].toString();
    if (!path.isEmpty())
        kept.path = QDir::cleanPath(QFileInfo(file).absoluteDir().absoluteFilePath(path));
    kept.text = told["text"].toString();
    kept.size = told["size"].toString();
    kept.device = told["device"].toString("cpu");
    kept.backend = told["backend"].toString("inductor");
    kept.decisions = textsOf(told["decisions"]);
    kept.selected = textsOf(told["selected"]);
    kept.stage = told["stage"].toString();
    kept.boxes = told["boxes"].toInt(-1);
    kept.opened = textsOf(told["opened"]);
    kept.closed = textsOf(told["closed"]);
    kept.tour = told["tour"].toString().toUtf8();
    kept.tourStep = told["tourStep"].toInt(-1);
    kept.function = told["function"].toInt();
    kept.entry = told["entry"].toInt();
    kept.over = told["over"].toBool();
    kept.layout = QByteArray::fromBase64(told["layout"].toString().toLatin1());
    const QJsonObject splits = told["splitters"].toObject(), tabs = told["tabs"].toObject();
    for (auto at = splits.begin(); at != splits.end(); ++at)
        kept.splitters[at.key()] = QByteArray::fromBase64(at->toString().toLatin1());
    for (auto at = tabs.begin(); at != tabs.end(); ++at)
        kept.tabs[at.key()] = at->toString();
    return kept;
}

} // namespace cutaway::views
