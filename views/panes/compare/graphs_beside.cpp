// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/compare/graphs_beside.h"

#include "views/widgets/graph_canvas.h"

#include <QLabel>
#include <QPainter>
#include <QSplitter>
#include <QTimer>
#include <QVBoxLayout>

namespace cutaway::views {

namespace {

constexpr double kWorthAnotherRow = 1.15; ///< so much larger they are drawn for it

/// Lines that are shortened where there is little room, in the middle: what records are called
/// differs at its end.
class Heading : public QLabel {
protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const QRect room = contentsRect().adjusted(margin(), margin(), -margin(), -margin());
        QStringList lines = text().split('\n');
        for (QString& line : lines)
            line = fontMetrics().elidedText(line, Qt::ElideMiddle, room.width());
        style()->drawItemText(&painter, room, Qt::AlignLeft | Qt::AlignVCenter, palette(),
                              isEnabled(), lines.join('\n'), foregroundRole());
    }
};

} // namespace

GraphsBeside::GraphsBeside(SelectionState* selection, const QObject* origin)
    : selection_(selection), origin_(origin), theme_(lightTheme()),
      splitter_(new QSplitter(Qt::Vertical)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    splitter_->setChildrenCollapsible(false);
    column->addWidget(splitter_);
}

void GraphsBeside::setCount(size_t count) {
    while (canvases_.size() > count) {
        delete columns_.back();
        columns_.pop_back();
        across_ = 0;
        headings_.pop_back();
        canvases_.pop_back();
    }
    while (canvases_.size() < count) {
        auto* page = new QWidget(this);
        auto* column = new QVBoxLayout(page);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* heading = new Heading;
        heading->setMargin(4);
        heading->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        heading->setTextFormat(Qt::PlainText);
        auto* canvas = new GraphCanvas;
        canvas->setSelectionState(selection_, origin_);
        canvas->setTheme(theme_);
        canvas->setMinimumWidth(120);
        column->addWidget(heading);
        column->addWidget(canvas, 1);
        across_ = 0; // it has no place yet
        columns_.push_back(page);
        headings_.push_back(heading);
        canvases_.push_back(canvas);
    }
}

void GraphsBeside::setRecords(const std::vector<ComparedRecord>& records, size_t shown,
                              const QString& text) {
    std::vector<ComparedRecord> drawn(
        records.begin(), records.begin() + std::min<ptrdiff_t>(kMost, std::ssize(records)));
    const ComparedRecord now = shown < records.size() ? records[shown] : ComparedRecord();
    QStringList titles;
    for (const ComparedRecord& one : drawn)
        titles << one.title;
    setCount(drawn.size());
    const QString of = titles.join('\n') + "\n" + text;
    work_.start([this, drawn, now, shown, text, of, font = this->font()]() -> LatestWork::Finish {
        std::vector<Drawn> made;
        const auto add = [&](size_t at, const ComparedRecord& left, bool leftIsNow,
                             const ComparedRecord& right, bool rightIsNow, DifferenceSide side) {
            made.push_back({std::make_shared<GraphDifference>(graphDifference(
                                left, text, leftIsNow, right, text, rightIsNow, textWidth(font))),
                            side, drawn[at].title,
                            side == DifferenceSide::Left || at == 0 ? QString() : left.title});
        };
        for (size_t i = 0; i < drawn.size(); ++i) {
            // One side of each is what is shown now, so that its nodes light.
            if (i == 0)
                add(i, drawn[0], shown == 0, now, true, DifferenceSide::Left);
            else if (shown == 0 || i == shown)
                add(i, drawn[0], shown == 0, drawn[i], i == shown, DifferenceSide::Right);
            else
                add(i, now, true, drawn[i], false, DifferenceSide::Right);
        }
        return [this, made, of] {
            present(made, drawn_ == of);
            drawn_ = of;
        };
    });
}

void GraphsBeside::present(const std::vector<Drawn>& made, bool keepViews) {
    const bool besides = made.size() > 1; // headings of one height
    for (size_t i = 0; i < made.size() && i < canvases_.size(); ++i) {
        const GraphDifference& one = *made[i].difference;
        QString words = made[i].title;
        if (!made[i].against.isEmpty() && one.isGraph) {
            words +=
                one.added + one.removed + one.rewritten == 0
                    ? "\n" + tr("the same graph")
                    : QString("\n+%1  −%2  ~%3").arg(one.added).arg(one.removed).arg(one.rewritten);
            if (made[i].against != made[0].title)
                words += " " + tr("against “%1”").arg(made[i].against);
        }
        headings_[i]->setText(besides && !words.contains('\n') ? words + "\n" : words);
        headings_[i]->setToolTip(words);
        canvases_[i]->setAccessibleName(words);
        canvases_[i]->setEmptyText(one.isGraph ? tr("This graph holds no node.")
                                               : tr("This record has no such graph: loops, kernels "
                                                    "and code are texts."));
        canvases_[i]->setScene(shared(sideOf(one, made[i].side)), keepViews);
    }
    arrange();
    if (keepViews) return;
    QTimer::singleShot(0, this, [this] { // as soon as the columns have their widths
        for (GraphCanvas* canvas : canvases_)
            canvas->fit();
    });
}

/// In as many rows as draw the widest of them largest.
void GraphsBeside::arrange() {
    if (canvases_.empty()) return;
    double w = 1, h = 1;
    for (const GraphCanvas* canvas : canvases_) {
        w = std::max(w, canvas->scene().bounds.width());
        h = std::max(h, canvas->scene().bounds.height());
    }
    const size_t count = canvases_.size();
    const int head = headings_[0]->sizeHint().height();
    size_t best = count;
    double most = 0;
    for (size_t across = count; across > 0; --across) {
        const size_t rows = (count + across - 1) / across;
        const double scale = std::min(double(width()) / double(across) / w,
                                      (double(height()) / double(rows) - head) / h);
        if (scale > most * kWorthAnotherRow) best = across, most = scale;
    }
    if (std::exchange(across_, best) == best) return;
    const size_t rows = (count + best - 1) / best;
    while (rows_.size() < rows) {
        rows_.push_back(new QSplitter);
        rows_.back()->setChildrenCollapsible(false);
        splitter_->addWidget(rows_.back());
    }
    for (size_t i = 0; i < count; ++i)
        rows_[i / best]->addWidget(columns_[i]);
    while (rows_.size() > rows) {
        delete rows_.back();
        rows_.pop_back();
    }
    for (QSplitter* row : rows_)
        row->setSizes(QList<int>(row->count(), width() / row->count()));
    splitter_->setSizes(QList<int>(splitter_->count(), height() / splitter_->count()));
}

void GraphsBeside::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    const size_t before = across_;
    arrange();
    if (across_ == before) return;
    QTimer::singleShot(0, this, [this] {
        for (GraphCanvas* canvas : canvases_)
            canvas->fit();
    });
}

QString GraphsBeside::heading(size_t canvas) const {
    return headings_[canvas]->text();
}

void GraphsBeside::setTheme(const Theme& theme) {
    theme_ = theme;
    for (GraphCanvas* canvas : canvases_)
        canvas->setTheme(theme);
}

void GraphsBeside::showSelection(bool reveal) {
    for (GraphCanvas* canvas : canvases_) {
        if (reveal) canvas->revealHighlight();
        canvas->update();
    }
}

bool GraphsBeside::isSettled() const {
    return !work_.isBusy() &&
           std::ranges::all_of(canvases_, [](GraphCanvas* one) { return one->isSettled(); });
}

} // namespace cutaway::views
