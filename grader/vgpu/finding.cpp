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

}  // namespace warpgrade::vgpu
