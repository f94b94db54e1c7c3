// Files of tests/data, and places in them.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "support/catch.hpp"

namespace warpgrade::test {

inline std::string read_text(const std::string& name) {
    std::ifstream file(std::string(WARPGRADE_SOURCE_DIR) + "/grader/tests/data/" + name);
    REQUIRE(file.good());
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// The line of a file that ends with `// line: name`.
inline int line_named(const std::string& name, const std::string& file) {
    std::istringstream text(read_text(file));
    std::string line;
    for (int number = 1; std::getline(text, line); ++number) {
        if (line.ends_with("// line: " + name)) return number;
    }
    FAIL("no line is named " << name);
    return 0;
}

}  // namespace warpgrade::test
