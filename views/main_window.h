// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Menus, tool bar, status bar, banner, start page and workspace. It knows that there are panes,
/// not what they contain.
#pragma once

#include "views/bridge/lesson.h"
#include "views/bridge/selection_state.h"
#include "views/bridge/session.h"
#include "views/widgets/banner.h"

#include <QElapsedTimer>
#include <QMainWindow>
#include <QSettings>
#include <functional>
#include <optional>

class QAction;
class QComboBox;
class QDockWidget;
class QLabel;
class QProgressBar;
class QScrollArea;
class QShortcut;
class QStackedWidget;
class QToolButton;

namespace cutaway::views {

enum class ExportScope;
struct PaletteEntry;
struct ShownPlace;
class GraphCanvas;
class PointerRing;
class StageBar;
class StartPage;
class Workspace;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    struct Options {
        QStringList engineCommand;
        QStringList plugins;  ///< that the engine is to load, besides those of the settings
        QString settingsFile; ///< an INI file
        QString samplesFolder;
        QString theme;             ///< "light", "dark", or empty: as set, else the system's
        QStringList windowCommand; ///< starts another window beside this one; empty: there is none
        bool beside = false; ///< it is such another one: the next start goes on with the first
    };
    explicit MainWindow(const Options& options);
    ~MainWindow() override;

    bool openFile(const QString& path);
    /// Opens what was open when the last window was closed, with what was selected, if that is
    /// wanted and there still is such a file.
    void restoreSession();
    /// What measures \p file so in a shell: "cutaway bench 'a b.py' --size tiny --decide 'save cos'".
    static QString benchCommand(const QString& file, const CompileOptions& options);
    Session* session() { return &session_; }
    SelectionState* selection() { return &selection_; }
    Workspace* workspace() const { return workspace_; }
    Banner* banner() const { return banner_; }
    /// True when nothing is under way: no compilation, no layout, no listing.
    bool isIdle() const;
    void setThemeChoice(const QString& choice);

    // For the command line and for tests.
    /// Plays a tour of a file. \returns false, having said why, when it is none.
    bool playTour(const QString& path);
    void reveal(const QString& pane);
    void setGraphStage(const QString& stage);
    void setCodeLanguage(const QString& language);
    void selectKey(const QString& key);
    /// The graph that is in sight as a file: see exportGraph().
    base::Status exportGraphTo(const QString& path, ExportScope scope, double pngScale);
    /// Opens the file of a link and shows its item once it is compiled. \returns false, having said
    /// why, when that is no link or the file cannot be opened.
    bool openLink(const QString& text);
    /// Selects an item and shows the pane, and in the graph the stage, where it stands.
    void goTo(ItemId item);
    void measure();
    /// Does what a command of the menus does. \param name in English, as the keys are kept under:
    /// "Keep this layout", "Presentation". \returns why it is not possible; empty: it was done.
    QString giveCommand(const QString& name);
    /// Keeps where the panes are under a name, for the menu of own layouts.
    void keepLayout(const QString& name);
    QStringList ownLayouts() const;
    /// Calls \p act once, when the first record is there.
    void whenCompiled(std::function<void()> act);

signals:
    /// To close it and to make another, for a language that was chosen.
    void openAnewRequested();

protected:
    void closeEvent(QCloseEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;
    bool event(QEvent* event) override;

private:
    // main_window_menus.cpp
    void makeMenus();
    void makeFileMenu();
    void makeViewMenu();
    void makeLanguageMenu(QMenu* view);
    void makeRunMenu();
    void makeHelpMenu();
    void makeToolBar();
    /// What a command is called: in English for the settings, and as the menu shows it.
    struct CommandName {
        QString english, shown;
    };
    QAction* add(QMenu* menu, const CommandName& name, const QKeySequence& keys, const QString& tip,
                 std::function<void()> act, const char* icon = nullptr);
    /// \param text QT_TR_NOOP("…")
    QAction* add(QMenu* menu, const char* text, const QKeySequence& keys, const QString& tip,
                 std::function<void()> act, const char* icon = nullptr);
    void fillRecentMenu();
    // main_window_layouts.cpp
    /// Where the window and its panes are, what is open and what is selected, for the next start.
    void storeLayout();
    /// A little later, once for what changes until then: a window that is ended loses nothing.
    void storeSoon() {
        storing_.start();
        lesson_.tell();
    }
    /// Size, function and selection, once what is open is compiled.
    bool openUntitled(const QString& key);
    void comeBack(const WorkspaceFile& kept);
    WorkspaceFile workspaceNow() const;
    void saveWorkspace();
    bool openWorkspace(const WorkspaceFile& kept);
    void showPanesOf(const WorkspaceFile& kept);
    void foldAsIn(const WorkspaceFile& kept);
    /// Backend, device and decisions.
    void decideAsIn(const WorkspaceFile& kept);
    // main_window_lesson.cpp
    void setUpLesson();
    void teach();
    void followLesson();
    void takeLesson(const WorkspaceFile& kept);
    bool tellWhatDiffers(const WorkspaceFile& taught);
    void playTourOf(const WorkspaceFile& kept, const QByteArray& before);
    void selectAsTaught();
    void restoreLayout();
    void makeLayoutMenu(QMenu* view);
    // main_window_tools.cpp
    void saveRecipe();
    void applyRecipe();
    void fillOwnLayouts();
    void showOwnLayout(const QString& name);
    void forgetLayout(const QString& name);
    static QString keysId(const QAction* action);
    static void showKeys(QAction* action);
    void showShortcuts();
    void addChoices(std::vector<PaletteEntry>* entries);
    void showCommandPalette();
    void showItemPalette();
    void goToFound(int by);
    /// What was looked for in all panes, and what there is of it, by the record's keys.
    struct Found {
        QString typed;
        QStringList keys;
        int at = 0;
    };
    Found found_;
    // main_window.cpp
    void makeStatusBar();
    void applyTheme();
    const Theme& chosenTheme() const;
    void openDialog();
    void openLinkDialog();
    /// Opens a record that a running program writes, and shows it as it grows.
    void attach();
    void newDocument();
    void openWindow();
    void closeDocument();
    void openDraft(const Draft& draft);
    bool keepEdits();
    /// Opens what takes the document's place, and tells where its unsaved edits went.
    /// \param otherwise what is offered when it does not open
    bool replaceDocument(const std::function<bool(QString*)>& open,
                         std::vector<Banner::Choice> otherwise = {});
    void tellOfDraft(const QString& key, const QString& name);
    void startAgain();
    void save();
    void saveAs();
    bool isSample(const QString& path) const;
    void saveRecord();
    void exportReport();
    void exportTrace();
    void exportKernels(bool cuda);
    /// Asks for a name and writes what \p make makes of the record with its measurements.
    void exportText(const QString& title, const QString& filter, const QString& ending,
                    std::string (*make)(const record::Record&));
    // main_window_tools.cpp
    /// The graph that is looked at, in the pane in use where several are; null: none is in sight.
    GraphCanvas* graphInSight() const;
    void askExport(ExportScope scope);
    base::Status exportDrawn(const GraphCanvas& canvas, ExportScope scope, const QString& path,
                             double pngScale) const;
    void setPresenting(bool presenting);
    void holdStill();
    void placeAll();
    void showSpeakerNotes();
    void makePresentKeys();
    void setFontSize(double points);
    void applyLooks();
    void showSettings();
    /// With the plug-ins to load.
    QStringList engineCommand() const;
    // main_window_tours.cpp
    void showGlossary();
    void beginTour(int number);
    void chooseTour();
    void openTour();
    void makeTour();
    ShownPlace shownPlace() const;
    void offerToOpenAnew();
    void applySetting(const QString& key);
    void compareWithDisk();
    void overwrite();
    void addRecent(const QString& path);
    void setUp();
    void connectSession();
    void connectPanes();
    void showDocument();
    void focusWork();
    void focusLater();
    bool isBusy() const;
    void showPossible();
    void showProgress();
    void showDecided();
    QString stateText() const;
    void showStatus();
    /// Tells what was done, beside the state, for some seconds. Empty: no longer.
    void say(const QString& text);
    void undoLast();
    void redoLast();
    void sayDecided(const CompileOptions& were, const QString& what);
    void showSelected();
    void scrollTo(QDockWidget* dock);
    void showStages();
    void showTimes();
    void showBanner();
    std::optional<Banner::Message> engineMessage();
    std::optional<Banner::Message> diskMessage();
    std::optional<Banner::Message> draftMessage();
    std::optional<Banner::Message> decisionsMessage();
    std::optional<Banner::Message> switchMessage();
    /// What a message is about: a later one of the same replaces it, none of anything else does.
    enum class About : uint8_t {
        Opening,
        Left,
        Saving,
        Draft,
        Engine,
        Export,
        Link,
        Language,
        Plugins,
        Tour,
        Lesson
    };
    /// An error that stays until it is closed or what it is about succeeds; empty: none.
    /// \param document key of the one that was left: each has a message of its own
    void notify(About about, const QString& text, std::vector<Banner::Choice> choices = {},
                Tone tone = Tone::Error, const QString& document = {});
    void fillDraftsMenu();
    void showOptions();
    void showFunctions();
    void showAbout();

    Options options_;
    QSettings settings_;
    EngineClient engine_;
    Session session_;
    SelectionState selection_;
    QStackedWidget* pages_;
    QScrollArea* desk_; ///< scrolls the docks where the window is smaller than they may be
    Lesson lesson_;
    std::optional<WorkspaceFile> taught_; ///< what came last of the lesson that is followed
    bool selectionDue_ = false;           ///< of it, once it is compiled
    QToolButton* lessonButton_;           ///< there is a lesson; ends it
    StageBar* stages_;
    StartPage* start_;
    Workspace* workspace_;
    Banner* banner_;
    struct Notice {
        About about;
        QString document; ///< key of the one that was left
        Banner::Message message;
    };
    std::vector<Notice> notices_; ///< the newest first
    QString paneInUse_;           ///< that had the focus last
    bool startedAgain_ = false;
    bool toldDecisions_ = false; ///< those of an earlier window
    bool closeAnyway_ = false;   ///< without the edits that could not be kept
    QMenu *draftsMenu_ = nullptr, *recentMenu_ = nullptr, *ownLayouts_ = nullptr,
          *forgetLayouts_ = nullptr;
    QComboBox *size_, *device_, *function_;
    QAction *sizeAction_, *functionAction_;
    QAction *present_ = nullptr, *spotlight_ = nullptr;
    bool presenting_ = false;
    QByteArray beforePresenting_;    ///< the layout, which comes back
    QSize roomBefore_;               ///< that it was made for
    PointerRing* pointer_ = nullptr; ///< shown while presenting
    std::vector<QShortcut*> presentKeys_;
    double usualSystemPoints_ = 0; ///< size of the type where nothing is set
    double usualPoints_ = 0;       ///< size of the type when nothing is presented
    QAction *undoDecision_, *redoDecision_, *copyCommand_, *saveRecipe_, *applyRecipe_;
    std::vector<QAction*> ofDocument_; ///< possible while something is open
    QAction *back_, *forward_, *cancel_, *measure_, *compareValues_, *saveAction_;
    QAction *exportCpp_, *exportCuda_, *exportSelected_;
    std::vector<std::pair<QAction*, QString>> icons_;
    QLabel *state_, *times_, *said_, *selectionText_;
    QProgressBar* progress_;
    QToolButton *cancelButton_, *decisions_; ///< the latter: how many are in force
    QTimer placed_;                          ///< runs while nothing is laid out
    QTimer fitLeast_;      ///< how small the window may be: once, when its panes are laid out
    QTimer looks_;         ///< type and colours, once for several changes of them
    double points_ = 0;    ///< size of the type, as soon as these are applied
    QString appliedSheet_; ///< of the theme that icons are drawn for
    static constexpr int kToolIcon = 16;
    QTimer storing_, saying_;
    QTimer telling_; ///< functions, stages and times of a record, once for all that changed
    QTimer progressDelay_, clock_;     ///< the latter runs while the progress is shown
    std::function<void()> whenOpened_; ///< of a record that is read, and takes the document's place
    QString themeChoice_;
    bool systemDark_ = false;
    bool saveRefused_ = false; ///< because others changed the file, until that is settled
};

} // namespace cutaway::views
