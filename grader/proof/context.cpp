#include "proof/context.hpp"

#include <algorithm>
#include <utility>

namespace warpgrade::proof {
namespace {

constexpr Integer two_to_31 = Integer{1} << 31;
constexpr Integer smallest_high_part = Integer{1} << 16;  // divisors from here on may leave nothing
const char* const axis_names[] = {"x", "y", "z"};

}  // namespace

Context::Context(Sets& sets, const std::vector<Integer>& extents, Integer most_elements)
    : sets_(&sets), extents_(extents.size()), most_elements_(most_elements) {
    for (const Integer most : extents) {
        AtomMeaning extent;
        extent.name = "p" + std::to_string(atoms_.size());
        extent.is_parameter = true;
        extent.most = most;
        add(std::move(extent));
    }
}

Atom Context::add(AtomMeaning meaning) {
    atoms_.push_back(std::move(meaning));
    return static_cast<Atom>(atoms_.size() - 1);
}

Atom Context::add_coordinate(const std::string& name, const Polynomial& range) {
    AtomMeaning one;
    one.kind = AtomMeaning::Kind::coordinate;
    one.name = name;
    one.range = range;
    return add(std::move(one));
}

// The coordinate of an axis or of two that are folded into one; "band" stands for both.
Polynomial Context::coordinate(const std::string& name, const Polynomial& range, int axis, const BlockOrder& order) {
    if (range == Polynomial(1)) return {};
    if (order.split != axis) {
        coordinates_.push_back(add_coordinate(name, range));
        return Polynomial::of(coordinates_.back());
    }
    const auto rows = range.divided(order.row);
    if (!rows) throw Unsupported{"a block's index is divided by what the grid is not a multiple of"};
    if (!depends_on_shape_only(order.row) || !holds({}, at_least(order.row, 1)))
        throw Unsupported{"a block's index is divided by what may not be positive"};
    coordinates_.push_back(add_coordinate(name + "row", *rows));
    const Polynomial row = Polynomial::of(coordinates_.back());
    coordinates_.push_back(add_coordinate(name + "rest", order.row));
    axis_row_[static_cast<std::size_t>(axis)] = row;
    return row * order.row + Polynomial::of(coordinates_.back());
}

void Context::enter_kernel(const std::array<Integer, 3>& block, const std::array<Polynomial, 3>& grid,
                           const BlockOrder& order) {
    block_ = block;
    grid_ = grid;
    order_ = order;
    for (int axis = 0; axis < 3; ++axis) {
        const auto i = static_cast<std::size_t>(axis);
        if (axis == order.high) continue;
        Polynomial range = grid[i];
        if (axis == order.low) range = range * grid[static_cast<std::size_t>(order.high)];
        block_index_[i] = axis_coordinate_[i] =
            coordinate(std::string(axis == order.low ? "band" : "b") + axis_names[i], range, axis, order);
    }
    if (order.low >= 0) {
        AtomMeaning high;
        high.kind = AtomMeaning::Kind::hidden;
        const Polynomial hidden = Polynomial::of(add(std::move(high)));
        const auto low = static_cast<std::size_t>(order.low);
        block_index_[static_cast<std::size_t>(order.high)] = hidden;
        block_index_[low] = block_index_[low] - hidden * grid[low];
    }
    for (std::size_t i = 0; i < 3; ++i) {
        if (block[i] == 1) continue;
        coordinates_.push_back(add_coordinate(std::string("t") + axis_names[i], block[i]));
        atoms_.back().is_of_thread = true;
        thread_index_[i] = Polynomial::of(coordinates_.back());
    }
}

bool Context::is_parameter(const Monomial& monomial) const {
    return std::all_of(monomial.begin(), monomial.end(), [this](Atom atom) { return meaning(atom).is_parameter; });
}

bool Context::depends_on_shape_only(const Polynomial& value) const {
    return std::all_of(value.terms().begin(), value.terms().end(),
                       [this](const auto& term) { return is_parameter(term.first); });
}

Polynomial Context::quotient_atom(const Polynomial& numerator, const Polynomial& denominator) {
    for (std::size_t i = 0; i < atoms_.size(); ++i)
        if (atoms_[i].kind == AtomMeaning::Kind::quotient && atoms_[i].numerator == numerator &&
            atoms_[i].denominator == denominator)
            return Polynomial::of(static_cast<Atom>(i));
    AtomMeaning one;
    one.kind = AtomMeaning::Kind::quotient;
    one.name = "q" + std::to_string(atoms_.size());
    one.numerator = numerator;
    one.denominator = denominator;
    if (depends_on_shape_only(numerator)) {
        // Of every shape, also of those that are not spoken of: told_ is checked there.
        Path others = std::exchange(assumed, {});
        one.is_parameter = holds({}, at_least_zero(numerator));
        const bool is_positive = denominator.is_constant() || holds({}, at_least(denominator, 1));
        assumed = std::move(others);
        if (!one.is_parameter && !is_positive) throw Unsupported{"a quotient of what may be negative"};
        if (!is_positive) throw Unsupported{"a division by what may be zero"};
        if (!one.is_parameter && !denominator.is_constant()) throw Unsupported{"a quotient of what may be negative"};
    }
    return Polynomial::of(add(std::move(one)));
}

// floor((c*p) / d) == floor(p / e) for 0 <= p < 2^31, where e = d/c rounded up and what that adds, (c*e - d) / d of p,
// stays below 1: how a compiler divides by a constant.
static std::optional<Integer> divisor_of_multiplication(Integer factor, Integer denominator) {
    const Integer divisor = (denominator + factor - 1) / factor, more = factor * divisor - denominator;
    if (more * two_to_31 >= denominator) return std::nullopt;
    return divisor;
}

Polynomial Context::quotient_by_constant(Polynomial numerator, Integer denominator, const Path& path) {
    // floor((floor(n/d) + rest) / e) == floor((n + d*rest) / (d*e)); the latest quotient may be one of the others.
    const auto is_inner = [this](const auto& term) {
        if (term.first.size() != 1 || term.second != 1) return false;
        const AtomMeaning& one = meaning(term.first.front());
        return one.kind == AtomMeaning::Kind::quotient && one.denominator.is_constant();
    };
    const auto& terms = numerator.terms();
    if (const auto found = std::find_if(terms.rbegin(), terms.rend(), is_inner); found != terms.rend()) {
        const AtomMeaning inner = meaning(found->first.front());
        const Polynomial rest = numerator - Polynomial::of(found->first.front());
        return quotient_by_constant(inner.numerator + rest * inner.denominator,
                                    denominator * inner.denominator.constant(), path);
    }
    Integer common = numerator.content(), b = denominator;
    while (b != 0) common = std::exchange(b, common % b);
    if (common > 1) numerator = *numerator.divided(common), denominator /= common;
    if (denominator == 1) return numerator;
    if (numerator.is_constant()) return rounded_down(numerator.constant(), denominator);
    if (const Integer factor = numerator.content(); factor > 1) {
        const Polynomial one = *numerator.divided(factor);
        const auto divisor = divisor_of_multiplication(factor, denominator);
        if (divisor && holds(path, within(one, 0, two_to_31 - 1))) return quotient_by_constant(one, *divisor, path);
    }
    Polynomial whole, rest;
    for (const auto& [monomial, factor] : numerator.terms())
        (factor % denominator == 0 ? whole : rest) += Polynomial::of(monomial, factor);
    if (!whole.terms().empty() && !rest.terms().empty())
        return *whole.divided(denominator) + quotient_by_constant(rest, denominator, path);
    if (denominator >= smallest_high_part && holds(path, within(numerator, 0, denominator - 1))) return {};
    return quotient_atom(numerator, denominator);
}

Context::FlatIndex Context::add_flat_index(const Polynomial& rows, const Polynomial& columns) {
    FlatIndex index;
    index.row = add_coordinate("Y", rows);
    index.column = add_coordinate("X", columns);
    index.begin = add_coordinate("W", rows * columns - columns + 1);
    index.columns = columns;
    flat_.push_back(index);
    return index;
}

Polynomial Context::with_flat(const Polynomial& value) const {
    Polynomial result = value;
    for (const FlatIndex& index : flat_)
        if (index.columns.terms().size() == 1 && index.columns.content() == 1) {
            Monomial product = index.columns.terms().begin()->first;
            product.insert(std::upper_bound(product.begin(), product.end(), index.row), index.row);
            const auto found = result.terms().find(product);
            if (found == result.terms().end()) continue;
            const Integer factor = found->second;
            result += Polynomial::of(Monomial{index.begin}, factor) - Polynomial::of(product, factor);
        }
    return result;
}

std::optional<Polynomial> Context::quotient_of_coordinate(const Polynomial& numerator,
                                                          const Polynomial& denominator) const {
    for (int axis = 0; axis < 3; ++axis) {
        const auto i = static_cast<std::size_t>(axis);
        if (numerator != axis_coordinate_[i] || numerator.is_constant()) continue;
        if (axis_row_[i] && order_.row == denominator) return axis_row_[i];
        if (!axis_row_[i] && order_.split < 0) throw SplitWanted{axis, denominator};
    }
    return std::nullopt;
}

Polynomial Context::quotient(const Polynomial& numerator, const Polynomial& denominator, const Path& path) {
    if (denominator.is_constant()) return quotient_by_constant(numerator, denominator.constant(), path);
    if (!depends_on_shape_only(denominator)) throw Unsupported{"a division by what depends on the thread"};
    if (depends_on_shape_only(numerator)) return quotient_atom(numerator, denominator);
    for (const FlatIndex& index : flat_) {
        const Polynomial rest = numerator - Polynomial::of(index.begin);
        if (index.columns == denominator && holds(path, within(rest, 0, denominator - 1)))
            return Polynomial::of(index.row);
    }
    if (auto row = quotient_of_coordinate(numerator, denominator)) return *row;
    throw Unsupported{"a division of what depends on the thread by what depends on the shape"};
}

Polynomial Context::twin(const Polynomial& value, bool is_in_same_block) {
    Polynomial result;
    for (const auto& [monomial, factor] : value.terms()) {
        Polynomial product = factor;
        for (const Atom atom : monomial) {
            const AtomMeaning one = meaning(atom);
            if (one.is_parameter || one.kind == AtomMeaning::Kind::extent) {
                product = product * Polynomial::of(atom);
            } else if (one.kind == AtomMeaning::Kind::quotient) {
                product = product * quotient_atom(twin(one.numerator, is_in_same_block), one.denominator);
            } else if (one.kind == AtomMeaning::Kind::coordinate && is_in_same_block && !one.is_of_thread) {
                product = product * Polynomial::of(atom);
            } else {
                const auto [at, is_new] = twins_.try_emplace({atom, is_in_same_block}, 0);
                if (is_new) {
                    AtomMeaning other = one;
                    other.name += is_in_same_block ? "_" : "__";
                    at->second = add(std::move(other));
                }
                product = product * Polynomial::of(at->second);
            }
        }
        result += product;
    }
    return result;
}

Condition Context::twin(const Condition& condition, bool is_in_same_block) {
    Condition result = condition;
    result.value = twin(condition.value, is_in_same_block);
    for (Condition& part : result.parts) part = twin(part, is_in_same_block);
    return result;
}

Path Context::twin(const Path& path, bool is_in_same_block) {
    Path result;
    for (const Condition& condition : path) result.push_back(twin(condition, is_in_same_block));
    return result;
}

Polynomial Context::with_known(const Polynomial& value) const { return value.replaced(known_); }

Path Context::with_known(const Path& path) const { return replaced(path, known_); }

// A quotient's numerator names earlier unknowns only.
Context Context::at(std::size_t extent, Integer value) const {
    Context other = *this;
    other.known_[static_cast<Atom>(extent)] = value;
    for (std::size_t i = 0; i < other.atoms_.size(); ++i) {
        AtomMeaning& one = other.atoms_[i];
        for (Polynomial* const part : {&one.range, &one.numerator, &one.denominator}) *part = other.with_known(*part);
        const bool is_known = one.kind == AtomMeaning::Kind::quotient && one.numerator.is_constant() &&
                              one.denominator.is_constant() && one.denominator.constant() > 0;
        if (is_known)
            other.known_[static_cast<Atom>(i)] = rounded_down(one.numerator.constant(), one.denominator.constant());
    }
    Polynomial elements = 1;
    for (std::size_t i = 0; i < extents_; ++i) elements = elements * this->extent(i);
    other.assumed.push_back(within(elements, 1, most_elements_));
    other.assumed = other.with_known(other.assumed);
    return other;
}

std::vector<std::map<Atom, Atom>> Context::threads_of(const Path& conditions) const {
    Vocabulary words;
    for (const Condition& condition : conditions) note(condition, words);
    std::vector<std::map<Atom, Atom>> threads(1);
    for (const Atom atom : coordinates_) threads[0][atom] = atom;
    for (const bool is_in_same_block : {true, false}) {
        std::map<Atom, Atom> other = threads[0];
        bool is_named = false;
        for (auto& [own, at] : other) {
            const auto twin = twins_.find({own, is_in_same_block});
            if (twin == twins_.end()) continue;
            at = twin->second;
            is_named = is_named || words.coordinates.contains(at);
        }
        if (is_named) threads.push_back(std::move(other));
    }
    return threads;
}

std::optional<Context::Place> Context::place_of(const std::map<Atom, Integer>& coordinates) const {
    Context here = *this;
    for (const auto& [atom, value] : coordinates) here.known_[atom] = value;
    const auto value = [&](const Polynomial& of) { return here.with_known(of); };
    if (order_.low >= 0) {
        const auto low = static_cast<std::size_t>(order_.low), high = static_cast<std::size_t>(order_.high);
        const Polynomial band = value(axis_coordinate_[low]), size = value(grid_[low]);
        if (!band.is_constant() || !size.is_constant() || size.constant() < 1) return std::nullopt;
        here.known_[block_index_[high].terms().begin()->first.front()] = band.constant() / size.constant();
    }
    Place place;
    for (std::size_t i = 0; i < 3; ++i) {
        const Polynomial block = value(block_index_[i]), thread = value(thread_index_[i]);
        if (!block.is_constant() || !thread.is_constant()) return std::nullopt;
        place.block[i] = block.constant();
        place.thread[i] = thread.constant();
    }
    return place;
}

bool Context::holds(Path path, const Condition& condition) const {
    if (condition.is_true()) return true;
    path.push_back(opposite(condition));
    return emptiness(path) == Emptiness::empty;
}

}  // namespace warpgrade::proof
