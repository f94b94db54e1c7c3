#include "base/diagnostic.hpp"

#include <array>

namespace warpgrade {

int exit_code(Blame blame) {
    switch (blame) {
        case Blame::learner: return 1;
        case Blame::usage:
        case Blame::course: return 2;
        case Blame::host: return 3;
        case Blame::kit: break;
    }
    return 70;
}

namespace {
constexpr std::array<std::string_view, 4> severities{"error", "warning", "note", "advice"};
}

std::string_view to_string(Severity severity) { return severities.at(static_cast<std::size_t>(severity)); }

std::optional<Severity> severity_named(std::string_view word) {
    for (std::size_t i = 0; i < severities.size(); ++i)
        if (severities[i] == word) return static_cast<Severity>(i);
    return std::nullopt;
}

}  // namespace warpgrade
