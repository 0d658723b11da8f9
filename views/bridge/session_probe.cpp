// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Session that compares every value of a step with eager mode and double precision.
#include "views/bridge/session.h"

#include <nlohmann/json.hpp>

namespace cutaway::views {

using nlohmann::json;

void Session::compareValues() {
    if (probeId_ || !whyNoRun().isEmpty()) return;
    json params = {{"path", path_.toStdString()},
                   {"text", text_.toStdString()},
                   {"device", options_.device.toStdString()},
                   {"backend", options_.backend.toStdString()},
                   {"decisions", decisionsJson(options_.decisions)}};
    if (!options_.size.isEmpty()) params["size"] = options_.size.toStdString();
    probeProblem_.clear();
    probeText_ = text_;
    probeId_ = engine_->request("probe", std::move(params),
                                [this, number = ++probeNumber_](const EngineReply& reply) {
                                    // Else another document came first.
                                    if (number == probeNumber_) probeReplied(reply);
                                });
    emit statusChanged();
}

void Session::probeReplied(const EngineReply& reply) {
    probeId_ = 0;
    if (reply.error) {
        probeProblem_ = reply.error->code != EngineError::kCancelled ? reply.error->message
                        : probeText_ != text_ ? tr("stopped: the text changed meanwhile")
                                              : tr("cancelled");
    } else if (NumbersPtr found = numbersFromJson(*reply.result)) {
        numbers_ = std::move(found);
    } else {
        probeProblem_ = tr("the engine's answer to “probe” holds no values");
    }
    emit numbersChanged();
    emit statusChanged();
}

} // namespace cutaway::views
