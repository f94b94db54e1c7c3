#include "problem/fake_device.hpp"
#include "problem/moves_diagnosis.hpp"
#include "problem/pattern.hpp"
#include "support/catch.hpp"
#include "support/kit_problems.hpp"

using namespace warpgrade;
using warpgrade::test::FakeCall;
using warpgrade::test::FakeProgram;

namespace {

struct Matrix {
    FakeCall& call;
    std::int64_t rows, cols;
    float in(std::int64_t r, std::int64_t c) const { return in_flat(r * cols + c); }
    float in_flat(std::int64_t i) const {
        return i >= 0 && i < rows * cols ? call.load<float>(0, static_cast<std::uint64_t>(i)) : 0.0f;
    }
    void out(std::int64_t y, std::int64_t x, float value) { out_flat(y * rows + x, value); }
    void out_flat(std::int64_t i, float value) {
        if (i >= 0) call.store(1, static_cast<std::uint64_t>(i), value);
    }
};

Judgement judge_on(std::int64_t rows, std::int64_t cols, const std::function<void(Matrix&)>& kernel,
                   const Problem& problem = test::kit_problem("transpose")) {
    FakeProgram program([&](FakeCall& call) {
        Matrix matrix{call, call.value<std::int32_t>(2), call.value<std::int32_t>(3)};
        kernel(matrix);
    });
    Shape shape;
    shape.extents = {rows, cols};
    const auto prepared = problem.prepare(program, shape, 42);
    REQUIRE(prepared);
    REQUIRE(program.run("", prepared->arguments, {}));
    auto judgement = problem.judge(program, *prepared);
    REQUIRE(judgement);
    return *judgement;
}

// A kernel that looks at every element (r, c) of the input once.
std::function<void(Matrix&)> each(const std::function<void(Matrix&, std::int64_t, std::int64_t)>& body) {
    return [body](Matrix& m) {
        for (std::int64_t r = 0; r < m.rows; ++r)
            for (std::int64_t c = 0; c < m.cols; ++c) body(m, r, c);
    };
}

std::string pattern_on(std::int64_t rows, std::int64_t cols, const std::function<void(Matrix&)>& kernel) {
    const Judgement judgement = judge_on(rows, cols, kernel);
    CHECK(!judgement.is_right);
    CHECK(!judgement.title.empty());
    CHECK(!judgement.help.empty());
    CHECK(judgement.picture.size() <= 17);
    for (const std::string& line : judgement.picture)
        if (&line != &judgement.picture.front()) CHECK(line.size() <= 16);
    return judgement.pattern;
}

}  // namespace

TEST_CASE("a right transpose is right, on every shape") {
    const std::vector<std::string> types{"float"};
    for (const Shape& shape : test::kit_problem("transpose").shapes(1, types)) {
        if (test::kit_problem("transpose").elements(shape) > 100000) continue;
        CHECK(judge_on(shape.extents[0], shape.extents[1],
                       each([](Matrix& m, auto r, auto c) { m.out(c, r, m.in(r, c)); }))
                  .is_right);
    }
}

TEST_CASE("a right transpose is right for every element type") {
    for (const char* type : {"unsigned char", "unsigned short", "double", "float4"}) {
        FakeProgram program([&](FakeCall& call) {
            const auto copy = [&](auto zero) {
                for (std::uint64_t r = 0; r < 33; ++r)
                    for (std::uint64_t c = 0; c < 17; ++c)
                        call.store(1, c * 33 + r, call.load<decltype(zero)>(0, r * 17 + c));
            };
            const std::string name = type;
            if (name == "unsigned char") copy(std::uint8_t{});
            if (name == "unsigned short") copy(std::uint16_t{});
            if (name == "double") copy(double{});
            if (name == "float4") copy(std::array<float, 4>{});
        });
        Shape shape;
        shape.extents = {33, 17};
        shape.type = type;
        const auto prepared = test::kit_problem("transpose").prepare(program, shape, 1);
        REQUIRE(program.run("", prepared->arguments, {}));
        CHECK(test::kit_problem("transpose").judge(program, *prepared)->is_right);
        program.poison(prepared->buffers[1], 0);
        const auto judgement = test::kit_problem("transpose").judge(program, *prepared);
        CHECK(judgement->code == "not_written");
        CHECK(judgement->pattern == "nothing_written");
    }
}

TEST_CASE("what was not written tells the mistake") {
    CHECK(pattern_on(64, 96, [](Matrix&) {}) == "nothing_written");
    for (const std::int64_t tile : {16, 32}) {
        CHECK(pattern_on(100, 70, each([&](Matrix& m, auto r, auto c) {
                             if (r < m.rows / tile * tile) m.out(c, r, m.in(r, c));
                         })) == "last_partial_tile_missing");
        CHECK(pattern_on(100, 70, each([&](Matrix& m, auto r, auto c) {
                             if (c < m.cols / tile * tile) m.out(c, r, m.in(r, c));
                         })) == "last_partial_tile_missing");
        CHECK(pattern_on(100, 70, each([&](Matrix& m, auto r, auto c) {
                             if (c < m.cols / tile * tile && r < m.rows / tile * tile) m.out(c, r, m.in(r, c));
                         })) == "last_partial_tile_missing");
    }
    const auto without_last_row = each([](Matrix& m, auto r, auto c) {
        if (r < m.rows - 1) m.out(c, r, m.in(r, c));
    });
    const auto without_last_of_both = each([](Matrix& m, auto r, auto c) {
        if (r < m.rows - 1 && c < m.cols - 1) m.out(c, r, m.in(r, c));
    });
    for (const std::int64_t rows : {64, 70, 63}) {
        CHECK(pattern_on(rows, 96, without_last_row) == "last_line_missing");
        CHECK(pattern_on(rows, 96, without_last_of_both) == "last_line_missing");
    }
    CHECK(judge_on(64, 96, without_last_row).title == "the last line is missing: column 63 of `out` is not written");
    CHECK(judge_on(64, 96, without_last_of_both).title ==
          "the last line is missing: row 95 and column 63 of `out` are not written");
    CHECK(pattern_on(65, 96, without_last_row) == "last_line_or_tile_missing");
    CHECK(!judge_on(65, 96, without_last_row).is_recognised);
    CHECK(!judge_on(1, 96, without_last_row).is_recognised);
    CHECK(pattern_on(128, 96, each([](Matrix& m, auto r, auto c) {
                         if (r < 32 && c < 32) m.out(c, r, m.in(r, c));
                     })) == "only_first_block");
    CHECK(pattern_on(128, 96, each([](Matrix& m, auto r, auto c) {
                         if (r < 32) m.out(c, r, m.in(r, c));
                     })) == "one_line_of_blocks");
    CHECK(pattern_on(128, 96, each([](Matrix& m, auto r, auto c) {
                         if (r % 32 < 8) m.out(c, r, m.in(r, c));
                     })) == "part_of_each_tile");
    CHECK(pattern_on(128, 96, each([](Matrix& m, auto r, auto c) {
                         if (c % 4 == 0) m.out(c, r, m.in(r, c));
                     })) == "rows_skipped");
    CHECK(pattern_on(129, 97, each([](Matrix& m, auto r, auto c) {
                         if (c % 4 == 0) m.out(c, r, m.in(r, c));
                     })) == "rows_skipped");
    CHECK(pattern_on(257, 65, each([](Matrix& m, auto r, auto c) {
                         if (r < m.cols && c < m.cols) m.out(c, r, m.in(r, c));
                     })) == "guard_rows_cols_swapped");
    CHECK(pattern_on(64, 96, each([](Matrix& m, auto r, auto c) {
                         if (c < 64) m.out(c, r, m.in(r, c));
                     })) == "square_corner");
    // 65 x 129 elements in tiles of 32, the grid 5 tiles high and 3 wide where 3 and 5 are needed.
    CHECK(pattern_on(65, 129, each([](Matrix& m, auto r, auto c) {
                         if (c < 96) m.out(c, r, m.in(r, c));
                     })) == "grid_rows_cols_swapped");
    CHECK(pattern_on(65, 129, each([](Matrix& m, auto r, auto c) {
                         if (r == 0 && c == 0) m.out(c, r, m.in(r, c));
                     })) == "only_first_element");
    CHECK(pattern_on(65, 129, each([](Matrix& m, auto r, auto c) {
                         if ((r * 31 + c * 17) % 5) m.out(c, r, m.in(r, c));
                     })) == "some_not_written");
}

TEST_CASE("a second call that leaves what the first one stored is told apart") {
    Shape again;
    again.extents = {70, 93};
    again.previous = {93, 70};
    const auto judge_again = [&](const std::function<bool(int call, std::int64_t row)>& stores) {
        int calls = 0;
        FakeProgram program([&](FakeCall& call) {
            Matrix m{call, call.value<std::int32_t>(2), call.value<std::int32_t>(3)};
            ++calls;
            for (std::int64_t r = 0; r < m.rows; ++r)
                for (std::int64_t c = 0; c < m.cols; ++c)
                    if (stores(calls, r)) m.out(c, r, m.in(r, c));
        });
        const auto prepared = test::kit_problem("transpose").prepare(program, again, 42);
        REQUIRE(prepared);
        REQUIRE(program.run("", prepared->previous_arguments, {}));
        REQUIRE(program.run("", prepared->arguments, {}));
        const auto judgement = test::kit_problem("transpose").judge(program, *prepared);
        REQUIRE(judgement);
        return *judgement;
    };
    CHECK(judge_again([](int, std::int64_t) { return true; }).is_right);
    CHECK(judge_again([](int call, std::int64_t) { return call == 1; }).pattern == "stale");
    const Judgement part = judge_again([](int call, std::int64_t row) { return call == 1 || row < 64; });
    CHECK(part.pattern == "last_partial_tile_missing");
    CHECK(part.facts.back() == "what is not written still holds the result of the call before");
    CHECK(judge_again([](int call, std::int64_t) { return call == 2; }).is_right);
    CHECK(judge_again([](int call, std::int64_t row) { return call == 2 && row < 64; }).pattern ==
          "last_partial_tile_missing");
}

TEST_CASE("where the wrong values came from tells the mistake") {
    CHECK(pattern_on(64, 96, each([](Matrix& m, auto r, auto c) { m.out_flat(r * m.cols + c, m.in(r, c)); })) ==
          "not_transposed");
    CHECK(pattern_on(64, 64, each([](Matrix& m, auto r, auto c) { m.out_flat(r * m.cols + c, m.in(r, c)); })) ==
          "not_transposed");
    for (const std::int64_t t : {8, 16, 32, 64}) {
        CHECK(pattern_on(128, 192, each([&](Matrix& m, auto r, auto c) {
                             m.out(c / t * t + r % t, r / t * t + c % t, m.in(r, c));
                         })) == "tile_not_transposed_inside");
        CHECK(pattern_on(128, 128, each([&](Matrix& m, auto r, auto c) {
                             m.out(r / t * t + c % t, c / t * t + r % t, m.in(r, c));
                         })) == "tile_not_moved");
        CHECK(pattern_on(128, 192, each([&](Matrix& m, auto r, auto c) {
                             m.out_flat((r / t * t + c % t) * m.cols + c / t * t + r % t, m.in(r, c));
                         })) == "tile_not_moved");
    }
    for (const auto& [rows, cols] : {std::pair{64, 96}, {33, 31}, {96, 64}})
        CHECK(pattern_on(rows, cols, each([](Matrix& m, auto r, auto c) {
                             if (r * m.rows + c < m.rows * m.cols) m.out_flat(r * m.rows + c, m.in(r, c));
                         })) == "not_exchanged");
    CHECK(pattern_on(64, 96, each([](Matrix& m, auto r, auto c) { m.out_flat(c * m.cols + r, m.in(r, c)); })) ==
          "rows_cols_swapped");
    CHECK(pattern_on(96, 64, each([](Matrix& m, auto r, auto c) { m.out_flat(c * m.cols + r, m.in(r, c)); })) ==
          "rows_cols_swapped");
    CHECK(pattern_on(64, 96, each([](Matrix& m, auto r, auto c) { m.out(c, r, m.in_flat(r * m.rows + c)); })) ==
          "rows_cols_swapped");
    CHECK(pattern_on(63, 65, each([](Matrix& m, auto r, auto c) { m.out(c, r, m.in_flat(r * m.cols + c + 1)); })) ==
          "shifted_by_one");
    CHECK(pattern_on(63, 65, each([](Matrix& m, auto r, auto c) { m.out(c, r, m.in(r, c > 0 ? c - 1 : c)); })) ==
          "shifted_by_one");
    CHECK(pattern_on(63, 65, each([](Matrix& m, auto r, auto c) { m.out(c, r, m.in(r > 0 ? r - 1 : r, c)); })) ==
          "neighbouring_row");
    CHECK(pattern_on(63, 65, each([](Matrix& m, auto r, auto c) { m.out(c, r, m.in(m.rows - 1 - r, c)); })) ==
          "rotated");
    CHECK(pattern_on(64, 96, each([](Matrix& m, auto r, auto c) { m.out(c, r, m.in(r / 32 * 32 + r % 8, c)); })) ==
          "rows_repeated");
    CHECK(pattern_on(64, 96, each([](Matrix& m, auto r, auto c) { m.out(c, r, m.in(r, c / 32 * 32 + c % 8)); })) ==
          "rows_repeated");
    CHECK(pattern_on(64, 96, each([](Matrix& m, auto r, auto c) {
                         m.out(c, r, m.in(r / 32 * 32 + (r * 7 + c) % 32, c / 32 * 32 + (c * 5 + r * 3) % 32));
                     })) == "mixed_within_tile");
    CHECK(pattern_on(128, 96, each([](Matrix& m, auto r, auto c) { m.out(c, r, m.in((r + 64) % 128, c)); })) ==
          "wrong_tile");
}

TEST_CASE("values that are not the input's are told apart") {
    const auto bits = [](std::uint32_t word) {
        float value;
        std::memcpy(&value, &word, sizeof value);
        return value;
    };
    const float poison = bits(vgpu::RunOptions{}.shared_poison);
    CHECK(pattern_on(63, 65, each([&](Matrix& m, auto r, auto c) { m.out(c, r, r < 40 ? m.in(r, c) : poison); })) ==
          "uninitialized_shared");
    CHECK(pattern_on(63, 65, each([](Matrix& m, auto r, auto c) { m.out(c, r, c < 32 ? m.in(r, c) : 0.0f); })) ==
          "zeros");
    CHECK(pattern_on(63, 65, each([](Matrix& m, auto r, auto c) { m.out(c, r, m.in(0, 0)); })) != "scattered");
    CHECK(pattern_on(63, 65, each([](Matrix& m, auto r, auto c) { m.out(c, r, m.in(r, c) * 1e-3f * float(r + 1)); })) ==
          "garbage");
}

TEST_CASE("the first wrong element is told in the learner's terms") {
    const Judgement judgement = judge_on(
        64, 96, each([](Matrix& m, auto r, auto c) { m.out(c, r, r == 7 && c == 3 ? m.in(9, 5) : m.in(r, c)); }));
    REQUIRE(judgement.code == "wrong_output");
    CHECK(judgement.facts.at(0).find("out[3][7] is ") != std::string::npos);
    CHECK(judgement.facts.at(0).find("expected in[7][3] = ") != std::string::npos);
    CHECK(judgement.facts.at(0).find("it holds in[9][5]") != std::string::npos);
    CHECK(judgement.facts.back() == "1 of 6144 elements wrong");
}

TEST_CASE("one wrong bit in the last element is wrong") {
    const Judgement judgement = judge_on(127, 129, each([](Matrix& m, auto r, auto c) {
                                             float value = m.in(r, c);
                                             if (r == 126 && c == 128) value = std::nextafter(value, 1000.0f);
                                             m.out(c, r, value);
                                         }));
    CHECK(judgement.code == "wrong_output");
    CHECK(judgement.facts.back() == "1 of 16383 elements wrong");
}

TEST_CASE("the picture shows which tiles are wrong and which not written") {
    const Judgement judgement = judge_on(64, 96, each([](Matrix& m, auto r, auto c) {
                                             if (r >= 32) m.out(c, r, c < 32 ? 0.0f : m.in(r, c));
                                         }));
    REQUIRE(judgement.picture.size() == 4);
    CHECK(judgement.picture[0].find("96 x 64") != std::string::npos);
    CHECK(judgement.picture[1] == "-x");
    CHECK(judgement.picture[2] == "-.");
    CHECK(judgement.picture[3] == "-.");
}

TEST_CASE("a changed input is found although the output is right") {
    const Judgement judgement = judge_on(63, 65, each([](Matrix& m, auto r, auto c) {
                                             m.out(c, r, m.in(r, c));
                                             if (r == 62 && c == 64) m.call.store(0, 5, 1.0f);
                                         }));
    CHECK(judgement.code == "write_to_input");
    CHECK(judgement.facts.at(0).find("in[0][5]") != std::string::npos);
}

TEST_CASE("the worked example copies") {
    CHECK(judge_on(63, 65, each([](Matrix& m, auto r, auto c) { m.out_flat(r * m.cols + c, m.in(r, c)); }),
                   test::kit_problem("copy"))
              .is_right);
    CHECK(judge_on(63, 65, each([](Matrix& m, auto r, auto c) { m.out(c, r, m.in(r, c)); }), test::kit_problem("copy"))
              .pattern == "transposed");
    CHECK(judge_on(64, 64, each([](Matrix& m, auto r, auto c) {
                       if (c < 32) m.out_flat(r * m.cols + c, m.in(r, c));
                   }),
                   test::kit_problem("copy"))
              .code == "not_written");
}

TEST_CASE("an unwritten byte that looks right is not right") {
    // 1 byte in 256 of the poison has the value that belongs there: with all others written, the map must tell.
    FakeProgram program([](FakeCall& call) {
        for (std::uint64_t i = 0; i < 64; ++i) call.store(1, i, call.load<std::uint8_t>(0, i % 8 * 8 + i / 8));
    });
    Shape shape;
    shape.extents = {8, 8};
    shape.type = "unsigned char";
    const auto prepared = test::kit_problem("transpose").prepare(program, shape, 1);
    REQUIRE(program.run("", prepared->arguments, {}));
    CHECK(test::kit_problem("transpose").judge(program, *prepared)->is_right);
    std::vector<std::byte> copy(program.bytes(prepared->buffers[1]).begin(), program.bytes(prepared->buffers[1]).end());
    program.poison(prepared->buffers[1], 0);
    std::copy(copy.begin(), copy.end(), program.bytes(prepared->buffers[1]).begin());
    CHECK(test::kit_problem("transpose").judge(program, *prepared)->code == "not_written");
}

TEST_CASE("the source of a value is found again, poison and zero have no source") {
    constexpr std::int64_t rows = 33, cols = 65;
    for (const char* type : {"float", "double", "float4", "unsigned short"}) {
        const Pattern pattern(*element_type_named(type), 99);
        const auto size = static_cast<std::size_t>(pattern.element_bytes());
        std::vector<std::byte> in(rows * cols * size), out(in.size());
        pattern.fill(in);
        MovedOutput output;
        output.in_layout = {"in", {rows, cols}};
        output.out_layout = {"out", {cols, rows}};
        output.size = size;
        output.in = in;
        output.out = out;
        const std::vector<Place> places{{0, 0}, {0, 1}, {1, 0}, {64, 32}};  // 0 is left at the first of them
        std::memcpy(out.data() + size, pattern.element(2144).data(), size);
        fill_with(0x7FA5A5A5u, 0, std::span(out).subspan(33 * size, size));
        std::memcpy(out.data() + 2144 * size, pattern.element(7).data(), size);
        const auto sources = sources_of(output, places);
        CHECK_FALSE(sources[0]);
        CHECK_FALSE(sources[2]);
        if (size < 4) {  // alike by chance
            CHECK_FALSE(sources[1]);
            continue;
        }
        CHECK(sources[1] == 2144);
        CHECK(sources[3] == 7);
        std::memcpy(in.data(), pattern.element(7).data(), size);  // there twice
        CHECK_FALSE(sources_of(output, places)[3]);
    }
}
