#include "cli/slurm.hpp"

#include "support/catch.hpp"

using namespace warpgrade::cli;

namespace {

std::vector<std::size_t> sizes(const std::vector<std::vector<std::string>>& chunks) {
    std::vector<std::size_t> all;
    for (const auto& chunk : chunks) all.push_back(chunk.size());
    return all;
}

std::vector<std::string> keys(int count) {
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i) all.push_back("k" + std::to_string(i));
    return all;
}

}  // namespace

TEST_CASE("lists for elements: of a size, and what was begun before alone") {
    CHECK(sizes(chunks_of(keys(7), {}, 3, 100)) == std::vector<std::size_t>{3, 3, 1});
    const auto chunks = chunks_of(keys(5), {{"k1", 1}, {"k3", 2}}, 4, 100);
    CHECK(chunks == std::vector<std::vector<std::string>>{{"k0", "k2", "k4"}, {"k1"}, {"k3"}});
}

TEST_CASE("no more elements than an array may have") {
    CHECK(sizes(chunks_of(keys(100), {}, 1, 30)) == std::vector<std::size_t>(25, 4));
    std::map<std::string, int> all_begun;
    for (const std::string& key : keys(50)) all_begun[key] = 1;
    CHECK(chunks_of(keys(50), all_begun, 8, 10).size() <= 10);
    CHECK(chunks_of(keys(3), {}, 1, 1).size() == 1);
}

TEST_CASE("an element has twice the time that the longest stage of the class took, for each of its own") {
    CHECK(time_option({}, 16) == "");
    CHECK(time_option({3, 40, 12}, 16) == "--time=27");  // 2 x 40 x 16 s are 21.3 min
    CHECK(time_option({0}, 1) == "--time=5");
}
