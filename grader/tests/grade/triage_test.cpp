#include "grade/triage.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

namespace {

Diagnostic diagnostic(std::string code, int line, Severity severity = Severity::error) {
    Diagnostic d;
    d.code = std::move(code);
    d.severity = severity;
    d.marks.resize(1);
    d.marks[0].line = line;
    d.help = "as before";
    return d;
}

}  // namespace

TEST_CASE("consequences of a finding are not told beside it") {
    std::vector<Diagnostic> findings{diagnostic("race_shared", 7), diagnostic("uninitialized", 9, Severity::warning),
                                     diagnostic("out_of_bounds", 12), diagnostic("race_global", 12),
                                     diagnostic("race_global", 13)};
    triage(findings, {});
    REQUIRE(findings.size() == 4);  // a race on a line that also goes out of bounds is one all the same
    CHECK(findings[3].marks[0].line == 13);
    std::vector<Diagnostic> late{diagnostic("race_global", 12), diagnostic("race_shared", 7),
                                 diagnostic("out_of_bounds", 12)};
    triage(late, {});
    REQUIRE(late.size() == 3);
    CHECK(late[0].code == "out_of_bounds");  // what the race is told to wait for stands before it
    CHECK(late[1].code == "race_global");
    std::vector<Diagnostic> alone{diagnostic("uninitialized", 9, Severity::warning)};
    triage(alone, {});
    CHECK(alone.size() == 1);
    // What another block stores, in no order with the read: in one order of blocks it is not there yet.
    std::vector<Diagnostic> early{diagnostic("race_global", 12), diagnostic("uninitialized", 15, Severity::warning),
                                  diagnostic("uninitialized", 16, Severity::warning)};
    early[0].marks.resize(2);
    early[0].marks[1].line = 15;
    triage(early, {});
    REQUIRE(early.size() == 2);
    CHECK(early[1].marks[0].line == 16);
}

TEST_CASE("a deferred finding comes after its cause and keeps no advice of its own") {
    std::vector<Diagnostic> findings{diagnostic("timeout", 30), diagnostic("uninitialized", 9)};
    findings[0].kind = "too_much_work";
    triage(findings, {});
    REQUIRE(findings.size() == 2);
    CHECK(findings[0].code == "uninitialized");
    CHECK(findings[0].help == "as before");
    CHECK(findings[1].help == "fix the first problem above; this one may go away with it");
    // Advice that is sure of its line stays, for who sees the finding again.
    std::vector<Diagnostic> sure{diagnostic("timeout", 30), diagnostic("uninitialized", 9)};
    sure[0].kind = "too_much_work";
    sure[0].mend_line = 30;
    triage(sure, {});
    CHECK(sure[1].help == "fix the first problem above; if this one stays: as before");
    std::vector<Diagnostic> endless{diagnostic("timeout", 30), diagnostic("uninitialized", 9)};
    endless[0].kind = "endless";
    triage(endless, {});
    CHECK(endless[0].help == "as before");
    CHECK(endless[1].help == "as before");
}

TEST_CASE("what a refused call was to set is not set, and is not told") {
    std::vector<Diagnostic> findings{diagnostic("out_of_bounds", 30), diagnostic("uninitialized", 9)};
    findings[0].kind = "call";
    findings[0].object = findings[1].object = "counts";
    triage(findings, {});
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].code == "out_of_bounds");
    std::vector<Diagnostic> others{diagnostic("out_of_bounds", 30), diagnostic("uninitialized", 9)};
    others[0].kind = "call";
    others[0].object = "counts";
    others[1].object = "in";
    triage(others, {});
    CHECK(others.size() == 2);
}

TEST_CASE("a refused launch explains what the same shape shows, and nothing else") {
    std::vector<Diagnostic> findings{diagnostic("invalid_launch", 30), diagnostic("not_written", 0),
                                     diagnostic("wrong_output", 0)};
    findings[1].shape = "4097";
    findings[2].shape = "17";
    triage(findings, {"4097", "8192"});
    REQUIRE(findings.size() == 3);
    CHECK(findings[1].help == "fix the first problem above; this one may go away with it");
    CHECK(findings[2].help == "as before");
}

TEST_CASE("one missing test is told once, and so is one store that races with several lines") {
    std::vector<Diagnostic> findings{diagnostic("out_of_bounds", 26), diagnostic("out_of_bounds", 27),
                                     diagnostic("out_of_bounds", 40)};
    findings[0].mend_line = findings[1].mend_line = 25;
    triage(findings, {});
    REQUIRE(findings.size() == 2);
    CHECK(findings[0].facts.back() == "the same in line 27");
    std::vector<Diagnostic> races{diagnostic("race_global", 14), diagnostic("race_global", 15)};
    for (Diagnostic& race : races) race.marks.push_back({"", 17, 0, 1, ""});
    triage(races, {});
    CHECK(races.size() == 1);
}

TEST_CASE("an output that nothing sets first is one cause, on the shape with no elements too") {
    std::vector<Diagnostic> findings{diagnostic("not_written", 9), diagnostic("uninitialized", 6)};
    findings[1].kind = "atomic";
    findings[0].object = findings[1].object = "counts";
    triage(findings, {});
    REQUIRE(findings.size() == 2);
    CHECK(findings[0].code == "uninitialized");
    CHECK(findings[1].help != "as before");
}

TEST_CASE("reads of an array that an atomic operation finds unset are one cause") {
    std::vector<Diagnostic> findings{diagnostic("uninitialized", 9), diagnostic("uninitialized", 12)};
    findings[0].kind = "read";
    findings[1].kind = "atomic";
    findings[0].object = findings[1].object = "bins";
    findings[0].title = "read of `bins`";
    triage(findings, {});
    REQUIRE(findings.size() == 2);
    CHECK(findings[0].kind == "atomic");
    CHECK(findings[1].help != "as before");
}
