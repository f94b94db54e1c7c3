#include "cli/check_ungraded.hpp"

#include "classroom/result_tests.hpp"

namespace warpgrade::cli {

StageResult ungraded(const Target& target, const Diagnostic& why) {
    StageResult result;
    result.assignment = target.assignment->name;
    result.stage = target.stage->id;
    result.title = target.stage->title;
    result.source_path = target.path;
    result.score.max = target.stage->max_points();
    result.score.state = ScoreState::internal_error;
    result.score.why = why.title;
    return result;
}

nlohmann::ordered_json with_error(nlohmann::ordered_json stage, const Diagnostic& why) {
    stage[classroom::error_member] = {{"code", why.code}, {"message", why.title}, {"help", why.help}};
    return stage;
}

}  // namespace warpgrade::cli
