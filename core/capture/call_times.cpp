// SPDX-License-Identifier: Apache-2.0
// What torch.profiler is written with: how long which calls take.
#include "core/capture/call_timer.h"
#include "core/capture/interp.h"
#include "core/capture/torch_support.h"

#include <chrono>
#include <map>
#include <vector>

namespace cutaway::capture {

namespace {

using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::duration<double, std::micro>;

class CallTimes : public CallTimer {
public:
    explicit CallTimes(CallTimer* before) : before_(before) { current() = this; }
    ~CallTimes() override {
        if (current() == this) current() = before_;
    }
    void begins(const std::string& name) override { open_.push_back({name, Clock::now(), 0}); }
    void ends() override {
        if (open_.empty()) return; // it began before the timer did
        const Open last = open_.back();
        open_.pop_back();
        const double took = Microseconds(Clock::now() - last.start).count();
        Row& row = rows_[last.name];
        ++row.count;
        row.total += took;
        row.self += took - last.inner;
        if (!open_.empty()) open_.back().inner += took;
    }
    Val rows(Interp& in) const {
        std::vector<Val> all;
        for (const auto& [name, row] : rows_)
            all.push_back(in.tuple({in.str(name), Val::integer(row.count), Val::real(row.total),
                                    Val::real(row.self)}));
        return in.list(std::move(all));
    }

private:
    struct Open {
        std::string name;
        Clock::time_point start;
        double inner; ///< spent in calls within it
    };
    struct Row {
        int64_t count = 0;
        double total = 0, self = 0; ///< microseconds
    };
    CallTimer* before_;
    std::vector<Open> open_;
    std::map<std::string, Row> rows_;
};

/// time_calls(True): from here on calls are timed; time_calls(False): a list of (name, count, total
/// and own microseconds) of what was called since.
Val timeCalls(Interp& in, const BuiltinObj& self, const Arguments& args) {
    const Val on = wantPositional(in, self, args, 1)[0];
    if (in.truthy(on)) {
        in.callTimer = std::make_shared<CallTimes>(CallTimer::current());
        return Val::none();
    }
    auto times = std::dynamic_pointer_cast<CallTimes>(in.callTimer);
    in.callTimer = nullptr;
    return times ? times->rows(in) : in.list({});
}

/// time_stretch(name) opens a stretch of that name, time_stretch(None) closes the last one.
Val timeStretch(Interp& in, const BuiltinObj& self, const Arguments& args) {
    const Val name = wantPositional(in, self, args, 1)[0];
    CallTimer* timer = CallTimer::current();
    if (!timer || in.capture()) return Val::none();
    if (name.isNone())
        timer->ends();
    else
        timer->begins(wantStr(in, name, "the name"));
    return Val::none();
}

} // namespace

void addCallTimes(Interp& in, ModuleObj& internal) {
    internal.attributes->set(in.intern("time_calls"),
                             in.builtin("torch._C.time_calls", timeCalls, "times calls"));
    internal.attributes->set(in.intern("time_stretch"),
                             in.builtin("torch._C.time_stretch", timeStretch));
}

} // namespace cutaway::capture
