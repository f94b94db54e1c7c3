// The table of submissions/README.md: every way has its row, and what a row names is there.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "corpus/program.hpp"
#include "support/catch.hpp"

namespace fs = std::filesystem;

namespace {

const fs::path tests = fs::path(WARPGRADE_SOURCE_DIR) / "grader/tests";

std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

struct Row {
    int number = 0;
    std::string answer, shown_by;
};

std::vector<Row> rows() {
    std::vector<Row> all;
    std::istringstream lines(text_of(tests / "submissions/README.md"));
    const std::regex row(R"(\| (\d+) \|([^|]*)\| (\w+)([^|]*)\|([^|]*)\|)");
    for (std::string line; std::getline(lines, line);)
        if (std::smatch found; std::regex_match(line, found, row))
            all.push_back({std::stoi(found[1]), found[3], found[5]});
    return all;
}

}  // namespace

TEST_CASE("every way to fool a grader has an answer") {
    int next = 1;
    for (const Row& row : rows()) {
        INFO("row " << row.number);
        CHECK(row.number == next++);
        CHECK((row.answer == "caught" || row.answer == "cannot" || row.answer == "open"));
        CHECK((row.answer == "open") == (row.shown_by.find('`') == std::string::npos));
    }
    CHECK(next == 82);
}

TEST_CASE("what the table names is there") {
    std::set<std::string> programs;
    for (const auto& program : warpgrade::corpus::all_programs((tests / "submissions").string()))
        programs.insert(program.name);
    const std::regex name(R"(`([^`]+)`(?: "([^"]+)\")?)");
    for (const Row& row : rows()) {
        for (std::sregex_iterator at(row.shown_by.begin(), row.shown_by.end(), name), end; at != end; ++at) {
            const std::string file = (*at)[1], title = (*at)[2];
            INFO(fmt::format("row {}: {} {}", row.number, file, title));
            if (file.ends_with(".cu")) {
                CHECK(programs.contains(file));
            } else {
                CHECK(text_of(tests / file).find("TEST_CASE(\"" + title + "\"") != std::string::npos);
                CHECK(!title.empty());
            }
        }
    }
}
