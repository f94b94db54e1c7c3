// Immediate post-dominators by the iterative algorithm on the reversed graph (Cooper, Harvey, Kennedy 2001).
#include <utility>

#include "vgpu/lowering.hpp"

namespace warpgrade::vgpu {

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
