// One compilation as the worker sees it, and what came of it. Internal to compile/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compile/compiler.hpp"
#include "base/wire.hpp"

namespace warpgrade {

struct CompileLimits {
    double wall_seconds = 20;
    std::uint64_t cpu_seconds = 20;
    std::uint64_t memory_bytes = 2ull << 30;  // address space of the worker, NVRTC's 100 MB library included
    std::uint64_t ptx_bytes = 64ull << 20;
};

struct CompileJob {
    std::string nvrtc_path;
    std::string source;                 // all of it: the submission and what the grader appends
    std::vector<std::string> options;   // for nvrtcCompileProgram
    std::string working_folder;         // the shipped headers; NVRTC looks for "header.h" there first
    std::vector<std::string> readable;  // the folders the worker may read from then on
    CompileLimits limits;
};

enum class CompileStatus { compiled, rejected, out_of_memory, too_large, failed };

struct CompileReply {
    CompileStatus status = CompileStatus::failed;
    std::string ptx;
    std::string log;  // NVRTC's, raw; for `failed` the reason
    double seconds = 0;
    std::string sandbox;  // "landlock 7", or "none: ..." where the kernel has no Landlock
};

// The name NVRTC is given for the submission; the learner's own name never reaches it, so cached PTX serves any path.
inline constexpr const char* submission_name = "submission.cu";
inline constexpr const char* appended_name = "grader_appended.cu";

wire::Fields to_fields(const CompileJob& job);
std::optional<CompileJob> job_from(const wire::Fields& fields);
wire::Fields to_fields(const CompileReply& reply);
std::optional<CompileReply> reply_from(const wire::Fields& fields);

// Runs the job in a worker process and waits for it. Error: a limit was hit or the compiler crashed on this text
// (learner), NVRTC cannot be loaded (host), the worker could not be started or broke its protocol (kit).
Result<CompileReply> run_in_worker(const CompileJob& job);

// compile() with other limits, for tests of the limits themselves.
Result<CompileOutput> compile_within(const CompileRequest& request, const CompileLimits& limits);

}  // namespace warpgrade
