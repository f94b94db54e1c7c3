// Words for reads of what nobody has stored.
#include <fmt/format.h>

#include <algorithm>

#include "course/source_text.hpp"
#include "explain/access_place.hpp"
#include "explain/access_words.hpp"
#include "explain/descriptions.hpp"
#include "explain/guard_text.hpp"
#include "explain/index_text.hpp"
#include "explain/line_context.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "explain/stored_text.hpp"
#include "explain/wording.hpp"
#include "explain/wording_memory.hpp"

namespace warpgrade {

namespace {

using vgpu::AccessKind;

// `tile[...] += ...`: what is read is what the line stores to. Of an array by another name than the kernel's it is the
// only one of the line.
bool changes_itself(const Scene& scene, std::string_view name) {
    const auto all = scene.accesses();
    const auto uses = scene.accesses_to(name).size();
    return std::ranges::any_of(all, [&](const source::Access& access) {
        const source::Node& parent = (scene.tree())[(scene.tree())[access.node].parent];
        return parent.word == "+=" && parent.child == access.node &&
               ((access.array == name && uses == 1) || all.size() == 1);
    });
}

// `sum += in[i]`, of whatever it is added to.
bool has_sum(const Scene& scene) {
    const Tree& tree = scene.tree();
    return std::ranges::any_of(tree.nodes, [&](const source::Node& node) {
        return node.kind == NodeKind::assignment && node.word == "+=" &&
               tree.tokens.code[node.first].at.line == scene.line();
    });
}

// Each iteration adds to the same element.
bool adds_in_loop(const Scene& scene) {
    const auto all = scene.accesses();
    return std::ranges::any_of(all, [&](const source::Access& access) {
        const source::Loop* const loop = loop_around(scene.facts, access.node);
        return access.kind == source::AccessKind::update && loop != nullptr &&
               std::ranges::none_of(access.indices, [&](NodeId index) {
                   return names_in(scene.tree(), index).contains(loop->variable);
               });
    });
}

// The only line of a kernel that stores to an array of no block's own; 0: none, or several.
int line_of_store(const Scene& scene, const std::string& kernel) {
    const auto shared = shared_names(scene.facts);
    int found = 0;
    for (const source::Access& access : scene.facts.accesses) {
        const source::Function* const function = function_around(scene.facts, access.node);
        if (function == nullptr || function->name != kernel.substr(0, kernel.find('<')) || access.line == found ||
            access.kind != source::AccessKind::store || shared.contains(access.array))
            continue;
        if (found != 0) return 0;
        found = access.line;
    }
    return found;
}

SourceMark mark_of_place(const Scene& scene, int line, std::string label) {
    return mark_of_line(line, scene.path, scene.source, std::move(label), std::string(stored_array(scene.facts, line)));
}

SourceMark mark_of_stores(const Scene& scene, int line, const std::string& name, std::string label) {
    vgpu::ThreadPlace store;
    store.line = line;
    return mark_of_access(scene, store, name, AccessKind::write, std::move(label));
}

// A sum that the first launch has a block for, and that was not stored.
std::string advice_on_block_without_sum(const Scene& scene, const LaunchInfo& first, int line) {
    const std::string array(stored_array(scene.facts, line));
    const auto all = accesses_to(scene.facts, line, array);
    if (all.size() != 1 || all.front()->indices.empty()) return {};
    const std::string index = scene.text(all.front()->indices.front());
    const std::string place = fmt::format("{}[{}]", array, index);
    if (index.find("blockIdx") == index.npos && lines_of_index(scene.facts, line, array).empty())
        return say("line_stores_place_blocks", line, place, first.grid.count());
    const int test = line_of_test(scene.facts, line);
    if (index != "blockIdx.x" || first.grid.count() != first.grid.x || test == 0)
        return say("none_blocks_stored_places", first.grid.count(), element_text(scene), place, line);
    return say("block_store_line_none", element_text(scene), element_index(scene), line,
               test == line ? "there" : fmt::format("in line {}", test));
}

// What the launch of this kernel reads is what a launch before was handed, too: the line that stores to it there.
std::string advice_on_launch_before(const Scene& scene, Diagnostic& diagnostic) {
    const BufferLayout* const layout = scene.layout();
    const source::Facts& facts = scene.facts;
    const source::Function* const kernel = facts.function_at(scene.line());
    if (!layout || layout->role != BufferRole::scratch || !kernel || !scene.launches) return {};
    const auto handed = [&](const source::Launch& launch, std::size_t i) {
        return i < launch.arguments.size() ? plain_name(scene.tree(), launch.arguments[i]) : std::string_view();
    };
    const std::string array = name_in_line(scene);
    const auto& read = kernel->parameters;
    const auto own = static_cast<std::size_t>(
        std::ranges::find(read, std::string_view(array), &source::Parameter::name) - read.begin());
    for (const source::Launch& later : facts.launches) {
        if (later.kernel != kernel->name || handed(later, own).empty()) continue;
        for (const LaunchInfo& first : *scene.launches) {
            const source::Launch* const before = launch_at(facts, first.line);
            if (!before || before->line >= later.line || before->kernel != kernel->name) continue;
            for (std::size_t i = 0; i < read.size(); ++i) {
                if (i == own || handed(*before, i) != handed(later, own)) continue;
                const int line = only_line_that_stores(facts, std::string(read[i].name));
                if (line == 0 || element_index(scene) >= static_cast<std::int64_t>(first.grid.count())) return {};
                diagnostic.marks.push_back(mark_of_place(
                    scene, line, "the launch in line " + std::to_string(first.line) + " stores to it here"));
                return advice_on_block_without_sum(scene, first, line);
            }
        }
    }
    return {};
}

// Who was to store what is read: a launch that had no such block, a thread past the end, or one that there is not.
std::string advice_on_unwritten(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const BufferLayout* layout = scene.layout();
    if (scene.launches == nullptr || scene.run.layout.empty() || scene.input().extents.size() != 1) return "";
    if (layout != nullptr) {
        const std::uint64_t before = scene.launches->empty() ? 0 : scene.launches->front().grid.count();
        const auto& all = *scene.launches;
        const auto own = std::ranges::find_if(all, [&](const LaunchInfo& l) { return l.kernel == finding.kernel; });
        const bool is_later = own != all.begin() && own != all.end();
        if (layout->role == BufferRole::scratch && scene.launches->size() > 2 && is_later)
            return say("launch_before_stored_launched", element_text(scene), finding.kernel, own->line);
        if (layout->role != BufferRole::scratch || scene.launches->size() != 2) return "";
        if (element_index(scene) < static_cast<std::int64_t>(before)) {
            const int line = line_of_store(scene, scene.launches->front().kernel);
            return line == 0 ? "" : advice_on_block_without_sum(scene, scene.launches->front(), line);
        }
        return say("first_launch_if_stores", plural(before, "block"), element_text(scene));
    }
    const LaunchInfo* launch = scene.launches->empty() ? nullptr : &scene.launches->front();
    if (launch != nullptr && launch->kernel != finding.kernel) return "";
    const auto bytes = static_cast<std::int64_t>(std::max(1, finding.width_bytes));
    if (launch == nullptr || finding.buffer_bytes == 0 || finding.offset_bytes < 0) return "";
    const std::int64_t threads = static_cast<std::int64_t>(launch->block.count()), at = finding.offset_bytes / bytes;
    if (at >= threads)
        if (std::string advice = advice_on_block(scene).text; !advice.empty()) return advice;
    // A thread of the block for each element of the array, and a piece of the input for each block.
    const std::int64_t n = scene.input().elements();
    const auto blocks = static_cast<std::int64_t>(launch->grid.count());
    if (n == 0 || static_cast<std::int64_t>(finding.buffer_bytes) / bytes != threads) return "";
    const std::int64_t piece = (n + blocks * threads - 1) / (blocks * threads) * threads;
    const std::int64_t element = std::int64_t{finding.place.block.x} * piece + at;
    if (at >= threads || element < n || (n + piece - 1) / piece != blocks) return "";
    return say("thread_place_element_past", element, n);
}

bool is_memset(const source::Call& call) {
    return (call.name == "cudaMemset" || call.name == "cudaMemsetAsync") && call.arguments.size() >= 3;
}

// Calls that set something, and not the element that was read.
void add_memsets(const Scene& scene, Diagnostic& diagnostic) {
    const Tree& tree = scene.tree();
    std::vector<const source::Call*> calls;
    for (const source::Call& call : scene.facts.calls)
        if (is_memset(call)) calls.push_back(&call);
    if (calls.size() != 1) return;
    const source::Call& only = *calls.front();
    if (const LaunchInfo* launch = scene.launch(); launch != nullptr && only.line > launch->line) {
        diagnostic.marks.push_back(mark_of_place(
            scene, only.line, say("sets_after_launch", plain_name(tree, only.arguments[0]), launch->line)));
        give(diagnostic, {say("move_before_launch", only.name, launch->line), only.line});
        return;
    }
    diagnostic.marks.push_back(mark_of_place(
        scene, only.line,
        say("sets_bytes_element", in_one_line(tree, only.arguments[2]), in_one_line(tree, only.arguments[0]))));
    give(diagnostic, {say("set_every_element_block"), only.line});
}

// cudaMemset(counts, 0, BINS): as many bytes as there are elements.
Advice advice_on_bytes(const Scene& scene, const BufferLayout& layout) {
    const Tree& tree = scene.tree();
    for (const source::Call& call : scene.facts.calls) {
        if (!is_memset(call) || plain_name(tree, call.arguments[0]) != layout.name) continue;
        const std::string bytes = in_one_line(tree, call.arguments[2]);
        if (!plain_name(tree, call.arguments[2]).empty() || tree[call.arguments[2]].kind == NodeKind::number)
            return {say("line_sets_bytes_element", call.line, bytes, layout.name, scene.element_bytes()), call.line};
    }
    return {};
}

// How often the loop around the only store turns, and whether it stores to another place each time.
void add_turns(const Scene& scene, int line, const std::string& name, Diagnostic& diagnostic) {
    if (!scene.run.variant.empty()) return;  // numbers may have other values there
    const LaunchInfo* launch = scene.launch();
    const std::int64_t block_x = launch ? launch->block.x : 0;
    const source::Loop* const loop = scene.facts.loop_at(line);
    const source::Loop* const other = scene.loop();
    const LoopTurns turns = turns_of(scene.facts, loop, block_x), others = turns_of(scene.facts, other, block_x);
    if (turns.values.empty()) return;
    diagnostic.facts.push_back(
        turns.values.size() == 1
            ? say("loop_line_runs_once", loop->line, turns.variable, turns.values.front())
            : say("loop_line_runs_times", loop->line, turns.values.size(), turns.variable, listed(turns.values)));
    // An index may be made of the variable on a line above.
    const auto made = variable_of_index(scene.facts, line, name, true);
    const bool goes_on = has_index(scene.facts, line, name, turns.variable) ||
                         (made && column_of(made->expression, turns.variable) != 0);
    if (!goes_on && turns.values.size() > 1)
        diagnostic.help = say("line_stores_same_element", line, name, turns.variable);
    else if (turns.values.size() == 1 && others.values.size() > 1)
        give(diagnostic, {say("loop_around_read_line", other->line, others.values.size(), loop->line), loop->line});
}

// What the block has stored of an array that it shares, and by which line.
void add_stored(const Scene& scene, const std::string& name, Diagnostic& diagnostic) {
    const StoredText stored = stored_text(scene);
    if (!stored.fact.empty()) diagnostic.facts.push_back(stored.fact);
    if (!stored.help.empty()) give(diagnostic, {stored.help, stored.line});
    if (const int line = only_line_that_stores(scene.facts, name); line != 0 && line != scene.line()) {
        diagnostic.marks.push_back(mark_of_stores(scene, line, name, "the only line that stores to it"));
        const std::string before = diagnostic.help;
        add_turns(scene, line, name, diagnostic);
        const auto guards = guards_before(scene.facts, line, name);
        if (guards.size() == 1 && (stored.help.empty() || stored.asks_who) && diagnostic.help == before)
            diagnostic.help = say("threads_does_test_line", guards.front().line, name);
    } else if (const int set = only_line_that_sets(scene.facts, name); line == 0 && set != 0 && set != scene.line()) {
        diagnostic.marks.push_back(mark_of_stores(scene, set, name, "set here"));  // the others add to what is there
    }
}

// An atomic operation starts from what is there.
void describe_atomic(const Scene& scene, const std::string& name, Diagnostic& diagnostic) {
    const vgpu::Finding& finding = scene.finding;
    const BufferLayout* const layout = scene.layout();
    diagnostic.title = say("atomic_operation_where_nothing", name);
    const LaunchInfo* const launch = scene.launch();
    const std::uint64_t elements = finding.buffer_bytes / static_cast<std::uint64_t>(std::max(1, finding.width_bytes));
    diagnostic.help = layout         ? say("starts_whatever_there_launcher")
                      : elements > 1 ? say("starts_whatever_there_set", elements,
                                           launch != nullptr && launch->block.count() < elements
                                               ? say("loop_block_threads", launch->block.count())
                                               : "one by each thread")
                                     : say("starts_whatever_there_thread");
    if (const int set = layout ? 0 : only_line_that_sets(scene.facts, name); set != 0) {
        diagnostic.mend_line = set;
        diagnostic.marks.push_back(mark_of_stores(scene, set, name, "sets elements, and not this one"));
    }
    const bool is_cleared = std::ranges::any_of(
        scene.facts.calls, [](const source::Call& call) { return call.name.starts_with("cudaMemset"); });
    // Each element has a part from many threads.
    const bool is_sum = layout && layout->role == BufferRole::out && layout->elements() < scene.input().elements();
    if (is_sum && launch != nullptr && launch->line != 0 && !is_cleared) {
        diagnostic.marks.push_back(mark_of_launch(*launch, scene.path, scene.source));
        diagnostic.marks.back().label = "nothing sets it before this launch";
        diagnostic.mend_line = launch->line;
    }
    if (layout) add_memsets(scene, diagnostic);
    if (Advice advice = layout ? advice_on_bytes(scene, *layout) : Advice(); !advice.empty())
        give(diagnostic, std::move(advice));
    const LaunchInfo* first = scene.launches && scene.launches->size() > 1 ? &scene.launches->front() : nullptr;
    if (first && layout && layout->role == BufferRole::scratch && first->grid.count() > 1 &&
        line_of(scene.source, finding.place.line).find("blockIdx") == std::string_view::npos)
        diagnostic.help = say("do_blocks_add_if", first->grid.count(), element_text(scene));
}

// Memory of the GPU that a program has allocated.
Diagnostic describe_allocated(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    const bool is_atomic = finding.access == AccessKind::atomic;
    Diagnostic diagnostic;
    diagnostic.title =
        say("where_nothing_stored_before", is_atomic ? "atomic operation on" : "read of", finding.buffer);
    diagnostic.marks.push_back(
        mark_of_access(scene, finding.place, finding.buffer, finding.access, element_text(scene)));
    const LaunchInfo* const launch = scene.launch();
    if (launch != nullptr && launch->line != 0) {
        diagnostic.marks.push_back(mark_of_launch(*launch, scene.path, scene.source));
        diagnostic.marks.back().label = say("nothing_stored_there_before");
    }
    diagnostic.help = finding.kernel.empty() ? say("memory_gpu_holds_anything")
                      : is_atomic            ? say("starts_whatever_there_set_memory")
                                             : say("memory_gpu_holds_anything_first");
    return diagnostic;
}

}  // namespace

Diagnostic describe_unwritten(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    Diagnostic diagnostic;
    if (finding.buffer == vgpu::local_memory) return described(scene);
    const BufferLayout* layout = scene.layout();
    const bool is_of_program = scene.run.layout.empty() && finding.element_bytes > 0;
    if (is_of_program) return describe_allocated(scene);
    const std::string name = shared_name(scene);
    diagnostic.title = say("read_where_nothing_stored", name);
    diagnostic.marks.push_back(
        mark_of_access(scene, finding.place, name, finding.access, layout ? element_text(scene) : shared_place(scene)));
    diagnostic.help = layout ? say("memory_holds_anything_first") : say("thread_block_should_store_element");
    if (!layout && finding.access == AccessKind::read && finding.reason != vgpu::FindingReason::awaits_copy)
        add_stored(scene, name, diagnostic);
    if (Advice advice = past_row(scene, finding.place, name); !advice.empty()) give(diagnostic, std::move(advice));
    std::string advice = advice_on_unwritten(scene);
    if (advice.empty()) advice = advice_on_launch_before(scene, diagnostic);
    if (!advice.empty()) {
        diagnostic.help = advice;
        if (layout && scene.launches->size() == 2) {
            // The store that was not made, or the launch that left too little.
            const LaunchInfo& first = scene.launches->front();
            const int line = element_index(scene) < static_cast<std::int64_t>(first.grid.count())
                                 ? line_of_store(scene, first.kernel)
                                 : 0;
            diagnostic.marks.push_back(line == 0 ? mark_of_launch(first, scene.path, scene.source)
                                                 : mark_of_place(scene, line, "the only store of " + first.kernel));
        }
    }
    if (((layout && layout->role != BufferRole::scratch) || changes_itself(scene, name)) && has_sum(scene)) {
        diagnostic.help = say(adds_in_loop(scene) ? "adds_there_in_loop" : "adds_there_nothing_stored");
        // Another kernel has the result so far.
        if (layout && scene.launches != nullptr && !scene.launches->empty() &&
            scene.launches->front().kernel != finding.kernel)
            diagnostic.help = say("adds_there_launched_before", scene.launches->front().kernel, element_text(scene));
    }
    if (finding.access == AccessKind::atomic) describe_atomic(scene, name, diagnostic);
    if (finding.reason == vgpu::FindingReason::awaits_copy) {
        diagnostic.title = say("read_before_asynchronous_copy", name);
        diagnostic.help = say("wait_copy_pipeline_wait_prior_cp");
    }
    return diagnostic;
}

}  // namespace warpgrade
