// SPDX-License-Identifier: GPL-3.0-or-later
// cutaway-gui [FILE]: reads the command line, finds engine, settings and samples, opens the window.
#include "core/base/process.h"
#include "core/base/quote.h"
#include "core/base/sanitizers.h"
#include "core/record/columns.h"
#include "core/record/json.h"
#include "views/language/language.h"
#include "views/main_window.h"
#include "views/widgets/graph_export.h"
#include "views/widgets/graphs_export.h"
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
#include <algorithm>
#include <cstdio>
#include <functional>
#include <string_view>
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

/// When nothing has been under way for a while: does \p act, which says what went wrong, and ends the
/// program.
void endWhenIdle(MainWindow* window, int limitMs, const std::function<QString()>& act) {
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
        const QString problem = act();
        if (!problem.isEmpty()) std::fprintf(stderr, "error: %s\n", qPrintable(problem));
        QCoreApplication::exit(problem.isEmpty() ? 0 : 1);
    });
    timer->start(kPollMs);
}

/// Writes what --export and --screenshot name. \returns what went wrong
QString picturesAsAsked(MainWindow& window, const QCommandLineParser& parser) {
    if (parser.isSet("export")) {
        using cutaway::views::ExportScope;
        const QString part = parser.value("part");
        const ExportScope scope = part == "shown"      ? ExportScope::Shown
                                  : part == "selected" ? ExportScope::Selected
                                                       : ExportScope::Whole;
        const auto written =
            window.exportGraphTo(parser.value("export"), scope, parser.value("scale").toDouble());
        if (!written) return QString::fromStdString(written.error().message);
    }
    const QString file = parser.value("screenshot");
    if (!file.isEmpty() && !window.grab().save(file)) return QString("cannot write '%1'").arg(file);
    return {};
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
    giveWhenIdle(&window, parser.values("command"), limitMs, [&window, &parser, limitMs] {
        if (parser.isSet("export") || parser.isSet("screenshot"))
            endWhenIdle(&window, limitMs,
                        [&window, &parser] { return picturesAsAsked(window, parser); });
    });
}

/// Pictures and what is told of the program want no screen.
void drawWithoutScreen(int argc, char** argv) {
    const bool draws = std::any_of(argv, argv + argc, [](const char* one) {
        const std::string_view text(one);
        return text.starts_with("--export") || text.starts_with("--screenshot") || text == "-h" ||
               text.starts_with("--help") || text == "-v" || text == "--version";
    });
    const bool hasScreen = qEnvironmentVariableIsSet("DISPLAY") ||
                           qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
                           qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
    if (draws && !hasScreen) qputenv("QT_QPA_PLATFORM", "offscreen");
}

/// \returns the exit status
int exportGraphs(const QCommandLineParser& parser) {
    using namespace cutaway;
    const QString given = parser.positionalArguments().value(0);
    std::string bytes;
    if (given == "-") {
        QFile input;
        if (input.open(stdin, QIODevice::ReadOnly)) bytes = input.readAll().toStdString();
        if (bytes.empty()) return 1; // whoever would have sent it has said why not
    }
    auto record = given == "-" ? record::fromColumns(bytes)
                               : record::open(QFile::encodeName(given).toStdString());
    const base::Status status =
        record ? views::exportGraphs(*record, parser.value("export-graphs"), parser.value("as"),
                                     views::themeCalled(parser.value("theme"), false),
                                     parser.value("scale").toDouble())
               : base::Status(record.error());
    if (!status) std::fprintf(stderr, "%s\n", base::terminalText(status.error().str()).c_str());
    return status ? 0 : 1;
}

QStringList themeNames() {
    QStringList names;
    for (const cutaway::views::ThemeRow& row : cutaway::views::themeRows())
        names << row.id;
    return names;
}

void declareArguments(QCommandLineParser& parser) {
    parser.setApplicationDescription("See everything a tensor compiler does with a model.");
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        "file",
        "script (.py), model (.pt2, .onnx), record (.cutaway) or link (cutaway:///...) to open",
        "[FILE]");
    QCommandLineOption engine(
        "engine", "command that starts the engine, e.g. \"ssh host cutaway serve\"", "command");
    QCommandLineOption settings("settings", "settings file; drafts lie beside it", "file");
    QCommandLineOption theme("theme", "colours: " + themeNames().join(", "), "name");
    QCommandLineOption size("size", "size of the window", "WxH");
    QCommandLineOption screenshot("screenshot", "save a picture of the idle window and end",
                                  "file.png");
    QCommandLineOption exported("export",
                                "draw the graph that is shown as a file (.svg, .pdf, .png, .dot or "
                                ".graphml) and end",
                                "file");
    QCommandLineOption graphs("export-graphs",
                              "draw every graph of the record that is given, or comes from "
                              "standard input (-), as files there, and end",
                              "folder");
    QCommandLineOption as("as", "of those: svg, pdf, png, dot or graphml", "kind", "svg");
    QCommandLineOption part("part", "of that graph: whole, shown or selected", "part", "whole");
    QCommandLineOption scale("scale", "pixels of such a .png for one of the screen", "number", "2");
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
    QCommandLineOption limit("limit", "seconds to wait for a picture", "seconds", "60");
    parser.addOptions({engine,   settings, theme,  size,    language, uiLanguage, screenshot,
                       exported, graphs,   as,     part,    scale,    select,     show,
                       stage,    measure,  beside, command, plugin,   limit});
}

/// What is wrong with an argument; empty: nothing.
QString wrongArgument(const QCommandLineParser& parser) {
    auto unknown = [&](const QString& name, const QStringList& known) {
        return parser.isSet(name) && !known.contains(parser.value(name))
                   ? QString("error: unknown %1 '%2'\nhint: known %1s: %3\n")
                         .arg(name, parser.value(name), known.join(", "))
                   : QString();
    };
    constexpr double kMostScale = 16;
    bool isNumber = false;
    const double scale = parser.value("scale").toDouble(&isNumber);
    if (!isNumber || !(scale > 0 && scale <= kMostScale))
        return QString("error: --scale %1 is no number above 0 up to %2\n")
            .arg(parser.value("scale"))
            .arg(kMostScale);
    if (parser.isSet("export-graphs") && parser.positionalArguments().isEmpty())
        return QString(
            "error: --export-graphs needs a record (.cutaway), or - for standard input\n");
    for (const QString& told : {unknown("part", {"whole", "shown", "selected"}),
                                unknown("as", {"svg", "pdf", "png", "dot", "graphml"})})
        if (!told.isEmpty()) return told;
    return unknown("theme", themeNames());
}

} // namespace

int main(int argc, char** argv) {
    // The engine is a program of its own, and says what is wrong with its stack.
    (void)cutaway::base::prepareProcess();
    drawWithoutScreen(argc, argv);
    QApplication app(argc, argv);
    QApplication::setApplicationName("cutaway");
    QApplication::setApplicationDisplayName("Cutaway");
    QApplication::setApplicationVersion(CUTAWAY_VERSION);
    QApplication::setDesktopFileName("cutaway");
    QApplication::setStyle("Fusion");
    QApplication::setWindowIcon(QIcon(":/icons/cutaway.svg"));

    QCommandLineParser parser;
    declareArguments(parser);
    parser.process(app);
    if (const QString wrong = wrongArgument(parser); !wrong.isEmpty()) {
        std::fprintf(stderr, "%s", qPrintable(wrong));
        return 2;
    }

    if (parser.isSet("export-graphs")) return exportGraphs(parser);
    MainWindow::Options options;
    options.engineCommand = engineCommand(parser.value("engine"));
    options.plugins = parser.values("engine-plugin");
    options.settingsFile = parser.value("settings");
    if (options.settingsFile.isEmpty())
        options.settingsFile =
            QStandardPaths::writableLocation(QStandardPaths::AppConfigLocation) + "/cutaway.ini";
    options.samplesFolder = findSamples();
    options.theme = parser.value("theme");
    const bool draws = parser.isSet("export") || parser.isSet("screenshot");
    options.beside = parser.isSet("beside") || draws; // nobody goes on with it
    options.windowCommand = {QCoreApplication::applicationFilePath(), "--beside", "--settings",
                             options.settingsFile};
    for (const char* one : {"engine", "theme", "ui-language"})
        if (parser.isSet(one)) options.windowCommand << QString("--") + one << parser.value(one);
    for (const QString& file : options.plugins)
        options.windowCommand << "--engine-plugin" << file;
    const QString tongue = parser.value("ui-language");
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
