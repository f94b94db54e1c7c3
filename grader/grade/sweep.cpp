#include "grade/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/make_diagnostic.hpp"
#include "course/source_text.hpp"
#include "explain/say.hpp"
#include "explain/wording.hpp"
#include "problem/known_mistake.hpp"
#include "source/questions.hpp"

namespace warpgrade {

namespace {

// The number is computed from the other one.
bool is_made_of(const source::Facts& facts, const source::Constant& constant, std::string_view other) {
    const auto names = names_in(*facts.tree, constant.value);
    return std::ranges::any_of(names, [&](std::string_view name) {
        const source::Constant* const named = constant_named(facts, name);
        return name == other || (named && named->at.line < constant.at.line && is_made_of(facts, *named, other));
    });
}

// "`TILE` (line 11), `ROWS` (line 12)": names in a line that are the same number whatever THREADS is.
std::string numbers_in(std::string_view line, const std::string& source) {
    source::Reading reading;
    const source::Facts& facts = reading.of(source);
    std::string text;
    for (const auto& [name, number] : facts.numbers)
        if (const source::Constant* one = constant_named(facts, name);
            one && name != "THREADS" && !is_made_of(facts, *one, "THREADS") && column_of(line, name) != 0)
            text += fmt::format("{}`{}` (line {})", text.empty() ? "" : ", ", name, one->at.line);
    return text;
}

}  // namespace

Diagnostic failed_variant(const CompileOutput& compiled, const std::string& variant, const std::string& path,
                          const std::string& source) {
    Diagnostic diagnostic = make_error(Blame::learner, "variant_does_not_compile", say("file_does_compile_every"));
    SourceMark mark;
    mark.path = path;
    for (const CompilerMessage& message : compiled.messages) {
        if (message.severity != Severity::error) continue;
        mark.line = message.line;
        mark.label = message.message.substr(0, message.message.find('\n'));
        break;
    }
    diagnostic.marks.push_back(mark);
    diagnostic.facts.push_back("compiled with -D" + variant);
    if (const std::string numbers = numbers_in(line_of(source, mark.line), source); !numbers.empty())
        diagnostic.facts.push_back("the same whatever THREADS is: " + numbers);
    diagnostic.help = say("everything_depends_size_block");
    return diagnostic;
}

void judge_block_size(CaseOutcome& outcome, int threads, const std::string& path, const std::string& source) {
    const auto launches = launches_of(outcome.run.plan);
    if (!outcome.passed() || launches.empty()) return;
    const LaunchInfo& first = launches.front();
    if (first.block.count() == static_cast<std::uint64_t>(threads)) return;
    Judgement judgement;
    judgement.code = "wrong_output";
    judgement.pattern = name_of(KnownMistake::block_size_fixed);
    judgement.title = say("size_block_does_follow");
    judgement.facts = {say("compiled_dthreads_launched_threads", threads, first.kernel, first.block.count())};
    source::Reading reading;
    const source::Constant* const set = constant_named(reading.of(source), "THREADS");
    const bool is_set_anyway = set != nullptr && source.find("ifndef THREADS") == std::string::npos;
    judgement.help =
        is_set_anyway ? say("line_sets_threads_whatever", set->at.line) : say("compute_block_threads_stub");
    outcome.result.verdict = Verdict::wrong;
    outcome.result.detail = judgement.facts.front();
    outcome.wrong = describe(judgement, path, outcome.prepared);
    SourceMark& mark = outcome.wrong->marks.front();
    if (is_set_anyway) {
        mark = mark_of_line(set->at.line, path, source, "");
    } else {
        mark.line = first.line;
    }
    if (const auto at = line_of(source, first.line).find("<<<"); at != std::string_view::npos && !is_set_anyway) {
        mark.column = static_cast<int>(at) + 1;
        mark.length = 3;
    }
    outcome.result.judgement = std::move(judgement);
}

}  // namespace warpgrade
