// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/inputs_dialog.h"

#include "views/widgets/choice_box.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <limits>

namespace cutaway::views {

using Kind = GivenInput::Kind;

static constexpr int kManyIntegers = 10; ///< from 0 to below it: of 0 alone nothing is seen

InputsDialog::InputsDialog(const std::vector<CaseInput>& inputs, std::vector<GivenInput> given,
                           std::function<void(const std::vector<GivenInput>&)> taken,
                           QWidget* parent)
    : QDialog(parent), given_(std::move(given)) {
    setWindowTitle(tr("Inputs"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* column = new QVBoxLayout(this);
    auto* head = new QLabel(tr(
        "What the model is called with: in measurements, in what is compiled, and where values "
        "are compared. Numbers are drawn as torch.manual_seed(seed) on the CPU would have them."));
    head->setWordWrap(true);
    column->addWidget(head);
    auto* table = new QWidget;
    auto* grid = new QGridLayout(table);
    grid->setColumnStretch(6, 1);
    for (size_t i = 0; i < inputs.size() && i < given_.size(); ++i)
        addRow(grid, inputs[i], i);
    grid->setRowStretch(static_cast<int>(inputs.size()), 1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(table);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    column->addWidget(scroll, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    take_ = buttons->addButton(tr("Take these"), QDialogButtonBox::AcceptRole);
    auto* own = buttons->addButton(tr("All as the script says"), QDialogButtonBox::ResetRole);
    connect(own, &QPushButton::clicked, this, [this] {
        for (size_t i = 0; i < rows_.size(); ++i) {
            rows_[i].kind->setCurrentIndex(0);
            read(i);
        }
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this, taken = std::move(taken)] {
        accept();
        taken(given_);
    });
    column->addWidget(buttons);
    for (size_t i = 0; i < rows_.size(); ++i)
        showRow(i);
    resize(760, std::min(560, 170 + 44 * static_cast<int>(rows_.size())));
}

void InputsDialog::addRow(QGridLayout* grid, const CaseInput& input, size_t index) {
    const QString name = tr("argument %1").arg(input.argument);
    RowWidgets row{new ChoiceBox, new QDoubleSpinBox, new QDoubleSpinBox,
                   new QSpinBox,  new QPushButton,    new QLabel};
    auto add = [&](const QString& text, Kind kind) {
        row.kind->addItem(text, static_cast<int>(kind));
    };
    add(tr("as the script says"), Kind::Own);
    if (!input.integral) {
        add(tr("normal"), Kind::Normal);
        add(tr("uniform"), Kind::Uniform);
    }
    add(tr("whole numbers"), Kind::Integers);
    add(tr("zeros"), Kind::Zeros);
    add(tr("ones"), Kind::Ones);
    add(tr(".npy file"), Kind::File);
    const GivenInput& given = given_[index];
    row.kind->setCurrentIndex(std::max(0, row.kind->findData(static_cast<int>(given.kind))));
    row.kind->setAccessibleName(tr("Values of %1").arg(name));
    for (QDoubleSpinBox* box : {row.a, row.b}) {
        box->setRange(-1e15, 1e15);
        box->setDecimals(6);
        box->setButtonSymbols(QAbstractSpinBox::NoButtons);
        box->setMinimumWidth(110);
    }
    row.a->setValue(given.a);
    row.b->setValue(given.b);
    row.seed->setRange(0, std::numeric_limits<int>::max());
    row.seed->setValue(static_cast<int>(std::min<quint64>(given.seed, INT_MAX)));
    row.seed->setPrefix(tr("seed "));
    row.seed->setAccessibleName(tr("Seed of %1").arg(name));
    row.problem->setObjectName("muted");
    const int line = static_cast<int>(index);
    grid->addWidget(new QLabel(name + "  " + input.type), line, 0);
    int column = 1;
    for (QWidget* widget :
         std::initializer_list<QWidget*>{row.kind, row.a, row.b, row.seed, row.file, row.problem})
        grid->addWidget(widget, line, column++);
    rows_.push_back(row);
    connect(row.kind, &QComboBox::activated, this, [this, index] {
        const auto kind = static_cast<Kind>(rows_[index].kind->currentData().toInt());
        const bool file = kind == Kind::File;
        if (kind != given_[index].kind) { // what the numbers mean changes with it
            const QSignalBlocker a(rows_[index].a), b(rows_[index].b);
            rows_[index].a->setValue(0);
            rows_[index].b->setValue(kind == Kind::Integers ? kManyIntegers : 1);
        }
        read(index);
        if (file && given_[index].path.isEmpty()) chooseFile(index);
    });
    for (QDoubleSpinBox* box : {row.a, row.b})
        connect(box, &QDoubleSpinBox::valueChanged, this, [this, index] { read(index); });
    connect(row.seed, &QSpinBox::valueChanged, this, [this, index] { read(index); });
    connect(row.file, &QPushButton::clicked, this, [this, index] { chooseFile(index); });
}

void InputsDialog::chooseFile(size_t index) {
    const QString path = QFileDialog::getOpenFileName(this, tr("An array"), given_[index].path,
                                                      tr("Arrays (*.npy)"));
    if (path.isEmpty()) return;
    given_[index].path = path;
    given_[index].hash = inputHash(path);
    showRow(index);
}

void InputsDialog::read(size_t index) {
    const RowWidgets& row = rows_[index];
    GivenInput& given = given_[index];
    given.kind = static_cast<Kind>(row.kind->currentData().toInt());
    given.a = row.a->value();
    given.b = row.b->value();
    given.seed = static_cast<quint64>(row.seed->value());
    showRow(index);
}

void InputsDialog::showRow(size_t index) {
    const RowWidgets& row = rows_[index];
    const GivenInput& given = given_[index];
    const bool normal = given.kind == Kind::Normal;
    row.a->setPrefix(normal ? tr("mean ") : tr("from "));
    row.b->setPrefix(normal ? tr("deviation ") : tr("to below "));
    for (QWidget* widget : std::initializer_list<QWidget*>{row.a, row.b, row.seed})
        widget->setVisible(given.hasRange());
    row.file->setVisible(given.kind == Kind::File);
    row.file->setText(given.path.isEmpty() ? tr("Choose…") : QFileInfo(given.path).fileName());
    row.file->setToolTip(given.path);
    row.problem->setText(given.problem());
    bool all = true;
    for (const GivenInput& one : given_)
        all &= one.problem().isEmpty();
    take_->setEnabled(all);
}

} // namespace cutaway::views
