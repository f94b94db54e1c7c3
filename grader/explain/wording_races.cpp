// Words for races.
#include <fmt/format.h>

#include "explain/race_advice.hpp"
#include "explain/race_facts.hpp"
#include "explain/say.hpp"
#include "explain/wording.hpp"
#include "explain/wording_place.hpp"

namespace warpgrade {

namespace {

const char* third_person(vgpu::AccessKind access) {
    switch (access) {
        case vgpu::AccessKind::write: return "writes";
        case vgpu::AccessKind::atomic: return "updates (atomically)";
        default: return "reads";
    }
}

std::string place_in_buffer(const Scene& scene, const std::string& name) {
    if (scene.finding.kind == vgpu::FindingKind::race_shared) return shared_place(scene);
    return scene.layout() ? element_text(scene) : fmt::format("byte {} of `{}`", scene.finding.offset_bytes, name);
}

std::string both_at(const Scene& scene, const std::string& name) {
    return fmt::format("both at {}, shape {}", place_in_buffer(scene, name), describe_case(scene.run.shape));
}

void mark_accesses(const Scene& scene, const std::string& name, Diagnostic& diagnostic) {
    const vgpu::Finding& finding = scene.finding;
    diagnostic.marks.push_back(
        mark_of_access(scene, finding.place, name, finding.access,
                       fmt::format("{} {}", thread_text(finding.place), third_person(finding.access))));
    if (!finding.has_other) return;
    if (finding.other.line != 0)
        diagnostic.marks.push_back(
            mark_of_access(scene, finding.other, name, finding.other_access,
                           fmt::format("{} {}", thread_text(finding.other), third_person(finding.other_access))));
    else
        diagnostic.facts.push_back(
            fmt::format("block {} {} there too", to_text(finding.other.block), third_person(finding.other_access)));
}

// Races that the order of threads as it was does not show.
bool describe_special(const Scene& scene, const std::string& name, Diagnostic& diagnostic) {
    const vgpu::Finding& finding = scene.finding;
    if (finding.is_under_copy) {
        diagnostic.title = say("overwritten_while_bulk_store", name);
        diagnostic.facts.push_back(
            fmt::format("both at {}, shape {}", shared_place(scene), describe_case(scene.run.shape)));
        diagnostic.help = say("before_store_thread_starts");
        return true;
    }
    if (finding.is_held_back) {
        diagnostic.title = say("block_changes_after_counted", name);
        diagnostic.facts.push_back(say("last_block_count_need"));
        diagnostic.help = say("first_store_add_other");
        return true;
    }
    if (!finding.is_tried) return false;
    diagnostic.title = say("read_may_get_there", name);
    diagnostic.facts.push_back(both_at(scene, name));
    diagnostic.facts.push_back(
        say("nothing_orders_store_before", finding.is_volatile ? "a `volatile` access" : "a relaxed access"));
    diagnostic.help =
        is_one_line(finding) ? say("reads_changes_stores_three_steps_another") : say("flag_says_there_needs");
    return true;
}

}  // namespace

Diagnostic describe_race(const Scene& scene) {
    const vgpu::Finding& finding = scene.finding;
    using vgpu::AccessKind;
    Race race{scene, {}, {}, finding.kind == vgpu::FindingKind::race_shared, false, {}, {}};
    race.name = race.is_shared ? shared_name(scene) : finding.buffer.empty() ? "global memory" : finding.buffer;
    race.both_write = finding.access != AccessKind::read && finding.other_access != AccessKind::read;
    Diagnostic diagnostic;
    diagnostic.title =
        race.both_write ? say("two_threads_write_same", race.name) : say("thread_reads_where_another", race.name);
    mark_accesses(scene, race.name, diagnostic);
    if (describe_special(scene, race.name, diagnostic)) return diagnostic;

    race.local = race.is_shared ? race.name : name_in_line(scene);
    if (!finding.is_volatile && finding.has_other) race.weak = weak_order(scene);
    if (finding.has_other && finding.other_access != AccessKind::atomic && finding.access != AccessKind::atomic)
        race.atomic = atomic_in_place(scene, race.local);
    if (!race.weak.what.empty() && race.atomic.empty() && !race.both_write)
        diagnostic.title = say("thread_reads_where_another_writes", race.name, race.weak.what);
    diagnostic.facts.push_back(both_at(scene, race.name));
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
    give(diagnostic, advice.empty() ? race_advice(race) : std::move(advice));
    const LaunchInfo* const launch = scene.launch();
    if (launch != nullptr && diagnostic.mend_line == launch->line && diagnostic.mend_line != 0)
        diagnostic.marks.push_back(mark_of_line(launch->line, scene.path, scene.source, "launched here"));
    if (finding.crosses_blocks && finding.place.block == finding.other.block)
        diagnostic.facts.push_back(say("threads_different_blocks_meet"));
    add_occurrences(scene, diagnostic);
    return diagnostic;
}

}  // namespace warpgrade
