// Which findings are faults, and what they make of a case.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "problem/verdict.hpp"
#include "vgpu/finding.hpp"

namespace warpgrade {

// Whether a finding is a fault by itself, whatever comes out.
bool is_error(const vgpu::Finding& finding);
// A value from a lane outside of the mask is undefined, and harms nobody who does not use it. The virtual GPU gives one
// that spoils what is made of it.
bool harms_who_uses_it(const vgpu::Finding& finding);
// What is said first: a refused launch explains what follows it, and races that a barrier leaves which not all threads
// reach are its consequence. The lowest comes first.
int rank(vgpu::FindingKind kind);
// Of the first error of the lowest rank; none: there is no error.
Verdict verdict_of(const std::vector<vgpu::Finding>& findings);
// What the virtual GPU does not have is nobody's fault.
Diagnostic gap_of_the_kit(const vgpu::Finding& finding, const std::string& path, const std::string& source);

}  // namespace warpgrade
