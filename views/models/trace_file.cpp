// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/trace_file.h"

#include <QCoreApplication>
#include <QHash>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace cutaway::views {

using base::Result; // a qualified type before a function hides its words from lupdate
using nlohmann::json;

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(TraceFile)
};

const QString kBetween = QStringLiteral(" · "); ///< process and thread

/// A thread of a process.
struct Track {
    QString process, thread;
    std::vector<Span> spans; ///< lanes are depths
    std::vector<Span> open;  ///< begun by B
};

/// Reads event by event: a trace may be too large to be held as JSON.
class TraceReader : public nlohmann::json_sax<json> {
public:
    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t value) override { return number(double(value), value); }
    bool number_unsigned(number_unsigned_t value) override {
        return number(double(value), static_cast<int64_t>(value));
    }
    bool number_float(number_float_t value, const string_t&) override {
        return number(value, static_cast<int64_t>(value));
    }
    bool string(string_t& value) override {
        if (depth_ == 2 && inArguments_) {
            if (key_ == "name") given_ = value;
        } else if (depth_ == 1) {
            if (key_ == "ph") phase_ = value;
            if (key_ == "name") name_ = value;
            if (key_ == "pid") process_ = value;
            if (key_ == "tid") thread_ = value;
        }
        return true;
    }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override {
        if (!inEvents_) {
            ++outside_;
            return true;
        }
        if (depth_ == 0) {
            phase_.clear(), name_.clear(), process_.clear(), thread_.clear(), given_.clear();
            begin_ = length_ = 0;
        }
        inArguments_ = depth_ == 1 && key_ == "args";
        ++depth_;
        return true;
    }
    bool key(string_t& value) override {
        key_ = value;
        return true;
    }
    bool end_object() override {
        if (!inEvents_) {
            --outside_;
            return true;
        }
        inArguments_ = false;
        if (--depth_ == 0) add();
        return true;
    }
    bool start_array(std::size_t) override {
        if (inEvents_)
            ++depth_;
        else if (outside_ == 0 || (outside_ == 1 && key_ == "traceEvents"))
            inEvents_ = true;
        else
            ++outside_;
        return true;
    }
    bool end_array() override {
        if (!inEvents_)
            --outside_;
        else if (depth_ == 0)
            inEvents_ = false;
        else
            --depth_;
        return true;
    }
    bool parse_error(std::size_t at, const std::string&, const json::exception&) override {
        brokenAt_ = at;
        return false;
    }

    /// Places each track's slices; the tracks in the order of their first.
    Timeline timeline() {
        Timeline line;
        double first = 0, last = 0;
        bool any = false;
        for (const Track& track : tracks_)
            for (const Span& span : track.spans) {
                first = any ? std::min(first, span.begin) : span.begin;
                last = any ? std::max(last, span.begin + span.us) : span.begin + span.us;
                any = true;
            }
        for (Track& track : tracks_)
            if (!track.spans.empty()) place(track, first, line);
        line.us = last - first;
        return line;
    }
    std::size_t brokenAt() const { return brokenAt_; }

private:
    bool number(double value, int64_t whole) {
        if (depth_ != 1) return true;
        if (key_ == "ts") begin_ = value;
        if (key_ == "dur") length_ = value;
        if (key_ == "pid") process_ = std::to_string(whole);
        if (key_ == "tid") thread_ = std::to_string(whole);
        return true;
    }

    Track& track() {
        const QByteArray id = QByteArray::fromStdString(process_ + '\n' + thread_);
        if (auto at = trackOf_.constFind(id); at != trackOf_.constEnd())
            return tracks_[static_cast<size_t>(*at)];
        trackOf_.insert(id, static_cast<int>(tracks_.size()));
        tracks_.push_back(
            {QString::fromStdString(process_), QString::fromStdString(thread_), {}, {}});
        return tracks_.back();
    }
    /// One text for all slices of a name.
    QString shared(const std::string& name) {
        const QByteArray key = QByteArray::fromStdString(name);
        auto at = names_.constFind(key);
        if (at == names_.constEnd()) at = names_.insert(key, QString::fromStdString(name));
        return *at;
    }

    void add() {
        if (phase_ == "M") {
            if (name_ == "process_name") processNames_[process_] = given_;
            if (name_ == "thread_name") track().thread = QString::fromStdString(given_);
            return;
        }
        Span slice{shared(name_), 0, begin_, length_, kNoItem, Span::Kind::Slice};
        slice.hue = static_cast<uint8_t>(qHash(slice.name) & 0xff);
        if (phase_ == "X") return track().spans.push_back(std::move(slice));
        if (phase_ == "B") return track().open.push_back(std::move(slice));
        Track& own = track();
        if (phase_ != "E" || own.open.empty()) return;
        own.open.back().us = begin_ - own.open.back().begin;
        own.spans.push_back(std::move(own.open.back()));
        own.open.pop_back();
    }

    void place(Track& track, double first, Timeline& line) {
        // What begins at one time and lasts longer holds the other.
        std::ranges::stable_sort(track.spans, {},
                                 [](const Span& span) { return std::pair(span.begin, -span.us); });
        const auto base = static_cast<int>(line.lanes.size());
        std::vector<double> ends;
        size_t deepest = 0;
        for (Span& span : track.spans) {
            while (!ends.empty() && ends.back() <= span.begin)
                ends.pop_back();
            span.lane = base + static_cast<int>(ends.size());
            ends.push_back(span.begin + span.us);
            deepest = std::max(deepest, ends.size());
            span.begin -= first;
            line.spans.push_back(std::move(span));
        }
        QString process = track.process;
        if (auto name = processNames_.find(process.toStdString()); name != processNames_.end())
            process = QString::fromStdString(name->second);
        line.lanes << (process.isEmpty() ? track.thread : process + kBetween + track.thread);
        for (size_t depth = 1; depth < deepest; ++depth)
            line.lanes << QString();
    }

    std::vector<Track> tracks_;
    QHash<QByteArray, int> trackOf_;
    QHash<QByteArray, QString> names_;
    std::map<std::string, std::string> processNames_;
    std::string key_, phase_, name_, process_, thread_, given_; ///< of the event that is read
    double begin_ = 0, length_ = 0;
    int outside_ = 0; ///< depth before the list of events
    int depth_ = 0;   ///< within it
    bool inEvents_ = false, inArguments_ = false;
    std::size_t brokenAt_ = 0;
};

} // namespace

Result<Timeline> readTrace(const QByteArray& bytes, const QString& file) {
    const auto wrong = [](const QString& text) { return base::userError({}, text.toStdString()); };
    TraceReader reader;
    if (!json::sax_parse(bytes.constData(), bytes.constData() + bytes.size(), &reader))
        return wrong(
            Words::tr("%1 is no JSON: wrong at byte %2 (a compressed trace is unpacked first)")
                .arg(file)
                .arg(reader.brokenAt()));
    Timeline line = reader.timeline();
    if (line.spans.empty())
        return wrong(Words::tr("%1 holds no slices: expected Chrome's trace events").arg(file));
    return line;
}

int linkKernels(Timeline& line, const record::Entry& entry) {
    QHash<QString, QHash<QString, ItemId>> kernels; ///< by name, then by graph; "": any
    for (const record::LoweredGraph& lowered : entry.lowered)
        for (const record::KernelInfo& kernel : lowered.kernels) {
            auto& ofName = kernels[QString::fromStdString(kernel.name)];
            ofName.insert(QString::fromStdString(lowered.graph), kernel.item);
            if (!ofName.contains({})) ofName.insert({}, kernel.item);
        }
    QStringList threads; ///< by lane: in our own traces a graph has one
    for (const QString& lane : line.lanes)
        threads << (lane.isEmpty() && !threads.isEmpty() ? threads.back()
                                                         : lane.section(kBetween, -1));
    int found = 0;
    for (Span& span : line.spans) {
        const auto at = kernels.constFind(span.name);
        span.item = at == kernels.constEnd()
                        ? kNoItem
                        : at->value(threads[span.lane], at->value({}, kNoItem));
        found += span.item != kNoItem;
    }
    return found;
}

} // namespace cutaway::views
