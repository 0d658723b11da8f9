// SPDX-License-Identifier: GPL-3.0-or-later
// Layout, scenes and the canvas: nothing overlaps, edges lead down, the cut has two sides, ten
// thousand nodes are placed and painted in no time worth naming.
#include "tests/views/sample_record.h"
#include "views/bridge/layout_request.h"
#include "views/models/format.h"
#include "views/models/layered_layout.h"
#include "views/widgets/graph_canvas.h"
#include "views/widgets/scene_painter.h"

#include <QtTest>
#include <nlohmann/json.hpp>
#include <random>

using namespace cutaway;
using namespace cutaway::views;

static double textRoom(const QString& text, bool) {
    return 8.0 * double(text.size());
}

static bool overlaps(const std::vector<QRectF>& rects) {
    for (size_t i = 0; i < rects.size(); ++i)
        for (size_t j = i + 1; j < rects.size(); ++j)
            if (rects[i].adjusted(1, 1, -1, -1).intersects(rects[j])) return true;
    return false;
}

static LayoutInput randomGraph(int nodes, double edgesPerNode, unsigned seed) {
    std::mt19937 random(seed);
    LayoutInput input;
    for (int i = 0; i < nodes; ++i) {
        input.sizes.emplace_back(80 + int(random() % 60), 40);
        for (double left = edgesPerNode; i > 0 && left > 0; left -= 1)
            if (std::uniform_real_distribution<>(0, 1)(random) < left)
                input.edges.emplace_back(std::max(0, i - 1 - int(random() % 20)), i);
    }
    return input;
}

class TestGraph : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nodes_do_not_overlap_and_edges_lead_down() {
        for (unsigned seed = 1; seed <= 8; ++seed) {
            LayoutInput input = randomGraph(80, 1.4, seed);
            LayoutResult result = layeredLayout(input);
            std::vector<QRectF> rects;
            for (size_t i = 0; i < input.sizes.size(); ++i) {
                QRectF rect({}, input.sizes[i]);
                rect.moveCenter(result.centers[i]);
                rects.push_back(rect);
                QVERIFY(result.bounds.contains(rect.center()));
            }
            QVERIFY(!overlaps(rects));
            for (size_t e = 0; e < input.edges.size(); ++e) {
                auto [from, to] = input.edges[e];
                QVERIFY(result.centers[size_t(from)].y() < result.centers[size_t(to)].y());
                QVERIFY(result.routes[e].size() >= 2);
                QCOMPARE(result.routes[e].front().y(), rects[size_t(from)].bottom());
                QCOMPARE(result.routes[e].back().y(), rects[size_t(to)].top());
            }
        }
    }
    void edges_pass_beside_boxes_and_not_below_them() {
        for (unsigned seed = 1; seed <= 8; ++seed) {
            LayoutInput input = randomGraph(80, 1.6, seed);
            for (size_t i = 0; i < input.sizes.size(); i += 3)
                input.sizes[i].setHeight(70); // a row's boxes need not be equally high
            input.edges.emplace_back(0, 79);  // a lane
            const LayoutResult result = layeredLayout(input);
            for (size_t e = 0; e < input.edges.size(); ++e)
                for (size_t k = 0; k + 1 < result.routes[e].size(); ++k) {
                    // What is drawn between two points stays in the rectangle that they span.
                    const QRectF way = QRectF(result.routes[e][k], result.routes[e][k + 1])
                                           .normalized()
                                           .adjusted(-0.4, 0.4, 0.4, -0.4);
                    for (size_t i = 0; i < input.sizes.size(); ++i) {
                        if (int(i) == input.edges[e].first || int(i) == input.edges[e].second)
                            continue;
                        QRectF box({}, input.sizes[i]);
                        box.moveCenter(result.centers[i]);
                        QVERIFY2(
                            !box.intersects(way),
                            qPrintable(QString("%1: edge %2, node %3").arg(seed).arg(e).arg(i)));
                    }
                }
        }
    }
    void a_wide_row_gives_nodes_to_its_neighbours() {
        LayoutInput input;
        auto node = [&] {
            input.sizes.emplace_back(100, 40);
            return int(input.sizes.size()) - 1;
        };
        int last = node(); // a chain, whose third node has seven inputs of its own
        for (int i = 0; i < 5; ++i) {
            const int next = node();
            input.edges.emplace_back(last, next);
            last = next;
            if (i == 2)
                for (int k = 0; k < 7; ++k)
                    input.edges.emplace_back(node(), next);
        }
        const double wide = layeredLayout(input).bounds.width();
        input.narrow = true;
        const LayoutResult narrow = layeredLayout(input);
        QVERIFY2(narrow.bounds.width() < 0.75 * wide,
                 qPrintable(QString("%1 of %2").arg(narrow.bounds.width()).arg(wide)));
        for (auto [from, to] : input.edges)
            QVERIFY(narrow.centers[size_t(from)].y() < narrow.centers[size_t(to)].y());
        LayoutInput nothing;
        nothing.narrow = true;
        QVERIFY(layeredLayout(nothing).centers.empty());
        for (unsigned seed = 1; seed <= 6; ++seed) {
            LayoutInput random = randomGraph(80, 1.6, seed);
            const double before = layeredLayout(random).bounds.width();
            random.narrow = true;
            const LayoutResult after = layeredLayout(random);
            QVERIFY(after.bounds.width() < 1.1 * before); // lines that got longer need room, too
            for (auto [from, to] : random.edges)
                QVERIFY(after.centers[size_t(from)].y() < after.centers[size_t(to)].y());
        }
    }
    void a_long_path_stays_straight_beside_its_side_chains() {
        LayoutInput input;
        auto node = [&] {
            input.sizes.emplace_back(100, 40);
            return int(input.sizes.size()) - 1;
        };
        int spine = node();
        const int first = spine;
        std::vector<int> path{spine};
        for (int i = 0; i < 200; ++i) {
            // What is made of weights alone, read twice, and a value that is read much later.
            const int weight = node(), view = node(), turned = node(), next = node();
            input.edges.insert(input.edges.end(), {{weight, view}, {view, turned}, {spine, next}});
            input.edges.emplace_back(turned, next);
            if (i % 20 == 19) input.edges.emplace_back(path[path.size() - 18], next);
            path.push_back(spine = next);
        }
        input.edges.emplace_back(first + 1, spine);
        const LayoutResult result = layeredLayout(input);
        double left = 1e9, right = -1e9;
        for (int at : path) {
            left = std::min(left, result.centers[size_t(at)].x());
            right = std::max(right, result.centers[size_t(at)].x());
        }
        QVERIFY2(right - left < 250, qPrintable(QString::number(right - left)));
        QVERIFY2(result.bounds.width() < 900, qPrintable(QString::number(result.bounds.width())));
    }
    void cycles_and_empty_graphs_are_tolerated() {
        LayoutInput input;
        QVERIFY(layeredLayout(input).centers.empty());
        input.sizes = {{50, 40}, {50, 40}, {50, 40}};
        input.edges = {{0, 1}, {1, 2}, {2, 0}, {1, 1}};
        LayoutResult result = layeredLayout(input);
        QCOMPARE(result.centers.size(), 3u);
        QCOMPARE(result.routes.size(), 4u);
    }
    void ten_thousand_nodes_are_placed_within_a_second() {
        LayoutInput input = randomGraph(10000, 1.3, 7);
        QElapsedTimer clock;
        clock.start();
        LayoutResult result = layeredLayout(input);
        QVERIFY2(clock.elapsed() < 3000, qPrintable(QString::number(clock.elapsed()) + " ms"));
        QCOMPARE(result.centers.size(), 10000u);
    }
    void the_cut_has_forward_left_and_backward_right() {
        record::Record record = testing::doubleCosineRecord();
        GraphScene scene = partitionScene(record.functions[0].entries[0], textRoom);
        QCOMPARE(scene.bands.size(), 2u);
        std::vector<QRectF> rects;
        int ghosts = 0, saved = 0;
        for (const SceneNode& node : scene.nodes) {
            rects.push_back(node.rect);
            ghosts += node.ghost;
            const SceneBand& band = scene.bands[scene.bands[0].rect.contains(node.rect) ? 0 : 1];
            QVERIFY(band.rect.contains(node.rect));
        }
        for (const SceneEdge& edge : scene.edges)
            saved += edge.style == EdgeStyle::Saved;
        QVERIFY(!overlaps(rects));
        QCOMPARE(ghosts, 1); // cos is computed again
        QCOMPARE(saved, 2);  // primals_1 to that cos and to sin_1
        QVERIFY(std::any_of(scene.edges.begin(), scene.edges.end(),
                            [](const SceneEdge& e) { return e.label.contains("KiB"); }));
    }
    /// Else hundreds of them are a grey wall.
    void values_that_one_closed_box_reads_share_a_lane() {
        constexpr int kValues = 60;
        const auto gutterOf = [](const QString& fold, QSet<int>& lanes) {
            GraphScene scene;
            for (int i = 0; i <= kValues; ++i) {
                SceneNode node;
                node.item = static_cast<ItemId>(i);
                node.title = QString::number(i);
                node.rect = QRectF(0, 0, 80, 30);
                scene.nodes.push_back(node);
                SceneEdge next, saved;
                next.from = i, next.to = i + 1;
                saved.from = i, saved.to = kValues;
                if (i + 1 < kValues) scene.edges.push_back(next);
                if (i < kValues) scene.edges.push_back(saved);
            }
            scene.nodes.back().fold = fold;
            std::vector<bool> backward(scene.nodes.size());
            backward.back() = true;
            placeMirrored(scene, backward);
            for (const SceneEdge& edge : scene.edges)
                for (size_t at = 1; edge.rail && at < edge.points.size(); ++at)
                    if (edge.points[at].x() == edge.points[at - 1].x())
                        lanes.insert(qRound(edge.points[at].x()));
            return scene.bands[1].rect.left() - scene.bands[0].rect.right();
        };
        QSet<int> own, shared;
        const double wide = gutterOf({}, own), narrow = gutterOf("module:blocks", shared);
        QCOMPARE(shared.size(), 1);
        QVERIFY2(own.size() > 10, qPrintable(QString::number(own.size())));
        QVERIFY(narrow < wide);
    }
    /// Of a large graph seen from afar, titles rise above what they are of.
    void titles_of_sides_are_whole_in_pictures() {
        record::GraphStage stage;
        stage.name = "joint";
        constexpr int kWide = 6, kHalf = 50 * kWide;
        std::vector<bool> backward;
        for (int i = 0; i < 2 * kHalf; ++i) {
            record::GraphNode node;
            node.item = static_cast<ItemId>(i);
            node.name = "add_" + std::to_string(i);
            node.kind = "call", node.op = "aten.add.Tensor", node.type = "f32[8]";
            node.backward = i >= kHalf;
            backward.push_back(node.backward);
            if (i >= kWide) node.inputs = {static_cast<ItemId>(i - kWide)};
            stage.nodes.push_back(node);
        }
        GraphScene scene = stageScene(stage, textRoom);
        placeMirrored(scene, backward);
        QCOMPARE(scene.bands.size(), 2u);
        GraphCanvas canvas;
        canvas.resize(500, 600);
        canvas.setScene(shared(scene), false);
        canvas.show();
        QVERIFY(QTest::qWaitForWindowExposed(&canvas));
        canvas.fit();
        QTRY_VERIFY_WITH_TIMEOUT(canvas.isSettled(), 20000);
        const QImage image = canvas.grab().toImage();
        SceneLook look;
        look.theme = lightTheme();
        look.font = canvas.font();
        const ScenePtr placed = shared(scene);
        int titles = 0;
        for (const auto& title : ScenePainter(*placed, look).bandTitles(canvas.zoom())) {
            const QRectF box((title.box.topLeft() - canvas.shownArea().topLeft()) * canvas.zoom(),
                             title.box.size() * canvas.zoom());
            int inked[2] = {0, 0}; // in the upper half of the letters, and in the lower
            for (int y = int(box.top()); y < int(box.bottom()); ++y)
                for (int x = int(box.left()); x < int(box.right()); ++x)
                    inked[y >= box.center().y()] += image.pixelColor(x, y).lightness() < 150;
            QVERIFY2(inked[0] > 5 && inked[1] > 5,
                     qPrintable(QString("%1, %2").arg(inked[0]).arg(inked[1])));
            ++titles;
        }
        QVERIFY(titles > 0);
    }
    void the_label_of_a_box_is_the_sum_of_what_leaves_it() {
        record::Record record = testing::doubleCosineRecord();
        record::Entry& entry = record.functions[0].entries[0];
        auto& joint = *std::ranges::find(entry.graphs, "joint", &record::GraphStage::name);
        record::ItemId second = record::kNoItem;
        for (record::GraphNode& node : joint.nodes) {
            if (node.name == "cos" || node.name == "cos_1") {
                node.modulePath = "block";
                second = node.item;
                entry.partition.saved.push_back({node.item, node.name, 1024, false, {}});
            }
            if (node.name == "neg_1") node.inputs.push_back(second);
        }
        entry.partition.recomputed.clear();
        const GraphScene scene = partitionScene(entry, textRoom, {FoldKind::Modules, {}, {}, 0});
        QStringList labels;
        int lines = 0;
        for (const SceneEdge& edge : scene.edges) {
            const SceneNode& from = scene.nodes[static_cast<size_t>(edge.from)];
            if (from.fold.isEmpty() || edge.style != EdgeStyle::Saved) continue;
            ++lines;
            if (!edge.label.isEmpty()) labels << edge.label;
        }
        QCOMPARE(lines, 2); // to two nodes of the backward, 1 KiB each
        QCOMPARE(labels, QStringList{format::bytes(2048)});
    }
    void what_a_module_computes_again_is_no_part_of_its_backward() {
        record::Record record = testing::doubleCosineRecord();
        record::Entry& entry = record.functions[0].entries[0];
        auto& joint = *std::ranges::find(entry.graphs, "joint", &record::GraphStage::name);
        // The first that the backward reads and the last that it computes.
        for (record::GraphNode& node : joint.nodes)
            if (node.name == "cos" || node.name == "mul_1") node.modulePath = "block";
        const GraphScene scene = partitionScene(entry, textRoom, {FoldKind::Modules, {}, {}, 0});
        std::vector<int> missing(scene.nodes.size());
        for (const SceneEdge& edge : scene.edges)
            ++missing[static_cast<size_t>(edge.to)];
        std::vector<int> ready;
        for (size_t i = 0; i < missing.size(); ++i)
            if (missing[i] == 0) ready.push_back(static_cast<int>(i));
        for (size_t i = 0; i < ready.size(); ++i)
            for (const SceneEdge& edge : scene.edges)
                if (edge.from == ready[i] && --missing[static_cast<size_t>(edge.to)] == 0)
                    ready.push_back(edge.to);
        QCOMPARE(ready.size(), scene.nodes.size()); // no edge closes a cycle
    }
    void lines_of_an_engine_layout_keep_clear_of_boxes() {
        GraphScene scene;
        scene.nodes.resize(2);
        for (SceneNode& node : scene.nodes)
            node.rect = QRectF(0, 0, 100, 40);
        scene.nodes[1].fold = "norm"; // drawn as a pile
        const nlohmann::json asked = layoutQuestion(scene);
        QVERIFY(asked["nodes"][0]["w"].get<double>() >= 108);
        QVERIFY(asked["nodes"][1]["w"].get<double>() >= 116);
        QCOMPARE(asked["nodes"][1]["h"].get<double>(), 40.0); // they begin and end at its rims
    }
    void an_engine_layout_is_taken_only_when_it_fits() {
        record::Record record = testing::doubleCosineRecord();
        GraphScene scene = stageScene(record.functions[0].entries[0].graphs[0], textRoom);
        using nlohmann::json;
        json good = {{"positions", {{5, 10}, {5, 110}, {5, 210}}},
                     {"edges", {{{5, 30}, {5, 90}}, {{5, 130}, {5, 190}}}}};
        auto placed = placedFromJson(scene, good);
        QVERIFY(placed);
        QCOMPARE(placed->nodes[1].rect.center(), QPointF(5, 110));
        json upside = {{"positions", {{5, 210}, {5, 110}, {5, 10}}},
                       {"edges", {{{5, 190}, {5, 130}}, {{5, 90}, {5, 30}}}}};
        auto turned = placedFromJson(scene, upside);
        QVERIFY(turned->nodes[0].rect.top() < turned->nodes[2].rect.top());
        for (const json& bad : {json(3), json{{"positions", {{1, 2}}}, {"edges", json::array()}},
                                json{{"positions", {{"a", 2}, {1, 2}, {1, 2}}},
                                     {"edges", {json::array(), json::array()}}}})
            QVERIFY(!placedFromJson(scene, bad));
    }
    void the_canvas_selects_the_node_under_the_pointer() {
        auto view = std::make_shared<RecordView>(testing::doubleCosineRecord());
        SelectionState selection;
        selection.setRecord(view);
        GraphScene scene = stageScene(view->entry(0, 0)->graphs[0], textRoom);
        placeLayered(scene);
        GraphCanvas canvas;
        canvas.setSelectionState(&selection, &canvas);
        canvas.resize(500, 500);
        canvas.show();
        canvas.setScene(shared(scene), false);
        QVERIFY(QTest::qWaitForWindowExposed(&canvas));
        QTest::keyClick(&canvas, Qt::Key_Space);
        QPoint middle(250, 250); // the second of three nodes in a column
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, middle);
        QCOMPARE(selection.items(), std::vector<ItemId>{view->find("captured/cos")});
        QTest::keyClick(&canvas, Qt::Key_Down);
        QCOMPARE(selection.items(), std::vector<ItemId>{view->find("captured/cos_1")});
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, QPoint(5, 5));
        QVERIFY(selection.isEmpty());
        QCOMPARE(canvas.setSearch("cos"), 2);
    }
    void both_sides_of_a_joint_graph_open_in_sight() {
        record::Record record = testing::doubleCosineRecord();
        GraphScene scene = partitionScene(record.functions[0].entries[0], textRoom);
        for (double scale : {0.6, 0.31, 0.29, 0.1, 0.04}) {
            GraphCanvas canvas;
            canvas.resize(int(scene.bounds.width() * scale) + 32, 500);
            canvas.setScene(shared(scene), false);
            QVERIFY(canvas.shownArea().left() <= scene.bounds.left());
            QVERIFY(canvas.shownArea().right() >= scene.bounds.right());
        }
    }
    void a_canvas_that_gets_lower_shows_what_it_showed() {
        GraphScene scene;
        for (int i = 0; i < 12; ++i) {
            SceneNode node;
            node.rect = QRectF(0, 80 * i, 120, 40);
            scene.nodes.push_back(node);
            scene.bounds |= node.rect;
        }
        GraphCanvas canvas;
        canvas.resize(400, 590); // just read with ease as a whole
        canvas.show();
        canvas.setScene(shared(scene), false);
        QVERIFY(QTest::qWaitForWindowExposed(&canvas));
        canvas.grab();
        const double whole = canvas.zoom();
        QVERIFY(canvas.shownArea().contains(scene.bounds));
        canvas.resize(400, 565); // would open from the top
        QVERIFY2(canvas.zoom() < whole && canvas.zoom() > 0.85 * whole,
                 qPrintable(QString("%1 of %2").arg(canvas.zoom()).arg(whole)));
        QVERIFY(canvas.shownArea().contains(scene.bounds));
        canvas.setScene(shared(scene), false); // anew it does
        QCOMPARE(canvas.zoom(), 1.0);
        canvas.grab();
        canvas.resize(400, 590);
        QCOMPARE(canvas.zoom(), 1.0);
    }
    void what_can_be_read_as_a_whole_opens_as_a_whole() {
        auto shows = [](int count) {
            GraphScene scene;
            for (int i = 0; i < count; ++i) {
                SceneNode node;
                node.rect = QRectF(0, 80 * i, 120, 40);
                scene.nodes.push_back(node);
                scene.bounds |= node.rect;
            }
            GraphCanvas canvas;
            canvas.resize(400, 600);
            canvas.setScene(shared(scene), false);
            canvas.show();
            return QTest::qWaitForWindowExposed(&canvas) &&
                   canvas.shownArea().contains(scene.bounds) && canvas.zoom() >= 0.6;
        };
        QVERIFY(shows(5));
        QVERIFY(shows(11));  // at about two thirds of its size
        QVERIFY(!shows(20)); // the small map shows it as a whole
    }
    void a_selection_without_relations_dims_nothing() {
        auto view = std::make_shared<RecordView>(testing::doubleCosineRecord());
        SelectionState selection;
        selection.setRecord(view);
        GraphScene scene = partitionScene(*view->entry(0, 0), textRoom);
        GraphCanvas canvas;
        canvas.setSelectionState(&selection, &canvas);
        canvas.resize(500, 400);
        canvas.setScene(shared(scene), false);
        QImage plain = canvas.grab().toImage();
        ItemId blank = view->find("source:1");
        QVERIFY(blank != record::kNoItem);
        selection.select({blank});
        QVERIFY(canvas.grab().toImage() == plain);
        selection.select({view->find("joint/cos")});
        QVERIFY(canvas.grab().toImage() != plain);
    }
    void a_selection_leaves_the_colour_that_tells_a_quantity() {
        auto view = std::make_shared<RecordView>(testing::doubleCosineRecord());
        SelectionState selection;
        selection.setRecord(view);
        selection.select({view->find("joint/cos")});
        GraphScene scene = stageScene(*view->entry(0, 0)->graph("joint"), textRoom);
        placeLayered(scene);
        GraphCanvas canvas;
        canvas.setSelectionState(&selection, &canvas);
        canvas.resize(500, 700);
        canvas.setScene(shared(scene), false);
        const auto pixelsOf = [&](const QColor& color) {
            const QImage picture = canvas.grab().toImage();
            int count = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    count += picture.pixel(x, y) == color.rgb();
            return count;
        };
        QVERIFY(pixelsOf(lightTheme().selected) > 100);
        const int rim = pixelsOf(lightTheme().mark);
        canvas.setHeat(std::vector<int>(scene.nodes.size(), 3));
        QCOMPARE(pixelsOf(lightTheme().selected), 0);
        QVERIFY(pixelsOf(lightTheme().mark) > rim); // it stands around
    }
    void a_larger_font_is_seen_at_once() {
        record::Record record = testing::doubleCosineRecord();
        GraphScene scene = stageScene(record.functions[0].entries[0].graphs[0], textRoom);
        placeLayered(scene);
        GraphCanvas canvas;
        canvas.resize(500, 400);
        canvas.setScene(shared(scene), false);
        const QImage before = canvas.grab().toImage();
        QFont larger = canvas.font();
        larger.setPointSizeF(larger.pointSizeF() * 1.3);
        canvas.setFont(larger);
        QVERIFY(canvas.grab().toImage() != before);
    }
    void boxes_grow_with_the_type() {
        record::Record record = testing::doubleCosineRecord();
        const record::GraphStage& stage = *record.functions[0].entries[0].graph("joint");
        auto larger = [](const QString& text, bool bold) { return 2 * textRoom(text, bold); };
        const GraphScene usual = stageScene(stage, textRoom), large = stageScene(stage, larger);
        QCOMPARE(typeScale(textRoom), 1.0);
        for (size_t i = 0; i < usual.nodes.size(); ++i) {
            const SceneNode& node = large.nodes[i];
            QVERIFY(node.rect.height() >= 2 * usual.nodes[i].rect.height());
            QVERIFY(node.rect.width() > larger(node.title, true) + larger(node.name, false));
        }
    }
    void nodes_of_one_operation_are_told_apart_by_name() {
        record::Record record = testing::doubleCosineRecord();
        GraphScene scene = stageScene(*record.functions[0].entries[0].graph("backward"), textRoom);
        QStringList briefs;
        for (const SceneNode& node : scene.nodes) {
            briefs << node.brief;
            QVERIFY(node.rect.width() >= kBriefGrowth * textRoom(node.brief, false));
        }
        briefs.sort();
        QCOMPARE(briefs, (QStringList{"cos", "mul", "mul_1", "neg", "neg_1", "primals_1", "sin",
                                      "sin_1", "tangents_1"}));
    }
    void ten_thousand_nodes_are_painted_quickly() {
        GraphScene scene;
        LayoutInput input = randomGraph(10000, 1.3, 3);
        for (QSizeF size : input.sizes) {
            SceneNode node;
            node.title = "mul";
            node.subtitle = "f32[16, 16]";
            node.rect = QRectF({}, size);
            scene.nodes.push_back(node);
        }
        for (auto [from, to] : input.edges) {
            SceneEdge edge;
            edge.from = from;
            edge.to = to;
            scene.edges.push_back(edge);
        }
        placeLayered(scene);
        GraphCanvas canvas;
        canvas.resize(1200, 800);
        canvas.setScene(shared(scene), false);
        canvas.show();
        QVERIFY(QTest::qWaitForWindowExposed(&canvas));
        QImage target(1200, 800, QImage::Format_RGB32);
        for (bool whole : {false, true}) {
            if (whole) canvas.fit();
            QElapsedTimer clock;
            clock.start();
            canvas.render(&target);
            QVERIFY2(clock.elapsed() < 200, qPrintable(QString::number(clock.elapsed()) + " ms"));
            QTRY_VERIFY_WITH_TIMEOUT(canvas.isSettled(), 20000);
            canvas.render(&target);
            QSet<QRgb> colours;
            for (int x = 0; x < 1200; x += 3)
                for (int y = 0; y < 800; y += 3)
                    colours.insert(target.pixel(x, y));
            QVERIFY(colours.size() > 4); // the picture that another thread painted
        }
    }
};

QTEST_MAIN(TestGraph)
#include "test_graph.moc"
