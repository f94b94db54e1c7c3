#include "proof/witness.hpp"

#include <utility>

namespace warpgrade::proof {
namespace {

constexpr int most_tries = 4;  // of values of the first extent
constexpr Integer usual_extents[] = {1, 2, 33, 65, 4097, 46341, 65537, 1 << 20, 1 << 24};

class Search {
public:
    Search(const Context& context, const Doubt& doubt) : context_(context), doubt_(doubt) {}

    // The shape with the fewest elements of those that are found by one extent first, then the other.
    std::optional<std::vector<Integer>> shape() const {
        std::optional<std::vector<Integer>> best;
        for (std::size_t first = 0; first < context_.extents(); ++first) {
            auto found = shape_by(first);
            if (found && (!best || elements(*found) < elements(*best))) best = std::move(found);
        }
        return best;
    }

    Search at(std::size_t extent, Integer value) const {
        Search other(context_.at(extent, value), doubt_);
        other.doubt_.conditions = other.context_.with_known(doubt_.conditions);
        for (Path& path : other.doubt_.others) path = other.context_.with_known(path);
        return other;
    }

    bool is_possible(const Path& more) const {
        Path conditions = doubt_.conditions;
        conditions.insert(conditions.end(), more.begin(), more.end());
        const Emptiness found = doubt_.shown.empty()
                                    ? context_.emptiness(conditions)
                                    : context_.emptiness_without(doubt_.shown, conditions, doubt_.others);
        return found == Emptiness::not_empty;
    }

    // The least value from `low` to `high`, with what is known so far.
    std::optional<Integer> least(const Polynomial& value, Integer low, Integer high, const Path& so_far = {}) const {
        const auto is_at_most = [&](Integer limit) {
            Path more = so_far;
            more.push_back(within(value, low, limit));
            return is_possible(more);
        };
        if (low > high || !is_at_most(high)) return std::nullopt;
        // Mostly it is small.
        for (Integer step = 1, from = low; from + step < high; from += step, step *= 4)
            if (is_at_most(from + step)) {
                high = from + step;
                break;
            }
        Integer known = low;
        while (known < high) {
            const Integer middle = known + (high - known) / 2;
            if (is_at_most(middle))
                high = middle;
            else
                known = middle + 1;
        }
        return high;
    }

    const Context& context() const { return context_; }
    const Path& conditions() const { return doubt_.conditions; }

private:
    static Integer elements(const std::vector<Integer>& shape) {
        Integer product = 1;
        for (const Integer extent : shape) product *= extent;
        return product;
    }

    // With this value of the first extent.
    std::optional<std::vector<Integer>> shape_with(std::size_t first, Integer value) const {
        std::vector<Integer> shape(context_.extents());
        shape[first] = value;
        const Search with_one = at(first, value);
        if (shape.size() == 1) return with_one.is_possible({}) ? std::optional(shape) : std::nullopt;
        const std::size_t second = 1 - first;
        try {
            const auto other = with_one.least(context_.extent(second), 1, context_.most_of(static_cast<Atom>(second)));
            if (!other) return std::nullopt;
            shape[second] = *other;
            return shape;
        } catch (const Unsupported&) {
            return std::nullopt;
        }
    }

    std::optional<std::vector<Integer>> shape_by(std::size_t first) const {
        if (context_.extents() > 2) return std::nullopt;
        try {
            Integer from = 1;
            for (int tried = 0; tried < most_tries; ++tried) {
                const auto one = least(context_.extent(first), from, context_.most_of(static_cast<Atom>(first)));
                if (!one) return std::nullopt;
                if (auto found = shape_with(first, *one)) return found;
                from = 2 * *one;
            }
        } catch (const Unsupported&) {  // it names a product, which this extent makes linear
            for (const Integer value : usual_extents)
                if (auto found = shape_with(first, value)) return found;
        }
        return std::nullopt;
    }

    Context context_;
    Doubt doubt_;
};

// The threads at a shape, one coordinate after the other. Those of one block share its coordinates.
std::vector<Witness::Thread> threads_at(const Search& search) {
    std::vector<Witness::Thread> threads;
    std::map<Atom, Integer> values;
    Path so_far;
    for (const auto& coordinates : search.context().threads_of(search.conditions())) {
        std::map<Atom, Integer> of_thread;
        for (const auto& [own, atom] : coordinates) {
            const Polynomial range = search.context().range_of(atom);
            if (!values.contains(atom)) {
                if (!range.is_constant()) return threads;
                const Polynomial itself = Polynomial::of(atom);
                const auto value = search.least(itself, 0, range.constant() - 1, so_far);
                if (!value) return threads;
                values[atom] = *value;
                so_far.push_back(is_zero(itself - *value));
            }
            of_thread[own] = values[atom];
        }
        const auto place = search.context().place_of(of_thread);
        if (!place) return threads;
        Witness::Thread& thread = threads.emplace_back();
        for (std::size_t i = 0; i < 3; ++i) {
            thread.block[i] = static_cast<std::int64_t>(place->block[i]);
            thread.thread[i] = static_cast<std::int64_t>(place->thread[i]);
        }
    }
    return threads;
}

}  // namespace

std::optional<Witness> find_witness(const Context& context, Obligation what, const Doubt& doubt) {
    try {
        Search search(context, doubt);
        const auto shape = search.shape();
        if (!shape) return std::nullopt;
        Witness witness;
        witness.what = what;
        for (std::size_t i = 0; i < shape->size(); ++i) {
            search = search.at(i, (*shape)[i]);
            witness.shape.push_back(static_cast<std::int64_t>((*shape)[i]));
        }
        if (!search.is_possible({})) return std::nullopt;
        const Context& here = search.context();
        for (std::size_t i = 0; i < 3; ++i) {
            const Polynomial grid = here.with_known(here.grid()[i]);
            witness.grid[i] = grid.is_constant() ? static_cast<std::int64_t>(grid.constant()) : 0;
            witness.block[i] = static_cast<std::int64_t>(here.block()[i]);
        }
        if (!doubt.shown.empty() || what == Obligation::launch) return witness;
        witness.threads = threads_at(search);
        return witness;
    } catch (const Unsupported&) {
        return std::nullopt;
    }
}

}  // namespace warpgrade::proof
