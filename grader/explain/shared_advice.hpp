// What to try against an index outside of an array in shared memory, by what the text, the launch and the array say.
#pragma once

#include <cstdint>
#include <string>

#include "explain/advice_text.hpp"
#include "explain/wording_place.hpp"

namespace warpgrade {

// A loop whose step is not that of the block's threads, or that begins beside a thread's own element.
Advice advice_on_step(const Scene& scene, const std::string& name);
// The first iteration of a tree that begins with too large a distance.
Advice advice_on_first_turn(const Scene& scene, const std::string& name, std::int64_t elements);
// Threads past the last row in the last iteration of a loop.
Advice advice_on_last_turn(const Scene& scene);
// Where the index is past the end.
Advice index_advice(const Scene& scene, const std::string& name);

}  // namespace warpgrade
