// What L2 takes for lines, sectors, packets and atomic operations: rows of microbenchmarks().
#pragma once

#include "calibrate/microbenchmark_rig.hpp"

namespace warpgrade {

double l2_read_line(MicrobenchmarkRig& rig);
double l2_read_sector(MicrobenchmarkRig& rig);
double l2_write_sector(MicrobenchmarkRig& rig);
double l2_write_packet(MicrobenchmarkRig& rig);
double l2_far_partial(MicrobenchmarkRig& rig);
double store_sector(MicrobenchmarkRig& rig);
double store_packet(MicrobenchmarkRig& rig);
double atomic_turn(MicrobenchmarkRig& rig);
double atomic_unit(MicrobenchmarkRig& rig);
double atomic_address(MicrobenchmarkRig& rig);
double atomic_lanes(MicrobenchmarkRig& rig);

}  // namespace warpgrade
