// A described problem on its own: what its reference expects, and what is said of outputs that are wrong.
#include "problem/problem.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "compile/compiler.hpp"
#include "compile/support.hpp"
#include "problem/described_diagnosis.hpp"
#include "problem/host_program.hpp"
#include "problem/load_description.hpp"
#include "problem/pattern.hpp"
#include "problem/proof.hpp"
#include "support/catch.hpp"
#include "support/kit_problems.hpp"

using namespace warpgrade;
namespace fs = std::filesystem;

namespace {

const fs::path tiny = fs::path(WARPGRADE_SOURCE_DIR) / "grader/tests/courses/tiny/assignments/vadd";

std::unique_ptr<Problem> problem_in(const fs::path& folder) {
    auto description = load_description(folder.string());
    if (!description) FAIL(description.error().title);
    return std::make_unique<Problem>(std::move(*description));
}

// Another problem of the same folder's text.
std::unique_ptr<Problem> written(const test::TemporaryFolder& folder, const std::string& toml,
                                 const std::string& cuda) {
    fs::create_directories(folder.path() / "p");
    folder.write("p/problem.toml", toml);
    folder.write("p/problem.cu", cuda);
    return problem_in(folder.path() / "p");
}

std::string toml_of(const std::string& launcher, const std::string& how) {
    return "format = 1\nname = \"p\"\nlauncher = \"" + launcher + "\"\nextents = [\"n\"]\nuseful_bytes = \"8 * n\"\n" +
           how +
           "\n[[buffer]]\nname = \"in\"\nrole = \"in\"\nextents = \"n\"\ncontents = \"small\"\n"
           "[shapes]\ncheck = [1000, 1, 0, 4097]\nfew = [33]\ntechnique = 4096\nlarge = 65536\n"
           "timing = [{ class = \"aligned\", extents = \"wanted\" }, { class = \"odd\", extents = 999 }, { class = "
           "\"small\", extents = 64 }]\n[[buffer]]\nname = \"out\"\nrole = \"out\"\n";
}

std::vector<float> expected_of(const Problem& problem, const Shape& shape, std::uint64_t seed) {
    const auto known = problem.oracle().known(shape, seed, true);
    if (!known) FAIL(known.error().title << " " << (known.error().facts.empty() ? "" : known.error().facts[0]));
    std::vector<float> values((*known)->expected.size() / sizeof(float));
    std::memcpy(values.data(), (*known)->expected.data(), (*known)->expected.size());
    return values;
}

template <class T>
std::vector<T> input_of(const Problem& problem, const Shape& shape, std::uint64_t seed, std::size_t b) {
    const auto known = problem.oracle().known(shape, seed, false);
    REQUIRE(known);
    std::vector<T> values((*known)->inputs[b].size() / sizeof(T));
    std::memcpy(values.data(), (*known)->inputs[b].data(), (*known)->inputs[b].size());
    return values;
}

}  // namespace

// Contents that the kit makes by itself, and the same asked of the virtual GPU: there as the author's own.
TEST_CASE("contents on the virtual GPU are the host's") {
    if (test::lacks_nvrtc()) return;
    const test::TemporaryFolder folder;
    for (const char* type : {"float", "double", "float4", "unsigned char", "unsigned short", "int", "unsigned int",
                             "long long", "unsigned long long"}) {
        const std::string name = type;
        std::string toml = toml_of("void p(const " + name + "* in, " + name + "* out, int n)",
                                   "compare = \"bits\"\nreference = \"gather\"") +
                           "extents = \"n\"\n";
        const std::string all =
            "small\"\nvariants = { a = \"pattern\", b = \"bytes\", c = \"sparse\", d = \"ones\", e = \"index\", f = "
            "\"zeros\"" +
            std::string(name == "float" ? ", g = \"whole\"" : "") + " }\n";
        toml.replace(toml.find("small\"\n"), 7, all);
        const auto problem =
            written(folder, toml,
                    name + " reference(u64 i, const " + name + "* in, " + name + "* out, int n) { return in[i]; }\n");
        for (const char* variant : {"", "a", "b", "c", "d", "e", "f", "g"}) {
            if (*variant == 'g' && name != "float") continue;
            Shape shape = *problem->parse_shape("4097");
            shape.contents = variant;
            const auto known = problem->oracle().known(shape, 77, false);
            const auto made = problem->oracle().made(shape, 77, 0);
            INFO(type << " " << variant << (made ? "" : made.error().title));
            REQUIRE(known);
            REQUIRE(made);
            CHECK(*made == (*known)->inputs[0]);
        }
    }
}

TEST_CASE("the reference is run, and contents of the author's") {
    if (test::lacks_nvrtc()) return;
    const auto problem = problem_in(tiny);
    const Shape shape = *problem->parse_shape("1000");
    const auto a = input_of<float>(*problem, shape, 3, 0), b = input_of<float>(*problem, shape, 3, 1);
    const auto sum = expected_of(*problem, shape, 3);
    REQUIRE(sum.size() == 1000);
    for (std::size_t i = 0; i < 1000; ++i) {
        CHECK((b[i] >= 1 && b[i] <= 100));
        if (sum[i] != a[i] + b[i]) FAIL(i);
    }
    // Piece by piece, too, as the time model asks for it.
    std::vector<std::byte> piece(1024);
    REQUIRE(problem->expected(shape, 3, 1024, piece));
    CHECK(std::memcmp(piece.data(), sum.data() + 256, 1024) == 0);
    problem->contents(shape, 3, 1, 2048, piece);
    CHECK(std::memcmp(piece.data(), b.data() + 512, 1024) == 0);
}

TEST_CASE("contents are made from another input, and a constant has a fraction") {
    if (test::lacks_nvrtc()) return;
    const test::TemporaryFolder folder;
    const std::string toml = toml_of("void p(const float* in, const int* order, float* out, int n, float alpha)",
                                     "compare = \"bits\"\nreference = \"gather\"\nconstants = { alpha = 0.5 }") +
                             "extents = \"n\"\n[[buffer]]\nname = \"order\"\nrole = \"in\"\nextents = \"n\"\n"
                             "contents = \"two_sums\"\nafter = [\"in\"]\n";
    const auto problem = written(folder, toml, R"cuda(
        int two_sums(u64 i, u64 seed, const float* in, long long n) { return 2 * in[i] + (i > 0 ? in[i - 1] : 0); }
        float reference(u64 i, const float* in, const int* order, float* out, int n, float alpha) {
            return alpha * order[i];
        })cuda");
    const Shape shape = *problem->parse_shape("9000");  // more than a chunk of those that are made in pieces
    const auto in = input_of<float>(*problem, shape, 5, 0);
    const auto order = input_of<int>(*problem, shape, 5, 1);
    const auto expected = expected_of(*problem, shape, 5);
    for (std::size_t i = 0; i < in.size(); ++i) {
        REQUIRE(order[i] == static_cast<int>(2 * in[i] + (i > 0 ? in[i - 1] : 0)));
        REQUIRE(expected[i] == 0.5f * static_cast<float>(order[i]));
    }
    std::vector<int> pieces(order.size());
    problem->contents(shape, 5, 1, 0, std::as_writable_bytes(std::span(pieces)));
    CHECK(pieces == order);
    std::vector<float> left(expected.size());
    REQUIRE(problem->expected(shape, 5, 0, std::as_writable_bytes(std::span(left))));
    CHECK(left == expected);
    // On a card: to, first, count and seed come before the address of what it is made from.
    const std::vector<std::uint64_t> addresses{0x1000, 0x20000, 0x40000};
    const auto calls = problem->fill_calls(shape, 5, addresses);
    REQUIRE(calls.size() == 2);
    CHECK(read_as<std::uint64_t>(calls[1].parameters.data() + 32) == 0x1000);
}

TEST_CASE("an output is read before it is written") {
    if (test::lacks_nvrtc()) return;
    const struct {
        const char* form;
        const char* cuda;
    } problems[] = {
        // From another element than its own: nothing may be written over what is read.
        {"reference = \"gather\"",
         "float reference(u64 i, const float* in, float* out, int n) { return 2 * in[i] + out[n - 1 - i]; }"},
        {"reference = \"scatter\"\nscatter_over = \"n\"",
         "void reference(u64 i, const float* in, float* out, int n) { atomicAdd(&out[n - 1 - i], 2 * in[n - 1 - i]); "
         "}"},
    };
    for (const auto& [form, cuda] : problems) {
        INFO(form);
        const test::TemporaryFolder folder;
        std::string toml =
            toml_of("void p(const float* in, float* out, int n)", "compare = \"exact\"\n" + std::string(form)) +
            "extents = \"n\"\ncontents = \"halves\"\n";
        toml.replace(toml.find("role = \"out\""), 12, "role = \"inout\"");
        const auto problem = written(folder, toml, cuda);
        const bool is_gather = problem->description().reference == ReferenceForm::gather;
        const Shape shape = *problem->parse_shape("1000");
        const auto in = input_of<float>(*problem, shape, 5, 0);
        HostProgram program;
        auto prepared = problem->prepare(program, shape, 5);
        REQUIRE(prepared);
        const int out = prepared->buffers.back();
        std::vector<float> start(1000), result(1000);
        std::memcpy(start.data(), program.bytes(out).data(), 4000);
        CHECK(start[0] >= 0.5f);
        for (std::size_t i = 0; i < 1000; ++i) result[i] = 2 * in[i] + start[is_gather ? 999 - i : i];
        CHECK(expected_of(*problem, shape, 5) == result);
        CHECK_FALSE(problem->judge(program, *prepared)->is_right);  // as it was
        program.store(out, 0, std::as_bytes(std::span(result)));
        CHECK(problem->judge(program, *prepared)->is_right);
        const auto known = problem->oracle().known(shape, 5, true);
        REQUIRE(known);
        CHECK(*problem->oracle().passes_card_check(shape, 5, **known, std::as_bytes(std::span(result))));
        CHECK_FALSE(*problem->oracle().passes_card_check(shape, 5, **known, std::as_bytes(std::span(start))));
        CHECK(problem->check_bytes(shape) == 4000);
        CHECK(problem->fill_calls(shape, 5, std::vector<std::uint64_t>{0x1000, 0x2000}).size() == 2);
        for (const Diagnostic& each : prove(*problem, 1).problems) FAIL_CHECK(each.title);
    }
}

TEST_CASE("a problem has two outputs, and each is judged") {
    if (test::lacks_nvrtc()) return;
    const struct {
        const char *form, *of_low, *of_high, *cuda;
    } problems[] = {
        {"reference = \"gather\"", "reference = \"low_of\"\n", "reference = \"high_of\"\n",
         "float low_of(u64 i, const float* in, float* low, int* high, int n) { return in[i] - 1; }\n"
         "int high_of(u64 i, const float* in, float* low, int* high, int n) { return (int)in[i] + 1; }\n"
         "float same_low(u64 i, const float* in, float* low, int* high, int n) { return in[i]; }\n"},
        {"reference = \"sequential\"", "card_check = \"is_low\"\n", "card_check = \"is_high\"\n",
         "void reference(const float* in, float* low, int* high, int n) {\n"
         "    for (int i = 0; i < n; ++i) { low[i] = in[i] - 1; high[i] = (int)in[i] + 1; } }\n"
         "bool is_low(u64 i, const float* in, const float* low, const int* high, int n) { return low[i] == in[i] - 1; "
         "}\n"
         "bool is_high(u64 i, const float* in, const float* low, const int* high, int n) {\n"
         "    return high[i] == (int)in[i] + 1; }\n"
         "void same_low(const float* in, float* low, int* high, int n) {\n"
         "    for (int i = 0; i < n; ++i) { low[i] = in[i]; high[i] = (int)in[i] + 1; } }\n"},
    };
    for (const auto& [form, of_low, of_high, cuda] : problems) {
        INFO(form);
        const test::TemporaryFolder folder;
        std::string toml = toml_of("void p(const float* in, float* low, int* high, int n)",
                                   "compare = \"exact\"\n" + std::string(form)) +
                           "extents = \"n\"\n" + of_low +
                           "[[buffer]]\nname = \"high\"\nrole = \"out\"\nextents = \"n\"\n" + of_high +
                           "[[mistake]]\nname = \"same_low\"\noutput = \"low\"\ntitle = \"nothing is subtracted\"\n"
                           "help = \"subtract 1\"\n";
        toml.replace(toml.find("name = \"out\""), 12, "name = \"low\"");
        const auto problem = written(folder, toml, cuda);
        REQUIRE(problem->by_output().size() == 2);
        const Shape shape = *problem->parse_shape("1000");
        const auto in = input_of<float>(*problem, shape, 5, 0);
        std::vector<float> low(1000);
        std::vector<int> high(1000);
        for (std::size_t i = 0; i < 1000; ++i) {
            low[i] = in[i] - 1;
            high[i] = static_cast<int>(in[i]) + 1;
        }
        const auto judged = [&] {
            HostProgram program;
            const auto prepared = problem->prepare(program, shape, 5);
            REQUIRE(prepared);
            REQUIRE(prepared->layout[1].name == "low");
            program.store(prepared->buffers[1], 0, std::as_bytes(std::span(low)));
            program.store(prepared->buffers[2], 0, std::as_bytes(std::span(high)));
            return *problem->judge(program, *prepared);
        };
        CHECK(judged().is_right);
        high[7] = 0;
        const Judgement wrong_high = judged();
        CHECK_FALSE(wrong_high.is_right);
        CHECK(wrong_high.output == 2);
        CHECK(wrong_high.facts.at(0).starts_with("high[7] is 0, expected "));
        high[7] = static_cast<int>(in[7]) + 1;
        low = in;
        const Judgement wrong_low = judged();
        CHECK(wrong_low.output == 1);
        CHECK(wrong_low.pattern == "same_low");
        CHECK(wrong_low.facts.at(0).starts_with("low[0] is "));

        // On a card each has a check of its own, of one text.
        const auto calls = problem->check_calls(shape, 5, std::vector<std::uint64_t>{0x1000, 0x20000, 0x40000}, 0x8000);
        REQUIRE(calls.size() == 3);
        for (const char* kernel : {"wg_card_check_low", "wg_card_check_high"}) {
            CHECK(std::ranges::count(calls, kernel, &KernelCall::kernel) == 1);
            CHECK(problem->card_source().find(kernel) != std::string_view::npos);
        }
        CompileRequest request;
        request.path = "card.cu";
        request.source = std::string(problem->card_source());
        const auto compiled = compile(request);
        REQUIRE(compiled);
        CHECK(compiled->ok);
        for (const auto& [buffer, one] : problem->by_output())
            for (const Diagnostic& each : prove(*one, 1).problems) FAIL_CHECK(each.title);
    }
}

TEST_CASE("a problem proves itself, and one that any output passes does not") {
    if (test::lacks_nvrtc()) return;
    const Proof proof = prove(*problem_in(tiny), 1);
    for (const Diagnostic& each : proof.problems) UNSCOPED_INFO(each.title);
    CHECK(proof.problems.empty());
    CHECK(proof.mutants > 50);

    const test::TemporaryFolder folder;
    const auto lax =
        written(folder,
                toml_of("void p(const float* in, float* out, int n)",
                        "compare = { function = \"any\" }\nreference = \"gather\"") +
                    "extents = \"n\"\n",
                "float reference(u64 i, const float* in, float* out, int n) { return in[i]; }\n"
                "bool any(float a, float b, u64 i, const float* in, float* out, int n) { return true; }\n");
    CHECK_FALSE(prove(*lax, 1).problems.empty());
    const auto tame =
        written(folder,
                toml_of("void p(const float* in, float* out, int n)", "compare = \"bits\"\nreference = \"gather\"") +
                    "extents = \"n\"\n",
                "float reference(u64 i, const float* in, float* out, int n) { return 0; }\n");
    const Proof tame_proof = prove(*tame, 1);
    const auto says = [&](const std::string& text) {
        return std::any_of(tame_proof.problems.begin(), tame_proof.problems.end(),
                           [&](const Diagnostic& d) { return d.title.find(text) != std::string::npos; });
    };
    CHECK(says("on no shape is an output of zeros wrong"));
    CHECK(says("two seeds give the same output"));
}

TEST_CASE("what is moved or added up proves itself") {
    if (test::lacks_nvrtc()) return;
    for (const char* name : {"transpose", "copy", "reduction"}) {
        const Proof proof = prove(test::kit_problem(name), 1);
        for (const Diagnostic& each : proof.problems) UNSCOPED_INFO(name << ": " << each.title);
        CHECK(proof.problems.empty());
        CHECK(proof.mutants > 5);
    }
}

TEST_CASE("a sequential reference, one that scatters, and their checks on a card") {
    if (test::lacks_nvrtc()) return;
    const test::TemporaryFolder folder;
    const auto scan = written(folder,
                              toml_of("void p(const unsigned* in, unsigned* out, int n)",
                                      "compare = \"bits\"\nreference = \"sequential\"\ncard_check = \"holds\"") +
                                  "extents = \"n\"\n",
                              "void reference(const unsigned* in, unsigned* out, int n) { unsigned s = 0; for (int i = "
                              "0; i < n; ++i) out[i] = s += in[i]; }\n"
                              "bool holds(u64 i, const unsigned* in, const unsigned* out, int n) { return out[i] == (i "
                              "? out[i - 1] : 0u) + in[i]; }\n");
    Proof proof = prove(*scan, 1);
    for (const Diagnostic& each : proof.problems) UNSCOPED_INFO(each.title);
    CHECK(proof.problems.empty());

    const auto histogram =
        written(folder,
                toml_of("void p(const unsigned* in, unsigned* out, int n)",
                        "compare = \"bits\"\nreference = \"scatter\"\nscatter_over = \"n\"") +
                    "extents = 16\n",
                "void reference(u64 i, const unsigned* in, unsigned* out, int n) { atomicAdd(&out[in[i]], 1u); }\n");
    proof = prove(*histogram, 1);
    for (const Diagnostic& each : proof.problems) UNSCOPED_INFO(each.title);
    CHECK(proof.problems.empty());

    // One number for all elements, and what a mistake leaves of it.
    const std::string named = "[[mistake]]\nname = \"rest\"\ntitle = \"t\"\nhelp = \"h\"\ntries = [64]\n";
    const auto dot =
        written(folder,
                toml_of("void p(const unsigned* in, unsigned* out, int n)",
                        "compare = \"bits\"\nreference = \"scatter\"\nscatter_over = \"n\"") +
                    "extents = 1\n" + named,
                "void reference(u64 i, const unsigned* in, unsigned* out, int n) { atomicAdd(out, in[i]); }\n"
                "void rest(u64 i, const unsigned* in, unsigned* out, int n, int block) {\n"
                "    if (i < (u64)(n / block * block)) atomicAdd(out, in[i]);\n}\n");
    proof = prove(*dot, 1);
    for (const Diagnostic& each : proof.problems) UNSCOPED_INFO(each.title);
    CHECK(proof.problems.empty());
    // A mistake that is none is pointed to.
    const auto none = written(folder,
                              toml_of("void p(const unsigned* in, unsigned* out, int n)",
                                      "compare = \"bits\"\nreference = \"scatter\"\nscatter_over = \"n\"") +
                                  "extents = 1\n" + named,
                              "void reference(u64 i, const unsigned* in, unsigned* out, int n) { atomicAdd(out, "
                              "in[i]); }\nvoid rest(u64 i, const unsigned* in, unsigned* out, int n, int) { "
                              "atomicAdd(out, in[i]); }\n");
    proof = prove(*none, 1);
    REQUIRE(proof.problems.size() == 1);
    CHECK(proof.problems[0].marks[0].line == none->description().mistakes[0].line);
    CHECK(proof.problems[0].marks[0].line > 0);
    CHECK(histogram->check_bytes(*histogram->parse_shape("1000")) == 64);
}

TEST_CASE("comparisons let pass what they say, and no more") {
    if (test::lacks_nvrtc()) return;
    const struct {
        const char* compare;
        float by;  // added to the first element; a unit in the last place of 1 is 1.2e-7
        bool is_right;
    } cases[] = {{"\"bits\"", 1.2e-7f, false},
                 {"{ ulps = 1 }", 1.2e-7f, true},
                 {"{ ulps = 1 }", 2.4e-7f, false},
                 {"{ summation = \"n\", magnitude = \"size\" }", 5e-5f, true},
                 {"{ summation = \"n\", magnitude = \"size\" }", 1e-1f, false},
                 {"{ function = \"near\" }", 0.009f, true},
                 {"{ function = \"near\" }", 0.02f, false}};
    const test::TemporaryFolder folder;
    for (const auto& [compare, by, is_right] : cases) {
        INFO(compare << " " << by);
        const auto problem = written(folder,
                                     toml_of("void p(const float* in, float* out, int n)",
                                             std::string("compare = ") + compare + "\nreference = \"gather\"") +
                                         "extents = \"n\"\n",
                                     "float reference(u64 i, const float* in, float* out, int n) { return 1.0f; }\n"
                                     "double size(u64 i, const float* in, float* out, int n) { return 1; }\n"
                                     "bool near(float a, float b, u64 i, const float* in, float* out, int n) { return "
                                     "fabsf(a - b) < 0.01f; }\n");
        const Shape shape = *problem->parse_shape("1000");
        HostProgram program;
        const auto prepared = problem->prepare(program, shape, 1);
        REQUIRE(prepared);
        std::vector<float> out(1000, 1.0f);
        out[0] += by;
        program.store(prepared->buffers.back(), 0, std::as_bytes(std::span(out)));
        const auto judgement = problem->judge(program, *prepared);
        REQUIRE(judgement);
        CHECK(judgement->is_right == is_right);
    }
}

TEST_CASE("a problem.cu that fails is the course's fault, with its line") {
    if (test::lacks_nvrtc()) return;
    const test::TemporaryFolder folder;
    const std::string toml =
        toml_of("void p(const float* in, float* out, int n)", "compare = \"bits\"\nreference = \"gather\"") +
        "extents = \"n\"\n";
    const auto broken = written(
        folder, toml, "// one\nfloat reference(u64 i, const float* in, float* out, int n) { return nowhere; }\n");
    auto known = broken->oracle().known(*broken->parse_shape("33"), 1, true);
    REQUIRE_FALSE(known);
    CHECK(known.error().code == "reference_does_not_compile");
    CHECK(known.error().blame == Blame::course);
    CHECK(known.error().marks.front().line == 2);

    const auto outside =
        written(folder, toml,
                "// one\nfloat reference(u64 i, const float* in, float* out, int n) {\n    return in[i + 1];\n}\n");
    known = outside->oracle().known(*outside->parse_shape("33"), 1, true);
    REQUIRE_FALSE(known);
    CHECK(known.error().code == "reference_fails");
    CHECK(known.error().marks.front().line == 3);
}
