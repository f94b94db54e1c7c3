#include "problem/verdict.hpp"

#include <array>

namespace warpgrade {
namespace {

constexpr std::array<std::string_view, 10> verdicts{"",        "pass", "wrong", "fault",     "timeout", "launch_error",
                                                    "skipped", "ok",   "noisy", "impossible"};
constexpr std::array<std::string_view, 4> origins{"", "measured", "modelled", "profile"};

}  // namespace

std::string_view to_string(Verdict verdict) { return verdicts.at(static_cast<std::size_t>(verdict)); }

std::optional<Verdict> verdict_named(std::string_view word) {
    for (std::size_t i = 1; i < verdicts.size(); ++i)
        if (verdicts[i] == word) return static_cast<Verdict>(i);
    return std::nullopt;
}

std::string_view to_string(Origin origin) { return origins.at(static_cast<std::size_t>(origin)); }

}  // namespace warpgrade
