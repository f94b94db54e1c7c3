// Where to look, of a wrong output: marks and help that launches, counters by line and the text add to a judgement.
#pragma once

#include "base/diagnostic.hpp"
#include "explain/submitted.hpp"
#include "run/observation.hpp"

namespace warpgrade {

// Beneath the test before the only store.
inline constexpr const char* test_label = "the test before the store";

// What the launches and the text of the kernel say of it: a pattern that fits better, a title, help.
void look_at_text(const Submitted& text, const Observation& seen, Judgement& judgement);

// At the store of the first wrong element; where none was stored, at the launch that was to do it. `wrong` has one
// mark, of no line.
void place(const Submitted& text, const Observation& seen, const Shape& shape, const Judgement& judgement,
           Diagnostic& wrong);

}  // namespace warpgrade
