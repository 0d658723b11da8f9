// SPDX-License-Identifier: Apache-2.0
#include "core/base/file_set.h"
#include "core/base/file_system.h"

#include <QtTest>

#include <csignal>
#include <sys/resource.h>

using namespace cutaway::base;

namespace {

/// While it lives, no file of this process can grow past a few bytes: the disk is full.
class FullDisk {
public:
    FullDisk() {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit little{16, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &little);
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }

private:
    rlimit before_{};
};

QStringList everything(const QString& folder) {
    QStringList found;
    QDirIterator each(folder, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot,
                      QDirIterator::Subdirectories);
    while (each.hasNext())
        found += each.next().mid(folder.size());
    found.sort();
    return found;
}

} // namespace

class TestFileSet : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void all_files_appear_at_commit() {
        QTemporaryDir folder;
        const std::string at = folder.path().toStdString();
        FileSet files;
        QVERIFY(files.add(at + "/a/one.txt", "1").ok());
        QVERIFY(files.add(at + "/a/b/two.txt", "22").ok());
        QVERIFY(!QFile::exists(folder.filePath("a/one.txt")));
        QVERIFY(files.commit().ok());
        QCOMPARE(everything(folder.path()),
                 QStringList({"/a", "/a/b", "/a/b/two.txt", "/a/one.txt"}));
        QCOMPARE(*readFile(at + "/a/b/two.txt"), std::string("22"));
    }

    void a_full_disk_leaves_nothing() {
        QTemporaryDir folder;
        const std::string at = folder.path().toStdString();
        {
            FileSet files;
            QVERIFY(files.add(at + "/new/small.txt", "1").ok());
            const FullDisk full;
            const Status status = files.add(at + "/new/data/large.txt", std::string(1000, 'x'));
            QVERIFY(!status.ok());
            QVERIFY2(status.error().message.starts_with("cannot write '" + at +
                                                        "/new/data/large.txt': "),
                     status.error().message.c_str());
        }
        QCOMPARE(everything(folder.path()), QStringList());
    }

    void what_was_there_stays() {
        QTemporaryDir folder;
        const std::string at = folder.path().toStdString();
        QVERIFY(writeFileAtomically(at + "/old.txt", "old").ok());
        {
            FileSet files;
            QVERIFY(files.add(at + "/old.txt", "new").ok());
        }
        QCOMPARE(*readFile(at + "/old.txt"), std::string("old"));
        QCOMPARE(everything(folder.path()), QStringList({"/old.txt"}));
        QVERIFY(!writeFileAtomically(at + "/old.txt/below", "x").ok());
    }
};

QTEST_APPLESS_MAIN(TestFileSet)
#include "test_file_set.moc"
