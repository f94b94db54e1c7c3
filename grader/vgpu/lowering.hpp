// Lowering, internal: one FunctionLowering turns one ptx::Function into Code. Split by idea over lower_*.cpp.
#pragma once

#include <exception>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "vgpu/code.hpp"
#include "vgpu/ops/table.hpp"
#include "vgpu/reached.hpp"

namespace warpgrade::vgpu {

// Thrown inside lowering only, caught by lower(): the module cannot be run, and why.
struct Refused : std::runtime_error {
    enum class Why {
        not_supported,  // what() is an opcode or the like: a gap of the kit
        malformed,      // what() says what is wrong with the instruction: a fault of who wrote the asm()
        too_large,      // what() says what asks for too much: a fault of the learner
        too_aligned,    // what() says what asks for a place that there is not: likewise
        undefined       // what() is a function that is declared, and defined nowhere: a fault of the learner
    };
    Refused(Why why_, const std::string& what_is) : std::runtime_error(what_is), why(why_) {}
    Why why;
};

// What a program may ask for.
namespace limits {
// "Maximum amount of local memory per thread" (CUDA C++ Programming Guide, "Technical Specifications").
inline constexpr std::uint64_t local_bytes = 512 << 10;
inline constexpr std::uint64_t host_bytes = 8 << 20;  // of a function, where the module is a whole program
// "Maximum amount of shared memory per thread block" of the largest, compute capability 9.0. What is above the limit of
// the GPU in question is refused at the launch.
inline constexpr std::uint64_t shared_bytes = 227 << 10;
inline constexpr std::uint32_t reserved_shared_bytes = 1 << 10;  // that a block has beside them
// "Constant memory size".
inline constexpr std::uint64_t constant_bytes = 64 << 10;
// Of a kernel, from CUDA 12.1 on (PTX manual, "Kernel Function Parameter Attributes"); here of a function's too.
inline constexpr std::uint64_t parameter_bytes = 32764;
// What the virtual GPU has for variables in global memory, all together.
inline constexpr std::uint64_t variable_bytes = 256 << 20, variables = 1 << 14;
// Virtual registers and parameters of one function: 65536 registers of 64 bits for each of 32 lanes.
inline constexpr std::uint64_t frame_bytes = 16 << 20;
// Constants and values that are the same for a block, of a whole module.
inline constexpr std::uint64_t constant_bank_bytes = 64 << 20;
}  // namespace limits

// Of what starts at a multiple of too much. The strictest there is, a tile of the tensor copies, asks for 1024.
inline constexpr std::string_view smaller_alignment = "write a smaller alignas: nothing on a GPU needs more than 1024";

// How a register's value depends on where it is computed (see code.hpp): bits or-ed together.
using Level = unsigned;
inline constexpr Level kPerLaunch = 0, kPerBlock = 1, kPerSlot = 2, kDynamic = 3;

// lower_work.cpp: in the unit of budget.hpp.
std::uint32_t work_of(const ptx::Instruction& instruction);
bool computes_in_double(const ptx::Instruction& instruction);
inline constexpr std::uint32_t segment_work = 2;  // besides its instructions

int register_bytes(ptx::Type type);  // of a lane: 1, 2, 4, 8; 0 for a predicate

// Looked up for every function of a module, so made once for all.
struct ModuleNames {
    ModuleNames(const ptx::Module& module, const Program& program);
    Reached reached;
    std::unordered_map<std::string_view, const ptx::Variable*> variables;  // of the program
};

// What a module's variables ask for together, where it is too much.
std::optional<Diagnostic> too_much_memory(const Program& program);

inline std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t align) {
    return (bytes + align - 1) / align * align;
}

class FunctionLowering {
public:
    FunctionLowering(const ptx::Module& module, const ModuleNames& names, const ptx::Function& function,
                     Program& program, Code& code);
    void run();
    // Why run() threw, in the words of a Diagnostic.
    Diagnostic explain(const Refused& refusal) const;
    Diagnostic explain(const std::exception& failure) const;

private:
    // lower_check.cpp
    void check(const ptx::Instruction& in) const;
    [[noreturn]] void not_supported(const std::string& what = "") const;
    [[noreturn]] void malformed(const std::string& what) const;
    [[noreturn]] void too_large(const std::string& what) const;
    [[noreturn]] void too_aligned(const std::string& what) const;
    void check_defined(const ptx::Function& function) const;
    // So many bytes more, at a multiple of `align`, above `top`: their offset.
    std::uint32_t take(std::uint32_t& top, std::uint64_t bytes, std::uint32_t align, std::uint64_t limit) const;

    // lower.cpp
    bool is_of_program() const;  // the module has a main()
    std::uint64_t most_local_bytes() const;
    void cut_segments();
    void find_levels();
    void find_temporaries();
    void release_after(int instruction);
    void take_cluster();
    void use_clusters();
    void place_variables();
    void place_shared_variables();
    // Where it starts above `top`; `whose` limit that is: "the shared memory of a block is".
    std::uint64_t start_of(const ptx::Variable& variable, std::uint64_t top, std::uint64_t limit,
                           std::string_view whose);
    void place_parameter(const ptx::Variable& variable);
    bool takes_address_of(const std::string& name) const;
    std::vector<int> targets_of(const ptx::Instruction& in, int first_segment) const;
    void emit_segment(std::size_t segment);
    void emit(const ptx::Instruction& in);
    int parameter_area(const ptx::Instruction& in, const StaticOp& op) const;
    void emit_terminator(const ptx::Instruction& in, Segment& segment);
    CallSite call_site(const ptx::Instruction& in);
    Level level_of_sources(const ptx::Instruction& in, std::size_t first) const;
    bool is_pure(const ptx::Instruction& in) const;
    static bool ends_segment(const ptx::Instruction& in);
    static bool starts_segment(const ptx::Instruction& in);
    static bool moves_matrix(const ptx::Instruction& in);
    static bool uses_carry(const ptx::Instruction& in);

    // lower_operands.cpp
    Level level_of(const ptx::Operand& operand) const;
    std::uint32_t allocate(Level level, int bytes);
    std::uint32_t allocate_constant(int bytes);
    std::uint32_t constant(std::uint64_t bits, int bytes);
    std::uint32_t symbol_constant(const std::string& symbol, std::int64_t addend);
    std::uint32_t register_ref(int index);
    std::uint32_t special_ref(SpecialRegister which, int bytes);
    std::uint32_t source(const ptx::Operand& operand, ptx::Type type);
    std::uint32_t predicate(const ptx::Operand& operand);
    std::uint32_t resized(std::uint32_t ref, const std::string& from, int bytes);
    std::uint32_t address(const ptx::Operand& operand, std::int64_t& offset, ptx::Space space);
    // The same with its offset added.
    std::uint32_t whole_address(const ptx::Operand& operand, ptx::Space space);
    ptx::Space space_of_symbol(const std::string& name) const;
    std::uint32_t sum(std::uint32_t a, std::uint32_t b);  // of 64 bits, in a function
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
    bool emit_extended(const ptx::Instruction& in);
    bool emit_move(const ptx::Instruction& in);
    void emit_address_conversion(const ptx::Instruction& in);
    void emit_warp_instruction(const ptx::Instruction& in);
    bool emit_small(const ptx::Instruction& in);
    const OpEntry* find_row(const ptx::Instruction& in) const;

    // lower_memory.cpp
    void emit_load_store(const ptx::Instruction& in);
    void emit_parameter_access(const ptx::Instruction& in, bool is_load, ptx::Type type);
    void emit_atomic(const ptx::Instruction& in);
    void emit_vector_atomic(const ptx::Instruction& in, const OpEntry& row, const Inst& first, ptx::Type type);
    void emit_after(const char* name, const Inst& access, int bytes);
    std::uint32_t new_site(const ptx::Instruction& in, ptx::Space space, AccessKind access, int width);
    void find_barrier_intervals();

    // lower_shared.cpp: indices of Code::shared; below 0: none, or several
    void find_arrays();
    int array_of(const ptx::Operand& operand) const;
    void note_array(const ptx::Instruction& in, std::uint32_t site);

    // lower_matrix.cpp
    bool emit_matrix(const ptx::Instruction& in);

    // lower_async.cpp
    bool emit_async_copy(const ptx::Instruction& in);
    bool emit_bulk_copy(const ptx::Instruction& in);
    bool emit_lane_copy(const ptx::Instruction& in);
    void emit_completion(const ptx::Instruction& in, int bytes);
    bool emit_mbarrier(const ptx::Instruction& in);

    void push(const OpEntry& row, Inst in);
    void push(const char* key, Inst in);
    int line_of(const ptx::Instruction& in) const;
    ptx::SourcePlace place_of(const ptx::Instruction& in) const;
    ptx::SourcePlace place_at(int location) const;

    const ptx::Module& module_;
    const ModuleNames& names_;
    const ptx::Function& function_;
    Program& program_;
    Code& code_;
    const std::vector<ptx::SourcePlace> places_;             // of the function's locations
    std::vector<int> segment_of_;                            // instruction -> segment that starts there, or -1
    std::vector<std::pair<int, int>> ranges_;                // segment -> PTX instructions [first, last)
    std::vector<int> definitions_;                           // register -> number of writes
    std::vector<int> mentions_;                              // register -> number of operands that name it
    std::vector<Level> levels_;                              // register -> level
    std::vector<int> arrays_;                                // register -> the shared array that it is an address of
    std::vector<std::uint32_t> refs_;                        // register -> reference, 0 = not placed
    std::vector<int> last_use_;                              // register -> instruction; -1 = it is no temporary
    std::map<int, std::vector<std::uint32_t>> free_places_;  // of temporaries, by bytes a lane
    std::unordered_map<std::string, std::uint64_t> local_offsets_, shared_offsets_;
    std::set<std::string> dynamic_shared_;  // that it names; where they lie, a function asks the kernel that runs it
    struct SharedAccess {
        std::size_t segment;
        std::uint32_t site;
        bool reads, writes;
    };
    std::vector<SharedAccess> shared_accesses_;
    const ptx::Instruction* current_ = nullptr;  // being checked or lowered; null: the variables
    int variable_location_ = -1;                 // of the variable being placed
    std::size_t current_segment_ = 0;
    Level emit_level_ = kDynamic;  // where push() puts instructions
    bool is_guarded_ = false;
    std::uint32_t carry_ = 0;  // CC.CF: a predicate, 0 = not placed
};

// cfg.cpp: leaves out of the graph of a kernel where some lanes end on the way to a barrier, so that the others meet
// again before it: edges to the end, and to segments that are nothing but it, of those that can go on; and what follows
// only code without a branch. only_ends[i]: segment i does nothing but end the thread; barriers[i]: it ends in one.
void pass_over_exits(std::vector<std::vector<int>>& successors, const std::vector<bool>& only_ends,
                     const std::vector<bool>& barriers);
// cfg.cpp: immediate post-dominators; successors[i] lists segments, -1 = the function's end. Result: -1 = the end.
std::vector<int> immediate_post_dominators(const std::vector<std::vector<int>>& successors);

}  // namespace warpgrade::vgpu
