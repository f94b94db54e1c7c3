// The formats of `check --format`: one row each in check_formats.cpp. A row says what is written as each stage ends and
// what after the last one; the verb itself knows no format.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/check_view.hpp"
#include "grade/result.hpp"

namespace warpgrade::cli {

// What is known after the last stage.
struct CheckedStages {
    const RunReport& report;
    const std::vector<nlohmann::ordered_json>& stages;  // where the format needs results
    const std::vector<SummaryRow>& rows;
};

struct CheckFormat {
    std::string_view name;
    std::string_view meaning;    // for --help
    bool is_for_people = false;  // with headings, empty lines and keys to press while it watches
    bool can_watch = false;
    bool needs_results = false;  // as JSON
    bool is_document = false;    // one text of all stages, which --out can keep up to date
    // Names every stage and every word of the command line: what was not reached yet, and what cannot be read.
    bool names_all = false;
    // As a stage ends. Runs where the submission ran: it sees the result, and nothing else of the machine. nullptr:
    // nothing is written.
    std::string (*of_stage)(const StageResult& result, const Assignment& assignment, const Stage& stage,
                            const CheckView& view) = nullptr;
    // After the last stage; nullptr: nothing is written.
    std::string (*of_all)(const CheckedStages& checked) = nullptr;
    // After the last stage, to be added to the file that this variable of the environment names, if it is set.
    const char* summary_variable = nullptr;
    std::string (*summary)(const CheckedStages& checked) = nullptr;
};

// In the order of the help; the first is the default.
const std::vector<CheckFormat>& check_formats();
std::vector<std::string> check_format_names();
// `name` is one of check_format_names().
const CheckFormat& check_format(std::string_view name);

// One line a message, for editors and other programs: "file:line:column: error[code]: text", or warning, or note. A
// message without a place is at line 1; an untouched stub has one note, at its first TODO; a stage with nothing left to
// do has no line.
std::string message_lines(const StageResult& result, const Assignment& assignment, const Stage& stage,
                          const CheckView& view);

}  // namespace warpgrade::cli
