// The text of a submission, as it is read before NVRTC sees it and when something is said of it.
#include <string>

#include "compile/advice.hpp"
#include "compile/include_scan.hpp"
#include "course/source_text.hpp"
#include "target.hpp"

using namespace warpgrade;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::text_of(data, size);
    (void)scan_includes(text, "fuzz.cu", {"/nowhere", ""});
    (void)line_of_main(text);
    (void)without_comments(text);
    (void)text_digest(text);
    (void)is_same_text(text, text.substr(size / 2));
    (void)escape_output(text, 4096);
    const std::string_view line = line_of(text, 1 + static_cast<int>(size % 7));
    const std::size_t space = line.find(' ');
    (void)column_of(line, space == std::string_view::npos ? line.substr(0, 3) : line.substr(space + 1, 4));
    return 0;
}
