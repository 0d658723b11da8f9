// SPDX-License-Identifier: Apache-2.0
// tensordot and einsum as batched matrix products. Source: ATen/native/Linear.cpp
// (einsum, sumproduct_pair).
#include "core/ops/composite.h"
#include "core/ops/families_composed.h"
#include "core/ops/sample_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace cutaway::ops {

namespace {

using List = std::vector<Sample>;

Shape sizesAt(const Shape& sizes, const std::vector<int>& dims) {
    Shape result;
    for (int dim : dims)
        result.push_back(sizes[static_cast<size_t>(dim)]);
    return result;
}

// --- tensordot ---

std::vector<int> wrapped(const Operands& x, size_t tensor, size_t list) {
    const auto rank = static_cast<int64_t>(x.type(tensor).rank());
    std::vector<int> dims;
    for (int64_t dim : x.call().numbers(list)) {
        if (dim < -rank || dim >= rank)
            refuseCall(x, fmt::format("dimension {} is out of range for {} dimensions", dim, rank),
                       {}, ErrorClass::Index);
        dims.push_back(static_cast<int>(dim < 0 ? dim + rank : dim));
    }
    return dims;
}

std::vector<int> others(size_t rank, const std::vector<int>& dims) {
    std::vector<int> rest;
    for (int d = 0; d < static_cast<int>(rank); ++d)
        if (std::find(dims.begin(), dims.end(), d) == dims.end()) rest.push_back(d);
    return rest;
}

Results tensordot(const Operands& x) {
    const TensorType a = x.type(0), b = x.type(1);
    const std::vector<int> ka = wrapped(x, 0, 2), kb = wrapped(x, 1, 3);
    if (ka.size() != kb.size())
        refuseCall(x, fmt::format("expected as many dimensions of both, found {} and {}", ka.size(),
                                  kb.size()));
    if (a.dtype != b.dtype)
        refuseCall(x, fmt::format("expected one dtype, found {} and {}", ir::name(a.dtype),
                                  ir::name(b.dtype)));
    Value left = x.tensor(0), right = x.tensor(1);
    Shape taken;
    for (size_t i = 0; i < ka.size(); ++i) {
        const auto da = static_cast<size_t>(ka[i]), db = static_cast<size_t>(kb[i]);
        const Sym &m = a.sizes[da], &n = b.sizes[db];
        if (!m.is(1) && !n.is(1) && !x.call().same(m, n))
            refuseCall(x,
                       fmt::format("contracted dimensions have sizes {} and {}", m.str(), n.str()));
        // A size of 1 stands for as many as the other has.
        if (m.is(1) && !n.is(1)) right = convert(sum(right, {kb[i]}, true), b.dtype);
        if (n.is(1) && !m.is(1)) left = convert(sum(left, {ka[i]}, true), a.dtype);
        taken.push_back(m.is(1) || n.is(1) ? Sym(1) : m);
    }
    const std::vector<int> fa = others(a.rank(), ka), fb = others(b.rank(), kb);
    std::vector<int> orderA = fa, orderB = kb;
    orderA.insert(orderA.end(), ka.begin(), ka.end());
    orderB.insert(orderB.end(), fb.begin(), fb.end());
    Shape rows = sizesAt(a.sizes, fa), columns = sizesAt(b.sizes, fb), sizes = rows;
    sizes.insert(sizes.end(), columns.begin(), columns.end());
    const Sym count = productOf(taken);
    return {reshape(aten("mm", reshape(permute(left, orderA), {productOf(rows), count}),
                         reshape(permute(right, orderB), {count, productOf(columns)})),
                    sizes)};
}

// --- einsum ---

/// Labels are numbered: those of the output in its order, then those that are summed over.
struct Equation {
    std::vector<std::vector<int>> operands; ///< labels of each operand's dimensions
    int output = 0;                         ///< how many labels the output has
    int labels = 0;
};

/// The part of an equation that belongs to one operand, with its labels as characters.
std::vector<std::string> parts(const std::string& text) {
    std::vector<std::string> list(1);
    for (char c : text)
        if (c == ',')
            list.emplace_back();
        else
            list.back() += c;
    return list;
}

void numberByOutput(const Operands& x, const std::vector<int>& output, Equation& equation) {
    std::vector<int> number(static_cast<size_t>(equation.labels), -1);
    for (int label : output) {
        int& now = number[static_cast<size_t>(label)];
        if (now >= 0) refuseCall(x, "a label occurs twice in the output");
        now = equation.output++;
    }
    int next = equation.output;
    for (int& now : number)
        if (now < 0) now = next++;
    for (std::vector<int>& labels : equation.operands)
        for (int& label : labels)
            label = number[static_cast<size_t>(label)];
}

Equation parse(const Operands& x, std::string text, const std::vector<Value>& tensors) {
    std::erase(text, ' ');
    const size_t arrow = text.find("->");
    const std::vector<std::string> terms = parts(text.substr(0, arrow));
    if (terms.size() != tensors.size())
        refuseCall(x, fmt::format("the equation has {} operands, {} are given", terms.size(),
                                  tensors.size()));
    auto check = [&](const std::string& term) {
        std::string letters = term;
        if (size_t dots = letters.find("..."); dots != std::string::npos) letters.erase(dots, 3);
        for (char c : letters)
            if (!std::isalpha(static_cast<unsigned char>(c)))
                refuseCall(x, fmt::format("'{}' is no label: expected letters and '...'", c));
        return letters;
    };
    size_t hidden = 0;
    std::map<char, int> count;
    std::string order;
    for (size_t i = 0; i < terms.size(); ++i) {
        const std::string letters = check(terms[i]);
        const size_t rank = tensors[i].type().rank();
        const bool dots = letters.size() != terms[i].size();
        if (letters.size() > rank || (!dots && letters.size() != rank))
            refuseCall(x, fmt::format("'{}' does not name the {} dimensions of operand {}",
                                      terms[i], rank, i));
        if (dots) hidden = std::max(hidden, rank - letters.size());
        for (char c : letters)
            if (++count[c] == 1) order += c;
    }
    std::string output = arrow == std::string::npos ? "..." : text.substr(arrow + 2);
    if (arrow == std::string::npos) {
        std::sort(order.begin(), order.end());
        for (char c : order)
            if (count[c] == 1) output += c;
    }
    for (char c : check(output))
        if (!count.contains(c))
            refuseCall(x, fmt::format("label '{}' of the output occurs in no operand", c));
    // Upper case letters come before lower case ones, as in ATen.
    std::map<char, int> number;
    int next = static_cast<int>(hidden);
    for (const auto& [c, n] : count)
        number[c] = next++;
    auto labels = [&](const std::string& term, size_t dots) {
        std::vector<int> list;
        for (size_t at = 0; at < term.size(); ++at) {
            if (term[at] != '.') {
                list.push_back(number[term[at]]);
                continue;
            }
            for (size_t k = hidden - dots; k < hidden; ++k)
                list.push_back(static_cast<int>(k));
            at += 2;
        }
        return list;
    };
    Equation equation;
    equation.labels = next;
    for (size_t i = 0; i < terms.size(); ++i)
        equation.operands.push_back(
            labels(terms[i], tensors[i].type().rank() -
                                 std::min(tensors[i].type().rank(), check(terms[i]).size())));
    numberByOutput(x, labels(output, hidden), equation);
    return equation;
}

/// An operand with a dimension for every label, of size 1 where it lacks the label; a label that
/// occurs twice has become its diagonal.
Value spread(const Operands& x, Value v, std::vector<int> labels, int count) {
    for (size_t i = 0; i < labels.size(); ++i)
        for (size_t j = i + 1; j < labels.size(); ++j) {
            if (labels[i] != labels[j]) continue;
            const Shape& sizes = v.type().sizes;
            if (!x.call().same(sizes[i], sizes[j]))
                refuseCall(x, fmt::format("a label stands for sizes {} and {}", sizes[i].str(),
                                          sizes[j].str()));
            v = aten("diagonal", v, 0, i, j);
            labels.push_back(labels[i]);
            labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(j));
            labels.erase(labels.begin() + static_cast<std::ptrdiff_t>(i));
            i = static_cast<size_t>(-1);
            break;
        }
    std::vector<int> order;
    for (int label = 0; label < count; ++label) {
        auto at = std::find(labels.begin(), labels.end(), label);
        if (at != labels.end()) order.push_back(static_cast<int>(at - labels.begin()));
    }
    Value y = permute(v, order);
    for (int label = 0; label < count; ++label)
        if (std::find(labels.begin(), labels.end(), label) == labels.end()) y = unsqueeze(y, label);
    return y;
}

/// One of two operands has the dimension, the other repeats its element.
bool ownedAlone(const Value& a, const Value& b, int dim) {
    const auto d = static_cast<size_t>(dim);
    const bool oneInA = a.type().sizes[d].is(1), oneInB = b.type().sizes[d].is(1);
    return oneInA != oneInB;
}

/// The product of two operands, summed over the labels that nobody needs any more.
Value pairProduct(const Operands& x, Value a, Value b, const std::vector<bool>& needed) {
    const ir::DType dtype = b.type().dtype;
    std::vector<int> both, left, right, summed;
    std::vector<int> loneA, loneB;
    for (size_t d = 0; d < needed.size(); ++d) {
        const Sym m = a.type().sizes[d], n = b.type().sizes[d];
        const auto dim = static_cast<int>(d);
        if (!m.is(1) && !n.is(1)) {
            if (!x.call().same(m, n))
                refuseCall(x, fmt::format("a label stands for sizes {} and {}", m.str(), n.str()));
            (needed[d] ? both : summed).push_back(dim);
            continue;
        }
        if (!needed[d]) (m.is(1) ? loneB : loneA).push_back(dim);
        (m.is(1) && !n.is(1) ? right : left).push_back(dim);
    }
    if (!loneA.empty()) a = sum(a, loneA, true);
    if (!loneB.empty()) b = sum(b, loneB, true);
    if (summed.empty()) return a * b;
    // Sums of whole numbers are int64; products of matrices want one dtype.
    a = convert(a, dtype), b = convert(b, dtype);
    // The operand whose own dimension comes first gives the rows: the result lies in order.
    const auto own = [&](const std::vector<int>& dims) {
        auto at = std::ranges::find_if(dims, [&](int dim) { return ownedAlone(a, b, dim); });
        return at == dims.end() ? static_cast<int>(needed.size()) : *at;
    };
    if (own(right) < own(left)) {
        std::swap(a, b);
        std::swap(left, right);
    }
    const Shape sa = a.type().sizes, sb = b.type().sizes;
    auto joined = [](std::vector<int> first, const std::vector<int>& second,
                     const std::vector<int>& third) {
        first.insert(first.end(), second.begin(), second.end());
        first.insert(first.end(), third.begin(), third.end());
        return first;
    };
    auto count = [](const Shape& sizes, const std::vector<int>& dims) {
        const Shape some = sizesAt(sizes, dims);
        return productOf(some);
    };
    // Dimensions of size 1 stand anywhere.
    Value leftRows = reshape(permute(a, joined(joined(both, left, summed), right, {})),
                             {count(sa, both), count(sa, left), count(sa, summed)});
    Value rightRows = reshape(permute(b, joined(joined(both, summed, right), left, {})),
                              {count(sb, both), count(sb, summed), count(sb, right)});
    Value product = aten("bmm", leftRows, rightRows);
    const std::vector<int> order = joined(joined(both, left, right), summed, {});
    Shape sizes;
    for (int dim : order) {
        const auto d = static_cast<size_t>(dim);
        const bool gone = std::find(summed.begin(), summed.end(), dim) != summed.end();
        sizes.push_back(gone ? Sym(1) : sa[d].is(1) ? sb[d] : sa[d]);
    }
    std::vector<int> back(order.size());
    for (size_t i = 0; i < order.size(); ++i)
        back[static_cast<size_t>(order[i])] = static_cast<int>(i);
    return permute(reshape(product, sizes), back);
}

Results einsum(const Operands& x) {
    std::vector<Value> tensors = listOf(x, 1);
    if (tensors.empty()) refuseCall(x, "expected at least one operand");
    const Equation equation = parse(x, std::get<std::string>(x.node.args[0]), tensors);
    const auto count = static_cast<size_t>(equation.labels);
    std::vector<size_t> uses(count); // by operands that are still to come, and by the output
    std::fill_n(uses.begin(), equation.output, size_t{1});
    std::vector<std::vector<bool>> has;
    for (const std::vector<int>& labels : equation.operands) {
        has.emplace_back(count);
        for (int label : labels)
            has.back()[static_cast<size_t>(label)] = true;
        for (size_t l = 0; l < count; ++l)
            uses[l] += has.back()[l];
    }
    Value result;
    for (size_t i = 0; i < tensors.size(); ++i) {
        for (size_t l = 0; l < count; ++l)
            uses[l] -= has[i][l];
        Value operand = spread(x, tensors[i], equation.operands[i], equation.labels);
        std::vector<bool> needed(count);
        for (size_t l = 0; l < count; ++l)
            needed[l] = uses[l] > 0;
        result = i == 0 ? operand : pairProduct(x, result, operand, needed);
    }
    std::vector<int> gone;
    for (int label = equation.output; label < equation.labels; ++label)
        gone.push_back(label);
    if (gone.empty()) return {result};
    if (tensors.size() == 1) return {sum(result, gone)};
    // Their sums are done.
    const Shape& sizes = result.type().sizes;
    return {reshape(result, Shape(sizes.begin(), sizes.begin() + equation.output))};
}

} // namespace

std::vector<OpDef> contractionOps() {
    std::vector<OpDef> ops;
    ops.push_back(composite(
        "tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
        tensordot,
        [] {
            return List{good({f32({2, 3, 4}), f32({4, 3, 5})}, {T(0), T(1), L({1, 2}), L({1, 0})}),
                        good({f32({2}), f32({3})}, {T(0), T(1), L({}), L({})}),
                        bad({f32({2, 3}), f32({2, 3})}, {T(0), T(1), L({1}), L({0})},
                            "tensordot: contracted dimensions have sizes 3 and 2")};
        },
        {"products summed over chosen dimensions", "y[i.., j..] = sum_k a[i.., k..] b[k.., j..]",
         "torch.tensordot"}));
    ops.push_back(with<&Traits::spreadTensors>(composite(
        "einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor", einsum,
        [] {
            auto call = [](const char* equation, std::vector<SampleTensor> tensors) {
                ir::ArgList list;
                for (uint32_t k = 0; k < tensors.size(); ++k)
                    list.push_back(T(k));
                return good(std::move(tensors), {Arg(std::string(equation)), Arg(list), none()});
            };
            List samples{call("ij,jk->ik", {f32({2, 3}), f32({3, 4})}),
                         call("bij, bjk", {f32({2, 2, 3}), f32({2, 3, 4})}),
                         call("...ij,...kj->...ik", {f32({2, 2, 3}), f32({4, 3})}),
                         call("ii->i", {f32({3, 3})}),
                         call("ii", {f32({3, 3})}),
                         call("i,j,k->kji", {f32({2}), f32({3}), f32({4})}),
                         call("bn,anm,bm->ba", {f32({2, 3}), f32({4, 3, 2}), f32({2, 2})}),
                         call("ij->", {f32({2, 3})})};
            Sample wrong = call("ij,jk->ik", {f32({2, 3}), f32({4, 2})});
            wrong.expectedError = "einsum: a label stands for sizes 3 and 4";
            samples.push_back(wrong);
            return samples;
        },
        {"products summed over the labels that the output lacks",
         "ij,jk->ik: y[i, k] = sum_j a[i, j] b[j, k]", "torch.einsum"})));
    return ops;
}

} // namespace cutaway::ops
