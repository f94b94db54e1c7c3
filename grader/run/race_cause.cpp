#include "run/race_cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "run/index_text.hpp"
#include "run/source_names.hpp"
#include "source/pattern.hpp"

namespace warpgrade {

std::string advice_on_barrier_behind_test(const Scene& scene, int first, int last) {
    const Tree& tree = *scene.facts.tree;
    for (const source::Barrier& barrier : scene.facts.barriers) {
        if (barrier.line < first || barrier.line > last || barrier.name != "__syncthreads") continue;
        const auto tests = tests_before(scene.facts, barrier.node);
        const auto nearest = std::find_if(tests.begin(), tests.end(),
                                          [](const source::Test& test) { return test.guard && !test.exits; });
        // A test that both accesses stand behind, too, keeps nobody from the barrier who comes to them.
        if (nearest == tests.end() || nearest->guard->line <= first) continue;
        return fmt::format(
            "the __syncthreads() in line {} is reached only where `{}` holds: take it out of the `if`, so that all "
            "threads of the block come to it each time",
            barrier.line, in_one_line(tree, nearest->guard->condition));
    }
    return {};
}

std::string advice_on_handed_over(const Scene& scene) {
    const LaunchInfo* launch = scene.launch();
    const BufferLayout* layout = scene.layout();
    if (launch == nullptr || layout == nullptr || layout->role != BufferRole::out) return {};
    const int line =
        scene.finding.access == vgpu::AccessKind::read ? scene.finding.place.line : scene.finding.other.line;
    const std::string& in = scene.run.layout.front().name;
    if (accesses_to(scene.facts, line, in).empty() || in == scene.finding.buffer) return {};
    // Of several launches of the kernel it is the one that names it twice.
    int twice = 0;
    for (const LaunchInfo& one : *scene.launches) {
        const source::Launch* const text =
            one.kernel == scene.finding.kernel ? launch_at(scene.facts, one.line) : nullptr;
        if (text != nullptr && std::count_if(text->arguments.begin(), text->arguments.end(), [&](NodeId argument) {
                                   return mentions(*scene.facts.tree, argument, scene.finding.buffer);
                               }) > 1)
            twice = one.line;
    }
    if (twice == 0) return {};
    return fmt::format(
        "the launch in line {0} hands `{1}` over twice, so that what line {2} calls `{3}` is `{1}`, which others store "
        "to at the same time: read from `{3}`, and store to `{1}`",
        twice, scene.finding.buffer, line, in);
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
        if (mentions(*scene.facts.tree, scene.facts.statement_line[static_cast<std::size_t>(line)], part)) return {};
    const bool is_in_line = has_index(scene.facts, own, name, part);
    if (lines.empty() || is_in_line) return {};
    return fmt::format(
        "the two threads differ in {0} alone, and {1} that make the index take threadIdx.{2}: {0} has to enter it, too",
        part,
        lines.size() == 1 ? fmt::format("the line {}", lines.front())
                          : fmt::format("lines {} and {}", lines.front(), lines.back()),
        axis == std::string_view("y") ? "x" : "y");
}

std::string advice_on_factors(const Scene& scene) {
    const Tree& tree = *scene.facts.tree;
    struct Factor {
        std::string_view name;
        std::int64_t value = 0;
        int line = 0;
    };
    std::map<std::string, Factor> first;
    static const auto product = *source::pattern_of("$block * $size + $_");
    const source::Function* const function = scene.facts.function_at(scene.finding.place.line);
    for (const source::Match& match : matches(product, tree, function ? function->body : no_node)) {
        NodeId index = match.binding("block")->first, size = match.binding("size")->first;
        if (!in_one_line(tree, index).starts_with("blockIdx.")) std::swap(index, size);
        const std::string block = in_one_line(tree, index);
        const source::Constant* const named = constant_named(scene.facts, plain_name(tree, size));
        if (!block.starts_with("blockIdx.") || named == nullptr || match.at.line > scene.finding.place.line) continue;
        const auto [known, is_new] = first.try_emplace(block, Factor{named->name, *named->number, match.at.line});
        if (is_new || known->second.value == *named->number) continue;
        return fmt::format(
            "line {} takes {} times {}, which is {}, and line {} times {}, which is {}: how far apart do blocks begin?",
            known->second.line, block, known->second.name, known->second.value, match.at.line, named->name,
            *named->number);
    }
    return {};
}

}  // namespace warpgrade
