// Where the variables of a function lie: shared memory, a thread's own, parameters; and what a module asks for in all.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "vgpu/lowering.hpp"

namespace warpgrade::vgpu {

using ptx::Instruction;

namespace {

// "2.8 GiB".
std::string amount(std::uint64_t bytes) {
    static constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(bytes);
    int unit = 0;
    for (; unit < 6 && value >= 1024; ++unit) value /= 1024;
    return fmt::format("{:.4g} {}", value, units[unit]);
}

// NVRTC keeps all local variables of a function in one, which has a name of its own.
std::string asked_place(const ptx::Variable& v) {
    return fmt::format("{} is to start at a multiple of {}",
                       v.space == ptx::Space::local ? "a variable of a thread" : "`" + variable_name(v.name) + "`",
                       amount(v.align_bytes));
}

}  // namespace

void FunctionLowering::place_shared_variables() {
    std::uint64_t shared = 0;
    const auto place_shared = [&](const ptx::Variable& v, std::uint64_t top) {
        const std::uint64_t start = start_of(v, top, limits::shared_bytes, "the shared memory of a block is");
        if (!inside(start, v.bytes, 0, limits::shared_bytes))
            too_large(fmt::format("with `{}` a block asks for {} of shared memory, and has {} at most",
                                  variable_name(v.name), amount(start + v.bytes), amount(limits::shared_bytes)));
        shared_offsets_[v.name] = start;
        code_.shared.push_back({v.name, static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(v.bytes)});
        shared = std::max(shared, start + v.bytes);
    };
    const std::unordered_set<std::string_view> names = names_in(function_);
    if (function_.is_entry) {
        for (const ptx::Variable* v : names_.reached.shared(function_)) place_shared(*v, names_.reached.offset(*v));
    }
    const auto place_own = [&](const ptx::Variable& v) {
        if (v.space != ptx::Space::shared || shared_offsets_.contains(v.name)) return;
        if (is_dynamic(v)) {
            dynamic_shared_.insert(v.name);
        } else {
            place_shared(v, function_.is_entry ? shared : names_.reached.offset(v));
        }
    };
    // No kernel has room for what only other kernels use: the tiles of other instances of a template, which are
    // variables of the module.
    for (const ptx::Variable& v : module_.variables)
        if (names.contains(v.name)) place_own(v);
    for (const ptx::Variable& v : function_.variables) place_own(v);
    std::ranges::sort(code_.shared, {}, &Code::SharedVariable::offset);
    if (function_.is_entry) {
        const std::vector<const ptx::Variable*>& dynamic = names_.reached.dynamic(function_);
        code_.uses_dynamic_shared = !dynamic.empty();
        for (const ptx::Variable* v : dynamic)
            shared = start_of(*v, shared, limits::shared_bytes, "the shared memory of a block is");
        for (const std::string& name : dynamic_shared_) shared_offsets_[name] = shared;
    }
    code_.static_shared_bytes = static_cast<std::uint32_t>(shared);
}

void FunctionLowering::place_variables() {
    place_shared_variables();
    std::uint64_t local = 0;
    const auto place_local = [&](const ptx::Variable& v) {
        local = start_of(v, local, most_local_bytes(), "a thread's own memory is");
        code_.local_align = std::max(code_.local_align, static_cast<std::uint32_t>(v.align_bytes));
        if (!inside(local, v.bytes, 0, most_local_bytes()))
            too_large(fmt::format("a thread of `{}` asks for {} of its own, and has {} at most", code_.display_name,
                                  amount(local + v.bytes), amount(most_local_bytes())));
        local_offsets_[v.name] = local;
        local += v.bytes;
    };
    for (const ptx::Variable& v : function_.variables) {
        if (v.space == ptx::Space::local) {
            place_local(v);
        } else if (v.space == ptx::Space::param) {
            place_parameter(v);
        }
    }
    for (const ptx::Variable& v : function_.parameters) {
        if (code_.is_kernel || !takes_address_of(v.name)) continue;
        place_local(v);
        code_.addressed_parameters[v.name] = static_cast<std::uint32_t>(local_offsets_.at(v.name));
    }
    code_.local_bytes = static_cast<std::uint32_t>(local);  // one byte more is outside
    std::uint64_t parameters = 0;
    for (const ptx::Variable& v : function_.parameters) {
        parameters = start_of(v, parameters, limits::parameter_bytes, "all parameters take") + v.bytes;
        if (parameters > limits::parameter_bytes)
            too_large(fmt::format("the parameters of `{}` take {}, and may take {}", code_.display_name,
                                  amount(parameters), amount(limits::parameter_bytes)));
    }
    if (code_.is_kernel) return;
    for (const ptx::Variable& v : function_.parameters) {
        place_parameter(v);
        code_.parameters.push_back(code_.areas.at(v.name));
    }
    for (const ptx::Variable& v : function_.returns) {
        place_parameter(v);
        code_.returned = code_.areas.at(v.name);
    }
}

// What starts at 0 does so at any multiple, by chance: no memory has a place for more than its own size.
std::uint64_t FunctionLowering::start_of(const ptx::Variable& v, std::uint64_t top, std::uint64_t limit,
                                         std::string_view whose) {
    const auto is_it = [&](const ptx::Variable& own) { return &own == &v; };
    const bool is_own =
        std::ranges::any_of(function_.variables, is_it) || std::ranges::any_of(function_.parameters, is_it);
    variable_location_ = is_own ? v.location : -1;  // the index is into the locations of its function
    const std::uint64_t start = rounded_up(top, v.align_bytes);
    if (v.align_bytes > limit || start > limit)
        too_aligned(fmt::format("{}, and {} {} at most", asked_place(v), whose, amount(limit)));
    return start;
}

bool FunctionLowering::takes_address_of(const std::string& name) const {
    const auto names_it = [&](const ptx::Operand& o) { return o.kind == ptx::Operand::Kind::symbol && o.name == name; };
    return std::any_of(function_.body.begin(), function_.body.end(), [&](const Instruction& in) {
        return in.opcode != "call" && std::any_of(in.operands.begin(), in.operands.end(), names_it);
    });
}

void FunctionLowering::place_parameter(const ptx::Variable& v) {
    variable_location_ = v.location;
    if (v.bytes > limits::parameter_bytes)
        too_large(fmt::format("the parameter `{}` takes {}, and may take {}", v.name, amount(v.bytes),
                              amount(limits::parameter_bytes)));
    ParameterArea area;
    area.bytes = static_cast<std::uint32_t>(v.bytes);
    area.stride = static_cast<std::uint32_t>(rounded_up(std::max<std::uint64_t>(v.bytes, 1), 8));
    area.offset = take(code_.frame_bytes, std::uint64_t{area.stride} * 32, 64, limits::frame_bytes);
    code_.areas[v.name] = area;
}

// What a module's variables ask for together.
std::optional<Diagnostic> too_much_memory(const Program& program) {
    const auto refusal = [&](std::string title) {
        Diagnostic d;
        d.blame = Blame::learner;
        d.code = "too_large";
        d.title = std::move(title);
        d.help = "make it smaller: large data belongs in memory that kernels get a pointer to";
        return d;
    };
    if (program.variables.size() > limits::variables) {
        Diagnostic d = refusal(fmt::format("the file has {} variables in GPU memory", program.variables.size()));
        d.marks.push_back({program.source_file, 0, 0, 1, ""});
        d.facts.push_back(fmt::format("the virtual GPU has room for {}", limits::variables));
        return d;
    }
    for (const bool is_constant : {false, true}) {
        const std::uint64_t limit = is_constant ? limits::constant_bytes : limits::variable_bytes;
        const ptx::Variable* largest = nullptr;
        std::uint64_t total = 0;
        for (const ptx::Variable& v : program.variables) {
            if ((v.space == ptx::Space::constant) != is_constant) continue;
            if (v.align_bytes > limit) {
                Diagnostic d = refusal(fmt::format("{}, and {} memory is {} at most", asked_place(v),
                                                   is_constant ? "constant" : "GPU", amount(limit)));
                d.marks.push_back({program.source_file, 0, 0, 1, ""});
                d.help = smaller_alignment;
                return d;
            }
            total = std::min(total, limit + 1) + v.bytes;
            if (largest == nullptr || v.bytes > largest->bytes) largest = &v;
        }
        if (total <= limit) continue;
        Diagnostic d = refusal(fmt::format("`{}` asks for {} of {} memory", display_name(largest->name),
                                           amount(largest->bytes), is_constant ? "constant" : "GPU"));
        d.marks.push_back({program.source_file, 0, 0, 1, ""});
        d.facts.push_back(is_constant
                              ? fmt::format("a GPU has {} of it", amount(limit))
                              : fmt::format("the virtual GPU has {} for all variables together", amount(limit)));
        return d;
    }
    return std::nullopt;
}

}  // namespace warpgrade::vgpu
