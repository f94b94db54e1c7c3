// Words for what threads do to each other: barriers, warp functions, waiting for ever.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "course/source_text.hpp"
#include "explain/descriptions.hpp"
#include "explain/guard_text.hpp"
#include "explain/line_context.hpp"
#include "explain/race_cause.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "explain/wording_place.hpp"

namespace warpgrade {

namespace {

int line_of_exit_by_lane(const Scene& scene, int line);

// if (x < n) __syncthreads();
bool holds_only_barrier(const Facts& facts, int line) {
    const Tree& tree = *facts.tree;
    const source::Guard* const guard = facts.guard_at(line);
    return guard != nullptr && is_missing(tree, guard->otherwise) &&
           std::ranges::any_of(facts.barriers, [&](const source::Barrier& barrier) {
               const std::string all = in_one_line(tree, guard->then), own = in_one_line(tree, barrier.node);
               return is_within(tree, barrier.node, guard->then) && (all == own + ";" || all == "{ " + own + "; }");
           });
}

// What keeps the others from the barrier, as far as the text shows it.
Advice advice_on_missing_threads(const Scene& scene) {
    const int line = scene.line();
    const source::Loop* const loop = scene.facts.loop_at(line);
    // Others may have left, or gone past, between this barrier of the loop and the next.
    const vgpu::Finding& finding = scene.finding;
    const bool is_in_loop = finding.has_other && loop != nullptr && scene.facts.loop_at(finding.other.line) == loop;
    if (const int exit = line_of_exit(scene.facts, loop, is_in_loop ? std::max(line, finding.other.line) : line);
        exit != 0)
        return {say("line_them_stay_end", exit,
                    column_of(line_of(scene.source, exit), "continue") != 0 ? say("takes_threads_past_barrier")
                                                                            : say("lets_threads_out_loop")),
                exit};
    if (const int test = line_of_test(scene.facts, line); test != 0 && (loop == nullptr || test >= loop->line))
        return {say(holds_only_barrier(scene.facts, line) ? "if_line_has_only_barrier" : "if_line_keeps_threads", test),
                line};
    if (loop != nullptr) {
        const int end = last_line_of(scene.tree(), loop->node);
        const source::Function* const function = scene.facts.function_at(line);
        const auto next = std::ranges::find_if(scene.facts.barriers, [&](const source::Barrier& barrier) {
            return barrier.line > end && barrier.name == "__syncthreads" &&
                   scene.facts.function_at(barrier.line) == function;
        });
        const std::string instead = next == scene.facts.barriers.end() ? "put the barrier after the loop"
                                                                       : say("take_barrier_out_if", next->line);
        return {say("loop_line_turns_more", loop->line, instead), line};
    }
    return say("move_barrier_out_if");
}

}  // namespace

Diagnostic describe_barrier(const Scene& scene) {
    Diagnostic diagnostic = described(scene);
    const bool has_ended = scene.finding.reason == vgpu::FindingReason::ended;
    if (has_ended) diagnostic.severity = Severity::warning;  // right on a card as long as no result needs them
    const int exit = has_ended ? line_of_exit_by_lane(scene, scene.line()) : 0;
    give(diagnostic,
         exit != 0 ? Advice(say("threads_return_line_every", exit), exit) : advice_on_missing_threads(scene));
    return diagnostic;
}

namespace {

// Where the name gets its value that is the mask of the only warp function on the line; 0: it is no name, or not seen.
int line_of_mask(const Scene& scene) {
    const int line = scene.line();
    std::string_view name;
    for (const source::Call& call : scene.facts.calls) {
        if (call.line != line || !call.name.starts_with("__") || !call.name.ends_with("_sync")) continue;
        if (!name.empty() || call.arguments.empty()) return 0;
        name = plain_name(scene.tree(), call.arguments.front());
    }
    if (const source::Definition* set = set_before(scene.facts, name, line)) return set->at.line;
    for (const source::Constant& constant : scene.facts.constants)
        if (constant.name == name) return constant.at.line;
    return 0;
}

// `if (x >= cols) return;` before the line, by which lanes of a warp may differ; 0: none.
int line_of_exit_by_lane(const Scene& scene, int line) {
    const bool is_line = line > 0 && line <= scene.facts.tree->tokens.line_count;
    const NodeId at = is_line ? scene.facts.statement_line[static_cast<std::size_t>(line)] : no_node;
    for (const source::Test& test : tests_before(scene.facts, at))
        if (test.exits && differs_by_thread(scene.facts, test.guard->line, test.guard->condition, "threadIdx.x"))
            return test.guard->line;
    return 0;
}

// A call that not all lanes reach that its mask names.
Advice advice_on_lanes(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    constexpr const char* general = "let whole warps reach the call, and name in the mask exactly the lanes that do";
    if (finding.reason == vgpu::FindingReason::not_in_mask) {
        const int lanes = std::popcount(finding.mask);
        const int set = line_of_mask(scene);
        return {
            say("mask_names_lanes_lane", set == 0 ? "" : fmt::format(", set in line {},", set), lanes, finding.lane),
            set};
    }
    std::vector<int> lines{finding.place.line};
    if (finding.place.called_from != 0) {
        const auto calls = lines_that_call(scene.facts, finding.place.line);
        lines.insert(lines.end(), calls.begin(), calls.end());
        lines.push_back(finding.place.called_from);
    }
    for (const int line : lines) {
        const int test = line_of_test(scene.facts, line);
        if (test != 0) return say("who_gets_past_test", test, general);
        if (const int exit = line_of_exit(scene.facts, scene.facts.loop_at(line), line); exit != 0)
            return say("lanes_leave_loop_line", exit, general);
    }
    if (const int test = line_of_exit_by_lane(scene, finding.place.line); test != 0)
        return {say("lanes_return_line_missing", test), test};
    const source::Loop* const loop = scene.facts.loop_at(finding.place.line);
    if (loop != nullptr && finding.place.called_from == 0 && !is_missing(scene.tree(), loop->condition))
        return say("loop_line_ends_lane", loop->line, scene.text(loop->condition));
    return general;
}

}  // namespace

Diagnostic describe_inactive_lane(const Scene& scene) {
    Diagnostic diagnostic = described(scene);
    give(diagnostic, advice_on_lanes(scene));
    return diagnostic;
}

}  // namespace warpgrade
