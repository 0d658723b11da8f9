// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/draft_store.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
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
    return Draft{path, object["text"].toString(),
                 QDateTime::fromString(object["time"].toString(), Qt::ISODate),
                 object["key"].toString(path)};
}

} // namespace

QString DraftStore::newKey() {
    return "untitled " + QUuid::createUuid().toString(QUuid::WithoutBraces);
}

QString DraftStore::fileFor(const QString& key) const {
    QByteArray id = QCryptographicHash::hash(key.toUtf8(), QCryptographicHash::Sha1).toHex();
    return folder_ + "/" + QString::fromLatin1(id.left(16)) + ".draft.json";
}

bool DraftStore::write(const QString& key, const QString& path, const QString& text) const {
    if (!QDir().mkpath(folder_)) return false;
    QSaveFile file(fileFor(key)); // writes aside and renames: a crash leaves the older draft
    if (!file.open(QIODevice::WriteOnly)) return false;
    QJsonObject object{{"key", key},
                       {"path", path},
                       {"text", text},
                       {"time", QDateTime::currentDateTime().toString(Qt::ISODate)}};
    file.write(QJsonDocument(object).toJson());
    return file.commit();
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
