// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/record_view.h"

#include <QCoreApplication>
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <set>

namespace cutaway::views {

namespace {
struct Words {
    Q_DECLARE_TR_FUNCTIONS(RecordView)
};
} // namespace

/// The panes show a graph beside its backward: the first compilation of a backward is shown in the
/// entry whose it is, and its own entry is left empty.
static record::Record withBackwards(record::Record record) {
    for (record::Function& function : record.functions)
        for (record::Entry& later : function.entries) {
            const auto owner = static_cast<size_t>(later.backwardOf);
            if (later.backwardOf < 0 || owner >= function.entries.size()) continue;
            record::Entry& entry = function.entries[owner];
            if (std::ranges::any_of(entry.lowered, [](const record::LoweredGraph& lowered) {
                    return lowered.graph == "backward";
                }))
                continue;
            std::ranges::move(later.lowered, std::back_inserter(entry.lowered));
            std::ranges::move(later.passes, std::back_inserter(entry.passes));
            std::ranges::move(later.times, std::back_inserter(entry.times));
            later.lowered.clear(), later.passes.clear(), later.times.clear();
        }
    return record;
}

RecordView::RecordView(record::Record record)
    : record_(withBackwards(std::move(record))), links_(record_), places_(record_.items.size()) {
    for (size_t i = 0; i < record_.items.size(); ++i)
        byKey_.insert(QString::fromStdString(record_.items[i].key), static_cast<ItemId>(i));
    for (size_t file = 0; file < record_.files.size(); ++file)
        for (size_t line = 0; line < record_.files[file].lineItems.size(); ++line) {
            Place place;
            place.file = static_cast<int>(file);
            place.line = static_cast<int>(line);
            put(record_.files[file].lineItems[line], place);
        }
    for (size_t f = 0; f < record_.functions.size(); ++f)
        for (size_t e = 0; e < record_.functions[f].entries.size(); ++e)
            placeEntry(static_cast<int>(f), static_cast<int>(e));
}

void RecordView::put(ItemId item, const Place& place) {
    // The first place wins: texts made on demand refer to items that already stand somewhere.
    if (item < places_.size() && !places_[item].known()) places_[item] = place;
}

void RecordView::placeEntry(int function, int entryIndex) {
    const record::Entry& entry = record_.functions[function].entries[entryIndex];
    Place at;
    at.function = function;
    at.entry = entryIndex;
    for (size_t g = 0; g < entry.graphs.size(); ++g)
        for (size_t n = 0; n < entry.graphs[g].nodes.size(); ++n) {
            Place place = at;
            place.graph = static_cast<int>(g);
            place.node = static_cast<int>(n);
            put(entry.graphs[g].nodes[n].item, place);
        }
    for (size_t l = 0; l < entry.lowered.size(); ++l) {
        const record::LoweredGraph& lowered = entry.lowered[l];
        at.lowered = static_cast<int>(l);
        for (size_t b = 0; b < lowered.buffers.size(); ++b) {
            Place place = at;
            place.buffer = static_cast<int>(b);
            put(lowered.buffers[b].item, place);
        }
        for (size_t k = 0; k < lowered.kernels.size(); ++k) {
            Place place = at;
            place.kernel = static_cast<int>(k);
            placeKernel(place, lowered.kernels[k]);
        }
    }
}

void RecordView::placeKernel(Place at, const record::KernelInfo& kernel) {
    put(kernel.item, at);
    for (ItemId buffer : kernel.buffers)
        kernelOf_.insert(buffer, kernel.item);
    for (size_t c = 0; c < kernel.codes.size(); ++c)
        for (size_t l = 0; l < kernel.codes[c].lines.size(); ++l) {
            ItemId item = kernel.codes[c].lines[l].item;
            if (item == kNoItem) continue;
            Place place = at;
            place.code = static_cast<int>(c);
            place.codeLine = static_cast<int>(l);
            put(item, place);
            if (!kernelOf_.contains(item)) kernelOf_.insert(item, kernel.item);
        }
}

bool RecordView::isEmpty() const {
    return std::all_of(record_.functions.begin(), record_.functions.end(),
                       [](const record::Function& function) { return function.entries.empty(); });
}

const Place& RecordView::place(ItemId item) const {
    static const Place nowhere;
    return item < places_.size() ? places_[item] : nowhere;
}

QString RecordView::key(ItemId item) const {
    return item < record_.items.size() ? QString::fromStdString(record_.items[item].key)
                                       : QString();
}

QString RecordView::lineText(ItemId item) const {
    const Place& at = place(item);
    if (at.line >= 0)
        return QString::fromStdString(record_.files[static_cast<size_t>(at.file)].text)
            .section('\n', at.line, at.line);
    if (at.codeLine < 0) return {};
    const record::KernelInfo& kernel =
        entry(at.function, at.entry)->lowered[at.lowered].kernels[at.kernel];
    return QString::fromStdString(kernel.codes[at.code].lines[at.codeLine].text);
}

ItemName RecordView::nameOf(ItemId item) const {
    ItemName name{key(item), lineText(item), {}};
    const record::KernelInfo* made = kernel(item);
    if (!made) return name;
    std::vector<ItemId> parts = made->buffers;
    if (place(item).codeLine >= 0) {
        parts = links_.ancestors({item});
        std::erase_if(parts, [this](ItemId part) { return !buffer(part); });
    }
    for (const ItemId part : parts)
        name.parts << key(part);
    return name;
}

ItemId RecordView::find(const ItemName& name) const {
    const ItemId same = find(name.key);
    if (same != kNoItem && (name.text.isEmpty() || lineText(same) == name.text)) return same;
    return name.text.isEmpty() ? heirOf(name) : findLine(name, same);
}

/// The line that reads the same; else where it stood, or what it computed.
/// \param at the line that has its number
ItemId RecordView::findLine(const ItemName& name, ItemId at) const {
    if (const Place& was = place(at); was.line >= 0) {
        ItemId nearest = at;
        int least = std::numeric_limits<int>::max();
        const record::SourceFile& file = record_.files[static_cast<size_t>(was.file)];
        const QStringList lines = QString::fromStdString(file.text).split('\n');
        for (int i = 0; i < std::min(lines.size(), qsizetype(file.lineItems.size())); ++i)
            if (lines[i] == name.text && std::abs(i - was.line) < least) {
                least = std::abs(i - was.line);
                nearest = file.lineItems[static_cast<size_t>(i)];
            }
        return nearest;
    }
    const ItemId heir = heirOf(name);
    const record::KernelInfo* owner = kernel(kernelOf(heir));
    for (const record::Code& code : owner ? owner->codes : std::vector<record::Code>())
        for (const record::CodeLine& line : code.lines)
            if (line.item != kNoItem && QString::fromStdString(line.text) == name.text)
                return line.item;
    return heir;
}

/// The kernel that computes most of what it did, and of a line the first buffer that is left.
ItemId RecordView::heirOf(const ItemName& name) const {
    std::vector<ItemId> heirs;
    for (const QString& part : name.parts)
        if (const ItemId found = find(part); found != kNoItem)
            heirs.push_back(name.text.isEmpty() ? kernelOf(found) : found);
    ItemId best = kNoItem;
    for (const ItemId heir : heirs)
        if (best == kNoItem || std::ranges::count(heirs, heir) > std::ranges::count(heirs, best))
            best = heir;
    return best;
}

const record::Entry* RecordView::entry(int function, int entry) const {
    if (function < 0 || static_cast<size_t>(function) >= record_.functions.size()) return nullptr;
    const auto& entries = record_.functions[static_cast<size_t>(function)].entries;
    if (entry < 0 || static_cast<size_t>(entry) >= entries.size()) return nullptr;
    return &entries[static_cast<size_t>(entry)];
}

const record::GraphNode* RecordView::node(ItemId item) const {
    const Place& at = place(item);
    if (at.node < 0) return nullptr;
    return &entry(at.function, at.entry)->graphs[at.graph].nodes[at.node];
}

const record::LoopBuffer* RecordView::buffer(ItemId item) const {
    const Place& at = place(item);
    if (at.buffer < 0) return nullptr;
    return &entry(at.function, at.entry)->lowered[at.lowered].buffers[at.buffer];
}

const record::KernelInfo* RecordView::kernel(ItemId item) const {
    const Place& at = place(item);
    if (at.kernel < 0) return nullptr;
    return &entry(at.function, at.entry)->lowered[at.lowered].kernels[at.kernel];
}

ItemId RecordView::kernelOf(ItemId item) const {
    if (place(item).kernel >= 0 && place(item).code < 0) return item;
    return kernelOf_.value(item, kNoItem);
}

ItemId RecordView::sourceItem(int file, int line) const {
    if (file < 0 || static_cast<size_t>(file) >= record_.files.size() || line < 0) return kNoItem;
    const auto& items = record_.files[static_cast<size_t>(file)].lineItems;
    return static_cast<size_t>(line) < items.size() ? items[static_cast<size_t>(line)] : kNoItem;
}

std::vector<ItemId> RecordView::callLines(const std::vector<ItemId>& items) const {
    std::set<ItemId> lines;
    for (ItemId from : links_.ancestors(items)) {
        const Place& at = place(from);
        if (at.node < 0 || entry(at.function, at.entry)->graphs[at.graph].name != "captured")
            continue;
        for (const base::Location& where : node(from)->source)
            for (size_t file = 0; file < record_.files.size(); ++file)
                if (record_.files[file].name == where.file)
                    lines.insert(sourceItem(static_cast<int>(file), where.line - 1));
    }
    lines.erase(kNoItem);
    return {lines.begin(), lines.end()};
}

QString RecordView::title(ItemId item) const {
    const Place& at = place(item);
    if (at.line >= 0) return Words::tr("line %1").arg(at.line + 1);
    if (const record::GraphNode* found = node(item)) return QString::fromStdString(found->name);
    if (const record::LoopBuffer* found = buffer(item)) return QString::fromStdString(found->name);
    if (at.codeLine >= 0) return Words::tr("code line %1").arg(at.codeLine + 1);
    if (const record::KernelInfo* found = kernel(item)) return QString::fromStdString(found->name);
    return key(item);
}

QString RecordView::label(ItemId item) const {
    const Place& at = place(item);
    if (at.function < 0) return title(item);
    const record::Entry& owner = *entry(at.function, at.entry);
    if (at.node >= 0)
        return QString::fromStdString(owner.graphs[at.graph].name) + "/" + title(item);
    const record::LoweredGraph& lowered = owner.lowered[at.lowered];
    if (at.codeLine < 0) return QString::fromStdString(lowered.graph) + "/" + title(item);
    const record::KernelInfo& kernel = lowered.kernels[at.kernel];
    // Lines of texts that are made of this one stand for its lines: it is said of which text.
    const QString language = QString::fromStdString(kernel.codes[at.code].language);
    return Words::tr("%1, %2 line %3")
        .arg(QString::fromStdString(kernel.name), language == "cpp"    ? QStringLiteral("C++")
                                                  : language == "cuda" ? QStringLiteral("CUDA")
                                                                       : language)
        .arg(at.codeLine + 1);
}

ItemId RecordView::search(const QString& text) const {
    if (ItemId item = find(text); item != kNoItem) return item;
    if (text.startsWith("line:")) return sourceItem(0, text.mid(5).toInt() - 1);
    for (size_t i = 0; i < record_.items.size(); ++i)
        if (QString::fromStdString(record_.items[i].key).endsWith("/" + text))
            return static_cast<ItemId>(i);
    return kNoItem;
}

RecordPtr emptyRecord() {
    static const RecordPtr empty = std::make_shared<RecordView>(record::Record{});
    return empty;
}

bool hasBackward(const record::Function& function, const record::Entry& entry) {
    const auto number = static_cast<int>(&entry - function.entries.data());
    return std::ranges::any_of(entry.lowered,
                               [](const auto& lowered) { return lowered.graph == "backward"; }) ||
           std::ranges::any_of(function.entries,
                               [&](const auto& other) { return other.backwardOf == number; });
}

QString RecordView::titleOf(const record::Function& function, const record::Entry& entry) const {
    const auto number = static_cast<int>(&entry - function.entries.data());
    QString title = QString::fromStdString(function.name);
    title += entry.call > 0 ? Words::tr(", call %1").arg(entry.call)
                            : Words::tr(", entry %1").arg(number + 1);
    if (!entry.segment.empty()) title += " · " + QString::fromStdString(entry.segment);
    if (entry.backwardOf >= 0) return title + Words::tr(" · backward");
    return hasBackward(function, entry) ? title + Words::tr(" · training") : title;
}

std::vector<RecordView::Part> RecordView::parts() const {
    // A backward that is shown with its forward is no part of its own.
    auto shown = [](const record::Entry& entry) {
        return entry.backwardOf < 0 || !entry.lowered.empty();
    };
    std::vector<Part> result;
    for (size_t f = 0; f < record_.functions.size(); ++f) {
        const record::Function& function = record_.functions[f];
        for (size_t e = 0; e < function.entries.size(); ++e) {
            if (!shown(function.entries[e])) continue;
            result.push_back({static_cast<int>(f), static_cast<int>(e),
                              std::ranges::count_if(function.entries, shown) > 1
                                  ? titleOf(function, function.entries[e])
                                  : QString::fromStdString(function.name)});
        }
    }
    tellApart(result);
    return result;
}

/// Functions of one name by their lines, and those of one line by their order.
void RecordView::tellApart(std::vector<Part>& parts) const {
    const auto lineOf = [this](const Part& part) {
        return record_.functions[static_cast<size_t>(part.function)].where.line;
    };
    const auto repeated = [&parts](const QString& title) {
        return std::ranges::count(parts, title, &Part::title) > 1;
    };
    std::vector<bool> byLine; // where that tells something
    for (const Part& part : parts)
        byLine.push_back(std::ranges::any_of(parts, [&](const Part& other) {
            return other.title == part.title && lineOf(other) != lineOf(part);
        }));
    for (size_t i = 0; i < parts.size(); ++i)
        if (byLine[i]) parts[i].title += Words::tr(" · line %1").arg(lineOf(parts[i]));
    for (size_t i = 0; i < parts.size(); ++i) {
        const QString title = parts[i].title;
        if (!repeated(title)) continue;
        int number = 0;
        for (size_t j = i; j < parts.size(); ++j)
            if (parts[j].title == title) parts[j].title += QString(" (%1)").arg(++number);
    }
}

} // namespace cutaway::views
