#include "problem/described_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/parallel.hpp"
#include "problem/compared_output.hpp"
#include "problem/gathered.hpp"
#include "problem/known_mistake.hpp"
#include "problem/moves_diagnosis.hpp"
#include "problem/pattern.hpp"
#include "problem/sum_diagnosis.hpp"
#include "problem/words.hpp"

namespace warpgrade {

namespace {

// What looking for named mistakes may cost, in elements that functions of problem.cu go over: a tenth of a second. A
// check has small shapes as well, and one that is recognised there names what is wrong with the large ones.
constexpr std::uint64_t most_work = 1'500'000;
constexpr std::uint64_t worth_threads = std::uint64_t{1} << 18;  // bytes of a case

std::string with_try(std::string text, int tried) {
    const std::string mark = "{try}", number = std::to_string(tried);
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += number.size())
        text.replace(at, mark.size(), number);
    return text;
}

class Diagnosis : ComparedOutput {
public:
    Diagnosis(const ProblemDescription& description, Oracle& oracle, DeviceProgram& device_program, const Case& of,
              const KnownCase& due_case)
        : ComparedOutput(description, device_program, of, due_case), oracle_(oracle) {}

    Result<Judgement> judge() {
        auto judgement = judge_plainly();
        if (judgement) put_words(problem, *judgement);
        return judgement;
    }

private:
    Result<Judgement> judge_plainly() {
        for (std::size_t b = 0; b < problem.buffers.size() && problem.buffers[b].role == BufferRole::in; ++b)
            if (auto changed = changed_input(b)) return std::move(*changed);
        if (problem.reference == ReferenceForm::sum) return sum();
        Judgement right;
        right.is_right = true;
        const bool is_same = out.size() == known.expected.size() &&
                             (out.empty() || std::memcmp(out.data(), known.expected.data(), out.size()) == 0);
        const bool is_written = program.is_written(prepared.buffers.back(), 0, out.size());
        if (is_same && is_written) return right;
        if (problem.reference == ReferenceForm::moves && layout().extents.size() == 2)
            return prepared.is_told ? moved() : wrong_output({}, {}, {});
        auto flags = oracle_.wrong(prepared.shape, known, out);
        if (!flags) return flags.error();
        for (std::size_t i = 0; i < flags->size(); ++i)
            if ((*flags)[i] != 0 || (!is_written && !written(i))) wrong.push_back(i);
        if (wrong.empty()) return right;
        if (!prepared.is_told) return wrong_output({}, {}, {});
        if (auto missing = judge_unwritten(*this)) return std::move(*missing);
        auto named = named_mistake();
        if (!named) return named;
        if (!named->code.empty()) return with_facts(*this, std::move(*named));
        if (auto stale = left_by_previous(); !stale || !stale->code.empty())
            return stale ? Result<Judgement>(with_facts(*this, std::move(*stale))) : stale;
        Judgement judgement = general_look(*this);
        const auto matrices = gathered();
        if (!matrices && !judgement.is_recognised)
            if (auto exchanged = exchanged_lines(*this)) judgement = std::move(*exchanged);
        if (!matrices || judgement.is_recognised) return with_facts(*this, std::move(judgement));
        if (auto weights = wrong_weights(*matrices, stored_wrong())) {
            judgement = wrong_output("wrong_weights", std::move(weights->title), std::move(weights->help));
            judgement.effect.is_around = weights->is_around;
            judgement.facts = std::move(weights->facts);
        } else {
            judgement.facts = neighbours_of(*matrices, wrong.front());
        }
        return with_facts(*this, std::move(judgement));
    }

    Judgement sum() const {
        const auto input_of = [&](std::int64_t n, std::uint64_t seed, const std::string& variant) {
            return SumInput(static_cast<std::uint64_t>(n), seed, contents_of(problem.input(), variant));
        };
        SumInput input = input_of(prepared.layout.front().elements(), prepared.seed, prepared.shape.contents);
        const auto made = program.bytes(prepared.buffers.front());  // which the run has not changed
        input.take_from({reinterpret_cast<const float*>(made.data()), made.size() / sizeof(float)});
        if (prepared.shape.previous.empty()) return judge_sum(problem, program, prepared, input, nullptr);
        const SumInput previous = input_of(prepared.shape.previous.front(), prepared.seed + 1, prepared.shape.contents);
        return judge_sum(problem, program, prepared, input, &previous);
    }

    Result<Judgement> moved() const {
        MovedOutput output;
        output.in_layout = prepared.layout.front();
        output.out_layout = layout();
        output.type = type;
        output.size = size;
        output.is_turned = problem.moves.front() == 1;
        output.in = known.inputs.empty() ? program.bytes(prepared.buffers.front()) : std::span(known.inputs.front());
        output.out = out;
        output.expected = known.expected;
        output.rules = problem.rules;
        output.scope = names_of_rules(problem);
        for (std::size_t e = 0; e < problem.extents.size(); ++e)
            output.scope.names[problem.extents[e]] = prepared.shape.extents[e];
        output.is_written = [&](std::uint64_t first, std::uint64_t number) {
            return program.is_written(prepared.buffers.back(), first * size, number * size);
        };
        if (prepared.shape.previous.empty()) return judge_moved(output);

        // Wrong elements that hold what the call before stored there: this one has not written them.
        const auto earlier = before();
        if (!earlier) return earlier.error();
        const std::vector<std::byte>& then = (*earlier)->expected;
        const auto is_left = [&](std::uint64_t i) {
            return (i + 1) * size <= then.size() && is_like(found(i), then.data() + i * size) &&
                   !is_like(found(i), due(i));
        };
        bool has_left = false;
        for (std::size_t i = 0; i < count() && !has_left; ++i) has_left = is_left(i);
        const auto is_written = output.is_written;
        output.is_written = [&](std::uint64_t first, std::uint64_t number) {
            if (!is_written(first, number)) return false;
            for (std::uint64_t i = first; has_left && i < first + number; ++i)
                if (is_left(i)) return false;
            return true;
        };
        Judgement judgement = judge_moved(output);
        if (judgement.pattern == KnownMistake::nothing_written && has_left) {
            judgement.pattern = name_of(KnownMistake::stale);
            judgement.title = "`{out}` holds the result of the call before: this call has written nothing";
            judgement.help = "every call has to do all of its work: nothing may be kept from the one before";
        } else if (has_left) {
            judgement.facts.push_back("what is not written still holds the result of the call before");
        }
        return judgement;
    }

    // An output of the input's size, made of neighbours.
    std::optional<Gathered> gathered() const {
        const BufferLayout& in = prepared.layout.front();
        if (problem.reference != ReferenceForm::gather || layout().extents.size() != 2 ||
            in.extents != layout().extents || type != "float" ||
            problem.element_type(problem.input(), prepared.shape.type) != "float")
            return std::nullopt;
        const auto floats = [&](std::span<const std::byte> bytes) {
            return std::span(reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float));
        };
        return Gathered{in.extents[0], in.extents[1], floats(known.inputs.front()), floats(out), floats(known.expected),
                        in.name,       layout().name};
    }
    std::vector<std::size_t> stored_wrong() const {
        std::vector<std::size_t> all;
        std::ranges::copy_if(wrong, std::back_inserter(all), [&](std::size_t i) { return written(i); });
        return all;
    }

    // What the call before should have left.
    Result<std::shared_ptr<const KnownCase>> before() const {
        Shape shape = prepared.shape;
        shape.extents = prepared.shape.previous;
        shape.previous.clear();
        return oracle_.known(shape, prepared.seed + 1, true);
    }

    std::optional<Judgement> changed_input(std::size_t b) const {
        const std::optional<std::uint64_t> at = first_changed(b);
        if (!at) return std::nullopt;
        const auto bytes_each =
            static_cast<std::uint64_t>(problem.element_bytes(problem.buffers[b], prepared.shape.type));
        Judgement judgement =
            wrong_output("input_changed", "the input was changed", "store only to " + stored_buffers());
        judgement.code = "write_to_input";
        judgement.facts = {
            fmt::format("{} is not what it was before the run", element_name(prepared.layout[b], *at / bytes_each))};
        return judgement;
    }

    // Of input `b`, a byte. Made anew piece by piece where nothing is kept of it.
    std::optional<std::uint64_t> first_changed(std::size_t b) const {
        const std::span<const std::byte> bytes = program.bytes(prepared.buffers[b]);
        const auto compared = [&](std::uint64_t first,
                                  std::span<const std::byte> held) -> std::optional<std::uint64_t> {
            const auto found = bytes.subspan(first, held.size());
            if (held.empty() || std::memcmp(held.data(), found.data(), held.size()) == 0) return std::nullopt;
            return first + static_cast<std::uint64_t>(std::mismatch(held.begin(), held.end(), found.begin()).first -
                                                      held.begin());
        };
        if (!known.inputs.empty()) return compared(0, known.inputs[b]);
        const auto values = values_of(problem, prepared.shape.extents, prepared.shape.type);
        constexpr std::size_t most_bytes = 64 << 10;
        std::vector<std::byte> piece(std::min(bytes.size(), most_bytes));
        const auto bytes_each =
            static_cast<std::uint64_t>(problem.element_bytes(problem.buffers[b], prepared.shape.type));
        for (std::uint64_t first = 0; first < bytes.size(); first += piece.size()) {
            const auto held = std::span(piece).first(std::min<std::size_t>(piece.size(), bytes.size() - first));
            if (values) fill_known(problem, *values, prepared.shape, prepared.seed, b, first / bytes_each, held);
            if (const auto at = compared(first, held)) return at;
        }
        return std::nullopt;
    }

    // "`out` and `scratch`"
    std::string stored_buffers() const {
        std::string text = fmt::format("`{}`", problem.output().name);
        for (const DescribedBuffer& buffer : problem.buffers)
            if (buffer.role == BufferRole::scratch) text += fmt::format(" and `{}`", buffer.name);
        return text;
    }

    // All of the output is what the mistake leaves: the wrong elements, and the others, which it has to leave right.
    Result<bool> is_left_by(std::span<const std::byte> left) const {
        if (!fits(left)) return false;
        const auto flags = oracle_.wrong(prepared.shape, known, left);
        if (!flags) return flags.error();
        std::size_t next = 0;
        for (std::size_t i = 0; i < count(); ++i) {
            const bool is_wrong = next < wrong.size() && wrong[next] == i;
            next += is_wrong ? 1 : 0;
            if (!is_wrong && (*flags)[i] != 0) return false;
        }
        return true;
    }

    // What one warp computes is looked at first: most mistakes do not fit there.
    Result<bool> leaves(std::size_t number, int tried) const {
        constexpr std::uint64_t of_warp = 32;
        if (problem.mistakes[number].form == ReferenceForm::gather) {
            const ElementRange some{wrong.front(), std::min<std::uint64_t>(of_warp, count() - wrong.front())};
            const auto left = oracle_.mistaken(prepared.shape, known, number, tried, some);
            if (!left) return is_not_known(left.error());
            for (const std::size_t i : wrong)
                if (i - some.first < some.count && !is_like(found(i), left->data() + (i - some.first) * size))
                    return false;
        }
        const auto left = oracle_.mistaken(prepared.shape, known, number, tried);
        return left ? is_left_by(*left) : is_not_known(left.error());
    }
    // What takes too long on this shape is not told of it.
    static Result<bool> is_not_known(const Diagnostic& error) {
        return error.code == reference_takes_too_long ? Result<bool>(false) : Result<bool>(error);
    }

    Result<Judgement> named_mistake() const {
        // One or two elements of a matrix fit a mistake by chance.
        if (wrong.size() < 3 && layout().extents.size() == 2) return Judgement{};
        // One element of many fits too much.
        if (problem.reference == ReferenceForm::sequential && wrong.size() == 1 && count() > 2) return Judgement{};
        const std::vector<MistakeToTry> all = mistakes_to_try();
        const unsigned threads = known.bytes() < worth_threads ? 1 : threads_for(all.size());
        for (std::size_t first = 0; first < all.size(); first += threads) {
            std::vector<std::optional<Result<bool>>> fits(std::min<std::size_t>(threads, all.size() - first));
            for_each_in_parallel(fits.size(), threads, [&](std::size_t i) {
                const auto& [number, tried] = all[first + i];
                fits[i] = leaves(number, tried);
            });
            for (std::size_t i = 0; i < fits.size(); ++i) {
                if (!*fits[i]) return fits[i]->error();
                if (**fits[i]) return told_of(all[first + i]);
            }
        }
        return Judgement{};
    }

    struct MistakeToTry {
        std::size_t number = 0;
        int tried = 0;
    };
    // In their order, as many as there is time for.
    std::vector<MistakeToTry> mistakes_to_try() const {
        const std::uint64_t elements = std::max<std::uint64_t>(known.bytes() / 4, 1);
        std::vector<MistakeToTry> all;
        std::uint64_t work = 0;
        for (std::size_t m = 0; m < problem.mistakes.size(); ++m) {
            const DescribedMistake& mistake = problem.mistakes[m];
            // One lane of 32 works.
            const std::uint64_t each = mistake.form == ReferenceForm::sequential ? elements : elements / 16 + 1;
            for (const int tried : mistake.tries.empty() ? std::vector<int>{0} : mistake.tries) {
                if ((work += each) > most_work) return all;
                all.push_back({m, tried});
            }
        }
        return all;
    }

    Judgement told_of(const MistakeToTry& one) const {
        const DescribedMistake& mistake = problem.mistakes[one.number];
        Judgement told =
            wrong_output(mistake.name, with_try(mistake.title, one.tried), with_try(mistake.help, one.tried));
        told.place = mistake.place;
        if (mistake.place == MistakePlace::end)
            told.effect.left_out = static_cast<std::uint64_t>(std::max(one.tried, 1));
        return told;
    }

    Result<Judgement> left_by_previous() const {
        if (prepared.shape.previous.empty()) return Judgement{};
        const auto earlier = before();
        if (!earlier) return earlier.error();
        if ((*earlier)->expected.size() != out.size() || !fits((*earlier)->expected)) return Judgement{};
        return wrong_output("stale", fmt::format("`{}` holds what the call before has left", problem.output().name),
                            "every call has to do all of its work: nothing may be kept from the one before");
    }

    Oracle& oracle_;
};

}  // namespace

Result<Judgement> judge_described(const ProblemDescription& problem, Oracle& oracle, DeviceProgram& program,
                                  const Case& prepared, const KnownCase& known) {
    return Diagnosis(problem, oracle, program, prepared, known).judge();
}

}  // namespace warpgrade
