#include "classroom/stage_json.hpp"

#include <algorithm>

namespace warpgrade::classroom {

using Json = nlohmann::ordered_json;

Json stage_without_result(const Assignment& assignment, const Stage& stage, ScoreState state, const std::string& why) {
    RunReport report;
    StageResult result;
    result.assignment = assignment.name;
    result.stage = stage.id;
    result.title = stage.title;
    result.correctness_points = stage.correctness_points;
    result.technique_points = stage.technique_points;
    result.performance_points = stage.performance_points;
    result.quiz_points = stage.quiz_points;
    result.band = stage.band;
    result.score.max = stage.max_points();
    result.score.state = state;
    result.score.why = why;
    report.stages.push_back(std::move(result));
    return json_of(report)["stages"][0];
}

StageMark mark_of(const Json& json) {
    StageMark mark;
    mark.stage = json.value("assignment", "") + "/" + json.value("stage", "");
    const Json score = json.value("score", Json::object());
    mark.correctness = score.value("correctness", 0.0);
    mark.technique = score.value("technique", 0.0);
    mark.performance = score.value("performance", 0.0);
    mark.total = score.value("total", 0.0);
    mark.max = score.value("max", 0.0);
    mark.state = score_state_named(score.value("state", "")).value_or(ScoreState::internal_error);
    if (json.contains("override")) {
        mark.override_reason = json["override"].value("reason", "");
        mark.is_excused = json["override"].value("excused", false);
    }
    mark.is_unclear = score.value("state", "") == unclear_state;
    if (mark.is_unclear) mark.state = ScoreState::final;
    mark.is_defect = mark.state == ScoreState::internal_error && !score.value("is_limit", false);
    mark.why = score.value("why", "");
    mark.ptx_digest = json.value("ptx_digest", "");
    mark.is_handed_in = json.value("handed_in", true);
    mark.is_untouched = json.value("untouched", false);
    return mark;
}

void apply(const Override& decided, Json& json) {
    Json& score = json["score"];
    const double most = score.value("max", 0.0);
    json["override"] = {
        {"reason", decided.reason}, {"was", score.value("total", 0.0)}, {"was_state", score.value("state", "")}};
    if (decided.is_excused) json["override"]["excused"] = true;
    for (const char* part : {"correctness", "technique", "performance", "quiz"}) {
        const double most_of_part = json.contains("points") ? json["points"].value(part, 0.0) : 0.0;
        if (!score.contains(part)) continue;
        score[part] = most > 0 ? decided.points * most_of_part / most : 0.0;
        if (decided.is_excused && json.contains("points")) json["points"][part] = 0.0;
    }
    score["total"] = decided.points;
    if (decided.is_excused) score["max"] = 0.0;
    score["state"] = "final";
    score["why"] = "set by a person: " + decided.reason;
}

Standing standing_of(const std::vector<StageMark>& marks) {
    Standing standing = Standing::graded;
    for (const StageMark& mark : marks) {
        standing = std::min(standing, mark.needs_person()                     ? Standing::review
                                      : mark.state == ScoreState::provisional ? Standing::provisional
                                                                              : Standing::graded);
    }
    return standing;
}

void add_evidence(Json& json, const Submission& submission, const Stage& stage) {
    const auto source = submission.sources.find(stage.name());
    if (source == submission.sources.end()) return;
    json["from"] = {{"hand_in", source->second.hand_in}, {"file", source->second.path}};
    if (source->second.time) json["from"]["time"] = text_of(*source->second.time);
}

const char* word_for(Standing standing) {
    switch (standing) {
        case Standing::missing: return "missing";
        case Standing::unreadable: return "unreadable";
        case Standing::review: return "review";
        case Standing::provisional: return "provisional";
        case Standing::graded: return "graded";
    }
    return "";
}

}  // namespace warpgrade::classroom
