// The problems that are known, and how they become so.
#include <algorithm>
#include <filesystem>
#include <mutex>

#include "problem/load_description.hpp"
#include "problem/problem.hpp"

namespace warpgrade {

namespace {

struct Registry {
    std::mutex mutex;
    std::vector<const Problem*> all;
    std::vector<std::unique_ptr<const Problem>> added;
};

Registry& registry() {
    static Registry known;
    return known;
}

}  // namespace

std::vector<const Problem*> all_problems() {
    const std::lock_guard lock(registry().mutex);
    return registry().all;
}

const Problem* find_problem(std::string_view name) {
    const std::lock_guard lock(registry().mutex);
    const auto& problems = registry().all;
    const auto found = std::ranges::find_if(problems, [&](const Problem* p) { return p->name() == name; });
    return found == problems.end() ? nullptr : *found;
}

void add_problem(std::unique_ptr<const Problem> problem) {
    const std::lock_guard lock(registry().mutex);
    std::erase_if(registry().all, [&](const Problem* p) { return p->name() == problem->name(); });
    registry().all.push_back(problem.get());
    registry().added.push_back(std::move(problem));
}

Status load_problems(const std::string& assignments) {
    namespace fs = std::filesystem;
    std::vector<fs::path> folders;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(assignments, error))
        if (fs::is_regular_file(entry.path() / "problem.toml", error)) folders.push_back(entry.path());
    std::ranges::sort(folders);
    for (const fs::path& folder : folders) {
        auto description = load_description(folder.string());
        if (!description) return description.error();
        const Problem* known = find_problem(description->name);
        if (known && known->description().digest == description->digest &&
            known->description().toml_path == description->toml_path)
            continue;
        add_problem(std::make_unique<Problem>(std::move(*description)));
    }
    return Nothing{};
}

}  // namespace warpgrade
