// The decision of core.hpp's obligations, one function each. Internal to proof/: core.cpp has it up to `covered`,
// core_values.cpp has `values`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proof/core.hpp"

namespace warpgrade::proof {

struct Element {
    Polynomial row, column;
};
struct Size {
    Polynomial rows, columns;
};
constexpr Integer lanes = 32;

inline Row proved(Obligation what) { return {what, true, "", 0}; }
inline Row open(Obligation what, std::string why, int line) { return {what, false, std::move(why), line}; }

inline Path joined(Path a, const Path& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// Whether each number fits its type, where the path leads to it.
Row row_of_fits(const Context& context, const std::vector<Fit>& fits, Obligation what, Doubts& doubts);

class Decision {
public:
    Decision(const LaunchProof& proof, Doubts& doubts) : p_(proof), context_(proof.context), doubts_(doubts) {}

    std::vector<Row> rows();

private:
    // The first row that is not proved, of those that `what` rests on.
    static const Row* missing_before(Obligation what, const std::vector<Row>& rows);

    // Whether a thread may be with all of this; then it is what keeps the row open, if nothing else does. So it is
    // where isl cannot be asked.
    bool may_be(const Path& conditions);
    bool holds(const Path& path, const Condition& condition);
    bool is_within(const std::vector<Atom>& shown, const Path& conditions, const std::vector<Path>& others);

    Row width() { return row_of_fits(context_, p_.run.fits, Obligation::width, doubts_); }

    Row barriers();

    // Its number in the block.
    Polynomial warp();

    const Array& array_of(const Event& event) const;

    // Where rows are not told apart in any index of the array, it is taken as one row.
    bool is_flat(std::size_t array) const;

    Size size_of(std::size_t array) const;

    Element element_of(const Event& event) const;

    Row bounds();

    std::string shared_fault(const Event& event);

    Row races();

    // Different threads, the same element, no barrier between them. Of the output of a single launch, `once` asks it of
    // two stores.
    bool may_race_in_global(const Event& a, const Event& b);

    // A thread at one, and any at the other.
    Path same_element(const Event& a, const Event& b);

    // Different threads of a block, the same word, no barrier between them.
    bool may_race(const Event& a, const Event& b);

    Condition other_thread(bool is_in_same_block) { return differs(context_.coordinates(), is_in_same_block); }
    Condition other_block();
    Condition differs(const std::vector<Atom>& coordinates, bool is_in_same_block);

    std::vector<const Event*> output_stores() const;

    Row once();

    Row covered();

    // The element of the input that belongs at this one of the output.
    Element wanted(const Element& element) const;

    Row values();

    // "" if this load, by the thread or by its twin, takes the right element.
    std::string wrong_element(const Path& path, const Event& load, const Element& right, bool is_twin);

    // What the problem's function reads for an element of the output.
    struct Wanted {
        Context::FlatIndex index;
        Executed run;
        Data sum;
    };
    Wanted wanted_sum();

    Row sums();

    // What the problem's function loads for one element of the output, and when.
    struct WantedLoad {
        std::size_t buffer = 0;
        int width_bytes = 0;
        Element element;
        Path path;
    };
    WantedLoad wanted_load(const Event& load, const Wanted& wanted, const std::map<Atom, Polynomial>& here) const;

    bool is_same_product(const Event& store, const std::map<Atom, Polynomial>& here, const Monomial& events,
                         const Wanted& wanted, Monomial others);

    bool is_same_load(const Event& store, const Event& load, const WantedLoad& other);

    // Whether the load, by the thread or by its twin, is not there where the other one is not, and of the same element
    // elsewhere.
    bool is_same_in_global(const Path& where, const Event& load, const WantedLoad& other, bool is_twin);

    // Whether the load takes what was there before the launch: no store of its block comes before it. Of stores of
    // other blocks `races` speaks.
    bool is_as_given(const Event& load);

    // Whether `conclusion` holds where `premise` does. `zeros`: what is 0 there.
    bool follows(const Path& where, const Path& premise, const Path& conclusion, const std::vector<Polynomial>& zeros);

    static bool is_same(const Condition& a, const Condition& b, const std::vector<Polynomial>& zeros);

    // Whether a word of shared memory holds it, for all threads with this path.
    bool is_right_word(const Path& where, const Event& load, const WantedLoad& other);

    // On this path.
    bool happens(const Path& path, const Path& event);

    std::string through_shared(const Event& store, const Event& load, const Element& right);

    const LaunchProof& p_;
    Context& context_;
    Doubts& doubts_;
    std::optional<Doubt> doubt_;  // of this step
    struct RightWord {
        const Event* load;
        std::size_t buffer;
        Element element;
        Path path;
        bool is_right;
    };
    std::vector<RightWord> shared_;           // what loads of shared memory hold, as far as that was asked
    std::map<const Event*, bool> is_stored_;  // loads of shared memory: by whoever loads
};

}  // namespace warpgrade::proof
