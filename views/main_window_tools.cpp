// SPDX-License-Identifier: GPL-3.0-or-later
// The part of MainWindow that exports, opens links, presents, and sizes the type.
#include "views/main_window.h"

#include "core/base/file_system.h"
#include "core/record/chrome_trace.h"
#include "core/record/html_report.h"
#include "views/language/language.h"
#include "views/models/deep_link.h"
#include "views/models/format.h"
#include "views/panes/graph/graph_pane.h"
#include "views/panes/steps/steps_pane.h"
#include "views/panes/tour/tour_pane.h"
#include "views/widgets/code_font.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/graph_export.h"
#include "views/widgets/player.h"
#include "views/widgets/pointer_ring.h"
#include "views/widgets/save_name.h"
#include "views/widgets/settings_dialog.h"
#include "views/widgets/stage_bar.h"
#include "views/workspace.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QInputDialog>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QShortcut>
#include <QStatusBar>
#include <QStyle>
#include <QTimer>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>

namespace cutaway::views {

namespace {
constexpr double kLeastPoints = 6, kMostPoints = 32, kPresented = 1.5;
constexpr int kPlacedMs = 60;
} // namespace

/// The pane that a widget is part of.
static const Pane* paneOf(const QWidget* widget) {
    const auto* pane = qobject_cast<const Pane*>(widget);
    return pane || !widget ? pane : paneOf(widget->parentWidget());
}

GraphCanvas* MainWindow::graphInSight() const {
    GraphCanvas* found = nullptr;
    for (GraphCanvas* canvas : workspace_->findChildren<GraphCanvas*>()) {
        const Pane* pane = paneOf(canvas);
        if (!pane || !canvas->isVisible() || canvas->visibleRegion().isEmpty()) continue;
        if (!found || pane->objectName() == paneInUse_) found = canvas;
    }
    return found;
}

base::Status MainWindow::exportDrawn(const GraphCanvas& canvas, ExportScope scope,
                                     const QString& path, double pngScale) const {
    const auto* graphs = workspace_->pane<GraphPane>();
    GraphScene whole;
    if (scope == ExportScope::Whole)
        whole = &canvas == graphs->canvas() ? graphs->everyNode() : canvas.scene();
    return exportGraph(canvas, whole, scope, path, pngScale);
}

base::Status MainWindow::exportGraphTo(const QString& path, ExportScope scope, double pngScale) {
    const GraphCanvas* canvas = graphInSight();
    if (!canvas) canvas = workspace_->pane<GraphPane>()->canvas();
    if (canvas->scene().nodes.empty())
        return base::userError({}, tr("There is no graph to export yet.").toStdString());
    return exportDrawn(*canvas, scope, path, std::clamp(pngScale, kLeastPngScale, kMostPngScale));
}

void MainWindow::askExport(ExportScope scope) {
    auto* graphs = workspace_->pane<GraphPane>();
    GraphCanvas* canvas = graphInSight();
    if (!canvas || canvas->scene().nodes.empty()) { // a partition without a backward, say
        workspace_->reveal<GraphPane>();
        canvas = graphs->canvas();
    }
    if (canvas->scene().nodes.empty())
        return notify(About::Export, tr("There is no graph to export yet."));
    bool any = scope != ExportScope::Selected; // before a name is asked for
    for (size_t i = 0; !any && i < canvas->scene().nodes.size(); ++i)
        any = canvas->isSelected(static_cast<int>(i));
    if (!any) return notify(About::Export, tr("No node of the graph that is shown is selected."));
    const Pane* pane = paneOf(canvas);
    const bool ofStage = pane == graphs;
    const QString which = ofStage ? graphs->stage() : pane->parentWidget()->windowTitle();
    const QString name = QFileInfo(session_.path()).completeBaseName() + "_" +
                         (ofStage ? graphs->stage() : pane->objectName());
    const QString path =
        askSaveName(this, tr("Export graph: %1").arg(which),
                    QFileInfo(session_.path()).absolutePath() + "/" + name + ".svg",
                    exportFilters().join(";;"), "svg");
    if (path.isEmpty()) return;
    const base::Status written =
        exportDrawn(*canvas, scope, path, settings_.value("pngScale", kUsualPngScale).toDouble());
    if (!written)
        return notify(About::Export,
                      tr("Not exported: %1.").arg(QString::fromStdString(written.error().message)));
    notify(About::Export, {});
    say(tr("Exported %1: %2").arg(QFileInfo(path).fileName(), which));
}

void MainWindow::exportReport() {
    if (session_.record()->isEmpty())
        return notify(About::Export, tr("There is nothing to report yet."));
    exportText(tr("Export report"), tr("HTML pages (*.html)"), "html", &record::htmlReport);
}

void MainWindow::exportTrace() {
    if (session_.record()->isEmpty())
        return notify(About::Export, tr("There is nothing to trace yet."));
    exportText(tr("Export trace"), tr("Traces (*.json)"), "json", &record::chromeTrace);
}

void MainWindow::exportText(const QString& title, const QString& filter, const QString& ending,
                            std::string (*make)(const record::Record&)) {
    const QFileInfo script(session_.path());
    const QString name = session_.path().isEmpty() ? tr("untitled") : script.completeBaseName();
    const QString path =
        askSaveName(this, title, script.absolutePath() + "/" + name, filter, ending);
    if (path.isEmpty()) return;
    const QString file = QFileInfo(path).fileName();
    notify(About::Export, tr("Making “%1”…").arg(file), {}, Tone::Normal);
    session_.writeRecord(
        [this, path, file, make](const record::Record& record) {
            const std::string text = make(record);
            QMetaObject::invokeMethod(this, [this, file, size = text.size()] {
                notify(About::Export,
                       tr("Writing “%1”, %2…").arg(file, format::bytes(int64_t(size))), {},
                       Tone::Normal);
            });
            return base::writeFileAtomically(QFile::encodeName(path).toStdString(), text);
        },
        [this, path, file](const base::Status& status) {
            if (!status)
                return notify(
                    About::Export,
                    tr("Not exported: %1.").arg(QString::fromStdString(status.error().message)));
            notify(About::Export, {});
            say(tr("Exported %1, %2").arg(file, format::bytes(QFileInfo(path).size())));
        });
}

namespace {

/// Asks for a folder; one that is not there is made when it is chosen.
class FolderDialog : public QFileDialog {
public:
    FolderDialog(QWidget* parent, const QString& title, const QString& at)
        : QFileDialog(parent, title, at) {
        setOptions(DontUseNativeDialog | ShowDirsOnly); // a native one's may have to be there
        setFileMode(Directory);
        setLabelText(FileName, MainWindow::tr("&Folder, made if it is not there:"));
        edit_ = findChild<QLineEdit*>("fileNameEdit");
        const auto* box = findChild<QDialogButtonBox*>("buttonBox");
        QPushButton* choose = box ? box->button(QDialogButtonBox::Open) : nullptr;
        if (!edit_ || !choose) return;
        connect(edit_, &QLineEdit::textChanged, choose,
                [choose](const QString& text) { choose->setEnabled(!text.trimmed().isEmpty()); });
    }
    void accept() override {
        if (edit_ && !edit_->text().trimmed().isEmpty())
            directory().mkpath(edit_->text().trimmed());
        QFileDialog::accept(); // says so where there is none now
    }

private:
    QLineEdit* edit_ = nullptr;
};

} // namespace

void MainWindow::exportKernels(bool cuda) {
    FolderDialog dialog(this, tr("Export kernels"), QFileInfo(session_.path()).absolutePath());
    if (dialog.exec() != QDialog::Accepted) return;
    const QString folder = dialog.selectedFiles().value(0);
    if (folder.isEmpty()) return;
    notify(About::Export, tr("Exporting the kernels…"), {}, Tone::Normal);
    session_.exportSources(cuda, folder, [this, folder](int files, const QString& problem) {
        if (!problem.isEmpty()) return notify(About::Export, tr("Not exported: %1.").arg(problem));
        notify(About::Export, {});
        say(tr("Exported %n file(s) to %1", nullptr, files).arg(folder));
    });
}

void MainWindow::saveRecipe() {
    const QStringList& decisions = session_.options().decisions;
    if (decisions.isEmpty()) return;
    const QFileInfo script(session_.path());
    const QString name = session_.path().isEmpty() ? tr("untitled") : script.completeBaseName();
    const QString file =
        askSaveName(this, tr("Save decisions"), script.absolutePath() + "/" + name + ".recipe",
                    tr("Recipes (*.recipe);;All files (*)"), "recipe");
    if (file.isEmpty()) return;
    const base::Status written = base::writeFileAtomically(QFile::encodeName(file).toStdString(),
                                                           recipeText(decisions).toStdString());
    notify(About::Saving,
           written ? QString()
                   : tr("Not saved: %1").arg(QString::fromStdString(written.error().message)));
    if (written) say(tr("Saved the decisions: %1").arg(QFileInfo(file).fileName()));
}

/// What was decided stays, but where the recipe decides the same otherwise.
void MainWindow::applyRecipe() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Apply decisions"),
                                                      QFileInfo(session_.path()).absolutePath(),
                                                      tr("Recipes (*.recipe);;All files (*)"));
    if (path.isEmpty()) return;
    QFile file(path);
    QString problem;
    const bool opened = file.open(QIODevice::ReadOnly);
    if (!opened) problem = file.errorString();
    const auto recipe =
        opened ? readRecipe(QString::fromUtf8(file.readAll()), &problem) : std::nullopt;
    notify(About::Opening,
           recipe ? QString()
                  : tr("Could not open %1").arg(QFileInfo(path).fileName() + ": " + problem));
    if (!recipe) return;
    QStringList decisions = session_.options().decisions;
    for (const QString& one : *recipe)
        decisions = decided(std::move(decisions), one);
    session_.decide(decisions);
    sayDecided(session_.options(), tr("Decided as %1 says.").arg(QFileInfo(path).fileName()));
}

void MainWindow::setFontSize(double points) {
    points_ = std::clamp(points, kLeastPoints, kMostPoints);
    if (!presenting_) {
        if (usualPoints_ != points_) settings_.setValue("fontSize", points_);
        usualPoints_ = points_;
    }
    looks_.start(); // steps that follow each other are one
}

/// Below a style sheet Qt tells widgets of the application's font in any order, but each takes its
/// parent's; and rules that tell sizes in letters are kept for the font that was. Polishing all by
/// the whole sheet takes three times as long.
static void takeFont(QWidget* widget) {
    QEvent change(QEvent::ApplicationFontChange);
    QCoreApplication::sendEvent(widget, &change);
    const bool isOfLetters =
        qobject_cast<QLineEdit*>(widget) || qobject_cast<QAbstractSpinBox*>(widget) ||
        qobject_cast<QComboBox*>(widget) || qobject_cast<QDockWidget*>(widget) ||
        QStringList{"primary", "hero", "heading"}.contains(widget->objectName());
    if (isOfLetters) {
        widget->style()->unpolish(widget);
        widget->style()->polish(widget);
    }
    for (QWidget* child : widget->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
        takeFont(child);
}

/// Everything is laid out and painted anew: once for all that changed meanwhile.
void MainWindow::applyLooks() {
    looks_.stop();
    QFont font = QApplication::font();
    if (font.pointSizeF() != points_) {
        font.setPointSizeF(points_);
        QApplication::setFont(font);
        for (QWidget* widget : QApplication::topLevelWidgets())
            takeFont(widget);
        const int side = std::max(kToolIcon, QFontMetrics(font).ascent() + 2);
        for (QToolBar* bar : findChildren<QToolBar*>(Qt::FindDirectChildrenOnly))
            if (bar != static_cast<QToolBar*>(stages_)) bar->setIconSize(QSize(side, side));
        for (auto* button : workspace_->findChildren<QToolButton*>())
            if (!button->property("iconName").isNull()) button->setIconSize(QSize(side, side));
    }
    applyTheme(); // code has the size of everything else
}

/// Families in which every letter is as wide as the others.
static QStringList codeFamilies() {
    QStringList all{QString()};
    for (const QString& family : QFontDatabase::families())
        if (QFontDatabase::isFixedPitch(family) && !QFontDatabase::isPrivateFamily(family))
            all << family;
    return all;
}

void MainWindow::showSettings() {
    QStringList themes{"system"}, themeTitles{tr("As the system")};
    for (const ThemeRow& row : themeRows()) {
        themes << row.id;
        themeTitles << format::withoutMnemonic(QCoreApplication::translate("Theme", row.title));
    }
    QStringList families = codeFamilies(), familyTitles = families;
    familyTitles[0] = tr("The system's");
    QStringList tongues{"system"}, tongueNames{tr("As the system")};
    for (const QString& id : languages()) {
        tongues << id;
        tongueNames << languageName(id);
    }
    std::vector<SettingRow> rows{
        {"language", tr("Language"),
         tr("Of the window, when it is opened anew. The compiler's reasons are told in it, too; "
            "errors of a script are English in every language."),
         QStringLiteral("system"), tongues, tongueNames},
        {"theme", tr("Colours"), tr("Light, dark, high contrast, and for colour-blind eyes."),
         QStringLiteral("system"), themes, themeTitles},
        {"fontSize",
         tr("Size of the type"),
         tr("In points, of everything in the window."),
         usualSystemPoints_,
         {},
         {},
         kLeastPoints,
         kMostPoints},
        {"codeFamily", tr("Font of code"), tr("What scripts, kernels and listings are written in."),
         QString(), families, familyTitles},
        {"reopen", tr("Go on where it ended"),
         tr("Open the last document at the start, with what was selected."), true},
        {"lockPanes", tr("Lock panes"), tr("Panes cannot be moved or closed by accident."), true},
        {"lessMotion", tr("Less motion"),
         tr("Nothing plays by itself: the Steps pane goes on only when it is asked to, and the "
            "pointer of a presentation leaves no trail."),
         false},
        {"pngScale",
         tr("Scale of pictures"),
         tr("Of graphs that are exported as PNG: pixels for one of the screen."),
         kUsualPngScale,
         {},
         {},
         kLeastPngScale,
         kMostPngScale},
        {"plugins", tr("Plug-ins"),
         tr("Shared libraries that the engine loads when it starts, separated by semicolons: they "
            "add backends and colours of nodes. They run with your rights."),
         QString()}};
    (new SettingsDialog(
         std::move(rows), &settings_, [this](const SettingRow& row) { applySetting(row.key); },
         this))
        ->show();
}

void MainWindow::attach() {
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Attach: what “cutaway run --record” writes"),
        QFileInfo(session_.path()).absolutePath(), tr("Records (*.cutaway);;All files (*)"));
    if (path.isEmpty() || !openFile(path)) return;
    if (!session_.isReadOnly() && !session_.isOpening())
        return notify(About::Opening,
                      tr("“%1” is a script: nothing writes it as it compiles. Run it with "
                         "“cutaway run --record FILE”, and attach to that file.")
                          .arg(QFileInfo(path).fileName()));
    session_.follow();
}

QStringList MainWindow::engineCommand() const {
    QStringList command = options_.engineCommand;
    const QStringList kept = settings_.value("plugins").toString().split(';', Qt::SkipEmptyParts);
    for (const QString& file : options_.plugins + kept)
        if (!file.trimmed().isEmpty()) command << "--plugin" << file.trimmed();
    return command;
}

void MainWindow::applySetting(const QString& key) {
    if (key == "theme") setThemeChoice(settings_.value(key, "system").toString());
    if (key == "fontSize") setFontSize(settings_.value(key, usualSystemPoints_).toDouble());
    if (key == "language") offerToOpenAnew();
    if (key == "lessMotion")
        workspace_->pane<StepsPane>()->player()->setLessMotion(settings_.value(key).toBool());
    if (key == "lessMotion") pointer_->setTrail(!settings_.value(key).toBool());
    if (key == "plugins") {
        engine_.setCommand(engineCommand());
        engine_.restart();
    }
    if (key == "lockPanes") workspace_->setLocked(settings_.value(key, true).toBool());
    if (key != "codeFamily") return;
    setCodeFamily(settings_.value(key).toString());
    looks_.start();
}

/// Words that stand already keep their language; a new window has the other.
void MainWindow::offerToOpenAnew() {
    if (spokenFor(settings_.value("language", "system").toString()) == spoken())
        return notify(About::Language, {});
    notify(About::Language,
           tr("The language changes when the window is opened anew. The document and what is "
              "selected come back; measurements do not."),
           {{tr("Open it anew"), [this] { emit openAnewRequested(); }}}, Tone::Normal);
}

QString MainWindow::giveCommand(const QString& name) {
    const auto plain = [](QString text) {
        return text.remove('&').remove(QChar(0x2026)).trimmed();
    };
    for (QAction* action : findChildren<QAction*>()) {
        const QString its = plain(action->property("command").toString());
        if (its.isEmpty() || its.compare(plain(name), Qt::CaseInsensitive) != 0) continue;
        if (!action->isEnabled()) {
            const QString why = action->property("whyNot").toString();
            return why.isEmpty() ? tr("this is not possible now") : why;
        }
        action->trigger();
        return {};
    }
    return tr("there is no such command");
}

bool MainWindow::openLink(const QString& text) {
    const auto link = readLink(text);
    if (!link) {
        notify(About::Link,
               tr("“%1” is no link: it begins with cutaway:/// and a file").arg(text.left(80)));
        return false;
    }
    if (session_.path() != link->path && !openFile(link->path)) return false;
    const auto show = [this, link] {
        if (session_.path() != link->path) return;
        const ItemId item = session_.record()->search(link->select);
        if (item == kNoItem && !link->select.isEmpty())
            notify(About::Link, tr("“%1” is not in this compilation any more.").arg(link->select));
        else if (item != kNoItem)
            goTo(item);
        if (item == kNoItem || link->box.isEmpty()) return;
        auto* graphs = workspace_->pane<GraphPane>();
        graphs->setStage(link->box.section('/', 0, 0));
        workspace_->reveal<GraphPane>();
        if (const QString box = link->box.section('/', 1); !graphs->goToBox(box))
            notify(About::Link,
                   tr("“%1” is not in this compilation any more.").arg(box.section(':', 1)));
    };
    // The sizes that a file offers are known once it is compiled.
    const auto withSize = [this, link, show] {
        CompileOptions options = session_.options();
        if (session_.path() != link->path || link->size.isEmpty() || options.size == link->size ||
            !session_.sizes().contains(link->size))
            return show();
        options.size = link->size;
        session_.setOptions(options);
        whenCompiled(show);
    };
    if (session_.record()->isEmpty() || session_.isCompiling() || session_.isOpening())
        whenCompiled(withSize);
    else
        withSize();
    return true;
}

void MainWindow::openLinkDialog() {
    const QString copied = QApplication::clipboard()->text();
    QInputDialog dialog(this);
    dialog.setWindowTitle(tr("Open a link"));
    dialog.setLabelText(tr("A link that was copied from a node:"));
    if (readLink(copied)) dialog.setTextValue(copied);
    dialog.resize(640, dialog.sizeHint().height()); // links are long
    if (dialog.exec() == QDialog::Accepted && !dialog.textValue().trimmed().isEmpty())
        openLink(dialog.textValue());
}

/// What a presenter's remote control sends: to the next step of a tour, else of what is played.
void MainWindow::makePresentKeys() {
    pointer_ = new PointerRing(this);
    auto add = [this](Qt::Key key, int by) {
        auto* keys = new QShortcut(QKeySequence(key), this);
        keys->setEnabled(false);
        connect(keys, &QShortcut::activated, this, [this, by] {
            auto* tour = workspace_->pane<TourPane>();
            if (tour->isPlaying())
                tour->goTo(std::max(0, tour->step() + by));
            else
                workspace_->pane<StepsPane>()->player()->step(by);
        });
        presentKeys_.push_back(keys);
    };
    add(Qt::Key_PageDown, 1);
    add(Qt::Key_PageUp, -1);
    auto* leave = new QShortcut(QKeySequence(Qt::Key_Escape), this);
    leave->setEnabled(false);
    connect(leave, &QShortcut::activated, this, [this] { setPresenting(false); });
    presentKeys_.push_back(leave);
}

/// Nothing is laid out or painted until all has changed and the window has its new size.
void MainWindow::holdStill() {
    setUpdatesEnabled(false);
    layout()->setEnabled(false);
    workspace_->holdStill();
}

void MainWindow::placeAll() {
    workspace_->layout()->invalidate(); // how small it may be tells what it gets
    layout()->setEnabled(true);
    layout()->invalidate();
    layout()->activate();
    workspace_->goOn();
    setUpdatesEnabled(true);
}

void MainWindow::setPresenting(bool presenting) {
    present_->setChecked(presenting);
    if (presenting == presenting_) return;
    presenting_ = presenting;
    holdStill();
    if (presenting) {
        beforePresenting_ = workspace_->wantedState(Workspace::kLayoutVersion);
        roomBefore_ = workspace_->wantedRoom();
    }
    for (QToolBar* bar : findChildren<QToolBar*>(Qt::FindDirectChildrenOnly))
        bar->setVisible(!presenting);
    statusBar()->setVisible(!presenting);
    // Hidden, its keys would be dead.
    menuBar()->setMaximumHeight(presenting ? 0 : QWIDGETSIZE_MAX);
    pointer_->setColor(chosenTheme().mark);
    pointer_->setVisible(presenting);
    if (!presenting) spotlight_->setChecked(false);
    spotlight_->setEnabled(presenting);
    for (QShortcut* keys : presentKeys_)
        keys->setEnabled(presenting);
    setWindowState(presenting ? windowState() | Qt::WindowFullScreen
                              : windowState() & ~Qt::WindowFullScreen);
    setFontSize(presenting ? usualPoints_ * kPresented : usualPoints_);
    applyLooks();
    showBanner();
    focusLater();
    if (!presenting) {
        showStages();
        workspace_->putBack(beforePresenting_, Workspace::kLayoutVersion, roomBefore_);
    }
    placed_.start(kPlacedMs); // where the window keeps its size
}

} // namespace cutaway::views
