#include "grade/proved_change.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "explain/change.hpp"
#include "grade/case_series.hpp"
#include "grade/triage.hpp"

namespace warpgrade {

namespace {

constexpr std::size_t first_changes = 8;  // most that help are among these
constexpr std::size_t most_changes = 32;
constexpr std::size_t most_with_libcu = 3;  // its functions are compiled anew for every version: 0.5 s each
constexpr std::size_t most_failed = 4;      // shapes that a change is tried on first

bool is_an_error(const Diagnostic& finding) { return finding.severity == Severity::error; }

bool is_failure(const CaseResult& one) { return one.verdict != Verdict::pass && one.verdict != Verdict::skipped; }

explain::Symptoms symptoms_of(const StageResult& result, const std::string& path) {
    explain::Symptoms symptoms;
    for (const Diagnostic& finding : result.findings) {
        if (finding.severity != Severity::error) continue;
        symptoms.codes.insert(finding.code);
        for (const SourceMark& mark : finding.marks)
            if (mark.path == path && mark.line != 0) symptoms.by_line[mark.line].insert(finding.code);
        if (finding.mend_line != 0) symptoms.by_line[finding.mend_line].insert(finding.code);
    }
    return symptoms;
}

// Of the cases as handed in, or where those are right, in another order; the smallest first.
std::vector<CaseToRun> failed_cases(const StageResult& result, const Problem& problem,
                                    std::span<const CaseToRun> hazards) {
    std::vector<CaseToRun> failed;
    for (const CaseResult& one : result.cases)
        if (is_failure(one) && one.variant.empty()) failed.push_back({one.shape, {}});
    if (failed.empty())
        for (const CaseToRun& hazard : hazards)
            for (const CaseResult& one : result.cases)
                if (is_failure(one) && one.variant == hazard.options.variant &&
                    one.shape.extents == hazard.shape.extents && one.shape.type == hazard.shape.type)
                    failed.push_back(hazard);
    std::stable_sort(failed.begin(), failed.end(), [&](const CaseToRun& a, const CaseToRun& b) {
        return problem.elements(a.shape) < problem.elements(b.shape);
    });
    if (failed.size() > most_failed) failed.resize(most_failed);
    return failed;
}

Diagnostic describe(const explain::Change& change, const Diagnostic& first, const std::string& path) {
    Diagnostic diagnostic;
    diagnostic.blame = Blame::learner;
    diagnostic.code = first.code;
    diagnostic.shape = first.shape;
    diagnostic.title = change.title;
    const std::size_t first_line = std::min(change.before.find('\n'), change.before.size());
    diagnostic.marks.push_back({path, change.at.line, change.at.column, std::max(1, static_cast<int>(first_line)), ""});
    return diagnostic;
}

// "change line 18", "add a line after line 16": what was done, as one does it.
std::string deed(const explain::Change& change) {
    const int more = static_cast<int>(std::count(change.before.begin(), change.before.end(), '\n'));
    if (more > 0) return fmt::format("change lines {} to {}", change.at.line, change.at.line + more);
    // What is added before something ends with the blanks in front of that, what is added after something begins so.
    const bool is_longer = change.after.size() > change.before.size();
    const bool begins_so = change.after.starts_with(change.before), ends_so = change.after.ends_with(change.before);
    if (is_longer && change.after.find(';') != std::string::npos && (begins_so || ends_so)) {
        const char first = change.after[begins_so ? change.before.size() : 0];
        return fmt::format("add a line {} line {}",
                           begins_so && (first == '\n' || is_blank(first)) ? "after" : "before", change.at.line);
    }
    return fmt::format("change line {}", change.at.line);
}

bool is_about(const Diagnostic& finding, int line, const std::string& path) {
    if (finding.severity != Severity::error) return false;
    if (finding.mend_line != 0) return finding.mend_line == line;
    return !finding.marks.empty() && finding.marks.front().path == path && finding.marks.front().line == line;
}

}  // namespace

std::vector<explain::Change> changes_to_try(const source::Facts& facts, const std::vector<explain::Rule>& rules,
                                            const std::string& path, const StageResult& result) {
    const bool has_libcu = std::any_of(facts.tree->tokens.includes.begin(), facts.tree->tokens.includes.end(),
                                       [](std::string_view include) { return include.starts_with("cuda/"); });
    return explain::changes_for(*facts.tree, facts, symptoms_of(result, path), rules,
                                has_libcu ? most_with_libcu : most_changes);
}

Result<std::optional<ProvedChange>> prove_change(const TrialBench& bench, std::span<const explain::Change> changes,
                                                 std::span<const CaseToRun> hazards, StageResult& result) {
    const auto failed = failed_cases(result, bench.problem, hazards);
    if (failed.empty() || std::none_of(result.findings.begin(), result.findings.end(), is_an_error))
        return std::optional<ProvedChange>();
    std::vector<std::string> versions;
    for (const explain::Change& change : changes) versions.push_back(change.text);
    std::vector<CaseToRun> all;
    for (const Shape& shape : bench.problem.shapes(bench.seed, bench.stage.types)) all.push_back({shape, {}});
    all.insert(all.end(), hazards.begin(), hazards.end());
    const std::span<const std::string> every = versions;
    std::size_t begin = 0;
    auto trial = try_versions(bench, every.first(std::min(first_changes, every.size())), failed, all);
    if (!trial) return trial.error();
    result.changes_tried = trial->tried;
    if (!trial->proved && every.size() > first_changes) {
        begin = first_changes;
        trial = try_versions(bench, every.subspan(begin), failed, all);
        if (!trial) return trial.error();
        result.changes_tried += trial->tried;
    }
    if (!trial->proved) return std::optional<ProvedChange>();
    return std::optional(ProvedChange{&changes[begin + *trial->proved], trial->shapes, all.size()});
}

ProvedEdit edit_of(const ProvedChange& proved) {
    const explain::Change& change = *proved.change;
    return {change.at.line, change.at.column, change.before, change.after, proved.shapes, proved.all};
}

bool is_edit(const ProvedEdit& edit, const explain::Change& change) {
    return change.at.line == edit.line && change.at.column == edit.column && change.before == edit.before &&
           change.after == edit.after;
}

void tell_proved(const ProvedChange& proved, const std::string& path, bool shows_change, StageResult& result) {
    const auto first_error = std::find_if(result.findings.begin(), result.findings.end(), is_an_error);
    if (first_error == result.findings.end()) return;
    const explain::Change& change = *proved.change;
    const int line = change.at.line;
    // What is known to be the cause is not in another line.
    if (first_error->mend_line != 0 && first_error->mend_line != line) return;
    auto told = std::find_if(result.findings.begin(), result.findings.end(),
                             [&](const Diagnostic& d) { return is_about(d, line, path); });
    if (told == result.findings.end()) {
        told = result.findings.insert(first_error, describe(change, *first_error, path));
        told->help = deed(change) + "; nothing else has to change";
    } else {
        std::rotate(first_error, told, told + 1);
        told = first_error;
        told->facts.push_back(change.title);
    }
    if (shows_change) told->help = change.help;
    told->mend_line = line;
    told->shapes_with_change = proved.shapes;
    told->facts.push_back(
        fmt::format("tried: {}, and {} of {} runs are right", deed(change), proved.shapes, proved.all));
    defer(result.findings, static_cast<std::size_t>(told - result.findings.begin()) + 1);
}

}  // namespace warpgrade
