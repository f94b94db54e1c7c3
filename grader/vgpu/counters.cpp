#include "vgpu/counters.hpp"

namespace warpgrade::vgpu {

const std::vector<CounterField>& counter_fields() {
    static const std::vector<CounterField> fields{
        {"warp_instructions", &Counters::warp_instructions},
        {"thread_instructions", &Counters::thread_instructions},
        {"global_load_requests", &Counters::global_load_requests},
        {"global_load_sectors", &Counters::global_load_sectors},
        {"global_load_sectors_ideal", &Counters::global_load_sectors_ideal},
        {"global_store_requests", &Counters::global_store_requests},
        {"global_store_sectors", &Counters::global_store_sectors},
        {"global_store_sectors_ideal", &Counters::global_store_sectors_ideal},
        {"global_atomic_requests", &Counters::global_atomic_requests},
        {"global_atomic_sectors", &Counters::global_atomic_sectors},
        {"global_atomic_operations", &Counters::global_atomic_operations},
        {"shared_load_requests", &Counters::shared_load_requests},
        {"shared_load_wavefronts", &Counters::shared_load_wavefronts},
        {"shared_load_wavefronts_ideal", &Counters::shared_load_wavefronts_ideal},
        {"shared_store_requests", &Counters::shared_store_requests},
        {"shared_store_wavefronts", &Counters::shared_store_wavefronts},
        {"shared_store_wavefronts_ideal", &Counters::shared_store_wavefronts_ideal},
        {"shared_atomic_requests", &Counters::shared_atomic_requests},
        {"shared_atomic_wavefronts", &Counters::shared_atomic_wavefronts},
        {"shared_atomic_operations", &Counters::shared_atomic_operations},
        {"async_copy_requests", &Counters::async_copy_requests},
        {"wide_copy_requests", &Counters::wide_copy_requests},
        {"wide_copy_sectors", &Counters::wide_copy_sectors},
        {"wide_copy_sectors_ideal", &Counters::wide_copy_sectors_ideal},
        {"async_copy_wavefronts", &Counters::async_copy_wavefronts},
        {"async_copy_wavefronts_ideal", &Counters::async_copy_wavefronts_ideal},
        {"bulk_load_requests", &Counters::bulk_load_requests},
        {"bulk_load_sectors", &Counters::bulk_load_sectors},
        {"bulk_store_requests", &Counters::bulk_store_requests},
        {"bulk_store_sectors", &Counters::bulk_store_sectors},
        {"local_requests", &Counters::local_requests},
        {"shuffles", &Counters::shuffles},
        {"barriers", &Counters::barriers},
        {"branches", &Counters::branches},
        {"divergent_branches", &Counters::divergent_branches},
    };
    return fields;
}

Counters& Counters::operator+=(const Counters& other) {
    for (const CounterField& f : counter_fields()) this->*f.field += other.*f.field;
    return *this;
}

}  // namespace warpgrade::vgpu
