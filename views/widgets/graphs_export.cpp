// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/graphs_export.h"

#include "core/base/file_set.h"
#include "core/record/named_graphs.h"
#include "views/models/graph_fold.h"
#include "views/models/stage_drawing.h"
#include "views/widgets/graph_export.h"

#include <QApplication>
#include <QFile>

namespace cutaway::views {

base::Status exportGraphs(const record::Record& record, const QString& folder,
                          const QString& suffix, const Theme& theme, double pngScale) {
    base::FileSet files;
    const QFont font = QApplication::font();
    for (const record::NamedGraph& one : record::namedGraphs(record)) {
        if (one.graph->nodes.empty()) continue;
        const Folding folding{FoldKind::Modules, {}, {}, kFoldRoom, foldNames(*one.entry)};
        CUTAWAY_TRY(const QByteArray bytes, drawnGraph(wholeStage(*one.graph, font, folding), theme,
                                                       font, suffix, pngScale));
        const std::string path =
            QFile::encodeName(folder).toStdString() + "/" + one.name + "." + suffix.toStdString();
        CUTAWAY_CHECK(files.add(path, {bytes.constData(), static_cast<size_t>(bytes.size())}));
    }
    return files.commit();
}

} // namespace cutaway::views
