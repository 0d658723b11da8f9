// SPDX-License-Identifier: Apache-2.0
// What the shape environment proves, decides and remembers; the size program evaluates as Sym does.
#include "core/ir/shape_env.h"
#include "core/ir/size_program.h"

#include <QtTest>

#include <random>

using namespace cutaway;
using namespace cutaway::ir;

class TestShapeEnv : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void proofs_need_no_guard();
    void hints_decide_and_leave_a_guard();
    void equal_sizes_are_put_in();
    void quotients_are_put_in();
    void ranges_are_learned();
    void a_frozen_environment_asks_nothing();
    void proofs_hold_for_all_sizes();
    void divisions_by_symbols_are_worked_out();
    void a_size_program_ends_no_process();
    void a_size_program_is_the_expression();
};

void TestShapeEnv::proofs_need_no_guard() {
    ShapeEnv env;
    const Sym n = env.add(8, "x"), m = env.add(5, "y");
    QVERIFY(env.known(atMost(2, n)));
    QVERIFY(env.known(less(n, n * m)));
    QVERIFY(env.known(less(n, n + m)));
    QVERIFY(env.known(less(n * Sym(3), n * Sym(4))));
    QVERIFY(env.known(equal(n * m - m * n, 0)));
    QVERIFY(env.known(divisible(n * m * Sym(6), m * Sym(3))));
    QCOMPARE(env.answer(equal(n + Sym(1), n)), std::optional(false));
    QCOMPARE(env.answer(equal(n, 1)), std::optional(false));
    QCOMPARE(env.answer(equal(n, m)), std::optional<bool>());
    QCOMPARE(env.answer(less(n - Sym(2), 0)), std::optional(false));
    QVERIFY(env.known(less(mod(n, 4), 4)));
    QVERIFY(env.guards().empty());
}

void TestShapeEnv::hints_decide_and_leave_a_guard() {
    ShapeEnv env;
    const Sym n = env.add(8, "x"), m = env.add(5, "y");
    env.setAsker({"x + y", {"/a/model.py", 12, 1}});
    QVERIFY(!env.decide(equal(n, m)));
    QVERIFY(env.decide(less(m, n)));
    QCOMPARE(env.guards().size(), size_t{2});
    QCOMPARE(env.guards()[0].condition.str(), std::string("s0 != s1"));
    QCOMPARE(env.guards()[0].asker.str(), std::string("asked by x + y at model.py:12"));
    // Asked again, also the other way round: answered by the guard.
    QVERIFY(!env.decide(equal(m, n)));
    QVERIFY(env.decide({Condition::Relation::NotEqual, n, m}));
    QVERIFY(env.known(atMost(m, n)));
    QCOMPARE(env.guards().size(), size_t{2});
}

void TestShapeEnv::equal_sizes_are_put_in() {
    ShapeEnv env;
    const Sym n = env.add(6, "x"), m = env.add(6, "y"), k = env.add(12, "z");
    QVERIFY(env.decide(equal(n, m)));
    QVERIFY(env.replaced(m) == env.replaced(n));
    QVERIFY(env.decide(equal(k, n + m)));
    QVERIFY(env.known(equal(k, m * Sym(2))));
    QCOMPARE(env.specialize(n), int64_t{6});
    QVERIFY(env.replaced(k).is(12));
    QVERIFY(env.replaced(n * k - Sym(1)).is(71));
    QCOMPARE(env.guards().size(), size_t{3});
}

void TestShapeEnv::quotients_are_put_in() {
    ShapeEnv env;
    const Sym n = env.add(6, "x"), m = env.add(8, "y"), k = env.add(5, "z");
    const Sym half = ir::floorDiv(n, Sym(2));
    QVERIFY(env.decide(equal(half, Sym(3))));
    QVERIFY(env.replaced(half * m) == m * Sym(3));
    QVERIFY(env.replaced(half + Sym(1)).is(4));
    QVERIFY(env.replaced(n) == n); // 6 or 7
    // Of what is divided without a rest.
    const Sym quarter = ir::floorDiv(m, Sym(4));
    QVERIFY(env.decide(equal(ir::mod(m, Sym(4)), Sym(0))));
    QVERIFY(env.replaced(quarter * Sym(4)) == m);
    QVERIFY(env.replaced(quarter * Sym(8) * k) == m * k * Sym(2));
    QVERIFY(env.replaced(quarter) == quarter);
    QVERIFY(env.replaced(m - quarter) == quarter * Sym(3));
    QVERIFY(env.replaced(m + quarter) == env.replaced(quarter * Sym(5)));
    // Of products, and of quotients once more.
    const Sym all = m * k, pair = ir::floorDiv(all, Sym(2));
    QVERIFY(env.decide(equal(ir::mod(all, Sym(2)), Sym(0))));
    QVERIFY(env.replaced(pair * Sym(2)) == all);
    QVERIFY(env.decide(equal(ir::mod(pair, Sym(2)), Sym(0))));
    const size_t before = env.guards().size();
    QVERIFY(env.decide(equal(ir::floorDiv(pair, Sym(2)) * Sym(4), all)));
    QCOMPARE(env.replaced(pair * Sym(2)).str(), all.str());
    QVERIFY(env.decide(equal(pair * Sym(2), all)));
    QVERIFY(env.replaced(ir::floorDiv(pair * Sym(2), Sym(3))) == ir::floorDiv(all, Sym(3)));
    QCOMPARE(env.guards().size(), before);
    // A symbol that is told later.
    QCOMPARE(env.specialize(n), int64_t{6});
    QVERIFY(env.replaced(half).is(3));
    QCOMPARE(env.guards().size(), before + 1);
}

void TestShapeEnv::ranges_are_learned() {
    ShapeEnv env;
    const Sym n = env.add(8, "x");
    QVERIFY(env.decide(less(4, n)));
    QVERIFY(!env.decide(less(64, n)));
    QCOMPARE(env.range(n), (SizeRange{5, 64}));
    QVERIFY(env.known(less(n, 100)));
    QVERIFY(env.known(less(3, n)));
    QCOMPARE(env.range(n * Sym(2) + Sym(1)), (SizeRange{11, 129}));
    QCOMPARE(env.guards().size(), size_t{2});
}

void TestShapeEnv::a_frozen_environment_asks_nothing() {
    ShapeEnv env;
    const Sym n = env.add(8, "x");
    env.freeze();
    QVERIFY(env.decide(less(1, n)));
    QVERIFY_EXCEPTION_THROWN(env.decide(less(4, n)), std::logic_error);
}

namespace {

Sym randomSize(std::mt19937& random, int depth) {
    auto number = [&](int least, int most) {
        return std::uniform_int_distribution<int>(least, most)(random);
    };
    if (depth == 0)
        return number(0, 2) ? Sym(Var{'s', static_cast<uint16_t>(number(0, 2))})
                            : Sym(number(1, 6));
    const Sym a = randomSize(random, depth - 1), b = randomSize(random, depth - 1);
    switch (number(0, 6)) {
    case 0:
    case 1:
        return a + b;
    case 2:
        return a - b;
    case 3:
        return a * b;
    case 4:
        return floorDiv(a, Sym(number(1, 5)));
    case 5:
        return number(0, 1) ? mod(a, Sym(number(1, 5))) : minimum(a, b);
    default:
        return maximum(a, b);
    }
}

} // namespace

void TestShapeEnv::proofs_hold_for_all_sizes() {
    std::mt19937 random(7);
    int proofs = 0;
    for (int round = 0; round < 3000; ++round) {
        const Condition c{static_cast<Condition::Relation>(round % 4), randomSize(random, 2),
                          randomSize(random, 2)};
        const bool yes = provable(c), no = provable(c.negated());
        proofs += yes || no;
        for (int trial = 0; trial < 20 && (yes || no); ++trial) {
            int64_t sizes[3];
            for (int64_t& size : sizes)
                size = std::uniform_int_distribution<int64_t>(2, trial < 10 ? 4 : 40)(random);
            auto value = [&](Var v) { return sizes[v.index]; };
            const bool holds = c.holds(c.a.evaluate(value), c.b.evaluate(value));
            QVERIFY2(holds == yes, (c.str() + " with " + std::to_string(sizes[0]) + ", " +
                                    std::to_string(sizes[1]) + ", " + std::to_string(sizes[2]))
                                       .c_str());
        }
    }
    QVERIFY2(proofs > 500, std::to_string(proofs).c_str());
}

void TestShapeEnv::divisions_by_symbols_are_worked_out() {
    const Sym n(Var{'s', 0}), m(Var{'s', 1}), i(Var{'d', 0}), j(Var{'d', 1});
    auto bound = [&](Var v) -> std::optional<Sym> {
        if (v.kind != 'd') return std::nullopt;
        return v.index == 0 ? n : m;
    };
    const Sym flat = i * m + j;
    QVERIFY(floorDiv(flat, m).simplify(bound) == i);
    QVERIFY(mod(flat, m).simplify(bound) == j);
    QVERIFY(floorDiv(n * m * Sym(4), m * Sym(2)) == n * Sym(2));
    QVERIFY((floorDiv(i, m) * m + mod(i, m)) == i);
    QVERIFY(!(floorDiv(i * n + j, n).simplify(bound) == i)); // j may reach n
    QVERIFY(!(mod(flat - 2, m).simplify(bound) == j - 2));   // and j may be 0
    QVERIFY(!(mod(n * m - 2, n * m).simplify(bound) == Sym(-2)));
    QVERIFY(!(floorDiv(n - 1, n).simplify(bound) == Sym(1)));
}

void TestShapeEnv::a_size_program_ends_no_process() {
    SizeProgram program;
    const Sym a(Var{'s', 0}), b(Var{'s', 1});
    const auto quotient = static_cast<size_t>(program.slot(floorDiv(a, b)));
    const auto rest = static_cast<size_t>(program.slot(mod(a, b)));
    std::vector<int64_t> values;
    for (const int64_t least : {INT64_MIN, INT64_MIN + 1}) {
        program.run(std::vector<int64_t>{least, -1}, values);
        QCOMPARE(values[quotient], INT64_MAX);
        QCOMPARE(values[rest], int64_t(0));
    }
    program.run(std::vector<int64_t>{7, 0}, values);
    QCOMPARE(values[quotient], int64_t(0));
}

void TestShapeEnv::a_size_program_is_the_expression() {
    std::mt19937 random(11);
    for (int round = 0; round < 500; ++round) {
        SizeProgram program;
        std::vector<Sym> sizes;
        std::vector<int32_t> places;
        for (int i = 0; i < 4; ++i) {
            sizes.push_back(randomSize(random, 3));
            places.push_back(program.slot(sizes.back()));
            QCOMPARE(program.slot(sizes.back()), places.back());
        }
        std::vector<int64_t> values;
        for (int trial = 0; trial < 5; ++trial) {
            int64_t symbols[3];
            for (int64_t& s : symbols)
                s = std::uniform_int_distribution<int64_t>(2, 30)(random);
            program.run(symbols, values);
            for (size_t i = 0; i < sizes.size(); ++i)
                QCOMPARE(values[static_cast<size_t>(places[i])],
                         sizes[i].evaluate([&](Var v) { return symbols[v.index]; }));
        }
    }
}

QTEST_APPLESS_MAIN(TestShapeEnv)
#include "test_shape_env.moc"
