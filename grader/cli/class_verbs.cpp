// What is done with a graded class: a stage graded again, two classes compared, a student forgotten.
#include <fmt/format.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <set>

#include "base/files.hpp"
#include "base/json_text.hpp"
#include "classroom/export_marks.hpp"
#include "classroom/forget.hpp"
#include "classroom/identities.hpp"
#include "classroom/ledger.hpp"
#include "classroom/stage_store.hpp"
#include "classroom/student_ids.hpp"
#include "classroom/utf8.hpp"
#include "classroom/worker_pool.hpp"
#include "cli/diagnose.hpp"
#include "cli/grade_worker.hpp"
#include "cli/machine.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "cli/version.hpp"
#include "compile/cache.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using namespace classroom;
using Json = nlohmann::ordered_json;

// --- diff

struct DiffOptions {
    std::string old_folder, new_folder;
};

std::string mark_text(const std::optional<double>& mark) { return mark ? points_text(*mark) : "no mark"; }

int run_diff(const DiffOptions& options) {
    if (options.old_folder.empty() || options.new_folder.empty())
        return fail(
            usage("no_path", "`diff` compares two folders that `grade` wrote", "`warpgrade diff graded-old graded`"));
    const auto before = read_marks(options.old_folder);
    if (!before) return fail(before.error());
    const auto after = read_marks(options.new_folder);
    if (!after) return fail(after.error());
    std::map<std::string, const ExportStudent*> known;
    for (const ExportStudent& one : before->students) known[one.id] = &one;
    std::string text;
    std::size_t moved = 0, same = 0;
    const int columns = style_of(STDOUT_FILENO).columns;
    for (const ExportStudent& now : after->students) {
        const auto found = known.find(now.id);
        if (found == known.end()) {
            text += fmt::format("  {}  is new: {}\n", escape(now.id), mark_text(now.points));
            ++moved;
            continue;
        }
        const ExportStudent& was = *found->second;
        known.erase(found);
        std::map<std::string, std::optional<double>> old_stages;
        for (const ExportStage& stage : was.stages) old_stages[stage.stage] = stage.total;
        std::string stages;
        for (const ExportStage& stage : now.stages)
            if (const auto old_stage = old_stages.find(stage.stage);
                old_stage == old_stages.end() || mark_text(old_stage->second) != mark_text(stage.total))
                stages += fmt::format("{}{} {} -> {}", stages.empty() ? "" : ", ", stage.stage,
                                      old_stage == old_stages.end() ? "nothing" : mark_text(old_stage->second),
                                      mark_text(stage.total));
        const bool is_same = mark_text(was.points) == mark_text(now.points) && stages.empty();
        same += is_same;
        moved += !is_same;
        const std::string by = was.points && now.points ? fmt::format(" ({:+.2f})", *now.points - *was.points) : "";
        if (!is_same)
            text += wrap_after("  " + escape(now.id) + "  ",
                               fmt::format("{} -> {}{}: {}", mark_text(was.points), mark_text(now.points), by, stages),
                               columns);
    }
    for (const auto& [id, was] : known) {
        text += fmt::format("  {}  is gone: had {}\n", escape(id), mark_text(was->points));
        ++moved;
    }
    show(fmt::format("{} other than before, {} the same; of {} points, and {} before\n", moved, same,
                     points_text(after->max), points_text(before->max)) +
         text);
    return 0;
}

// --- forget

struct ForgetOptions {
    std::string id, out = "graded";
};

int run_forget(const ForgetOptions& options) {
    if (options.id.empty())
        return fail(usage("no_student", "`forget` needs the student's id", "`warpgrade forget s1234567 --out graded`"));
    const auto forgotten = forget_student(options.out, options.id);
    if (!forgotten) return fail(forgotten.error());
    std::string text = fmt::format("removed {}, and rows of {}\n", counted(forgotten->removed.size(), "file", "files"),
                                   counted(forgotten->changed.size(), "file", "files"));
    for (const std::string& path : forgotten->left) text += fmt::format("  still there: {}\n", escape(path));
    text += "not here, and yours to remove: the hand-ins themselves, the roster, the platform\n";
    show(text);
    return forgotten->left.empty() ? 0 : exit_code(Blame::learner);
}

// --- regrade

struct RegradeOptions : SharedOptions {
    std::string id, out = "graded";
    std::vector<std::string> stages;
    bool applies = false;
};

// What differs from run to run, or is not of the grading itself.
Json comparable(Json stage) {
    for (const char* key : {"from", "override", "key", "seconds", "traces", "handed_in", "ptx_digest", "marking"})
        stage.erase(key);
    if (stage.contains("compile") && stage["compile"].is_object()) stage["compile"].erase("seconds");
    return stage;
}

// "score/total: 10, and now 9.5"; empty: they are the same.
std::string first_difference(const Json& was, const Json& now, const std::string& path) {
    if (was == now) return "";
    const auto inside = [&](const std::string& key) { return path.empty() ? key : path + "/" + key; };
    if (was.is_object() && now.is_object()) {
        for (const auto& [key, value] : was.items()) {
            if (!now.contains(key)) return inside(key) + ": there is none now";
            if (std::string found = first_difference(value, now[key], inside(key)); !found.empty()) return found;
        }
        for (const auto& [key, value] : now.items())
            if (!was.contains(key)) return inside(key) + ": there was none";
        return "";
    }
    if (was.is_array() && now.is_array()) {
        for (std::size_t i = 0; i < std::min(was.size(), now.size()); ++i)
            if (std::string found = first_difference(was[i], now[i], inside(std::to_string(i + 1))); !found.empty())
                return found;
        return fmt::format("{}: {} entries, and now {}", path, was.size(), now.size());
    }
    return fmt::format("{}: {}, and now {}", path, cut(escape(json_text(was)), 60), cut(escape(json_text(now)), 60));
}

class Regrade {
public:
    Regrade(RegradeOptions options, Course course) : options_(std::move(options)), course_(std::move(course)) {}

    int run() {
        if (auto status = prepare(); !status) return fail(status.error());
        std::vector<wire::Fields> jobs;
        for (const StageOrder& order : orders_) jobs.push_back(grade_worker_job(order, options_, 1, walls_));
        std::size_t differ = 0, failed = 0;
        run_jobs(grade_worker_verb, jobs, usable_cores(), {}, [&](std::size_t job, PoolReply reply) {
            const StageOrder& order = orders_[job];
            const Json now = reply.ok() && reply.fields.size() == 2 && reply.fields[0] == "ok"
                                 ? Json::parse(reply.fields[1], nullptr, false)
                                 : Json();
            if (!now.is_object()) {
                ++failed;
                lines_[order.stage] =
                    "was not graded: " + (reply.ok() && !reply.fields.empty() ? reply.fields.back() : reply.failure);
                return true;
            }
            const std::string difference = first_difference(comparable(was_[order.stage]), comparable(now), "");
            differ += !difference.empty();
            lines_[order.stage] = difference.empty() ? "identical" : "differs at " + difference;
            if (options_.applies && !difference.empty() && !order.key.empty())
                if (auto status = StageStore(out_ / graded_store).keep(order.key, now); !status) return false;
            return true;
        });
        std::error_code error;
        fs::remove_all(scratch_, error);
        for (const auto& [stage, text] : lines_)
            show(wrap_after(stage + "  ", escape(text), style_of(STDOUT_FILENO).columns));
        show(fmt::format("seed as recorded; kit {} then, {} now\n", kit_then_.empty() ? "unknown" : kit_then_,
                         kit_of({{"version", tool_version}, {"git", git_revision(course_.root)}})));
        if (differ > 0)
            show(options_.applies ? "kept; the same `grade` command brings it into the gradebook\n"
                                  : "nothing was written; --apply keeps it\n");
        return failed > 0 ? exit_code(Blame::kit) : differ > 0 ? exit_code(Blame::learner) : 0;
    }

private:
    Status prepare() {
        umask(077);
        std::error_code error;
        out_ = fs::absolute(options_.out, error).lexically_normal();
        const auto read = read_ledger(out_);
        if (!read) return read.error();
        const auto meant = id_in_book(options_.out, read->ledger, options_.id);
        if (!meant) return meant.error();
        const auto known = read->ledger.students.find(*meant);
        const auto text = read_whole_file(out_ / "results" / (file_name_for(known->first) + ".json"));
        const Json result = text ? Json::parse(*text, nullptr, false) : Json();
        if (!result.is_object() || !result.contains("stages"))
            return usage("no_result", fmt::format("`{}` has no result: nothing of it was graded", options_.id),
                         "the gradebook says why, under status and notes");
        options_.seed = result.value("seed", std::uint64_t{0});
        options_.device = result["device"].value("kind", "virtual");
        options_.profile = result["device"].value("profile", "");
        kit_then_ = kit_of(result["tool"]);
        walls_ = walls_here();
        setenv("WARPGRADE_ROOT", course_.root.c_str(), 1);
        setenv(store_variable, (out_ / graded_store).c_str(), 1);
        std::set<std::string> wanted;
        for (const std::string& name : options_.stages) {
            const auto match = find_stage(course_.assignments, name);
            if (!match) return match.error();
            wanted.insert(match->stage->name());
        }
        scratch_ = out_ / graded_store / "regrade";
        fs::remove_all(scratch_, error);
        for (const Json& stage : result["stages"]) {
            const std::string name = stage.value("assignment", "") + "/" + stage.value("stage", "");
            const auto file = known->second.files.find(name);
            if (file == known->second.files.end() || (!wanted.empty() && !wanted.contains(name))) continue;
            const auto match = find_stage(course_.assignments, name);
            if (!match) return match.error();
            const auto source = find_evidence(out_, file->second.sha256);
            if (!source) return source.error();
            const std::string path = match->assignment->name + "/" + match->stage->file;
            if (auto status = replace_file(scratch_ / path, *source); !status) return status;
            was_[name] = stage;
            orders_.push_back({stage.value("key", ""), name, scratch_, path});
        }
        if (orders_.empty())
            return usage("nothing_to_grade", fmt::format("`{}` handed in nothing of that", options_.id),
                         "name another --stage");
        return Nothing{};
    }

    RegradeOptions options_;
    Course course_;
    fs::path out_, scratch_;
    WallSet walls_;
    std::string kit_then_;
    std::vector<StageOrder> orders_;
    std::map<std::string, Json> was_;
    std::map<std::string, std::string> lines_;
};

int run_regrade(const RegradeOptions& options) {
    if (options.id.empty())
        return fail(
            usage("no_student", "`regrade` needs the student's id", "`warpgrade regrade s1234567 --stage padding`"));
    auto course = open_course();
    if (!course) return fail(course.error());
    return Regrade(options, std::move(*course)).run();
}

}  // namespace

Verb add_diff(CLI::App& parent) {
    const auto options = std::make_shared<DiffOptions>();
    CLI::App* app = parent.add_subcommand("diff", "who has other marks in one graded class than in another");
    app->add_option("old", options->old_folder, "what an earlier `grade` wrote")->type_name("OLD");
    app->add_option("new", options->new_folder, "what a later one wrote")->type_name("NEW");
    return {app, [options] { return run_diff(*options); }, true};
}

Verb add_forget(CLI::App& parent) {
    const auto options = std::make_shared<ForgetOptions>();
    CLI::App* app = parent.add_subcommand("forget", "take a student out of a graded class");
    app->add_option("id", options->id, "any id of the roster, an address or the full name")->type_name("ID");
    app->add_option("--from,--out", options->out, "what `grade` wrote (default: graded)")->type_name("DIR");
    return {app, [options] { return run_forget(*options); }, true};
}

Verb add_regrade(CLI::App& parent) {
    const auto options = std::make_shared<RegradeOptions>();
    CLI::App* app = parent.add_subcommand("regrade", "grade a student again as then, and compare");
    app->add_option("id", options->id, "any id of the roster, an address or the full name")->type_name("ID");
    app->add_option("--stage", options->stages, "only this one; repeatable")
        ->type_name("NAME")
        ->allow_extra_args(false)
        ->take_all();
    app->add_option("--from,--out", options->out, "what `grade` wrote (default: graded)")->type_name("DIR");
    app->add_flag("--apply", options->applies, "keep what is another result now");
    return {app, [options] { return run_regrade(*options); }, true};
}

}  // namespace warpgrade::cli
