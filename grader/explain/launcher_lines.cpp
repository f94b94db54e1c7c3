#include "explain/launcher_lines.hpp"

#include <algorithm>

#include "explain/access_place.hpp"
#include "explain/questions.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"

namespace warpgrade {

namespace {

// `n == 0 || rows <= 0`
bool asks_for_nothing(const Tree& tree, const source::Guard& guard) {
    return guard.connector != "&&" && std::ranges::all_of(guard.comparisons, [&](const source::Comparison& one) {
               return (one.sign == "==" || one.sign == "<=") && text_of(tree, one.right) == "0";
           });
}

bool is_on_device(const Tree& tree, const source::Definition& definition) {
    const std::string_view type = text_of(tree, tree[tree[definition.node].parent].child);
    const bool is_one = is_missing(tree, tree[definition.node].child) ||
                        tree[tree[definition.node].child].kind == NodeKind::initialiser;
    return type.find("__device__") != type.npos && type.find("const") == type.npos && is_one;
}

}  // namespace

NeverMade store_never_made(const Facts& facts, const std::vector<vgpu::LineCounters>& by_line) {
    using Kinds = std::vector<std::uint64_t vgpu::Counters::*>;
    static const Kinds stores{&vgpu::Counters::global_store_requests, &vgpu::Counters::shared_store_requests,
                              &vgpu::Counters::local_requests};
    // The compiler may move arithmetic out of a test, but none of these.
    static const Kinds effects{&vgpu::Counters::global_store_requests, &vgpu::Counters::shared_store_requests,
                               &vgpu::Counters::global_atomic_requests, &vgpu::Counters::shared_atomic_requests,
                               &vgpu::Counters::barriers};
    static const Kinds instructions{&vgpu::Counters::warp_instructions};
    const Tree& tree = *facts.tree;
    const auto shared = shared_names(facts);
    const auto any_line = [&](int first, int last, const Kinds& kinds) {
        return std::ranges::any_of(by_line, [&](const vgpu::LineCounters& one) {
            return one.line >= first && one.line <= last &&
                   std::ranges::any_of(kinds, [&](const auto kind) { return one.counters.*kind != 0; });
        });
    };
    NeverMade found;
    for (const source::Access& store : facts.accesses) {
        const source::Function* const function = function_around(facts, store.node);
        const bool is_store = store.kind == source::AccessKind::store || store.kind == source::AccessKind::update;
        if (!is_store || !function || store.array.empty() || shared.contains(store.array) ||
            explain::memory_of(facts, store.array, store.line) == explain::Memory::local ||
            any_line(store.line, last_line_of(tree, store.node), stores) ||
            !any_line(function->line, store.line - 1, instructions))
            continue;
        const source::Guard* never = nullptr;  // the outermost of which nothing is seen
        for (const source::Test& test : tests_before(facts, store.node))
            if (test.guard && !test.exits &&
                (test.guard->line == store.line ||
                 !any_line(line_of(tree, test.guard->then), last_line_of(tree, test.guard->then), effects)))
                never = test.guard;
        if (!never || (found.test == never->line && found.line != 0)) continue;
        if (found.line != 0) return {};
        found = {store.line, never->line, plain_name(tree, never->condition)};
    }
    return found;
}

std::vector<SourceMark> marks_of_never(const Submitted& text, const NeverMade& never, std::string& help) {
    std::vector marks{text.mark(never.test, "no thread passes this test")};
    if (never.line != never.test) marks.push_back(text.mark(never.line, "never reached"));
    const source::Definition* const set = set_before(text.facts, never.name, never.test);
    if (set != nullptr) marks.push_back(text.mark(set->at.line, "the test's value", std::string(never.name)));
    help = never.line == never.test ? say("thread_makes_store_line", never.line)
                                    : say("thread_makes_store_behind", never.line, never.test);
    return marks;
}

int line_of_return(const Facts& facts, int launch) {
    const source::Function* const function = facts.function_at(launch);
    for (const NodeId node : nodes_in(*facts.tree, function ? function->body : no_node))
        if ((*facts.tree)[node].kind == NodeKind::return_statement && line_of(*facts.tree, node) > launch)
            return line_of(*facts.tree, node);
    return 0;
}

int line_of_next_count(const Facts& facts, int launch) {
    int found = 0;
    for (const source::Definition& definition : facts.definitions) {
        if (definition.name != "n" || definition.kind != source::DefinitionKind::assigned) continue;
        const bool is_behind = definition.at.line > launch && facts.function_at(launch) != nullptr &&
                               function_around(facts, definition.node) == facts.function_at(launch);
        if (is_behind && found != 0) return 0;
        if (is_behind) found = definition.at.line;
    }
    return found;
}

LauncherTest test_before_launch(const Facts& facts, int launch, bool has_elements) {
    constexpr std::size_t longest_shown = 60;
    const source::Launch* const at = launch_at(facts, launch);
    for (const source::Test& test : tests_before(facts, at ? at->node : no_node)) {
        const NodeId condition = test.guard ? test.guard->condition : test.loop->condition;
        const std::string text = in_one_line(*facts.tree, condition);
        const bool returns = !test.exits || test.guard->exit == source::Exit::returns;
        if (!returns || text.empty() || text == "true" || text == "1" || text.size() > longest_shown) continue;
        if (has_elements && test.guard && asks_for_nothing(*facts.tree, *test.guard)) continue;
        return {line_of(*facts.tree, condition), text};
    }
    return {};
}

KeptVariable variable_kept(const Facts& facts) {
    KeptVariable kept;
    for (const source::Definition& variable : facts.definitions) {
        if (variable.kind != source::DefinitionKind::declared || variable.around.function >= 0 ||
            !is_on_device(*facts.tree, variable))
            continue;
        bool is_set = false;
        int line = 0;
        const auto note = [&](int changed) { line = line == 0 ? changed : std::min(line, changed); };
        for (const std::uint32_t other : facts.definitions_by_name.at(variable.name)) {
            is_set = is_set || facts.definitions[other].kind == source::DefinitionKind::assigned;
            if (facts.definitions[other].kind == source::DefinitionKind::updated)
                note(facts.definitions[other].at.line);
        }
        for (const source::Access& access : facts.accesses)
            if (access.array == variable.name && access.kind == source::AccessKind::atomic) note(access.line);
        if (line == 0 || is_set) continue;
        if (kept.line != 0) return {};
        kept = {variable.at.line, line, std::string(variable.name)};
    }
    return kept;
}

}  // namespace warpgrade
