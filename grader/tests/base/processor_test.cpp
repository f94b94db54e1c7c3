#include "base/processor.hpp"

#include <fstream>
#include <sstream>
#include <string>

#include "support/catch.hpp"

TEST_CASE("the processor can do what the kernel says that it can") {
    std::ifstream file("/proc/cpuinfo");
    std::string word;
    bool is_listed = false;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("flags")) continue;
        std::istringstream flags(line);
        while (flags >> word) is_listed = is_listed || word == "avx2";
        break;
    }
    CHECK(warpgrade::has_avx2() == is_listed);
}
