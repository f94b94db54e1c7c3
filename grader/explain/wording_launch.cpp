// Words for the launcher and for runs that stop early.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <regex>

#include "explain/advice_text.hpp"
#include "explain/index_text.hpp"
#include "explain/line_context.hpp"
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
            return fmt::format("THREADS is {0}, all threads of a block: {1} wide, it is {0} / {1} = {2} high", y, x,
                               y / x);
        for (const auto& [name, number] : scene.facts.numbers)
            if (const source::Constant* named = constant_named(scene.facts, name); x == y && number == x)
                return {fmt::format("`{}` is {} in line {}, and {} x {} threads are {}: 32 x 32 are 1024, the most",
                                    name, x, named->at.line, x, y, x * y),
                        named->at.line};
        if (x * x <= 1024 && y == x + 1)
            return fmt::format("{0} x {0} threads would be {1}: the padding belongs to the tile, not to the block", x,
                               x * x);
        if (y * y <= 1024 && x == y + 1)
            return fmt::format("{0} x {0} threads would be {1}: the padding belongs to the tile, not to the block", y,
                               y * y);
    }
    if (!scene.run.layout.empty() && scene.run.layout.front().extents.size() == 1)
        return std::string(
                   "a block has at most 1024 threads: launch fewer, and let each of them step by that number in a "
                   "loop") +
               (has_word(*scene.facts.tree, "blockIdx") ? ", or launch more blocks" : "");
    return "a block has at most 1024 threads: let each of them move several elements, or make the tile smaller";
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
    diagnostic.facts.push_back(fmt::format("shape {}; on a GPU nothing would run, and cudaGetLastError() would say so",
                                           describe_case(scene.run.shape)));
    const bool has_work = !scene.run.layout.empty() && scene.run.layout.front().elements() != 0;
    const auto divisions = has_none && has_work ? floor_divisions(scene.facts) : std::vector<FloorDivision>{};
    const source::Launch* const launch = launch_at(scene.facts, finding.place.line);
    const NodeId blocks = launch ? binary(*scene.facts.tree, launch->grid, "-") : no_node;
    if (has_none && has_work && blocks != no_node) {
        diagnostic.help = fmt::format(
            "the grid is `{}` here, and that is 0 for this shape: how many blocks of "
            "elements should this launch reach?",
            in_one_line(*scene.facts.tree, blocks));
    } else if (!divisions.empty()) {
        for (const FloorDivision& division : divisions)
            diagnostic.marks.insert(diagnostic.marks.end() - 1, mark_of_division(division, scene.path));
        diagnostic.help = advice_on_floor(divisions);
    } else if (has_none && has_work)
        diagnostic.help =
            fmt::format("the number of blocks is 0 for this shape: a division has to round up, (n + {0} - 1) / {0}",
                        scene.run.layout.front().extents.size() == 1 ? "THREADS" : "TILE");
    else if (has_none && !scene.run.layout.empty() && scene.run.layout.back().elements() != 0)
        diagnostic.help = "launch one block at least: there is a result to be stored when there are no elements, too";
    else if (has_none)
        diagnostic.help = "return early when there is nothing to do: a grid or block of no threads is an error";
    else if (finding.refusal == vgpu::Refusal::grid_extent && finding.limit < 65536)
        give(diagnostic,
             {"a grid may have 65535 blocks in y and z, but 2147483647 in x: put the long side in x, or fold y into z",
              line_of_grid(scene)});
    else if (finding.refusal == vgpu::Refusal::registers)
        diagnostic.help =
            "launch smaller blocks, or say __launch_bounds__(threads) at the kernel: the compiler then makes do with "
            "fewer";
    else if (const std::string bytes = launch_argument(scene.facts, finding.place.line, 2);
             finding.refusal == vgpu::Refusal::shared_bytes && !bytes.empty() && bytes != "0" &&
             !is_dynamic_used(*scene.facts.tree))
        diagnostic.help = fmt::format(
            "the third launch argument, {}, is how many bytes of dynamic shared memory a block gets, and no kernel "
            "here declares any, by extern __shared__: leave it out",
            bytes);
    else if (finding.refusal == vgpu::Refusal::shared_bytes)
        diagnostic.help =
            scene.launch() && scene.launch()->shared_bytes == 0
                ? "make the tile smaller: 48 KiB is all that a __shared__ array with fixed extents can have"
                : "make the tile smaller; more than 48 KiB of dynamic shared memory needs "
                  "cudaFuncSetAttribute first";
    else if (finding.refusal == vgpu::Refusal::block_extent && finding.limit < 1024)
        diagnostic.help = fmt::format(
            "launch at most {} here; where __launch_bounds__ at the kernel sets that limit, write there how many "
            "threads the launch asks for",
            finding.limit);
    else if (finding.refusal == vgpu::Refusal::block_extent)
        give(diagnostic, advice_on_large_block(scene, asked));
    else
        diagnostic.help = "print the grid and the block for this shape and compare them with the limit";
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
        diagnostic.title =
            is_passed ? fmt::format("{} gets the launcher's address of `{}`, not the GPU's",
                                    finding.kernel.empty() ? "cudaMemset" : finding.kernel, finding.buffer)
                      : fmt::format("the launcher {} `{}`, which kernels have on the GPU",
                                    finding.access == vgpu::AccessKind::write ? "sets" : "reads", finding.buffer);
        diagnostic.marks.push_back(
            mark_at(scene, finding.place, finding.buffer, "a variable of the launcher's own here"));
        diagnostic.facts.push_back(
            "in a launcher the name of a __device__ variable means a place on the CPU: what is on the GPU "
            "is neither read nor changed by it");
        diagnostic.help =
            is_passed ? "use the variable's name in the kernel, or ask for its address with cudaGetSymbolAddress"
                      : "set it in a kernel, or ask for its address with cudaGetSymbolAddress and use cudaMemset";
        return diagnostic;
    }
    const std::string what =
        finding.buffer.empty() ? "GPU memory" : fmt::format("`{}`, which is in GPU memory", finding.buffer);
    diagnostic.title =
        fmt::format("the launcher {} {}", finding.access == vgpu::AccessKind::write ? "writes to" : "reads", what);
    diagnostic.facts.push_back("the launcher runs on the CPU: on a real machine this is a segmentation fault");
    if (const auto call = library_call(scene)) {
        vgpu::ThreadPlace place = finding.place;
        place.line = call->line;
        diagnostic.marks.push_back(mark_at(scene, place, call->name, "on the CPU"));
        diagnostic.help =
            call->name == "memset"
                ? fmt::format("cudaMemset({}, ...) sets GPU memory, with the same arguments; or set it in a kernel",
                              finding.buffer)
                : fmt::format("{}() runs on the CPU as well: let a kernel do it", call->name);
        return diagnostic;
    }
    diagnostic.marks.push_back(
        mark_at(scene, finding.place, finding.buffer,
                finding.buffer.empty() ? fmt::format("address 0x{:x}", finding.address) : element_text(scene)));
    diagnostic.help = "only a kernel can access the memory that the pointers point to: pass them to a kernel";
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
                                     : "the kernel stopped itself with a trap";
    diagnostic.marks.push_back(
        mark_at(scene, finding.place, is_assertion ? "assert" : "", is_assertion ? finding.detail : ""));
    diagnostic.facts.push_back(thread_fact(scene));
    const auto& barriers = scene.facts.barriers;
    const bool is_grid_sync = has_word(*scene.facts.tree, "this_grid") &&
                              std::any_of(barriers.begin(), barriers.end(), [&](const source::Barrier& one) {
                                  return one.name.ends_with("sync") && one.line == finding.place.line;
                              });
    diagnostic.help = is_grid_sync
                          ? "all blocks of a grid wait for each other in a cooperative launch alone, and <<< >>> "
                            "makes none: end the kernel here, and let a second launch do the rest"
                      : is_assertion ? "work out what the asserted values are here"
                      : is_division  ? "what is the divisor for this shape? return before, where there is nothing to do"
                      : is_launcher  ? "return from the launcher: exit() and abort() end the program that called it"
                                     : "look for __trap(), and for code that the compiler knows is undefined";
    return diagnostic;
}

Diagnostic describe_call(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    if (finding.detail.empty()) {
        diagnostic.title = "a call through a pointer that holds no function";
        diagnostic.marks.push_back(mark_at(scene, finding.place, "", fmt::format("address 0x{:x}", finding.address)));
        diagnostic.help = "which function is the pointer to hold, and where is it set?";
    } else {
        diagnostic.title = finding.detail;
        diagnostic.marks.push_back(mark_at(scene, finding.place, "", "here"));
        diagnostic.help =
            finding.detail.starts_with("free() of") ? "free what malloc() returned, and only once"
            : finding.kernel.empty()
                ? "the launcher of this stage only launches: the data is on the GPU before it runs, and the "
                  "result is read there after it"
                : "do it in host code: on the virtual GPU a kernel neither launches kernels nor calls "
                  "the CUDA runtime";
    }
    diagnostic.facts.push_back(thread_fact(scene));
    return diagnostic;
}

}  // namespace warpgrade
