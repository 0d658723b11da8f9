// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// An immutable record with the look-ups that panes need: where an item stands, what it is called,
/// what is related to it. Built once per record, off the GUI thread, and shared.
#pragma once

#include "core/record/record.h"

#include <QHash>
#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

namespace cutaway::views {

using record::ItemId;
using record::kNoItem;

/// Where an item stands in the record; indices are -1 where they do not apply.
struct Place {
    int file = -1, line = -1;      ///< source line, counted from 0
    int function = -1, entry = -1; ///< everything else
    int graph = -1, node = -1;     ///< node of Entry::graphs
    int lowered = -1;              ///< of Entry::lowered
    int buffer = -1, kernel = -1;  ///< of that lowered graph
    int code = -1, codeLine = -1;  ///< of that kernel
    bool known() const { return file >= 0 || function >= 0; }
};

/// What an item is called in every record: ids change with each, a kernel is called after what is
/// fused into it, and lines move when others are written above them.
struct ItemName {
    QString key;
    QString text;      ///< of a line
    QStringList parts; ///< keys of the buffers that it is made of, which outlive it
    bool isEmpty() const { return key.isEmpty(); }
    bool operator==(const ItemName&) const = default;
};

class RecordView {
public:
    explicit RecordView(record::Record record);

    const record::Record& record() const { return record_; }
    const record::LinkIndex& links() const { return links_; }
    size_t itemCount() const { return record_.items.size(); }
    /// True when nothing was compiled.
    bool isEmpty() const;

    const Place& place(ItemId item) const;
    /// kNoItem when the record has no such item.
    ItemId find(const QString& key) const { return byKey_.value(key, kNoItem); }
    QString key(ItemId item) const;
    ItemName nameOf(ItemId item) const;
    /// What an item of another record became in this one; kNoItem: it is not in here.
    ItemId find(const ItemName& name) const;
    /// A short name for people: "cos_1", "fused_cos", "line 12".
    QString title(ItemId item) const;
    /// Its name with the stage it stands in: "joint/cos_1", "line 12", "fused_cos cpp:31".
    QString label(ItemId item) const;
    /// An item by its key, by the end of its key ("joint/cos"), or by "line:12" of the first file.
    ItemId search(const QString& text) const;
    const record::GraphNode* node(ItemId item) const;
    const record::LoopBuffer* buffer(ItemId item) const;
    const record::KernelInfo* kernel(ItemId item) const;
    /// The kernel that computes a buffer or owns a code line; kNoItem: none.
    ItemId kernelOf(ItemId item) const;
    /// Item of a source line (counted from 0); kNoItem outside of the file.
    ItemId sourceItem(int file, int line) const;
    /// Lines of the script that call what the items came from, in their order; not those that only
    /// made the modules of it.
    std::vector<ItemId> callLines(const std::vector<ItemId>& items) const;

    const record::Entry* entry(int function, int entry) const;

    /// A compiled part of the script that panes show: an entry, with the backward that is shown
    /// with it.
    struct Part {
        int function = -1, entry = -1;
        QString title; ///< "GPT, call 1 · training"; no two are the same
    };
    std::vector<Part> parts() const;
    /// "GPT, call 1 · training": the call is the one that the entry was compiled for.
    QString titleOf(const record::Function& function, const record::Entry& entry) const;

private:
    QString lineText(ItemId item) const;
    ItemId findLine(const ItemName& name, ItemId at) const;
    ItemId heirOf(const ItemName& name) const;
    void tellApart(std::vector<Part>& parts) const;
    void placeEntry(int function, int entry);
    void placeKernel(Place at, const record::KernelInfo& kernel);
    void put(ItemId item, const Place& place);

    record::Record record_;
    record::LinkIndex links_;
    std::vector<Place> places_;
    QHash<QString, ItemId> byKey_;
    QHash<ItemId, ItemId> kernelOf_;
};

using RecordPtr = std::shared_ptr<const RecordView>;

/// Never null: a record without functions.
RecordPtr emptyRecord();

/// Whether the script ran back through \p entry.
bool hasBackward(const record::Function& function, const record::Entry& entry);

} // namespace cutaway::views
