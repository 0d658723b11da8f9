// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What a case file's tensors are to hold: the script's own values, numbers of a distribution, or an
/// array of a .npy file.
#pragma once

#include "views/models/given_input.h"

#include <QDialog>
#include <functional>

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace cutaway::views {

class InputsDialog : public QDialog {
    Q_OBJECT
public:
    /// \param taken gets what was chosen, once
    InputsDialog(const std::vector<CaseInput>& inputs, std::vector<GivenInput> given,
                 std::function<void(const std::vector<GivenInput>&)> taken, QWidget* parent);
    /// What is chosen now.
    const std::vector<GivenInput>& given() const { return given_; }

private:
    struct RowWidgets {
        QComboBox* kind;
        QDoubleSpinBox *a, *b;
        QSpinBox* seed;
        QPushButton* file;
        QLabel* problem;
    };
    void addRow(QGridLayout* grid, const CaseInput& input, size_t index);
    void chooseFile(size_t index);
    void read(size_t index);
    void showRow(size_t index);

    std::vector<GivenInput> given_;
    std::vector<RowWidgets> rows_;
    QPushButton* take_;
};

} // namespace cutaway::views
