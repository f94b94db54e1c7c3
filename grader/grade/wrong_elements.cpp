#include "grade/wrong_elements.hpp"

namespace warpgrade {
namespace {

constexpr std::size_t most_wrong_elements = 8;

bool names_an_element(const vgpu::Finding& finding) {
    using enum vgpu::FindingKind;
    switch (finding.kind) {
        case out_of_bounds:
        case out_of_bounds_shared:
        case misaligned:
        case uninitialized:
        case race_shared:
        case race_global: return !finding.buffer.empty() && !finding.is_freed;
        default: return false;
    }
}

}  // namespace

std::vector<WrongElement> wrong_elements(const CaseOutcome& outcome) {
    std::vector<WrongElement> found;
    for (const vgpu::Finding& finding : outcome.seen.findings) {
        if (found.size() == most_wrong_elements) break;
        if (!names_an_element(finding)) continue;
        const bool is_shared =
            finding.kind == vgpu::FindingKind::race_shared || finding.kind == vgpu::FindingKind::out_of_bounds_shared;
        WrongElement& element = found.emplace_back();
        element.kind = to_string(finding.kind);
        element.array = finding.buffer;
        element.space = is_shared ? "shared" : "";
        element.byte = finding.offset_bytes;
        element.accesses.push_back({finding.access, finding.place});
        if (finding.has_other) element.accesses.push_back({finding.other_access, finding.other});
    }
    const std::optional<Judgement>& judgement = outcome.seen.judgement;
    if (judgement && judgement->first_wrong && !outcome.seen.layout.empty()) {
        WrongElement& element = found.emplace_back();
        element.kind = judgement->code;
        element.array = outcome.seen.layout.back().name;
        element.space = "global";
        element.byte = static_cast<std::int64_t>(*judgement->first_wrong);
        if (const auto& store = outcome.seen.first_wrong; store && !store->kernel.empty())
            element.accesses.push_back({vgpu::AccessKind::write, store->place});
    }
    return found;
}

std::optional<vgpu::Dim3> block_of(const std::vector<WrongElement>& elements) {
    for (const WrongElement& element : elements)
        if (!element.accesses.empty()) return element.accesses.front().place.block;
    return std::nullopt;
}

}  // namespace warpgrade
