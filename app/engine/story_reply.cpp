// SPDX-License-Identifier: Apache-2.0
#include "app/engine/story_reply.h"

namespace cutaway::engine {

using nlohmann::json;

base::Result<json> kernelStory(const record::LoweredGraph& lowered,
                               const record::KernelInfo& kernel, const std::string& target) {
    CUTAWAY_TRY(const driver::KernelStory story, driver::tellKernel(lowered, kernel, target));
    json buffers = json::array(), moments = json::array(), left = json::array();
    for (const driver::KernelStory::Loop& loop : story.left)
        left.push_back({{"loop", loop.variable}, {"shown", loop.shown}, {"extent", loop.extent}});
    for (const driver::KernelStory::Buffer& buffer : story.buffers)
        buffers.push_back({{"name", buffer.name}, {"type", buffer.type}, {"sizes", buffer.sizes}});
    for (const driver::KernelStory::Moment& moment : story.moments) {
        json touches = json::array();
        for (const driver::KernelStory::Touch& touch : moment.touches)
            touches.push_back({{"kind", touch.kind},
                               {"buffer", touch.buffer},
                               {"coords", touch.coords},
                               {"worker", touch.worker}});
        moments.push_back({{"line", moment.line}, {"at", moment.at}, {"touches", touches}});
    }
    json workers = json::array();
    for (const driver::KernelStory::Worker& worker : story.workers)
        workers.push_back({{"block", worker.block}, {"thread", worker.thread}});
    return json{{"lines", story.lines},     {"workers", workers},     {"schedule", story.schedule},
                {"threads", story.threads}, {"blocks", story.blocks}, {"block", story.block},
                {"buffers", buffers},       {"moments", moments},     {"left", left},
                {"whole", story.whole}};
}

base::Result<json> cutStory(const record::Entry& entry, const std::vector<std::string>& decisions) {
    CUTAWAY_TRY(const driver::CutTale tale, driver::tellCut(entry, decisions));
    json steps = json::array();
    for (const driver::CutTale::Step& step : tale.steps)
        steps.push_back({{"path", step.path},
                         {"narrow", step.narrow},
                         {"flow", step.flow},
                         {"total", step.total}});
    return json{
        {"steps", steps}, {"rounds", tale.rounds}, {"saved", tale.saved}, {"value", tale.value}};
}

} // namespace cutaway::engine
