#include "vgpu/finding.hpp"

namespace warpgrade::vgpu {

std::string to_string(FindingKind kind) {
    switch (kind) {
        case FindingKind::out_of_bounds: return "out_of_bounds";
        case FindingKind::out_of_bounds_shared: return "out_of_bounds_shared";
        case FindingKind::out_of_bounds_local: return "out_of_bounds_local";
        case FindingKind::misaligned: return "misaligned";
        case FindingKind::uninitialized: return "uninitialized";
        case FindingKind::race_shared: return "race_shared";
        case FindingKind::race_global: return "race_global";
        case FindingKind::barrier_divergence: return "barrier_divergence";
        case FindingKind::inactive_lane: return "inactive_lane";
        case FindingKind::host_dereference: return "host_dereference";
        case FindingKind::write_to_input: return "write_to_input";
        case FindingKind::trap: return "trap";
        case FindingKind::assertion: return "assertion";
        case FindingKind::timeout: return "timeout";
        case FindingKind::unsupported: return "unsupported";
        case FindingKind::invalid_launch: return "invalid_launch";
        case FindingKind::deadlock: return "deadlock";
        case FindingKind::invalid_call: return "invalid_call";
        case FindingKind::undefined_operand: return "undefined_operand";
    }
    return "unknown";
}

std::string_view to_string(FindingReason reason) {
    switch (reason) {
        case FindingReason::none: return "";
        case FindingReason::awaits_copy: return "awaits_copy";
        case FindingReason::division_by_zero: return "division_by_zero";
        case FindingReason::variable: return "variable";
        case FindingReason::passed_variable: return "passed_variable";
        case FindingReason::host_memory: return "host_memory";
        case FindingReason::ended: return "ended";
        case FindingReason::part_of_warp: return "part_of_warp";
        case FindingReason::two_places: return "two_places";
        case FindingReason::awaited: return "awaited";
        case FindingReason::never_arrives: return "never_arrives";
        case FindingReason::not_in_mask: return "not_in_mask";
        case FindingReason::not_started: return "not_started";
        case FindingReason::no_such_block: return "no_such_block";
        case FindingReason::mbarrier: return "mbarrier";
        case FindingReason::cluster: return "cluster";
        case FindingReason::recursion: return "recursion";
        case FindingReason::waits: return "waits";
        case FindingReason::launches: return "launches";
        case FindingReason::time: return "time";
        case FindingReason::blocks: return "blocks";
        case FindingReason::local: return "local";
        case FindingReason::prints: return "prints";
        case FindingReason::bytes: return "bytes";
        case FindingReason::no_function: return "no_function";
        case FindingReason::kernel_as_function: return "kernel_as_function";
        case FindingReason::free_unknown: return "free_unknown";
        case FindingReason::cuda_free_unknown: return "cuda_free_unknown";
        case FindingReason::passed_freed: return "passed_freed";
    }
    return "unknown";
}

std::string summary(const Finding& finding) {
    std::string text = to_string(finding.kind);
    for (const std::string_view more :
         {to_string(finding.reason), std::string_view(finding.error), std::string_view(finding.detail)})
        if (!more.empty()) text.append(": ").append(more);
    return text;
}

}  // namespace warpgrade::vgpu
