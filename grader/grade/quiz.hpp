// Questions about a learner's own kernel whose answers are counted, not kept: what `explain` would show, asked instead.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grade/result.hpp"

namespace warpgrade {

struct QuizQuestion {
    std::string id;    // stable for a file and a shape: "sectors:19:store"
    int line = 0;      // of the source; 0 = about the launch
    std::string text;  // one question, whose answer is a whole number
    std::uint64_t answer = 0;
    std::string unit;                    // of the answer: "sectors"
    std::optional<vgpu::Access> access;  // that it is about
};

// From one run of one shape with its first warp traced (explain_stage). In the order of the trace, those about the
// launch first; at most one of a kind for a line and an access. Empty: no kernel ran.
// `buffers`: of the problem, on that shape.
std::vector<QuizQuestion> quiz_questions(const StageResult& explained, std::span<const vgpu::BufferSpec> buffers = {});

}  // namespace warpgrade
