#include "explain/rule.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "explain/change.hpp"
#include "explain/generators.hpp"
#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::explain;
namespace fs = std::filesystem;

namespace {

const fs::path folder = fs::path(WARPGRADE_SOURCE_DIR) / "grader/explain/rules";

// A folder with one file, whose only error is given as "line: title".
std::string error_of(const std::string& toml) {
    const fs::path made = fs::temp_directory_path() / ("warpgrade_rules_" + std::to_string(::getpid()));
    fs::create_directories(made);
    std::ofstream(made / "one.toml") << toml;
    const Result<std::vector<Rule>> rules = load_rules(made);
    fs::remove_all(made);
    if (rules) return "no error";
    CHECK(rules.error().blame == Blame::course);
    REQUIRE(rules.error().marks.size() == 1);
    return std::to_string(rules.error().marks[0].line) + ": " + rules.error().title;
}

std::string row_with(const std::string& rest) {
    return "[[rule]]\nid = \"a\"\ntitle = \"t\"\nhelp = \"h\"\nexample = \"e\"\nexample_after = \"f\"\n" + rest;
}

}  // namespace

TEST_CASE("rules: each row changes its example as it says") {
    const Result<std::vector<Rule>> rules = load_rules(folder);
    if (!rules) FAIL(rules.error().marks[0].path << ":" << rules.error().marks[0].line << ": " << rules.error().title);
    CHECK(rules->size() >= 60);
    for (const Rule& rule : *rules) {
        if (rule.is_warning()) continue;
        INFO(rule.path << ":" << rule.line << ": " << rule.id);
        const source::Tree tree = source::parse(wrapped(rule, rule.example));
        const source::Facts facts = source::facts_of(tree);
        const std::vector<Change> changes = changes_for(tree, facts, {{rule.on[0]}, {}, {}}, {rule}, 1);
        REQUIRE(changes.size() == 1);
        CHECK(changes[0].text == wrapped(rule, rule.example_after));
        CHECK(changes[0].title.find_first_of("{}") == std::string::npos);
        CHECK(!changes[0].help.empty());
    }
}

TEST_CASE("rules: each generator has a row") {
    const Result<std::vector<Rule>> rules = load_rules(folder);
    REQUIRE(rules);
    std::set<std::string> used;
    for (const Rule& rule : *rules)
        if (!rule.generator.empty()) used.insert(rule.generator);
    for (const std::string& name : generator_names()) CHECK(used.contains(name));
}

TEST_CASE("rules: sentences keep the words of the house style") {
    const Result<std::vector<Rule>> rules = load_rules(folder);
    REQUIRE(rules);
    for (const Rule& rule : *rules)
        for (const std::string& text : {rule.title, rule.help}) {
            INFO(rule.id << ": " << text);
            for (const char* word :
                 {" who ", "mend", "behind", "in front of", " is no ", " is to ", "nobody", "taken for", "in place of"})
                CHECK(text.find(word) == std::string::npos);
            CHECK(!text.ends_with("."));
        }
}

TEST_CASE("rules: what is wrong in a file is named with its line") {
    const std::string change = "where = \"$a < $b\"\nchange = \"$a <= $b\"\n";
    CHECK(error_of(row_with(change)) == "no error");
    CHECK(error_of(row_with(change + "colour = 3\n")) == "9: `[[rule]]` has an unknown key `colour`");
    CHECK(error_of(row_with("")) == "1: rule `a` has no change");
    CHECK(error_of(row_with("generator = \"no_such\"\n")) == "7: there is no generator `no_such`");
    CHECK(error_of(row_with(change + "generator = \"exchange_axes\"\n")) ==
          "9: a row has a `generator`, or `where` and `change`");
    CHECK(error_of(row_with("where = \"$a < $b\"\nchange = \"$a <= $c\"\n")) == "8: `where` has no `$c`");
    CHECK(error_of(row_with("where = \")\"\nchange = \"1\"\n")) == "7: `)` cannot be read as a pattern");
    CHECK(error_of(row_with(change + "if = [\"shard a\"]\n")) == "9: `shard a` is not a condition");
    CHECK(error_of(row_with(change + "if = [\"shared c\"]\n")) == "9: `where` has no `$c`");
    CHECK(error_of(row_with(change + "side = \"gpu\"\n")) == "9: `gpu` is not a `side`");
    CHECK(error_of(row_with(change + "rank = 0\n")) == "9: `rank` of `[[rule]]` is 0");
    CHECK(error_of(row_with(change) + row_with(change)) == "10: there are two rules `a`");
    CHECK(error_of("[[rule]]\n").starts_with("1: `[[rule]]` has no `id`"));
    CHECK(error_of("[[rules]]\n").starts_with("1: the file has an unknown key `rules`"));
    CHECK(!load_rules("/no/such/folder"));
}

TEST_CASE("rules: a template names only what the rule has") {
    const std::string change = "where = \"$a < $b\"\nchange = \"$a <= $b\"\n";
    std::string row = row_with(change);
    row.replace(row.find("title = \"t\""), 11, "title = \"{c}\"");
    CHECK(error_of(row) == "3: the rule has no `{c}`");
}
