// SPDX-License-Identifier: Apache-2.0
// What the cache gives back is what was put into it by this user, or nothing.
#include "core/jit/object_cache.h"

#include <QDir>
#include <QFile>
#include <QtTest>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace cutaway;
using namespace cutaway::jit;

namespace {

using Made = std::vector<std::string>;
const Made kMade = {"19", "twice", "text"};

QStringList files(const QString& folder) {
    return QDir(folder).entryList(QDir::Files | QDir::Hidden, QDir::Name);
}

} // namespace

class TestObjectCache : public QObject {
    Q_OBJECT
    QTemporaryDir temporary_;
    int count_ = 0;
    QString fresh() { return temporary_.filePath(QString("cache%1").arg(++count_)); }

    void refused(const QString& folder, const char* says) {
        ObjectCache cache;
        cache.put(folder.toStdString(), kMade, "object");
        QVERIFY(!cache.find(folder.toStdString(), kMade));
        auto problem = cache.takeProblem();
        QVERIFY(problem);
        QVERIFY2(problem->message.find(says) != std::string::npos, problem->message.c_str());
        QVERIFY(!cache.takeProblem());
    }

private Q_SLOTS:
    void objects_come_back_to_another_process_too() {
        const std::string folder = fresh().toStdString();
        ObjectCache first;
        QVERIFY(!first.find(folder, kMade));
        first.put(folder, kMade, "object");
        ObjectCache second;
        QCOMPARE(second.find(folder, kMade).value_or(""), "object");
        // Parts that run together differ.
        QVERIFY(!second.find(folder, {"19", "twicet", "ext"}));
        QVERIFY(!first.takeProblem() && !second.takeProblem());
    }
    void the_folder_is_this_users_alone() {
        const QString folder = fresh();
        ObjectCache cache;
        cache.put(folder.toStdString(), kMade, "object");
        struct stat info{};
        for (const QString& path : {folder, folder + "/cpu"}) {
            QCOMPARE(::stat(qPrintable(path), &info), 0);
            QCOMPARE(info.st_mode & 0777, mode_t(0700));
        }
        QCOMPARE(files(folder), QStringList("key"));
        QCOMPARE(files(folder + "/cpu").size(), 1);
        QCOMPARE(::stat(qPrintable(folder + "/key"), &info), 0);
        QCOMPARE(info.st_mode & 0777, mode_t(0600));
    }
    void a_folder_that_others_could_fill_is_not_used() {
        const QString shared = fresh(), target = fresh(), link = fresh(), inner = fresh();
        QDir().mkpath(shared);
        ::chmod(qPrintable(shared), 0777);
        refused(shared, "other users may write");
        refused(shared, "found mode 0777, expected 0700");
        QCOMPARE(files(shared), QStringList());
        QDir().mkpath(target);
        QVERIFY(QFile::link(target, link));
        refused(link, "is a link");
        QDir().mkpath(inner);
        QVERIFY(QFile::link(target, inner + "/cpu"));
        refused(inner, "is a link");
        if (::geteuid() != 0) return;
        const QString other = fresh();
        QDir().mkpath(other);
        QCOMPARE(::chown(qPrintable(other), 12345, 12345), 0);
        refused(other, "belongs to another user");
    }
    void a_folder_that_is_there_keeps_its_mode() {
        const QString folder = fresh();
        QDir().mkpath(folder);
        ::chmod(qPrintable(folder), 0755);
        ObjectCache cache;
        cache.put(folder.toStdString(), kMade, "object");
        QVERIFY(cache.find(folder.toStdString(), kMade));
        struct stat info{};
        QCOMPARE(::stat(qPrintable(folder), &info), 0);
        QCOMPARE(info.st_mode & 0777,
                 mode_t(0755)); // other things may be in it, and others read them
        QCOMPARE(::stat(qPrintable(folder + "/cpu"), &info), 0);
        QCOMPARE(info.st_mode & 0777, mode_t(0700));
    }
    void entries_of_others_are_absent() {
        const QString folder = fresh(), foreign = fresh();
        ObjectCache cache;
        cache.put(folder.toStdString(), kMade, "object");
        const QString entry = folder + "/cpu/" + files(folder + "/cpu")[0];
        // Damaged.
        QFile file(entry);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray bytes = file.readAll(), changed = bytes;
        changed[changed.size() - 1] = 'x';
        file.resize(0);
        file.seek(0);
        file.write(changed);
        file.close();
        QVERIFY(!cache.find(folder.toStdString(), kMade));
        // Made under another key.
        ObjectCache others;
        others.put(foreign.toStdString(), kMade, "evil");
        QFile::remove(entry);
        QVERIFY(QFile::copy(foreign + "/cpu/" + files(foreign + "/cpu")[0], entry));
        QVERIFY(!cache.find(folder.toStdString(), kMade));
        // Another entry of the same cache under this name.
        cache.put(folder.toStdString(), {"other"}, "other");
        for (const QString& name : files(folder + "/cpu"))
            if (!entry.endsWith(name)) {
                QFile::remove(entry);
                QVERIFY(QFile::copy(folder + "/cpu/" + name, entry));
            }
        QVERIFY(!cache.find(folder.toStdString(), kMade));
        // A link, a pipe.
        QFile::remove(entry);
        QVERIFY(QFile::link(folder + "/key", entry));
        QVERIFY(!cache.find(folder.toStdString(), kMade));
        QFile::remove(entry);
        QCOMPARE(::mkfifo(qPrintable(entry), 0600), 0);
        QVERIFY(!cache.find(folder.toStdString(), kMade));
        cache.put(folder.toStdString(), kMade, "object");
        QCOMPARE(cache.find(folder.toStdString(), kMade).value_or(""), "object");
    }
    void a_damaged_key_is_drawn_anew_data() {
        QTest::addColumn<QByteArray>("left");
        QTest::newRow("short") << QByteArray("short");
        QTest::newRow("empty") << QByteArray(); // of a full disk
    }
    void a_damaged_key_is_drawn_anew() {
        QFETCH(QByteArray, left);
        const QString folder = fresh();
        {
            ObjectCache cache;
            cache.put(folder.toStdString(), kMade, "object");
        }
        QFile key(folder + "/key");
        QVERIFY(key.open(QIODevice::WriteOnly | QIODevice::Truncate));
        key.write(left);
        key.close();
        ObjectCache cache;
        QVERIFY(!cache.find(folder.toStdString(), kMade));
        cache.put(folder.toStdString(), kMade, "object");
        QVERIFY(cache.find(folder.toStdString(), kMade));
        QVERIFY(!cache.takeProblem());
    }
};

QTEST_APPLESS_MAIN(TestObjectCache)
#include "test_object_cache.moc"
