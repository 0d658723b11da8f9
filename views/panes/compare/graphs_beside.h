// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The same graph of several records, each on a canvas of its own beside the others. Nodes that the
/// shown record has, too, are lit together with its. Colours are the differences of the first two;
/// of others those against the record that is shown.
#pragma once

#include "views/models/graph_difference.h"
#include "views/models/latest_work.h"
#include "views/widgets/theme.h"

#include <QWidget>

class QLabel;
class QSplitter;

namespace cutaway::views {

class GraphCanvas;
class SelectionState;

class GraphsBeside : public QWidget {
    Q_OBJECT
public:
    static constexpr int kMost = 4; ///< records that are drawn: more would be too narrow to read

    /// \param origin who selects where a node is clicked
    GraphsBeside(SelectionState* selection, const QObject* origin);
    /// Draws the graph \p text (of textChoices()) of the first kMost records.
    /// \param shown the index of the record whose items are selected
    void setRecords(const std::vector<ComparedRecord>& records, size_t shown, const QString& text);
    void setTheme(const Theme& theme);
    /// What is lit changed. \param reveal scrolls there, too
    void showSelection(bool reveal);
    bool isSettled() const;
    const std::vector<GraphCanvas*>& canvases() const { return canvases_; }
    /// What stands over a canvas.
    QString heading(size_t canvas) const;

private:
    void setCount(size_t count);
    /// A canvas: what differs, and on which side of the difference it stands.
    struct Drawn {
        std::shared_ptr<const GraphDifference> difference;
        DifferenceSide side = DifferenceSide::Right;
        QString title, against; ///< empty: no counts stand above it
    };
    void present(const std::vector<Drawn>& made, bool keepViews);
    void resizeEvent(QResizeEvent* event) override;
    void arrange();

    SelectionState* selection_;
    const QObject* origin_;
    Theme theme_;
    QSplitter* splitter_;          ///< rows of them above each other
    std::vector<QSplitter*> rows_; ///< those with canvases, and none
    size_t across_ = 0;            ///< how many stand in a row
    std::vector<QWidget*> columns_;
    std::vector<QLabel*> headings_;
    std::vector<GraphCanvas*> canvases_;
    QString drawn_;   ///< what the drawings are of
    LatestWork work_; ///< last: it waits for what it does before the rest goes
};

} // namespace cutaway::views
