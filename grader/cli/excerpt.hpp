// Source lines with a caret under the place, as compilers show them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {

// The lines of a file for excerpts; empty if it is not a regular file of at most 1 MiB that can be read.
std::vector<std::string> read_lines(const std::string& path);

struct ExcerptMark {
    int column = 0;  // 1-based byte column; 0 = the first token of the line
    int length = 1;  // 0 = the whole word at the column
    std::string label;
    char sign = '^';
    Paint colour = Paint::red;
};

// `14 |  source` and one row of signs a mark, labels wrapped below where they do not fit beside. `gutter`: digits of
// the widest line number shown. `line` is 1-based.
std::string excerpt(std::string_view raw_line, int line, int gutter, const std::vector<ExcerptMark>& marks,
                    const RenderStyle& style);

}  // namespace warpgrade::cli
