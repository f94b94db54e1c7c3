// What the wrong outputs of a grading have in common: one or two mistakes of many cases.
//
// Theory of operation. A problem names a pattern for each wrong output, and all cases of one pattern are one mistake.
// Further runs may name a cause behind several. `report` then removes in steps what is known to follow from something
// else, what fits a few shapes by chance, and symptoms beside causes; what is left becomes findings.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "explain/counted_elements.hpp"
#include "explain/counted_output.hpp"
#include "explain/narrow_values.hpp"
#include "explain/submitted.hpp"
#include "grade/result.hpp"
#include "problem/known_mistake.hpp"
#include "run/cases.hpp"

namespace warpgrade {

// What is counted in further runs, of shapes that came out wrong.
struct Counting {
    std::function<std::optional<CountedOutput>(const Shape& shape, std::uint64_t wrong)> output;
    std::function<std::optional<CountedElements>(const std::vector<Shape>& wrong, bool is_named)> elements;
};

class WrongOutputs {
public:
    explicit WrongOutputs(StageResult& result) : result_(result) {}
    void note(const CaseOutcome& outcome);
    // Which elements a wrong sum counts how often, where no pattern is known to fit; before `report`.
    void explain_counts(const Counting& counting, const Submitted& text);
    // What a sum that is off by more than its additions explain comes from; before `report`.
    void explain_rounding(const NarrowValue& value, const Submitted& text);
    // What is added to a value that was never set looks like anything.
    void forget_patterns();
    // Adds the mistakes to the findings: two at most, recognised ones first.
    void report(const std::string& source = {});

private:
    struct Mistake {
        std::string pattern;
        bool is_recognised = false;
        bool is_cause = false;  // explains faults on the way, and so comes before them
        Effect effect{};        // of the first case
        int cases = 0;
        int general_cases = 0;    // of these, on shapes that are neither thin nor small: on those, patterns look alike
        int cases_of_four = 0;    // that lack the last n % 4 elements
        int larger_cases = 0;     // that are not small: on few elements any pattern fits
        bool is_of_large = true;  // seen with large whole numbers alone, of which a float does not keep all bits
        bool is_certain = false;  // a cause, on a shape so large that nothing fits by chance
        Diagnostic diagnostic;    // of the first case
    };
    void note_wrong(const Judgement& judgement, const Diagnostic& diagnostic, const Shape& shape);
    Mistake* find(std::string_view pattern);
    Mistake* find(KnownMistake pattern) { return find(name_of(pattern)); }
    void drop(KnownMistake pattern);
    void drop(bool Effect::*trait);
    int cases() const;
    // Errors are seen on few shapes, beside `many` that come out wrong.
    bool are_errors_rare(int many) const;
    void explain_elements(const Counting& counting, const Submitted& text);
    void tell_counted(Mistake& open, const CountedElements& counted, const Submitted& text);
    // The cases of these patterns are no mistakes of their own: their lists say `title`.
    void dismiss(const std::function<bool(const Mistake&)>& is_it, const std::string& title);
    void explain_zeros();
    void explain_rests_of_four();
    void remove_effects_of_reads();
    void remove_chance_fits();
    void remove_lesser();
    void explain_inverted_test(const std::string& source);
    bool explain_swapped_test();
    void add_to_findings(bool is_first);

    StageResult& result_;
    std::vector<Mistake> mistakes_;
    std::map<std::pair<std::string, int>, int> seen_;  // findings by code and line: on how many shapes
    SourceMark rounded_;  // where the text rounds a share of the elements down; line 0: nowhere
};

}  // namespace warpgrade
