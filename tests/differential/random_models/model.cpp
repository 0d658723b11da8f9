// SPDX-License-Identifier: Apache-2.0
#include "model.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <regex>
#include <set>

namespace cutaway::testing {

namespace {

constexpr const char* kHead = R"(import torch
import torch.nn.functional as F


def data(seed, sizes, dtype, below=0):
    n = 1
    for size in sizes:
        n = n * size
    if dtype.is_floating_point:
        values = [(i * 37 + seed * 101) % 1009 / 256 - 2 for i in range(n)]
    elif below > 0:
        values = [(i * 5 + seed) % below for i in range(n)]
    elif dtype == torch.bool:
        values = [(i * i + seed) % 3 == 0 for i in range(n)]
    elif dtype == torch.uint8:
        values = [(i * 5 + seed) % 7 for i in range(n)]
    else:
        values = [(i * 5 + seed) % 7 - 3 for i in range(n)]
    return torch.tensor(values, dtype=dtype).reshape(sizes)


)";

constexpr const char* kTail = R"(
compiled = torch.compile({2})
outputs = compiled({0})
loss = None
for k, out in enumerate(outputs):
    print("output", k, out.dtype, tuple(out.shape), out.detach().flatten().tolist())
    if out.requires_grad and torch.is_grad_enabled():
        part = (out * data(60 + k, tuple(out.shape), out.dtype)).sum()
        loss = part if loss is None else loss + part
if loss is not None:
    loss.backward()
for name, leaf in [{1}]:
    print("input", name, leaf.detach().flatten().tolist())
    if leaf.grad is not None:
        print("grad of", name, leaf.grad.dtype, tuple(leaf.grad.shape), leaf.grad.flatten().tolist())
)";

/// The model with what it owns; it runs without gradients.
constexpr const char* kFrozen = R"(

class Frozen(torch.nn.Module):
    def __init__(self):
        super().__init__()
{0}
    def forward(self{1}):
        return model({2})


torch.set_grad_enabled(False)
frozen = Frozen()
)";

std::string tuple(const std::vector<int64_t>& sizes) {
    return fmt::format("({}{})", fmt::join(sizes, ", "), sizes.size() == 1 ? "," : "");
}

std::string inputText(const Input& input) {
    std::vector<int64_t> sizes = input.value.sizes;
    const char* after = "";
    if (input.layout == Input::Layout::Transposed) {
        std::swap(sizes[sizes.size() - 1], sizes[sizes.size() - 2]);
        after = ".transpose(-1, -2)";
    } else if (input.layout == Input::Layout::Sliced) {
        sizes[0] += 1;
        after = "[1:]";
    } else if (input.layout == Input::Layout::Expanded) {
        sizes[0] = 1;
    }
    std::string text = fmt::format("{} = data({}, {}, torch.{}", input.value.name, input.seed,
                                   tuple(sizes), ir::name(input.value.dtype));
    if (input.below > 0) text += fmt::format(", below={}", input.below);
    text += fmt::format("){}", after);
    if (input.layout == Input::Layout::Expanded)
        text += fmt::format(".expand({})", tuple(input.value.sizes));
    if (input.value.grad) text += ".requires_grad_()";
    return text + "\n";
}

std::string names(const std::vector<Input>& inputs, bool pairs) {
    std::string text;
    for (const Input& input : inputs)
        text += (text.empty() ? "" : ", ") +
                (pairs ? fmt::format("(\"{0}\", {0})", input.value.name) : input.value.name);
    return text;
}

std::string renamed(const std::string& text, const std::string& from, const std::string& to) {
    return std::regex_replace(text, std::regex("\\b" + from + "\\b"), to);
}

/// The model with every use of \p from being \p to.
void replaceUses(RandomModel& model, const std::string& from, const std::string& to) {
    for (Statement& statement : model.body) {
        auto uses = [&](const std::string& name) { return name == from; };
        if (std::none_of(statement.uses.begin(), statement.uses.end(), uses)) continue;
        statement.text = renamed(statement.text, from, to);
        std::replace(statement.uses.begin(), statement.uses.end(), from, to);
    }
    std::replace(model.outputs.begin(), model.outputs.end(), from, to);
}

/// Every model that is one step smaller.
std::vector<RandomModel> smaller(const RandomModel& model) {
    std::vector<RandomModel> found;
    // Of many outputs the half that fails, then one of it.
    const auto many = static_cast<std::ptrdiff_t>(model.outputs.size());
    if (many > 3)
        for (auto [from, to] : {std::pair{many * 0, many / 2}, std::pair{many / 2, many}}) {
            const auto first = model.outputs.begin();
            found.emplace_back(model).outputs.assign(first + from, first + to);
        }
    for (size_t k = 0; k < model.outputs.size() && model.outputs.size() > 1; ++k) {
        found.push_back(model);
        found.back().outputs = {model.outputs[k]};
        found.push_back(model);
        found.back().outputs.erase(found.back().outputs.begin() + static_cast<std::ptrdiff_t>(k));
    }
    // A statement's results become inputs.
    for (size_t k = model.body.size(); k-- > 0;) {
        RandomModel& next = found.emplace_back(model);
        for (const Value& result : model.body[k].results) {
            Input input;
            input.value = result;
            input.seed = static_cast<int>(next.inputs.size());
            next.inputs.push_back(std::move(input));
        }
        next.body.erase(next.body.begin() + static_cast<std::ptrdiff_t>(k));
    }
    // A statement's result becomes one of its operands that looks the same.
    for (const Statement& statement : model.body)
        for (const Value& result : statement.results)
            for (const std::string& use : statement.uses) {
                auto same = [&](const Value& value) {
                    return value.name == use && value.sizes == result.sizes &&
                           value.dtype == result.dtype;
                };
                bool fits = false;
                for (const Input& input : model.inputs)
                    fits |= same(input.value);
                for (const Statement& other : model.body)
                    fits |= std::any_of(other.results.begin(), other.results.end(), same);
                if (fits) replaceUses(found.emplace_back(model), result.name, use);
            }
    if (model.manner.dynamic) found.emplace_back(model).manner.dynamic = false;
    if (model.manner.frozen) found.emplace_back(model).manner.frozen = false;
    if (model.manner.unfused) found.emplace_back(model).manner.unfused = false;
    for (size_t k = 0; k < model.manner.decisions.size(); ++k) {
        std::vector<std::string>& decisions = found.emplace_back(model).manner.decisions;
        decisions.erase(decisions.begin() + static_cast<std::ptrdiff_t>(k));
    }
    for (size_t k = 0; k < model.inputs.size(); ++k) {
        if (model.inputs[k].layout != Input::Layout::Plain)
            found.emplace_back(model).inputs[k].layout = Input::Layout::Plain;
        if (model.inputs[k].value.grad) found.emplace_back(model).inputs[k].value.grad = false;
    }
    return found;
}

} // namespace

std::string RandomModel::script() const {
    std::string text;
    for (const std::string& decision : manner.decisions)
        text += kDecision + decision + "\n";
    text += kHead;
    text += fmt::format("def model({}):\n", names(inputs, false));
    for (const Statement& statement : body)
        text += "    " + std::regex_replace(statement.text, std::regex("\n"), "\n    ") + "\n";
    text += fmt::format("    return ({},)\n\n\n", fmt::join(outputs, ", "));
    for (const Input& input : inputs)
        text += inputText(input);
    std::string how = manner.dynamic ? ", dynamic=True" : "";
    if (manner.unfused) how += ", backend=\"aot_eager\"";
    std::vector<Input> given = inputs;
    if (manner.frozen) {
        std::string owned, passed, arguments;
        given.clear();
        for (size_t k = 0; k < inputs.size(); ++k) {
            const std::string& name = inputs[k].value.name;
            const bool own = k > 0 && ir::isFloating(inputs[k].value.dtype);
            arguments += (k ? ", " : "") + std::string(own ? "self." : "") + name;
            if (own) {
                owned += fmt::format("        self.register_buffer(\"{0}\", {0}.detach())\n", name);
                continue;
            }
            passed += ", " + name;
            given.push_back(inputs[k]);
        }
        text += fmt::format(fmt::runtime(kFrozen), owned, passed, arguments);
    }
    return text + fmt::format(fmt::runtime(kTail), names(given, false), names(inputs, true),
                              (manner.frozen ? "frozen" : "model") + how);
}

RandomModel RandomModel::pruned() const {
    std::set<std::string> needed(outputs.begin(), outputs.end());
    RandomModel result;
    result.manner = manner;
    result.outputs = outputs;
    for (size_t k = body.size(); k-- > 0;) {
        auto used = [&](const Value& value) { return needed.count(value.name) > 0; };
        if (std::none_of(body[k].results.begin(), body[k].results.end(), used)) continue;
        needed.insert(body[k].uses.begin(), body[k].uses.end());
        result.body.insert(result.body.begin(), body[k]);
    }
    for (const Input& input : inputs)
        if (needed.count(input.value.name)) result.inputs.push_back(input);
    return result;
}

RandomModel shrunk(RandomModel model, const std::function<bool(const RandomModel&)>& fails,
                   int budget) {
    for (bool progress = true; progress;) {
        progress = false;
        for (const RandomModel& next : smaller(model)) {
            if (budget-- <= 0) return model;
            RandomModel candidate = next.pruned();
            if (!fails(candidate)) continue;
            model = std::move(candidate);
            progress = true;
            break;
        }
    }
    return model;
}

} // namespace cutaway::testing
