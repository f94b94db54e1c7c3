// An archive, read in this process as the unpack worker reads it. libarchive itself is not instrumented: what is looked
// for is what this repository makes of its answers.
#include <clocale>

#include "classroom/archive.hpp"
#include "scratch.hpp"
#include "target.hpp"

using namespace warpgrade;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const char* const locale = setlocale(LC_CTYPE, "C.UTF-8");
    (void)locale;
    classroom::UnpackLimits limits;
    limits.unpacked_bytes = 1 << 20;
    limits.entries = 200;
    limits.sources = 20;
    limits.source_bytes = 1 << 16;
    (void)classroom::read_archive(fuzz::scratch_file("archive", fuzz::text_of(data, size)), limits);
    return 0;
}
