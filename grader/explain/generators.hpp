// Changes that no pattern can say, by name. Each gives all edits that it finds in a text.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "explain/symptoms.hpp"
#include "source/facts.hpp"

namespace warpgrade::explain {

struct Edit {
    source::Range at;  // replaced; of length 0: inserted
    std::string after;
    int line = 0;                           // that it is about
    std::string what, other;                // of the words: {what}, {other}
    source::NodeId node = source::no_node;  // that it is in
};

struct Scene {
    const source::Facts& facts;
    const Symptoms& symptoms;
    const std::vector<std::string>& on;  // the rule's codes

    const source::Tree& tree() const { return *facts.tree; }
    // Whether a finding of the rule's codes marks the line.
    bool marks(int line) const;
    bool marks_any() const;
};

// Names, by their tokens, and what to write there.
using Replacements = std::vector<std::pair<source::Range, std::string>>;
// The text of the range with them.
std::string with_tokens(const source::Tree& tree, const source::Range& at, Replacements tokens);

using Generator = std::vector<Edit> (*)(const Scene&);
Generator generator_named(std::string_view name);
std::vector<std::string> generator_names();

// The functions of the table, by what they change.
std::vector<Edit> exchange_parameters(const Scene& scene);      // rows <-> cols in one index, test or definition
std::vector<Edit> replace_parameter(const Scene& scene);        // one of them, once
std::vector<Edit> replace_row_length(const Scene& scene);       // in `y * rows + x`, of x along a warp
std::vector<Edit> exchange_variables(const Scene& scene);       // two variables of one index
std::vector<Edit> exchange_axes(const Scene& scene);            // .x <-> .y of one expression
std::vector<Edit> exchange_axes_of_kernel(const Scene& scene);  // of all its threadIdx, of all its blockIdx
std::vector<Edit> replace_axis(const Scene& scene);             // of one threadIdx, blockIdx, ...
std::vector<Edit> replace_constant(const Scene& scene);         // one constant's name by another one
std::vector<Edit> second_side(const Scene& scene);              // `ROWS + HALO` as `ROWS + 2 * HALO`: a size, a bound
std::vector<Edit> shuffle_by_loop(const Scene& scene);          // the loop's variable for a number of lanes
std::vector<Edit> add_loop_variable(const Scene& scene);        // `e` where the same loop has `e + j`
std::vector<Edit> exchange_arguments(const Scene& scene);       // of a launch or call, of one type
std::vector<Edit> replace_byte_count(const Scene& scene);       // a name in the size of a memset or a copy
std::vector<Edit> replace_launch_number(const Scene& scene);    // that a launch passes, by another one
std::vector<Edit> replace_region_size(const Scene& scene);      // `sums + blocks`, where a region begins
std::vector<Edit> template_size_of_block(const Scene& scene);   // `sum<256><<<blocks, 256>>>`
std::vector<Edit> remove_found_lanes(const Scene& scene);       // `left &= ~peers` in a loop over distinct values
std::vector<Edit> store_own_element(const Scene& scene);        // `part[tid]` where `part[0]` is stored
std::vector<Edit> replace_part(const Scene& scene);             // `tid`, `tid / 32` and `tid % 32` by each other
std::vector<Edit> exchange_statements(const Scene& scene);      // neighbours, of which one stores what the other uses
std::vector<Edit> move_launch(const Scene& scene);              // past several statements, of which one depends on it
std::vector<Edit> keep_through_loop(const Scene& scene);        // a sum's start out of the loop that adds to it
std::vector<Edit> set_anew_in_loop(const Scene& scene);         // and into it
std::vector<Edit> other_buffer_after_loop(const Scene& scene);  // of two pointers that the loop exchanges
std::vector<Edit> type_of_elements(const Scene& scene);         // of shared memory, as of the kernel's pointers
std::vector<Edit> barrier_before(const Scene& scene);
std::vector<Edit> barrier_after(const Scene& scene);
std::vector<Edit> barrier_at_loop_end(const Scene& scene);
std::vector<Edit> barrier_at_loop_start(const Scene& scene);
std::vector<Edit> barrier_after_loop(const Scene& scene);
std::vector<Edit> barrier_out_of_guard(const Scene& scene);
std::vector<Edit> guard_store(const Scene& scene);      // a test that the text has elsewhere
std::vector<Edit> guard_statement(const Scene& scene);  // a subscript against a parameter or a size
std::vector<Edit> complete_guard(const Scene& scene);   // one comparison more
std::vector<Edit> clear_shared(const Scene& scene);
std::vector<Edit> widen_counters(const Scene& scene);
std::vector<Edit> guard_load(const Scene& scene);         // `(i < n ? a[i] : 0)`
std::vector<Edit> index_in_block(const Scene& scene);     // threadIdx.x for a name that counts along the grid
std::vector<Edit> bytes_of_elements(const Scene& scene);  // dynamic shared memory
std::vector<Edit> fence_before(const Scene& scene);
std::vector<Edit> replace_name(const Scene& scene);        // by another value of its type, in scope
std::vector<Edit> replace_by_sibling(const Scene& scene);  // by one that is defined alike
std::vector<Edit> replace_array(const Scene& scene);       // of the same memory
std::vector<Edit> replace_built_in(const Scene& scene);    // threadIdx <-> blockIdx, blockDim <-> gridDim
std::vector<Edit> shift_name(const Scene& scene);          // `x` as `x - 1`, where the function has that elsewhere
std::vector<Edit> leave_out_number(const Scene& scene);    // `n - 1` as `n`, `n / TILE` as `n`
std::vector<Edit> replace_comparison(const Scene& scene);  // `<` by `<=`
std::vector<Edit> reverse_comparison(const Scene& scene);  // `<` by `>`
std::vector<Edit> replace_operator(const Scene& scene);    // of another kind
std::vector<Edit> replace_number(const Scene& scene);
std::vector<Edit> replace_offsets(const Scene& scene);  // `y - 1, x - 1`: both of a line

}  // namespace warpgrade::explain
