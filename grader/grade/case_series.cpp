#include "grade/case_series.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "base/confined.hpp"
#include "base/listed.hpp"
#include "grade/evidence.hpp"
#include "grade/triage.hpp"
#include "problem/pattern.hpp"
#include "run/access_place.hpp"
#include "run/cases.hpp"
#include "run/guard_text.hpp"
#include "run/placing.hpp"
#include "run/wording.hpp"
#include "source/questions.hpp"

namespace warpgrade {

using vgpu::FindingKind;

void add_finding(std::vector<Diagnostic>& findings, Diagnostic diagnostic) {
    // Lines in order, so that a race told from either side is one race.
    const auto lines = [](const Diagnostic& d) {
        std::set<int> all;
        for (const SourceMark& mark : d.marks) all.insert(mark.line);
        return all;
    };
    const auto is_placed = [&](const Diagnostic& d) { return !d.marks.empty() && *lines(d).rbegin() != 0; };
    // Where it was stopped may be known for one shape and not for another.
    if (diagnostic.code == "timeout")
        for (Diagnostic& known : findings)
            if (known.code == diagnostic.code && known.title == diagnostic.title &&
                is_placed(known) != is_placed(diagnostic)) {
                if (!is_placed(known)) known = std::move(diagnostic);
                return;
            }
    for (Diagnostic& known : findings) {
        if (known.code != diagnostic.code || lines(known) != lines(diagnostic)) continue;
        // Places in the source tell findings apart; where there is none, what was found does.
        if (!is_placed(known) && known.title != diagnostic.title) continue;
        if (known.severity == Severity::warning && diagnostic.severity == Severity::error)
            known = std::move(diagnostic);
        return;
    }
    findings.push_back(std::move(diagnostic));
}

namespace {

int first_line(const Diagnostic& d) { return d.marks.empty() ? 0 : d.marks.front().line; }

}  // namespace

namespace {

// What a wrong index leads to, and no wrong launch or loop.
bool is_of_access(const Diagnostic& finding) {
    static constexpr std::array codes{"out_of_bounds", "out_of_bounds_shared", "uninitialized", "race_global",
                                      "race_shared",   "misaligned",           "write_to_input"};
    return std::find(codes.begin(), codes.end(), finding.code) != codes.end();
}

}  // namespace

void CaseSeries::add(CaseOutcome outcome, vgpu::Budget* budget) {
    if (evidence_ != nullptr) evidence_->steps.push_back(step_of(outcome));
    for (const LaunchInfo& launch : launches_of(outcome.run.plan))
        if (launch.shared_bytes != 0) dynamic_shared_sizes_.insert(launch.shared_bytes);
    for (const vgpu::Finding& finding : outcome.run.result.findings)
        if (finding.kind == vgpu::FindingKind::barrier_divergence && finding.detail == "ended")
            most_ended_before_barriers_ = std::max(most_ended_before_barriers_, finding.value);
    const Verdict verdict = outcome.result.verdict;
    const std::string shape = describe_case(outcome.result.shape);
    name_largest_in(outcome);
    work_ += outcome.work;
    if (outcome.work > largest_work_) {
        largest_work_ = outcome.work;
        largest_ = shape;
    }
    // Who needs too much once has the other shapes looked at, and no more such wait.
    constexpr std::uint64_t after_timeout = 120'000'000;
    if (verdict == Verdict::timeout && budget != nullptr && budget->left() > after_timeout)
        budget->spend(budget->left() - after_timeout);
    if (verdict == Verdict::timeout && timeouts_ == 0) first_timeout_ = shape;
    if (verdict == Verdict::timeout && ++timeouts_ == 3)
        stop_reason_ = fmt::format("the submission took too much work on {} and two more shapes", first_timeout_);
    if (!outcome.stops.empty() && stop_reason_.empty()) stop_reason_ = outcome.stops;
    if (verdict == Verdict::fault && faults_ == 0) first_fault_ = shape;
    if (verdict == Verdict::fault && ++faults_ == 3)
        stop_reason_ = fmt::format("the submission failed on {} and two more shapes", first_fault_);
    std::set<std::pair<std::string, int>> own;
    for (const Diagnostic& finding : outcome.findings) own.emplace(finding.code, first_line(finding));
    if (verdict == Verdict::launch_error) refused_shapes_.insert(shape_argument(outcome.result.shape));
    for (const auto& one : own) ++seen_[one];
    for (Diagnostic& finding : outcome.findings) finding.shape = shape_argument(outcome.result.shape);
    if (outcome.wrong) outcome.wrong->shape = shape_argument(outcome.result.shape);
    for (Diagnostic& finding : outcome.findings) add_finding(result_.findings, std::move(finding));
    if (outcome.wrong) note_wrong(*outcome.result.judgement, std::move(*outcome.wrong), outcome.result.shape);
    if (outcome.passed() && outcome.result.variant.empty())
        observed_.emplace_back(outcome.result.shape, outcome.prepared.observed);
    for (const auto& [line, meeting] : outcome.run.result.meetings)
        if (!meeting.is_followed && !meetings_.contains(line)) unfollowed_on_[line] = shape;
    vgpu::add(meetings_, outcome.run.result.meetings);
    if (result_.output.empty()) note_output(outcome);
    result_.cases.push_back(std::move(outcome.result));
    work_is_right_so_far(is_right_so_far());
    if (on_case_) on_case_(result_.cases.size());
}

// The shape on which a check stops is seldom the one that took the work.
void CaseSeries::name_largest_in(CaseOutcome& outcome) const {
    if (!outcome.is_check_spent || largest_work_ <= outcome.work) return;
    for (Diagnostic& finding : outcome.findings)
        if (finding.code == "timeout")
            finding.facts.push_back(fmt::format(
                "what a check does is used up: the shapes before took the work of {} warp instructions, {} of it {}",
                work_, largest_work_, largest_));
}

void CaseSeries::report_unfollowed(const std::string& path, const std::string& source) {
    std::set<int> lines;
    std::set<std::string> buffers;
    std::string shape;
    for (const auto& [place, meeting] : meetings_) {
        if (meeting.is_followed || place.second == 0) continue;
        lines.insert(place.second);
        buffers.insert("`" + meeting.buffer + "`");
        if (shape.empty()) shape = unfollowed_on_[place];
    }
    if (lines.empty() || !all_passed()) return;
    Diagnostic diagnostic;
    diagnostic.blame = Blame::learner;
    diagnostic.severity = Severity::warning;
    diagnostic.code = "not_looked_at";
    diagnostic.title =
        fmt::format("not all that is done to {} was looked at for races within a block", listed(buffers));
    diagnostic.marks.push_back(mark_of_line(*lines.begin(), path, source, ""));
    diagnostic.facts = {
        fmt::format("line{} {} only in launches too large to be followed from access to access, as on {}",
                    lines.size() == 1 ? "" : "s", listed(lines) + (lines.size() == 1 ? " runs" : " run"), shape),
        "what comes out is right, and blocks do not get into each other's way"};
    diagnostic.help = "while you test, let a smaller size, with fewer blocks, come to these lines";
    result_.findings.push_back(std::move(diagnostic));
}

void CaseSeries::note_output(const CaseOutcome& outcome) {
    result_.output = outcome.run.result.output;
    const std::string shape = ", on " + describe_case(outcome.result.shape);
    if (!outcome.run.plan.output.empty())
        result_.printed.push_back({"the launcher" + shape, escape_output(outcome.run.plan.output)});
    const auto launches = launches_of(outcome.run.plan);
    for (const DeviceRun::Printed& printed : outcome.run.printed)
        result_.printed.push_back({fmt::format("{}, launch {} of {}{}", launches[printed.launch].kernel,
                                               printed.launch + 1, launches.size(), shape),
                                   escape_output(printed.text)});
}

void CaseSeries::note_wrong(const Judgement& judgement, Diagnostic diagnostic, const Shape& shape) {
    const int is_general = shape.shape_class != "thin" && shape.shape_class != "small";
    constexpr std::int64_t large = 1 << 18;
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape.extents) elements *= extent;
    const bool is_certain = is_general != 0 && judgement.is_cause && elements >= large;
    for (Mistake& known : mistakes_) {
        if (known.pattern != judgement.pattern) continue;
        ++known.cases;
        known.general_cases += is_general;
        known.is_certain = known.is_certain || is_certain;
        return;
    }
    mistakes_.push_back({judgement.pattern, judgement.is_recognised, judgement.is_cause, 1, is_general, is_certain,
                         std::move(diagnostic)});
}

namespace {

// What follows from any mistake in a sum, and so names none.
bool is_weak(const std::string& pattern) {
    return pattern == "inaccurate" || pattern == "special_lost" || pattern == "element_lost" ||
           pattern == "element_repeated";
}

}  // namespace

// What the first wrong element is the sum of, where there are many.
void CaseSeries::explain_elements(const Counting& counting, const Submitted& text) {
    const auto unknown =
        std::find_if(mistakes_.begin(), mistakes_.end(), [](const Mistake& m) { return m.pattern == "unknown"; });
    if (unknown == mistakes_.end()) return;
    for (const CaseResult& one : result_.cases) {
        if (one.verdict != Verdict::wrong || !one.variant.empty() || !one.judgement || !one.judgement->first_wrong)
            continue;
        if (one.judgement->pattern != "unknown" || shape_argument(one.shape) != unknown->diagnostic.shape) continue;
        if (auto counted = counting.output(one.shape, *one.judgement->first_wrong)) {
            unknown->diagnostic.facts.push_back(std::move(counted->fact));
            if (!counted->help.empty()) unknown->diagnostic.help = std::move(counted->help);
            if (!counted->title.empty()) unknown->diagnostic.title = std::move(counted->title);
            if (counted->line != 0) unknown->diagnostic.marks = {text.mark(counted->line)};
        }
        return;
    }
}

bool CaseSeries::are_errors_rare(int many) const {
    return std::all_of(result_.findings.begin(), result_.findings.end(), [&](const Diagnostic& d) {
        const auto seen = seen_.find({d.code, first_line(d)});
        return d.severity != Severity::error || (seen != seen_.end() && 4 * seen->second <= many);
    });
}

namespace {

// piece = n / threads;
SourceMark mark_of_rounded_share(const Submitted& text) {
    const source::Tree& tree = *text.facts.tree;
    for (const source::Definition& share : text.facts.definitions) {
        const source::NodeId value = binary(tree, share.value, "/");
        if (value != source::no_node && plain_name(tree, tree[value].child) == "n")
            return text.mark(share.at.line, "rounded down");
    }
    return {};
}

}  // namespace

void CaseSeries::explain_counts(const Counting& counting, const Submitted& text) {
    const auto is_open = [](const Mistake& m) { return !m.is_recognised; };
    const auto may_be_counts = [](const Mistake& m) {
        return m.diagnostic.code == "wrong_output" && m.pattern != "narrowed" && m.pattern != "divided";
    };
    std::vector<Shape> wrong;
    for (const CaseResult& one : result_.cases)
        if (one.verdict == Verdict::wrong && one.variant.empty()) wrong.push_back(one.shape);
    if (std::none_of(mistakes_.begin(), mistakes_.end(), may_be_counts) ||
        !are_errors_rare(static_cast<int>(wrong.size())))
        return;
    rounded_ = mark_of_rounded_share(text);
    explain_elements(counting, text);
    const auto open = std::find_if(mistakes_.begin(), mistakes_.end(), is_open);
    const auto counted = counting.elements(wrong, open == mistakes_.end());
    if (!counted || (counted->pattern.empty() && open == mistakes_.end())) return;
    if (counted->pattern.empty()) {
        if (open->pattern == "wrong_sum" && !counted->title.empty()) {
            open->diagnostic.title = counted->title;
            open->diagnostic.shape = counted->shape;
            open->diagnostic.facts = {"shape " + counted->shape, counted->sums};
        }
        open->diagnostic.facts.push_back(counted->fact);
        open->diagnostic.facts.insert(open->diagnostic.facts.end(), counted->facts.begin(), counted->facts.end());
        if (open->pattern != "odd_block") open->diagnostic.help = counted->help;  // that says why
        if (counted->line != 0) open->diagnostic.marks = {text.mark(counted->line)};
        return;
    }
    // What is known of every block explains what all shapes look like.
    Mistake cause = *std::find_if(mistakes_.begin(), mistakes_.end(), may_be_counts);
    cause.pattern = counted->pattern;
    cause.is_recognised = cause.is_cause = true;
    cause.cases = 0;
    for (const Mistake& m : mistakes_)
        if (may_be_counts(m)) cause.cases += m.cases;
    std::erase_if(mistakes_, may_be_counts);
    Diagnostic& told = cause.diagnostic;
    told.title = counted->title;
    told.help = counted->help;
    told.mend_line = counted->todo;
    told.facts.clear();
    if (!counted->shape.empty()) {
        told.shape = counted->shape;
        told.facts.push_back("shape " + counted->shape);
    }
    if (!counted->sums.empty()) told.facts.push_back(counted->sums);
    told.facts.push_back(counted->fact);
    told.facts.insert(told.facts.end(), counted->facts.begin(), counted->facts.end());
    told.marks = {counted->line != 0 ? text.mark(counted->line) : SourceMark{text.path, 0, 0, 1, ""}};
    mistakes_.insert(mistakes_.begin(), std::move(cause));
}

namespace {

// "`tile` holds int, as line 10 has it": the shared array that the line stores to; "" where it holds no whole numbers.
Advice narrow_array(const source::Facts& facts, int line) {
    const source::SharedArray* const array = only_shared_array(facts, stored_array(facts, line));
    if (array == nullptr || array->type.find("int") == array->type.npos) return {};
    return {
        fmt::format("`{}` holds int, as line {} has it: make it the type of the elements", array->name, array->line),
        array->line};
}

}  // namespace

void CaseSeries::explain_rounding(const NarrowValue& value, const std::string& path, const std::string& source) {
    const auto is_off = [&](const Mistake& m) {
        return m.pattern == "inaccurate" || m.pattern == "rounded" || m.pattern == "overflowed" ||
               m.pattern == "digits_lost" || (m.pattern == "unknown" && value.into == "whole numbers");
    };
    const auto first = std::find_if(mistakes_.begin(), mistakes_.end(), is_off);
    if (first == mistakes_.end()) return;
    Mistake narrowed = std::move(*first);
    narrowed.is_recognised = narrowed.is_cause = true;
    const bool is_moved = narrowed.pattern == "digits_lost" || narrowed.pattern == "unknown";
    narrowed.diagnostic.title =
        is_moved ? fmt::format("values are turned into {}, and stored like that", value.into)
                 : fmt::format("values are turned into {}, and the sum is off by more than additions of floats are",
                               value.into);
    narrowed.pattern = "narrowed";
    narrowed.diagnostic.marks = {{path, value.line, 0, 1, "here"}};
    narrowed.diagnostic.help = is_moved ? "keep them in the type of the elements, from the load to the store"
                                        : "keep them in float, from the load to the store of the sum";
    source::Reading reading;
    if (Advice array = narrow_array(reading.of(source), value.line); !array.empty())
        give(narrowed.diagnostic, std::move(array));
    mistakes_.erase(first);
    // Of contents that are made to show such things the rest is a consequence: those cannot be given by --shape.
    for (const Mistake& m : mistakes_)
        if (is_off(m) || m.diagnostic.shape.empty()) narrowed.cases += m.cases;
    std::erase_if(mistakes_, [&](const Mistake& m) { return is_off(m) || m.diagnostic.shape.empty(); });
    mistakes_.insert(mistakes_.begin(), std::move(narrowed));
}

// Nothing on small shapes and something on large ones: what does not fill a turn of some loop is left out.
void CaseSeries::explain_zeros() {
    const auto of = [&](std::string_view pattern) {
        return std::find_if(mistakes_.begin(), mistakes_.end(), [&](const Mistake& m) { return m.pattern == pattern; });
    };
    const auto zero = of("zero"), some = of("wrong_sum"), tail = of("tail_missing");
    if (zero != mistakes_.end() && tail != mistakes_.end() && tail->diagnostic.shape.size() > 4) {
        const std::string shape = zero->diagnostic.shape;
        tail->diagnostic.facts.push_back(fmt::format("on {} nothing at all is counted", shape));
        tail->diagnostic.help =
            "whole turns, or whole pieces, alone are added: who takes what a division rounds off, and all of it where "
            "there are fewer elements than threads?";
        tail->cases += zero->cases;
        tail->general_cases += zero->general_cases;
        mistakes_.erase(zero);
        return;
    }
    if (zero == mistakes_.end() || some == mistakes_.end() || some->diagnostic.title != "the sum is too small") return;
    const auto name = [](const Mistake& m) {
        return m.diagnostic.shape.empty() ? std::string("other contents") : m.diagnostic.shape;
    };
    zero->diagnostic.title =
        fmt::format("elements are left out: on {} all of them, on {} some", name(*zero), name(*some));
    zero->diagnostic.help =
        "does a loop or a test leave out what does not fill a whole turn, or is there an = where += is meant?";
    if (rounded_.line != 0) {
        zero->diagnostic.marks = {rounded_};
        zero->diagnostic.help = fmt::format(
            "the division in line {} gives 0 where there are fewer elements than shares, and what it leaves over, n % "
            "shares, is in none",
            rounded_.line);
    }
    zero->cases += some->cases;
    mistakes_.erase(some);
}

namespace {

// Whoever is inside stores nothing, and who is outside does.
void turn_test_round(Diagnostic& finding, std::string shape, const std::string& source) {
    if (const auto by = shape.find('x'); by != std::string::npos) shape.replace(by, 1, " x ");
    const int line = first_line(finding);
    source::Reading reading;
    const source::Facts& facts = reading.of(source);
    const auto guards = guards_before(facts, line, stored_array(facts, line));
    finding.help = fmt::format(
        "on {} no thread stores at all, and here one that is outside does: is the test{} the "
        "wrong way round?",
        shape, guards.empty() ? "" : fmt::format(" in line {}", guards.front().line));
    if (guards.empty() || guards.front().line == line) return;
    const std::string path = finding.marks.front().path;
    finding.marks.insert(finding.marks.begin(), mark_of_line(guards.front().line, path, source, test_label));
}

// "right for float and double, wrong for unsigned char": types of which all shapes come out right, where there are any.
std::string wrong_types(const std::vector<CaseResult>& cases) {
    std::vector<std::string> right, wrong;
    const auto add = [](std::vector<std::string>& to, const std::string& type) {
        if (std::find(to.begin(), to.end(), type) == to.end()) to.push_back(type);
    };
    for (const CaseResult& one : cases)
        if (one.verdict != Verdict::pass && one.verdict != Verdict::skipped) add(wrong, one.shape.type);
    for (const CaseResult& one : cases)
        if (one.verdict == Verdict::pass && std::find(wrong.begin(), wrong.end(), one.shape.type) == wrong.end())
            add(right, one.shape.type);
    if (right.empty() || wrong.empty()) return {};
    return fmt::format("right for {}; wrong for {}", fmt::join(right, ", "), fmt::join(wrong, ", "));
}

// What is wrong with the grid shows in launches that CUDA refuses, too, or that no check runs.
bool is_of_grid(const std::string& pattern) { return pattern == "grid_turned" || pattern == "grid_rows_cols_swapped"; }

}  // namespace

void CaseSeries::report_wrong(const std::string& source) {
    explain_zeros();
    const auto drop = [&](auto&& is_dropped) { std::erase_if(mistakes_, is_dropped); };
    const auto any = [&](auto&& is_it) { return std::any_of(mistakes_.begin(), mistakes_.end(), is_it); };
    // What a read outside brings in is nobody's value either.
    const bool reads_outside = std::any_of(result_.findings.begin(), result_.findings.end(), [](const Diagnostic& d) {
        return d.severity == Severity::error && (d.code == "out_of_bounds" || d.code == "out_of_bounds_shared");
    });
    // What is read before it is stored is anything, and so is what is made of it: the read has a line.
    const auto unwritten = std::find_if(result_.findings.begin(), result_.findings.end(), [](const Diagnostic& d) {
        return d.severity == Severity::error && d.code == "uninitialized";
    });
    const auto is_poison = [](const Mistake& m) { return m.pattern == "poison_included"; };
    const auto poison = std::find_if(mistakes_.begin(), mistakes_.end(), is_poison);
    if (unwritten != result_.findings.end() && poison != mistakes_.end() && !reads_outside)
        unwritten->facts.push_back(
            fmt::format("so the sum is not a sum of elements: {} out wrong",
                        poison->cases == 1 ? "1 shape comes" : fmt::format("{} shapes come", poison->cases)));
    const bool lacks_lanes = std::any_of(result_.findings.begin(), result_.findings.end(), [](const Diagnostic& d) {
        return d.severity == Severity::error && d.code == "inactive_lane";
    });
    if (lacks_lanes && poison != mistakes_.end()) defer(poison->diagnostic);
    if (reads_outside || unwritten != result_.findings.end()) drop(is_poison);
    if (unwritten != result_.findings.end())
        drop([](const Mistake& m) {
            return (!m.is_recognised && m.diagnostic.code == "wrong_output") || is_weak(m.pattern) ||
                   m.pattern == "garbage" || m.pattern == "constant" || m.pattern == "not_a_number" ||
                   m.pattern == "uninitialized_shared";
        });
    int all = 0;
    for (const Mistake& m : mistakes_) all += m.cases;
    // One that fits a few shapes, and not the many others that are wrong, fits by chance.
    const bool has_general = any([](const Mistake& m) { return !m.is_recognised && m.general_cases > 0; });
    if (has_general)
        drop([&](const Mistake& m) {
            return m.is_recognised && !m.is_certain && !is_weak(m.pattern) &&
                   (8 * m.cases < all || m.general_cases == 0 || (m.pattern == "nothing_added" && 2 * m.cases < all));
        });
    if (any([](const Mistake& m) { return !is_weak(m.pattern); }))
        drop([](const Mistake& m) { return is_weak(m.pattern); });
    if (any([](const Mistake& m) { return m.is_recognised; })) drop([](const Mistake& m) { return !m.is_recognised; });
    // Blocks that leave gaps leave out the end as well.
    if (any([](const Mistake& m) { return m.pattern == "blocks_apart"; }))
        drop([](const Mistake& m) { return m.pattern == "grid_too_small"; });
    // Where nothing at all is written, every mistake in what is written looks alike.
    const auto is_nothing = [](const Mistake& m) { return m.pattern == "nothing_written"; };
    const bool tells_more = any([&](const Mistake& m) { return m.diagnostic.code == "not_written" && !is_nothing(m); });
    const auto nothing = std::find_if(mistakes_.begin(), mistakes_.end(), is_nothing);
    if (tells_more && nothing != mistakes_.end() && 2 * nothing->cases < all) drop(is_nothing);
    // What the wrong elements hold says less than where they come from.
    const auto is_symptom = [](const Mistake& m) {
        return m.pattern == "zeros" || m.pattern == "not_a_number" || m.pattern == "constant";
    };
    std::stable_sort(mistakes_.begin(), mistakes_.end(), [&](const Mistake& a, const Mistake& b) {
        return is_symptom(a) != is_symptom(b) ? is_symptom(b) : a.cases > b.cases;
    });
    // A cause seen on most shapes explains what the others look like.
    all = 0;
    for (const Mistake& m : mistakes_) all += m.cases;
    const bool is_of_most = !mistakes_.empty() && 2 * mistakes_.front().cases >= all;
    if (is_of_most && mistakes_.front().is_cause) mistakes_.resize(1);
    if (is_of_most && mistakes_.front().is_recognised && !is_symptom(mistakes_.front())) drop(is_symptom);
    // What is not written can look like another mistake on the few shapes that do not tell them apart.
    int most = 0;
    for (const Mistake& m : mistakes_)
        if (m.diagnostic.code == "not_written") most = std::max(most, m.cases);
    drop([&](const Mistake& m) { return m.diagnostic.code == "not_written" && 2 * m.cases < most; });
    // What fits a few shapes of a sum by chance, where one thing explains the many.
    const auto is_by_chance = [&](const Mistake& m) {
        static constexpr std::array pieces{"grid_too_small",  "only_first_block",   "only_one_block",
                                           "tree_incomplete", "tail_twice",         "partial_sums_lost",
                                           "lanes_lost",      "every_other",        "second_load_missing",
                                           "blocks_apart",    "first_load_missing", "second_launch_of_input"};
        return 8 * m.cases <= mistakes_.front().cases &&
               std::find(pieces.begin(), pieces.end(), m.pattern) != pieces.end();
    };
    if (!mistakes_.empty() && mistakes_.front().is_recognised)
        mistakes_.erase(std::remove_if(mistakes_.begin() + 1, mistakes_.end(), is_by_chance), mistakes_.end());
    if (mistakes_.size() > 2) mistakes_.resize(2);
    // Nobody stores on shapes of whole tiles, and who is outside does on others: the test lets the wrong ones through.
    const auto stores_nothing = std::find_if(mistakes_.begin(), mistakes_.end(), is_nothing);
    if (reads_outside && stores_nothing != mistakes_.end()) {
        for (Diagnostic& finding : result_.findings)
            if (finding.code == "out_of_bounds") turn_test_round(finding, stores_nothing->diagnostic.shape, source);
        mistakes_.erase(stores_nothing);
    }
    // A grid whose extents are exchanged leaves threads out; only a test lets others through that are outside.
    const auto corner =
        std::find_if(mistakes_.begin(), mistakes_.end(), [](const Mistake& m) { return m.pattern == "square_corner"; });
    const bool lets_others_through = reads_outside && corner != mistakes_.end();
    if (lets_others_through) {
        std::vector<SourceMark>& marks = corner->diagnostic.marks;
        std::erase_if(marks, [](const SourceMark& mark) { return mark.label != test_label; });
        // The text of the test may tell more.
        if (marks.empty() || corner->diagnostic.help.find("compares") == std::string::npos)
            corner->diagnostic.help =
                "look at the bounds test: the two extents are taken for each other, so that it keeps out threads "
                "that have an element, and lets through others that have none";
        for (const Diagnostic& finding : result_.findings)
            if (finding.code == "out_of_bounds" && !finding.marks.empty()) {
                marks.push_back(finding.marks.front());
                marks.back().label = "threads outside come here, too";
                break;
            }
        std::rotate(mistakes_.begin(), corner, corner + 1);
    }
    const bool leads = lets_others_through || (!mistakes_.empty() && mistakes_.front().is_cause);
    // What most shapes show, and a fault of a few.
    const bool goes_first =
        leads || (!mistakes_.empty() && mistakes_.front().is_recognised && are_errors_rare(mistakes_.front().cases));
    if (leads)
        for (Diagnostic& finding : result_.findings)
            if (is_of_access(finding) || finding.kind == "too_much_work" ||
                (is_of_grid(mistakes_.front().pattern) &&
                 (finding.code == "invalid_launch" || finding.code == "timeout")))
                defer(finding);
    auto place = result_.findings.end();
    if (goes_first) place = result_.findings.begin();
    const auto wrong = std::count_if(result_.cases.begin(), result_.cases.end(),
                                     [](const CaseResult& one) { return one.verdict == Verdict::wrong; });
    if (const std::string types = wrong_types(result_.cases); !types.empty() && !mistakes_.empty())
        mistakes_.front().diagnostic.facts.push_back(types);
    for (Mistake& mistake : mistakes_) {
        if (mistake.cases > 1)
            mistake.diagnostic.facts.push_back(
                mistake.pattern == "block_size_fixed" ? fmt::format("the same on {} shapes", mistake.cases)
                : std::cmp_less(mistake.cases, wrong)
                    ? fmt::format("{} shapes come out wrong, {} of them visibly in this way", wrong, mistake.cases)
                    : fmt::format("{} shapes come out wrong in this way", mistake.cases));
        place = result_.findings.insert(place, std::move(mistake.diagnostic)) + 1;
    }
    mistakes_.clear();
}

void CaseSeries::skip(const std::vector<Shape>& shapes, const std::string& variant, const std::string& why) {
    for (const Shape& shape : shapes) {
        CaseResult skipped;
        skipped.shape = shape;
        skipped.variant = variant;
        skipped.verdict = Verdict::skipped;
        skipped.detail = why;
        result_.cases.push_back(std::move(skipped));
    }
}

bool CaseSeries::is_right_so_far() const { return std::ssize(result_.cases) >= enough_to_go_by && all_passed(); }

std::uint64_t CaseSeries::work_of(std::uint64_t elements) const {
    return is_right_so_far() ? most_work_of_case(elements) : work_of_case(elements);
}

// Something that the kit cannot run is nobody's fault, and takes back nothing: what came out wrong before it stays
// wrong.
Status CaseSeries::stop_at_gap(const Diagnostic& gap) {
    const bool is_wrong = std::any_of(result_.cases.begin(), result_.cases.end(), [](const CaseResult& one) {
        return one.verdict != Verdict::pass && one.verdict != Verdict::skipped;
    });
    if (gap.code != "unsupported" || !is_wrong) return gap;
    stop_reason_ = gap.title;
    return Nothing{};
}

Status CaseSeries::run(const Bench& bench, const std::vector<Shape>& shapes, const CaseOptions& options) {
    std::span<const Shape> left(shapes);
    while (!left.empty()) {
        if (has_stopped()) {
            skip({left.front()}, options.variant, stop_reason_);
            left = left.subspan(1);
            continue;
        }
        const std::vector<CaseToRun> cases = next_cases(bench, left, options);
        if (cases.size() == 1) {
            auto outcome = run_case(bench, left.front(), cases.front().options);
            if (!outcome) {
                if (auto status = stop_at_gap(outcome.error()); !status) return status;
                continue;
            }
            add(std::move(*outcome), bench.budget);
            left = left.subspan(1);
            continue;
        }
        // What ran ahead counts as far as it would have had as much in its turn, and no more where it needed more.
        std::size_t next = 0;
        for (CaseRun& one : run_side_by_side(bench, cases)) {
            const std::uint64_t most = cases[next++].most_work;
            if (bench.budget != nullptr && one.work > bench.budget->left()) break;
            if (bench.budget != nullptr && one.work == most && most < bench.budget->left()) break;
            if (!one.outcome) return one.outcome.error();
            if (bench.budget != nullptr) bench.budget->spend(one.work);
            add(std::move(*one.outcome), bench.budget);
            left = left.subspan(1);
        }
    }
    return Nothing{};
}

// The first, and those that may be run before it is known what came of it. Each has what the budget has left if those
// before it take all that their elements may: what is wasted where one of them takes that much has an end.
std::vector<CaseToRun> CaseSeries::next_cases(const Bench& bench, std::span<const Shape> shapes,
                                              const CaseOptions& options) const {
    constexpr std::size_t most = 8;
    constexpr std::uint64_t most_elements = std::uint64_t{1} << 26;  // at a time, for the memory of both
    const bool is_alone = bench.beside == nullptr || !is_right_so_far();
    std::vector<CaseToRun> cases;
    std::uint64_t all_elements = 0;
    std::uint64_t left = bench.budget == nullptr ? std::numeric_limits<std::uint64_t>::max() : bench.budget->left();
    for (const Shape& shape : shapes.first(std::min(is_alone ? 1 : most, shapes.size()))) {
        const std::uint64_t elements = bench.problem.elements(shape);
        all_elements += elements;
        if (!cases.empty() && (all_elements > most_elements || left < work_of_case(elements) / 4 * 3)) break;
        CaseToRun& next = cases.emplace_back(CaseToRun{shape, options, left});
        next.options.most_warp_instructions = std::max(options.most_warp_instructions, work_of(elements));
        left -= std::min(left, next.options.most_warp_instructions - work_of(0));
    }
    return cases;
}

const ObservedRun* CaseSeries::observed(const Shape& shape) const {
    for (const auto& [known, run] : observed_)
        if (known == shape) return &run;
    return nullptr;
}

bool CaseSeries::may_be_timed() const {
    const auto passed = std::count_if(result_.cases.begin(), result_.cases.end(),
                                      [](const CaseResult& c) { return c.verdict == Verdict::pass; });
    return !has_stopped() && 3 * passed >= 2 * std::ssize(result_.cases);
}

bool CaseSeries::all_passed() const {
    return std::all_of(result_.cases.begin(), result_.cases.end(),
                       [](const CaseResult& c) { return c.verdict == Verdict::pass; });
}

}  // namespace warpgrade
