// SPDX-License-Identifier: GPL-3.0-or-later
// What installing puts where, as the system's menus and file types read it, and that the installed programs run.
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QMimeDatabase>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QtTest>

class TestInstalled : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void the_menu_entry_starts_the_window();
    void records_have_a_type_that_the_window_opens();
    void the_programs_run_from_there();

private:
    QString at(const QString& path) const { return folder_.filePath(path); }
    /// A value of the desktop entry.
    QString entry(const QString& key) const;
    QTemporaryDir folder_;
};

void TestInstalled::initTestCase() {
    qputenv("XDG_DATA_DIRS", at("share").toLocal8Bit()); // before anything asks for a type
    qputenv("XDG_DATA_HOME", at("home").toLocal8Bit());
    QProcess cmake;
    cmake.setProcessChannelMode(QProcess::MergedChannels);
    cmake.start("cmake", {"--install", CUTAWAY_BINARY_DIR, "--prefix", folder_.path(), "--strip"});
    QVERIFY(cmake.waitForFinished(120000));
    QVERIFY2(cmake.exitCode() == 0, cmake.readAll());
}

QString TestInstalled::entry(const QString& key) const {
    QFile file(at("share/applications/cutaway.desktop"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    for (const QString& line : QString::fromUtf8(file.readAll()).split('\n'))
        if (line.startsWith(key + "=")) return line.mid(key.size() + 1);
    return {};
}

void TestInstalled::the_menu_entry_starts_the_window() {
    const QString program = entry("Exec").section(' ', 0, 0);
    QVERIFY2(QFileInfo(at("bin/" + program)).isExecutable(), qPrintable(program));
    const QImage icon(at("share/icons/hicolor/scalable/apps/" + entry("Icon") + ".svg"));
    QVERIFY(!icon.isNull());
    QVERIFY(!entry("Comment[zh_CN]").isEmpty());
    QFile data(at("share/metainfo/cutaway.metainfo.xml"));
    QVERIFY(data.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&data);
    QString launches;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == u"launchable")
            launches = xml.readElementText();
    QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
    QCOMPARE(launches, QString("cutaway.desktop"));
}

void TestInstalled::records_have_a_type_that_the_window_opens() {
    const QMimeDatabase types;
    const QStringList opened = entry("MimeType").split(';', Qt::SkipEmptyParts);
    for (const auto& [file, type] : {std::pair{"a.cutaway", "application/x-cutaway"},
                                     {"a.onnx", "application/x-onnx"},
                                     {"a.pt2", "application/x-pytorch-exported"}}) {
        QCOMPARE(types.mimeTypeForFile(file, QMimeDatabase::MatchExtension).name(), QString(type));
        QVERIFY2(opened.contains(type), type);
    }
    QVERIFY(types.mimeTypeForName("application/x-cutaway").inherits("application/zip"));
}

void TestInstalled::the_programs_run_from_there() {
    QVERIFY(QFileInfo(at("include/cutaway_plugin.h")).isFile());
    QProcess tool;
    tool.start(at("bin/cutaway"), {"--version"});
    QVERIFY(tool.waitForFinished(60000));
    QVERIFY(tool.readAll().startsWith("cutaway "));
    QProcess drawer; // by the window's program
    drawer.start(at("bin/cutaway"), {"export", at("share/cutaway/samples/double_cosine.py"), "--as",
                                     "svg", "-o", at("graphs")});
    QVERIFY(drawer.waitForFinished(240000));
    QVERIFY2(drawer.exitCode() == 0, drawer.readAllStandardError());
    QCOMPARE(drawer.readAllStandardError(), QByteArray());
    QFile joint(at("graphs/model_0_joint.svg"));
    QVERIFY(joint.open(QIODevice::ReadOnly));
    const QByteArray lines = joint.readAll();
    QVERIFY(lines.contains("Qt") && lines.contains("tangents_1") && lines.contains("backward"));
    for (const QStringList& wrong :
         {QStringList{"--export-graphs", at("none")},
          QStringList{"--export-graphs", at("none"), "--scale", "0", "record.cutaway"},
          QStringList{"--export-graphs", at("none"), "--scale", "nan", "record.cutaway"},
          QStringList{"--export-graphs", at("none"), "--as", "gif", "record.cutaway"}}) {
        QProcess refused;
        refused.start(at("bin/cutaway-gui"), wrong);
        QVERIFY(refused.waitForFinished(60000));
        QCOMPARE(refused.exitCode(), 2);
        QVERIFY(refused.readAllStandardError().contains("error: "));
        QVERIFY(!QFileInfo::exists(at("none")));
    }
    QProcess told; // which wants no screen
    QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        bare.remove(name);
    told.setProcessEnvironment(bare);
    told.start(at("bin/cutaway-gui"), {"--help"});
    QVERIFY(told.waitForFinished(60000));
    QVERIFY(told.readAll().contains("--screenshot"));
    QProcess window; // with the samples and the engine that lie beside it
    window.setProcessChannelMode(QProcess::MergedChannels);
    window.start(at("bin/cutaway-gui"),
                 {"--settings", at("settings.ini"), "--screenshot", at("seen.png"), "--stage",
                  "joint", "--export", at("joint.svg"),
                  at("share/cutaway/samples/double_cosine.py")});
    QVERIFY(window.waitForFinished(240000));
    QVERIFY2(window.exitCode() == 0, window.readAll());
    QVERIFY(QImage(at("seen.png")).width() > 600);
    QFile drawn(at("joint.svg"));
    QVERIFY(drawn.open(QIODevice::ReadOnly) && drawn.readAll().contains("tangents"));
}

QTEST_MAIN(TestInstalled)
#include "test_installed.moc"
