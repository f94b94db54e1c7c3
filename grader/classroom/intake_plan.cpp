#include "classroom/intake_plan.hpp"

#include <algorithm>
#include <set>

#include "base/sha256.hpp"
#include "classroom/csv.hpp"

namespace warpgrade::classroom {
namespace {

// Whose a hand-in is, where that is sure; a group's members in one cell.
std::string owner_of(const std::vector<Submission>& submissions, const std::string& hand_in) {
    std::string owners;
    for (const Submission& submission : submissions) {
        if (!submission.doubt.empty()) continue;
        const bool is_own = std::any_of(submission.hand_ins.begin(), submission.hand_ins.end(),
                                        [&](const HandIn& one) { return one.shown == hand_in; });
        if (is_own) owners += (owners.empty() ? "" : " + ") + submission.student.id;
    }
    return owners;
}

}  // namespace

std::string hand_in_map_csv(const std::vector<Submission>& submissions) {
    std::string text = csv_line({"hand_in", "file", "student", "stage", "graded", "how", "when"});
    std::set<std::pair<std::string, std::string>> said;
    for (const Submission& submission : submissions) {
        for (const HandIn& hand_in : submission.hand_ins) {
            const std::string owner = owner_of(submissions, hand_in.shown);
            const std::string when = hand_in.time ? text_of(*hand_in.time) : "";
            bool has_file = false;
            for (const FileDecision& decision : submission.decisions) {
                if (decision.hand_in != hand_in.shown) continue;
                has_file = true;
                if (!said.emplace(decision.hand_in, decision.file).second) continue;
                text += csv_line({safe_cell(hand_in.shown), safe_cell(decision.file), safe_cell(owner),
                                  decision.is_open     ? ""
                                  : decision.is_graded ? decision.stage
                                                       : "-",
                                  decision.is_graded ? "yes" : "no", safe_cell(decision.how), when});
            }
            if (!has_file && said.emplace(hand_in.shown, "").second)
                text += csv_line({safe_cell(hand_in.shown), "", safe_cell(owner), "", "no",
                                  safe_cell(submission.doubt.empty() ? submission.problem : submission.doubt), when});
        }
    }
    return text;
}

std::string decisions_csv(const HandInMap& map) {
    std::string text = csv_line({"hand_in", "file", "student", "stage"});
    for (const auto& [hand_in, student] : map.students) text += csv_line({hand_in, "", student, ""});
    for (const auto& [file, stage] : map.stages) text += csv_line({file.first, file.second, "", stage});
    return text;
}

nlohmann::ordered_json plan_json(const std::vector<Submission>& submissions) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const Submission& submission : submissions) {
        nlohmann::ordered_json one{{"id", submission.student.id},
                                   {"on_roster", submission.is_on_roster},
                                   {"missing", submission.is_missing()},
                                   {"late", submission.is_late}};
        one["hand_ins"] = nlohmann::ordered_json::array();
        for (const HandIn& hand_in : submission.hand_ins) {
            nlohmann::ordered_json its{{"name", hand_in.shown}};
            if (hand_in.time) its["time"] = text_of(*hand_in.time);
            one["hand_ins"].push_back(std::move(its));
        }
        one["stages"] = nlohmann::ordered_json::object();
        for (const auto& [stage, source] : submission.sources)
            one["stages"][stage] = {
                {"hand_in", source.hand_in}, {"file", source.path}, {"sha256", sha256_hex(source.text)}};
        one["unclear"] = submission.unclear;
        one["doubt"] = submission.doubt;
        one["problem"] = submission.problem;
        one["questions"] = submission.questions;
        one["notes"] = submission.notes;
        all.push_back(std::move(one));
    }
    return all;
}

bool is_understood(const Submission& submission) {
    return submission.unclear.empty() && submission.doubt.empty() && submission.questions.empty() &&
           (submission.problem.empty() || submission.is_missing());
}

}  // namespace warpgrade::classroom
