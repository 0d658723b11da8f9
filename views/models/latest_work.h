// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Work beside the GUI thread of which only the newest counts: layouts, mostly.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <atomic>
#include <functional>

namespace cutaway::views {

class LatestWork : public QObject {
    Q_OBJECT
public:
    /// Called on the GUI thread with what was made.
    using Finish = std::function<void()>;

    explicit LatestWork(QObject* parent = nullptr);
    ~LatestWork() override;

    /// Calls \p make on another thread, then what it gives on this one, unless newer work or
    /// forget() came in between; work that has not begun by then is left out.
    void start(std::function<Finish()> make);
    /// What is under way is not wanted any more.
    void forget() { ++newest_; }
    bool isBusy() const { return underWay_ > 0; }

private:
    std::atomic<int> newest_ = 0;
    int underWay_ = 0;
    QThreadPool pool_;
};

} // namespace cutaway::views
