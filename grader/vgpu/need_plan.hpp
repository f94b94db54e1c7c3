// What a slice has to know of a program beforehand: which registers hold anything that comes of memory, on which
// branches a segment depends, and which instructions are watched for having no influence.
//
// A register that is computed from parameters and thread numbers alone leads to no access, so the slice leaves it out:
// only `tainted` registers are numbered. What is stored in a branch that depends on data is tainted by the branch.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "vgpu/trace.hpp"

namespace warpgrade::vgpu {

class Program;

struct NeedOp {
    NeedClass kind = NeedClass::value;
    bool is_guarded = false;  // it may leave lanes of the step out
    bool is_move = false;     // hands on a value as it is
    std::uint32_t site = 0;
    int area = -1;            // of parameter accesses: number of the area
    int watch = -1;           // index in NeedFacts::seen
    std::uint32_t first = 0;  // in NeedPlan::registers: what it writes, then what it reads
    std::uint16_t writes = 0, reads = 0;
};

struct NeedSegment {
    int function = 0;
    std::uint32_t first_op = 0, ops = 0;          // in NeedPlan::ops, the last of the segment first
    int condition = -1;                           // tainted register that its branch goes by
    int branch = -1;                              // number of the branch, if other segments depend on it
    std::uint32_t first_parent = 0, parents = 0;  // in NeedPlan::parents: branches that decide whether it runs
    std::uint32_t barriers = 0;                   // that a warp arrives at, mbarriers among them
    int barrier_site = -1;
    int call = -1;  // index in Code::calls
};

// An instruction whose results are looked at while the trace is written.
struct NeedWatch {
    enum class Kind : std::uint8_t { value, predicate, load, sum };
    Kind kind = Kind::value;
    std::uint8_t bytes = 0;    // of the result
    std::uint8_t slots = 0;    // which of the operands a, b, c are compared with it
    std::uint8_t results = 1;  // of a load
    std::uint32_t inst = 0;    // index in Code::instructions
    int fact = 0;              // index in NeedFacts::seen
};

// What was seen of watched instructions and of branches.
struct NeedFacts {
    // value: bit k: the result differed from operand k. predicate: 1 true, 2 false. load, sum: 1 not zero.
    static constexpr std::uint8_t has_run = 0x80;
    std::vector<std::uint8_t> seen;
    std::vector<std::uint8_t> branches;  // by segment: 1 taken, 2 not

    explicit NeedFacts(const struct NeedPlan& plan);
    void add(const NeedFacts& others);
};

struct NeedPlan {
    explicit NeedPlan(const Program& of);

    const Program& program;
    std::vector<NeedSegment> segments;  // by id
    std::vector<NeedOp> ops;
    std::vector<int> registers;
    std::vector<int> parents;
    std::vector<std::vector<NeedWatch>> watches;  // by segment, in the order of their instructions
    std::vector<std::vector<int>> operands;       // by fact: the register of each operand; -1: none that is tainted
    std::vector<std::uint8_t> slots;              // by fact: NeedWatch::slots
    // Registers and branches of kernels are numbered from 0, those of functions behind them.
    std::uint32_t register_count = 0, branch_count = 0;
    std::vector<std::uint32_t> first_segment;      // by function
    std::map<std::pair<int, int>, int> areas;      // numbers of parameter areas, by function and offset
    std::vector<std::pair<int, int>> handed_over;  // an area that is needed, and the one that it is filled from
    int fact_count = 0;
};

}  // namespace warpgrade::vgpu
