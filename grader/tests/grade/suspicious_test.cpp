#include "grade/suspicious.hpp"

#include <algorithm>
#include <string>

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

// The first warning of a function with this body; "" none.
std::string warned(const std::string& body, const std::string& before = "") {
    const auto found = suspicious_places(before + "void f(int n, int m, float* a) {\n" + body + "\n}\n", "stage.cu");
    return found.empty() ? "" : found.front().message;
}
bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("an expression that C++ reads in another way is told") {
    CHECK(mentions(warned("if (0 <= n < m) a[n] = 1;"), "`0 <= n` is 0 or 1"));
    CHECK(mentions(warned("if (n > m > 2) a[n] = 1;"), "`n > m` is 0 or 1"));
    CHECK(mentions(warned("if (m == 0 || n = 0) return;"), "sets `n`"));
    CHECK(mentions(warned("if (n & m < 3) a[n] = 1;"), "`&` joins bits"));
    CHECK(mentions(warned("if ((n | m) < 3 && n & 1 == 0) a[n] = 1;"), "`&` joins bits"));
    CHECK(mentions(warned("a[n % (2 ^ m)] = 1;"), "is no power"));
    CHECK(mentions(warned("a[1 / 2 * n] = 1;"), "`1 / 2` is 0"));
    CHECK(mentions(warned("int b = ceil(n / m);"), "rounded down before ceil"));
    CHECK(mentions(warned("while (n < m); { n++; }"), "all that the `while` repeats"));
    CHECK(mentions(warned("for (int i = 0; i < n; ++i); { m++; }"), "all that the `for` repeats"));
    CHECK(mentions(warned("k<<<block, grid_for(n, m)>>>(a);"), "stands in the grid's place"));
    CHECK(mentions(warned("int b = n / SIDE;", "#define SIDE 16 + 16\n"), "`SIDE` is put in as `16 + 16`"));
    CHECK(mentions(warned("int b = UP(n, m);", "#define UP(x, y) x + y - 1 / y\n"), "the division comes first"));
    CHECK(mentions(warned("int b = AT(n + 1, m);", "#define AT(r, c) r * 8 + c\n"), "`n + 1` is put into"));
    CHECK(mentions(warned("extern __shared__ float* tile;\ntile[n] = 1;"), "`tile` is a pointer here"));
}

TEST_CASE("what means what it says is let be") {
    for (const char* body : {"if (n < m && m < 9) a[n] = 1;",
                             "if (n < m & m < 9) a[n] = 1;",
                             "if ((n & 1) == 0) a[n] = 1;",
                             "if (n & m) a[n] = 1;",
                             "if (static_cast<int>(a[0]) < m && g<3>(n) < m) a[n] = 1;",
                             "if (int b = n) a[b] = 1;",
                             "while ((n = m)) m--;",
                             "if (n == 0 || m == 0) return;",
                             "if (n <= m || n >= 3) return;",
                             "a[n ^ m] = 1;",
                             "a[n * 1 / 2] = 1;",
                             "a[n] = 1.0f / 2;",
                             "a[n] = 1 / 2.0f;",
                             "int b = ceil(n / 2.0f);",
                             "int b = ceil(a[0] / m);",
                             "for (int i = 0; i < n; ++i);",
                             "do { n++; } while (n < m);",
                             "k<<<grid_for(n, m), block>>>(a);",
                             "k<<<blocks, threads>>>(a);",
                             "k<<<n, m>>>(a);",
                             "if (n != m && !(n < m)) a[n] = 1;",
                             "if (n < m ? m < 3 : m < 4) a[n] = 1;",
                             "if (n << 2 < m) a[n] = 1;",
                             "if (a[n < m] < 3) a[n] = 1;",
                             "if (&a[n] < a) a[n] = 1;"}) {
        INFO(body);
        CHECK(warned(body) == "");
    }
    CHECK(warned("int b = n / SIDE;", "#define SIDE (16 + 16)\n") == "");
    CHECK(warned("int b = SIDE + n;", "#define SIDE 16 + 16\n") == "");
    CHECK(warned("int b = n / SIDE;", "#define SIDE -1\n") == "");
    CHECK(warned("int b = AT(n + 1, m);", "#define AT(r, c) ((r) * 8 + (c))\n") == "");
    CHECK(warned("int b = AT(n, m);", "#define AT(r, c) r * 8 + c\n") == "");
    CHECK(warned("extern __shared__ float tile[];\ntile[n] = 1;") == "");
}

TEST_CASE("long and deep expressions are read") {
    for (const char* piece : {"(", "n < ", "ceil(n / ", "if (", "n & ", "SIDE(", "extern __shared__ "}) {
        std::string body;
        while (body.size() < 200'000) body += piece;
        INFO(piece);
        CHECK(suspicious_places("#define SIDE(x) x + x\nvoid f(int n) {\n" + body + ";\n}\n", "stage.cu").size() <
              100'000);
    }
}
