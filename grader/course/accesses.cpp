#include "course/accesses.hpp"

#include <algorithm>

namespace warpgrade {

using vgpu::Counters;

namespace {

std::uint64_t rows_of(std::uint64_t sectors) { return (sectors + 3) / 4; }

}  // namespace

Accesses global_loads(const Counters& c) {
    return {c.global_load_requests + c.wide_copy_requests + rows_of(c.bulk_load_sectors),
            c.global_load_sectors + c.wide_copy_sectors + c.bulk_load_sectors,
            c.global_load_sectors_ideal + c.wide_copy_sectors_ideal + c.bulk_load_sectors};
}

Accesses global_stores(const Counters& c) {
    return {c.global_store_requests + rows_of(c.bulk_store_sectors), c.global_store_sectors + c.bulk_store_sectors,
            c.global_store_sectors_ideal + c.bulk_store_sectors};
}

Accesses shared_loads(const Counters& c) {
    const std::uint64_t bulk = rows_of(c.bulk_store_sectors);
    return {c.shared_load_requests + bulk, c.shared_load_wavefronts + bulk, c.shared_load_wavefronts_ideal + bulk};
}

Accesses shared_stores(const Counters& c) {
    const std::uint64_t bulk = rows_of(c.bulk_load_sectors);
    return {c.shared_store_requests + c.async_copy_requests + bulk,
            c.shared_store_wavefronts + c.async_copy_wavefronts + bulk,
            c.shared_store_wavefronts_ideal + c.async_copy_wavefronts_ideal + bulk};
}

namespace {

constexpr AccessesNamed all_accesses[]{{"global_load", "loaded from global", global_loads},
                                       {"global_store", "stored to global", global_stores},
                                       {"shared_load", "loaded from shared", shared_loads},
                                       {"shared_store", "stored to shared", shared_stores}};

}  // namespace

const AccessesNamed* accesses_named(std::string_view name) {
    const auto found =
        std::ranges::find_if(all_accesses, [&](const AccessesNamed& one) { return name.starts_with(one.stem); });
    return found == std::end(all_accesses) ? nullptr : found;
}

}  // namespace warpgrade
