// SPDX-License-Identifier: Apache-2.0
// Graphs of a GPU with tensors of the host in them become graphs of the GPU alone.
#include "core/backend/host_tensors.h"

#include "core/ops/catalogue.h"

#include <QtTest>

using namespace cutaway;

namespace {

const ir::Device kGpu{ir::Device::Kind::Cuda, 0};

ir::TensorType typeOn(ir::Device device, bool requiresGrad = false) {
    ir::TensorType type = ir::TensorType::contiguous(ir::DType::Float32, {ir::Sym(4)}, device);
    type.requiresGrad = requiresGrad;
    return type;
}

} // namespace

class TestHostTensors : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_graph_on_one_device_stays() {
        for (ir::Device device : {ir::Device(), kGpu}) {
            ir::Graph graph("captured");
            const ir::NodeId x = graph.addPlaceholder("x", typeOn(device));
            graph.outputs = {graph.addCall("sin", {x}, {typeOn(device)})};
            auto placed = backend::onOneDevice(graph);
            QVERIFY(placed.ok());
            QVERIFY(!placed->has_value());
        }
    }
    void copies_to_the_gpu_become_copies_of_inputs() {
        ir::Graph graph("captured");
        const ir::NodeId x = graph.addPlaceholder("x", typeOn(kGpu));
        const ir::NodeId y = graph.addPlaceholder("y", typeOn({}));
        const ir::NodeId twice = graph.addCall("add.Tensor", {y, y}, {typeOn({})});
        const ir::NodeId up = graph.addCall("prims.device_put", {twice, kGpu}, {typeOn(kGpu)});
        const ir::NodeId sum = graph.addCall("add.Tensor", {x, up}, {typeOn(kGpu)});
        graph.outputs = {sum, twice};
        auto placed = backend::onOneDevice(graph);
        QVERIFY(placed.ok() && placed->has_value());
        const backend::OneDeviceGraph& moved = **placed;
        QCOMPARE(moved.inputs, std::vector<size_t>{1});
        QCOMPARE(moved.outputs, std::vector<size_t>{1});
        QVERIFY(!moved.graph->contains(up));
        QVERIFY(!ir::verify(*moved.graph).has_value());
        for (ir::NodeId id : moved.graph->order())
            QVERIFY(moved.graph->node(id).type().device == kGpu);
        QVERIFY(*moved.graph->node(sum).args[1].node() == twice);
    }
    void new_tensors_of_the_host_are_made_on_the_gpu() {
        ir::Graph graph("captured");
        const ir::NodeId x = graph.addPlaceholder("x", typeOn(kGpu));
        auto eye = ops::bind("eye", {ir::Arg(int64_t(4))}, {});
        QVERIFY(eye.ok());
        const ir::NodeId made = graph.addCall(eye->def->name(), eye->args, {typeOn({})});
        graph.outputs = {x, made};
        auto placed = backend::onOneDevice(graph);
        QVERIFY(placed.ok() && placed->has_value());
        const ir::Node& moved = (*placed)->graph->node(made);
        const auto device = static_cast<size_t>(eye->def->parsed.find("device"));
        QVERIFY(std::holds_alternative<ir::Device>(moved.args[device]));
        QVERIFY(std::get<ir::Device>(moved.args[device]) == kGpu);
    }
    void what_cannot_be_is_refused() {
        ir::Graph leaf("captured");
        const ir::NodeId x = leaf.addPlaceholder("x", typeOn({}, true));
        leaf.node(x).inputSource = "L['x']";
        leaf.outputs = {leaf.addCall("prims.device_put", {x, kGpu}, {typeOn(kGpu)})};
        auto refused = backend::onOneDevice(leaf);
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().message.find("L['x'] lies on the host and requires gradients") ==
                0);

        const ir::Device second{ir::Device::Kind::Cuda, 1};
        ir::Graph two("captured");
        const ir::NodeId y = two.addPlaceholder("y", typeOn(kGpu));
        two.outputs = {two.addCall("prims.device_put", {y, second}, {typeOn(second)})};
        refused = backend::onOneDevice(two);
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().message.find("found cuda:0 and cuda:1") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestHostTensors)
#include "test_host_tensors.moc"
