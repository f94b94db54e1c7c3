// Where a run went wrong, by array and element: what a page draws beside the message.
#pragma once

#include "grade/result.hpp"
#include "run/cases.hpp"

namespace warpgrade {

// Of the run's findings that name an array, in their order, then of the first wrong element of the output.
std::vector<WrongElement> wrong_elements(const CaseOutcome& outcome);

// The block to record beside the first and the last: the first that is named. None where nothing is wrong.
std::optional<vgpu::Dim3> block_of(const std::vector<WrongElement>& elements);

}  // namespace warpgrade
