// Maps, sets and queues, with orders and hashes of their own.
#include <cstdio>
#include <functional>
#include <map>
#include <queue>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>
struct Item { int cost; std::string name; bool operator<(const Item &o) const { return cost < o.cost; } Item(int c, std::string n) : cost(c), name(n) {} };
struct Hash { size_t operator()(const std::pair<int, int> &p) const { return p.first * 31 + p.second; } };
static int total(const std::map<std::string, int> &m) { int s = 0; for (const auto &p : m) s += p.second; auto it = m.find("b"); return s + (it != m.end() ? it->second : 0) + m.at("a"); }
int main() {
    std::map<std::string, int> m{{"a", 1}, {"b", 2}};
    auto [at, fresh] = m.emplace("c", 3);
    printf("%d %d %d %zu\n", at->second, (int)fresh, total(m), m.erase("zz"));
    for (auto it = m.begin(); it != m.end();) it = it->second % 2 ? m.erase(it) : std::next(it);
    printf("%zu %s\n", m.size(), m.lower_bound("aa")->first.c_str());
    std::priority_queue<int, std::vector<int>, std::greater<int>> least;
    for (int v : {5, 1, 4}) least.emplace(v);
    std::priority_queue<Item> items;
    items.emplace(3, "three");
    items.emplace(7, "seven");
    std::queue<std::pair<int, int>> q;
    q.emplace(1, 2);
    std::unordered_map<std::pair<int, int>, int, Hash> grid;
    grid[{1, 2}] = 9;
    std::unordered_set<int> seen;
    int twice = 0;
    for (int v : {1, 2, 1}) twice += !seen.insert(v).second;
    printf("%d %s %d %d %d\n", least.top(), items.top().name.c_str(), q.front().second, grid.at({1, 2}), twice);
}
