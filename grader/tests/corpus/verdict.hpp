// What the kit says of a submission in one word, from a StageResult: the gravest finding, or `right`.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/program.hpp"
#include "grade/stage_grader.hpp"

namespace warpgrade::corpus {

// From what explains most of what follows it to what explains least.
inline std::size_t rank_of(std::string_view code) {
    constexpr std::string_view gravest_first[] = {
        "ptx_syntax",         "undefined_function", "too_large",   "invalid_call",   "undefined_operand",
        "invalid_launch",     "host_dereference",   "trap",        "assertion",      "timeout",
        "out_of_bounds",      "misaligned",         "deadlock",    "write_to_input", "out_of_bounds_shared",
        "barrier_divergence", "inactive_lane",      "race_shared", "race_global",    "out_of_bounds_local",
        "uninitialized"};
    return static_cast<std::size_t>(std::find(std::begin(gravest_first), std::end(gravest_first), code) -
                                    std::begin(gravest_first));
}

// An index of 32 bits is looked at apart (tests/grade/overflow_interpreter_test.cpp): most of these programs are about
// something else.
inline bool is_serious(const Diagnostic& finding) {
    if (finding.code == "index_overflow" || finding.code == "narrow_count") return false;
    return finding.severity == Severity::error || finding.severity == Severity::warning;
}

inline std::string verdict_of(const StageResult& result) {
    if (!result.compiles) return "does_not_compile";
    const Diagnostic* gravest = nullptr;
    for (const Diagnostic& finding : result.findings) {
        if (!is_serious(finding)) continue;
        if (finding.code.starts_with("launcher_")) return "does_not_compile";
        if (gravest == nullptr || rank_of(finding.code) < rank_of(gravest->code)) gravest = &finding;
    }
    if (gravest != nullptr) return gravest->code;
    if (result.passes()) return "right";
    const bool is_correct = std::all_of(result.cases.begin(), result.cases.end(),
                                        [](const CaseResult& one) { return one.verdict == Verdict::pass; });
    return is_correct && !result.cases.empty() ? "wrong_technique" : "unexplained";
}

// Why the result does not say what the program's lines ask for; empty = it does.
inline std::string missing_from(const StageResult& result, const Program& program) {
    std::vector<int> named;
    bool is_said = program.says.empty();
    if (program.says == "rule") {
        for (const TechniqueResult& rule : result.technique)
            is_said = is_said || (!rule.ok && !rule.says.empty() && rule.rule.starts_with(program.detail + " "));
    } else if (program.says == "compiler") {
        for (const CompilerMessage& message : result.compiler_messages) {
            if (message.severity != Severity::error) continue;
            is_said = true;
            named.push_back(message.line);
        }
    } else {
        for (const Diagnostic& finding : result.findings) {
            if (finding.code != program.says || !is_serious(finding)) continue;
            is_said = is_said || program.detail.empty();
            // The words of a finding are those of the first case judged so.
            for (const CaseResult& one : result.cases)
                is_said = is_said || (one.judgement && one.judgement->pattern == program.detail &&
                                      one.judgement->title == finding.title);
            for (const SourceMark& mark : finding.marks) named.push_back(mark.line);
        }
    }
    if (!is_said) return "nothing says `" + program.says + (program.detail.empty() ? "" : " " + program.detail) + "`";
    for (const int line : program.arrows)
        if (std::find(named.begin(), named.end(), line) == named.end())
            return "line " + std::to_string(line) + " is not named";
    return {};
}

}  // namespace warpgrade::corpus
