// The words for what a case has shown: a pure function of the observation and the text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "run/observation.hpp"
#include "run/submitted.hpp"

namespace warpgrade {

struct Told {
    std::string detail;                  // one line, of the first error among the findings; "" where there is none
    std::vector<Diagnostic> findings;    // errors and warnings of the run
    std::optional<Diagnostic> wrong;     // the judgement in words
    std::optional<Judgement> judgement;  // with what the launches and the text say of it
};

// `verdict`: of the case.
Told tell(const Observation& seen, const Shape& shape, const std::string& variant, Verdict verdict,
          const Submitted& text);

// Whether a finding is a fault by itself, whatever comes out.
bool is_error(const vgpu::Finding& finding);
// A value from a lane outside of the mask is undefined, and harms nobody who does not use it. The virtual GPU gives one
// that spoils what is made of it.
bool harms_who_uses_it(const vgpu::Finding& finding);
// Of the first error of the lowest rank: a refused launch explains what follows it, and races that a barrier leaves
// which not all threads reach are its consequence. None: there is no error.
Verdict verdict_of(const std::vector<vgpu::Finding>& findings);

}  // namespace warpgrade
