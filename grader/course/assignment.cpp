#include "course/assignment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "base/near_names.hpp"
#include "base/toml_reader.hpp"
#include "course/program_numbers.hpp"
#include "course/source_text.hpp"
#include "course/technique.hpp"
#include "problem/pattern.hpp"
#include "problem/problem.hpp"

namespace warpgrade {

namespace fs = std::filesystem;

namespace {

const std::vector<std::string> element_types{"unsigned char", "unsigned short", "float", "double", "float4"};

// "left op number" in its three parts.
void parse_expression(TechniqueRule& rule, bool is_of_program, const toml::node* node, TomlErrors& errors) {
    const std::string grammar = "a rule is `name op number` with op one of < <= == >= >";
    std::istringstream words(rule.expression);
    std::string number, rest;
    words >> rule.left >> rule.op >> number;
    if (number.empty() || words >> rest) {
        errors.report(node, "bad_rule", fmt::format("`{}` is not a rule", rule.expression), {grammar});
        return;
    }
    const auto& names = is_of_program ? program_number_names() : technique_names();
    if (std::ranges::find(names, rule.left) == names.end())
        errors.report(node, "unknown_counter", fmt::format("no counter is called `{}`", rule.left), {},
                      near_or(rule.left, names,
                              is_of_program ? "the names are in grader/course/program_numbers.cpp"
                                            : "the names are in grader/vgpu/counters.hpp and "
                                              "grader/course/technique.cpp"));
    if (rule.op != "<" && rule.op != "<=" && rule.op != "==" && rule.op != ">=" && rule.op != ">")
        errors.report(node, "bad_rule", fmt::format("`{}` is not a comparison", rule.op), {grammar});
    const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), rule.right);
    if (code != std::errc() || end != number.data() + number.size())
        errors.report(node, "bad_rule", fmt::format("`{}` is not a number", number), {grammar});
}

TechniqueRule read_rule(const toml::table& source, const Stage& stage, TomlErrors& errors) {
    TomlTable table(source, "a rule of stage `" + stage.id + "`", errors);
    TechniqueRule rule;
    rule.line = table.line();
    rule.expression = table.text("expect", true);
    rule.says = table.text("says", true);
    rule.points = table.number("points", 0, 0, 1000);
    if (!rule.expression.empty()) parse_expression(rule, stage.is_program(), table.node("expect"), errors);
    table.finish();
    return rule;
}

ProgramCase read_run(const toml::table& source, const std::string& stage, TomlErrors& errors) {
    TomlTable table(source, "a run of stage `" + stage + "`", errors);
    ProgramCase run;
    run.line = table.line();
    run.arguments = table.texts("arguments");
    run.input = table.text("input", false);
    run.output = table.text("output", false);
    run.exit_code = table.whole_number("exit_code", 0, 0, 255);
    run.errors = table.text("errors", false);
    table.finish();
    if (run.output.empty() && run.errors.empty())
        errors.report(&source, "run_without_output", fmt::format("a run of stage `{}` asks for nothing", stage), {},
                      "give it output = \"...\" or errors = \"...\"");
    return run;
}

void read_libraries(TomlTable& stage_table, Stage& stage, TomlErrors& errors) {
    stage.libraries = stage_table.texts("libraries");
    for (const std::string& name : stage.libraries)
        if (name != "cub")
            errors.report(stage_table.node("libraries"), "unknown_library",
                          fmt::format("`libraries` of stage `{}` has `{}`", stage.id, name),
                          {"cub: cub::BlockReduce, cub::WarpScan and the like, which kernels call"},
                          near_or(name, std::vector<std::string>{"cub"}));
}

void read_runs(TomlTable& stage_table, Stage& stage, const toml::table& source, TomlErrors& errors) {
    const std::string host = stage_table.text("host", false, "launcher");
    if (host != "launcher" && host != "runtime")
        errors.report(stage_table.node("host"), "unknown_host",
                      fmt::format("`host` of stage `{}` is `{}`", stage.id, host),
                      {"launcher: the kit calls a function of the file; runtime: the file is a program with main()"},
                      near_or(host, std::vector<std::string>{"launcher", "runtime"}));
    stage.host = host == "runtime" ? HostCode::runtime : HostCode::launcher;
    for (const toml::table* run : stage_table.tables("run")) stage.runs.push_back(read_run(*run, stage.id, errors));
    if (stage.is_program() == stage.runs.empty())
        errors.report(&source, "runs",
                      stage.is_program() ? fmt::format("stage `{}` is a program without a [[stage.run]]", stage.id)
                                         : fmt::format("stage `{}` has a [[stage.run]], but is no program", stage.id),
                      {}, stage.is_program() ? "say with which arguments it is run" : "set host = \"runtime\"");
}

// What is measured and asked of a launcher, and of a program is not.
void check_program(const Stage& stage, const toml::table& source, TomlErrors& errors) {
    if (!stage.is_program()) return;
    if (stage.performance_points > 0 || stage.quiz_points > 0)
        errors.report(source.get("points"), "points_of_program",
                      fmt::format("stage `{}` is a program: it is not timed, and has no quiz", stage.id), {},
                      "give the points to correctness and technique");
    for (const char* key : {"types", "band", "classes", "sweep_threads", "problem", "also_passes"})
        if (source.contains(key))
            errors.report(source.get(key), "key_of_launcher",
                          fmt::format("stage `{}` is a program, and has no `{}`", stage.id, key), {}, "take it out");
}

void read_points(TomlTable& stage_table, Stage& stage, TomlErrors& errors) {
    const toml::table* source = stage_table.table("points");
    if (!source) {
        if (stage.is_graded)
            errors.report_at(stage_table.line(), 0, "missing_key", fmt::format("stage `{}` has no `points`", stage.id),
                             {}, "add points = { correctness = 6, technique = 4, performance = 2 }, or graded = false");
        return;
    }
    TomlTable table(*source, "`points` of stage `" + stage.id + "`", errors);
    stage.correctness_points = table.number("correctness", 0, 0, 1000);
    stage.technique_points = table.number("technique", 0, 0, 1000);
    stage.performance_points = table.number("performance", 0, 0, 1000);
    stage.quiz_points = table.number("quiz", 0, 0, 1000);
    table.finish();
    if (!stage.is_graded && stage.max_points() > 0)
        errors.report(source, "points_of_ungraded_stage",
                      fmt::format("stage `{}` is not graded but has points", stage.id));
}

void read_band(TomlTable& stage_table, Stage& stage, TomlErrors& errors) {
    const toml::table* source = stage_table.table("band");
    if (!source) return;
    TomlTable table(*source, "`band` of stage `" + stage.id + "`", errors);
    stage.band.none = table.number("none", stage.band.none, 0, 2);
    stage.band.full = table.number("full", stage.band.full, 0, 2);
    table.finish();
    if (stage.band.none >= stage.band.full)
        errors.report(source, "bad_band", fmt::format("the band of stage `{}` is empty", stage.id),
                      {"`none` must be below `full`"});
}

void read_class_weights(TomlTable& stage_table, Stage& stage, TomlErrors& errors) {
    const toml::table* source = stage_table.table("classes");
    if (!source) return;
    TomlTable table(*source, "`classes` of stage `" + stage.id + "`", errors);
    double sum = 0;
    for (const char* name : {"aligned", "odd", "thin", "small"}) {
        const double weight = table.number(name, 0, 0, 1);
        if (weight > 0) stage.class_weights[name] = weight;
        sum += weight;
    }
    table.finish();
    if (sum < 1 - 1e-9 || sum > 1 + 1e-9)
        errors.report(source, "weights_do_not_add_up",
                      fmt::format("the shape classes of stage `{}` add up to {}", stage.id, sum),
                      {"they are shares of the performance points, so they add up to 1"});
}

void check_rule_points(const Stage& stage, const toml::node& where, TomlErrors& errors) {
    double given = 0;
    bool all_given = !stage.technique.empty();
    for (const TechniqueRule& rule : stage.technique) {
        given += rule.points;
        all_given = all_given && rule.points != 0;
    }
    if (stage.technique_points > 0 && stage.technique.empty())
        errors.report(&where, "no_rules",
                      fmt::format("stage `{}` has technique points but no [[stage.rule]]", stage.id));
    const toml::node* points = where.is_table() ? where.as_table()->get("points") : nullptr;
    if (given > stage.technique_points + 1e-9 || (all_given && given < stage.technique_points - 1e-9))
        errors.report(
            points ? points : &where, "points_do_not_add_up",
            fmt::format("the rules of stage `{}` give {} points of {}", stage.id, given, stage.technique_points), {},
            fmt::format("set technique = {}, or change the `points` of its rules", given));
}

Stage read_stage(const toml::table& source, const Assignment& assignment, TomlErrors& errors) {
    TomlTable table(source, "a [[stage]]", errors);
    Stage stage;
    stage.assignment = assignment.name;
    stage.id = table.text("id", true);
    stage.number = table.whole_number("number", 0, 0, 999);
    stage.title = table.text("title", true);
    stage.file = table.text("file", true);
    read_runs(table, stage, source, errors);
    read_libraries(table, stage, errors);
    stage.problem = table.text("problem", false, stage.is_program() ? "" : assignment.problem);
    stage.is_graded = table.boolean("graded", true);
    read_points(table, stage, errors);
    read_band(table, stage, errors);
    read_class_weights(table, stage, errors);
    stage.types = table.texts("types", {"float"});
    stage.hints = table.texts("hints");
    stage.stub_digest = table.text("stub", false);
    stage.first_step = table.text("first_step", false);
    stage.sweep_threads = table.whole_numbers("sweep_threads", 1, 1024);
    stage.also_passes = table.texts("also_passes");
    stage.quiz_banks = table.boolean("quiz_banks", true);
    stage.is_repair = table.boolean("repair", false);
    for (const toml::table* rule : table.tables("rule")) stage.technique.push_back(read_rule(*rule, stage, errors));
    table.finish();

    for (const std::string& type : stage.types)
        if (!element_type_named(type))
            errors.report(table.node("types"), "unknown_type",
                          fmt::format("stage `{}` has an unknown type `{}`", stage.id, type),
                          {fmt::format("types: {}", fmt::join(element_types, ", "))}, near_or(type, element_types));
    if (stage.types.empty())
        errors.report(table.node("types"), "unknown_type", fmt::format("stage `{}` has no type", stage.id));
    check_rule_points(stage, source, errors);
    check_program(stage, source, errors);
    for (const auto& [key, node] : source)
        stage.lines[std::string(key.str())] = static_cast<int>(key.source().begin.line);
    stage.lines["stage"] = table.line();
    return stage;
}

void check_problem(const std::string& name, const toml::node* node, TomlErrors& errors) {
    if (name.empty() || find_problem(name)) return;
    std::vector<std::string> names;
    for (const Problem* problem : all_problems()) names.emplace_back(problem->name());
    errors.report(node, "unknown_problem", fmt::format("no problem is called `{}`", name),
                  {fmt::format("problems: {}", fmt::join(names, ", "))},
                  near_or(name, names, fmt::format("it is described in assignments/{}/problem.toml", name)));
}

void check_stages(const Assignment& assignment, const std::vector<const toml::table*>& sources, TomlErrors& errors) {
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < assignment.stages.size(); ++i) {
        const Stage& stage = assignment.stages[i];
        check_problem(stage.problem, sources[i], errors);
        for (std::size_t j = 0; j < i; ++j) {
            const Stage& other = assignment.stages[j];
            if (other.id == stage.id)
                errors.report(sources[i]->get("id"), "duplicate_id",
                              fmt::format("two stages have the id `{}`", stage.id),
                              {fmt::format("they are the files {} and {}", other.file, stage.file)},
                              "call one of them by another name, and its files too");
            if (other.number == stage.number)
                errors.report(
                    sources[i], "duplicate_number",
                    fmt::format("stages `{}` and `{}` both have number {}", other.id, stage.id, stage.number));
            if (other.file == stage.file)
                errors.report(sources[i], "duplicate_file",
                              fmt::format("stages `{}` and `{}` share the file `{}`", other.id, stage.id, stage.file));
        }
        ids.push_back(stage.id);
    }
    for (std::size_t i = 0; i < assignment.stages.size(); ++i)
        for (const std::string& id : assignment.stages[i].also_passes)
            if (std::ranges::find(ids, id) == ids.end())
                errors.report(
                    sources[i], "unknown_stage",
                    fmt::format("`also_passes` of stage `{}` names no stage: `{}`", assignment.stages[i].id, id), {},
                    near_or(id, ids));
}

}  // namespace

double performance_share(const PerformanceBand& band, double fraction) {
    return std::clamp((fraction - band.none) / (band.full - band.none), 0.0, 1.0);
}

Result<Assignment> load_assignment(const std::string& folder) {
    const fs::path path = fs::path(folder) / "assignment.toml";
    TomlErrors errors(path.string());
    const auto root = parse_toml(errors);
    if (!root) return *errors.first();

    TomlTable table(*root, "the assignment", errors);
    Assignment assignment;
    assignment.folder = folder;
    assignment.name = table.text("name", true);
    assignment.order = table.whole_number("order", Assignment{}.order, 1, 999);
    assignment.title = table.text("title", false, assignment.name);
    assignment.shows_changes = table.boolean("shows_changes", false);
    const auto sources = table.tables("stage");
    const bool needs_problem = std::ranges::any_of(sources, [](const toml::table* stage) {
        return !stage->contains("problem") && (*stage)["host"].value_or("launcher") != std::string_view("runtime");
    });
    assignment.problem = table.text("problem", needs_problem || sources.empty());
    table.finish();
    fs::path bare = fs::path(folder).lexically_normal();
    if (!bare.has_filename()) bare = bare.parent_path();
    // Read by itself, without its course: what problems there are stands beside it.
    const auto read_beside = [&](const std::string& name) -> Status {
        return name.empty() || find_problem(name) ? Status(Nothing{}) : load_problems(bare.parent_path().string());
    };
    if (auto status = read_beside(assignment.problem); !status) return status.error();
    check_problem(assignment.problem, table.node("problem"), errors);
    if (!assignment.name.empty() && assignment.name != bare.filename().string())
        errors.report(
            table.node("name"), "name_differs",
            fmt::format("the assignment `{}` is in the folder `{}`", assignment.name, bare.filename().string()), {},
            "give both one name");
    if (sources.empty()) errors.report(nullptr, "no_stages", "the assignment has no [[stage]]");
    for (const toml::table* source : sources) {
        assignment.stages.push_back(read_stage(*source, assignment, errors));
        if (auto status = read_beside(assignment.stages.back().problem); !status) return status.error();
    }
    check_stages(assignment, sources, errors);
    if (errors.first()) return *errors.first();

    std::ranges::stable_sort(assignment.stages, [](const Stage& a, const Stage& b) { return a.number < b.number; });
    const fs::path solutions = bare.parent_path().parent_path() / "solutions" / bare.filename();
    if (fs::is_directory(solutions)) assignment.solutions = solutions.string();
    return assignment;
}

bool Stage::is_stub(std::string_view text) const { return !stub_digest.empty() && text_digest(text) == stub_digest; }

}  // namespace warpgrade
