#include <fmt/format.h>
#include <unistd.h>

#include <fmt/chrono.h>
#include <CLI/CLI.hpp>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/diagnose.hpp"
#include "cli/machine.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "grade/calibrate.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;

struct CalibrateOptions : SharedOptions {
    std::string out;
    int samples = 31;
};

std::string render_profile(const GpuProfile& profile, const RenderStyle& style) {
    std::string out;
    Table yardsticks({{"yardstick"}, {"shape"}, {"GB/s", true}, {"IQR", true}});
    for (const ProfileBandwidth& one : profile.bandwidths)
        yardsticks.add({{one.what},
                        {one.shape},
                        {fmt::format("{:.0f}", one.gb_per_s)},
                        {fmt::format("{:.1f}", one.iqr_gb_per_s)}});
    out += yardsticks.text(style) + "\n";
    Table references({{"stage"}, {"class"}, {"shape"}, {"GB/s", true}, {"of copy", true}, {"IQR", true}});
    for (const ProfileReference& one : profile.references)
        references.add({{one.stage},
                        {one.shape_class},
                        {one.shape},
                        {fmt::format("{:.0f}", one.gb_per_s)},
                        {fmt::format("{:.1f} %", 100 * one.share_of_copy)},
                        {fmt::format("{:.1f} %", 100 * one.iqr_share)}});
    out += references.text(style);
    for (const ProfileConfusion& pair : profile.cannot_tell_apart) {
        if (pair.shape_class != "aligned") continue;
        out += "\n" + wrap_after(paint("warning: ", Paint::yellow, style),
                                 fmt::format("this card hardly tells {} from {}: their bandwidths are within {:.0f} %. "
                                             "No mark should rest on the difference",
                                             pair.stages[0], pair.stages[1], 100 * (1 - told_apart_below)),
                                 style.columns);
    }
    return out;
}

int run_calibrate(CalibrateOptions options) {
    if (auto status = check_choices(options); !status) return fail(status.error());
    if (options.device == "virtual")
        return fail(usage("needs_a_card", "`calibrate` measures a real GPU", "leave --device out"));
    options.device = "cuda";
    auto course = open_course();
    if (!course) return fail(course.error());
    auto machine = open_machine(options, *course);
    if (!machine) return fail(machine.error());
    const auto turn = machine->card->take_turn();
    MeasureOptions measure;
    measure.samples = options.samples;
    Measurer measurer(*machine->card, nullptr, measure);
    auto made = [&] {
        Progress progress("calibrating", "shapes");
        return calibrate(measurer, course->assignments, options.seed,
                         [&](std::size_t done, std::size_t all) { progress.show(done, all); });
    }();
    if (!made) return fail(made.error());
    const cuda::CardFacts& facts = machine->card->facts();
    const std::time_t now = std::time(nullptr);
    made->run = {fmt::format("{:%Y-%m-%d}", fmt::gmtime(now)), facts.name, facts.driver,
                 fmt::format("{}.{}", facts.cuda_version / 1000, facts.cuda_version % 1000 / 10),
                 fmt::format("{} calibrate --seed {} --samples {}", course->command, options.seed, options.samples)};
    // What others wrote about this card: the model's parameters, and how far off it is.
    if (const GpuProfile* before = profile_of_card(machine->profiles, facts.name)) {
        made->slug = before->slug;
        made->model = before->model;
        made->error_band = before->error_band;
    }
    const fs::path path = options.out.empty() ? fs::path(course->root) / "grader" / "profiles" / (made->slug + ".toml")
                                              : fs::path(options.out);
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    std::ofstream file(path);
    file << to_toml(*made);
    if (!file.flush())
        return fail(diagnose(Blame::host, "cannot_write", fmt::format("`{}` cannot be written", path.string()),
                             "`--out FILE` writes it elsewhere"));
    const RenderStyle style = style_of(STDOUT_FILENO);
    show(render_profile(*made, style));
    show(fmt::format("\n{}, driver {}: written to {}\n", facts.name, facts.driver, shown_path(path.string())));
    return 0;
}

}  // namespace

Verb add_calibrate(CLI::App& parent) {
    const auto options = std::make_shared<CalibrateOptions>();
    CLI::App* app = parent.add_subcommand("calibrate", "measure this GPU and write its profile");
    app->add_option("--out", options->out, "file to write; else grader/profiles/<gpu>.toml")->type_name("FILE");
    app->add_option("--samples", options->samples, "timed runs of each")->type_name("N")->check(CLI::Range(5, 1000));
    app->add_option("--device", options->device, "auto or cuda: there is no calibrating of the virtual GPU")
        ->type_name("DEVICE");
    app->add_option("--seed", options->seed, "of the contents")->type_name("N");
    return {app, [options] { return run_calibrate(*options); }};
}

}  // namespace warpgrade::cli
