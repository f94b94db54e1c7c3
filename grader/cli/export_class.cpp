#include "cli/export_class.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "base/files.hpp"
#include "base/json_members.hpp"
#include "base/json_text.hpp"
#include "classroom/export_marks.hpp"
#include "classroom/identities.hpp"
#include "classroom/ledger.hpp"
#include "classroom/reports.hpp"
#include "classroom/similarity_export.hpp"
#include "classroom/student_ids.hpp"
#include "classroom/table_file.hpp"
#include "cli/course.hpp"
#include "cli/diagnose.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using namespace classroom;
using Json = nlohmann::ordered_json;

constexpr const char* names_file = "leaderboard.csv";  // who wants to be shown by which name
constexpr const char* salt_file = "leaderboard-salt";

// Of a class whose files have names: words that only this folder's salt joins with them.
Result<std::string> salt_of(const fs::path& folder) {
    const fs::path path = folder / graded_store / salt_file;
    if (auto known = read_whole_file(path, 1024)) return std::move(*known);
    const std::string salt = new_identities().salt;
    if (auto status = replace_file(path, salt); !status) return status.error();
    return salt;
}

// By the student's id, or the pseudonym.
Result<std::map<std::string, std::string>> names_that_show(const fs::path& folder) {
    std::map<std::string, std::string> names;
    std::error_code error;
    if (!fs::exists(folder / names_file, error)) return names;
    const auto text = read_whole_file(folder / names_file, 16ull << 20);
    if (!text) return text.error();
    const auto table = open_table(*text, (folder / names_file).string(), {"student", "name"});
    if (!table) return table.error();
    const auto ledger = read_ledger(folder);
    if (!ledger) return ledger.error();
    for (const TableRow& row : table->rows)
        if (const auto id = id_in_book(folder, ledger->ledger, row.cells[0]); id && !row.cells[1].empty())
            names[*id] = row.cells[1];
    return names;
}

// What is right and was timed: nobody is fast with a wrong answer.
bool is_shown(const Json& stage) {
    if (!stage.is_object() || !stage.contains("bandwidth") || !stage["bandwidth"].is_object()) return false;
    if (!stage.contains("correctness") || !stage.contains("score")) return false;
    const Json& cases = stage["correctness"];
    const std::string state = stage["score"].value("state", "");
    return (state == "final" || state == "provisional") && cases.value("total", 0) > 0 &&
           cases.value("passed", 0) == cases.value("total", 0) &&
           number_in(stage["bandwidth"], "copy_gb_per_s").value_or(0) > 0;
}

}  // namespace

int export_similar(const ExportOptions& options) {
    umask(077);
    const auto tool = similarity_tool_named(options.tool);
    if (!tool)
        return fail(usage("unknown_tool",
                          options.tool.empty() ? "`export similarity` needs to know for which tool"
                                               : fmt::format("there is no tool `{}`", options.tool),
                          "`--tool jplag`, `--tool dolos` or `--tool moss`"));
    const auto course = open_course();
    if (!course) return fail(course.error());
    const fs::path out = options.out.empty() ? fs::path(options.from) / "export" / options.tool : fs::path(options.out);
    std::error_code error;
    if (fs::exists(out, error) && !fs::exists(out / "README.txt", error) && !fs::is_empty(out, error))
        return fail(usage("folder_in_use", fmt::format("`{}` is there, and is no such export", out.string()),
                          "name another folder with --out"));
    fs::remove_all(out / "submissions", error);
    fs::remove_all(out / "old", error);
    const auto made = export_similarity(*tool, options.from, options.old, course->assignments, out);
    if (!made) return fail(made.error());
    show(fmt::format("{} of {}; in {} type:\n  {}\n", counted(made->files, "file", "files"),
                     counted(made->students, "student", "students"), shown_path(out.string()), made->command));
    return 0;
}

int export_leaderboard(const ExportOptions& options) {
    umask(077);
    const fs::path folder = options.from;
    const auto course = open_course();
    if (!course) return fail(course.error());
    const auto marks = read_marks(folder);
    if (!marks) return fail(marks.error());
    const auto identities = read_identities(folder);
    if (!identities) return fail(identities.error());
    const auto salt = *identities ? Result<std::string>(std::string()) : salt_of(folder);
    if (!salt) return fail(salt.error());
    const auto names = names_that_show(folder);
    if (!names) return fail(names.error());
    Json json{{"schema", "warpgrade.leaderboard/1"}, {"rows", Json::array()}};
    std::set<std::string> taken;
    std::size_t students = 0;
    for (const ExportStudent* its : marks->in_course()) {
        const ExportStudent& one = *its;
        const auto text = read_whole_file(folder / "results" / (one.file + ".json"), 256ull << 20);
        const Json result = text ? Json::parse(*text, nullptr, false) : Json();
        if (!result.is_object() || !result.contains("stages")) continue;
        const auto shown = names->find(one.id);
        const std::string pseudonym = *identities ? one.id : pseudonym_for(*salt, one.id, taken);
        taken.insert(pseudonym);
        const std::string name = shown == names->end() ? pseudonym : shown->second;
        bool has_row = false;
        for (const Json& stage : result["stages"]) {
            if (!is_shown(stage)) continue;
            const Json& bandwidth = stage["bandwidth"];
            json["rows"].push_back({{"name", name},
                                    {"stage", stage.value("assignment", "") + "/" + stage.value("stage", "")},
                                    {"share", number_in(bandwidth, "gb_per_s").value_or(0) /
                                                  number_in(bandwidth, "copy_gb_per_s").value_or(0)},
                                    {"origin", bandwidth.value("origin", "")}});
            has_row = true;
        }
        students += has_row;
    }
    // The order of the class would say who is who.
    std::sort(json["rows"].begin(), json["rows"].end(), [](const Json& a, const Json& b) {
        return std::tuple(a["stage"].get<std::string>(), -a["share"].get<double>(), a["name"].get<std::string>()) <
               std::tuple(b["stage"].get<std::string>(), -b["share"].get<double>(), b["name"].get<std::string>());
    });
    const fs::path page = options.out.empty() ? folder / "export" / "leaderboard.html" : fs::path(options.out);
    const fs::path data = fs::path(page).replace_extension(".json");
    if (auto status = replace_file(data, json_text(json, 1) + "\n"); !status) return fail(status.error());
    const auto maker = ReportMaker::open(course->root);
    if (!maker) return fail(maker.error());
    std::error_code error;
    const auto made =
        maker->run({"leaderboard", fs::absolute(data, error).string(), "--out", fs::absolute(page, error).string()});
    if (!made) return fail(made.error());
    show(fmt::format("{} by pseudonym, {} by a name of {}; see {}\n", counted(students, "student", "students"),
                     names->size(), names_file, shown_path(page.string())));
    return 0;
}

}  // namespace warpgrade::cli
