#include "vgpu/launch_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace warpgrade::vgpu {

namespace {

std::uint64_t warps_of_block(const LaunchState& state) { return (state.launch->block.count() + 31) / 32; }
// Of a block's threads' own memory, which is marked as not written before it begins.
std::uint64_t local_work(const LaunchState& state) {
    const std::uint64_t local = state.code->local_bytes == 0 ? 0 : 32 * local_words(state.code->local_bytes);
    return warps_of_block(state) * (local / price::copied_bytes);
}

}  // namespace

std::uint64_t context_bytes(const LaunchState& state) {
    const std::uint64_t warps = (state.launch->block.count() + 31) / 32;
    const std::uint64_t units = state.shared_bytes >> state.code->unit_shift;
    return state.program->constant_bytes + state.shared_bytes + 16 * units +
           warps * (state.code->frame_bytes + std::uint64_t{40} * state.code->local_bytes + sizeof(WarpState)) + 4096;
}

std::uint64_t launch_work(const Program& program) {
    return price::launch + program.sites.size() + program.segment_count + 2 * program.variables.size();
}

std::uint64_t block_work(const LaunchState& state) {
    return price::block + warps_of_block(state) * price::warp + local_work(state) +
           state.shared_bytes / price::copied_bytes;
}
std::uint64_t context_work(const LaunchState& state) { return context_bytes(state) / price::fresh_bytes; }

void settle(LaunchState& state, RunResult& result) {
    const Limits& limits = state.options->limits;
    const auto is_stop = [](const Finding& f) {
        return f.kind == FindingKind::timeout && f.reason == FindingReason::none;
    };
    const bool is_over =
        state.is_out_of_time || (state.work > state.work_limit && (result.is_complete || state.is_out_of_work));
    if (is_over && std::none_of(result.findings.begin(), result.findings.end(), is_stop)) {
        Finding late;
        late.kind = FindingKind::timeout;
        if (!state.is_host) late.kernel = state.code->display_name;
        const auto& segments = state.code->segments;
        if (!segments.empty() && !segments.front().lines.empty())
            late.place.line = segments.front().lines.front().first;
        result.findings.push_back(std::move(late));
    }
    for (Finding& f : result.findings) {
        if (!is_stop(f)) continue;
        f.limit = state.work_limit;
        if (limits.budget != nullptr) f.limit += limits.budget->spent();
        if (f.is_endless) continue;
        if (state.is_out_of_time) {
            f.reason = FindingReason::time;
            f.limit = state.work;
            continue;
        }
        if (state.unseen_lines * price::unseen_line > state.work_limit / 2) {
            f.reason = FindingReason::prints;
            f.limit = state.unseen_lines;
        } else if (state.code->is_kernel && state.block_count > state.work_limit / 2 / state.block_work) {
            const bool is_local = local_work(state) > state.block_work / 2;
            f.reason = is_local ? FindingReason::local : FindingReason::blocks;
            f.limit = is_local ? static_cast<std::uint64_t>(state.code->local_bytes) : state.block_count;
        }
    }
    result.is_complete = result.is_complete && !is_over;
    const bool is_known = result.is_complete || state.is_host;
    state.cost = is_over ? state.work_limit : is_known ? state.work.load() : launch_work(*state.program);
    if (state.is_out_of_time) state.cost = std::numeric_limits<std::uint64_t>::max();  // all that is left
}

// The blocks of a cluster are there at once, whatever each keeps.
bool has_room_for_cluster(const LaunchState& state) {
    const std::uint64_t blocks = state.cluster.count();
    return blocks == 1 || blocks <= kMostContextBytes / context_bytes(state);
}

RunResult without_room(const LaunchState& state) {
    RunResult result;
    Finding& f = result.findings.emplace_back();
    f.kind = FindingKind::unsupported;
    f.kernel = state.code->display_name;
    const auto& segments = state.code->segments;
    if (!segments.empty() && !segments.front().lines.empty()) f.place.line = segments.front().lines.front().first;
    f.detail = fmt::format("a cluster of {} blocks that need {} MiB together", state.cluster.count(),
                           state.cluster.count() * (context_bytes(state) >> 20));
    result.is_complete = false;
    return result;
}

}  // namespace warpgrade::vgpu
