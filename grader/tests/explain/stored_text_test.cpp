#include "explain/stored_text.hpp"

#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace warpgrade;
using test::FactsOf;

namespace {

const std::string path = "a.cu";

// An array of floats whose elements are stored where `stored` has a 1, read by a block of `threads`.
struct Read {
    FactsOf facts;
    vgpu::Finding finding;
    Case run;
    std::vector<LaunchInfo> launches{{"f", {1, 1, 1}, {4, 1, 1}, 0, 9}};

    Read(const std::string& declaration, std::string stored, std::uint32_t threads = 4)
        : facts("__global__ void f(float* out) {\n    " + declaration + "\n    t[threadIdx.x] = 1;\n}\n") {
        finding.kind = vgpu::FindingKind::uninitialized;
        finding.kernel = "f";
        finding.buffer = "t";
        finding.width_bytes = 4;
        finding.buffer_bytes = 4 * stored.size();
        finding.stored = std::move(stored);
        launches.front().block.x = threads;
    }
    Scene scene() const { return {finding, path, facts, *facts->tree->tokens.text, run, &launches}; }
    StoredText text() const { return stored_text(scene()); }
};

}  // namespace

TEST_CASE("which rows and columns of an array were not stored") {
    CHECK(Read("__shared__ float t[3][4];", "111100001111").text().fact == "not stored by then: row 1 of `t`");
    CHECK(Read("__shared__ float t[4][2];", "11110000").text().fact == "not stored by then: rows 2 to 3 of `t`");
    CHECK(Read("__shared__ float t[2][4];", "01110111").text().fact == "not stored by then: column 0 of `t`");
    CHECK(Read("__shared__ float t[4][2];", "00111100").text().fact == "not stored by then: rows 0 and 3 of `t`");
    // The column of padding, which no row has, is not worth a word.
    CHECK(Read("__shared__ float t[2][4];", "11100000").text().fact == "not stored by then: row 1 of `t`");
    CHECK(Read("__shared__ float t[2][4];", "00000000").text().fact == "this block has stored nothing to `t` by then");
}

TEST_CASE("rows that are stored without the padding of the array") {
    const StoredText flat = Read("__shared__ float t[3][5];", "111111111111000").text();
    CHECK(flat.fact == "stored by then: the first 12 of 15 elements of `t`, without a gap");
    CHECK(flat.help ==
          "a row of `t` has 5 elements: does the line that stores begin its rows 4 apart, as the block has threads?");
    CHECK(flat.line == 3);
}

TEST_CASE("the parts of a matrix that nothing was stored to are named") {
    const StoredText corners = Read("__shared__ float t[4][4];", "0110111111110110").text();
    CHECK(corners.fact ==
          "not stored by then: row 0 of column 0; row 0 of column 3; row 3 of column 0; row 3 of column 3");
    CHECK(corners.help == "no thread stores to the four corners of `t`: which thread should?");
    const StoredText part = Read("__shared__ float t[4][4];", "1111100110011111").text();
    CHECK(part.fact == "not stored by then: rows 1 to 2 of columns 1 to 2");
    // Too many parts say nothing.
    CHECK(Read("__shared__ float t[4][4];", "0101101001011010").text().fact ==
          "stored by then: 8 of 16 elements of `t`");
}

TEST_CASE("what was stored of an array that is one line") {
    const StoredText one_each = Read("__shared__ float t[8];", "11110000").text();
    CHECK(one_each.fact == "stored by then: the first 4 of 8 elements of `t`");
    CHECK(one_each.help.find("the element 4 further on") != std::string::npos);
    Read some("__shared__ float t[8];", "11100000");
    CHECK(some.text().help.find("has stored to the elements from 3 on") != std::string::npos);
    some.launches.front().block.y = 2;  // then there may be rows
    CHECK(some.text().help.find("without a gap") != std::string::npos);
    CHECK(Read("__shared__ float t[8];", "11101110").text().fact == "stored by then: 3 of every 4 elements of `t`");
    CHECK(Read("__shared__ float t[8];", "01011010").text().fact == "stored by then: 4 of 8 elements of `t`");
}

TEST_CASE("the loop or the test that ends at what was stored is named") {
    Read bound("__shared__ float t[8]; for (int i = threadIdx.x; i < 2 * 3; i += 4)", "11111100");
    bound.launches.front().block.y = 2;
    CHECK(bound.text().help == "`i < 2 * 3`, line 2, is true for 6 elements, and `t` has 8");
    CHECK(bound.text().line == 2);
    CHECK(Read("__shared__ float t[8]; if (threadIdx.x < 3)", "11100000").text().help ==
          "`threadIdx.x < 3`, line 2, is true for 3 elements, and `t` has 8");
    // As many elements by chance: they are no beginning of the array.
    CHECK(Read("__shared__ float t[2][4]; if (threadIdx.x < 2)", "10001000").text().help.find("is true for") ==
          std::string::npos);
}

TEST_CASE("an atomic operation stores as well") {
    CHECK(only_line_that_stores(FactsOf("void f() {\nb[i] = 0;\natomicAdd(&b[j], 1);\n}"), "b") == 0);
    CHECK(only_line_that_sets(FactsOf("void f() {\nb[i] = 0;\natomicAdd(&b[j], 1);\n}"), "b") == 2);
}

TEST_CASE("nothing is said where nothing is known") { CHECK(Read("__shared__ float t[8];", "").text().fact.empty()); }

TEST_CASE("the only line that stores to an array") {
    CHECK(only_line_that_stores(Read("__shared__ float t[8];", "1").facts, "t") == 3);
    CHECK(only_line_that_stores(Read("__shared__ float t[8]; t[0] = 2;", "1").facts, "t") == 0);
    CHECK(only_line_that_stores(Read("__shared__ float t[8]; if (t[0] == 2) return;", "1").facts, "t") == 3);
    CHECK(only_line_that_stores(Read("__shared__ float t[8];", "1").facts, "u") == 0);
    CHECK(only_line_that_stores(Read("__shared__ float t[8];", "1").facts, "t)(") == 0);
}
