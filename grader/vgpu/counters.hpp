// What the virtual GPU counts, in Nsight Compute's meaning (handouts/reference.md section 4).
#pragma once

#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

namespace warpgrade::vgpu {

// Sums over warps. Global: l1tex__t_{requests,sectors}_pipe_lsu_mem_global_op_{ld,st}.sum; shared:
// smsp__inst_executed_op_shared_{ld,st}.sum and l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{ld,st}.sum.
// An instruction with no active lane makes no request. `ideal`: what the same bytes need at best, the number of active
// lanes times their width over 32, rounded up (sectors), or 1, 2, 4 for accesses of up to 4, 8, 16 bytes (wavefronts).
struct Counters {
    std::uint64_t warp_instructions = 0;    // PTX instructions issued, by warp
    std::uint64_t thread_instructions = 0;  // the same, by active lane
    std::uint64_t double_instructions = 0;  // of warp_instructions, those that compute in double precision
    std::uint64_t global_load_requests = 0;
    std::uint64_t global_load_sectors = 0;
    std::uint64_t global_load_sectors_ideal = 0;
    std::uint64_t global_store_requests = 0;
    std::uint64_t global_store_sectors = 0;
    std::uint64_t global_store_sectors_ideal = 0;
    std::uint64_t global_atomic_requests = 0;  // atom and red on global memory
    std::uint64_t global_atomic_sectors = 0;
    std::uint64_t global_atomic_operations = 0;  // lanes that made one
    std::uint64_t shared_load_requests = 0;
    std::uint64_t shared_load_wavefronts = 0;
    std::uint64_t shared_load_wavefronts_ideal = 0;
    std::uint64_t shared_store_requests = 0;
    std::uint64_t shared_store_wavefronts = 0;
    std::uint64_t shared_store_wavefronts_ideal = 0;
    std::uint64_t shared_atomic_requests = 0;
    std::uint64_t shared_atomic_wavefronts = 0;
    std::uint64_t shared_atomic_operations = 0;
    // cp.async: smsp__inst_executed_op_ldgsts. Copies of 4 and 8 bytes a lane are among the global loads, as Nsight
    // Compute has them; those of 16 bytes, which go past the L1 cache, are not.
    std::uint64_t async_copy_requests = 0;
    std::uint64_t wide_copy_requests = 0;  //   of these, 16 bytes a lane
    std::uint64_t wide_copy_sectors = 0;
    std::uint64_t wide_copy_sectors_ideal = 0;
    std::uint64_t async_copy_wavefronts = 0;  //   of all, written to shared
    std::uint64_t async_copy_wavefronts_ideal = 0;
    std::uint64_t bulk_load_requests = 0;  // cp.async.bulk, global to shared, by lane; no counter of the LSU sees these
    std::uint64_t bulk_load_sectors = 0;
    std::uint64_t bulk_store_requests = 0;  // shared to global
    std::uint64_t bulk_store_sectors = 0;
    std::uint64_t local_requests = 0;      // local memory, loads and stores
    std::uint64_t shuffles = 0;            // shfl, by warp
    std::uint64_t barriers = 0;            // block-wide barriers, by warp
    std::uint64_t branches = 0;            // conditional branches, by warp
    std::uint64_t divergent_branches = 0;  // of these, the lanes went both ways

    Counters& operator+=(const Counters& other);
    bool operator==(const Counters&) const = default;
};

struct CounterField {
    std::string_view name;
    std::uint64_t Counters::*field;
    // need_slice.hpp counts what of it the output needs, which is what rules compare. Of the others they compare all.
    bool is_followed = false;
};
// The one list for JSON, technique rules, sums and kept evidence: every field above, in that order.
inline constexpr CounterField counter_list[]{
    {"warp_instructions", &Counters::warp_instructions},
    {"thread_instructions", &Counters::thread_instructions},
    {"double_instructions", &Counters::double_instructions},
    {"global_load_requests", &Counters::global_load_requests, true},
    {"global_load_sectors", &Counters::global_load_sectors, true},
    {"global_load_sectors_ideal", &Counters::global_load_sectors_ideal, true},
    {"global_store_requests", &Counters::global_store_requests, true},
    {"global_store_sectors", &Counters::global_store_sectors, true},
    {"global_store_sectors_ideal", &Counters::global_store_sectors_ideal, true},
    {"global_atomic_requests", &Counters::global_atomic_requests, true},
    {"global_atomic_sectors", &Counters::global_atomic_sectors, true},
    {"global_atomic_operations", &Counters::global_atomic_operations, true},
    {"shared_load_requests", &Counters::shared_load_requests, true},
    {"shared_load_wavefronts", &Counters::shared_load_wavefronts, true},
    {"shared_load_wavefronts_ideal", &Counters::shared_load_wavefronts_ideal, true},
    {"shared_store_requests", &Counters::shared_store_requests, true},
    {"shared_store_wavefronts", &Counters::shared_store_wavefronts, true},
    {"shared_store_wavefronts_ideal", &Counters::shared_store_wavefronts_ideal, true},
    {"shared_atomic_requests", &Counters::shared_atomic_requests, true},
    {"shared_atomic_wavefronts", &Counters::shared_atomic_wavefronts, true},
    {"shared_atomic_operations", &Counters::shared_atomic_operations, true},
    {"async_copy_requests", &Counters::async_copy_requests, true},
    {"wide_copy_requests", &Counters::wide_copy_requests, true},
    {"wide_copy_sectors", &Counters::wide_copy_sectors, true},
    {"wide_copy_sectors_ideal", &Counters::wide_copy_sectors_ideal, true},
    {"async_copy_wavefronts", &Counters::async_copy_wavefronts, true},
    {"async_copy_wavefronts_ideal", &Counters::async_copy_wavefronts_ideal, true},
    {"bulk_load_requests", &Counters::bulk_load_requests, true},
    {"bulk_load_sectors", &Counters::bulk_load_sectors, true},
    {"bulk_store_requests", &Counters::bulk_store_requests, true},
    {"bulk_store_sectors", &Counters::bulk_store_sectors, true},
    {"local_requests", &Counters::local_requests},
    {"shuffles", &Counters::shuffles, true},
    {"barriers", &Counters::barriers, true},
    {"branches", &Counters::branches},
    {"divergent_branches", &Counters::divergent_branches, true},
};
static_assert(std::size(counter_list) * sizeof(std::uint64_t) == sizeof(Counters), "the list leaves a counter out");
constexpr std::span<const CounterField> counter_fields() { return counter_list; }

struct LineCounters {
    int line = 0;  // of the submission; 0 = no line known
    Counters counters;
};

}  // namespace warpgrade::vgpu
