#include "problem/described_diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "base/parallel.hpp"
#include "problem/gathered.hpp"
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

template <class T>
T read_as(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

Judgement wrong_output(std::string pattern, std::string title, std::string help) {
    Judgement judgement;
    judgement.code = "wrong_output";
    judgement.pattern = std::move(pattern);
    judgement.title = std::move(title);
    judgement.help = std::move(help);
    return judgement;
}

std::string with_try(std::string text, int tried) {
    const std::string mark = "{try}", number = std::to_string(tried);
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += number.size())
        text.replace(at, mark.size(), number);
    return text;
}

class Diagnosis {
public:
    Diagnosis(const ProblemDescription& problem, Oracle& oracle, DeviceProgram& program, const Case& prepared,
              const KnownCase& known)
        : problem_(problem),
          oracle_(oracle),
          program_(program),
          case_(prepared),
          known_(known),
          type_(problem.element_type(problem.output(), prepared.shape.type)),
          size_(static_cast<std::size_t>(problem.element_bytes(problem.output(), prepared.shape.type))),
          out_(program.bytes(prepared.buffers.back())) {}

    Result<Judgement> judge() {
        auto judgement = judge_plainly();
        if (judgement) put_words(problem_, *judgement);
        return judgement;
    }

private:
    Result<Judgement> judge_plainly() {
        for (std::size_t b = 0; b < problem_.buffers.size() && problem_.buffers[b].role == BufferRole::in; ++b)
            if (auto changed = changed_input(b)) return std::move(*changed);
        if (problem_.reference == ReferenceForm::sum) return sum();
        Judgement right;
        right.is_right = true;
        const bool is_same = out_.size() == known_.expected.size() &&
                             (out_.empty() || std::memcmp(out_.data(), known_.expected.data(), out_.size()) == 0);
        const bool is_written = program_.is_written(case_.buffers.back(), 0, out_.size());
        if (is_same && is_written) return right;
        if (problem_.reference == ReferenceForm::moves && layout().extents.size() == 2) return moved();
        auto flags = oracle_.wrong(case_.shape, known_, out_);
        if (!flags) return flags.error();
        for (std::size_t i = 0; i < flags->size(); ++i)
            if ((*flags)[i] != 0 || (!is_written && !written(i))) wrong_.push_back(i);
        if (wrong_.empty()) return right;
        if (auto missing = not_written()) return std::move(*missing);
        auto named = named_mistake();
        if (!named) return named;
        if (!named->code.empty()) return with_facts(std::move(*named));
        if (auto stale = left_by_previous(); !stale || !stale->code.empty())
            return stale ? Result<Judgement>(with_facts(std::move(*stale))) : stale;
        Judgement judgement = general();
        const auto matrices = gathered();
        if (!matrices || judgement.is_recognised) return with_facts(std::move(judgement));
        if (auto weights = wrong_weights(*matrices, stored_wrong())) {
            judgement = wrong_output("wrong_weights", std::move(weights->title), std::move(weights->help));
            judgement.facts = std::move(weights->facts);
        } else {
            judgement.facts = neighbours_of(*matrices, wrong_.front());
        }
        return with_facts(std::move(judgement));
    }

    Judgement sum() const {
        const auto input_of = [&](std::int64_t n, std::uint64_t seed, const std::string& variant) {
            return SumInput(static_cast<std::uint64_t>(n), seed, contents_of(problem_.input(), variant));
        };
        SumInput input = input_of(case_.layout.front().elements(), case_.seed, case_.shape.contents);
        const auto made = program_.bytes(case_.buffers.front());  // which the run has not changed
        input.take_from({reinterpret_cast<const float*>(made.data()), made.size() / sizeof(float)});
        if (case_.shape.previous.empty()) return judge_sum(program_, case_, input, nullptr);
        const SumInput previous = input_of(case_.shape.previous.front(), case_.seed + 1, case_.shape.contents);
        return judge_sum(program_, case_, input, &previous);
    }

    Result<Judgement> moved() const {
        MovedOutput output;
        output.in_layout = case_.layout.front();
        output.out_layout = layout();
        output.type = type_;
        output.size = size_;
        output.is_turned = problem_.moves.front() == 1;
        output.in = known_.inputs.empty() ? program_.bytes(case_.buffers.front()) : std::span(known_.inputs.front());
        output.out = out_;
        output.expected = known_.expected;
        output.is_written = [&](std::uint64_t first, std::uint64_t number) {
            return program_.is_written(case_.buffers.back(), first * size_, number * size_);
        };
        if (case_.shape.previous.empty()) return judge_moved(output);

        // Wrong elements that hold what the call before stored there: this one has not written them.
        const auto earlier = before();
        if (!earlier) return earlier.error();
        const std::vector<std::byte>& then = (*earlier)->expected;
        const auto is_left = [&](std::uint64_t i) {
            return (i + 1) * size_ <= then.size() && is_like(found(i), then.data() + i * size_) &&
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
        if (judgement.pattern == "nothing_written" && has_left) {
            judgement.pattern = "stale";
            judgement.title = "`{out}` holds the result of the call before: this call has written nothing";
            judgement.help = "every call has to do all of its work: nothing may be kept from the one before";
        } else if (has_left) {
            judgement.facts.push_back("what is not written still holds the result of the call before");
        }
        return judgement;
    }

    // An output of the input's size, made of neighbours.
    std::optional<Gathered> gathered() const {
        const BufferLayout& in = case_.layout.front();
        if (problem_.reference != ReferenceForm::gather || layout().extents.size() != 2 ||
            in.extents != layout().extents || type_ != "float" ||
            problem_.element_type(problem_.input(), case_.shape.type) != "float")
            return std::nullopt;
        const auto floats = [&](std::span<const std::byte> bytes) {
            return std::span(reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float));
        };
        return Gathered{in.extents[0], in.extents[1],           floats(known_.inputs.front()),
                        floats(out_),  floats(known_.expected), in.name,
                        layout().name};
    }
    std::vector<std::size_t> stored_wrong() const {
        std::vector<std::size_t> all;
        std::copy_if(wrong_.begin(), wrong_.end(), std::back_inserter(all), [&](std::size_t i) { return written(i); });
        return all;
    }

    // What the call before should have left.
    Result<std::shared_ptr<const KnownCase>> before() const {
        Shape shape = case_.shape;
        shape.extents = case_.shape.previous;
        shape.previous.clear();
        return oracle_.known(shape, case_.seed + 1, true);
    }

    std::size_t count() const { return size_ == 0 ? 0 : out_.size() / size_; }
    const std::byte* found(std::size_t i) const { return out_.data() + i * size_; }
    const std::byte* due(std::size_t i) const { return known_.expected.data() + i * size_; }
    bool is_like(const std::byte* a, const std::byte* b) const { return std::memcmp(a, b, size_) == 0; }
    bool written(std::size_t i) const { return program_.is_written(case_.buffers.back(), i * size_, size_); }
    const BufferLayout& layout() const { return case_.layout.back(); }

    std::optional<Judgement> changed_input(std::size_t b) const {
        const std::optional<std::uint64_t> at = first_changed(b);
        if (!at) return std::nullopt;
        const auto size = static_cast<std::uint64_t>(problem_.element_bytes(problem_.buffers[b], case_.shape.type));
        Judgement judgement =
            wrong_output("input_changed", "the input was changed", "store only to " + stored_buffers());
        judgement.code = "write_to_input";
        judgement.facts = {
            fmt::format("{} is not what it was before the run", element_name(case_.layout[b], *at / size))};
        return judgement;
    }

    // Of input `b`, a byte. Made anew piece by piece where nothing is kept of it.
    std::optional<std::uint64_t> first_changed(std::size_t b) const {
        const std::span<const std::byte> bytes = program_.bytes(case_.buffers[b]);
        const auto compared = [&](std::uint64_t first,
                                  std::span<const std::byte> held) -> std::optional<std::uint64_t> {
            const auto found = bytes.subspan(first, held.size());
            if (held.empty() || std::memcmp(held.data(), found.data(), held.size()) == 0) return std::nullopt;
            return first + static_cast<std::uint64_t>(std::mismatch(held.begin(), held.end(), found.begin()).first -
                                                      held.begin());
        };
        if (!known_.inputs.empty()) return compared(0, known_.inputs[b]);
        const auto values = values_of(problem_, case_.shape.extents, case_.shape.type);
        constexpr std::size_t most_bytes = 64 << 10;
        std::vector<std::byte> piece(std::min(bytes.size(), most_bytes));
        const auto size = static_cast<std::uint64_t>(problem_.element_bytes(problem_.buffers[b], case_.shape.type));
        for (std::uint64_t first = 0; first < bytes.size(); first += piece.size()) {
            const auto held = std::span(piece).first(std::min<std::size_t>(piece.size(), bytes.size() - first));
            if (values) fill_known(problem_, *values, case_.shape, case_.seed, b, first / size, held);
            if (const auto at = compared(first, held)) return at;
        }
        return std::nullopt;
    }

    // "`out` and `scratch`"
    std::string stored_buffers() const {
        std::string text = fmt::format("`{}`", problem_.output().name);
        for (const DescribedBuffer& buffer : problem_.buffers)
            if (buffer.role == BufferRole::scratch) text += fmt::format(" and `{}`", buffer.name);
        return text;
    }

    // Where every wrong element was never stored.
    std::optional<Judgement> not_written() const {
        if (std::any_of(wrong_.begin(), wrong_.end(), [&](std::size_t i) { return written(i); })) return std::nullopt;
        const std::string& name = problem_.output().name;
        Judgement judgement;
        judgement.code = "not_written";
        if (wrong_.size() == count()) {
            judgement.pattern = "nothing_written";
            judgement.title = fmt::format("nothing was written to `{}`", name);
            judgement.help = "is a kernel launched for this shape, with at least one block, and does it store?";
            return judgement;
        }
        judgement.facts = {fmt::format("{} of {} elements were not written, the first is {}", wrong_.size(), count(),
                                       element_name(layout(), wrong_.front()))};
        if (auto region = missing_region()) {
            judgement.pattern = std::move(region->pattern);
            judgement.title = std::move(region->title);
            judgement.help = std::move(region->help);
            return judgement;
        }
        const bool is_tail = wrong_.front() + wrong_.size() == count();
        judgement.pattern = is_tail ? "tail_not_written" : "some_not_written";
        if (is_tail && wrong_.size() <= 8) judgement.values["last_left_out"] = std::to_string(wrong_.size());
        judgement.title = is_tail
                              ? fmt::format("the last {} of `{}` {} not written",
                                            wrong_.size() == 1 ? "element" : fmt::format("{} elements", wrong_.size()),
                                            name, wrong_.size() == 1 ? "was" : "were")
                              : fmt::format("some elements of `{}` were not written", name);
        const bool is_of_input = count() == static_cast<std::size_t>(case_.layout.front().elements());
        judgement.help =
            !is_of_input ? fmt::format("what sets `{}` before it is added to, and how much of it?", name)
            : is_tail    ? "round the number of blocks up, and guard the last one: are there threads for all elements?"
                         : "which threads store, and where? Try a small shape on paper";
        return judgement;
    }

    // Of a matrix: what has the shape of an edge, of a tile, of skipped rows.
    std::optional<Recognised> missing_region() const {
        if (layout().extents.size() != 2 || case_.layout.front().extents.size() != 2) return std::nullopt;
        MovedOutput output;
        output.in_layout = case_.layout.front();
        output.out_layout = layout();
        OutputMap map;
        map.cells.assign(count(), CellState::right);
        for (const std::size_t i : wrong_) map.cells[i] = CellState::unwritten;
        map.unwritten = wrong_.size();
        return recognise_region(output, map);
    }

    // Every wrong element is what the mistake leaves there.
    bool fits(std::span<const std::byte> left) const {
        bool differs = false;
        for (const std::size_t i : wrong_) {
            if (!is_like(found(i), left.data() + i * size_)) return false;
            differs = differs || !is_like(due(i), found(i));
        }
        return differs;
    }

    // All of the output is what the mistake leaves: the wrong elements, and the others, which it has to leave right.
    Result<bool> is_left_by(std::span<const std::byte> left) const {
        if (!fits(left)) return false;
        const auto flags = oracle_.wrong(case_.shape, known_, left);
        if (!flags) return flags.error();
        std::size_t next = 0;
        for (std::size_t i = 0; i < count(); ++i) {
            const bool is_wrong = next < wrong_.size() && wrong_[next] == i;
            next += is_wrong ? 1 : 0;
            if (!is_wrong && (*flags)[i] != 0) return false;
        }
        return true;
    }

    Result<Judgement> named_mistake() const {
        // One or two elements of a matrix fit a mistake by chance.
        if (wrong_.size() < 3 && layout().extents.size() == 2) return Judgement{};
        // One element of many fits too much.
        if (problem_.reference == ReferenceForm::sequential && wrong_.size() == 1 && count() > 2) return Judgement{};
        const std::vector<MistakeToTry> all = mistakes_to_try();
        const unsigned threads = known_.bytes() < worth_threads ? 1 : threads_for(all.size());
        for (std::size_t first = 0; first < all.size(); first += threads) {
            std::vector<std::optional<Result<bool>>> fits(std::min<std::size_t>(threads, all.size() - first));
            for_each_in_parallel(fits.size(), threads, [&](std::size_t i) {
                const auto& [number, tried] = all[first + i];
                const auto left = oracle_.mistaken(case_.shape, known_, number, tried);
                fits[i] = left ? is_left_by(*left) : Result<bool>(left.error());
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
        const std::uint64_t elements = std::max<std::uint64_t>(known_.bytes() / 4, 1);
        std::vector<MistakeToTry> all;
        std::uint64_t work = 0;
        for (std::size_t m = 0; m < problem_.mistakes.size(); ++m) {
            const DescribedMistake& mistake = problem_.mistakes[m];
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
        const DescribedMistake& mistake = problem_.mistakes[one.number];
        Judgement told =
            wrong_output(mistake.name, with_try(mistake.title, one.tried), with_try(mistake.help, one.tried));
        told.place = mistake.place;
        if (mistake.place == MistakePlace::end) told.values["last_left_out"] = std::to_string(std::max(one.tried, 1));
        return told;
    }

    Result<Judgement> left_by_previous() const {
        if (case_.shape.previous.empty()) return Judgement{};
        const auto earlier = before();
        if (!earlier) return earlier.error();
        if ((*earlier)->expected.size() != out_.size() || !fits((*earlier)->expected)) return Judgement{};
        return wrong_output("stale", fmt::format("`{}` holds what the call before has left", problem_.output().name),
                            "every call has to do all of its work: nothing may be kept from the one before");
    }

    bool all_wrong(auto&& test) const { return std::all_of(wrong_.begin(), wrong_.end(), test); }

    Judgement general() const {
        const std::string& name = problem_.output().name;
        const std::vector<std::byte> zero(size_);
        if (all_wrong([&](std::size_t i) { return is_like(found(i), zero.data()); }))
            return wrong_output(
                "zeros", fmt::format("the wrong elements of `{}` are 0", name),
                "nothing has come there: is the test before it ever true, or was it stored before it was computed?");
        if (is_float() && all_wrong([&](std::size_t i) { return is_nan(found(i)); }))
            return wrong_output("not_a_number", fmt::format("the wrong elements of `{}` are not numbers", name),
                                "something is read that was never written: shared memory, or a buffer past its end");
        if (wrong_.size() > 2 && all_wrong([&](std::size_t i) { return is_like(found(i), found(wrong_.front())); }))
            return wrong_output("constant", fmt::format("the wrong elements of `{}` all hold the same", name),
                                "which index does the store have, and which the value?");
        if (const auto input = wrong_.size() > 1 ? like_input() : std::string(); !input.empty())
            return wrong_output("input_left",
                                fmt::format("the wrong elements of `{}` are those of `{}`, unchanged", name, input),
                                "is the result computed before it is stored?");
        for (const int by : {1, -1})
            if (is_shifted(by))
                return wrong_output("shifted",
                                    fmt::format("the wrong elements of `{}` are those of one place {}", name,
                                                by > 0 ? "before" : "after"),
                                    "look at the index of the store: is it off by one?");
        if (const int bits = bits_kept(); bits != 0) {
            Judgement cut = wrong_output(
                "bits_lost", fmt::format("of `{}` only the last {} bits of a value were kept on the way", name, bits),
                fmt::format("every wrong element is off by a multiple of {}: which variable, or array, holds no more "
                            "than {} bits?",
                            1 << bits, bits));
            cut.values["bits"] = std::to_string(bits);
            return cut;
        }
        // The first of 32 or more is wrong for another reason than being the last.
        if (count() > 1 && wrong_.size() == 1 && wrong_.front() + 1 == count() && wrong_.front() % 32 != 0) {
            Judgement last = wrong_output("last_wrong", fmt::format("the last element of `{}` is wrong", name),
                                          "does the loop, or the guard, end one too early?");
            last.values["last_left_out"] = "1";
            return last;
        }
        Judgement judgement =
            wrong_output("unknown", fmt::format("elements of `{}` are wrong", name),
                         "follow the first wrong element: which thread stores it, and what has it read?");
        judgement.is_recognised = false;
        return judgement;
    }

    // Of whole numbers, where each wrong one is right but for its upper bits; 0: it is not so, or may be chance.
    int bits_kept() const {
        if (is_float() || size_ != 4 || wrong_.size() < 4) return 0;
        for (const int bits : {16, 8})
            if (all_wrong([&](std::size_t i) {
                    const auto right = read_as<std::uint32_t>(due(i)), held = read_as<std::uint32_t>(found(i));
                    return held < right && (right - held) % (1u << bits) == 0;
                }))
                return bits;
        return 0;
    }
    bool is_float() const { return type_ == "float" || type_ == "double"; }
    bool is_nan(const std::byte* bytes) const {
        return type_ == "float" ? std::isnan(read_as<float>(bytes)) : std::isnan(read_as<double>(bytes));
    }
    std::string like_input() const {
        for (std::size_t b = 0; b < known_.inputs.size(); ++b)
            if (known_.inputs[b].size() == out_.size() && problem_.buffers[b].type == problem_.output().type &&
                fits(known_.inputs[b]))
                return problem_.buffers[b].name;
        return "";
    }
    bool is_shifted(int by) const {
        if (wrong_.size() < 3) return false;
        return all_wrong([&](std::size_t i) {
            const auto from = static_cast<std::ptrdiff_t>(i) - by;
            // At the end that nothing is moved to, anything may be.
            if (from < 0 || from >= static_cast<std::ptrdiff_t>(count())) return true;
            return is_like(found(i), due(static_cast<std::size_t>(from)));
        });
    }

    Judgement with_facts(Judgement judgement) const {
        const std::size_t first = wrong_.front();
        judgement.facts.insert(
            judgement.facts.begin(),
            fmt::format("{} is {}, expected {}", element_name(layout(), first),
                        written(first) ? print_of_type(type_, found(first), due(first)) : "not written",
                        print_of_type(type_, due(first), found(first))));
        const std::string where =
            layout().extents.size() == 2 ? where_wrong(layout().extents[0], layout().extents[1], wrong_) : "";
        if (judgement.pattern == "zeros" && where.ends_with("edge of the matrix"))
            judgement.help =
                "an element at the edge is computed like all others; only its neighbours outside count as 0";
        const bool is_at_edge = where.find("in the first ") != where.npos || where.find("in the last ") != where.npos ||
                                where.ends_with("edge of the matrix");
        if (is_at_edge && judgement.pattern == "unknown") {
            judgement.help =
                "only elements at the edge are wrong: what do they take for the neighbours that are outside?";
            for (const auto& [line, beside] : {std::pair("first column", "to the left"),
                                               {"last column", "to the right"},
                                               {"first row", "above"},
                                               {"last row", "below"}})
                if (where.ends_with(line))
                    judgement.help = fmt::format(
                        "only elements of the {} are wrong: what do they take for the neighbour {}, which "
                        "is outside?",
                        line, beside);
        }
        judgement.facts.insert(
            judgement.facts.begin() + 1,
            fmt::format("{} of {} elements are wrong{}{}", wrong_.size(), count(), where.empty() ? "" : ", ", where));
        if (written(first)) judgement.first_wrong = first * size_;
        if (const auto lane = only_lane()) judgement.values["lane"] = std::to_string(*lane);
        return judgement;
    }
    // In which column of every 32 all wrong elements are: a warp's first or last lane.
    std::optional<std::int64_t> only_lane() const {
        if (layout().extents.size() != 2 || layout().extents[1] < 64) return std::nullopt;
        const std::int64_t cols = layout().extents[1];
        for (const std::int64_t lane : {0, 31})
            if (all_wrong([&](std::size_t i) { return static_cast<std::int64_t>(i) % cols % 32 == lane; })) return lane;
        return std::nullopt;
    }

    const ProblemDescription& problem_;
    Oracle& oracle_;
    DeviceProgram& program_;
    const Case& case_;
    const KnownCase& known_;
    std::string type_;
    std::size_t size_;
    std::span<const std::byte> out_;
    std::vector<std::size_t> wrong_;
};

}  // namespace

std::string element_name(const BufferLayout& layout, std::uint64_t index) {
    std::string text;
    for (std::size_t i = layout.extents.size(); i-- > 0;) {
        const auto extent = static_cast<std::uint64_t>(std::max<std::int64_t>(1, layout.extents[i]));
        text = fmt::format("[{}]", i == 0 ? index : index % extent) + text;
        index /= extent;
    }
    return layout.name + text;
}

std::string print_of_type(const std::string& type, const std::byte* bytes, const std::byte* other) {
    if (const auto known = element_type_named(type)) return print_element(*known, bytes, other);
    if (type == "int") return std::to_string(read_as<std::int32_t>(bytes));
    if (type == "unsigned int") return std::to_string(read_as<std::uint32_t>(bytes));
    if (type == "long long") return std::to_string(read_as<std::int64_t>(bytes));
    return std::to_string(read_as<std::uint64_t>(bytes));
}

Result<Judgement> judge_described(const ProblemDescription& problem, Oracle& oracle, DeviceProgram& program,
                                  const Case& prepared, const KnownCase& known) {
    return Diagnosis(problem, oracle, program, prepared, known).judge();
}

}  // namespace warpgrade
