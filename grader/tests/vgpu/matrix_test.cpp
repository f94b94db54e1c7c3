// ldmatrix and stmatrix: which element of which row a lane has, what is counted, and what is wrong with them.
#include <tuple>

#include "support/catch.hpp"
#include "vgpu/execution_bench.hpp"

using namespace execution;

namespace {

// Rows of 16 bytes, `pitch` apart; 16-bit element e of row r is 16 * r + e. `store` writes the fragments to shared
// memory and hands out its words, `load` loads them and hands out what each lane got.
std::string text_of(const std::string& instruction, bool is_store, int matrices, int pitch) {
    std::string registers;
    for (int m = 0; m < matrices; ++m) registers += (m == 0 ? "%f" : ", %f") + std::to_string(m);
    std::string text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 p, .param .u32 lanes)
{
    .reg .pred %p<3>;
    .reg .b16 %h<3>;
    .reg .b32 %r<12>, %f<4>;
    .reg .b64 %d<6>;
    .shared .align 16 .b8 tile[1024];
    ld.param.u64 %d0, [p];
    ld.param.u32 %r9, [lanes];
    mov.u32 %r0, %tid.x;
    mov.u32 %r1, tile;
    mad.lo.u32 %r2, %r0, PITCH, %r1;
    mad.lo.u32 %r7, %r0, 4, %r1;
    setp.ge.u32 %p0, %r0, %r9;
    @%p0 bra END;
)";
    const auto add = [&](const std::string& line) { text += "    " + line + "\n"; };
    if (is_store) {
        for (int m = 0; m < matrices; ++m) {
            // Elements (l / 4, 2 * (l % 4)) and its neighbour of matrix m, whose rows are those from 8 * m on.
            add("shr.u32 %r3, %r0, 2; add.u32 %r3, %r3, " + std::to_string(8 * m) + "; shl.b32 %r3, %r3, 4;");
            add("and.b32 %r4, %r0, 3; shl.b32 %r4, %r4, 1; add.u32 %r3, %r3, %r4;");
            add("add.u32 %r4, %r3, 1; shl.b32 %r4, %r4, 16; or.b32 %f" + std::to_string(m) + ", %r3, %r4;");
        }
        add(instruction + " [%r2], {" + registers + "};");
        add("bar.sync 0;");
        for (int k = 0; k < matrices; ++k) {
            add("ld.shared.u32 %r5, [%r7+" + std::to_string(128 * k) + "];");
            add("mad.wide.u32 %d1, %r0, 4, %d0; st.global.u32 [%d1+" + std::to_string(128 * k) + "], %r5;");
        }
    } else {
        for (int e = 0; e < 8; e += 2) {
            add("shl.b32 %r3, %r0, 4; add.u32 %r3, %r3, " + std::to_string(e) + "; add.u32 %r4, %r3, 1;");
            add("shl.b32 %r4, %r4, 16; or.b32 %r3, %r3, %r4;");
            add("st.shared.u32 [%r2+" + std::to_string(2 * e) + "], %r3;");
        }
        add("bar.sync 0;");
        add(instruction + " {" + registers + "}, [%r2];");
        for (int m = 0; m < matrices; ++m)
            add("mad.wide.u32 %d1, %r0, 4, %d0; st.global.u32 [%d1+" + std::to_string(128 * m) + "], %f" +
                std::to_string(m) + ";");
    }
    text += "END:\n    ret;\n}\n";
    text.replace(text.find("PITCH"), 5, std::to_string(pitch));
    return text;
}

struct Moved {
    std::vector<int> words;
    RunResult result;
};
Moved moved(const std::string& instruction, bool is_store, int matrices, int pitch = 16, int lanes = 32) {
    Bench bench(load_text(text_of(instruction, is_store, matrices, pitch), "matrix.cu"));
    const int out = bench.buffer("out", std::vector<int>(128, -1));
    Moved m;
    m.result = bench.run("kernel", {1, 1, 1}, {32, 1, 1}, options_with(), bench.address(out), lanes);
    m.words = bench.values<int>(out);
    return m;
}

int element(int row, int column) { return 16 * row + column; }
int pair_of(int low, int high) { return low | high << 16; }

}  // namespace

TEST_CASE("a lane gets two elements of each matrix, and of the turned one those below each other") {
    for (const int matrices : {1, 2, 4}) {
        const std::string name = "ldmatrix.sync.aligned.m8n8.x" + std::to_string(matrices);
        const Moved straight = moved(name + ".shared.b16", false, matrices),
                    turned = moved(name + ".trans.shared::cta.b16", false, matrices);
        CHECK(findings_of(straight.result) == "");
        CHECK(findings_of(turned.result) == "");
        for (int m = 0; m < matrices; ++m)
            for (int l = 0; l < 32; ++l) {
                const int r = 8 * m + l / 4, c = l % 4 * 2;
                CHECK(straight.words[at(32 * m + l)] == pair_of(element(r, c), element(r, c + 1)));
                CHECK(turned.words[at(32 * m + l)] ==
                      pair_of(element(8 * m + c, l / 4), element(8 * m + c + 1, l / 4)));
            }
    }
}

TEST_CASE("stmatrix puts the elements where ldmatrix finds them") {
    for (const int matrices : {1, 2, 4}) {
        const std::string name = "stmatrix.sync.aligned.m8n8.x" + std::to_string(matrices);
        const Moved straight = moved(name + ".shared.b16", true, matrices),
                    turned = moved(name + ".trans.shared.b16", true, matrices);
        CHECK(findings_of(straight.result) == "");
        CHECK(findings_of(turned.result) == "");
        for (int word = 0; word < 32 * matrices; ++word) {
            const int m = word / 32, r = word % 32 / 4, c = word % 4 * 2;  // of memory
            CHECK(straight.words[at(word)] == pair_of(element(8 * m + r, c), element(8 * m + r, c + 1)));
            CHECK(turned.words[at(word)] == pair_of(element(8 * m + c, r), element(8 * m + c + 1, r)));
        }
    }
}

TEST_CASE("a matrix of eight rows takes one wavefront, and more where rows share banks") {
    for (const auto& [matrices, pitch, wavefronts] : {std::tuple{1, 16, 1u}, {4, 16, 4u}, {4, 32, 8u}}) {
        const std::string name = "ldmatrix.sync.aligned.m8n8.x" + std::to_string(matrices) + ".shared.b16";
        const Moved m = moved(name, false, matrices, pitch);
        CHECK(m.result.counters.shared_load_requests == 1);
        CHECK(m.result.counters.shared_load_wavefronts == wavefronts);
    }
}

TEST_CASE("a row that does not start at a multiple of 16 bytes, and lanes that are not there, are findings") {
    const auto first_of = [](const Moved& m) {
        // But for threads that have ended while others wait at a barrier.
        for (const Finding& f : m.result.findings)
            if (f.reason != FindingReason::ended) return f;
        FAIL("there is no finding");
        return Finding{};
    };
    CHECK(first_of(moved("ldmatrix.sync.aligned.m8n8.x4.shared.b16", false, 4, 20)).kind == FindingKind::misaligned);
    CHECK(first_of(moved("ldmatrix.sync.aligned.m8n8.x4.shared.b16", false, 4, 16, 24)).kind ==
          FindingKind::inactive_lane);
}
