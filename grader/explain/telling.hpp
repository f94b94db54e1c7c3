// The words for what a case has shown: a pure function of the observation and the text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "explain/submitted.hpp"
#include "run/cases.hpp"

namespace warpgrade {

struct Told {
    std::string title;                   // of the first error among the findings; "" where there is none
    int line = 0;                        // of that
    std::vector<Diagnostic> findings;    // errors and warnings of the run
    std::optional<Diagnostic> wrong;     // the judgement in words
    std::optional<Judgement> judgement;  // with what the launches and the text say of it
};

// `verdict`: of the case.
Told tell(const Observation& seen, const Shape& shape, const std::string& variant, Verdict verdict,
          const Submitted& text);

// Puts the words of what was seen into the outcome.
void tell_into(const Submitted& text, CaseOutcome& outcome);
// `run_case`, with words.
Result<CaseOutcome> told_case(const Bench& bench, const Shape& shape, const CaseOptions& options = {});

}  // namespace warpgrade
