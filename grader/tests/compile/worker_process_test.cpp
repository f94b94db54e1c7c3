// The worker's limits and its confinement, without the include scanner in front.
#include <chrono>

#include "compile/job.hpp"
#include "compile/support.hpp"

using namespace warpgrade;
using namespace warpgrade::test;

namespace {

double as_fast_as_most() { return 1; }

const std::string bomb =
    "template <int N, int M> struct T { static constexpr long v = T<N - 1, 2 * M>::v + T<N - 1, 2 * M + 1>::v; };\n"
    "template <int M> struct T<0, M> { static constexpr long v = M; };\n"
    "void f(long* p) { p[0] = T<24, 0>::v; }\n";

Diagnostic error_within(const std::string& source, const CompileLimits& limits) {
    const Variable no_cache("WARPGRADE_CACHE", "");
    const auto start = std::chrono::steady_clock::now();
    const auto output = compile_within(request_for(source), limits);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(10));
    REQUIRE_FALSE(output.ok());
    return output.error();
}

CompileJob job_for(const std::string& source) {
    const auto nvrtc = find_nvrtc();
    CompileJob job;
    job.nvrtc_path = nvrtc->path;
    job.source = source;
    job.working_folder = std::string(WARPGRADE_SOURCE_DIR) + "/grader/compile/include";
    job.options = {"-default-device", "-rdc=true"};
    const std::filesystem::path library = std::filesystem::canonical(nvrtc->path);
    job.readable = {library.parent_path(), job.working_folder, "/lib", "/lib64", "/usr/lib", "/usr/lib64"};
    return job;
}

Result<CompileReply> run_in_worker(const CompileJob& job) {
    auto compilation = Compilation::begin(job);
    if (!compilation) return compilation.error();
    return compilation->end();
}

}  // namespace

TEST_CASE("a compilation that multiplies its work is stopped by the clock") {
    if (lacks_nvrtc()) return;
    CompileLimits limits;
    limits.wall_seconds = 1;
    const Diagnostic error = error_within(bomb, limits);
    CHECK(error.blame == Blame::host);
    CHECK(error.code == "machine_too_busy");
    CHECK(error.title == "it was not compiled within 1 s: this machine is too busy");
}

TEST_CASE("and by the processor time it uses") {
    if (lacks_nvrtc()) return;
    CompileLimits limits;
    limits.cpu_seconds = 1;
    const Diagnostic error = error_within(bomb, limits);
    CHECK(error.blame == Blame::learner);
    CHECK(error.code == "compile_timeout");
}

TEST_CASE("what a limit ended has used up what later compilations may take") {
    if (lacks_nvrtc()) return;
    const auto run = run_confined(
        []() -> wire::Fields {
            wire::Fields titles;
            for (int i = 0; i < 2; ++i) {
                const auto result = compile(request_for(bomb));
                titles.push_back(result ? "compiled" : result.error().title);
            }
            return titles;
        },
        compile_services(200, 2, as_fast_as_most));
    REQUIRE(run);
    REQUIRE(run->end == ConfinedRun::End::done);
    CHECK(run->reply == wire::Fields{"compilation took longer than 2 s of processor time",
                                     "compilation took longer than 1 s of processor time"});
}

TEST_CASE("on a machine that is slow a text may take as much longer to compile") {
    if (lacks_nvrtc()) return;
    const auto run = run_confined(
        []() -> wire::Fields {
            const auto result = compile(request_for(bomb));
            return {result ? "compiled" : result.error().title};
        },
        compile_services(200, 1, [] { return 1.6; }));
    REQUIRE(run);
    REQUIRE(run->end == ConfinedRun::End::done);
    CHECK(run->reply == wire::Fields{"compilation took longer than 2 s of processor time"});
}

TEST_CASE("a compilation that eats memory is stopped") {
    if (lacks_nvrtc()) return;
#ifdef __SANITIZE_ADDRESS__
    WARN("skipped: the address space is not limited under AddressSanitizer");
    return;
#endif
    CompileLimits limits;
    limits.memory_bytes = 300ull << 20;
    const Diagnostic array =
        error_within("__device__ int a[1 << 28] = {1};\n__global__ void k(int* p) { *p = a[3]; }\n", limits);
    CHECK(array.blame == Blame::learner);
    CHECK((array.code == "compile_memory" || array.code == "compiler_crashed"));
    CHECK(mentions(array.facts[0] + array.title, "300 MiB"));
    const Diagnostic macros = error_within(
        "#define A(x) x x x x x x x x x x\n#define B(x) A(A(A(x)))\n#define C(x) B(B(x))\nvoid f(int* p) { C(p[0]++;) "
        "}\n",
        limits);
    CHECK(macros.blame == Blame::learner);
    CHECK(macros.code == "compile_memory");
    CHECK(mentions(macros.title, "300 MiB"));
}

TEST_CASE("a program too large to be one is refused") {
    if (lacks_nvrtc()) return;
    CompileLimits limits;
    limits.ptx_bytes = 10'000;
    const Diagnostic error = error_within(
        "#define A(x) x x x x x x x x x x\n__global__ void k(volatile int* p) { A(A(A(*p = 1;))) }\n", limits);
    CHECK(error.blame == Blame::learner);
    CHECK(error.code == "compile_output");
}

TEST_CASE("the worker reads no file outside the folders it was given") {
    if (lacks_nvrtc()) return;
    const TemporaryFolder folder;
    const std::string secret = folder.write("secret.h", "int very_secret_declaration = oops;\n");
    CompileJob job = job_for("int x;\n");
    job.options.push_back("-include=" + secret);  // where no scanner sees it
    const auto refused = run_in_worker(job);
    if (!refused) FAIL(refused.error().title << refused.error().facts[0]);
    if (!mentions(refused->walls, "landlock")) {
        WARN("skipped: no Landlock here, walls: " << refused->walls);
        return;
    }
    CHECK(refused->status == CompileStatus::rejected);
    CHECK_FALSE(mentions(refused->log, "very_secret_declaration"));

    // The same with the folder allowed: the test above fails if the worker could not read at all.
    job.readable.push_back(folder.path());
    CHECK(mentions(run_in_worker(job)->log, "very_secret_declaration"));
}

TEST_CASE("the worker itself refuses what the scanner refuses, in what is appended as well") {
    if (lacks_nvrtc()) return;
    for (const char* line : {"#include \"/etc/passwd\"\n", "\xef\xbb\xbf#include \"/etc/passwd\"\n", "#line 7\n"}) {
        CompileJob job = job_for(line);
        const auto refused = run_in_worker(job);
        REQUIRE(refused);
        CHECK(refused->status == CompileStatus::refused);
        REQUIRE(refused->refusals.size() == 1);
        CHECK(refused->refusals[0].line == 1);
        job.source = "int x;\n";
        job.appended = std::string("int y;\n") + (line[0] == '#' ? line : line + 3);
        CHECK(run_in_worker(job)->status == CompileStatus::refused);
    }
}

TEST_CASE("a confined process compiles through its parent, and only as the parent chooses") {
    if (lacks_nvrtc()) return;
    const auto run = run_confined(
        [&]() -> wire::Fields {
            CompileRequest request = request_for("__global__ void k(int* p) { *p = VALUE; }\n");
            request.definitions = {"VALUE=7"};
            const auto good = compile(request);
            const auto bad = compile(request_for("int broken(;\n"));
            const auto refused = compile(request_for("#include \"/etc/passwd\"\n"));
            request.definitions = {"VALUE=7 -I/etc"};
            const auto strange = compile(request);
            return {!good      ? good.error().title
                    : good->ok ? good->ptx
                               : good->messages.at(0).message,
                    bad && !bad->ok ? bad->messages.at(0).path : "",
                    refused && !refused->ok ? refused->messages.at(0).message : "", strange ? "" : strange.error().code,
                    find_nvrtc() ? "found" : "hidden"};
        },
        compile_services());
    REQUIRE(run);
    INFO(run->what);
    REQUIRE(run->end == ConfinedRun::End::done);
    INFO(run->reply.at(0));
    CHECK(mentions(run->reply.at(0), ".visible .entry"));
    CHECK(run->reply.at(1) == "stage.cu");
    CHECK(mentions(run->reply.at(2), "cannot include files by path"));
    CHECK(run->reply.at(3) == "compile_order");
}

TEST_CASE("what a confined process will ask for soon is compiled beside other work", "[eighth_7]") {
    if (lacks_nvrtc()) return;
    const Variable no_cache("WARPGRADE_CACHE", "");
    const auto compile_later = [](const CompileRequest& begun, const CompileRequest& asked, const char* worker) {
        Services services = compile_services(200, 4.5, as_fast_as_most);
        const Service compile_now = services.at(compile_service_name);
        // Whoever starts a worker from now on gets this one.
        services[compile_service_name] = [compile_now, worker](const wire::Fields& request) {
            const Variable other("WARPGRADE_WORKER", worker);
            return compile_now(request);
        };
        return run_confined(
            [&]() -> wire::Fields {
                compile_ahead(begun);
                const auto output = compile(asked);
                return {output ? output->ok ? output->ptx : output->messages.at(0).message : output.error().title};
            },
            services);
    };
    CompileRequest one = request_for("__global__ void k(int* p) { *p = 7; }\n"), other = one;
    other.is_optimised = false;
    const auto same = compile_later(one, one, "/nowhere"), another = compile_later(other, one, "/nowhere");
    REQUIRE(same);
    CHECK(mentions(same->reply.at(0), ".visible .entry"));
    REQUIRE(another);
    CHECK_FALSE(mentions(another->reply.at(0), ".visible .entry"));

    const auto endless = compile_later(request_for(bomb), request_for(bomb), std::getenv("WARPGRADE_WORKER"));
    REQUIRE(endless);
    CHECK(endless->reply.at(0) == "compilation took longer than 2 s of processor time");  // 2 s ahead
}

TEST_CASE("a confined process reads what was read ahead, and nothing else") {
    const TemporaryFolder folder;
    const std::string known = folder.write("known.cu", "int x;\n"), secret = folder.write("secret.cu", "int y;\n");
    REQUIRE(read_ahead(known));
    CHECK_FALSE(read_ahead((folder.path() / "missing.cu").string()));
    folder.write("known.cu", "changed since\n");
    const auto run = run_confined([&]() -> wire::Fields {
        const auto first = read_submission(known), second = read_submission(secret);
        return {first ? *first : "", second ? *second : second.error().code,
                text_read_ahead(known) ? *text_read_ahead(known) : ""};
    });
    REQUIRE(run);
    CHECK(run->reply == wire::Fields{"int x;\n", "unreadable", "int x;\n"});
    CHECK(*read_submission(known) == "changed since\n");
}

TEST_CASE("a job with an option NVRTC does not know is the kit's fault") {
    if (lacks_nvrtc()) return;
    CompileJob job = job_for("int x;");
    job.options.push_back("--no-such-option");
    const auto result = run_in_worker(job);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().blame == Blame::kit);
    CHECK(mentions(result.error().facts[0], "no-such-option"));
}
