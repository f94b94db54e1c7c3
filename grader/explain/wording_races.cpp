// Words for races.
#include <fmt/format.h>

#include "explain/race_advice.hpp"
#include "explain/race_facts.hpp"
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
        diagnostic.title = fmt::format("`{}` is overwritten while a bulk store still reads it", name);
        diagnostic.facts.push_back(
            fmt::format("both at {}, shape {}", shared_place(scene), describe_case(scene.run.shape)));
        diagnostic.help =
            "before this store, the thread that starts the copy closes its group (cp.async.bulk.commit_group) and "
            "waits until it is read (cp.async.bulk.wait_group.read 0); a barrier then tells the others";
        return true;
    }
    if (finding.is_held_back) {
        diagnostic.title = fmt::format("a block changes `{}` after it has counted itself as done", name);
        diagnostic.facts.push_back(
            "the last block to count need not be the last to get here: the others may still be on their way, and what "
            "they do here comes too late for it");
        diagnostic.help =
            "first store or add all that other blocks read, then __threadfence(), and only then the atomic operation "
            "that counts the block";
        return true;
    }
    if (!finding.is_tried) return false;
    diagnostic.title = fmt::format("a read of `{}` may get what was there before another block's store", name);
    diagnostic.facts.push_back(both_at(scene, name));
    diagnostic.facts.push_back(fmt::format(
        "nothing orders the store before the read: {} orders no other one, and a thread's stores may be seen in "
        "another order",
        finding.is_volatile ? "a `volatile` access" : "a relaxed access"));
    diagnostic.help =
        is_one_line(finding)
            ? "this reads, changes and stores in three steps, and another block comes in between: one atomic operation "
              "does it in one"
            : "what a flag says is there needs a __threadfence() between its store and the flag's, and one between the "
              "look at the flag and the read; what is read, changed and stored again needs one atomic operation for "
              "all three";
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
        race.both_write
            ? fmt::format("two threads write to the same element of `{}`", race.name)
            : fmt::format("one thread reads `{}` where another one writes, with nothing to order them", race.name);
    mark_accesses(scene, race.name, diagnostic);
    if (describe_special(scene, race.name, diagnostic)) return diagnostic;

    race.local = race.is_shared ? race.name : name_in_line(scene);
    if (!finding.is_volatile && finding.has_other) race.weak = weak_order(scene);
    if (finding.has_other && finding.other_access != AccessKind::atomic && finding.access != AccessKind::atomic)
        race.atomic = atomic_in_place(scene, race.local);
    if (!race.weak.what.empty() && race.atomic.empty() && !race.both_write)
        diagnostic.title = fmt::format("one thread reads `{}` where another one writes, and {} does not order them",
                                       race.name, race.weak.what);
    diagnostic.facts.push_back(both_at(scene, race.name));
    if (finding.is_same_value) diagnostic.facts.push_back("both wrote the same value here; the order would not show");
    if (finding.is_looked_up)
        diagnostic.facts.push_back(
            "a load has seen that the write is done, but nothing orders this read after that load");
    else if (finding.may_be_old)
        diagnostic.facts.push_back(
            "the write is known to be done, but a cache may still hold what was there before it");
    else if (finding.is_volatile && share_a_warp(finding))
        diagnostic.facts.push_back(
            "`volatile` does not order the threads of a warp: since Volta they need not run in step");
    Advice advice = race.is_shared ? past_row(scene, finding.place, race.name) : Advice();
    if (advice.empty() && race.is_shared && finding.has_other) advice = past_row(scene, finding.other, race.name);
    if (!advice.empty() && advice.line != finding.place.line) std::swap(diagnostic.marks[0], diagnostic.marks[1]);
    give(diagnostic, advice.empty() ? race_advice(race) : std::move(advice));
    const LaunchInfo* const launch = scene.launch();
    if (launch != nullptr && diagnostic.mend_line == launch->line && diagnostic.mend_line != 0)
        diagnostic.marks.push_back(mark_of_line(launch->line, scene.path, scene.source, "launched here"));
    if (finding.crosses_blocks && finding.place.block == finding.other.block)
        diagnostic.facts.push_back("threads of different blocks meet on this line as well");
    add_occurrences(scene, diagnostic);
    return diagnostic;
}

}  // namespace warpgrade
