#include "ptx/lexer.hpp"

#include <vector>

#include "support/catch.hpp"

namespace {

using warpgrade::ptx::Lexer;
using warpgrade::ptx::Token;
using Kind = Token::Kind;

std::vector<Token> tokens(std::string_view text) {
    std::vector<Token> all;
    Lexer lexer(text);
    for (Token token = lexer.next(); token.kind != Kind::end; token = lexer.next()) all.push_back(token);
    return all;
}

void check_single(std::string_view text, Kind kind) {
    const auto all = tokens(text);
    INFO(std::string(text));
    REQUIRE(all.size() == 1);
    CHECK(all[0].kind == kind);
    CHECK(all[0].text == text);
}

}  // namespace

TEST_CASE("words, directives and numbers are cut where the manual says") {
    for (const char* word : {"ld", "%r12", "$L__BB0_2", "_", "_Z1fPf", "$str$1"}) check_single(word, Kind::word);
    for (const char* word : {".loc", ".b32", ".shared::cta", ".2d", ".L2::128B"}) check_single(word, Kind::directive);
    for (const char* number :
         {"0", "42", "0x1FU", "0f3F800000", "0d3FF0000000000000", "1.5", "2.", "1e10", "1.5e-3", "0b101"}) {
        check_single(number, Kind::number);
    }
}

TEST_CASE("a dotted instruction is a word and its modifiers") {
    const auto all = tokens("@%p1 ld.global.nc.f32 %f1,[%rd1+-4];");
    REQUIRE(all.size() == 15);
    CHECK(all[0].is('@'));
    CHECK(all[2].text == "ld");
    CHECK(all[3].is_directive(".global"));
    CHECK(all[5].text == ".f32");
    CHECK(all[7].is(','));
    CHECK(all[12].text == "4");
}

TEST_CASE("a colon after a word is not part of it, two colons after a modifier are") {
    const auto all = tokens("L1:.reg done: ld.shared::cluster.b32");
    REQUIRE(all.size() == 8);
    CHECK(all[0].text == "L1");
    CHECK(all[1].is(':'));
    CHECK(all[2].text == ".reg");
    CHECK(all[6].text == ".shared::cluster");
}

TEST_CASE("comments and line continuations are skipped and lines counted") {
    const auto all = tokens("a // one\n/* two\nthree */ b \\\n c\r\n\td \"x\\\"y\"");
    REQUIRE(all.size() == 5);
    CHECK(all[0].line == 1);
    CHECK(all[1].line == 3);
    CHECK(all[2].line == 4);
    CHECK(all[3].line == 5);
    CHECK(all[4].kind == Kind::string);
    CHECK(all[4].text == "x\\\"y");
}

TEST_CASE("tokens know whether they came from an asm statement") {
    const auto all = tokens("a\n\t// begin inline asm\n\tb\n\t// end inline asm\n\tc");
    REQUIRE(all.size() == 3);
    CHECK_FALSE(all[0].in_inline_asm);
    CHECK(all[1].in_inline_asm);
    CHECK_FALSE(all[2].in_inline_asm);
}

TEST_CASE("what is no PTX is an invalid token, and the text still ends") {
    for (const char* text : {"\x01", "\xff\xfe", "`", "#", "\"open", "\"open\nnext", "/* open", "."}) {
        const auto all = tokens(text);
        REQUIRE_FALSE(all.empty());
        CHECK(all[0].kind == Kind::invalid);
    }
    CHECK(tokens("").empty());
    CHECK(tokens(" \n // only a comment").empty());
}
