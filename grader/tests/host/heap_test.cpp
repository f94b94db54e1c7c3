#include "host/heap.hpp"

#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::host;

TEST_CASE("of many blocks the last ones lie side by side, and are used again") {
    vgpu::Memory memory(std::uint64_t{1} << 28);
    Heap heap(memory);
    std::uint64_t a = heap.allocate(100, 1, {});
    CHECK(heap.release(a, 3) == Heap::Freed::buffer);
    for (int i = 0; i < 5000; ++i) a = heap.allocate(100, 1, {});
    const auto b = heap.allocate(100, 2, {});
    CHECK(b >= a + 100);
    CHECK(heap.size_of(a) == 100);
    CHECK(heap.release(a, 3) == Heap::Freed::block);
    CHECK(heap.release(a, 4) == Heap::Freed::twice);
    CHECK_FALSE(heap.size_of(a));
    CHECK(heap.allocate(100, 5, {}) == a);
    CHECK(heap.release(a + 1, 6) == Heap::Freed::unknown);
}

TEST_CASE("a block is a buffer that knows its lines") {
    vgpu::Memory memory(std::uint64_t{1} << 28);
    Heap heap(memory);
    const auto at = heap.allocate(50, 7, {"h", 4});
    const int buffer = memory.find(at);
    CHECK(memory.buffer(buffer).spec.name == "h");
    CHECK(memory.buffer(buffer).spec.reach == vgpu::Reach::host);
    CHECK(heap.place_of(buffer)->line == 7);
    CHECK(heap.release(at, 9) == Heap::Freed::buffer);
    CHECK(heap.place_of(buffer)->freed_line == 9);
    CHECK(memory.find(at) < 0);
}

TEST_CASE("more than there is, is nothing") {
    vgpu::Memory memory(std::uint64_t{1} << 20);
    Heap heap(memory);
    CHECK(heap.allocate(std::uint64_t{2} << 20, 1, {}) == 0);
    CHECK(heap.allocate(~std::uint64_t{0}, 1, {}) == 0);
}
