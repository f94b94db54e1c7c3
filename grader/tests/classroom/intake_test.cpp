#include "classroom/intake.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::classroom;

namespace {

namespace fs = std::filesystem;

struct Folder {
    Folder() {
        path = fs::temp_directory_path() / ("warpgrade-intake-" + std::to_string(getpid()));
        fs::remove_all(path);
        fs::create_directories(path);
    }
    ~Folder() { fs::remove_all(path); }
    void write(const std::string& name, const std::string& text = "x") const {
        fs::create_directories((path / name).parent_path());
        std::ofstream(path / name, std::ios::binary) << text;
    }
    fs::path path;
};

const std::vector<Assignment>& course() {
    static const auto loaded = load_course(WARPGRADE_SOURCE_DIR);
    if (!loaded) FAIL(loaded.error().title);
    return *loaded;
}

std::vector<std::string> shown(const Discovery& discovery) {
    std::vector<std::string> names;
    for (const HandIn& hand_in : discovery.hand_ins) names.push_back(hand_in.shown);
    return names;
}

Submission chosen(std::vector<Source> sources) {
    Submission submission;
    choose_sources(course(), std::move(sources), submission);
    return submission;
}

std::vector<Submission> assigned(const Discovery& discovery, const Roster& roster, bool has_roster) {
    std::vector<std::string> notes;
    return assign(discovery, roster, has_roster, notes);
}

// A class of hand-ins called so.
Discovery called(const std::vector<std::string>& names) {
    Discovery discovery;
    for (const std::string& name : names) {
        const LmsName parsed = parse_lms_name(name);
        HandIn hand_in;
        hand_in.shown = name;
        hand_in.people = {parsed.person};
        discovery.hand_ins.push_back(hand_in);
    }
    return discovery;
}

std::vector<std::string> names_of(const Submission& submission) {
    std::vector<std::string> names;
    for (const HandIn& hand_in : submission.hand_ins) names.push_back(hand_in.shown);
    return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a folder is one hand-in if it looks like one, and else a class") {
    const Folder folder;
    folder.write("class/ann/4_padding.cu");
    folder.write("class/bo.zip");
    folder.write("class/leecy_1_2_4_padding.cu");
    folder.write("class/grades.csv");
    folder.write("class/.DS_Store");
    fs::create_directory_symlink("/etc", folder.path / "class" / "evil");
    const auto whole = discover({(folder.path / "class").string() + "/"}, course());
    REQUIRE(whole);
    CHECK(shown(*whole) == std::vector<std::string>{"ann", "bo.zip", "leecy_1_2_4_padding.cu"});
    CHECK(whole->notes == std::vector<std::string>{"`evil` was left out: it is a symbolic link"});
    CHECK(whole->hand_ins[2].file_name == "4_padding.cu");

    folder.write("di/transpose/4_padding.cu");
    const auto two = discover({(folder.path / "class" / "ann").string(), (folder.path / "di").string()}, course());
    REQUIRE(two);
    CHECK(shown(*two) == std::vector<std::string>{"ann", "di"});
}

TEST_CASE("a path that is nothing to grade is refused") {
    const Folder folder;
    folder.write("class/ann.zip");
    folder.write("notes.txt");
    const auto missing = discover({(folder.path / "clas").string()}, course());
    REQUIRE(!missing);
    CHECK(missing.error().help == "`" + (folder.path / "class").string() + "` exists");
    CHECK(!discover({(folder.path / "notes.txt").string()}, course()));
    fs::create_directory(folder.path / "empty");
    CHECK(!discover({(folder.path / "empty").string()}, course()));
}

TEST_CASE("a folder's sources are found however deep, and links in it are not followed") {
    const Folder folder;
    folder.write("ann/hw/assignments/transpose/4_padding.cu", "four");
    folder.write("ann/hw/.git/1_naive_read.cu");
    folder.write("ann/notes.txt");
    fs::create_symlink("/etc/passwd", folder.path / "ann" / "5_coarsening.cu");
    fs::create_directory_symlink("/", folder.path / "ann" / "root");
    HandIn hand_in;
    hand_in.path = folder.path / "ann";
    const auto contents = read_hand_in(hand_in, folder.path);
    REQUIRE(contents);
    REQUIRE(contents->sources.size() == 1);
    CHECK(contents->sources[0].path == "hw/assignments/transpose/4_padding.cu");
    CHECK(contents->sources[0].text == "four");
    CHECK(contents->notes == std::vector<std::string>{"`5_coarsening.cu` was left out: it is a symbolic link"});
    CHECK(contents->problem.empty());
}

TEST_CASE("a named pipe among the files makes nobody wait, and a huge file is not read whole") {
    const Folder folder;
    folder.write("ann/4_padding.cu", std::string(5 << 20, 'x'));
    REQUIRE(mkfifo((folder.path / "ann" / "5_coarsening.cu").c_str(), 0600) == 0);
    HandIn hand_in;
    hand_in.path = folder.path / "ann";
    const auto contents = read_hand_in(hand_in, folder.path);
    REQUIRE(contents);
    REQUIRE(contents->sources.size() == 1);
    CHECK(contents->sources[0].text.size() == (1 << 20) + 1);
    CHECK(contents->notes.size() == 1);
}

TEST_CASE("a file's stage is known by its name, with what platforms and browsers add") {
    for (const char* name : {"4_padding.cu", "4_Padding.CU", "4_padding (1).cu", "4_padding-2.cu", "4_padding copy.cu",
                             "ann_4_padding.cu", "x/y/padding.cu"}) {
        INFO(name);
        CHECK(chosen({{name, "text", 0}}).sources.contains("transpose/padding"));
    }
    for (const char* name : {"14_padding.cu", "4_padding.cu.bak", "mypadding.cu", "main.cu"}) {
        INFO(name);
        const Submission submission = chosen({{name, "text", 0}});
        CHECK(submission.sources.empty());
        CHECK(submission.notes.size() == 1);
    }
}

TEST_CASE("where two assignments have a file of one name, its folder decides") {
    CHECK(chosen({{"reduction/open.cu", "text", 0}}).sources.contains("reduction/open"));
    CHECK(chosen({{"transpose/x/open.cu", "text", 0}}).sources.contains("transpose/open"));
    CHECK(chosen({{"8_open.cu", "text", 0}}).sources.contains("transpose/open"));
    const Submission unclear = chosen({{"open.cu", "text", 0}});
    CHECK(unclear.sources.empty());
    CHECK(unclear.notes ==
          std::vector<std::string>{"`open.cu` may be of more than one assignment, and was not graded"});
}

TEST_CASE("of several files for a stage the last hand-in's counts, then the best name, then the least deep") {
    CHECK(chosen({{"old/4_padding.cu", "deep", 0}, {"4_padding.cu", "flat", 0}}).sources["transpose/padding"].text ==
          "flat");
    CHECK(chosen({{"4_padding (1).cu", "copy", 0}, {"x/4_padding.cu", "exact", 0}}).sources["transpose/padding"].text ==
          "exact");
    const Submission again = chosen({{"4_padding.cu", "first", 10}, {"deep/4_padding-1.cu", "second", 20}});
    CHECK(again.sources.at("transpose/padding").text == "second");
    CHECK(again.notes == std::vector<std::string>{"of two files for transpose/padding, `deep/4_padding-1.cu` was "
                                                  "graded and `4_padding.cu` was not"});
    CHECK(chosen({{"4_padding.cu", "same", 0}, {"x/4_padding.cu", "same", 0}}).notes.empty());
}

TEST_CASE("hand-ins go to their students; who handed in nothing is missing, who is unknown comes last") {
    const auto roster = parse_roster("id,name\ns100,Ann O'Brien\ns200,Bo Lee\ns300,Cy Young\n", "roster.csv");
    REQUIRE(roster);
    Discovery discovery;
    for (const char* name : {"zed", "Bo Lee_7_assignsubmission_file_", "s100", "leebo_LATE_7_9_hw"}) {
        const LmsName parsed = parse_lms_name(name);
        HandIn hand_in;
        hand_in.shown = name;
        hand_in.people = {parsed.person};
        hand_in.is_late = parsed.is_late;
        discovery.hand_ins.push_back(hand_in);
    }
    const auto all = assigned(discovery, *roster, true);
    REQUIRE(all.size() == 4);
    CHECK(all[0].hand_ins.size() == 1);
    CHECK(all[1].hand_ins.size() == 2);
    CHECK(all[1].is_late);
    CHECK(all[2].is_missing());
    CHECK(all[3].student.id == "zed");
    CHECK_FALSE(all[3].is_on_roster);
    CHECK(all[3].notes == std::vector<std::string>{"not on the roster"});
}

TEST_CASE("a group's hand-in is each member's") {
    Discovery discovery;
    HandIn hand_in;
    hand_in.people = {{"a", "Ann", {"a"}, ""}, {"b", "Bo", {"b"}, ""}};
    discovery.hand_ins.push_back(hand_in);
    const auto all = assigned(discovery, empty_roster(), false);
    REQUIRE(all.size() == 2);
    CHECK(all[0].student.cells == CsvRow{"a", "Ann"});
    CHECK(all[1].student.cells == CsvRow{"b", "Bo"});
    CHECK(all[1].notes.empty());
}

TEST_CASE("without a roster two names are two people, and both are told of the other") {
    std::vector<std::string> notes;
    const auto all = assign(called({"alice-w", "alicew", "Alicew", "al\u00edcew", "bob", "..", "..."}),
                            empty_roster(), false, notes);
    REQUIRE(all.size() == 7);
    for (const Submission& one : all) {
        CHECK(one.hand_ins.size() == 1);
        CHECK(one.student.id == one.hand_ins.front().shown);
        CHECK(one.doubt.empty());
        CHECK(one.notes.size() == (one.student.id.starts_with("al") || one.student.id.starts_with("Al") ? 1 : 0));
    }
    CHECK(notes ==
          Names{"`Alicew`, `alice-w`, `alicew` and `al\u00edcew` are called nearly alike; each is a row of its own"});
    CHECK(assigned(called({"ann", "ann"}), empty_roster(), false).size() == 1);
    CHECK(assigned(called({"obrienann_1_2_a.zip", "obrienann_3_4_a.zip"}), empty_roster(), false).size() == 2);
    CHECK(assigned(called({"obrienann_1_2_a.zip", "obrienann_1_4_a.zip"}), empty_roster(), false).size() == 1);
}

TEST_CASE("a roster may hold names that differ by a dash, and each hand-in goes to who is called exactly so") {
    const auto roster = parse_roster("id,name\nalicew,Alice White\nalice-w,Alice Wu\n", "roster.csv");
    REQUIRE(roster);
    const auto all = assigned(called({"alice-w", "alicew", "hw1-alice-w", "alice_w"}), *roster, true);
    REQUIRE(all.size() == 3);
    CHECK(names_of(all[0]) == Names{"alicew"});
    CHECK(names_of(all[1]) == Names{"alice-w", "hw1-alice-w"});
    CHECK(names_of(all[2]) == Names{"alice_w"});
    CHECK(all[2].notes == Names{"more than one student of the roster is called so"});
}

TEST_CASE("a name that is nearly a student's never joins the student's own hand-in") {
    const auto roster = parse_roster("id,name\nalicew,Alice White\n", "roster.csv");
    REQUIRE(roster);
    for (const Names& names : {Names{"alice-w", "alicew"}, Names{"alicew", "alice-w"}, Names{"ALICEW", "alicew"}}) {
        std::vector<std::string> notes;
        const auto all = assign(called(names), *roster, true, notes);
        REQUIRE(all.size() == 2);
        CHECK(names_of(all[0]) == Names{"alicew"});
        CHECK(all[0].doubt.empty());
        CHECK(all[1].student.id != "alicew");
        CHECK_FALSE(all[1].is_on_roster);
        CHECK(all[0].notes.size() == 1);
        CHECK(all[1].notes == all[0].notes);
        CHECK(notes == all[0].notes);
    }
}

TEST_CASE("of two that are nearly a student's a person says which") {
    const auto roster = parse_roster("id,name\nalicew,Alice White\n", "roster.csv");
    REQUIRE(roster);
    const auto all = assigned(called({"alice-w", "alic-ew"}), *roster, true);
    REQUIRE(all.size() == 2);
    CHECK(names_of(all[0]) == Names{"alice-w"});
    CHECK(all[0].doubt == "`alice-w` and `alic-ew` may both be this student's: say which");
    const auto alone = assigned(called({"alice-w"}), *roster, true);
    REQUIRE(alone.size() == 1);
    CHECK(alone[0].doubt.empty());
    CHECK(alone[0].notes == Names{"`alice-w` was taken for this student's, whose id is `alicew`"});
    // The platform's number says that they are one.
    CHECK(assigned(called({"Alice White_7_assignsubmission_file_", "whitealice_7_9_hw"}), *roster, true).size() == 1);
    CHECK(assigned(called({"Alice White_7_assignsubmission_file_", "whitealice_8_9_hw"}), *roster, true).size() == 2);
}

TEST_CASE("a note on two files names both hand-ins") {
    CHECK(chosen({{"4_padding.cu", "a", 0, "alice (1)"}, {"4_padding.cu", "b", 0, "alice (2)"}}).notes ==
          Names{"of two files for transpose/padding, `4_padding.cu` of `alice (1)` was graded and `4_padding.cu` of "
                "`alice (2)` was not"});
}
