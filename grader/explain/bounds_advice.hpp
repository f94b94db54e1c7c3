// What to try against an access outside of a buffer, by the tests before it, the launch and the buffer's extents.
#pragma once

#include <cstdint>

#include "explain/advice_text.hpp"
#include "explain/wording_place.hpp"

namespace warpgrade {

// `in[blockIdx.x * blockDim.x + threadIdx.x]`: the number of the thread is the index.
bool is_index_of_thread(const Scene& scene);
// The buffer for partial results; nullptr: the problem has none.
const BufferLayout* scratch_of(const Scene& scene);
// `index`: the element that was accessed; `layout` of the buffer, nullptr of one of the submission's own.
Advice guard_for(const Scene& scene, const BufferLayout* layout, std::int64_t index);

}  // namespace warpgrade
