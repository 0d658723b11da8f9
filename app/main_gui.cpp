// SPDX-License-Identifier: GPL-3.0-or-later
// cutaway-gui [FILE]: reads the command line, finds engine, settings and samples, opens the window.
#include "core/base/process.h"
#include "core/base/sanitizers.h"
#include "views/language/language.h"
#include "views/main_window.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QIcon>
#include <QProcess>
#include <QSettings>
#include <QStandardPaths>
#include <QTimer>
#include <cstdio>
#include <utility>

using cutaway::views::MainWindow;

#if CUTAWAY_ADDRESS_SANITIZER
/// The box lets nobody trace a process, as the search for leaks does.
extern "C" const char* __asan_default_options() {
    return "detect_leaks=0";
}
#endif

namespace {

constexpr int kPollMs = 50, kSettledPolls = 6;

/// The samples beside the program (unpacked or built), or in the "share" of a folder above it
/// (installed).
QString findSamples() {
    constexpr int kFoldersUp = 5;
    QDir folder(QCoreApplication::applicationDirPath());
    for (int up = 0; up < kFoldersUp; ++up) {
        for (const char* place : {"samples", "share/cutaway/samples"})
            if (QFileInfo(folder.filePath(place)).isDir())
                return QDir(folder.filePath(place)).canonicalPath();
        if (!folder.cdUp()) break;
    }
    return {};
}

QStringList engineCommand(const QString& given) {
    if (!given.isEmpty()) return QProcess::splitCommand(given);
    QString beside = QCoreApplication::applicationDirPath() + "/cutaway";
    return {QFileInfo::exists(beside) ? beside : QStringLiteral("cutaway"), "serve"};
}

/// Saves the window when nothing has been under way for a while, and ends the program.
void screenshotWhenIdle(MainWindow* window, const QString& file, int limitMs) {
    auto* timer = new QTimer(window);
    auto calm = std::make_shared<int>(0);
    auto clock = std::make_shared<QElapsedTimer>();
    clock->start();
    QObject::connect(timer, &QTimer::timeout, window, [=] {
        *calm = window->isIdle() ? *calm + 1 : 0;
        bool late = clock->elapsed() > limitMs;
        if (*calm < kSettledPolls && !late) return;
        timer->stop();
        if (late) std::fputs("warning: the window was not idle in time\n", stderr);
        bool saved = window->grab().save(file);
        if (!saved) std::fprintf(stderr, "error: cannot write '%s'\n", qPrintable(file));
        QCoreApplication::exit(saved ? 0 : 1);
    });
    timer->start(kPollMs);
}

/// What the command line asks of the window.
void showAsAsked(MainWindow& window, const QCommandLineParser& parser) {
    const QStringList extent = parser.value("size").split('x');
    if (extent.size() == 2) window.resize(extent[0].toInt(), extent[1].toInt());
    for (const QString& id : parser.value("show").split(',', Qt::SkipEmptyParts))
        window.reveal(id);
    if (parser.isSet("stage")) window.setGraphStage(parser.value("stage"));
    if (parser.isSet("language")) window.setCodeLanguage(parser.value("language"));
    const QString given = parser.positionalArguments().value(0);
    if (given.startsWith("cutaway:"))
        window.openLink(given);
    else if (!given.isEmpty())
        window.openFile(given);
    else
        window.restoreSession();
    window.whenCompiled([&] {
        if (parser.isSet("select")) window.selectKey(parser.value("select"));
        if (parser.isSet("measure")) window.measure();
    });
    if (parser.isSet("screenshot"))
        screenshotWhenIdle(&window, parser.value("screenshot"),
                           parser.value("limit").toInt() * 1000);
}

} // namespace

int main(int argc, char** argv) {
    // The engine is a program of its own, and says what is wrong with its stack.
    (void)cutaway::base::prepareProcess();
    QApplication app(argc, argv);
    QApplication::setApplicationName("cutaway");
    QApplication::setApplicationDisplayName("Cutaway");
    QApplication::setApplicationVersion(CUTAWAY_VERSION);
    QApplication::setDesktopFileName("cutaway");
    QApplication::setStyle("Fusion");
    QApplication::setWindowIcon(QIcon(":/icons/cutaway.svg"));

    QCommandLineParser parser;
    parser.setApplicationDescription("See everything a tensor compiler does with a model.");
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        "file", "script (.py), record (.cutaway) or link (cutaway:///...) to open", "[FILE]");
    QCommandLineOption engine(
        "engine", "command that starts the engine, e.g. \"ssh host cutaway serve\"", "command");
    QCommandLineOption settings("settings", "settings file; drafts lie beside it", "file");
    QCommandLineOption theme("theme", "light or dark", "name");
    QCommandLineOption size("size", "size of the window", "WxH");
    QCommandLineOption screenshot("screenshot", "save a picture of the idle window and end",
                                  "file.png");
    QCommandLineOption select("select", "item to select once compiled, e.g. joint/cos or line:9",
                              "key");
    QCommandLineOption language("language", "language of the code pane: cpp, llvm, asm, cuda, ptx",
                                "name");
    QCommandLineOption uiLanguage("ui-language", "language of the window: system, en, zh", "name");
    QCommandLineOption show("show", "panes to bring to the front, e.g. partition,run", "panes");
    QCommandLineOption stage("stage", "stage that the graph pane shows", "name");
    QCommandLineOption measure("measure", "measure once compiled");
    QCommandLineOption limit("limit", "seconds to wait for the screenshot", "seconds", "60");
    parser.addOptions({engine, settings, theme, size, language, uiLanguage, screenshot, select,
                       show, stage, measure, limit});
    parser.process(app);

    MainWindow::Options options;
    options.engineCommand = engineCommand(parser.value(engine));
    options.settingsFile = parser.value(settings);
    if (options.settingsFile.isEmpty())
        options.settingsFile =
            QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + "/cutaway.ini";
    options.samplesFolder = findSamples();
    options.theme = parser.value(theme);
    const QString tongue = parser.value(uiLanguage);
    bool anew = false;
    int status = 0;
    do {
        cutaway::views::speak(tongue.isEmpty()
                                  ? QSettings(options.settingsFile, QSettings::IniFormat)
                                        .value("language", "system")
                                        .toString()
                                  : tongue);
        MainWindow window(options);
        QObject::connect(&window, &MainWindow::openAnewRequested, &window,
                         [&] { anew = window.close(); });
        window.show();
        if (std::exchange(anew, false))
            window.restoreSession();
        else
            showAsAsked(window, parser);
        status = QApplication::exec();
    } while (anew);
    return status;
}
