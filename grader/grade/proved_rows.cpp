#include "grade/proved_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/make_diagnostic.hpp"
#include "base/near_names.hpp"
#include "base/toml_reader.hpp"
#include "explain/say.hpp"
#include "proof/isl.hpp"

namespace warpgrade {
namespace {

namespace fs = std::filesystem;

bool has(const std::vector<std::string>& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

std::vector<std::string> obligation_names() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < proof::obligations; ++i)
        names.emplace_back(proof::to_string(static_cast<proof::Obligation>(i)));
    return names;
}

}  // namespace

std::string proved_path(const Assignment& assignment) {
    return (fs::path(assignment.solutions) / "proved.toml").string();
}

Result<ProvedRows> recorded_rows(const Assignment& assignment) {
    ProvedRows rows;
    std::error_code error;
    if (!fs::exists(proved_path(assignment), error)) return rows;
    TomlErrors errors(proved_path(assignment));
    const std::vector<std::string> known = obligation_names();
    if (const auto toml = parse_toml(errors)) {
        TomlTable table(*toml, "proved.toml", errors);
        for (const Stage& stage : assignment.stages) {
            if (!table.any(stage.id.c_str())) continue;
            rows[stage.id] = table.texts(stage.id.c_str());
            for (const std::string& name : rows[stage.id])
                if (!has(known, name))
                    errors.report(table.node(stage.id.c_str()), "unknown_obligation",
                                  fmt::format("`{}` is not the name of an obligation", name), {},
                                  near_or(name, known, ""));
        }
    }
    if (errors.first()) return *errors.first();
    return rows;
}

std::string text_of(const Assignment& assignment, const ProvedRows& rows) {
    std::string text = "# What is proved of each solution for every shape. `verify --update` writes this file.\n";
    for (const Stage& stage : assignment.stages)
        if (const auto row = rows.find(stage.id); row != rows.end())
            text += row->second.empty() ? fmt::format("{} = []\n", stage.id)
                                        : fmt::format("{} = [\"{}\"]\n", stage.id, fmt::join(row->second, "\", \""));
    return text;
}

std::vector<std::string> proved_now(const std::vector<std::string>& recorded, const StageResult& solution) {
    if (!solution.proof || !solution.proof->was_tried) return recorded;
    std::vector<std::string> names;
    for (const proof::Row& row : solution.proof->rows) {
        const std::string name(proof::to_string(row.what));
        if (row.is_proved || (row.why == proof::time_is_over && has(recorded, name))) names.push_back(name);
    }
    return names;
}

std::optional<Diagnostic> lost_row(const Stage& stage, const std::vector<std::string>& recorded,
                                   const StageResult& solution) {
    const std::vector<std::string> now = proved_now(recorded, solution);
    std::vector<std::string> lost;
    std::ranges::copy_if(recorded, std::back_inserter(lost), [&](const std::string& name) { return !has(now, name); });
    if (lost.empty()) return std::nullopt;
    const auto& rows = solution.proof->rows;
    const auto row = std::ranges::find(rows, lost.front(), [](const proof::Row& one) { return to_string(one.what); });
    std::vector<std::string> facts{row->why};
    if (lost.size() > 1)
        facts.push_back(fmt::format("lost with it: `{}`", fmt::join(lost.begin() + 1, lost.end(), "`, `")));
    return make_error(Blame::course, "proof_lost", say("was_proved_of_solution", lost.front(), stage.name()),
                      {{solution.source_path, row->line, 0, 1, ""}}, std::move(facts),
                      say("look_at_change_update_records", stage.name()));
}

}  // namespace warpgrade
