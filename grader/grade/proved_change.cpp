#include "grade/proved_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "explain/change.hpp"
#include "explain/say.hpp"
#include "grade/case_series.hpp"
#include "grade/switched_changes.hpp"
#include "grade/triage.hpp"

namespace warpgrade {

namespace {

constexpr std::size_t first_changes = 8, next_changes = 32;  // most that help are among the first
constexpr std::size_t most_compiled = 72;                    // beside those that are a choice in one program
constexpr std::size_t most_changes = 448;
constexpr std::size_t most_choices = 64;  // of one program
constexpr std::uint64_t most_work_of_choices = 180'000'000;
constexpr std::size_t most_with_libcu = 3;  // its functions are compiled anew for every version: 0.5 s each
constexpr std::size_t most_failed = 4;      // shapes that a change is tried on first
// Where only large shapes fail, all others are right with almost any change: one that knows no mistake proves nothing.
constexpr std::uint64_t most_work_of_general = 24'000'000;

bool is_an_error(const Diagnostic& finding) { return finding.severity == Severity::error; }

bool is_failure(const CaseResult& one) { return one.verdict != Verdict::pass && one.verdict != Verdict::skipped; }

explain::Symptoms symptoms_of(const StageResult& result, const std::string& path) {
    explain::Symptoms symptoms;
    for (const Diagnostic& finding : result.findings) {
        if (finding.severity != Severity::error) continue;
        if (symptoms.codes.empty()) symptoms.first_code = finding.code;
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
    std::ranges::stable_sort(failed, [&](const CaseToRun& a, const CaseToRun& b) {
        return problem.useful_bytes(a.shape) < problem.useful_bytes(b.shape);
    });
    if (failed.size() > most_failed) failed.resize(most_failed);
    return failed;
}

int last_line_of(const explain::Change& change) {
    return change.at.line + static_cast<int>(std::ranges::count(change.before, '\n'));
}

bool is_within(const explain::Change& change, int line) {
    return change.at.line <= line && line <= last_line_of(change);
}

bool is_number_type(std::string_view word) {
    static constexpr std::array<std::string_view, 8> types{"int",  "float", "double", "unsigned",
                                                           "long", "short", "char",   "bool"};
    return std::ranges::find(types, word) != types.end();
}

using CodeTokens = std::vector<source::CodeToken>;

bool is_same(const source::CodeToken& a, const source::CodeToken& b) { return a.text == b.text; }

// Only the call of a barrier or a fence.
std::string barrier_in(const CodeTokens& added) {
    static constexpr std::array<std::string_view, 3> of_call{"(", ")", ";"};
    std::string kind;
    for (const source::CodeToken& token : added) {
        const bool is_barrier = token.text.starts_with("__sync"), is_fence = token.text.starts_with("__threadfence");
        if ((is_barrier || is_fence) && kind.empty())
            kind = is_barrier ? "a barrier" : "a fence";
        else if (std::ranges::find(of_call, token.text) == of_call.end())
            return {};
    }
    return kind;
}

bool has_word(const CodeTokens& tokens, std::string_view begins, bool is_whole) {
    return std::ranges::any_of(tokens, [&](const source::CodeToken& token) {
        return is_whole ? token.text == begins : token.text.starts_with(begins);
    });
}

// Of one token that becomes another one. `object`: of which it is a member, "" of none.
std::string kind_of_token(const source::CodeToken& gone, const source::CodeToken& added, std::string_view object) {
    static constexpr std::array<std::string_view, 6> comparisons{"<", "<=", ">", ">=", "==", "!="};
    const auto is_comparison = [&](const source::CodeToken& token) {
        return std::ranges::find(comparisons, token.text) != comparisons.end();
    };
    std::string_view kind = "name";
    if (is_comparison(gone) && is_comparison(added))
        kind = "comparison";
    else if (added.kind == source::TokenKind::number)
        kind = "number";
    else if (added.kind != source::TokenKind::word)
        kind = "operator";
    else if (is_number_type(added.text))
        kind = "type";
    else if (!object.empty())
        return fmt::format("another {} than `.{}`",
                           object.ends_with("Idx") || object.ends_with("Dim") ? "dimension" : "member", gone.text);
    return fmt::format("another {} than `{}`", kind, gone.text);
}

// What stands there instead or in addition, in a few words; "" where they do not say it.
std::string kind_of(const explain::Change& change) {
    const source::Tokens before = source::tokens_of(change.before), after = source::tokens_of(change.after);
    const auto [old_begin, new_begin] =
        std::mismatch(before.code.begin(), before.code.end(), after.code.begin(), after.code.end(), is_same);
    const auto [old_end, new_end] = std::mismatch(before.code.rbegin(), std::make_reverse_iterator(old_begin),
                                                  after.code.rbegin(), std::make_reverse_iterator(new_begin), is_same);
    const CodeTokens gone(old_begin, old_end.base()), added(new_begin, new_end.base());
    if (gone.empty() || (gone.size() == 1 && barrier_in(gone).empty()))
        if (std::string barrier = barrier_in(added); !barrier.empty()) return barrier;
    if (has_word(added, "atomic", false) && !has_word(gone, "atomic", false)) return "an atomic operation";
    if (has_word(added, "if", true) && !has_word(gone, "if", true)) return "a test";
    const auto is_exchange = [](const source::CodeToken& a, const source::CodeToken& b) {
        return a.text == b.text || (a.kind == source::TokenKind::word && b.kind == source::TokenKind::word);
    };
    if (gone.size() > 1 && std::equal(gone.begin(), gone.end(), added.begin(), added.end(), is_exchange) &&
        std::is_permutation(gone.begin(), gone.end(), added.begin(), added.end(), is_same))
        return "the same names in another order";
    if (gone.size() != 1 || added.size() != 1 || gone[0].kind != added[0].kind) return {};
    const bool is_member = old_begin - before.code.begin() > 1 && std::prev(old_begin)->text == ".";
    return kind_of_token(gone[0], added[0], is_member ? std::prev(old_begin, 2)->text : "");
}

// The first and the last line that become others.
std::pair<int, int> lines_of(const explain::Change& change) {
    const std::string &before = change.before, &after = change.after;
    const auto first = std::mismatch(before.begin(), before.end(), after.begin(), after.end()).first;
    const auto last =
        std::mismatch(before.rbegin(), std::make_reverse_iterator(first), after.rbegin(), after.rend()).first.base();
    const int begin = change.at.line + static_cast<int>(std::count(before.begin(), first, '\n'));
    return {begin, begin + static_cast<int>(std::count(first, std::max(first, last), '\n'))};
}

// "change line 18: another comparison than `<`", "add a barrier after line 16": what was done, as one does it.
std::string deed(const explain::Change& change) {
    if (!change.deed.empty()) return change.deed;
    const std::string kind = kind_of(change), to = kind.empty() ? "" : ": " + kind;
    // What is added before something ends with the blanks in front of that, what is added after something begins so.
    const bool is_longer = change.after.size() > change.before.size();
    const bool begins_so = change.after.starts_with(change.before), ends_so = change.after.ends_with(change.before);
    if (is_longer && change.after.find(';') != std::string::npos && (begins_so || ends_so)) {
        const char first = change.after[begins_so ? change.before.size() : 0];
        const bool is_after = begins_so && (first == '\n' || is_blank(first));
        return fmt::format("add {} {} line {}", kind.empty() ? "a line" : kind, is_after ? "after" : "before",
                           is_after ? last_line_of(change) : change.at.line);
    }
    const auto [first, last] = lines_of(change);
    if (last > first) return fmt::format("change lines {} to {}{}", first, last, to);
    return fmt::format("change line {}{}", first, to);
}

SourceMark mark_of(const explain::Change& change, const std::string& path) {
    if (const int first = lines_of(change).first; first > change.at.line) return {path, first, 0, 1, ""};
    const std::size_t first_line = std::min(change.before.find('\n'), change.before.size());
    return {path, change.at.line, change.before.empty() ? 0 : change.at.column,
            std::max(1, static_cast<int>(first_line)), ""};
}

bool is_about(const Diagnostic& finding, const explain::Change& change, const std::string& path) {
    if (finding.severity != Severity::error) return false;
    if (finding.mend_line != 0) return is_within(change, finding.mend_line);
    return !finding.marks.empty() && finding.marks.front().path == path && finding.marks.front().line == change.at.line;
}

// Of the stage's technique: what the text has of it, wrong as its output is, and what it has with a change.
class Technique {
public:
    Technique(const TrialBench& bench, const std::string& text) : bench_(bench), text_(text) {}
    // What loses some of it is no repair, nor is what knows no mistake and does not have all of it.
    bool is_kept_by(const TrialProgram& version, bool is_general) {
        if (bench_.stage.technique.empty()) return true;
        if (!is_known_) own_ = rules_that_hold(bench_, text_);
        is_known_ = true;
        const auto now = rules_that_hold(bench_, version);
        if (!now) return !is_general;
        const auto decided = std::ranges::count_if(
            bench_.stage.technique, [](const TechniqueRule& rule) { return !needs_other_shapes(rule.left); });
        if (is_general && std::ssize(*now) < decided) return false;
        return !own_ || std::ranges::includes(*now, *own_);
    }

private:
    const TrialBench& bench_;
    const std::string& text_;
    std::optional<std::set<std::size_t>> own_;
    bool is_known_ = false;
};

}  // namespace

std::vector<explain::Change> changes_to_try(const source::Facts& facts, const std::vector<explain::Rule>& rules,
                                            const std::string& path, const StageResult& result) {
    const bool has_libcu = std::ranges::any_of(facts.tree->tokens.includes,
                                               [](std::string_view include) { return include.starts_with("cuda/"); });
    return explain::changes_for(*facts.tree, facts, symptoms_of(result, path), rules,
                                has_libcu ? most_with_libcu : most_changes);
}

Result<std::optional<ProvedChange>> prove_change(const TrialBench& bench, std::span<const explain::Change> changes,
                                                 std::span<const CaseToRun> hazards, const std::string& text,
                                                 StageResult& result) {
    auto failed = failed_cases(result, bench.problem, hazards);
    if (failed.empty() || std::ranges::none_of(result.findings, is_an_error)) return std::optional<ProvedChange>();
    std::vector<CaseToRun> all;
    for (const Shape& shape : bench.problem.shapes(bench.seed, bench.stage.types)) all.push_back({shape, {}});
    all.insert(all.end(), hazards.begin(), hazards.end());
    vgpu::Budget of_choices(most_work_of_choices, bench.budget);
    Technique technique(bench, text);
    std::optional<ProvedChange> proved;
    std::vector<const explain::Change*> next;  // that are compiled together
    std::size_t most = first_changes;          // of them
    const auto try_next = [&]() -> Status {
        if (next.empty()) return Nothing{};
        std::vector<std::string> versions;
        for (const explain::Change* change : next) versions.push_back(change->text);
        const auto is_kept = [&](std::size_t number, const TrialProgram& version) {
            return technique.is_kept_by(version, next[number]->rule->is_general);
        };
        const auto trial = try_versions(bench, versions, failed, all, is_kept);
        if (!trial) return trial.error();
        result.changes_tried += trial->tried;
        if (trial->proved) proved = ProvedChange{next[*trial->proved], trial->shapes, all.size()};
        next.clear();
        most = next_changes;
        return Nothing{};
    };
    std::size_t compiled = 0;
    for (std::size_t begin = 0; begin < changes.size() && !proved; begin += most_choices) {
        const auto part = changes.subspan(begin, std::min(most_choices, changes.size() - begin));
        auto switched = SwitchedChanges::build(bench, text, part, of_choices);
        if (!switched) return switched.error();
        const std::uint64_t most_work = switched->most_work(0, failed.front());
        if (begin == 0) failed.front().options.most_warp_instructions = most_work;
        for (std::size_t i = 0; i < part.size() && !proved; ++i) {
            if (part[i].rule->is_general && most_work > most_work_of_general) continue;
            const bool is_tried = switched->has(i) || ++compiled <= most_compiled;
            if (is_tried && switched->is_worth_compiling(i, failed)) next.push_back(&part[i]);
            if (next.size() < most) continue;
            if (auto status = try_next(); !status) return status.error();
        }
        result.changes_tried += switched->tried();
        if (auto status = try_next(); !status) return status.error();
    }
    return proved;
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
    const auto first_error = std::ranges::find_if(result.findings, is_an_error);
    if (first_error == result.findings.end()) return;
    const explain::Change& change = *proved.change;
    const int line = lines_of(change).first;
    auto told = std::ranges::find_if(result.findings, [&](const Diagnostic& d) { return is_about(d, change, path); });
    const auto is_marked = [&](const SourceMark& mark) { return mark.path == path && mark.line == line; };
    if (told != first_error && first_error->mend_line == 0 && std::ranges::any_of(first_error->marks, is_marked))
        told = result.findings.end();
    // A line that a finding is sure of gives way only to one where something was found as well.
    if (is_sure_of_line(*first_error) && !is_within(change, first_error->mend_line) && told == result.findings.end())
        return;
    // What was found stays what is said, and the change names the line that it comes from.
    const bool is_elsewhere = told == result.findings.end(), was_deferred = told != first_error;
    auto& marks = first_error->marks;
    const auto marked = std::ranges::find_if(marks, is_marked);
    if (is_elsewhere && marked != marks.end())
        std::rotate(marks.begin(), marked, marked + 1);
    else if (is_elsewhere)
        marks.insert(marks.begin(), mark_of(change, path));
    else
        std::rotate(first_error, told, told + 1);
    told = first_error;
    told->facts.push_back(change.title);
    const bool is_answered = is_elsewhere || was_deferred || told->help.empty() || !change.deed.empty() ||
                             (told->help.ends_with('?') && !kind_of(change).empty());
    if (is_answered) told->help = deed(change) + "; that alone makes the output right";
    if (is_answered || told->mend_line == 0) told->mend_line = line;
    if (shows_change) told->help = change.help;
    told->shapes_with_change = proved.shapes;
    told->facts.push_back(say("tried_runs_right", deed(change), proved.shapes, proved.all));
    defer(result.findings, static_cast<std::size_t>(told - result.findings.begin()) + 1);
}

}  // namespace warpgrade
