// Questions about a learner's own kernel whose answers are counted, not kept: what `explain` would show, asked instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grade/result.hpp"

namespace warpgrade {

struct QuizQuestion {
    std::string id;    // stable for a file and a shape: "sectors:19:store"
    int line = 0;      // of the source; 0 = about the launch
    std::string text;  // one question, whose answer is a whole number
    std::string how;   // the way to the answer, without it
    std::uint64_t answer = 0;
    std::string unit;                    // of the answer: "sectors"
    std::string working;                 // with the numbers of this kernel: "1024 threads / 32"; may be empty
    std::optional<vgpu::Access> access;  // that it is about
};

// From one run of one shape with its first warp traced (explain_stage), about its first launch, and of each line about
// the first time that it is reached. Each is of another kind: the launch's blocks and warps, sectors of a load and of a
// store, lanes, an index, wavefronts and a bank (Stage::quiz_banks), so eight at most. Of several lines for one kind
// that with the largest answer is asked about, because a 0 or a 1 is guessed, and of equals the one with the most
// lanes, then the last. Those about the launch first, the others in the order of the trace. Empty: no kernel ran.
std::vector<QuizQuestion> quiz_questions(const StageResult& explained, const Stage& stage);
// Which line limits it, where the time model says one. A model's answer: it is asked, and never counted.
std::optional<QuizQuestion> quiz_limit_question(const StageResult& explained);

// What a student hands in is a comment of the file that it is about, `// quiz 3f0c9a17d2b45e68 1=1024 2=32`: the digest
// of the code (code_digest), and with the number of each question its answer. It belongs to that code and to no other,
// whose questions have other answers; a file may hold one such line for each version of its code, and of two for the
// same code the first counts. So answers cannot be lost on the way or come to another file; they are compared with what
// the virtual GPU counts when they are graded, and nothing of them is believed.
using QuizAnswers = std::map<std::size_t, std::uint64_t>;  // by number of the question, from 1 on
struct KeptAnswers {
    QuizAnswers answers;            // to questions about the code as it is
    bool has_those_of_old = false;  // the file holds answers, but about another version of its code
};
KeptAnswers quiz_answers_in(const std::string& source);
// The file with these answers to the code as it is, in place of those that it has, or at its end.
std::string with_quiz_line(const std::string& source, const QuizAnswers& answers);
// "2=32"; empty: it is no answer.
std::optional<QuizAnswers::value_type> quiz_answer_from(const std::string& word);

QuizMark quiz_mark(const std::vector<QuizQuestion>& questions, const KeptAnswers& kept);

}  // namespace warpgrade
