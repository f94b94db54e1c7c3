// `values` of core.hpp: a move, or the sum of products that the problem's own function computes.
#include <algorithm>
#include <utility>

#include "proof/decision.hpp"

namespace warpgrade::proof {

Element Decision::wanted(const Element& element) const {
    if (is_flat(p_.task.output)) {
        const bool is_same = std::is_sorted(p_.task.moves.begin(), p_.task.moves.end()) &&
                             p_.task.arrays[p_.task.input].extents == p_.task.arrays[p_.task.output].extents;
        if (!is_same || !is_flat(p_.task.input)) throw Unsupported{"rows that are not told apart"};
        return element;
    }
    if (is_flat(p_.task.input)) throw Unsupported{"rows that are not told apart"};
    const Polynomial* const indices[] = {&element.row, &element.column};
    return {*indices[p_.task.moves.at(0)], *indices[p_.task.moves.at(1)]};
}

Row Decision::values() {
    if (!p_.task.is_move && p_.task.reference != nullptr) return sums();
    if (!p_.task.is_move) return open(Obligation::values, p_.task.why_no_values, 0);
    for (const Event* store : output_stores()) {
        if (store->stored.event() < 0)
            return open(Obligation::values, "what is stored is not one loaded element", store->line);
        const Event& load = p_.run.events[static_cast<std::size_t>(store->stored.event())];
        const Element right = wanted(element_of(*store));
        const std::string why =
            load.at.is_shared ? through_shared(*store, load, right) : wrong_element(store->path, load, right, false);
        if (!why.empty()) return open(Obligation::values, why, store->line);
    }
    return proved(Obligation::values);
}

std::string Decision::wrong_element(const Path& path, const Event& load, const Element& right, bool is_twin) {
    if (load.at.is_shared || load.at.buffer != static_cast<int>(p_.task.input))
        return "an element that is not loaded from the input";
    if (load.width_bytes != p_.task.arrays[p_.task.output].element_bytes) return "a part of an element";
    if (!happens(path, is_twin ? context_.twin(load.path, true) : load.path))
        return "an element that may not be loaded";
    Element own = element_of(load);
    if (is_twin) own = {context_.twin(own.row, true), context_.twin(own.column, true)};
    const Condition is_right = all_of({is_zero(own.row - right.row), is_zero(own.column - right.column)});
    return holds(path, is_right) ? "" : "another element may be stored than belongs there";
}

Decision::Wanted Decision::wanted_sum() {
    const Size size = size_of(p_.task.output);
    Wanted wanted;
    wanted.index = context_.add_flat_index(size.rows, size.columns);
    const ptx::Function& function = *p_.task.reference;
    if (is_flat(p_.task.output) || function.parameters.size() != p_.task.parameters.size() + 1 ||
        function.returns.size() != 1)
        throw Unsupported{"the problem's own function is of another form"};
    std::map<std::string, Value> parameters;
    parameters[function.parameters[0].name] = Polynomial::of(wanted.index.begin) + Polynomial::of(wanted.index.column);
    for (std::size_t i = 0; i < p_.task.parameters.size(); ++i)
        parameters[function.parameters[i + 1].name] = p_.task.parameters[i];
    wanted.run = execute(context_, *p_.task.reference_module, function, parameters, "");
    const auto& ways = wanted.run.ways;
    if (ways.size() != 1 || !context_.holds({}, all_of(ways[0].path)) ||
        !row_of_fits(context_, wanted.run.fits, Obligation::values, doubts_).is_proved)
        throw Unsupported{"the problem's own function has more than one way"};
    const auto sum = ways[0].passed.find({function.returns[0].name, 0});
    const auto* data = sum == ways[0].passed.end() ? nullptr : std::get_if<Data>(&sum->second);
    if (data == nullptr || !data->is_known || data->parts != 1)
        throw Unsupported{"what the problem computes is not a sum of products of loaded elements"};
    wanted.sum = *data;
    return wanted;
}

Row Decision::sums() {
    const Wanted wanted = wanted_sum();
    doubts_.erase(Obligation::values);
    for (const Event* store : output_stores()) {
        const bool is_sum =
            store->stored.is_known && store->stored.parts == 1 && store->stored.arithmetic == wanted.sum.arithmetic;
        if (!is_sum)
            return open(Obligation::values, "what is stored is not a sum of products of loaded elements", store->line);
        const Element at = element_of(*store);
        const std::map<Atom, Polynomial> here{{wanted.index.row, at.row}, {wanted.index.column, at.column}};
        std::vector<std::pair<Monomial, Integer>> left(wanted.sum.terms.terms().begin(),
                                                       wanted.sum.terms.terms().end());
        for (const auto& [events, factor] : store->stored.terms.terms()) {
            const auto same =
                std::find_if(left.begin(), left.end(), [&, &events = events, &factor = factor](const auto& term) {
                    return term.second == factor && is_same_product(*store, here, events, wanted, term.first);
                });
            if (same == left.end())
                return open(Obligation::values, "another element may be added than belongs there", store->line);
            left.erase(same);
        }
        if (!left.empty()) return open(Obligation::values, "an element may be missing in the sum", store->line);
    }
    return proved(Obligation::values);
}

Decision::WantedLoad Decision::wanted_load(const Event& load, const Wanted& wanted,
                                           const std::map<Atom, Polynomial>& here) const {
    Event event = load;
    const std::map<Atom, Polynomial> begin{
        {wanted.index.begin, Polynomial::of(wanted.index.row) * wanted.index.columns}};
    event.at.offset = event.at.offset.replaced(begin);
    const Element element = element_of(event);
    return {static_cast<std::size_t>(event.at.buffer),
            event.width_bytes,
            {element.row.replaced(here), element.column.replaced(here)},
            replaced(event.path, here)};
}

bool Decision::is_same_product(const Event& store, const std::map<Atom, Polynomial>& here, const Monomial& events,
                               const Wanted& wanted, Monomial others) {
    if (events.size() != others.size()) return false;
    do {
        bool is_same = true;
        for (std::size_t i = 0; is_same && i < events.size(); ++i)
            is_same = is_same_load(store, p_.run.events[static_cast<std::size_t>(events[i])],
                                   wanted_load(wanted.run.events[static_cast<std::size_t>(others[i])], wanted, here));
        if (is_same) return true;
    } while (std::next_permutation(others.begin(), others.end()));
    return false;
}

bool Decision::is_same_load(const Event& store, const Event& load, const WantedLoad& other) {
    if (!load.at.is_shared) return is_same_in_global(store.path, load, other, false);
    if (load.width_bytes != other.width_bytes || !happens(store.path, load.path)) return false;
    // Mostly the word is right for whoever loads it, also where that is stored nowhere.
    const auto known = std::find_if(shared_.begin(), shared_.end(), [&](const RightWord& one) {
        return one.load == &load && one.buffer == other.buffer && one.element.row == other.element.row &&
               one.element.column == other.element.column && one.path == other.path;
    });
    if (known != shared_.end()) return known->is_right || is_right_word(store.path, load, other);
    const bool is_right = is_right_word(load.path, load, other);
    shared_.push_back({&load, other.buffer, other.element, other.path, is_right});
    return is_right || is_right_word(store.path, load, other);
}

bool Decision::is_same_in_global(const Path& where, const Event& load, const WantedLoad& other, bool is_twin) {
    if (load.at.is_shared || static_cast<std::size_t>(load.at.buffer) != other.buffer ||
        load.width_bytes != other.width_bytes || !is_as_given(load))
        return false;
    Element own = element_of(load);
    if (is_twin) own = {context_.twin(own.row, true), context_.twin(own.column, true)};
    const Path path = is_twin ? context_.twin(load.path, true) : load.path;
    const std::vector<Polynomial> zeros{own.row - other.element.row, own.column - other.element.column};
    const auto are_zero = [&](const Path& there) {
        return context_.holds(there, is_zero(zeros[0])) && context_.holds(there, is_zero(zeros[1]));
    };
    if (are_zero(where)) return follows(where, path, other.path, zeros) && follows(where, other.path, path, zeros);
    const Path both = joined(where, path);
    return are_zero(both) && happens(both, other.path) && happens(joined(where, other.path), path);
}

bool Decision::is_as_given(const Event& load) {
    if (array_of(load).role == BufferRole::in) return true;
    const Element own = element_of(load);
    return std::all_of(p_.run.events.begin(), p_.run.events.end(), [&](const Event& event) {
        if (!event.is_store || event.at.is_shared || event.at.buffer != load.at.buffer) return true;
        const Element at = element_of(event);
        const auto is_apart = [&](const Path& path, const Polynomial& row, const Polynomial& column) {
            const Condition is_same = all_of({is_zero(row - own.row), is_zero(column - own.column)});
            return !may_be(joined(joined(load.path, path), {is_same}));
        };
        // An earlier store of a thread has an earlier event; one of another thread of its block, fewer barriers.
        return (&event > &load || is_apart(event.path, at.row, at.column)) &&
               (event.barriers >= load.barriers ||
                is_apart(context_.twin(event.path, true), context_.twin(at.row, true), context_.twin(at.column, true)));
    });
}

bool Decision::follows(const Path& where, const Path& premise, const Path& conclusion,
                       const std::vector<Polynomial>& zeros) {
    return std::all_of(conclusion.begin(), conclusion.end(), [&](const Condition& one) {
        const auto is_it = [&](const Condition& other) { return is_same(one, other, zeros); };
        return std::any_of(premise.begin(), premise.end(), is_it) || happens(joined(where, premise), {one});
    });
}

bool Decision::is_same(const Condition& a, const Condition& b, const std::vector<Polynomial>& zeros) {
    const Polynomial difference = a.value - b.value;
    const bool is_same_value =
        difference == Polynomial() || std::any_of(zeros.begin(), zeros.end(), [&](const Polynomial& zero) {
            return difference == zero || difference == -zero;
        });
    return a.kind == b.kind && is_same_value &&
           std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(),
                      [&](const Condition& x, const Condition& y) { return is_same(x, y, zeros); });
}

bool Decision::is_right_word(const Path& where, const Event& load, const WantedLoad& other) {
    std::vector<Path> written;
    for (const Event& event : p_.run.events) {
        if (!event.at.is_shared || event.at.buffer != load.at.buffer) continue;
        if (event.width_bytes != load.width_bytes) return false;
        if (!event.is_store || event.barriers > load.barriers) continue;
        Path link = context_.twin(event.path, true);
        link.push_back(is_zero(load.at.offset - context_.twin(event.at.offset, true)));
        const Path both = joined(where, link);
        const bool is_zero_there = event.stored.is_known && event.stored.terms == Polynomial();
        const int source = event.stored.event();
        const bool is_right =
            context_.emptiness(is_zero_there ? joined(both, other.path) : both) == Emptiness::empty ||
            (source >= 0 && is_same_in_global(both, p_.run.events[static_cast<std::size_t>(source)], other, true));
        if (!is_right) return false;
        if (event.barriers < load.barriers) written.push_back(std::move(link));
    }
    const auto [known, is_new] = is_stored_.try_emplace(&load, false);
    if (is_new)
        known->second = context_.emptiness_without(context_.coordinates(), load.path, written) == Emptiness::empty;
    return known->second || is_within(context_.coordinates(), where, written);
}

bool Decision::happens(const Path& path, const Path& event) {
    return std::all_of(event.begin(), event.end(), [&](const Condition& one) {
        return std::find(path.begin(), path.end(), one) != path.end() || holds(path, one);
    });
}

std::string Decision::through_shared(const Event& store, const Event& load, const Element& right) {
    if (load.width_bytes != store.width_bytes) return "a part of an element";
    if (!happens(store.path, load.path)) return "a word of shared memory that may not be loaded";
    std::vector<Path> written;
    for (const Event& event : p_.run.events) {
        if (!event.at.is_shared || event.at.buffer != load.at.buffer) continue;
        if (event.width_bytes != load.width_bytes) return "accesses of other widths in shared memory";
        if (!event.is_store || event.barriers > load.barriers) continue;
        Path link = context_.twin(event.path, true);
        link.push_back(is_zero(load.at.offset - context_.twin(event.at.offset, true)));
        const Path both = joined(store.path, link);
        if (event.stored.event() < 0) {
            if (!may_be(both)) continue;
            return "a word of shared memory that is not one loaded element";
        }
        const Event& source = p_.run.events[static_cast<std::size_t>(event.stored.event())];
        if (const auto why = wrong_element(both, source, right, true); !why.empty()) return why;
        if (event.barriers < load.barriers) written.push_back(std::move(link));
    }
    const bool is_written = is_within(context_.coordinates(), store.path, written);
    return is_written ? "" : "a word of shared memory may be loaded that was not stored";
}

}  // namespace warpgrade::proof
