#include "problem/gathered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

namespace warpgrade {

namespace {

constexpr int reach = 3, side = 2 * reach + 1, unknowns = side * side;
using Weights = std::array<double, unknowns>;

struct Offset {
    int y = 0, x = 0;
};
constexpr Offset offset_of(int k) { return {k / side - reach, k % side - reach}; }

// The neighbours of an element, itself among them.
std::array<double, unknowns> around(const Gathered& output, std::size_t index) {
    const auto y = static_cast<std::int64_t>(index) / output.cols, x = static_cast<std::int64_t>(index) % output.cols;
    std::array<double, unknowns> all;
    for (int k = 0; k < unknowns; ++k)
        all[static_cast<std::size_t>(k)] =
            output.in[static_cast<std::size_t>((y + offset_of(k).y) * output.cols + x + offset_of(k).x)];
    return all;
}

bool is_near(double is, double due) { return std::abs(is - due) <= 1e-3 * (1 + std::abs(due)); }

double applied(const Weights& weights, const std::array<double, unknowns>& values) {
    return std::inner_product(weights.begin(), weights.end(), values.begin(), 0.0);
}

// The weights that make `of` at these places, if there are any that make it at 98 of 100 of them.
std::optional<Weights> solve(const Gathered& output, std::span<const float> of, std::span<const std::size_t> places) {
    constexpr std::size_t least = unknowns + unknowns / 2, most = 8 * unknowns;
    if (places.size() < least) return std::nullopt;
    const std::size_t step = (places.size() + most - 1) / most;
    std::array<std::array<double, unknowns + 1>, unknowns> m{};
    for (std::size_t i = 0; i < places.size(); i += step) {
        const auto values = around(output, places[i]);
        for (std::size_t r = 0; r < unknowns; ++r) {
            for (std::size_t c = 0; c < unknowns; ++c) m[r][c] += values[r] * values[c];
            m[r][unknowns] += values[r] * of[places[i]];
        }
    }
    for (std::size_t c = 0; c < unknowns; ++c) {
        std::size_t best = c;
        for (std::size_t r = c; r < unknowns; ++r)
            if (std::abs(m[r][c]) > std::abs(m[best][c])) best = r;
        if (std::abs(m[best][c]) < 1e-6) return std::nullopt;
        std::swap(m[c], m[best]);
        for (std::size_t r = 0; r < unknowns; ++r) {
            if (r == c) continue;
            const double factor = m[r][c] / m[c][c];
            for (std::size_t k = c; k <= unknowns; ++k) m[r][k] -= factor * m[c][k];
        }
    }
    Weights weights;
    for (std::size_t k = 0; k < unknowns; ++k) {
        weights[k] = m[k][unknowns] / m[k][k];
        // What a learner writes has few digits.
        const double few = std::round(weights[k] * 120) / 120;
        if (std::abs(weights[k] - few) < 1e-3) weights[k] = few;
    }
    std::size_t misses = 0;
    for (const std::size_t place : places)
        misses += is_near(of[place], applied(weights, around(output, place))) ? 0 : 1;
    if (50 * misses > places.size()) return std::nullopt;
    return weights;
}

std::string number(double value) { return fmt::format("{:.4g}", value == 0 ? 0.0 : value); }

std::string place_name(Offset at) {
    if (at.y == 0 && at.x == 0) return "the element itself";
    const auto part = [](int by, const char* what, const char* before, const char* behind) {
        const int far = std::abs(by);
        return fmt::format("{} {}{} {}", far, what, far == 1 ? "" : "s", by < 0 ? before : behind);
    };
    if (at.x == 0 && std::abs(at.y) == 1) return at.y < 0 ? "the element above" : "the element below";
    if (at.y == 0 && std::abs(at.x) == 1) return at.x < 0 ? "the left neighbour" : "the right neighbour";
    std::string text;
    if (at.y != 0) text = part(at.y, "row", "above", "below");
    if (at.x != 0) text += (text.empty() ? "" : ", ") + part(at.x, "column", "to the left", "to the right");
    return "the element " + text;
}

std::vector<int> differing(const Weights& is, const Weights& due) {
    std::vector<int> all;
    for (std::size_t k = 0; k < unknowns; ++k)
        if (!is_near(is[k], due[k])) all.push_back(static_cast<int>(k));
    return all;
}

int reach_of(const Weights& a, const Weights& b) {
    int far = 1;
    for (int k = 0; k < unknowns; ++k)
        if (a[static_cast<std::size_t>(k)] != 0 || b[static_cast<std::size_t>(k)] != 0)
            far = std::max({far, std::abs(offset_of(k).y), std::abs(offset_of(k).x)});
    return far;
}

// Rows of numbers in columns of one width, those of `right` beside them.
std::vector<std::string> table(const Weights& left, const Weights& right) {
    const int far = reach_of(left, right);
    std::size_t width = 1;
    for (std::size_t k = 0; k < unknowns; ++k)
        width = std::max({width, number(left[k]).size(), number(right[k]).size()});
    std::vector<std::string> lines;
    for (int y = -far; y <= far; ++y) {
        std::string text[2];
        for (int x = -far; x <= far; ++x) {
            const auto k = static_cast<std::size_t>((y + reach) * side + x + reach);
            text[0] += fmt::format("{:>{}} ", number(left[k]), width);
            text[1] += fmt::format(" {:>{}}", number(right[k]), width);
        }
        lines.push_back(fmt::format("{} |{}", text[0], text[1]));
    }
    return lines;
}

std::string line_text(int by, const char* what, const char* before, const char* behind) {
    return by == 0
               ? ""
               : fmt::format("{} {}{} {}", std::abs(by), what, std::abs(by) == 1 ? "" : "s", by < 0 ? before : behind);
}

// The same weights around another element.
std::optional<Offset> moved_by(const Weights& is, const Weights& due) {
    const auto at = [](const Weights& weights, int y, int x) {
        return std::abs(y) > reach || std::abs(x) > reach
                   ? 0.0
                   : weights[static_cast<std::size_t>((y + reach) * side + x + reach)];
    };
    for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
            bool fits = dy != 0 || dx != 0;
            for (int k = 0; k < unknowns && fits; ++k) {
                const Offset o = offset_of(k);
                fits = is_near(is[static_cast<std::size_t>(k)], at(due, o.y - dy, o.x - dx));
                // What would be moved out of sight is not known to be there.
                fits = fits && (at(due, o.y, o.x) == 0 || (std::abs(o.y + dy) <= reach && std::abs(o.x + dx) <= reach));
            }
            if (fits) return Offset{dy, dx};
        }
    return std::nullopt;
}

WrongWeights describe(const Weights& is, const Weights& due) {
    WrongWeights text;
    const auto name = [](int k) { return place_name(offset_of(k)); };
    const std::vector<int> differ = differing(is, due);
    if (const auto by = moved_by(is, due)) {
        const std::string rows = line_text(by->y, "row", "further up", "further down"),
                          cols = line_text(by->x, "column", "further left", "further right");
        text.title = fmt::format("what belongs around the element is taken {}{}{}", rows,
                                 rows.empty() || cols.empty() ? "" : " and ", cols);
        text.help =
            "each element is made of what lies around it: which offset is missing, or too much, in its row or "
            "column?";
        text.is_around = true;
        return text;
    }
    // What one is short of, the other has too much of.
    if (differ.size() == 2) {
        const auto more = [&](int k) { return is[static_cast<std::size_t>(k)] - due[static_cast<std::size_t>(k)]; };
        const auto is_left_out = [&](int k) { return is_near(is[static_cast<std::size_t>(k)], 0.0); };
        const int out = is_left_out(differ[0]) ? differ[0] : differ[1], in = out == differ[0] ? differ[1] : differ[0];
        if (is_left_out(out) && is_near(more(in), -more(out))) {
            text.title = fmt::format("{} is taken where {} belongs", name(in), name(out));
            text.help = fmt::format("which term of the sum is meant for {}? it gets {}", name(out), name(in));
            return text;
        }
    }
    if (differ.size() <= 2) {
        for (const int k : differ) {
            const double found = is[static_cast<std::size_t>(k)], wanted = due[static_cast<std::size_t>(k)];
            if (!text.title.empty()) text.title += ", and ";
            text.title += found == 0 ? fmt::format("{} does not count", name(k))
                          : wanted == 0
                              ? fmt::format("{} counts, times {}", name(k), number(found))
                              : fmt::format("{} counts times {}, not times {}", name(k), number(found), number(wanted));
        }
    } else {
        text.title = fmt::format("{} of the neighbours do not count as they should", differ.size());
    }
    text.help = "compare the indices and the factors of the sum with the right-hand table, one by one";
    return text;
}

bool is_inner(const Gathered& output, std::size_t i) {
    const auto y = static_cast<std::int64_t>(i) / output.cols, x = static_cast<std::int64_t>(i) % output.cols;
    return y >= reach && y < output.rows - reach && x >= reach && x < output.cols - reach;
}

}  // namespace

namespace {

// The shortest period of 8, 16 and `longest` after which a wrong line follows each wrong one of the class `one`.
template <class Place>
std::size_t period_of(std::span<const std::size_t> wrong, std::size_t one, std::size_t longest, const Place& place) {
    std::set<std::size_t> lines;
    for (const std::size_t i : wrong) lines.insert(place(i));
    for (const std::size_t period : {std::size_t{8}, std::size_t{16}}) {
        std::size_t line = *lines.begin();
        while (line % period != one % period) ++line;
        bool is_all = period < longest;
        for (; line <= *lines.rbegin() && is_all; line += period) is_all = lines.contains(line);
        if (is_all) return period;
    }
    return longest;
}

}  // namespace

std::optional<WrongWeights> wrong_weights(const Gathered& output, std::span<const std::size_t> wrong) {
    std::vector<std::size_t> inner, places;
    std::ranges::copy_if(wrong, std::back_inserter(inner), [&](std::size_t i) { return is_inner(output, i); });
    for (std::size_t i = 0; i < output.in.size(); ++i)
        if (is_inner(output, i)) places.push_back(i);
    const auto due = solve(output, output.expected, places);
    if (!due || inner.empty()) return std::nullopt;
    const auto told = [&](const std::vector<std::size_t>& chosen,
                          const std::string& where) -> std::optional<WrongWeights> {
        const auto is = solve(output, output.out, chosen);
        if (!is || differing(*is, *due).empty()) return std::nullopt;
        // Where something else is in the sum, as what nobody has stored, these are no numbers of neighbours.
        constexpr double most = 1000;
        if (std::ranges::any_of(*is, [](double weight) { return std::abs(weight) > most; })) return std::nullopt;
        WrongWeights text = describe(*is, *due);
        if (!where.empty()) text.title = fmt::format("{}, {}", where.substr(1), text.title);
        text.facts.push_back(fmt::format("how often each neighbour counts{}, and how often it should:", where));
        for (std::string& line : table(*is, *due)) text.facts.push_back("    " + line);
        return text;
    };
    if (auto found = told(inner, "")) return found;
    // Smaller ones tell the same.
    constexpr std::size_t most_elements = 20'000;
    if (output.in.size() > most_elements) return std::nullopt;
    const auto cols = static_cast<std::size_t>(output.cols);
    for (const bool is_column : {true, false})
        for (const std::size_t period : {32, 16, 8}) {
            const auto place = [&](std::size_t i) { return is_column ? i % cols : i / cols; };
            const auto class_of = [&](std::size_t i) { return place(i) % period; };
            for (const std::size_t one :
                 std::set<std::size_t>{class_of(inner.front()), class_of(inner[inner.size() / 2]), 1, 2}) {
                std::vector<std::size_t> chosen;
                std::ranges::copy_if(inner, std::back_inserter(chosen),
                                     [&](std::size_t i) { return class_of(i) == one; });
                if (chosen.size() == inner.size()) continue;
                const std::size_t exact = period_of(inner, one, period, place);
                if (auto found = told(
                        chosen, fmt::format(" in {} {} of every {}", is_column ? "column" : "row", one % exact, exact)))
                    return found;
            }
        }
    return std::nullopt;
}

WrongPlace where_wrong(std::int64_t rows, std::int64_t cols, std::span<const std::size_t> wrong) {
    if (wrong.size() < 3 || rows < 4 || cols < 4) return {};
    const auto y = [&](std::size_t i) { return static_cast<std::int64_t>(i) / cols; };
    const auto x = [&](std::size_t i) { return static_cast<std::int64_t>(i) % cols; };
    const auto all = [&](auto&& test) { return std::ranges::all_of(wrong, test); };
    const auto is_left = [&](std::size_t i) { return x(i) == 0; };
    const auto is_right = [&](std::size_t i) { return x(i) == cols - 1; };
    const auto is_top = [&](std::size_t i) { return y(i) == 0; };
    const auto is_bottom = [&](std::size_t i) { return y(i) == rows - 1; };
    const auto is_side = [&](std::size_t i) { return is_left(i) || is_right(i); };
    const auto is_end = [&](std::size_t i) { return is_top(i) || is_bottom(i); };
    if (all(is_left)) return {"all of them in the first column", Edge::first_column};
    if (all(is_right)) return {"all of them in the last column", Edge::last_column};
    if (all(is_top)) return {"all of them in the first row", Edge::first_row};
    if (all(is_bottom)) return {"all of them in the last row", Edge::last_row};
    if (all(is_side)) return {"all of them in the first and the last column", Edge::two_columns};
    if (all(is_end)) return {"all of them in the first and the last row", Edge::two_rows};
    if (all([&](std::size_t i) { return is_side(i) || is_end(i); }))
        return {"all of them at the edge of the matrix", Edge::any};
    if (all([&](std::size_t i) { return x(i) == x(wrong.front()); }))
        return {fmt::format("all of them in column {}", x(wrong.front()))};
    if (all([&](std::size_t i) { return y(i) == y(wrong.front()); }))
        return {fmt::format("all of them in row {}", y(wrong.front()))};
    for (const std::int64_t period : {32, 16, 8}) {
        std::set<std::int64_t> in_col, in_row;
        for (const std::size_t i : wrong) {
            in_col.insert(x(i) % period);
            in_row.insert(y(i) % period);
        }
        const auto told = [&](const std::set<std::int64_t>& some, const char* what) {
            return WrongPlace{fmt::format("all of them in {}{} {} of every {}", what, some.size() == 1 ? "" : "s",
                                          fmt::join(some, " and "), period)};
        };
        if (2 * period <= cols && in_col.size() <= 2) return told(in_col, "column");
        if (2 * period <= rows && in_row.size() <= 2) return told(in_row, "row");
    }
    return {};
}

std::vector<std::string> neighbours_of(const Gathered& output, std::size_t index) {
    const auto y = static_cast<std::int64_t>(index) / output.cols, x = static_cast<std::int64_t>(index) % output.cols;
    std::vector<std::string> lines{fmt::format("around {}[{}][{}]; - is outside:", output.in_name, y, x)};
    for (std::int64_t v = y - 2; v <= y + 2; ++v) {
        std::string text;
        for (std::int64_t u = x - 2; u <= x + 2; ++u) {
            const bool is_outside = v < 0 || u < 0 || v >= output.rows || u >= output.cols;
            text += fmt::format(" {:>5}",
                                is_outside ? "-" : number(output.in[static_cast<std::size_t>(v * output.cols + u)]));
        }
        lines.push_back("   " + text);
    }
    return lines;
}

}  // namespace warpgrade
