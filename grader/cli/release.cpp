#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>

#include "base/files.hpp"
#include "base/near_names.hpp"
#include "base/sha256.hpp"
#include "classroom/release.hpp"
#include "classroom/seed.hpp"
#include "cli/course.hpp"
#include "cli/diagnose.hpp"
#include "cli/options.hpp"
#include "cli/terminal.hpp"
#include "cli/text.hpp"
#include "cli/verbs.hpp"
#include "compile/kit_root.hpp"

namespace warpgrade::cli {
namespace {

namespace fs = std::filesystem;
using classroom::ArchiveMember;

constexpr const char* kit_name = "warpgrade";  // of the folder and, with .tar.gz, of the archive

struct ReleaseOptions {
    std::string out = "release";
    std::vector<std::string> assignments;
    int hints = -1;  // all
    bool shows_solutions = false;
    bool has_no_programs = false;
    bool has_wheels = false;
    std::string version;  // of the wheels; empty: the kit's own
    std::vector<std::string> platforms;
    std::optional<std::uint64_t> seed;  // that these grade with; else the course's
};

// A folder each in grader/platforms.
const std::vector<std::string> platform_names{"autolab", "classroom50", "github", "gradescope", "prairielearn"};

// Only what an earlier release made is replaced.
Status clear(const fs::path& folder, const std::string& root) {
    std::error_code error;
    if (!fs::exists(folder, error)) return Nothing{};
    const bool is_kit = fs::exists(folder / "grader" / "warpgrade", error) &&
                        !fs::exists(folder / "solutions", error) && !fs::exists(folder / ".git", error) &&
                        !fs::equivalent(folder, root, error);
    if (!is_kit)
        return usage("folder_in_use", fmt::format("`{}` is there, and is no student kit", shown_path(folder.string())),
                     "name another folder with --out");
    fs::remove_all(folder, error);
    if (error)
        return diagnose(Blame::host, "cannot_write", fmt::format("cannot replace `{}`", folder.string()), "",
                        {error.message()});
    return Nothing{};
}

Status write_folder(const fs::path& folder, const std::vector<ArchiveMember>& members) {
    for (const ArchiveMember& member : members) {
        const fs::path path = folder / member.name;
        std::error_code error;
        fs::create_directories(path.parent_path(), error);
        std::ofstream file(path, std::ios::binary);
        if (!(file << member.bytes).flush())
            return diagnose(Blame::host, "cannot_write", fmt::format("cannot write `{}`", path.string()),
                            "check the folder's permissions and the free space of its disk");
        if (member.is_executable) fs::permissions(path, fs::perms(0755), error);
    }
    return Nothing{};
}

std::string machines_of(const std::vector<ArchiveMember>& members) {
    std::vector<std::string> machines;
    for (const ArchiveMember& member : members)
        if (const fs::path path(member.name); path.filename() == "warpgrade-bin")
            machines.push_back(path.parent_path().filename().string());
    return machines.empty() ? "none; students build it from source" : fmt::format("{}", fmt::join(machines, ", "));
}

// Becomes a script of grader/launch, in the Python of reports.
int make_more(const std::string& root, const char* script, std::vector<std::string> more) {
    std::vector<std::string> words{kit_python(root).string(), "-I", "-B", root + "/grader/launch/" + script};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(arguments.front(), arguments.data());
    return fail(diagnose(Blame::host, "no_python", "wheels and packages are made in Python, which is not set up here",
                         "type `./grader/warpgrade release` with the same words, which sets it up",
                         {fmt::format("{}: {}", shown_path(words.front()), std::strerror(errno))}));
}

// The script reads the seed from its environment, which nobody else on this machine sees.
int make_packages(const std::string& root, const fs::path& kit, const ReleaseOptions& options) {
    auto seed = options.seed ? Result<std::uint64_t>(*options.seed) : classroom::course_seed(root);
    if (!seed) return fail(seed.error());
    setenv("WARPGRADE_SEED", std::to_string(*seed).c_str(), 1);
    std::vector<std::string> words{kit.string(), kit.parent_path().string()};
    words.insert(words.end(), options.platforms.begin(), options.platforms.end());
    return make_more(root, "platforms.py", words);
}

int run_release(const ReleaseOptions& options) {
    auto course = open_course();
    if (!course) return fail(course.error());
    for (const std::string& name : options.platforms) {
        if (std::find(platform_names.begin(), platform_names.end(), name) != platform_names.end()) continue;
        const auto near = nearest_name(name, platform_names);
        return fail(usage("unknown_platform", fmt::format("there are no packages for `{}`", name),
                          fmt::format("`--for {}`", near ? *near : fmt::format("{}", fmt::join(platform_names, "|")))));
    }
    for (const std::string& name : options.assignments) {
        const auto is_it = [&](const Assignment& assignment) { return assignment.name == name; };
        if (std::any_of(course->assignments.begin(), course->assignments.end(), is_it)) continue;
        std::vector<std::string> known;
        for (const Assignment& assignment : course->assignments) known.push_back(assignment.name);
        const auto near = nearest_name(name, known);
        return fail(usage("unknown_assignment", fmt::format("there is no assignment `{}`", name),
                          near ? fmt::format("`--assignment {}`", *near) : "`warpgrade list` names them"));
    }
    classroom::KitOptions with{options.assignments, std::nullopt, options.shows_solutions, !options.has_no_programs};
    if (options.hints >= 0) with.hints = static_cast<std::size_t>(options.hints);
    auto kit = classroom::student_kit(course->root, course->assignments, with);
    if (!kit) return fail(kit.error());
    const fs::path folder = fs::path(options.out) / kit_name;
    const std::string archive = folder.string() + ".tar.gz";
    if (auto status = clear(folder, course->root); !status) return fail(status.error());
    if (auto status = write_folder(folder, *kit); !status) return fail(status.error());
    std::vector<ArchiveMember> members = std::move(*kit);
    const std::string machines = machines_of(members);
    std::size_t bytes = 0;
    for (ArchiveMember& member : members) {
        bytes += member.bytes.size();
        member.name = std::string(kit_name) + "/" + member.name;
    }
    const std::size_t count = members.size();
    if (auto status = classroom::write_tar_gz(archive, std::move(members)); !status) return fail(status.error());
    const auto packed = read_whole_file(archive);
    if (!packed) return fail(packed.error());
    show(fmt::format("folder   {}, {}, {:.1f} MB\narchive  {}, {:.1f} MB\nsha256   {}\nprograms {}\n",
                     escape(shown_path(folder.string())), counted(count, "file", "files"),
                     static_cast<double>(bytes) / 1e6, escape(shown_path(archive)),
                     static_cast<double>(packed->size()) / 1e6, sha256_hex(*packed), machines));
    show(wrap_after("checked  ",
                    "stubs are as handed out; no file holds the seed, or three lines that only a solution has",
                    style_of(STDOUT_FILENO).columns));
    std::cout << std::flush;
    if (options.has_wheels) {
        std::vector<std::string> words{folder.string(), folder.parent_path().string()};
        if (!options.version.empty()) words.push_back(options.version);
        return make_more(course->root, "wheel.py", words);
    }
    if (!options.platforms.empty()) return make_packages(course->root, folder, options);
    return 0;
}

}  // namespace

Verb add_release(CLI::App& parent) {
    const auto options = std::make_shared<ReleaseOptions>();
    CLI::App* app = parent.add_subcommand("release", "pack the student kit, without solutions and seeds");
    app->add_option("--out", options->out, "where the folder and the .tar.gz go (default: release)")->type_name("DIR");
    app->add_option("--assignment", options->assignments, "only this one, and its handout; repeatable")
        ->type_name("NAME")
        ->allow_extra_args(false)
        ->take_all();
    app->add_option("--hints", options->hints, "of each stage only the first N; else all")
        ->type_name("N")
        ->check(whole_number(0, 1000));
    app->add_flag("--solutions", options->shows_solutions, "with the solutions, which `solution` shows to who is done");
    app->add_flag("--without-programs", options->has_no_programs, "without the programs that run without a build");
    CLI::Option* wheel =
        app->add_option("--wheel", options->version, "wheels for pip, too, as this version or the kit's")
            ->type_name("[VERSION]")
            ->expected(0, 1);
    app->add_option("--for", options->platforms, "gradescope, github, prairielearn, autolab or classroom50")
        ->type_name("PLATFORM")
        ->allow_extra_args(false)
        ->take_all()
        ->excludes(wheel);
    app->add_option("--seed", options->seed, "that packages grade with; else the one in solutions/seed")
        ->type_name("N")
        ->check(whole_number(0, largest_seed));
    return {app,
            [options, wheel] {
                options->has_wheels = wheel->count() > 0;
                return run_release(*options);
            },
            true};
}

}  // namespace warpgrade::cli
