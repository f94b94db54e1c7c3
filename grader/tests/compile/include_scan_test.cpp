#include "compile/include_scan.hpp"

#include "compile/support.hpp"

using namespace warpgrade;
using namespace warpgrade::test;

namespace {

HeaderFolders folders() { return {std::string(WARPGRADE_SOURCE_DIR) + "/grader/compile/include", ""}; }

// "line: message" of each error.
std::vector<CompilerMessage> errors_of(const std::string& source) {
    return scan_includes(source, "s.cu", folders()).errors;
}
bool is_refused_at(const std::string& source, int line) {
    const auto errors = errors_of(source);
    return errors.size() == 1 && errors[0].line == line && errors[0].path == "s.cu" &&
           errors[0].severity == Severity::error;
}

}  // namespace

TEST_CASE("the shipped headers may be included in every ordinary spelling") {
    CHECK(errors_of("#include <cuda_runtime.h>\n# include \"cstdio\" // x\n  #  include /* y */ <cstddef>\n").empty());
    CHECK(errors_of("#if __has_include(<cstdio>)\n#endif\n#ifdef __has_include\n#endif\n"
                    "#if defined(__has_include) && 1\n#endif\n")
              .empty());
    CHECK(errors_of("// #include \"/etc/passwd\"\n/*\n#include </etc/passwd>\n*/\n").empty());
    CHECK(errors_of("const char* s = \"#include </etc/passwd>\";\n").empty());
}

TEST_CASE("a path is refused however it is written") {
    for (const char* directive : {"#include \"/etc/passwd\"",
                                  "#include </etc/passwd>",
                                  "#include \"../x.h\"",
                                  "#include <cuda/../../x>",
                                  "#include <./x>",
                                  "#include <a//b>",
                                  "%:include \"/etc/passwd\"",
                                  "?"
                                  "?=include \"/etc/passwd\"",
                                  "#inc\\\nlude \"/etc/passwd\"",
                                  "#inc\\  \nlude \"/etc/passwd\"",
                                  "#inc?"
                                  "?/\nlude \"/etc/passwd\"",
                                  "#include /* x */ \"/etc/passwd\"",
                                  "/* x */ #include \"/etc/passwd\"",
                                  "#include \\\n\"/etc/passwd\"",
                                  "#\tinclude\v</etc/passwd>",
                                  "\f#include </etc/passwd>",
                                  "#include <~/x>",
                                  "#include \"\"",
                                  "#include <>",
                                  "#include \"x\\y\"",
                                  "#include <x y>",
                                  "#include </etc/passwd",
                                  "#include \"/etc/passwd",
                                  "#include"}) {
        INFO(directive);
        CHECK(is_refused_at("\n" + std::string(directive) + "\n", 2));
        CHECK(is_refused_at("#if 0\n" + std::string(directive) + "\n#endif\n", 2));
    }
}

TEST_CASE("what hides a directive from one reading does not hide it from all") {
    // A raw string that only some compilers see in skipped text.
    CHECK(is_refused_at("#if 0\nR\"(\n#endif\n#include \"/etc/passwd\"\n//)\"\n", 4));
    CHECK(is_refused_at("// comment \\ \n#include \"/etc/passwd\"\n", 2));
    CHECK(is_refused_at("#include <cstdio/*x>\n#include \"/etc/passwd\"\n", 2) == false);  // both lines are refused
    CHECK(errors_of("#include <cstdio/*x>\n#include \"/etc/passwd\"\n").size() == 2);
    CHECK(is_refused_at("int x = 1'0/*'*/;\n#include \"/etc/passwd\"\n", 2));
    CHECK(is_refused_at("const char* s = \"\r/*\";\n#include \"/etc/passwd\"\n", 2));
    CHECK(is_refused_at("int x;\r#include \"/etc/passwd\"\r", 1));
}

TEST_CASE("macro-built includes and the other ways in are refused") {
    CHECK(is_refused_at("#define H \"/etc/passwd\"\n#include H\n", 2));
    CHECK(is_refused_at("#include_next <cstdio>\n", 1));
    CHECK(is_refused_at("#import <cstdio>\n", 1));
    CHECK(is_refused_at("#embed \"/etc/passwd\"\n", 1));
    CHECK(is_refused_at("#line 1 \"/etc/passwd\"\n", 1));
    CHECK(is_refused_at("# 1 \"/etc/passwd\"\n", 1));
    CHECK(is_refused_at("#if __has_include(\"/etc/passwd\")\n#endif\n", 1));
    CHECK(is_refused_at("#if __has_include(H)\n#endif\n", 1));
    CHECK(is_refused_at("#define HAS __has_include\n", 1));
    CHECK(is_refused_at("int x = __has_include(<cstdio>);\n", 1));
    CHECK(is_refused_at("#if __has_embed(\"/etc/passwd\")\n#endif\n", 1));
}

TEST_CASE("a name that is pasted together asks for no file") {
    const std::string cat = "#define CAT(a, b) a##b\n";
    CHECK(is_refused_at(cat + "#if CAT(__has_, include)(\"/etc/passwd\")\n#endif\n", 2));
    CHECK(is_refused_at(cat + "#if 0\n#elif CAT(__has_, include)(\"/etc/passwd\")\n#endif\n", 3));
    CHECK(is_refused_at("#define CAT(a, b) a%:%:b\n#if CAT(__has_, include)(</etc/passwd>)\n#endif\n", 2));
    CHECK(is_refused_at("#define CAT(a, b) a?\?=?\?=b\n#if CAT(__has_, include)(</etc/passwd>)\n#endif\n", 2));
    CHECK(is_refused_at(cat + "#define P CAT(__has_, include)(\"/etc/passwd\")\n#define Q P\n#if 1 && Q\n#endif\n", 4));
    CHECK(is_refused_at(cat + "#define CALL(f, x) f(__has_, include)(x)\n#if CALL(CAT, \"/etc/passwd\")\n#endif\n", 3));
    CHECK(is_refused_at(cat + "#if 1'0 || L'\"' || CAT(__has_, include)(\"/etc/passwd\")\n#endif\n", 2));
    CHECK(is_refused_at("#define $(a, b) a##b\n#if $(__has_, include)(\"/etc/passwd\")\n#endif\n", 2));
    CHECK(is_refused_at("#define \xc3\xa9(a, b) a##b\n#if \xc3\xa9(__has_, include)(\"/etc/passwd\")\n#endif\n", 2));
    CHECK(is_refused_at("#define \\u00e9(a, b) a##b\n#if \\u00e9(__has_, include)(\"/etc/passwd\")\n#endif\n", 2));
    CHECK(is_refused_at("#define A(x) x\n#undef A\n#define A(a, b) a##b\n#if A(__has_, include)(\"/x\")\n#endif\n", 4));
    CHECK(is_refused_at("#if _CCCL_PP_CAT(__has_, include)(\"/etc/passwd\")\n#endif\n", 1));
    CHECK(is_refused_at("#define X _CCCL_PP_CAT(__has_, include)(\"/etc/passwd\")\n#if X\n#endif\n", 2));
}

TEST_CASE("conditions that everybody writes stay") {
    for (const char* text :
         {"#define TILE 32\n#define PAD(n) ((n) + 1)\n#if TILE == 32 && PAD(TILE) > 1'0\n#endif\n",
          "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800\n#endif\n",
          "#if !defined THREADS || (THREADS & 31)\n#endif\n", "#if __CUDA_ARCH_HAS_FEATURE__(SM90_ALL)\n#endif\n",
          "#define CAT(a, b) a##b\n#if __cplusplus >= 201703L\nint CAT(x, 1);\n#endif\n",
          "#define A B\n#define B A\n#if A\n#endif\n", "#if 0 // f(x) ##\n#endif\n"}) {
        INFO(text);
        CHECK(errors_of(text).empty());
    }
}

TEST_CASE("of very many refused lines the first are told") {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += "#line 1\n";
    const auto errors = errors_of(text);
    REQUIRE(errors.size() == 100);
    CHECK(errors.front().line == 1);
    CHECK(errors.back().line == 100);
}

TEST_CASE("what ends the text for the compiler is refused, whoever sends it") {
    CHECK(is_refused_at("int x;\n// \xff\n#include \"/etc/passwd\"\n", 2));
    CHECK(is_refused_at(std::string("int x;\n\n\0#include", 17), 3));
    CHECK(is_refused_at("// caf\xe9\n", 1));
}

TEST_CASE("an unknown header is explained, unless the text may be skipped") {
    const auto errors = errors_of("#include <iostream>\n#include \"thrust/sort.h\"\n#include \"helper.h\"\n");
    REQUIRE(errors.size() == 3);
    for (std::size_t i : {0u, 1u}) CHECK(mentions(errors[i].message, "a submission holds kernels and the launcher"));
    CHECK(mentions(errors[2].message, "a submission is one file"));
    CHECK(mentions(errors_of("#include <cuda_runtim.h>\n")[0].message, "is it <cuda_runtime.h>?"));
    CHECK(mentions(errors_of("#include <cuda_runtime.h\n")[0].message, "a > is missing"));
    CHECK(mentions(errors[0].message, "<iostream>"));
    CHECK(mentions(errors[1].message, "the exercise should be done without a library"));
    CHECK(errors_of("#ifdef HOST\n#include <iostream>\n#endif\n").empty());
    CHECK(is_refused_at("#ifdef HOST\n#endif\n#include <iostream>\n", 3));
}

TEST_CASE("CUDA's device headers need the toolkit, its host libraries are refused even in skipped text") {
    const IncludeScan without = scan_includes("#include <cooperative_groups.h>\n", "s.cu", folders());
    CHECK(without.errors.empty());
    CHECK(without.missing_cuda_headers == std::set<std::string>{"cooperative_groups.h"});

    const TemporaryFolder toolkit;
    std::filesystem::create_directories(toolkit.path() / "cccl" / "thrust");
    std::filesystem::create_directories(toolkit.path() / "cccl" / "cuda");
    toolkit.write("cooperative_groups.h", "");
    toolkit.write("cccl/thrust/sort.h", "");
    const HeaderFolders with{folders().shipped, toolkit.path().string()};
    const IncludeScan good = scan_includes("#include <cooperative_groups.h>\n", "s.cu", with);
    CHECK(good.errors.empty());
    CHECK(good.missing_cuda_headers.empty());
    CHECK(good.uses_cuda_headers);
    CHECK_FALSE(scan_includes("#include <cstdio>\n", "s.cu", with).uses_cuda_headers);
    CHECK(scan_includes("#if 1\n#include <thrust/sort.h>\n#endif\n", "s.cu", with).errors.size() == 1);
    CHECK(scan_includes("#include <cuda/nothing>\n", "s.cu", with).errors.size() == 1);

    // Of CUB, what a kernel uses, where the stage allows it.
    const HeaderFolders no_cub{folders().shipped, toolkit.path().string(), "", true};
    CHECK(scan_includes("#include <cub/cub.cuh>\n", "s.cu", no_cub).missing_cuda_headers.contains("cub/cub.cuh"));
    std::filesystem::create_directories(toolkit.path() / "cccl" / "cub" / "block");
    toolkit.write("cccl/cub/block/block_scan.cuh", "");
    const auto errors_of_cub = [&](const std::string& header, bool is_allowed) {
        const HeaderFolders some{folders().shipped, toolkit.path().string(), "", is_allowed};
        return scan_includes("#if 1\n#include <cub/" + header + ">\n#endif\n", "s.cu", some).errors.size();
    };
    for (const char* header : {"cub.cuh", "block/block_scan.cuh"}) {
        CHECK(errors_of_cub(header, true) == 0);
        CHECK(errors_of_cub(header, false) == 1);
    }
    CHECK(errors_of_cub("device/device_reduce.cuh", true) == 1);
    CHECK(errors_of_cub("device/device_reduce.cuh", false) == 1);

    // Of a package that was not installed: the machine's, too.
    const IncludeScan part = scan_includes("#include <nv/target>\n#include <mma.h>\n", "s.cu", with);
    CHECK(part.errors.empty());
    CHECK(part.missing_cuda_headers == std::set<std::string>{"mma.h", "nv/target"});
    CHECK(missing_usual_headers(with.cuda_include) ==
          std::vector<std::string>{"cuda_fp16.h", "nv/target", "cuda/std/type_traits"});
}
