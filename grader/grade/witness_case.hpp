// The shape at which a proof stays open, run on the virtual GPU: what that finds is told, and nothing else is.
//
// Theory of operation. A witness (proof/claim.hpp) is a guess of isl's. A shape that can be run is run as any other; of
// a larger one the launcher is run, and the blocks of the witness's threads. It costs no points, and no verdict rests
// on it: how far a proof gets depends on the time that it has, and what marks rest on is the same for the same seed. An
// author makes the shape one of problem.toml's, and from then on it counts.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "device/limits.hpp"
#include "proof/claim.hpp"
#include "run/cases.hpp"

namespace warpgrade {

inline constexpr const char* witness_variant = "the blocks in question were run";

struct RefutedShape {
    proof::Obligation what{};
    std::string at;      // "1 x 33"
    bool is_run = true;  // whole
    Diagnostic finding;  // the usual message
};
nlohmann::ordered_json json_of(const RefutedShape& refuted);

// `ptx`: of the build that `bench` is of. Nothing: none of the witnesses is a case that fails. Error: host or kit.
Result<std::optional<RefutedShape>> refuted(const Bench& bench, const std::string& type, const std::string& ptx,
                                            const std::vector<proof::Witness>& witnesses, const LaunchLimits& limits);

}  // namespace warpgrade
