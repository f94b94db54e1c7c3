// A submission as messages need it: how its file is called, and what its text says.
#pragma once

#include <string>

#include "base/diagnostic.hpp"
#include "explain/wording.hpp"
#include "source/facts.hpp"

namespace warpgrade {

struct Submitted {
    const std::string& path;
    const source::Facts& facts;

    SourceMark mark(int line, std::string label = "", const std::string& name = "") const {
        return mark_of_line(line, path, *facts.tree->tokens.text, std::move(label), name);
    }
    SourceMark mark_of(const LaunchInfo& launch) const {
        return mark_of_launch(launch, path, *facts.tree->tokens.text);
    }
};

}  // namespace warpgrade
