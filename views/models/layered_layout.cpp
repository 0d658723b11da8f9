// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/layered_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cutaway::views {

namespace {

constexpr int kLongEdge = 12; ///< ranks
constexpr int kMostMoves = 200;
constexpr int kOrderSweeps = 10;
constexpr int kCoordinateSweeps = 12;
constexpr double kDummyWidth = 10;
constexpr double kLaneGap = 12;
constexpr double kRimGap = 0.35; ///< of the gap between ranks, before places at a rim
constexpr double kLeafWeight = 0.02;
constexpr double kSpineWeight = 1; ///< of the wish of the longest path to stand in the middle

/// A node or a bend of an edge.
struct Vertex {
    int rank = 0;
    double width = 0, height = 0;
    double x = 0;
    bool dummy = false;
    int before = 0, after = 0; ///< nodes on the longest path from a source, and to a sink
    std::vector<int> up, down;
};

class Layouter {
public:
    explicit Layouter(const LayoutInput& input) : input_(input), nodes_(input.sizes.size()) {}

    LayoutResult run() {
        makeVertices();
        rank();
        tighten();
        pin();
        if (input_.narrow && input_.pins.empty() && nodes_ > 0) narrow();
        addDummies();
        fillRanks();
        for (int sweep = 0; sweep < kOrderSweeps; ++sweep)
            order(sweep % 2 == 0);
        place();
        return result();
    }

private:
    void makeVertices() {
        vertices_.resize(nodes_);
        for (size_t i = 0; i < nodes_; ++i) {
            vertices_[i].width = input_.sizes[i].width();
            vertices_[i].height = input_.sizes[i].height();
        }
        std::vector<std::vector<int>> out(nodes_);
        std::vector<int> indegree(nodes_);
        for (auto [from, to] : input_.edges) {
            if (from == to) continue;
            out[static_cast<size_t>(from)].push_back(to);
            ++indegree[static_cast<size_t>(to)];
        }
        for (size_t i = 0; i < nodes_; ++i)
            if (indegree[i] == 0) topological_.push_back(static_cast<int>(i));
        for (size_t i = 0; i < topological_.size(); ++i)
            for (int to : out[static_cast<size_t>(topological_[i])])
                if (--indegree[static_cast<size_t>(to)] == 0) topological_.push_back(to);
        std::vector<bool> seen(nodes_);
        for (int node : topological_)
            seen[static_cast<size_t>(node)] = true;
        for (size_t i = 0; i < nodes_; ++i) // members of cycles come last, in their own order
            if (!seen[i]) topological_.push_back(static_cast<int>(i));
        position_.resize(nodes_);
        for (size_t i = 0; i < nodes_; ++i)
            position_[static_cast<size_t>(topological_[i])] = static_cast<int>(i);
    }

    /// Edges that go with the topological order; the others close a cycle and do not count.
    bool forward(std::pair<int, int> edge) const {
        return edge.first != edge.second && position_[static_cast<size_t>(edge.first)] <
                                                position_[static_cast<size_t>(edge.second)];
    }

    void rank() {
        std::vector<std::vector<int>> out(nodes_);
        for (auto edge : input_.edges)
            if (forward(edge)) out[static_cast<size_t>(edge.first)].push_back(edge.second);
        for (int node : topological_)
            for (int to : out[static_cast<size_t>(node)])
                vertices_[static_cast<size_t>(to)].rank =
                    std::max(vertices_[static_cast<size_t>(to)].rank,
                             vertices_[static_cast<size_t>(node)].rank + 1);
        for (size_t i = 0; i < nodes_; ++i)
            vertices_[i].before = vertices_[i].rank;
        for (size_t i = nodes_; i-- > 0;) {
            Vertex& vertex = vertices_[static_cast<size_t>(topological_[i])];
            for (int to : out[static_cast<size_t>(topological_[i])])
                vertex.after = std::max(vertex.after, vertices_[static_cast<size_t>(to)].after + 1);
        }
        for (const Vertex& vertex : vertices_)
            longest_ = std::max(longest_, vertex.before + vertex.after);
        out_ = std::move(out);
    }

    /// What does not follow from the longest path (inputs, and what is made of them alone) stands
    /// above its first use. Of the rest a node goes down to its users when no more edges get longer
    /// than shorter.
    void tighten() {
        std::vector<bool> main(nodes_);
        std::vector<size_t> incoming(nodes_);
        for (int node : topological_) {
            const size_t at = static_cast<size_t>(node);
            const Vertex& vertex = vertices_[at];
            if (vertex.before == 0 && vertex.after == longest_) main[at] = true;
            for (int to : out_[at]) {
                ++incoming[static_cast<size_t>(to)];
                if (main[at]) main[static_cast<size_t>(to)] = true;
            }
        }
        for (size_t i = nodes_; i-- > 0;) {
            const size_t node = static_cast<size_t>(topological_[i]);
            if (out_[node].empty() || (main[node] && out_[node].size() < incoming[node])) continue;
            int lowest = 1 << 30;
            for (int to : out_[node])
                lowest = std::min(lowest, vertices_[static_cast<size_t>(to)].rank);
            vertices_[node].rank = std::max(vertices_[node].rank, lowest - 1);
        }
    }

    /// Nodes that are wanted at the rims get ranks of their own there.
    void pin() {
        if (input_.pins.empty()) return;
        int least = 1 << 30, most = 0;
        for (size_t i = 0; i < nodes_; ++i) {
            if (input_.pins[i] != 0) continue;
            least = std::min(least, vertices_[i].rank);
            most = std::max(most, vertices_[i].rank);
        }
        const bool top = std::ranges::any_of(input_.pins, [](int8_t pin) { return pin < 0; });
        for (size_t i = 0; i < nodes_; ++i) {
            int& rank = vertices_[i].rank;
            if (least > most) // nothing but pins
                rank = input_.pins[i] < 0 ? 0 : 1;
            else
                rank =
                    input_.pins[i] < 0 ? 0 : (input_.pins[i] > 0 ? most + 1 : rank) - least + top;
        }
    }

    /// Takes the widest rank a node that may as well stand above or below, as long as that makes the
    /// drawing narrower: of those the one that makes the fewest edges longer.
    void narrow() {
        std::vector<std::vector<int>> in(nodes_), members;
        for (size_t i = 0; i < nodes_; ++i)
            for (int to : out_[i])
                in[static_cast<size_t>(to)].push_back(static_cast<int>(i));
        auto rankOf = [this](int node) { return vertices_[static_cast<size_t>(node)].rank; };
        auto widthOf = [this](int node) {
            return vertices_[static_cast<size_t>(node)].width + input_.nodeGap;
        };
        std::vector<double> widths;
        for (size_t i = 0; i < nodes_; ++i) {
            const auto rank = static_cast<size_t>(vertices_[i].rank);
            members.resize(std::max(members.size(), rank + 1));
            widths.resize(members.size());
            members[rank].push_back(static_cast<int>(i));
            widths[rank] += widthOf(static_cast<int>(i));
        }
        for (int step = 0; step < kMostMoves; ++step) {
            const auto widest = static_cast<int>(std::ranges::max_element(widths) - widths.begin());
            int chosen = -1, way = 0, least = 1 << 30;
            for (int node : members[static_cast<size_t>(widest)]) {
                const auto& up = in[static_cast<size_t>(node)];
                const auto& down = out_[static_cast<size_t>(node)];
                for (int by : {-1, 1}) {
                    const int to = widest + by;
                    const int longer =
                        by * static_cast<int>(up.size()) - by * static_cast<int>(down.size());
                    const bool free =
                        to >= 0 && std::cmp_less(to, widths.size()) &&
                        std::ranges::all_of(up, [&](int one) { return rankOf(one) < to; }) &&
                        std::ranges::all_of(down, [&](int one) { return rankOf(one) > to; });
                    if (!free || longer >= least) continue;
                    if (widths[static_cast<size_t>(to)] + widthOf(node) >=
                        widths[static_cast<size_t>(widest)])
                        continue;
                    chosen = node;
                    way = by;
                    least = longer;
                }
            }
            if (chosen < 0) return;
            const auto from = static_cast<size_t>(widest), to = static_cast<size_t>(widest + way);
            vertices_[static_cast<size_t>(chosen)].rank += way;
            std::erase(members[from], chosen);
            members[to].push_back(chosen);
            widths[from] -= widthOf(chosen);
            widths[to] += widthOf(chosen);
        }
    }

    void connect(int upper, int lower) {
        vertices_[static_cast<size_t>(upper)].down.push_back(lower);
        vertices_[static_cast<size_t>(lower)].up.push_back(upper);
    }

    void addDummies() {
        bends_.resize(input_.edges.size());
        lane_.assign(input_.edges.size(), false);
        for (size_t e = 0; e < input_.edges.size(); ++e) {
            if (!forward(input_.edges[e])) continue;
            auto [from, to] = input_.edges[e];
            int first = vertices_[static_cast<size_t>(from)].rank;
            int last = vertices_[static_cast<size_t>(to)].rank;
            if (last - first > kLongEdge) {
                lane_[e] = true;
                continue;
            }
            int at = from;
            for (int rank = first + 1; rank < last; ++rank) {
                int bend = static_cast<int>(vertices_.size());
                vertices_.push_back({rank,
                                     kDummyWidth,
                                     0,
                                     0,
                                     true,
                                     vertices_[static_cast<size_t>(from)].before,
                                     vertices_[static_cast<size_t>(to)].after,
                                     {},
                                     {}});
                bends_[e].push_back(bend);
                connect(at, bend);
                at = bend;
            }
            connect(at, to);
        }
    }

    void fillRanks() {
        int most = 0;
        for (const Vertex& vertex : vertices_)
            most = std::max(most, vertex.rank);
        ranks_.resize(static_cast<size_t>(most) + 1);
        for (int node : topological_)
            ranks_[static_cast<size_t>(vertices_[static_cast<size_t>(node)].rank)].push_back(node);
        for (size_t i = nodes_; i < vertices_.size(); ++i)
            ranks_[static_cast<size_t>(vertices_[i].rank)].push_back(static_cast<int>(i));
        order_.resize(vertices_.size());
        number();
    }

    void number() {
        for (const auto& rank : ranks_)
            for (size_t i = 0; i < rank.size(); ++i)
                order_[static_cast<size_t>(rank[i])] = static_cast<double>(i);
    }

    void order(bool downwards) {
        std::vector<double> key(vertices_.size());
        auto sortRank = [&](std::vector<int>& rank) {
            for (int v : rank) {
                const Vertex& vertex = vertices_[static_cast<size_t>(v)];
                const auto& others = downwards ? vertex.up : vertex.down;
                double sum = 0;
                for (int other : others)
                    sum += order_[static_cast<size_t>(other)];
                key[static_cast<size_t>(v)] = others.empty()
                                                  ? order_[static_cast<size_t>(v)]
                                                  : sum / static_cast<double>(others.size());
            }
            std::stable_sort(rank.begin(), rank.end(), [&](int a, int b) {
                return key[static_cast<size_t>(a)] < key[static_cast<size_t>(b)];
            });
            for (size_t i = 0; i < rank.size(); ++i)
                order_[static_cast<size_t>(rank[i])] = static_cast<double>(i);
        };
        if (downwards)
            std::for_each(ranks_.begin(), ranks_.end(), sortRank);
        else
            std::for_each(ranks_.rbegin(), ranks_.rend(), sortRank);
    }

    double separation(int left, int right) const {
        const Vertex& a = vertices_[static_cast<size_t>(left)];
        const Vertex& b = vertices_[static_cast<size_t>(right)];
        double gap = a.dummy || b.dummy ? input_.nodeGap * 0.6 : input_.nodeGap;
        return (a.width + b.width) / 2 + gap;
    }

    void place() {
        for (const auto& rank : ranks_) {
            double x = 0;
            for (size_t i = 0; i < rank.size(); ++i) {
                if (i > 0) x += separation(rank[i - 1], rank[i]);
                vertices_[static_cast<size_t>(rank[i])].x = x;
            }
            for (int v : rank)
                vertices_[static_cast<size_t>(v)].x -= x / 2;
        }
        for (int sweep = 0; sweep < kCoordinateSweeps; ++sweep) {
            bool downwards = sweep % 2 == 0, both = sweep + 2 >= kCoordinateSweeps;
            for (size_t i = 0; i < ranks_.size(); ++i)
                align(ranks_[downwards ? i : ranks_.size() - 1 - i], downwards || both,
                      !downwards || both);
        }
    }

    /// Moves the vertices of one rank towards their neighbours: least squares under the separations
    /// (pool adjacent violators).
    void align(const std::vector<int>& rank, bool useUp, bool useDown) {
        struct Block {
            double sum, weight;
            size_t first;
            double value() const { return sum / weight; }
        };
        std::vector<double> shift(rank.size());
        std::vector<Block> blocks;
        for (size_t i = 0; i < rank.size(); ++i) {
            if (i > 0) shift[i] = shift[i - 1] + separation(rank[i - 1], rank[i]);
            const Vertex& vertex = vertices_[static_cast<size_t>(rank[i])];
            double sum = 0, weight = 0;
            auto pull = [&](const std::vector<int>& others, int Vertex::* length) {
                int longest = 0;
                for (int other : others)
                    longest = std::max(longest, vertices_[static_cast<size_t>(other)].*length);
                for (int other : others) {
                    const Vertex& neighbour = vertices_[static_cast<size_t>(other)];
                    // An input with one user follows it; it does not pull the chain aside.
                    const bool leaf = neighbour.up.empty() && neighbour.down.size() == 1;
                    double w = leaf && vertex.up.size() > 1      ? kLeafWeight
                               : vertex.dummy && neighbour.dummy ? 8
                               : vertex.dummy || neighbour.dummy ? 2
                                                                 : 1;
                    // The longest path is the spine, which side chains do not bend.
                    const double share = (neighbour.*length + 1.0) / (longest + 1.0);
                    w = std::max(w * share * share, kLeafWeight);
                    sum += w * neighbour.x;
                    weight += w;
                }
            };
            if (useUp) pull(vertex.up, &Vertex::before);
            if (useDown) pull(vertex.down, &Vertex::after);
            if (vertex.up.empty() && vertex.down.size() == 1 && rank.size() > 1) {
                sum *= kLeafWeight; // nor does it push what stands beside it
                weight *= kLeafWeight;
            }
            if (vertex.before + vertex.after == longest_ && !vertex.dummy) weight += kSpineWeight;
            if (weight == 0) sum = vertex.x * (weight = 0.05);
            blocks.push_back({sum - shift[i] * weight, weight, i});
            while (blocks.size() > 1 && blocks[blocks.size() - 2].value() > blocks.back().value()) {
                Block last = blocks.back();
                blocks.pop_back();
                blocks.back().sum += last.sum;
                blocks.back().weight += last.weight;
            }
        }
        for (size_t b = 0; b < blocks.size(); ++b) {
            size_t end = b + 1 < blocks.size() ? blocks[b + 1].first : rank.size();
            for (size_t i = blocks[b].first; i < end; ++i)
                vertices_[static_cast<size_t>(rank[i])].x = blocks[b].value() + shift[i];
        }
    }

    /// A rank at the rim, with nothing but places where edges come in or go out.
    bool onlyPins(size_t rank) const {
        return !input_.pins.empty() && std::ranges::all_of(ranks_[rank], [this](int v) {
            return static_cast<size_t>(v) >= nodes_ || input_.pins[static_cast<size_t>(v)] != 0;
        });
    }

    LayoutResult result() {
        LayoutResult out;
        rows_.resize(ranks_.size());
        double y = 0;
        for (size_t r = 0; r < ranks_.size(); ++r) {
            double height = 0;
            for (int v : ranks_[r])
                height = std::max(height, vertices_[static_cast<size_t>(v)].height);
            rows_[r] = {y, y + height};
            const bool rim = onlyPins(r) || (r + 1 < ranks_.size() && onlyPins(r + 1));
            y += height + input_.rankGap * (rim ? kRimGap : 1);
        }
        auto centerY = [&](int v) { return (rowOf(v).top + rowOf(v).bottom) / 2; };
        for (size_t i = 0; i < nodes_; ++i) {
            out.centers.emplace_back(vertices_[i].x, centerY(static_cast<int>(i)));
            QRectF rect(QPointF(), input_.sizes[i]);
            rect.moveCenter(out.centers.back());
            out.bounds |= rect;
        }
        route(out, centerY);
        for (const auto& points : out.routes)
            for (QPointF p : points)
                out.bounds |= QRectF(p - QPointF(1, 1), QSizeF(2, 2));
        return out;
    }

    /// Where edges meet the rims: spread over the middle of the rim in the order of the other ends.
    std::vector<double> ports(bool incoming) const {
        std::vector<std::vector<size_t>> atNode(nodes_);
        for (size_t e = 0; e < input_.edges.size(); ++e)
            atNode[static_cast<size_t>(incoming ? input_.edges[e].second : input_.edges[e].first)]
                .push_back(e);
        std::vector<double> x(input_.edges.size());
        auto nextX = [&](size_t e) {
            const auto& bends = bends_[e];
            int other = bends.empty() ? (incoming ? input_.edges[e].first : input_.edges[e].second)
                        : incoming    ? bends.back()
                                      : bends.front();
            return lane_[e] ? 1e9 : vertices_[static_cast<size_t>(other)].x;
        };
        for (size_t i = 0; i < nodes_; ++i) {
            auto& edges = atNode[i];
            std::stable_sort(edges.begin(), edges.end(),
                             [&](size_t a, size_t b) { return nextX(a) < nextX(b); });
            // Edges out of a node carry one value and start together.
            double width = incoming ? vertices_[i].width * 0.5 : 0;
            double step = edges.size() > 1 ? std::min(width / double(edges.size() - 1), 24.0) : 0;
            for (size_t k = 0; k < edges.size(); ++k)
                x[edges[k]] = vertices_[i].x + step * (double(k) - double(edges.size() - 1) / 2);
        }
        return x;
    }

    /// Where the lane of each long edge runs: right of all that stands in the ranks it passes, and
    /// of the lanes there; short ones lie inside.
    std::vector<double> laneX() const {
        std::vector<double> right(ranks_.size(), -1e300), x(input_.edges.size());
        for (const Vertex& vertex : vertices_) {
            double& rim = right[static_cast<size_t>(vertex.rank)];
            rim = std::max(rim, vertex.x + vertex.width / 2 + kLaneGap);
        }
        auto rankOf = [this](int node) {
            return static_cast<size_t>(vertices_[static_cast<size_t>(node)].rank);
        };
        auto span = [&](size_t e) {
            return rankOf(input_.edges[e].second) - rankOf(input_.edges[e].first);
        };
        std::vector<size_t> edges;
        for (size_t e = 0; e < lane_.size(); ++e)
            if (lane_[e]) edges.push_back(e);
        std::ranges::stable_sort(edges, {}, span);
        for (size_t e : edges) {
            const auto first = right.begin() + ptrdiff_t(rankOf(input_.edges[e].first)),
                       last = right.begin() + ptrdiff_t(rankOf(input_.edges[e].second)) + 1;
            x[e] = *std::max_element(first, last);
            std::fill(first, last, x[e] + kLaneGap);
        }
        return x;
    }

    struct Row {
        double top = 0, bottom = 0;
    };
    const Row& rowOf(int vertex) const {
        return rows_[static_cast<size_t>(vertices_[static_cast<size_t>(vertex)].rank)];
    }

    /// Edges go aside between the rows only, and straight through them: beside boxes, not below.
    template <typename F> void route(LayoutResult& out, F centerY) {
        std::vector<double> fromX = ports(false), toX = ports(true);
        const std::vector<double> lanes = laneX();
        for (size_t e = 0; e < input_.edges.size(); ++e) {
            auto [from, to] = input_.edges[e];
            const double startY = centerY(from) + vertices_[static_cast<size_t>(from)].height / 2;
            const double endY = centerY(to) - vertices_[static_cast<size_t>(to)].height / 2;
            const Row &first = rowOf(from), &last = rowOf(to);
            std::vector<QPointF> points{{fromX[e], startY}};
            const auto add = [&points](double x, double y) {
                const size_t count = points.size();
                const auto same = [x](QPointF p) { return std::fabs(p.x() - x) < 0.5; };
                if (count > 1 && same(points[count - 1]) && same(points[count - 2]))
                    points.back().setY(y);
                else if (!same(points.back()) || std::fabs(points.back().y() - y) > 0.5)
                    points.emplace_back(x, y);
            };
            if (first.bottom < last.top) add(fromX[e], first.bottom); // below taller neighbours
            if (lane_[e]) {
                add(lanes[e], first.bottom + input_.rankGap);
                add(lanes[e], last.top - input_.rankGap);
            }
            for (int bend : bends_[e]) {
                const double x = vertices_[static_cast<size_t>(bend)].x;
                add(x, rowOf(bend).top);
                add(x, rowOf(bend).bottom);
            }
            if (first.bottom < last.top) add(toX[e], last.top);
            add(toX[e], endY);
            if (points.size() == 1) points.emplace_back(toX[e], endY);
            out.routes.push_back(std::move(points));
        }
    }

    const LayoutInput& input_;
    size_t nodes_;
    std::vector<Vertex> vertices_; ///< nodes first, then bends
    std::vector<int> topological_, position_;
    std::vector<std::vector<int>> out_; ///< by node: its users
    std::vector<std::vector<int>> bends_;
    std::vector<bool> lane_;
    std::vector<Row> rows_; ///< by rank
    int longest_ = 0;       ///< path, in edges
    std::vector<std::vector<int>> ranks_;
    std::vector<double> order_;
};

} // namespace

LayoutResult layeredLayout(const LayoutInput& input) {
    return Layouter(input).run();
}

} // namespace cutaway::views
