#include "classroom/utf8.hpp"

#include "base/characters.hpp"
#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::classroom;

TEST_CASE("a name in no UTF-8 is read as Windows-1252") {
    CHECK(utf8_name("Zo\xeb") == "Zo\xc3\xab");
    CHECK(utf8_name("Zo\xc3\xab") == "Zo\xc3\xab");
    CHECK(utf8_name("\xff.cu") == "\xc3\xbf.cu");
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

TEST_CASE("a name with its marks taken off is the one that macOS writes") {
    CHECK(decomposed("Ren\xc3\xa9") == "Rene\xcc\x81");
    CHECK(decomposed("\xe1\xba\xad") == "a\xcc\xa3\xcc\x82");                     // two marks
    CHECK(decomposed("\xea\xb9\x80") == "\xe1\x84\x80\xe1\x85\xb5\xe1\x86\xb7");  // Hangul
    CHECK(decomposed("\xea\xb0\x80") == "\xe1\x84\x80\xe1\x85\xa1");              // without a final
    CHECK(decomposed("\xe3\x81\x8c") == "\xe3\x81\x8b\xe3\x82\x99");              // kana: another letter
    CHECK(squeezed("\xe3\x81\x8c") != squeezed("\xe3\x81\x8b"));
    CHECK(squeezed("\xe1\xba\xad") == "a");
    CHECK(squeezed("\xd0\x98\xd0\x92") == squeezed("\xd0\xb8\xd0\xb2"));  // Cyrillic capitals
    CHECK(squeezed("O\xe2\x80\x99"
                   "Brien\xc2\xa0") == "obrien");
    CHECK(decomposed("a\xff") == "a\xff");
}

TEST_CASE("a file's name is safe, and two texts never share one") {
    CHECK(file_name_for("s1234567") == "s1234567");
    CHECK(file_name_for("ann@example.edu") == "ann@example.edu");
    for (const char* text :
         {"../../etc/passwd", ".hidden", "-rf", "a/b", "a\\b", "a b", "", "\xff\xfe", "x\ny", "a\xe2\x80\xaeuc.b",
          "ali\xe2\x80\x8b"
          "ce",
          "\xc2\x9b", ".."}) {
        const std::string name = file_name_for(text);
        INFO(text << " -> " << name);
        CHECK(name != text);
        CHECK(name.find_first_of("/\\ \n") == std::string::npos);
        CHECK_FALSE(name.starts_with('.'));
        CHECK_FALSE(name.starts_with('-'));
        CHECK(escape(name) == name);
    }
    CHECK(file_name_for("a/b") != file_name_for("a b"));
    CHECK(file_name_for(std::string(500, 'x')).size() < 100);
    CHECK(file_name_for("Zo\xc3\xab") == "Zo\xc3\xab");
}
