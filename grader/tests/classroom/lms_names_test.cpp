#include "classroom/lms_names.hpp"

#include "support/catch.hpp"

using namespace warpgrade::classroom;

namespace {

bool has_key(const Person& person, const std::string& key) {
    return std::any_of(person.keys.begin(), person.keys.end(), [&](const Key& one) { return one.squeezed == key; });
}

}  // namespace

TEST_CASE("Canvas: name, LATE, user, file, and what the student called it") {
    const LmsName name = parse_lms_name("obrienann_LATE_12345_67890_my_hw");
    CHECK(name.person.keys == std::vector<Key>{Key(Key::Kind::whole, "obrienann")});
    CHECK(name.platform == Platform::canvas);
    CHECK(name.person.number == "12345");
    CHECK(name.is_late);
    CHECK(name.rest == "my_hw");
    const LmsName file = parse_lms_name("leebo_11_22_4_padding-1.cu");
    CHECK(file.rest == "4_padding-1.cu");
    CHECK_FALSE(file.is_late);
    const LmsName typed = parse_lms_name("leebo_LATE_11_text.html");
    CHECK(typed.platform == Platform::canvas);
    CHECK(typed.person.number == "11");
    CHECK(typed.rest == "text.html");
}

TEST_CASE("Moodle, Brightspace and GitHub") {
    const LmsName moodle = parse_lms_name("Ann O'Brien_4711_assignsubmission_file_");
    CHECK(moodle.person.name == "Ann O'Brien");
    CHECK(moodle.person.number == "4711");
    CHECK(has_key(moodle.person, "annobrien"));
    const LmsName brightspace = parse_lms_name("12345-67890 - Ann O'Brien - Nov 2, 2026 1159 PM");
    CHECK(brightspace.person.name == "Ann O'Brien");
    CHECK(brightspace.person.number == "12345");
    CHECK(text_of(*brightspace.time) == "2026-11-02 23:59:00");
}

TEST_CASE("Blackboard and Sakai") {
    const LmsName file = parse_lms_name("HW 3_annlee_attempt_2026-11-02-23-59-10_4_padding.cu");
    CHECK(file.person.id == "annlee");
    CHECK(file.rest == "4_padding.cu");
    CHECK(text_of(*file.time) == "2026-11-02 23:59:10");
    CHECK_FALSE(file.person.is_guess);
    CHECK(parse_lms_name("HW3_ann_lee_attempt_2026-11-02-23-59-10_x.cu").person.is_guess);
    CHECK(parse_lms_name("HW3_annlee_attempt_2026-11-02-23-59-10.txt").is_receipt);
    const LmsName sakai = parse_lms_name("O'Brien, Ann(annobrien)");
    CHECK(sakai.person.id == "annobrien");
    CHECK(has_key(sakai.person, "obrienann"));
    CHECK(parse_lms_name("Lee, Ann").platform == Platform::none);
}

TEST_CASE("any other name is its person's as a whole") {
    const LmsName name = parse_lms_name("hw3 Ann O'Brien (s1234567) 2026");
    CHECK(name.person.id == "hw3 Ann O'Brien (s1234567) 2026");
    CHECK(name.person.keys.size() == 1);
    CHECK(name.person.number.empty());
}

TEST_CASE("Gradescope's metadata names the people of each folder, groups too") {
    const auto folders = parse_gradescope_metadata(
        "---\n"
        "submission_101:\n"
        "  :submitters:\n"
        "  - :name: Ann O'Brien\n"
        "    :sid: '00123'\n"
        "    :email: ann@example.edu\n"
        "  - :name: \"Lee, Bo\"\n"
        "    :sid: \n"
        "    :email: bo@example.edu\n"
        "  :created_at: 2026-11-02 23:59:00.000000000 Z\n"
        "  :history:\n"
        "  - :id: 5\n"
        "    :name: not a person\n"
        "submission_102:\n"
        "  :submitters:\n"
        "  - :name: Cy\n"
        "    :email: cy@example.edu\n"
        "    :sid: s3\n");
    REQUIRE(folders.size() == 2);
    CHECK(folders[0].folder == "submission_101");
    CHECK(text_of(*folders[0].time) == "2026-11-02 23:59:00 UTC");
    REQUIRE(folders[0].people.size() == 2);
    CHECK(folders[0].people[0].id == "00123");
    CHECK(folders[0].people[0].name == "Ann O'Brien");
    CHECK(folders[0].people[1].id == "bo@example.edu");
    CHECK(folders[0].people[1].name == "Lee, Bo");
    REQUIRE(folders[1].people.size() == 1);
    CHECK(folders[1].people[0].id == "s3");
}
