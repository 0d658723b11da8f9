// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/kind_names.h"

#include <QCoreApplication>

namespace cutaway::views {

namespace {
/// As core/pipeline/recorder.cpp and core/kernel/library_call.cpp call them; test_chinese goes by a
/// record that holds them.
[[maybe_unused]] constexpr const char* kKnown[] = {
    QT_TRANSLATE_NOOP("Kinds", "input"),
    QT_TRANSLATE_NOOP("Kinds", "constant"),
    QT_TRANSLATE_NOOP("Kinds", "pointwise"),
    QT_TRANSLATE_NOOP("Kinds", "scatter"),
    QT_TRANSLATE_NOOP("Kinds", "reduction"),
    QT_TRANSLATE_NOOP("Kinds", "library"),
    QT_TRANSLATE_NOOP("Kinds", "result"),
    QT_TRANSLATE_NOOP("Kinds", "loops"),
    QT_TRANSLATE_NOOP("Kinds", "matmul"),
    QT_TRANSLATE_NOOP("Kinds", "convolution"),
    QT_TRANSLATE_NOOP("Kinds", "convolution_image"),
    QT_TRANSLATE_NOOP("Kinds", "convolution_weight"),
    QT_TRANSLATE_NOOP("Kinds", "sort"),
    QT_TRANSLATE_NOOP("Kinds", "scan"),
    QT_TRANSLATE_NOOP("Kinds", "linear_algebra"),
    QT_TRANSLATE_NOOP("Kinds", "attention"),
    QT_TRANSLATE_NOOP("Kinds", "attention_backward")};
} // namespace

QString kindName(const std::string& recorded) {
    return QCoreApplication::translate("Kinds", recorded.c_str());
}

} // namespace cutaway::views
