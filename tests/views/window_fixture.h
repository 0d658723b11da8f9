// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A window over the engine that misbehaves on request, in a folder of its own.
#pragma once

#include "core/record/json.h"
#include "tests/views/sample_record.h"
#include "views/main_window.h"
#include "views/panes/source/source_pane.h"
#include "views/widgets/banner.h"
#include "views/widgets/code_view.h"
#include "views/workspace.h"

#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

namespace cutaway::views::testing {

struct WindowFixture {
    explicit WindowFixture(const char* engineMode = "good") : mode(engineMode) {
        path = write("double_cosine.py", kDoubleCosine);
        window = makeWindow();
    }
    QString samplesFolder; ///< of the next start; none
    /// Another start of the program with the same settings.
    std::unique_ptr<MainWindow> makeWindow(QSize size = {1280, 800}) const {
        MainWindow::Options options;
        options.engineCommand = {FAKE_ENGINE, mode};
        options.settingsFile = folder.filePath("settings.ini");
        options.theme = "light";
        options.samplesFolder = samplesFolder;
        auto made = std::make_unique<MainWindow>(options);
        made->resize(size);
        made->show();
        return made;
    }
    QString write(const QString& name, const QByteArray& bytes) const {
        QFile file(folder.filePath(name));
        if (file.open(QIODevice::WriteOnly)) file.write(bytes);
        return file.fileName();
    }
    static QByteArray read(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    bool settled() const {
        return QTest::qWaitFor([&] { return window->isIdle(); });
    }
    bool openAndWait(const QString& file = {}) {
        return window->openFile(file.isEmpty() ? path : file) &&
               QTest::qWaitFor([&] { return !session()->record()->isEmpty() && window->isIdle(); });
    }
    bool savesRecord(const QString& file) const {
        bool good = false;
        session()->writeRecord(
            [&](const record::Record& record) { return record::save(record, file.toStdString()); },
            [&](const base::Status& status) { good = status.ok(); });
        return QTest::qWaitFor([&] { return !session()->isWriting(); }) && good;
    }
    Session* session() const { return window->session(); }
    CodeView* editor() const { return window->workspace()->pane<SourcePane>()->editor(); }
    template <typename T> T* pane(const char* id) const {
        window->reveal(id);
        QCoreApplication::processEvents();
        auto* found = window->workspace()->findChild<T*>(id);
        found->flush();
        return found;
    }
    ItemId item(const char* key) const { return session()->record()->find(key); }
    QAction* action(const QString& text) const {
        for (QAction* one : window->findChildren<QAction*>())
            if (one->text().remove('&') == text) return one;
        return nullptr;
    }
    /// What all messages offer.
    QStringList choices() const {
        QStringList texts;
        if (!window->banner()->isVisible()) return texts;
        window->banner()->setOpen(true);
        QCoreApplication::processEvents(); // which shows the buttons
        for (QPushButton* button : window->banner()->findChildren<QPushButton*>())
            if (button->isVisible() && button->objectName() != "moreMessages")
                texts << button->text();
        return texts;
    }
    bool choose(const QString& text) const {
        // Buttons of a visible banner are shown by the event loop.
        if (!QTest::qWaitFor([&] { return choices().contains(text); })) return false;
        for (QPushButton* button : window->banner()->findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == text) {
                button->click();
                return true;
            }
        return false;
    }

    const char* mode;
    QTemporaryDir folder;
    QString path;
    std::unique_ptr<MainWindow> window;
};

} // namespace cutaway::views::testing
