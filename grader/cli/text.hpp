// Text for a terminal: display widths, wrapping. Everything a learner wrote passes through `escape`
// (base/characters.hpp) first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/characters.hpp"

namespace warpgrade {

struct RenderStyle {
    bool use_colour = false;  // only on a terminal, and not when NO_COLOR is set
    int columns = 80;         // text is wrapped to this; source excerpts are cut, with "..."
};

}  // namespace warpgrade

namespace warpgrade::cli {

// What is about to be written: all but line breaks and, if wanted, `paint`'s colours becomes visible, whoever made the
// text. Tabs too: nothing of ours has one. `show` passes everything through it, behind those who escape what they show.
std::string harmless(std::string_view text, const RenderStyle& style);

// Columns that UTF-8 text takes on a terminal: 2 for wide characters, 0 for combining ones and for `paint`'s colours.
int display_width(std::string_view text);

// At most `columns` wide, "..." in place of what is cut.
std::string cut(std::string_view text, int columns);
// None where `count` is negative.
std::string blanks(int count);
std::string pad_right(std::string_view text, int columns);
std::string pad_left(std::string_view text, int columns);

// Breaks at spaces, keeping `code in backticks` together where it fits. A text that fits is returned as it is, leading
// spaces included; one word wider than `columns` stays whole.
std::vector<std::string> wrap(std::string_view text, int columns);

// Wrapped lines, the first after `first_prefix`, the others indented to the same width; each ends in a line break.
std::string wrap_after(std::string_view first_prefix, std::string_view text, int columns);

std::vector<std::string> split_lines(std::string_view text);

// it's -> 'it'\''s': one word of a shell's, whatever is in it.
std::string shell_quoted(const std::string& word);

// 17.5, 4, 0.03: at most two decimals (more for values under 0.1), no trailing zeros.
std::string number(double value);
// "1 shape", "3 shapes".
std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural);
// 1234567 -> "1 234 567" would break a word; "1,234,567".
std::string grouped(std::uint64_t value);

enum class Paint { none, bold, dim, red, yellow, green, cyan, blue };
// `text` in colour where the style has colour; unchanged where not.
std::string paint(std::string_view text, Paint colour, const RenderStyle& style);

// One line of a source file made fit to show: escaped, tabs expanded to multiples of 4, no trailing blanks.
struct ShownLine {
    std::string text;
    // Display column of each byte of the raw line, and one past the end as the last element.
    std::vector<int> column_of_byte;
};
ShownLine show_source_line(std::string_view raw);

}  // namespace warpgrade::cli
