// `run`: a whole program on the virtual GPU. Its standard output is the program's alone; what is found is told on
// standard error, after it.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/confined.hpp"
#include "base/files.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "classroom/reports.hpp"
#include "cli/behind_walls.hpp"
#include "cli/card_run.hpp"
#include "cli/check_view.hpp"
#include "cli/diagnose.hpp"
#include "cli/machine.hpp"
#include "cli/options.hpp"
#include "cli/own_program.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "compile/compiler.hpp"
#include "grade/finding_json.hpp"
#include "grade/program_stage.hpp"
#include "host/program.hpp"
#include "host/program_text.hpp"

namespace warpgrade::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* write_service = "write";
constexpr const char* read_service = "read";

struct ProgramOptions : SharedOptions {
    std::string file, out, report;
    std::vector<std::string> arguments;
};

// What came of it, told by the process behind walls.
struct Told {
    int exit_code = 0;
    bool is_refused = false;  // it did not compile
    std::vector<Diagnostic> findings;
    Json launches = Json::array();
    std::uint64_t launch_count = 0;
    bool asked_for_time = false;
    std::string shown;  // as a stage of a result, where a report is wanted
};

bool has_error(const std::vector<Diagnostic>& findings) {
    return std::any_of(findings.begin(), findings.end(),
                       [](const Diagnostic& finding) { return finding.severity == Severity::error; });
}

void add_run(Told& told, const host::ProgramRun& run, const host::ProgramText& text) {
    told.exit_code = run.exit_code;
    told.launch_count = run.launch_count;
    told.asked_for_time = run.asked_for_time;
    for (const host::Launched& launched : run.launches) {
        const host::ProgramText::Piece place = text.place_of(launched.line);
        told.launches.push_back({{"kernel", launched.kernel},
                                 {"grid", {launched.grid.x, launched.grid.y, launched.grid.z}},
                                 {"block", {launched.block.x, launched.block.y, launched.block.z}},
                                 {"shared_bytes", launched.shared_bytes},
                                 {"line", place.line},
                                 {"modelled_seconds", launched.seconds}});
        if (text.has_several_files()) told.launches.back()["path"] = place.path;
    }
}

wire::Fields fields_of(Told& told, const host::ProgramText& text, const RenderStyle& style) {
    std::ranges::stable_partition(told.findings,
                                  [](const Diagnostic& finding) { return finding.severity == Severity::error; });
    Json json{{"exit_code", told.exit_code},
              {"compiles", !told.is_refused},
              {"launch_count", told.launch_count},
              {"launches", told.launches},
              {"times", told.asked_for_time ? "modelled" : "none"},
              {"findings", Json::array()}};
    for (Diagnostic& finding : told.findings) {
        text.place(finding);
        json["findings"].push_back(finding_json(finding));
        if (text.has_several_files() && !finding.marks.empty())
            json["findings"].back()["path"] = finding.marks.front().path;
    }
    const std::string shown = render_findings(told.findings, 10, style);
    return {"ran",     std::to_string(told.exit_code), has_error(told.findings) ? "1" : "0", shown, json_text(json),
            told.shown};
}

host::Outside through_services() {
    return {[](host::Outside::Stream stream, std::string_view text) {
                ask_outside(write_service, {stream == host::Outside::Stream::output ? "1" : "2", std::string(text)});
            },
            [] {
                const wire::Fields answer = ask_outside(read_service, {});
                return answer.empty() ? std::string() : answer.front();
            }};
}

// Behind walls.
wire::Fields run_text(const ProgramOptions& options, const host::ProgramText& text, const LaunchLimits& gpu,
                      const std::string& gpu_name, const RenderStyle& style) {
    auto compiled = host::compile_program(text, gpu);
    const auto failed = [&](Diagnostic error) {
        if (error.code == "undefined_function" && !text.is_folder)
            error.help = "write its body into this file, or run the folder if another file there has it";
        text.place(error);
        return wire::to_fields(error);
    };
    if (!compiled) return failed(compiled.error());
    Told told;
    std::ranges::transform(text.notes, std::back_inserter(told.findings), compiler_diagnostic);
    std::ranges::transform(compiled->messages, std::back_inserter(told.findings), compiler_diagnostic);
    if (!compiled->ok) {
        told.exit_code = 1;
        told.is_refused = true;
        if (!options.report.empty()) {
            const OwnProgram own(text.path, options.arguments);
            StageResult refused = shown_program(own.assignment, own.stage, text, {}, {});
            refused.compiles = false;
            refused.cases.clear();
            refused.compiler_messages = compiled->messages;
            told.shown = json_text(json_of(refused));
        }
        return fields_of(told, text, style);
    }
    if (options.device == "cuda") return {"compiles"};
    host::Program program;
    program.ptx = std::move(compiled->ptx);
    program.text = text;
    program.arguments = {"./" + std::filesystem::path(text.path).stem().string()};
    program.arguments.insert(program.arguments.end(), options.arguments.begin(), options.arguments.end());
    program.gpu = gpu;
    program.gpu_name = gpu_name;
    program.cuda_major = std::atoi(compiled->nvrtc_version.c_str());
    host::ProgramLimits limits;
    limits.is_time_over = &work_time_is_over();
    limits.traces = !options.report.empty();
    auto run = host::run_program(program, limits, through_services());
    if (!run) return failed(run.error());
    std::ranges::move(host::findings_of(*run, text.path, text.text), std::back_inserter(told.findings));
    add_run(told, *run, text);
    if (!options.report.empty()) {
        const OwnProgram own(text.path, options.arguments);
        told.shown = json_text(json_of(shown_program(own.assignment, own.stage, text, std::move(*run), told.findings)));
    }
    return fields_of(told, text, style);
}

// The trusted side of the program's streams. On a terminal control characters are shown and not sent.
Services stream_services() {
    const auto write_out = [](const wire::Fields& request) {
        if (request.size() != 2) return wire::Fields();
        const int file = request.front() == "1" ? STDOUT_FILENO : STDERR_FILENO;
        const std::string text = is_terminal(file) ? harmless(request.back(), RenderStyle()) : request.back();
        write_all(file, text);
        return wire::Fields{"written"};
    };
    const auto read_in = [](const wire::Fields&) {
        char bytes[4096];
        const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
        return wire::Fields{std::string(bytes, static_cast<std::size_t>(std::max<ssize_t>(count, 0)))};
    };
    return {{write_service, write_out}, {read_service, read_in}};
}

Result<wire::Fields> run_behind_walls(const ProgramOptions& options, const host::ProgramText& text,
                                      const LaunchLimits& gpu, const std::string& gpu_name, const RenderStyle& style) {
    ConfinedLimits limits;
    limits.cpu_seconds = 40;
    limits.wall_seconds = 600;
    limits.memory_bytes = std::uint64_t{4} << 30;
    limits.requests = 1'000'000;
    constexpr unsigned most_compilations = 200;
    constexpr double most_cpu_seconds = 40;
    Services services = compile_services(most_compilations, most_cpu_seconds);
    services.merge(stream_services());
    auto run = run_confined([&] { return run_text(options, text, gpu, gpu_name, style); }, services, limits);
    if (!run) return run.error();
    if (run->end == ConfinedRun::End::out_of_cpu)
        return diagnose(Blame::learner, out_of_cpu_code,
                        fmt::format("the program took more than {} s of processor time here", limits.cpu_seconds),
                        "try a smaller size: the virtual GPU is thousands of times slower than a GPU");
    return reply_of(std::move(*run), limits, "this program");
}

// The report of `check --report`, of a result of this one run.
Status write_report(const ProgramOptions& options, const Course& course, const Machine& machine,
                    const std::string& text) {
    const OwnProgram own(options.file, options.arguments);
    auto stage = unscored_stage_from(text, own.target(options.file));
    if (!stage) return stage.error();
    (*stage)["score"] = json_of(StageResult())["score"];
    auto report = begin_report(options, course, machine);
    if (!report) return report.error();
    const std::filesystem::path folder = std::filesystem::absolute(options.report), result = folder / "result.json";
    if (auto status = replace_file(result, json_text(json_of(*report, {std::move(*stage)}), 2) + "\n"); !status)
        return status;
    auto maker = classroom::ReportMaker::open(course.root);
    if (!maker) return maker.error();
    auto made = maker->run({"student", result.string(), "--out", folder.string()});
    if (!made) return made.error();
    std::cerr << escape_lines(*made) << std::flush;
    return Nothing{};
}

int show_result(const ProgramOptions& options, const wire::Fields& reply, const RenderStyle& style) {
    if (reply.size() != 6 || reply.front() != "ran")
        return fail(diagnose(Blame::kit, "defect", "what came of the program makes no sense", "please report it"));
    std::cerr << harmless(reply[3], style) << std::flush;
    if (options.is_json()) {
        auto json = json_from(reply[4]);
        if (!json) return fail(json.error());
        Json all{{"schema", "warpgrade.run/1"}, {"source", options.file}};
        all.update(*json);
        if (auto status = replace_file(options.out, json_text(all, 2) + "\n"); !status) return fail(status.error());
    }
    const int code = std::clamp(std::atoi(reply[1].c_str()), 0, 255);
    return code == 0 && reply[2] == "1" ? exit_code(Blame::learner) : code;
}

int run_run(const ProgramOptions& options) {
    if (auto status = check_choices(options); !status) return fail(status.error());
    if (options.file.empty())
        return fail(usage("no_file", "run needs a FILE with main()", "`warpgrade run FILE.cu -- ARGUMENTS`"));
    if (options.is_json() && options.out.empty())
        return fail(usage("no_out", "standard output is the program's, so that JSON needs a file of its own",
                          "give --out FILE"));
    if (!options.is_json() && !options.out.empty())
        return fail(usage("out_is_for_json", "--out is the file of --format json", "add `--format json`"));
    const bool is_on_card = options.device == "cuda";
    if (is_on_card && (options.is_json() || !options.report.empty()))
        return fail(usage("card_shows_nothing", "on a card a program is run and nothing is looked at",
                          "leave --device out for --format and --report"));
    auto course = open_course();
    if (!course) return fail(course.error());
    if (auto status = check_profile(options, *course); !status) return fail(status.error());
    SharedOptions place = options;
    if (!is_on_card) place.device = "virtual";
    auto machine = open_machine(place, *course);
    if (!machine) return fail(machine.error());
    const auto text = host::read_program(options.file, [](const std::string& path) -> Result<SourceFile> {
        if (auto status = read_ahead(path); !status) return status.error();
        return read_source_file(path);
    });
    if (!text) return fail(text.error());
    const RenderStyle style = style_of(STDERR_FILENO);
    const std::string gpu_name = machine->profile != nullptr ? machine->profile->name : machine->name();
    const auto reply = run_behind_walls(options, *text, machine->virtual_gpu->info().limits, gpu_name, style);
    if (!reply) return fail(reply.error());
    if (is_on_card && reply->front() == "compiles") return run_on_machine_card(*machine, *text, options.arguments);
    const int code = show_result(options, *reply, style);
    if (options.report.empty() || reply->back().empty()) return code;
    const auto status = write_report(options, *course, *machine, reply->back());
    return status ? code : std::max(code, fail(status.error()));
}

}  // namespace

Verb add_run(CLI::App& parent, std::vector<std::string> program_arguments) {
    const auto options = std::make_shared<ProgramOptions>();
    options->arguments = std::move(program_arguments);
    CLI::App* app = parent.add_subcommand("run", "a whole program with main(), on the virtual GPU");
    app->add_option("file", options->file,
                    "a .cu file with main(), or the folder of several; what follows -- is for the program")
        ->type_name("FILE");
    app->add_option("--device", options->device,
                    "auto and virtual: the virtual GPU; cuda: nvcc and a card, where nothing is looked at")
        ->type_name("DEVICE");
    app->add_option("--profile", options->profile, "GPU that the program finds here, and whose times are modelled: t4")
        ->type_name("NAME");
    app->add_option("--format", options->format, "text; json: what is found goes to the file of --out")
        ->type_name("FORMAT");
    app->add_option("--report", options->report, "folder for a report in HTML and PDF")->type_name("DIR");
    app->add_option("--out", options->out, "where --format json is written")->type_name("FILE");
    app->footer("Example\n  warpgrade run vector_add.cu -- 1000\n");
    return {app, [options] { return run_run(*options); }};
}

}  // namespace warpgrade::cli
