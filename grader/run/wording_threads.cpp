// Words for what threads do to each other: races, barriers, warp functions, waiting for ever.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "course/source_text.hpp"
#include "run/access_place.hpp"
#include "run/guard_text.hpp"
#include "run/index_text.hpp"
#include "run/line_context.hpp"
#include "run/race_cause.hpp"
#include "run/same_place.hpp"
#include "run/source_names.hpp"
#include "run/wording.hpp"
#include "run/wording_place.hpp"

namespace warpgrade {

namespace {

const char* third_person(vgpu::AccessKind access) {
    switch (access) {
        case vgpu::AccessKind::write: return "writes";
        case vgpu::AccessKind::atomic: return "updates (atomically)";
        default: return "reads";
    }
}

bool is_one_line(const vgpu::Finding& finding) { return finding.has_other && finding.other.line == finding.place.line; }

bool has_two_lines(const vgpu::Finding& finding) {
    return finding.has_other && finding.place.line != 0 && finding.other.line != 0 &&
           finding.other.line != finding.place.line;
}

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

// More often in one launch's worth of threads than there are threads: each goes over many places.
bool stores_often(const Scene& scene) {
    if (scene.launches == nullptr) return false;
    std::uint64_t threads = 0;
    for (const LaunchInfo& launch : *scene.launches)
        if (launch.kernel == scene.finding.kernel) threads += launch.grid.count() * launch.block.count();
    return threads != 0 && scene.finding.occurrences > threads;
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

// A buffer where each block has one place, or all blocks together: not one with an element for every thread.
bool is_for_one(const Scene& scene) {
    const BufferLayout* layout = scene.layout();
    return layout != nullptr && (layout->elements() == 1 || layout->role == BufferRole::scratch);
}

// `sums[blockIdx.x] = sum`: one place for each block.
bool is_by_block(const Scene& scene) {
    const auto all = scene.facts.accesses_on(scene.finding.place.line);
    return std::any_of(all.begin(), all.end(), [&](const source::Access& access) {
        return access.kind == source::AccessKind::store && access.indices.size() == 1 &&
               in_one_line(*scene.facts.tree, access.indices[0]) == "blockIdx.x";
    });
}

// The accesses of the line that read, change and store.
std::vector<const source::Access*> updates_on(const Scene& scene) {
    std::vector<const source::Access*> found;
    for (const source::Access& access : scene.facts.accesses_on(scene.finding.place.line))
        if (access.kind == source::AccessKind::update) found.push_back(&access);
    return found;
}

// counts[in[i]]++, x += ... of one element: read, changed and stored in one statement that names its buffer once. A sum
// of two elements of one array is another matter.
bool changes_in_place(const Scene& scene) {
    if (!is_one_line(scene.finding) || scene.finding.buffer.empty()) return false;
    const auto uses = [&](std::string_view name) {
        return accesses_to(scene.facts, scene.finding.place.line, name).size();
    };
    const auto updates = updates_on(scene);
    const bool is_of_buffer = std::any_of(updates.begin(), updates.end(), [&](const source::Access* access) {
        return access->array == scene.finding.buffer;
    });
    if (is_of_buffer && uses(scene.finding.buffer) == 1) return true;
    // The kernel may know the buffer by another name: what is changed is no array of shared memory.
    return !updates.empty() && scene.layout() != nullptr &&
           !shared_names(scene.facts).contains(updates.front()->array) && uses(updates.front()->array) <= 1;
}

// What stands in `a = a + b` on both sides, of one buffer.
bool stores_what_it_reads(const Scene& scene) {
    if (!is_one_line(scene.finding) || scene.finding.buffer.empty()) return false;
    const auto all = accesses_to(scene.facts, scene.finding.place.line, scene.finding.buffer);
    const Tree& tree = *scene.facts.tree;
    return all.size() == 2 && is_same(tree, all[0]->node, tree, all[1]->node);
}

// `sum += x` of one variable that the block shares.
bool changes_shared_variable(const Scene& scene, const std::string& name) {
    const auto known = scene.facts.definitions_by_name.find(name);
    if (!is_one_line(scene.finding) || known == scene.facts.definitions_by_name.end()) return false;
    return std::any_of(known->second.begin(), known->second.end(), [&](std::uint32_t index) {
        const source::Definition& definition = scene.facts.definitions[index];
        const bool is_sum =
            definition.kind == source::DefinitionKind::assigned && mentions(*scene.facts.tree, definition.value, name);
        return definition.at.line == scene.finding.place.line &&
               (definition.kind == source::DefinitionKind::updated || is_sum);
    });
}

// One array of the whole GPU, declared in the file: __device__ float tile[32][32];
bool is_of_all_blocks(const Scene& scene, const std::string& name) {
    const Tree& tree = *scene.facts.tree;
    const source::Definition* const declared =
        scene.layout() == nullptr ? scene.facts.declaration_of(name, scene.finding.place.line) : nullptr;
    if (declared == nullptr || declared->around.function >= 0) return false;
    const NodeId extent = tree[declared->node].child;
    return extent != no_node && tree[extent].kind == NodeKind::extent &&
           text_of(tree, tree[tree[declared->node].parent].child).find("__device__") != std::string_view::npos;
}

// One clears what others add to already, in blocks that run in any order.
bool clears_beside_atomics(const vgpu::Finding& finding) {
    using vgpu::AccessKind;
    return has_two_lines(finding) && finding.place.block != finding.other.block &&
           ((finding.access == AccessKind::atomic && finding.other_access == AccessKind::write) ||
            (finding.access == AccessKind::write && finding.other_access == AccessKind::atomic));
}

// An output that is smaller than the input: what many blocks have is to come together there.
bool is_for_many(const Scene& scene) {
    const BufferLayout* layout = scene.layout();
    return layout != nullptr && layout->role == BufferRole::out &&
           layout->elements() < scene.run.layout.front().elements();
}

// One launch reads from the buffer for results what others of its threads store there: in an output that has a place
// for each element of the input, nothing is there to be read but one's own.
bool reads_results(const Scene& scene) {
    const BufferLayout* layout = scene.layout();
    return layout != nullptr && layout->role == BufferRole::out && scene.launches != nullptr &&
           scene.launches->size() == 1 && layout->elements() >= scene.run.layout.front().elements();
}

// After how many places an array's index comes back, by a subscript in one of the two lines: "5", "STAGES"; "" if it
// does not.
std::string places_of_ring(const Scene& scene) {
    const Tree& tree = *scene.facts.tree;
    for (const int line : {scene.finding.place.line, scene.finding.other.line})
        for (const source::Access* access : accesses_to(scene.facts, line, shared_name(scene)))
            if (const NodeId index = binary(tree, access->indices.front(), "%"); index != no_node)
                return in_one_line(tree, child_of(tree, index, 1));
    return "";
}

// The line of the first call of this function, or of one whose name begins so, between two lines; 0: there is none.
int line_of_call_between(const Facts& facts, int first, int last, std::string_view name) {
    for (const source::Call& call : facts.calls)
        if (call.line > first && call.line < last && call.name.starts_with(name)) return call.line;
    return 0;
}

// A __syncthreads() here would wait for threads that do not come.
std::string advice_on_threads_left_out(const ThreadTest& test) {
    return test.is_loop
               ? fmt::format(
                     "a __syncthreads() has to be between the two, and in this loop not all threads reach it, by "
                     "`{}` in line {}: let the loop run as often for all, with a test only around the work",
                     test.condition, test.line)
               : fmt::format(
                     "a __syncthreads() has to be between the two, and the test `{}` in line {} keeps threads "
                     "from it: end the `if` before the barrier, and test again after it",
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

// The line stores to the array what it has read there, too.
bool reads_and_stores(const Facts& facts, int line, const std::string& name) {
    const auto all = accesses_to(facts, line, name);
    return all.size() > 1 || (all.size() == 1 && all.front()->kind == source::AccessKind::update);
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

}  // namespace

Diagnostic describe_race(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const bool is_shared = finding.kind == vgpu::FindingKind::race_shared;
    Diagnostic diagnostic;
    const std::string name = is_shared ? shared_name(scene) : finding.buffer.empty() ? "global memory" : finding.buffer;
    const bool both_write = finding.access != vgpu::AccessKind::read && finding.other_access != vgpu::AccessKind::read;
    diagnostic.title =
        both_write ? fmt::format("two threads write to the same element of `{}`", name)
                   : fmt::format("one thread reads `{}` where another one writes, with nothing to order them", name);
    diagnostic.marks.push_back(
        mark_of_access(scene, finding.place, name, finding.access,
                       fmt::format("{} {}", thread_text(finding.place), third_person(finding.access))));
    if (finding.has_other && finding.other.line != 0)
        diagnostic.marks.push_back(
            mark_of_access(scene, finding.other, name, finding.other_access,
                           fmt::format("{} {}", thread_text(finding.other), third_person(finding.other_access))));
    if (finding.has_other && finding.other.line == 0)
        diagnostic.facts.push_back(
            fmt::format("block {} {} there too", to_text(finding.other.block), third_person(finding.other_access)));
    if (finding.is_under_copy) {
        diagnostic.title = fmt::format("`{}` is overwritten while a bulk store still reads it", name);
        diagnostic.facts.push_back(
            fmt::format("both at {}, shape {}", shared_place(scene), describe_case(scene.run.shape)));
        diagnostic.help =
            "before this store, the thread that starts the copy closes its group (cp.async.bulk.commit_group) and "
            "waits until it is read (cp.async.bulk.wait_group.read 0); a barrier then tells the others";
        return diagnostic;
    }
    if (finding.is_held_back) {
        diagnostic.title = fmt::format("a block changes `{}` after it has counted itself as done", name);
        diagnostic.facts.push_back(
            "the last block to count need not be the last to get here: the others may still be on their way, and what "
            "they do here comes too late for it");
        diagnostic.help =
            "first store or add all that other blocks read, then __threadfence(), and only then the atomic "
            "operation that counts the block";
        return diagnostic;
    }
    if (finding.is_tried) {
        diagnostic.title = fmt::format("a read of `{}` may get what was there before another block's store", name);
        diagnostic.facts.push_back(fmt::format(
            "both at {}, shape {}",
            scene.layout() ? element_text(scene) : fmt::format("byte {} of `{}`", finding.offset_bytes, name),
            describe_case(scene.run.shape)));
        diagnostic.facts.push_back(fmt::format(
            "nothing orders the store before the read: {} orders no other one, and a thread's stores may be seen in "
            "another order",
            finding.is_volatile ? "a `volatile` access" : "a relaxed access"));
        diagnostic.help =
            is_one_line(finding)
                ? "this reads, changes and stores in three steps, and another block comes in between: one atomic "
                  "operation does it in one"
                : "what a flag says is there needs a __threadfence() between its store and the flag's, and one between "
                  "the look at the flag and the read; what is read, changed and stored again needs one atomic "
                  "operation for all three";
        return diagnostic;
    }
    const bool is_in_block = finding.place.block == finding.other.block && !finding.crosses_blocks;
    const std::string local = is_shared ? name : name_in_line(scene);  // as the line calls it
    const WeakOrder weak = !finding.is_volatile && finding.has_other ? weak_order(scene) : WeakOrder{};
    const std::string atomic = finding.has_other && finding.other_access != vgpu::AccessKind::atomic &&
                                       finding.access != vgpu::AccessKind::atomic
                                   ? atomic_in_place(scene, local)
                                   : "";
    if (!weak.what.empty() && atomic.empty() && !both_write)
        diagnostic.title =
            fmt::format("one thread reads `{}` where another one writes, and {} does not order them", name, weak.what);
    diagnostic.facts.push_back(
        is_shared ? fmt::format("both at {}, shape {}", shared_place(scene), describe_case(scene.run.shape))
                  : fmt::format("both at {}, shape {}",
                                scene.layout() ? element_text(scene)
                                               : fmt::format("byte {} of `{}`", finding.offset_bytes, name),
                                describe_case(scene.run.shape)));
    if (finding.is_same_value) diagnostic.facts.push_back("both wrote the same value here; the order would not show");
    if (finding.is_looked_up) {
        diagnostic.facts.push_back(
            "a load has seen that the write is done, but nothing orders this read after that load");
        diagnostic.help =
            "put a __threadfence() after the loop that waits, or load what it waits for with memory_order_acquire";
    } else if (finding.may_be_old) {
        diagnostic.facts.push_back(
            "the write is known to be done, but a cache may still hold what was there before it");
        diagnostic.help = "put a __threadfence() between the look at the flag or the lock and this read";
    } else if (finding.is_volatile && share_a_warp(finding)) {
        diagnostic.facts.push_back(
            "`volatile` does not order the threads of a warp: since Volta they need not run in step");
        diagnostic.help =
            "put a __syncwarp() between what a step reads and what it stores, and one between the steps; or use warp "
            "shuffles";
    } else if (!atomic.empty() && !(is_shared && both_write)) {
        diagnostic.help = fmt::format(
            "this reads, changes and stores in three steps, and another thread comes in between: {} does it in one",
            atomic);
    } else if (!weak.help.empty() && (!both_write || weak.is_of_continue)) {
        give(diagnostic, {weak.help, weak.line});
    } else if (is_shared && both_write) {
        diagnostic.help = advice_on_two_writes(scene, name);
    } else if (std::string advice = advice_on_remainder(scene.facts, finding.place.line);
               is_shared && is_one_line(finding) && !advice.empty()) {
        diagnostic.help = std::move(advice);
    } else if (is_shared && changes_shared_variable(scene, name)) {
        diagnostic.help = fmt::format(
            "all threads read, change and store `{0}`, and come in between each other: atomicAdd(&{0}, ...) does it in "
            "one, and a tree in a few steps",
            name);
    } else if (std::string step = is_shared && is_one_line(finding) ? advice_within_step(scene, name) : "";
               !step.empty()) {
        diagnostic.help = std::move(step);
    } else if (is_shared && is_one_line(finding)) {
        diagnostic.help = advice_on_steps(scene);
    } else if (is_shared) {
        diagnostic.help = advice_on_barrier(scene, name);
    } else if (!is_shared && is_of_all_blocks(scene, name)) {
        diagnostic.help = fmt::format(
            "`{0}` is one array, which all blocks use at once: declared in the kernel as __shared__, each block has a "
            "`{0}` of its own",
            name);
    } else if (changes_in_place(scene) || stores_what_it_reads(scene)) {
        diagnostic.help = fmt::format(
            "this reads, changes and stores in three steps, and another thread comes in between: atomicAdd(&{}[...], "
            "...) does it in one",
            finding.buffer);
    } else if (!both_write && reads_results(scene)) {
        diagnostic.help = fmt::format(
            "other threads store to `{0}`, sooner or later: read what you need from `{1}`, and `{0}` not at all", name,
            scene.run.layout.front().name);
    } else if (const std::string other = !both_write ? advice_on_handed_over(scene) : ""; !other.empty()) {
        diagnostic.help = other;
    } else if (const std::string axis = both_write ? advice_on_axis(scene) : ""; !axis.empty()) {
        diagnostic.help = axis;
    } else if (!both_write && is_in_block) {
        const std::string within = is_one_line(finding) ? advice_within_step(scene, local) : "";
        diagnostic.help = !within.empty()        ? within
                          : is_one_line(finding) ? advice_on_steps(scene)
                                                 : advice_on_barrier(scene, local);
    } else if (both_write && finding.place.block == finding.other.block) {
        const std::string thread_step = both_write ? advice_on_thread_step(scene) : "";
        diagnostic.help = !thread_step.empty()     ? thread_step
                          : has_two_lines(finding) ? two_stores(scene)
                          : stores_often(scene)    ? every_thread_all
                          : is_for_one(scene) && (finding.is_same_value || is_by_block(scene))
                              ? "one thread is enough for this store: if (threadIdx.x == 0)"
                              : "let every thread store to a place of its own";
    } else if (both_write) {
        const std::string factors = advice_on_factors(scene);
        diagnostic.help = clears_beside_atomics(finding)
                              ? fmt::format(
                                    "blocks run in any order, and another one may have added already what line "
                                    "{} stores over: set it before this launch, in the launcher",
                                    finding.access == vgpu::AccessKind::write ? finding.place.line : finding.other.line)
                          : has_two_lines(finding) ? two_stores(scene)
                          : !factors.empty()       ? factors
                          : stores_often(scene)    ? every_thread_all
                          : is_for_many(scene)
                              ? "several blocks store to it: where each has a part of the result, add with atomicAdd "
                                "to what was set to 0 before"
                              : advice_on_blocks(scene);
    } else {
        const bool is_scratch = scene.layout() != nullptr && scene.layout()->role == BufferRole::scratch;
        const LaunchInfo* launch = is_scratch ? scene.launch() : nullptr;
        if (launch != nullptr && scene.launches->size() > 1) {
            give(diagnostic, {fmt::format("one launch, of line {1}, reads `{0}` and stores to the same elements: after "
                                          "that line, before the next launch, move `{0}` on by as many sums as were "
                                          "stored",
                                          name, launch->line),
                              launch->line});
            diagnostic.marks.push_back(mark_of_line(launch->line, scene.path, scene.source, "launched here"));
        } else
            diagnostic.help = scene.launches != nullptr && scene.launches->size() > 1
                                  ? "blocks run in any order: let a launch store nowhere that it also reads, and read "
                                    "what other blocks "
                                    "wrote only in a later launch"
                                  : "blocks run in any order: read what another block wrote only in a later launch";
    }
    if (finding.crosses_blocks && finding.place.block == finding.other.block)
        diagnostic.facts.push_back("threads of different blocks meet on this line as well");
    add_occurrences(scene, diagnostic);
    return diagnostic;
}

namespace {

int line_of_exit_by_lane(const Scene& scene, int line);

// What keeps the others from the barrier, as far as the text shows it.
Advice advice_on_missing_threads(const Scene& scene) {
    const int line = scene.finding.place.line;
    const source::Loop* const loop = scene.facts.loop_at(line);
    if (const int exit = line_of_exit(scene.facts, loop, line); exit != 0)
        return {fmt::format("line {} {}: let all of them stay to its end, and put the test around the work alone", exit,
                            column_of(line_of(scene.source, exit), "continue") != 0
                                ? "takes threads past the barrier into the next turn of the loop"
                                : "lets threads out of the loop before the barrier"),
                exit};
    if (const int test = line_of_test(scene.facts, line); test != 0 && (loop == nullptr || test >= loop->line))
        return {fmt::format("the `if` in line {} keeps threads from it: end the `if` before the barrier, so that the "
                            "test is around the work alone",
                            test),
                line};
    if (loop != nullptr) {
        const int end = last_line_of(*scene.facts.tree, loop->node);
        const source::Function* const function = scene.facts.function_at(line);
        const auto next =
            std::find_if(scene.facts.barriers.begin(), scene.facts.barriers.end(), [&](const source::Barrier& barrier) {
                return barrier.line > end && barrier.name == "__syncthreads" &&
                       scene.facts.function_at(barrier.line) == function;
            });
        const std::string instead =
            next == scene.facts.barriers.end()
                ? "put the barrier after the loop"
                : fmt::format("take the barrier out, if the one in line {} is enough", next->line);
        return {fmt::format("the loop in line {} turns more often for some threads than for others: {}, or let it turn "
                            "as often for all",
                            loop->line, instead),
                line};
    }
    return "move the barrier out of the `if` or the loop that only some threads take, and let no thread return before "
           "it";
}

}  // namespace

namespace {

// Right on a card as long as nothing is made of those that have ended: a warning.
Diagnostic describe_ended(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    diagnostic.severity = Severity::warning;
    diagnostic.title = "not all threads of the block reach this __syncthreads()";
    diagnostic.marks.push_back(mark_at(scene, finding.place, "__syncthreads",
                                       fmt::format("{} of {} threads {} ended before it", finding.value, finding.limit,
                                                   finding.value == 1 ? "has" : "have")));
    diagnostic.facts.push_back(
        "CUDA asks that all threads of a block reach a barrier; GPUs since Volta do not wait for threads that have "
        "ended");
    diagnostic.facts.push_back(fmt::format("in {}, shape {}", finding.kernel, describe_case(scene.run.shape)));
    const int line = finding.place.line, exit = line_of_exit_by_lane(scene, line);
    if (exit != 0)
        give(diagnostic, {fmt::format("threads return in line {}: let every thread reach the barrier, and put the test "
                                      "around the load and the store only",
                                      exit),
                          exit});
    else
        give(diagnostic, advice_on_missing_threads(scene));
    add_occurrences(scene, diagnostic);
    return diagnostic;
}

}  // namespace

Diagnostic describe_barrier(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    if (finding.detail == "ended") return describe_ended(scene);
    Diagnostic diagnostic;
    diagnostic.title = "__syncthreads() is not reached by all threads of the block";
    diagnostic.marks.push_back(
        mark_at(scene, finding.place, "__syncthreads", fmt::format("{} waits here", thread_text(finding.place))));
    if (finding.has_other && finding.other.line != 0)
        diagnostic.marks.push_back(
            mark_at(scene, finding.other, "__syncthreads", fmt::format("{} is here", thread_text(finding.other))));
    else if (finding.has_other)
        diagnostic.facts.push_back(fmt::format("{} does not arrive", thread_text(finding.other)));
    diagnostic.facts.push_back(fmt::format("in {}, shape {}", finding.kernel, describe_case(scene.run.shape)));
    give(diagnostic, advice_on_missing_threads(scene));
    add_occurrences(scene, diagnostic);
    return diagnostic;
}

namespace {

// Where the name gets its value that is the mask of the only warp function on the line; 0: it is no name, or not seen.
int line_of_mask(const Scene& scene) {
    const int line = scene.finding.place.line;
    std::string_view name;
    for (const source::Call& call : scene.facts.calls) {
        if (call.line != line || !call.name.starts_with("__") || !call.name.ends_with("_sync")) continue;
        if (!name.empty() || call.arguments.empty()) return 0;
        name = plain_name(*scene.facts.tree, call.arguments.front());
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

bool is_warp_function(std::string_view name) {
    static constexpr std::array kinds{"__shfl",  "__ballot", "__any",      "__all",
                                      "__match", "__reduce", "__syncwarp", "__activemask"};
    return std::any_of(kinds.begin(), kinds.end(), [&](const char* kind) { return name.starts_with(kind); });
}

// A call that not all lanes reach that its mask names.
Advice advice_on_lanes(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    constexpr const char* general = "let whole warps reach the call, and name in the mask exactly the lanes that do";
    if (finding.detail == "not in mask") {
        const int lanes = std::popcount(finding.mask);
        const int set = line_of_mask(scene);
        return {fmt::format("the mask{} names {} of the 32 lanes, and lane {} calls as well: where all of a warp do, "
                            "the mask is 0xffffffff",
                            set == 0 ? "" : fmt::format(", set in line {},", set), lanes, finding.lane),
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
        if (test != 0) return fmt::format("who gets past the test in line {}? {}", test, general);
        if (const int exit = line_of_exit(scene.facts, scene.facts.loop_at(line), line); exit != 0)
            return fmt::format("lanes leave the loop in line {}, and are missing here: {}", exit, general);
    }
    if (const int test = line_of_exit_by_lane(scene, finding.place.line); test != 0)
        return {
            fmt::format("lanes return in line {}, and are missing here: let all of a warp get here, and put the test "
                        "around the loads and stores alone",
                        test),
            test};
    const source::Loop* const loop = scene.facts.loop_at(finding.place.line);
    if (loop != nullptr && finding.place.called_from == 0 && !is_missing(*scene.facts.tree, loop->condition))
        return fmt::format(
            "the loop in line {} ends for one lane sooner than for another, by `{}`: let its condition "
            "be the same for all lanes of a warp",
            loop->line, in_one_line(*scene.facts.tree, loop->condition));
    return general;
}

}  // namespace

Diagnostic describe_inactive_lane(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    diagnostic.title = "a warp function counts on a lane that takes no part";
    std::string name;
    for (const source::Call& call : scene.facts.calls)
        if (call.line == finding.place.line && is_warp_function(call.name) && name.empty()) name = call.name;
    diagnostic.marks.push_back(
        mark_at(scene, finding.place, name,
                finding.lane >= 0 ? fmt::format("lane {} is not here", finding.lane) : "not all lanes named are here"));
    if (finding.mask != 0) diagnostic.facts.push_back(fmt::format("the mask is 0x{:08x}", finding.mask));
    diagnostic.facts.push_back(thread_fact(scene));
    give(diagnostic, advice_on_lanes(scene));
    if (finding.detail == "not in mask") {
        diagnostic.title = "a lane calls a warp function with a mask that leaves it out";
        diagnostic.marks.front().label = fmt::format("lane {} calls", finding.lane);
    }
    add_occurrences(scene, diagnostic);
    return diagnostic;
}

Diagnostic describe_deadlock(const Scene& scene) {
    Diagnostic diagnostic;
    diagnostic.title = "threads wait for each other for ever";
    diagnostic.marks.push_back(
        mark_at(scene, scene.finding.place, "", fmt::format("{} waits here", thread_text(scene.finding.place))));
    if (scene.finding.has_other)
        diagnostic.marks.push_back(
            mark_at(scene, scene.finding.other, "", fmt::format("{} waits here", thread_text(scene.finding.other))));
    if (scene.finding.detail == "mbarrier" && scene.finding.value > 0)
        diagnostic.facts.push_back(fmt::format("the barrier waits for {} more, and no thread makes them",
                                               plural(scene.finding.value, "arrival")));
    diagnostic.facts.push_back(thread_fact(scene));
    diagnostic.help = "which thread should end the wait, and can that thread still run?";
    return diagnostic;
}

}  // namespace warpgrade
