#include "course/source_text.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

TEST_CASE("lines are counted from 1, whatever their ends") {
    const std::string source = "one\r\ntwo\n\nfour";
    CHECK(line_of(source, 1) == "one");
    CHECK(line_of(source, 2) == "two");
    CHECK(line_of(source, 3) == "");
    CHECK(line_of(source, 4) == "four");
    CHECK(line_of(source, 5) == "");
    CHECK(line_of(source, 0) == "");
}

TEST_CASE("a name is found as a word, as an array before all") {
    CHECK(column_of("inner = in + in[3];", "in") == 14);
    CHECK(column_of("inner = in + 3;", "in") == 9);
    CHECK(column_of("min[3]", "in") == 0);
    CHECK(column_of("tile [3]", "tile") == 1);
    CHECK(column_of("anything", "") == 0);
}

TEST_CASE("comments and literals are blanked, columns stay") {
    const std::string source = "a /* b */ c // d\n\"e // f\" g 'h' 1'000 i /* j";
    const std::string bare = without_comments(source);
    CHECK(bare.size() == source.size());
    CHECK(bare.find_first_of("bdefhj") == std::string::npos);
    CHECK(bare.find('c') == source.find('c'));
    CHECK(bare.find('i') != std::string::npos);
    CHECK(bare.find("1'000") != std::string::npos);
}

TEST_CASE("texts differ by more than blanks at the ends of lines, or not") {
    CHECK(is_same_text("a\nb\n", "a  \r\nb\n\n\n"));
    CHECK(is_same_text("", "\n"));
    CHECK(!is_same_text("a\nb", "a\n b"));
    CHECK(!is_same_text("a\nb", "a\n\nb"));
    CHECK(!is_same_text("a", "a\nb"));
}

TEST_CASE("what a submission prints cannot reach the terminal") {
    CHECK(escape_output("plain\ttext\n") == "plain\ttext\n");
    CHECK(escape_output("\x1b[31mred\x07") == "\\x1b[31mred\\x07");
    CHECK(escape_output("caf\xc3\xa9") == "caf\xc3\xa9");
    CHECK(escape_output("\xff\xc3") == "\\xff\\xc3");
    CHECK(escape_output("\xc2\x9b"
                        "31m") == "\\u009b31m");        // a C1 control sequence introducer
    CHECK(escape_output("\xe2\x80\xae") == "\\u202e");  // right-to-left override
    CHECK(escape_output("\r") == "\\x0d");
    const std::string cut = escape_output(std::string(100, 'x'), 10);
    CHECK(cut.starts_with("xxxxxxxxxx\n"));
    CHECK(cut.find("90 more bytes") != std::string::npos);
}

// A student fills a stub in its own file, so "untouched" is known by the digest that assignment.toml records.
TEST_CASE("a code digest knows a program again whose comments and blanks have changed") {
    const std::string digest = code_digest("int a = 1;\n");
    CHECK(digest.size() == 16);
    CHECK(code_digest("int a=1;  // quiz 1=2\r\n\n/* x\n */") == digest);
    CHECK(code_digest("int a = 2;\n") != digest);
}

TEST_CASE("a digest is blind to line ends and trailing blanks, and to nothing else") {
    const std::string digest = text_digest("int a;\n\nint b;\n");
    CHECK(digest.size() == 16);
    CHECK(text_digest("int a;\r\n  \r\nint b;") == digest);
    CHECK(text_digest("int a; \n\nint b;\n\n\n") == digest);
    CHECK(text_digest("int a;\nint b;\n") != digest);
    CHECK(text_digest("int a;\n\nint c;\n") != digest);
    CHECK(text_digest(" int a;\n\nint b;\n") != digest);
}
