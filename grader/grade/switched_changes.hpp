// Many changes of expressions as one program, of which each version is a number.
//
// Theory of operation. Most of a trial is its compilation. An expression that changes would replace becomes a choice,
// `(version() == 3 ? (new) : version() == 4 ? (other) : (old))`, so that one compilation holds all of them. The number
// is the operand of one PTX instruction that the compiler cannot see through: a version is the same PTX with another
// number. A version that fails here on the shapes that failed before is no change worth telling; one that passes is
// compiled as it is (tried_changes.hpp). What no choice can say (statements, constants, sizes of arrays), and what does
// not compile as one, has no number. Many choices make a program slow: a few at a time are put into one.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "explain/change.hpp"
#include "grade/tried_changes.hpp"

namespace warpgrade {

struct SwitchedText {
    std::string text;                  // the first line declares the number
    std::vector<std::size_t> numbers;  // by change; 0: it is not in the text
    // By line, from 0: the changes of which an error there may come. Each has a line of its own.
    std::vector<std::vector<std::size_t>> changes_of_line;
};

// `left_out`: by change, whether it is no choice.
SwitchedText switched_text(const std::string& text, std::span<const explain::Change> changes,
                           const std::vector<bool>& left_out);

class SwitchedChanges {
public:
    // `budget`: of this one and of those for other changes. Error: host or kit.
    static Result<SwitchedChanges> build(const TrialBench& bench, const std::string& text,
                                         std::span<const explain::Change> changes, vgpu::Budget& budget);
    bool has(std::size_t change) const { return program_ && numbers_[change] != 0 && !budget_->is_spent(); }
    // False: the change is in the program, and with it one of `failed` fails as before.
    bool is_worth_compiling(std::size_t change, std::span<const CaseToRun> failed);
    // Warp instructions that a version may take on the failed shape of this index; 0: what the text takes is not known.
    std::uint64_t most_work(std::size_t index, const CaseToRun& failed);
    std::size_t tried() const { return tried_; }

private:
    SwitchedChanges(const TrialBench& bench, const std::string& text, vgpu::Budget& budget)
        : bench_(&bench), text_(&text), budget_(&budget) {}

    Result<std::unique_ptr<DeviceProgram>> version(std::size_t number) const;

    const TrialBench* bench_;
    const std::string* text_;
    vgpu::Budget* budget_;
    std::string ptx_;  // empty: no change is in it
    std::vector<std::size_t> numbers_;
    std::unique_ptr<DeviceProgram> program_;  // with no version's number
    std::map<std::string, std::string> launchers_;
    std::map<std::size_t, std::uint64_t> most_work_;  // of a version on the failed shape of this index
    std::size_t tried_ = 0;
};

}  // namespace warpgrade
