// What to do about a race.
//
// Theory of operation. Each row of a table looks at the facts of one kind of race and gives its advice, or none; the
// rows are asked from the most certain to the most general, and the first advice is the one that is told.
#pragma once

#include <string>

#include "explain/race_cause.hpp"
#include "explain/wording_place.hpp"

namespace warpgrade {

struct Race {
    const Scene& scene;
    std::string name;   // of the array, as the message shows it
    std::string local;  // as the line calls it
    bool is_shared = false;
    bool both_write = false;
    WeakOrder weak;
    std::string atomic;  // the operation that does in one what is done in three: "atomicAdd(&sum[0], ...)"

    bool is_in_block() const {
        return scene.finding.place.block == scene.finding.other.block && !scene.finding.crosses_blocks;
    }
};

Advice race_advice(const Race& race);

}  // namespace warpgrade
