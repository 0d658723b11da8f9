// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A scene's places from the engine (Graphviz, under a time budget).
#pragma once

#include "views/bridge/engine_client.h"
#include "views/models/graph_scene.h"

namespace cutaway::views {

/// What the engine is asked: boxes with the room beside them that lines keep clear of.
nlohmann::json layoutQuestion(const GraphScene& scene);

/// Calls back with the placed scene, or with nothing when the engine has no usable answer.
/// \returns the request's id.
int requestLayout(EngineClient& engine, const GraphScene& scene, int budgetMs,
                  std::function<void(std::optional<GraphScene>)> done);

/// The reply's places put into \p scene; nothing when the reply does not fit the scene.
std::optional<GraphScene> placedFromJson(GraphScene scene, const nlohmann::json& reply);

} // namespace cutaway::views
