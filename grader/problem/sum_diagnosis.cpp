#include "problem/sum_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <vector>

namespace warpgrade {

namespace {

struct Mistake {
    std::string pattern, title, fact, help;
    std::map<std::string, std::string> values{};
};

std::string plural(std::uint64_t count, const char* thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

// Which subset of the elements has this sum? Only subsets that a mistake leaves are asked: whole numbers collide.
class Suspects {
public:
    Suspects(double found, const SumInput& input, const Case& prepared, std::span<const std::byte> scratch)
        : found_(found), input_(input), total_(input.sum()), scratch_(scratch) {
        if (!prepared.observed.launches.empty()) {
            threads_ = prepared.observed.launches.front().threads_per_block;
            blocks_ = prepared.observed.launches.front().blocks;
            launches_ = prepared.observed.launches.size();
        }
        prefix_.reserve(input.n() + 1);
        prefix_.push_back(0);
        for (std::uint64_t i = 0; i < input.n(); ++i)
            prefix_.push_back(prefix_.back() + static_cast<double>(input.element(i)));
        // What a block covers: one or several elements a thread.
        for (const std::uint64_t factor : {1, 2, 4, 8})
            if (threads_ != 0) chunks_.push_back(factor * threads_);
    }

    std::optional<Mistake> find() const {
        if (n() > 1 && found_ == between(0, 1))
            return Mistake{"nothing_added", "nothing was added: {out}[0] is {in}[0]", "",
                           "the loop that adds the elements of a block is missing or never runs"};
        if (auto mistake = multiple()) return mistake;
        if (auto mistake = one_block()) return mistake;
        if (auto mistake = gaps()) return mistake;
        if (auto mistake = grid_too_small()) return mistake;
        if (auto mistake = lost_blocks()) return mistake;
        if (auto mistake = part_of_each_block()) return mistake;
        if (auto mistake = overlap()) return mistake;
        return tail();
    }

private:
    std::uint64_t n() const { return input_.n(); }
    double between(std::uint64_t first, std::uint64_t last) const {
        return prefix_[std::min(last, n())] - prefix_[std::min(first, n())];
    }

    std::optional<Mistake> multiple() const {
        if (found_ == 0)
            return Mistake{"zero", "the sum is zero", "",
                           "which value is stored to {out}[0], and is it the one the additions were made in?"};
        if (found_ == 2 * total_)
            return Mistake{"doubled", "every element is counted twice", "the result is twice the sum",
                           "a block that covers two elements a thread needs half as many blocks; or are two threads "
                           "adding the same pair?"};
        const double factor = total_ > 0 ? found_ / total_ : 0;
        if (factor < 3 || factor != std::floor(factor)) return std::nullopt;
        return Mistake{"multiplied", fmt::format("every element is counted {:.0f} times", factor), "",
                       factor == static_cast<double>(threads_)
                           ? "all threads of a block add the block's sum: let one of them do it"
                       : factor == static_cast<double>(blocks_)
                           ? "as often as there are blocks: is blockIdx.x missing in the index of the load, so that "
                             "each of them adds the same?"
                       : factor == 32 ? "all lanes of a warp add the warp's sum: let one of them do it"
                                      : "let only one thread of the block or warp add the block's sum"};
    }

    std::optional<Mistake> one_block() const {
        if (blocks_ > 1 && threads_ != 0 && threads_ < n() &&
            found_ == static_cast<double>(blocks_) * between(0, threads_))
            return Mistake{"first_block_repeated",
                           fmt::format("each of the {} blocks adds the first {} elements", blocks_, threads_), "",
                           "blockIdx.x is missing in the index of the load"};
        if (launches_ > 1) return std::nullopt;
        for (const std::uint64_t chunk : chunks_) {
            if (chunk >= n()) break;
            // The one block that there is, or one of several that does not end where the input does.
            if (found_ == between(0, chunk) && blocks_ > 1 && (blocks_ - 1) * chunk < n())
                return Mistake{"only_first_block",
                               "{out}[0] holds the first block's sum: the partial sums are not combined",
                               fmt::format("it is the sum of the first {} elements", chunk),
                               "store each block's sum to {scratch} and add those in another launch"};
            for (std::uint64_t first = chunk; first < n() && blocks_ > 1; first += chunk)
                if (found_ == between(first, first + chunk) && (first + chunk >= n() || n() / chunk <= 64))
                    return Mistake{
                        "only_one_block",
                        fmt::format("{{out}}[0] holds one block's sum, that of block {}", first / chunk),
                        fmt::format("it is the sum of elements {} to {}", first, std::min(first + chunk, n()) - 1),
                        "every block stores to {out}[0], and the last one wins: store to {scratch}[blockIdx.x] and add "
                        "those in another launch"};
        }
        return std::nullopt;
    }

    // Sum of those elements whose index modulo `period` is in [first, last).
    double residues(std::uint64_t period, std::uint64_t first, std::uint64_t last) const {
        double sum = 0;
        for (std::uint64_t start = 0; start < n(); start += period) sum += between(start + first, start + last);
        return sum;
    }

    std::optional<Mistake> part_of_each_block() const {
        if (threads_ == 0) return std::nullopt;
        if (n() > threads_) {
            if (found_ == residues(2 * threads_, 0, threads_))
                return Mistake{
                    "second_load_missing", "the second element of each thread is missing",
                    fmt::format("of every {} elements only the first {} are counted", 2 * threads_, threads_),
                    "add {in}[i + blockDim.x] as well, if it is inside"};
            if (found_ == residues(2 * threads_, threads_, 2 * threads_))
                return Mistake{"first_load_missing", "the first element of each thread is missing",
                               fmt::format("of every {} elements only the last {} are counted", 2 * threads_, threads_),
                               "start the thread's sum with {in}[i]"};
        }
        for (const std::uint64_t period : {threads_, 2 * threads_}) {
            for (std::uint64_t part = period / 2; part >= 1; part /= 2) {
                // Of fewer than twice as many it is as well the end that is missing.
                if (2 * part > n() || (part == threads_ && period == 2 * threads_)) continue;
                if (found_ == residues(period, 0, part))
                    return Mistake{"tree_incomplete",
                                   fmt::format("of every {} elements only the first {} counted", period,
                                               part == 1 ? "is" : fmt::format("{} are", part)),
                                   "",
                                   "which step of the tree adds the others? look at where s starts and where it ends, "
                                   "and for a missing __syncthreads()"};
            }
        }
        for (const std::uint64_t lanes : {16, 8, 4})
            if (n() > 32 && found_ == residues(32, 0, lanes))
                return Mistake{
                    "lanes_lost", fmt::format("of every 32 elements only the first {} are counted", lanes), "",
                    fmt::format(
                        "in the sum of a warp the values of lanes {} to 31 get lost: the first step has to take "
                        "in what is 16 lanes further on",
                        lanes)};
        if (n() > threads_ && found_ == residues(2 * threads_, 0, threads_) + residues(2 * threads_, 1, threads_ + 1))
            return Mistake{
                "second_load_beside", "the second load of each thread takes its neighbour's first element", "",
                fmt::format("the two elements of a thread stand {} apart, as many as a block has threads", threads_)};
        for (std::uint64_t step = 2; step <= 32 && step < n(); step *= 2) {
            double sum = 0;
            for (std::uint64_t i = 0; i < n(); i += step) sum += static_cast<double>(input_.element(i));
            if (found_ == sum)
                return Mistake{"every_other",
                               fmt::format("only every {}{} element is counted", step, step == 2 ? "nd" : "th"), "",
                               "which step of the tree adds the others? look at where s starts and where it ends"};
        }
        return std::nullopt;
    }

    // Blocks that begin a block's threads apart, and add more than one element a thread.
    std::optional<Mistake> overlap() const {
        if (threads_ == 0 || blocks_ < 2 || blocks_ * threads_ > 2 * n()) return std::nullopt;
        // blockIdx.x times the threads of a block, of a warp, the loads of a thread, or times nothing.
        for (const std::uint64_t apart : {threads_, std::uint64_t{32}, std::uint64_t{2}, std::uint64_t{1}})
            for (const std::uint64_t each : {1, 2, 4, 8}) {
                const std::uint64_t length = each * threads_;
                if (length <= apart || (apart != threads_ && n() <= length)) continue;
                double sum = 0;
                for (std::uint64_t b = 0; b < blocks_; ++b) sum += between(b * apart, b * apart + length);
                if (found_ == sum)
                    return Mistake{
                        "blocks_overlap",
                        fmt::format("blocks overlap: each adds {} elements, and begins {} after the one before", length,
                                    apart),
                        "",
                        fmt::format("let block b begin at element b * {}: blockIdx.x times all that a block adds",
                                    length)};
            }
        return std::nullopt;
    }

    // Blocks that would cover the input, and begin further apart than each adds.
    std::optional<Mistake> gaps() const {
        if (threads_ == 0 || blocks_ < 3) return std::nullopt;  // two look like one that is there
        for (const std::uint64_t each : {threads_, 2 * threads_}) {
            if (blocks_ * each < n() || (blocks_ - 1) * each >= n()) continue;
            for (const std::uint64_t apart : {2 * each, 4 * each}) {
                double sum = 0;
                for (std::uint64_t first = 0; first < n(); first += apart) sum += between(first, first + each);
                if (found_ == sum)
                    return Mistake{"blocks_apart",
                                   fmt::format("blocks leave gaps: each adds {} elements, and begins {} after the one "
                                               "before",
                                               each, apart),
                                   fmt::format("of every {} elements only the first {} are counted", apart, each),
                                   fmt::format("let block b begin at element b * {}: blockIdx.x times all that a block "
                                               "adds, and no more",
                                               each)};
            }
        }
        return std::nullopt;
    }

    std::optional<Mistake> tail() const {
        std::vector<std::uint64_t> units = chunks_;
        for (const std::uint64_t unit : {4, 2, 8, 16, 32}) units.push_back(unit);
        if (blocks_ != 0) units.push_back(blocks_ * threads_);
        for (const std::uint64_t unit : units) {
            const std::uint64_t kept = n() / unit * unit, rest = n() - kept;
            if (rest == 0 || kept == 0) continue;
            if (found_ == between(0, kept)) return lost_tail(rest);
            if (found_ == total_ + between(kept, n()))
                return Mistake{"tail_twice",
                               fmt::format("the last {} counted twice",
                                           rest == 1 ? "element is" : plural(rest, "element") + " are"),
                               fmt::format("whole pieces of {} end at element {}", unit, kept - 1),
                               "what handles the rest must start where the whole pieces end, and only one thread or "
                               "block may do it"};
        }
        for (std::uint64_t lost = 1; lost <= 8 && lost < n(); ++lost) {
            if (found_ == between(0, n() - lost)) return lost_tail(lost);
            if (found_ == between(lost, n()))
                return Mistake{
                    "head_missing",
                    fmt::format("the first {} missing", lost == 1 ? "element is" : plural(lost, "element") + " are"),
                    "", "does the index start at 0?"};
        }
        return std::nullopt;
    }

    Mistake lost_tail(std::uint64_t lost) const {
        std::map<std::string, std::string> values{{"last_left_out", std::to_string(lost)}};
        if (lost < 4 && lost == n() % 4) values["lost"] = std::to_string(lost);
        return {"tail_missing",
                fmt::format("the last {} missing", lost == 1 ? "element is" : plural(lost, "element") + " are"),
                fmt::format("it is the sum of the first {} elements of {}", n() - lost, n()),
                "is there a thread for each of them, and does its guard let it in? each load on its own: i < n",
                std::move(values)};
    }

    // All that the blocks of the first launch cover, and it is not all there is.
    std::optional<Mistake> grid_too_small() const {
        for (const std::uint64_t chunk : chunks_) {
            const std::uint64_t kept = blocks_ * chunk;
            if (kept >= n() || found_ != between(0, kept)) continue;
            return Mistake{
                "grid_too_small",
                fmt::format("the last {} missing: no block has {}",
                            n() - kept == 1 ? "element is" : plural(n() - kept, "element") + " are",
                            n() - kept == 1 ? "it" : "them"),
                fmt::format("it is the sum of the first {} elements of {}: {} of {}", kept, n(),
                            plural(blocks_, "block"), chunk),
                n() - kept < chunk
                    ? fmt::format("round the number of blocks up: (n - 1) / {} + 1, where a block sums {}", chunk,
                                  chunk)
                    : fmt::format(
                          "where a block sums {}, (n - 1) / {} + 1 = {} blocks cover all {} elements: what makes "
                          "their number, or n, smaller in the launcher?",
                          chunk, chunk, (n() - 1) / chunk + 1, n()),
                n() - kept < chunk ? std::map<std::string, std::string>{{"is_rounded_down", "1"}}
                                   : std::map<std::string, std::string>{}};
        }
        return std::nullopt;
    }

    // Of the sums that the first launch left, the others add up too few.
    std::optional<Mistake> lost_blocks() const {
        if (launches_ < 2) return std::nullopt;
        // What the blocks have left may be the same number: then nothing tells that it was not read.
        if (blocks_ < n() && blocks_ > 1 && found_ == between(0, blocks_) && found_ != sum_of_left())
            return Mistake{"second_launch_of_input",
                           fmt::format("the launches after the first add up elements of {{in}}, not the {} sums of "
                                       "its blocks",
                                       blocks_),
                           fmt::format("it is the sum of the first {} elements of {}", blocks_, n()),
                           "let the next launch read where this one stored its blocks' sums"};
        for (const std::uint64_t chunk : chunks_)
            for (std::uint64_t kept = 1; kept < blocks_ && kept * chunk < n(); ++kept) {
                // Other prefixes of many agree by chance.
                const bool is_likely = kept % 32 == 0 || (kept & (kept - 1)) == 0 || kept + 1 == blocks_ ||
                                       2 * kept == blocks_ || 2 * kept + 1 == blocks_;
                const std::uint64_t used = (n() + chunk - 1) / chunk;  // blocks that have elements
                if (!is_likely || used > blocks_ || found_ != between(0, kept * chunk)) continue;
                if (!has_left(kept, between(kept * chunk, (kept + 1) * chunk))) continue;
                return Mistake{
                    "partial_sums_lost",
                    kept == 1 ? "only the first block's sum is in the result"
                              : fmt::format("only the sums of the first {} blocks are in the result", kept),
                    fmt::format("it is the sum of the first {} elements of {}; the first launch has {} blocks",
                                kept * chunk, n(), blocks_),
                    fmt::format("the next launch adds {} of {} sums: which count is it given, and has it "
                                "threads, or turns of a loop, for all of them?",
                                kept, used)};
            }
        return std::nullopt;
    }

    // Of all that the blocks have left; no number where that is not known.
    double sum_of_left() const {
        if (scratch_.size() < blocks_ * sizeof(float)) return std::numeric_limits<double>::quiet_NaN();
        std::vector<float> left(blocks_);
        std::memcpy(left.data(), scratch_.data(), blocks_ * sizeof(float));
        return std::accumulate(left.begin(), left.end(), 0.0);
    }

    // Whether the block after those whose sums are in the result has left its own.
    bool has_left(std::uint64_t block, double sum) const {
        float left = 0;
        if (scratch_.size() < (block + 1) * sizeof left) return false;
        std::memcpy(&left, scratch_.data() + block * sizeof left, sizeof left);
        return static_cast<double>(left) == sum;
    }

    double found_;
    const SumInput& input_;
    double total_;
    std::span<const std::byte> scratch_;  // as the launches leave it
    std::uint64_t threads_ = 0, blocks_ = 0, launches_ = 0;
    std::vector<double> prefix_;
    std::vector<std::uint64_t> chunks_;
};

Judgement wrong(Mistake mistake, std::string fact) {
    Judgement judgement;
    judgement.code = "wrong_output";
    judgement.is_recognised =
        mistake.pattern != "wrong_sum" && mistake.pattern != "odd_block" && mistake.pattern != "zero";
    judgement.is_cause = mistake.pattern == "grid_too_small" || mistake.pattern == "blocks_apart";
    judgement.pattern = std::move(mistake.pattern);
    judgement.values = std::move(mistake.values);
    judgement.title = std::move(mistake.title);
    judgement.facts.push_back(std::move(fact));
    if (!mistake.fact.empty()) judgement.facts.push_back(std::move(mistake.fact));
    judgement.help = std::move(mistake.help);
    judgement.first_wrong = 0;
    return judgement;
}

bool is_power_of_two(std::uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

// By which power of a block's threads, which an average in each launch leaves; 0: by none.
double divided_by(double expected, double found, std::uint64_t threads) {
    if (found == 0 || threads < 4) return 0;
    const double times = std::round(expected / found);
    if (std::fabs(expected / found - times) > 1e-5 * times) return 0;
    for (auto power = static_cast<double>(threads); power <= times; power *= static_cast<double>(threads))
        if (power == times) return times;
    return 0;
}

Judgement right() {
    Judgement judgement;
    judgement.is_right = true;
    return judgement;
}

Judgement judge_special(float found, const SumInput& input) {
    const bool is_nan = input.tier() == SumTier::not_a_number;
    if (is_nan ? std::isnan(found) : std::isinf(found) && found > 0) return right();
    const char* what = is_nan ? "NaN" : "infinity";
    return wrong(
        {"special_lost", fmt::format("{} in the input does not reach the sum", is_nan ? "a NaN" : "an infinity"), "",
         "an element is left out, or its value decides whether it is added"},
        fmt::format("{{out}}[0] is {:.9g}, but {{in}}[{}] is {}", found, input.needle(), what));
}

Judgement judge_needle(float found, const SumInput& input) {
    const double expected = input.sum();
    if (found == expected) return right();
    const std::string fact =
        fmt::format("{{out}}[0] is {:.9g}, expected {}: {{in}}[{}] is {}, every other element of the {} is 0", found,
                    expected, input.needle(), expected, input.n());
    if (found == 0)
        return wrong({"element_lost", fmt::format("element {} is not in the sum", input.needle()), "",
                      "which thread should load it, and what keeps it from doing so?"},
                     fact);
    const double times = found / expected;
    if (times == std::floor(times))
        return wrong({"element_repeated", fmt::format("element {} is counted {} times", input.needle(), times), "",
                      "which threads load it? every element belongs to one"},
                     fact);
    return wrong({"wrong_sum", "the sum is wrong", "",
                  "something that is not in the input is added: is everything set before it is added to?"},
                 fact);
}

Judgement judge_accuracy(float found, const SumInput& input, const Case& prepared) {
    const double expected = input.sum();
    const double tolerance = sum_tolerance(input, prepared.observed);
    const double error = std::fabs(static_cast<double>(found) - expected);
    if (error <= tolerance) return right();  // false for NaN
    Judgement judgement = wrong(
        {"inaccurate", "the sum is further off than float additions in this order explain", "",
         "no order of float additions is so far off: are values rounded, cut or turned into another type on the way?"},
        fmt::format("{{out}}[0] is {:.9g}, the sum is {:.9g}", found, expected));
    judgement.facts.push_back(
        fmt::format("off by {:.3g}; at most {:.3g} is rounding, for the launches seen", error, tolerance));
    return judgement;
}

Judgement not_stored(DeviceProgram& program, const SumInput& input, const Case& prepared) {
    Judgement judgement;
    judgement.code = "not_written";
    const bool has_scratch = prepared.buffers.size() > 2;
    if (input.n() > 0 && has_scratch && program.is_written(prepared.buffers[1], 0, sizeof(float))) {
        judgement.pattern = "sums_not_combined";
        judgement.title = "{out}[0] was not written: the partial sums stay in `{scratch}`";
        judgement.help =
            "another launch has to add what the blocks left in `{scratch}`, until one sum is left for {out}[0]";
        return judgement;
    }
    judgement.pattern = "nothing_written";
    judgement.title = "{out}[0] was not written";
    judgement.help = input.n() == 0 ? "the sum of nothing is 0, and has to be stored too"
                                    : "is a kernel launched for this size, with at least one block, and does one "
                                      "of its threads store the sum to {out}[0]?";
    return judgement;
}

}  // namespace

Judgement judge_sum(DeviceProgram& program, const Case& prepared, const SumInput& input, const SumInput* previous) {
    const int out = prepared.buffers.back();
    if (!program.is_written(out, 0, sizeof(float))) return not_stored(program, input, prepared);
    float found = 0;
    std::memcpy(&found, program.bytes(out).data(), sizeof found);
    switch (input.tier()) {
        case SumTier::not_a_number:
        case SumTier::infinity: return judge_special(found, input);
        case SumTier::needle: return judge_needle(found, input);
        case SumTier::accuracy: return judge_accuracy(found, input, prepared);
        case SumTier::exact: break;
    }
    const double expected = input.sum();
    if (found == expected) return right();
    const std::string fact =
        fmt::format("{{out}}[0] is {:.9g}, expected {:.9g} ({}: any order gives exactly this)", found, expected,
                    input.has_fractions() ? "fractions of few digits" : "whole numbers");
    if (std::isinf(found))
        return wrong({"overflowed", "the sum is infinite", "",
                      "which type do values have on the way? what is larger than it holds becomes infinite: half "
                      "precision ends at "
                      "65504"},
                     fact);
    // What shared memory holds at first is -4.3e8, and no element is negative.
    if (std::isnan(found) || found < -1e8f)
        return wrong(
            {"poison_included", "something that nobody stored is in the sum",
             "`{out}`, `{scratch}` and shared memory hold anything at first",
             "store before adding: let threads past the end store 0, set what an atomic operation adds to, and add "
             "only the partial sums that were written"},
            fact);
    if (previous) {
        if (found == expected + previous->sum())
            return wrong(
                {"not_reset", "the sum of the call before is still in it", "",
                 "set what is added to at the start of every call: {out}[0], counters, `__device__` variables"},
                fact);
        if (found == previous->sum())
            return wrong({"stale", "{out}[0] holds the sum of the call before", "",
                          "every call has to do all of its work: nothing may be kept from the one before"},
                         fact);
    }
    // The search keeps a sum for every prefix: half a gigabyte at 2^26.
    constexpr std::uint64_t most_searched = std::uint64_t{1} << 26;
    if (input.n() > most_searched)
        return wrong(
            {"wrong_sum", "the sum is wrong", "", "check a smaller size first: there the mistake may be named"}, fact);
    const std::uint64_t threads =
        prepared.observed.launches.empty() ? 1 : prepared.observed.launches.front().threads_per_block;
    if (const double times = divided_by(expected, static_cast<double>(found), threads); times > 1)
        return wrong(
            {"divided", fmt::format("the sum is divided by {:.0f}", times), "",
             "{out}[0] is the sum itself, not an average: what divides it, or makes it smaller, in each step?"},
            fact);
    // Where most elements are 0, many parts of the input have one sum.
    if (input.sparse() != 0)
        return wrong({"wrong_sum", found < expected ? "the sum is too small" : "the sum is too large", "",
                      "check a smaller size first: there the mistake may be named"},
                     fact);
    std::span<const std::byte> scratch;
    if (prepared.buffers.size() > 2 && program.download(prepared.buffers[1]))
        scratch = program.bytes(prepared.buffers[1]);
    if (auto mistake = Suspects(static_cast<double>(found), input, prepared, scratch).find())
        return wrong(std::move(*mistake), fact);
    if (input.has_fractions() && std::fabs(static_cast<double>(found) - expected) < 0.01 * expected)
        return wrong({"rounded", "the sum is a little off, though no addition of these floats rounds", "",
                      "are values rounded, cut or turned into another type on the way?"},
                     fact);
    const bool is_odd_block = !is_power_of_two(threads) && found < expected;
    return wrong(
        {is_odd_block ? "odd_block" : "wrong_sum",
         is_odd_block
             ? fmt::format("the sum is too small, and a block has {} threads, which is no power of two", threads)
             : std::string(found < expected ? "the sum is too small" : "the sum is too large"),
         fmt::format("off by {:.9g}; elements are about {:.2g} on average", static_cast<double>(found) - expected,
                     expected / static_cast<double>(std::max<std::uint64_t>(input.n(), 1))),
         is_odd_block
             ? std::string("a tree that halves or doubles its step pairs all elements only if their number is a power "
                           "of two")
         : previous
             ? "this is the second call on the same {scratch}: does it read partial sums that the first one left?"
             : "sum a shape of a few elements by hand, step by step"},
        fact);
}

}  // namespace warpgrade
