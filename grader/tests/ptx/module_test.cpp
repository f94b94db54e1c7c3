#include "ptx/module.hpp"

#include "support/catch.hpp"

namespace {

using namespace warpgrade::ptx;

Module with_files() {
    Module module;
    module.files = {{1, "/course/3_corner_turning.cu"}, {2, "/include/helper.cuh"}, {3, "/other/3_corner_turning.cu"}};
    return module;
}

}  // namespace

TEST_CASE("types are named as in PTX, both ways, with their sizes") {
    CHECK(type_named("s32") == Type::s32);
    CHECK(type_named("bf16x2") == Type::bf16x2);
    CHECK(type_named("none") == Type::none);
    CHECK(type_named("x9") == Type::none);
    for (int i = 1; i <= static_cast<int>(Type::f64); ++i) CHECK(type_named(name(Type(i))) == Type(i));
    CHECK(size_bytes(Type::pred) == 0);
    CHECK(size_bytes(Type::u8) == 1);
    CHECK(size_bytes(Type::bf16) == 2);
    CHECK(size_bytes(Type::f16x2) == 4);
    CHECK(size_bytes(Type::f64) == 8);
    CHECK(size_bytes(Type::b128) == 16);
    CHECK(name(Space::constant) == "const");
}

TEST_CASE("an instruction's full name joins its words with dots") {
    Instruction instruction;
    instruction.opcode = "ld";
    CHECK(full_name(instruction) == "ld");
    instruction.modifiers = {"shared::cta", "v4", "f32"};
    CHECK(full_name(instruction) == "ld.shared::cta.v4.f32");
}

TEST_CASE("a place is the innermost and the outermost frame in the asked-for file") {
    const Module module = with_files();
    Function function;
    function.locations = {{1, 30, 5, -1}, {1, 12, 9, 0}, {2, 400, 1, 1}, {2, 7, 1, -1}, {1, 0, 0, -1}};
    const char* file = "/course/3_corner_turning.cu";
    CHECK(source_place(module, function, 0, file).outermost.line == 30);
    CHECK(source_place(module, function, 0, file).innermost.line == 30);
    CHECK(source_place(module, function, 1, file).outermost.line == 30);
    CHECK(source_place(module, function, 1, file).innermost.line == 12);
    CHECK(source_place(module, function, 1, file).innermost.column == 9);
    CHECK(source_place(module, function, 2, file).outermost.line == 30);
    CHECK(source_place(module, function, 2, file).outermost.column == 5);
    CHECK(source_place(module, function, 2, file).innermost.line == 12);  // line 400 is in another file
    CHECK(source_place(module, function, 2, "/include/helper.cuh").innermost.line == 400);
    CHECK(source_place(module, function, 2, "/include/helper.cuh").outermost.line == 400);
    CHECK(source_place(module, function, 3, file).outermost.line == 0);
    CHECK(source_place(module, function, 4, file).outermost.line == 0);
    CHECK(source_place(module, function, -1, file).outermost.line == 0);
    CHECK(source_place(module, function, 99, file).outermost.line == 0);
    CHECK(source_place(module, function, 0, "").outermost.line == 0);
}

TEST_CASE("the places of all locations are those of each") {
    const Module module = with_files();
    Function function;
    function.locations = {{1, 30, 5, -1}, {1, 12, 9, 0}, {2, 400, 1, 1}, {2, 7, 1, -1}, {1, 0, 0, -1}, {1, 8, 2, 4}};
    for (const char* file : {"/course/3_corner_turning.cu", "/include/helper.cuh", ""}) {
        const auto places = source_places(module, function, file);
        REQUIRE(places.size() == function.locations.size());
        for (int i = 0; i < std::ssize(places); ++i) {
            const auto alone = source_place(module, function, i, file);
            CHECK(places.at(i).innermost.line == alone.innermost.line);
            CHECK(places.at(i).outermost.line == alone.outermost.line);
            CHECK(places.at(i).outermost.column == alone.outermost.column);
        }
    }
    // A template that calls itself on one line: walked from each location, this would take minutes.
    function.locations = {{1, 30, 5, -1}};
    for (int i = 0; i < 300'000; ++i) function.locations.push_back({1, 31 + i, 1, i});
    const auto deep = source_places(module, function, "/course/3_corner_turning.cu");
    CHECK(deep.back().outermost.line == 30);
    CHECK(deep.back().innermost.line == 300'030);
}

TEST_CASE("a file is matched as written, else by the end of its path") {
    Module module = with_files();
    Function function;
    function.locations = {{1, 30, 5, -1}, {3, 31, 5, -1}};
    CHECK(source_place(module, function, 0, "/course/3_corner_turning.cu").outermost.line == 30);
    CHECK(source_place(module, function, 1, "/course/3_corner_turning.cu").outermost.line == 0);
    CHECK(source_place(module, function, 0, "course/3_corner_turning.cu").outermost.line == 30);
    CHECK(source_place(module, function, 0, "turning.cu").outermost.line == 0);
    module.files = {{1, "3_corner_turning.cu"}};
    CHECK(source_place(module, function, 0, "/anywhere/3_corner_turning.cu").outermost.line == 30);
}

TEST_CASE("a chain that runs in circles ends") {
    const Module module = with_files();
    Function function;
    function.locations = {{1, 1, 1, 1}, {1, 2, 1, 0}};
    CHECK(source_place(module, function, 0, "/course/3_corner_turning.cu").outermost.line > 0);
}

TEST_CASE("functions are found by name or alias") {
    Module module;
    module.functions.resize(2);
    module.functions[0].name = "a";
    module.functions[1].name = "b";
    module.aliases["c"] = "b";
    CHECK(module.find("a") == &module.functions[0]);
    CHECK(module.find("c") == &module.functions[1]);
    CHECK(module.find("d") == nullptr);
}
