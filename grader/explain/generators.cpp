#include "explain/generators.hpp"

#include <algorithm>

namespace warpgrade::explain {

namespace {

struct GeneratorRow {
    std::string_view name;
    Generator make;
};

constexpr GeneratorRow generator_rows[] = {
    {"exchange_parameters", exchange_parameters},
    {"replace_parameter", replace_parameter},
    {"replace_row_length", replace_row_length},
    {"exchange_variables", exchange_variables},
    {"exchange_axes", exchange_axes},
    {"exchange_axes_of_kernel", exchange_axes_of_kernel},
    {"replace_axis", replace_axis},
    {"replace_constant", replace_constant},
    {"second_side", second_side},
    {"shuffle_by_loop", shuffle_by_loop},
    {"add_loop_variable", add_loop_variable},
    {"exchange_arguments", exchange_arguments},
    {"replace_byte_count", replace_byte_count},
    {"replace_launch_number", replace_launch_number},
    {"replace_region_size", replace_region_size},
    {"template_size_of_block", template_size_of_block},
    {"remove_found_lanes", remove_found_lanes},
    {"store_own_element", store_own_element},
    {"replace_part", replace_part},
    {"exchange_statements", exchange_statements},
    {"move_launch", move_launch},
    {"keep_through_loop", keep_through_loop},
    {"set_anew_in_loop", set_anew_in_loop},
    {"other_buffer_after_loop", other_buffer_after_loop},
    {"type_of_elements", type_of_elements},
    {"barrier_before", barrier_before},
    {"barrier_after", barrier_after},
    {"barrier_at_loop_end", barrier_at_loop_end},
    {"barrier_at_loop_start", barrier_at_loop_start},
    {"barrier_after_loop", barrier_after_loop},
    {"barrier_out_of_guard", barrier_out_of_guard},
    {"guard_store", guard_store},
    {"guard_statement", guard_statement},
    {"complete_guard", complete_guard},
    {"clear_shared", clear_shared},
    {"widen_counters", widen_counters},
    {"fence_before", fence_before},
    {"guard_load", guard_load},
    {"index_in_block", index_in_block},
    {"bytes_of_elements", bytes_of_elements},
    {"replace_name", replace_name},
    {"replace_by_sibling", replace_by_sibling},
    {"replace_array", replace_array},
    {"replace_built_in", replace_built_in},
    {"shift_name", shift_name},
    {"leave_out_number", leave_out_number},
    {"replace_comparison", replace_comparison},
    {"reverse_comparison", reverse_comparison},
    {"replace_operator", replace_operator},
    {"replace_number", replace_number},
    {"replace_offsets", replace_offsets},
};

}  // namespace

bool Scene::marks(int line) const {
    const auto found = symptoms.by_line.find(line);
    if (found == symptoms.by_line.end()) return false;
    return std::ranges::any_of(on,
                               [&](const std::string& code) { return code == "*" || found->second.contains(code); });
}

bool Scene::marks_any() const {
    return std::ranges::any_of(symptoms.by_line, [&](const auto& line) { return marks(line.first); });
}

Generator generator_named(std::string_view name) {
    const auto found = std::find_if(std::begin(generator_rows), std::end(generator_rows),
                                    [&](const GeneratorRow& row) { return row.name == name; });
    return found == std::end(generator_rows) ? nullptr : found->make;
}

std::vector<std::string> generator_names() {
    std::vector<std::string> names;
    for (const GeneratorRow& row : generator_rows) names.emplace_back(row.name);
    return names;
}

}  // namespace warpgrade::explain
