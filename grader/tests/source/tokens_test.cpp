#include "source/tokens.hpp"

#include "support/catch.hpp"

using namespace warpgrade::source;

namespace {

std::vector<std::string> code(std::string_view text) {
    const Tokens tokens = tokens_of(text);
    std::vector<std::string> out;
    for (TokenId i = 0; i < tokens.file_end; ++i) out.emplace_back(tokens.code[i].text);
    return out;
}
using Words = std::vector<std::string>;

std::string partner_of(std::string_view text, std::string_view open) {
    const Tokens tokens = tokens_of(text);
    for (const CodeToken& token : tokens.code) {
        if (token.at.offset != text.find(open)) continue;
        return token.partner == no_token ? "" : "line " + std::to_string(tokens.code[token.partner].at.line);
    }
    return "no such bracket";
}

}  // namespace

TEST_CASE("tokens: comments, literals and lines of the preprocessor's") {
    CHECK(code("a/* b */+ c // d\n- e") == Words{"a", "+", "c", "-", "e"});
    CHECK(code("f(\"a // b\", 'c', '\\'', R\"x(a)\" // )x\");") ==
          Words{"f", "(", "\"a // b\"", ",", "'c'", ",", "'\\''", ",", "R\"x(a)\" // )x\"", ")", ";"});
    CHECK(code("// a \\\n still a comment\nb") == Words{"b"});
    CHECK(code("#define A \\\n 1\nb") == Words{"b"});
    CHECK(code("a = \"no end;\nb") == Words{"a", "=", "\"no end;", "b"});
    CHECK(code("1'000'000 + 1e-5f + 0x1p-3 + 0xe-1 + .5f") ==
          Words{"1'000'000", "+", "1e-5f", "+", "0x1p-3", "+", "0xe", "-", "1", "+", ".5f"});
    CHECK(code("k<<<1, 2>>>(a >>= b->c)") ==
          Words{"k", "<<<", "1", ",", "2", ">", ">", ">", "(", "a", ">", ">=", "b", "->", "c", ")"});
}

TEST_CASE("tokens: lines and columns") {
    const Tokens tokens = tokens_of("a\n  b /* x\n y */ c\n");
    REQUIRE(tokens.code.size() == 3);
    CHECK(tokens.code[1].at == Range{4, 1, 2, 3});
    CHECK(tokens.code[2].at == Range{17, 1, 3, 7});
    CHECK(tokens.line_count == 3);
}

TEST_CASE("tokens: branches that the kit's compilation leaves out") {
    CHECK(code("#if 0\na\n#else\nb\n#endif\nc") == Words{"b", "c"});
    CHECK(code("#ifdef X\na\n#else\nb\n#endif\nc") == Words{"a", "c"});
    CHECK(code("#ifndef __WARPGRADE__\na\n#endif\nc") == Words{"c"});
    CHECK(code("#if !defined(__WARPGRADE__)\na\n#elif X\nb\n#else\nd\n#endif") == Words{"b"});
    CHECK(code("#if X\na\n#elif Y\nb\n#else\nd\n#endif") == Words{"a"});
    CHECK(code("#if 0\n#if 1\na\n#endif\nb\n#endif\nc") == Words{"c"});
    CHECK(code("#endif\na\n#else\nb") == Words{"a", "b"});
}

TEST_CASE("tokens: macros") {
    const Tokens tokens = tokens_of("#define TILE 32 // wide\n#define AT(i) a[i]\n#  define EMPTY\nx");
    REQUIRE(tokens.macros.size() == 3);
    CHECK(tokens.macros[0].name == "TILE");
    CHECK(tokens.macros[0].at == Range{8, 4, 1, 9});
    REQUIRE(tokens.macros[0].last == tokens.macros[0].first + 1);
    CHECK(tokens.code[tokens.macros[0].first].text == "32");
    CHECK(tokens.code[tokens.macros[0].first].at.column == 14);
    CHECK(tokens.macros[1].has_parameters);
    CHECK(tokens.macros[1].parameters == std::vector<std::string_view>{"i"});
    REQUIRE(tokens.macros[1].last == tokens.macros[1].first + 4);
    CHECK(tokens.code[tokens.macros[1].first].text == "a");
    CHECK(tokens.code[tokens.macros[1].first].at.column == 15);
    CHECK(tokens.macros[2].first == tokens.macros[2].last);
    CHECK(tokens.file_end == 1);
}

TEST_CASE("tokens: brackets that do not balance") {
    CHECK(partner_of("void f() {\n    if (a) {\n        b;\n    }\n}\n", "{\n    if") == "line 5");
    // The `}` of the `if` is missing, then that of the first function.
    CHECK(partner_of("void f() {\n    if (a) {\n        b;\n}\nvoid g() {\n    c;\n}\n", "{\n    if") == "line 4");
    CHECK(partner_of("void f() {\n    if (a) {\n        b;\n    }\nvoid g() {\n    c;\n}\n", "{\n    c") == "line 7");
    // One too many.
    CHECK(partner_of("void f() {\n    if (a) {\n        b;\n    }\n    }\n    c;\n}\nvoid g() {}\n", "{\n    if") ==
          "line 7");
    CHECK(partner_of("void f(int a,\n       int b) {\n    c;\n    }\n}\n", "{\n    c") == "line 5");
    CHECK(partner_of("f((a;\n}", "((").empty());
    CHECK(partner_of("f(a];)", "(a") == "line 1");
}
