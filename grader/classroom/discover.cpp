// Hand-ins in what was named on the command line.
#include "classroom/layout.hpp"

#include <fmt/format.h>

#include "base/near_names.hpp"
#include "classroom/file_stage.hpp"
#include "classroom/finder.hpp"
#include "classroom/plain_names.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {

namespace fs = std::filesystem;

namespace {

Diagnostic usage_error(std::string code, std::string title, std::vector<std::string> facts, std::string help) {
    return {.blame = Blame::usage,
            .code = std::move(code),
            .title = std::move(title),
            .marks = {},
            .facts = std::move(facts),
            .help = std::move(help)};
}

Diagnostic no_such_path(const std::string& path) {
    std::vector<std::string> known;
    std::error_code error;
    const fs::path folder = fs::path(path).parent_path();
    for (const auto& entry : fs::directory_iterator(folder.empty() ? fs::path(".") : folder, error))
        known.push_back((folder / entry.path().filename()).string());
    const auto near = nearest_name(path, known);
    return usage_error("no_such_path", fmt::format("there is no file or folder `{}`", path), {},
                       near ? fmt::format("`{}` exists", *near) : "check the folder and the spelling");
}

Diagnostic nothing_to_grade(std::string title) {
    return usage_error("no_hand_in", std::move(title),
                       {"a hand-in is a folder, an archive (zip, tar, 7z, rar) or a .cu file"},
                       "name the folder that the hand-ins are in");
}

}  // namespace

Status Finder::add_path(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) return no_such_path(path);
    fs::path clean = fs::path(path).lexically_normal();
    if (!clean.has_filename()) clean = clean.parent_path();  // a trailing slash
    if (clean == ".") clean = fs::current_path(error);
    const bool is_folder = fs::is_directory(status);
    if (!is_folder && !fs::is_regular_file(status))
        return nothing_to_grade(fmt::format("`{}` is nothing that could be handed in", path));
    Node node = node_at(clean);
    const auto is_link = [&] { return fs::is_symlink(fs::symlink_status(clean, error)); };
    const auto leave_out_link = [&] {
        // As of `grade hand-ins/*`: it may lead to somebody else's work.
        discovery_.notes.push_back(fmt::format("`{}` was left out: it is a symbolic link", utf8_name(path)));
    };
    if (node.kind == Node::Kind::file) {
        if (kind_of(node.name) != FileKind::source)
            return nothing_to_grade(fmt::format("`{}` is nothing that could be handed in", path));
        if (is_link()) {
            leave_out_link();
        } else {
            const LmsName name = parse_lms_name(node.name);
            const std::string person = without_stage(node.name, course_);
            const LmsName of_rest = parse_lms_name(person.empty() ? node.name : person);
            add_hand_in(std::move(node), "", name.platform != Platform::none ? name : of_rest);
        }
        return Nothing{};
    }
    if (node.kind == Node::Kind::archive && is_link()) {
        leave_out_link();
        return Nothing{};
    }
    const std::string stem = stem_of(node);
    const bool is_somebody = is_person(stem);
    Look look;
    if (auto looked = look_at(node, 0, look); !looked) return looked;
    const bool is_class = look.is_class() || look.is_of_several() || look.plain_with_work > 1 ||
                          (look.work == 0 && is_folder) || (look.work > 0 && look.plain > 1 && is_folder);
    if (is_class && !(is_somebody && look.people == 0)) return add_class(node, "", 0);
    if (is_link()) {
        leave_out_link();
        return Nothing{};
    }
    add_hand_in(std::move(node), "", parse_lms_name(stem));
    return Nothing{};
}

Result<Discovery> discover(const std::vector<std::string>& paths, const std::vector<Assignment>& course,
                           const Roster& roster, const fs::path& scratch) {
    Discovery discovery;
    for (const std::string& path : paths)
        if (auto status = Finder(course, roster, scratch, discovery).add_path(path); !status) return status.error();
    if (discovery.hand_ins.empty() && discovery.strays.empty() && discovery.questions.empty())
        return nothing_to_grade(fmt::format("there are no hand-ins in `{}`", paths.front()));
    return discovery;
}

}  // namespace warpgrade::classroom
