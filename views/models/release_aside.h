// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Large things are freed beside the GUI thread: a hundred thousand strings take longer than a frame.
/// Much of what was freed goes back to the system, which malloc alone does not do with what lies
/// between blocks that are in use.
#pragma once

#include <QThreadPool>
#include <memory>

namespace cutaway::views {

/// Tells the system of free memory, where there is much.
void giveBackFree();

/// A shared object that is freed on another thread once nobody holds it.
template <typename T> std::shared_ptr<const T> sharedAside(std::unique_ptr<T> value) {
    return {value.release(), [](const T* last) {
                QThreadPool::globalInstance()->start([last] {
                    delete last;
                    giveBackFree();
                });
            }};
}

} // namespace cutaway::views
