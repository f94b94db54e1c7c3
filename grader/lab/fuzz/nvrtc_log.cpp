// NVRTC's log and the `.file` lines of its PTX: a submission shapes both.
#include <string>

#include "compile/nvrtc_log.hpp"
#include "target.hpp"

using namespace warpgrade;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    const PathNames names{"hand in/fuzz.cu", {"/kit/include", "/usr/local/cuda/include", ""}};
    (void)parse_nvrtc_log(text, names);
    (void)with_shown_files(text, names);
    (void)printable(text, 2000);
    return 0;
}
