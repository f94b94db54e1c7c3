#include "vgpu/launch_results.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "vgpu/race_tracker.hpp"

namespace warpgrade::vgpu {

namespace {

// The two halves of a copy are told apart by their access: a cp.async reads global memory and writes shared memory; of
// a bulk copy only the half in global memory counts.
void add_copy(Counters& c, const Site& site, const SiteCount& n) {
    const bool is_read = site.access == AccessKind::read;
    if (site.is_bulk) {
        (is_read ? c.bulk_load_requests : c.bulk_store_requests) += n.requests;
        (is_read ? c.bulk_load_sectors : c.bulk_store_sectors) += n.units;
    } else if (is_read) {
        const bool is_wide = site.width == 16;
        c.async_copy_requests += n.requests;
        (is_wide ? c.wide_copy_requests : c.global_load_requests) += n.requests;
        (is_wide ? c.wide_copy_sectors : c.global_load_sectors) += n.units;
        (is_wide ? c.wide_copy_sectors_ideal : c.global_load_sectors_ideal) += n.ideal;
    } else {
        c.async_copy_wavefronts += n.units;
        c.async_copy_wavefronts_ideal += n.ideal;
    }
}

}  // namespace

void add_site(Counters& c, const Site& site, const SiteCount& n) {
    const auto space = static_cast<ptx::Space>(site.space);
    if (site.is_copy) return add_copy(c, site, n);
    switch (site.access) {
        case AccessKind::none: c.barriers += n.requests; return;
        case AccessKind::read:
            if (space == ptx::Space::shared) {
                c.shared_load_requests += n.requests;
                c.shared_load_wavefronts += n.units;
                c.shared_load_wavefronts_ideal += n.ideal;
            } else if (space == ptx::Space::local) {
                c.local_requests += n.requests;
            } else if (space != ptx::Space::constant) {  // that has a cache and counters of its own
                c.global_load_requests += n.requests;
                c.global_load_sectors += n.units;
                c.global_load_sectors_ideal += n.ideal;
            }
            return;
        case AccessKind::write:
            if (space == ptx::Space::shared) {
                c.shared_store_requests += n.requests;
                c.shared_store_wavefronts += n.units;
                c.shared_store_wavefronts_ideal += n.ideal;
            } else if (space == ptx::Space::local) {
                c.local_requests += n.requests;
            } else {
                c.global_store_requests += n.requests;
                c.global_store_sectors += n.units;
                c.global_store_sectors_ideal += n.ideal;
            }
            return;
        case AccessKind::atomic:
            if (space == ptx::Space::shared) {
                c.shared_atomic_requests += n.requests;
                c.shared_atomic_wavefronts += n.units;
                c.shared_atomic_operations += n.ideal;
            } else {
                c.global_atomic_requests += n.requests;
                c.global_atomic_sectors += n.units;
                c.global_atomic_operations += n.ideal;
            }
            return;
    }
}

void take_logs(const LaunchState& state, Workers& workers) {
    NeedTrace& trace = *state.options->need;
    NeedTrace::Step& step = trace.steps.emplace_back();
    step.function = state.function;
    step.threads_per_block = state.launch->block.count();
    step.own_shared_bytes = state.own_shared_bytes;
    trace.is_cut = trace.is_cut || state.has_clusters;  // a slice follows shared memory of one block
    for (auto& worker : workers) {
        trace.is_cut = trace.is_cut || worker->need->is_cut;
        trace.facts.add(worker->need->facts);
        step.logs.push_back(std::move(worker->need));
    }
}

void KernelProfile::add(const KernelProfile& other, double times) {
    const auto add_all = [&](std::vector<double>& own, const std::vector<double>& others) {
        own.resize(std::max(own.size(), others.size()), 0);
        for (std::size_t i = 0; i < others.size(); ++i) own[i] += times * others[i];
    };
    warps += times * other.warps;
    add_all(instructions, other.instructions);
    add_all(requests, other.requests);
    add_all(units, other.units);
}

KernelProfile profile_of(const LaunchState& state, const Workers& workers) {
    // A warp that does not wait at a barrier saves more than its instruction.
    constexpr double barrier_instructions = 16;
    const Program* const program = state.program;
    KernelProfile profile;
    const Sample* const sample = state.options->sample;
    const std::uint64_t blocks = sample ? sample->blocks.size() : state.block_count;
    profile.warps = static_cast<double>(blocks * ((state.launch->block.count() + 31) / 32));
    profile.instructions.assign(program->segment_count, 0);
    profile.requests.assign(program->sites.size(), 0);
    profile.units.assign(program->sites.size(), 0);
    for (const auto& worker : workers) {
        for (const Code& code : program->functions) {
            for (const Segment& segment : code.segments) {
                const bool is_barrier = segment.terminator.kind == TerminatorKind::barrier ||
                                        segment.terminator.kind == TerminatorKind::cluster_wait;
                profile.instructions[segment.id] += static_cast<double>(worker->segments[segment.id].runs) *
                                                    (segment.instructions + (is_barrier ? barrier_instructions : 0));
            }
        }
        for (std::size_t s = 0; s < program->sites.size(); ++s) {
            profile.requests[s] += static_cast<double>(worker->counts[s].requests);
            profile.units[s] += static_cast<double>(worker->counts[s].units);
        }
    }
    return profile;
}

void add(Meetings& all, const Meetings& others) {
    for (const auto& [line, meeting] : others) {
        const auto known = all.emplace(line, meeting).first;
        known->second.is_followed = known->second.is_followed || meeting.is_followed;
    }
}

Meetings meetings_of(const LaunchState& state, const Workers& workers) {
    const Program* const program = state.program;
    const auto each_access = [&](const auto& tell) {
        for (const auto& worker : workers)
            for (std::size_t s = 0; s < program->sites.size(); ++s)
                if (worker->counts[s].requests != 0 && worker->caches[s].buffer >= 0)
                    tell(program->sites[s], worker->caches[s].buffer);
    };
    std::map<int, std::set<AccessKind>> kinds;  // by buffer
    each_access([&](const Site& site, int buffer) { kinds[buffer].insert(site.access); });
    const bool is_followed = state.races != nullptr && state.races->has_followed_all();
    Meetings meetings;
    each_access([&](const Site& site, int buffer) {
        if (is_followed || kinds[buffer].size() > 1)
            meetings.try_emplace({state.code->info.name, site.outer_line},
                                 Meeting{state.memory->buffer(buffer).spec.name, is_followed});
    });
    return meetings;
}

void collect(const LaunchState& state, const Workers& workers, RunResult& result) {
    const Program* const program = state.program;
    std::map<int, Counters> lines;
    const auto at_line = [&](int line) -> Counters& { return lines[line]; };
    for (const auto& worker : workers) {
        for (std::size_t s = 0; s < program->sites.size(); ++s) {
            const SiteCount& n = worker->counts[s];
            if (n.requests == 0) continue;
            const Site& site = program->sites[s];
            add_site(at_line(site.outer_line), site, n);
        }
        for (const Code& code : program->functions) {
            for (const Segment& segment : code.segments) {
                const SegmentCount& n = worker->segments[segment.id];
                if (n.runs == 0) continue;
                for (const auto& [line, of] : segment.lines) {
                    Counters& c = at_line(line);
                    c.warp_instructions += n.runs * of.instructions;
                    c.thread_instructions += n.lanes * of.instructions;
                    c.double_instructions += n.runs * of.in_double;
                }
                if (segment.shuffles > 0) at_line(segment.shuffle_line).shuffles += n.runs * segment.shuffles;
                if (segment.terminator.kind == TerminatorKind::branch) {
                    Counters& c = at_line(program->sites[segment.terminator.site].outer_line);
                    c.branches += n.runs;
                    c.divergent_branches += n.diverged;
                }
            }
        }
    }
    for (const auto& [line, counters] : lines) {
        result.by_line.push_back({line, counters});
        result.counters += counters;
    }
    std::map<FindingKey, std::pair<std::uint64_t, Finding>> merged;
    for (const auto& worker : workers) {
        for (const auto& [key, value] : worker->findings) {
            const auto [at, inserted] = merged.try_emplace(key, value);
            if (inserted) continue;
            const std::uint64_t total = at->second.second.occurrences + value.second.occurrences;
            const bool is_far = value.second.kind == FindingKind::out_of_bounds_shared;
            const bool is_across = at->second.second.crosses_blocks || value.second.crosses_blocks;
            const std::uint64_t reach = std::max(at->second.second.value, value.second.value);
            if (value.first < at->second.first) at->second = value;
            at->second.second.occurrences = total;
            at->second.second.crosses_blocks = is_across;
            if (is_far) at->second.second.value = reach;
        }
        result.trace.insert(result.trace.end(), worker->trace.begin(), worker->trace.end());
        result.trace_is_cut |= worker->trace_is_cut;
    }
    const auto place = [](const Access& a) { return std::tuple(a.block.z, a.block.y, a.block.x); };
    std::stable_sort(result.trace.begin(), result.trace.end(),
                     [&](const Access& a, const Access& b) { return place(a) < place(b); });
    std::vector<std::pair<std::uint64_t, Finding>> ordered;
    for (auto& [key, value] : merged) ordered.push_back(std::move(value));
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [block, finding] : ordered) result.findings.push_back(std::move(finding));
    result.is_complete = !state.is_stopped;
}

}  // namespace warpgrade::vgpu
