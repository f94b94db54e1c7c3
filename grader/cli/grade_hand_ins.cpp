// What `grade` is given: the stages that count, hand-ins with their names, and the orders without them.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "cli/grade_verb.hpp"

#include "base/files.hpp"
#include "base/json_text.hpp"
#include "classroom/hand_in_names.hpp"
#include "classroom/intake_plan.hpp"
#include "classroom/seed.hpp"
#include "classroom/student_ids.hpp"
#include "classroom/utf8.hpp"
#include "classroom/worker_pool.hpp"
#include "cli/class_intake.hpp"
#include "cli/diagnose.hpp"
#include "cli/grade_worker.hpp"
#include "cli/slurm.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"

namespace warpgrade::cli {

namespace fs = std::filesystem;
using namespace classroom;

namespace {

// This command, to be run again somewhere else.
std::vector<std::string> own_command() {
    std::vector<std::string> words;
    const auto line = read_whole_file("/proc/self/cmdline", 1 << 20);
    for (std::size_t at = 0; line && at < line->size();) {
        const auto end = std::min(line->find('\0', at), line->size());
        words.push_back(line->substr(at, end - at));
        at = end + 1;
    }
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!words.empty() && !error) words.front() = program.string();
    return words;
}

}  // namespace

// Of `--stage`; the assignments that count are then those of these stages.
Status GradeVerb::choose_stages() {
    for (const std::string& name : options_.stages) {
        const auto match = find_stage(course_.assignments, name);
        if (!match) return match.error();
        stages_.insert(match->stage->name());
    }
    if (stages_.empty()) return Nothing{};
    std::erase_if(assignments_, [&](const Assignment* assignment) {
        return std::none_of(assignment->stages.begin(), assignment->stages.end(),
                            [&](const Stage& stage) { return stages_.contains(stage.name()); });
    });
    return Nothing{};
}

Status GradeVerb::read_hand_ins() {
    const fs::path scratch = out_ / graded_store / "incoming";
    std::error_code error;
    fs::remove_all(scratch, error);  // of a run that was killed
    fs::create_directories(scratch, error);
    if (auto status = take_edits(); !status) return status;
    if (auto status = open_ledger(); !status) return status;
    if (auto status = read_rules(); !status) return status;
    notes_.insert(notes_.end(), roster_.notes.begin(), roster_.notes.end());
    if (auto status = settle_ids(roster_, overrides_, late_); !status) return status;
    auto discovery = discover(options_.paths, course_.assignments, roster_, scratch);
    if (!discovery) return discovery.error();
    const HandInNames names = names_of(*discovery);
    notes_.insert(notes_.end(), discovery->notes.begin(), discovery->notes.end());
    questions_ = discovery->questions;
    submissions_ = assign(std::move(*discovery), roster_, has_roster_, map_, notes_, questions_);
    if (has_roster_) note_strangers();
    if (auto status = read_all(course_, map_, scratch, workers_, submissions_); !status) return status.error();
    if (has_roster_) ask_about_others(roster_, course_.assignments, submissions_);
    for (std::string& row : rows_of_nothing(said_, names, submissions_, hand_ins_before())) questions_.push_back(row);
    if (auto status = check_clocks(); !status) return status;
    if (auto status = write_map(); !status) return status;
    if (options_.is_dry_run) {
        if (options_.assignments.empty() && stages_.empty())
            leave_out_unused(submissions_, assignments_, notes_, questions_);
        else
            ask_about_other_stages(submissions_, stages_that_count());
        return Nothing{};
    }
    if (identities_)
        if (auto status = take_names_out(); !status) return status.error();
    if (auto status = merge_ledger(ledger_, out_, has_roster_, submissions_, notes_); !status) return status;
    const bool is_asked_for = !options_.assignments.empty() || !options_.stages.empty();
    settle_scope(is_asked_for);
    std::vector<std::string> ids;
    for (const Submission& submission : submissions_) ids.push_back(submission.student.id);
    for (const std::string& note : overrides_.of_nobody(ids))
        questions_.push_back(note + ": write what the roster has under " + id_columns_text(roster_));
    for (const Extension& one : late_.extensions)
        if (std::find(ids.begin(), ids.end(), one.student) == ids.end())
            questions_.push_back(
                fmt::format("{} has a row for `{}`, who is not in the class: write what the roster has under {}",
                            extensions_file, one.student, id_columns_text(roster_)));
    if (auto status = record(is_asked_for); !status) return status.error();
    // Not kept in the book: another run may make these stages count.
    if (!stages_.empty()) ask_about_other_stages(submissions_, stages_that_count());
    return Nothing{};
}

std::set<std::string> GradeVerb::stages_that_count() const {
    std::set<std::string> counts;
    for (const Assignment* assignment : assignments_)
        for (const Stage& stage : assignment->stages)
            if (stages_.empty() || stages_.contains(stage.name())) counts.insert(stage.name());
    return counts;
}

// Here names end: what is written from now on has none.
Status GradeVerb::take_names_out() {
    identities_->said = notes_;
    identities_->said.insert(identities_->said.end(), questions_.begin(), questions_.end());
    if (!questions_.empty()) questions_ = {said_elsewhere};
    notes_.clear();
    classroom::take_names_out(submissions_, roster_, *identities_);
    // What a person has written may call students by either.
    Overrides overrides;
    for (const auto& [key, one] : overrides_.marks) {
        const Identity* identity = identities_->of_id(key.first);
        overrides.marks[{identity == nullptr ? key.first : identity->pseudonym, key.second}] = one;
    }
    overrides_ = std::move(overrides);
    for (Extension& extension : late_.extensions)
        if (const Identity* identity = identities_->of_id(extension.student)) extension.student = identity->pseudonym;
    return write_identities(out_, *identities_);
}

Result<Elsewhere> GradeVerb::send(const std::vector<StageOrder>& orders) const {
    SlurmSettings settings;
    settings.out = out_;
    settings.options = options_.slurm;
    settings.collector_options = options_.slurm_collector;
    settings.prefix = options_.prefix;
    settings.mail = options_.mail;
    settings.stages_an_element = options_.stages_an_element;
    settings.elements_at_once = options_.elements_at_once;
    settings.is_collector = std::getenv(collector_variable) != nullptr;
    settings.device = json_text(header_["device"]);
    settings.command = own_command();
    settings.worker_job = [&](const StageOrder& order) { return grade_worker_job(order, options_, 1, walls_); };
    settings.say = [&](const std::string& text) { say(wrap_after("", text, style_of(STDOUT_FILENO).columns)); };
    return grade_on_slurm(settings, orders);
}

}  // namespace warpgrade::cli
