// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/draft_store.h"

#include "core/base/file_system.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>
#include <algorithm>

namespace cutaway::views {

namespace {

std::optional<Draft> readFile(const QString& name) {
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    QJsonObject object = QJsonDocument::fromJson(file.readAll()).object();
    if (!object["text"].isString()) return std::nullopt;
    const QString path = object["path"].toString();
    Draft draft{path,
                object["text"].toString(),
                QDateTime::fromString(object["time"].toString(), Qt::ISODate),
                object["key"].toString(path),
                {}};
    if (object["base"].isString()) draft.base = object["base"].toString();
    return draft;
}

} // namespace

QString DraftStore::newKey() {
    return "untitled " + QUuid::createUuid().toString(QUuid::WithoutBraces);
}

QString DraftStore::fileFor(const QString& key) const {
    QByteArray id = QCryptographicHash::hash(key.toUtf8(), QCryptographicHash::Sha1).toHex();
    return folder_ + "/" + QString::fromLatin1(id.left(16)) + ".draft.json";
}

base::Status DraftStore::write(const Draft& draft) const {
    QJsonObject object{{"key", draft.key},
                       {"path", draft.path},
                       {"text", draft.text},
                       {"time", draft.time.toString(Qt::ISODate)}};
    if (draft.base) object["base"] = *draft.base;
    return base::writeFileAtomically(QFile::encodeName(fileFor(draft.key)).toStdString(),
                                     QJsonDocument(object).toJson().toStdString());
}

std::optional<Draft> DraftStore::read(const QString& key) const {
    return readFile(fileFor(key));
}

void DraftStore::remove(const QString& key) const {
    QFile::remove(fileFor(key));
}

QList<Draft> DraftStore::all() const {
    QList<Draft> drafts;
    QDir folder(folder_);
    for (const QString& name : folder.entryList({"*.draft.json"}, QDir::Files))
        if (auto draft = readFile(folder.filePath(name))) drafts << *draft;
    std::sort(drafts.begin(), drafts.end(),
              [](const Draft& a, const Draft& b) { return a.time > b.time; });
    return drafts;
}

} // namespace cutaway::views
