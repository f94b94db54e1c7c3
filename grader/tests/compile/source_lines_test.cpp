#include "compile/source_lines.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

namespace {
std::string text_of(const std::string& source, const Dialect& dialect = {}) {
    std::string text;
    for (const SourceLine& line : source_lines(source, dialect))
        text += std::to_string(line.line) + ":" + line.text + "|";
    return text;
}
}  // namespace

TEST_CASE("comments go, literals stay") {
    CHECK(text_of("a // b\nc") == "1:a |2:c|");
    CHECK(text_of("a /* b\nb */ c\nd") == "1:a   c|3:d|");
    CHECK(text_of("\"// no /* comment\" x") == "1:\"// no /* comment\" x|");
    CHECK(text_of("'\"' /* x */ y") == "1:'\"'   y|");
    CHECK(text_of("\"a\\\"b\" // c") == "1:\"a\\\"b\" |");
    CHECK(text_of("1'000 /* x */ 2'000") == "1:1'000   2'000|");
}

TEST_CASE("splices join lines and keep the first line's number") {
    CHECK(text_of("#inc\\\nlude\nx") == "1:#include|3:x|");
    CHECK(text_of("#inc\\\r\nlude\r\nx") == "1:#include|3:x|");
    CHECK(text_of("// a \\\nb\nc") == "1:|3:c|");
    CHECK(text_of("#inc\\ \nlude") == "1:#inc\\ |2:lude|");
    Dialect blanks;
    blanks.splices_over_blanks = true;
    CHECK(text_of("#inc\\ \nlude", blanks) == "1:#include|");
}

TEST_CASE("a carriage return alone ends a line, or not, by dialect") {
    Dialect at_cr;
    at_cr.ends_lines_at_cr = true;
    CHECK(text_of("a\rb\r\nc", at_cr) == "1:a|1:b|2:c|");
    CHECK(text_of("a\rb\r\nc") == "1:a\rb|2:c|");
}

TEST_CASE("raw strings are one token, or not, by dialect") {
    const std::string raw = "x = R\"d(\n#include <a>\n)d\" y\nz";
    CHECK(text_of(raw) == "1:x = R\"\" y|4:z|");
    Dialect no_raw;
    no_raw.has_raw_strings = false;
    CHECK(text_of(raw, no_raw).find("2:#include <a>|") != std::string::npos);
}

TEST_CASE("a header name may hold what would open a comment") {
    CHECK(text_of("#include <a/*b>\nnext") == "1:#include <a/*b>|2:next|");
    CHECK(text_of("#if __has_include(<a/*b>)\nnext") == "1:#if __has_include(<a/*b>)|2:next|");
}

TEST_CASE("unfinished text ends where the file ends") {
    CHECK(text_of("a /* b") == "1:a  |");
    CHECK(text_of("\"abc") == "1:\"abc|");
    CHECK(text_of("R\"(abc") == "1:R\"\"|");
    CHECK(text_of("\\") == "1:\\|");
    CHECK(text_of("").empty());
}
