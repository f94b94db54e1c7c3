// Counters add up by the list that JSON, rules and sums go by.
#include "vgpu/counters.hpp"

#include "support/catch.hpp"

using namespace warpgrade::vgpu;

TEST_CASE("counters add up field by field") {
    Counters a, b;
    std::uint64_t n = 1;
    for (const CounterField& f : counter_fields()) b.*f.field = n++;
    a += b;
    a += b;
    n = 1;
    for (const CounterField& f : counter_fields()) CHECK(a.*f.field == 2 * n++);
}
