#include <sys/stat.h>
#include <unistd.h>

#include "compile/support.hpp"

using namespace warpgrade;
using namespace warpgrade::test;

namespace {
void check_refused(const std::string& path, Blame blame, const std::string& code) {
    INFO(path);
    const auto result = read_submission(path);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().blame == blame);
    CHECK(result.error().code == code);
    CHECK_FALSE(result.error().title.empty());
    CHECK_FALSE(result.error().help.empty());
    REQUIRE(result.error().marks.size() == 1);
    CHECK(result.error().marks[0].path == path);
}
}  // namespace

TEST_CASE("a text file is read byte by byte") {
    const TemporaryFolder folder;
    const std::string text = "// caf\xc3\xa9\r\nint x;\n\n";
    const auto result = read_source_file(folder.write("a.cu", text));
    REQUIRE(result);
    CHECK(result->text == text);
    CHECK(result->notes.empty());
    CHECK(read_submission(folder.write("full.cu", std::string(1 << 19, '\n') + std::string(19'999, 'x'))).ok());
}

TEST_CASE("a file in another encoding is read as what its writer saw, and says where") {
    const TemporaryFolder folder;
    const std::string path = folder.write("a.cu", "int x;\n// caf\xe9 \xff\nint y;\n");
    const auto result = read_source_file(path);
    REQUIRE(result);
    CHECK(result->text == "int x;\n// caf\xc3\xa9 \xc3\xbf\nint y;\n");
    REQUIRE(result->notes.size() == 1);
    const CompilerMessage& note = result->notes.front();
    CHECK(note.severity == Severity::warning);
    CHECK(note.path == path);
    CHECK(note.line == 2);
    CHECK(note.column == 7);
    CHECK(
        note.message ==
        "byte 0xe9 is not UTF-8; the file was read as Windows-1252, in which it is `\xc3\xa9`: save the file as UTF-8");
    // Not even a byte that Windows-1252 lacks costs anything: it stands in a comment.
    const auto shift_jis = read_source_file(folder.write("b.cu", "// \x95\x5c\x8e\xa6 \x81\nint y;\n"));
    REQUIRE(shift_jis);
    CHECK(shift_jis->text.ends_with("\xef\xbf\xbd\nint y;\n"));
}

TEST_CASE("the mark in front of UTF-8 is no text, and a carriage return alone is said") {
    const TemporaryFolder folder;
    const auto marked = read_source_file(folder.write("a.cu", "\xef\xbb\xbf#include <cstdio>\r\n"));
    REQUIRE(marked);
    CHECK(marked->text == "#include <cstdio>\r\n");
    CHECK(marked->notes.empty());
    const auto mac = read_source_file(folder.write("b.cu", "int x;\r\n// a\rint y;\r"));
    REQUIRE(mac);
    CHECK(mac->text == "int x;\r\n// a\rint y;\r");
    REQUIRE(mac->notes.size() == 1);
    CHECK(mac->notes.front().line == 2);
    CHECK(mac->notes.front().column == 5);
}

TEST_CASE("what is not a text file is refused, with what was found") {
    const TemporaryFolder folder;
    check_refused((folder.path() / "none.cu").string(), Blame::usage, "no_such_file");
    check_refused((folder.path() / "none" / "a.cu").string(), Blame::usage, "no_such_file");
    check_refused(folder.path().string(), Blame::usage, "not_a_file");
    check_refused("/dev/null", Blame::usage, "not_a_file");
    check_refused(folder.write("empty.cu", ""), Blame::learner, "empty_file");
    check_refused(folder.write("blank.cu", " \n\t\r\n"), Blame::learner, "empty_file");
    check_refused(folder.write("binary.cu", std::string("\x7f"
                                                        "ELF\0\0",
                                                        6)),
                  Blame::learner, "binary_file");
    check_refused(folder.write("big.cu", std::string(3 << 20, 'x')), Blame::learner, "too_large");
    check_refused(folder.write("line.cu", "int x;\n" + std::string(20'001, 'x') + "\n"), Blame::learner,
                  "line_too_long");
    CHECK(read_submission(folder.path() / "line.cu").error().marks[0].line == 2);

    const std::string utf16 = folder.write("utf16.cu", std::string("\xff\xfei\0n\0t\0", 8));
    check_refused(utf16, Blame::learner, "binary_file");
    CHECK(mentions(read_submission(utf16).error().facts[0], "UTF-16"));
    const std::string unmarked = folder.write("unmarked.cu", std::string("i\0n\0t\0 \0x\0;\0", 12));
    CHECK(mentions(read_submission(unmarked).error().facts[0], "UTF-16"));
    const std::string nul = folder.write("nul.cu", std::string("int x;\nint y;\0\n", 16));
    CHECK(read_submission(nul).error().facts[0] ==
          "byte 14, in line 2, is NUL; compiled files and archives look like this");
}

TEST_CASE("pipes do not hang the reader and links are not followed") {
    const TemporaryFolder folder;
    const std::string pipe = (folder.path() / "pipe.cu").string();
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    check_refused(pipe, Blame::usage, "not_a_file");
    const std::string link = (folder.path() / "link.cu").string();
    REQUIRE(symlink("/etc/passwd", link.c_str()) == 0);
    check_refused(link, Blame::usage, "not_a_file");
}

TEST_CASE("an unreadable file is refused") {
    const TemporaryFolder folder;
    const std::string path = folder.write("secret.cu", "int x;\n");
    REQUIRE(chmod(path.c_str(), 0) == 0);
    const bool is_root = geteuid() == 0;  // to whom every file is readable
    if (is_root) REQUIRE(seteuid(65534) == 0);
    const auto result = read_submission(path);
    if (is_root) REQUIRE(seteuid(0) == 0);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().blame == Blame::usage);
    CHECK(result.error().code == "unreadable");
}
