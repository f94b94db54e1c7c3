#include <fmt/format.h>
#include <sys/stat.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

#include "base/files.hpp"
#include "classroom/csv.hpp"
#include "classroom/export_marks.hpp"
#include "classroom/feedback_archive.hpp"
#include "classroom/identities.hpp"
#include "classroom/utf8.hpp"
#include "cli/course.hpp"
#include "cli/diagnose.hpp"
#include "cli/export_class.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using namespace classroom;

constexpr const char* export_kinds =
    "canvas, moodle, brightspace, blackboard, sakai, csv, junit, similarity or leaderboard";

std::string xml_text(const std::string& text) {
    std::string out;
    for (const char c : escape(text)) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

// With a byte order mark, by which spreadsheets know UTF-8.
std::string spreadsheet(const ExportMarks& marks) {
    std::string text =
        "\xef\xbb\xbf" + csv_line({"id", "name", "status", "points", "of", "as graded", "comment", "notes"});
    for (const ExportStudent* one : marks.in_course())
        text +=
            csv_line({safe_cell(one->id), safe_cell(one->name), one->status,
                      one->points ? points_text(*one->points) : "", points_text(one->max),
                      one->total ? points_text(*one->total) : "", safe_cell(comment_for(*one)), safe_cell(one->notes)});
    return text;
}

// A suite a student, a case a stage; a stage with fewer than all points is a failure, one without a mark is skipped.
std::string junit(const ExportMarks& marks) {
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
    for (const ExportStudent* one : marks.in_course()) {
        std::size_t failures = 0, skipped = 0;
        std::string cases;
        for (const ExportStage& stage : one->stages) {
            const bool has_mark = stage.total && !stage.is_excused;
            const bool fails = has_mark && *stage.total < stage.max - 0.005;
            failures += fails;
            skipped += !has_mark;
            cases +=
                fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml_text(one->id), xml_text(stage.stage));
            if (fails)
                cases += fmt::format("><failure message=\"{} of {} points\"/></testcase>\n", points_text(*stage.total),
                                     points_text(stage.max));
            else
                cases += has_mark ? "/>\n" : "><skipped/></testcase>\n";
        }
        text += fmt::format(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" errors=\"0\">\n{}  </testsuite>\n",
            xml_text(one->id), one->stages.size(), failures, skipped, cases);
    }
    return text + "</testsuites>\n";
}

int write_out(const fs::path& path, const std::string& bytes) {
    umask(077);
    if (auto status = replace_file(path, bytes); !status) return fail(status.error());
    return 0;
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    constexpr std::size_t most = 10;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i) text += (i == 0 ? "`" : ", `") + names[i] + "`";
    return names.size() > most ? text + fmt::format(" and {} more", names.size() - most) : text;
}

int into_platform(const ExportOptions& options, Platform platform, const ExportMarks& marks) {
    const auto bytes = read_whole_file(options.into, 64ull << 20);
    if (!bytes) return fail(bytes.error());
    auto file = open_platform_file(platform, *bytes, options.into, options.column);
    if (!file) return fail(file.error());
    auto theirs = parse_roster(to_utf8(*bytes), options.into);
    if (!theirs) return fail(theirs.error());
    if (file->max > 0 && file->max != marks.max && !options.scales)
        return fail(usage("another_maximum",
                          fmt::format("the file's column is of {} points, and the marks are of {}",
                                      points_text(file->max), points_text(marks.max)),
                          "add --scale, or set the platform's points"));
    std::vector<std::string> asked, left, nobody, beside;
    std::set<std::size_t> matched;
    std::vector<std::pair<std::size_t, const ExportStudent*>> filled;
    for (const RowMatch& match : match_rows(*file, *theirs, marks)) {
        const std::string name = file->table.value(match.row, 0);
        if (match.asks) asked.push_back(name);
        if (!match.student) continue;
        const ExportStudent& one = marks.students[*match.student];
        matched.insert(*match.student);
        if (!one.role.empty()) {
            beside.push_back(one.id);
            continue;
        }
        const bool is_excused = !one.stages.empty() && one.max <= 0 && one.points;
        if (!one.points && !is_excused) {
            left.push_back(one.id);
            continue;
        }
        const double most = one.max > 0 ? one.max : 1;
        const double share = options.scales && file->max > 0 ? file->max / most : 1;
        CellMark mark{points_text(*one.points * share), comment_for(one)};
        if (is_excused) mark.points = platform == Platform::canvas ? "EX" : "";
        fill(*file, match.row, mark);
        filled.emplace_back(match.row, &one);
    }
    for (std::size_t i = 0; i < marks.students.size(); ++i)
        if (!matched.contains(i) && marks.students[i].points && marks.students[i].role.empty())
            nobody.push_back(marks.students[i].id);
    const std::string result = file->table.bytes();
    if (auto status = check_platform_file(platform, result, options.into, options.column); !status)
        return fail(status.error());
    const fs::path path = options.out.empty() ? fs::path(options.from) / "export" / fs::path(options.into).filename()
                                              : fs::path(options.out);
    std::error_code error;
    if (fs::exists(path, error) && fs::equivalent(path, options.into, error))
        return fail(usage("own_file", "the file would be written over the one that it is made from",
                          "name another one with --out"));
    if (const int code = write_out(path, result); code != 0) return code;
    const int columns = style_of(STDOUT_FILENO).columns;
    show(fmt::format("filled {} of {}; see {}\n", filled.size(), counted(file->students.size(), "row", "rows"),
                     path.string()));
    if (!left.empty()) show(wrap_after("  ", "as they were, for there is no mark yet: " + listed(left), columns));
    if (!beside.empty())
        show(wrap_after("  ", "as they were, for they are not in the course: " + listed(beside), columns));
    if (!asked.empty())
        show(wrap_after("  ", "as they were, for more than one student fits: " + listed(asked), columns));
    if (!nobody.empty()) show(wrap_after("  ", "with a mark, and not in the file: " + listed(nobody), columns));
    if (!options.feedback.empty()) {
        auto made = feedback_archive(*file, filled, options.from);
        if (!made) return fail(made.error());
        if (const int code = write_out(options.feedback, made->bytes); code != 0) return code;
        show(fmt::format("reports of {}; see {}\n", counted(made->reports, "student", "students"), options.feedback));
    }
    return asked.empty() && nobody.empty() ? 0 : exit_code(Blame::learner);
}

int run_export(const ExportOptions& options) {
    const Platform platform = platform_named(options.what);
    if (options.what == "similarity") return export_similar(options);
    if (options.what == "leaderboard") return export_leaderboard(options);
    const bool is_other = options.what == "csv" || options.what == "junit";
    if (platform == Platform::none && !is_other)
        return fail(usage("unknown_export", fmt::format("there is no export to `{}`", options.what),
                          std::string("name ") + export_kinds));
    if (platform != Platform::none && options.into.empty())
        return fail(
            usage("no_file", "an export fills the file that the platform exported",
                  fmt::format("export the gradebook there, then `warpgrade export {} --into FILE`", options.what)));
    if (options.checks) {
        const auto bytes = read_whole_file(options.into, 64ull << 20);
        if (!bytes) return fail(bytes.error());
        if (auto status = check_platform_file(platform, *bytes, options.into, options.column); !status)
            return fail(status.error());
        show(fmt::format("{} takes this file\n", word_for(platform)));
        return 0;
    }
    auto marks = read_marks(options.from);
    if (!marks) return fail(marks.error());
    if (auto status = join_identities(options.from, *marks); !status) return fail(status.error());
    if (!is_other) return into_platform(options, platform, *marks);
    const fs::path path = options.out.empty()
                              ? fs::path(options.from) / "export" / (options.what == "csv" ? "marks.csv" : "junit.xml")
                              : fs::path(options.out);
    if (const int code = write_out(path, options.what == "csv" ? spreadsheet(*marks) : junit(*marks)); code != 0)
        return code;
    show(
        fmt::format("marks of {}; see {}\n", counted(marks->in_course().size(), "student", "students"), path.string()));
    return 0;
}

}  // namespace

Verb add_export(CLI::App& parent) {
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* app = parent.add_subcommand("export", "marks of a graded class into a platform's own file");
    app->add_option("what", options->what, export_kinds)->type_name("WHAT");
    app->add_option("--from", options->from, "what `grade` wrote (default: graded)")->type_name("DIR");
    app->add_option("--into", options->into, "what the platform exported; it is not changed")->type_name("FILE");
    app->add_option("--out", options->out, "where it goes (default: DIR/export)")->type_name("FILE");
    app->add_option("--column", options->column, "the assignment's title there, where several fit")->type_name("TITLE");
    app->add_flag("--scale", options->scales, "points in proportion to the platform's maximum");
    app->add_option("--feedback", options->feedback, "reports, under the platform's own names, as a zip")
        ->type_name("ZIP");
    app->add_option("--tool", options->tool, "for similarity: jplag, dolos or moss")->type_name("TOOL");
    app->add_option("--old", options->old, "for similarity: another year's DIR; repeatable")
        ->type_name("DIR")
        ->allow_extra_args(false)
        ->take_all();
    app->add_flag("--check", options->checks, "only say whether the platform would take FILE");
    return {app, [options] { return run_export(*options); }, true};
}

}  // namespace warpgrade::cli
