// Words for accesses outside of arrays that a block shares.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.hpp"
#include "explain/access_place.hpp"
#include "explain/access_words.hpp"
#include "explain/descriptions.hpp"
#include "explain/guard_text.hpp"
#include "explain/line_context.hpp"
#include "explain/say.hpp"
#include "explain/shared_advice.hpp"
#include "explain/source_names.hpp"
#include "explain/wording.hpp"
#include "explain/wording_memory.hpp"

namespace warpgrade {

namespace {

// The loop around the line makes the variable smaller by a factor: a tree that adds what is above.
bool is_halved(const source::Facts& facts, int line, const std::string& variable) {
    const source::Loop* const loop = facts.loop_at(line);
    return loop != nullptr && loop->variable == variable && (loop->step_sign == "/=" || loop->step_sign == ">>=");
}

// Below the array's start.
std::string advice_below_zero(const Scene& scene, const std::string& name) {
    const int line = scene.line();
    if (std::string advice = advice_on_remainder(scene.facts, line); !advice.empty()) return advice;
    const Tree& tree = scene.tree();
    std::string less, by;
    for (const source::Access* access : accesses_to(scene.facts, line, name))
        for (const NodeId index : access->indices) {
            const NodeId made = binary(tree, index, "-");
            if (made == no_node) continue;
            less = plain_name(tree, tree[made].child);
            by = less.empty() ? "" : in_one_line(tree, child_of(tree, made, 1));
        }
    const auto made = variable_of_index(scene.facts, line, name);
    for (const GuardText& guard : guards_before(scene.facts, line, name))
        for (const GuardPart& part : guard.parts)
            if (!less.empty() && !guard.returns && part.left == less && part.sign == "<" && part.right == by)
                return say("below_zero_by_test", guard.line, less, by,
                           is_halved(scene.facts, line, by) ? fmt::format("write {} + {}", less, by)
                                                            : fmt::format("should it test {} >= {}?", less, by));
    if (less.empty())
        return made ? say("index_went_below_zero_values", made->name, made->line) : say("index_went_below_zero_guard");
    if (made && made->name == less) return say("went_below_zero_step", less, by, made->line, made->expression);
    return say("went_below_zero_threads", less, by, name);
}

// Where the bytes are computed that a launch asks for, and how large an element is.
Advice advice_on_bytes(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    const int line = launch == nullptr ? 0 : launch->line;
    const source::Launch* const asked = launch_at(scene.facts, line);
    if (asked == nullptr || is_missing(scene.tree(), asked->dynamic_bytes)) return say("compare_largest_index_asked");
    const source::Definition* const set = set_before(scene.facts, plain_name(scene.tree(), asked->dynamic_bytes), line);
    const int where = set ? set->at.line : line, width = scene.finding.width_bytes;
    const std::string text = scene.text(set ? set->value : asked->dynamic_bytes);
    if (width != 4 && text.find("sizeof(float)") != text.npos)
        return {say("line_counts_sizeof_float", where, width), where};
    if (text.find("sizeof") == text.npos) return {say("line_says_how_many", where), where};
    return {say("line_says_how_many_bytes", where), where};
}

bool is_dynamic(const vgpu::Finding& finding) { return finding.buffer.empty() || finding.buffer == "shared memory"; }

// "tile[32][0], and the array is tile[32][33]", where its declaration tells the extents.
std::string element_of_array(const Scene& scene, const std::string& name, std::int64_t index, std::int64_t count) {
    const auto extents = shared_extents(scene.facts, name);
    if (extents.size() == 1 && extents[0] == count) return say("last_element", name, index, count - 1);
    const std::string flat = say("counted_flat_element_last", index, count - 1);
    if (extents.size() != 2 || extents[0] * extents[1] != count) return flat;
    return say("element_in_effect", name, index / extents[1], index % extents[1], extents[0], extents[1], flat);
}

}  // namespace

Diagnostic describe_shared_bounds(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    if (finding.reason != vgpu::FindingReason::none) return described(scene);  // of another block's
    Diagnostic diagnostic;
    const std::string name = shared_name(scene);
    // What is past one array can be in the next one, so that the array says more than the memory.
    diagnostic.title = is_dynamic(finding) ? fmt::format("{} outside of shared memory", verb(finding.access))
                                           : fmt::format("{} outside of `{}`", verb(finding.access), name);
    diagnostic.marks.push_back(mark_of_access(scene, finding.place, name, finding.access,
                                              fmt::format("byte {} of `{}`", finding.offset_bytes, name)));
    if (finding.buffer_bytes != 0)
        diagnostic.facts.push_back(fmt::format("`{}` has {} bytes", name, finding.buffer_bytes));
    if (const auto made = variable_of_index(scene.facts, finding.place.line, name))
        diagnostic.facts.push_back(fmt::format("`{}` is {}, by line {}", made->name, made->expression, made->line));
    if (finding.offset_bytes < 0) {
        diagnostic.facts.push_back(fmt::format("{} bytes before the start", -finding.offset_bytes));
        diagnostic.help = advice_below_zero(scene, name);
        return diagnostic;
    }
    const auto reach = static_cast<std::int64_t>(finding.value);  // of all occurrences
    // 2^32 elements and a few less.
    const std::int64_t element = finding.offset_bytes / std::max(1, finding.width_bytes);
    if (element > std::numeric_limits<std::int32_t>::max() && element <= std::numeric_limits<std::uint32_t>::max()) {
        const bool subtracts = std::ranges::any_of(scene.accesses_to(name), [&](const source::Access* access) {
            return std::ranges::any_of(access->indices,
                                       [&](NodeId index) { return binary(scene.tree(), index, "-") != no_node; });
        });
        if (subtracts)
            diagnostic.facts.push_back(say("element_unsigned_number", element - (std::int64_t{1} << 32), element));
        diagnostic.help = subtracts ? advice_below_zero(scene, name) : say("values_can_index_here", name);
        return diagnostic;
    }
    if (scene.launches != nullptr && has_no_dynamic_bytes(finding, *scene.launches)) {
        diagnostic.facts.push_back(say("launch_asks_bytes_dynamic"));
        if (finding.occurrences > 1) diagnostic.facts.push_back(say("accesses_line_come_up", reach - 1, reach));
        const LaunchInfo* launch = scene.launch();
        give(diagnostic, {say("say_how_many_bytes"), launch != nullptr ? launch->line : 0});
        if (launch != nullptr && launch->line != 0)
            diagnostic.marks.push_back(mark_of_launch(*launch, scene.path, scene.source));
    } else if (is_dynamic(finding)) {
        give(diagnostic, advice_on_step(scene, name));
        if (diagnostic.help.empty()) give(diagnostic, advice_on_last_turn(scene));
        if (diagnostic.help.empty())
            give(diagnostic,
                 advice_on_first_turn(
                     scene, name, static_cast<std::int64_t>(finding.buffer_bytes) / std::max(1, finding.width_bytes)));
        if (diagnostic.help.empty()) {
            if (finding.occurrences > 1) diagnostic.facts.push_back(say("accesses_line_come_up", reach - 1, reach));
            give(diagnostic, advice_on_bytes(scene));
        }
    } else {
        const int bytes = finding.width_bytes > 0 ? finding.width_bytes : 4;
        if (finding.buffer_bytes != 0 && finding.offset_bytes % bytes == 0)
            diagnostic.facts.push_back(element_of_array(scene, name, finding.offset_bytes / bytes,
                                                        static_cast<std::int64_t>(finding.buffer_bytes) / bytes));
        give(diagnostic, index_advice(scene, name));
    }
    return diagnostic;
}

bool has_no_dynamic_bytes(const vgpu::Finding& finding, const std::vector<LaunchInfo>& launches) {
    return finding.kind == vgpu::FindingKind::out_of_bounds_shared && is_dynamic(finding) &&
           finding.offset_bytes >= 0 &&
           std::ranges::any_of(launches, [&](const LaunchInfo& launch) { return launch.kernel == finding.kernel; }) &&
           std::ranges::none_of(launches, [&](const LaunchInfo& launch) {
               return launch.kernel == finding.kernel && launch.shared_bytes != 0;
           });
}

}  // namespace warpgrade
