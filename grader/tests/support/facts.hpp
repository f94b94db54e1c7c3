// The facts of a text, for as long as the object lives.
#pragma once

#include <string>

#include "source/questions.hpp"

namespace warpgrade::test {

class FactsOf {
public:
    explicit FactsOf(const std::string& text) : facts_(reading_.of(text)) {}
    operator const source::Facts&() const { return facts_; }
    const source::Facts* operator->() const { return &facts_; }

private:
    source::Reading reading_;
    const source::Facts& facts_;
};

}  // namespace warpgrade::test
