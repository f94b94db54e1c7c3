#include "explain/wording.hpp"

#include <fmt/format.h>

#include "device/device.hpp"
#include "explain/descriptions.hpp"
#include "explain/say.hpp"
#include "explain/source_names.hpp"
#include "explain/wording_place.hpp"
#include "run/faults.hpp"

namespace warpgrade {

namespace {

using vgpu::FindingKind;

Diagnostic words_for(const Scene& scene) {
    switch (scene.finding.kind) {
        case FindingKind::out_of_bounds:
        case FindingKind::out_of_bounds_shared:
        case FindingKind::out_of_bounds_local:
        case FindingKind::misaligned:
        case FindingKind::uninitialized:
        case FindingKind::write_to_input: return describe_memory(scene);
        case FindingKind::race_shared:
        case FindingKind::race_global: return describe_race(scene);
        case FindingKind::barrier_divergence: return describe_barrier(scene);
        case FindingKind::inactive_lane: return describe_inactive_lane(scene);
        case FindingKind::invalid_launch: return describe_launch(scene);
        case FindingKind::host_dereference: return describe_host_dereference(scene);
        case FindingKind::timeout: return describe_timeout(scene);
        case FindingKind::deadlock:
        case FindingKind::trap:
        case FindingKind::assertion:
        case FindingKind::invalid_call:
        case FindingKind::undefined_operand: return described(scene);
        case FindingKind::unsupported: break;
    }
    return gap_of_the_kit(scene.finding, scene.path, scene.source);
}

bool is_race(FindingKind kind) { return kind == FindingKind::race_shared || kind == FindingKind::race_global; }

// A place inside of a function says little without the line that called it.
void add_calls(const vgpu::Finding& finding, Diagnostic& diagnostic) {
    const vgpu::ThreadPlace& place = finding.place;
    const bool has_other = finding.has_other && finding.other.line != 0;
    if (!has_other || (finding.other.line == place.line && finding.other.called_from == place.called_from)) {
        if (place.called_from != 0) diagnostic.facts.push_back(fmt::format("called from line {}", place.called_from));
        return;
    }
    for (const vgpu::ThreadPlace* one : {&place, &finding.other})
        if (one->called_from != 0)
            diagnostic.facts.push_back(fmt::format("line {} is called from line {}", one->line, one->called_from));
}

}  // namespace

Diagnostic describe(const vgpu::Finding& finding, const std::string& path, const Facts& facts, const Case& run,
                    const std::vector<LaunchInfo>* launches) {
    const Scene scene{finding, path, facts, *facts.tree->tokens.text, run, launches};
    Diagnostic diagnostic = words_for(scene);
    if (finding.kind == FindingKind::unsupported) return diagnostic;
    if (!is_race(finding.kind) && !diagnostic.marks.empty()) mark_both_reads(scene, diagnostic.marks.front());
    diagnostic.blame = Blame::learner;
    diagnostic.code = to_string(finding.kind);
    if (finding.kind == FindingKind::uninitialized || finding.kind == FindingKind::out_of_bounds_shared)
        diagnostic.object = scene.layout() ? scene.layout()->name : shared_name(scene);
    if (finding.kind == FindingKind::out_of_bounds && finding.kernel.empty() && scene.layout()) {
        diagnostic.kind = "call";
        diagnostic.object = scene.layout()->name;
    }
    if (finding.kind == FindingKind::uninitialized)
        diagnostic.kind = finding.access == vgpu::AccessKind::atomic ? "atomic" : "read";
    add_calls(finding, diagnostic);
    if (is_race(finding.kind) && (finding.is_same_value || finding.may_be_old)) diagnostic.severity = Severity::warning;
    return diagnostic;
}

Diagnostic describe(const Judgement& judgement, const std::string& path, const Case& run) {
    Diagnostic diagnostic;
    diagnostic.blame = Blame::learner;
    diagnostic.code = judgement.code;
    if (diagnostic.code == "not_written" && !run.layout.empty()) diagnostic.object = run.layout.back().name;
    diagnostic.title = judgement.title;
    SourceMark mark;
    mark.path = path;
    diagnostic.marks.push_back(mark);
    diagnostic.facts.push_back("shape " + describe_case(run.shape));
    diagnostic.facts.insert(diagnostic.facts.end(), judgement.facts.begin(), judgement.facts.end());
    diagnostic.help = judgement.help;
    return diagnostic;
}

SourceMark mark_of_store(const LastStore& store, const std::string& path, const Facts& facts,
                         const std::vector<BufferLayout>& layout) {
    if (store.kernel.empty())
        return mark_in(path, *facts.tree->tokens.text, store.place, "", "the first wrong one was set here");
    return mark_of_access(path, facts, store.place, layout.empty() ? "" : layout.back().name, vgpu::AccessKind::write,
                          thread_text(store.place) + " stores the first wrong one");
}

SourceMark mark_of_load(const LastStore& store, const std::string& path, const Facts& facts,
                        const std::vector<BufferLayout>& layout) {
    const std::string& in = layout.front().name;
    const bool is_here = accesses_to(facts, store.place.line, in).size() == 1;
    if (store.kernel.empty() || !is_here) return mark_of_store(store, path, facts, layout);
    return mark_of_access(path, facts, store.place, in, vgpu::AccessKind::read,
                          "what " + thread_text(store.place) + " stores is the first wrong one");
}

SourceMark mark_of_line(int line, const std::string& path, const std::string& source, std::string label,
                        const std::string& name) {
    vgpu::ThreadPlace place;
    place.line = line;
    return mark_in(path, source, place, name, std::move(label));
}

SourceMark mark_of_launch(const LaunchInfo& launch, const std::string& path, const std::string& source) {
    return mark_of_line(launch.line, path, source,
                        say("launched_blocks_threads", extents_text(launch.grid), extents_text(launch.block)), "<<<");
}

}  // namespace warpgrade
