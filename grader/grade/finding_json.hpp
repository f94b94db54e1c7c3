// A finding in a result (reports/schemas/result.json), and in what came of a whole program.
#pragma once

#include <nlohmann/json.hpp>

#include "base/diagnostic.hpp"

namespace warpgrade {

nlohmann::ordered_json finding_json(const Diagnostic& finding);

}  // namespace warpgrade
