// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A drawn graph as a file: SVG, PDF, PNG, DOT or GraphML, by the name's end.
#pragma once

#include "core/base/result.h"
#include "views/models/graph_scene.h"

#include <QFont>
#include <QStringList>

namespace cutaway::views {

class GraphCanvas;
struct Theme;

enum class ExportScope { Whole, Shown, Selected };
constexpr double kUsualPngScale = 2, kLeastPngScale = 0.5, kMostPngScale = 8;

/// Filters of a file dialog, the suffix in brackets.
QStringList exportFilters();
/// What such a file holds. Errors: those of exportGraph() but for the file's.
base::Result<QByteArray> drawnGraph(const GraphScene& scene, const Theme& theme, const QFont& font,
                                    const QString& suffix, double pngScale);
/// \param whole every node, for ExportScope::Whole
/// \param pngScale pixels of a picture for one of the screen at usual size
/// Errors: nothing to draw, an unknown suffix, a file that cannot be written.
base::Status exportGraph(const GraphCanvas& canvas, const GraphScene& whole, ExportScope scope,
                         const QString& path, double pngScale = kUsualPngScale);

} // namespace cutaway::views
