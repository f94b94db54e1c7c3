// Operands: where registers, constants, symbols and special registers live.
#include <fmt/format.h>

#include <algorithm>

#include "vgpu/lowering.hpp"
#include "vgpu/operand_forms.hpp"

namespace warpgrade::vgpu {

using ptx::Operand;
using ptx::Type;

int register_bytes(Type type) { return type == Type::pred ? 0 : ptx::size_bytes(type); }

namespace {

struct SpecialName {
    std::string_view name;
    SpecialRegister which;
    Level level;
    int bytes;
};
constexpr SpecialName kSpecials[] = {
    {"%tid.x", SpecialRegister::tid_x, kPerSlot, 4},
    {"%tid.y", SpecialRegister::tid_y, kPerSlot, 4},
    {"%tid.z", SpecialRegister::tid_z, kPerSlot, 4},
    {"%ntid.x", SpecialRegister::ntid_x, kPerLaunch, 4},
    {"%ntid.y", SpecialRegister::ntid_y, kPerLaunch, 4},
    {"%ntid.z", SpecialRegister::ntid_z, kPerLaunch, 4},
    {"%ctaid.x", SpecialRegister::ctaid_x, kPerBlock, 4},
    {"%ctaid.y", SpecialRegister::ctaid_y, kPerBlock, 4},
    {"%ctaid.z", SpecialRegister::ctaid_z, kPerBlock, 4},
    {"%nctaid.x", SpecialRegister::nctaid_x, kPerLaunch, 4},
    {"%nctaid.y", SpecialRegister::nctaid_y, kPerLaunch, 4},
    {"%nctaid.z", SpecialRegister::nctaid_z, kPerLaunch, 4},
    {"%laneid", SpecialRegister::laneid, kPerSlot, 4},
    {"%warpid", SpecialRegister::warpid, kPerSlot, 4},
    {"%nwarpid", SpecialRegister::nwarpid, kPerLaunch, 4},
    {"%smid", SpecialRegister::smid, kPerBlock, 4},
    {"%nsmid", SpecialRegister::nsmid, kPerLaunch, 4},
    {"%envreg1", SpecialRegister::grid_barrier_high, kPerLaunch, 4},
    {"%envreg2", SpecialRegister::grid_barrier_low, kPerLaunch, 4},
    {"%gridid", SpecialRegister::gridid, kPerLaunch, 8},
    {"%lanemask_eq", SpecialRegister::lanemask_eq, kPerSlot, 4},
    {"%lanemask_le", SpecialRegister::lanemask_le, kPerSlot, 4},
    {"%lanemask_lt", SpecialRegister::lanemask_lt, kPerSlot, 4},
    {"%lanemask_ge", SpecialRegister::lanemask_ge, kPerSlot, 4},
    {"%lanemask_gt", SpecialRegister::lanemask_gt, kPerSlot, 4},
    {"", SpecialRegister::dynamic_smem_offset, kPerLaunch, 8},  // of functions, which are the same for all kernels
    {"%dynamic_smem_size", SpecialRegister::dynamic_smem_size, kPerLaunch, 4},
    {"%total_smem_size", SpecialRegister::total_smem_size, kPerLaunch, 4},
    {"%aggr_smem_size", SpecialRegister::total_smem_size, kPerLaunch, 4},
    {"%envreg", SpecialRegister::zero, kPerLaunch, 4},
    {"%pm", SpecialRegister::zero, kPerLaunch, 4},  // of any number
    {"%current_graph_exec", SpecialRegister::zero, kPerLaunch, 8},
    {"%cluster_ctarank", SpecialRegister::cluster_rank, kPerBlock, 4},
    {"%cluster_nctarank", SpecialRegister::cluster_size, kPerLaunch, 4},
    {"%cluster_ctaid.x", SpecialRegister::cluster_x, kPerBlock, 4},
    {"%cluster_ctaid.y", SpecialRegister::cluster_y, kPerBlock, 4},
    {"%cluster_ctaid.z", SpecialRegister::cluster_z, kPerBlock, 4},
    {"%cluster_nctaid.x", SpecialRegister::cluster_size_x, kPerLaunch, 4},
    {"%cluster_nctaid.y", SpecialRegister::cluster_size_y, kPerLaunch, 4},
    {"%cluster_nctaid.z", SpecialRegister::cluster_size_z, kPerLaunch, 4},
    {"%clusterid.x", SpecialRegister::clusterid_x, kPerBlock, 4},
    {"%clusterid.y", SpecialRegister::clusterid_y, kPerBlock, 4},
    {"%clusterid.z", SpecialRegister::clusterid_z, kPerBlock, 4},
    {"%nclusterid.x", SpecialRegister::nclusterid_x, kPerLaunch, 4},
    {"%nclusterid.y", SpecialRegister::nclusterid_y, kPerLaunch, 4},
    {"%nclusterid.z", SpecialRegister::nclusterid_z, kPerLaunch, 4},
    {"%is_explicit_cluster", SpecialRegister::is_explicit_cluster, kPerLaunch, 4},
    {"%reserved_smem_offset_begin", SpecialRegister::reserved_smem_offset, kPerLaunch, 4},
    {"%reserved_smem_offset_end", SpecialRegister::reserved_smem_end, kPerLaunch, 4},
    {"%reserved_smem_offset_cap", SpecialRegister::reserved_smem_size, kPerLaunch, 4},
    {"%reserved_smem_offset_0", SpecialRegister::reserved_smem_offset, kPerLaunch, 4},
    {"%reserved_smem_offset_1", SpecialRegister::reserved_smem_offset, kPerLaunch, 4},
    {"%clock", SpecialRegister::clock, kDynamic, 4},
    {"%clock64", SpecialRegister::clock64, kDynamic, 8},
    {"%globaltimer", SpecialRegister::globaltimer, kDynamic, 8},
    {"%globaltimer_lo", SpecialRegister::clock, kDynamic, 4},
    {"%clock_hi", SpecialRegister::zero, kPerLaunch, 4},
    {"%globaltimer_hi", SpecialRegister::zero, kPerLaunch, 4},
};
const SpecialName* find_special(std::string_view name) {
    for (const SpecialName& s : kSpecials) {
        if (s.name == name) return &s;
    }
    for (const std::string_view numbered : {"%envreg", "%pm"})
        if (name.starts_with(numbered) && name != numbered) return find_special(numbered);
    return nullptr;
}

// "u32" for 4 bytes: resize rows go by width; the sign comes from the instruction's type.
const char* width_name(int bytes, bool is_signed) {
    switch (bytes) {
        case 1: return is_signed ? "s8" : "u8";
        case 2: return is_signed ? "s16" : "u16";
        case 4: return is_signed ? "s32" : "u32";
        default: return is_signed ? "s64" : "u64";
    }
}
bool is_signed(Type type) { return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64; }

}  // namespace

Level FunctionLowering::level_of(const Operand& operand) const {
    switch (operand.kind) {
        case Operand::Kind::reg: return levels_[static_cast<std::size_t>(operand.index)];
        case Operand::Kind::special: {
            const SpecialName* special = find_special(operand.name);
            return special == nullptr ? kDynamic : special->level;
        }
        case Operand::Kind::integer:
        case Operand::Kind::f32:
        case Operand::Kind::f64: return kPerLaunch;
        case Operand::Kind::symbol:
            return !code_.is_kernel && (local_offsets_.contains(operand.name) || dynamic_shared_.contains(operand.name))
                       ? kDynamic
                       : kPerLaunch;
        case Operand::Kind::vector: {
            Level level = kPerLaunch;
            for (const Operand& e : operand.elements) level |= level_of(e);
            return level;
        }
        default: return kDynamic;
    }
}

std::uint32_t FunctionLowering::allocate(Level level, int bytes) {
    if (code_.is_kernel && (level == kPerLaunch || level == kPerBlock)) return allocate_constant(bytes);
    const std::uint32_t size = bytes == 0 ? 8u : static_cast<std::uint32_t>(bytes) * 32u;
    return take(code_.frame_bytes, size, std::min(size, 64u), limits::frame_bytes) << 1;
}

std::uint32_t FunctionLowering::allocate_constant(int bytes) {
    const std::uint32_t size = bytes == 0 ? 8u : static_cast<std::uint32_t>(bytes) * 32u;
    return take(program_.constant_bytes, size, std::min(size, 64u), limits::constant_bank_bytes) << 1 | 1u;
}

std::uint32_t FunctionLowering::constant(std::uint64_t bits, int bytes) {
    if (bytes > 0 && bytes < 8) bits &= (std::uint64_t{1} << (8 * bytes)) - 1;
    std::uint32_t& ref = program_.constant_refs[{bits, bytes}];
    if (ref == 0) {
        ref = allocate_constant(bytes);
        program_.constants.push_back({ref, bytes, bits, ""});
    }
    return ref;
}

std::uint32_t FunctionLowering::symbol_constant(const std::string& symbol, std::int64_t addend) {
    const std::uint32_t ref = allocate_constant(8);
    program_.constants.push_back({ref, 8, static_cast<std::uint64_t>(addend), symbol});
    return ref;
}

std::uint32_t FunctionLowering::register_ref(int index) {
    std::uint32_t& ref = refs_.at(static_cast<std::size_t>(index));
    if (ref == 0) {
        const int bytes = register_bytes(function_.registers[static_cast<std::size_t>(index)].type);
        std::vector<std::uint32_t>& free = free_places_[bytes];
        if (last_use_[static_cast<std::size_t>(index)] < 0 || free.empty()) {
            ref = allocate(levels_[static_cast<std::size_t>(index)], bytes);
        } else {
            ref = free.back();
            free.pop_back();
        }
    }
    return ref;
}

std::uint32_t FunctionLowering::special_ref(SpecialRegister which, int bytes) {
    const SpecialName* name = std::find_if(std::begin(kSpecials), std::end(kSpecials),
                                           [&](const SpecialName& s) { return s.which == which; });
    const Level level = code_.is_kernel ? name->level : kPerSlot;
    auto& fills = level == kPerLaunch  ? code_.launch_specials
                  : level == kPerBlock ? code_.block_specials
                                       : code_.slot_specials;
    for (const SpecialFill& fill : fills) {
        if (fill.source == which && fill.bytes == bytes) return fill.ref;
    }
    if (which >= SpecialRegister::reserved_smem_offset && which <= SpecialRegister::reserved_smem_size)
        program_.reserved_shared_bytes = limits::reserved_shared_bytes;
    const std::uint32_t ref = allocate(level, bytes);
    fills.push_back({which, ref, bytes});
    return ref;
}

std::uint32_t FunctionLowering::sum(std::uint32_t a, std::uint32_t b) {
    Inst add;
    add.d[0] = allocate(kDynamic, 8);
    add.a = a;
    add.b = b;
    push("add.u64", add);
    return add.d[0];
}

// The value of a symbol in an instruction: an address in its own state space.
std::uint32_t FunctionLowering::symbol_value(const Operand& operand) {
    if (const auto shared = shared_offsets_.find(operand.name); shared != shared_offsets_.end())
        return constant(shared->second + static_cast<std::uint64_t>(operand.offset), 8);
    if (dynamic_shared_.contains(operand.name)) {
        const std::uint32_t offset = constant(static_cast<std::uint64_t>(operand.offset), 8);
        return sum(offset, special_ref(SpecialRegister::dynamic_smem_offset, 8));
    }
    if (const auto local = local_offsets_.find(operand.name); local != local_offsets_.end()) {
        const std::uint32_t offset = constant(local->second + static_cast<std::uint64_t>(operand.offset), 8);
        if (code_.is_kernel) return offset;
        // A function's local variables start where its frame's do.
        return sum(offset, 64u << 1);  // frame offset 64: the base of this call's local memory, see Session
    }
    for (std::size_t i = 0; i < function_.parameters.size(); ++i) {
        if (function_.parameters[i].name == operand.name && code_.is_kernel)
            return constant(static_cast<std::uint64_t>(code_.info.parameter_offsets[i] + operand.offset), 8);
    }
    if (const auto function = program_.by_name.find(operand.name); function != program_.by_name.end())
        return constant(function_address(function->second), 8);
    if (names_.variables.contains(operand.name)) return symbol_constant(operand.name, operand.offset);
    if (const ptx::Function* function = module_.find(operand.name); function != nullptr) {
        check_defined(*function);
        not_supported("the address of " + display_name(function->name));
    }
    malformed("`" + shown(operand.name) + "` has no address here");
}

ptx::Space FunctionLowering::space_of_symbol(const std::string& name) const {
    if (shared_offsets_.contains(name) || dynamic_shared_.contains(name)) return ptx::Space::shared;
    if (local_offsets_.contains(name)) return ptx::Space::local;
    const auto has_name = [&](const ptx::Variable& v) { return v.name == name; };
    if (code_.areas.contains(name) || std::any_of(function_.parameters.begin(), function_.parameters.end(), has_name))
        return ptx::Space::param;
    const auto variable = names_.variables.find(name);
    return variable == names_.variables.end() ? ptx::Space::generic : variable->second->space;
}

std::uint32_t FunctionLowering::predicate(const Operand& operand) {
    if (operand.kind == Operand::Kind::integer)
        return constant((operand.bits != 0) != operand.negated ? 0xFFFFFFFFu : 0u, 0);
    if (operand.kind == Operand::Kind::special) return special_ref(SpecialRegister::is_explicit_cluster, 0);
    const std::uint32_t ref = register_ref(operand.index);
    if (!operand.negated) return ref;
    Inst in;
    in.d[0] = allocate(emit_level_, 0);
    in.a = ref;
    push("not.pred", in);
    return in.d[0];
}

std::uint32_t FunctionLowering::source(const Operand& operand, Type type) {
    const int bytes = register_bytes(type);
    if (type == Type::pred) return predicate(operand);
    switch (operand.kind) {
        case Operand::Kind::integer: return constant(operand.bits, bytes);
        case Operand::Kind::f32:
            if (type == Type::f64) {
                const double value = __builtin_bit_cast(float, static_cast<std::uint32_t>(operand.bits));
                return constant(__builtin_bit_cast(std::uint64_t, value), 8);
            }
            return constant(operand.bits, bytes);
        case Operand::Kind::f64:
            if (type == Type::f32) {
                const float value = static_cast<float>(__builtin_bit_cast(double, operand.bits));
                return constant(__builtin_bit_cast(std::uint32_t, value), 4);
            }
            return constant(operand.bits, bytes);
        case Operand::Kind::symbol: {
            const std::uint32_t value = symbol_value(operand);
            return resized(value, "u64", bytes);
        }
        case Operand::Kind::special: {
            const SpecialName* special = find_special(operand.name);
            if (special == nullptr) not_supported("special register " + shown(operand.name));
            if (bytes > special->bytes) malformed(fmt::format("`{}` has {} bits", operand.name, 8 * special->bytes));
            if (special->level == kDynamic) {
                Inst in;
                in.d[0] = allocate(kDynamic, special->bytes);
                push(special->bytes == 8 ? "special.clock64" : "special.clock", in);
                return resized(in.d[0], width_name(special->bytes, false), bytes);
            }
            const int kept = std::max(bytes, 4);
            return resized(special_ref(special->which, kept), width_name(kept, false), bytes);
        }
        case Operand::Kind::reg: {
            const int actual = register_bytes(function_.registers[static_cast<std::size_t>(operand.index)].type);
            return resized(register_ref(operand.index), width_name(actual, is_signed(type)), bytes);
        }
        default: break;
    }
    throw std::logic_error("an operand that no form lets through");
}

// What is at `ref`, of type `from` ("s32"), in `bytes` bytes a lane.
std::uint32_t FunctionLowering::resized(std::uint32_t ref, const std::string& from, int bytes) {
    if (from.substr(1) == std::to_string(8 * bytes)) return ref;
    Inst in;
    in.d[0] = allocate(emit_level_, bytes);
    in.a = ref;
    push(("resize." + std::string(width_name(bytes, false)) + "." + from).c_str(), in);
    return in.d[0];
}

FunctionLowering::Destination FunctionLowering::destination(const Operand& operand, Type type) {
    Destination result;
    if (operand.kind == Operand::Kind::sink) {
        result.ref = result.final_ref = allocate(kDynamic, register_bytes(type));
        return result;
    }
    if (operand.kind != Operand::Kind::reg) throw std::logic_error("a result that no form lets through");
    result.final_ref = register_ref(operand.index);
    const int actual = register_bytes(function_.registers[static_cast<std::size_t>(operand.index)].type);
    const int bytes = register_bytes(type);
    if (actual == bytes) {
        result.ref = result.final_ref;
        return result;
    }
    result.ref = allocate(emit_level_, bytes);
    result.resize = std::string("resize.") + width_name(actual, false) + "." + width_name(bytes, is_signed(type));
    return result;
}

void FunctionLowering::finish(const Destination& destination) {
    if (destination.resize.empty()) return;
    Inst in;
    in.d[0] = destination.final_ref;
    in.a = destination.ref;
    push(destination.resize.c_str(), in);
}

std::uint32_t FunctionLowering::whole_address(const Operand& operand, ptx::Space space) {
    std::int64_t offset = 0;
    const std::uint32_t base = address(operand, offset, space);
    if (offset == 0) return base;
    Inst add;
    add.d[0] = allocate(kDynamic, 8);
    add.a = base;
    add.b = constant(static_cast<std::uint64_t>(offset), 8);
    push("add.u64", add);
    return add.d[0];
}

std::uint32_t FunctionLowering::address(const Operand& operand, std::int64_t& offset, ptx::Space space) {
    const Operand& base = operand.kind == Operand::Kind::address ? operand.elements.at(0) : operand;
    offset = operand.kind == Operand::Kind::address ? operand.offset : 0;
    if (base.kind == Operand::Kind::symbol) {
        Operand symbol = base;
        symbol.offset += offset;
        offset = 0;
        const ptx::Space own = space_of_symbol(base.name);
        const bool is_other = own != space && own != ptx::Space::generic;
        if (space != ptx::Space::generic && is_other)
            malformed(fmt::format("`{}` is not in {} memory", shown(base.name), ptx::name(space)));
        const bool has_window = own == ptx::Space::shared || own == ptx::Space::local || own == ptx::Space::param;
        if (space == ptx::Space::generic && has_window) not_supported("generic access by symbol");
        return symbol_value(symbol);
    }
    if (base.kind == Operand::Kind::integer) return constant(base.bits, 8);
    // Shared memory has 32-bit addresses: an index that went below zero is one before the start, not four billion past
    // it.
    return source(base, space == ptx::Space::shared ? Type::s64 : Type::u64);
}

}  // namespace warpgrade::vgpu
