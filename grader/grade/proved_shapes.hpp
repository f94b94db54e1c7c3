// What is proved of a stage's submission for every shape (proof/core.hpp), one claim for each type of its elements.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "build/submission.hpp"
#include "grade/witness_case.hpp"

namespace warpgrade {

struct ProvedType {
    std::string type;
    proof::Claim claim;
    std::optional<RefutedShape> refuted{};
};

// Of what is compiled. `seconds`: for all types together. `known`: by type, what is not proved again. Error: the PTX
// does not parse.
Result<std::vector<ProvedType>> proved_types(const Stage& stage, const Problem& problem, const std::string& path,
                                             const Build& built, double seconds,
                                             const std::map<std::string, ProvedType>& known = {});

// The same from a file, with the shapes at which a proof stays open run. Empty: it does not compile. Error: host,
// course or kit.
Result<std::vector<ProvedType>> prove_file(const Stage& stage, const std::string& path, double seconds);

// Processor time of this process.
double processor_seconds();

// The first claim that is not whole, or the first one; `proved` has one at least.
const ProvedType& weakest(const std::vector<ProvedType>& proved);

}  // namespace warpgrade
