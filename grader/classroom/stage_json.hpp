// A stage of a student's result, as JSON: what is put into it, and what a gradebook takes out of it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "classroom/intake.hpp"
#include "classroom/overrides.hpp"
#include "grade/result.hpp"

namespace warpgrade::classroom {

// "unclear", a state that only a class's results have.
inline constexpr const char* unclear_state = "unclear";

// One stage of one student, as the gradebook has it.
struct StageMark {
    std::string stage;  // "transpose/padding"
    double correctness = 0, technique = 0, performance = 0, total = 0, max = 0;
    ScoreState state = ScoreState::final;
    std::string why;  // of a state that is not final
    bool is_handed_in = true;
    bool is_untouched = false;      // the stub as it was handed out
    std::string ptx_digest{};       // of what the file compiles to (ptx_digest.hpp); empty: unknown
    std::string override_reason{};  // of a mark that a person has set
    bool is_excused = false;        // by a person: it counts for nothing
    bool is_defect = false;         // of an internal error: the kit's own, and not what it or this machine cannot do
    bool is_rescored = false;       // from a stored result, with the points that the stage has now
    bool is_unclear = false;        // something was handed in, and nobody has said yet which file is this stage's
    // It is no mark until somebody has looked.
    bool needs_person() const { return is_unclear || warpgrade::needs_person(state); }
    bool is_attempted() const { return is_handed_in && !is_untouched; }
};

enum class Standing {
    missing,      // on the roster, nothing handed in
    unreadable,   // handed in, but nothing that could be graded: a person has to look
    review,       // graded, but a stage needs a person: internal error, impossible, noisy
    provisional,  // graded; points are still open
    graded,
};
const char* word_for(Standing standing);

// A stage for which there is no result of its own, in the same form.
nlohmann::ordered_json stage_without_result(const Assignment& assignment, const Stage& stage, ScoreState state,
                                            const std::string& why);
StageMark mark_of(const nlohmann::ordered_json& json);
// What a person has decided, in the place of what was graded; its parts in the proportion of the stage's.
void apply(const Override& decided, nlohmann::ordered_json& json);
Standing standing_of(const std::vector<StageMark>& marks);
// Which hand-in a mark came from.
void add_evidence(nlohmann::ordered_json& json, const Submission& submission, const Stage& stage);

}  // namespace warpgrade::classroom
