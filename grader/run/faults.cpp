#include "run/faults.hpp"

#include <fmt/format.h>

#include "course/source_text.hpp"

namespace warpgrade {

using vgpu::FindingKind;

bool harms_who_uses_it(const vgpu::Finding& finding) {
    if (finding.kind == FindingKind::uninitialized) return finding.buffer == vgpu::local_memory;  // parts of a copy
    return finding.kind == FindingKind::inactive_lane && finding.access == vgpu::AccessKind::read &&
           finding.reason == vgpu::FindingReason::none;
}

bool is_error(const vgpu::Finding& finding) {
    const bool is_race = finding.kind == FindingKind::race_shared || finding.kind == FindingKind::race_global;
    if (is_race) return !finding.is_same_value && !finding.may_be_old;
    if (finding.kind == FindingKind::barrier_divergence) return finding.reason != vgpu::FindingReason::ended;
    if (finding.kind == FindingKind::uninitialized) return finding.reason == vgpu::FindingReason::awaits_copy;
    return !harms_who_uses_it(finding);
}

namespace {

Verdict verdict_of(FindingKind kind) {
    switch (kind) {
        case FindingKind::timeout:
        case FindingKind::deadlock: return Verdict::timeout;
        case FindingKind::invalid_launch: return Verdict::launch_error;
        default: return Verdict::fault;
    }
}

}  // namespace

int rank(FindingKind kind) {
    switch (verdict_of(kind)) {
        case Verdict::launch_error: return 0;
        case Verdict::timeout: return 1;
        default: return kind == FindingKind::barrier_divergence ? 2 : 3;
    }
}

Verdict verdict_of(const std::vector<vgpu::Finding>& findings) {
    const vgpu::Finding* first = nullptr;
    for (const vgpu::Finding& one : findings)
        if (is_error(one) && (first == nullptr || rank(one.kind) < rank(first->kind))) first = &one;
    return first == nullptr ? Verdict::none : verdict_of(first->kind);
}

Diagnostic gap_of_the_kit(const vgpu::Finding& finding, const std::string& path, const std::string& source) {
    const vgpu::ThreadPlace& at = finding.place;
    const int column = column_of(line_of(source, at.line), finding.detail);
    Diagnostic diagnostic;
    diagnostic.blame = Blame::host;  // nobody's points
    diagnostic.code = to_string(finding.kind);
    diagnostic.title = fmt::format("the virtual GPU does not support {}", finding.detail);
    diagnostic.marks.push_back({path, at.line, column != 0 ? column : at.column,
                                column != 0 ? static_cast<int>(finding.detail.size()) : 1, finding.detail});
    diagnostic.facts.push_back(
        "this is a gap of the kit and costs no points; a GPU does not help, as it runs here first");
    if (at.called_from != 0) diagnostic.facts.push_back(fmt::format("called from line {}", at.called_from));
    diagnostic.help = "write this part another way, or ask your instructor";
    return diagnostic;
}

}  // namespace warpgrade
