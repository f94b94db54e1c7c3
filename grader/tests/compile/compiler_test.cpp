#include "compile/compiler.hpp"

#include <thread>

#include "compile/job.hpp"
#include "compile/support.hpp"

using namespace warpgrade;
using namespace warpgrade::test;

namespace {

const std::string stage = R"(#include <cuda_runtime.h>
#include <cstddef>
__global__ void sum(const float* in, float* out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    out[t] = s[t];
}
void launch(const float* in, float* out) { sum<<<1, 32>>>(in, out); }
)";

// Is there an instruction of this line, column 5?
bool has_line(const std::string& ptx, int line) {
    for (const char* file : {"1", "2", "3"})
        if (mentions(ptx, std::string(".loc\t") + file + " " + std::to_string(line) + " 5")) return true;
    return false;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
    return found;
}

}  // namespace

TEST_CASE("a stage becomes PTX: the kernel, the launcher, the launch, the learner's path and lines") {
    if (lacks_nvrtc()) return;
    const CompileOutput output = compiled(request_for(stage, "my stages/sum \"x\".cu"));
    REQUIRE(output.ok);
    CHECK(output.messages.empty());
    CHECK(output.seconds > 0);
    CHECK_FALSE(output.is_cached);
    CHECK(output.nvrtc_version == find_nvrtc()->version);
    CHECK(mentions(output.ptx, ".visible .entry _Z3sumPKfPf("));
    CHECK(mentions(output.ptx, ".visible .func _Z6launchPKfPf("));
    CHECK(mentions(output.ptx, "__cudaCDP2LaunchDeviceV2"));
    CHECK(mentions(output.ptx, "\"my stages/sum \\\"x\\\".cu\""));
    CHECK(mentions(output.ptx, ".target sm_80"));
    CHECK(has_line(output.ptx, 9));
    CHECK(has_line(output.ptx, 6));
    CHECK_FALSE(mentions(output.ptx, WARPGRADE_SOURCE_DIR));
}

TEST_CASE("a kit behind a link has the learner's path and lines all the same") {
    if (test::lacks_nvrtc()) return;
    const test::TemporaryFolder folder;
    std::filesystem::create_directory_symlink(std::string(WARPGRADE_SOURCE_DIR) + "/grader", folder.path() / "grader");
    const test::Variable root("WARPGRADE_ROOT", folder.path().c_str());
    const auto output = compile(test::request_for("__global__ void k(float* a) { *a = 1; }\n", "mine/stage.cu"));
    REQUIRE(output);
    REQUIRE(output->ok);
    CHECK(output->ptx.find("\"mine/stage.cu\"") != std::string::npos);
    const auto broken = compile(test::request_for("\nvoid f() { g(); }\n", "mine/stage.cu"));
    REQUIRE(broken);
    REQUIRE(!broken->messages.empty());
    CHECK(broken->messages[0].path == "mine/stage.cu");
    CHECK(broken->messages[0].line == 2);
}

TEST_CASE("without optimisation every access of the source stays, and so do the lines") {
    if (lacks_nvrtc()) return;
    CompileRequest request = request_for(stage);
    const CompileOutput optimised = compiled(request);
    request.is_optimised = false;
    const CompileOutput plain = compiled(request);
    REQUIRE(plain.ok);
    // The source reads in[t], then s five times and writes it three times; out[t] once.
    CHECK(count(plain.ptx, "ld.f32") + count(plain.ptx, "ld.shared.f32") + count(plain.ptx, "ld.global.f32") == 6);
    CHECK(count(plain.ptx, "st.f32") + count(plain.ptx, "st.shared.f32") + count(plain.ptx, "st.global.f32") == 4);
    CHECK(count(optimised.ptx, "ld.shared.f32") < 5);
    for (int line : {5, 6, 7, 8, 9}) CHECK(has_line(plain.ptx, line));
    CHECK_FALSE(mentions(plain.ptx, ".section"));  // no debug sections
}

TEST_CASE("architecture, definitions and appended text reach NVRTC") {
    if (lacks_nvrtc()) return;
    CompileRequest request = request_for(
        "#ifndef BLOCK\n#define BLOCK 1\n#endif\n"
        "template <class T> __global__ void fill(T* p) { p[threadIdx.x] = BLOCK; }\n"
        "template <class T> void launch(T* p) { fill<<<1, BLOCK>>>(p); }\n#ifdef __WARPGRADE__\nint "
        "is_graded;\n#endif");
    request.arch = "compute_90";
    request.definitions = {"BLOCK=77"};
    request.appended = "template void launch<double>(double*);";
    const CompileOutput output = compiled(request);
    REQUIRE(output.ok);
    CHECK(mentions(output.ptx, ".target sm_90"));
    CHECK(mentions(output.ptx, "_Z6launchIdEvPT_"));
    CHECK(mentions(output.ptx, "is_graded"));
    CHECK(mentions(output.ptx, "77"));
    CHECK_FALSE(mentions(output.ptx, "grader_appended"));

    request.appended = "template void launch<double>(double*, int);";
    const CompileOutput broken = compiled(request);
    REQUIRE_FALSE(broken.ok);
    CHECK(broken.messages[0].path == appended_path);
    CHECK(broken.messages[0].line == 1);
}

TEST_CASE("a submission cannot swallow what the grader appends") {
    if (lacks_nvrtc()) return;
    for (const char* end : {"// comment \\", "}\\", "/* open", "#if 0", "#define X \\", "R\"(", "{"}) {
        INFO(end);
        CompileRequest request = request_for(std::string("template <class T> void f(T) {}\n") + end);
        request.appended = "template void f<int>(int);";
        const CompileOutput output = compiled(request);
        CHECK((!output.ok || mentions(output.ptx, "_Z1fIiEvT_")));
    }
}

TEST_CASE("a last line that ends in a backslash ends all the same") {
    if (lacks_nvrtc()) return;
    const CompileOutput output = compiled(request_for("__global__ void f() {}\\"));
    CHECK(output.ok);
    CHECK(output.messages.empty());
}

TEST_CASE("a second compilation comes from the cache, whatever the file is called") {
    if (lacks_nvrtc()) return;
    const TemporaryFolder folder;
    const Variable cache("WARPGRADE_CACHE", folder.path().c_str());
    const std::string warns = stage + "void g() { int unused; unused = 3; }\n";
    const auto first = compile(request_for(warns));
    REQUIRE(first);
    CHECK_FALSE(first->is_cached);
    const auto second = compile(request_for(warns, "other.cu"));
    REQUIRE(second);
    CHECK(second->is_cached);
    CHECK(second->seconds == 0);
    CHECK(mentions(second->ptx, "\"other.cu\""));
    REQUIRE(second->messages.size() == first->messages.size());
    REQUIRE(second->messages.size() == 1);
    CHECK(second->messages[0].path == "other.cu");

    CompileRequest different = request_for(warns);
    different.is_optimised = false;
    CHECK_FALSE(compile(different)->is_cached);
    different = request_for(warns);
    different.definitions = {"X=1"};
    CHECK_FALSE(compile(different)->is_cached);
    different = request_for(warns + "\n");
    CHECK_FALSE(compile(different)->is_cached);
    different = request_for(warns);
    different.appended = "int appended;";
    CHECK_FALSE(compile(different)->is_cached);

    for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "ptx"))
        std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) / 2);
    const auto after_damage = compile(request_for(warns));
    REQUIRE(after_damage);
    CHECK_FALSE(after_damage->is_cached);
    CHECK(after_damage->ptx == first->ptx);
}

TEST_CASE("what does not compile is not cached") {
    if (lacks_nvrtc()) return;
    const TemporaryFolder folder;
    const Variable cache("WARPGRADE_CACHE", folder.path().c_str());
    CHECK_FALSE(compile(request_for("int x = y;"))->ok);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "ptx"));
}

TEST_CASE("several threads may compile at once") {
    if (lacks_nvrtc()) return;
    const Variable no_cache("WARPGRADE_CACHE", "");
    std::vector<std::string> ptx(4);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([&ptx, i] {
            const auto output = compile(request_for("__global__ void k" + std::to_string(i) + "(int* p) { *p = 1; }"));
            if (output) ptx[i] = output->ptx;
        });
    for (std::thread& thread : threads) thread.join();
    for (int i = 0; i < 4; ++i) CHECK(mentions(ptx[i], "_Z2k" + std::to_string(i) + "Pi"));
}

TEST_CASE("odd bytes, line ends and a byte order mark do not stop a compilation") {
    if (lacks_nvrtc()) return;
    CHECK(compiled("// caf\xc3\xa9 \xf0\x9f\x98\x80\r\n__global__ void k(int* p) { *p = 1; }\r\n").ok);
    CHECK(compiled("\xef\xbb\xbf__global__ void k(int* p) { *p = 1; }\n").ok);
}

TEST_CASE("no NVRTC, or one that is none, is the host's fault and says what to install") {
    const TemporaryFolder folder;
    {
        const Variable named("WARPGRADE_NVRTC", (folder.path() / "none").c_str());
        const auto missing = compile(request_for("int x;"));
        REQUIRE_FALSE(missing.ok());
        CHECK(missing.error().blame == Blame::host);
        CHECK(missing.error().code == "no_nvrtc");
        CHECK(mentions(missing.error().help, "unset WARPGRADE_NVRTC"));
    }
    const std::string fake = folder.write("libnvrtc.so.13", "not a library");
    folder.write("libnvrtc-builtins.so.13.0", "");
    const Variable named("WARPGRADE_NVRTC", fake.c_str());
    const Variable no_cache("WARPGRADE_CACHE", "");
    const auto broken = compile(request_for("int x;"));
    REQUIRE_FALSE(broken.ok());
    CHECK(broken.error().blame == Blame::host);
    CHECK(broken.error().code == "no_nvrtc");
}

TEST_CASE("a worker that is none is the kit's fault") {
    if (lacks_nvrtc()) return;
    const Variable no_cache("WARPGRADE_CACHE", "");
    for (const char* worker : {"/bin/true", "/bin/false", "/nonexistent"}) {
        const Variable named("WARPGRADE_WORKER", worker);
        const auto output = compile(request_for("int x;"));
        REQUIRE_FALSE(output.ok());
        CHECK(output.error().blame == Blame::kit);
    }
}
