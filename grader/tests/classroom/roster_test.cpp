#include "classroom/roster.hpp"

#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::classroom;

namespace {

Roster roster(std::string_view text) {
    auto parsed = parse_roster(text, "roster.csv");
    if (!parsed) FAIL(parsed.error().title);
    return std::move(*parsed);
}

std::string who(const Roster& all, const std::string& name) {
    const Match match = find_student(all, parse_lms_name(name).person);
    return match.is_one()              ? all.students[match.students.front()].id + (match.is_sure() ? "" : "?")
           : match.students.size() > 1 ? "ambiguous"
                                       : "nobody";
}

}  // namespace

TEST_CASE("platforms' exports are read by the names of their columns") {
    const Roster gradescope =
        roster("First Name,Last Name,SID,Email,Sections,Total Score\nAnn,O'Brien,0012,a@x.edu,,5\n");
    CHECK(gradescope.columns == CsvRow{"First Name", "Last Name", "SID", "Email"});
    CHECK(gradescope.students.front().id == "0012");
    CHECK(gradescope.students.front().name == "Ann O'Brien");
    const Roster canvas = roster(
        "Student,ID,SIS User ID,SIS Login ID,Section,Homework (123)\n"
        "    Points Possible,,,,,200\n"
        "\"O'Brien, Ann\",77,00-9,aobrien,A,\n"
        "\"Student, Test\",1,,,,\n");
    CHECK(canvas.columns == CsvRow{"Student", "ID", "SIS User ID", "SIS Login ID"});
    REQUIRE(canvas.students.size() == 1);
    CHECK(canvas.students.front().id == "00-9");
    CHECK(canvas.students.front().cells == CsvRow{"O'Brien, Ann", "77", "00-9", "aobrien"});
    CHECK(canvas.students.front().section == "A");
    const Roster twice = roster("id,name,section\n1,Ann Lee,A\n1,Ann Lee,B\n");
    CHECK(twice.students.front().section == "A; B");
    const Roster brightspace =
        roster("OrgDefinedId,Username,Last Name,First Name,End-of-Line Indicator\n#55,#ann,O,A,#\n");
    CHECK(brightspace.students.front().id == "55");
    CHECK(brightspace.students.front().cells == CsvRow{"#55", "#ann", "O", "A"});
}

TEST_CASE("a platform's export says when an attempt was handed in and how late it was") {
    const Roster moodle = roster(
        "Identifier,Full name,Email address,Status,Grade,Last modified (submission)\n"
        "Participant 5001,Ann Lee,a@x.edu,Submitted for grading - 1 day 2 hours late,,\"Tuesday, 4 November 2025, 1:59 "
        "AM\"\n"
        "Participant 5002,Bo Ray,b@x.edu,Submitted for grading - Extension granted,,\"Monday, 3 November 2025, 4:30 "
        "AM\"\n"
        "Participant 5003,Cy Fox,c@x.edu,No submission,,-\n");
    CHECK(moodle.columns == CsvRow{"Identifier", "Full name", "Email address"});
    CHECK(moodle.students[0].late_seconds == 26 * 3600);
    CHECK(text_of(*moodle.students[0].handed_in) == "2025-11-04 01:59:00");
    CHECK(moodle.students[1].late_seconds == 0);  // where one is late, the platform knows of who is not
    CHECK_FALSE(moodle.students[2].late_seconds);
    CHECK_FALSE(moodle.students[2].handed_in);
    const Roster gradescope = roster(
        "Name,SID,Email,Status,Submission Time,Lateness (H:M:S)\n"
        "Ann Lee,0012,a@x.edu,Graded,2025-11-02 23:30:00 -0500,00:00:00\nBo Ray,13,b@x.edu,Missing,,\n");
    CHECK(gradescope.columns == CsvRow{"Name", "SID", "Email"});
    CHECK(gradescope.students[0].late_seconds == 0);
    CHECK(text_of(*gradescope.students[0].handed_in) == "2025-11-03 04:30:00 UTC");
    CHECK_FALSE(gradescope.students[1].late_seconds);
    const Roster github =
        roster("github_username,roster_identifier,submission_timestamp\nannlee,ann,2025-11-03T04:30:00Z\n");
    CHECK(text_of(*github.students[0].handed_in) == "2025-11-03 04:30:00 UTC");
    CHECK_FALSE(parse_roster("Submission Time,Status\n2025-11-02,Graded\n", "roster.csv"));  // nothing says who
}

TEST_CASE("a hand-in finds its student by id, login, email or name in either order") {
    const Roster all = roster(
        "id,name,email\ns1,Ann O'Brien,ann.o@x.edu\ns2,\"Lee, Bo\",bo@x.edu\ns3,Ann Smith,as@x.edu\ns4,Ann "
        "Smith,as4@x.edu\n");
    CHECK(who(all, "s1") == "s1");
    CHECK(who(all, "hw1_S2_final") == "nobody");  // two characters prove nothing
    CHECK(who(all, "ann.o") == "s1?");            // of an address, and not all of it
    CHECK(who(all, "bo@x.edu") == "s2");
    CHECK(who(all, "Bo Lee_99_assignsubmission_file_") == "s2");
    CHECK(who(all, "leebo_5_6_hw") == "s2");
    CHECK(who(all, "O'BRIEN Ann") == "s1");
    CHECK(who(all, "Ann Smith_99_assignsubmission_file_") == "ambiguous");
    CHECK(who(all, "somebody else") == "nobody");
}

TEST_CASE("a platform's number decides between namesakes, and never against a name") {
    const Roster all = roster("id,name\n1001,Ann Smith\n1002,Ann Smith\n1003,Bo Lee\n");
    CHECK(who(all, "smithann_1002_7_hw") == "1002");
    CHECK(who(all, "leebo_1001_7_hw") == "1003");
    CHECK(who(all, "anon_1003_7_hw") == "1003?");  // it may be the school's number of somebody else
    const Roster canvas = roster(
        "Student,ID,SIS User ID,SIS Login ID,Section\n"
        "\"Lee, Bo\",77,u1,blee,A\n\"Smith, Ann\",78,u2,leebo,A\n");
    CHECK(who(canvas, "leebo_77_7_hw") == "u1");
    CHECK(who(canvas, "leebo_79_7_hw") == "ambiguous");  // one's name, and another's login
    CHECK(who(canvas, "anon_78_7_hw") == "u2");
    CHECK(who(canvas, "smithann_77_7_hw") == "ambiguous");  // the number contradicts the name
}

TEST_CASE("rosters in other languages and encodings, and with a title above the headings") {
    const Roster german =
        roster("ID-Nummer;Vollst\u00e4ndiger Name;E-Mail-Adresse\n0071;J\u00fcrgen M\u00fcller;jm@x.edu\n");
    CHECK(german.students.front().id == "0071");
    CHECK(german.columns == CsvRow{"ID-Nummer", "Vollst\u00e4ndiger Name", "E-Mail-Adresse"});
    CHECK(roster("HW 3,\n\nDisplay ID,ID,Last Name,First Name\nbl,bl,Lee,Bo\n").students.front().id == "bl");
    const std::string text = "\"Last Name\"\t\"First Name\"\t\"Username\"\nLee\tBo\tblee\n";
    std::string wide = "\xff\xfe";
    for (const char c : text) wide += std::string{c, '\0'};
    CHECK(roster(wide).students.front().id == "blee");
}

TEST_CASE("a roster that says nothing about people is refused with what was found") {
    const auto no_columns = parse_roster("score,late\n1,2\n", "roster.csv");
    REQUIRE(!no_columns);
    CHECK(no_columns.error().blame == Blame::usage);
    CHECK(no_columns.error().facts.front() == "columns: score, late");
    const auto twice = parse_roster("id\na\nb\nA\n", "roster.csv");
    REQUIRE(!twice);
    CHECK(twice.error().marks.front().line == 4);
    CHECK(!parse_roster("", "roster.csv"));
    CHECK(!parse_roster("id,name\n", "roster.csv"));
}
