// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// All settings with a search, each applied at once and put back by itself. They lie in a plain
/// text file, which is named here.
#pragma once

#include <QDialog>
#include <QVariant>
#include <functional>
#include <vector>

class QLineEdit;
class QSettings;

namespace cutaway::views {

struct SettingRow {
    QString key;          ///< in the file
    QString title, about; ///< about: one sentence
    QVariant usual;       ///< its type decides the editor: bool, double, or QString
    QStringList values{}; ///< of a text: what can be chosen; empty: anything is typed
    QStringList titles{}; ///< of these values; empty: themselves
    double least = 0, most = 0;
};

class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    /// \param changed called after a value was written to \p settings
    SettingsDialog(std::vector<SettingRow> rows, QSettings* settings,
                   std::function<void(const SettingRow&)> changed, QWidget* parent = nullptr);
    QLineEdit* filter() const { return filter_; }
    /// The row of a key that is shown; null: filtered out.
    QWidget* rowOf(const QString& key) const;

private:
    QWidget* makeRow(const SettingRow& row);
    QWidget* makeEditor(const SettingRow& row);
    void put(const SettingRow& row, const QVariant& value);
    void showFiltered();

    std::vector<SettingRow> rows_;
    QSettings* settings_;
    std::function<void(const SettingRow&)> changed_;
    QLineEdit* filter_;
    std::vector<QWidget*> widgets_;
};

} // namespace cutaway::views
