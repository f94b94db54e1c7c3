#include "vgpu/counters.hpp"

namespace warpgrade::vgpu {

Counters& Counters::operator+=(const Counters& other) {
    for (const CounterField& f : counter_fields()) this->*f.field += other.*f.field;
    return *this;
}

}  // namespace warpgrade::vgpu
