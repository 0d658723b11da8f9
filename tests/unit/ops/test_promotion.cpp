// SPDX-License-Identifier: Apache-2.0
// The dtypes of results, all pairs and kinds of numbers, as PyTorch told them
// (tests/data/record_promotion.py).
#include "core/base/file_system.h"
#include "core/ops/builder.h"

#include <QtTest>

#include <map>
#include <sstream>

using namespace cutaway;
using ir::DType;

namespace {

constexpr const char* kAll = "bool uint8 int8 uint16 int16 uint32 int32 uint64 int64 float8_e4m3fn "
                             "float8_e5m2 float16 bfloat16 float32 float64";
constexpr const char* kComputed =
    "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64";

std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

/// The rows "TITLE DTYPE RESULT ..." of one title.
std::map<std::string, std::vector<std::string>> rows(const std::string& title) {
    auto text = base::readFile(CUTAWAY_SOURCE_DIR "/tests/data/promotion.txt");
    if (!text.ok()) qFatal("tests/data/promotion.txt is missing");
    std::map<std::string, std::vector<std::string>> found;
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string> parts = words(line);
        if (parts.size() > 2 && parts[0] == title)
            found[parts[1]] = {parts.begin() + 2, parts.end()};
    }
    return found;
}

struct Calls {
    ir::Graph graph{"promotion"};
    ops::Builder b{graph};

    ir::NodeId tensor(const std::string& dtype, bool zeroDim = false) {
        const ir::Shape sizes = zeroDim ? ir::Shape{} : ir::Shape{ir::Sym(2)};
        return graph.addPlaceholder(
            "x", ir::TensorType::contiguous(ir::dtypeFromName(dtype).value(), sizes));
    }
    /// The name of the result's dtype, "-" when the call is refused.
    std::string result(const char* op, ir::ArgList args) {
        try {
            auto made = b.tryCall(op, std::move(args));
            return made.ok() ? std::string(ir::name(graph.node(*made).types[0].dtype)) : "-";
        } catch (const std::exception&) {
            return "-";
        }
    }
};

} // namespace

class TestPromotion : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void two_tensors() { pairs("tensors", false); }
    void a_tensor_and_one_without_dimensions() { pairs("with_zero_dim", true); }
    void a_tensor_and_a_number() {
        numbers("with_number", false);
        numbers("zero_dim_with_number", true);
    }
    void operations_with_dtypes_of_their_own() {
        const auto table = rows("operation");
        const std::vector<std::string> columns = words(kComputed);
        const ir::Arg none;
        const auto check = [&](const char* name, auto&& call) {
            const std::vector<std::string>& expected = table.at(name);
            for (size_t k = 0; k < columns.size(); ++k) {
                Calls c;
                compare(call(c, c.tensor(columns[k])), expected[k],
                        std::string(name) + " of " + columns[k]);
            }
        };
        const auto two = [&](const char* op) {
            return [op](Calls& c, ir::NodeId x) { return c.result(op, {x, x}); };
        };
        const auto one = [&](const char* op) {
            return [op](Calls& c, ir::NodeId x) { return c.result(op, {x}); };
        };
        check("div", two("div.Tensor"));
        check("pow", [](Calls& c, ir::NodeId x) {
            return c.result("pow.Tensor_Scalar", {x, ir::Arg(ir::Sym(2))});
        });
        check("pow_float", [](Calls& c, ir::NodeId x) {
            return c.result("pow.Tensor_Scalar", {x, ir::Arg(0.5)});
        });
        check("mean", one("mean"));
        check("sum", one("sum"));
        check("prod", one("prod"));
        check("cumsum",
              [](Calls& c, ir::NodeId x) { return c.result("cumsum", {x, ir::Arg(ir::Sym(0))}); });
        check("sqrt", one("sqrt"));
        check("amax", one("amax"));
        check("eq", two("eq.Tensor"));
        check("atan2", two("atan2"));
    }

private:
    static void compare(const std::string& found, const std::string& expected,
                        const std::string& what) {
        QVERIFY2(found == expected,
                 (what + ": found " + found + ", PyTorch gives " + expected).c_str());
    }
    void pairs(const char* title, bool zeroDim) {
        const auto table = rows(title);
        const std::vector<std::string> columns = words(kAll);
        QCOMPARE(table.size(), columns.size());
        for (const std::string& a : columns)
            for (size_t k = 0; k < columns.size(); ++k) {
                Calls c;
                compare(c.result("mul.Tensor", {c.tensor(a), c.tensor(columns[k], zeroDim)}),
                        table.at(a)[k], a + " and " + columns[k]);
            }
    }
    void numbers(const char* title, bool zeroDim) {
        const ir::Arg given[] = {ir::Arg(true), ir::Arg(ir::Sym(3)), ir::Arg(2.5)};
        for (const auto& [name, expected] : rows(title))
            for (size_t k = 0; k < 3; ++k) {
                Calls c;
                compare(c.result("mul.Scalar", {c.tensor(name, zeroDim), given[k]}), expected[k],
                        name + " and number " + std::to_string(k));
            }
    }
};

QTEST_APPLESS_MAIN(TestPromotion)
#include "test_promotion.moc"
