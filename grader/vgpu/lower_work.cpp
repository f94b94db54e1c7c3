// What an instruction costs this machine, in usual ones (budget.hpp): measured with loops of each, and rounded up.
#include <algorithm>
#include <array>
#include <string_view>

#include "vgpu/lowering.hpp"

namespace warpgrade::vgpu {

namespace {

struct Price {
    std::string_view opcode;
    std::uint32_t work;
};
// Lane by lane, or through tables of what was written; the others are vector operations.
constexpr std::array<Price, 30> prices{
    {{"ld", 2},        {"ldu", 2},   {"st", 2},       {"atom", 24},     {"red", 24},      {"cp", 16},
     {"mbarrier", 40}, {"bar", 12},  {"barrier", 12}, {"call", 16},     {"div", 6},       {"rem", 6},
     {"sqrt", 4},      {"rsqrt", 4}, {"sin", 12},     {"cos", 12},      {"tanh", 12},     {"ex2", 8},
     {"lg2", 8},       {"shfl", 3},  {"match", 12},   {"vote", 2},      {"membar", 4},    {"fence", 4},
     {"bfe", 2},       {"brx", 12},  {"redux", 4},    {"ldmatrix", 24}, {"stmatrix", 24}, {"movmatrix", 8}}};
}  // namespace

std::uint32_t work_of(const ptx::Instruction& in) {
    const auto known =
        std::find_if(prices.begin(), prices.end(), [&](const Price& p) { return p.opcode == in.opcode; });
    return known == prices.end() ? 1 : known->work;
}

// What the pipe for double precision executes: arithmetic and comparisons, not copies and conversions.
bool computes_in_double(const ptx::Instruction& in) {
    static constexpr std::array<std::string_view, 13> opcodes{"add", "sub", "mul",  "fma",   "mad",  "div", "rcp",
                                                              "min", "max", "sqrt", "rsqrt", "setp", "set"};
    return ptx::last_type(in) == ptx::Type::f64 && std::ranges::find(opcodes, in.opcode) != opcodes.end();
}

}  // namespace warpgrade::vgpu
