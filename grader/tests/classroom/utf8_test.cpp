#include "classroom/utf8.hpp"

#include "support/catch.hpp"

using namespace warpgrade::classroom;

TEST_CASE("UTF-8 is told from what only looks like it") {
    CHECK(is_utf8("plain"));
    CHECK(is_utf8("Zo\xc3\xab \xe2\x82\xac \xf0\x9f\x98\x80"));
    CHECK_FALSE(is_utf8("Zo\xeb"));
    CHECK_FALSE(is_utf8("\xc0\xaf"));          // overlong
    CHECK_FALSE(is_utf8("\xed\xa0\x80"));      // a surrogate
    CHECK_FALSE(is_utf8("\xf4\x90\x80\x80"));  // beyond U+10FFFF
    CHECK_FALSE(is_utf8("\xe2\x82"));          // cut off
    CHECK(from_windows_1252("Zo\xeb \x80") == "Zo\xc3\xab \xe2\x82\xac");
}

TEST_CASE("names are compared without case, punctuation and accents") {
    CHECK(squeezed("O'Brien, Ren\xc3\xa9"
                   "e") == "obrienrenee");
    CHECK(squeezed("Rene\xcc\x81"
                   "e O_Brien") == "reneeobrien");  // as macOS writes it: e and a combining accent
    CHECK(squeezed("\xc5\x81ukasz \xc3\x98stby") == "lukaszostby");
    CHECK(squeezed("\xe6\x9d\x8e \xe9\x9b\xb7") == "\xe6\x9d\x8e\xe9\x9b\xb7");
    CHECK(squeezed(" .-_ ").empty());
}

TEST_CASE("a file's name is safe, and two texts never share one") {
    CHECK(file_name_for("s1234567") == "s1234567");
    CHECK(file_name_for("ann@example.edu") == "ann@example.edu");
    for (const char* text : {"../../etc/passwd", ".hidden", "-rf", "a/b", "a\\b", "a b", "", "\xff\xfe", "x\ny"}) {
        const std::string name = file_name_for(text);
        INFO(text << " -> " << name);
        CHECK(name != text);
        CHECK(name.find_first_of("/\\ \n") == std::string::npos);
        CHECK_FALSE(name.starts_with('.'));
        CHECK_FALSE(name.starts_with('-'));
        CHECK(is_utf8(name));
    }
    CHECK(file_name_for("a/b") != file_name_for("a b"));
    CHECK(file_name_for(std::string(500, 'x')).size() < 100);
    CHECK(file_name_for("Zo\xc3\xab") == "Zo\xc3\xab");
}
