// One stage of one student, graded as `check` would, in a process of its own (hidden verb `grade-worker`).
#pragma once

#include "base/wire.hpp"
#include "classroom/batch.hpp"
#include "cli/options.hpp"

namespace warpgrade::cli {

inline constexpr const char* grade_worker_verb = "grade-worker";

wire::Fields grade_worker_job(const classroom::StageOrder& order, const SharedOptions& options, int threads);

// Replies {"ok", JSON of the stage} or {"error", blame, why}.
int grade_worker_main();

}  // namespace warpgrade::cli
