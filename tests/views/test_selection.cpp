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
