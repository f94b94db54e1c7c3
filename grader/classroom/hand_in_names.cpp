#include "classroom/hand_in_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/characters.hpp"
#include "base/near_names.hpp"

namespace warpgrade::classroom {
namespace {

void add(std::vector<std::string>& names, const std::string& name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// Without what says whose it is.
std::vector<std::string> own_names(const HandIn& hand_in) {
    std::vector<std::string> names{hand_in.shown};
    const std::string above = hand_in.container.empty() ? "" : hand_in.container + "/";
    for (const Node& part : hand_in.parts) add(names, above + part.name);
    return names;
}

using Who = std::pair<std::string, std::string>;  // id and number

std::vector<std::pair<std::string, Who>> names_of_person(const HandIn& hand_in) {
    std::vector<std::pair<std::string, Who>> names;
    if (hand_in.people.size() != 1) return names;
    const Person& person = hand_in.people.front();
    const Who who{person.id, person.number};
    names.emplace_back(person.id, who);
    if (!person.number.empty()) names.emplace_back(person.id + " (" + person.number + ")", who);
    for (const Node& part : hand_in.parts) names.emplace_back(part.name, who);
    return names;
}

bool has_name(const std::vector<std::string>& names, const std::string& cell) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return is_same_cell(cell, name); });
}

std::string ask(const std::string& cell, const std::vector<std::string>& known) {
    const auto near = nearest_name(cell, known);
    return near ? fmt::format(": `{}`?", escape(*near)) : "";
}

}  // namespace

HandInNames names_of(const Discovery& discovery) {
    HandInNames all;
    std::map<std::string, std::set<Who>> whose;
    for (const HandIn& hand_in : discovery.hand_ins)
        for (const auto& [name, who] : names_of_person(hand_in)) whose[name].insert(who);
    std::set<std::string> own;
    for (const HandIn& hand_in : discovery.hand_ins) own.insert(hand_in.shown);
    for (const auto& [name, people] : whose)
        if (people.size() > 1 && !own.contains(name)) all.shared.insert(name);
    for (const HandIn& hand_in : discovery.hand_ins) {
        std::vector<std::string> names = own_names(hand_in);
        for (const auto& [name, who] : names_of_person(hand_in))
            if (!all.shared.contains(name)) add(names, name);
        all.hand_ins.push_back(std::move(names));
    }
    for (const HandIn& stray : discovery.strays) all.strays.push_back(own_names(stray));
    return all;
}

std::vector<std::string> rows_of_nothing(const HandInMap& said, const HandInNames& names,
                                         const std::vector<Submission>& submissions,
                                         const std::set<std::string>& known) {
    std::vector<std::string> sentences, own;
    std::vector<const std::vector<std::string>*> all;
    for (const auto* list : {&names.hand_ins, &names.strays})
        for (const std::vector<std::string>& one : *list) {
            all.push_back(&one);
            own.push_back(one.front());
        }
    const auto found = [&](const std::string& cell) -> const std::vector<std::string>* {
        for (const auto* one : all)
            if (has_name(*one, cell)) return one;
        return nullptr;
    };
    const auto is_known = [&](const std::string& cell) {
        return std::any_of(known.begin(), known.end(),
                           [&](const std::string& name) { return is_same_cell(cell, name); });
    };
    std::set<std::string> unknown;
    const auto name_row = [&](const std::string& cell) {
        if (found(cell) != nullptr || is_known(cell) || !unknown.insert(cell).second) return;
        const bool is_shared = std::any_of(names.shared.begin(), names.shared.end(),
                                           [&](const std::string& name) { return is_same_cell(cell, name); });
        sentences.push_back(
            is_shared ? fmt::format("the map has a row for `{}`, and more than one person is called so: write the "
                                    "name of the hand-in, as in map.csv",
                                    escape(cell))
                      : fmt::format("the map has a row for `{}`, and no hand-in is called so{}", escape(cell),
                                    ask(cell, own)));
    };
    for (const auto& [cell, student] : said.students) name_row(cell);
    for (const auto& [cells, stage] : said.stages) {
        name_row(cells.first);
        const auto* its = found(cells.first);
        if (its == nullptr) continue;
        std::vector<std::string> files;
        for (const Submission& submission : submissions)
            for (const FileDecision& decision : submission.decisions)
                if (std::find(its->begin(), its->end(), decision.hand_in) != its->end()) files.push_back(decision.file);
        // Of nobody: it was not read.
        const bool is_read = std::any_of(submissions.begin(), submissions.end(), [&](const Submission& one) {
            return std::any_of(one.hand_ins.begin(), one.hand_ins.end(),
                               [&](const HandIn& hand_in) { return hand_in.shown == its->front(); });
        });
        if (is_read && !has_name(files, cells.second))
            sentences.push_back(fmt::format("the map has a row for `{}` of `{}`, which holds no such file{}",
                                            escape(cells.second), escape(cells.first), ask(cells.second, files)));
    }
    return sentences;
}

}  // namespace warpgrade::classroom
