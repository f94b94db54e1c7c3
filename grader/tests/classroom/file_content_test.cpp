#include "classroom/file_content.hpp"

#include "support/catch.hpp"

using namespace warpgrade::classroom;
using namespace std::string_view_literals;

TEST_CASE("what is no program's text is called what it is") {
    for (const auto& [bytes, says] :
         {std::pair{"{\\rtf1 x"sv, "it is a rich text document, not plain text"},
          {"%PDF-1.4"sv, "it is a PDF"},
          {""sv, "it is empty"},
          {"\xef\xbb\xbf \r\n"sv, "it is empty"},
          {"\n <!DOCTYPE HTML><html>"sv, "it is a web page"},
          {"int a;\0"sv, "it is no text"},
          {"<?xml version='1.0'?>"sv, "it is an XML document"},
          {"<title>a</title>\n__global__ void f() {}"sv, "it is a document with tags"},
          {"{\"cells\": [], \"nbformat\": 4}"sv, "it is JSON, as notebooks are kept"},
          {"diff --git a/x.cu b/x.cu"sv, "it is a patch, not the file"},
          {"--- a/x.cu\n+++ b/x.cu"sv, "it is a patch, not the file"},
          {"```cuda\n__global__"sv, "it is Markdown with a program in it"},
          {"MIME-Version: 1.0\n"sv, "it is a mail or a saved page"},
          {"1. The tile is padded."sv, "it does not begin as a program does"},
          {"<<<<<<< HEAD\nint a;"sv, "it does not begin as a program does"},
          {"I could not finish this one, sorry."sv, "it is words, and no program"},
          {"version https://git-lfs.github.com/spec/v1"sv, "it is a pointer of Git LFS, not the file"}})
        CHECK(why_no_program(bytes) == says);
    for (const auto& bytes : {"// a\n"sv, "\xff\xfe/\0/\0"sv, "/* a */ int x"sv, "#include <a>"sv, "void f();"sv,
                              "[[nodiscard]] int f();"sv, "caf\xe9"sv})
        CHECK(why_no_program(bytes).empty());
}

TEST_CASE("an archive is known by its first bytes") {
    CHECK(archive_suffix_of("PK\x03\x04..."sv) == ".zip");
    CHECK(archive_suffix_of("Rar!\x1a\x07\x01"sv) == ".rar");
    CHECK(archive_suffix_of("\xfd"
                            "7zXZ\0"sv) == ".xz");
    CHECK(archive_suffix_of("PK"sv).empty());
}

TEST_CASE("a report is about the work, and a document without such a name may be it") {
    for (const char* name : {"report.pdf", "Lab-Report_2.pdf", "README.docx", "hw3/answers1.pdf"})
        CHECK(is_about_work(name));
    for (const char* name : {"hw3.pdf", "reporter.pdf", "padding.docx"}) CHECK(!is_about_work(name));
    CHECK(is_document_name("hw3.PDF"));
    CHECK(!is_document_name("hw3.png"));
}
