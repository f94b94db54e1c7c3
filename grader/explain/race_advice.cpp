#include "explain/race_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "course/source_text.hpp"
#include "explain/access_place.hpp"
#include "explain/guard_text.hpp"
#include "explain/index_text.hpp"
#include "explain/line_context.hpp"
#include "explain/race_facts.hpp"
#include "explain/same_place.hpp"
#include "explain/source_names.hpp"

namespace warpgrade {

namespace {

std::string two_stores(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const int first = std::min(finding.place.line, finding.other.line),
              last = std::max(finding.place.line, finding.other.line);
    const source::Guard* const guard = scene.facts.guard_at(first);
    if (guard != nullptr && guard->line == first && !is_missing(*scene.facts.tree, guard->otherwise) &&
        line_of(*scene.facts.tree, guard->otherwise) == last)
        return fmt::format(
            "to the `else` in line {} come those that the test in line {} keeps out: have they anything to store?",
            last, first);
    return fmt::format(
        "lines {} and {} both store here: which of them is this place for, and where is the other one to store?",
        std::min(finding.place.line, finding.other.line), std::max(finding.place.line, finding.other.line));
}

// `partial[tid]` where tid is blockIdx.x: one place for all threads of a block.
std::string advice_on_same_index(const Scene& scene, const std::string& name) {
    const auto made = variable_of_index(scene.facts, scene.finding.place.line, name, true);
    if (!made || made->expression.find("blockIdx") == std::string::npos ||
        made->expression.find("threadIdx") != std::string::npos ||
        scene.finding.place.block != scene.finding.other.block)
        return {};
    return fmt::format("`{}` is {}, by line {}, and that is the same for all threads of a block: is threadIdx meant?",
                       made->name, made->expression, made->line);
}

// Two accesses of one line that meet within one step of a loop.
std::string advice_within_step(const Scene& scene, const std::string& name) {
    if (std::string advice = advice_on_same_index(scene, name); !advice.empty()) return advice;
    const source::Barrier* const of_step = barrier_of_each_step(scene);
    if (of_step == nullptr) return {};
    const std::string barrier = fmt::format("{}()", of_step->name);
    const int line = scene.finding.place.line;
    const source::Loop& loop = *scene.facts.loop_at(line);
    const auto step = tree_step(scene.facts, line);
    const auto made = variable_of_index(scene.facts, line, name);
    const std::string index =
        made ? fmt::format(" (`{}` is {}, by line {})", made->name, made->expression, made->line) : "";
    if (step && column_of(step->partner, step->target) == 0)
        return fmt::format(
            "the loop has its {}, so the two meet within one step: the sum goes to `{}[{}]`, and its "
            "partner is counted from another place, `{}`{}",
            barrier, name, step->target, step->partner, index);
    const bool is_sum = !scene.run.layout.empty() && scene.run.layout.back().elements() == 1;
    if (is_sum && step && !step->less.empty())
        return fmt::format(
            "the loop has its {}, so the two meet within one step: is `{}[{} + {}]` meant, which stands "
            "after the elements that the step adds up?",
            barrier, name, step->target, step->less == step->target ? step->by : step->less);
    // A scan takes in what stands before, which is added to in the same step.
    if (!is_sum && step && barrier == "__syncthreads()" && !step->less.empty())
        return fmt::format(
            "the loop has its {0}, so the two meet within one step: let each thread read `{1}[{2}]` into a variable, "
            "all of them wait in another {0}, and each add it only then",
            barrier, name, step->partner);
    // partial[tid + 1], whatever the step is.
    const bool is_multiplied = loop.step_sign.find_first_of("*/<>") != std::string_view::npos;
    const std::string distance(loop.variable);
    if (is_sum && step && is_multiplied && column_of(step->partner, distance) == 0 &&
        column_of(step->target, distance) == 0)
        return fmt::format("`{0}[{1}]` is the partner in each step, whatever `{2}` is: is `{0}[{3} + {2}]` meant?",
                           name, step->partner, distance, step->target);
    // Those below s add, and the partner stands nearer than s.
    if (step && step->partner.starts_with(step->target + " + "))
        for (const GuardText& guard : guards_before(scene.facts, line, name))
            for (const GuardPart& part : guard.parts)
                if (const std::string away = step->partner.substr(step->target.size() + 3);
                    part.left == step->target && part.sign == "<" && away != part.right &&
                    column_of(away, part.right) != 0)
                    return fmt::format(
                        "the loop has its {}, so the two meet within one step: threads below `{}` add, and "
                        "the partner is `{}` away, so that it may be one of them: it has to be `{}` away",
                        barrier, part.right, away, part.right);
    // The same threads in each step, and a partner that comes nearer.
    if (is_sum && step && barrier == "__syncthreads()" && is_multiplied &&
        step->partner == fmt::format("{} + {}", step->target, distance))
        for (const GuardText& guard : guards_before(scene.facts, line, name))
            for (const GuardPart& part : guard.parts)
                if (!guard.returns && part.left == step->target && part.sign == "<" &&
                    column_of(part.right, distance) == 0)
                    return fmt::format(
                        "the loop has its {0}, so the two meet within one step: in each the threads below `{1}` add, "
                        "and the partner, `{2}` away, may be one of them: is {3} < {2} meant in line {4}?",
                        barrier, part.right, distance, step->target, guard.line);
    if (!step || barrier == "__syncthreads()")
        return fmt::format(
            "the loop has its {}, so the two meet within one step: which threads store in it, and what "
            "do the others read?{}",
            barrier, index);
    return fmt::format(
        "the loop has its {0}, so the two meet within one step: read `{1}[{2}]` into a variable, {0}, "
        "and only then add it; or let none store that others read, tid < s",
        barrier, name, step->partner);
}

// A __syncthreads() here would wait for threads that do not come.
std::string advice_on_threads_left_out(const ThreadTest& test) {
    return test.is_loop
               ? fmt::format(
                     "not all threads run this loop equally often, by `{}` in line {}, so no __syncthreads() can be in "
                     "it: let the loop run as often for all, with a test only around the work, and put a barrier "
                     "between the two accesses",
                     test.condition, test.line)
               : fmt::format(
                     "the test `{}` in line {} keeps threads from a barrier between the two accesses: end the `if`, "
                     "put "
                     "a __syncthreads() there, and test again; or let no thread store what another one reads in this "
                     "step",
                     test.condition, test.line);
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
        const bool waits_again =
            loop != nullptr && std::any_of(facts.barriers.begin(), facts.barriers.end(), [&](const auto& barrier) {
                return is_within(*facts.tree, barrier.node, loop->body) &&
                       (barrier.line < lines.first || barrier.line > lines.last);
            });
        if (loop == nullptr || waits_again)
            return fmt::format(
                "the __syncthreads() in line {} is between the two: which of these threads reaches one of them "
                "without "
                "it?",
                line);
        return fmt::format(
            "the barrier in line {} orders them within an iteration of the loop, and no barrier is between this "
            "iteration and the next: if all iterations fill `{}` together, read it in a loop of its own after this "
            "one; else wait at the end of the iteration, too",
            line, name);
    }
    if (const std::string places = has_two_lines(finding) ? places_of_ring(scene) : ""; !places.empty())
        return fmt::format(
            "`{0}` comes back to the same place after {1}: either all have to have read what is there before it is "
            "stored over, with a __syncthreads() in between, or it needs more places",
            name, places);
    if (const auto test = thread_test_around(scene); test && share_a_warp(finding) && test->is_for_one_warp)
        return fmt::format("put a __syncwarp() between the two accesses: only one warp passes the test in line {}",
                           test->line);
    else if (test)
        return advice_on_threads_left_out(*test);
    if (!share_a_warp(finding))
        return "put a __syncthreads() between the two accesses, where every thread of the block reaches it";
    if (is_one_warp) return "put a __syncwarp() or a __syncthreads() between the two accesses";
    return fmt::format(
        "put a __syncthreads() between the two accesses; a __syncwarp() is enough only where one warp alone uses `{}`",
        name);
}

std::string advice_on_steps(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const auto test = thread_test_around(scene);
    if (test && !(test->is_for_one_warp && share_a_warp(finding))) return advice_on_threads_left_out(*test);
    if (test)
        return fmt::format(
            "one step reads what another step writes: put a __syncwarp() at the end of the loop's body, as only one "
            "warp "
            "passes the test in line {}, and let no step read what the same step writes",
            test->line);
    if (scene.facts.loop_at(finding.place.line) == nullptr)
        return fmt::format(
            "one thread reads here what another one stores here, or a step before: put a {} between the steps, and let "
            "no step read what the same step writes",
            share_a_warp(finding) ? "__syncthreads(), or a __syncwarp() where one warp alone works,"
                                  : "__syncthreads()");
    return fmt::format(
        "one step reads what another step writes: put a {} at the end of the loop's body, and let no step read what "
        "the same step writes",
        share_a_warp(finding) ? "__syncthreads(), or a __syncwarp() where one warp alone works," : "__syncthreads()");
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
    const bool has_barrier =
        loop != nullptr && std::any_of(facts.barriers.begin(), facts.barriers.end(), [&](const source::Barrier& one) {
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
    if (const auto made = function_of_index(scene.facts, finding.place.line, name))
        return fmt::format(
            "`{0}` in line {1} makes the index, and gives both threads the same: each index has to have "
            "a place of its own",
            made->name, made->line);
    return advice_on_element(scene, name);
}

constexpr const char* every_thread_all =
    "each thread stores many elements, and others store the same ones: which part is its own, by threadIdx and "
    "blockIdx?";

Advice by_flag(const Race& race) {
    if (race.scene.finding.is_looked_up)
        return "put a __threadfence() after the loop that waits, or load what it waits for with memory_order_acquire";
    if (race.scene.finding.may_be_old)
        return "put a __threadfence() between the look at the flag or the lock and this read";
    return {};
}

Advice by_volatile(const Race& race) {
    if (!race.scene.finding.is_volatile || !share_a_warp(race.scene.finding)) return {};
    return "put a __syncwarp() between what a step reads and what it stores, and one between the steps; or use warp "
           "shuffles";
}

Advice by_atomic(const Race& race) {
    if (race.atomic.empty() || (race.is_shared && race.both_write)) return {};
    return fmt::format(
        "this reads, changes and stores in three steps, and another thread comes in between: {} does it in one",
        race.atomic);
}

Advice by_weak_order(const Race& race) {
    if (race.both_write && !race.weak.is_of_continue) return {};
    return {race.weak.help, race.weak.line};
}

Advice in_shared_memory(const Race& race) {
    if (!race.is_shared) return {};
    const Scene& scene = race.scene;
    if (race.both_write) return advice_on_two_writes(scene, race.name);
    const bool is_here = is_one_line(scene.finding);
    std::string advice = is_here ? advice_on_remainder(scene.facts, scene.finding.place.line) : "";
    if (!advice.empty()) return advice;
    if (changes_shared_variable(scene, race.name))
        return fmt::format(
            "all threads read, change and store `{0}`, and come in between each other: atomicAdd(&{0}, ...) does it in "
            "one, and a tree in a few steps",
            race.name);
    if (!is_here) return advice_on_barrier(scene, race.name);
    advice = advice_within_step(scene, race.name);
    return advice.empty() ? advice_on_steps(scene) : advice;
}

Advice of_all_blocks(const Race& race) {
    if (!is_of_all_blocks(race.scene, race.name)) return {};
    return fmt::format(
        "`{0}` is one array, which all blocks use at once: declared in the kernel as __shared__, each block has a "
        "`{0}` of its own",
        race.name);
}

Advice in_place(const Race& race) {
    if (!changes_in_place(race.scene) && !stores_what_it_reads(race.scene)) return {};
    return fmt::format(
        "this reads, changes and stores in three steps, and another thread comes in between: atomicAdd(&{}[...], ...) "
        "does it in one",
        race.scene.finding.buffer);
}

Advice of_results(const Race& race) {
    if (race.both_write || !reads_results(race.scene)) return {};
    return fmt::format(
        "other threads store to `{0}`, sooner or later: read what you need from `{1}`, and `{0}` not at "
        "all",
        race.name, race.scene.input().name);
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
    if (is_for_one(scene) && (scene.finding.is_same_value || is_by_block(scene)))
        return "one thread is enough for this store: if (threadIdx.x == 0)";
    return "let every thread store to a place of its own";
}

Advice written_by_blocks(const Race& race) {
    const Scene& scene = race.scene;
    const vgpu::Finding& finding = scene.finding;
    if (!race.both_write) return {};
    if (clears_beside_atomics(finding))
        return fmt::format(
            "blocks run in any order, and another one may have added already what line {} stores over: set it before "
            "this launch, in the launcher",
            finding.access == vgpu::AccessKind::write ? finding.place.line : finding.other.line);
    if (has_two_lines(finding)) return two_stores(scene);
    if (const std::string factors = advice_on_factors(scene); !factors.empty()) return factors;
    if (stores_often(scene)) return every_thread_all;
    if (is_for_many(scene))
        return "several blocks store to it: where each has a part of the result, add with atomicAdd to what was set to "
               "0 before";
    return advice_on_blocks(scene);
}

Advice read_by_blocks(const Race& race) {
    const Scene& scene = race.scene;
    const bool is_scratch = scene.layout() != nullptr && scene.layout()->role == BufferRole::scratch;
    const bool has_several = scene.launches != nullptr && scene.launches->size() > 1;
    if (const LaunchInfo* const launch = is_scratch ? scene.launch() : nullptr; launch != nullptr && has_several)
        return {fmt::format("one launch, of line {1}, reads `{0}` and stores to the same elements: after that line, "
                            "before the next launch, move `{0}` on by as many sums as were stored",
                            race.name, launch->line),
                launch->line};
    return has_several ? "blocks run in any order: let a launch store nowhere that it also reads, and read what other "
                         "blocks wrote only in a later launch"
                       : "blocks run in any order: read what another block wrote only in a later launch";
}

// The most certain first.
constexpr std::array race_rows{
    by_flag,    by_volatile,         by_atomic,     by_weak_order,    in_shared_memory,  of_all_blocks, in_place,
    of_results, handed_over_or_axis, read_in_block, written_in_block, written_by_blocks, read_by_blocks};

}  // namespace

Advice race_advice(const Race& race) {
    for (const auto row : race_rows)
        if (Advice advice = row(race); !advice.empty()) return advice;
    return {};
}

}  // namespace warpgrade
