// What the rest of the kit relies on, asked of the data itself; the whole syntax is in golden/parse.
#include <string>

#include "ptx/module.hpp"
#include "support/catch.hpp"

namespace {

using namespace warpgrade;
using namespace warpgrade::ptx;
using Kind = Operand::Kind;

constexpr std::string_view header = ".version 9.0\n.target sm_80\n.address_size 64\n";

Module parsed(std::string_view text) {
    auto module = parse(std::string(header) + std::string(text));
    if (!module.ok()) FAIL(module.error().title << " | " << module.error().facts.at(0));
    return *module;
}

Diagnostic refused(std::string_view text) {
    auto module = parse(std::string(header) + std::string(text));
    REQUIRE_FALSE(module.ok());
    return module.error();
}

}  // namespace

TEST_CASE("the module's own facts") {
    const Module module = parsed("");
    CHECK(module.version == "9.0");
    CHECK(module.target == "sm_80");
    CHECK(module.address_size_bits == 64);
}

TEST_CASE("a text that ends in NULs, as NVRTC's buffers do, parses") {
    std::string text = std::string(header) + ".entry k() { ret; }\n";
    text.append(2, '\0');
    CHECK(parse(text).ok());
    CHECK_FALSE(parse(std::string_view("\0\0", 2)).ok());
}

TEST_CASE("a label is the index of the instruction behind it, the end of the body included") {
    const Module module = parsed(".entry k() { .reg .pred %p<2>; a: nop; @%p1 bra a; bra b; nop; b: }");
    const auto& body = module.functions.at(0).body;
    REQUIRE(body.size() == 4);
    CHECK(body[1].operands.at(0).kind == Kind::label);
    CHECK(body[1].operands[0].index == 0);
    CHECK(body[1].guard == 0);
    CHECK_FALSE(body[1].guard_negated);
    CHECK(body[2].operands.at(0).index == 4);
}

TEST_CASE("the head of a loop that is not to be unrolled is known") {
    const Module module = parsed(
        ".entry k() { .reg .pred %p<2>; .pragma \"used_bytes_mask 1\"; nop; a: .pragma \"nounroll\"; nop; @%p1 bra a; "
        "}");
    CHECK(module.functions.at(0).nounroll == std::vector{1});
}

TEST_CASE("only the registers in use take a place, whatever is declared") {
    const Module module = parsed(".entry k() { .reg .b32 %r<1000000>; .reg .f64 %d<9>; mov.b32 %r999999, %r0; }");
    const Function& k = module.functions.at(0);
    REQUIRE(k.registers.size() == 2);
    CHECK(k.registers[static_cast<std::size_t>(k.body.at(0).operands.at(0).index)].name == "%r999999");
    CHECK(k.registers[1].type == Type::b32);
}

TEST_CASE("hidden names become unique ones") {
    const Module module = parsed(
        ".entry k() { .reg .b64 t; { .reg .b32 t; .param .b64 p; mov.b32 t, 1; st.param.b64 [p], t; }"
        " { .param .b32 p; ld.param.b32 t, [p+4]; } }");
    const Function& k = module.functions.at(0);
    REQUIRE(k.variables.size() == 2);
    CHECK(k.variables[0].name != k.variables[1].name);
    REQUIRE(k.body.size() == 3);
    const Operand& address = k.body[2].operands.at(1);
    CHECK(address.kind == Kind::address);
    CHECK(address.elements.at(0).name == k.variables[1].name);
    CHECK(address.elements[0].offset == 0);
    CHECK(address.offset == 4);
    CHECK(k.registers[static_cast<std::size_t>(k.body[0].operands[0].index)].type == Type::b32);
    CHECK(k.registers[static_cast<std::size_t>(k.body[2].operands[0].index)].type == Type::b64);
}

TEST_CASE("a call names its results, its function and its arguments") {
    const Module module = parsed(
        ".extern .func (.param .b64 r) f(.param .b64 a, .param .b32 b);\n"
        ".entry k() { .param .b64 x, y; .param .b32 z; call.uni (x), f, (y, z); }");
    REQUIRE(module.functions.size() == 2);
    CHECK(module.functions[0].is_declaration);
    CHECK(module.functions[0].parameters.size() == 2);
    const Instruction& call = module.functions[1].body.at(0);
    REQUIRE(call.operands.size() == 3);
    CHECK(call.operands[0].kind == Kind::tuple);
    CHECK(call.operands[1].kind == Kind::symbol);
    CHECK(call.operands[1].name == "f");
    CHECK(call.operands[2].elements.size() == 2);
}

TEST_CASE("a definition takes the place of its declaration, in either order") {
    const Module module = parsed(".extern .func f; .func g { call f; ret; } .func f { ret; } .extern .func f;");
    REQUIRE(module.functions.size() == 2);
    CHECK_FALSE(module.find("f")->is_declaration);
    CHECK(module.find("f")->body.size() == 1);
}

TEST_CASE("locations chain from inlined code to the line that called it") {
    const Module module = parsed(
        ".entry k() { .loc 1 10 3\n nop; .loc 2 99 1, function_name $L, inlined_at 1 10 3\n nop;"
        " .loc 2 5 1, function_name $M, inlined_at 2 99 1\n nop; }\n .file 1 \"a.cu\" .file 2 \"b.cuh\"");
    const Function& k = module.functions.at(0);
    REQUIRE(k.locations.size() == 3);
    CHECK(k.locations[2].inlined_at == 1);
    CHECK(k.locations[1].inlined_at == 0);
    CHECK(source_place(module, k, k.body.at(2).location, "a.cu").innermost.line == 10);
    CHECK(source_place(module, k, k.body.at(2).location, "b.cuh").innermost.line == 5);
    CHECK(source_place(module, k, k.body.at(2).location, "b.cuh").outermost.line == 99);
}

TEST_CASE("launch directives keep their numbers") {
    const Module module = parsed(".visible .entry k() .maxntid 256, 1, 1 .minnctapersm 2 .explicitcluster { ret; }");
    const auto& directives = module.functions.at(0).directives;
    CHECK(directives.at("maxntid") == std::vector<std::uint32_t>{256, 1, 1});
    CHECK(directives.at("minnctapersm") == std::vector<std::uint32_t>{2});
    CHECK(directives.at("explicitcluster").empty());
    CHECK(module.functions[0].is_visible);
    CHECK(module.functions[0].is_entry);
}

TEST_CASE("initial bytes are little-endian and may be fewer than the variable has") {
    const Module module = parsed(".global .align 4 .u32 x[4] = {258, -1}; .extern .shared .align 16 .b8 s[];");
    CHECK(module.variables.at(0).bytes == 16);
    CHECK(module.variables[0].initial == std::vector<std::uint8_t>{2, 1, 0, 0, 255, 255, 255, 255});
    CHECK(module.variables.at(1).bytes == 0);
    CHECK(module.variables[1].is_external);
    CHECK(module.variables[1].align_bytes == 16);
}

TEST_CASE("the compiler's own text is the kit's fault, an asm() the learner's") {
    const Diagnostic ours = refused(".entry k() {\n .loc 1 7 3\n mov.b32 1 2;\n}\n.file 1 \"a.cu\"");
    CHECK(ours.blame == Blame::kit);
    CHECK(ours.code == "ptx_syntax");
    REQUIRE(ours.marks.size() == 1);
    CHECK(ours.marks[0].path == "a.cu");
    CHECK(ours.marks[0].line == 7);
    CHECK(ours.facts.at(0).starts_with("PTX line 6: "));
    const Diagnostic theirs = refused(
        ".entry k() {\n .loc 1 7 3\n .loc 2 9 9, function_name $L, inlined_at 1 7 3\n // begin inline asm\n mov.b32 1 "
        "2;\n"
        " // end inline asm\n}\n.file 1 \"a.cu\" .file 2 \"b.cuh\"");
    CHECK(theirs.blame == Blame::learner);
    CHECK(theirs.marks.at(0).path == "a.cu");
    CHECK(theirs.marks[0].line == 7);
}

TEST_CASE("messages stay short and printable whatever the text holds") {
    const Diagnostic diagnostic = refused(".entry k() { mov.b32 " + std::string(5000, 'x') + " \x1b[31m; }");
    CHECK(diagnostic.title.size() < 200);
    CHECK(diagnostic.facts.at(0).size() < 100);
    for (const char c : diagnostic.title + diagnostic.facts[0]) CHECK((c >= 0x20 && c < 0x7f));
}
