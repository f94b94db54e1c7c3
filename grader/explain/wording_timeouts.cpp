// Words for launches, kernels and launchers that take too long or too much.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "course/source_text.hpp"
#include "explain/advice_text.hpp"
#include "explain/descriptions.hpp"
#include "explain/index_text.hpp"
#include "explain/line_context.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "explain/wording_place.hpp"
#include "source/numbers.hpp"

namespace warpgrade {

namespace {

// `j += ROWS` of a ROWS that comes to 0: "`j` steps by ROWS, and that is 0"; "" where it does not.
std::string advice_on_no_step(const Facts& facts, const source::Loop* loop) {
    const Tree& tree = *facts.tree;
    if (loop == nullptr || loop->step_sign != "+=") return {};
    const NodeId step = inside(tree, loop->step);
    const std::string by = in_one_line(tree, step);
    const std::string_view dividend = binary(tree, step, "/") != no_node ? plain_name(tree, tree[step].child) : "";
    if (!dividend.empty() && constant_named(facts, dividend) == nullptr)
        return say("steps_loop_line_where", loop->variable, by, loop->line, dividend,
                   in_one_line(tree, child_of(tree, step, 1)),
                   mentions(tree, step, "gridDim") ? say("step_of_all_threads") : "");
    if (number_of(tree, step, facts.numbers) != 0) return {};
    const source::Constant* const named = constant_named(facts, by);
    return say("steps_loop_line", loop->variable, by, loop->line,
               named == nullptr ? "" : say("line_computes_division_whole", named->at.line));
}

// Of the input.
std::uint64_t elements_of(const Scene& scene) {
    return scene.run.layout.empty() ? 0 : static_cast<std::uint64_t>(scene.run.layout.front().elements());
}

// Of what is finite and too much.
std::string advice_on_work(const Scene& scene, const char* loop) {
    constexpr std::uint64_t few_instructions = 64;  // of a warp: no loop of it has turned often
    const LaunchInfo* launch = scene.launch();
    const std::uint64_t threads = launch != nullptr ? launch->grid.count() * launch->block.count() : 0;
    const std::uint64_t elements = elements_of(scene), warps = std::max<std::uint64_t>(1, threads / 32);
    if (elements != 0 && threads / 8 > elements && scene.finding.limit / warps < few_instructions)
        return say("launched_threads_elements_smaller", threads, elements);
    if (!scene.facts.loops.empty() || has_word(scene.tree(), "goto")) return say("how_often_does_turn", loop);
    if (elements != 0 && threads / 2 > elements) return say("launched_threads_elements_none", threads, elements);
    return say("there_loop_file_thread");
}

// The only way out of a loop, an `if (...) return` or `break`; nullptr: there are others, or none.
const source::Guard* only_exit(const Facts& facts, const source::Loop& loop) {
    const Tree& tree = *facts.tree;
    const source::Guard* found = nullptr;
    int exits = 0;
    for (const NodeId node : nodes_in(tree, loop.body))
        exits += tree[node].kind == NodeKind::return_statement || tree[node].kind == NodeKind::break_statement ? 1 : 0;
    for (const source::Guard& guard : facts.guards)
        if (guard.exit != source::Exit::none && guard.exit != source::Exit::continues &&
            is_within(tree, guard.node, loop.body))
            found = &guard;
    return exits == 1 ? found : nullptr;
}

// A loop that is left by one `if (...) return` or `break`, whose test hangs on what no statement of the loop changes.
std::string advice_on_rounds(const Scene& scene) {
    constexpr int deepest = 3;
    const Facts& facts = scene.facts;
    const Tree& tree = *facts.tree;
    const source::Loop* const loop = facts.loop_at(scene.line());
    if (loop == nullptr) return {};
    const std::string condition = in_one_line(tree, loop->condition);
    if (const std::string unchanged = unchanged_in(facts, loop); !unchanged.empty())
        return say("nothing_loop_line_changes", loop->line, unchanged, condition);
    const bool is_endless = condition.empty() || condition == "true" || condition == "1";
    const bool has_references = std::ranges::any_of(facts.functions, [](const source::Function& one) {
        return std::ranges::any_of(one.parameters,
                                   [](const source::Parameter& parameter) { return parameter.is_reference; });
    });
    const source::Guard* const exit = is_endless && !has_references ? only_exit(facts, *loop) : nullptr;
    if (exit == nullptr) return {};
    std::set<std::string_view> names = names_in(tree, exit->condition);
    for (int depth = 0; depth < deepest && !names.empty(); ++depth) {
        std::set<std::string_view> next;
        for (const std::string_view name : names) {
            const bool is_plain = std::ranges::any_of(name, [](char c) { return c >= 'a' && c <= 'z'; }) &&
                                  facts.declaration_of(name, loop->line) != nullptr;
            if (is_plain && !changes(facts, loop->node, name))
                return say("loop_line_left_where", loop->line, in_one_line(tree, exit->condition), name,
                           depth == 0 ? "" : ", from which `" + in_one_line(tree, exit->condition) + "` is computed");
            for (const source::Definition& set : facts.definitions)
                if (set.name == name && set.value != no_node && is_within(tree, set.node, loop->body))
                    next.merge(names_in(tree, set.value));
        }
        names = std::move(next);
    }
    return {};
}

// A kernel or launcher that does not end, or does not end soon enough.
void describe_work(const Scene& scene, const std::string& who, Diagnostic& diagnostic) {
    const vgpu::Finding& finding = scene.finding;
    const bool is_endless = finding.is_endless || finding.is_waiting() || finding.unstarted_blocks != 0;
    diagnostic.title = is_endless ? fmt::format("{} does not end", who) : say("needs_more_work_than", who);
    diagnostic.kind = is_endless ? "endless" : "too_much_work";
    if (finding.place.line != 0) diagnostic.marks.push_back(mark_at(scene, finding.place, "", "still here"));
    if (finding.limit != 0)
        diagnostic.facts.push_back(say("stopped_after_work_warp", finding.limit, with_shape(scene)));
    if (const std::uint64_t all = elements_of(scene); !is_endless && all != 0 && finding.limit / all > 1)
        diagnostic.facts.push_back(say("elements", finding.limit / all, all));
    const char* loop = finding.place.line != 0 ? "the loop around this line" : "the loop in which it stopped";
    diagnostic.help = is_endless ? say("look_changes_condition_every", loop) : advice_on_work(scene, loop);
    const source::Loop* const around = scene.facts.loop_at(finding.place.line);
    const std::string condition = around ? scene.text(around->condition) : "";
    if (const std::string unchanged = unchanged_in(scene.facts, around); is_endless && !unchanged.empty())
        give(diagnostic, {say("nothing_loop_line_changes", around->line, unchanged, condition), around->line});
    if (std::string still = is_endless && scene.run.variant.empty() ? advice_on_no_step(scene.facts, around) : "";
        !still.empty())
        diagnostic.help = std::move(still);
    const auto is_zero = [&](NodeId node) { return number_of(scene.tree(), node, scene.facts.numbers) == 0; };
    const std::string_view sign = is_endless && around ? around->step_sign : "";
    if ((sign == "/=" || sign == ">>=") && around->sign == ">=" && is_zero(around->bound))
        give(diagnostic, {say("becomes_stays_true_well", around->variable, condition, around->line), around->line});
    if ((sign == "*=" || sign == "<<=") && is_zero(around->start) &&
        !changes(scene.facts, around->body, around->variable))
        give(diagnostic, {say("begins_makes_begin_line", around->variable,
                              scene.text(child_of(scene.tree(), around->node, 2)), around->line),
                          around->line});
    if (finding.is_waiting()) {
        diagnostic.marks.back().label = fmt::format("{} waits here", thread_text(finding.place));
        diagnostic.facts.push_back(say("other_thread_changes_value", with_shape(scene)));
        diagnostic.help = say("thread_should_change_value");
    }
    if (finding.waiting_blocks != 0) {
        diagnostic.facts.push_back(fmt::format("{} {} too", plural(finding.waiting_blocks, "other block"),
                                               finding.waiting_blocks == 1 ? "waits" : "wait"));
    }
    if (finding.unstarted_blocks != 0) {
        diagnostic.facts.push_back(say("cannot_start_before_ends", plural(finding.unstarted_blocks, "block")));
        diagnostic.help = say("wait_only_blocks_fit");
    }
}

}  // namespace

Diagnostic describe_timeout(const Scene& scene) {
    Diagnostic diagnostic = described(scene);
    if (diagnostic.title.empty())
        describe_work(scene, scene.finding.kernel.empty() ? host_text(scene) : scene.finding.kernel, diagnostic);
    else if (std::string advice = scene.finding.reason == vgpu::FindingReason::launches ? advice_on_rounds(scene) : "";
             !advice.empty())
        diagnostic.help = std::move(advice);
    return diagnostic;
}

}  // namespace warpgrade
