#include "source/pattern.hpp"

#include "support/catch.hpp"

using namespace warpgrade::source;

namespace {

std::string bindings(const std::string& pattern, const std::string& text, bool commutes = true) {
    const std::optional<Pattern> read = pattern_of(pattern);
    if (!read) return "not a pattern";
    const Tree tree = parse("void f() {\n" + text + "\n}\n");
    std::string out;
    for (const Match& match : matches(*read, tree, no_node, {commutes})) {
        out += out.empty() ? "" : " / ";
        std::string one;
        for (const Binding& binding : match.bindings)
            one += (one.empty() ? "" : ", ") + std::string(binding.name) + "=" + std::string(text_of(tree, binding.at));
        out += one.empty() ? "yes" : one;
    }
    return out.empty() ? "no" : out;
}

std::string changed(const std::string& pattern, const std::string& replacement, const std::string& text) {
    const Tree tree = parse(text);
    const std::vector<Match> found = matches(*pattern_of(pattern), tree);
    return found.empty() ? "no match" : rewrite(*pattern_of(replacement), tree, found[0]);
}

}  // namespace

TEST_CASE("pattern: the step of a tree") {
    const std::string step = "if ($t % $s == 0) $a[$t] += $a[$t + $s];";
    CHECK(bindings(step, "if (tid % s == 0) partial[tid] += partial[tid + s];") == "t=tid, s=s, a=partial");
    CHECK(bindings(step, "if ((tid) % s == 0) { // every one\n partial[tid] += partial[tid+s]; }") ==
          "t=tid, s=s, a=partial");
    CHECK(bindings(step, "if (0 == tid % s) partial[tid] += partial[s + tid];") == "t=tid, s=s, a=partial");
    CHECK(bindings(step, "if (0 == tid % s) partial[tid] += partial[s + tid];", false) == "no");
    CHECK(bindings(step, "if (tid % s == 0) partial[tid] += other[tid + s];") == "no");
    CHECK(bindings(step, "if (tid % s == 0) partial[i] += partial[tid + s];") == "no");
    CHECK(bindings(step, "if (tid % s == 0) partial[tid] += partial[tid + s]; else x;") == "no");
    CHECK(bindings(step, "for (;;) {\n if (tid % (2 * s) == 0) p[tid] += p[tid + 2 * s]; }") == "t=tid, s=2 * s, a=p");
}

TEST_CASE("pattern: heads without bodies, and parts that are left out") {
    CHECK(bindings("for (int $s = $_; $$$)", "for (int j = 0; j < n; ++j) { a; b; }") == "s=j");
    CHECK(bindings("for (int $s = $_; $s < $n; $s += $w) $$$", "for (int j = x; j < rows; j += 8) a[j] = 0;") ==
          "s=j, n=rows, w=8");
    CHECK(bindings("for (int $s = $_; $s < $n; ++$s)", "for (int j = 0; n > j; ++j) ;") == "s=j, n=n");
    CHECK(bindings("if ($c) return;", "if (i >= n) { return; }") == "c=i >= n");
    CHECK(bindings("if ($c)", "if (i >= n) { a; b; } else c;") == "c=i >= n");
    CHECK(bindings("while ($c) { $$$ }", "while (a) { b; c; }") == "c=a");
}

TEST_CASE("pattern: sequences of arguments and statements") {
    CHECK(bindings("f($$$all)", "f(); f(a); f(a, b + c);") == "all= / all=a / all=a, b + c");
    CHECK(bindings("f($first, $$$, $last)", "f(1); f(1, 2); f(1, 2, 3, 4);") == "first=1, last=2 / first=1, last=4");
    CHECK(bindings("$a[$i] = $v; __syncthreads();", "x = 1; t[i] = 2; __syncthreads(); y = 1;") == "a=t, i=i, v=2");
    CHECK(bindings("__syncthreads(); $$$ __syncthreads();", "__syncthreads(); a = 1; b = 2; __syncthreads();") ==
          "yes");
    CHECK(bindings("$k<<<$g, $b>>>($$$)", "k<float><<<grid, 32>>>(a, b); m<<<1, 2, 3>>>(a);") ==
          "k=k<float>, g=grid, b=32");
    CHECK(bindings("$T $x = $v;", "const float sum = a + b;") == "T=const float, x=sum, v=a + b");
}

TEST_CASE("pattern: a name that stands twice is the same") {
    CHECK(bindings("$x - $x", "a = b[i] - b[ i ];") == "x=b[i]");
    CHECK(bindings("$x - $x", "a = b[i] - b[j];") == "no");
    CHECK(bindings("int $i = 0; $i += $v;", "int k = 0; k += 2;") == "i=k, v=2");
    CHECK(bindings("int $i = 0; $i += $v;", "int k = 0; m += 2;") == "no");
    CHECK(bindings("$a + $b * $a", "x = p * q + q;") == "a=q, b=p");
    CHECK(bindings("static_cast<$T>($x) * $y", "z = (float)a * b;") == "T=float, x=a, y=b");
}

TEST_CASE("pattern: rewriting changes the match alone") {
    CHECK(changed("$t % $s == 0", "$t % (2 * $s) == 0", "void f() {\n  /* a */ if (tid  % s == 0) x;  // b\n}\n") ==
          "void f() {\n  /* a */ if (tid % (2 * s) == 0) x;  // b\n}\n");
    CHECK(changed("half($x)", "$x / 2", "int a = half(b + c) * 2;") == "int a = (b + c) / 2 * 2;");
    CHECK(changed("half($x)", "$x / 2", "int a = -half(b);") == "int a = -(b / 2);");
    CHECK(changed("f($a, $$$rest)", "g($a, $$$rest)", "int a = f(1);") == "int a = g(1);");
    CHECK(changed("f($a, $$$rest)", "g($$$rest, $a)", "int a = f(1, 2, 3 );") == "int a = g(2, 3, 1);");
    CHECK(changed("if ($c) $s;", "if ($c) { $s; __syncwarp(); }", "void f() { if (a < b) g(1); }") ==
          "void f() { if (a < b) { g(1); __syncwarp(); } }");
}

TEST_CASE("pattern: text that is not one") {
    CHECK(!pattern_of(""));
    CHECK(!pattern_of(")"));
    CHECK(pattern_of("a"));
}

TEST_CASE("pattern: the time of a match is bounded") {
    std::string sum = "a", pattern = "$x";
    for (int i = 0; i < 60; ++i) {
        sum += " + a";
        pattern = "$" + std::string(1, static_cast<char>('a' + i % 26)) + " + " + pattern;
    }
    CHECK_NOTHROW(bindings(pattern, "x = " + sum + ";"));
}
