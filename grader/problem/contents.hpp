// Contents of an input that the kit knows by name: element i as a function of i and a seed, made on this machine.
//
// Theory of operation. The same functions are in the CUDA text around a problem.cu (oracle_source.cpp), for cards; a
// test holds the two together. Contents of the author's own run on the virtual GPU only (oracle.hpp). Those for sums
// are sum_input.hpp's.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace warpgrade {

struct KnownContents {
    const char* name;
    bool is_for_sums;  // of floats only
    bool is_on_card;   // usual contents, and those of timing shapes, are one of these
};
// nullptr: the author's own, or none.
const KnownContents* contents_named(std::string_view name);

// Fills with the elements from index `first` on of a buffer of `elements`. False: the name is not known here. `type`:
// NamedType::name.
bool fill_contents(std::string_view name, std::string_view type, std::uint64_t elements, std::uint64_t seed,
                   std::uint64_t first, std::span<std::byte> bytes);

}  // namespace warpgrade
