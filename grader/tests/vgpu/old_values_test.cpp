// What a load may get that nothing orders after a store.
#include "vgpu/old_values.hpp"

#include <array>

#include "support/catch.hpp"

using namespace warpgrade::vgpu;

namespace {

constexpr SourceSite site{7, 3, 0};

Touch store_by(std::uint32_t warp, std::uint32_t instruction) {
    Touch touch;
    touch.warp = warp;
    touch.instruction = instruction;
    touch.is_strong = true;
    return touch;
}

const OldValues::MayBeMissed unordered = [](const Touch&) { return true; };
const OldValues::MayBeMissed ordered = [](const Touch&) { return false; };

}  // namespace

TEST_CASE("a load gets the oldest value that nothing orders before it, once, and then what is there") {
    OldValues values(site);
    values.store(64, 0, store_by(1, 10));
    values.store(64, 5, store_by(1, 20));
    const std::array<std::uint64_t, 1> word{64};
    Touch missed;
    const auto first = values.read(2, word, unordered, missed);
    REQUIRE(first.size() == 1);
    CHECK(first.front().second == 0);
    CHECK(missed.instruction == 10);
    CHECK(values.read(2, word, unordered, missed).empty());
    // Another warp has not had it.
    CHECK(values.read(3, word, unordered, missed).size() == 1);
}

TEST_CASE("who knows of a store, has seen it, or stored itself gets no older value") {
    OldValues values(site);
    values.store(64, 0, store_by(1, 10));
    const std::array<std::uint64_t, 1> word{64};
    Touch missed;
    CHECK(values.read(2, word, ordered, missed).empty());
    CHECK(values.read(2, word, unordered, missed).empty());  // it has seen it by then
    CHECK(values.read(1, word, unordered, missed).empty());
}

TEST_CASE("what one instruction stored is old or new as a whole, and of two the later one is missed") {
    OldValues values(site);
    const std::array<std::uint64_t, 2> words{64, 68};
    Touch missed;
    values.store(64, 0, store_by(1, 10));
    values.store(68, 0, store_by(1, 10));
    CHECK(values.read(2, words, unordered, missed).size() == 2);

    OldValues apart(site);
    apart.store(68, 0, store_by(1, 11));
    apart.store(64, 0, store_by(1, 10));
    const auto old = apart.read(2, words, unordered, missed);
    REQUIRE(old.size() == 1);
    CHECK(old.front().first == 68);
}

TEST_CASE("the loads that are worth trying are named once") {
    OldValues values({});
    CHECK(!values.tries());
    values.note(site);
    values.note(site);
    CHECK(values.noted() == std::vector<SourceSite>{site});
}
