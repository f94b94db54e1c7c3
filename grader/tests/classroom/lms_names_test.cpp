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
    CHECK(name.person.keys == std::vector<Key>{"obrienann"});
    CHECK(name.person.number == "12345");
    CHECK(name.is_late);
    CHECK(name.order == 67890);
    CHECK(name.rest == "my_hw");
    const LmsName file = parse_lms_name("leebo_11_22_4_padding-1.cu");
    CHECK(file.rest == "4_padding-1.cu");
    CHECK_FALSE(file.is_late);
}

TEST_CASE("Moodle, Brightspace and GitHub") {
    const LmsName moodle = parse_lms_name("Ann O'Brien_4711_assignsubmission_file_");
    CHECK(moodle.person.name == "Ann O'Brien");
    CHECK(moodle.person.number == "4711");
    CHECK(has_key(moodle.person, "annobrien"));
    CHECK(has_key(moodle.person, "participant4711"));
    const LmsName brightspace = parse_lms_name("12345-67890 - Ann O'Brien - Nov 2, 2026 1159 PM");
    CHECK(brightspace.person.name == "Ann O'Brien");
    CHECK(brightspace.person.number == "12345");
    const LmsName github = parse_lms_name("cuda-homework-3-ann-obrien");
    CHECK(has_key(github.person, "annobrien"));
}

TEST_CASE("other names: the whole, then neighbours, then words; short numbers are no ids") {
    const LmsName name = parse_lms_name("hw3 Ann O'Brien (s1234567) 2026");
    CHECK(name.person.id == "hw3 Ann O'Brien (s1234567) 2026");
    CHECK(has_key(name.person, "annobrien"));
    CHECK(has_key(name.person, "s1234567"));
    CHECK_FALSE(has_key(name.person, "2026"));
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
    REQUIRE(folders[0].people.size() == 2);
    CHECK(folders[0].people[0].id == "00123");
    CHECK(folders[0].people[0].name == "Ann O'Brien");
    CHECK(folders[0].people[1].id == "bo@example.edu");
    CHECK(folders[0].people[1].name == "Lee, Bo");
    REQUIRE(folders[1].people.size() == 1);
    CHECK(folders[1].people[0].id == "s3");
}
