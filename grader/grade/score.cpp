#include "grade/score.hpp"

#include <algorithm>

#include "grade/technique.hpp"

namespace warpgrade {

double performance_share(const PerformanceBand& band, double fraction) {
    return std::clamp((fraction - band.none) / (band.full - band.none), 0.0, 1.0);
}

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
    if (!result.bandwidth) {
        const bool is_tried = !result.bandwidths.empty();  // and found wrong there
        if (is_tried || !is_right) return;                 // nothing can be earned, so nothing is open
        score.state = ScoreState::provisional;
        score.why = "bandwidth was not measured, so the performance points are still open";
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
        if (b.verdict == "impossible") {
            flag(ScoreState::impossible,
                 "too fast to be true on " + b.shape + ": " + b.detail + ". A person has to look");
            continue;
        }
        if (b.verdict == "noisy") flag(ScoreState::noisy, "the times of " + b.shape + " vary too much: check again");
        if (b.verdict != "ok" && b.verdict != "noisy") continue;
        if (b.reference_gb_per_s <= 0) {
            flag(ScoreState::provisional, "no reference for this GPU, so the performance points are still open");
            continue;
        }
        if (is_right) points += weight * performance_share(stage.band, fraction_of(b));
        if (b.origin == "modelled") flag(ScoreState::provisional, "the bandwidth is modelled, not measured");
        if (b.reference_origin == "profile")
            flag(ScoreState::provisional, "measured against what the reference reached when this GPU was calibrated");
    }
    score.performance = stage.performance_points * points;
}

}  // namespace

Score score_of(const Stage& stage, const StageResult& result, bool technique_shape_is_right, bool has_own_shapes) {
    Score score;
    score.max = stage.max_points();
    if (result.is_untouched_stub) return score;
    std::size_t passed = 0, real_passed = 0;
    for (const CaseResult& one : result.cases) {
        passed += one.verdict == "pass";
        real_passed += one.verdict == "pass" && one.shape.shape_class != "empty";
    }
    if (real_passed != 0)
        score.correctness =
            stage.correctness_points * static_cast<double>(passed) / static_cast<double>(result.cases.size());

    if (technique_shape_is_right) {
        const auto points = rule_points(stage.technique, stage.technique_points);
        for (std::size_t i = 0; i < result.technique.size() && i < points.size(); ++i)
            if (result.technique[i].ok) score.technique += points[i];
    }

    if (stage.performance_points > 0) add_performance(stage, result, passed == result.cases.size(), score);
    if (has_own_shapes && !needs_person(score.state)) {
        score.state = ScoreState::provisional;
        score.why = "checked on shapes from the command line, not on the stage's own";
    }
    score.total = score.correctness + score.technique + score.performance;
    return score;
}

}  // namespace warpgrade
