// Accesses of one kind, whatever instruction makes them: a cp.async loads from global and stores to shared memory as ld
// and st do, and a bulk copy moves whole 128-byte rows of sectors, each as good as a request, without conflicts.
#pragma once

#include <cstdint>
#include <string_view>

#include "vgpu/counters.hpp"

namespace warpgrade {

struct Accesses {
    std::uint64_t requests = 0, units = 0, ideal = 0;  // units: sectors, or wavefronts
};
Accesses global_loads(const vgpu::Counters& counted);
Accesses global_stores(const vgpu::Counters& counted);
Accesses shared_loads(const vgpu::Counters& counted);
Accesses shared_stores(const vgpu::Counters& counted);

struct AccessesNamed {
    std::string_view stem, where;  // "global_load", "loaded from global"
    Accesses (*of)(const vgpu::Counters&);
};
// By how the name of a number about them begins; nullptr: it is not about accesses.
const AccessesNamed* accesses_named(std::string_view name);

}  // namespace warpgrade
