#include "grade/score.hpp"

#include <algorithm>
#include <cmath>

#include "course/technique.hpp"
#include "explain/say.hpp"

namespace warpgrade {

namespace {

double fraction_of(const Bandwidth& b) {
    return b.share_of_reference > 0 ? b.share_of_reference : b.gb_per_s / b.reference_gb_per_s;
}

double weight_of(const Stage& stage, const Bandwidth& b) {
    if (stage.class_weights.empty()) return b.shape_class.empty() || b.shape_class == "aligned" ? 1 : 0;
    const auto found = stage.class_weights.find(b.shape_class);
    return found == stage.class_weights.end() ? 0 : found->second;
}

// Each shape class gives its share of the points, as far as it was timed.
void add_performance(const Stage& stage, const StageResult& result, bool is_right, Score& score) {
    if (!result.bandwidth &&
        !std::ranges::any_of(result.bandwidths, [](const Bandwidth& b) { return b.seconds > 0; })) {
        const bool is_tried = !result.bandwidths.empty();  // and found wrong there
        if (is_tried || !is_right) return;                 // nothing can be earned, so nothing is open
        score.state = ScoreState::provisional;
        score.why = (result.why_untimed.empty() ? "bandwidth was not measured" : result.why_untimed) +
                    say("performance_points_still_open");
        return;
    }
    std::vector<Bandwidth> timed = result.bandwidths;
    if (timed.empty()) timed.push_back(*result.bandwidth);
    double sum = 0, points = 0;
    for (const Bandwidth& b : timed) sum += weight_of(stage, b);
    if (sum == 0) {  // a shape from the command line, of a class without weight
        timed.resize(1);
        sum = 1;
    }
    for (const Bandwidth& b : timed) {
        const double weight = timed.size() == 1 ? 1 : weight_of(stage, b) / sum;
        if (weight == 0) continue;
        const auto flag = [&](ScoreState state, const std::string& why) {
            if (state <= score.state) return;
            score.state = state;
            score.why = why;
        };
        if (b.verdict == Verdict::impossible) {
            flag(ScoreState::impossible,
                 "too fast to be true on " + b.shape + ": " + b.detail + ". A person has to look");
            continue;
        }
        if (b.verdict == Verdict::noisy)
            flag(ScoreState::noisy, "the times of " + b.shape + " vary too much: check again");
        if (b.verdict != Verdict::ok && b.verdict != Verdict::noisy) continue;
        if (b.reference_gb_per_s <= 0) {
            flag(ScoreState::provisional, say("reference_gpu_performance_points"));
            continue;
        }
        if (is_right) points += weight * performance_share(stage.band, fraction_of(b));
        if (b.origin == Origin::modelled) flag(ScoreState::provisional, say("bandwidth_modelled_measured"));
        if (b.reference_origin == Origin::profile)
            flag(ScoreState::provisional, say("measured_against_reference_reached"));
    }
    score.performance = stage.performance_points * points;
}

// A rule with points of its own is what the stage is about.
bool decides(const TechniqueRule& rule) { return rule.points > 0; }

// The first rule of those that decide and do not hold; empty: they all do.
std::string_view missing_decision(const Stage& stage, const StageResult& result) {
    for (std::size_t i = 0; i < std::min(stage.technique.size(), result.technique.size()); ++i)
        if (decides(stage.technique[i]) && !result.technique[i].ok) return stage.technique[i].expression;
    return {};
}

std::string percent(double share) {
    std::string text = std::to_string(static_cast<int>(std::lround(100 * share)));
    return text + " %";
}

// Why performance is worth nothing where there is something to earn; "": it is worth something, or still open.
std::string why_untimed(const Stage& stage, const StageResult& result, bool technique_shape_is_right,
                        bool is_mostly_right) {
    if (!technique_shape_is_right)
        return stage.technique.empty() ? say("performance_points_before_output") + to_string(result.technique_shape)
                                       : say("performance_points_before_technique");
    if (!is_mostly_right) return say("performance_points_before_two");
    double best = 0;
    for (const Bandwidth& b : result.bandwidths)
        if (b.verdict == Verdict::ok && b.reference_gb_per_s > 0) best = std::max(best, fraction_of(b));
    if (best == 0 || performance_share(stage.band, best) > 0) return "";
    return "no performance points: " + percent(best) + say("reference_they_begin") + percent(stage.band.none);
}

// Of shapes that are right, and no other is: those without an element, and those whose launches alone were checked.
std::string why_nothing_earned(std::size_t empty, std::size_t planned) {
    return std::string(planned == 0 ? say("shapes_right_elements")
                       : empty == 0 ? say("shapes_right_only_launches")
                                    : say("shapes_right_elements_only")) +
           ": they alone earn nothing";
}

bool holds_what_decides(const Stage& stage, const StageResult& result) {
    return missing_decision(stage, result).empty();
}

}  // namespace

Score score_of(const Stage& stage, const StageResult& result, bool technique_shape_is_right, bool has_own_shapes) {
    Score score;
    score.max = stage.max_points();
    if (result.is_untouched_stub) return score;
    std::size_t passed = 0, real_passed = 0, planned = 0, planned_passed = 0;
    for (const CaseResult& one : result.cases) {
        const bool is_right = one.verdict == Verdict::pass;
        planned += one.is_planned;
        planned_passed += one.is_planned && is_right;
        passed += !one.is_planned && is_right;
        real_passed += !one.is_planned && is_right && one.shape.shape_class != "empty";
    }
    const std::size_t run = result.cases.size() - planned;
    std::vector<std::string> notes;
    const auto note = [&](const std::string& why) { notes.push_back(why); };
    // The shape that an index cannot reach was not run, and counts as one that came out wrong.
    const auto narrow =
        std::ranges::find_if(result.findings, [](const Diagnostic& d) { return d.code == "index_overflow"; });
    const std::size_t unreached = narrow != result.findings.end();
    // A launcher that asks for the right thing has its share as far as what it launches is right.
    if (real_passed != 0)
        score.correctness = stage.correctness_points * static_cast<double>(passed) / static_cast<double>(run) *
                            static_cast<double>(run + planned_passed) / static_cast<double>(run + planned + unreached);
    if (real_passed == 0 && passed + planned_passed != 0) note(why_nothing_earned(passed, planned_passed));
    if (real_passed != 0 && unreached != 0)
        note(say("shape_share_correctness_lost") + std::to_string(narrow->marks.front().line));
    // How fast, and how well, a wrong answer moves through memory is worth nothing.
    const bool is_mostly_right = has_own_shapes || 3 * passed >= 2 * run;
    const bool shows_technique = technique_shape_is_right && holds_what_decides(stage, result);
    if (shows_technique && is_mostly_right) {
        const auto points = rule_points(stage.technique, stage.technique_points);
        for (std::size_t i = 0; i < result.technique.size() && i < points.size(); ++i)
            if (result.technique[i].ok) score.technique += points[i];
        score.technique = std::min(score.technique, stage.technique_points);  // shares of it add up but for rounding
    } else if (technique_shape_is_right && !shows_technique) {
        note(say("correctness_alone_counts_until") + std::string(missing_decision(stage, result)));
    } else if (technique_shape_is_right && stage.technique_points > 0) {
        note(say("technique_points_before_two"));
    }

    // A shape that is not timed costs its share of the correctness. What is timed has to be right, each shape for
    // itself.
    if (stage.performance_points > 0 && real_passed != 0) {
        if (const std::string why = why_untimed(stage, result, technique_shape_is_right, is_mostly_right); !why.empty())
            note(why);
        add_performance(stage, result, is_mostly_right && shows_technique, score);
    }
    if (stage.quiz_points > 0 && result.quiz && result.quiz->questions > 0) {
        if (shows_technique && is_mostly_right)
            score.quiz = stage.quiz_points * static_cast<double>(result.quiz->right) /
                         static_cast<double>(result.quiz->questions);
        else if (result.quiz->answered > 0)
            note(say("answers_quiz_count_once"));
    }
    if (has_own_shapes && !needs_person(score.state)) {
        score.state = ScoreState::provisional;
        score.why = say("checked_shapes_command_line");
    }
    for (const std::string& why : notes) score.why += (score.why.empty() ? "" : "; ") + why;
    score.total = score.correctness + score.technique + score.performance + score.quiz;
    return score;
}

StageResult blank_result(const Assignment& assignment, const Stage& stage, const std::string& path) {
    StageResult result;
    result.assignment = assignment.name;
    result.stage = stage.id;
    result.title = stage.title;
    result.is_program = stage.is_program();
    result.source_path = path;
    result.correctness_points = stage.correctness_points;
    result.technique_points = stage.technique_points;
    result.band = stage.band;
    return result;
}

}  // namespace warpgrade
