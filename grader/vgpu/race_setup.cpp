// Which launches are tracked, from their start to who stored last.
#include <algorithm>

#include "vgpu/old_values.hpp"
#include "vgpu/race_tracker.hpp"
#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

namespace {

// Beyond these a launch is tracked only to explain a race that was found: the costs are a record of some 80 bytes a
// word and a vector of all warps for each place that orders blocks (RaceTracker::kMostWarps).
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;

// Of a grid that is larger than can be counted, as many as can.
std::uint64_t warps_of(const LaunchState& launch) {
    const std::uint64_t warps = (launch.launch->block.count() + 31) / 32, most = ~std::uint64_t{0};
    return launch.block_count > most / warps ? most : launch.block_count * warps;
}

}  // namespace

bool is_small_enough(const LaunchState& launch) {
    if (launch.is_host || !launch.options->check_races || warps_of(launch) > RaceTracker::kMostWarps) return false;
    std::uint64_t bytes = 0;
    for (int i = 0; i < launch.memory->count(); ++i) {
        const Buffer& b = launch.memory->buffer(i);
        if (!b.is_freed && !b.spec.is_read_only) bytes += b.spec.bytes;
    }
    return bytes <= kMostBytes;
}

bool has_part_to_track(const LaunchState& launch) {
    if (launch.is_host || !launch.options->check_races) return false;
    return warps_of(launch) <= (launch.keeps_published ? RaceTracker::kMostWarps : std::uint64_t{1} << 24);
}

void RaceTracker::follow_part() {
    most_pages_ = kMostBytes / 4 / kPageWords;
    old_values_ = nullptr;
}

RaceTracker::RaceTracker(LaunchState& launch, std::vector<std::uint64_t> watched, bool looks_at_global,
                         bool looks_at_shared, std::int64_t most_touches)
    : launch_(launch),
      watched_(std::move(watched)),
      looks_at_global_(looks_at_global),
      looks_at_shared_(looks_at_shared),
      warps_per_block_(static_cast<std::uint32_t>((launch.launch->block.count() + 31) / 32)),
      warp_count_(warps_of(launch)),
      touches_left_(most_touches) {
    if (looks_at_global_ && watched_.empty()) old_values_ = std::make_unique<OldValues>(launch_.options->old_values_at);
}

RaceTracker::~RaceTracker() = default;

void RaceTracker::start(BlockClocks& clocks) const {
    clocks.warps.clear();
    clocks.warps.resize(warps_per_block_);
    for (std::uint32_t i = 0; i < warps_per_block_; ++i) {
        clocks.warps[i].knows.own.assign(warps_per_block_, 0);
        clocks.warps[i].knows.own[i] = 1;
    }
    clocks.places.clear();
    clocks.last_place = nullptr;
    clocks.bulk_stores.clear();
    clocks.told_copies.clear();
    if (looks_at_shared_) clocks.words.assign((launch_.shared_bytes >> launch_.code->unit_shift) + 16, TrackedWord{});
}

std::function<std::optional<ThreadPlace>(std::uint64_t)> RaceTracker::take_last_stores() {
    if (!has_followed_all()) return nullptr;
    // A plan may have thousands of launches that store a word here and there: of most pages little is kept.
    struct Kept {
        std::unique_ptr<Page> page;
        std::vector<std::pair<std::uint64_t, Touch>> words;  // by place in the page, where there is no page
    };
    constexpr std::ptrdiff_t few = kPageWords / 4;
    auto kept = std::make_shared<std::unordered_map<std::uint64_t, Kept>>();
    for (auto& [number, page] : pages_) {
        const auto is_written = [](const TrackedWord& word) { return word.write.warp != 0; };
        const auto count = std::count_if(page->begin(), page->end(), is_written);
        if (count == 0) continue;
        Kept& one = (*kept)[number];
        if (count > few) {
            one.page = std::move(page);
            continue;
        }
        for (std::uint64_t i = 0; i < kPageWords; ++i)
            if (is_written((*page)[i])) one.words.emplace_back(i, (*page)[i].write);
    }
    pages_.clear();
    const Dim3 grid = launch_.launch->grid, size = launch_.launch->block;
    return [kept, grid, size](std::uint64_t address) -> std::optional<ThreadPlace> {
        for (const unsigned shift : {2u, 1u, 0u}) {
            const std::uint64_t unit = address >> shift;
            const auto found = kept->find(page_of(unit, shift));
            if (found == kept->end()) continue;
            const Kept& one = found->second;
            if (one.page != nullptr) {
                const Touch& write = (*one.page)[unit % kPageWords].write;
                if (write.warp != 0) return place_of(write, grid, size);
            }
            for (const auto& [at, write] : one.words)
                if (at == unit % kPageWords) return place_of(write, grid, size);
        }
        return std::nullopt;
    };
}

}  // namespace warpgrade::vgpu
