#include <fmt/format.h>
#include <unistd.h>

#include <fmt/chrono.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/files.hpp"
#include "calibrate/calibrate.hpp"
#include "calibrate/microbenchmarks.hpp"
#include "cli/calibrate_view.hpp"
#include "cli/diagnose.hpp"
#include "cli/machine.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "timing/modelled.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

struct CalibrateOptions : SharedOptions {
    std::string out;
    int samples = 31;
    bool microbenchmarks = false;
    bool references = false;
};

// The virtual GPU is advice for other verbs.
Diagnostic without_virtual_gpu(Diagnostic why) {
    if (why.blame != Blame::host) return why;
    why.facts.resize(std::min<std::size_t>(why.facts.size(), 1));
    why.help = "run `calibrate` on the machine with the GPU; `warpgrade doctor` there says what it lacks";
    return why;
}

std::string today() { return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr))); }

std::string name_and_driver(const cuda::CardFacts& facts) {
    return facts.name + (facts.driver.empty() ? "" : ", driver " + facts.driver);
}

ProfileRun run_of(const cuda::CardFacts& facts, const std::string& command) {
    return {today(), facts.name, facts.driver,
            fmt::format("{}.{}", facts.cuda_version / 1000, facts.cuda_version % 1000 / 10), command};
}

Result<GpuProfile> measure_bandwidths(Machine& machine, const Course& course, const CalibrateOptions& options) {
    MeasureOptions measure;
    measure.samples = options.samples;
    Measurer measurer(*machine.card, nullptr, measure);
    Progress progress("calibrating", "shapes");
    auto made = calibrate(measurer, course.assignments, options.seed,
                          [&](std::size_t done, std::size_t all) { progress.show(done, all); });
    if (!made) return made;
    const cuda::CardFacts& facts = machine.card->facts();
    made->run = run_of(
        facts, fmt::format("{} calibrate --seed {} --samples {}", course.command, options.seed, options.samples));
    // What others wrote about this card: the model's parameters, and how far off it is.
    if (const GpuProfile* before = profile_of_card(machine.profiles, facts.name)) {
        made->slug = before->slug;
        made->model = before->model;
        made->error_band = before->error_band;
        made->errors = before->errors;
    }
    return made;
}

// Into the profile, with what to say of it.
Result<std::string> measure_parameters(Machine& machine, const Course& course, GpuProfile& profile,
                                       const RenderStyle& style) {
    const cuda::CardFacts& facts = machine.card->facts();
    const std::string source = today() + ", " + name_and_driver(facts);
    const auto parameters = [&] {
        Progress progress("measuring", "parameters");
        return run_microbenchmarks(*machine.card, profile, best_modelled(machine.profiles), source,
                                   [&](std::size_t done, std::size_t all) { progress.show(done, all); });
    }();
    if (!parameters) return parameters.error();
    for (const CalibratedParameter& one : *parameters) profile.model[one.name] = one.now;
    Progress progress("modelling", "references");
    const auto references = model_references(profile, course.assignments,
                                             [&](std::size_t done, std::size_t all) { progress.show(done, all); });
    if (!references) return references.error();
    profile.error_band = error_band_of(*references);
    profile.errors.clear();  // of the parameters before
    return render_parameters(*parameters, style) + "\n" + render_references(*references, profile.error_band, style);
}

// What a student kit compares modelled times with; no card is needed for it.
int write_modelled_references(const CalibrateOptions& options) {
    auto course = open_course();
    if (!course) return fail(course.error());
    if (auto status = check_profile(options, *course); !status) return fail(status.error());
    const std::string folder = (fs::path(course->root) / "grader" / "profiles").string();
    const auto profiles = load_profiles(folder);
    if (!profiles) return fail(profiles.error());
    if (!options.out.empty() && options.profile.empty() && profiles->size() > 1)
        return fail(
            usage("several_profiles",
                  fmt::format("`--out {}` is one file, and there are {} profiles", options.out, profiles->size()),
                  "name one of them with --profile, or leave out --out"));
    for (const GpuProfile& profile : *profiles) {
        if (!options.profile.empty() && profile.slug != options.profile) continue;
        Progress progress("modelling " + profile.slug, "shapes");
        const auto shares = model_shares(profile, course->assignments,
                                         [&](std::size_t done, std::size_t all) { progress.show(done, all); });
        if (!shares) return fail(shares.error());
        const std::string path = options.out.empty() ? modelled_shares_path(folder, profile.slug) : options.out;
        std::error_code error;
        if (fs::path(path).has_parent_path()) fs::create_directories(fs::path(path).parent_path(), error);
        if (auto status = replace_file(path, to_toml(*shares)); !status) return fail(status.error());
        show(fmt::format("{}: {} written to {}\n", escape(profile.name),
                         counted(shares->size(), "reference", "references"), shown_path(path)));
    }
    return 0;
}

int run_calibrate(CalibrateOptions options) {
    if (auto status = check_choices(options); !status) return fail(status.error());
    if (options.references) return write_modelled_references(options);
    if (options.device == "virtual")
        return fail(usage("needs_a_card", "`calibrate` measures a real GPU", "leave --device out"));
    options.device = "cuda";
    auto course = open_course();
    if (!course) return fail(course.error());
    auto machine = open_machine(options, *course);
    if (!machine) return fail(without_virtual_gpu(machine.error()));
    const auto turn = machine->card->take_turn();
    const RenderStyle style = style_of(STDOUT_FILENO);
    const cuda::CardFacts& facts = machine->card->facts();
    const GpuProfile* before = profile_of_card(machine->profiles, facts.name);
    const bool has_bandwidths = before && !before->references.empty();
    GpuProfile profile;
    std::string shown;
    if (options.microbenchmarks && has_bandwidths) {
        profile = *before;
    } else {
        auto made = measure_bandwidths(*machine, *course, options);
        if (!made) return fail(made.error());
        profile = std::move(*made);
        shown = render_profile(profile, style);
    }
    if (options.microbenchmarks) {
        const auto parameters = measure_parameters(*machine, *course, profile, style);
        if (!parameters) return fail(parameters.error());
        shown += (shown.empty() ? "" : "\n") + *parameters;
    }
    const fs::path path = options.out.empty()
                              ? fs::path(course->root) / "grader" / "profiles" / (profile.slug + ".toml")
                              : fs::path(options.out);
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    std::ofstream file(path);
    file << to_toml(profile);
    if (!file.flush())
        return fail(diagnose(Blame::host, "cannot_write", fmt::format("`{}` cannot be written", path.string()),
                             "`--out FILE` writes it elsewhere"));
    show(shown);
    show(fmt::format("\n{}: written to {}\n", name_and_driver(facts), shown_path(path.string())));
    return 0;
}

}  // namespace

Verb add_calibrate(CLI::App& parent) {
    const auto options = std::make_shared<CalibrateOptions>();
    CLI::App* app = parent.add_subcommand("calibrate", "measure this GPU and write its profile");
    app->add_flag("--microbenchmarks", options->microbenchmarks,
                  "measure the time model's parameters, keep bandwidths");
    app->add_flag("--references", options->references, "model the solutions, for student kits; no GPU needed");
    add_profile(*app, *options);
    app->add_option("--out", options->out, "file to write; else grader/profiles/<gpu>.toml")->type_name("FILE");
    app->add_option("--samples", options->samples, "timed runs of each bandwidth, 5 to 1000")
        ->type_name("N")
        ->check(whole_number(5, 1000));
    app->add_option("--device", options->device, "auto or cuda: there is no calibrating of the virtual GPU")
        ->type_name("DEVICE");
    app->add_option("--seed", options->seed, "of the contents")->type_name("N")->check(whole_number(0, largest_seed));
    return {app, [options] { return run_calibrate(*options); }, true};
}

}  // namespace warpgrade::cli
