// What `verify` shows: one line a stage, then each problem as a compiler shows one.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/render.hpp"
#include "grade/course_check.hpp"

namespace warpgrade::cli {

std::string render_course_check(const CourseCheck& check, const RenderStyle& style);

// "warpgrade.verify/1"; `report`: for tool, device and seed.
nlohmann::ordered_json json_of(const CourseCheck& check, const RunReport& report);

}  // namespace warpgrade::cli
