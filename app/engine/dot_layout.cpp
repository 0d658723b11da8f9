// SPDX-License-Identifier: Apache-2.0
#include "app/engine/dot_layout.h"

#include "core/base/box.h"
#include "core/base/sanitizers.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <fmt/format.h>
#include <graphviz/gvc.h>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace cutaway::engine {

using nlohmann::json;

namespace {

constexpr double kPointsPerInch = 72;
constexpr int kLongestBudgetMs = 60000;
constexpr size_t kLargestRequest = size_t{4} << 20, kLargestDrawing = size_t{64} << 20;
constexpr rlim_t kMostMemory = rlim_t{4} << 30;

char* text(const char* s) {
    return const_cast<char*>(s);
} // Graphviz's C interface wants char*

Agraph_t* buildGraph(const json& request, std::vector<Agnode_t*>& nodes,
                     std::vector<Agedge_t*>& edges) {
    Agraph_t* graph = agopen(text("layout"), Agdirected, nullptr);
    agsafeset(graph, text("splines"), text("polyline"), text(""));
    agsafeset(graph, text("mclimit"), text("0.1"), text(""));
    agsafeset(graph, text("nslimit"), text("2"), text(""));
    agsafeset(graph, text("ranksep"), text("0.35"), text(""));
    agsafeset(graph, text("nodesep"), text("0.25"), text(""));
    for (const json& node : request.at("nodes")) {
        std::string name = fmt::format("n{}", nodes.size());
        Agnode_t* made = agnode(graph, name.data(), 1);
        agsafeset(made, text("shape"), text("box"), text(""));
        agsafeset(made, text("fixedsize"), text("true"), text(""));
        agsafeset(made, text("label"), text(""), text(""));
        std::string width = fmt::format("{}", node.at("w").get<double>() / kPointsPerInch);
        std::string height = fmt::format("{}", node.at("h").get<double>() / kPointsPerInch);
        agsafeset(made, text("width"), width.data(), text(""));
        agsafeset(made, text("height"), height.data(), text(""));
        nodes.push_back(made);
    }
    for (const json& edge : request.at("edges")) {
        Agnode_t *from = nodes.at(edge.at(0).get<size_t>()),
                 *to = nodes.at(edge.at(1).get<size_t>());
        std::string key = fmt::format("e{}", edges.size());
        edges.push_back(agedge(graph, from, to, key.data(), 1));
    }
    return graph;
}

json edgeLine(Agedge_t* edge, double top) {
    json line = json::array();
    const splines* route = edge ? ED_spl(edge) : nullptr;
    if (!route || route->size == 0) return line;
    const bezier& curve = route->list[0];
    if (curve.sflag) line.push_back({curve.sp.x, top - curve.sp.y});
    // A poly-line comes as degenerate Bezier pieces: every third control point is a corner.
    for (size_t i = 0; i < static_cast<size_t>(curve.size); i += 3)
        line.push_back({curve.list[i].x, top - curve.list[i].y});
    if (curve.eflag) line.push_back({curve.ep.x, top - curve.ep.y});
    return line;
}

/// A child process with pipes to its standard input and output.
class Child {
public:
    static base::Result<Child> start(const char* argument) {
        int in[2], out[2];
        if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0)
            return base::environmentError("cannot make pipes for the layout process");
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
        std::string self = "/proc/self/exe", argumentText = argument;
        char* arguments[] = {self.data(), argumentText.data(), nullptr};
        Child child;
        int code = ::posix_spawn(&child.pid_, self.c_str(), &actions, nullptr, arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
        ::close(in[0]);
        ::close(out[1]);
        child.input = in[1];
        child.output = out[0];
        if (code != 0) return base::environmentError("cannot start the layout process");
        return child;
    }
    Child() = default;
    Child(Child&& other) noexcept : input(other.input), output(other.output), pid_(other.pid_) {
        other.pid_ = -1;
        other.input = other.output = -1;
    }
    ~Child() {
        closeInput();
        if (output >= 0) ::close(output);
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        int status;
        ::waitpid(pid_, &status, 0);
    }
    void closeInput() {
        if (input >= 0) ::close(input);
        input = -1;
    }
    int input = -1, output = -1;

private:
    pid_t pid_ = -1;
};

} // namespace

base::Result<std::string> layoutWithDot(const std::string& request, int budgetMs,
                                        const base::CancelToken& cancel) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point end = Clock::now() + std::chrono::milliseconds(budgetMs);
    budgetMs = std::min(budgetMs, kLongestBudgetMs);
    if (request.size() > kLargestRequest)
        return base::environmentError("the graph is too large for dot");
    CUTAWAY_TRY(Child child, Child::start("layout"));
    ::fcntl(child.input, F_SETFL, O_NONBLOCK);
    size_t sent = 0;
    std::string result;
    for (;;) {
        if (cancel.cancelled()) return base::cancelledError();
        auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        if (left <= 0)
            return base::environmentError(fmt::format("dot did not finish within {} ms", budgetMs));
        pollfd waits[2] = {{child.output, POLLIN, 0}, {child.input, POLLOUT, 0}};
        ::poll(waits, child.input >= 0 ? 2 : 1, static_cast<int>(std::min<int64_t>(left, 50)));
        if (child.input >= 0 && (waits[1].revents & (POLLOUT | POLLERR))) {
            ssize_t n = ::write(child.input, request.data() + sent, request.size() - sent);
            if (n > 0) sent += static_cast<size_t>(n);
            if (sent == request.size() || (n < 0 && errno != EAGAIN)) child.closeInput();
        }
        if (waits[0].revents & (POLLIN | POLLHUP)) {
            char block[1 << 16];
            ssize_t n = ::read(child.output, block, sizeof block);
            if (n <= 0 || result.size() > kLargestDrawing) break;
            result.append(block, static_cast<size_t>(n));
        }
    }
    if (json::parse(result, nullptr, false).is_discarded())
        return base::environmentError("dot ended without a drawing");
    return result;
}

/// A layout that nobody waits for any more, or that grows without end, ends itself.
static void limitThisProcess() {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    base::noCoreDumps();
    rlimit seconds{kLongestBudgetMs / 1000, kLongestBudgetMs / 1000};
    ::setrlimit(RLIMIT_CPU, &seconds);
    if (base::kSanitized) return; // its shadow memory counts, too
    rlimit bytes{kMostMemory, kMostMemory};
    ::setrlimit(RLIMIT_DATA, &bytes);
}

int runDotLayout() try {
    limitThisProcess();
    std::string input((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
    json request = json::parse(input, nullptr, false);
    if (request.is_discarded()) return 1;
    auto start = std::chrono::steady_clock::now();
    GVC_t* context = gvContext();
    std::vector<Agnode_t*> nodes;
    std::vector<Agedge_t*> edges;
    Agraph_t* graph = buildGraph(request, nodes, edges);
    if (gvLayout(context, graph, "dot") != 0) return 1;
    double top = GD_bb(graph).UR.y;
    json result{{"algorithm", "dot"}, {"positions", json::array()}, {"edges", json::array()}};
    for (Agnode_t* node : nodes)
        result["positions"].push_back({ND_coord(node).x, top - ND_coord(node).y});
    for (Agedge_t* edge : edges)
        result["edges"].push_back(edgeLine(edge, top));
    result["ms"] =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    std::string out = result.dump();
    std::fwrite(out.data(), 1, out.size(), stdout);
    gvFreeLayout(context, graph);
    agclose(graph);
    gvFreeContext(context);
    return 0;
} catch (const std::exception&) { // a request of another shape, or too little memory
    return 1;
}

base::Result<std::string> renderDot(const std::string& dot, const std::string& format) {
    // Kept for good: Graphviz's text plug-in remembers the name of a font that its context owns.
    static GVC_t* const context = gvContext();
    Agraph_t* graph = agmemread(dot.c_str());
    if (!graph) return base::bugError("Graphviz cannot read the DOT text that was written");
    char* data = nullptr;
    unsigned length = 0;
    bool ok = gvLayout(context, graph, "dot") == 0 &&
              gvRenderData(context, graph, format.c_str(), &data, &length) == 0;
    std::string result = ok ? std::string(data, length) : std::string();
    if (data) gvFreeRenderData(data);
    gvFreeLayout(context, graph);
    agclose(graph);
    if (!ok)
        return base::environmentError("Graphviz could not draw '" + format + "'",
                                      "install Graphviz's plug-ins (package libgvc6)");
    return result;
}

} // namespace cutaway::engine
