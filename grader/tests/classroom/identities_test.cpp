#include "classroom/identities.hpp"

#include <algorithm>

#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::classroom;

namespace {

Submission submission(const std::string& id, const std::string& hand_in) {
    Submission made;
    made.student.id = id;
    made.student.name = id + " name";
    made.is_on_roster = true;
    HandIn one;
    one.shown = hand_in;
    made.hand_ins.push_back(one);
    Source source;
    source.hand_in = hand_in;
    source.path = hand_in + "/x.cu";
    made.sources["made/one"] = source;
    made.notes = {hand_in + " was left out"};
    made.unclear["made/two"] = hand_in + " is no stage's file";
    return made;
}

}  // namespace

TEST_CASE("after names are taken out, only the identities know them, and the same ones in the next run") {
    Identities identities = new_identities();
    std::vector<std::string> first;
    for (int run = 0; run < 2; ++run) {
        std::vector<Submission> all{submission("ann", "hw-ann"), submission("bo", "hw-bo"), submission("cy", "hw-ann")};
        Roster roster{{"id", "name"}, {all[0].student, all[1].student, all[2].student}};
        take_names_out(all, roster, identities);
        CHECK(roster.columns == CsvRow{"pseudonym"});
        std::vector<std::string> names;
        for (const Submission& one : all) {
            names.push_back(one.student.id);
            CHECK(one.student.name.empty());
            CHECK(one.hand_ins[0].shown.starts_with("hand-in "));
            CHECK(one.sources.at("made/one").hand_in == one.hand_ins[0].shown);
            CHECK(one.sources.at("made/one").path == "one.cu");
            CHECK(one.unclear.at("made/two") == said_elsewhere);
            CHECK(one.notes.empty());
        }
        CHECK(std::is_sorted(names.begin(), names.end()));
        if (run == 0) first = names;
        CHECK(names == first);
    }
    REQUIRE(identities.all.size() == 3);
    CHECK(identities.of_id("ann")->hand_ins == std::vector<std::string>{"hw-ann"});
    CHECK(identities.of_pseudonym(identities.of_id("bo")->pseudonym)->student.name == "bo name");
    CHECK(identities.roster().students.size() == 3);
}

TEST_CASE("a pseudonym follows from the salt, and nobody has another's") {
    std::set<std::string> taken;
    for (int i = 0; i < 3000; ++i) CHECK(taken.insert(pseudonym_for("salt", std::to_string(i), taken)).second);
    CHECK(pseudonym_for("salt", "ann", {}) == pseudonym_for("salt", "ann", {}));
    CHECK(pseudonym_for("salt", "ann", {}) != pseudonym_for("pepper", "ann", {}));
}
