// Questions about a learner's own kernel whose answers are counted, not kept: what `explain` would show, asked instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
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
std::vector<QuizQuestion> quiz_questions(const StageResult& explained);
// With the elements of the problem's buffers known by their types.
std::vector<QuizQuestion> quiz_questions(const StageResult& explained, const Problem& problem);
// Which line limits it, where the time model says one. A model's answer: it is asked, and never counted.
std::optional<QuizQuestion> quiz_limit_question(const StageResult& explained);

// What a student hands in is a comment of the file that it is about, `// quiz 1=1024 2=32`: a number of a question and
// an answer, the last such line counts. So answers cannot be lost on the way or come to another file; they are compared
// with what the virtual GPU counts when they are graded, and nothing of them is believed.
using QuizAnswers = std::map<std::size_t, std::uint64_t>;  // by number of the question, from 1 on
QuizAnswers quiz_answers_in(const std::string& source);
std::string quiz_line(const QuizAnswers& answers);
// The file with these answers in place of those that it has, or at its end.
std::string with_quiz_line(const std::string& source, const QuizAnswers& answers);
// "2=32"; empty: it is no answer.
std::optional<QuizAnswers::value_type> quiz_answer_from(const std::string& word);

QuizMark quiz_mark(const std::vector<QuizQuestion>& questions, const QuizAnswers& answers);

}  // namespace warpgrade
