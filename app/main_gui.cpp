// SPDX-License-Identifier: GPL-3.0-or-later
// cutaway-gui [FILE]: reads the command line, finds engine, settings and samples, opens the window.
#include "core/base/process.h"
#include "core/base/sanitizers.h"
#include "views/language/language.h"
#include "views/main_window.h"
#include "views/widgets/theme.h"

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
#include <functional>
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

/// Gives commands one after the other, each when nothing has been under way for a while, and then
/// calls \p done. One that is not possible is told, and the next is given; none is given later than
/// \p limitMs.
void giveWhenIdle(MainWindow* window, const QStringList& commands, int limitMs,
                  std::function<void()> done) {
    if (commands.isEmpty()) return done();
    auto* timer = new QTimer(window);
    QElapsedTimer clock;
    clock.start();
    QObject::connect(timer, &QTimer::timeout, window,
                     [window, timer, clock, limitMs, commands, done = std::move(done), calm = 0,
                      at = 0]() mutable {
                         calm = window->isIdle() ? calm + 1 : 0;
                         const bool late = clock.elapsed() > limitMs;
                         if (calm < kSettledPolls && !late) return;
                         calm = 0;
                         if (late || at == commands.size()) {
                             timer->stop();
                             return done();
                         }
                         const QString& name = commands[at++];
                         const QString problem = window->giveCommand(name);
                         if (!problem.isEmpty())
                             std::fprintf(stderr, "warning: command '%s': %s\n", qPrintable(name),
                                          qPrintable(problem));
                     });
    timer->start(kPollMs);
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
    else if (!parser.isSet("beside"))
        window.restoreSession();
    window.whenCompiled([&] {
        if (parser.isSet("select")) window.selectKey(parser.value("select"));
        if (parser.isSet("measure")) window.measure();
    });
    const int limitMs = parser.value("limit").toInt() * 1000;
    giveWhenIdle(&window, parser.values("command"), limitMs,
                 [&window, file = parser.value("screenshot"), limitMs] {
                     if (!file.isEmpty()) screenshotWhenIdle(&window, file, limitMs);
                 });
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
    QStringList themes;
    for (const cutaway::views::ThemeRow& row : cutaway::views::themeRows())
        themes << row.id;
    QCommandLineOption theme("theme", "colours: " + themes.join(", "), "name");
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
    QCommandLineOption beside("beside", "another window beside one that is open: starts with no "
                                        "document, and the next start goes on with the other's");
    QCommandLineOption command("command",
                               "command of the menus to give, by its English name, e.g. \"Fit "
                               "graph\"; may be repeated: each waits for what is under way",
                               "name");
    QCommandLineOption plugin(
        "engine-plugin", // Qt has a "plugin" of its own
        "shared library that the engine loads, which adds backends and "
        "colours of nodes (resources/plugin/cutaway_plugin.h); runs with your "
        "rights; may be repeated",
        "file");
    QCommandLineOption limit("limit", "seconds to wait for the screenshot", "seconds", "60");
    parser.addOptions({engine, settings, theme, size, language, uiLanguage, screenshot, select,
                       show, stage, measure, beside, command, plugin, limit});
    parser.process(app);
    if (parser.isSet(theme) && !themes.contains(parser.value(theme))) {
        std::fprintf(stderr, "error: unknown theme '%s'\nhint: known themes: %s\n",
                     qPrintable(parser.value(theme)), qPrintable(themes.join(", ")));
        return 2;
    }

    MainWindow::Options options;
    options.engineCommand = engineCommand(parser.value(engine));
    options.plugins = parser.values(plugin);
    options.settingsFile = parser.value(settings);
    if (options.settingsFile.isEmpty())
        options.settingsFile =
            QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + "/cutaway.ini";
    options.samplesFolder = findSamples();
    options.theme = parser.value(theme);
    options.beside = parser.isSet(beside);
    options.windowCommand = {QCoreApplication::applicationFilePath(), "--beside", "--settings",
                             options.settingsFile};
    for (const QCommandLineOption* one : {&engine, &theme, &uiLanguage})
        if (parser.isSet(*one))
            options.windowCommand << "--" + one->names().first() << parser.value(*one);
    for (const QString& file : options.plugins)
        options.windowCommand << "--engine-plugin" << file;
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
