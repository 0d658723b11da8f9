// SPDX-License-Identifier: GPL-3.0-or-later
// What a model is called with: decisions about inputs as text, the dialog that makes them, and what
// measurements of other inputs are worth.
#include "tests/views/window_fixture.h"
#include "views/models/given_input.h"
#include "views/panes/run/run_pane.h"
#include "views/widgets/inputs_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QSpinBox>

using namespace cutaway;
using namespace cutaway::views;
using Fixture = testing::WindowFixture;
using Kind = GivenInput::Kind;

class TestGivenInputs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void decisions_say_what_is_given() {
        for (const char* text : {"input 0=normal(0, 1, 7)", "input 12=uniform(-0.5, 2.25, 0)",
                                 "input 1=ints(0, 10, 3)", "input 0=zeros", "input 0=ones",
                                 "input 0=file(/a (b), c.npy, 0123456789ab)"}) {
            const auto input = givenInput(text);
            QVERIFY2(input, text);
            QCOMPARE(input->decision(), QString(text));
        }
        QCOMPARE(givenInput("input 0=file(/a, b.npy)")->path, QString("/a, b.npy"));
        for (const char* text : {"save cos", "input x=ones", "input 0=twos", "input 0=normal(1)"})
            QVERIFY2(!givenInput(text), text);
    }
    void what_cannot_be_given_is_told() {
        auto problem = [](Kind kind, double a, double b) {
            GivenInput input;
            input.kind = kind;
            input.a = a;
            input.b = b;
            return !input.problem().isEmpty();
        };
        QVERIFY(problem(Kind::Normal, 0, -1) && !problem(Kind::Normal, 0, 0));
        QVERIFY(problem(Kind::Uniform, 1, 1) && !problem(Kind::Uniform, 0, 1));
        QVERIFY(problem(Kind::Integers, 0.5, 2) && !problem(Kind::Integers, 0, 2));
        QVERIFY(problem(Kind::File, 0, 1) && !problem(Kind::Own, 3, 1));
    }
    void other_decisions_stay() {
        GivenInput ones;
        ones.number = 1;
        ones.kind = Kind::Ones;
        QCOMPARE(withInputs({"input 0=zeros", "save cos"}, {GivenInput(), ones}),
                 (QStringList{"input 1=ones", "save cos"}));
        const auto all = givenInputs({"save cos", "input 1=ones", "input 7=ones"}, 2);
        QVERIFY(all[0].kind == Kind::Own && all[1].kind == Kind::Ones);
        QCOMPARE(decisionSubject("input 1=ones"), decisionSubject("input 1=zeros"));
        // Eager is measured with these inputs, too, whatever the compiler is told.
        record::Run run;
        run.decisions = "input 1=ones; save cos";
        QCOMPARE(Measured(run).undecided().decisions, QString("input 1=ones"));
    }
    void the_dialog_makes_decisions_and_they_are_undone() {
        Fixture f;
        QVERIFY(f.openAndWait());
        auto* pane = f.pane<RunPane>("run");
        QPushButton* open = nullptr;
        for (QPushButton* button : pane->findChildren<QPushButton*>())
            if (button->text() == "Inputs…") open = button;
        QVERIFY(open && open->isEnabled());
        open->click();
        InputsDialog* dialog = nullptr;
        QTRY_VERIFY((dialog = pane->findChild<InputsDialog*>()));
        const auto kinds = dialog->findChildren<QComboBox*>();
        QCOMPARE(kinds.size(), 2);
        QVERIFY(kinds[0]->findText("normal") > 0 && kinds[1]->findText("normal") < 0);
        auto choose = [&](int row, const char* text) {
            kinds[row]->setCurrentIndex(kinds[row]->findText(text));
            emit kinds[row]->activated(kinds[row]->currentIndex());
        };
        choose(0, "uniform");
        choose(1, "whole numbers");
        const auto numbers = dialog->findChildren<QDoubleSpinBox*>();
        QCOMPARE(numbers[1]->value(), 1.0);
        QCOMPARE(numbers[3]->value(), 10.0); // below 1 there is nothing but 0
        numbers[2]->setValue(5);
        numbers[3]->setValue(2);
        QPushButton* take = nullptr;
        for (QPushButton* button : dialog->findChildren<QPushButton*>())
            if (button->text() == "Take these") take = button;
        QVERIFY(take && !take->isEnabled()); // from 5 to below 2
        numbers[3]->setValue(9);
        dialog->findChildren<QSpinBox*>()[0]->setValue(7);
        QVERIFY(take->isEnabled());
        take->click();
        QCOMPARE(f.session()->options().decisions,
                 (QStringList{"input 0=uniform(0, 1, 7)", "input 1=ints(5, 9, 1)"}));
        QTRY_COMPARE(open->text(), QString("Inputs (2)…"));
        QVERIFY(f.settled());
        f.session()->undoDecision();
        QVERIFY(f.session()->options().decisions.isEmpty());
        QVERIFY(f.settled());
    }
    void a_file_is_known_by_what_it_holds() {
        Fixture f;
        const QString path = f.write("x.npy", "one");
        const QString one = inputHash(path);
        QCOMPARE(one.size(), 12);
        f.write("x.npy", "two");
        QVERIFY(inputHash(path) != one);
        QVERIFY(inputHash(path + ".gone").isEmpty());
    }
};

QTEST_MAIN(TestGivenInputs)
#include "test_given_inputs.moc"
