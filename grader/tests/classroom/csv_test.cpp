#include "classroom/csv.hpp"

#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::classroom;

namespace {

std::vector<CsvRow> rows(std::string_view text) {
    const auto table = parse_csv(text, "roster.csv");
    REQUIRE(table);
    return table->rows;
}

}  // namespace

TEST_CASE("cells come apart at the delimiter that the first row has most of") {
    CHECK(rows("a,b\n1,2\n") == std::vector<CsvRow>{{"a", "b"}, {"1", "2"}});
    CHECK(rows("a;b;c\n1,5;2;3\n") == std::vector<CsvRow>{{"a", "b", "c"}, {"1,5", "2", "3"}});
    CHECK(rows("a\tb\n\"1\t2\"\t3") == std::vector<CsvRow>{{"a", "b"}, {"1\t2", "3"}});
    CHECK(rows("\"a;b;c\",d\n1,2\n") == std::vector<CsvRow>{{"a;b;c", "d"}, {"1", "2"}});
}

TEST_CASE("what spreadsheets write is read: byte order mark, CRLF, quotes, line breaks in cells, empty rows") {
    CHECK(rows("\xef\xbb\xbfid,name\r\n1,\"O\"\"Brien, Ann\"\r\n\r\n2, Bo \r\n") ==
          std::vector<CsvRow>{{"id", "name"}, {"1", "O\"Brien, Ann"}, {"2", "Bo"}});
    CHECK(rows("a,b\r1,\"two\nlines\"\r") == std::vector<CsvRow>{{"a", "b"}, {"1", "two\nlines"}});
    CHECK(rows("name\nZo\xeb\n") == std::vector<CsvRow>{{"name"}, {"Zo\xc3\xab"}});  // Windows-1252
}

TEST_CASE("lines are counted through quoted line breaks") {
    const auto table = parse_csv("a\n\"x\ny\"\nb\n", "roster.csv");
    REQUIRE(table);
    CHECK(table->lines == std::vector<int>{1, 2, 4});
}

TEST_CASE("what is no CSV is said to be none") {
    const auto open = parse_csv("a\nb\n\"never closed\n", "roster.csv");
    REQUIRE(!open);
    CHECK(open.error().blame == Blame::usage);
    CHECK(open.error().marks.front().line == 3);
    CHECK(!parse_csv(std::string_view("name,id\n\0\0\0\0,binary\n", 20), "roster.csv"));
}

TEST_CASE("a written row is read back as it was") {
    const CsvRow row{"plain", "with, comma", "with \"quote\"", "two\nlines", "", " blank "};
    CHECK(csv_line(row) == "plain,\"with, comma\",\"with \"\"quote\"\"\",\"two\nlines\",,\" blank \"\n");
}

TEST_CASE("no cell is taken for a formula") {
    for (const char* text : {"=1+1", "+49 30 1234", "-x", "@SUM(A1)", "  =1", "|calc", "\xc2\xa0=1", "\xe3\x80\x80+1",
                             "\xef\xbc\x9d"
                             "1+1",
                             "\xef\xbc\xa0SUM(A1)", "-1+cmd", "--1"})
        CHECK(safe_cell(text) == "'" + std::string(text));
    for (const char* text : {"", "Ann", "12.5", "-3", "-0.25", "a=b", "O'Brien"}) CHECK(safe_cell(text) == text);
}

TEST_CASE("what stands before a formula does not hide it") {
    CHECK(safe_cell("\t=1") == "\\t=1");
    CHECK(safe_cell("\r=1") == "\\x0d=1");
    CHECK(safe_cell("\n=1") == "\\n=1");
    CHECK(safe_cell("\xe2\x80\x8b=1") == "\\u200b=1");
}

TEST_CASE("no cell steers a terminal or is more than one line") {
    CHECK(safe_cell("a\x1b[31mb\x7f\nc") == "a\\x1b[31mb\\x7f\\nc");
    CHECK(safe_cell("\xe2\x80\xae\xc2\x9b\xff") == "\\u202e\\u009b\\xff");
}
