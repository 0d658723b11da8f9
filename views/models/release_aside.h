// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Large things are freed beside the GUI thread: a hundred thousand strings take longer than a frame.
#pragma once

#include <QThreadPool>
#include <memory>
#include <utility>

namespace cutaway::views {

/// Frees what \p value held on another thread.
template <typename T> void releaseAside(T value) {
    QThreadPool::globalInstance()->start(
        [held = std::make_shared<T>(std::move(value))]() mutable { held.reset(); });
}

/// A shared object that is freed on another thread once nobody holds it.
template <typename T> std::shared_ptr<const T> sharedAside(std::unique_ptr<T> value) {
    return {value.release(),
            [](const T* last) { QThreadPool::globalInstance()->start([last] { delete last; }); }};
}

} // namespace cutaway::views
