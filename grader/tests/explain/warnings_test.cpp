#include "explain/warnings.hpp"

#include <algorithm>
#include <filesystem>

#include "base/files.hpp"
#include "explain/finders.hpp"
#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::explain;
namespace fs = std::filesystem;

namespace {

std::vector<Warning> warnings(const std::string& text) {
    static const std::vector<Rule> rules = load_rules(fs::path(WARPGRADE_SOURCE_DIR) / "grader/explain/rules").value();
    const source::Tree tree = source::parse(text);
    return warnings_of(source::facts_of(tree), rules);
}

const std::vector<Rule>& rows() {
    static const std::vector<Rule> all = [] {
        std::vector<Rule> rules = load_rules(fs::path(WARPGRADE_SOURCE_DIR) / "grader/explain/rules").value();
        std::erase_if(rules, [](const Rule& rule) { return !rule.is_warning(); });
        return rules;
    }();
    return all;
}

}  // namespace

TEST_CASE("warnings: each row finds its examples, and nothing is said of the counter examples") {
    for (const Rule& row : rows()) {
        INFO(row.path << ":" << row.line << ": " << row.id);
        REQUIRE(!row.examples.empty());
        CHECK(!row.counter_examples.empty());
        for (const std::string& example : row.examples) {
            INFO(example);
            const std::vector<Warning> found = warnings(wrapped(row, example));
            REQUIRE(!found.empty());
            for (const Warning& warning : found) {
                CHECK(warning.rule->id == row.id);
                CHECK(warning.line > 0);
                CHECK(warning.title.find("{") == warning.title.find("{ }"));
                CHECK(warning.help.find("{") == std::string::npos);
            }
            if (example == row.examples.front()) CHECK(found.front().title == row.says);
        }
        for (const std::string& example : row.counter_examples) {
            INFO(example);
            for (const Warning& warning : warnings(wrapped(row, example))) FAIL_CHECK(warning.title);
        }
    }
}

TEST_CASE("warnings: each finder has a row") {
    for (const std::string& name : finder_names()) {
        INFO(name);
        CHECK(std::any_of(rows().begin(), rows().end(), [&](const Rule& row) { return row.generator == name; }));
    }
}

TEST_CASE("warnings: long and deep expressions are read", "[eighth_1]") {
    for (const char* piece :
         {"(", "n < ", "ceil(n / ", "if (", "n & ", "SIDE(", "extern __shared__ ", "f(n, ", "int n = ("}) {
        std::string body;
        while (body.size() < 60'000) body += piece;
        INFO(piece);
        CHECK(warnings("#define SIDE(x) x + x\nvoid f(int n) {\n" + body + ";\n}\n").size() < 30'000);
    }
}

// Since Volta a barrier waits for those that have not exited: what returns early may be right. With solutions come
// wrong programs, one of which leaves early.
TEST_CASE("warnings: of right programs one is warned of") {
    std::vector<std::string> said;
    for (const char* folder : {"solutions", "grader/tests/submissions/right"})
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(WARPGRADE_SOURCE_DIR) / folder)) {
            if (entry.path().extension() != ".cu") continue;
            for (const Warning& warning : warnings(read_whole_file(entry.path()).value()))
                said.push_back(entry.path().filename().string() + ": " + warning.rule->id);
        }
    CHECK(said ==
          std::vector<std::string>{"threads_leave_early.cu: early_return", "warps_return_early.cu: early_return"});
}
