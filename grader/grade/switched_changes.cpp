#include "grade/switched_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/confined.hpp"
#include "base/text.hpp"
#include "build/launcher.hpp"

namespace warpgrade {

namespace {

constexpr std::uint32_t any_number = 1999888777;                          // in the PTX, where a version's number goes
constexpr std::uint64_t work_of_small = 6'000'000, work_of_element = 40;  // warp instructions, on a shape that failed
constexpr std::uint64_t work_for_any = 500'000, times_the_work = 8;       // and of what the text as it is takes there

// A choice has the type of the expression, whatever the changes of it have: one that would be another type is none. A
// number as wide or narrower than the expression is taken for its type. Nothing of the C++ library is known here.
std::string declaration() {
    return fmt::format(
        "__device__ __forceinline__ unsigned warpgrade_version() {{ unsigned number; asm(\"mov.u32 %0, {};\" : "
        "\"=r\"(number)); return number; }} "
        "template <class T> __device__ T warpgrade_value(T); "
        "template <class T> struct warpgrade_as {{ "
        "static __device__ __forceinline__ T of(T value, int) {{ return value; }} "
        "template <class U, class V = T, int = sizeof(char[sizeof(U) <= sizeof(V) && static_cast<V>(0.5) == 0 && "
        "static_cast<U>(0.5) == 0 ? 1 : -1])> "
        "static __device__ __forceinline__ T of(U value, int) {{ return static_cast<T>(value); }} "
        "template <class U> static __device__ T of(U, long) = delete; }};\n",
        any_number);
}

bool is_in(const source::Range& inner, const source::Range& outer) {
    return outer.offset <= inner.offset && inner.end() <= outer.end();
}

std::string with_number(std::string ptx, std::size_t number) {
    const std::string any = std::to_string(any_number), text = std::to_string(number);
    for (std::size_t at = 0; (at = ptx.find(any, at)) != std::string::npos; at += text.size())
        ptx.replace(at, any.size(), text);
    return ptx;
}

Result<CompileOutput> compiled(const TrialBench& bench, const std::string& text) {
    CompileRequest request = trial_request(bench);
    request.source = text;
    if (bench.stage.is_template())
        for (const std::string& type : bench.stage.types) request.source += "\n" + bench.problem.instantiation(type);
    return compile(request);
}

// An expression within another one that is replaced, too, is replaced with that.
std::vector<source::Range> outermost(std::span<const explain::Change> changes, auto&& fits) {
    std::vector<source::Range> outer;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const source::Range& choice = changes[i].choice;
        if (!fits(i) || std::ranges::any_of(outer, [&](const auto& range) { return is_in(choice, range); })) continue;
        std::erase_if(outer, [&](const auto& range) { return is_in(range, choice); });
        outer.push_back(choice);
    }
    std::ranges::sort(outer, {}, &source::Range::offset);
    return outer;
}

// Where the text ends so far.
void note_line(const std::vector<std::size_t>& changes, SwitchedText& out) {
    const auto line = static_cast<std::size_t>(std::ranges::count(out.text, '\n'));
    if (out.changes_of_line.size() <= line) out.changes_of_line.resize(line + 1);
    auto& known = out.changes_of_line[line];
    known.insert(known.end(), changes.begin(), changes.end());
}

}  // namespace

SwitchedText switched_text(const std::string& text, std::span<const explain::Change> changes,
                           const std::vector<bool>& left_out) {
    SwitchedText out;
    out.numbers.assign(changes.size(), 0);
    const auto fits = [&](std::size_t i) { return changes[i].choice.length != 0 && !left_out[i]; };
    const std::vector<source::Range> outer = outermost(changes, fits);
    out.text = declaration();
    std::size_t from = 0, number = 0;
    for (const source::Range& range : outer) {
        const std::string old = text.substr(range.offset, range.length);
        std::vector<std::size_t> own;
        for (std::size_t i = 0; i < changes.size(); ++i)
            if (fits(i) && is_in(changes[i].choice, range)) own.push_back(i);
        out.text += text.substr(from, range.offset - from);
        // The numbers of one expression follow each other, so that one comparison passes it by.
        out.text += fmt::format("(warpgrade_version() - {}u >= {}u ? ({}) :", number + 1, own.size(), old);
        note_line(own, out);
        for (const std::size_t i : own) {
            std::string changed = old;
            changed.replace(changes[i].choice.offset - range.offset, changes[i].choice.length, changes[i].choice_after);
            out.numbers[i] = ++number;
            out.text += fmt::format(
                "\nwarpgrade_version() == {} ? warpgrade_as<decltype(warpgrade_value({}))>::of({}, 0) :", number, old,
                changed);
            note_line({i}, out);
        }
        out.text += fmt::format("\n({}))", old);
        from = range.end();
    }
    out.text += text.substr(from);
    return out;
}

Result<SwitchedChanges> SwitchedChanges::build(const TrialBench& bench, const std::string& text,
                                               std::span<const explain::Change> changes, vgpu::Budget& budget) {
    SwitchedChanges built(bench, text, budget);
    built.numbers_.assign(changes.size(), 0);
    std::vector<bool> left_out(changes.size());
    constexpr int most_tries = 3;
    for (int tries = 0; tries < most_tries; ++tries) {
        SwitchedText switched = switched_text(text, changes, left_out);
        if (std::ranges::count(switched.numbers, std::size_t{0}) + 2 > std::ssize(changes)) return built;
        auto output = compiled(bench, switched.text);
        if (!output && output.error().blame != Blame::learner) return output.error();
        if (!output) return built;
        if (output->ok) {
            const auto functions = function_names(output->ptx);
            if (!functions) return built;
            for (const std::string& type : bench.stage.types) {
                auto launcher = find_launcher(*functions, bench.problem, type, bench.path, text);
                if (!launcher) return built;
                built.launchers_[type] = std::move(*launcher);
            }
            auto program = bench.device.load(output->ptx, bench.path);
            if (!program) return built;
            built.program_ = std::move(*program);
            built.ptx_ = std::move(output->ptx);
            built.numbers_ = std::move(switched.numbers);
            return built;
        }
        bool is_known = false;
        for (const CompilerMessage& message : output->messages) {
            const auto line = static_cast<std::size_t>(message.line - 1);
            if (message.severity != Severity::error || message.path != bench.path ||
                line >= switched.changes_of_line.size())
                continue;
            for (const std::size_t change : switched.changes_of_line[line]) is_known = left_out[change] = true;
        }
        if (!is_known) return built;
    }
    return built;
}

Result<std::unique_ptr<DeviceProgram>> SwitchedChanges::version(std::size_t number) const {
    if (auto same = program_->with_number(any_number, number)) return same;
    return bench_->device.load(with_number(ptx_, number), bench_->path);
}

// A version that never ends takes no more than some that do.
std::uint64_t SwitchedChanges::most_work(std::size_t index, const CaseToRun& failed) {
    if (program_ == nullptr) return 0;
    const std::uint64_t most = work_of_small + work_of_element * bench_->problem.elements(failed.shape);
    const auto [known, is_new] = most_work_.try_emplace(index, most);
    const auto as_it_is = is_new ? version(0) : Result<std::unique_ptr<DeviceProgram>>(nullptr);
    if (!as_it_is || *as_it_is == nullptr) return known->second;
    CaseOptions options = failed.options;
    options.most_warp_instructions = most;
    const std::uint64_t before = budget_->spent();
    run_trial(*bench_, {**as_it_is, launchers_, *text_}, failed, options, *budget_);
    known->second = std::min(most, work_for_any + times_the_work * (budget_->spent() - before));
    return known->second;
}

bool SwitchedChanges::is_worth_compiling(std::size_t change, std::span<const CaseToRun> failed) {
    if (!has(change) || work_time_is_over()) return true;
    const auto program = version(numbers_[change]);
    if (!program) return true;
    ++tried_;
    for (std::size_t i = 0; i < failed.size(); ++i) {
        CaseOptions options = failed[i].options;
        options.most_warp_instructions = most_work(i, failed[i]);
        const auto outcome = run_trial(*bench_, {**program, launchers_, *text_}, failed[i], options, *budget_);
        if (outcome && !outcome->passed()) return false;
    }
    return true;
}

}  // namespace warpgrade
