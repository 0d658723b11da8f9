// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panes/tour/tour_maker.h"

#include "core/base/file_system.h"
#include "views/widgets/choice_box.h"
#include "views/widgets/save_name.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <utility>

namespace cutaway::views {

TourMaker::TourMaker(std::function<ShownPlace()> shown, const QString& sample, QWidget* parent)
    : QDialog(parent), shown_(std::move(shown)), title_(new QLineEdit), about_(new QLineEdit),
      stepTitle_(new QLineEdit), try_(new QLineEdit), question_(new QLineEdit),
      hint_(new QLineEdit), text_(new QPlainTextEdit), notes_(new QPlainTextEdit),
      value_(new ChoiceBox), place_(new QLabel), problem_(new QLabel), steps_(new QListWidget),
      take_(new QPushButton(tr("Take what is &shown"))), remove_(new QPushButton(tr("&Remove"))),
      up_(new QPushButton(tr("&Up"))), down_(new QPushButton(tr("&Down"))),
      save_(new QPushButton(tr("Sa&ve…"))), test_(new QPushButton(tr("&Play it"))) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName("tourMaker");
    setWindowTitle(tr("Make a tour"));
    resize(720, 560);
    tour_.sample = sample;
    auto* column = new QVBoxLayout(this);
    auto* head = new QFormLayout;
    head->addRow(tr("Title"), title_);
    head->addRow(tr("What it is about"), about_);
    column->addLayout(head);
    auto* middle = new QHBoxLayout;
    auto* left = new QVBoxLayout;
    auto* add = new QPushButton(tr("&Add what is shown"));
    add->setToolTip(tr("A step that shows the pane, the stage and the selection of now"));
    steps_->setAccessibleName(tr("Steps of the tour"));
    left->addWidget(steps_, 1);
    left->addWidget(add);
    auto* order = new QHBoxLayout;
    for (QPushButton* button : {up_, down_, remove_})
        order->addWidget(button);
    left->addLayout(order);
    middle->addLayout(left, 1);
    middle->addWidget(makeFields(), 2);
    column->addLayout(middle, 1);
    problem_->setWordWrap(true);
    column->addWidget(problem_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(test_, QDialogButtonBox::ActionRole);
    buttons->addButton(save_, QDialogButtonBox::ActionRole);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(add, &QPushButton::clicked, this, &TourMaker::addStep);
    connect(take_, &QPushButton::clicked, this, &TourMaker::take);
    connect(remove_, &QPushButton::clicked, this, &TourMaker::removeStep);
    connect(up_, &QPushButton::clicked, this, [this] { moveStep(-1); });
    connect(down_, &QPushButton::clicked, this, [this] { moveStep(1); });
    connect(save_, &QPushButton::clicked, this, &TourMaker::saveAs);
    connect(test_, &QPushButton::clicked, this, [this] { emit tryRequested(tour()); });
    connect(steps_, &QListWidget::currentRowChanged, this, &TourMaker::showFields);
    showSteps();
}

QWidget* TourMaker::makeFields() {
    auto* page = new QWidget;
    auto* form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    value_->setEditable(true);
    value_->addItems({"", "nodes.captured", "nodes.joint", "nodes.forward", "nodes.backward",
                      "kernels.count", "kernels.forward", "kernels.backward", "saved.count",
                      "saved.bytes", "saved.names", "recomputed.count", "recomputed.names",
                      "passes.changed", "guards.count", "breaks.count", "memory.arena"});
    place_->setWordWrap(true);
    form->addRow(tr("Shows"), place_);
    form->addRow(QString(), take_);
    form->addRow(tr("Title"), stepTitle_);
    form->addRow(tr("Text"), text_);
    form->addRow(tr("To try"), try_);
    form->addRow(tr("Question"), question_);
    form->addRow(tr("Its answer"), value_);
    form->addRow(tr("Hint"), hint_);
    form->addRow(tr("Speaker notes"), notes_);
    notes_->setToolTip(tr("What you want to say: shown in a window of its own, not in the tour"));
    value_->setToolTip(tr("What the record is asked for, so that the answer holds for any script"));
    for (QLineEdit* line : {stepTitle_, try_, question_, hint_})
        connect(line, &QLineEdit::textChanged, this, &TourMaker::keepFields);
    for (QPlainTextEdit* text : {text_, notes_})
        connect(text, &QPlainTextEdit::textChanged, this, &TourMaker::keepFields);
    connect(value_, &QComboBox::currentTextChanged, this, &TourMaker::keepFields);
    return page;
}

int TourMaker::current() const {
    const int row = steps_->currentRow();
    return row < static_cast<int>(tour_.steps.size()) ? row : -1;
}

Tour TourMaker::tour() const {
    Tour made = tour_;
    made.title = title_->text().trimmed();
    made.about = about_->text().trimmed();
    return made;
}

void TourMaker::addStep() {
    const int at = current() + 1;
    tour_.steps.insert(tour_.steps.begin() + at, TourStep{});
    showSteps();
    steps_->setCurrentRow(at);
    take();
    stepTitle_->setFocus();
}

void TourMaker::take() {
    if (current() < 0) return;
    const ShownPlace now = shown_();
    TourStep& step = tour_.steps[static_cast<size_t>(current())];
    step.pane = now.pane;
    step.stage = now.pane == "graph" ? now.stage : QString();
    step.select = now.select;
    showFields();
}

void TourMaker::setStepText(const QString& title, const QString& text) {
    stepTitle_->setText(title);
    text_->setPlainText(text);
}

void TourMaker::removeStep() {
    const int at = current();
    if (at < 0) return;
    tour_.steps.erase(tour_.steps.begin() + at);
    showSteps();
    steps_->setCurrentRow(std::min(at, steps_->count() - 1));
}

void TourMaker::moveStep(int by) {
    const int at = current(), to = at + by;
    if (at < 0 || to < 0 || to >= static_cast<int>(tour_.steps.size())) return;
    std::swap(tour_.steps[static_cast<size_t>(at)], tour_.steps[static_cast<size_t>(to)]);
    showSteps();
    steps_->setCurrentRow(to);
}

void TourMaker::keepFields() {
    if (filling_ || current() < 0) return;
    TourStep& step = tour_.steps[static_cast<size_t>(current())];
    step.title = stepTitle_->text();
    step.text = text_->toPlainText();
    step.attempt = try_->text();
    step.question = question_->text();
    step.value = value_->currentText();
    step.hint = hint_->text();
    step.notes = notes_->toPlainText();
    steps_->currentItem()->setText(step.title.isEmpty() ? tr("(no title)") : step.title);
}

void TourMaker::showFields() {
    const bool any = current() >= 0;
    const TourStep step = any ? tour_.steps[static_cast<size_t>(current())] : TourStep();
    filling_ = true;
    stepTitle_->setText(step.title);
    text_->setPlainText(step.text);
    try_->setText(step.attempt);
    question_->setText(step.question);
    value_->setCurrentText(step.value);
    hint_->setText(step.hint);
    notes_->setPlainText(step.notes);
    filling_ = false;
    QStringList place{step.pane, step.stage, step.select};
    place.removeAll(QString());
    place_->setText(place.isEmpty() ? tr("nothing in particular") : place.join(" · "));
    for (QWidget* one : std::initializer_list<QWidget*>{stepTitle_, text_, try_, question_, value_,
                                                        hint_, notes_, take_, remove_, up_, down_})
        one->setEnabled(any);
}

void TourMaker::showSteps() {
    steps_->clear();
    for (const TourStep& step : tour_.steps)
        steps_->addItem(step.title.isEmpty() ? tr("(no title)") : step.title);
    save_->setEnabled(!tour_.steps.empty());
    test_->setEnabled(!tour_.steps.empty());
    showFields();
}

void TourMaker::saveAs() {
    const QString path = askSaveName(this, tr("Save the tour"), {}, tr("Tours (*.json)"), "json");
    if (!path.isEmpty()) save(path);
}

bool TourMaker::save(const QString& path) {
    const QByteArray text = writeTour(tour());
    // What cannot be opened again is not saved.
    base::Status done;
    if (auto read = readTour(text, path.section('/', -1)); !read)
        done = read.error();
    else
        done = base::writeFileAtomically(QFile::encodeName(path).toStdString(), text.toStdString());
    problem_->setText(done ? tr("Saved %1").arg(path)
                           : tr("Not saved: %1").arg(QString::fromStdString(done.error().message)));
    return done.ok();
}

} // namespace cutaway::views
