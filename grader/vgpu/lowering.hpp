// Lowering, internal: one FunctionLowering turns one ptx::Function into Code. Split by idea over lower_*.cpp.
#pragma once

#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vgpu/code.hpp"
#include "vgpu/ops/table.hpp"

namespace warpgrade::vgpu {

// Thrown inside lowering only, caught by lower(): the module cannot be run, and why.
struct NotSupported : std::runtime_error {
    NotSupported(std::string what_is, int ptx_line_, int source_line_)
        : std::runtime_error(std::move(what_is)), ptx_line(ptx_line_), source_line(source_line_) {}
    int ptx_line, source_line;
};

// How a register's value depends on where it is computed (see code.hpp): bits or-ed together.
using Level = unsigned;
inline constexpr Level kPerLaunch = 0, kPerBlock = 1, kPerSlot = 2, kDynamic = 3;

int register_bytes(ptx::Type type);  // of a lane: 1, 2, 4, 8; 0 for a predicate

class FunctionLowering {
public:
    FunctionLowering(const ptx::Module& module, const ptx::Function& function, Program& program, Code& code);
    void run();

private:
    // lower.cpp
    void cut_segments();
    void find_levels();
    void place_variables();
    void emit_segment(std::size_t segment);
    void emit(const ptx::Instruction& in);
    void emit_terminator(const ptx::Instruction& in, Segment& segment);
    Level level_of_sources(const ptx::Instruction& in, std::size_t first) const;
    bool is_pure(const ptx::Instruction& in) const;
    static bool ends_segment(const ptx::Instruction& in);
    static bool starts_segment(const ptx::Instruction& in);

    // lower_operands.cpp
    Level level_of(const ptx::Operand& operand) const;
    std::uint32_t allocate(Level level, int bytes);
    std::uint32_t constant(std::uint64_t bits, int bytes);
    std::uint32_t symbol_constant(const std::string& symbol, std::int64_t addend);
    std::uint32_t register_ref(int index);
    std::uint32_t special_ref(SpecialRegister which, int bytes);
    std::uint32_t source(const ptx::Operand& operand, ptx::Type type);
    std::uint32_t predicate(const ptx::Operand& operand);
    std::uint32_t address(const ptx::Operand& operand, std::int64_t& offset, ptx::Space space);
    std::uint32_t symbol_value(const ptx::Operand& operand);
    // A place for a result of `type`; finish() widens it into the operand's register where that is wider.
    struct Destination {
        std::uint32_t ref = 0;
        std::uint32_t final_ref = 0;
        std::string resize;
    };
    Destination destination(const ptx::Operand& operand, ptx::Type type);
    void finish(const Destination& destination);

    // lower_instructions.cpp
    void emit_table(const ptx::Instruction& in);
    bool emit_move(const ptx::Instruction& in);
    void emit_address_conversion(const ptx::Instruction& in);
    void emit_warp_instruction(const ptx::Instruction& in);
    bool emit_small(const ptx::Instruction& in);
    const OpEntry* find_row(const ptx::Instruction& in) const;

    // lower_memory.cpp
    void emit_load_store(const ptx::Instruction& in);
    void emit_parameter_access(const ptx::Instruction& in, bool is_load, int vector, ptx::Type type);
    void emit_atomic(const ptx::Instruction& in);
    void emit_poll(const Inst& access, int bytes);
    std::uint32_t new_site(const ptx::Instruction& in, ptx::Space space, AccessKind access, int width);
    void find_barrier_intervals();

    // lower_async.cpp
    bool emit_async_copy(const ptx::Instruction& in);
    bool emit_mbarrier(const ptx::Instruction& in);

    void push(const OpEntry& row, Inst in);
    void push(const char* key, Inst in);
    [[noreturn]] void not_supported(const ptx::Instruction& in, const std::string& what = "") const;
    int line_of(const ptx::Instruction& in) const;
    ptx::SourcePlace place_of(const ptx::Instruction& in) const;

    const ptx::Module& module_;
    const ptx::Function& function_;
    Program& program_;
    Code& code_;
    std::vector<int> segment_of_;        // instruction -> segment that starts there, or -1
    std::vector<std::pair<int, int>> ranges_;  // segment -> PTX instructions [first, last)
    std::vector<int> definitions_;       // register -> number of writes
    std::vector<Level> levels_;          // register -> level
    std::vector<std::uint32_t> refs_;    // register -> reference, 0 = not placed
    std::unordered_map<std::string, std::uint64_t> local_offsets_, shared_offsets_;
    struct SharedAccess {
        std::size_t segment;
        std::uint32_t site;
        bool reads, writes;
    };
    std::vector<SharedAccess> shared_accesses_;
    std::size_t current_segment_ = 0;
    Level emit_level_ = kDynamic;        // where push() puts instructions
    bool is_guarded_ = false;
};

// cfg.cpp: immediate post-dominators; successors[i] lists segments, -1 = the function's end. Result: -1 = the end.
std::vector<int> immediate_post_dominators(const std::vector<std::vector<int>>& successors);

}  // namespace warpgrade::vgpu
