// Loads, stores, atomics and asynchronous copies; which shared accesses can meet a conflicting one between two
// barriers.
#include <fmt/format.h>

#include <algorithm>

#include "vgpu/lowering.hpp"
#include "vgpu/operand_forms.hpp"

namespace warpgrade::vgpu {

using ptx::Instruction;
using ptx::Operand;
using ptx::Space;
using ptx::Type;

namespace {

struct Modifiers {
    Space space = Space::generic;
    int vector = 1;
    Type type = Type::none;
    bool is_volatile = false, is_atomic = false, is_release = false, is_acquire = false, is_block_scope = false,
         is_past_cache = false;
    std::string operation;  // of atom
};

Modifiers read_modifiers(const Instruction& in) {
    Modifiers m;
    for (const std::string& word : in.modifiers) {
        if (word == "global")
            m.space = Space::global;
        else if (word == "const")
            m.space = Space::constant;
        else if (word == "local")
            m.space = Space::local;
        else if (word.starts_with("shared"))
            m.space = Space::shared;
        else if (word.starts_with("param"))
            m.space = Space::param;
        else if (word == "v2")
            m.vector = 2;
        else if (word == "v4")
            m.vector = 4;
        else if (word == "v8")
            m.vector = 8;
        else if (word == "volatile" || word == "cv")
            m.is_volatile = true;
        else if (word == "relaxed" || word == "acquire" || word == "release" || word == "acq_rel") {
            m.is_atomic = true;
            m.is_release = m.is_release || word == "release" || word == "acq_rel";
            m.is_acquire = m.is_acquire || word == "acquire" || word == "acq_rel";
        } else if (word == "cta")
            m.is_block_scope = true;
        else if (word == "cg")
            m.is_past_cache = true;
        else if (const Type type = ptx::type_named(word); type != Type::none)
            m.type = type;
        else if (in.opcode == "atom" || in.opcode == "red") {
            static constexpr std::string_view operations[] = {"add", "and",  "or",  "xor", "min",
                                                              "max", "exch", "cas", "inc", "dec"};
            if (std::find(std::begin(operations), std::end(operations), word) != std::end(operations))
                m.operation = word;
        }
    }
    return m;
}

std::string bits_name(int bytes) { return "b" + std::to_string(8 * bytes); }
const char* copy_row(int bytes) {
    return bytes == 1 ? "mov.b8" : bytes == 2 ? "mov.b16" : bytes == 4 ? "mov.b32" : "mov.b64";
}
const char* space_name(Space space) {
    switch (space) {
        case Space::shared: return "shared";
        case Space::local: return "local";
        case Space::param: return "param";
        case Space::generic: return "generic";
        default: return "global";
    }
}

}  // namespace

// A generic access takes three sites in a row, one for each space it may turn out to mean.
std::uint32_t FunctionLowering::new_site(const Instruction& in, Space space, AccessKind access, int width) {
    const ptx::SourcePlace place = place_of(in);
    Site site;
    site.line = place.innermost.line;
    site.column = place.innermost.column;
    site.outer_line = place.outermost.line;
    site.access = access;
    site.width = static_cast<std::uint8_t>(width);
    site.space = static_cast<std::uint8_t>(space);
    const std::uint32_t index = static_cast<std::uint32_t>(program_.sites.size());
    const Modifiers m = read_modifiers(in);
    site.is_volatile = m.is_volatile;
    site.is_atomic = m.is_atomic || access == AccessKind::atomic;
    site.is_release = m.is_release;
    site.is_acquire = m.is_acquire;
    site.is_block_scope = m.is_block_scope;
    site.is_past_cache = m.is_past_cache;
    site.compares = m.operation == "cas";
    site.is_seen = in.opcode != "red";
    site.is_used = in.opcode == "atom" && in.operands[0].kind == Operand::Kind::reg &&
                   mentions_[static_cast<std::size_t>(in.operands[0].index)] > 1;
    const bool may_update_shared = access == AccessKind::atomic && space != Space::global;
    if (m.is_release || m.is_acquire || may_update_shared) program_.orders_by_more_than_barriers = true;
    if (access == AccessKind::none) {
        program_.sites.push_back(site);
        return index;
    }
    if (space == Space::generic) {
        for (const Space s : {Space::global, Space::shared, Space::local}) {
            site.space = static_cast<std::uint8_t>(s);
            program_.sites.push_back(site);
        }
    } else {
        program_.sites.push_back(site);
    }
    if (space == Space::shared || space == Space::generic) {
        const std::uint32_t shared = index + (space == Space::generic ? 1u : 0u);
        shared_accesses_.push_back({current_segment_, shared, access != AccessKind::write, access != AccessKind::read});
        note_array(in, shared);
    }
    return index;
}

// ld.param and st.param: a kernel's parameters at a fixed place are constants; in functions and round calls they are
// areas of the frame, lane after lane.
void FunctionLowering::emit_parameter_access(const Instruction& in, bool is_load, Type type) {
    const Operand& place = in.operands.at(is_load ? 1 : 0);
    const Operand& value = in.operands.at(is_load ? 0 : 1);
    const Operand& base = place.elements.at(0);
    const std::vector<Operand> parts =
        value.kind == Operand::Kind::vector ? value.elements : std::vector<Operand>{value};
    const int bytes = register_bytes(type);
    const std::uint64_t first = static_cast<std::uint64_t>(place.offset) + static_cast<std::uint64_t>(base.offset);
    const auto check_range = [&](std::uint64_t size) {
        const std::uint64_t width = parts.size() * static_cast<std::size_t>(bytes);
        if (!inside(first, width, 0, size))
            malformed(fmt::format("{} bytes from byte {} on of `{}`, which has {}", width,
                                  static_cast<std::int64_t>(first), shown(base.name), size));
    };
    const auto found = code_.areas.find(base.name);
    if (found != code_.areas.end()) {
        const ParameterArea& area = found->second;
        check_range(area.bytes);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            Inst inst;
            inst.imm = static_cast<std::int64_t>(area.offset + first + i * static_cast<std::size_t>(bytes));
            inst.b = area.stride;
            if (is_load) {
                const Destination d = destination(parts[i], type);
                inst.d[0] = d.ref;
                push(("ld.frame." + bits_name(bytes)).c_str(), inst);
                finish(d);
            } else {
                inst.d[0] = source(parts[i], type);
                push(("st.frame." + bits_name(bytes)).c_str(), inst);
            }
        }
        return;
    }
    if (!is_load && code_.is_kernel) malformed("a kernel's parameters are only read");
    for (std::size_t p = 0; p < function_.parameters.size(); ++p) {
        if (function_.parameters[p].name != base.name) continue;
        check_range(function_.parameters[p].bytes);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (parts[i].kind != Operand::Kind::reg) continue;
            const std::uint32_t offset = static_cast<std::uint32_t>(code_.info.parameter_offsets[p]) +
                                         static_cast<std::uint32_t>(first) +
                                         static_cast<std::uint32_t>(i) * static_cast<std::uint32_t>(bytes);
            const int lane_bytes = register_bytes(function_.registers[static_cast<std::size_t>(parts[i].index)].type);
            const bool is_signed = type == Type::s8 || type == Type::s16 || type == Type::s32;
            if (levels_[static_cast<std::size_t>(parts[i].index)] == kPerLaunch && !is_guarded_) {
                code_.params.push_back({register_ref(parts[i].index), offset, bytes, lane_bytes, is_signed});
                continue;
            }
            // The register is written elsewhere too: keep the parameter apart and copy it here.
            const std::uint32_t kept = allocate(kPerLaunch, lane_bytes);
            code_.params.push_back({kept, offset, bytes, lane_bytes, is_signed});
            Inst inst;
            inst.a = kept;
            inst.d[0] = register_ref(parts[i].index);
            push(copy_row(lane_bytes), inst);
        }
        return;
    }
    malformed("`" + shown(base.name) + "` is no parameter");
}

void FunctionLowering::emit_load_store(const Instruction& in) {
    const bool is_load = in.opcode != "st";
    const Modifiers m = read_modifiers(in);
    if (m.vector > 4 || m.type == Type::b128) not_supported();
    const Operand& place = in.operands.at(is_load ? 1 : 0);
    const Operand& value = in.operands.at(is_load ? 0 : 1);
    if (m.space == Space::param && place.elements.at(0).kind == Operand::Kind::symbol) {
        emit_parameter_access(in, is_load, m.type);
        return;
    }
    const int bytes = register_bytes(m.type);
    Inst inst;
    inst.a = address(place, inst.imm, m.space);
    inst.site = new_site(in, m.space, is_load ? AccessKind::read : AccessKind::write, bytes * m.vector);
    if (m.space == Space::shared || m.space == Space::generic)
        code_.unit_shift = std::min(code_.unit_shift, bytes == 1 ? 0u : bytes == 2 ? 1u : 2u);
    const std::string key = std::string(is_load ? "ld." : "st.") + space_name(m.space) +
                            (m.vector > 1 ? ".v" + std::to_string(m.vector) : "") + "." + bits_name(bytes);
    const OpEntry* row = op_table().find(key);
    if (row == nullptr) not_supported();
    const std::vector<Operand> parts =
        value.kind == Operand::Kind::vector ? value.elements : std::vector<Operand>{value};
    if (is_load) {
        std::vector<Destination> results;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            results.push_back(destination(parts[i], m.type));
            inst.d[i] = results.back().ref;
        }
        push(*row, inst);
        for (const Destination& d : results) finish(d);
        const bool may_poll = (m.is_volatile || m.is_atomic) &&
                              (m.space == Space::global || m.space == Space::generic || m.space == Space::shared);
        if (may_poll) emit_after("poll", inst, bytes);
        code_.polls_global = code_.polls_global || (may_poll && m.space != Space::shared);
    } else {
        for (std::size_t i = 0; i < parts.size(); ++i) inst.d[i] = source(parts[i], m.type);
        push(*row, inst);
        const bool may_tell = (m.is_volatile || m.is_atomic) && (m.space == Space::global || m.space == Space::generic);
        if (may_tell) emit_after("tell", inst, bytes * m.vector);
        emit_completion(in, bytes * m.vector);
    }
}

void FunctionLowering::emit_atomic(const Instruction& in) {
    const Modifiers m = read_modifiers(in);
    const bool is_red = in.opcode == "red";
    const std::size_t first = is_red ? 0 : 1;
    Inst inst;
    inst.a = address(in.operands.at(first), inst.imm, m.space);
    inst.site = new_site(in, m.space, AccessKind::atomic, register_bytes(m.type));
    if (m.space != Space::shared) code_.has_global_atomics = true;
    if (m.operation == "cas") code_.compares_and_swaps = true;
    const std::string key =
        std::string("atom.") + space_name(m.space) + "." + m.operation + "." + std::string(ptx::name(m.type));
    const OpEntry* row = op_table().find(key);
    if (row == nullptr) not_supported();
    if (m.vector > 1) {
        if (m.space == Space::shared) not_supported();
        emit_vector_atomic(in, *row, inst, m.type);
        return;
    }
    inst.b = source(in.operands.at(first + 1), m.type);
    if (m.operation == "cas") inst.c = source(in.operands[first + 2], m.type);
    const bool may_tell = m.is_release && m.space != Space::shared;
    if (is_red) {
        push(*row, inst);
        if (may_tell) emit_after("tell", inst, register_bytes(m.type));
        emit_completion(in, register_bytes(m.type));
        return;
    }
    const Destination d = destination(in.operands[0], m.type);
    inst.d[0] = d.ref;
    push(*row, inst);
    if (may_tell) emit_after("tell", inst, register_bytes(m.type));
    finish(d);
    emit_after("poll", inst, register_bytes(m.type));
}

// One after the other: each part is atomic, the vector is not (PTX manual, atom).
void FunctionLowering::emit_vector_atomic(const Instruction& in, const OpEntry& row, const Inst& first, Type type) {
    const bool is_red = in.opcode == "red";
    const std::vector<Operand>& values = in.operands.back().elements;
    const int bytes = register_bytes(type);
    const auto all_bytes = static_cast<std::uint32_t>(values.size()) * static_cast<std::uint32_t>(bytes);
    std::vector<Destination> results;
    for (std::size_t i = 0; i < values.size(); ++i) {
        Inst inst = first;
        inst.imm += static_cast<std::int64_t>(i) * bytes;
        inst.b = source(values[i], type);
        inst.d[1] = i == 0 ? all_bytes : 1;
        if (!is_red && in.operands[0].kind == Operand::Kind::vector) {
            results.push_back(destination(in.operands[0].elements.at(i), type));
            inst.d[0] = results.back().ref;
        }
        push(row, inst);
    }
    for (const Destination& d : results) finish(d);
}

// After an access whose result may be what a loop waits for, or that tells other blocks something (spin_wait.cpp).
void FunctionLowering::emit_after(const char* name, const Inst& access, int bytes) {
    Inst after;
    after.a = access.a;
    after.imm = access.imm;
    after.c = access.site;
    after.b = static_cast<std::uint32_t>(bytes);
    push(name, after);
}

// Two warps can be anywhere between the same two block barriers. For each segment: the barriers (or the start) that can
// be the last one passed when it runs; accesses of segments that share one can meet.
void FunctionLowering::find_barrier_intervals() {
    const auto is_block_barrier = [](const Terminator& t) {
        return t.kind == TerminatorKind::barrier && !t.has_operand2 && t.reduction != 4;
    };
    const std::size_t count = code_.segments.size();
    std::vector<std::size_t> number(count, 0);  // of a barrier; 0 is the start
    std::size_t barriers = 0;
    for (std::size_t s = 0; s < count; ++s)
        if (is_block_barrier(code_.segments[s].terminator)) number[s] = ++barriers;
    using Bits = std::vector<std::uint64_t>;
    const std::size_t words = barriers / 64 + 1;
    std::vector<Bits> before(count, Bits(words, 0));
    before[0][0] = 1;
    std::vector<std::size_t> left{0};
    std::vector<bool> is_left(count, false);
    while (!left.empty()) {
        const std::size_t s = left.back();
        left.pop_back();
        is_left[s] = false;
        const Terminator& t = code_.segments[s].terminator;
        Bits after = before[s];
        if (number[s] != 0) {
            std::fill(after.begin(), after.end(), 0);
            after[number[s] / 64] |= std::uint64_t{1} << number[s] % 64;
        }
        std::vector<int> next{t.next};
        if (t.kind == TerminatorKind::jump) next = {t.target};
        if (t.kind == TerminatorKind::branch) next = {t.next, t.target};
        if (t.kind == TerminatorKind::branch_table) next = t.table;
        for (const int n : next) {
            if (n < 0 || n >= static_cast<int>(count)) continue;
            const auto to = static_cast<std::size_t>(n);
            bool changed = false;
            for (std::size_t i = 0; i < words; ++i) {
                changed = changed || (after[i] & ~before[to][i]) != 0;
                before[to][i] |= after[i];
            }
            if (!changed || is_left[to]) continue;
            is_left[to] = true;
            left.push_back(to);
        }
    }
    Bits before_writes(words, 0);
    for (const SharedAccess& a : shared_accesses_)
        for (std::size_t i = 0; i < words && a.writes; ++i) before_writes[i] |= before[a.segment][i];
    // Where clusters are, another block may come at any time.
    const bool is_conservative = code_.calls_functions || !code_.is_kernel || program_.uses_clusters;
    for (const SharedAccess& a : shared_accesses_) {
        bool meets_write = is_conservative;
        for (std::size_t i = 0; i < words; ++i)
            meets_write = meets_write || (before[a.segment][i] & before_writes[i]) != 0;
        Site& site = program_.sites[a.site];
        site.checks_races = meets_write || a.writes;
        site.stamps_reads = a.reads && meets_write;
        code_.stamps_reads = code_.stamps_reads || site.stamps_reads;
    }
}

}  // namespace warpgrade::vgpu
