// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/numbers/numbers_pane.h"

#include "views/models/format.h"
#include "views/models/node_query.h"
#include "views/widgets/choice_box.h"
#include "views/widgets/flow_layout.h"
#include "views/widgets/histogram_view.h"
#include "views/widgets/item_view.h"
#include "views/widgets/part_tabs.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

namespace cutaway::views {

namespace {
constexpr int kLowLines = 22; ///< what is said, three rows and a distribution
}

NumbersPane::NumbersPane(PaneContext context, QWidget* parent)
    : Pane(context, parent), head_(new QWidget), parts_(new PartTabs(kLowLines)),
      graph_(new ChoiceBox), search_(new QLineEdit),
      only_(new QCheckBox(tr("Only what stands out"))), first_(new QPushButton(tr("First"))),
      compare_(new QPushButton), summary_(new QLabel),
      table_(new ItemView(numberColumns(), "numberTable")), histogram_(new HistogramView) {
    auto* form = new QFrame;
    form->setObjectName("paneBar");
    auto* row = new FlowLayout(form, 8, 10, 6);
    graph_->setAccessibleName(tr("Graph"));
    graph_->addItem(tr("What is compiled"), QString());
    for (const char* graph : {"captured", "forward", "backward"})
        graph_->addItem(QString::fromLatin1(graph), QString::fromLatin1(graph));
    search_->setPlaceholderText(tr("op:mm  /expression/"));
    search_->setAccessibleName(tr("Values to show"));
    search_->setObjectName("numberSearch");
    search_->setToolTip(NodeQuery::help());
    search_->setClearButtonEnabled(true);
    search_->setMinimumWidth(170);
    only_->setToolTip(tr("Values whose error rounding does not explain, and those that hold "
                         "elements which are not finite"));
    first_->setToolTip(tr("Select the first value that rounding does not explain"));
    row->addWidget(compare_);
    for (QWidget* widget : std::initializer_list<QWidget*>{graph_, search_, only_, first_})
        row->addWidget(widget);
    auto* column = new QVBoxLayout(head_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(form);
    parts_->addHead(head_, tr("Compare"));
    summary_->setWordWrap(true);
    summary_->setMargin(8);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(summary_);
    column->addStretch();
    parts_->addPart(table_, tr("Values"));
    parts_->addPart(histogram_, tr("Distribution"));
    parts_->splitter()->setStretchFactor(0, 1);
    body()->addWidget(parts_);
    connect(parts_, &PartTabs::lowChanged, this,
            [this] { parts_->showPart(session().numbers() ? table_ : head_); });
    connect(table_, &ItemView::meantRowChanged, this, &NumbersPane::showHistogram);
    setFocusProxy(table_);
    table_->setSelectionState(&selection());
    table_->setOrigin(this);
    connect(compare_, &QPushButton::clicked, this, [this] {
        if (session().isComparing()) return session().cancel();
        compare();
    });
    connect(first_, &QPushButton::clicked, this, &NumbersPane::goToFirst);
    connect(graph_, &QComboBox::activated, this, &NumbersPane::fill);
    connect(search_, &QLineEdit::textChanged, this, &NumbersPane::fill);
    connect(only_, &QCheckBox::toggled, this, &NumbersPane::fill);
    connect(&session(), &Session::numbersChanged, this, [this] {
        fill();
        if (session().numbers() && parts_->shownPart() == head_) parts_->showPart(table_);
    });
}

QString NumbersPane::summary() const {
    return summary_->text();
}

void NumbersPane::compare() {
    session().compareValues();
}

void NumbersPane::goToFirst() {
    const NumbersPtr numbers = session().numbers();
    const NumberRow* first = numbers ? numbers->firstBeyond() : nullptr;
    if (!first) return;
    const ItemId item = record().find(first->key);
    if (item != kNoItem) selection().select({item}, nullptr);
}

void NumbersPane::fill() {
    const Measured shown = session().shown().ofScript();
    filledFor_ = shown;
    filledAnew_ = session().isComparing();
    const NumbersPtr numbers = session().numbers();
    const NumberFilter filter{graph_->currentData().toString(), search_->text(),
                              only_->isChecked()};
    table_->fillRows(numbers ? numbers->values.size() : 0,
                     [numbers, filter, shown, anew = filledAnew_, view = session().record()] {
                         std::vector<Row> rows = numbers
                                                     ? numberRows(*numbers, *view, filter, shown)
                                                     : std::vector<Row>();
                         if (anew)
                             for (Row& row : rows)
                                 row.dimmed = true;
                         return rows;
                     });
    table_->updateHighlights(false);
    showHistogram();
    showStatus();
}

/// Of the row that is meant by the selection.
void NumbersPane::showHistogram() {
    const NumbersPtr numbers = session().numbers();
    const QModelIndex meant = table_->meantRow();
    const size_t index =
        meant.isValid() ? meant.data(RowModel::DetailRole).toString().toULongLong() : SIZE_MAX;
    parts_->setPartVisible(histogram_, numbers != nullptr);
    if (!numbers || index >= numbers->values.size())
        return histogram_->setParts({}, 0, 0, tr("Choose a value to see how its elements lie."));
    const NumberRow& value = numbers->values[index];
    QString title = tr("%1: %2 element(s)", nullptr, static_cast<int>(value.elements))
                        .arg(value.name, format::count(value.elements));
    if (value.notFinite) title += ", " + tr("%1 not finite").arg(format::count(value.notFinite));
    if (!value.firstNotFinite.isEmpty()) title += ", " + tr("first %1").arg(value.firstNotFinite);
    histogram_->setParts(value.histogram, value.least, value.most, title);
}

void NumbersPane::showRecord() {
    fill();
}

void NumbersPane::showSelection(bool reveal) {
    table_->updateHighlights(reveal);
}

void NumbersPane::showStatus() {
    const Measured shown = session().shown().ofScript();
    if (filledFor_ && (*filledFor_ != shown || filledAnew_ != session().isComparing()))
        return fill();
    const NumbersPtr numbers = session().numbers();
    const bool comparing = session().isComparing();
    QStringList said;
    if (numbers && !numbers->of.matches(shown))
        said << tr("These numbers are of %1.").arg(numbers->of.textBeside(shown));
    if (numbers) said << numberSummary(*numbers);
    if (!session().compareProblem().isEmpty())
        said << tr("Not compared: %1.").arg(session().compareProblem());
    summary_->setText(said.join(' '));
    summary_->setVisible(!said.isEmpty());
    const QString whyNot = session().whyNoRun();
    compare_->setText(comparing ? tr("Cancel") : tr("Compare values"));
    compare_->setEnabled(comparing || whyNot.isEmpty());
    compare_->setToolTip(
        !comparing && !whyNot.isEmpty()
            ? whyNot
            : tr("Runs the step compiled, by eager mode and in double precision, and compares "
                 "every value on the way"));
    first_->setEnabled(numbers && numbers->firstBeyond());
    const QString advice = session().isReadOnly()
                               ? tr("A saved record holds no values.")
                               : tr("Press “Compare values” to find where compiled, eager and "
                                    "double precision part.");
    table_->setEmptyText(comparing ? tr("Comparing…")
                         : numbers ? tr("No value here is asked for.")
                                   : emptyAdvice(advice));
}

void NumbersPane::showTheme() {
    table_->setTheme(theme());
    histogram_->setTheme(theme());
}

} // namespace cutaway::views
