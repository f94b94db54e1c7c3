// One compilation as the worker sees it, and what came of it. Internal to compile/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/wire.hpp"
#include "base/worker.hpp"
#include "compile/compilation.hpp"

namespace warpgrade {

struct CompileLimits {
    double wall_seconds = 60;                 // over: the machine is too busy
    std::uint64_t cpu_seconds = 6;            // over: the text asks for too much
    std::uint64_t memory_bytes = 2ull << 30;  // address space of the worker, NVRTC's 100 MB library included
    std::uint64_t ptx_bytes = 64ull << 20;
    bool gives_way = false;  // it is begun ahead: whoever has something to do on this machine goes first
};

struct CompileJob {
    std::string nvrtc_path;
    std::string source;                 // of the submission
    std::string appended;               // CompileRequest::appended
    std::vector<std::string> options;   // for nvrtcCompileProgram
    std::string working_folder;         // the shipped headers; NVRTC looks for "header.h" there first
    std::string more_headers;           // shipped ones besides, or empty
    std::string cuda_include;           // CUDA's own, or empty
    bool allows_cub = false;            // CompileRequest::allows_cub
    std::vector<std::string> readable;  // the folders the worker may read from then on
    CompileLimits limits;
};

enum class CompileStatus {
    compiled,
    rejected,       // by NVRTC
    refused,        // by the include scanner: NVRTC never saw it
    needs_headers,  // of CUDA's that this machine has not
    out_of_memory,
    too_large,
    failed
};

struct CompileReply {
    CompileStatus status = CompileStatus::failed;
    std::string ptx;
    std::string log;        // NVRTC's, raw; for `failed` the reason
    std::string sides_log;  // of a program with marked sides (compile/sides.hpp)
    double seconds = 0;
    double cpu_seconds = 0;  // of the worker; 0: there was none
    std::string walls;       // around the worker: WallSet::names()
    struct Refusal {
        int line = 0;
        std::string message;
    };
    std::vector<Refusal> refusals;             // where refused
    std::vector<std::string> missing_headers;  // where needs_headers
};

// The name NVRTC is given for the submission; the learner's own name never reaches it, so cached PTX serves any path.
inline constexpr const char* submission_name = "submission.cu";
inline constexpr const char* appended_name = "grader_appended.cu";

wire::Fields to_fields(const CompileJob& job);
std::optional<CompileJob> job_from(const wire::Fields& fields);
wire::Fields to_fields(const CompileReply& reply);
std::optional<CompileReply> reply_from(const wire::Fields& fields);

// What is asked for, by whoever it may be: a process that a submission has taken over asks for it as well.
struct CompileOrder {
    std::string source, appended;
    std::string arch;
    bool is_optimised = true, reports_registers = false;
    std::vector<std::string> definitions;
    bool is_program = false, allows_cub = false;
};
CompileOrder order_of(const CompileRequest& request);
wire::Fields to_fields(const CompileOrder& order);
// nullopt: no order, or one that compile() never gives (an architecture or a definition that is none, too long a text).
std::optional<CompileOrder> order_from(const wire::Fields& fields);

// What came of it, not yet read by anybody.
struct RawCompilation {
    CompileReply reply;
    std::string nvrtc_version;
    std::vector<std::string> header_folders;  // in the order that names in the log are looked up
    bool is_cached = false;
};
wire::Fields to_fields(const RawCompilation& raw);
std::optional<RawCompilation> raw_from(const wire::Fields& fields);

// Finds NVRTC and the headers, looks into the cache, and else runs the order in a worker process. Errors as compile().
Result<RawCompilation> carry_out(const CompileOrder& order, const CompileLimits& limits);

// A job in a worker process, which is killed if nobody waits for it.
class Compilation {
public:
    // Error: the worker could not be started (kit).
    static Result<Compilation> begin(const CompileJob& job);
    // Waits. Error: a limit was hit or the compiler crashed on this text (learner), NVRTC cannot be loaded (host), the
    // worker broke its protocol (kit).
    Result<CompileReply> end();

private:
    Compilation(Worker worker, const CompileLimits& limits, std::string outgoing);
    Worker worker_;
    CompileLimits limits_;
    std::string outgoing_;  // the job, as far as it was not handed over
    Worker::Clock::time_point deadline_;
};

// compile() with other limits, for tests of the limits themselves.
Result<CompileOutput> compile_within(const CompileRequest& request, const CompileLimits& limits);

}  // namespace warpgrade
