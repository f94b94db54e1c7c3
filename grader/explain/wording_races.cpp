// Words for races.
#include <fmt/format.h>

#include "explain/descriptions.hpp"
#include "explain/race_advice.hpp"
#include "explain/say.hpp"
#include "explain/wording.hpp"

namespace warpgrade {

namespace {

const char* third_person(vgpu::AccessKind access) {
    switch (access) {
        case vgpu::AccessKind::write: return "writes";
        case vgpu::AccessKind::atomic: return "updates (atomically)";
        default: return "reads";
    }
}

void mark_accesses(const Scene& scene, const std::string& name, Diagnostic& diagnostic) {
    const vgpu::Finding& finding = scene.finding;
    const bool is_load = finding.kind == vgpu::FindingKind::race_global && finding.access == vgpu::AccessKind::read;
    diagnostic.marks.push_back(
        mark_of_access(scene, finding.place, is_load ? name_in_line(scene) : name, finding.access,
                       fmt::format("{} {}", thread_text(finding.place), third_person(finding.access))));
    if (!finding.has_other) return;
    if (finding.other.line != 0)
        diagnostic.marks.push_back(
            mark_of_access(scene, finding.other, name, finding.other_access,
                           fmt::format("{} {}", thread_text(finding.other), third_person(finding.other_access))));
    else
        diagnostic.facts.push_back(fmt::format("{}block {} {} there too",
                                               finding.place.block == finding.other.block ? "another thread of " : "",
                                               to_text(finding.other.block), third_person(finding.other_access)));
}

}  // namespace

std::string name_of_race(const Scene& scene) {
    if (scene.finding.kind == vgpu::FindingKind::race_shared) return shared_name(scene);
    return scene.finding.buffer.empty() ? "global memory" : scene.finding.buffer;
}

std::string both_at(const Scene& scene) {
    const bool is_shared = scene.finding.kind == vgpu::FindingKind::race_shared;
    const std::string place = is_shared ? shared_place(scene)
                              : scene.layout()
                                  ? element_text(scene)
                                  : fmt::format("byte {} of `{}`", scene.finding.offset_bytes, name_of_race(scene));
    return "both at " + place + with_shape(scene);
}

Diagnostic describe_race(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    using vgpu::AccessKind;
    Race race{scene, {}, {}, finding.kind == vgpu::FindingKind::race_shared, false, {}, {}};
    race.name = name_of_race(scene);
    race.both_write = finding.access != AccessKind::read && finding.other_access != AccessKind::read;
    Diagnostic diagnostic;
    const std::string quoted = race.name.ends_with(" memory") ? race.name : "`" + race.name + "`";
    diagnostic.title =
        race.both_write ? say("two_threads_write_same", quoted) : say("thread_reads_where_another", quoted);
    mark_accesses(scene, race.name, diagnostic);
    if (finding.is_under_copy || finding.is_held_back || finding.is_tried) {
        Diagnostic special = described(scene);  // the order of threads as it was does not show it
        special.marks = std::move(diagnostic.marks);
        special.facts.insert(special.facts.begin(), diagnostic.facts.begin(), diagnostic.facts.end());
        return special;
    }

    race.local = race.is_shared ? race.name : name_in_line(scene);
    if (!finding.is_volatile && finding.has_other) race.weak = weak_order(scene);
    if (finding.has_other && finding.other_access != AccessKind::atomic && finding.access != AccessKind::atomic)
        race.atomic = atomic_in_place(scene, race.local);
    if (!race.weak.what.empty() && race.atomic.empty() && !race.both_write)
        diagnostic.title = say("thread_reads_where_another_writes", quoted, race.weak.what);
    diagnostic.facts.push_back(both_at(scene));
    if (finding.is_same_value) diagnostic.facts.push_back(say("both_wrote_same_value"));
    if (finding.is_looked_up)
        diagnostic.facts.push_back(say("load_seen_write_done"));
    else if (finding.may_be_old)
        diagnostic.facts.push_back(say("write_known_done_but"));
    else if (finding.is_volatile && share_a_warp(finding))
        diagnostic.facts.push_back(say("volatile_does_order_threads"));
    Advice advice = race.is_shared ? past_row(scene, finding.place, race.name) : Advice();
    if (advice.empty() && race.is_shared && finding.has_other) advice = past_row(scene, finding.other, race.name);
    if (!advice.empty() && advice.line != finding.place.line) std::swap(diagnostic.marks[0], diagnostic.marks[1]);
    if (advice.empty()) advice = race_advice(race);
    const LaunchInfo* const launch = scene.launch();
    const int shown = launch != nullptr && advice.line == launch->line ? advice.line : advice.shown;
    if (shown != 0) diagnostic.marks.push_back(mark_of_line(shown, scene.path, scene.source, "launched here"));
    give(diagnostic, std::move(advice));
    if (finding.crosses_blocks && finding.place.block == finding.other.block)
        diagnostic.facts.push_back(say("threads_different_blocks_meet"));
    add_occurrences(scene, diagnostic);
    return diagnostic;
}

}  // namespace warpgrade
