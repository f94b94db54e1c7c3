// What became of a case or of a timing, and where a figure comes from, as types; the words are those of the JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpgrade {

enum class Verdict : std::uint8_t {
    none,  // not known (yet)
    pass,
    wrong,  // the output is not the expected one
    fault,
    timeout,
    launch_error,
    skipped,
    // Of bandwidths, which have one of the five above where nothing was timed:
    ok,
    noisy,      // the times vary by more than the marks allow
    impossible  // no device has it
};
std::string_view to_string(Verdict verdict);  // none: ""
std::optional<Verdict> verdict_named(std::string_view word);

enum class Origin : std::uint8_t { none, measured, modelled, profile };
std::string_view to_string(Origin origin);  // none: ""

}  // namespace warpgrade
