// What is to be seen of a race in its two lines, its launches and its buffer: questions that advice on it depends on.
#pragma once

#include <string>
#include <string_view>

#include "explain/wording_place.hpp"
#include "source/facts.hpp"

namespace warpgrade {

bool is_one_line(const vgpu::Finding& finding);
bool has_two_lines(const vgpu::Finding& finding);
// More often in one launch's worth of threads than there are threads: each goes over many places.
bool stores_often(const Scene& scene);
// A buffer where each block has one place, or all blocks together: not one with an element for every thread.
bool is_for_one(const Scene& scene);
// `sum += x` of one variable that the block shares.
bool changes_shared_variable(const Scene& scene, const std::string& name);
// One array of the whole GPU, declared in the file: __device__ float tile[32][32];
bool is_of_all_blocks(const Scene& scene, const std::string& name);
// One clears what others add to already, in blocks that run in any order.
bool clears_beside_atomics(const vgpu::Finding& finding);
// An output that is smaller than the input: what many blocks have is to come together there.
bool is_for_many(const Scene& scene);
// One launch reads from the buffer for results what others of its threads store there: in an output that has a place
// for each element of the input, nothing is there to be read but one's own.
bool reads_results(const Scene& scene);
// After how many places an array's index comes back, by a subscript in one of the two lines: "5", "STAGES"; "" if it
// does not.
std::string places_of_ring(const Scene& scene);
// The line of the first call of this function, or of one whose name begins so, between two lines; 0: there is none.
int line_of_call_between(const source::Facts& facts, int first, int last, std::string_view name);
// The line stores to the array what it has read there, too.
bool reads_and_stores(const source::Facts& facts, int line, const std::string& name);

}  // namespace warpgrade
