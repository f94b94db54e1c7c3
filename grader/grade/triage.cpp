#include "grade/triage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/listed.hpp"
#include "explain/say.hpp"

namespace warpgrade {

namespace {

enum class Near { anywhere, same_line, no_other_line, same_array };
enum class Then { drop, defer };

// "timeout/too_much_work": a code, and the kind of finding where a code has several.
struct Pair {
    std::string_view consequence, cause;
    Near near = Near::anywhere;
    Then then = Then::drop;
    std::string_view unless{};  // a finding that makes it another matter
    std::string_view help{};    // of a deferred one, where it can say more than defer()
};
constexpr std::string_view outside_first =
    "fix the out-of-bounds access on this line first; this one may go away with it";

constexpr std::array pairs{
    // What is read in no order with the store is in one order not stored yet.
    Pair{"uninitialized", "race_shared"},
    Pair{"uninitialized", "race_global", Near::same_line},
    // A barrier that not all threads reach orders nothing; a thread that is stopped in a loop reaches none.
    Pair{"uninitialized", "barrier_divergence"},
    Pair{"race_shared", "barrier_divergence", Near::anywhere, Then::drop, "timeout"},
    Pair{"barrier_divergence", "timeout"},
    // What is stored outside of an array is missing in it.
    Pair{"uninitialized", "out_of_bounds", Near::same_line},
    Pair{"uninitialized", "out_of_bounds_shared"},
    // A call that CUDA refuses sets nothing.
    Pair{"uninitialized", "out_of_bounds/call", Near::same_array},
    // Outside of its array a thread meets the elements of other threads.
    Pair{"race_global", "out_of_bounds", Near::same_line, Then::defer, {}, outside_first},
    Pair{"race_global", "out_of_bounds_shared", Near::same_line, Then::defer, {}, outside_first},
    Pair{"race_shared", "out_of_bounds_shared", Near::no_other_line, Then::defer, {}, outside_first},
    // One index of two arrays, too large for both.
    Pair{"out_of_bounds_shared", "out_of_bounds", Near::same_line, Then::defer},
    // What is added to without having been set is read later as well.
    Pair{"uninitialized/read", "uninitialized/atomic", Near::same_array, Then::defer},
    // What nothing sets before is not set where nothing is added, either.
    Pair{"not_written", "uninitialized/atomic", Near::same_array, Then::defer},
    // Each of these accesses costs more work than a right one, and how many blocks are too many depends on that.
    Pair{"timeout/too_many_blocks", "uninitialized"},
    Pair{"timeout/too_much_work", "uninitialized", Near::anywhere, Then::defer},
    Pair{"timeout/too_much_work", "out_of_bounds", Near::anywhere, Then::defer},
    Pair{"timeout/too_much_work", "out_of_bounds_shared", Near::anywhere, Then::defer},
    // What is read from a misaligned address is no index, and what a lane gives that takes no part is no value.
    Pair{"out_of_bounds", "misaligned", Near::anywhere, Then::defer},
    Pair{"out_of_bounds_shared", "misaligned", Near::anywhere, Then::defer},
    Pair{"wrong_output", "inactive_lane"},
    // What comes out wrong is to be mended first; only a program that is right can be too slow.
    Pair{"timeout/out_of_time", "wrong_output"},
    Pair{"timeout/out_of_time", "not_written"},
};

bool is_of(const Diagnostic& finding, std::string_view name) {
    const std::size_t slash = name.find('/');
    return finding.code == name.substr(0, slash) && (slash == name.npos || finding.kind == name.substr(slash + 1));
}

bool has_line(const Diagnostic& finding, int line) {
    return line != 0 &&
           std::ranges::any_of(finding.marks, [line](const SourceMark& mark) { return mark.line == line; });
}

bool explains(const Pair& pair, const Diagnostic& cause, const Diagnostic& finding) {
    if (!is_of(cause, pair.cause) || cause.severity != Severity::error) return false;
    switch (pair.near) {
        case Near::anywhere: return true;
        case Near::same_line: return has_line(cause, first_line(finding));
        case Near::no_other_line:
            return std::ranges::all_of(finding.marks, [&](const SourceMark& m) { return has_line(cause, m.line); });
        case Near::same_array: return !finding.object.empty() && cause.object == finding.object;
    }
    return false;
}

// What is sure of another line than its cause's keeps its advice, for who sees it again.
void defer_to(const Diagnostic& cause, Diagnostic& finding, std::string_view help) {
    const std::string own = finding.help;
    const bool is_sure = help.empty() && is_sure_of_line(finding) && !has_line(cause, finding.mend_line) &&
                         cause.mend_line != finding.mend_line;
    defer(finding, help);
    if (is_sure && finding.help != own) finding.help = say("fix_first_problem_above", own);
}

bool is_error_of(const std::vector<Diagnostic>& findings, std::string_view name) {
    return std::ranges::any_of(
        findings, [name](const Diagnostic& one) { return is_of(one, name) && one.severity == Severity::error; });
}

// A warning of what is an error elsewhere says nothing more.
bool is_warned_again(const std::vector<Diagnostic>& findings, const Diagnostic& finding) {
    return finding.code == "barrier_divergence" && finding.severity == Severity::warning &&
           is_error_of(findings, finding.code);
}

// One array that is too small, not filled, or not waited for is met on each line that uses it.
bool is_same_again(const Diagnostic& first, const Diagnostic& finding) {
    if (finding.code != first.code || finding.severity != first.severity || first_line(finding) == 0) return false;
    if (finding.code == "out_of_bounds_shared") return !finding.object.empty() && finding.object == first.object;
    if (finding.code == "barrier_divergence" && finding.severity != Severity::warning)
        return (finding.marks.size() > 1 && finding.marks[1].line == first_line(first)) ||
               (finding.mend_line != 0 && finding.mend_line == first.mend_line);
    if (finding.title != first.title) return false;
    const bool share_a_line =
        std::ranges::any_of(first.marks, [&](const SourceMark& mark) { return has_line(finding, mark.line); });
    // One test that is to keep threads from all of them.
    const bool is_half = finding.code == "race_shared" && finding.marks.size() == 1 &&
                         first.marks.size() == 1;  // the line of the other thread is not known
    const bool share_a_cause = finding.mend_line != 0 && finding.mend_line == first.mend_line;
    return finding.code == "uninitialized" || finding.code == "barrier_divergence" ||
           (finding.code.starts_with("race_") && (share_a_line || is_half)) ||
           (finding.code == "out_of_bounds" && share_a_cause);
}

void join_same(std::vector<Diagnostic>& findings) {
    for (std::size_t i = 0; i < findings.size(); ++i) {
        std::set<int> more;
        for (std::size_t k = i + 1; k < findings.size();) {
            if (!is_same_again(findings[i], findings[k])) {
                ++k;
                continue;
            }
            for (const SourceMark& mark : findings[k].marks) more.insert(mark.line);
            findings.erase(findings.begin() + static_cast<std::ptrdiff_t>(k));
        }
        for (const SourceMark& mark : findings[i].marks) more.erase(mark.line);
        if (!more.empty() && (findings[i].code != "barrier_divergence" || findings[i].severity == Severity::warning))
            findings[i].facts.push_back(
                fmt::format("the same in line{} {}", more.size() == 1 ? "" : "s", listed(more)));
    }
}

int rank_of(const Diagnostic& finding) {
    return finding.code == "untouched_stub"        ? 0
           : finding.severity == Severity::error   ? 1
           : finding.severity == Severity::warning ? 2
                                                   : 3;
}

// What goes outside of a thread's own array, or a launch that is refused, explains all that follows.
void defer_after_first(std::vector<Diagnostic>& findings, const std::set<std::string>& refused_shapes) {
    const auto own_array = std::ranges::find_if(findings, [](const Diagnostic& one) {
        return one.code == "out_of_bounds_local" && one.severity == Severity::error;
    });
    if (own_array != findings.end()) {
        std::rotate(findings.begin(), own_array, own_array + 1);
        defer(findings, 1);
    }
    if (findings.empty() || findings.front().code != "invalid_launch" || findings.front().severity != Severity::error)
        return;
    for (Diagnostic& finding : findings)
        if (finding.code != "invalid_launch" && refused_shapes.contains(finding.shape)) defer(finding);
}

}  // namespace

int first_line(const Diagnostic& finding) { return finding.marks.empty() ? 0 : finding.marks.front().line; }

std::string code_and_title(const Diagnostic& finding) {
    const int line = first_line(finding);
    return fmt::format("{}{}: {}", finding.code, line != 0 ? fmt::format(", line {}", line) : "", finding.title);
}

bool is_sure_of_line(const Diagnostic& finding) {
    return finding.mend_line != 0 && (finding.shapes_with_change != 0 || !finding.help.ends_with('?'));
}

void defer(Diagnostic& finding, std::string_view help) {
    if (finding.severity != Severity::advice && finding.code != "index_overflow")
        finding.help = help.empty() ? say("fix_first_problem_above_may") : help;
}

void defer(std::vector<Diagnostic>& findings, std::size_t first) {
    for (std::size_t i = first; i < findings.size(); ++i) defer(findings[i]);
}

void triage(std::vector<Diagnostic>& findings, const std::set<std::string>& refused_shapes) {
    constexpr std::size_t none = static_cast<std::size_t>(-1);
    std::vector<bool> is_dropped(findings.size());
    std::vector<std::size_t> waits_for(findings.size(), none);
    for (std::size_t i = 0; i < findings.size(); ++i) {
        is_dropped[i] = is_warned_again(findings, findings[i]);
        for (const Pair& pair : pairs) {
            if (!is_of(findings[i], pair.consequence)) continue;
            if (!pair.unless.empty() && is_error_of(findings, pair.unless)) continue;
            for (std::size_t k = 0; k < findings.size(); ++k) {
                if (k == i || !explains(pair, findings[k], findings[i])) continue;
                if (pair.then == Then::drop)
                    is_dropped[i] = true;
                else if (waits_for[i] == none)
                    waits_for[i] = k;
                if (waits_for[i] == k) defer_to(findings[k], findings[i], pair.help);
            }
        }
    }
    std::vector<Diagnostic> ordered;
    std::vector<bool> is_placed = is_dropped;
    const auto place = [&](std::size_t i) {
        if (!is_placed[i]) ordered.push_back(std::move(findings[i]));
        is_placed[i] = true;
    };
    for (std::size_t i = 0; i < findings.size(); ++i) {
        if (waits_for[i] != none && !is_dropped[i]) place(waits_for[i]);
        place(i);
    }
    findings = std::move(ordered);
    join_same(findings);
    std::ranges::stable_sort(findings,
                             [](const Diagnostic& a, const Diagnostic& b) { return rank_of(a) < rank_of(b); });
    defer_after_first(findings, refused_shapes);
}

}  // namespace warpgrade
