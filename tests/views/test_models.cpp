// SPDX-License-Identifier: GPL-3.0-or-later
// What torch.export saved and ONNX models, opened in the window: the engine's script of it is shown and linked, and not edited; the
// file is never written.
#include "views/main_window.h"
#include "views/widgets/code_view.h"

#include <QAction>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace cutaway;
using namespace cutaway::views;

static const QString kModels = CUTAWAY_SOURCE_DIR "/tests/data/exported/";

class TestModels : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void an_exported_program_is_shown_as_a_script();
    void an_onnx_model_is_shown_as_a_script();
    void weights_beside_an_onnx_model_are_read();
    void another_one_in_its_place_is_compiled();
    void a_damaged_one_says_why();

private:
    MainWindow::Options options() const {
        MainWindow::Options made;
        made.settingsFile = folder_.filePath("settings.ini");
        made.engineCommand = {CUTAWAY_TOOL, "serve"};
        return made;
    }
    QString copyOf(const QString& name) const {
        const QString path = folder_.filePath("model.pt2");
        QFile::remove(path);
        QFile::copy(kModels + name, path);
        return path;
    }
    static QByteArray bytes(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    static bool isShown(MainWindow& window) {
        return QTest::qWaitFor([&] { return window.session()->isCurrent() && window.isIdle(); },
                               120000);
    }
    QTemporaryDir folder_;
};

void TestModels::an_exported_program_is_shown_as_a_script() {
    const QString path = copyOf("attention.pt2");
    MainWindow window(options());
    window.show();
    Session& session = *window.session();
    QVERIFY(window.openFile(path));
    QVERIFY(isShown(window));
    auto* editor = window.findChild<CodeView*>("sourceEditor");
    QVERIFY(session.text().contains("torch.ops.aten.scaled_dot_product_attention.default("));
    QCOMPARE(editor->text(), session.text());
    QVERIFY(editor->isReadOnly());
    session.setText("print(1)\n"); // nobody edits it
    QVERIFY(!session.isModified() && session.text() != "print(1)\n");
    for (const QAction* action : window.findChildren<QAction*>())
        if (action->shortcut() == QKeySequence::Save) QVERIFY(!action->isEnabled());
    // The line of an operation leads to what became of it.
    const int line =
        int(session.text().left(session.text().indexOf("aten.linear")).count('\n')) + 1;
    const ItemId item = session.record()->sourceItem(0, line);
    QVERIFY(item != kNoItem);
    QVERIFY(session.record()->links().descendants({item}).size() > 3);
    QString error;
    const QString copy = folder_.filePath("copy.py");
    QVERIFY2(session.saveAs(copy, &error), qPrintable(error));
    QCOMPARE(QString::fromUtf8(bytes(copy)), session.text());
    QCOMPARE(session.path(), path);
    QCOMPARE(bytes(path), bytes(kModels + "attention.pt2"));
}

void TestModels::an_onnx_model_is_shown_as_a_script() {
    const QString path = folder_.filePath("block.onnx");
    QVERIFY(QFile::copy(CUTAWAY_SOURCE_DIR "/tests/data/onnx/block.onnx", path));
    MainWindow window(options());
    window.show();
    Session& session = *window.session();
    QVERIFY(window.openFile(path));
    QVERIFY(isShown(window));
    QVERIFY2(session.text().contains("= op.MatMul("), qPrintable(session.text()));
    QVERIFY(window.findChild<CodeView*>("sourceEditor")->isReadOnly());
    const int line = int(session.text().left(session.text().indexOf("op.MatMul(")).count('\n')) + 1;
    const ItemId item = session.record()->sourceItem(0, line);
    QVERIFY(item != kNoItem);
    QVERIFY(session.record()->links().descendants({item}).size() > 3);
    QCOMPARE(bytes(path), bytes(CUTAWAY_SOURCE_DIR "/tests/data/onnx/block.onnx"));
}

void TestModels::weights_beside_an_onnx_model_are_read() {
    const QString path = folder_.filePath("beside.onnx");
    QVERIFY(QFile::copy(CUTAWAY_SOURCE_DIR "/tests/data/onnx/beside/beside.onnx", path));
    {
        MainWindow window(options());
        window.show();
        QVERIFY(window.openFile(path));
        QTRY_VERIFY_WITH_TIMEOUT(window.session()->failed(), 60000);
        QVERIFY(!window.session()->diagnostics().empty());
    }
    QVERIFY(
        QFile::copy(CUTAWAY_SOURCE_DIR "/tests/data/onnx/beside/beside.onnx.data", path + ".data"));
    MainWindow window(options());
    window.show();
    QVERIFY(window.openFile(path));
    QVERIFY(isShown(window));
    QVERIFY(window.session()->text().contains("op.MatMul(") ||
            window.session()->text().contains("op.Gemm("));
}

void TestModels::another_one_in_its_place_is_compiled() {
    const QString path = copyOf("buffers.pt2");
    MainWindow window(options());
    window.show();
    Session& session = *window.session();
    QVERIFY(window.openFile(path));
    QVERIFY(isShown(window));
    QVERIFY(session.text().contains("aten.gelu"));
    copyOf("statistics.pt2");
    QTRY_COMPARE_WITH_TIMEOUT(session.diskState(), Session::DiskState::Changed, 20000);
    session.reloadFromDisk();
    QTRY_VERIFY_WITH_TIMEOUT(session.text().contains("torch.batch_norm"), 60000);
    QVERIFY(isShown(window));
    QCOMPARE(session.diskState(), Session::DiskState::Same);
}

void TestModels::a_damaged_one_says_why() {
    const QString path = folder_.filePath("damaged.pt2");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes(kModels + "buffers.pt2").left(9000));
    file.close();
    MainWindow window(options());
    window.show();
    QVERIFY(window.openFile(path));
    QTRY_VERIFY_WITH_TIMEOUT(window.session()->failed(), 60000);
    QVERIFY(!window.session()->diagnostics().empty());
}

QTEST_MAIN(TestModels)
#include "test_models.moc"
