#include "cli/text.hpp"

#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::cli;

TEST_CASE("only our colours reach a terminal") {
    RenderStyle colours;
    colours.use_colour = true;
    for (const Paint paint_with :
         {Paint::bold, Paint::dim, Paint::red, Paint::yellow, Paint::green, Paint::cyan, Paint::blue}) {
        const std::string painted = paint(
                                        "gr\xc3\xbc"
                                        "n",
                                        paint_with, colours) +
                                    "\nx";
        CHECK(harmless(painted, colours) == painted);
    }
    CHECK(harmless("\x1b[2J\x1b[8mx\x1b]0;title\x07\r\xe2\x80\xae\xff", colours) ==
          "\\x1b[2J\\x1b[8mx\\x1b]0;title\\x07\\x0d\\u202e\\xff");
}

TEST_CASE("widths are what a terminal takes") {
    CHECK(display_width("abc") == 3);
    CHECK(display_width("ö") == 1);
    CHECK(display_width("e\xcc\x81") == 1);
    CHECK(display_width("世界") == 4);
    RenderStyle colours;
    colours.use_colour = true;
    CHECK(display_width(paint("abc", Paint::red, colours)) == 3);
    CHECK(paint("abc", Paint::red, RenderStyle{}) == "abc");
}

TEST_CASE("text is cut and padded by width") {
    CHECK(cut("abcdefgh", 8) == "abcdefgh");
    CHECK(cut("abcdefgh", 7) == "abcd...");
    CHECK(cut("世界世界", 6) == "世...");
    CHECK(cut("abc", 2) == "..");
    CHECK(pad_right("ö", 3) == "ö  ");
    CHECK(pad_left("12", 4) == "  12");
}

TEST_CASE("text wraps at spaces") {
    CHECK(wrap("one two three", 8) == std::vector<std::string>{"one two", "three"});
    CHECK(wrap("  kept as it is", 20) == std::vector<std::string>{"  kept as it is"});
    CHECK(wrap("unbreakable_word_longer x", 10) == std::vector<std::string>{"unbreakable_word_longer", "x"});
    CHECK(wrap_after("= try: ", "first second third fourth fifth sixth", 27) ==
          "= try: first second third\n       fourth fifth sixth\n");
}

TEST_CASE("code in backticks stays on one line where it fits") {
    CHECK(wrap("guard the load with `x < cols && y < rows`", 40) ==
          std::vector<std::string>{"guard the load with", "`x < cols && y < rows`"});
    const std::string command = "`./grader/warpgrade check hand-ins/a_name_that_is_long/padding.cu`";
    CHECK(wrap("then: " + command + ", on every shape", 40) ==
          std::vector<std::string>{"then:", command + ",", "on every shape"});
    CHECK(wrap("alone: `warpgrade check x --shape 3x3`", 30) ==
          std::vector<std::string>{"alone:", "`warpgrade check x --shape 3x3`"});
    CHECK(wrap("an ` unmatched backtick binds nothing at all", 20).size() == 3);
}

TEST_CASE("numbers are short") {
    CHECK(number(17.5) == "17.5");
    CHECK(number(4) == "4");
    CHECK(number(100) == "100");
    CHECK(number(0) == "0");
    CHECK(number(-0.0) == "0");
    CHECK(number(31.999) == "32");
    CHECK(number(0.031) == "0.031");
    CHECK(grouped(0) == "0");
    CHECK(grouped(123) == "123");
    CHECK(grouped(1234567) == "1,234,567");
    CHECK(counted(1, "shape", "shapes") == "1 shape");
    CHECK(counted(0, "shape", "shapes") == "0 shapes");
}

TEST_CASE("a source line maps bytes to columns") {
    const ShownLine shown = show_source_line("\tint ö = 1;  ");
    CHECK(shown.text == "    int ö = 1;");
    CHECK(shown.column_of_byte[0] == 0);
    CHECK(shown.column_of_byte[1] == 4);
    CHECK(shown.column_of_byte[5] == 8);  // ö, first byte
    CHECK(shown.column_of_byte[7] == 9);  // the blank after it
    CHECK(show_source_line("ab\tc").text == "ab  c");
}
