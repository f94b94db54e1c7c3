#include "compile/nvrtc_log.hpp"

#include "compile/support.hpp"

using namespace warpgrade;
using namespace warpgrade::test;

namespace {
const PathNames names{"work/stage.cu", {"/kit/include", "/cuda/include"}};
}

TEST_CASE("an error has a line, a column and one line of text") {
    const auto messages = parse_nvrtc_log(
        "submission.cu(3): error: identifier \"x\" is undefined\n"
        "      y = x;\n"
        "          ^\n"
        "\n"
        "submission.cu(7): warning #550-D: variable \"z\" was set but never used\n"
        "    int z;\n"
        "        ^\n"
        "\n"
        "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
        "\n"
        "1 error detected in the compilation of \"submission.cu\".\n",
        names);
    REQUIRE(messages.size() == 2);
    CHECK(messages[0].severity == Severity::error);
    CHECK(messages[0].path == "work/stage.cu");
    CHECK(messages[0].line == 3);
    CHECK(messages[0].column == 9);
    CHECK(messages[0].message == "identifier \"x\" is undefined");
    CHECK(messages[1].severity == Severity::warning);
    CHECK(messages[1].line == 7);
    CHECK(messages[1].message == "variable \"z\" was set but never used");
}

TEST_CASE("continuation lines join the message, the excerpt does not") {
    const auto messages = parse_nvrtc_log(
        "submission.cu(2): error: no instance of overloaded function \"f\" matches the argument list\n"
        "            argument types are: (float *)\n"
        "  void g() { f(p); }\n"
        "             ^\n"
        "submission.cu(1): note #3326-D: function \"f(int)\" does not match\n"
        "  void f(int);\n"
        "       ^\n"
        "          detected during:\n"
        "            instantiation of \"void k<T>()\" at line 9 of /kit/include/utility\n"
        "            instantiation of \"void l<T>()\" at line 10\n",
        names);
    REQUIRE(messages.size() == 2);
    CHECK(messages[0].message ==
          "no instance of overloaded function \"f\" matches the argument list; argument types are: (float *)");
    CHECK(messages[0].column == 12);
    CHECK(messages[1].severity == Severity::note);
    CHECK(messages[1].message ==
          "function \"f(int)\" does not match; detected during: instantiation of \"void k<T>()\" at line 9 of utility; "
          "instantiation of \"void l<T>()\" at line 10");
}

TEST_CASE("no path but the submission's and a header's name comes out") {
    const auto messages = parse_nvrtc_log(
        "/etc/passwd(1): error: first\n"
        "/cuda/include/cooperative_groups.h(5): error: second\n"
        "/cuda/include/cooperative_groups.h(6): warning: third\n"
        "grader_appended.cu(2): catastrophic error: fourth\n",
        names);
    REQUIRE(messages.size() == 3);
    CHECK(messages[0].path == "work/stage.cu");
    CHECK(messages[0].line == 0);
    CHECK(messages[1].path == "<cooperative_groups.h>");
    CHECK(messages[1].line == 5);
    CHECK(messages[2].severity == Severity::error);
    CHECK(messages[2].path == appended_path);
    CHECK(messages[2].line == 2);
}

TEST_CASE("what comes from behind the front end is a warning like others") {
    const auto messages = parse_nvrtc_log(
        "warning: submission.cu(7): Warning: Cannot store to pointer that points to constant memory space\n", names);
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].path == "work/stage.cu");
    CHECK(messages[0].line == 7);
    CHECK(messages[0].severity == Severity::warning);
    CHECK(messages[0].message == "Cannot store to pointer that points to constant memory space");
}

TEST_CASE("a header that another header misses is no mistake of the submission's") {
    const auto messages = parse_nvrtc_log(
        "/cuda/include/cuda_fp16.h(142): catastrophic error: cannot open source file \"nv/target\"\n"
        "  #include <nv/target>\n"
        "                      ^\n"
        "\n",
        names);
    CHECK(missing_behind_headers(messages, names.submission) == std::vector<std::string>{"nv/target"});
    const auto own =
        parse_nvrtc_log("submission.cu(1): catastrophic error: cannot open source file \"mine.h\"\n", names);
    CHECK(own.size() == 1);
    CHECK(missing_behind_headers(own, names.submission).empty());
}

TEST_CASE("a log is capped and printable") {
    std::string flood;
    for (int i = 0; i < 500; ++i) flood += "submission.cu(1): error: x\n";
    CHECK(parse_nvrtc_log(flood, names).size() == most_messages);
    const auto longest = parse_nvrtc_log("submission.cu(1): error: " + std::string(50'000, 'x'), names);
    REQUIRE(longest.size() == 1);
    CHECK(longest[0].message.size() <= longest_message + 4);

    CHECK(printable("a\x1b[31mb\x07", 100) == "a?[31mb?");
    CHECK(printable("caf\xc3\xa9 \xe6\x97\xa5", 100) == "caf\xc3\xa9 \xe6\x97\xa5");
    CHECK(printable("caf\xe9", 100) == "caf?");
    CHECK(printable("\xc2\x9b", 100) == "??");       // C1 control: a terminal escape in disguise
    CHECK(printable("\xed\xa0\x80", 100) == "???");  // a surrogate
    CHECK(printable("abcdef", 3) == "abc ...");
}

TEST_CASE("the PTX names the learner's file, headers, and nothing else") {
    const std::string ptx = with_shown_files(
        "\t.file\t1 \"/kit/include/submission.cu\"\n\t.file\t2 \"/kit/include/utility\"\n\t.file\t3 \"/etc/passwd\"\n"
        "\t.file\t4 \"/kit/include/__nv_nvrtc_builtin_header.h\"\n// \"x\"\n.global .b8 a; // .file \"/etc/passwd\"\n",
        names);
    CHECK(ptx ==
          "\t.file\t1 \"work/stage.cu\"\n\t.file\t2 \"<utility>\"\n\t.file\t3 \"<unknown>\"\n"
          "\t.file\t4 \"<__nv_nvrtc_builtin_header.h>\"\n// \"x\"\n.global .b8 a; // .file \"/etc/passwd\"\n");
    CHECK(with_shown_files(".file 1 \"submission.cu\"", {"a\"b\\c\nd.cu", {}}) == ".file 1 \"a\\\"b\\\\c d.cu\"");
    CHECK(with_shown_files("", names).empty());
}

TEST_CASE("what is missed at the end of the file has no line") {
    const auto messages = parse_nvrtc_log(
        "At end of source: error: expected a \"}\"\n"
        "submission.cu(3): note #3196-D: to match this \"{\"\n"
        "  void f() {\n"
        "           ^\n",
        names);
    REQUIRE(messages.size() == 2);
    CHECK(messages[0].severity == Severity::error);
    CHECK(messages[0].message == "expected a \"}\"");
    CHECK(messages[0].line == 0);
    CHECK(messages[1].line == 3);
}
