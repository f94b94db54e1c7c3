// What the unknowns of a proof are, and questions about them, put to isl.
//
// Theory of operation. The unknowns are the extents of the shape (parameters), rounded-down quotients, and, within a
// kernel, the indices of a thread and of its block (coordinates). isl knows sums and quotients by constants only. So a
// product of parameters becomes a parameter of its own, about which facts are told that hold of every product; a
// quotient of parameters becomes one by its definition, d*q <= n < d*q + d. The set that isl sees holds every shape
// that there is, and maybe more: what it finds empty is empty, and what it finds not empty means nothing by itself. A
// product of a coordinate and anything else cannot be told to isl at all and is given up on, unless another numbering
// of the blocks takes it away (BlockOrder): that is a change of variables, one to one.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proof/condition.hpp"
#include "proof/isl.hpp"

namespace warpgrade::proof {

struct AtomMeaning {
    enum class Kind : std::uint8_t { extent, coordinate, hidden, quotient };
    Kind kind = Kind::extent;
    std::string name;                   // in sets: "p0", "tx", "q3"
    bool is_parameter = false;          // it depends on the shape alone, and is at least 0
    bool is_of_thread = false;          // a coordinate within the block
    Integer most = 0;                   // extent: 1 <= atom <= most
    Polynomial range;                   // coordinate: 0 <= atom < range
    Polynomial numerator, denominator;  // quotient, rounded down; the denominator is at least 1 for every shape
};

// How the blocks of a grid are numbered. `low` and `high` are axes, 0 = x, or -1: one coordinate runs over both,
// high * gridDim[low] + low, and the high axis by itself is hidden (no set may name it). `split`: the coordinate of
// this axis is taken as q * row + r with 0 <= r < row; gridDim of the axis is a multiple of `row`.
struct BlockOrder {
    int low = -1, high = -1, split = -1;
    Polynomial row{};
};
// Thrown where a kernel divides the coordinate of this axis by `row`.
struct SplitWanted {
    int axis = 0;
    Polynomial row{};
};

class Context {
public:
    // `extents`: their largest values, in order; each is at least 1. `most_elements`: of the product of all of them.
    Context(Sets& sets, const std::vector<Integer>& extents, Integer most_elements);

    // From here on threads of this kernel are spoken of. Throws Unsupported where the order does not fit.
    void enter_kernel(const std::array<Integer, 3>& block, const std::array<Polynomial, 3>& grid,
                      const BlockOrder& order);
    // A coordinate that is of no thread: of an element of an array.
    Atom add_coordinate(const std::string& name, const Polynomial& range);

    // An index of an array of rows: begin + column, where begin, a coordinate of its own, stands for row * columns. So
    // it is linear, and its quotient by `columns` is `row`.
    struct FlatIndex {
        Atom row = 0, column = 0, begin = 0;
        Polynomial columns;
    };
    FlatIndex add_flat_index(const Polynomial& rows, const Polynomial& columns);
    Polynomial with_flat(const Polynomial& value) const;  // row * columns by its name

    Polynomial extent(std::size_t index) const { return Polynomial::of(static_cast<Atom>(index)); }
    const std::array<Polynomial, 3>& thread_index() const { return thread_index_; }
    const std::array<Polynomial, 3>& block_index() const { return block_index_; }
    const std::array<Polynomial, 3>& grid() const { return grid_; }
    const std::array<Integer, 3>& block() const { return block_; }
    const std::vector<Atom>& coordinates() const { return coordinates_; }  // of a thread, those of its block included
    bool is_of_thread(Atom coordinate) const { return meaning(coordinate).is_of_thread; }
    bool depends_on_shape_only(const Polynomial& value) const;

    // numerator / denominator rounded down, where the path leads to it. The denominator is at least 1 there.
    Polynomial quotient(const Polynomial& numerator, const Polynomial& denominator, const Path& path);

    // The same of another thread: of any block, or of the first one's.
    Polynomial twin(const Polynomial& value, bool is_in_same_block);
    Condition twin(const Condition& condition, bool is_in_same_block);
    Path twin(const Path& path, bool is_in_same_block);

    Path assumed;  // of every shape that is spoken of: a way through the launcher
    // Whether there is no shape and no values of the coordinates with all of this.
    Emptiness emptiness(const Path& conditions) const;
    bool holds(Path path, const Condition& condition) const;  // false: not, or that is not known
    // Of values of these coordinates with all of `conditions` that are none with all of a member of `others`: whether
    // there are any, at some shape. Coordinates that are not `shown` are existential.
    Emptiness emptiness_without(const std::vector<Atom>& shown, const Path& conditions,
                                const std::vector<Path>& others) const;
    Sets& sets() const { return *sets_; }

    // The same of the shapes with this extent alone: products with it are no unknowns any more.
    Context at(std::size_t extent, Integer value) const;
    Polynomial with_known(const Polynomial& value) const;
    Path with_known(const Path& path) const;
    std::size_t extents() const { return extents_; }
    Integer most_of(Atom extent) const { return meaning(extent).most; }
    Polynomial range_of(Atom coordinate) const { return meaning(coordinate).range; }
    // The coordinates of each thread that these conditions name: by the own one's, what stands for it.
    std::vector<std::map<Atom, Atom>> threads_of(const Path& conditions) const;
    struct Place {
        std::array<Integer, 3> block{}, thread{};
    };
    // Of a thread with these coordinates, where every extent is known.
    std::optional<Place> place_of(const std::map<Atom, Integer>& coordinates) const;

    // Whether these hold at a shape; nothing where they do not depend on it alone.
    std::optional<bool> truth_at(const Path& conditions, const std::vector<std::int64_t>& shape) const;
    // Every fact that has been told to isl so far, at a shape; false would be a defect of the kit.
    bool facts_hold_at(const std::vector<std::int64_t>& shape) const;

private:
    struct Vocabulary {  // what a question names
        std::set<Monomial> parameters;
        std::set<Atom> coordinates, quotients;  // quotients: those that depend on the thread
    };
    const AtomMeaning& meaning(Atom atom) const { return atoms_[static_cast<std::size_t>(atom)]; }
    Atom add(AtomMeaning meaning);
    bool is_parameter(const Monomial& monomial) const;
    Polynomial quotient_by_constant(Polynomial numerator, Integer denominator, const Path& path);
    Polynomial quotient_atom(const Polynomial& numerator, const Polynomial& denominator);
    std::optional<Polynomial> quotient_of_coordinate(const Polynomial& numerator, const Polynomial& denominator) const;
    Polynomial coordinate(const std::string& name, const Polynomial& range, int axis, const BlockOrder& order);
    void note(const Polynomial& value, Vocabulary& words) const;
    void note(const Condition& condition, Vocabulary& words) const;
    Path completed(const Path& conditions, Vocabulary& words) const;
    // With the ranges of its coordinates alone, but for these.
    Path ranged(const Path& conditions, const std::vector<Atom>& shown, Vocabulary& words) const;
    std::vector<Condition> facts(const Monomial& parameter) const;
    std::vector<Condition> facts_of_product(const Monomial& product) const;
    std::string text(const std::vector<Atom>& shown, const Path& body, const Vocabulary& words) const;
    std::string text_of(const Polynomial& value) const;
    std::string text_of(const Condition& condition) const;
    std::string text_of(const Monomial& monomial) const;
    std::string name_of(const Monomial& parameter) const;
    std::optional<Integer> value_of(const Polynomial& value, const std::vector<std::int64_t>& shape) const;
    std::optional<bool> truth_of(const Condition& condition, const std::vector<std::int64_t>& shape) const;

    Sets* sets_;
    std::size_t extents_;
    Integer most_elements_;
    std::vector<AtomMeaning> atoms_;
    std::vector<Atom> coordinates_;
    std::map<std::pair<Atom, bool>, Atom> twins_;
    std::array<Polynomial, 3> thread_index_, block_index_, grid_;
    std::array<Integer, 3> block_{1, 1, 1};
    std::array<Polynomial, 3> axis_coordinate_;          // before it is split
    std::array<std::optional<Polynomial>, 3> axis_row_;  // of one that is split: its quotient by BlockOrder::row
    BlockOrder order_;
    std::map<Atom, Polynomial> known_;  // extents, and quotients of these: constants
    std::vector<FlatIndex> flat_;
    mutable std::vector<Condition> told_;  // facts
};

}  // namespace warpgrade::proof
