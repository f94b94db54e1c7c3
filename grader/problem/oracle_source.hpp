// The CUDA text around a problem.cu: what it may use, and the kernels that the kit calls. Internal to problem/.
//
// Theory of operation. The prelude stands in front of problem.cu on its first line, so that lines in messages are the
// author's own; the kernels are appended. One text serves the virtual GPU and a card. Contents are functions of index
// and seed, defined here alone.
#pragma once

#include <string>

#include "problem/description.hpp"

namespace warpgrade {

struct OracleSource {
    std::string source, appended;
};
OracleSource oracle_source(const ProblemDescription& problem, const std::string& type);

// Names of its kernels. `buffer`: index in the description. Parameters, in order (u64 and pointers 8 bytes):
//   fill      to, first, count, seed, extents and numbers (8 bytes each)
//   reference to, first, count, the launcher's
//   mistake   the same, then an int where there are tries
//   compare   found, expected, flags (a byte an element), count, terms (u64), the launcher's
//   card      expected (0 where there is none), count, report, terms (u64), the launcher's
//   clear     to, bytes
//   sum       report, count, seed, extents and numbers; before card, where the reference is a sum
//   changed   in, count, report, is_first (u64), seed, extents and numbers
std::string fill_kernel(std::size_t buffer, const std::string& contents);
std::string changed_kernel(std::size_t buffer);  // its usual contents
std::string mistake_kernel(std::size_t mistake);
std::string card_kernel(const ProblemDescription& problem);  // of the last output
// The text of this kernel, without the rest: for a problem's other outputs.
std::string card_check_source(const ProblemDescription& problem);
inline constexpr const char* reference_kernel = "wg_reference";
inline constexpr const char* compare_kernel = "wg_compare";
inline constexpr const char* clear_kernel = "wg_clear";
inline constexpr const char* sum_kernel = "wg_sum";

}  // namespace warpgrade
