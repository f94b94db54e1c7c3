// Who of the roster is meant by a name, a number or an address.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/near_names.hpp"
#include "classroom/roster.hpp"
#include "classroom/utf8.hpp"

namespace warpgrade::classroom {

namespace {

// How the roster's key is the hand-in's, if it is.
std::optional<Likeness> likeness_of(const Key& asked, const Key& own) {
    if (asked.kind == Key::Kind::group || own.kind == Key::Kind::group) return std::nullopt;
    if (asked.kind == Key::Kind::number || own.kind == Key::Kind::number) {
        const bool are_both = asked.kind == own.kind;
        return are_both && asked.text == own.text ? std::optional(Likeness::exactly) : std::nullopt;
    }
    const bool may_be =
        asked.kind == Key::Kind::whole || asked.kind == own.kind ||
        (asked.kind == Key::Kind::id && (own.kind == Key::Kind::mailbox || own.kind == Key::Kind::email)) ||
        (asked.kind == Key::Kind::email && own.kind == Key::Kind::id);
    if (!may_be || asked.squeezed != own.squeezed) return std::nullopt;
    if (own.kind == Key::Kind::mailbox) return Likeness::nearly;
    const bool is_address =
        own.kind == Key::Kind::email && asked.lower == own.lower;  // no two differ by capitals alone
    if (asked.text == own.text || is_address) return Likeness::exactly;
    if (own.kind == Key::Kind::name) return Likeness::full_name;
    return asked.lower == own.lower ? Likeness::but_for_case : Likeness::nearly;
}

struct Fit {
    std::size_t student;
    Likeness likeness;
    bool is_name;
};

// Who is called so. Who is called exactly so in a column of ids or addresses is before who is called nearly so there; a
// name is another reading, and stays beside them.
std::vector<Fit> fits_of(const Roster& roster, const Key& asked) {
    std::vector<Fit> fits;
    Likeness best_id = Likeness::by_number;
    for (std::size_t i = 0; i < roster.students.size(); ++i) {
        std::optional<Fit> best;
        for (const Key& own : roster.students[i].keys) {
            const auto likeness = likeness_of(asked, own);
            if (likeness && (!best || *likeness < best->likeness))
                best = Fit{i, *likeness, own.kind == Key::Kind::name};
        }
        if (!best) continue;
        if (!best->is_name) best_id = std::min(best_id, best->likeness);
        fits.push_back(*best);
    }
    std::erase_if(fits, [&](const Fit& fit) { return !fit.is_name && fit.likeness > best_id; });
    const bool has_exact_name = std::any_of(
        fits.begin(), fits.end(), [](const Fit& fit) { return fit.is_name && fit.likeness == Likeness::exactly; });
    if (has_exact_name) std::erase_if(fits, [](const Fit& fit) { return fit.likeness == Likeness::nearly; });
    return fits;
}

std::vector<std::size_t> who_of(const std::vector<Fit>& fits) {
    std::vector<std::size_t> students;
    for (const Fit& fit : fits) students.push_back(fit.student);
    return students;
}

std::vector<std::size_t> in_both(const std::vector<std::size_t>& one, const std::vector<std::size_t>& other) {
    std::vector<std::size_t> both;
    std::set_intersection(one.begin(), one.end(), other.begin(), other.end(), std::back_inserter(both));
    return both;
}

// The student's name with something in front or behind, as a group's; or a word that says no name: "Participant 4711".
bool is_called_so(const Student& student, const Person& person) {
    const bool has_name = std::any_of(student.keys.begin(), student.keys.end(),
                                      [](const Key& own) { return own.kind == Key::Kind::name; });
    if (!has_name) return true;
    return std::any_of(person.keys.begin(), person.keys.end(), [&](const Key& asked) {
        const bool is_cell = std::any_of(student.cells.begin(), student.cells.end(), [&](const std::string& cell) {
            return squeezed(cell) == asked.squeezed + person.number;
        });
        return is_cell || std::any_of(student.keys.begin(), student.keys.end(), [&](const Key& own) {
                   return own.kind == Key::Kind::name &&
                          (asked.squeezed.ends_with(own.squeezed) || asked.squeezed.starts_with(own.squeezed));
               });
    });
}

}  // namespace

Match find_student(const Roster& roster, const Person& person) {
    Match match;
    std::vector<std::size_t> anybody;
    bool is_first = true;
    const auto take = [&](const Key& key) {
        const std::vector<Fit> fits = fits_of(roster, key);
        if (fits.empty()) return;
        const std::vector<std::size_t> students = who_of(fits);
        anybody.insert(anybody.end(), students.begin(), students.end());
        match.students = is_first ? students : in_both(match.students, students);
        for (const Fit& fit : fits) {
            if (is_first || fit.likeness < match.likeness) {
                match.likeness = fit.likeness;
                match.text = key.text;
            }
            is_first = false;
        }
    };
    for (const Key& key : person.keys) take(key);
    const bool has_names = !is_first;
    if (person.is_guess) match.likeness = std::max(match.likeness, Likeness::nearly);
    if (!person.number.empty()) take(Key(Key::Kind::number, person.number));
    match.is_other_name = !has_names && !person.keys.empty() && match.is_one() &&
                          !is_called_so(roster.students[match.students.front()], person);
    // The keys contradict each other: it may be any of those that one of them fits.
    if (match.students.empty() && !anybody.empty()) {
        std::sort(anybody.begin(), anybody.end());
        anybody.erase(std::unique(anybody.begin(), anybody.end()), anybody.end());
        match.students = std::move(anybody);
        return match;
    }
    if (person.number.empty() || match.is_one()) return match;
    // A column of ids may hold the platform's numbers.
    const auto numbered = who_of(fits_of(roster, Key(Key::Kind::id, person.number)));
    if (has_names) {
        const auto both = in_both(match.students, numbered);
        if (both.size() == 1) match.students = both;
    } else if (numbered.size() == 1) {
        match = {numbered, Likeness::by_number, person.number};
    }
    return match;
}

Members find_members(const Roster& roster, const Person& person) {
    Members members;
    for (const Key& asked : person.keys) {
        std::vector<std::size_t> its;
        for (std::size_t i = 0; i < roster.students.size(); ++i)
            if (std::any_of(roster.students[i].keys.begin(), roster.students[i].keys.end(), [&](const Key& own) {
                    return own.kind == Key::Kind::group && own.squeezed == asked.squeezed;
                }))
                its.push_back(i);
        if (its.empty() || its == members.students) continue;
        members.is_sure = members.students.empty();
        members.students.insert(members.students.end(), its.begin(), its.end());
        if (!members.is_sure) break;
    }
    std::sort(members.students.begin(), members.students.end());
    members.students.erase(std::unique(members.students.begin(), members.students.end()), members.students.end());
    return members;
}

std::vector<std::size_t> students_called(const Roster& roster, const std::string& text) {
    // Spreadsheets take the zeros in front of a number away.
    const auto plain = [](const std::string& id) { return id.substr(std::min(id.find_first_not_of('0'), id.size())); };
    using Kind = Key::Kind;
    const auto has_key = [](const Student& one, const auto& fits) {
        return std::any_of(one.keys.begin(), one.keys.end(), fits);
    };
    const Key asked(Kind::whole, text);
    const auto is_id_of = [&](const Key& own) {
        return (own.kind == Kind::id || own.kind == Kind::email || own.kind == Kind::number) &&
               own.lower == asked.lower;
    };
    const auto is_name_of = [&](const Key& own) { return own.kind == Kind::name && own.squeezed == asked.squeezed; };
    const std::function<bool(const Student&)> ways[] = {
        [&](const Student& one) { return one.id == text; },
        [&](const Student& one) { return plain(one.id) == plain(text); },
        [&](const Student& one) { return has_key(one, is_id_of); },
        [&](const Student& one) { return !asked.squeezed.empty() && has_key(one, is_name_of); },
    };
    std::vector<std::size_t> found;
    for (const auto& is_meant : ways) {
        for (std::size_t i = 0; i < roster.students.size(); ++i)
            if (is_meant(roster.students[i])) found.push_back(i);
        if (!found.empty()) break;
    }
    return found;
}

std::string id_columns_text(const Roster& roster) {
    std::string text;
    for (std::size_t i = 0; i < roster.id_columns.size(); ++i)
        text += (i == 0 ? "`" : i + 1 == roster.id_columns.size() ? " or `" : ", `") + roster.id_columns[i] + "`";
    return text.empty() ? "`id`" : text;
}

}  // namespace warpgrade::classroom
