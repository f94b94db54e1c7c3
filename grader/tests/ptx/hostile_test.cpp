// Texts made to break a parser: each must be refused, or read, soon and in little memory.
#include <fmt/format.h>

#include <chrono>
#include <string>

#include "ptx/module.hpp"
#include "support/catch.hpp"

namespace {

using namespace warpgrade;

const std::string header = ".version 9.0\n.target sm_80\n.address_size 64\n";

std::string repeated(std::string_view piece, std::size_t times) {
    std::string text;
    text.reserve(piece.size() * times);
    for (std::size_t i = 0; i < times; ++i) text += piece;
    return text;
}

// Far above what any of these takes, far below what a quadratic parser would.
bool is_accepted(const std::string& text) {
    const auto start = std::chrono::steady_clock::now();
    const auto module = ptx::parse(text);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    CHECK(took.count() < 10.0);
    if (!module.ok()) CHECK(module.error().code == "ptx_syntax");
    return module.ok();
}

}  // namespace

TEST_CASE("braces and brackets without end are refused") {
    CHECK_FALSE(is_accepted(std::string(1 << 20, '{')));
    for (const char* piece : {"{", "(", "[", "!", "-", "~", "@", "\"", "/*", "a:", ".", "<", "%", "\\", "_ ", ";"}) {
        INFO(piece);
        CHECK_FALSE(is_accepted(header + repeated(piece, 1 << 18)));
        CHECK_FALSE(is_accepted(header + ".entry k() { " + repeated(piece, 1 << 18)));
        CHECK_FALSE(is_accepted(header + ".entry k() { mov.b32 " + repeated(piece, 1 << 18)));
        CHECK_FALSE(is_accepted(header + ".global .b32 x[1] = " + repeated(piece, 1 << 18)));
        CHECK_FALSE(is_accepted(header + ".global .b32 x[1][1][1] = {" + repeated(piece, 1 << 18)));
        CHECK_FALSE(is_accepted(header + ".attribute(" + repeated(piece, 1 << 18)));
        CHECK_FALSE(is_accepted(header + ".section .debug_str {" + repeated(piece, 1 << 18)));
    }
}

TEST_CASE("numbers that ask for memory are refused") {
    for (const char* text : {
             ".entry k() { .reg .b32 %r<1000000000>; ret; }",
             ".entry k() { .reg .b32 %r<99999999999999999999>; ret; }",
             ".global .b8 x[99999999999999999999];",
             ".global .b8 x[4294967296][4294967296];",
             ".global .b8 x[2][137438953471] = {{1}, {2}};",
             ".global .b8 x[][137438953471] = {{}, {}, {}, {1}};",
             ".global .b8 x[2][0] = {{}, {}};",
             ".global .align 3 .b8 x;",
             ".global .align 1000000000 .b8 x;",
             ".entry k() .maxntid 99999999999 { ret; }",
             ".entry k() { .loc 1 99999999999 1\n ret; }",
         }) {
        INFO(text);
        CHECK_FALSE(is_accepted(header + text));
    }
}

TEST_CASE("many short declarations cannot add up to much memory") {
    std::string text = header;
    for (int i = 0; i < 20000; ++i) text += fmt::format(".global .b8 x{}[2][1048576] = {{{{1}}, {{2}}}};\n", i);
    CHECK_FALSE(is_accepted(text));
    text = header + ".entry k() {";
    for (int i = 0; i < 20000; ++i) text += fmt::format(".reg .b32 r{}_<1000000>; mov.b32 r{}_999999, 1;\n", i, i);
    CHECK(is_accepted(text + "}"));
}

TEST_CASE("names, operands and labels by the hundred thousand are read in step with their number", "[counts]") {
    CHECK(is_accepted(header + ".entry k() { .reg .b32 %r<9>; mov.b32 %r1" + repeated(", %r2", 200000) + "; }"));
    CHECK(
        is_accepted(header + ".entry k() { ld" + repeated(".global", 200000) + " 1" + repeated(", 2", 10000) + "; }"));
    CHECK_FALSE(is_accepted(header + ".entry k() { .reg .b32 %r<9>; mov.b32 %r" + std::string(500000, '1') + ", 1; }"));
    CHECK_FALSE(is_accepted(header + ".entry k() { " + repeated("bra nowhere;", 100000) + " }"));
    std::string labels = header + ".entry k() { ";
    for (int i = 0; i < 100000; ++i) labels += fmt::format("L{}: bra L{};\n", i, 99999 - i);
    CHECK(is_accepted(labels + "}"));
    std::string scopes = header + ".entry k() { L: ";
    for (int i = 0; i < 30000; ++i) scopes += "{ .param .b64 p; .reg .b32 t; st.param.b64 [p], t; bra L; }\n";
    CHECK(is_accepted(scopes + "}"));
    CHECK_FALSE(is_accepted(header + ".entry k() { bra L; .file " + repeated(".file 1 ", 100000)));
}

TEST_CASE("bytes that are no text are refused") {
    std::string noise;
    std::uint32_t state = 1;
    for (int i = 0; i < 1 << 16; ++i) {
        state = state * 1664525U + 1013904223U;
        noise += static_cast<char>(state >> 24);
    }
    CHECK_FALSE(is_accepted(noise));
    CHECK_FALSE(is_accepted(header + noise));
    CHECK_FALSE(is_accepted(header + ".entry k() {" + noise));
    CHECK_FALSE(
        is_accepted(std::string("\x7f"
                                "ELF\x02\x01\x01",
                                7)));
    CHECK_FALSE(is_accepted(""));
}

TEST_CASE("a hundred kilobytes of ordinary PTX parse in milliseconds", "[machine]") {
    std::string text = header + ".entry k() { .reg .b32 %r<999>; .reg .b64 %rd<9>; .reg .pred %p<9>;\n";
    for (int i = 0; text.size() < 100'000; ++i) {
        text += fmt::format("\t.loc\t1 {} 5\nL{}:\n\tld.global.nc.u32 \t%r{}, [%rd1+{}];\n\t@%p1 bra \tL{};\n",
                            1 + i % 50, i, i % 999, 4 * i, i);
    }
    text += "}\n";
    double best_ms = 1e9;
    for (int round = 0; round < 5; ++round) {
        const auto start = std::chrono::steady_clock::now();
        REQUIRE(ptx::parse(text).ok());
        best_ms = std::min(best_ms,
                           std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    CHECK(best_ms < 50.0);  // about 1 ms; the slack is for sanitizers and busy machines
}
