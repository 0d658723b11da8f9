// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/compare/compare_pane.h"

#include "core/record/json.h"
#include "views/models/rows.h"
#include "views/widgets/code_view.h"
#include "views/widgets/item_view.h"
#include "views/widgets/pane_bar.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace cutaway::views {

ComparePane::ComparePane(PaneContext context, QWidget* parent)
    : Pane(context, parent), table_(new ItemView(rows::comparedColumns(), "comparedTable")),
      counts_(new QLabel), view_(new CodeView) {
    auto* bar = new PaneBar;
    auto* keep = new QPushButton(tr("Keep this"));
    keep->setToolTip(tr("Take this result up here, to compare what comes after with it"));
    auto* add = new QPushButton(tr("Add…"));
    add->setToolTip(tr("Open a saved record beside what is shown"));
    auto* forget = new QPushButton(tr("Remove"));
    for (QPushButton* button : {keep, add, forget})
        bar->addWidget(button);
    bar->addStretch();
    bar->addWidget(counts_);
    counts_->setObjectName("muted");
    body()->addWidget(bar);
    auto* below = new QWidget;
    auto* column = new QVBoxLayout(below);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* choices = new QWidget;
    auto* grid = new QGridLayout(choices);
    grid->setContentsMargins(6, 4, 6, 4);
    for (int side : {0, 1}) {
        records_[side] = new QComboBox;
        texts_[side] = new QComboBox;
        grid->addWidget(new QLabel(side == 0 ? QStringLiteral("−") : QStringLiteral("+")), side, 0);
        grid->addWidget(records_[side], side, 1);
        grid->addWidget(texts_[side], side, 2);
        const QString name = side == 0 ? tr("Left") : tr("Right");
        records_[side]->setAccessibleName(tr("%1 record").arg(name));
        texts_[side]->setAccessibleName(tr("%1 text").arg(name));
        for (QComboBox* box : {records_[side], texts_[side]}) {
            box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
            box->setMinimumContentsLength(8);
        }
        connect(records_[side], &QComboBox::activated, this, [this, side] {
            fillTexts(side);
            compare();
        });
        connect(texts_[side], &QComboBox::activated, this, [this, side] {
            // Of two records the same is compared, until something else is chosen for the left.
            if (side == 1 && records_[0]->currentIndex() != records_[1]->currentIndex())
                if (const int at = texts_[0]->findData(texts_[1]->currentData()); at >= 0)
                    texts_[0]->setCurrentIndex(at);
            compare();
        });
    }
    grid->setColumnStretch(1, 1);
    grid->setColumnStretch(2, 1);
    column->addWidget(choices);
    column->addWidget(view_, 1);
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(table_);
    splitter->addWidget(below);
    splitter->setSizes({120, 400});
    body()->addWidget(splitter, 1);
    view_->setReadOnly(true);
    view_->setLineNumbers(false);
    view_->setAccessibleName(tr("Differences"));
    setFocusProxy(view_);
    connect(keep, &QPushButton::clicked, this, &ComparePane::keepShown);
    connect(add, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(
            this, tr("Add a record"), QFileInfo(session().path()).absolutePath(),
            tr("Records (*.cutaway);;All files (*)"));
        if (!path.isEmpty()) addRecord(path);
    });
    connect(forget, &QPushButton::clicked, this, [this] {
        const Row* row = table_->currentRow();
        const int index = row ? row->detail.toInt() : 0;
        if (index > 0) kept_.erase(kept_.begin() + index - 1);
        fill();
    });
    connect(view_, &CodeView::lineActivated, this, [this](int line) {
        if (static_cast<size_t>(line) >= lineItems_.size()) return;
        if (const ItemId item = lineItems_[static_cast<size_t>(line)]; item != kNoItem)
            selection().select({item}, this);
    });
    connect(&this->session(), &Session::runsChanged, this, [this] {
        if (isVisible()) fill();
    });
}

ComparedRecord ComparePane::shownNow() const {
    ComparedRecord now{
        tr("shown now"), session().record(), session().function(), session().entryIndex(), {}};
    for (const record::Run& run : session().history())
        if (Measured(run).matches(session().shown())) now.runs.push_back(run);
    return now;
}

ComparedRecord ComparePane::recordAt(int index) const {
    return index > 0 && index < recordCount() ? kept_[static_cast<size_t>(index) - 1] : shownNow();
}

void ComparePane::keepShown() {
    ComparedRecord now = shownNow();
    if (!now.shown()) return;
    const QStringList& decisions = session().options().decisions;
    now.title = QString("%1, %2").arg(QFileInfo(session().path()).completeBaseName(),
                                      session().recordTime().toString("HH:mm:ss"));
    if (!decisions.isEmpty()) now.title += ": " + decisions.join("; ");
    kept_.push_back(std::move(now));
    fill();
    choose(0, recordCount() - 1, texts_[0]->currentData().toString());
}

void ComparePane::addRecord(const QString& path) {
    opening_.start([this, path]() -> LatestWork::Finish {
        auto opened = std::make_shared<base::Result<record::Record>>(
            record::open(QFile::encodeName(path).toStdString()));
        RecordPtr view;
        std::vector<record::Run> runs;
        if (opened->ok()) {
            runs = opened->value().runs;
            view = std::make_shared<RecordView>(std::move(opened->value()));
        }
        return [this, opened, view, runs, path] {
            if (!view) return counts_->setText(QString::fromStdString(opened->error().message));
            kept_.push_back({QFileInfo(path).fileName(), view, 0, 0, runs});
            fill();
            choose(0, recordCount() - 1, texts_[0]->currentData().toString());
        };
    });
}

void ComparePane::choose(int side, int record, const QString& text) {
    records_[side]->setCurrentIndex(record);
    fillTexts(side);
    if (const int at = texts_[side]->findData(text); at >= 0) texts_[side]->setCurrentIndex(at);
    compare();
}

void ComparePane::fill() {
    std::vector<ComparedRecord> all{shownNow()};
    all.insert(all.end(), kept_.begin(), kept_.end());
    table_->setRows(rows::compared(all));
    for (int side : {0, 1}) {
        const int before = records_[side]->currentIndex();
        records_[side]->clear();
        for (const ComparedRecord& one : all)
            records_[side]->addItem(one.title);
        records_[side]->setCurrentIndex(
            before >= 0 && before < static_cast<int>(all.size()) ? before : 0);
        fillTexts(side);
    }
    compare();
}

/// What was chosen stays where the other record has it, too.
void ComparePane::fillTexts(int side) {
    const QString before = texts_[side]->currentData().toString();
    texts_[side]->clear();
    const ComparedRecord record = recordAt(records_[side]->currentIndex());
    if (const record::Entry* entry = record.shown())
        for (const TextChoice& choice : textChoices(*entry))
            texts_[side]->addItem(choice.title, choice.id);
    int at = texts_[side]->findData(before);
    for (const char* usual : {"graph/forward", "graph/captured"}) // the same on both sides
        if (at < 0) at = texts_[side]->findData(usual);
    texts_[side]->setCurrentIndex(std::max(0, at));
}

void ComparePane::compare() {
    const ComparedRecord left = recordAt(records_[0]->currentIndex()),
                         right = recordAt(records_[1]->currentIndex());
    work_.start([this, left, right, a = texts_[0]->currentData().toString(),
                 b = texts_[1]->currentData().toString()]() -> LatestWork::Finish {
        return [this, made = compareTexts(left, a, right, b)] { present(made); };
    });
}

void ComparePane::present(const Comparison& comparison) {
    QStringList texts;
    std::vector<int> signs;
    lineItems_.clear();
    const bool leftIsNow = records_[0]->currentIndex() == 0,
               rightIsNow = records_[1]->currentIndex() == 0;
    int first = -1;
    for (const ComparedLine& line : comparison.lines) {
        if (line.sign != 0 && first < 0) first = static_cast<int>(signs.size());
        texts << (line.sign > 0 ? "+ " : line.sign < 0 ? "- " : "  ") + line.text;
        signs.push_back(line.sign);
        lineItems_.push_back(rightIsNow && line.right != kNoItem ? line.right
                             : leftIsNow                         ? line.left
                                                                 : kNoItem);
    }
    view_->setCode(texts.join('\n'), false);
    view_->setDiff(signs);
    if (first >= 0) view_->revealLine(first);
    const bool itself =
        leftIsNow && rightIsNow && texts_[0]->currentData() == texts_[1]->currentData();
    counts_->setText(itself ? tr("the same text twice")
                     : comparison.removed + comparison.added == 0
                         ? tr("no difference")
                         : tr("Lines: −%1  +%2").arg(comparison.removed).arg(comparison.added));
    counts_->setToolTip(itself ? tr("Choose another stage on one side, or keep this result and "
                                    "change the script.")
                               : QString());
    showSelection(false);
}

QString ComparePane::counts() const {
    return counts_->text();
}

void ComparePane::showRecord() {
    fill();
}

void ComparePane::showSelection(bool reveal) {
    view_->setHighlights([this](int line) {
        return static_cast<size_t>(line) < lineItems_.size() &&
                       lineItems_[static_cast<size_t>(line)] != kNoItem
                   ? selection().level(lineItems_[static_cast<size_t>(line)])
                   : Highlight::None;
    });
    if (reveal) view_->revealHighlight();
}

void ComparePane::showStatus() {
    table_->setEmptyText(emptyAdvice(tr("Nothing to compare yet.")));
}

void ComparePane::showTheme() {
    table_->setTheme(theme());
    view_->setTheme(theme());
}

} // namespace cutaway::views
