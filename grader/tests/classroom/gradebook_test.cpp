#include "classroom/gradebook.hpp"

#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::classroom;

namespace {

Assignment assignment() {
    Assignment made;
    made.name = "made";
    for (const char* id : {"one", "two"}) {
        Stage stage;
        stage.assignment = "made";
        stage.id = id;
        stage.correctness_points = 5;
        made.stages.push_back(stage);
    }
    return made;
}

StageMark mark(const std::string& stage, double total, ScoreState state = ScoreState::final,
               const std::string& why = "") {
    return {.stage = stage,
            .correctness = total,
            .technique = 0,
            .performance = 0,
            .total = total,
            .max = 5,
            .state = state,
            .why = why};
}

struct Class {
    Roster roster{{"id", "name"}, {}};
    std::vector<Submission> submissions = std::vector<Submission>(4);
    std::vector<StudentMarks> students;
    Class() {
        const char* names[] = {"=HYPERLINK(\"x\")", "Lee, Bo", "Cy", "Di"};
        for (int i = 0; i < 4; ++i) {
            submissions[i].student.id = "s" + std::to_string(i);
            submissions[i].student.cells = {submissions[i].student.id, names[i]};
            students.push_back({&submissions[i], submissions[i].student.id, {}, Standing::missing});
        }
        students[0].stages = {mark("made/one", 5), mark("made/two", 10.0 / 3)};
        students[0].standing = Standing::graded;
        students[1].stages = {mark("made/one", 4), mark("made/two", 0, ScoreState::internal_error, "it took too long")};
        students[1].standing = Standing::review;
        students[2].standing = Standing::unreadable;
        submissions[2].problem = "`c.zip` cannot be read: it holds nothing";
    }
};

}  // namespace

TEST_CASE("the gradebook has numbers only where there are marks") {
    const Assignment made = assignment();
    const Class all;
    CHECK(gradebook_csv(all.roster, {&made}, all.students) ==
          "id,name,status,late,made,total,max,made/one,made/two,from,notes\n"
          "s0,\"'=HYPERLINK(\"\"x\"\")\",graded,,8.33,8.33,10,5,3.33,,\n"
          "s1,\"Lee, Bo\",review,,,,10,4,,,made/two: it took too long\n"
          "s2,Cy,unreadable,,,,10,,,,`c.zip` cannot be read: it holds nothing\n"
          "s3,Di,missing,,,,10,,,,\n");
}

TEST_CASE("stages that were not handed in are said in few words") {
    const Assignment made = assignment();
    Class all;
    all.students[0].stages[1].is_handed_in = false;
    CHECK(gradebook_csv(all.roster, {&made}, all.students).find("3.33,,not handed in: made/two\n") !=
          std::string::npos);
    all.students[0].stages[0].is_handed_in = false;
    CHECK(gradebook_csv(all.roster, {&made}, all.students).find("not handed in: made (all 2 stages)\n") !=
          std::string::npos);
}

TEST_CASE("stubs as they were handed out are not attempted") {
    const Assignment made = assignment();
    Class all;
    all.students[0].stages[0].is_untouched = true;
    all.students[0].stages[1].is_handed_in = false;
    CHECK(gradebook_csv(all.roster, {&made}, all.students)
              .find("not attempted, the stub as it was handed out: made/one; not handed in: made/two") !=
          std::string::npos);
}

TEST_CASE("a stage that is too fast to be true has no mark, and a note says why") {
    const Assignment made = assignment();
    Class all;
    all.students[0].stages[1] = mark("made/two", 3, ScoreState::impossible, "too fast to be true on 8192 x 8192");
    all.students[0].standing = Standing::review;
    CHECK(gradebook_csv(all.roster, {&made}, all.students)
              .find(",review,,,,10,5,,,made/two: too fast to be true on 8192 x 8192\n") != std::string::npos);
    CHECK(class_json({}, all.students)["students"][0]["review"][0] == "made/two: too fast to be true on 8192 x 8192");
}

TEST_CASE("a row says from which hand-in, and when, its marks are") {
    const Assignment made = assignment();
    Class all;
    Source one, two;
    one.hand_in = "hw.zip";
    two.hand_in = "later.zip";
    two.time = HandInTime{0};
    all.submissions[0].sources = {{"made/one", one}, {"made/two", one}};
    CHECK(evidence_of(all.students[0]) == "hw.zip");
    all.submissions[0].sources["made/two"] = two;
    CHECK(evidence_of(all.students[0]) == "hw.zip: made/one; later.zip of 1970-01-01 00:00:00: made/two");

    one.hand_in = two.hand_in = "annlee_12345_50005_one.cu";
    one.path = "one.cu";
    all.submissions[0].sources = {{"made/one", one}};
    CHECK(evidence_of(all.students[0]) == "annlee_12345_50005_one.cu");
    one.path = "one-1.cu";
    all.submissions[0].sources = {{"made/one", one}};
    CHECK(evidence_of(all.students[0]) == "one-1.cu beside annlee_12345_50005_one.cu");
}

TEST_CASE("the class's JSON says who needs a person, and why") {
    Class all;
    all.submissions[1].student.section = "B";
    all.submissions[1].sources["made/one"].late_seconds = 60;
    const auto json = class_json({{"tool", {{"version", "1"}}}, {"seed", 7}}, all.students);
    CHECK(json["students"][1]["section"] == "B");
    CHECK(json["students"][1]["late_seconds"] == 60);
    CHECK(json["students"][0]["late_seconds"] == 0);
    CHECK(json["schema"] == "warpgrade.class/1");
    CHECK(json["seed"] == 7);
    CHECK(json["students"][0]["result"] == "results/s0.json");
    CHECK(json["students"][1]["review"][0] == "made/two: it took too long");
    CHECK(json["students"][3]["status"] == "missing");
    CHECK(json["students"][3]["result"].is_null());
}
