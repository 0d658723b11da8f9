// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/settings_dialog.h"

#include "views/widgets/choice_box.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSignalBlocker>
#include <QUrl>
#include <QVBoxLayout>

namespace cutaway::views {

SettingsDialog::SettingsDialog(std::vector<SettingRow> rows, QSettings* settings,
                               std::function<void(const SettingRow&)> changed, QWidget* parent)
    : QDialog(parent), rows_(std::move(rows)), settings_(settings), changed_(std::move(changed)),
      filter_(new QLineEdit) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName("settingsDialog");
    setWindowTitle(tr("Settings"));
    const int line = fontMetrics().height();
    resize(40 * line, 30 * line);
    auto* column = new QVBoxLayout(this);
    filter_->setPlaceholderText(tr("Find a setting"));
    filter_->setAccessibleName(filter_->placeholderText());
    filter_->setClearButtonEnabled(true);
    column->addWidget(filter_);
    auto* page = new QWidget;
    auto* list = new QVBoxLayout(page);
    for (const SettingRow& row : rows_) {
        widgets_.push_back(makeRow(row));
        list->addWidget(widgets_.back());
    }
    list->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // its rows are where the keyboard goes
    scroll->setWidget(page);
    column->addWidget(scroll, 1);
    auto* where = new QLabel(tr("Kept as plain text in %1").arg(settings_->fileName()));
    where->setObjectName("muted");
    where->setWordWrap(true);
    where->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(where);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* open = buttons->addButton(tr("&Open the file"), QDialogButtonBox::ActionRole);
    connect(open, &QPushButton::clicked, this, [this] {
        settings_->sync();
        QDesktopServices::openUrl(QUrl::fromLocalFile(settings_->fileName()));
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    connect(filter_, &QLineEdit::textChanged, this, &SettingsDialog::showFiltered);
    filter_->setFocus();
}

QWidget* SettingsDialog::makeRow(const SettingRow& row) {
    auto* widget = new QWidget;
    widget->setObjectName("setting." + row.key);
    auto* line = new QHBoxLayout(widget);
    line->setContentsMargins(0, 4, 0, 4);
    auto* text = new QLabel(
        QString("<b>%1</b><br>%2").arg(row.title.toHtmlEscaped(), row.about.toHtmlEscaped()));
    text->setWordWrap(true);
    line->addWidget(text, 1);
    QWidget* editor = makeEditor(row);
    editor->setAccessibleName(row.title);
    editor->setAccessibleDescription(row.about);
    line->addWidget(editor);
    auto* reset = new QPushButton(tr("Reset"));
    reset->setToolTip(tr("Put “%1” back").arg(row.title));
    reset->setAccessibleName(reset->toolTip());
    connect(reset, &QPushButton::clicked, this, [this, row, editor] {
        settings_->remove(row.key);
        const QSignalBlocker quiet(editor);
        if (auto* box = qobject_cast<QCheckBox*>(editor)) box->setChecked(row.usual.toBool());
        if (auto* spin = qobject_cast<QDoubleSpinBox*>(editor))
            spin->setValue(row.usual.toDouble());
        if (auto* choice = qobject_cast<QComboBox*>(editor))
            choice->setCurrentIndex(static_cast<int>(row.values.indexOf(row.usual.toString())));
        if (auto* text = qobject_cast<QLineEdit*>(editor)) text->setText(row.usual.toString());
        changed_(row);
    });
    line->addWidget(reset);
    return widget;
}

QWidget* SettingsDialog::makeEditor(const SettingRow& row) {
    const QVariant now = settings_->value(row.key, row.usual);
    if (row.usual.typeId() == QMetaType::Bool) {
        auto* box = new QCheckBox;
        box->setChecked(now.toBool());
        connect(box, &QCheckBox::toggled, this, [this, row](bool on) { put(row, on); });
        return box;
    }
    if (row.usual.typeId() == QMetaType::Double) {
        auto* spin = new QDoubleSpinBox;
        spin->setDecimals(1);
        spin->setRange(row.least, row.most);
        spin->setValue(now.toDouble());
        connect(spin, &QDoubleSpinBox::valueChanged, this, [this, row](double v) { put(row, v); });
        return spin;
    }
    if (row.values.isEmpty()) {
        auto* text = new QLineEdit(now.toString());
        connect(text, &QLineEdit::editingFinished, this, [this, row, text] {
            if (text->text() != settings_->value(row.key, row.usual).toString())
                put(row, text->text());
        });
        return text;
    }
    auto* choice = new ChoiceBox;
    for (qsizetype i = 0; i < row.values.size(); ++i)
        choice->addItem(i < row.titles.size() ? row.titles[i] : row.values[i], row.values[i]);
    choice->setCurrentIndex(choice->findData(now.toString()));
    connect(choice, &QComboBox::activated, this,
            [this, row, choice] { put(row, choice->currentData()); });
    return choice;
}

void SettingsDialog::put(const SettingRow& row, const QVariant& value) {
    if (value == row.usual)
        settings_->remove(row.key);
    else
        settings_->setValue(row.key, value);
    changed_(row);
}

void SettingsDialog::showFiltered() {
    const QStringList words = filter_->text().split(' ', Qt::SkipEmptyParts);
    for (size_t i = 0; i < rows_.size(); ++i) {
        const QString all = rows_[i].title + " " + rows_[i].about + " " + rows_[i].key;
        widgets_[i]->setVisible(std::all_of(words.begin(), words.end(), [&](const QString& word) {
            return all.contains(word, Qt::CaseInsensitive);
        }));
    }
}

QWidget* SettingsDialog::rowOf(const QString& key) const {
    auto* widget = findChild<QWidget*>("setting." + key);
    return widget && widget->isVisible() ? widget : nullptr;
}

} // namespace cutaway::views
