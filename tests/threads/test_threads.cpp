// SPDX-License-Identifier: Apache-2.0
// What threads share, under the thread sanitizer: a race ends this program with an exit status of
// its own.
#include "app/engine/server.h"
#include "core/base/tick.h"
#include "core/jit/background.h"
#include "core/jit/object_cache.h"
#include "core/jit/parallel.h"
#include "core/runtime/host_memory.h"
#include "core/runtime/run_aside.h"

#include <QTemporaryDir>
#include <QtTest>
#include <charconv>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace cutaway;
using nlohmann::json;

namespace {

constexpr int kThreads = 4, kRounds = 200;
constexpr int kRaceStatus = 66; ///< the sanitizer's

void onThreads(const std::function<void(int)>& work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
        threads.emplace_back([&work, i] { work(i); });
    for (std::thread& thread : threads)
        thread.join();
}

/// What must not be: two threads write to one number.
int race() {
    int shared = 0;
    onThreads([&](int) {
        for (int i = 0; i < kRounds; ++i)
            ++shared;
    });
    return shared > 0 ? 0 : 1;
}

/// The engine's server in this process, between two pipes that stand for its standard streams.
class Served {
public:
    Served() {
        int requests[2], replies[2];
        if (::pipe(requests) != 0 || ::pipe(replies) != 0) qFatal("no pipes");
        keptInput_ = ::dup(STDIN_FILENO), keptOutput_ = ::dup(STDOUT_FILENO);
        ::dup2(requests[0], STDIN_FILENO), ::dup2(replies[1], STDOUT_FILENO);
        ::close(requests[0]), ::close(replies[1]);
        toServer_ = requests[1], fromServer_ = replies[0];
        server_ = std::thread([this] { status_ = engine::serve(std::string(), {}); });
    }
    void send(const json& message) {
        const std::string body = message.dump();
        const std::string bytes =
            "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
        QCOMPARE(::write(toServer_, bytes.data(), bytes.size()), ssize_t(bytes.size()));
    }
    /// The next reply; progress and other notifications are counted and passed over.
    json reply() {
        for (;;) {
            const size_t header = buffer_.find("\r\n\r\n");
            const size_t whole = header == std::string::npos
                                     ? 0
                                     : header + 4 + bytes("Content-") + bytes("Attachment-");
            if (header == std::string::npos || buffer_.size() < whole) {
                char block[4096];
                const ssize_t n = ::read(fromServer_, block, sizeof block);
                if (n <= 0) return {};
                buffer_.append(block, static_cast<size_t>(n));
                continue;
            }
            json message = json::parse(buffer_.substr(header + 4, bytes("Content-")));
            buffer_.erase(0, whole);
            if (!message.contains("method")) return message;
            ++notifications;
        }
    }
    /// The exit status.
    int end() {
        ::close(toServer_);
        server_.join();
        ::dup2(keptInput_, STDIN_FILENO), ::dup2(keptOutput_, STDOUT_FILENO);
        ::close(keptInput_), ::close(keptOutput_), ::close(fromServer_);
        return status_;
    }
    int notifications = 0;

private:
    /// What the header of the next message tells of a part; 0 without one.
    size_t bytes(const std::string& part) const {
        const size_t at = buffer_.find(part + "Length: ");
        size_t number = 0;
        if (at < buffer_.find("\r\n\r\n")) {
            const char* digits = buffer_.data() + at + part.size() + 8;
            std::from_chars(digits, buffer_.data() + buffer_.size(), number);
        }
        return number;
    }
    int toServer_, fromServer_, keptInput_, keptOutput_, status_ = -1;
    std::thread server_;
    std::string buffer_;
};

json request(int id, const std::string& method) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", {{"of", id}}}};
}

} // namespace

class TestThreads : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void a_race_ends_the_program() {
        const std::string command =
            "'" + QCoreApplication::applicationFilePath().toStdString() + "' --race 2>&1";
        FILE* racing =
            ::popen(command.c_str(), "r"); // a QProcess' fork is not known to the sanitizer
        QVERIFY(racing);
        std::string said;
        for (int c = std::fgetc(racing); c != EOF; c = std::fgetc(racing))
            said += static_cast<char>(c);
        QCOMPARE(WEXITSTATUS(::pclose(racing)), kRaceStatus);
        QVERIFY(said.find("data race") != std::string::npos);
    }

    void every_request_is_answered_once_whatever_is_cancelled() {
        Served served;
        std::map<int, json> replies;
        // Forty at a time: the pipes hold them.
        for (int round = 0; round < 10; ++round) {
            const int first = round * 40;
            for (int i = first; i < first + 40; ++i)
                served.send(request(i, i % 4 == 0 ? "layout" : i % 4 == 1 ? "wait" : "tell"));
            for (int i = first; i < first + 40; ++i)
                if (i % 4 == 1)
                    served.send(
                        {{"jsonrpc", "2.0"}, {"method", "$/cancel"}, {"params", {{"id", i}}}});
            for (int i = 0; i < 40; ++i) {
                const json reply = served.reply();
                QVERIFY(reply.is_object());
                QVERIFY2(replies.emplace(reply.at("id").get<int>(), reply).second, "twice");
            }
        }
        for (const auto& [id, reply] : replies) {
            const bool layout = id % 4 == 0, cancelled = id % 4 == 1;
            if (cancelled)
                QCOMPARE(reply.at("error").at("message"), json("cancelled"));
            else if (!layout || reply.contains("result")) // too many layouts at once are refused
                QCOMPARE(reply.at("result").at("of"), json(id));
        }
        QVERIFY(served.notifications > 0);
        QCOMPARE(served.end(), 0);
    }

    void a_server_ends_while_requests_wait() {
        Served served;
        for (int i = 0; i < 20; ++i)
            served.send(request(i, i % 2 == 0 ? "wait" : "layout"));
        QCOMPARE(served.end(), 0);
    }

    void many_texts_at_once_come_back_in_order() {
        jit::Background background;
        std::vector<size_t> lengths;
        for (size_t i = 0; i < 50; ++i)
            lengths.push_back(i * 7 % 50);
        const size_t threads = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, 50);
        for (int round = 0; round < 20; ++round) {
            size_t told = 0;
            std::atomic<size_t> begun = 0, shortest = 50;
            const auto made = jit::inParallel<size_t>(
                background, lengths, {}, [&](size_t done, size_t) { told = done; },
                [&](size_t i) -> base::Result<size_t> {
                    if (begun.fetch_add(1) < threads) { // each thread has one before any goes on
                        size_t least = shortest;
                        while (lengths[i] < least &&
                               !shortest.compare_exchange_weak(least, lengths[i])) {
                        }
                        while (begun < threads)
                            std::this_thread::yield();
                    }
                    return i * i;
                });
            QCOMPARE(shortest.load(), 50 - threads); // the longest are begun first
            QCOMPARE(told, size_t(50));
            for (size_t i = 0; i < made.size(); ++i)
                QVERIFY(made[i] && *made[i] == i * i);
        }
    }

    void cancelled_work_is_left_to_itself() {
        jit::Background background;
        std::atomic<int> ran = 0;
        for (int round = 0; round < 20; ++round) {
            base::CancelToken cancel;
            const auto made = jit::inParallel<int>(
                background, std::vector<size_t>(50, 1), cancel,
                [&](size_t, size_t) { cancel.cancel(); },
                [&ran](size_t) -> base::Result<int> { return ++ran; });
            QCOMPARE(made.size(), size_t(50));
        }
        QVERIFY(ran >= 20);
    }

    void the_object_cache_is_shared() {
        QTemporaryDir folder;
        jit::ObjectCache cache;
        const std::string path = folder.filePath("cache").toStdString();
        onThreads([&](int thread) {
            for (int i = 0; i < 20; ++i) {
                const std::vector<std::string> key = {std::to_string(i)};
                cache.put(path, key, "object " + key[0]);
                const auto found = cache.find(path, key);
                if (found && *found != "object " + key[0]) qFatal("another's object");
                if (thread == 0) cache.takeProblem();
            }
        });
        QCOMPARE(cache.find(path, {"7"}).value_or(""), std::string("object 7"));
    }

    void memory_is_handed_out_to_one_thread_at_a_time() {
        runtime::HostAllocator allocator;
        onThreads([&](int thread) {
            for (int i = 0; i < kRounds; ++i) {
                const size_t bytes = size_t(64) << (i % 8);
                auto block = allocator.take(bytes);
                if (!block) qFatal("no memory");
                auto* numbers = static_cast<unsigned char*>(block->data);
                std::fill_n(numbers, bytes, static_cast<unsigned char>(thread));
                if (std::count(numbers, numbers + bytes, thread) != std::ptrdiff_t(bytes))
                    qFatal("another thread wrote here");
                allocator.giveBack(*block, bytes);
                if (i % 50 == thread) allocator.trim();
            }
        });
        QCOMPARE(allocator.statistics().currentBytes, int64_t(0));
    }

    void work_aside_gives_back_what_it_made() {
        onThreads([](int thread) {
            for (int i = 0; i < 20; ++i) {
                auto made = std::make_shared<int>();
                runtime::runAside([made, thread, i] { *made = thread * 100 + i; });
                if (*made != thread * 100 + i) qFatal("not what was made");
            }
        });
        QVERIFY_THROWS_EXCEPTION(std::runtime_error,
                                 runtime::runAside([] { throw std::runtime_error("thrown"); }));
        base::CancelToken cancel;
        cancel.cancel();
        const base::CancelScope scope(cancel);
        std::atomic<bool> left = false;
        try {
            runtime::runAside([] { std::this_thread::sleep_for(std::chrono::milliseconds(50)); });
        } catch (const base::Cancelled&) {
            left = true;
        }
        QVERIFY(left);
    }
};

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == "--race") return race();
    QCoreApplication application(argc, argv);
    TestThreads test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_threads.moc"
