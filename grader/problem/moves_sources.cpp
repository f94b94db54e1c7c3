// Mistakes that show in where the wrong values came from: those of problem.toml, and what is left of them.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <tuple>
#include <vector>

#include "problem/compared_output.hpp"
#include "problem/moved_output.hpp"
#include "problem/pattern.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade {

namespace {

// Up to 4096 of the wrong places, one of each as many: not always the same of them, or all may be one lane's.
std::vector<Place> sample(const MovedOutput& output, const OutputMap& map) {
    constexpr std::uint64_t most = 4096;
    const std::uint64_t step = (map.wrong + most - 1) / most;
    std::vector<Place> places;
    if (map.wrong == 0) return places;
    const auto one_of = [step](std::uint64_t part) { return part * step + hash_of(part, 0x5A3) % step; };
    std::uint64_t seen = 0, next = one_of(0);
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        if (map.cells[i] != CellState::wrong || seen++ != next) continue;
        places.push_back(
            {static_cast<std::int64_t>(i) / output.width(), static_cast<std::int64_t>(i) % output.width()});
        next = one_of(places.size());
    }
    return places;
}

class Evidence {
public:
    Evidence(const MovedOutput& output, const OutputMap& map) : output_(output), places_(sample(output, map)) {}

    const std::vector<Place>& places() const { return places_; }

    template <class Test>
    bool holds(Test&& test) const {
        const std::size_t allowed = places_.size() / 50;
        std::size_t misses = 0;
        for (const Place& place : places_)
            if (!test(place) && ++misses > allowed) return false;
        return !places_.empty();
    }

    // One of `holds` says for all places what they hold: an index of the input, or a row and a column.
    bool hold_one(std::span<const std::vector<Formula>> all, const std::vector<std::int64_t>& first) const {
        return std::ranges::any_of(all, [&](const std::vector<Formula>& source) {
            std::vector<std::int64_t> values = first;
            values.resize(first.size() + 4);
            return holds([&](const Place& place) { return is_of(source, place, first.size(), values); });
        });
    }

private:
    // Several elements may belong to one place: that of `again` = 0, and those after it inside of the input.
    bool is_of(const std::vector<Formula>& source, const Place& place, std::size_t at,
               std::vector<std::int64_t>& values) const {
        values[at] = place.y;
        values[at + 1] = place.x;
        values[at + 2] = place.y * output_.width() + place.x;
        const bool has_more = std::ranges::any_of(source, [&](const Formula& each) { return each.uses(at + 3); });
        std::int64_t last_row = 0, last_col = 0;
        for (std::int64_t again = 0;; ++again) {
            values[at + 3] = again;
            std::int64_t row = source.front().value(values).value, col = source.back().value(values).value;
            if (source.size() == 1) {
                if (row < 0) return false;
                col = row % output_.cols();
                row /= output_.cols();
            }
            if (is_at(place, row, col)) return true;
            const bool goes_out =
                again > 0 && ((row >= output_.rows() && row > last_row) || (col >= output_.cols() && col > last_col));
            if (!has_more || row < 0 || col < 0 || goes_out) return false;
            std::tie(last_row, last_col) = std::pair(row, col);
        }
    }
    bool is_at(const Place& place, std::int64_t row, std::int64_t col) const {
        return row >= 0 && row < output_.rows() && col >= 0 && col < output_.cols() &&
               output_.holds(place.y, place.x, row * output_.cols() + col);
    }

    const MovedOutput& output_;
    std::vector<Place> places_;
};

// All wrong places hold the same bytes: nothing of the input at all.
bool is_not_a_number(std::string_view type, const std::byte* value) {
    if (type == "double") {
        double number = 0;
        std::memcpy(&number, value, sizeof number);
        return std::isnan(number);
    }
    if (type != "float" && type != "float4") return false;
    float number = 0;
    std::memcpy(&number, value, sizeof number);
    return std::isnan(number);
}

std::optional<FoundEffect> recognise_constant(const MovedOutput& output, const Evidence& evidence) {
    const std::size_t size = output.size;
    const Place first = evidence.places().front();
    const std::byte* value = output.at(first.y, first.x);
    if (!evidence.holds([&](const Place& p) { return std::memcmp(output.at(p.y, p.x), value, size) == 0; }))
        return std::nullopt;
    const std::uint32_t poison = vgpu::RunOptions{}.shared_poison;
    bool is_poison = true, is_zero = true;
    for (std::size_t i = 0; i < size; ++i) {
        is_poison = is_poison && value[i] == static_cast<std::byte>(poison >> 8 * (i % 4) & 0xFF);
        is_zero = is_zero && value[i] == std::byte{0};
    }
    if (is_poison)
        return FoundEffect{"uninitialized_shared",
                           "`{out}` holds what shared memory held before anything was stored there",
                           "every element of the tile that is read has to be stored first, by this block, with a "
                           "__syncthreads() between",
                           {.is_of_unwritten = true}};
    if (is_not_a_number(output.type, value))
        return FoundEffect{"not_a_number",
                           "wrong elements are NaN, which the input does not hold",
                           "memory that nothing was stored to holds anything: which read comes before its store?",
                           {.is_symptom = true, .is_of_unwritten = true}};
    if (is_zero && evidence.places().size() > 1)
        return FoundEffect{"zeros",
                           "wrong elements are zero",
                           "which variable or tile element is stored there without having been loaded?",
                           {.is_symptom = true}};
    if (evidence.places().size() >= 16)
        return FoundEffect{
            "constant",
            fmt::format("wrong elements all hold the same value, {}", print_of_type(output.type, value, nullptr)),
            "the value stored does not depend on the thread: look at the index of the load",
            {.is_symptom = true, .is_of_unwritten = true}};
    return std::nullopt;
}

// The right element each time, and less of it.
std::optional<FoundEffect> recognise_lost_digits(const MovedOutput& output, const Evidence& evidence) {
    if (output.type != "float" && output.type != "double") return std::nullopt;
    const auto number_at = [&](const std::byte* bytes) {
        double number = 0;
        float single = 0;
        if (output.type == "double") std::memcpy(&number, bytes, sizeof number);
        if (output.type == "float") std::memcpy(&single, bytes, sizeof single);
        return output.type == "float" ? static_cast<double>(single) : number;
    };
    const auto compare = [&](auto&& test) {
        return evidence.holds([&](const Place& p) {
            const std::byte* due =
                output.expected.data() + static_cast<std::size_t>(p.y * output.width() + p.x) * output.size;
            return test(number_at(output.at(p.y, p.x)), number_at(due));
        });
    };
    if (compare([](double is, double due) { return is == std::trunc(due); }))
        return FoundEffect{"digits_lost", "the wrong elements are the right ones without their fraction",
                           "which variable on the way from `{in}` to `{out}` holds whole numbers only?"};
    if (compare([](double is, double due) { return std::abs(is - due) <= 0.01 * std::abs(due); }))
        return FoundEffect{
            "digits_lost", "wrong elements are the right ones with fewer digits",
            fmt::format("which variable on the way from `{{in}}` to `{{out}}` does not have type {}?", output.type)};
    return std::nullopt;
}

// The values are the input's, but moved in no simple way: how far?
std::optional<FoundEffect> recognise_mixture(const MovedOutput& output, const Evidence& evidence) {
    if (output.rows() * output.cols() < 64 || evidence.places().size() < 4) return std::nullopt;
    bool same_tile = true, same_inside = true;
    std::size_t known = 0;
    const auto sources = sources_of(output, evidence.places());
    for (std::size_t p = 0; p < sources.size(); ++p) {
        const Place& place = evidence.places()[p];
        if (!sources[p]) continue;
        ++known;
        const std::int64_t row = *sources[p] / output.cols(), col = *sources[p] % output.cols();
        same_tile = same_tile && row / 32 == place.x / 32 && col / 32 == place.y / 32;
        same_inside = same_inside && row % 32 == place.x % 32 && col % 32 == place.y % 32;
    }
    if (known * 50 < evidence.places().size() * 49) {
        if (auto found = known == 0 ? recognise_lost_digits(output, evidence) : std::nullopt) return found;
        if (known == 0 && output.size >= 4)
            return FoundEffect{"garbage",
                               "wrong elements hold values that are not in the input at all",
                               "look for a read of memory that nothing wrote, or for arithmetic on the elements",
                               {.is_of_unwritten = true}};
        return std::nullopt;
    }
    if (same_tile && (output.rows() > 32 || output.cols() > 32))
        return FoundEffect{"mixed_within_tile", "wrong elements hold other elements of the right 32 x 32 tile",
                           "compare the index that each thread stores into the tile with, with the one that it reads "
                           "with: is a part missing in one of them, or the row length another?"};
    if (same_inside)
        return FoundEffect{"wrong_tile", "wrong elements come from the right place in another tile",
                           "look at how blockIdx enters the index, and at a tile that is reused without a "
                           "__syncthreads() before the next load"};
    return FoundEffect{"misplaced", "wrong elements hold input elements that belong elsewhere",
                       "take the first wrong element and compute by hand which thread writes it, and from where"};
}

}  // namespace

std::optional<FoundEffect> recognise_move(const MovedOutput& output, const OutputMap& map) {
    const Evidence evidence(output, map);
    if (evidence.places().empty()) return std::nullopt;
    if (auto found = recognise_constant(output, evidence)) return found;
    const EffectCase rules{output.scope, places_of_rules(ReferenceForm::moves),
                           [&](auto all, const auto& first) { return evidence.hold_one(all, first); }};
    if (auto found = find_effect(output.rules, rules)) return found;
    return output.is_turned ? recognise_mixture(output, evidence) : std::nullopt;
}

}  // namespace warpgrade
