#include "vgpu/old_values.hpp"

#include <algorithm>

namespace warpgrade::vgpu {

namespace {
constexpr std::size_t kMostStores = 8;  // that are remembered of a word

bool is_by_same(const Touch& a, const Touch& b) {
    return a.warp == b.warp && a.instruction == b.instruction && a.lane == b.lane;
}

void add_new(std::vector<SourceSite>& sites, SourceSite site) {
    if (std::find(sites.begin(), sites.end(), site) == sites.end()) sites.push_back(site);
}
}  // namespace

void OldValues::note(SourceSite site) { add_new(noted_, site); }
void OldValues::note_draw(SourceSite site) { add_new(noted_draws_, site); }

void OldValues::store(std::uint64_t word, std::uint32_t before, const Touch& by) {
    Word& w = words_[word];
    w.stores.emplace_back(before, by);
    w.seen[by.warp] = w.forgotten + w.stores.size();
    if (w.stores.size() <= kMostStores) return;
    w.stores.erase(w.stores.begin());
    ++w.forgotten;
}

std::vector<std::pair<std::uint64_t, std::uint32_t>> OldValues::read(std::uint32_t warp,
                                                                     std::span<const std::uint64_t> words,
                                                                     const MayBeMissed& may_be_missed, Touch& missed) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> old;
    const Touch* together = nullptr;  // the store of which the warp sees nothing
    // Of stores by several instructions the last one is late.
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto at = words_.find(words[i]);
        if (at == words_.end() || at->second.stores.empty() || at->second.had_old[warp]) continue;
        const Touch& last = at->second.stores.back().second;
        if (!last.is_strong || at->second.seen[warp] >= at->second.forgotten + at->second.stores.size() ||
            !may_be_missed(last))
            continue;
        if (together == nullptr || (last.warp == together->warp && last.instruction > together->instruction))
            together = &last;
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        const auto at = words_.find(words[i]);
        if (at == words_.end()) continue;
        Word& w = at->second;
        if (together == nullptr || w.stores.empty() || !is_by_same(w.stores.back().second, *together)) {
            w.seen[warp] = w.forgotten + w.stores.size();
            continue;
        }
        std::size_t first = w.stores.size();
        while (first > 0 && w.forgotten + first > w.seen[warp] && w.stores[first - 1].second.is_strong &&
               may_be_missed(w.stores[first - 1].second))
            --first;
        // Of one word the oldest; of several, what they held together.
        if (words.size() > 1) first = w.stores.size() - 1;
        old.emplace_back(words[i], w.stores[first].first);
        missed = w.stores[first].second;
        w.had_old[warp] = true;
        w.seen[warp] = std::max(w.seen[warp], w.forgotten + first);
    }
    return old;
}

}  // namespace warpgrade::vgpu
