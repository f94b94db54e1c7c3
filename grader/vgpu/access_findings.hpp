// What findings say of an access: the place, the memory it goes to, the array it should stay in.
#pragma once

#include <cstdint>

#include "vgpu/runtime.hpp"

namespace warpgrade::vgpu {

void describe_global(Finding& f, const Worker& worker, std::uint64_t address, std::uint32_t width);
// `from`: the array that the address is made from; of 0 bytes: it is not known.
void describe_shared(Finding& f, const Worker& worker, std::uint64_t address, std::uint32_t width,
                     Program::SiteArray from = {});
// An address in shared memory is outside of the array that it is made from.
bool leaves_array(const Worker& worker, const Site& site, std::uint64_t address);
void tell_shared_bounds(Warp& w, const Site& site, const ThreadPlace& place, std::uint64_t address,
                        std::uint32_t width);
// A buffer is in a list that may be missing.
bool belongs(const std::vector<int>* list, int buffer);
// A new finding at a lane's access; null where it is known.
Finding* begin_finding(Warp& w, const Inst& in, FindingKind kind, int lane);

}  // namespace warpgrade::vgpu
