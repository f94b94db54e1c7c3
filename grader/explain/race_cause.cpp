#include "explain/race_cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "explain/access_place.hpp"
#include "explain/index_text.hpp"
#include "explain/line_context.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "source/numbers.hpp"
#include "source/pattern.hpp"

namespace warpgrade {

namespace {

NodeId statement_at(const Facts& facts, int line) {
    const bool is_line = line > 0 && line <= facts.tree->tokens.line_count;
    return is_line ? facts.statement_line[static_cast<std::size_t>(line)] : no_node;
}

bool is_around(const Tree& tree, NodeId node, const RaceLines& lines) {
    return node != no_node && line_of(tree, node) <= lines.first && last_line_of(tree, node) >= lines.last;
}

// The test nearest to the node, and inside of what begins after `line`, that threads of one block may pass differently.
const source::Guard* thread_test_of(const Facts& facts, NodeId node, int line) {
    for (const source::Test& test : tests_before(facts, node))
        if (test.guard && !test.exits && test.guard->line > line &&
            differs_by_thread(facts, test.guard->line, test.guard->condition))
            return test.guard;
    return nullptr;
}

bool is_between(const Facts& facts, int line, const RaceLines& lines) {
    return line > lines.first && line < lines.last && facts.function_at(line) == facts.function_at(lines.first) &&
           facts.function_at(line) == facts.function_at(lines.last);
}

// A __syncthreads() on one of these lines that only those come to who get past a test that begins behind the first.
WeakOrder behind_test(const Scene& scene, const RaceLines& lines) {
    const Tree& tree = scene.tree();
    for (const source::Barrier& barrier : scene.facts.barriers) {
        if (barrier.line < lines.first || barrier.line > lines.last || barrier.name != "__syncthreads") continue;
        const auto tests = tests_before(scene.facts, barrier.node);
        const auto nearest =
            std::ranges::find_if(tests, [](const source::Test& test) { return test.guard && !test.exits; });
        // A test that both accesses stand behind, too, keeps nobody from the barrier who comes to them.
        if (nearest == tests.end() || nearest->guard->line <= lines.first) continue;
        return {fmt::format("the __syncthreads() in line {}", barrier.line),
                say("syncthreads_line_reached_only", barrier.line, in_one_line(tree, nearest->guard->condition)),
                barrier.line};
    }
    return {};
}

// `continue` before a barrier of the loop: who takes it is an iteration ahead of those who wait.
WeakOrder behind_continue(const Scene& scene, const RaceLines& lines) {
    const Facts& facts = scene.facts;
    for (const source::Guard& guard : facts.guards) {
        const source::Loop* const loop = source::loop_around(facts, guard.node);
        if (loop == nullptr || !is_around(*facts.tree, loop->body, lines) || guard.exit != source::Exit::continues ||
            !differs_by_thread(facts, guard.line, guard.condition))
            continue;
        for (const source::Barrier& barrier : facts.barriers)
            if (barrier.name == "__syncthreads" && barrier.line > guard.line &&
                is_within(*facts.tree, barrier.node, loop->body))
                return {fmt::format("the __syncthreads() in line {}", barrier.line),
                        say("continue_line_takes_threads", guard.line, barrier.line), guard.line, true};
    }
    return {};
}

// init(&loaded, blockDim.x); loaded.arrive_and_wait();
WeakOrder of_counted_barrier(const Scene& scene, const RaceLines& lines) {
    const Facts& facts = scene.facts;
    const Tree& tree = *facts.tree;
    const LaunchInfo* const launch = scene.launch();
    for (const source::Call& wait : facts.calls) {
        if (launch == nullptr || !wait.is_member || wait.name != "arrive_and_wait" ||
            !is_between(facts, wait.line, lines))
            continue;
        const std::string_view name = plain_name(tree, tree[tree[wait.node].child].child);
        source::Numbers numbers = facts.numbers;
        numbers["blockDim.x"] = launch->block.x;
        numbers["blockDim.y"] = launch->block.y;
        numbers["blockDim.z"] = launch->block.z;
        for (const source::Call& init : facts.calls) {
            if (name.empty() || init.name != "init" || init.arguments.size() != 2 ||
                !mentions(tree, init.arguments[0], name))
                continue;
            const auto count = number_of(tree, init.arguments[1], numbers);
            if (!count || *count < 1 || *count >= static_cast<std::int64_t>(launch->block.count())) return {};
            return {fmt::format("the barrier in line {}", wait.line),
                    say("barrier_line_opens_after", wait.line, *count, in_one_line(tree, init.arguments[1]), init.line,
                        launch->block.count()),
                    init.line};
        }
    }
    return {};
}

// What waits for the lanes of a warp only, or makes nobody wait.
WeakOrder of_part_of_block(const Scene& scene, const RaceLines& lines) {
    const Facts& facts = scene.facts;
    const LaunchInfo* const launch = scene.launch();
    const bool is_one_warp = launch != nullptr && launch->block.count() <= 32;
    const bool is_for_all = !thread_test_around(scene);
    for (const source::Call& call : facts.calls) {
        if (!is_between(facts, call.line, lines)) continue;
        const std::string text = in_one_line(*facts.tree, call.node);
        const std::string what = fmt::format("the {} in line {}", text, call.line);
        const bool is_named = call.name == "__syncwarp" && !call.arguments.empty() &&
                              !number_of(*facts.tree, call.arguments[0], facts.numbers);
        if (is_named && share_a_warp(scene.finding) && thread_test_of(facts, call.node, lines.first) == nullptr)
            return {what, say("makes_lanes_wait_only", what, in_one_line(*facts.tree, call.arguments[0])), call.line};
        if (call.name == "__syncwarp" && !is_one_warp && !share_a_warp(scene.finding) && is_for_all)
            return {what, say("syncwarp_line_orders_threads", call.line), call.line};
        if (call.name.starts_with("__threadfence") && is_for_all)
            return {what, say("threadfence_line_orders_thread", call.line), call.line};
    }
    return {};
}

// The first call of a function whose name begins so, in line order from `first` to `last` or in what is called there;
// `at`: the line of these where it is met.
struct Reached {
    int line = 0, at = 0;
    NodeId node = no_node;
};
Reached reached_between(const Facts& facts, std::string_view name, const RaceLines& lines) {
    for (const source::Call& call : facts.calls) {
        if (!is_between(facts, call.line, lines)) continue;
        if (call.name.starts_with(name)) return {call.line, call.line, call.node};
        const source::Function* const callee = facts.function_named(call.name);
        if (callee == nullptr || !callee->is_on_device()) continue;
        for (const source::Call& inner : facts.calls)
            if (inner.name.starts_with(name) && is_within(*facts.tree, inner.node, callee->body))
                return {inner.line, call.line, inner.node};
    }
    return {};
}

// A block stores, raises a counter, and another block reads what is stored.
WeakOrder of_counter(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const bool is_read = finding.access == vgpu::AccessKind::read;
    const int store = is_read ? finding.other.line : finding.place.line,
              load = is_read ? finding.place.line : finding.other.line;
    const RaceLines lines{store, load};
    const Reached counter = reached_between(scene.facts, "atomic", lines);
    if (finding.place.block == finding.other.block || store >= load || counter.line == 0) return {};
    const std::string what = fmt::format("the atomic operation in line {}", counter.line);
    const Reached fence = reached_between(scene.facts, "__threadfence", lines);
    const bool is_late = fence.at > counter.at || (fence.at == counter.at && fence.line > counter.line);
    if (fence.line == 0 || is_late) return {what, say("tells_other_blocks_nothing", what, store), counter.line};
    const source::Guard* const test = thread_test_of(scene.facts, fence.node, store);
    for (const source::Barrier& barrier : scene.facts.barriers)
        if (barrier.line > store && barrier.line < fence.at) return {};
    if (test == nullptr || fence.line != fence.at) return {};
    return {fmt::format("the fence in line {}", fence.line),
            say("threadfence_line_only_threads", fence.line, test->line, store), test->line};
}

}  // namespace

RaceLines lines_of(const vgpu::Finding& finding) {
    if (!finding.has_other || finding.other.line == 0) return {finding.place.line, finding.place.line};
    return {std::min(finding.place.line, finding.other.line), std::max(finding.place.line, finding.other.line)};
}

const source::Loop* loop_around_both(const Facts& facts, const RaceLines& lines) {
    const source::Loop* loop = facts.loop_at(lines.first);
    while (loop != nullptr && !is_around(*facts.tree, loop->node, lines)) loop = source::loop_around(facts, *loop);
    return loop;
}

bool share_a_warp(const vgpu::Finding& finding) {
    const vgpu::ThreadPlace &a = finding.place, &b = finding.other;
    return a.block == b.block && a.thread.y == b.thread.y && a.thread.z == b.thread.z &&
           a.thread.x / 32 == b.thread.x / 32;
}

WeakOrder weak_order(const Scene& scene) {
    const RaceLines lines = lines_of(scene.finding);
    if (scene.finding.place.block != scene.finding.other.block || scene.finding.crosses_blocks)
        return of_counter(scene);
    for (const auto find : {behind_continue, of_part_of_block, of_counted_barrier})
        if (WeakOrder found = find(scene, lines); !found.what.empty()) return found;
    if (lines.first != lines.last) return behind_test(scene, lines);
    const source::Loop* const loop = scene.facts.loop_at(lines.first);
    return loop == nullptr ? WeakOrder{} : behind_test(scene, {lines.first, last_line_of(scene.tree(), loop->node)});
}

std::optional<ThreadTest> thread_test_around(const Scene& scene) {
    const Facts& facts = scene.facts;
    const Tree& tree = *facts.tree;
    const RaceLines lines = lines_of(scene.finding);
    const NodeId statement = statement_at(facts, lines.first);
    if (statement == no_node || facts.function_at(lines.first) != facts.function_at(lines.last)) return std::nullopt;
    const source::Loop* const step = facts.loop_at(lines.first);
    for (const source::Test& test : tests_before(facts, statement)) {
        const NodeId condition = test.loop ? test.loop->condition : test.guard->condition;
        const int line = test.loop ? test.loop->line : test.guard->line;
        // Of one statement it is its loop that all are to go through, whatever tests stand in it.
        const bool is_own = test.guard && lines.first == lines.last &&
                            (step == nullptr || is_within(tree, test.guard->node, step->body));
        if (test.exits || is_own || is_missing(tree, condition) ||
            !is_around(tree, test.loop ? test.loop->node : test.guard->then, lines) ||
            !differs_by_thread(facts, test.loop ? line + 1 : line, condition))
            continue;
        const NodeId less = binary(tree, condition, "<");
        const std::string_view name = less == no_node ? "" : plain_name(tree, tree[less].child);
        const source::Definition* const set = set_before(facts, name, line);
        const std::string left =
            less == no_node ? "" : in_one_line(tree, set != nullptr ? set->value : tree[less].child);
        const std::string right = less == no_node ? "" : in_one_line(tree, child_of(tree, less, 1));
        const auto limit = less == no_node ? std::nullopt : number_of(tree, child_of(tree, less, 1), facts.numbers);
        const LaunchInfo* const launch = scene.launch();
        const bool is_row = launch != nullptr && launch->block.y * launch->block.z == 1;
        return ThreadTest{line, in_one_line(tree, condition), test.loop != nullptr,
                          is_row && left == "threadIdx.x" && (limit == 32 || right == "warpSize")};
    }
    return std::nullopt;
}

const source::Barrier* barrier_of_each_step(const Scene& scene) {
    const Facts& facts = scene.facts;
    const Tree& tree = *facts.tree;
    const int line = scene.line();
    const source::Loop* const loop = facts.loop_at(line);
    if (loop == nullptr || lines_of(scene.finding).first != lines_of(scene.finding).last) return nullptr;
    for (const source::Barrier& barrier : facts.barriers) {
        const bool is_of_warp = barrier.name == "__syncwarp";
        if (!is_within(tree, barrier.node, loop->body) || source::loop_around(facts, barrier.node) != loop ||
            (barrier.name != "__syncthreads" && !(is_of_warp && share_a_warp(scene.finding))))
            continue;
        const auto tests = tests_before(facts, barrier.node);
        const bool is_reached = std::ranges::none_of(tests, [&](const source::Test& test) {
            return test.guard && is_within(tree, test.guard->node, loop->body) &&
                   (test.exits || !is_around(tree, test.guard->then, {line, line}));
        });
        if (is_reached) return &barrier;
    }
    return nullptr;
}

std::string atomic_in_place(const Scene& scene, const std::string& array) {
    const Facts& facts = scene.facts;
    const Tree& tree = *facts.tree;
    const RaceLines lines = lines_of(scene.finding);
    // With brackets or without.
    const auto all_to = [&](int line, std::string_view name) {
        std::vector<const source::Access*> found;
        for (const source::Access& access : facts.accesses_on(line))
            if (access.array == name) found.push_back(&access);
        return found;
    };
    // The line may know the array by another name, where that can be no other one.
    const auto shared = shared_names(facts);
    std::string_view name_here = array;
    const auto of_array = all_to(lines.last, array);
    const bool is_stored = std::ranges::any_of(
        of_array, [](const source::Access* access) { return access->kind != source::AccessKind::load; });
    const auto changes_it = [&](const source::Access& access) {  // `*to += v`, `*to = *to + v`
        const NodeId outer = tree[access.node].parent;
        if (access.kind != source::AccessKind::store || outer == no_node || tree[outer].kind != NodeKind::assignment)
            return access.kind == source::AccessKind::update;
        const auto value = nodes_in(tree, child_of(tree, outer, 1));
        return std::ranges::any_of(value, [&](NodeId node) { return is_same(tree, node, tree, access.node); });
    };
    for (const source::Access& access : facts.accesses_on(lines.last))
        if (changes_it(access) && !is_stored && !shared.contains(access.array)) name_here = access.array;
    for (const int line : {lines.last, lines.first})
        for (const source::Access* store : all_to(line, name_here)) {
            const auto is_it = [&](NodeId node) { return is_same(tree, node, tree, store->node); };
            const auto has_it = [&](NodeId node) {
                const auto all = nodes_in(tree, node);
                return std::ranges::any_of(all, is_it);
            };
            const NodeId outer = tree[store->node].parent;
            if (outer == no_node ||
                (store->kind != source::AccessKind::update && store->kind != source::AccessKind::store))
                continue;
            NodeId value = tree[outer].kind == NodeKind::assignment ? child_of(tree, outer, 1) : outer;
            int read = store->kind == source::AccessKind::update || has_it(value) ? line : 0;
            for (const std::string_view name : read == 0 ? names_in(tree, value) : std::set<std::string_view>())
                if (const source::Definition* set = set_before(facts, name, line); set != nullptr && has_it(set->value))
                    read = set->at.line;
            const auto is_part = [&](int one) { return one == line || one == read; };
            if (read == 0 || !is_part(lines.first) || !is_part(lines.last)) continue;
            for (const int one : {line, read})
                for (const source::Access* access : all_to(one, name_here))
                    if (!is_it(access->node)) return {};
            const bool is_sum =
                tree[outer].word == "+=" || tree[outer].word == "++" || binary(tree, value, "+") != no_node;
            const std::string element = in_one_line(tree, store->node);
            if (is_sum && store->is_dereference)
                return fmt::format("atomicAdd({}, ...)", in_one_line(tree, source::child_of(tree, store->node)));
            return is_sum ? fmt::format("atomicAdd(&{}, ...)", element)
                          : fmt::format("an atomic operation on {}", element);
        }
    return {};
}

std::string advice_on_handed_over(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    const BufferLayout* layout = scene.layout();
    if (launch == nullptr || layout == nullptr || layout->role != BufferRole::out) return {};
    const int line = scene.finding.access == vgpu::AccessKind::read ? scene.line() : scene.finding.other.line;
    const std::string& in = scene.run.layout.front().name;
    if (accesses_to(scene.facts, line, in).empty() || in == scene.finding.buffer) return {};
    // Of several launches of the kernel it is the one that names it twice.
    int twice = 0, right = 0;
    for (const LaunchInfo& one : *scene.launches) {
        const source::Launch* const text =
            one.kernel == scene.finding.kernel ? launch_at(scene.facts, one.line) : nullptr;
        const auto times = [&](const std::string& name) {
            return text == nullptr ? 0 : std::ranges::count_if(text->arguments, [&](NodeId argument) {
                return mentions(scene.tree(), argument, name);
            });
        };
        if (times(scene.finding.buffer) > 1) twice = one.line;
        if (times(scene.finding.buffer) == 1 && times(in) == 1) right = one.line;
    }
    if (twice == 0) return {};
    if (right != 0) return say("launch_line_too_many", twice, scene.finding.buffer, line, in, right);
    return say("launch_line_hands_over", twice, scene.finding.buffer, line, in);
}

std::string advice_on_axis(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const vgpu::Dim3 &a = finding.place.thread, &b = finding.other.thread;
    const LaunchInfo* launch = scene.launch();
    if (finding.place.block != finding.other.block || finding.other.line != finding.place.line || a.z != b.z ||
        launch == nullptr || launch->block.y == 1 || (a.x != b.x) == (a.y != b.y) ||
        scene.facts.loop_at(finding.place.line) != nullptr)
        return {};
    const char* axis = a.x == b.x ? "y" : "x";
    const int own = finding.place.line;
    const std::string name = name_in_line(scene), part = std::string("threadIdx.") + axis;
    const auto lines = lines_that_bring("threadIdx", scene.facts, own, name);
    for (const int line : lines)
        if (mentions(scene.tree(), scene.facts.statement_line[static_cast<std::size_t>(line)], part)) return {};
    const bool is_in_line = has_index(scene.facts, own, name, part);
    if (lines.empty() || is_in_line) return {};
    return say("two_threads_differ_alone", part,
               lines.size() == 1 ? fmt::format("the line {}", lines.front())
                                 : fmt::format("lines {} and {}", lines.front(), lines.back()),
               axis == std::string_view("y") ? "x" : "y");
}

std::string advice_on_factors(const Scene& scene) {
    const Tree& tree = scene.tree();
    struct Factor {
        std::string_view name;
        std::int64_t value = 0;
        int line = 0;
    };
    std::map<std::string, Factor> first;
    static const auto product = *source::pattern_of("$block * $size + $_");
    const source::Function* const function = scene.facts.function_at(scene.line());
    for (const source::Match& match : matches(product, tree, function ? function->body : no_node)) {
        NodeId index = match.binding("block")->first, size = match.binding("size")->first;
        if (!in_one_line(tree, index).starts_with("blockIdx.")) std::swap(index, size);
        const std::string block = in_one_line(tree, index);
        const source::Constant* const named = constant_named(scene.facts, plain_name(tree, size));
        if (!block.starts_with("blockIdx.") || named == nullptr || match.at.line > scene.line()) continue;
        const auto [known, is_new] = first.try_emplace(block, Factor{named->name, *named->number, match.at.line});
        if (is_new || known->second.value == *named->number) continue;
        return say("line_takes_times_line", known->second.line, block, known->second.name, known->second.value,
                   match.at.line, named->name, *named->number);
    }
    return {};
}

}  // namespace warpgrade
