// One stage of one student, graded as `check` would, in a process of its own (hidden verb `grade-worker`).
#pragma once

#include "base/walls.hpp"
#include "base/wire.hpp"
#include "classroom/batch.hpp"
#include "cli/options.hpp"

namespace warpgrade::cli {

inline constexpr const char* grade_worker_verb = "grade-worker";

// `required`: without one of these walls around it the file is not looked at.
wire::Fields grade_worker_job(const classroom::StageOrder& order, const SharedOptions& options, int threads,
                              WallSet required);

// Replies {"ok", JSON of the stage} or {"error", blame, why}.
int grade_worker_main();

}  // namespace warpgrade::cli
