#include "compile/text_fault.hpp"

#include "compile/support.hpp"

using namespace warpgrade;
using namespace warpgrade::test;

namespace {

struct Case {
    const char* text;
    int line, column;
    const char* message;  // what it begins with; "" no fault
};

void check(const Case& wanted) {
    INFO(wanted.text);
    const auto fault = unmatched_bracket(source::tokens_of(wanted.text));
    if (*wanted.message == '\0') {
        if (fault) UNSCOPED_INFO(fault->line << ": " << fault->message);
        CHECK_FALSE(fault.has_value());
        return;
    }
    REQUIRE(fault);
    CHECK(fault->message.starts_with(wanted.message));
    CHECK(fault->line == wanted.line);
    CHECK(fault->column == wanted.column);
}

}  // namespace

TEST_CASE("a bracket without its other half is told at its own place") {
    for (const Case& wanted : {
             Case{"void f() {\n    if (a < b {\n        g();\n    }\n}\n", 2, 8, "this `(` is not closed"},
             Case{"void f() {\n    if (a < b)) {\n    }\n}\n", 2, 15, "no ( is open"},
             Case{"void f() {\n    x = g(a[i);\n}\n", 2, 12, "this `[` is not closed"},
             Case{"void f() {\n    x = g(a;\n}\n", 2, 10, "this `(` is not closed"},
             Case{"void f(int a; int b) {\n}\n", 1, 13, "this `;` stands inside of ( )"},
             Case{"void f() {\n    for (;;;) {\n    }\n}\n", 2, 12, "this `;` is the third"},
             Case{"void f() {\n    if (int a = g(); a; b) {\n    }\n}\n", 2, 23, "this `;` stands inside of ( )"},
             Case{"void f() {\n    while (a; b) {\n    }\n}\n", 2, 13, "this `;` stands inside of ( )"},
             Case{"void f() {\n    if (int a = g(); a {\n        h();\n    }\n}\n", 2, 8, "this `(` is not closed"},
             Case{"void f() {\n    for (int i = 0; i < n; ++i {\n        h(i);\n    }\n    g(2);\n}\n", 2, 9,
                  "this `(` is not closed"},
             Case{"void f() {\n    for (int i : {1, 2} {\n        h(i);\n    }\n}\n", 2, 9, "this `(` is not closed"},
             Case{"void f() {\n    if (a) {\n        g();\n}\n\nvoid h() {\n}\n", 2, 12, "this `{` is not closed"},
             Case{"void f() {\n    if (a) {\n        g();\n    }\n\nvoid h() {\n}\n", 1, 10, "this `{` is not closed"},
             Case{"void f() {\n    g();\n    }\n}\n", 3, 5, "one } too many: this one closes the { of line 1"},
             Case{"void f() {\n    g();\n}\n}\n", 4, 1, "one } too many"},
             Case{"void f() {\n    g();\n", 1, 10, "this `{` is not closed"},
             Case{"void f() {\n    printf(\"x);\n}\n", 2, 12, "this text does not end"},
         })
        check(wanted);
}

TEST_CASE("brackets that fit are no fault, whatever is between them") {
    for (const char* text :
         {"void f() {\n    for (int i = 0; i < 3; ++i) {\n        a[b[i]] = (i + 1);\n    }\n}\n",
          "void f() { g([&](int i) { return i; }); }\n", "struct A { int b; };\n",
          "#define BEGIN {\nvoid f() BEGIN }\n", "const char* s = \")(\"; // (((\nchar c = '(';\n",
          "#if A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\n",
          "void f() { if (int a = g(); a) h(); switch (int b = 1; b) {} if constexpr (int c = 1; c) h(); }\n",
          "void f() { for (int x : {1, 2}) g(x); for (auto p = pair{1, 2}; p.a; ++p.a) g(1); }\n",
          "void f() { if (auto g = [&](int a) { return a; }; g(1)) h(); while (T{1} < T{2}) { h(); } }\n",
          "void f() { for (int i = 0; int x : {1, 2}) { g(x); } }\n",
          "dim3 b{1, 2};\nvoid f() { while (a) { if (b) c(); } }\n", "fro (int i = 0; i < 3; ++i) {\n}\n"})
        check({text, 0, 0, ""});
}

TEST_CASE("a macro that holds a semicolon or an = is told where it is defined, from where it is used") {
    const source::Tokens tokens =
        source::tokens_of("#define N 32;\n#define M = 8\n#define K 4  // ;\nint a[N];\nint b[M];\nint c[K];\n");
    REQUIRE(macro_with_more(tokens, 4));
    CHECK(macro_with_more(tokens, 4)->line == 1);
    CHECK(macro_with_more(tokens, 4)->column == 13);
    CHECK(macro_with_more(tokens, 4)->message.starts_with("`N` stands for `32;`"));
    REQUIRE(macro_with_more(tokens, 5));
    CHECK(macro_with_more(tokens, 5)->line == 2);
    CHECK(macro_with_more(tokens, 5)->column == 11);
    CHECK_FALSE(macro_with_more(tokens, 6));
}

TEST_CASE("what a copy or a merge left behind is told") {
    const auto line_of = [](const char* text) {
        const auto fault = pasted_text(source::tokens_of(text));
        return fault ? fault->line : 0;
    };
    CHECK(line_of("```cuda\nint a;\n```\n") == 1);
    CHECK(line_of("int a;\n<<<<<<< HEAD\nint b;\n=======\nint c;\n>>>>>>> other\n") == 2);
    CHECK(line_of("void f() {\n    // a \\\n    g();\n}\n") == 2);
    CHECK(line_of("k<<<1, 2>>>(a);\n// a \\\n\n// ======= b\n#define A \\\n  3\n") == 0);
}

TEST_CASE("lines of any length are read", "[eighth_1]") {
    for (const char* piece : {"(", "[", "{", ")", "a ", "x = *", "int a(", "for (", ";", "\"", "a::", "* ", "<", " "}) {
        std::string text = "void f() {\n";
        while (text.size() < 200'000) text += piece;
        INFO(piece);
        CHECK(unmatched_bracket(source::tokens_of(text)).has_value());  // the { of the first line at least
    }
}
