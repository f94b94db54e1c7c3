// The launchers of tests/data/launchers.cu.
#pragma once

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "support/catch.hpp"

namespace launchers {

using namespace warpgrade;
using namespace warpgrade::vgpu;

inline std::string read_text(const std::string& name) {
    std::ifstream file(std::string(WARPGRADE_SOURCE_DIR) + "/grader/tests/data/" + name);
    REQUIRE(file.good());
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}
inline const std::string& ptx_text() {
    static const std::string text = read_text("launchers.ptx");
    return text;
}

// The line of launchers.cu that ends with `// line: name`.
inline int line_named(const std::string& name) {
    std::istringstream text(read_text("launchers.cu"));
    std::string line;
    for (int number = 1; std::getline(text, line); ++number) {
        if (line.ends_with("// line: " + name)) return number;
    }
    FAIL("no line is named " << name);
    return 0;
}

template <class T>
std::vector<std::byte> bytes_of(T value) {
    std::vector<std::byte> bytes(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
}
template <class... A>
std::vector<std::vector<std::byte>> arguments(A... values) {
    return {bytes_of(values)...};
}

}  // namespace launchers
