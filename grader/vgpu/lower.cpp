// From a PTX function to segments of handler calls: cutting, variables, segments, the whole module. What ends a segment
// is in lower_terminators.cpp, what can be computed early in lower_levels.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "vgpu/lowering.hpp"
#include "vgpu/recursion.hpp"

namespace warpgrade::vgpu {

using ptx::Instruction;
using ptx::Operand;
using ptx::Type;

ModuleNames::ModuleNames(const ptx::Module& module, const Program& program) : reached(module) {
    for (const ptx::Variable& v : program.variables) variables.emplace(v.name, &v);
}

FunctionLowering::FunctionLowering(const ptx::Module& module, const ModuleNames& names, const ptx::Function& function,
                                   Program& program, Code& code)
    : module_(module),
      names_(names),
      function_(function),
      program_(program),
      code_(code),
      places_(ptx::source_places(module, function, program.source_file)) {}

ptx::SourcePlace FunctionLowering::place_of(const Instruction& in) const { return place_at(in.location); }
ptx::SourcePlace FunctionLowering::place_at(int location) const {
    const bool is_known = location >= 0 && location < std::ssize(places_);
    return is_known ? places_[static_cast<std::size_t>(location)] : ptx::SourcePlace{};
}
int FunctionLowering::line_of(const Instruction& in) const { return place_of(in).outermost.line; }

bool FunctionLowering::ends_segment(const Instruction& in) {
    const std::string& op = in.opcode;
    if (op == "bra" || op == "brx" || op == "call" || op == "ret" || op == "exit" || op == "trap") return true;
    if (op == "barrier") return !has_word(in, "cluster") || has_word(in, "wait");
    return op == "bar";
}

bool FunctionLowering::starts_segment(const Instruction& in) {
    const std::string& op = in.opcode;
    return moves_matrix(in) ||
           ((op == "shfl" || op == "vote" || op == "match" || op == "redux" || op == "elect") && has_word(in, "sync"));
}

bool FunctionLowering::is_of_program() const {
    return std::any_of(module_.functions.begin(), module_.functions.end(),
                       [](const ptx::Function& f) { return !f.is_entry && f.name == "main"; });
}

std::uint64_t FunctionLowering::most_local_bytes() const {
    return is_of_program() && !function_.is_entry ? limits::host_bytes : limits::local_bytes;
}

void FunctionLowering::cut_segments() {
    const std::size_t count = function_.body.size();
    std::vector<bool> leads(count + 1, false);
    leads[0] = true;
    for (std::size_t i = 0; i < count; ++i) {
        const Instruction& in = function_.body[i];
        if (ends_segment(in)) leads[i + 1] = true;
        if (starts_segment(in)) leads[i] = true;
        if (in.opcode == "bra" || in.opcode == "brx") {
            for (const Operand& operand : in.operands) {
                if (operand.kind != Operand::Kind::label) continue;
                if (operand.index >= 0) leads[static_cast<std::size_t>(operand.index)] = true;
            }
        }
    }
    for (const auto& [name, targets] : function_.branch_tables) {
        for (const int t : targets) leads[static_cast<std::size_t>(t)] = true;
    }
    segment_of_.assign(count + 1, -1);
    for (std::size_t i = 0; i < count; ++i) {
        if (!leads[i]) continue;
        segment_of_[i] = static_cast<int>(ranges_.size());
        if (!ranges_.empty()) ranges_.back().second = static_cast<int>(i);
        ranges_.emplace_back(static_cast<int>(i), static_cast<int>(count));
    }
    // A label after the last instruction, or an empty body, needs a place to go: a segment that ends the function.
    segment_of_[count] = static_cast<int>(ranges_.size());
    ranges_.emplace_back(static_cast<int>(count), static_cast<int>(count));
}

void FunctionLowering::push(const OpEntry& row, Inst in) {
    in.full = row.full;
    in.masked = row.masked;
    if (is_guarded_) in.full = row.masked;
    switch (emit_level_) {
        case kPerLaunch: code_.launch_code.push_back(in); break;
        case kPerBlock: code_.block_code.push_back(in); break;
        case kPerSlot: code_.slot_code.push_back(in); break;
        default: code_.instructions.push_back(in); break;
    }
}

void FunctionLowering::push(const char* key, Inst in) {
    const OpEntry* row = op_table().find(key);
    if (row == nullptr) not_supported(key);
    push(*row, in);
}

// Program-wide ids of the segments that a branch may jump to.
std::vector<int> FunctionLowering::targets_of(const Instruction& in, int first_segment) const {
    std::vector<int> targets;
    if (in.opcode != "bra" && in.opcode != "brx") return targets;
    const auto add = [&](int instruction) {
        if (instruction >= 0) targets.push_back(first_segment + segment_of_[static_cast<std::size_t>(instruction)]);
    };
    for (const Operand& operand : in.operands) {
        if (operand.kind == Operand::Kind::label) add(operand.index);
        if (const auto table = function_.branch_tables.find(operand.name); table != function_.branch_tables.end())
            for (const int t : table->second) add(t);
    }
    return targets;
}

void FunctionLowering::emit_segment(std::size_t index) {
    const auto [first, last] = ranges_[index];
    Segment segment;
    segment.begin = static_cast<std::uint32_t>(code_.instructions.size());
    segment.work = segment_work;
    segment.id = program_.segment_count++;
    current_segment_ = index;
    std::map<int, LineInstructions> lines;
    SegmentOps traced;
    traced.function = program_.by_name[code_.name];
    traced.is_nounroll =
        std::find(function_.nounroll.begin(), function_.nounroll.end(), first) != function_.nounroll.end();
    bool is_terminated = false;
    for (int i = first; i < last; ++i) {
        const Instruction& in = function_.body[static_cast<std::size_t>(i)];
        current_ = &in;
        ++segment.instructions;
        segment.work += work_of(in);
        ++lines[line_of(in)].instructions;
        if (computes_in_double(in)) ++lines[line_of(in)].in_double;
        traced.ops.push_back(describe(in));
        traced.ops.back().line = line_of(in);
        traced.ops.back().site = static_cast<std::uint32_t>(program_.sites.size());  // the next one that is made
        traced.ops.back().targets = targets_of(in, static_cast<int>(segment.id - index));
        if (starts_segment(in)) {
            if (in.opcode == "shfl") {
                ++segment.shuffles;
                segment.shuffle_line = line_of(in);
            }
            segment.needs_mask = true;
            emit_level_ = kDynamic;
            segment.member_mask = moves_matrix(in) ? constant(kFullMask, 4) : source(in.operands.back(), Type::b32);
            segment.site = moves_matrix(in) ? traced.ops.back().site  // its own
                                            : new_site(in, ptx::Space::generic, AccessKind::none, 0);
            // The runner reads the mask before the segment runs, so it must not be computed in it.
            if (segment.begin != code_.instructions.size()) not_supported();
        }
        if (ends_segment(in)) {
            emit_level_ = kDynamic;
            emit_terminator(in, segment);
            is_terminated = true;
            release_after(i);
            break;
        }
        StaticOp& described = traced.ops.back();
        described.first_inst = static_cast<std::uint32_t>(code_.instructions.size());
        emit(in);
        described.insts = static_cast<std::uint32_t>(code_.instructions.size()) - described.first_inst;
        described.area = parameter_area(in, described);
        release_after(i);
    }
    segment.end = static_cast<std::uint32_t>(code_.instructions.size());
    segment.lines.assign(lines.begin(), lines.end());
    if (static_cast<std::size_t>(first) == function_.body.size()) {
        segment.terminator.kind = TerminatorKind::ret;
        is_terminated = true;
    }
    if (!is_terminated) segment.terminator.kind = TerminatorKind::next;
    segment.terminator.next = static_cast<int>(index) + 1;
    code_.segments.push_back(std::move(segment));
    program_.segment_ops.push_back(std::move(traced));
}

// Of a load or a store of a parameter that is no kernel's: where it lies in the frame.
int FunctionLowering::parameter_area(const Instruction& in, const StaticOp& op) const {
    const bool is_load = op.need == NeedClass::parameter_load;
    if (!is_load && op.need != NeedClass::parameter_store) return -1;
    const Operand& place = in.operands.at(is_load ? 1 : 0);
    const auto area = place.elements.empty() ? code_.areas.end() : code_.areas.find(place.elements[0].name);
    return area == code_.areas.end() ? -1 : static_cast<int>(area->second.offset);
}

void FunctionLowering::emit(const Instruction& in) {
    emit_level_ = kDynamic;
    if (in.guard >= 0) {
        Inst guard;
        guard.a = register_ref(in.guard);
        guard.imm = in.guard_negated ? 1 : 0;
        push("guard.begin", guard);
        is_guarded_ = true;
    }
    if (in.opcode == "ld" || in.opcode == "st" || in.opcode == "ldu")
        emit_load_store(in);
    else if (in.opcode == "atom" || in.opcode == "red")
        emit_atomic(in);
    else if (in.opcode == "cp") {
        if (!emit_async_copy(in)) not_supported();
    } else if (in.opcode == "mbarrier") {
        if (!emit_mbarrier(in)) not_supported();
    } else if (!emit_matrix(in) && !emit_small(in))
        emit_table(in);
    if (in.guard >= 0) {
        emit_level_ = kDynamic;
        push("guard.end", Inst{});
        is_guarded_ = false;
    }
}

// __cluster_dims__. With __block_size__ a grid is counted in clusters.
void FunctionLowering::take_cluster() {
    if (function_.directives.contains("blocksareclusters")) {
        if (!function_.body.empty()) current_ = &function_.body.front();
        not_supported("__block_size__");
    }
    const auto blocks = function_.directives.find("reqnctapercluster");
    if (blocks == function_.directives.end() || blocks->second.empty()) return;
    std::array<std::uint32_t, 3> size{1, 1, 1};
    std::copy_n(blocks->second.begin(), std::min(blocks->second.size(), size.size()), size.begin());
    code_.cluster = {size[0], size[1], size[2]};
    if (code_.cluster.count() > 1) use_clusters();
}

// They order threads in ways that stamps do not know of.
void FunctionLowering::use_clusters() { program_.uses_clusters = program_.orders_by_more_than_barriers = true; }

void FunctionLowering::run() {
    code_.frame_bytes = code_.is_kernel ? 64 : 64 + 256;
    place_variables();
    find_arrays();
    take_cluster();
    for (const Instruction& in : function_.body) {
        current_ = &in;
        check(in);
    }
    cut_segments();
    find_levels();
    find_temporaries();
    const std::size_t first_segment = program_.segment_ops.size();
    for (std::size_t i = 0; i < ranges_.size(); ++i) emit_segment(i);
    narrow_shared_addresses(std::span(program_.segment_ops).subspan(first_segment));
    check_counts(std::span(program_.segment_ops).subspan(first_segment));
    std::vector<std::vector<int>> successors;
    std::vector<bool> only_ends, barriers;
    for (const Segment& s : code_.segments) {
        const Terminator& t = s.terminator;
        std::vector<int> to;
        switch (t.kind) {
            case TerminatorKind::jump: to = {t.target}; break;
            case TerminatorKind::branch: to = {t.target, t.next}; break;
            case TerminatorKind::branch_table: to = t.table; break;
            case TerminatorKind::ret:
            case TerminatorKind::exit:
                to = {-1};
                if (t.has_guard) to.push_back(t.next);
                break;
            case TerminatorKind::trap:  // nobody goes on from there, nor anybody else
                if (t.has_guard) to = {t.next};
                break;
            default: to = {t.next}; break;
        }
        barriers.push_back(t.kind == TerminatorKind::barrier || t.kind == TerminatorKind::cluster_wait);
        only_ends.push_back(to == std::vector<int>{-1} && s.instructions == 1);
        successors.push_back(std::move(to));
    }
    if (code_.is_kernel) pass_over_exits(successors, only_ends, barriers);
    const std::vector<int> reconverge = immediate_post_dominators(successors);
    for (std::size_t i = 0; i < code_.segments.size(); ++i) code_.segments[i].terminator.reconverge = reconverge[i];
    for (std::size_t i = 0; i < refs_.size(); ++i)
        code_.registers.push_back({refs_[i], register_bytes(function_.registers[i].type), last_use_[i] >= 0});
    find_barrier_intervals();
    code_.frame_bytes = (code_.frame_bytes + 63) / 64 * 64;
}

namespace {

// Which variables kernels name, and what they call. Those that the host reaches as well are left out.
std::vector<bool> variables_of_kernels(const ptx::Module& module, const Program& program) {
    std::vector<const ptx::Function*> kernels;
    for (const ptx::Function& f : module.functions)
        if (f.is_entry) kernels.push_back(&f);
    const Named named = named_from(module, kernels);
    std::vector<bool> result;
    for (const ptx::Variable& v : program.variables) result.push_back(!v.is_managed && named.names.contains(v.name));
    return result;
}

// What a function does, the kernels that can come to run it may do.
void take_over(Code& kernel, const Code& f) {
    kernel.has_global_atomics = kernel.has_global_atomics || f.has_global_atomics;
    kernel.compares_and_swaps = kernel.compares_and_swaps || f.compares_and_swaps;
    kernel.polls_global = kernel.polls_global || f.polls_global;
    kernel.calls_external = kernel.calls_external || f.calls_external;
    kernel.stamps_reads = kernel.stamps_reads || f.stamps_reads;
    kernel.unit_shift = std::min(kernel.unit_shift, f.unit_shift);
}

}  // namespace

Result<std::shared_ptr<Program>> lower(const ptx::Module& module, std::string_view source_file) {
    auto program = std::make_shared<Program>();
    program->source_file = source_file;
    program->sites.emplace_back();  // of instructions that have none
    for (const ptx::Variable& v : module.variables) {
        if (v.space == ptx::Space::global || v.space == ptx::Space::constant) program->variables.push_back(v);
    }
    for (const ptx::Function& f : module.functions) {
        for (const ptx::Variable& v : f.variables) {
            if (v.space == ptx::Space::global || v.space == ptx::Space::constant) program->variables.push_back(v);
        }
        if (f.is_declaration || program->by_name.contains(f.name)) continue;
        program->by_name[f.name] = static_cast<int>(program->functions.size());
        Code code;
        code.name = code.info.name = f.name;
        code.display_name = code.info.display_name = display_name(f.name);
        code.is_kernel = f.is_entry;
        std::uint64_t offset = 0;  // within bounds, or place_variables refuses them
        for (const ptx::Variable& p : f.parameters) {
            code.parameter_names.push_back(p.name);
            offset = rounded_up(offset, p.align_bytes);
            code.info.parameter_offsets.push_back(static_cast<int>(offset));
            code.info.parameter_bytes.push_back(static_cast<int>(p.bytes));
            offset += p.bytes;
        }
        code.info.parameter_total_bytes = static_cast<std::uint32_t>(offset);
        for (const char* directive : {"maxntid", "reqntid"}) {
            if (const auto d = f.directives.find(directive); d != f.directives.end()) {
                std::uint32_t threads = 1;
                for (const std::uint32_t n : d->second) threads *= n;
                code.info.max_threads = threads;
            }
        }
        program->functions.push_back(std::move(code));
    }
    if (auto refused = too_much_memory(*program)) return std::move(*refused);
    program->is_of_kernels = variables_of_kernels(module, *program);
    const ModuleNames names(module, *program);
    for (const ptx::Function& f : module.functions) {
        if (f.is_declaration) continue;
        Code& code = program->functions[static_cast<std::size_t>(program->by_name[f.name])];
        if (!code.segments.empty()) continue;
        FunctionLowering lowering(module, names, f, *program, code);
        try {
            lowering.run();
        } catch (const Refused& refusal) {
            return lowering.explain(refusal);
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& failure) {
            return lowering.explain(failure);
        }
        code.info.static_shared_bytes = code.static_shared_bytes;
        code.info.uses_dynamic_shared = code.uses_dynamic_shared;
    }
    program->recurses = has_recursion(*program);
    for (const ptx::Function& kernel : module.functions) {
        if (!kernel.is_entry || kernel.is_declaration) continue;
        Code& code = program->functions[static_cast<std::size_t>(program->by_name[kernel.name])];
        for (const ptx::Function* f : names.reached.functions(kernel)) {
            const auto known = program->by_name.find(f->name);
            if (!f->is_entry && known != program->by_name.end())
                take_over(code, program->functions[static_cast<std::size_t>(known->second)]);
        }
    }
    return program;
}

}  // namespace warpgrade::vgpu
