// A course file and a GPU profile.
#include "course/assignment.hpp"
#include "model/profile.hpp"
#include "scratch.hpp"
#include "target.hpp"

using namespace warpgrade;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // An assignment is called as its folder is.
    const std::string path = fuzz::scratch_file("transpose/assignment.toml", fuzz::text_of(data, size));
    (void)load_assignment((fuzz::scratch() / "transpose").string());
    if (const auto profile = load_profile(path)) (void)to_toml(*profile);
    return 0;
}
