// Mistakes that show in where the wrong values came from.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "problem/compared_output.hpp"
#include "problem/moves_diagnosis.hpp"
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

    // Is in[row][col] with row(place), col(place) what the wrong places hold?
    template <class Source>
    bool supports(Source&& source) const {
        return holds([&](const Place& place) {
            const auto [row, col] = source(place);
            return is_at(place, row, col);
        });
    }

    template <class Test>
    bool holds(Test&& test) const {
        const std::size_t allowed = places_.size() / 50;
        std::size_t misses = 0;
        for (const Place& place : places_)
            if (!test(place) && ++misses > allowed) return false;
        return !places_.empty();
    }

    bool is_at(const Place& place, std::int64_t row, std::int64_t col) const {
        return row >= 0 && row < output_.rows() && col >= 0 && col < output_.cols() &&
               output_.holds(place.y, place.x, row * output_.cols() + col);
    }
    bool is_flat(const Place& place, std::int64_t index) const {
        return index >= 0 && index < output_.rows() * output_.cols() && output_.holds(place.y, place.x, index);
    }

private:
    const MovedOutput& output_;
    std::vector<Place> places_;
};

using Source = std::pair<std::int64_t, std::int64_t>;  // row, column of in
constexpr std::int64_t tile_sizes[] = {32, 16, 64, 8};

std::optional<Recognised> recognise_tiles(const MovedOutput& output, const Evidence& evidence) {
    for (const std::int64_t t : tile_sizes) {
        // Of one tile the whole is as it was.
        if (std::max(output.rows(), output.cols()) > t && evidence.supports([t](const Place& p) {
                return Source{p.x / t * t + p.y % t, p.y / t * t + p.x % t};
            }))
            return Recognised{"tile_not_turned_inside",
                              fmt::format("the {0} x {0} tiles are in the right place, but not turned inside", t),
                              "turn the index into the tile once: tile[threadIdx.y][threadIdx.x] on one side of the "
                              "barrier, tile[threadIdx.x][threadIdx.y] on the other",
                              {.tile = t, .is_of_inside = true}};
        const bool stays = evidence.supports([t](const Place& p) {
            return Source{p.y / t * t + p.x % t, p.x / t * t + p.y % t};
        }) || evidence.holds([&](const Place& p) {
            // The same, with rows of out `cols` apart.
            const std::int64_t flat = p.y * output.width() + p.x, y = flat / output.cols(), x = flat % output.cols();
            return evidence.is_at(p, y / t * t + x % t, x / t * t + y % t);
        });
        if (stays)
            return Recognised{
                "tile_not_moved",
                fmt::format("the {0} x {0} tiles are turned inside, but stay where they were", t),
                "exchange the roles of blockIdx.x and blockIdx.y when computing where the tile goes in `{out}`",
                {.tile = t}};
    }
    for (const std::int64_t t : tile_sizes) {
        for (std::int64_t step = t / 2; step >= 1; step /= 2) {
            // What belongs `by` rows further down in the tile is taken from as many columns further right.
            const bool is_along_row = evidence.holds([&](const Place& p) {
                const std::int64_t by = p.x % t / step * step;
                return by != 0 && evidence.is_flat(p, (p.x - by) * output.cols() + p.y + by);
            });
            if (is_along_row)
                return Recognised{
                    "offset_along_row",
                    fmt::format("row {0} of each tile holds what is {0} columns further right, in place of {0} rows "
                                "further down",
                                step),
                    "the variable of the loop goes along the row of `{in}`: add it to the row, (y + j) * cols + x"};
            const bool rows = evidence.supports([t, step](const Place& p) {
                return Source{p.x / t * t + p.x % t % step, p.y};
            });
            const bool cols = !rows && evidence.supports([t, step](const Place& p) {
                return Source{p.x, p.y / t * t + p.y % t % step};
            });
            if (rows || cols)
                return Recognised{
                    "rows_repeated",
                    step == 1 ? fmt::format("each tile repeats its first {} of the input", rows ? "row" : "column")
                              : fmt::format("each tile repeats its first {} {} of the input", step,
                                            rows ? "rows" : "columns"),
                    "the loop over the tile moves on one side only: add the loop's offset to the index that is read "
                    "and to the one that is written"};
        }
    }
    return std::nullopt;
}

// The kernel takes rows for cols and cols for rows throughout: it turns a matrix of cols x rows.
std::optional<Recognised> recognise_exchanged_extents(const MovedOutput& output, const Evidence& evidence) {
    const std::int64_t rows = output.rows(), cols = output.cols();
    if (rows == cols || rows == 1 || cols == 1) return std::nullopt;
    const bool fits = evidence.holds([&](const Place& p) {
        const std::int64_t flat = p.y * output.width() + p.x;
        return evidence.is_flat(p, flat % cols * rows + flat / cols);
    });
    if (!fits) return std::nullopt;
    return Recognised{
        "extents_exchanged",
        fmt::format("{{high}} and {{wide}} are exchanged: what was turned is a matrix of {} x {}", cols, rows),
        "compare the arguments in the launch with the kernel's parameters, one by one: is `{high}` handed to "
        "`{high}`?",
        {.height = cols, .width = rows}};
}

std::optional<Recognised> recognise_pitch(const MovedOutput& output, const Evidence& evidence) {
    const std::int64_t rows = output.rows(), cols = output.cols();
    if (rows == cols) return std::nullopt;
    const bool written = evidence.holds([&](const Place& p) {
        const std::int64_t flat = p.y * output.width() + p.x;
        // out[c * cols + r]: several (r, c) may share the place.
        for (std::int64_t c = flat / cols, r = flat % cols; c >= 0 && r < rows; --c, r += cols)
            if (evidence.is_at(p, r, c)) return true;
        return false;
    });
    if (written)
        return Recognised{
            "rows_cols_swapped", "`{out}` is written as if its rows were `{wide}` long",
            "a row of `{out}` has `{high}` elements: the index is the row of {out} times {high}, plus the column"};
    if (evidence.holds([&](const Place& p) { return evidence.is_flat(p, p.x * rows + p.y); }))
        return Recognised{
            "rows_cols_swapped",
            "`{in}` is read as if its rows were `{high}` long",
            "a row of `{in}` has `{wide}` elements: the index is the row of {in} times {wide}, plus the column",
            {.is_of_load = true}};
    return std::nullopt;
}

std::optional<Recognised> recognise_shift(const MovedOutput& output, const Evidence& evidence) {
    const auto flat_shift = [&](std::int64_t by) {
        return evidence.holds(
            [&](const Place& p) { return evidence.is_flat(p, output.expected_source(p.y, p.x) + by); });
    };
    const auto shift = [&](std::int64_t rows, std::int64_t cols) {
        return evidence.supports([&](const Place& p) { return Source{p.x + rows, p.y + cols}; });
    };
    for (const int by : {-1, 1}) {
        if (output.cols() > 1 && (shift(0, by) || flat_shift(by)))
            return Recognised{
                "shifted_by_one",
                fmt::format("wrong elements hold the input element {} where they should be",
                            by < 0 ? "before the one" : "after the one"),
                "an index is off by one: look for <= in place of <, or for a + 1 that belongs to an extent"};
        if (output.rows() > 1 && shift(by, 0))
            return Recognised{
                "neighbouring_row",
                fmt::format("wrong elements come from the row {} the right one", by < 0 ? "above" : "below"),
                "the row index of the load is off by one"};
    }
    return std::nullopt;
}

// Tile k of the input is looked for at k * step, and begins at k * t.
std::optional<Recognised> recognise_step(const MovedOutput& output, const Evidence& evidence) {
    for (const std::int64_t t : tile_sizes) {
        for (const std::int64_t step : {0, 1, 2, 4, 8, 16, 32, 64}) {
            if (step == t) continue;
            const bool rows = output.rows() > t && evidence.supports([&](const Place& p) {
                return Source{p.x / t * step + p.x % t, p.y};
            });
            const bool cols = !rows && output.cols() > t && evidence.supports([&](const Place& p) {
                return Source{p.x, p.y / t * step + p.y % t};
            });
            if (!rows && !cols) continue;
            const char* what = rows ? "row" : "column";
            if (step == 0)
                return Recognised{"wrong_step",
                                  fmt::format("every block reads the first {} {}s of `{{in}}`", t, what),
                                  fmt::format("blockIdx is missing where the {} of the load is computed", what),
                                  {.is_of_columns = cols}};
            return Recognised{
                "wrong_step",
                fmt::format("the tiles of `{{in}}` are read {} {}s apart, where one is {} {}s long", step, what, t,
                            what),
                fmt::format("what is blockIdx multiplied by where the {} of the load is computed? by {}, not by {}",
                            what, t, step),
                {.is_of_columns = cols}};
        }
    }
    return std::nullopt;
}

std::optional<Recognised> recognise_turn(const MovedOutput& output, const Evidence& evidence) {
    const std::int64_t rows = output.rows(), cols = output.cols();
    const bool turned = evidence.supports([&](const Place& p) {
        return Source{rows - 1 - p.x, p.y};
    }) || evidence.supports([&](const Place& p) {
        return Source{p.x, cols - 1 - p.y};
    }) || evidence.supports([&](const Place& p) {
        return Source{rows - 1 - p.x, cols - 1 - p.y};
    });
    if (!turned) return std::nullopt;
    return Recognised{"rotated", "the matrix is turned round: an index runs backwards",
                      "{out}[0][0] is {in}[0][0]; look for an extent minus an index"};
}

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

std::optional<Recognised> recognise_constant(const MovedOutput& output, const Evidence& evidence) {
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
        return Recognised{"uninitialized_shared",
                          "`{out}` holds what shared memory held before anything was stored there",
                          "every element of the tile that is read has to be stored first, by this block, with a "
                          "__syncthreads() between"};
    if (is_not_a_number(output.type, value))
        return Recognised{"not_a_number", "wrong elements are NaN, which the input does not hold",
                          "memory that nothing was stored to holds anything: which read comes before its store?"};
    if (is_zero && evidence.places().size() > 1)
        return Recognised{"zeros", "wrong elements are zero",
                          "which variable or tile element is stored there without having been loaded?"};
    if (evidence.places().size() >= 16)
        return Recognised{
            "constant",
            fmt::format("wrong elements all hold the same value, {}", print_of_type(output.type, value, nullptr)),
            "the value stored does not depend on the thread: look at the index of the load"};
    return std::nullopt;
}

// The right element each time, and less of it.
std::optional<Recognised> recognise_lost_digits(const MovedOutput& output, const Evidence& evidence) {
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
        return Recognised{"digits_lost", "the wrong elements are the right ones without their fraction",
                          "which variable on the way from `{in}` to `{out}` holds whole numbers only?"};
    if (compare([](double is, double due) { return std::abs(is - due) <= 0.01 * std::abs(due); }))
        return Recognised{
            "digits_lost", "wrong elements are the right ones with fewer digits",
            fmt::format("which variable on the way from `{{in}}` to `{{out}}` does not have type {}?", output.type)};
    return std::nullopt;
}

// The values are the input's, but moved in no simple way: how far?
std::optional<Recognised> recognise_mixture(const MovedOutput& output, const Evidence& evidence) {
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
            return Recognised{"garbage", "wrong elements hold values that are not in the input at all",
                              "look for a read of memory that nothing wrote, or for arithmetic on the elements"};
        return std::nullopt;
    }
    if (same_tile && (output.rows() > 32 || output.cols() > 32))
        return Recognised{"mixed_within_tile", "wrong elements hold other elements of the right 32 x 32 tile",
                          "compare the index that each thread stores into the tile with, with the one that it reads "
                          "with: is a part missing in one of them, or the row length another?"};
    if (same_inside)
        return Recognised{"wrong_tile", "wrong elements come from the right place in another tile",
                          "look at how blockIdx enters the index, and at a tile that is reused without a "
                          "__syncthreads() before the next load"};
    return Recognised{"misplaced", "wrong elements hold input elements that belong elsewhere",
                      "take the first wrong element and compute by hand which thread writes it, and from where"};
}

}  // namespace

std::optional<Recognised> recognise_move(const MovedOutput& output, const OutputMap& map) {
    const Evidence evidence(output, map);
    if (evidence.places().empty()) return std::nullopt;
    if (auto found = recognise_constant(output, evidence)) return found;
    if (!output.is_turned) {
        if (evidence.holds([&](const Place& p) {
                return evidence.is_flat(p, p.x * output.cols() + p.y) ||
                       evidence.is_flat(p, (p.y * output.width() + p.x) % output.rows() * output.cols() +
                                               (p.y * output.width() + p.x) / output.rows());
            }))
            return Recognised{"turned", "the rows of `{in}` are the columns of `{out}`",
                              "element (y, x) goes to element (y, x)"};
        return std::nullopt;
    }
    if (evidence.holds([&](const Place& p) { return evidence.is_flat(p, p.y * output.width() + p.x); }))
        return Recognised{"unmoved", "`{out}` is a copy of `{in}`: nothing is moved",
                          "exchange x and y on one side: element (y, x) of {in} belongs at element (x, y) of {out}"};
    // out[r * rows + c]: several (r, c) may share the place.
    const std::int64_t rows = output.rows(), cols = output.cols();
    const bool is_kept = rows != cols && evidence.holds([&](const Place& p) {
        const std::int64_t flat = p.y * output.width() + p.x;
        for (std::int64_t r = flat / rows, c = flat % rows; r >= 0 && c < cols; --r, c += rows)
            if (evidence.is_at(p, r, c)) return true;
        return false;
    });
    if (is_kept)
        return Recognised{"not_exchanged",
                          "row and column are not exchanged: the rows of `{in}` are stored as rows of `{out}`",
                          "element (y, x) of {in} belongs at row x, column y of {out}: the index is x * {high} + y"};
    if (auto found = recognise_exchanged_extents(output, evidence)) return found;
    if (auto found = recognise_pitch(output, evidence)) return found;
    if (auto found = recognise_tiles(output, evidence)) return found;
    if (auto found = recognise_shift(output, evidence)) return found;
    if (auto found = recognise_step(output, evidence)) return found;
    if (auto found = recognise_turn(output, evidence)) return found;
    return recognise_mixture(output, evidence);
}

}  // namespace warpgrade
