#include "classroom/intake.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "classroom/plain_names.hpp"
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

Result<Discovery> found_in(const std::vector<std::string>& paths, const Roster& roster = empty_roster()) {
    return discover(paths, course(), roster, fs::temp_directory_path());
}

Source file(const std::string& path, const std::string& text, const std::string& hand_in = "",
            std::optional<HandInTime> time = {}) {
    Source source;
    source.path = path;
    source.text = text;
    source.hand_in = hand_in;
    source.time = time;
    return source;
}

// Of one hand-in for each name in the sources.
Submission chosen(std::vector<Source> sources, const HandInMap& map = {}) {
    static const std::vector<StubWords> stubs = words_of_stubs(course());
    Submission submission;
    std::set<std::string> names;
    for (const Source& source : sources) names.insert(source.hand_in);
    submission.hand_ins.resize(names.size());
    Contents found;
    found.sources = std::move(sources);
    choose_sources(course(), stubs, std::move(found), map, submission);
    return submission;
}

struct Assigned {
    std::vector<Submission> all;
    std::vector<std::string> notes, questions;
};

Assigned assigned(const Discovery& discovery, const Roster& roster, bool has_roster) {
    Assigned result;
    result.all = assign(discovery, roster, has_roster, {}, result.notes, result.questions);
    return result;
}

// A class of hand-ins called so.
Discovery called(const std::vector<std::string>& names) {
    Discovery discovery;
    for (const std::string& name : names) {
        const LmsName parsed = parse_lms_name(name);
        HandIn hand_in;
        hand_in.shown = name;
        hand_in.platform = parsed.platform;
        hand_in.people = {parsed.person};
        hand_in.is_late = parsed.is_late;
        hand_in.time = parsed.time;
        hand_in.parts = {node_at(name)};
        discovery.hand_ins.push_back(hand_in);
    }
    settle_prefixes(discovery.hand_ins, 0, "", course());
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
    const auto whole = found_in({(folder.path / "class").string() + "/"});
    REQUIRE(whole);
    CHECK(shown(*whole) == std::vector<std::string>{"ann", "bo.zip", "leecy_1_2_4_padding.cu"});
    // It may be somebody's: a question, and not a note.
    CHECK(whole->questions == std::vector<std::string>{"`evil` was left out: it is a symbolic link"});
    CHECK(whole->hand_ins[2].part_names.front() == "4_padding.cu");

    folder.write("di/transpose/4_padding.cu");
    const auto two = found_in({(folder.path / "class" / "ann").string(), (folder.path / "di").string()});
    REQUIRE(two);
    CHECK(shown(*two) == std::vector<std::string>{"ann", "di"});
}

TEST_CASE("a path that is nothing to grade is refused") {
    const Folder folder;
    folder.write("class/ann.zip");
    folder.write("notes.txt");
    const auto missing = found_in({(folder.path / "clas").string()});
    REQUIRE(!missing);
    CHECK(missing.error().help == "`" + (folder.path / "class").string() + "` exists");
    CHECK(!found_in({(folder.path / "notes.txt").string()}));
    fs::create_directory(folder.path / "empty");
    CHECK(!found_in({(folder.path / "empty").string()}));
}

TEST_CASE("a folder's sources are found however deep, and links in it are not followed") {
    const Folder folder;
    folder.write("ann/hw/assignments/transpose/4_padding.cu", "four");
    folder.write("ann/hw/.git/1_naive_read.cu");
    folder.write("ann/notes.txt");
    fs::create_symlink("/etc/passwd", folder.path / "ann" / "5_coarsening.cu");
    fs::create_directory_symlink("/", folder.path / "ann" / "root");
    HandIn hand_in;
    hand_in.parts = {node_at(folder.path / "ann")};
    const auto contents = read_hand_in(hand_in, folder.path);
    REQUIRE(contents);
    REQUIRE(contents->sources.size() == 1);
    CHECK(contents->sources[0].path == "hw/assignments/transpose/4_padding.cu");
    CHECK(contents->sources[0].text == "four");
    CHECK(contents->notes == std::vector<std::string>{"`5_coarsening.cu` was left out: it is a symbolic link",
                                                      "`root` was left out: it is a symbolic link"});
    CHECK(contents->problems.empty());
}

TEST_CASE("a named pipe among the files makes nobody wait, and a huge file is not read whole") {
    const Folder folder;
    folder.write("ann/4_padding.cu", std::string(5 << 20, 'x'));
    REQUIRE(mkfifo((folder.path / "ann" / "5_coarsening.cu").c_str(), 0600) == 0);
    HandIn hand_in;
    hand_in.parts = {node_at(folder.path / "ann")};
    const auto contents = read_hand_in(hand_in, folder.path);
    REQUIRE(contents);
    REQUIRE(contents->sources.size() == 1);
    CHECK(contents->sources[0].text.size() == (1 << 20) + 1);
    CHECK(contents->notes.size() == 1);
}

TEST_CASE("a file's stage is known by its name, with what platforms, browsers and people add") {
    for (const char* name : {"4_padding.cu",         "4_Padding.CU",      "4_padding (1).cu",
                             "4_padding-2.cu",       "4_padding copy.cu", "ann_4_padding.cu",
                             "x/y/padding.cu",       "4_padding 2.cu",    "4_padding - Copy.cu",
                             "4_padding_1.cu",       "4_padding_v2.cu",   "4_padding_annlee.cu",
                             "4_padding (final).cu", "04_padding.cu",     "4-padding.cu",
                             "4 padding.cu",         "4padding.cu",       "4_padding.cu.cu",
                             "4_padding.cu.txt",     "4_padding.cpp",     "transpose_4_padding.cu",
                             "Copy of 4_padding.cu"}) {
        INFO(name);
        CHECK(chosen({file(name, "text")}).sources.contains("transpose/padding"));
    }
    CHECK(chosen({file("3cornerTurning.cu", "text")}).sources.contains("transpose/corner_turning"));
    for (const char* name : {"14_padding.cu", "mypadding.cu", "main.cu", "5_padding.cu", "4_padding_old.cu"}) {
        INFO(name);
        const Submission submission = chosen({file(name, "text")});
        CHECK(submission.sources.empty());
        CHECK(submission.unclear.contains("transpose/padding"));
    }
}

TEST_CASE("a file that no name places is placed by the stub's words in it, or nobody but a person can") {
    const std::string kernel = "__global__ void padded(const float* in) {}\nvoid transpose(const float* in) {}\n";
    CHECK(chosen({file("mine.cu", kernel)}).sources.contains("transpose/padding"));
    CHECK(chosen({file("stage4.cu", "__global__ void k() {}\nvoid transpose(int) {}\n")})
              .sources.contains("transpose/padding"));
    const Submission unclear = chosen({file("mine.cu", "__global__ void k() {}\nvoid reduce(int) {}\n")});
    CHECK(unclear.sources.empty());
    CHECK(unclear.unclear.contains("reduction/strided"));
    CHECK_FALSE(unclear.unclear.contains("transpose/padding"));  // it is no transposition
    const Submission wrong = chosen({file("4_padding.cu", "__global__ void k() {}\nvoid reduce(int) {}\n")});
    CHECK(wrong.sources.empty());
    CHECK(wrong.unclear.contains("transpose/padding"));
    HandInMap map;
    map.stages[{"", "mine.cu"}] = "transpose/any_type";
    CHECK(chosen({file("mine.cu", kernel)}, map).sources.contains("transpose/any_type"));
    map.stages[{"", "mine.cu"}] = "-";
    CHECK(chosen({file("mine.cu", kernel)}, map).unclear.empty());
}

TEST_CASE("where two assignments have a file of one name, its folder decides, or what is in it") {
    CHECK(chosen({file("reduction/open.cu", "text")}).sources.contains("reduction/open"));
    CHECK(chosen({file("transpose/x/open.cu", "text")}).sources.contains("transpose/open"));
    CHECK(chosen({file("8_open.cu", "text")}).sources.contains("transpose/open"));
    CHECK(chosen({file("open.cu", "__global__ void k() {}\nvoid reduce(int) {}")}).sources.contains("reduction/open"));
    const Submission unclear = chosen({file("open.cu", "text")});
    CHECK(unclear.sources.empty());
    CHECK(unclear.unclear.size() == 6);  // an open stage in each assignment that has one
    CHECK(unclear.notes ==
          std::vector<std::string>{"`open.cu` may be of more than one assignment, and was not graded"});
}

TEST_CASE("of several files for a stage the last attempt's counts, and else a person says which") {
    const HandInTime early{1000}, late{2000};
    const Submission again =
        chosen({file("4_padding.cu", "first", "b", early), file("x/4_padding.cu", "last", "a", late)});
    CHECK(again.sources.at("transpose/padding").text == "last");
    CHECK(again.notes == std::vector<std::string>{"of two files for transpose/padding, `x/4_padding.cu` of `a` was "
                                                  "graded and `4_padding.cu` of `b` was not"});
    const Submission unclear = chosen({file("4_padding.cu", "one"), file("x/4_padding.cu", "other")});
    CHECK(unclear.sources.empty());
    CHECK(unclear.unclear.at("transpose/padding") ==
          "`4_padding.cu` and `x/4_padding.cu` differ, and nothing says which is the last");
    CHECK(chosen({file("4_padding.cu", "same"), file("x/4_padding.cu", "same")}).notes.empty());
    // A name, or a folder's, may say that the other one counts.
    CHECK(chosen({file("4_padding.cu", "new"), file("old/4_padding.cu", "old")}).sources["transpose/padding"].text ==
          "new");
    CHECK(chosen({file("4_padding.cu", "new"), file("4_padding_backup.cu", "old")}).sources["transpose/padding"].text ==
          "new");
    // Of two without a date in two hand-ins nothing says which is the last.
    CHECK(chosen({file("4_padding.cu", "a", "alice (1)"), file("4_padding.cu", "b", "alice (2)")})
              .unclear.at("transpose/padding") ==
          "`4_padding.cu` of `alice (1)` and `4_padding.cu` of `alice (2)` "
          "differ, and nothing says which is the last");
}

TEST_CASE("hand-ins go to their students, who handed in nothing is missing, who is unknown comes last") {
    const auto roster = parse_roster("id,name\ns100,Ann O'Brien\ns200,Bo Lee\ns300,Cy Young\n", "roster.csv");
    REQUIRE(roster);
    const Assigned result =
        assigned(called({"zed", "Bo Lee_7_assignsubmission_file_", "s100", "leebo_LATE_7_9_hw"}), *roster, true);
    const auto& all = result.all;
    REQUIRE(all.size() == 4);
    CHECK(all[0].hand_ins.size() == 1);
    CHECK(all[1].hand_ins.size() == 2);
    CHECK(all[2].is_missing());
    CHECK(all[3].student.id == "zed");
    CHECK_FALSE(all[3].is_on_roster);
    CHECK(all[3].notes == std::vector<std::string>{"not on the roster"});
    CHECK(result.questions.size() == 1);
}

TEST_CASE("a group's hand-in is each member's") {
    Discovery discovery;
    HandIn hand_in;
    hand_in.people = {{"a", "Ann", {Key(Key::Kind::id, "a")}, "", false},
                      {"b", "Bo", {Key(Key::Kind::id, "b")}, "", false}};
    discovery.hand_ins.push_back(hand_in);
    const auto all = assigned(discovery, empty_roster(), false).all;
    REQUIRE(all.size() == 2);
    CHECK(all[0].student.cells == CsvRow{"a", "Ann"});
    CHECK(all[1].student.cells == CsvRow{"b", "Bo"});
    CHECK(all[1].notes.empty());
}

TEST_CASE("without a roster two names are two people, and both are told of the other") {
    const Assigned result =
        assigned(called({"alice-w", "alicew", "Alicew", "al\u00edcew", "bob", "..", "..."}), empty_roster(), false);
    REQUIRE(result.all.size() == 7);
    for (const Submission& one : result.all) {
        CHECK(one.hand_ins.size() == 1);
        CHECK(one.student.id == one.hand_ins.front().shown);
        CHECK(one.doubt.empty() != one.student.id.starts_with("."));
    }
    CHECK(result.notes ==
          Names{"`Alicew`, `alice-w`, `alicew` and `al\u00edcew` are called nearly alike; each is a row of its own"});
    CHECK(assigned(called({"ann", "ann"}), empty_roster(), false).all.size() == 1);
    CHECK(assigned(called({"obrienann_1_2_a.zip", "obrienann_3_4_a.zip"}), empty_roster(), false).all.size() == 2);
    CHECK(assigned(called({"obrienann_1_2_a.zip", "obrienann_1_4_a.zip"}), empty_roster(), false).all.size() == 1);
}

TEST_CASE("a roster may hold names that differ by a dash, and each hand-in goes to who is called exactly so") {
    const auto roster = parse_roster("id,name\nalicew,Alice White\nalice-w,Alice Wu\n", "roster.csv");
    REQUIRE(roster);
    const auto all = assigned(called({"alice-w", "alicew", "hw1-alice-w", "alice_w"}), *roster, true).all;
    REQUIRE(all.size() == 3);
    CHECK(names_of(all[0]) == Names{"alicew"});
    CHECK(names_of(all[1]) == Names{"alice-w", "hw1-alice-w"});
    CHECK(names_of(all[2]) == Names{"alice_w"});
    CHECK(all[2].doubt.find("more than one student is called so") != std::string::npos);
}

TEST_CASE("a name that is nearly a student's is nobody's until a person has said so") {
    const auto roster = parse_roster("id,name\nalicew,Alice White\n", "roster.csv");
    REQUIRE(roster);
    for (const Names& names : {Names{"alice-w", "alicew"}, Names{"alicew", "alice-w"}}) {
        const auto all = assigned(called(names), *roster, true).all;
        REQUIRE(all.size() == 2);
        CHECK(names_of(all[0]) == Names{"alicew"});
        CHECK(all[0].doubt.empty());
        CHECK(all[1].student.id == "alice-w");
        CHECK_FALSE(all[1].doubt.empty());
    }
    const auto alone = assigned(called({"alice-w"}), *roster, true).all;
    REQUIRE(alone.size() == 1);
    CHECK_FALSE(alone[0].doubt.empty());
    const auto two = assigned(called({"alice-w", "alic-ew"}), *roster, true).all;
    REQUIRE(two.size() == 3);
    CHECK(two[0].hand_ins.empty());
    CHECK_FALSE(two[0].is_missing());
}

TEST_CASE("of a chosen name only the whole, without a course's words, is a person's") {
    const auto roster = parse_roster("id,name\nann,Ann Lee\ns1234567,Mary Ann Smith\nbob,Bob Ray\n", "roster.csv");
    REQUIRE(roster);
    const auto who = [&](const std::string& name) {
        for (const Submission& one : assigned(called({name}), *roster, true).all)
            if (!one.hand_ins.empty() && one.is_on_roster && one.doubt.empty()) return one.student.id;
        return std::string("nobody");
    };
    CHECK(who("ann") == "ann");
    CHECK(who("hw3-ann") == "ann");
    CHECK(who("Homework 3 - Ann Lee (final)") == "ann");
    CHECK(who("s1234567_Smith, Mary Ann") == "s1234567");
    CHECK(who("Mary Ann Smith s1234567 hw3") == "s1234567");
    CHECK(who("hw3-mary-ann") == "nobody");
    CHECK(who("group with bob") == "nobody");
    CHECK(who("bob and ann") == "nobody");
    CHECK(who("week1") == "nobody");
}
