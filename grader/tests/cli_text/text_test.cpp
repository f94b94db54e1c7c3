#include "cli/text.hpp"

#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::cli;

TEST_CASE("control bytes are shown, never sent") {
    CHECK(escape("\x1b[31mred\x07") == "\\x1b[31mred\\x07");
    CHECK(escape(std::string("a\0b", 3)) == "a\\x00b");
    CHECK(escape("a\tb\nc\x7f") == "a\\tb\\nc\\x7f");
    CHECK(escape_lines("one\ntwo\x1b") == "one\ntwo\\x1b");
}

TEST_CASE("UTF-8 is kept, what is broken or deceives is shown") {
    CHECK(escape("größer 世界") == "größer 世界");
    CHECK(escape("\xff\xc3") == "\\xff\\xc3");
    CHECK(escape("\xc0\xaf") == "\\xc0\\xaf");           // overlong
    CHECK(escape("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // a surrogate
    CHECK(escape("a\xe2\x80\xae"
                 "b") == "a\\u202eb");  // right-to-left override
    CHECK(escape("\xc2\x9b"
                 "31m") == "\\u009b31m");  // the one-byte form of ESC [
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
