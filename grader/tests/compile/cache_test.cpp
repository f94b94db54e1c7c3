#include "compile/cache.hpp"

#include "compile/support.hpp"

using namespace warpgrade;
using namespace warpgrade::test;
namespace fs = std::filesystem;

TEST_CASE("what is kept is found, by its own key only") {
    const TemporaryFolder folder;
    const ContentCache cache(folder.path() / "ptx");
    CHECK_FALSE(cache.find("a"));
    cache.keep("a", std::string("x\0y", 3));
    CHECK(cache.find("a") == std::string("x\0y", 3));
    CHECK_FALSE(cache.find("b"));
    cache.keep("a", "second");
    CHECK(cache.find("a") == "second");
}

TEST_CASE("a damaged entry is as good as absent") {
    const TemporaryFolder folder;
    const ContentCache cache(folder.path());
    cache.keep("a", "value");
    const auto size = fs::file_size(folder.path() / "a");
    fs::copy_file(folder.path() / "a", folder.path() / "b");
    CHECK_FALSE(cache.find("b"));  // an entry under another name
    fs::resize_file(folder.path() / "a", size - 1);
    CHECK_FALSE(cache.find("a"));
    folder.write("a", "");
    CHECK_FALSE(cache.find("a"));
    folder.write("a", std::string(500, 'x'));
    CHECK_FALSE(cache.find("a"));
    cache.keep("a", "value");
    CHECK(cache.find("a") == "value");
}

TEST_CASE("what others may write is as good as absent") {
    const TemporaryFolder folder;
    const ContentCache cache(folder.path() / "ptx");
    cache.keep("a", "value");
    const fs::path entry = folder.path() / "ptx" / "a";
    CHECK(fs::status(entry).permissions() == fs::perms(0600));
    fs::permissions(entry, fs::perms(0666));
    CHECK_FALSE(cache.find("a"));
    fs::permissions(entry, fs::perms(0600));
    fs::rename(entry, folder.path() / "elsewhere");
    fs::create_symlink(folder.path() / "elsewhere", entry);
    CHECK_FALSE(cache.find("a"));
    cache.keep("a", "again");  // in the link's place
    CHECK(cache.find("a") == "again");
    fs::permissions(folder.path() / "ptx", fs::perms(0777));
    cache.keep("b", "value");
    CHECK_FALSE(fs::exists(folder.path() / "ptx" / "b"));
}

TEST_CASE("the oldest entries go when the cache is full") {
    const TemporaryFolder folder;
    const ContentCache cache(folder.path(), 3500);
    const std::string value(1000, 'x');  // about 1080 bytes on disk
    const auto now = fs::file_time_type::clock::now();
    for (int i = 0; i < 3; ++i) {
        cache.keep("entry" + std::to_string(i), value);
        fs::last_write_time(folder.path() / ("entry" + std::to_string(i)), now - std::chrono::hours(10 - i));
    }
    CHECK(cache.find("entry0"));  // reading makes it the newest
    cache.keep("entry3", value);
    CHECK(cache.find("entry0"));
    CHECK_FALSE(cache.find("entry1"));
    CHECK(cache.find("entry2"));
    CHECK(cache.find("entry3"));
}

TEST_CASE("a cache that is off or cannot be written is silent") {
    const ContentCache off(fs::path{});
    off.keep("a", "value");
    CHECK_FALSE(off.find("a"));
    const TemporaryFolder folder;
    const ContentCache blocked(fs::path(folder.write("file", "x")) / "below");
    blocked.keep("a", "value");
    CHECK_FALSE(blocked.find("a"));
}

TEST_CASE("the environment says where the cache is") {
    {
        const Variable named("WARPGRADE_CACHE", "/somewhere");
        CHECK(ContentCache::of_user().folder() == "/somewhere/ptx");
    }
    {
        const Variable named("WARPGRADE_CACHE", "/somewhere"), store("WARPGRADE_STORE", "/class/.store");
        CHECK(ContentCache::of_user().folder() == "/class/.store");
    }
    const Variable unset("WARPGRADE_CACHE", nullptr);
    {
        const Variable xdg("XDG_CACHE_HOME", "/xdg");
        CHECK(ContentCache::of_user().folder() == "/xdg/warpgrade/ptx");
    }
    const Variable xdg("XDG_CACHE_HOME", nullptr);
    const Variable home("HOME", "/home/someone");
    CHECK(ContentCache::of_user().folder() == "/home/someone/.cache/warpgrade/ptx");
    const Variable off("WARPGRADE_CACHE", "");
    CHECK(ContentCache::of_user().folder().empty());
}
