#include "cli/render.hpp"

#include "cli/text.hpp"
#include "cli_text/golden.hpp"

using namespace warpgrade;
using warpgrade::test::check_golden;

namespace {

Diagnostic out_of_bounds() {
    Diagnostic d;
    d.blame = Blame::learner;
    d.code = "out_of_bounds";
    d.title = "read past the end of `in`";
    d.marks = {
        {"assignments/transpose/3_corner_turning.cu", 14, 40, 2, "in[2145], but in has 33 x 65 = 2145 elements"}};
    d.facts = {"thread (1,0,0) of block (2,2,0), shape 33 x 65"};
    d.help = "guard the load with `x < cols && y < rows`";
    return d;
}

std::string lines_before(int count) { return std::string(static_cast<std::size_t>(count), '\n'); }

const std::string tile_line = "    tile[threadIdx.y][threadIdx.x] = in[y * cols + x];\n";

void check_columns(const std::string& text, int most) {
    for (const std::string& line : cli::split_lines(text)) {
        INFO(line);
        CHECK(cli::display_width(line) <= most);
    }
}

}  // namespace

TEST_CASE("a diagnostic looks as in the house style") {
    Diagnostic d = out_of_bounds();
    d.marks[0].column = 38;
    check_golden("render_out_of_bounds", render(d, lines_before(13) + tile_line, {}));
}

TEST_CASE("a label that does not fit beside the caret goes below it, wrapped") {
    Diagnostic d = out_of_bounds();
    d.marks[0].column = 38;
    d.marks[0].label =
        "in[2145] is asked for here by 31 lanes of the warp, but in has 33 x 65 = 2145 elements, in[0] to in[2144]";
    const std::string text = render(d, lines_before(13) + tile_line, {});
    check_golden("render_long_label", text);
    check_columns(text, 80);
}

TEST_CASE("marks too far apart for one line of the terminal have the source line once each") {
    Diagnostic d = out_of_bounds();
    const std::string line =
        "    if (x < rows && y < cols) out[static_cast<std::size_t>(x) * rows + y] = in[static_cast<std::size_t>(y) * "
        "cols + x];\n";
    d.marks[0].column = 0;
    d.marks[0].length = 0;
    d.marks[0].label = "the test before the store";
    d.marks.push_back(
        {d.marks[0].path, 14, static_cast<int>(line.find("in[")) + 1, 2, "threads outside come here, too"});
    const std::string text = render(d, lines_before(13) + line, {});
    check_golden("render_far_apart", text);
    check_columns(text, 80);
}

TEST_CASE("a long source line is cut around the caret") {
    Diagnostic d = out_of_bounds();
    const std::string line =
        "    const float value = first_operand_of_a_long_line[index_of_the_first_operand] + "
        "second_operand_of_the_line[index_of_the_second] + in[y * cols + x] + last_of_all[0];\n";
    d.marks[0].column = static_cast<int>(line.find("in[y")) + 1;
    const std::string text = render(d, lines_before(13) + line, {});
    check_golden("render_long_line", text);
    check_columns(text, 80);
    d.marks[0].column = 5;
    check_golden("render_long_line_start", render(d, lines_before(13) + line, {}));
}

TEST_CASE("tabs and wide characters keep the caret in place") {
    Diagnostic d = out_of_bounds();
    const std::string line = "\tif (x)\tout[/* 世 */ y] = in[y];\n";
    d.marks[0].column = static_cast<int>(line.find("in[y]")) + 1;
    d.marks[0].label = "here";
    check_golden("render_tabs", render(d, lines_before(13) + line, {}));
}

TEST_CASE("a race names both lines") {
    Diagnostic d;
    d.blame = Blame::learner;
    d.code = "race_shared";
    d.title = "`tile` is read before the other warps have written it";
    d.marks = {{"3_corner_turning.cu", 12, 12, 4, "read by warp 1"},
               {"3_corner_turning.cu", 9, 5, 4, "written by warp 0"}};
    d.facts = {"thread (0,1,0) reads what thread (0,0,0) writes, with no barrier between"};
    d.help = "`__syncthreads()` between the two lines";
    const std::string source = lines_before(8) + "    tile[y][x] = in[i];\n\n\n    out[j] = tile[x][y];\n";
    check_golden("render_race", render(d, source, {}));
    d.marks[1].line = 12;
    d.marks[1].column = 5;
    d.marks[1].length = 6;
    check_golden("render_race_one_line", render(d, source, {}));
}

TEST_CASE("without a column the first token is underlined, without a line there is no excerpt") {
    Diagnostic d = out_of_bounds();
    d.marks[0].column = 0;
    d.marks[0].label = "";
    check_golden("render_no_column", render(d, lines_before(13) + tile_line, {}));
    d.marks[0].line = 0;
    check_golden("render_no_line", render(d, lines_before(13) + tile_line, {}));
    d.marks[0].line = 99;
    check_golden("render_past_the_end", render(d, lines_before(13) + tile_line, {}));
}

TEST_CASE("what a learner wrote cannot reach the terminal as a command") {
    Diagnostic d = out_of_bounds();
    d.title = "assertion failed: \x1b]0;title\x07";
    d.marks[0] = {"dir/\x1b[2J.cu", 1, 5, 3, "label \x1b[31m"};
    d.facts = {"said: \x1b[1A\xff"};
    d.help = "remove \x1b[0m";
    const std::string text = render(d, "    abc\x1b[31m \xe2\x80\xae;\n", {});
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\x07') == std::string::npos);
    check_golden("render_escapes", text);
}

TEST_CASE("pictures among the facts keep their rows") {
    Diagnostic d = out_of_bounds();
    d.marks.clear();
    d.severity = Severity::warning;
    d.facts = {"the first wrong tile:\n  . . # #\n  # # . .",
               "a fact that is longer than the eighty columns of the screen is wrapped under its own beginning, not "
               "under the sign"};
    check_golden("render_facts", render(d, "", {}));
}

TEST_CASE("colour only where it is asked for") {
    const std::string source = lines_before(13) + tile_line;
    Diagnostic d = out_of_bounds();
    d.marks[0].column = 38;
    RenderStyle colours;
    colours.use_colour = true;
    const std::string coloured = render(d, source, colours);
    CHECK(coloured.find("\x1b[1;31merror[out_of_bounds]\x1b[0m") != std::string::npos);
    std::string plain;
    for (std::size_t at = 0; at < coloured.size(); ++at) {
        if (coloured[at] == '\x1b')
            at = coloured.find('m', at);
        else
            plain += coloured[at];
    }
    CHECK(plain == render(d, source, {}));
}
