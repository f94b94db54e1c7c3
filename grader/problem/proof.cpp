#include "problem/proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <optional>

#include "base/make_diagnostic.hpp"
#include "problem/host_program.hpp"
#include "problem/pattern.hpp"

namespace warpgrade {

namespace {

constexpr std::uint64_t most_elements = 100'000;
constexpr std::size_t most_shapes = 8, least_elements = 3;

using Bytes = std::vector<std::byte>;

struct Mutant {
    const char* name;
    const char* what;  // "an output of zeros"
    bool must_differ;  // on some shape, or the shapes and contents are too tame
    // From the expected output, elements of `size` bytes; nothing: there is none.
    std::function<std::optional<Bytes>(const Bytes& expected, std::size_t size)> make;
};

// As a float of 11 bits of mantissa would keep it.
std::optional<Bytes> in_half_precision(const Bytes& expected, std::size_t size) {
    Bytes bytes = expected;
    for (std::size_t i = 0; i + 4 <= bytes.size() && size == 4; i += 4) {
        std::uint32_t word;
        std::memcpy(&word, bytes.data() + i, 4);
        word &= ~0x1FFFu;
        std::memcpy(bytes.data() + i, &word, 4);
    }
    return bytes;
}

const std::vector<Mutant>& mutants() {
    static const std::vector<Mutant> all{
        {"zeros", "an output of zeros", true,
         [](const Bytes& e, std::size_t) { return std::optional(Bytes(e.size())); }},
        {"ones", "an output of set bits (NaN, -1)", true,
         [](const Bytes& e, std::size_t) { return std::optional(Bytes(e.size(), std::byte{0xFF})); }},
        {"shifted", "the right elements one place further", false,
         [](const Bytes& e, std::size_t size) -> std::optional<Bytes> {
             if (e.size() < 2 * size) return std::nullopt;
             Bytes bytes(e.end() - static_cast<std::ptrdiff_t>(size), e.end());
             bytes.insert(bytes.end(), e.begin(), e.end() - static_cast<std::ptrdiff_t>(size));
             return bytes;
         }},
        {"last", "a last element that is wrong", true,
         [](const Bytes& e, std::size_t size) -> std::optional<Bytes> {
             Bytes bytes = e;
             for (std::size_t i = e.size() - size; i < e.size(); ++i) bytes[i] ^= std::byte{0x55};
             return bytes;
         }},
        {"middle", "one element in the middle that is wrong", true,
         [](const Bytes& e, std::size_t size) -> std::optional<Bytes> {
             Bytes bytes = e;
             const std::size_t at = e.size() / size / 2 * size;
             for (std::size_t i = at; i < at + size; ++i) bytes[i] ^= std::byte{0x55};
             return bytes;
         }},
    };
    return all;
}

class Prover {
public:
    Prover(const Problem& problem, std::uint64_t seed)
        : problem_(problem),
          text_(problem.description()),
          seed_(seed),
          size_(static_cast<std::size_t>(text_.element_bytes(text_.output(), "float"))) {}

    Proof prove() {
        for (const Shape& shape : chosen())
            if (!on(shape)) return std::move(proof_);
        const auto report = [&](const std::string& title, const std::string& help) {
            course(title, text_.toml_path, {}, help);
        };
        for (const Mutant& mutant : mutants())
            if (mutant.must_differ && !differs_[mutant.name])
                report(fmt::format("on no shape is {} wrong", mutant.what),
                       "choose other contents: the expected output is too tame");
        if (!differs_["stale"])
            report("two seeds give the same output: a stored answer passes", "let the contents depend on the seed");
        for (const DescribedMistake& mistake : text_.mistakes)
            if (!differs_["mistake " + mistake.name])
                course(fmt::format("the mistake `{}` leaves what is right, on all shapes", mistake.name),
                       text_.toml_path, {},
                       "look at its function in problem.cu; or add a shape that shows it to `check`", mistake.line);
            else if (!is_told_[mistake.name])
                course(fmt::format("the mistake `{}` is taken for `{}`", mistake.name, taken_for_[mistake.name]),
                       text_.toml_path, {},
                       is_mistake(taken_for_[mistake.name])
                           ? "put the more special one first"
                           : "the function leaves what the kit has a word for by itself: take the mistake out",
                       mistake.line);
        return std::move(proof_);
    }

private:
    bool is_mistake(const std::string& name) const {
        return std::ranges::any_of(text_.mistakes, [&](const DescribedMistake& each) { return each.name == name; });
    }

    // Those with elements enough to tell outputs apart, quick ones. An output that has fewer on every shape has what it
    // has.
    std::vector<Shape> chosen() const {
        std::vector<Shape> all;
        const auto shapes = problem_.shapes(seed_, {});
        std::uint64_t least = 1;
        for (const Shape& shape : shapes) least = std::max<std::uint64_t>(least, problem_.buffers(shape).back().bytes);
        least = std::min<std::uint64_t>(least, least_elements * size_);
        for (Shape shape : shapes) {
            const auto bytes = problem_.buffers(shape).back().bytes;
            if (!shape.previous.empty() || shape.base_offset_bytes != 0 || problem_.elements(shape) > most_elements ||
                problem_.elements(shape) < least_elements || bytes < least)
                continue;
            all.push_back(std::move(shape));
            if (all.size() == most_shapes) break;
        }
        if (all.empty()) all.push_back(problem_.technique_shape());
        return all;
    }

    void course(std::string title, const std::string& path, std::vector<std::string> facts, std::string help,
                int line = 0) {
        proof_.problems.push_back(make_error(Blame::course, "problem_not_proved", std::move(title),
                                             {{path, line, 0, 1, ""}}, std::move(facts), std::move(help)));
    }

    // What is said of an output. `written`: bytes of it that count as stored; `changes_input`: an input is not as it
    // was.
    std::optional<Judgement> judged(const Shape& shape, std::uint64_t seed, const Bytes& output, std::size_t written,
                                    bool changes_input = false) {
        HostProgram program;
        auto prepared = problem_.prepare(program, shape, seed);
        if (!prepared) return failed(prepared.error());
        program.store(prepared->buffers.back(), 0, std::span(output).first(written));
        if (changes_input && !program.bytes(prepared->buffers.front()).empty())
            program.bytes(prepared->buffers.front()).back() ^= std::byte{1};
        auto judgement = problem_.judge(program, *prepared);
        if (!judgement) return failed(judgement.error());
        ++proof_.mutants;
        return std::move(*judgement);
    }
    std::optional<Judgement> failed(const Diagnostic& why) {
        proof_.problems.push_back(why);
        return std::nullopt;
    }

    void must_fail(const std::optional<Judgement>& judgement, const Shape& shape, const std::string& what) {
        if (judgement && judgement->is_right)
            course(fmt::format("{} passes on {}", what, describe_case(shape)), text_.toml_path, {},
                   "look at `compare`, and at the extents of the output");
    }

    // False: nothing more can be told.
    bool on(const Shape& shape) {
        const std::uint64_t seed = hash_of(seed_, 0x9120);
        const auto known = problem_.oracle().known(shape, seed, true),
                   other = problem_.oracle().known(shape, seed + 1, true);
        if (!known || !other) return failed(known ? other.error() : known.error()).has_value();
        const Bytes& expected = (*known)->expected;
        const auto right = judged(shape, seed, expected, expected.size());
        if (!right) return false;
        if (!right->is_right) {
            course(fmt::format("the reference itself does not pass on {}", describe_case(shape)), text_.cuda_path,
                   right->facts, "does it read what it writes, or depend on the order of threads?");
            return false;
        }
        if (!card(shape, seed, **known, expected, true, "the reference")) return false;
        must_fail(judged(shape, seed, expected, 0), shape, "an output that was not written");
        must_fail(judged(shape, seed, expected, expected.size() - size_), shape,
                  "an output whose last element was not written");
        must_fail(judged(shape, seed, expected, expected.size(), true), shape, "a program that changes its input");
        for (const Mutant& mutant : mutants()) {
            const auto output = mutant.make(expected, size_);
            if (!output || !is_other(shape, **known, *output)) continue;
            differs_[mutant.name] = true;
            must_fail(judged(shape, seed, *output, output->size()), shape, mutant.what);
            if (!card(shape, seed, **known, *output, false, mutant.what)) return false;
        }
        if (is_other(shape, **known, (*other)->expected)) {
            differs_["stale"] = true;
            must_fail(judged(shape, seed, (*other)->expected, expected.size()), shape, "the output for other contents");
        }
        if (text_.element_type(text_.output(), "float") == "float")
            if (const auto half = in_half_precision(expected, size_); half && is_other(shape, **known, *half))
                must_fail(judged(shape, seed, *half, half->size()), shape, "an output in half precision");
        return mistakes(shape, seed, **known);
    }

    // Bitwise: another output that the comparison takes for right all the same is no mutant.
    bool is_other(const Shape& shape, const KnownCase& known, const Bytes& output) {
        if (output == known.expected) return false;
        const auto wrong = problem_.oracle().wrong(shape, known, output);
        return !wrong || std::ranges::find(*wrong, 1) != wrong->end();
    }

    bool card(const Shape& shape, std::uint64_t seed, const KnownCase& known, const Bytes& output, bool is_right,
              const std::string& what) {
        const auto passes = problem_.oracle().passes_card_check(shape, seed, known, output);
        if (!passes) return failed(passes.error()).has_value();
        if (*passes != is_right)
            course(fmt::format("the check on a card lets {} {} on {}", what, is_right ? "fail" : "pass",
                               describe_case(shape)),
                   text_.cuda_path, {}, "look at `card_check`: it is asked of every element");
        return true;
    }

    bool mistakes(const Shape& shape, std::uint64_t seed, const KnownCase& known) {
        for (std::size_t m = 0; m < text_.mistakes.size(); ++m) {
            const DescribedMistake& mistake = text_.mistakes[m];
            for (const int tried : mistake.tries.empty() ? std::vector<int>{0} : mistake.tries) {
                const auto left = problem_.oracle().mistaken(shape, known, m, tried);
                if (!left) return failed(left.error()).has_value();
                if (!is_other(shape, known, *left)) continue;
                differs_["mistake " + mistake.name] = true;
                const auto judgement = judged(shape, seed, *left, left->size());
                if (!judgement) return false;
                must_fail(judgement, shape, "the mistake " + mistake.name);
                // On some shapes two of them may leave the same.
                if (judgement->pattern == mistake.name)
                    is_told_[mistake.name] = true;
                else
                    taken_for_[mistake.name] = judgement->pattern;
                break;
            }
        }
        return true;
    }

    const Problem& problem_;
    const ProblemDescription& text_;
    std::uint64_t seed_;
    std::size_t size_;
    Proof proof_;
    std::map<std::string, bool> differs_;
    std::map<std::string, bool> is_told_;  // mistakes that were recognised
    std::map<std::string, std::string> taken_for_;
};

}  // namespace

Proof prove(const Problem& problem, std::uint64_t seed) { return Prover(problem, seed).prove(); }

}  // namespace warpgrade
