// Proves a submission for every shape of its problem, as far as that can be done (core.hpp says what is claimed).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "device/limits.hpp"
#include "problem/description.hpp"
#include "proof/claim.hpp"
#include "ptx/module.hpp"

namespace warpgrade::proof {

// Whether isl is here; loads it. Ask before a process is confined that is to prove something.
bool is_available();

struct ProofRequest {
    const ptx::Module& module;              // optimised, as it is checked
    const std::string& launcher;            // mangled
    const ProblemDescription& description;  // what its parameters and arrays are
    const std::string& type;                // of an element
    const std::string& source_file;         // that lines are of
    // The PTX of problem.cu, for problems that compute; null: their values are not proved.
    const ptx::Module* reference = nullptr;
    LaunchLimits limits{};
    double seconds = 2;  // of the processor, after which nothing more is proved
};
Claim prove(const ProofRequest& request);

// Whether a claim is about a shape with these extents.
bool speaks_of(std::span<const std::int64_t> extents);

}  // namespace warpgrade::proof
