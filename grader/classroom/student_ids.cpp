#include "classroom/student_ids.hpp"

#include <fmt/format.h>

#include "base/near_names.hpp"
#include "classroom/identities.hpp"
#include "classroom/ledger_merge.hpp"
#include "classroom/table_file.hpp"

namespace warpgrade::classroom {

Result<std::string> id_in_book(const std::filesystem::path& folder, const Ledger& ledger, const std::string& text) {
    if (ledger.students.contains(text)) return text;
    auto identities = read_identities(folder);
    if (!identities) return identities.error();
    Roster roster = *identities ? (*identities)->roster() : roster_of(ledger).value_or(Roster{});
    if (*identities)
        if (const Identity* one = (*identities)->of_id(text)) return one->pseudonym;
    const auto found = students_called(roster, text);
    if (found.size() == 1) {
        const std::string& id = roster.students[found.front()].id;
        const Identity* one = *identities ? (*identities)->of_id(id) : nullptr;
        const std::string& inside = one == nullptr ? id : one->pseudonym;
        if (ledger.students.contains(inside)) return inside;
    }
    Diagnostic diagnostic{.blame = Blame::usage,
                          .code = "unknown_student",
                          .title = fmt::format("no student in `{}` has the id `{}`", folder.string(), text),
                          .marks = {},
                          .facts = {},
                          .help = fmt::format("write what the gradebook has under {}", id_columns_text(roster))};
    if (found.size() > 1)
        diagnostic.title = fmt::format("`{}` is {} students in `{}`", text, found.size(), folder.string());
    std::vector<std::string> known;
    for (const Student& one : roster.students)
        for (const Key& key : one.keys)
            if (key.kind == Key::Kind::id || key.kind == Key::Kind::email) known.push_back(key.text);
    for (const auto& [id, student] : ledger.students) known.push_back(id);
    if (const auto near = nearest_name(text, known); near && found.empty())
        diagnostic.facts.push_back(fmt::format("`{}` is there", *near));
    return diagnostic;
}

Status settle_ids(const Roster& roster, Overrides& overrides, LateRules& late) {
    const auto id_of = [&](const std::string& text) {
        const auto found = students_called(roster, text);
        return found.size() == 1 ? roster.students[found.front()].id : text;
    };
    Overrides settled;
    for (const auto& [key, one] : overrides.marks) {
        const auto [known, is_new] = settled.marks.emplace(std::pair(id_of(key.first), key.second), one);
        if (!is_new)
            return bad_row(overrides_file, std::max(one.line, known->second.line),
                           fmt::format("two rows for `{}` and {}", known->first.first, key.second),
                           fmt::format("leave one of them; the other is in line {}, under another id",
                                       std::min(one.line, known->second.line)));
    }
    overrides = std::move(settled);
    for (Extension& one : late.extensions) one.student = id_of(one.student);
    return Nothing{};
}

}  // namespace warpgrade::classroom
