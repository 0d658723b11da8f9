// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bridge/draft_store.h"

#include "core/base/file_system.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>
#include <algorithm>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(DraftStore)
};

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
                {},
                name};
    if (object["base"].isString()) draft.base = object["base"].toString();
    for (const auto& decision : object["decisions"].toArray())
        draft.decisions << decision.toString();
    return draft;
}

} // namespace

QString Draft::title() const {
    if (!path.isEmpty()) return QFileInfo(path).fileName();
    constexpr int kMost = 40;
    const QStringList before = base.value_or(QString()).split('\n');
    for (const QString& line : text.split('\n')) {
        const QString words = line.simplified();
        if (words.isEmpty() || words.startsWith("import ") || before.contains(line)) continue;
        return Words::tr("untitled: %1")
            .arg(words.size() > kMost ? words.left(kMost) + QChar(0x2026) : words);
    }
    return Words::tr("untitled");
}

QString DraftStore::newKey() {
    return "untitled " + QUuid::createUuid().toString(QUuid::WithoutBraces);
}

/// Held by a window, or by nobody any more: its age says nothing.
static std::shared_ptr<QLockFile> lockOf(const QString& file) {
    auto lock = std::make_shared<QLockFile>(file + ".lock");
    lock->setStaleLockTime(0);
    return lock->tryLock() ? lock : nullptr;
}

std::optional<Draft> DraftStore::take(const QString& key, const QString& file) {
    release();
    QList<Draft> drafts = read();
    std::stable_partition(drafts.begin(), drafts.end(),
                          [&](const Draft& draft) { return draft.file == file; });
    for (const Draft& draft : drafts)
        if (draft.key == key && (lock_ = lockOf(draft.file))) {
            file_ = draft.file;
            return draft;
        }
    return std::nullopt;
}

void DraftStore::release() {
    lock_.reset();
    file_.clear();
}

base::Status DraftStore::write(const Draft& draft) {
    if (file_.isEmpty()) {
        QDir().mkpath(folder_);
        file_ = folder_ + "/" + QUuid::createUuid().toString(QUuid::WithoutBraces) + ".draft.json";
        lock_ = lockOf(file_);
        if (!lock_) {
            file_.clear();
            return base::environmentError(
                Words::tr("cannot write in '%1'").arg(folder_).toStdString(),
                Words::tr("check the folder's permissions and the free space").toStdString());
        }
    }
    QJsonObject object{{"key", draft.key},
                       {"path", draft.path},
                       {"text", draft.text},
                       {"time", draft.time.toString(Qt::ISODateWithMs)}};
    if (draft.base) object["base"] = *draft.base;
    if (!draft.decisions.isEmpty())
        object["decisions"] = QJsonArray::fromStringList(draft.decisions);
    return base::writeFileAtomically(QFile::encodeName(file_).toStdString(),
                                     QJsonDocument(object).toJson().toStdString());
}

void DraftStore::remove() {
    if (!file_.isEmpty()) QFile::remove(file_);
    release();
}

void DraftStore::discard(const Draft& draft) {
    if (const auto lock = lockOf(draft.file)) QFile::remove(draft.file);
}

bool DraftStore::isOthers(const QString& file) const {
    return file != file_ && !lockOf(file);
}

bool DraftStore::othersHold(const QString& key) const {
    const QList<Draft> drafts = read();
    return std::any_of(drafts.begin(), drafts.end(), [&](const Draft& draft) {
        return draft.key == key && isOthers(draft.file);
    });
}

QList<Draft> DraftStore::all() const {
    QList<Draft> drafts = read();
    drafts.removeIf([&](const Draft& draft) { return isOthers(draft.file); });
    return drafts;
}

QString DraftStore::decisionsFile(const QString& path) const {
    const QByteArray name = QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1);
    return folder_ + "/" + QString::fromLatin1(name.toHex()) + ".decisions.json";
}

base::Status DraftStore::keepDecisions(const QString& path, const QStringList& decisions) {
    const QString file = decisionsFile(path);
    if (decisions == decisionsOf(path)) return {};
    if (decisions.isEmpty() && QFile::remove(file)) return {};
    QDir().mkpath(folder_);
    const QJsonObject object{{"path", path}, {"decisions", QJsonArray::fromStringList(decisions)}};
    return base::writeFileAtomically(QFile::encodeName(file).toStdString(),
                                     QJsonDocument(object).toJson().toStdString());
}

QStringList DraftStore::decisionsOf(const QString& path) const {
    QStringList decisions;
    QFile file(decisionsFile(path));
    if (!file.open(QIODevice::ReadOnly)) return decisions;
    const QJsonObject object = QJsonDocument::fromJson(file.readAll()).object();
    for (const auto& decision : object["decisions"].toArray())
        if (decision.isString()) decisions << decision.toString();
    return decisions;
}

QList<Draft> DraftStore::read() const {
    QList<Draft> drafts;
    QDir folder(folder_);
    for (const QString& name : folder.entryList({"*.draft.json"}, QDir::Files))
        if (auto draft = readFile(folder.filePath(name))) drafts << *draft;
    std::sort(drafts.begin(), drafts.end(),
              [](const Draft& a, const Draft& b) { return a.time > b.time; });
    return drafts;
}

} // namespace cutaway::views
