// Immediate post-dominators by the iterative algorithm on the reversed graph (Cooper, Harvey, Kennedy 2001).
#include <algorithm>
#include <utility>

#include "vgpu/lowering.hpp"

namespace warpgrade::vgpu {

namespace {

// Segments from which the end is reached, or one of `aims`.
std::vector<bool> reaching(const std::vector<std::vector<int>>& successors, const std::vector<bool>* aims = nullptr) {
    std::vector<std::vector<int>> predecessors(successors.size());
    std::vector<bool> reaches(successors.size(), false);
    std::vector<int> work;
    const auto reach = [&](int i) {
        if (reaches[static_cast<std::size_t>(i)]) return;
        reaches[static_cast<std::size_t>(i)] = true;
        work.push_back(i);
    };
    for (int i = 0; i < static_cast<int>(successors.size()); ++i) {
        if (aims != nullptr && (*aims)[static_cast<std::size_t>(i)]) reach(i);
        for (const int s : successors[static_cast<std::size_t>(i)]) {
            if (s >= 0)
                predecessors[static_cast<std::size_t>(s)].push_back(i);
            else if (aims == nullptr)
                reach(i);
        }
    }
    while (!work.empty()) {
        const int i = work.back();
        work.pop_back();
        for (const int p : predecessors[static_cast<std::size_t>(i)]) reach(p);
    }
    return reaches;
}

}  // namespace

void pass_over_exits(std::vector<std::vector<int>>& successors, const std::vector<bool>& only_ends,
                     const std::vector<bool>& barriers) {
    constexpr std::size_t most_exits = 256;  // looked at, each by two walks through the graph
    const std::vector<bool> reached = reaching(successors), meets = reaching(successors, &barriers);
    struct Exit {
        std::size_t from = 0;
        std::vector<int> others;  // where else it goes
        std::ptrdiff_t lost = 0;  // segments that lead to this exit alone
    };
    std::vector<Exit> exits;
    for (std::size_t i = 0; i < successors.size() && exits.size() < most_exits; ++i) {
        if (only_ends[i]) continue;
        Exit exit{i, successors[i]};
        std::erase_if(exit.others, [&](int s) { return s < 0 || only_ends[static_cast<std::size_t>(s)]; });
        if (exit.others.size() == successors[i].size()) continue;
        std::swap(successors[i], exit.others);
        const std::vector<bool> still = reaching(successors);
        std::swap(successors[i], exit.others);
        // Where no barrier comes, the others need not meet.
        const auto is_lost = [&](int s) {
            return s >= 0 && reached[static_cast<std::size_t>(s)] && !still[static_cast<std::size_t>(s)];
        };
        bool is_before_barrier = successors[i].size() > 1 && meets[i];
        for (std::size_t k = 0; k < successors.size() && !is_before_barrier; ++k)
            is_before_barrier =
                meets[k] && still[k] && std::any_of(successors[k].begin(), successors[k].end(), is_lost);
        if (!is_before_barrier) continue;
        exit.lost = std::count(reached.begin(), reached.end(), true) - std::count(still.begin(), still.end(), true);
        exits.push_back(std::move(exit));
    }
    // The way that most of them go is the last to be looked at, and stays.
    std::stable_sort(exits.begin(), exits.end(), [](const Exit& a, const Exit& b) { return a.lost < b.lost; });
    std::vector<bool> reaches = reached;
    for (Exit& exit : exits) {
        const bool is_branch = successors[exit.from].size() > 1;
        std::swap(successors[exit.from], exit.others);
        std::vector<bool> still = reaching(successors);
        bool is_good = still[0] == reaches[0] && (still[exit.from] || !is_branch);
        for (std::size_t k = 0; k < successors.size() && is_good; ++k)
            is_good = still[k] || !reaches[k] || successors[k].size() < 2;
        if (is_good)
            reaches = std::move(still);
        else
            std::swap(successors[exit.from], exit.others);
    }
}

std::vector<int> immediate_post_dominators(const std::vector<std::vector<int>>& successors) {
    const int count = static_cast<int>(successors.size()), exit = count;
    std::vector<std::vector<int>> predecessors(static_cast<std::size_t>(count) + 1);
    for (int i = 0; i < count; ++i) {
        for (const int s : successors[static_cast<std::size_t>(i)])
            predecessors[static_cast<std::size_t>(s < 0 ? exit : s)].push_back(i);
    }
    // Post-order of the reversed graph from the exit, without recursion.
    std::vector<int> order, number(static_cast<std::size_t>(count) + 1, -1);
    std::vector<std::pair<int, std::size_t>> stack{{exit, 0}};
    std::vector<bool> seen(static_cast<std::size_t>(count) + 1, false);
    seen[static_cast<std::size_t>(exit)] = true;
    while (!stack.empty()) {
        auto& [node, next] = stack.back();
        const auto& into = predecessors[static_cast<std::size_t>(node)];
        if (next < into.size()) {
            const int p = into[next++];
            if (!seen[static_cast<std::size_t>(p)]) {
                seen[static_cast<std::size_t>(p)] = true;
                stack.emplace_back(p, 0);
            }
        } else {
            number[static_cast<std::size_t>(node)] = static_cast<int>(order.size());
            order.push_back(node);
            stack.pop_back();
        }
    }
    std::vector<int> parent(static_cast<std::size_t>(count) + 1, -2);
    parent[static_cast<std::size_t>(exit)] = exit;
    const auto meet = [&](int a, int b) {
        while (a != b) {
            while (number[static_cast<std::size_t>(a)] < number[static_cast<std::size_t>(b)])
                a = parent[static_cast<std::size_t>(a)];
            while (number[static_cast<std::size_t>(b)] < number[static_cast<std::size_t>(a)])
                b = parent[static_cast<std::size_t>(b)];
        }
        return a;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (auto it = order.rbegin(); it != order.rend(); ++it) {
            if (*it == exit) continue;
            int best = -2;
            for (const int s : successors[static_cast<std::size_t>(*it)]) {
                const int node = s < 0 ? exit : s;
                if (parent[static_cast<std::size_t>(node)] == -2) continue;
                best = best == -2 ? node : meet(best, node);
            }
            if (best != -2 && parent[static_cast<std::size_t>(*it)] != best) {
                parent[static_cast<std::size_t>(*it)] = best;
                changed = true;
            }
        }
    }
    // A segment from which the end cannot be reached (an endless loop) reconverges nowhere.
    std::vector<int> result(static_cast<std::size_t>(count), -1);
    for (int i = 0; i < count; ++i) {
        const int p = parent[static_cast<std::size_t>(i)];
        result[static_cast<std::size_t>(i)] = p == exit || p == -2 ? -1 : p;
    }
    return result;
}

}  // namespace warpgrade::vgpu
