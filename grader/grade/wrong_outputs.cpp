#include "grade/wrong_outputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "explain/access_place.hpp"
#include "explain/guard_text.hpp"
#include "explain/placing.hpp"
#include "explain/say.hpp"
#include "explain/wording.hpp"
#include "grade/triage.hpp"
#include "source/questions.hpp"

namespace warpgrade {

namespace {

constexpr const char* wrong_title = "the output is wrong";

// The first error that has one of these codes; nullptr: there is none.
Diagnostic* error_of(std::vector<Diagnostic>& findings, std::initializer_list<std::string_view> codes) {
    const auto found = std::ranges::find_if(findings, [&](const Diagnostic& d) {
        return d.severity == Severity::error && std::ranges::find(codes, d.code) != codes.end();
    });
    return found == findings.end() ? nullptr : &*found;
}

bool reads_outside(std::vector<Diagnostic>& findings) {
    return error_of(findings, {"out_of_bounds", "out_of_bounds_shared"}) != nullptr;
}

}  // namespace

void WrongOutputs::note(const CaseOutcome& outcome) {
    std::set<std::pair<std::string, int>> own;
    for (const Diagnostic& finding : outcome.findings) own.emplace(finding.code, first_line(finding));
    for (const auto& one : own) ++seen_[one];
    if (outcome.wrong) note_wrong(*outcome.result.judgement, *outcome.wrong, outcome.result.shape);
}

void WrongOutputs::note_wrong(const Judgement& judgement, const Diagnostic& diagnostic, const Shape& shape) {
    const bool is_general = shape.shape_class != "thin" && shape.shape_class != "small";
    constexpr std::int64_t large = 1 << 18;
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape.extents) elements *= extent;
    Mistake* known = find(judgement.pattern);
    if (known == nullptr)
        known = &mistakes_.emplace_back(Mistake{judgement.pattern, judgement.is_recognised, judgement.is_cause,
                                                judgement.effect, 0, 0, 0, 0, true, false, diagnostic});
    ++known->cases;
    known->general_cases += is_general;
    known->cases_of_four += judgement.effect.lost_of_four.has_value();
    known->is_of_large = known->is_of_large && shape.contents == "large";
    known->larger_cases += shape.shape_class != "small";
    known->is_certain = known->is_certain || (is_general && judgement.is_cause && elements >= large);
}

WrongOutputs::Mistake* WrongOutputs::find(std::string_view pattern) {
    const auto found = std::ranges::find_if(mistakes_, [&](const Mistake& m) { return m.pattern == pattern; });
    return found == mistakes_.end() ? nullptr : &*found;
}

void WrongOutputs::drop(KnownMistake pattern) {
    std::erase_if(mistakes_, [&](const Mistake& m) { return m.pattern == pattern; });
}

void WrongOutputs::drop(bool Effect::*trait) {
    std::erase_if(mistakes_, [&](const Mistake& m) { return m.effect.*trait; });
}

void WrongOutputs::dismiss(const std::function<bool(const Mistake&)>& is_it, const std::string& title) {
    for (CaseResult& one : result_.cases)
        if (const Mistake* const known = one.judgement ? find(one.judgement->pattern) : nullptr; known && is_it(*known))
            one.fail_by(title);
    std::erase_if(mistakes_, is_it);
}

int WrongOutputs::cases() const {
    int all = 0;
    for (const Mistake& m : mistakes_) all += m.cases;
    return all;
}

bool WrongOutputs::are_errors_rare(int many) const {
    return std::ranges::all_of(result_.findings, [&](const Diagnostic& d) {
        const auto seen = seen_.find({d.code, first_line(d)});
        return d.severity != Severity::error || (seen != seen_.end() && 4 * seen->second <= many);
    });
}

void WrongOutputs::forget_patterns() {
    const auto is_of_value = [](const Mistake& m) { return m.diagnostic.code == "wrong_output"; };
    const auto first = std::ranges::find_if(mistakes_, is_of_value);
    const bool says_so = std::ranges::any_of(mistakes_, [](const Mistake& m) { return m.effect.is_of_unwritten; });
    if (first == mistakes_.end() || says_so) return;
    Mistake any = *first;
    any.cases = 0;
    for (const Mistake& m : mistakes_)
        if (is_of_value(m)) any.cases += m.cases;
    any.diagnostic.title = wrong_title;
    dismiss(is_of_value, wrong_title);
    mistakes_.push_back(std::move(any));
}

// Nothing on small shapes and something on large ones: what does not fill a turn of some loop is left out.
void WrongOutputs::explain_zeros() {
    Mistake *const zero = find(KnownMistake::zero), *const some = find(KnownMistake::wrong_sum),
                   *const tail = find(KnownMistake::tail_missing);
    if (zero == nullptr) return;
    if (tail != nullptr && tail->diagnostic.shape.size() > 4) {
        tail->diagnostic.facts.push_back(fmt::format("on {} nothing at all is counted", zero->diagnostic.shape));
        tail->diagnostic.help = say("whole_turns_whole_pieces");
        tail->cases += zero->cases;
        tail->general_cases += zero->general_cases;
        return drop(KnownMistake::zero);
    }
    if (some == nullptr || !some->effect.is_too_small) return;
    const auto name = [](const Mistake& m) {
        return m.diagnostic.shape.empty() ? std::string("other contents") : m.diagnostic.shape;
    };
    zero->diagnostic.title = say("elements_left_out_them", name(*zero), name(*some));
    zero->diagnostic.help = say("does_loop_test_leave");
    if (rounded_.line != 0) {
        zero->diagnostic.marks = {rounded_};
        zero->diagnostic.help = say("division_line_gives_where", rounded_.line);
    }
    zero->cases += some->cases;
    drop(KnownMistake::wrong_sum);
}

// Where a grid seems too small by what fills no float4, and by nothing else, it is that.
void WrongOutputs::explain_rests_of_four() {
    Mistake *const tail = find(KnownMistake::tail_missing), *const grid = find(KnownMistake::grid_too_small);
    if (tail == nullptr || grid == nullptr) return;
    if (tail->cases != tail->cases_of_four || grid->cases != grid->cases_of_four) return;
    tail->cases += grid->cases;
    dismiss([&](const Mistake& m) { return m.pattern == KnownMistake::grid_too_small; },
            "the last elements are missing");
}

// What a read outside brings in is any value, and what is read before it is stored is one, too: the read has a line.
void WrongOutputs::remove_effects_of_reads() {
    const bool is_outside = reads_outside(result_.findings);
    Diagnostic* const unwritten = error_of(result_.findings, {"uninitialized"});
    if (Mistake* const poison = find(KnownMistake::poison_included)) {
        if (unwritten && !is_outside)
            unwritten->facts.push_back(
                say("sum_sum_elements", poison->cases == 1 ? "1 shape" : fmt::format("{} shapes", poison->cases)));
        if (error_of(result_.findings, {"inactive_lane"})) defer(poison->diagnostic);
    }
    if (is_outside || unwritten) drop(KnownMistake::poison_included);
    if (!unwritten) return;
    drop(&Effect::is_weak);
    drop(&Effect::is_of_unwritten);
    std::erase_if(mistakes_, [](const Mistake& m) { return !m.is_recognised && m.diagnostic.code == "wrong_output"; });
}

// One that fits a few shapes, and not the many others that are wrong, fits by chance.
void WrongOutputs::remove_chance_fits() {
    const int all = cases();
    const auto is_general = [](const Mistake& m) { return !m.is_recognised && m.general_cases > 0; };
    if (std::ranges::any_of(mistakes_, is_general))
        dismiss(
            [&](const Mistake& m) {
                return m.is_recognised && !m.is_certain && !m.effect.is_weak &&
                       (8 * m.cases < all || m.general_cases == 0 ||
                        (m.pattern == KnownMistake::nothing_added && 2 * m.cases < all));
            },
            wrong_title);
    if (!std::ranges::all_of(mistakes_, [](const Mistake& m) { return m.effect.is_weak; })) drop(&Effect::is_weak);
    if (std::ranges::any_of(mistakes_, [](const Mistake& m) { return m.is_recognised; }))
        std::erase_if(mistakes_, [](const Mistake& m) { return !m.is_recognised; });
    const auto is_of_larger = [](const Mistake& m) { return m.larger_cases > 0; };
    if (std::ranges::any_of(mistakes_, is_of_larger))
        dismiss([&](const Mistake& m) { return !is_of_larger(m); }, wrong_title);
    // Blocks that leave gaps leave out the end as well.
    if (find(KnownMistake::blocks_apart)) drop(KnownMistake::grid_too_small);
    // Where nothing at all is written, every mistake in what is written looks alike.
    const Mistake* const nothing = find(KnownMistake::nothing_written);
    const bool tells_more = std::ranges::any_of(mistakes_, [](const Mistake& m) {
        return m.diagnostic.code == "not_written" && m.pattern != KnownMistake::nothing_written;
    });
    if (tells_more && nothing != nullptr && 2 * nothing->cases < all) drop(KnownMistake::nothing_written);
}

// The two that say most: causes before symptoms, what is seen on many shapes before what is seen on few.
void WrongOutputs::remove_lesser() {
    std::ranges::stable_sort(mistakes_, [](const Mistake& a, const Mistake& b) {
        return a.effect.is_symptom != b.effect.is_symptom ? b.effect.is_symptom : a.cases > b.cases;
    });
    if (mistakes_.empty()) return;
    // A cause seen on most shapes explains what the others look like.
    const Mistake& front = mistakes_.front();
    if (2 * front.cases >= cases()) {
        if (front.is_cause) mistakes_.resize(1);
        if (front.is_recognised && !front.effect.is_symptom) drop(&Effect::is_symptom);
    }
    // What is not written can look like another mistake on the few shapes that do not tell them apart.
    int most = 0;
    for (const Mistake& m : mistakes_)
        if (m.diagnostic.code == "not_written") most = std::max(most, m.cases);
    std::erase_if(mistakes_,
                  [&](const Mistake& m) { return m.diagnostic.code == "not_written" && 2 * m.cases < most; });
    // What fits a few shapes of a sum by chance, where one thing explains the many.
    const Mistake& first = mistakes_.front();
    if (first.is_recognised)
        dismiss([most = first.cases](const Mistake& m) { return 8 * m.cases <= most && m.effect.is_part_of_sum; },
                wrong_title);
    if (mistakes_.size() > 2) mistakes_.resize(2);
}

namespace {

// "64 x 96" of "64x96".
std::string spaced(std::string shape) {
    if (const auto by = shape.find('x'); by != std::string::npos) shape.replace(by, 1, " x ");
    return shape;
}

// Threads inside store nothing, and threads outside do.
void turn_test_round(Diagnostic& finding, const std::string& shape, const std::string& source) {
    const int line = first_line(finding);
    source::Reading reading;
    const source::Facts& facts = reading.of(source);
    const auto guards = guards_before(facts, line, stored_array(facts, line));
    finding.help = say("thread_stores_here_outside", spaced(shape),
                       guards.empty() ? "" : fmt::format(" in line {}", guards.front().line));
    if (guards.empty() || guards.front().line == line) return;
    const std::string path = finding.marks.front().path;
    finding.marks.insert(finding.marks.begin(), mark_of_line(guards.front().line, path, source, test_label));
}

// "right for float and double, wrong for unsigned char": types of which all shapes come out right, where there are any.
std::string wrong_types(const std::vector<CaseResult>& cases) {
    std::vector<std::string> right, wrong;
    const auto has = [](const std::vector<std::string>& in, const std::string& type) {
        return std::ranges::find(in, type) != in.end();
    };
    for (const CaseResult& one : cases)
        if (one.verdict != Verdict::pass && one.verdict != Verdict::skipped && !has(wrong, one.shape.type))
            wrong.push_back(one.shape.type);
    for (const CaseResult& one : cases)
        if (one.verdict == Verdict::pass && !has(wrong, one.shape.type) && !has(right, one.shape.type))
            right.push_back(one.shape.type);
    if (right.empty() || wrong.empty()) return {};
    return fmt::format("right for {}; wrong for {}", fmt::join(right, ", "), fmt::join(wrong, ", "));
}

// Whether a finding follows from a wrong index, or from a wrong grid where the pattern is one.
bool follows_from(const Effect& effect, const Diagnostic& finding) {
    static constexpr std::string_view of_access[]{"out_of_bounds", "out_of_bounds_shared", "uninitialized",
                                                  "race_global",   "race_shared",          "misaligned",
                                                  "write_to_input"};
    return std::ranges::find(of_access, finding.code) != std::end(of_access) || finding.kind == "too_much_work" ||
           (effect.is_of_grid && (finding.code == "invalid_launch" || finding.code == "timeout"));
}

}  // namespace

// No thread stores on shapes of whole tiles, and threads outside do on others: the test lets the wrong ones through.
void WrongOutputs::explain_inverted_test(const std::string& source) {
    const Mistake* const nothing = find(KnownMistake::nothing_written);
    if (nothing == nullptr || !reads_outside(result_.findings)) return;
    for (Diagnostic& finding : result_.findings)
        if (finding.code == "out_of_bounds") turn_test_round(finding, nothing->diagnostic.shape, source);
    drop(KnownMistake::nothing_written);
}

// A grid whose extents are exchanged leaves threads out; only a test lets others through that are outside.
bool WrongOutputs::explain_swapped_test() {
    Mistake* const corner = find(KnownMistake::square_corner);
    if (corner == nullptr || !reads_outside(result_.findings)) return false;
    std::vector<SourceMark>& marks = corner->diagnostic.marks;
    std::erase_if(marks, [](const SourceMark& mark) { return mark.label != test_label; });
    // The text of the test may tell more.
    if (marks.empty()) corner->diagnostic.help = say("look_bounds_test_two");
    const auto outside = std::ranges::find_if(result_.findings, [](const Diagnostic& finding) {
        return finding.code == "out_of_bounds" && !finding.marks.empty();
    });
    if (outside != result_.findings.end()) {
        marks.push_back(outside->marks.front());
        marks.back().label = outside->shape == corner->diagnostic.shape
                                 ? "threads outside come here, too"
                                 : fmt::format("threads outside come here on {}", spaced(outside->shape));
    }
    const auto at = mistakes_.begin() + (corner - mistakes_.data());
    std::rotate(mistakes_.begin(), at, at + 1);
    return true;
}

void WrongOutputs::report(const std::string& source) {
    explain_zeros();
    explain_rests_of_four();
    remove_effects_of_reads();
    remove_chance_fits();
    remove_lesser();
    explain_inverted_test(source);
    const bool lets_others_through = explain_swapped_test();
    if (mistakes_.empty()) return;
    const Mistake& first = mistakes_.front();
    const bool is_cause = lets_others_through || first.is_cause;
    if (is_cause)
        for (Diagnostic& finding : result_.findings)
            if (follows_from(first.effect, finding)) defer(finding);
    add_to_findings(is_cause || (first.is_recognised && are_errors_rare(first.cases)));
}

// `is_first`: what most shapes show comes before a fault of a few.
void WrongOutputs::add_to_findings(bool is_first) {
    const auto wrong =
        std::ranges::count_if(result_.cases, [](const CaseResult& one) { return one.verdict == Verdict::wrong; });
    if (const std::string types = wrong_types(result_.cases); !types.empty())
        mistakes_.front().diagnostic.facts.push_back(types);
    auto place = is_first ? result_.findings.begin() : result_.findings.end();
    for (Mistake& mistake : mistakes_) {
        if (mistake.cases > 1)
            mistake.diagnostic.facts.push_back(
                mistake.pattern == KnownMistake::block_size_fixed ? fmt::format("the same on {} shapes", mistake.cases)
                : std::cmp_less(mistake.cases, wrong)             ? say("shapes_come_out_wrong", wrong, mistake.cases)
                                                                  : say("shapes_come_out_wrong_way", mistake.cases));
        place = result_.findings.insert(place, std::move(mistake.diagnostic)) + 1;
    }
    mistakes_.clear();
}

}  // namespace warpgrade
