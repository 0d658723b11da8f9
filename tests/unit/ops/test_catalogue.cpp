// SPDX-License-Identifier: Apache-2.0
#include "core/ops/builder.h"
#include "core/ops/call_forms.h"
#include "core/ops/catalogue.h"
#include "core/ops/gradients.h"
#include "core/ops/schema.h"

#include <QtTest>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

using namespace cutaway;
using ir::Arg;
using ir::ArgList;
using ir::NodeId;
using ir::Sym;

namespace {
ops::BoundCall bound(std::string_view base, const ArgList& positional,
                     const std::vector<std::pair<std::string, Arg>>& keywords = {}) {
    auto call = ops::bind(base, positional, keywords);
    if (!call.ok()) qFatal("%s", call.error().str().c_str());
    return *call;
}
std::string bindError(std::string_view base, const ArgList& positional,
                      const std::vector<std::pair<std::string, Arg>>& keywords = {}) {
    auto call = ops::bind(base, positional, keywords);
    return call.ok() ? "bound " + call->def->name() : call.error().str();
}
Arg ints(std::vector<int64_t> values) {
    ArgList list;
    for (int64_t value : values)
        list.push_back(Arg(Sym(value)));
    return Arg(list);
}
const Arg kTensor{NodeId(0)};
} // namespace

class TestCatalogue : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void every_schema_parses_and_prints_back() {
        for (const ops::OpDef& def : ops::catalogue().all()) {
            auto again = ops::parseSchema(def.parsed.str());
            QVERIFY2(again.ok(), def.name().c_str());
            QCOMPARE(again->str(), def.parsed.str());
            std::string plain(def.schema);
            for (std::string_view alias : {"(a -> *)", "(a)"})
                for (size_t at; (at = plain.find(alias)) != std::string::npos;)
                    plain.erase(at, alias.size());
            // Names of results are not kept.
            if (plain.ends_with("(Tensor output, Tensor total_weight)"))
                plain.replace(plain.rfind('('), std::string::npos,
                              "(Tensor output, Tensor total_weight)");
            QCOMPARE(def.parsed.str(), plain);
        }
    }
    void what_pytorch_does_not_have_is_internal() {
        // "add: Scalar Tensor default out", of each name that PyTorch 2.15 registers as aten or prims.
        std::ifstream file(CUTAWAY_SOURCE_DIR "/tests/data/aten_overloads.txt");
        std::set<std::string> known;
        for (std::string line; std::getline(file, line);) {
            std::istringstream words(line);
            std::string base, overload;
            words >> base;
            base.pop_back();
            while (words >> overload)
                known.insert(overload == "default" ? base : base + "." + overload);
        }
        QVERIFY(known.contains("add.Tensor") && known.contains("cos"));
        for (const ops::OpDef& def : ops::catalogue().all())
            QVERIFY2(known.contains(def.name()) != ops::isInternal(def), def.name().c_str());
    }
    void every_record_is_documented_and_has_samples() {
        for (const ops::OpDef& def : ops::catalogue().all()) {
            QVERIFY2(!def.doc.summary.empty() && !def.doc.formula.empty() &&
                         !def.doc.source.empty(),
                     def.name().c_str());
            QVERIFY2(!def.samples().empty(), def.name().c_str());
            QVERIFY2(def.reference || def.isRandom(), def.name().c_str());
        }
    }
    void a_record_says_what_stages_want_to_know() {
        for (const ops::OpDef& def : ops::catalogue().all()) {
            QVERIFY2(!ops::name(def.category).empty(), def.name().c_str());
            QCOMPARE(def.isRandom(), def.category == ops::Category::Random);
            // What reads no values gives no gradients.
            QVERIFY2(!def.traits.ignoresValues || ops::cutsGradient(def), def.name().c_str());
            if (!def.traits.index) continue;
            const ops::SchemaArg& index = def.parsed.args.at(def.traits.index->argument);
            QVERIFY2(index.type == "Tensor" || index.type == "Tensor?[]", def.name().c_str());
        }
    }
    void finds_by_name_and_lists_overloads() {
        QCOMPARE(ops::catalogue().find("add.Tensor")->parsed.base, std::string("add"));
        QVERIFY(!ops::catalogue().find("add"));
        auto overloads = ops::catalogue().overloads("add");
        QCOMPARE(overloads.size(), size_t(2));
        QCOMPARE(overloads[0]->name(), std::string("add.Tensor"));
        QVERIFY(ops::catalogue().overloads("nothing").empty());
    }
    void suggests_the_nearest_names() {
        auto names = ops::catalogue().nearest("sofmax");
        QVERIFY(!names.empty());
        QCOMPARE(names[0], std::string("softmax"));
    }

    void numbers_go_to_the_tensor_overload_of_arithmetic() {
        QCOMPARE(bound("add", {kTensor, Arg(Sym(1))}).def->name(), std::string("add.Tensor"));
        QCOMPARE(bound("gt", {kTensor, Arg(0.5)}).def->name(), std::string("gt.Scalar"));
        QCOMPARE(bound("gt", {kTensor, Arg(NodeId(1))}).def->name(), std::string("gt.Tensor"));
        QCOMPARE(bound("pow", {kTensor, Arg(Sym(2))}).def->name(),
                 std::string("pow.Tensor_Scalar"));
        QCOMPARE(bound("pow", {Arg(Sym(2)), kTensor}).def->name(), std::string("pow.Scalar"));
    }
    void fills_in_defaults_in_schema_order() {
        auto call = bound("layer_norm", {kTensor, ints({8})}, {{"bias", Arg(NodeId(2))}});
        QCOMPARE(call.args.size(), size_t(6));
        QVERIFY(call.args[2].isNone());
        QVERIFY(call.args[3] == Arg(NodeId(2)));
        QVERIFY(call.args[4] == Arg(1e-5));
        QVERIFY(call.args[5] == Arg(true));
    }
    void integers_spread_over_positions_become_a_list() {
        QVERIFY(bound("view", {kTensor, Arg(Sym(2)), Arg(Sym(3))}).args[1] == ints({2, 3}));
        QVERIFY(bound("zeros", {Arg(Sym(2)), Arg(Sym(3))}).args[0] == ints({2, 3}));
        QVERIFY(bound("zeros", {ints({2, 3})}).args[0] == ints({2, 3}));
        QVERIFY(bound("permute", {kTensor, Arg(Sym(1)), Arg(Sym(0))}).args[1] == ints({1, 0}));
        QVERIFY(bound("randn", {Arg(Sym(4))}).args[0] == ints({4}));
    }
    void picks_reductions_by_their_dim() {
        QCOMPARE(bound("sum", {kTensor}).def->name(), std::string("sum"));
        auto dim = bound("sum", {kTensor}, {{"dim", Arg(Sym(-1))}, {"keepdim", Arg(true)}});
        QCOMPARE(dim.def->name(), std::string("sum.dim_IntList"));
        QVERIFY(dim.args[1] == ints({-1}));
        QCOMPARE(
            bound("var", {kTensor}, {{"dim", Arg(Sym(1))}, {"unbiased", Arg(false)}}).def->name(),
            std::string("var.dim"));
        QCOMPARE(bound("randint", {Arg(Sym(0)), Arg(Sym(9)), ints({3})}).def->name(),
                 std::string("randint.low"));
    }
    void converts_numbers_devices_and_numpy_names() {
        QVERIFY(bound("dropout", {kTensor, Arg(Sym(0)), Arg(false)}).args[1] == Arg(0.0));
        auto zeros = bound("zeros", {ints({2})}, {{"device", Arg(std::string("cuda"))}});
        QVERIFY(zeros.args[3] == Arg(ir::Device{ir::Device::Kind::Cuda, 0}));
        QVERIFY(bound("softmax", {}, {{"input", kTensor}, {"axis", Arg(Sym(1))}}).def);
    }
    void knows_pythons_other_names() {
        QCOMPARE(bound("multiply", {kTensor, Arg(2.0)}).def->name(), std::string("mul.Tensor"));
        QCOMPARE(bound("concat", {Arg(ArgList{kTensor})}).def->name(), std::string("cat"));
    }

    void says_what_is_wrong_with_a_call() {
        auto missing = ops::bind("softmax", {kTensor}, {});
        QCOMPARE(missing.error().message,
                 std::string("softmax() missing 1 required positional arguments: \"dim\""));
        QCOMPARE(missing.error().hint,
                 std::string("the schema is softmax.int(Tensor self, int dim, "
                             "ScalarType? dtype=None) -> Tensor"));
        QVERIFY(bindError("softmax", {kTensor, Arg(0.5)})
                    .find("argument 'dim' must be int, found float") != std::string::npos);
        QVERIFY(bindError("softmax", {kTensor, Arg(Sym(1))}, {{"dims", Arg(Sym(1))}})
                    .find("unknown argument 'dims'") != std::string::npos);
        QVERIFY(bindError("softmax", {kTensor, Arg(Sym(1))}, {{"dim", Arg(Sym(1))}})
                    .find("argument 'dim' is given twice") != std::string::npos);
        QVERIFY(bindError("relu", {kTensor, Arg(Sym(1))})
                    .find("expected at most 1 positional argument, found 2") != std::string::npos);
        QVERIFY(bindError("add", {kTensor, Arg(std::string("x"))})
                    .find("add: no overload accepts (Tensor, str)") != std::string::npos);
        QVERIFY(bindError("sofmax", {kTensor}).find("unknown operation 'sofmax'") !=
                std::string::npos);
        QVERIFY(bindError("sofmax", {kTensor}).find("did you mean softmax") != std::string::npos);
    }

    void the_builder_infers_types_and_inherits_provenance() {
        ir::Graph graph("g");
        NodeId x =
            graph.addPlaceholder("x", ir::TensorType::contiguous(ir::DType::Float32, {2, 3}));
        ops::Builder b(graph);
        b.provenance = {nullptr, "layers.0", {x}, true, "a rule"};
        NodeId y = b.call("sum.dim_IntList", {Arg(x), ints({1})});
        QCOMPARE(b.type(y).str(), std::string("f32[2]"));
        QCOMPARE(graph.node(y).args.size(), size_t(4));
        QCOMPARE(graph.node(y).modulePath, std::string("layers.0"));
        QCOMPARE(graph.node(y).rule, std::string("a rule"));
        QVERIFY(graph.node(y).backward);
        NodeId both = b.call("var_mean.correction", {Arg(x), ints({1})});
        QVERIFY(graph.node(both).tuple);
        QCOMPARE(b.type(b.getitem(both, 1)).str(), std::string("f32[2]"));
        QVERIFY(!ir::verify(graph));
        auto wrong = b.tryCall("sum.dim_IntList", {Arg(x), ints({2})});
        QCOMPARE(
            wrong.error().message,
            std::string("Dimension out of range (expected to be in range of [-2, 1], but got 2)"));
        QVERIFY_EXCEPTION_THROWN((void)b.call("nothing", {}), std::logic_error);
    }
    void sum_to_undoes_broadcasting() {
        ir::Graph graph("g");
        NodeId x =
            graph.addPlaceholder("x", ir::TensorType::contiguous(ir::DType::Float32, {4, 2, 3}));
        ops::Builder b(graph);
        QCOMPARE(b.type(b.sumTo(x, {2, 1})).str(), std::string("f32[2, 1]"));
        QCOMPARE(b.type(b.sumTo(x, {})).str(), std::string("f32[]"));
        QVERIFY(b.sumTo(x, {4, 2, 3}) == x);
    }
};

QTEST_APPLESS_MAIN(TestCatalogue)
#include "test_catalogue.moc"
