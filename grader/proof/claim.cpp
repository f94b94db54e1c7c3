#include "proof/claim.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpgrade::proof {
namespace {

struct Words {
    const char* name;
    const char* meaning;
    const char* in_short;  // "": it is not worth a word where it holds
};
// In the order of Obligation.
constexpr Words obligation_words[obligations] = {
    {"launch", "every launch is within CUDA's limits", ""},
    {"width", "every number fits its type", ""},
    {"barriers", "all threads of a block reach each barrier, or none does", ""},
    {"bounds", "every access is inside of its array", "in bounds"},
    {"races",
     "no two threads race for a word of shared memory, or read what another one writes; inputs are not written",
     "no race in shared memory"},
    {"once", "no element of the output is written twice", "no element written twice"},
    {"covered", "every element of the output is written", "every element written"},
    {"values", "every element of the output is the right one", "the right values"},
};

}  // namespace

std::string_view to_string(Obligation obligation) {
    return obligation_words[static_cast<std::size_t>(obligation)].name;
}
std::string_view meaning(Obligation obligation) {
    return obligation_words[static_cast<std::size_t>(obligation)].meaning;
}

bool Claim::is_whole() const {
    return was_tried && std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.is_proved; });
}

nlohmann::ordered_json json_of(const Claim& claim) {
    nlohmann::ordered_json json{{"tried", claim.was_tried}, {"whole", claim.is_whole()}};
    if (!claim.was_tried) {
        json["why_not"] = claim.why_not;
        return json;
    }
    json["assumptions"] = claim.assumptions;
    json["obligations"] = nlohmann::ordered_json::array();
    for (const Row& row : claim.rows) {
        nlohmann::ordered_json one{
            {"name", to_string(row.what)}, {"meaning", meaning(row.what)}, {"proved", row.is_proved}};
        if (!row.is_proved) {
            one["why"] = row.why;
            if (row.line > 0) one["line"] = row.line;
        }
        one["lines"] = row.lines;
        json["obligations"].push_back(std::move(one));
    }
    json["witnesses"] = nlohmann::ordered_json::array();
    for (const Witness& one : claim.witnesses) {
        nlohmann::ordered_json threads = nlohmann::ordered_json::array();
        for (const Witness::Thread& thread : one.threads)
            threads.push_back({{"block", thread.block}, {"thread", thread.thread}});
        json["witnesses"].push_back(
            {{"obligation", to_string(one.what)}, {"shape", one.shape}, {"threads", std::move(threads)}});
        if (one.line > 0) json["witnesses"].back()["line"] = one.line;
    }
    return json;
}

std::string line_of(const Claim& claim) {
    if (!claim.was_tried) return "not proved: " + claim.why_not;
    std::string shown, open;
    for (const Row& row : claim.rows) {
        const char* const words = obligation_words[static_cast<std::size_t>(row.what)].in_short;
        if (row.is_proved && *words != '\0') shown += (shown.empty() ? "" : ", ") + std::string(words);
        if (row.is_proved || !open.empty()) continue;
        open = row.why + (row.line > 0 ? fmt::format(", line {}", row.line) : "");
    }
    if (shown.empty()) return "not proved for every shape: " + open;
    std::vector<std::string> limits;
    std::copy_if(claim.assumptions.begin(), claim.assumptions.end(), std::back_inserter(limits),
                 [](const std::string& one) { return one.find("<=") != one.npos; });
    return fmt::format("proved for every shape with {}: {}{}", fmt::join(limits, " and "), shown,
                       open.empty() ? "" : "; not proved: " + open);
}

}  // namespace warpgrade::proof
