// SPDX-License-Identifier: GPL-3.0-or-later
// One selection for the whole window: direct and indirect relations, history, survival of a new
// record.
#include "tests/views/sample_record.h"
#include "views/bridge/selection_state.h"

#include <QSignalSpy>
#include <QtTest>

using namespace cutaway;
using namespace cutaway::views;

class TestSelection : public QObject {
    Q_OBJECT
    RecordPtr view_ = std::make_shared<RecordView>(testing::doubleCosineRecord());
private Q_SLOTS:
    void a_source_line_lights_every_stage_and_the_backward_graph() {
        SelectionState state;
        state.setRecord(view_);
        state.select({view_->find("source:9")});
        for (const char* key : {"captured/cos", "joint/cos", "joint/sin_1", "backward/sin_1",
                                "forward/kernel/fused_cos", "backward/kernel/fused_cos"})
            QVERIFY2(state.level(view_->find(key)) == Highlight::Direct, key);
        QVERIFY(state.level(view_->find("source:9")) == Highlight::Selected);
        QVERIFY(state.level(view_->find("source:3")) == Highlight::None);
        QVERIFY(state.level(view_->find("joint/neg")) == Highlight::None);
    }
    void a_forward_node_lights_its_gradient_more_weakly() {
        SelectionState state;
        state.setRecord(view_);
        state.select({view_->find("forward/cos")});
        QVERIFY(state.level(view_->find("joint/cos")) == Highlight::Direct);
        QVERIFY(state.level(view_->find("source:9")) == Highlight::Direct);
        QVERIFY(state.level(view_->find("backward/sin_1")) == Highlight::Through);
    }
    void what_the_pointer_rests_on_lights_weakly() {
        SelectionState state;
        state.setRecord(view_);
        QSignalSpy hovered(&state, &SelectionState::hovered),
            changed(&state, &SelectionState::changed);
        state.hover(view_->find("source:9"));
        state.hover(view_->find("forward/cos")); // the first was only passed
        QVERIFY(hovered.wait());
        QCOMPARE(hovered.size(), 1);
        QCOMPARE(changed.size(), 0); // nothing is scrolled or told
        QVERIFY(state.isEmpty());
        QVERIFY(state.level(view_->find("joint/cos")) == Highlight::Through);
        QVERIFY(state.level(view_->find("joint/neg")) == Highlight::None);
        state.select({view_->find("joint/cos")});
        QVERIFY(state.level(view_->find("joint/cos")) == Highlight::Selected); // not weakened
        state.hover(kNoItem);
        QVERIFY(hovered.wait());
        state.clear();
        QVERIFY(state.level(view_->find("joint/cos")) == Highlight::None);
        state.hover(12345678);
        QVERIFY(!hovered.wait(150));
    }
    void history_goes_back_and_forward() {
        SelectionState state;
        state.setRecord(view_);
        QVERIFY(!state.canGoBack());
        ItemId first = view_->find("joint/cos"), second = view_->find("joint/mul");
        state.select({first});
        state.select({second});
        state.goBack();
        QCOMPARE(state.items(), std::vector<ItemId>{first});
        QVERIFY(state.canGoForward());
        state.goForward();
        QCOMPARE(state.items(), std::vector<ItemId>{second});
        state.goBack();
        state.select({view_->find("joint/neg")});
        QVERIFY(!state.canGoForward());
    }
    void a_new_record_keeps_the_selection_by_key() {
        SelectionState state;
        state.setRecord(view_);
        state.select({view_->find("backward/mul_1")});
        record::Record changed = testing::doubleCosineRecord();
        // Ids shift by one, keys stay.
        changed.items.insert(changed.items.begin(), {record::ItemKind::SourceLine, "source:0"});
        auto shift = [](ItemId& id) { id += id != kNoItem; };
        for (auto& link : changed.links)
            shift(link.item), shift(link.from);
        changed.functions.clear();
        changed.files.clear();
        auto next = std::make_shared<RecordView>(changed);
        QSignalSpy spy(&state, &SelectionState::changed);
        state.setRecord(next);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(state.items(), std::vector<ItemId>{next->find("backward/mul_1")});
    }
    void what_a_record_lacks_yet_is_selected_again_when_it_comes() {
        record::Record first = testing::doubleCosineRecord();
        first.functions[0].entries[0].lowered.clear();
        std::erase_if(first.items, [](const record::Item& item) {
            return item.key.find("/kernel/") != std::string::npos;
        });
        first.links.clear();
        SelectionState state;
        state.setRecord(view_);
        state.select({view_->find("forward/kernel/fused_cos")});
        state.setRecord(std::make_shared<RecordView>(first)); // its first stages
        QVERIFY(state.isEmpty());
        state.setRecord(view_);
        QCOMPARE(state.items(), std::vector<ItemId>{view_->find("forward/kernel/fused_cos")});
        state.clear();
        state.setRecord(view_);
        QVERIFY(state.isEmpty());
    }
    void a_kernel_that_was_split_is_the_one_that_computes_most_of_it() {
        record::Record split = testing::doubleCosineRecord();
        record::LoweredGraph& lowered = split.functions[0].entries[0].lowered[1];
        record::KernelInfo first = lowered.kernels[0];
        const size_t all = first.buffers.size();
        lowered.kernels[0].buffers.erase(lowered.kernels[0].buffers.begin());
        lowered.kernels[0].name = "fused_sin";
        split.items[first.item].key = "backward/kernel/fused_sin";
        first.buffers.resize(1);
        first.codes.clear();
        first.name = "fused_alone";
        first.item = static_cast<ItemId>(split.items.size());
        split.items.push_back({record::ItemKind::Kernel, "backward/kernel/fused_alone"});
        lowered.kernels.push_back(first);
        for (record::Item& item : split.items) // lines are called after their kernels
            if (const size_t at = item.key.find("/cpp/fused_cos"); at != std::string::npos)
                item.key.replace(at, 14, "/cpp/fused_sin");
        const auto next = std::make_shared<RecordView>(split);
        SelectionState state;
        state.setRecord(view_);
        const ItemId was = view_->find("backward/kernel/fused_cos");
        QCOMPARE(view_->kernel(was)->buffers.size(), all);
        state.select({was});
        state.setRecord(next);
        QCOMPARE(state.items(), std::vector<ItemId>{next->find("backward/kernel/fused_sin")});
        state.setRecord(view_); // the decision is taken back
        QCOMPARE(state.items(), std::vector<ItemId>{was});
        state.select({view_->find("backward/cpp/fused_cos:6")});
        QVERIFY(!state.isEmpty());
        state.setRecord(next);
        QCOMPARE(state.items(), std::vector<ItemId>{next->find("backward/cpp/fused_sin:6")});
    }
    void a_source_line_is_found_where_it_went() {
        record::Record moved = testing::doubleCosineRecord();
        moved.files[0].text.insert(moved.files[0].text.find("train"), "# one more\n\n");
        for (int line = 1; line <= 2; ++line) {
            moved.files[0].lineItems.push_back(static_cast<ItemId>(moved.items.size()));
            moved.items.push_back({record::ItemKind::SourceLine,
                                   "source:" + std::to_string(moved.files[0].lineItems.size())});
        }
        const auto next = std::make_shared<RecordView>(moved);
        SelectionState state;
        state.setRecord(view_);
        state.select({view_->find("source:9")});
        state.setRecord(next);
        QCOMPARE(state.items(), std::vector<ItemId>{next->find("source:11")});
    }
    void unknown_items_select_nothing() {
        SelectionState state;
        state.setRecord(view_);
        state.select({kNoItem, 100000});
        QVERIFY(state.isEmpty());
        QVERIFY(state.level(kNoItem) == Highlight::None);
    }
};

QTEST_GUILESS_MAIN(TestSelection)
#include "test_selection.moc"
