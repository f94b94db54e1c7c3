// Fills the table with this instruction set's handlers.
#include "vgpu/ops/handlers.hpp"

namespace warpgrade::vgpu::WARPGRADE_ISA {

void fill(OpTable& t) {
    integer_arithmetic(t);
    extended_precision(t);
    floating_point(t);
    half_precision(t);
    comparison_and_selection(t);
    logic_and_shift(t);
    data_movement(t);
    conversion(t);
    loads_and_stores(t);
    atomics(t);
    asynchronous_copies(t);
    parallel_synchronization(t);
    matrix_movement(t);
    video(t);
    miscellaneous(t);
}

}  // namespace warpgrade::vgpu::WARPGRADE_ISA
