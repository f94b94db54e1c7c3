// Gradescope's results.json (Gradescope documentation, "Autograder specifications").
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warpgrade::classroom {

// `result`: a student's result JSON. A test a stage and part; a stage that could not be graded has a test without
// points, so that it is no zero. Gradescope then shows a sum over the rest.
nlohmann::ordered_json gradescope_json(const nlohmann::ordered_json& result, const std::vector<std::string>& notes);

}  // namespace warpgrade::classroom
