// SPDX-License-Identifier: Apache-2.0
#include "app/cli/graph_drawer.h"

#include "core/record/columns.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace cutaway::cli {

std::unique_ptr<GraphDrawer> GraphDrawer::start(const std::string& folder, const std::string& as) {
    std::error_code code;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", code);
    const std::string program = self.parent_path() / "cutaway-gui";
    if (code || ::access(program.c_str(), X_OK) != 0) return nullptr;
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return nullptr;
    std::vector<std::string> words{program, "--export-graphs", folder, "--as", as, "-"};
    // Without a screen, and silent but for what goes wrong.
    std::vector<std::string> settings{"QT_QPA_PLATFORM=offscreen", "QT_LOGGING_RULES=*=false"};
    for (char** one = environ; *one; ++one)
        if (const std::string_view text(*one);
            !text.starts_with("QT_QPA_PLATFORM=") && !text.starts_with("QT_LOGGING_RULES="))
            settings.emplace_back(text);
    const auto pointers = [](std::vector<std::string>& texts) {
        std::vector<char*> all;
        for (std::string& text : texts)
            all.push_back(text.data());
        all.push_back(nullptr);
        return all;
    };
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    std::unique_ptr<GraphDrawer> drawer(new GraphDrawer);
    drawer->input_ = ends[1];
    const int failed = ::posix_spawn(&drawer->child_, program.c_str(), &actions, nullptr,
                                     pointers(words).data(), pointers(settings).data());
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[0]);
    if (failed) {
        drawer->child_ = -1;
        return nullptr;
    }
    return drawer;
}

int GraphDrawer::wait() {
    if (input_ >= 0) ::close(std::exchange(input_, -1));
    int status = -1;
    if (child_ > 0) ::waitpid(std::exchange(child_, -1), &status, 0);
    return status;
}

/// With nothing to draw it ends by itself.
GraphDrawer::~GraphDrawer() {
    wait();
}

base::Status GraphDrawer::draw(const record::Record& record) {
    const std::string bytes = record::toColumns(record);
    std::signal(SIGPIPE, SIG_IGN); // it may have ended
    for (size_t sent = 0; sent < bytes.size();) {
        const ssize_t n = ::write(input_, bytes.data() + sent, bytes.size() - sent);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        sent += static_cast<size_t>(n);
    }
    if (wait() != 0) return base::environmentError("cutaway-gui could not draw the graphs");
    return {};
}

} // namespace cutaway::cli
