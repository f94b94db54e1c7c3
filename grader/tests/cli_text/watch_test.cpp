#include "cli/watch.hpp"

#include <chrono>
#include <thread>

#include "cli_text/golden.hpp"

using namespace warpgrade::cli;
using warpgrade::test::CurrentFolder;

namespace {

// Asks as often as `polls`, then gives up: a change that is not seen fails the test instead of hanging it.
std::vector<std::size_t> wait_for(Watcher& watcher, int polls) {
    return watcher.wait([&polls] { return polls-- <= 0; });
}

}  // namespace

TEST_CASE("a saved file is reported, another is not") {
    CurrentFolder folder;
    folder.write("a.cu", "one");
    folder.write("b.cu", "one");
    Watcher watcher({"a.cu", "b.cu"});
    CHECK(wait_for(watcher, 1).empty());
    folder.write("b.cu", "longer");
    CHECK(wait_for(watcher, 20) == std::vector<std::size_t>{1});
    CHECK(wait_for(watcher, 1).empty());
}

TEST_CASE("an editor that writes a new file and renames it is seen") {
    CurrentFolder folder;
    folder.write("a.cu", "one");
    Watcher watcher({"a.cu"});
    folder.write("a.cu.swp", "two");
    std::filesystem::rename("a.cu.swp", "a.cu");
    CHECK(wait_for(watcher, 20) == std::vector<std::size_t>{0});
}

TEST_CASE("a file that is away for a moment is not reported as deleted") {
    CurrentFolder folder;
    folder.write("a.cu", "one");
    Watcher watcher({"a.cu"});
    std::filesystem::remove("a.cu");
    CHECK(wait_for(watcher, 1).empty());
    folder.write("a.cu", "two2");
    CHECK(wait_for(watcher, 20) == std::vector<std::size_t>{0});
}

TEST_CASE("a deleted file is reported once, and again when it is back") {
    CurrentFolder folder;
    folder.write("a.cu", "one");
    Watcher watcher({"a.cu"});
    std::filesystem::remove("a.cu");
    CHECK(wait_for(watcher, 20) == std::vector<std::size_t>{0});
    CHECK(wait_for(watcher, 8).empty());
    folder.write("a.cu", "one");
    CHECK(wait_for(watcher, 20) == std::vector<std::size_t>{0});
}

TEST_CASE("a file that is still being written is waited for") {
    CurrentFolder folder;
    folder.write("a.cu", "one");
    Watcher watcher({"a.cu"});
    std::thread writer([&] {
        for (int i = 0; i < 20; ++i) {
            std::ofstream("a.cu", std::ios::app) << "more " << i << std::flush;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    });
    const auto changed = wait_for(watcher, 50);
    writer.join();
    CHECK(changed == std::vector<std::size_t>{0});
    CHECK(wait_for(watcher, 2).size() <= 1);  // on a busy machine the writer may have stood still for a moment
}
