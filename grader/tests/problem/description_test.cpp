// problem.toml as it is read: a right one, and each way of being wrong with its line and a near name.
#include "problem/description.hpp"

#include <filesystem>
#include <sstream>

#include "compile/support.hpp"
#include "problem/load_description.hpp"
#include "problem/problem.hpp"
#include "support/catch.hpp"

using namespace warpgrade;
namespace fs = std::filesystem;

namespace {

const fs::path tiny = fs::path(WARPGRADE_SOURCE_DIR) / "grader/tests/courses/tiny/assignments/vadd";

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// Of a problem of the kit's course that needs no problem.cu.
Result<ProblemDescription> kit_problem_with(const std::string& name, const std::string& from, const std::string& to) {
    const test::TemporaryFolder folder;
    std::string toml = text_of(fs::path(WARPGRADE_SOURCE_DIR) / "assignments" / name / "problem.toml");
    const auto at = toml.find(from);
    REQUIRE(at != std::string::npos);
    toml.replace(at, from.size(), to);
    fs::create_directory(folder.path() / name);
    folder.write(name + "/problem.toml", toml);
    return load_description((folder.path() / name).string());
}

Result<ProblemDescription> loaded_with(const std::string& from, const std::string& to) {
    const test::TemporaryFolder folder;
    std::string toml = text_of(tiny / "problem.toml");
    const auto at = toml.find(from);
    REQUIRE(at != std::string::npos);
    toml.replace(at, from.size(), to);
    fs::create_directory(folder.path() / "vadd");
    folder.write("vadd/problem.toml", toml);
    folder.write("vadd/problem.cu", text_of(tiny / "problem.cu"));
    return load_description((folder.path() / "vadd").string());
}

}  // namespace

TEST_CASE("a folder becomes a problem") {
    auto description = load_description(tiny.string());
    if (!description) FAIL(description.error().title << " " << description.error().marks.front().line);
    const Problem problem(std::move(*description));
    CHECK(problem.name() == "vadd");
    CHECK(problem.signature("float") == "void vadd(const float* a, const float* b, float* sum, int n)");
    CHECK(problem.demangled("double") == "vadd(double const*, double const*, double*, int)");
    CHECK(problem.instantiation("unsigned char") ==
          "template void vadd<unsigned char>(unsigned char const*, unsigned char const*, unsigned char*, int);");
    CHECK(problem.technique_shape().extents == std::vector<std::int64_t>{65536});
    CHECK(problem.technique_shape().shape_class == "aligned");
    const Shape shape = *problem.parse_shape("1000");
    CHECK(problem.useful_bytes(shape) == 12000);
    CHECK(problem.elements(shape) == 1000);
    const auto buffers = problem.buffers(shape);
    REQUIRE(buffers.size() == 3);
    CHECK(buffers.front().is_read_only);
    CHECK(buffers.back().name == "sum");
    CHECK_FALSE(problem.parse_shape("10x10"));
    CHECK_FALSE(problem.parse_shape("3000000000"));  // n is an int
}

TEST_CASE("shapes come from the seed, and timing shapes fit the card") {
    const Problem problem(std::move(*load_description(tiny.string())));
    const auto shapes = problem.shapes(1, {});
    CHECK(shapes.size() == 12);
    CHECK(shapes == problem.shapes(1, {}));
    CHECK(shapes != problem.shapes(2, {}));
    CHECK(shapes[3].shape_class == "empty");
    const std::vector<std::string> types{"unsigned char", "float", "double"};
    CHECK(problem.shapes(1, types).size() > shapes.size());
    const TimingLimits h200{62914560, std::uint64_t{140} << 30, 4800}, full{60 << 20, 64 << 20, 4800};
    for (const TimingLimits& limits : {h200, full}) {
        const auto timed = problem.timing_shapes(limits, 0);
        REQUIRE(timed.size() == 3);
        CHECK(timed[0].extents[0] % 4096 == 0);
        CHECK(timed == problem.timing_shapes(limits, 0));
        CHECK(problem.useful_bytes(timed[0]) <= limits.free_bytes);
        if (limits.free_bytes == h200.free_bytes) CHECK(problem.useful_bytes(timed[0]) >= 4 * limits.l2_bytes);
        CHECK(problem.timing_shapes(limits, 5) != timed);
    }
    CHECK(problem.bench_shapes(h200).size() == 4);  // one of timing is among them
}

TEST_CASE("a shape takes another one's type and numbers, and keeps its extents") {
    REQUIRE(load_problems(std::string(WARPGRADE_SOURCE_DIR) + "/assignments"));
    const Problem& histogram = *find_problem("histogram");
    const Shape large = histogram.large_shape(), even = *histogram.parse_shape("33554432"),
                skewed = *histogram.parse_shape("1000 x 40");
    CHECK(to_string(large) == "4194304 x 90");
    CHECK(to_string(histogram.with_numbers_of(large, even)) == "4194304");
    CHECK(to_string(histogram.with_numbers_of(large, skewed)) == "4194304 x 40");
    Shape doubles = *find_problem("transpose")->parse_shape("8 x 9");
    doubles.type = "double";
    CHECK(find_problem("transpose")->with_numbers_of(*find_problem("transpose")->parse_shape("64 x 32"), doubles) ==
          [] {
              Shape shape = *find_problem("transpose")->parse_shape("64 x 32");
              shape.type = "double";
              return shape;
          }());
}

TEST_CASE("what is wrong in a problem.toml is named with its line") {
    const struct {
        const char* from;
        const char* to;
        const char* code;
        const char* title;
        const char* help;  // may be empty
    } cases[] = {
        {"format = 1", "format = 2", "unknown_format", "this kit reads format 1", ""},
        {"format = 1", "fromat = 1", "missing_key", "the problem has no `format`", ""},
        {"title = \"Vector sum\"", "tilte = \"Vector sum\"", "unknown_key", "the problem has an unknown key `tilte`",
         "did you mean `title`?"},
        {"name = \"vadd\"", "name = \"vsum\"", "name_differs", "the problem `vsum` is in the folder `vadd`", ""},
        {"void vadd(", "int vadd(", "bad_launcher", "`launcher` is not a signature that the kit can call", ""},
        {"const T* b", "const folat* b", "bad_launcher", "`launcher` is not a signature that the kit can call",
         "did you mean `float`?"},
        {"int n)", "int m)", "unknown_parameter", "what is passed as `m` of the launcher?", "did you mean `n`?"},
        {"extents = [\"n\"]", "extents = [\"n\", \"n\"]", "duplicate_name", "two numbers are called `n`", ""},
        {"bytes(sum)\"", "bytes(summ)\"", "bad_expression", "`bytes(a) + bytes(b) + bytes(summ)` has no value on 65536",
         ""},
        {"compare = \"bits\"", "compare = \"bit\"", "unknown_word", "`bit` is not a comparison", ""},
        {"compare = \"bits\"", "compare = { ulps = 0 }", "out_of_range", "`ulps` of `compare` is 0", ""},
        {"compare = \"bits\"", "compare = { ulps = 4, function = \"f\" }", "bad_comparison",
         "`compare` is not one comparison", ""},
        {"reference = \"gather\"", "reference = \"gahter\"", "unknown_word", "`gahter` is not a `reference`",
         "did you mean `gather`?"},
        {"reference = \"gather\"", "reference = \"scatter\"", "missing_key", "there is no `scatter_over`", ""},
        {"reference = \"gather\"", "reference = \"sequential\"", "missing_key", "the problem has no `card_check`", ""},
        {"name = \"b\"", "name = \"bb\"", "unknown_buffer", "the launcher has no pointer `bb`", "did you mean `b`?"},
        {"[shapes]", "[[mistake]]\nname = \"m\"\ntitle = \"t\"\nhelp = \"h\"\nif = \"n > 0\"\n[shapes]", "bad_mistake",
         "the mistake `m` is an expression", "write a function in problem.cu, and leave out `if` and `holds`"},
        {"role = \"out\"", "role = \"out\"\nreference = \"f\"", "several_outputs", "`sum` has a function of its own",
         ""},
        {"contents = \"pattern\"", "contents = \"pattern\"\ncard_check = \"f\"", "several_outputs",
         "`a` has a function of its own", ""},
        {"role = \"out\"", "role = \"scratch\"", "buffer_roles", "a problem has an input and an output", ""},
        {"contents = \"pattern\"", "content = \"pattern\"", "missing_key", "a [[buffer]] has no `contents`",
         "is `content` meant to be `contents`?"},
        {"useful_bytes", "usefull_bytes", "missing_key", "there is no `useful_bytes`",
         "is `usefull_bytes` meant to be `useful_bytes`?"},
        {"useful_bytes = \"", "useful_bytes = \"\"  # \"", "bad_expression", "`useful_bytes` holds an empty expression",
         ""},
        {"few = [4097, 33]", "few = [4097, \" \"]", "bad_expression", "`few` holds an empty expression", ""},
        {"role = \"out\"", "role = \"in\"", "missing_key", "a [[buffer]] has no `contents`", ""},
        {"contents = \"pattern\"", "contents = \"two words\"", "bad_name",
         "`two words` is not a name that CUDA C++ can have", ""},
        {"extents = \"n\"\ncontents", "extents = \"m\"\ncontents", "bad_expression", "`technique`: `m` has no value",
         "did you mean `n`?"},
        {"rough(5000", "ruogh(5000", "bad_expression", "`check`: `ruogh(5000, 20000)` has no value",
         "did you mean `rough`?"},
        {"contents = \"sparse\" }", "contents = \"sprase\" }", "unknown_variant", "no buffer has contents for `sprase`",
         "did you mean `sparse`?"},
        {"technique = \"1 << 16\"", "technique = \"1 << 30\"", "shape_too_large",
         "1073741824 of `technique` takes more than 4 GB", ""},
        {"technique = \"1 << 16\"", "technique = [1, 2]", "bad_shape", "a shape of `technique` has 2 values", ""},
        {"large = \"1 << 20\"", "large = \"5000000000\"", "bad_shape",
         "`large`: 5000000000 does not fit the launcher's parameters", ""},
        {"class = \"odd\"", "class = \"old\"", "unknown_word", "`old` is not a `class`", "did you mean `odd`?"},
        {"class = \"small\"", "class = \"thin\"", "timing_classes", "`timing` lacks a class", ""},
        {"few = [4097, 33]", "few = []", "missing_key", "[shapes] has no `few`", ""},
        {"most = \"pow2(wanted)\"", "most = \"pow2(wnated)\"", "bad_expression", "`let`: `pow2(wnated)` has no value",
         "did you mean `wanted`?"},
        {"name = \"next_of_b\"", "name = \"only_a\"", "duplicate_name", "two mistakes are called `only_a`", ""},
        {"tries = [1, 2, 32]", "tries = [1, 0]", "out_of_range", "`tries` of a [[mistake]] has 0", ""},
        {"offset = 1", "ofset = 1", "unknown_key", "a shape of `check` has an unknown key `ofset`",
         "did you mean `offset`?"},
        {"[shapes]", "[shape]", "missing_key", "the problem has no [shapes]", ""},
    };
    for (const auto& [from, to, code, title, help] : cases) {
        INFO(from << " -> " << to);
        const auto problem = loaded_with(from, to);
        REQUIRE_FALSE(problem);
        CHECK(problem.error().blame == Blame::course);
        CHECK(problem.error().title == title);
        if (problem.error().title == title) CHECK(problem.error().code == code);
        if (*help != 0) CHECK(problem.error().help == help);
        REQUIRE_FALSE(problem.error().marks.empty());
        CHECK(problem.error().marks.front().path.ends_with("problem.toml"));
    }
}

TEST_CASE("what a problem takes in arithmetic is counted, and what it is held against") {
    REQUIRE(load_problems(std::string(WARPGRADE_SOURCE_DIR) + "/assignments"));
    const Problem& product = *find_problem("matmul");
    const Shape shape = *product.parse_shape("3 x 5 x 7");
    CHECK(product.flops(shape) == 210);
    CHECK(product.yardstick() == Yardstick::compute);
    CHECK(find_problem("scan")->flops(*find_problem("scan")->parse_shape("9")) == 0);
    CHECK(find_problem("reduction")->yardstick() == Yardstick::read);
    const auto uncounted = loaded_with("useful_bytes =", "yardstick = \"compute\"\nuseful_bytes =");
    REQUIRE_FALSE(uncounted);
    CHECK(uncounted.error().title == "the yardstick is arithmetic, and there is no `flops`");
}

TEST_CASE("a constant with a fraction, and contents made from another buffer, have to fit") {
    const auto fraction =
        loaded_with("void vadd(const T* a, const T* b, T* sum, int n)",
                    "void vadd(const T* a, const T* b, T* sum, int n, int k)\"\nconstants = { k = 0.5 }#");
    REQUIRE_FALSE(fraction);
    CHECK(fraction.error().title == "`k` of `constants` is 0.5, and int in the launcher");
    const auto later = loaded_with("name = \"a\"", "name = \"a\"\nafter = [\"b\"]");
    REQUIRE_FALSE(later);
    CHECK(later.error().title == "`a` cannot be made from `b`");
}

TEST_CASE("the line is that of what is wrong") {
    const auto problem = loaded_with("contents = \"sparse\" }", "contents = \"sprase\" }");
    REQUIRE_FALSE(problem);
    const std::string toml = text_of(tiny / "problem.toml");
    const auto at = toml.find("{ extents = 777");
    CHECK(problem.error().marks.front().line ==
          1 + std::count(toml.begin(), toml.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

TEST_CASE("an expression over a shape is shown where it stands") {
    const auto problem = loaded_with("bytes(sum)\"", "byte(sum)\"");
    REQUIRE_FALSE(problem);
    CHECK(problem.error().help == "did you mean `bytes`?");
    const std::string toml = text_of(tiny / "problem.toml");
    const auto at = static_cast<std::ptrdiff_t>(toml.find("useful_bytes"));
    CHECK(problem.error().marks.front().line == 1 + std::count(toml.begin(), toml.begin() + at, '\n'));
}

TEST_CASE("a folder without a problem.cu is no problem") {
    const test::TemporaryFolder folder;
    fs::create_directory(folder.path() / "vadd");
    folder.write("vadd/problem.toml", text_of(tiny / "problem.toml"));
    const auto problem = load_description((folder.path() / "vadd").string());
    REQUIRE_FALSE(problem);
    CHECK(problem.error().code == "missing_file");
}

TEST_CASE("what is moved or added up needs no problem.cu, and says what belongs where") {
    CHECK(kit_problem_with("transpose", "format = 1", "format = 1"));
    CHECK(kit_problem_with("reduction", "format = 1", "format = 1"));
    const struct {
        const char* name;
        const char* from;
        const char* to;
        const char* code;
        const char* title;
    } cases[] = {
        {"transpose", "in[x][y]\"", "in[x][z]\"", "bad_moves", "`out[y][x] = in[x][z]` does not say where elements go"},
        {"transpose", "in[x][y]\"", "in[y][x]\"", "bad_moves", "`out[y][x] = in[y][x]` does not say where elements go"},
        {"transpose", "in[x][y]\"", "in[x]\"", "bad_moves", "`out[y][x] = in[x]` does not say where elements go"},
        {"transpose", "moves = ", "mvoes = ", "missing_key", "the problem has no `moves`"},
        {"transpose", "compare = \"bits\"", "compare = \"rounding\"", "bad_comparison",
         "`compare` and `reference` do not fit"},
        {"transpose", "[shapes]", "[[words]]\nof = \"zreos\"\n[shapes]", "unknown_mistake",
         "the kit recognises no `zreos`"},
        {"transpose", "[shapes]", "[[words]]\nof = \"zeros\"\ntitle = \"{otu} is 0\"\n[shapes]", "unknown_name",
         "what is `{otu}`?"},
        {"transpose", "max(rows, cols) > try", "max(rows, clos) > try", "bad_expression",
         "`if` of the mistake `tile_not_transposed_inside`: no number is called `clos` here"},
        {"transpose", "the {try} x {try} tiles are in", "the {tyr} tiles are in", "bad_expression",
         "`title` of the mistake `tile_not_transposed_inside`: no number is called `tyr` here"},
        {"transpose", "is_of_load = 1", "is_of_loads = 1", "bad_expression",
         "`shows` of the mistake `rows_cols_swapped`: a rule cannot show `is_of_loads`"},
        {"reduction", "every(0, 2 * threads, threads, n)", "every(0, threads, n)", "bad_expression",
         "`if` of the mistake `second_load_missing`: `every` takes 4 numbers, not 3"},
        {"transpose", "contents = \"pattern\"", "contents = \"special\"", "bad_contents",
         "`special` of `in` are for some shapes only"},
        {"transpose", "contents = \"pattern\"", "contents = \"whole\"", "bad_contents",
         "`whole` of `in` are contents of floats"},
        {"transpose", "contents = \"pattern\"", "contents = \"mine\"", "missing_file", ""},
        {"reduction", "contents = \"whole\"", "contents = \"small\"", "bad_sum",
         "the reference is a sum, and the buffers do not fit"},
        {"reduction", "compare = \"rounding\"", "compare = \"exact\"", "bad_comparison",
         "`compare` and `reference` do not fit"},
        {"reduction", "\"1 << 22\"", "{ extents = \"1 << 22\", contents = \"tenths\" }", "bad_contents",
         "`tenths` cannot be timed"},
    };
    for (const auto& [name, from, to, code, title] : cases) {
        INFO(from << " -> " << to);
        const auto problem = kit_problem_with(name, from, to);
        REQUIRE_FALSE(problem);
        CHECK(problem.error().blame == Blame::course);
        CHECK(problem.error().code == code);
        if (*title != 0) CHECK(problem.error().title == title);
    }
}
