// SPDX-License-Identifier: Apache-2.0
// Index expressions: canonical form, simplification, and agreement with evaluation.
#include "core/ir/sym.h"

#include <QtTest>

using namespace cutaway::ir;

class TestSym : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void equal_expressions_have_one_form() {
        Sym i(Var{'d', 0}), j(Var{'d', 1});
        QVERIFY((i + j) * Sym(2) == Sym(2) * j + i * Sym(2));
        QCOMPARE((i * Sym(1024) + j).str(), std::string("1024*d0 + d1"));
        QVERIFY(i - i == Sym(0));
    }
    void quotient_and_remainder_of_one_index_join_again() {
        Sym i(Var{'i', 0}), o(Var{'o', 0});
        QVERIFY(Sym(64) * floorDiv(i, 64) + mod(i, 64) == i);
        Sym row = floorDiv(i, 8), nested = Sym(32) * floorDiv(row, 4) + Sym(8) * mod(row, 4);
        QVERIFY(nested + mod(i, 8) + o == i + o);
        QVERIFY(!(Sym(63) * floorDiv(i, 64) + mod(i, 64) == i));
        QVERIFY(Sym(2) * o * mod(i, 8) + Sym(16) * o * floorDiv(i, 8) == Sym(2) * o * i);
    }
    void division_is_simplified_within_bounds() {
        Sym i(Var{'d', 0}), j(Var{'d', 1});
        auto bound = [](Var v) -> std::optional<int64_t> { return v.index == 0 ? 100 : 8; };
        Sym flat = i * Sym(8) + j;
        QVERIFY(floorDiv(flat, 8).simplify(bound) == i);
        QVERIFY(mod(flat, 8).simplify(bound) == j);
    }
    void evaluation_agrees_with_simplification_on_random_expressions() {
        std::srand(7);
        for (int round = 0; round < 500; ++round) {
            Sym a(Var{'d', 0}), b(Var{'d', 1});
            Sym e = a * Sym(std::rand() % 9) + b * Sym(std::rand() % 9) + Sym(std::rand() % 20);
            Sym d(1 + std::rand() % 9);
            e = floorDiv(e, d) * Sym(3) + mod(e, d);
            auto bound = [](Var) -> std::optional<int64_t> { return 7; };
            Sym simple = e.simplify(bound);
            for (int64_t x = 0; x < 7; ++x)
                for (int64_t y = 0; y < 7; ++y) {
                    auto value = [&](Var v) { return v.index == 0 ? x : y; };
                    QCOMPARE(simple.evaluate(value), e.evaluate(value));
                }
        }
    }
};

QTEST_APPLESS_MAIN(TestSym)
#include "test_sym.moc"
