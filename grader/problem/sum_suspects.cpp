#include "problem/sum_suspects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

namespace warpgrade {

namespace {

// "element is", "5 elements are"
std::string elements_are(std::uint64_t count) {
    return count == 1 ? "element is" : fmt::format("{} elements are", count);
}

class Suspects {
public:
    Suspects(double found, const SumInput& input, const ObservedRun& run, std::span<const std::byte> scratch)
        : found_(found), input_(input), total_(input.sum()), scratch_(scratch) {
        if (!run.launches.empty()) {
            threads_ = run.launches.front().threads_per_block;
            blocks_ = run.launches.front().blocks;
            launches_ = run.launches.size();
        }
        prefix_.reserve(input.n() + 1);
        prefix_.push_back(0);
        for (std::uint64_t i = 0; i < input.n(); ++i)
            prefix_.push_back(prefix_.back() + static_cast<double>(input.element(i)));
        // What a block covers: one or several elements a thread.
        for (const std::uint64_t factor : {1, 2, 4, 8})
            if (threads_ != 0) chunks_.push_back(factor * threads_);
    }

    std::optional<SumMistake> find() const {
        if (n() > 1 && found_ == between(0, 1))
            return SumMistake{"nothing_added", "nothing was added: {out}[0] is {in}[0]", "",
                              "the loop that adds the elements of a block is missing or never runs"};
        for (const auto look : {&Suspects::multiple, &Suspects::one_block, &Suspects::gaps, &Suspects::grid_too_small,
                                &Suspects::lost_blocks, &Suspects::part_of_each_block, &Suspects::overlap})
            if (auto mistake = (this->*look)()) return mistake;
        return tail();
    }

private:
    std::uint64_t n() const { return input_.n(); }
    double between(std::uint64_t first, std::uint64_t last) const {
        return prefix_[std::min(last, n())] - prefix_[std::min(first, n())];
    }

    std::optional<SumMistake> multiple() const {
        if (found_ == 0)
            return SumMistake{"zero", "the sum is zero", "",
                              "which value is stored to {out}[0], and is it the one the additions were made in?"};
        if (found_ == 2 * total_)
            return SumMistake{"doubled", "every element is counted twice", "the result is twice the sum",
                              "a block that covers two elements a thread needs half as many blocks; or are two threads "
                              "adding the same pair?"};
        const double factor = total_ > 0 ? found_ / total_ : 0;
        if (factor < 3 || factor != std::floor(factor)) return std::nullopt;
        return SumMistake{"multiplied", fmt::format("every element is counted {:.0f} times", factor), "",
                          factor == static_cast<double>(threads_)
                              ? "all threads of a block add the block's sum: let one of them do it"
                          : factor == static_cast<double>(blocks_)
                              ? "as often as there are blocks: is blockIdx.x missing in the index of the load, so that "
                                "each of them adds the same?"
                          : factor == 32 ? "all lanes of a warp add the warp's sum: let one of them do it"
                                         : "let only one thread of the block or warp add the block's sum"};
    }

    std::optional<SumMistake> one_block() const {
        if (blocks_ > 1 && threads_ != 0 && threads_ < n() &&
            found_ == static_cast<double>(blocks_) * between(0, threads_))
            return SumMistake{"first_block_repeated",
                              fmt::format("each of the {} blocks adds the first {} elements", blocks_, threads_), "",
                              "blockIdx.x is missing in the index of the load"};
        if (launches_ > 1) return std::nullopt;
        for (const std::uint64_t chunk : chunks_) {
            if (chunk >= n()) break;
            // The one block that there is, or one of several that does not end where the input does.
            if (found_ == between(0, chunk) && blocks_ > 1 && (blocks_ - 1) * chunk < n())
                return SumMistake{"only_first_block",
                                  "{out}[0] holds the first block's sum: the partial sums are not combined",
                                  fmt::format("it is the sum of the first {} elements", chunk),
                                  "store each block's sum to {scratch} and add those in another launch"};
            for (std::uint64_t first = chunk; first < n() && blocks_ > 1; first += chunk)
                if (found_ == between(first, first + chunk) && (first + chunk >= n() || n() / chunk <= 64))
                    return SumMistake{
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

    std::optional<SumMistake> part_of_each_block() const {
        if (threads_ == 0) return std::nullopt;
        if (n() > threads_) {
            if (found_ == residues(2 * threads_, 0, threads_))
                return SumMistake{
                    "second_load_missing", "the second element of each thread is missing",
                    fmt::format("of every {} elements only the first {} are counted", 2 * threads_, threads_),
                    "add {in}[i + blockDim.x] as well, if it is inside"};
            if (found_ == residues(2 * threads_, threads_, 2 * threads_))
                return SumMistake{
                    "first_load_missing", "the first element of each thread is missing",
                    fmt::format("of every {} elements only the last {} are counted", 2 * threads_, threads_),
                    "start the thread's sum with {in}[i]"};
        }
        for (const std::uint64_t period : {threads_, 2 * threads_}) {
            for (std::uint64_t part = period / 2; part >= 1; part /= 2) {
                // Of fewer than twice as many it is as well the end that is missing.
                if (2 * part > n() || (part == threads_ && period == 2 * threads_)) continue;
                if (found_ == residues(period, 0, part))
                    return SumMistake{
                        "tree_incomplete",
                        fmt::format("of every {} elements only the first {} counted", period,
                                    part == 1 ? "is" : fmt::format("{} are", part)),
                        "",
                        "which step of the tree adds the others? look at where s starts and where it ends, "
                        "and for a missing __syncthreads()"};
            }
        }
        for (const std::uint64_t lanes : {16, 8, 4})
            if (n() > 32 && found_ == residues(32, 0, lanes))
                return SumMistake{
                    "lanes_lost", fmt::format("of every 32 elements only the first {} are counted", lanes), "",
                    fmt::format(
                        "in the sum of a warp the values of lanes {} to 31 get lost: the first step has to take "
                        "in what is 16 lanes further on",
                        lanes)};
        if (n() > threads_ && found_ == residues(2 * threads_, 0, threads_) + residues(2 * threads_, 1, threads_ + 1))
            return SumMistake{
                "second_load_beside", "the second load of each thread takes its neighbour's first element", "",
                fmt::format("the two elements of a thread stand {} apart, as many as a block has threads", threads_)};
        for (std::uint64_t step = 2; step <= 32 && step < n(); step *= 2) {
            double sum = 0;
            for (std::uint64_t i = 0; i < n(); i += step) sum += static_cast<double>(input_.element(i));
            if (found_ == sum)
                return SumMistake{"every_other",
                                  fmt::format("only every {}{} element is counted", step, step % 10 == 2 ? "nd" : "th"),
                                  "",
                                  "which step of the tree adds the others? look at where s starts and where it ends"};
        }
        return std::nullopt;
    }

    // Blocks that begin a block's threads apart, and add more than one element a thread.
    std::optional<SumMistake> overlap() const {
        if (threads_ == 0 || blocks_ < 2 || blocks_ * threads_ > 2 * n()) return std::nullopt;
        // blockIdx.x times the threads of a block, of a warp, the loads of a thread, or times nothing.
        for (const std::uint64_t apart : {threads_, std::uint64_t{32}, std::uint64_t{2}, std::uint64_t{1}})
            for (const std::uint64_t each : {1, 2, 4, 8}) {
                const std::uint64_t length = each * threads_;
                if (length <= apart || (apart != threads_ && n() <= length)) continue;
                double sum = 0;
                for (std::uint64_t b = 0; b < blocks_; ++b) sum += between(b * apart, b * apart + length);
                if (found_ == sum)
                    return SumMistake{
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
    std::optional<SumMistake> gaps() const {
        if (threads_ == 0 || blocks_ < 3) return std::nullopt;  // two look like one that is there
        for (const std::uint64_t each : {threads_, 2 * threads_}) {
            if (blocks_ * each < n() || (blocks_ - 1) * each >= n()) continue;
            for (const std::uint64_t apart : {2 * each, 4 * each}) {
                double sum = 0;
                for (std::uint64_t first = 0; first < n(); first += apart) sum += between(first, first + each);
                if (found_ == sum)
                    return SumMistake{
                        "blocks_apart",
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

    std::optional<SumMistake> tail() const {
        std::vector<std::uint64_t> units = chunks_;
        for (const std::uint64_t unit : {4, 2, 8, 16, 32}) units.push_back(unit);
        if (blocks_ != 0) units.push_back(blocks_ * threads_);
        for (const std::uint64_t unit : units) {
            const std::uint64_t kept = n() / unit * unit, rest = n() - kept;
            if (rest == 0 || kept == 0) continue;
            if (found_ == between(0, kept)) return lost_tail(rest);
            if (found_ == total_ + between(kept, n()))
                return SumMistake{"tail_twice", fmt::format("the last {} counted twice", elements_are(rest)),
                                  fmt::format("whole pieces of {} end at element {}", unit, kept - 1),
                                  "what handles the rest must start where the whole pieces end, and only one thread or "
                                  "block may do it"};
        }
        for (std::uint64_t lost = 1; lost <= 8 && lost < n(); ++lost) {
            if (found_ == between(0, n() - lost)) return lost_tail(lost);
            if (found_ == between(lost, n()))
                return SumMistake{"head_missing", fmt::format("the first {} missing", elements_are(lost)), "",
                                  "does the index start at 0?"};
        }
        return std::nullopt;
    }

    SumMistake lost_tail(std::uint64_t lost) const {
        Effect effect{.left_out = lost};
        if (lost < 4 && lost == n() % 4) effect.lost_of_four = lost;
        return {"tail_missing", fmt::format("the last {} missing", elements_are(lost)),
                fmt::format("it is the sum of the first {} elements of {}", n() - lost, n()),
                "is there a thread for each of them, and does its guard let it in? each load on its own: i < n",
                effect};
    }

    // All that the blocks of the first launch cover, and it is not all there is.
    std::optional<SumMistake> grid_too_small() const {
        for (const std::uint64_t chunk : chunks_) {
            const std::uint64_t kept = blocks_ * chunk;
            if (kept >= n() || found_ != between(0, kept)) continue;
            const std::uint64_t lost = n() - kept;
            const bool is_rounded = lost < chunk;
            SumMistake mistake{
                "grid_too_small",
                fmt::format("the last {} missing: no block has {}", elements_are(lost), lost == 1 ? "it" : "them"),
                fmt::format("it is the sum of the first {} elements of {}: {} of {}", kept, n(),
                            blocks_ == 1 ? "1 block" : fmt::format("{} blocks", blocks_), chunk),
                is_rounded
                    ? fmt::format("round the number of blocks up: (n - 1) / {} + 1, where a block sums {}", chunk,
                                  chunk)
                    : fmt::format(
                          "where a block sums {}, (n - 1) / {} + 1 = {} blocks cover all {} elements: what makes "
                          "their number, or n, smaller in the launcher?",
                          chunk, chunk, (n() - 1) / chunk + 1, n())};
            mistake.effect.is_rounded_down = is_rounded;
            if (lost < 4 && lost == n() % 4) mistake.effect.lost_of_four = lost;
            return mistake;
        }
        return std::nullopt;
    }

    // Of the sums that the first launch left, the others add up too few.
    std::optional<SumMistake> lost_blocks() const {
        if (launches_ < 2) return std::nullopt;
        // What the blocks have left may be the same number: then nothing tells that it was not read.
        if (blocks_ < n() && blocks_ > 1 && found_ == between(0, blocks_) && found_ != sum_of_left())
            return SumMistake{"second_launch_of_input",
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
                return SumMistake{
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

}  // namespace

std::optional<SumMistake> sum_of_a_part(double found, const SumInput& input, const ObservedRun& run,
                                        std::span<const std::byte> scratch) {
    return Suspects(found, input, run, scratch).find();
}

}  // namespace warpgrade
