#include "classroom/stage_store.hpp"

#include <unistd.h>

#include <filesystem>

#include "base/files.hpp"
#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::classroom;

namespace {

namespace fs = std::filesystem;

struct Folder {
    Folder() { path = fs::temp_directory_path() / ("warpgrade-store-" + std::to_string(getpid())); }
    ~Folder() { fs::remove_all(path); }
    fs::path path;
};

const std::string key(64, 'a');
const nlohmann::ordered_json stage{{"assignment", "transpose"}, {"stage", "padding"}, {"output", "\xff not UTF-8"}};

}  // namespace

TEST_CASE("what is kept is found, under its own key only") {
    const Folder folder;
    const StageStore store(folder.path);
    CHECK_FALSE(store.has(key));
    REQUIRE(store.keep(key, stage));
    REQUIRE(store.has(key));
    CHECK(store.find(key)->at("stage") == "padding");
    fs::copy(folder.path / (key + ".json"), folder.path / (std::string(64, 'b') + ".json"));
    CHECK_FALSE(store.has(std::string(64, 'b')));
}

TEST_CASE("an entry that was cut or edited is as good as none, and is removed") {
    const Folder folder;
    const StageStore store(folder.path);
    const fs::path path = folder.path / (key + ".json");
    REQUIRE(store.keep(key, stage));
    const std::string whole = *read_whole_file(path);
    for (const std::string& damaged : {whole.substr(0, whole.size() / 2), std::string(), whole + " ",
                                       std::string(whole).replace(whole.find("padding"), 7, "PADDING")}) {
        REQUIRE(replace_file(path, damaged));
        CHECK_FALSE(store.find(key).has_value());
        CHECK_FALSE(fs::exists(path));
    }
}
