// The verb `grade`: what it is asked for, and one run of it from the hand-ins to the gradebook.
//
// A run prepares (grade.cpp), reads and settles whose each file is (class_intake.hpp), brings that and all runs before
// it together and writes it down (grade_book.cpp), grades what nobody has graded yet, here or on a cluster (slurm.hpp),
// and writes tables and reports.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/confined.hpp"
#include "classroom/gradebook.hpp"
#include "classroom/identities.hpp"
#include "classroom/ledger_merge.hpp"
#include "cli/class_home.hpp"
#include "cli/options.hpp"
#include "cli/verbs.hpp"

namespace warpgrade::cli {

struct GradeVerbOptions : SharedOptions {
    std::vector<std::string> paths;
    std::string roster;
    std::string out = "graded";
    std::vector<std::string> assignments;
    std::vector<std::string> stages;
    std::string map;
    bool is_dry_run = false;
    int jobs = 0;  // 0: all cores
    bool wants_no_reports = false;
    bool trusts_hand_ins = false;
    bool has_seed = false;
    bool wants_pseudonyms = false;
    std::string executor = "local";                   // local | slurm
    std::vector<std::string> slurm, slurm_collector;  // options of sbatch
    std::string prefix, mail;
    int stages_an_element = 16, elements_at_once = 0;
};

class GradeVerb {
public:
    GradeVerb(GradeVerbOptions options, Course course) : options_(std::move(options)), course_(std::move(course)) {}
    int run();

private:
    Status find_walls();
    Status prepare();
    Status choose_stages();
    Status take_edits();
    Status open_ledger();
    Status settle_seed();
    Status read_rules();
    Status check_clocks() const;
    std::set<std::string> hand_ins_before() const;
    void settle_scope(bool is_asked_for);
    void note_what_does_not_count();
    Status record(bool is_asked_for);
    Status record_marks(const classroom::BatchOutcome& outcome);
    void ask_about_lateness(const classroom::BatchOutcome& outcome);
    Status read_hand_ins();
    Status write_map() const;
    Status take_names_out();
    std::set<std::string> stages_that_count() const;
    Result<classroom::Elsewhere> send(const std::vector<classroom::StageOrder>& orders) const;
    int show_plan() const;
    void show_questions() const;
    void note_strangers();
    Result<classroom::BatchOutcome> grade();
    Status write_tables(const classroom::BatchOutcome& outcome);
    void make_reports(const classroom::BatchOutcome& outcome) const;
    void say(const std::string& text) const {
        if (!options_.is_json()) show(text);
    }

    GradeVerbOptions options_;
    Course course_;
    ClassHome home_;
    std::filesystem::path out_;
    int workers_ = 1;
    std::vector<int> cards_{0};
    classroom::Roster roster_;
    std::vector<const Assignment*> assignments_;
    std::vector<classroom::Submission> submissions_;
    std::vector<std::string> notes_, questions_;
    std::set<std::string> stages_;     // that count; empty: all of the assignments
    classroom::HandInMap map_, said_;  // all that decides; what of it this run was given
    classroom::Ledger ledger_;
    classroom::LedgerWriter writer_;
    classroom::Overrides overrides_;
    classroom::LateRules late_;
    bool has_roster_ = false;
    std::optional<classroom::Identities> identities_;  // where names are taken out
    std::string course_name_, changes_text_;
    WallSet walls_;
    nlohmann::ordered_json header_;
};

}  // namespace warpgrade::cli
