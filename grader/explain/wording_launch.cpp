// Words for the launcher and for runs that stop early.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <regex>

#include "explain/advice_text.hpp"
#include "explain/index_text.hpp"
#include "explain/line_context.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "explain/wording_place.hpp"
#include "source/numbers.hpp"

namespace warpgrade {

namespace {

// Of a block of more than 1024 threads, as it was asked for.
Advice advice_on_large_block(const Scene& scene, const std::string& asked) {
    const source::Constant* const threads = constant_named(scene.facts, "THREADS");
    static const std::regex extents(R"re(\((\d{1,9}) x (\d{1,9}) x 1\))re");
    if (std::smatch match; std::regex_search(asked, match, extents)) {
        const std::int64_t x = std::stoll(match[1]), y = std::stoll(match[2]);
        if (threads != nullptr && x > 1 && y == *threads->number && y % x == 0 && y <= 1024)
            return say("threads_threads_block_wide", y, x, y / x);
        for (const auto& [name, number] : scene.facts.numbers)
            if (const source::Constant* named = constant_named(scene.facts, name); x == y && number == x)
                return {say("line_threads_most", name, x, named->at.line, x, y, x * y), named->at.line};
        if (x * x <= 1024 && y == x + 1) return say("threads_would_padding_belongs", x, x * x);
        if (y * y <= 1024 && x == y + 1) return say("threads_would_padding_belongs", y, y * y);
    }
    if (!scene.run.layout.empty() && scene.run.layout.front().extents.size() == 1)
        return std::string(say("block_most_threads_launch")) +
               (has_word(*scene.facts.tree, "blockIdx") ? ", or launch more blocks" : "");
    return say("block_most_threads_them");
}

// extern __shared__, or what another file may have of it.
bool is_dynamic_used(const Tree& tree) {
    return has_word(tree, "extern") || tree.tokens.text->find("dynamic_smem") != std::string::npos;
}

// Where the grid of the launch is made; 0: in the launch itself, or not seen.
int line_of_grid(const Scene& scene) {
    const source::Launch* const launch = launch_at(scene.facts, scene.finding.place.line);
    const source::Definition* const made =
        launch ? scene.facts.definition_before(plain_name(*scene.facts.tree, launch->grid), launch->line) : nullptr;
    return made ? made->at.line : 0;
}

}  // namespace

Diagnostic describe_launch(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    // "cudaErrorInvalidConfiguration: grid.y is 65536, at most 65535": the name, then what was asked.
    const auto colon = finding.detail.find(':');
    const std::string error = finding.detail.substr(0, colon);
    std::string asked = colon == std::string::npos ? "" : finding.detail.substr(colon + 1);
    asked.erase(0, asked.find_first_not_of(' '));
    diagnostic.title = finding.kernel.empty() ? "CUDA refuses this launch"
                                              : fmt::format("CUDA refuses this launch of {}", finding.kernel);
    diagnostic.marks.push_back(mark_at(scene, finding.place, "<<<", error));
    if (!asked.empty()) diagnostic.facts.push_back(asked);
    const bool has_none = finding.refusal == vgpu::Refusal::no_threads;
    if (finding.limit != 0 && !has_none && asked.find(std::to_string(finding.limit)) == std::string::npos)
        diagnostic.facts.push_back(fmt::format("the limit is {}", finding.limit));
    diagnostic.facts.push_back(say("shape_gpu_nothing_would", describe_case(scene.run.shape)));
    const bool has_work = !scene.run.layout.empty() && scene.run.layout.front().elements() != 0;
    const auto divisions = has_none && has_work ? floor_divisions(scene.facts) : std::vector<FloorDivision>{};
    const source::Launch* const launch = launch_at(scene.facts, finding.place.line);
    const NodeId blocks = launch ? binary(*scene.facts.tree, launch->grid, "-") : no_node;
    if (has_none && has_work && blocks != no_node) {
        diagnostic.help = say("grid_here_shape_how", in_one_line(*scene.facts.tree, blocks));
    } else if (!divisions.empty()) {
        for (const FloorDivision& division : divisions)
            diagnostic.marks.insert(diagnostic.marks.end() - 1, mark_of_division(division, scene.path));
        diagnostic.help = advice_on_floor(divisions);
    } else if (has_none && has_work)
        diagnostic.help =
            say("number_blocks_shape_division", scene.run.layout.front().extents.size() == 1 ? "THREADS" : "TILE");
    else if (has_none && !scene.run.layout.empty() && scene.run.layout.back().elements() != 0)
        diagnostic.help = say("launch_block_least_there");
    else if (has_none)
        diagnostic.help = say("return_early_when_there");
    else if (finding.refusal == vgpu::Refusal::grid_extent && finding.limit < 65536)
        give(diagnostic, {say("grid_may_blocks_but"), line_of_grid(scene)});
    else if (finding.refusal == vgpu::Refusal::registers)
        diagnostic.help = say("launch_smaller_blocks_say");
    else if (const std::string bytes = launch_argument(scene.facts, finding.place.line, 2);
             finding.refusal == vgpu::Refusal::shared_bytes && !bytes.empty() && bytes != "0" &&
             !is_dynamic_used(*scene.facts.tree))
        diagnostic.help = say("third_launch_argument_how", bytes);
    else if (finding.refusal == vgpu::Refusal::shared_bytes)
        diagnostic.help = scene.launch() && scene.launch()->shared_bytes == 0 ? say("make_tile_smaller_kib")
                                                                              : say("make_tile_smaller_more");
    else if (finding.refusal == vgpu::Refusal::block_extent && finding.limit < 1024)
        diagnostic.help = say("launch_most_here_where", finding.limit);
    else if (finding.refusal == vgpu::Refusal::block_extent)
        give(diagnostic, advice_on_large_block(scene, asked));
    else
        diagnostic.help = say("print_grid_block_shape");
    return diagnostic;
}

namespace {

// A call of the C library on a buffer. The compiler makes loads and stores of it, with the line of the launcher's head.
struct LibraryCall {
    int line = 0;
    std::string name;  // "memset"
};
std::optional<LibraryCall> library_call(const Scene& scene) {
    const int line = scene.finding.place.line;
    const std::string& buffer = scene.finding.buffer;
    const source::Function* const function = scene.facts.function_at(line);
    if (buffer.empty() || function == nullptr || !accesses_to(scene.facts, line, buffer).empty()) return std::nullopt;
    static constexpr std::array names{"memset", "memcpy", "memmove", "fill", "fill_n", "copy", "copy_n"};
    for (const source::Call& call : scene.facts.calls) {
        const std::string_view name = call.name.substr(call.name.starts_with("std::") ? 5 : 0);
        const bool is_of_buffer = std::any_of(call.arguments.begin(), call.arguments.end(), [&](NodeId argument) {
            return mentions(*scene.facts.tree, argument, buffer);
        });
        if (call.line >= line && is_of_buffer && function_around(scene.facts, call.node) == function &&
            std::find(names.begin(), names.end(), name) != names.end())
            return LibraryCall{call.line, std::string(name)};
    }
    return std::nullopt;
}

}  // namespace

Diagnostic describe_host_dereference(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    if (finding.detail == "passed" || finding.detail == "variable") {
        const bool is_passed = finding.detail == "passed";
        diagnostic.title = is_passed
                               ? say("gets_launcher_address_gpu",
                                     finding.kernel.empty() ? "cudaMemset" : finding.kernel, finding.buffer)
                               : say("launcher_kernels_gpu",
                                     finding.access == vgpu::AccessKind::write ? "sets" : "reads", finding.buffer);
        diagnostic.marks.push_back(mark_at(scene, finding.place, finding.buffer, say("variable_launcher_own_here")));
        diagnostic.facts.push_back(say("launcher_name_device_variable"));
        diagnostic.help = is_passed ? say("use_variable_name_kernel") : say("set_kernel_ask_address");
        return diagnostic;
    }
    const std::string what =
        finding.buffer.empty() ? "GPU memory" : fmt::format("`{}`, which is in GPU memory", finding.buffer);
    diagnostic.title =
        fmt::format("the launcher {} {}", finding.access == vgpu::AccessKind::write ? "writes to" : "reads", what);
    diagnostic.facts.push_back(say("launcher_runs_cpu_real"));
    if (const auto call = library_call(scene)) {
        vgpu::ThreadPlace place = finding.place;
        place.line = call->line;
        diagnostic.marks.push_back(mark_at(scene, place, call->name, "on the CPU"));
        diagnostic.help = call->name == "memset" ? say("cudamemset_sets_gpu_memory", finding.buffer)
                                                 : say("runs_cpu_well_kernel", call->name);
        return diagnostic;
    }
    diagnostic.marks.push_back(
        mark_at(scene, finding.place, finding.buffer,
                finding.buffer.empty() ? fmt::format("address 0x{:x}", finding.address) : element_text(scene)));
    diagnostic.help = say("only_kernel_can_access");
    return diagnostic;
}

Diagnostic describe_stop(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    const bool is_assertion = finding.kind == vgpu::FindingKind::assertion;
    const bool is_launcher = finding.kernel.empty(), is_division = finding.detail == "division";
    diagnostic.title = is_assertion  ? "an assertion failed"
                       : is_division ? "the launcher divides by zero"
                       : is_launcher ? "the launcher ends the program"
                                     : say("kernel_stopped_itself_trap");
    diagnostic.marks.push_back(
        mark_at(scene, finding.place, is_assertion ? "assert" : "", is_assertion ? finding.detail : ""));
    diagnostic.facts.push_back(thread_fact(scene));
    const auto& barriers = scene.facts.barriers;
    const bool is_grid_sync = has_word(*scene.facts.tree, "this_grid") &&
                              std::any_of(barriers.begin(), barriers.end(), [&](const source::Barrier& one) {
                                  return one.name.ends_with("sync") && one.line == finding.place.line;
                              });
    diagnostic.help = is_grid_sync   ? say("blocks_grid_wait_other")
                      : is_assertion ? say("work_out_asserted_values")
                      : is_division  ? say("divisor_shape_return_before")
                      : is_launcher  ? say("return_launcher_exit_abort")
                                     : say("look_trap_code_compiler");
    return diagnostic;
}

Diagnostic describe_call(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    if (finding.detail.empty()) {
        diagnostic.title = say("call_through_pointer_holds");
        diagnostic.marks.push_back(mark_at(scene, finding.place, "", fmt::format("address 0x{:x}", finding.address)));
        diagnostic.help = say("function_pointer_hold_where");
    } else {
        diagnostic.title = finding.detail;
        diagnostic.marks.push_back(mark_at(scene, finding.place, "", "here"));
        diagnostic.help = finding.detail.starts_with("free() of") ? say("free_malloc_returned_only")
                          : finding.kernel.empty()                ? say("launcher_stage_only_launches")
                                                                  : say("do_host_code_virtual");
    }
    diagnostic.facts.push_back(thread_fact(scene));
    return diagnostic;
}

}  // namespace warpgrade
