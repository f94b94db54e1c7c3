#include "explain/race_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "course/source_text.hpp"
#include "explain/guard_text.hpp"
#include "explain/line_context.hpp"
#include "explain/questions.hpp"
#include "explain/race_facts.hpp"
#include "explain/same_place.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"

namespace warpgrade {

namespace {

std::string two_stores(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const int first = std::min(finding.place.line, finding.other.line),
              last = std::max(finding.place.line, finding.other.line);
    const source::Guard* const guard = scene.facts.guard_at(first);
    if (guard != nullptr && guard->line == first && !is_missing(scene.tree(), guard->otherwise) &&
        line_of(scene.tree(), guard->otherwise) == last)
        return say("else_line_come_test", last, first);
    return say("lines_both_store_here", std::min(finding.place.line, finding.other.line),
               std::max(finding.place.line, finding.other.line));
}

// `partial[tid]` where tid is blockIdx.x: one place for all threads of a block.
std::string advice_on_same_index(const Scene& scene, const std::string& name) {
    const auto made = variable_of_index(scene.facts, scene.line(), name, true);
    if (!made || made->expression.find("blockIdx") == std::string::npos ||
        made->expression.find("threadIdx") != std::string::npos ||
        scene.finding.place.block != scene.finding.other.block)
        return {};
    return say("line_same_threads_block", made->name, made->expression, made->line);
}

// Two accesses of one line that meet within one step of a loop.
std::string advice_within_step(const Scene& scene, const std::string& name) {
    if (std::string advice = advice_on_same_index(scene, name); !advice.empty()) return advice;
    const source::Barrier* const of_step = barrier_of_each_step(scene);
    if (of_step == nullptr) return {};
    const std::string barrier = fmt::format("{}()", of_step->name);
    const int line = scene.line();
    const source::Loop& loop = *scene.facts.loop_at(line);
    const auto step = tree_step(scene.facts, line);
    const auto made = variable_of_index(scene.facts, line, name);
    const std::string index =
        made ? fmt::format(" (`{}` is {}, by line {})", made->name, made->expression, made->line) : "";
    if (step && column_of(step->partner, step->target) == 0)
        return say("loop_two_meet_within", barrier, name, step->target, step->partner, index);
    const bool is_sum = !scene.run.layout.empty() && scene.run.layout.back().elements() == 1;
    // A scan takes in what stands before, which is added to in the same step.
    if (!is_sum && step && barrier == "__syncthreads()" && !step->less.empty())
        return say("loop_two_meet_within_step_thread", barrier, name, step->partner);
    // partial[tid + 1], whatever the step is.
    const bool is_multiplied = loop.step_sign.find_first_of("*/<>") != std::string_view::npos;
    const std::string distance(loop.variable);
    if (is_sum && step && is_multiplied && column_of(step->partner, distance) == 0 &&
        column_of(step->target, distance) == 0)
        return say("partner_step_whatever_meant", name, step->partner, distance, step->target);
    // The same threads in each step, and a partner that comes nearer.
    if (is_sum && step && barrier == "__syncthreads()" && is_multiplied &&
        step->partner == fmt::format("{} + {}", step->target, distance))
        for (const GuardText& guard : guards_before(scene.facts, line, name))
            for (const GuardPart& part : guard.parts)
                if (!guard.returns && part.left == step->target && part.sign == "<" &&
                    column_of(part.right, distance) == 0)
                    return say("loop_two_meet_within_step_threads_below", barrier, part.right, distance, step->target,
                               guard.line);
    if (!step || barrier == "__syncthreads()") return say("loop_two_meet_within_step_threads_store", barrier, index);
    return say("loop_two_meet_within_step_read", barrier, name, step->partner);
}

// A __syncthreads() here would wait for threads that do not come.
std::string advice_on_threads_left_out(const ThreadTest& test) {
    return test.is_loop ? say("threads_run_loop_equally", test.condition, test.line)
                        : say("test_line_keeps_threads", test.condition, test.line);
}

// What has to stand between the two, where nothing that is there orders them.
std::string advice_on_barrier(const Scene& scene, const std::string& name) {
    const vgpu::Finding& finding = scene.finding;
    const Facts& facts = scene.facts;
    const LaunchInfo* launch = scene.launch();
    const RaceLines lines = lines_of(finding);
    if (const WeakOrder weak = weak_order(scene); !weak.help.empty()) return weak.help;
    const bool is_one_warp = launch != nullptr && launch->block.count() <= 32;
    const bool is_one_function = facts.function_at(lines.first) == facts.function_at(lines.last);
    // Both in one loop, which has its barrier between them: they meet from one iteration to the next.
    if (const int line = line_of_call_between(facts, lines.first, lines.last, "__syncthreads");
        line != 0 && is_one_function) {
        const source::Loop* const loop = loop_around_both(facts, lines);
        const bool waits_again = loop != nullptr && std::ranges::any_of(facts.barriers, [&](const auto& barrier) {
                                     return is_within(*facts.tree, barrier.node, loop->body) &&
                                            (barrier.line < lines.first || barrier.line > lines.last);
                                 });
        if (loop == nullptr || waits_again) return say("syncthreads_line_between_two", line);
        return say("barrier_line_orders_them", line, name);
    }
    if (const std::string places = has_two_lines(finding) ? places_of_ring(scene) : ""; !places.empty())
        return say("comes_back_same_place", name, places);
    if (const auto test = thread_test_around(scene); test && share_a_warp(finding) && test->is_for_one_warp)
        return say("put_syncwarp_between_two", test->line);
    else if (test)
        return advice_on_threads_left_out(*test);
    if (!share_a_warp(finding)) return say("put_syncthreads_between_two");
    if (is_one_warp) return say("put_syncwarp_syncthreads_between");
    return say("put_syncthreads_between_two_accesses", name);
}

std::string advice_on_steps(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const auto test = thread_test_around(scene);
    if (test && !(test->is_for_one_warp && share_a_warp(finding))) return advice_on_threads_left_out(*test);
    if (test) return say("step_reads_another_step", test->line);
    if (scene.facts.loop_at(finding.place.line) == nullptr)
        return say("thread_reads_here_another",
                   share_a_warp(finding) ? say("syncthreads_syncwarp_where_warp") : "__syncthreads()");
    return say("step_reads_another_step_writes",
               share_a_warp(finding) ? say("syncthreads_syncwarp_where_warp") : "__syncthreads()");
}

// Two steps that store to one place, one after the other: nothing stands between them. "" where that is not seen.
std::string advice_on_missing_step(const Scene& scene, const std::string& name) {
    const vgpu::Finding& finding = scene.finding;
    const Facts& facts = scene.facts;
    if (has_two_lines(finding))
        return reads_and_stores(facts, finding.place.line, name) || reads_and_stores(facts, finding.other.line, name)
                   ? advice_on_barrier(scene, name)
                   : "";
    const source::Loop* const loop = facts.loop_at(finding.place.line);
    const bool has_barrier = loop != nullptr && std::ranges::any_of(facts.barriers, [&](const source::Barrier& one) {
                                 return is_within(*facts.tree, one.node, loop->body);
                             });
    return loop != nullptr && !has_barrier && reads_and_stores(facts, finding.place.line, name) ? advice_on_steps(scene)
                                                                                                : "";
}

// Two that store to one place of an array that the block shares.
std::string advice_on_two_writes(const Scene& scene, const std::string& name) {
    const vgpu::Finding& finding = scene.finding;
    if (std::string advice = advice_on_same_index(scene, name); !advice.empty()) return advice;
    const bool is_atomic = finding.access == vgpu::AccessKind::atomic,
               other_is = finding.other_access == vgpu::AccessKind::atomic;
    // One line sets the elements that another one adds to.
    if (is_atomic != other_is && has_two_lines(finding)) return advice_on_barrier(scene, name);
    if (std::string advice = advice_on_missing_step(scene, name); !advice.empty()) return advice;
    return advice_on_element(scene, name);
}

constexpr const char* every_thread_all =
    "each thread stores many elements, and others store the same ones: which part is its own, by threadIdx and "
    "blockIdx?";

Advice by_flag(const Race& race) {
    if (race.scene.finding.is_looked_up) return say("put_threadfence_after_loop");
    if (race.scene.finding.may_be_old) return say("put_threadfence_between_look");
    return {};
}

Advice by_volatile(const Race& race) {
    if (!race.scene.finding.is_volatile || !share_a_warp(race.scene.finding)) return {};
    return say("put_syncwarp_between_step");
}

Advice by_atomic(const Race& race) {
    if (race.atomic.empty() || (race.is_shared && race.both_write)) return {};
    return say("reads_changes_stores_three", race.atomic);
}

Advice by_weak_order(const Race& race) {
    if (race.both_write && !race.weak.is_of_continue) return {};
    return {race.weak.help, race.weak.line};
}

// Every thread runs the same loop over the same elements, each of which is made of the one before it.
Advice by_loop_of_all(const Race& race) {
    const Scene& scene = race.scene;
    const source::Loop* const loop = scene.loop();
    const auto accesses = accesses_to(scene.facts, scene.line(), race.local);
    const bool is_same_for_all = std::ranges::none_of(accesses, [&](const source::Access* access) {
        return std::ranges::any_of(access->indices,
                                   [&](NodeId index) { return differs_by_thread(scene.facts, scene.line(), index); });
    });
    if (race.both_write || !race.is_in_block() || !is_one_line(scene.finding) || loop == nullptr || accesses.empty() ||
        !is_same_for_all || thread_test_around(scene))
        return {};
    return say("threads_run_whole_loop", loop->line);
}

Advice in_shared_memory(const Race& race) {
    if (!race.is_shared) return {};
    const Scene& scene = race.scene;
    if (scene.finding.has_other && !race.is_in_block())
        return say("two_blocks_of_cluster", to_text(scene.finding.place.block), to_text(scene.finding.other.block));
    if (race.both_write) return advice_on_two_writes(scene, race.name);
    const bool is_here = is_one_line(scene.finding);
    std::string advice = is_here ? advice_on_remainder(scene.facts, scene.line()) : "";
    if (!advice.empty()) return advice;
    if (changes_shared_variable(scene, race.name)) return say("threads_read_change_store", race.name);
    if (!is_here) return advice_on_barrier(scene, race.name);
    advice = advice_within_step(scene, race.name);
    return advice.empty() ? advice_on_steps(scene) : advice;
}

Advice of_all_blocks(const Race& race) {
    if (!is_of_all_blocks(race.scene, race.name)) return {};
    return say("array_blocks_use_once", race.name);
}

Advice of_results(const Race& race) {
    if (race.both_write || !reads_results(race.scene)) return {};
    return say("other_threads_store_sooner", race.name, race.scene.input().name);
}

Advice handed_over_or_axis(const Race& race) {
    return race.both_write ? advice_on_axis(race.scene) : advice_on_handed_over(race.scene);
}

Advice read_in_block(const Race& race) {
    if (race.both_write || !race.is_in_block()) return {};
    if (!is_one_line(race.scene.finding)) return advice_on_barrier(race.scene, race.local);
    const std::string within = advice_within_step(race.scene, race.local);
    return within.empty() ? advice_on_steps(race.scene) : within;
}

Advice written_in_block(const Race& race) {
    const Scene& scene = race.scene;
    if (!race.both_write || scene.finding.place.block != scene.finding.other.block) return {};
    if (const std::string step = advice_on_thread_step(scene); !step.empty()) return step;
    if (has_two_lines(scene.finding)) return two_stores(scene);
    if (stores_often(scene)) return every_thread_all;
    if (is_for_one(scene) && scene.finding.is_same_value) return say("thread_enough_store_if");
    return say("every_thread_store_place");
}

Advice written_by_blocks(const Race& race) {
    const Scene& scene = race.scene;
    const vgpu::Finding& finding = scene.finding;
    if (!race.both_write) return {};
    if (clears_beside_atomics(finding)) {
        const int line = finding.access == vgpu::AccessKind::write ? finding.place.line : finding.other.line;
        return say("blocks_run_any_order", line, line);
    }
    if (has_two_lines(finding)) return two_stores(scene);
    if (const std::string factors = advice_on_factors(scene); !factors.empty()) return factors;
    if (std::string part = advice_on_shared_part(scene); !part.empty()) return part;
    if (stores_often(scene)) return every_thread_all;
    if (is_for_many(scene)) return say("several_blocks_store_where");
    return advice_on_blocks(scene);
}

// The line of the launch that passes the buffer for what the line reads; 0: several may.
int line_of_launch_reading(const Scene& scene, std::string_view local) {
    const source::Function* const kernel = scene.facts.function_at(scene.line());
    if (kernel == nullptr) return 0;
    const auto& parameters = kernel->parameters;
    const auto known = std::ranges::find(parameters, local, &source::Parameter::name);
    const auto number = static_cast<std::size_t>(known - parameters.begin());
    std::set<int> all, passing;
    for (const source::Launch& launch : scene.facts.launches) {
        if (launch.kernel != kernel->name) continue;
        all.insert(launch.line);
        if (number < launch.arguments.size() &&
            explain::leads_to_name(scene.facts, launch.arguments[number], scene.finding.buffer))
            passing.insert(launch.line);
    }
    return all.size() == 1 ? *all.begin() : passing.size() == 1 ? *passing.begin() : 0;
}

Advice read_by_blocks(const Race& race) {
    const Scene& scene = race.scene;
    const bool is_scratch = scene.layout() != nullptr && scene.layout()->role == BufferRole::scratch;
    const bool has_several = scene.launches != nullptr && scene.launches->size() > 1;
    const int line = is_scratch && has_several ? line_of_launch_reading(scene, race.local) : 0;
    if (line != 0) {
        Advice advice = say("launch_line_reads_stores", race.name, line);
        advice.shown = line;
        return advice;
    }
    return has_several ? say("blocks_run_any_order_launch") : say("blocks_run_any_order_read");
}

// The most certain first.
constexpr std::array race_rows{by_flag,          by_volatile,       by_atomic,     by_weak_order,       by_loop_of_all,
                               in_shared_memory, of_all_blocks,     of_results,    handed_over_or_axis, read_in_block,
                               written_in_block, written_by_blocks, read_by_blocks};

}  // namespace

Advice race_advice(const Race& race) {
    for (const auto row : race_rows)
        if (Advice advice = row(race); !advice.empty()) return advice;
    return {};
}

}  // namespace warpgrade
