// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/latest_work.h"

namespace cutaway::views {

LatestWork::LatestWork(QObject* parent) : QObject(parent) {
    pool_.setMaxThreadCount(1);
}

LatestWork::~LatestWork() {
    forget();
    pool_.waitForDone();
}

void LatestWork::start(std::function<Finish()> make) {
    ++underWay_;
    pool_.start([this, make = std::move(make), ticket = ++newest_] {
        Finish finish;
        if (ticket == newest_) finish = make();
        QMetaObject::invokeMethod(this, [this, finish = std::move(finish), ticket] {
            --underWay_;
            if (finish && ticket == newest_) finish();
        });
    });
}

} // namespace cutaway::views
