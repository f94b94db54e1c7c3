#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/json_text.hpp"
#include "cli/behind_walls.hpp"
#include "cli/check_view.hpp"
#include "cli/course.hpp"
#include "cli/diagnose.hpp"
#include "cli/explain_view.hpp"
#include "cli/live_page.hpp"
#include "cli/machine.hpp"
#include "cli/options.hpp"
#include "cli/own_program.hpp"
#include "cli/proof_view.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "compile/compiler.hpp"
#include "grade/proved_shapes.hpp"
#include "grade/stage_grader.hpp"
#include "proof/prove.hpp"
#include "source/questions.hpp"

namespace warpgrade::cli {
namespace {

struct ExplainOptions : SharedOptions {
    std::vector<std::string> arguments;  // of a program
    std::string word;
    std::string page;  // file
    bool wants_page = false;
    std::string block;  // "X", "X,Y" or "X,Y,Z"; empty: the first one
    vgpu::Dim3 block_index{0, 0, 0};
    int line = 0, warp = -1;  // -1: the first one
    bool counts_alone = false;
    bool wants_proof = false;
    bool wants_time() const { return line == 0 && !counts_alone && !names_warp(); }
    bool names_warp() const { return warp >= 0 || !block.empty(); }
    bool is_shown(const vgpu::Access& access) const {
        if (line > 0 && access.line != line) return false;
        const bool is_block = access.block == block_index || (wants_page && block.empty());
        return is_block && (access.warp == static_cast<std::uint32_t>(std::max(warp, 0)) || (wants_page && warp < 0));
    }
    std::string warp_text() const {
        if (!names_warp()) return "the first warp of the first block";
        return fmt::format("warp {} of block ({},{},{})", std::max(warp, 0), block_index.x, block_index.y,
                           block_index.z);
    }
};

// --block and --page as they are meant. Error: usage.
Status read_places(ExplainOptions& options) {
    if (options.wants_page && !options.page.empty() && !options.page.ends_with(".html")) {
        // `--page STAGE`: the word after it is not its file.
        if (!options.word.empty())
            return usage("page_file", fmt::format("the page `{}` is not an HTML file", options.page),
                         "give a name that ends in .html: --page page.html");
        options.word = std::exchange(options.page, "");
    }
    if (options.block.empty()) return Nothing{};
    const std::array<std::uint32_t*, 3> parts{&options.block_index.x, &options.block_index.y, &options.block_index.z};
    const char* at = options.block.data();
    const char* const end = at + options.block.size();
    for (std::uint32_t* part : parts) {
        const auto [next, error] = std::from_chars(at, end, *part);
        if (error != std::errc() || next == at) break;
        at = next;
        if (at == end) return Nothing{};
        if (*at++ != ',') break;
    }
    return usage("block_index", fmt::format("`{}` is not the index of a block", options.block),
                 "give blockIdx.x, or x,y or x,y,z: --block 3,1");
}

// Leaves the accesses that the options ask for.
void keep_shown(StageResult& result, const ExplainOptions& options) {
    std::vector<vgpu::Access> kept;
    std::size_t i = 0;
    for (std::size_t& end : result.trace_ends) {
        for (; i < end; ++i)
            if (options.is_shown(result.trace[i])) kept.push_back(std::move(result.trace[i]));
        end = kept.size();
    }
    result.trace = std::move(kept);
}

std::string explanation_of(const StageResult& result, const Target& target, const ExplainOptions& options,
                           const Course& course, const RenderStyle& style) {
    std::string out = stage_header(target.stage->name(), target.path, style);
    const bool is_blank = result.is_untouched_stub && target.stage->is_graded && !target.stage->is_repair;
    if (!result.compiles || is_blank) {
        CheckView view;
        view.style = style;
        view.command = course.command;
        view.argument = target.argument;
        if (result.compiles) return render_stage(result, *target.assignment, *target.stage, view);
        return out + "\n" + render_findings(all_findings(result), 3, style) + "\n" +
               labelled("next", next_step(result, *target.stage, view), style);
    }
    std::vector<Diagnostic> errors;
    for (const Diagnostic& finding : all_findings(result))
        if (finding.severity == Severity::error) errors.push_back(finding);
    if (!errors.empty()) out += "\n" + render_findings(errors, 1, style);

    const std::vector<std::string> source = split_lines(result.source);
    const std::string traffic = render_traffic(traffic_by_line(result.by_line), source, options.line, style);
    const std::string of_shape = target.stage->is_program() ? "run " + escape(describe_case(result.counters_shape))
                                                            : "shape " + escape(to_string(result.counters_shape));
    if (traffic.empty())
        return out + "\n" +
               (options.line > 0
                    ? fmt::format("line {} accesses no memory on {}\n", options.line, of_shape)
                    : fmt::format("no line accesses memory on {}:\nno kernel ran, or none got that far\n", of_shape));
    out += fmt::format("\nall warps, {}\n\n", of_shape) + traffic;
    const std::string pictures = render_pictures(result.trace, source, options.line, style, result.trace_ends);
    if (options.wants_time() && result.bandwidth) out += render_time(*result.bandwidth, style);
    if (pictures.empty() && options.names_warp())
        return out + fmt::format("\n{} accesses no memory{}\n", options.warp_text(),
                                 options.line > 0 ? fmt::format(" in line {}", options.line) : "");
    if (pictures.empty()) return out;
    return out + "\n" + options.warp_text() +
           "\na global sector is [........], 32 bytes, one sign for 4: # used, + partly, . not\n\n" + pictures;
}

// Who asks for it waits longer than a check does.
constexpr double proof_seconds = 15;
constexpr unsigned proof_cpu_seconds = 25;  // with what a witness takes

nlohmann::ordered_json proof_json(const std::vector<ProvedType>& proved) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const ProvedType& one : proved) {
        nlohmann::ordered_json json{{"type", one.type}};
        json.update(proof::json_of(one.claim));
        if (one.refuted) json["refuted"] = json_of(*one.refuted);
        json["seconds"] = one.claim.seconds;
        json["sets"] = one.claim.sets;
        all.push_back(std::move(json));
    }
    return {{"proof", std::move(all)}};
}

// Behind the same walls as all that reads a submission.
int explain_proof(const ExplainOptions& options, const Target& target, const Machine& machine) {
    proof::is_available();  // loads the library, which a process behind walls could not
    const RenderStyle style = style_of(STDOUT_FILENO);
    ConfinedLimits limits;
    limits.cpu_seconds = proof_cpu_seconds;
    const auto reply = behind_walls(
        machine, target,
        [&]() -> wire::Fields {
            const auto proved = prove_file(*target.stage, target.path, proof_seconds);
            if (!proved) return wire::to_fields(proved.error());
            if (proved->empty())
                return {"nothing", options.is_json() ? "{}" : "it does not compile: `check` says why\n"};
            return {weakest(*proved).claim.is_whole() ? "proved" : "open",
                    options.is_json() ? json_text(proof_json(*proved)) : render_proof(*proved, style)};
        },
        limits);
    if (!reply) return fail(reply.error());
    const std::string text = reply->size() == 2 ? reply->back() : "";
    if (options.is_json()) {
        const auto json = json_from(text);
        if (!json) return fail(json.error());
        show(json_text(*json, 2) + "\n");
    } else {
        show(harmless(stage_header(target.stage->name(), target.path, style) + text, style));
    }
    return reply->front() == "nothing" ? exit_code(Blame::learner) : 0;
}

bool is_program_file(const std::string& path) {
    const auto text = read_submission(path);
    if (!text) return false;
    const source::Tree tree = source::parse(*text);
    const source::Facts facts = source::facts_of(tree);
    return std::any_of(facts.functions.begin(), facts.functions.end(),
                       [](const source::Function& function) { return function.name == "main" && !function.is_member; });
}

// All of standard input, for a program that reads it; another one is not to wait for its end.
std::string input_of(const std::string& path) {
    constexpr std::size_t most = std::size_t{16} << 20;
    const auto text = read_submission(path);
    if (!text) return "";
    const source::Tree tree = source::parse(*text);
    const auto is_read = [&](const char* word) { return source::has_word(tree, word); };
    const auto words = {"cin", "scanf", "stdin", "getchar", "getline"};
    if (std::none_of(words.begin(), words.end(), is_read)) return "";
    std::string input;
    char bytes[4096];
    for (ssize_t count; input.size() < most && (count = ::read(STDIN_FILENO, bytes, sizeof bytes)) > 0;)
        input.append(bytes, static_cast<std::size_t>(count));
    return input;
}

int run_explain(ExplainOptions options) {
    if (auto status = check_choices(options); !status) return fail(status.error());
    if (auto status = read_places(options); !status) return fail(status.error());
    if (options.shapes.size() > 1)
        return fail(usage("one_shape", "explain looks at one shape at a time", "give --shape once"));
    auto course = open_course();
    if (!course) return fail(course.error());
    if (auto status = check_profile(options, *course); !status) return fail(status.error());
    if (options.word.empty() && options.stage.empty())
        return fail(usage("no_stage", "explain needs a STAGE or a FILE",
                          fmt::format("`{} explain {}`", course->command, first_stage(*course))));
    const std::vector<std::string> words =
        options.word.empty() ? std::vector<std::string>{} : std::vector{options.word};
    auto targets = find_targets(*course, words, options.stage);
    OwnProgram own(options.word, options.arguments);
    if (!targets && options.stage.empty() && is_program_file(options.word)) {
        own.stage.runs.front().input = input_of(options.word);
        targets = std::vector<Target>{own.target(options.word)};
    }
    if (!targets) return fail(targets.error());
    if (targets->size() != 1)
        return fail(usage("one_stage", "explain looks at one stage at a time",
                          fmt::format("`{} explain {}`", course->command, targets->front().argument),
                          {fmt::format("`{}` is {} stages", options.word, targets->size())}));
    const Target& target = targets->front();
    auto shapes = parse_shapes(options, target);
    if (!shapes) return fail(shapes.error());
    // Whatever the device: what a warp touches, and where its time goes, is seen on the virtual GPU alone.
    SharedOptions without_card = options;
    without_card.device = "virtual";
    auto machine = open_machine(without_card, *course);
    if (!machine) return fail(machine.error());
    if (options.wants_proof) return explain_proof(options, target, *machine);
    auto report = begin_report(options, *course, *machine);
    if (!report) return fail(report.error());
    GradeOptions grade{.seed = options.seed, .shapes = *shapes, .threads = 0};
    if (options.wants_time()) machine->add_to(grade);
    grade.traces_whole_blocks = options.wants_page || options.names_warp();
    if (!options.block.empty()) grade.traced_block = options.block_index;
    const RenderStyle style = style_of(STDOUT_FILENO);
    const auto reply = behind_walls(*machine, target, [&]() -> wire::Fields {
        auto explained = explain_stage(*target.assignment, *target.stage, target.path, *machine->virtual_gpu, grade);
        if (!explained) return wire::to_fields(explained.error());
        // Of a kernel that touches nothing there is nothing to explain.
        bool is_explained = explained->compiles && !explained->trace.empty();
        keep_shown(*explained, options);
        const bool is_drawn = options.wants_page && !explained->trace.empty();
        if (options.wants_page) is_explained = is_drawn;
        const std::string code = is_explained ? "explained" : "nothing";
        if (!options.is_json() && !is_drawn) return {code, explanation_of(*explained, target, options, *course, style)};
        return {code, json_text(json_of(*explained))};
    });
    if (!reply) return fail(reply.error());
    const std::string text = reply->size() == 2 ? reply->back() : "";
    const bool is_drawn = options.wants_page && reply->front() == "explained";
    if (options.is_json() || is_drawn) {
        auto stage = unscored_stage_from(text, target);
        if (!stage) return fail(stage.error());
        (*stage)["score"] = json_of(StageResult())["score"];  // explaining scores nothing
        const nlohmann::ordered_json whole = json_of(*report, {std::move(*stage)});
        if (options.is_json()) show(json_text(whole, 2) + "\n");
        if (is_drawn) {
            const std::string file = options.page.empty() ? target.stage->id + ".html" : options.page;
            auto made = write_live_page(*course, whole, file);
            if (!made) return fail(made.error());
            if (!options.is_json()) show(escape_lines(*made));
        }
    } else {
        show(harmless(text, style));
    }
    return reply->front() == "explained" ? 0 : exit_code(Blame::learner);
}

}  // namespace

int explain_file(const std::string& path, const std::string& stage) {
    ExplainOptions options;
    options.word = path;
    options.stage = stage;
    return run_explain(options);
}

Verb add_explain(CLI::App& parent, std::vector<std::string> program_arguments) {
    const auto options = std::make_shared<ExplainOptions>();
    options->arguments = std::move(program_arguments);
    CLI::App* app = parent.add_subcommand("explain", "what a warp touches, line by line, with pictures");
    app->add_option("what", options->word, "a stage (ASSIGNMENT/STAGE), a file, or a whole program (-- ARGUMENTS)")
        ->type_name("STAGE|FILE");
    app->add_option("--line", options->line, "only this line of the source")
        ->type_name("N")
        ->check(whole_number(1, 1'000'000));
    app->add_option("--page", options->page, "a page to click through, instead of text (STAGE.html)")
        ->type_name("[FILE.html]")
        ->expected(0, 1);
    app->add_option("--block", options->block, "this block, by its index, instead of the first")->type_name("X,Y,Z");
    app->add_option("--warp", options->warp, "this warp of the block, instead of the first")
        ->type_name("N")
        ->check(whole_number(0, 31));
    app->add_flag("--proof", options->wants_proof, "what is proved for every shape, and what not");
    app->add_flag("--counts", options->counts_alone, "what is counted, and no time");
    add_shared(*app, *options);
    return {app, [options, app] {
                options->wants_page = app->count("--page") > 0;
                return run_explain(*options);
            }};
}

}  // namespace warpgrade::cli
