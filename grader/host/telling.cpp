// What was found in a run of a program, in words.
#include <algorithm>

#include "course/technique.hpp"
#include "explain/wording.hpp"
#include "host/program.hpp"

namespace warpgrade::host {

namespace {

// What a compiler makes of a null pointer that is used, and of other undefined behaviour.
void describe_trap(const vgpu::Finding& finding, Diagnostic& diagnostic) {
    const bool is_division = finding.reason == vgpu::FindingReason::division_by_zero;
    diagnostic.title = is_division ? "host code divides by zero" : "host code stops with a trap";
    diagnostic.facts.clear();
    diagnostic.help = is_division ? "which value has the divisor here?"
                                  : "a null pointer that is used becomes a trap, and so does a function that should "
                                    "return a value and does not: which of them is on this line?";
}

}  // namespace

std::vector<Diagnostic> findings_of(const ProgramRun& run, const std::string& path, const std::string& source) {
    const source::Tree tree = source::parse(source);
    const source::Facts facts = source::facts_of(tree);
    std::vector<LaunchInfo> launches;
    for (const Launched& launched : run.launches)
        launches.push_back({launched.kernel, launched.grid, launched.block, launched.shared_bytes, launched.line});
    std::vector<Diagnostic> findings;
    for (const Mistake& mistake : run.mistakes) findings.push_back(describe(mistake, path, source));
    for (const vgpu::Finding& finding : run.findings) {
        findings.push_back(warpgrade::describe(finding, path, facts, Case(), &launches));
        if (finding.kernel.empty() && finding.kind == vgpu::FindingKind::trap) describe_trap(finding, findings.back());
        if (finding.kind == vgpu::FindingKind::invalid_launch && finding.place.line == run.unnoticed_line)
            findings.back().facts.push_back(unnoticed_text);
    }
    // An error that is not asked for comes of another one.
    const auto place = [](const Diagnostic& finding) {
        return finding.severity != Severity::error                       ? 2
               : finding.code == to_string(MistakeKind::unchecked_error) ? 1
                                                                         : 0;
    };
    std::ranges::stable_sort(findings, {}, place);
    return findings;
}

}  // namespace warpgrade::host
