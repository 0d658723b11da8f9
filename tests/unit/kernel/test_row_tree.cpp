// SPDX-License-Identifier: Apache-2.0
// Rows x passes: what is written into a tree is read from it.
#include "core/kernel/interpret.h"
#include "core/kernel/kernel_program.h"
#include "core/kernel/row_tree.h"
#include "core/kernel/tree_text.h"
#include "core/kernel/verify.h"

#include <QtTest>

using namespace cutaway;
using namespace cutaway::kernel;
using ir::DType;
using ir::Sym;

namespace {

/// Buffers x (input), y, columns and total (outputs) of \p rows rows of 8, or of one row.
LoopProgram buffersOf(std::optional<int64_t> rows) {
    LoopProgram program;
    auto add = [&](const std::string& name, ir::Shape sizes, BufferKind kind) {
        Buffer buffer;
        buffer.id = BufferId(static_cast<uint32_t>(program.buffers.size()));
        buffer.name = name;
        buffer.kind = kind;
        buffer.dtype = DType::Float32;
        buffer.strides = ir::contiguousStrides(sizes);
        buffer.sizes = std::move(sizes);
        program.buffers.push_back(std::move(buffer));
    };
    ir::Shape whole{8};
    if (rows) whole.insert(whole.begin(), Sym(*rows));
    add("x", whole, BufferKind::Input);
    add("y", whole, BufferKind::Pointwise);
    add("columns", {8}, BufferKind::Pointwise);
    add("total", {}, BufferKind::Pointwise);
    return program;
}

class TestRowTree : public QObject {
    Q_OBJECT

    static std::string shapeOf(const RowTree& form) {
        auto words = [](const std::vector<RowTree::Pass>& passes) {
            std::string text;
            for (const auto& pass : passes) {
                text += pass.inner ? "[" : "(";
                for (const auto& s : pass.statements)
                    text += "lsnkrca"[static_cast<int>(s.op)];
                text += pass.inner ? "]" : ")";
            }
            return text;
        };
        return words(form.passes) + " " + words(form.finish);
    }

    /// A centred row, sums of columns and of everything, as \p rows and passes.
    static LoopTree everything(LoopProgram& program, std::optional<int64_t> rows) {
        std::vector<Axis> outer;
        std::vector<Sym> at;
        if (rows) {
            outer.push_back({outerVar(0), Sym(*rows)});
            at.emplace_back(outerVar(0));
        }
        at.emplace_back(innerVar());
        std::vector<Coord> coords;
        for (const Sym& c : at)
            coords.push_back({c, {}});
        auto& pool = program.pool;
        const ExprId x = pool.load(BufferId(0), DType::Float32, coords);
        auto use = [&](LocalId id) { return pool.local(id, DType::Float32); };
        RowTreeBuilder tree(outer, Sym(8), Conflict::Owner);
        RowTreeBuilder::Body first, between{false, {}}, second, once{false, {}}, columns;
        auto sum = [&](RowOp op, const char* name) {
            return use(tree.reduce(first, op, {name, DType::Float32, {}, {}}, {}, ReduceOp::Sum, x,
                                   BufferId(1))
                           .result);
        };
        const ExprId row = sum(RowOp::ReduceRow, "row"),
                     column = sum(RowOp::ReduceColumn, "column"),
                     all = sum(RowOp::ReduceAll, "all");
        const ExprId mean = use(tree.let(
            between, {"mean", DType::Float32, {}, {}},
            pool.op(ScalarOp::Mul, {row, pool.constant(DType::Float32, 0.125)}), BufferId(1)));
        tree.store(second, BufferId(1), at, pool.op(ScalarOp::Sub, {x, mean}), BufferId(1));
        tree.store(once, BufferId(3), {}, all, BufferId(3));
        tree.store(columns, BufferId(2), {Sym(innerVar())}, column, BufferId(2));
        return tree.take(program, {first, between, second}, {once, columns});
    }

private Q_SLOTS:
    void what_is_written_is_read() {
        LoopProgram program = buffersOf(5);
        const LoopTree tree = everything(program, 5);
        QVERIFY2(!verify(program, tree), verify(program, tree).value_or("").c_str());
        const auto form = RowTree::of(program, tree);
        QVERIFY(form);
        QCOMPARE(shapeOf(*form), std::string("[rca](l)[s] (s)[s]"));
        QCOMPARE(form->rows.size(), size_t(1));
        QVERIFY(form->inner && form->inner->extent == Sym(8));
        QVERIFY(form->level(LocalId(0)) == Level::Row);
        QVERIFY(form->level(LocalId(1)) == Level::Column);
        QVERIFY(form->level(LocalId(2)) == Level::Once);
        QVERIFY(form->level(LocalId(3)) == Level::Row);
    }

    void one_row_reads_its_own_sums_before_all_rows_end() {
        LoopProgram program = buffersOf({});
        const LoopTree tree = everything(program, {});
        QVERIFY(!verify(program, tree));
        const auto form = RowTree::of(program, tree);
        QVERIFY(form);
        // The total is complete with the one row, so it may be stored with it.
        QCOMPARE(shapeOf(*form), std::string("[rcr](l)[s](s) [s]"));
        QVERIFY(form->level(LocalId(0)) == Level::Row);
        QVERIFY(form->level(LocalId(1)) == Level::Column);
    }

    void one_long_loop_sums_everything() {
        LoopProgram program = buffersOf({});
        const auto tree = parseTree(program, "total_1: f32 = start sum\n"
                                             "for i in 0..8 reduce:\n"
                                             "    total_1 sum= x[i]\n"
                                             "total[] = total_1\n");
        QVERIFY2(tree.ok(), tree.ok() ? "" : tree.error().message.c_str());
        const auto form = RowTree::of(program, *tree);
        QVERIFY(form && form->isOneLongLoop());
        QCOMPARE(shapeOf(*form), std::string("[a] (s)"));
    }

    void other_forms_are_not_read_as_rows() {
        for (const char* text :
             {"for i in 0..8:\n    for o0 in 0..5:\n        y[o0, i] = x[o0, i]\n",
              "for o0 in 0..5:\n    for i in 0..8:\n        y[o0, i] = x[o0, i]\n"
              "for o1 in 0..8:\n    columns[o1] = x[0, o1]\n"}) {
            LoopProgram program = buffersOf(5);
            const auto tree = parseTree(program, text);
            QVERIFY2(tree.ok(), tree.ok() ? "" : tree.error().message.c_str());
            QVERIFY2(!RowTree::of(program, *tree), text);
        }
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestRowTree)
#include "test_row_tree.moc"
