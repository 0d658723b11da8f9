// SPDX-License-Identifier: Apache-2.0
// Generated C++ against the slow interpreter, on every shape of kernel that fusion makes.
#include "tests/unit/codegen/kernel_fixture.h"

#include "core/base/file_system.h"
#include "core/codegen/verify_scopes.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <dlfcn.h>

using namespace cutaway;
using namespace cutaway::test;

namespace {

class TestEmitCpp : public QObject {
    Q_OBJECT

    std::unique_ptr<jit::CpuCompiler> compiler_ = jit::CpuCompiler::create();
    jit::CpuCompileOptions options_;

    /// Compares on several threads and with buffers off their boundaries. \returns "" or what is
    /// wrong.
    std::string check(KernelFixture& fixture, const std::vector<ir::HostTensor>& inputs,
                      double tolerance = 3e-6, double scale = 0) {
        return checkText(fixture, fixture.finished(), inputs, tolerance, scale);
    }
    std::string checkText(KernelFixture& fixture, const Kernel& kernel,
                          const std::vector<ir::HostTensor>& inputs, double tolerance,
                          double scale) {
        auto want = interpret(fixture.program, inputs);
        if (!want.ok()) return want.error().str();
        const codegen::KernelSource source =
            codegen::emitCpp(fixture.program, kernel, fixture.how(3));
        if (auto problem = codegen::verifyScopes(source)) return *problem + "\n" + ownText(source);
        auto module = compiler_->compile(kernel.name, source.text, options_);
        if (!module.ok()) return module.error().str() + "\n" + ownText(source);
        auto entry = reinterpret_cast<Entry>((*module)->symbol(source.entry));
        if (!entry) return "no entry";
        for (int threads : {1, 2, 3, 5}) {
            const RunResult got =
                runEntry(fixture.program, kernel, entry, source.scratchBytes.constant(), inputs,
                         threads, threads == 2 ? 1 : 0);
            std::string problem = got.complaint;
            for (size_t n = 0; n < got.outputs.size() && problem.empty(); ++n)
                problem = difference(got.outputs[n], (*want)[n], tolerance, scale);
            if (!problem.empty())
                return problem + " on " + std::to_string(threads) + " threads\n" + ownText(source);
        }
        return {};
    }
    static std::string ownText(const codegen::KernelSource& source) {
        return QString::fromStdString(source.text).section('\n', source.preludeLines).toStdString();
    }

    static void makePointwise(KernelFixture& f, int64_t n) {
        BufferId x = f.input("x", DType::Float32, {n}), y = f.input("y", DType::Float32, {n});
        BufferId relu = f.output("relu", DType::Float32, {n});
        Phase& p = f.phase();
        ExprId mul =
            f.let(p, "mul", f.pool().op(ScalarOp::Mul, {f.load(x, {at(i())}), f.constant(2)}));
        ExprId add = f.let(p, "add", f.pool().op(ScalarOp::Add, {mul, f.load(y, {at(i())})}));
        ExprId max = f.let(p, "relu", f.pool().op(ScalarOp::Max, {add, f.constant(0)}));
        f.store(p, relu, {i()}, max);
    }
    static void makeSoftmax(KernelFixture& f, int64_t rows, int64_t n) {
        BufferId x = f.input("x", DType::Float32, {rows, n});
        BufferId softmax = f.output("softmax", DType::Float32, {rows, n});
        const ExprId value = f.load(x, {at(o()), at(i())});
        Phase& p0 = f.phase();
        ExprId amax = f.reduceRow(p0, "amax", ReduceOp::Max, value);
        Phase& p1 = f.phase();
        ExprId e = f.let(p1, "exp",
                         f.pool().op(ScalarOp::Exp, {f.pool().op(ScalarOp::Sub, {value, amax})}));
        ExprId sum = f.reduceRow(p1, "sum_1", ReduceOp::Sum, e);
        Phase& p2 = f.phase();
        ExprId div = f.let(p2, "div", f.pool().op(ScalarOp::Div, {e, sum}));
        f.store(p2, softmax, {o(), i()}, div);
    }

private Q_SLOTS:
    void pointwise_kernels_of_every_length_data() {
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("lanes");
        QTest::addColumn<bool>("parallel");
        QTest::addColumn<bool>("nonTemporal");
        for (int n : {0, 1, 15, 16, 17, 64, 1000, 4096, 70001})
            for (int lanes : {1, 4, 8, 16})
                QTest::addRow("%d elements, %d lanes", n, lanes)
                    << n << lanes << (n > 500) << (n % 3 == 1);
    }
    void pointwise_kernels_of_every_length() {
        QFETCH(int, n);
        QFETCH(int, lanes);
        QFETCH(bool, parallel);
        QFETCH(bool, nonTemporal);
        KernelFixture f({}, n, lanes);
        f.parallel = parallel;
        f.stream = nonTemporal;
        makePointwise(f, n);
        const std::string problem = check(f, {randomTensor(DType::Float32, {n}, 1, 2, true),
                                              randomTensor(DType::Float32, {n}, 2, 2, true)});
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void softmax_rows_of_every_length_data() {
        QTest::addColumn<int>("n");
        QTest::addColumn<bool>("nonTemporal");
        for (int n : {0, 1, 3, 16, 33, 64, 128, 1000, 4096})
            for (bool nonTemporal : {false, true})
                QTest::addRow("%d, %d", n, nonTemporal) << n << nonTemporal;
    }
    void softmax_rows_of_every_length() {
        QFETCH(int, n);
        QFETCH(bool, nonTemporal);
        KernelFixture f({7}, n);
        f.stream = nonTemporal;
        makeSoftmax(f, 7, n);
        const std::string problem = check(f, {randomTensor(DType::Float32, {7, n}, 3)});
        QVERIFY2(problem.empty(), problem.c_str());
    }

    /// One statement of so many operations, half of them the same for the whole row.
    static void makeChain(KernelFixture& f, int64_t n, int operations) {
        BufferId x = f.input("x", DType::Float32, {3, n});
        BufferId w = f.input("w", DType::Float32, {3, 1});
        BufferId y = f.output("y", DType::Float32, {3, n});
        ExprId value = f.load(w, {at(o()), at(Sym(0))});
        for (int k = 0; k < operations; ++k) {
            if (k == operations / 2)
                value = f.pool().op(ScalarOp::Add, {value, f.load(x, {at(o()), at(i())})});
            value = f.pool().op(k % 3 ? ScalarOp::Neg : ScalarOp::Sin, {value});
        }
        f.store(f.phase(), y, {o(), i()}, value);
    }
    void a_statement_may_nest_deeply() {
        KernelFixture small({3}, 20);
        makeChain(small, 20, 1001);
        const std::string problem = check(small, {randomTensor(DType::Float32, {3, 20}, 5),
                                                  randomTensor(DType::Float32, {3, 1}, 6)});
        QVERIFY2(problem.empty(), problem.c_str());
        // Text by recursion alone would need more stack than there is.
        KernelFixture large({3}, 20);
        makeChain(large, 20, 100000);
        const codegen::KernelSource source =
            codegen::emitCpp(large.program, large.finished(), large.how(1));
        QVERIFY(!codegen::verifyScopes(source));
        QVERIFY(source.text.size() > 100000 * 3);
    }

    void a_kept_value_that_is_an_output_is_read_back_from_there() {
        KernelFixture f({5}, 50);
        BufferId x = f.input("x", DType::Float32, {5, 50});
        BufferId e = f.output("e", DType::Float32, {5, 50});
        BufferId y = f.output("y", DType::Float32, {5, 50});
        Phase& p0 = f.phase();
        ExprId exp = f.let(p0, "exp", f.pool().op(ScalarOp::Exp, {f.load(x, {at(o()), at(i())})}));
        f.store(p0, e, {o(), i()}, exp);
        ExprId sum = f.reduceRow(p0, "sum_1", ReduceOp::Sum, exp);
        Phase& p1 = f.phase(false);
        ExprId scale =
            f.let(p1, "reciprocal", f.pool().op(ScalarOp::Reciprocal, {sum}), Level::Row);
        Phase& p2 = f.phase();
        f.store(p2, y, {o(), i()}, f.pool().op(ScalarOp::Mul, {exp, scale}));
        const std::string problem = check(f, {randomTensor(DType::Float32, {5, 50}, 4)});
        QVERIFY2(problem.empty(), problem.c_str());
        const std::string text = ownText(codegen::emitCpp(f.program, f.finished(), f.how(2)));
        QVERIFY2(text.find("kept_") == std::string::npos, text.c_str());
    }

    void sums_over_rows_and_everything_finish_after_all_rows_data() {
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("n");
        for (int rows : {0, 1, 2, 37})
            for (int n : {1, 16, 50, 128})
                QTest::addRow("%d x %d", rows, n) << rows << n;
    }
    void sums_over_rows_and_everything_finish_after_all_rows() {
        QFETCH(int, rows);
        QFETCH(int, n);
        KernelFixture f({rows}, n);
        BufferId x = f.input("x", DType::Float32, {rows, n});
        BufferId y = f.output("y", DType::Float32, {rows, n});
        BufferId bias = f.output("bias", DType::Float32, {n});
        BufferId loss = f.output("loss", DType::Float32, {});
        Phase& p = f.phase();
        ExprId cos = f.let(p, "cos", f.pool().op(ScalarOp::Cos, {f.load(x, {at(o()), at(i())})}));
        f.store(p, y, {o(), i()}, cos);
        ExprId column = f.reduceColumn(p, "sum_1", cos);
        ExprId all = f.reduceAll(p, "sum_2", ReduceOp::Sum, cos);
        Phase& once = f.phase(false, true);
        ExprId mean = f.let(once, "mean", f.pool().op(ScalarOp::Div, {all, f.constant(rows * n)}),
                            Level::Once);
        f.store(once, loss, {}, mean);
        Phase& columns = f.phase(true, true);
        f.store(columns, bias, {i()}, f.pool().op(ScalarOp::Mul, {column, f.constant(0.5)}));
        const std::string problem =
            check(f, {randomTensor(DType::Float32, {rows, n}, 5)}, 3e-6, 10);
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void the_sum_of_a_long_tensor_is_accurate() {
        const int64_t n = 3000001;
        KernelFixture f({}, n);
        BufferId x = f.input("x", DType::Float32, {n});
        BufferId loss = f.output("loss", DType::Float32, {});
        Phase& p = f.phase();
        ExprId all = f.reduceAll(p, "sum_1", ReduceOp::Sum, f.load(x, {at(i())}));
        Phase& once = f.phase(false, true);
        f.store(once, loss, {}, all);
        ir::HostTensor values = ir::HostTensor::zeros(DType::Float32, {n});
        for (int64_t k = 0; k < n; ++k)
            values.set(k, 1.0 + 0.1 * static_cast<double>(k % 7));
        const std::string problem = check(f, {values}, 6e-7);
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void every_reduction_over_rows_data() {
        QTest::addColumn<int>("op");
        QTest::addColumn<int>("dtype");
        QTest::addColumn<int>("n");
        for (int n : {1, 16, 37, 256})
            for (DType dtype :
                 {DType::Float32, DType::Float64, DType::Int64, DType::Int32, DType::Bool})
                for (ReduceOp op :
                     {ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Max, ReduceOp::Min, ReduceOp::Any,
                      ReduceOp::All, ReduceOp::ArgMax, ReduceOp::ArgMin}) {
                    const bool logical = op == ReduceOp::Any || op == ReduceOp::All;
                    if (logical != (dtype == DType::Bool)) continue;
                    QTest::addRow("%s %s %d", std::string(text(op)).c_str(),
                                  std::string(ir::shortName(dtype)).c_str(), n)
                        << static_cast<int>(op) << static_cast<int>(dtype) << n;
                }
    }
    void every_reduction_over_rows() {
        QFETCH(int, op);
        QFETCH(int, dtype);
        QFETCH(int, n);
        const auto reduce = static_cast<ReduceOp>(op);
        const auto element = static_cast<DType>(dtype);
        const bool position = reduce == ReduceOp::ArgMax || reduce == ReduceOp::ArgMin;
        const DType result = position ? DType::Int64 : element;
        KernelFixture f({9}, n);
        BufferId x = f.input("x", element, {9, n});
        BufferId y = f.output("y", result, {9});
        Phase& p = f.phase();
        ExprId r = f.reduceRow(p, "r", reduce, f.load(x, {at(o()), at(i())}), result);
        Phase& rows = f.phase(false);
        f.store(rows, y, {o()}, r);
        const bool special = position || reduce == ReduceOp::Max || reduce == ReduceOp::Min;
        const std::string problem =
            check(f, {randomTensor(element, {9, n}, 6, 2, special)}, 3e-6, 10);
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void every_scalar_operation_data() {
        QTest::addColumn<int>("op");
        QTest::addColumn<int>("dtype");
        QTest::addColumn<bool>("perRow");
        for (int op = 0; op <= static_cast<int>(ScalarOp::Where); ++op)
            for (DType dtype :
                 {DType::Float32, DType::Float64, DType::Int64, DType::Int32, DType::Bool,
                  DType::UInt8, DType::Int8, DType::UInt16, DType::UInt64, DType::BFloat16})
                for (bool perRow : {false, true}) {
                    const auto scalar = static_cast<ScalarOp>(op);
                    if (!exists(scalar, dtype)) continue;
                    QTest::addRow("%s %s %s", std::string(info(scalar).text).c_str(),
                                  std::string(ir::shortName(dtype)).c_str(),
                                  perRow ? "scalar" : "vector")
                        << op << static_cast<int>(dtype) << perRow;
                }
    }
    static bool exists(ScalarOp op, DType dtype) {
        const bool floating = ir::isFloating(dtype);
        switch (op) {
        case ScalarOp::And:
        case ScalarOp::Or:
            return !floating;
        case ScalarOp::Not:
            return dtype == DType::Bool;
        case ScalarOp::Where:
        case ScalarOp::Lt:
        case ScalarOp::Le:
        case ScalarOp::Gt:
        case ScalarOp::Ge:
        case ScalarOp::Eq:
        case ScalarOp::Ne:
            return true;
        case ScalarOp::Add:
        case ScalarOp::Sub:
        case ScalarOp::Mul:
        case ScalarOp::FloorDiv:
        case ScalarOp::Remainder:
        case ScalarOp::Max:
        case ScalarOp::Min:
        case ScalarOp::Pow:
        case ScalarOp::Neg:
        case ScalarOp::Abs:
        case ScalarOp::Sign:
        case ScalarOp::Floor:
        case ScalarOp::Ceil:
        case ScalarOp::Round:
        case ScalarOp::Trunc:
            return dtype != DType::Bool;
        default:
            return floating;
        }
    }
    void every_scalar_operation() {
        QFETCH(int, op);
        QFETCH(int, dtype);
        QFETCH(bool, perRow);
        const auto scalar = static_cast<ScalarOp>(op);
        const auto element = static_cast<DType>(dtype);
        const int64_t n = 83;
        KernelFixture f(perRow ? std::vector<int64_t>{n} : std::vector<int64_t>{}, perRow ? -1 : n);
        const Sym place = perRow ? o() : i();
        std::vector<ExprId> args;
        std::vector<ir::HostTensor> inputs;
        if (scalar == ScalarOp::Where) {
            args.push_back(f.load(f.input("condition", DType::Bool, {n}), {at(place)}));
            inputs.push_back(randomTensor(DType::Bool, {n}, 9));
        }
        while (static_cast<int>(args.size()) < info(scalar).arity) {
            const std::string name = "x" + std::to_string(args.size());
            args.push_back(f.load(f.input(name, element, {n}), {at(place)}));
            const bool special = scalar != ScalarOp::FloorDiv && scalar != ScalarOp::Remainder;
            inputs.push_back(randomTensor(element, {n}, 10 + args.size(), 3, special));
        }
        Phase& p = f.phase(!perRow);
        const ExprId value = f.pool().op(scalar, args);
        BufferId y = f.output("y", f.pool()[value].dtype, {n});
        f.store(p, y, {place}, value);
        const std::string problem = check(f, inputs, element == DType::Float64 ? 1e-14 : 1e-6);
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void every_conversion_data() {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        // Complex numbers, the last ones, are no elements of kernels.
        const int count = static_cast<int>(DType::Complex64);
        for (int from = 0; from < count; ++from)
            for (int to = 0; to < count; ++to)
                QTest::addRow("%s to %s",
                              std::string(ir::shortName(static_cast<DType>(from))).c_str(),
                              std::string(ir::shortName(static_cast<DType>(to))).c_str())
                    << from << to;
    }
    void every_conversion() {
        QFETCH(int, from);
        QFETCH(int, to);
        const int64_t n = 100;
        KernelFixture f({3}, n);
        BufferId x = f.input("x", static_cast<DType>(from), {3, n});
        BufferId s = f.input("s", static_cast<DType>(from), {3});
        BufferId y = f.output("y", static_cast<DType>(to), {3, n});
        BufferId t = f.output("t", static_cast<DType>(to), {3});
        Phase& p = f.phase();
        f.store(p, y, {o(), i()},
                f.pool().cast(static_cast<DType>(to), f.load(x, {at(o()), at(i())})));
        Phase& q = f.phase(false);
        f.store(q, t, {o()}, f.pool().cast(static_cast<DType>(to), f.load(s, {at(o())})));
        const std::string problem =
            check(f, {randomTensor(static_cast<DType>(from), {3, n}, 12, 20),
                      randomTensor(static_cast<DType>(from), {3}, 13, 20)});
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void views_read_and_write_with_any_strides() {
        KernelFixture f({6, 5}, 21);
        BufferId x = f.input("x", DType::Float32, {21, 5, 6});
        BufferId y = f.input("y", DType::Float32, {6, 21}, {1, 6});
        BufferId row = f.input("row", DType::Float32, {6, 5});
        BufferId all = f.input("all", DType::Float32, {});
        BufferId z = f.output("z", DType::Float32, {6, 5, 21});
        BufferId w = f.output("w", DType::Float32, {21, 6, 5}, {1, 21, 126});
        BufferId v = f.output("v", DType::Float32, {21, 6, 5});
        Phase& p = f.phase();
        ExprId sum = f.pool().op(ScalarOp::Add, {f.load(x, {at(i()), at(o(1)), at(o(0))}),
                                                 f.load(y, {at(o(0)), at(i())})});
        sum = f.pool().op(ScalarOp::Mul, {sum, f.load(row, {at(o(0)), at(o(1))})});
        ExprId local = f.let(p, "local", f.pool().op(ScalarOp::Sub, {sum, f.load(all, {})}));
        f.store(p, z, {o(0), o(1), i()}, local);
        f.store(p, w, {i(), o(0), o(1)}, local);
        f.store(p, v, {i(), o(0), o(1)}, local);
        const std::string problem = check(
            f,
            {randomTensor(DType::Float32, {21, 5, 6}, 1), randomTensor(DType::Float32, {6, 21}, 2),
             randomTensor(DType::Float32, {6, 5}, 3), randomTensor(DType::Float32, {}, 4)},
            3e-6, 1);
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void split_and_shifted_indices_are_followed() {
        KernelFixture f({}, 120);
        BufferId x = f.input("x", DType::Float32, {8, 15});
        BufferId y = f.output("y", DType::Int64, {120});
        BufferId z = f.output("z", DType::Float32, {120});
        Phase& p = f.phase();
        f.store(p, z, {i()}, f.load(x, {at(mod(i(), Sym(8))), at(floorDiv(i(), Sym(8)))}));
        ExprId index =
            f.pool().index(minimum(i() * Sym(3), Sym(100)) + floorDiv(i() - Sym(60), Sym(7)));
        f.store(p, y, {i()}, index);
        const std::string problem = check(f, {randomTensor(DType::Float32, {8, 15}, 1)});
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void computed_indices_gather() {
        KernelFixture f({10}, 37);
        BufferId table = f.input("weight", DType::Float32, {23, 37});
        BufferId index = f.input("index", DType::Int64, {10});
        BufferId column = f.input("column", DType::Int64, {10, 37});
        BufferId y = f.output("embedding", DType::Float32, {10, 37});
        BufferId z = f.output("gather", DType::Float32, {10, 37});
        Phase& p = f.phase();
        const ExprId id = f.load(index, {at(o())});
        f.store(p, y, {o(), i()}, f.load(table, {{Sym(0), id}, at(i())}));
        f.store(p, z, {o(), i()},
                f.load(table, {at(o()), {Sym(0), f.load(column, {at(o()), at(i())})}}));
        ir::HostTensor rows = ir::HostTensor::zeros(DType::Int64, {10});
        ir::HostTensor columns = ir::HostTensor::zeros(DType::Int64, {10, 37});
        for (int64_t k = 0; k < rows.numel(); ++k)
            rows.setInt(k, k * 7 % 23);
        for (int64_t k = 0; k < columns.numel(); ++k)
            columns.setInt(k, k * 5 % 37);
        const std::string problem =
            check(f, {randomTensor(DType::Float32, {23, 37}, 1), rows, columns});
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void an_index_outside_the_table_reads_inside_it() {
        KernelFixture f({}, 20);
        BufferId table = f.input("weight", DType::Float32, {4});
        BufferId index = f.input("index", DType::Int64, {20});
        BufferId y = f.output("y", DType::Float32, {20});
        Phase& p = f.phase();
        f.store(p, y, {i()}, f.load(table, {{Sym(0), f.load(index, {at(i())})}}));
        const Kernel& kernel = f.finished();
        const codegen::KernelSource source = codegen::emitCpp(f.program, kernel, f.how(1));
        auto module = compiler_->compile(kernel.name, source.text, options_);
        QVERIFY(module.ok());
        ir::HostTensor indices = ir::HostTensor::zeros(DType::Int64, {20});
        for (int64_t k = 0; k < 20; ++k)
            indices.setInt(k, k % 2 ? INT64_MAX - k : INT64_MIN + k);
        const ir::HostTensor values = randomTensor(DType::Float32, {4}, 1);
        const RunResult got =
            runEntry(f.program, kernel, reinterpret_cast<Entry>((*module)->symbol(source.entry)),
                     source.scratchBytes.constant(), {values, indices}, 1, 0);
        for (int64_t k = 0; k < 20; ++k)
            QCOMPARE(got.outputs[0].get(k), values.get(k % 2 ? 3 : 0));
    }

    void a_check_sees_the_elements_of_the_row_and_no_others_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("lanes");
        for (int width : {1, 3, 16, 21})
            for (int lanes : {1, 8, 16})
                QTest::addRow("%d elements, %d lanes", width, lanes) << width << lanes;
    }
    void a_check_sees_the_elements_of_the_row_and_no_others() {
        QFETCH(int, width);
        QFETCH(int, lanes);
        const int64_t rows = 3;
        KernelFixture f({rows}, width, lanes);
        BufferId table = f.input("table", DType::Float32, {4});
        BufferId index = f.input("index", DType::Int64, {rows, width});
        BufferId divisor = f.input("divisor", DType::UInt8, {rows, width});
        BufferId y = f.output("y", DType::Float32, {rows, width});
        BufferId z = f.output("z", DType::UInt8, {rows, width});
        f.program.loops.checks.resize(2);
        f.program.loops.checks[0].size = 4;
        f.program.loops.checks[1].kind = Check::Kind::Divisor;
        Phase& p = f.phase();
        const ExprId at_ = f.pool().check(CheckId(0), f.load(index, {at(o()), at(i())}));
        const ExprId by = f.pool().check(CheckId(1), f.load(divisor, {at(o()), at(i())}));
        f.store(p, y, {o(), i()}, f.load(table, {{Sym(0), at_}}));
        f.store(p, z, {o(), i()},
                f.pool().op(ScalarOp::FloorDiv, {f.pool().constantInt(DType::UInt8, 200), by}));
        const Kernel& kernel = f.finished();
        const codegen::KernelSource source = codegen::emitCpp(f.program, kernel, f.how(2));
        QVERIFY(source.checks);
        auto module = compiler_->compile(kernel.name, source.text, options_);
        QVERIFY2(module.ok(), source.text.c_str());
        auto entry = reinterpret_cast<Entry>((*module)->symbol(source.entry));
        const ir::HostTensor values = randomTensor(DType::Float32, {4}, 1);
        auto run = [&](int64_t wrong, int64_t position, int64_t by) {
            ir::HostTensor positions = ir::HostTensor::zeros(DType::Int64, {rows, width});
            ir::HostTensor divisors = ir::HostTensor::zeros(DType::UInt8, {rows, width});
            for (int64_t k = 0; k < rows * width; ++k) {
                positions.setInt(k, k == wrong ? position : k % 4);
                divisors.setInt(k, k == wrong ? by : 1 + k % 200);
            }
            const std::vector<ir::HostTensor> inputs = {values, positions, divisors};
            const bool fails = position < 0 || position > 3 || by == 0;
            auto slow = interpret(f.program, inputs);
            if (slow.ok() == fails) return std::vector<int64_t>{-1};
            return runEntry(f.program, kernel, entry, source.scratchBytes.constant(), inputs, 2, 0)
                .faults;
        };
        using Words = std::vector<int64_t>;
        QCOMPARE(run(-1, 0, 1), Words({0, 0, 0}));
        for (int64_t wrong = 0; wrong < rows * width; ++wrong) {
            QCOMPARE(run(wrong, 4, 1), Words({1, 4, 0}));
            QCOMPARE(run(wrong, INT64_MIN, 1), Words({1, INT64_MIN, 0}));
            QCOMPARE(run(wrong, 0, 0), Words({2, 0, 0}));
        }
    }

    void dtypes_mix_in_one_kernel() {
        const int64_t n = 77;
        KernelFixture f({4}, n);
        BufferId x = f.input("x", DType::Float32, {4, n});
        BufferId k = f.input("k", DType::Int64, {4, n});
        BufferId d = f.input("d", DType::Float64, {4, n});
        BufferId flag = f.input("flag", DType::Bool, {4});
        BufferId y = f.output("y", DType::Float32, {4, n});
        BufferId m = f.output("m", DType::Bool, {4, n});
        BufferId e = f.output("e", DType::Float64, {4, n});
        auto here = [&](BufferId id) { return f.load(id, {at(o()), at(i())}); };
        Phase& p = f.phase();
        ExprId hit = f.pool().op(ScalarOp::Eq, {here(k), f.pool().index(i() - Sym(40))});
        ExprId small = f.pool().op(ScalarOp::Lt, {here(d), f.constant(0.25, DType::Float64)});
        ExprId mask =
            f.let(p, "mask",
                  f.pool().op(ScalarOp::Or,
                              {hit, f.pool().op(ScalarOp::And, {small, f.load(flag, {at(o())})})}));
        f.store(p, m, {o(), i()}, mask);
        f.store(p, y, {o(), i()}, f.pool().op(ScalarOp::Where, {mask, here(x), f.constant(-1)}));
        f.store(
            p, e, {o(), i()},
            f.pool().op(ScalarOp::Where, {mask, here(d), f.pool().cast(DType::Float64, here(k))}));
        const std::string problem = check(
            f, {randomTensor(DType::Float32, {4, n}, 1), randomTensor(DType::Int64, {4, n}, 2),
                randomTensor(DType::Float64, {4, n}, 3), randomTensor(DType::Bool, {4}, 4)});
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void names_that_are_words_of_cpp_stay_usable() {
        KernelFixture f({}, 32);
        BufferId x = f.input("new", DType::Float32, {32}),
                 y = f.input("load", DType::Float32, {32});
        BufferId z = f.output("i", DType::Float32, {32});
        Phase& p = f.phase();
        ExprId sum = f.let(
            p, "math", f.pool().op(ScalarOp::Add, {f.load(x, {at(i())}), f.load(y, {at(i())})}));
        f.store(p, z, {i()}, f.let(p, "2 weird-name__", f.pool().op(ScalarOp::Exp, {sum})));
        const std::string problem = check(
            f, {randomTensor(DType::Float32, {32}, 1), randomTensor(DType::Float32, {32}, 2)});
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void a_buffer_read_whole_and_at_an_element_has_two_names() {
        KernelFixture f({5}, 37);
        BufferId x = f.input("x", DType::Float32, {5, 37});
        BufferId y = f.output("y", DType::Float32, {5, 37});
        Phase& p = f.phase();
        const ExprId whole = f.load(x, {at(o()), at(i())}), first = f.load(x, {at(o()), at(0)});
        const ExprId last = f.load(x, {at(4), at(36)});
        const ExprId sub = f.let(p, "sub", f.pool().op(ScalarOp::Sub, {whole, first}));
        f.store(p, y, {o(), i()}, f.pool().op(ScalarOp::Mul, {sub, last}));
        const std::string problem = check(f, {randomTensor(DType::Float32, {5, 37}, 1)});
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void phases_of_one_row_share_its_names() {
        // The same buffer is named in two phases of single values, before and after a sum.
        KernelFixture f({5}, 37);
        BufferId x = f.input("x", DType::Float32, {5, 37}), m = f.input("mm", DType::Float32, {5});
        BufferId y = f.output("y", DType::Float32, {5}), z = f.output("z", DType::Float32, {5});
        auto square = [&](ExprId value) { return f.pool().op(ScalarOp::Mul, {value, value}); };
        Phase& p0 = f.phase(false);
        f.store(p0, y, {o()}, square(f.load(m, {at(o())})));
        Phase& p1 = f.phase();
        ExprId sum = f.reduceRow(p1, "sum_1", ReduceOp::Sum, f.load(x, {at(o()), at(i())}));
        Phase& p2 = f.phase(false);
        f.store(p2, z, {o()}, f.pool().op(ScalarOp::Add, {sum, square(f.load(m, {at(o())}))}));
        const std::string problem = check(
            f, {randomTensor(DType::Float32, {5, 37}, 1), randomTensor(DType::Float32, {5}, 2)});
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void a_broadcast_table_is_read_at_computed_places() {
        KernelFixture f({}, 20);
        BufferId table = f.input("weight", DType::Float32, {4}, {0});
        BufferId index = f.input("index", DType::Int64, {20});
        BufferId y = f.output("y", DType::Float32, {20});
        Phase& p = f.phase();
        f.store(p, y, {i()}, f.load(table, {{Sym(0), f.load(index, {at(i())})}}));
        ir::HostTensor weight = ir::HostTensor::zeros(DType::Float32, {4});
        for (int64_t k = 0; k < 4; ++k)
            weight.set(k, 1.5);
        ir::HostTensor indices = ir::HostTensor::zeros(DType::Int64, {20});
        for (int64_t k = 0; k < 20; ++k)
            indices.setInt(k, k % 4);
        const std::string problem = check(f, {weight, indices});
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void sums_of_masked_quotients_leave_out_dead_lanes_data() {
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("lanes");
        for (int n : {1, 3, 5, 6, 7, 9, 13})
            for (int lanes : {4, 8, 16})
                QTest::addRow("%d, %d", n, lanes) << n << lanes;
    }
    void sums_of_masked_quotients_leave_out_dead_lanes() {
        QFETCH(int, n);
        QFETCH(int, lanes);
        KernelFixture f({4}, n, lanes);
        BufferId k = f.input("k", DType::Int64, {4, n}), a = f.input("a", DType::Float32, {4, n});
        BufferId b = f.input("b", DType::Float32, {4, n});
        BufferId y = f.output("y", DType::Float32, {4});
        auto here = [&](BufferId id) { return f.load(id, {at(o()), at(i())}); };
        Phase& p0 = f.phase();
        ExprId lt =
            f.let(p0, "lt", f.pool().op(ScalarOp::Lt, {here(k), f.constant(3, DType::Int64)}));
        ExprId div = f.let(p0, "div", f.pool().op(ScalarOp::Div, {here(a), here(b)}));
        ExprId where = f.let(p0, "where_1", f.pool().op(ScalarOp::Where, {lt, div, f.constant(0)}));
        ExprId sum = f.reduceRow(p0, "sum_1", ReduceOp::Sum, where);
        Phase& p1 = f.phase(false);
        f.store(p1, y, {o()}, sum);
        ir::HostTensor positions = ir::HostTensor::zeros(DType::Int64, {4, n});
        for (int64_t at = 0; at < positions.numel(); ++at)
            positions.setInt(at, at % n);
        const std::string problem = check(f,
                                          {positions, randomTensor(DType::Float32, {4, n}, 1),
                                           randomTensor(DType::Float32, {4, n}, 2)},
                                          1e-5, 1);
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void every_line_of_a_buffer_names_it() {
        KernelFixture f({7}, 64);
        makeSoftmax(f, 7, 64);
        const codegen::KernelSource source = codegen::emitCpp(f.program, f.finished(), f.how(2));
        std::vector<std::string> lines{""};
        for (const QString& line : QString::fromStdString(source.text).split('\n'))
            lines.push_back(line.toStdString());
        std::map<std::string, std::string> found;
        for (const codegen::LineOrigin& origin : source.lines) {
            QVERIFY(origin.line > source.preludeLines);
            for (BufferId id : origin.buffers)
                found[f.program.loops.buffer(id).name] += lines[origin.line] + "\n";
        }
        QVERIFY(found["exp"].find("const f32x16 exp = math::exp(x - amax);") != std::string::npos);
        QVERIFY(found["amax"].find("const float amax = across<Max>(amax_lanes);") !=
                std::string::npos);
        QVERIFY(found["softmax"].find("store(out_softmax + 64 * row + i, div);") !=
                std::string::npos);
    }

    void sums_of_channels_divide_no_index_data() {
        QTest::addColumn<int>("pixels");
        for (int pixels : {16, 49, 64, 130})
            QTest::addRow("%d pixels", pixels) << pixels;
    }
    void sums_of_channels_divide_no_index() {
        // x is [3, 5, pixels]; a row is one of the 5 channels, over the batch and the pixels.
        QFETCH(int, pixels);
        KernelFixture f({5}, pixels, 16, {3});
        BufferId x = f.input("x", DType::Float32, {3, 5, pixels});
        BufferId mean = f.output("mean", DType::Float32, {5});
        BufferId out = f.output("out", DType::Float32, {3, 5, pixels});
        const ExprId load = f.load(x, {at(o(1)), at(o()), at(i())});
        ExprId sum = f.reduceRow(f.phase(), "sum", ReduceOp::Sum, load);
        Phase& row = f.phase(false);
        ExprId average =
            f.let(row, "average", f.pool().op(ScalarOp::Mul, {sum, f.constant(1.0 / (3 * pixels))}),
                  Level::Row);
        f.store(row, mean, {o()}, average);
        Phase& elements = f.phase();
        f.store(elements, out, {o(1), o(), i()}, f.pool().op(ScalarOp::Sub, {load, average}));
        const auto inputs = std::vector{randomTensor(DType::Float32, {3, 5, pixels}, 3)};
        QCOMPARE(QString::fromStdString(check(f, inputs, 1e-5, 1)), QString());
        const codegen::KernelSource source = codegen::emitCpp(f.program, f.finished(), f.how(1));
        const QString text = QString::fromStdString(ownText(source));
        QVERIFY2(!text.contains(QString("i / %1").arg(pixels)), qPrintable(text));
        QVERIFY2(!text.contains("gather("), qPrintable(text));
        QVERIFY2(text.contains("for (long o1 = 0; o1 < 3; ++o1)"), qPrintable(text));
    }

    void elements_of_the_only_row_follow_its_sum() {
        const int pixels = 32;
        for (bool transposed : {false, true}) {
            KernelFixture f({}, pixels, 16, {3, 2});
            BufferId x = f.input("x", DType::Float32, {3, 2, pixels});
            BufferId out = f.output("out", DType::Float32, {3, 2, pixels});
            const ExprId load = f.load(x, {at(o(0)), at(o(1)), at(i())});
            ExprId sum = f.reduceRow(f.phase(), "sum", ReduceOp::Sum, load);
            if (transposed)
                f.store(f.phase(), out, {o(0), o(1), Sym(pixels - 1) - i()}, sum);
            else
                f.store(f.phase(), out, {o(0), o(1), i()}, f.pool().op(ScalarOp::Sub, {load, sum}));
            const auto inputs = std::vector{randomTensor(DType::Float32, {3, 2, pixels}, 3)};
            QCOMPARE(QString::fromStdString(check(f, inputs, 1e-4, 2)), QString());
        }
    }

    void loops_of_the_only_row_are_read_again() {
        const int pixels = 32;
        KernelFixture f({}, pixels, 16, {3});
        BufferId x = f.input("x", DType::Float32, {pixels, 3});
        BufferId out = f.output("out", DType::Float32, {3, pixels});
        const ExprId load = f.load(x, {at(i()), at(o())});
        ExprId sum = f.reduceRow(f.phase(), "sum", ReduceOp::Sum, load);
        ExprId apart = f.pool().op(ScalarOp::Sub, {load, sum});
        ExprId most = f.reduceRow(f.phase(), "most", ReduceOp::Max, apart);
        f.store(f.phase(), out, {o(), i()}, f.pool().op(ScalarOp::Sub, {apart, most}));
        const auto inputs = std::vector{randomTensor(DType::Float32, {pixels, 3}, 3)};
        QCOMPARE(QString::fromStdString(check(f, inputs, 1e-5, 2)), QString());
    }

    void one_element_is_stored_from_a_loop_of_one() {
        KernelFixture f({}, 1);
        BufferId x = f.input("x", DType::Float32, {});
        BufferId out = f.output("out", DType::Float32, {});
        Phase& elements = f.phase();
        f.store(elements, out, {},
                f.let(elements, "e", f.pool().op(ScalarOp::Exp, {f.load(x, {})})));
        QCOMPARE(QString::fromStdString(check(f, {randomTensor(DType::Float32, {}, 3)})),
                 QString());
    }

    void small_kernels_start_no_threads() {
        KernelFixture f({}, 64);
        f.parallel = false;
        makePointwise(f, 64);
        const codegen::KernelSource source = codegen::emitCpp(f.program, f.finished(), f.how(2));
        QVERIFY(source.text.find("#pragma omp") == std::string::npos);
        auto listing = compiler_->list("small", source.text, options_);
        QVERIFY(listing.ok());
        for (const jit::AsmLine& line : listing->assembly)
            QVERIFY2(line.text.find("kmpc") == std::string::npos, line.text.c_str());
    }

    void code_for_machines_without_avx512_gives_the_same_data() {
        QTest::addColumn<QString>("cpu");
        QTest::addColumn<int>("lanes");
        QTest::newRow("AVX2") << "haswell" << 8;
        QTest::newRow("SSE2") << "x86-64" << 4;
    }
    void code_for_machines_without_avx512_gives_the_same() {
        QFETCH(QString, cpu);
        QFETCH(int, lanes);
        options_.cpu = cpu.toStdString();
        KernelFixture f({7}, 100, lanes);
        f.stream = true;
        makeSoftmax(f, 7, 100);
        const std::string problem = check(f, {randomTensor(DType::Float32, {7, 100}, 3)});
        options_.cpu.clear();
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void masked_loads_are_the_same_on_all_machines_data() {
        QTest::addColumn<QString>("cpu");
        QTest::addColumn<int>("lanes");
        QTest::addColumn<int>("dtype");
        using Machine = std::tuple<const char*, const char*, int>;
        for (const auto& [name, cpu, lanes] : {Machine{"this one, 16 lanes", "", 16},
                                               {"this one, 8 lanes", "", 8},
                                               {"AVX2", "haswell", 8},
                                               {"SSE2", "x86-64", 4}})
            for (DType dtype : {DType::Float32, DType::Float64, DType::BFloat16, DType::Float16,
                                DType::Int64, DType::Int32, DType::UInt8, DType::Bool})
                QTest::addRow("%s, %s", name, std::string(ir::name(dtype)).c_str())
                    << cpu << lanes << static_cast<int>(dtype);
    }
    void masked_loads_are_the_same_on_all_machines() {
        QFETCH(QString, cpu);
        QFETCH(int, lanes);
        QFETCH(int, dtype);
        options_.cpu = cpu.toStdString();
        const auto element = static_cast<DType>(dtype);
        std::string problem;
        // Side by side, every second, every third, and one element for all lanes.
        for (const auto& [step, from] : {std::pair{1, -1}, {2, -1}, {3, 0}, {0, 4}}) {
            KernelFixture f({7}, 37, lanes);
            BufferId x = f.input("x", element, {7, 30});
            BufferId out = f.output("out", DType::Float64, {7, 37});
            kernel::ExprPool& pool = f.pool();
            const Sym place = i() * Sym(step) + Sym(from);
            const Sym asked = step ? place : i();
            const auto is = [&](ScalarOp op, const Sym& bound) {
                return pool.op(op, {pool.index(asked), pool.index(bound)});
            };
            const ExprId inside = pool.both(is(ScalarOp::Ge, Sym(0)), is(ScalarOp::Lt, Sym(30)));
            const kernel::Expr load(pool[f.load(x, {at(o()), at(place)})]);
            const ExprId read = pool.load(load.buffer, load.dtype, load.coords, inside,
                                          pool.constantInt(load.dtype, 1));
            Phase& elements = f.phase();
            f.store(elements, out, {o(), i()}, pool.cast(DType::Float64, read));
            problem += check(f, {randomTensor(element, {7, 30}, 3)});
        }
        options_.cpu.clear();
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void the_systems_compilers_take_the_text_data() {
        QTest::addColumn<QString>("compiler");
        QTest::newRow("g++") << "g++";
        QTest::newRow("clang++") << "clang++";
    }
    void the_systems_compilers_take_the_text() {
        QFETCH(QString, compiler);
        if (QStandardPaths::findExecutable(compiler).isEmpty())
            QSKIP("this compiler is not installed");
        KernelFixture f({7}, 100);
        f.stream = true;
        makeSoftmax(f, 7, 100);
        const Kernel& kernel = f.finished();
        const codegen::KernelSource source = codegen::emitCpp(f.program, kernel, f.how(2));
        QTemporaryDir folder;
        const QString cpp = folder.filePath("kernel.cpp"), library = folder.filePath("kernel.so");
        QVERIFY(base::writeFileAtomically(cpp.toStdString(), source.text).ok());
        QProcess process;
        // Without a runtime at hand the pragma is ignored: one thread then does every part.
        process.start(compiler, {"-std=gnu++20", "-O2", "-march=native", "-Wall", "-Werror",
                                 "-Wno-unknown-pragmas", "-Wno-unused-function", "-Wno-psabi",
                                 "-shared", "-fPIC", cpp, "-o", library});
        QVERIFY(process.waitForFinished(60000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        void* handle = dlopen(library.toLocal8Bit().constData(), RTLD_NOW);
        QVERIFY(handle != nullptr);
        const std::vector<ir::HostTensor> inputs = {randomTensor(DType::Float32, {7, 100}, 3)};
        auto want = interpret(f.program, inputs);
        const RunResult got = runEntry(f.program, kernel,
                                       reinterpret_cast<Entry>(dlsym(handle, source.entry.c_str())),
                                       source.scratchBytes.constant(), inputs, 2, 0);
        const std::string problem = difference(got.outputs[0], (*want)[0], 3e-6, 0);
        dlclose(handle);
        QVERIFY2(problem.empty(), problem.c_str());
    }
};

} // namespace

QTEST_APPLESS_MAIN(TestEmitCpp)
#include "test_emit_cpp.moc"
