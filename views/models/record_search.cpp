// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/record_search.h"

#include "views/language/sentences.h"
#include "views/models/node_query.h"
#include "views/models/rows.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

namespace cutaway::views {

namespace {

QString str(const std::string& text) {
    return QString::fromStdString(text);
}

/// As NodeQuery wants it; what stands in the title is searched for words.
struct Candidate {
    SceneNode fields;
    FoundItem found;
};

class Search {
public:
    Search(const QString& query, size_t most) : most_(most) {
        QStringList rest;
        for (const QString& word : query.split(' ', Qt::SkipEmptyParts))
            if (word.startsWith("in:"))
                where_ << word.mid(3);
            else
                rest << word;
        plain_ = rest.join(' ');
        query_ = NodeQuery(plain_);
    }
    const QString& problem() const { return query_.problem(); }

    bool looksIn(const QString& where) const {
        return where_.isEmpty() || std::ranges::any_of(where_, [&](const QString& wanted) {
                   return where.startsWith(wanted, Qt::CaseInsensitive);
               });
    }
    /// Whose all is that is added from here on.
    void setOwner(const QString& owner) { owner_ = owner; }
    void add(const Candidate& one) {
        if (one.found.item == kNoItem) return;
        auto& list = found_[rank(one)];
        if (list.size() >= most_) return;
        const bool asDisplayed = one.found.text.contains(plain_, Qt::CaseInsensitive);
        if (!query_.isEmpty() && !asDisplayed && !query_.matches(one.fields)) return;
        list.push_back(one.found);
        list.back().owner = owner_;
    }
    /// Nothing that is added from here on would be told: nobody asked for anything in particular.
    bool isFull() const { return plain_.isEmpty() && found_.back().size() >= most_; }
    /// What is called so, then what begins so, and what is of an operation that does; then the rest.
    std::vector<FoundItem> take() {
        std::vector<FoundItem> all;
        for (const auto& list : found_)
            all.insert(all.end(), list.begin(), list.end());
        if (all.size() > most_) all.resize(most_);
        return all;
    }

private:
    enum Rank : size_t { Exact, Begins, BeginsOp, Other, kRanks };

    Rank rank(const Candidate& one) const {
        const SceneNode& fields = one.fields;
        if (plain_.isEmpty()) return Other;
        if (one.found.text == plain_) return Exact;
        const QString& name = fields.name.isEmpty() ? fields.title : fields.name;
        if (name == plain_) return Exact;
        if (fields.name.startsWith(plain_, Qt::CaseInsensitive)) return Begins;
        const QString op = fields.op.startsWith("aten.") ? fields.op.mid(5) : fields.op;
        return op.startsWith(plain_, Qt::CaseInsensitive) ? BeginsOp : Other;
    }

    size_t most_;
    QStringList where_;
    QString plain_, owner_;
    NodeQuery query_{QString()};
    std::array<std::vector<FoundItem>, kRanks> found_;
};

void searchGraphs(Search& search, const record::Entry& entry) {
    for (const record::GraphStage& stage : entry.graphs) {
        const QString where = str(stage.name);
        if (!search.looksIn(where) || search.isFull()) continue;
        for (const record::GraphNode& node : stage.nodes) {
            Candidate one;
            one.fields.title = one.fields.name = str(node.name);
            one.fields.subtitle = str(node.type);
            one.fields.op = str(node.op);
            if (!one.fields.op.isEmpty()) one.fields.title = one.fields.op;
            one.fields.module = str(node.modulePath);
            one.fields.bytes = node.bytes;
            one.fields.kind = opKind(node);
            one.found = {node.item, where + "/" + str(node.text).trimmed(), where};
            search.add(one);
        }
    }
}

void searchKernels(Search& search, const record::LoweredGraph& lowered) {
    const QString graph = str(lowered.graph) + "/";
    for (const record::KernelInfo& kernel : lowered.kernels) {
        if (search.isFull()) return;
        Candidate one;
        one.fields.title = one.fields.op = str(kernel.kind);
        one.fields.name = str(kernel.name);
        one.fields.bytes = kernel.bytesRead + kernel.bytesWritten;
        one.found = {kernel.item, graph + one.fields.name, QStringLiteral("kernels")};
        if (search.looksIn(one.found.where)) search.add(one);
        for (const record::Code& code : kernel.codes) {
            const QString language = str(code.language);
            if (!search.looksIn(language)) continue;
            for (const record::CodeLine& line : code.lines) {
                if (line.item == kNoItem) continue; // most are: what every text starts with
                Candidate text;
                text.fields.title = str(line.text);
                text.found = {line.item, text.fields.title.trimmed(), language};
                search.add(text);
            }
        }
    }
    if (search.looksIn("buffers"))
        for (const record::LoopBuffer& buffer : lowered.buffers) {
            Candidate one;
            one.fields.title = one.fields.name = str(buffer.name);
            one.fields.subtitle = str(buffer.type);
            one.fields.bytes = buffer.bytes;
            one.found = {buffer.item, graph + one.fields.name + ": " + one.fields.subtitle,
                         QStringLiteral("buffers")};
            search.add(one);
        }
}

/// A sentence about an item.
void addText(Search& search, ItemId item, const QString& where, const QString& name,
             const QString& text) {
    Candidate one;
    one.fields.title = text;
    one.fields.name = name;
    one.found = {item, name.isEmpty() ? text : name + ": " + text, where};
    search.add(one);
}

/// Why values are saved or computed again, and why buffers are fused or not.
void searchReasons(Search& search, const RecordView& view, const record::Entry& entry) {
    if (search.looksIn("reasons")) {
        const QString where = QStringLiteral("reasons");
        for (const record::SavedTensor& saved : entry.partition.saved)
            addText(search, saved.item, where, str(saved.name), told(saved.reason));
        for (const record::RecomputedValue& value : entry.partition.recomputed)
            addText(search, value.item, where, str(value.name), told(value.reason));
        for (const record::LoweredGraph& lowered : entry.lowered)
            for (const record::FusionDecision& decision : lowered.decisions)
                addText(search, decision.b, where,
                        view.title(decision.a) + " + " + view.title(decision.b),
                        told(decision.rule) + ": " + told(decision.reason));
    }
    if (!search.looksIn("passes")) return;
    using Items = std::unordered_map<std::string_view, ItemId>; // by the name of the node
    Items anywhere;
    std::unordered_map<std::string_view, Items> in; // by stage
    for (const record::GraphStage& stage : entry.graphs)
        for (const record::GraphNode& node : stage.nodes) {
            anywhere.emplace(node.name, node.item);
            in[stage.name][node.name] = node.item;
        }
    for (const record::PassRun& pass : entry.passes)
        for (const record::NodeChange& change : pass.changes) {
            // The node where it is still there, or was: in the graph that the pass ran on.
            ItemId item = kNoItem;
            if (const auto at = anywhere.find(change.node); at != anywhere.end()) item = at->second;
            if (const auto at = in[pass.stage].find(change.node); at != in[pass.stage].end())
                item = at->second;
            addText(search, item, QStringLiteral("passes"), str(pass.pass),
                    str(change.kind + " " + (change.after.empty() ? change.before : change.after)));
        }
}

/// What is known of source lines: guards and messages.
void searchLines(Search& search, const RecordView& view) {
    auto line = [&](const base::Location& where) {
        const auto items = rows::itemsAt(view, where);
        return items.empty() ? kNoItem : items.front();
    };
    if (search.looksIn("guards"))
        for (const record::Function& function : view.record().functions)
            for (const record::Entry& entry : function.entries)
                for (const record::Guard& guard : entry.guards)
                    addText(search, line(guard.where), QStringLiteral("guards"), str(guard.source),
                            str(guard.kind + " " + guard.condition));
    if (search.looksIn("messages"))
        for (const base::Diagnostic& message : view.record().messages)
            addText(search, line(message.where), QStringLiteral("messages"), {},
                    str(message.message));
}

void searchSource(Search& search, const RecordView& view) {
    if (!search.looksIn("source")) return;
    const auto& files = view.record().files;
    for (size_t f = 0; f < files.size(); ++f) {
        const QStringList lines = str(files[f].text).split('\n');
        for (qsizetype line = 0; line < lines.size(); ++line) {
            if (lines[line].trimmed().isEmpty()) continue;
            Candidate one;
            one.fields.title = lines[line];
            one.found = {view.sourceItem(static_cast<int>(f), static_cast<int>(line)),
                         QString("%1: %2").arg(line + 1).arg(lines[line].trimmed()),
                         QStringLiteral("source")};
            search.add(one);
        }
    }
}

} // namespace

std::optional<AskedLine> lineAsked(const QString& query, const QString& script) {
    static const QRegularExpression form(QStringLiteral("^(?:line\\s*|:)?(\\d+)$"),
                                         QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(query.trimmed());
    const int number = match.hasMatch() ? match.captured(1).toInt() : 0;
    const QStringList lines = script.split('\n');
    if (number < 1 || number > lines.size()) return std::nullopt;
    return AskedLine{number, lines[number - 1].trimmed()};
}

std::vector<FoundItem> searchRecord(const RecordView& view, const QString& query, size_t most,
                                    QString* problem) {
    Search search(query, most);
    if (problem) *problem = search.problem();
    searchSource(search, view);
    searchLines(search, view);
    size_t entries = 0;
    for (const record::Function& function : view.record().functions)
        entries += function.entries.size();
    for (const record::Function& function : view.record().functions)
        for (const record::Entry& entry : function.entries) {
            if (entries > 1) search.setOwner(view.titleOf(function, entry));
            if (search.isFull()) break;
            searchGraphs(search, entry);
            if (!search.isFull()) searchReasons(search, view, entry);
            for (const record::LoweredGraph& lowered : entry.lowered)
                searchKernels(search, lowered);
        }
    return search.take();
}

} // namespace cutaway::views
