#include "proof/core.hpp"

#include <algorithm>
#include <set>

namespace warpgrade::proof {
namespace {

struct Element {
    Polynomial row, column;
};
struct Size {
    Polynomial rows, columns;
};

Row proved(Obligation what) { return {what, true, "", 0}; }
Row open(Obligation what, std::string why, int line) { return {what, false, std::move(why), line}; }

Path joined(Path a, const Path& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// Mostly a number fits in all threads, which is asked once.
Row row_of_fits(const Context& context, const std::vector<Fit>& fits, Obligation what, Doubts& doubts) {
    for (const Fit& fit : fits) {
        const Condition fits_in = within(fit.value, fit.low, fit.high);
        doubts[what] = {joined(fit.path, {opposite(fits_in)})};
        try {
            if (!context.holds({}, fits_in) && !context.holds(fit.path, fits_in))
                return open(what, "a number may not fit its type", fit.line);
        } catch (const Unsupported& why) {
            return open(what, "a number may not fit its type: " + why.why, fit.line);
        }
        doubts.erase(what);
    }
    return proved(what);
}

class Decision {
public:
    Decision(const LaunchProof& proof, Doubts& doubts) : p_(proof), context_(proof.context), doubts_(doubts) {}

    std::vector<Row> rows() {
        std::vector<Row> rows{
            decide_launch(context_, p_.launcher_fits, p_.launch, p_.module, p_.kernel, p_.limits, doubts_)};
        using Step = Row (Decision::*)();
        const std::pair<Obligation, Step> steps[] = {
            {Obligation::width, &Decision::width},   {Obligation::barriers, &Decision::barriers},
            {Obligation::bounds, &Decision::bounds}, {Obligation::races, &Decision::races},
            {Obligation::once, &Decision::once},     {Obligation::covered, &Decision::covered},
            {Obligation::values, &Decision::values}};
        for (const auto& [what, step] : steps) {
            const Row* const missing = missing_before(what, rows);
            if (missing != nullptr) {
                rows.push_back(
                    open(what, "it rests on `" + std::string(to_string(missing->what)) + "`", missing->line));
                continue;
            }
            doubt_.reset();
            try {
                rows.push_back((this->*step)());
            } catch (const Unsupported& why) {
                rows.push_back(open(what, why.why, why.line));
            }
            if (!rows.back().is_proved && doubt_) doubts_[what] = *doubt_;
            // Then isl was not asked.
            if (!rows.back().is_proved && context_.sets().is_time_over()) rows.back() = open(what, time_is_over, 0);
        }
        return rows;
    }

private:
    // The first row that is not proved, of those that `what` rests on.
    static const Row* missing_before(Obligation what, const std::vector<Row>& rows) {
        for (const Row& row : rows) {
            const bool is_base = row.what == Obligation::launch || row.what == Obligation::width;
            const bool is_needed = is_base || what == Obligation::values ||
                                   (what == Obligation::races && row.what == Obligation::barriers) ||
                                   (what >= Obligation::races && row.what == Obligation::bounds);
            if (is_needed && !row.is_proved) return &row;
        }
        return nullptr;
    }

    // Whether a thread may be with all of this; then it is what keeps the row open, if nothing else does. So it is
    // where isl cannot be asked.
    bool may_be(const Path& conditions) {
        doubt_ = {conditions};
        if (context_.emptiness(conditions) != Emptiness::empty) return true;
        doubt_.reset();
        return false;
    }
    bool holds(const Path& path, const Condition& condition) {
        return condition.is_true() || !may_be(joined(path, {opposite(condition)}));
    }
    bool is_within(const std::vector<Atom>& shown, const Path& conditions, const std::vector<Path>& others) {
        doubt_ = {conditions, shown, others};
        if (context_.emptiness_without(shown, conditions, others) != Emptiness::empty) return false;
        doubt_.reset();
        return true;
    }

    Row width() { return row_of_fits(context_, p_.run.fits, Obligation::width, doubts_); }

    Row barriers() {
        for (const BarrierReached& barrier : p_.run.barriers) {
            const Condition reaches = all_of(barrier.path);
            if (context_.holds({}, reaches)) continue;
            const Condition other = opposite(context_.twin(reaches, true));
            if (may_be({reaches, other}))
                return open(Obligation::barriers, "a barrier may be reached by a part of a block", barrier.line);
        }
        return proved(Obligation::barriers);
    }

    const Array& array_of(const Event& event) const {
        return p_.task.arrays.at(static_cast<std::size_t>(event.at.buffer));
    }

    // Where rows are not told apart in any index of the array, it is taken as one row.
    bool is_flat(std::size_t array) const {
        const std::vector<Polynomial>& extents = p_.task.arrays[array].extents;
        if (extents.size() < 2) return true;
        for (const Event& event : p_.run.events) {
            if (event.at.is_shared || event.at.buffer != static_cast<int>(array)) continue;
            for (const auto& [monomial, factor] : event.at.offset.terms()) {
                const Polynomial term = Polynomial::of(monomial, factor);
                if (term.divided(extents[1]) && !context_.depends_on_shape_only(term)) return false;
            }
        }
        return true;
    }

    Size size_of(std::size_t array) const {
        const std::vector<Polynomial>& extents = p_.task.arrays[array].extents;
        if (extents.empty()) throw Unsupported{"the size of `" + p_.task.arrays[array].name + "` is not known"};
        if (extents.size() == 1) return {1, extents[0]};
        return is_flat(array) ? Size{1, extents[0] * extents[1]} : Size{extents[0], extents[1]};
    }

    Element element_of(const Event& event) const {
        const Array& array = array_of(event);
        if (event.width_bytes != array.element_bytes)
            throw Unsupported{"an access that is not of one element", event.line};
        const auto index = event.at.offset.divided(array.element_bytes);
        if (!index) throw Unsupported{"an address between two elements", event.line};
        const auto number = static_cast<std::size_t>(event.at.buffer);
        if (is_flat(number)) return {{}, *index};
        Element element;
        for (const auto& [monomial, factor] : index->terms()) {
            const Polynomial term = Polynomial::of(monomial, factor);
            if (const auto row = term.divided(array.extents[1]))
                element.row += *row;
            else
                element.column += term;
        }
        return element;
    }

    Row bounds() {
        for (const Event& event : p_.run.events) {
            if (event.at.is_shared) {
                if (const auto why = shared_fault(event); !why.empty())
                    return open(Obligation::bounds, why, event.line);
                continue;
            }
            const Array& array = array_of(event);
            try {
                const Element element = element_of(event);
                const Size size = size_of(static_cast<std::size_t>(event.at.buffer));
                if (!holds(event.path, within(element.row, 0, size.rows - 1)) ||
                    !holds(event.path, within(element.column, 0, size.columns - 1)))
                    return open(Obligation::bounds, "an index of `" + array.name + "` may be outside of it",
                                event.line);
            } catch (const Unsupported& why) {
                return open(Obligation::bounds, why.why, event.line);
            }
        }
        return proved(Obligation::bounds);
    }

    std::string shared_fault(const Event& event) {
        const SharedArray& array = p_.run.shared.at(static_cast<std::size_t>(event.at.buffer));
        const Polynomial size =
            array.bytes == 0 ? p_.launch.dynamic_shared_bytes : Polynomial(static_cast<Integer>(array.bytes));
        if (array.align_bytes % static_cast<std::uint64_t>(event.width_bytes) != 0 ||
            !event.at.offset.divided(event.width_bytes))
            return "an address in shared memory may lie between two words";
        if (holds(event.path, within(event.at.offset, 0, size - event.width_bytes))) return "";
        return "an index in shared memory may be outside of its array";
    }

    Row races() {
        for (const Event& event : p_.run.events) {
            if (event.at.is_shared) continue;
            const bool is_output = event.at.buffer == static_cast<int>(p_.task.output);
            if (event.is_store != is_output)
                return open(Obligation::races,
                            event.is_store ? "an array is written that is not the output" : "the output is read",
                            event.line);
        }
        for (std::size_t a = 0; a < p_.run.events.size(); ++a)
            for (std::size_t b = a; b < p_.run.events.size(); ++b)
                if (may_race(p_.run.events[a], p_.run.events[b]))
                    return open(Obligation::races, "two threads may touch a word of shared memory, one of them storing",
                                p_.run.events[a].line);
        return proved(Obligation::races);
    }

    // Different threads of a block, the same word, no barrier between them.
    bool may_race(const Event& a, const Event& b) {
        if (!a.at.is_shared || !b.at.is_shared || a.at.buffer != b.at.buffer || a.barriers != b.barriers ||
            (!a.is_store && !b.is_store))
            return false;
        const Polynomial distance = a.at.offset - context_.twin(b.at.offset, true);
        Path conditions = joined(a.path, context_.twin(b.path, true));
        conditions.push_back(within(distance, 1 - a.width_bytes, b.width_bytes - 1));
        conditions.push_back(other_thread(true));
        return may_be(conditions);
    }

    Condition other_thread(bool is_in_same_block) {
        std::vector<Condition> differs;
        for (const Atom atom : context_.coordinates()) {
            const Polynomial own = Polynomial::of(atom);
            differs.push_back(opposite(is_zero(own - context_.twin(own, is_in_same_block))));
        }
        return any_of(std::move(differs));
    }

    std::vector<const Event*> output_stores() const {
        std::vector<const Event*> stores;
        for (const Event& event : p_.run.events)
            if (!event.at.is_shared && event.is_store && event.at.buffer == static_cast<int>(p_.task.output))
                stores.push_back(&event);
        return stores;
    }

    Row once() {
        const auto stores = output_stores();
        for (std::size_t a = 0; a < stores.size(); ++a)
            for (std::size_t b = a; b < stores.size(); ++b) {
                const Element one = element_of(*stores[a]), other = element_of(*stores[b]);
                Path conditions = joined(stores[a]->path, context_.twin(stores[b]->path, false));
                conditions.push_back(is_zero(one.row - context_.twin(other.row, false)));
                conditions.push_back(is_zero(one.column - context_.twin(other.column, false)));
                if (a == b) conditions.push_back(other_thread(false));
                if (may_be(conditions))
                    return open(Obligation::once, "an element of the output may be written twice", stores[b]->line);
            }
        return proved(Obligation::once);
    }

    Row covered() {
        const Size size = size_of(p_.task.output);
        const Atom row = context_.add_coordinate("Y", size.rows), column = context_.add_coordinate("X", size.columns);
        std::vector<Path> written;
        for (const Event* store : output_stores()) {
            const Element element = element_of(*store);
            Path conditions = store->path;
            conditions.push_back(is_zero(Polynomial::of(row) - element.row));
            conditions.push_back(is_zero(Polynomial::of(column) - element.column));
            written.push_back(std::move(conditions));
        }
        if (is_within({row, column}, {}, written)) return proved(Obligation::covered);
        return open(Obligation::covered, "an element of the output may not be written",
                    written.empty() ? p_.launch.line : output_stores().front()->line);
    }

    // The element of the input that belongs at this one of the output.
    Element wanted(const Element& element) const {
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

    Row values() {
        if (!p_.task.is_move) return open(Obligation::values, p_.task.why_no_values, 0);
        for (const Event* store : output_stores()) {
            if (store->stored.event < 0)
                return open(Obligation::values, "what is stored is not one loaded element", store->line);
            const Event& load = p_.run.events[static_cast<std::size_t>(store->stored.event)];
            const Element right = wanted(element_of(*store));
            const std::string why = load.at.is_shared ? through_shared(*store, load, right)
                                                      : wrong_element(store->path, load, right, false);
            if (!why.empty()) return open(Obligation::values, why, store->line);
        }
        return proved(Obligation::values);
    }

    // "" if this load, by the thread or by its twin, takes the right element.
    std::string wrong_element(const Path& path, const Event& load, const Element& right, bool is_twin) {
        if (load.at.is_shared || load.at.buffer != static_cast<int>(p_.task.input))
            return "an element that is not loaded from the input";
        if (load.width_bytes != p_.task.arrays[p_.task.output].element_bytes) return "a part of an element";
        Element own = element_of(load);
        if (is_twin) own = {context_.twin(own.row, true), context_.twin(own.column, true)};
        const Condition is_right = all_of({is_zero(own.row - right.row), is_zero(own.column - right.column)});
        return holds(path, is_right) ? "" : "another element may be stored than belongs there";
    }

    std::string through_shared(const Event& store, const Event& load, const Element& right) {
        if (load.width_bytes != store.width_bytes) return "a part of an element";
        std::vector<Path> written;
        for (const Event& event : p_.run.events) {
            if (!event.at.is_shared || event.at.buffer != load.at.buffer) continue;
            if (event.width_bytes != load.width_bytes) return "accesses of other widths in shared memory";
            if (!event.is_store || event.barriers > load.barriers) continue;
            Path link = context_.twin(event.path, true);
            link.push_back(is_zero(load.at.offset - context_.twin(event.at.offset, true)));
            const Path both = joined(store.path, link);
            if (event.stored.event < 0) {
                if (!may_be(both)) continue;
                return "a word of shared memory that is not one loaded element";
            }
            const Event& source = p_.run.events[static_cast<std::size_t>(event.stored.event)];
            if (const auto why = wrong_element(both, source, right, true); !why.empty()) return why;
            if (event.barriers < load.barriers) written.push_back(std::move(link));
        }
        const bool is_written = is_within(context_.coordinates(), store.path, written);
        return is_written ? "" : "a word of shared memory may be loaded that was not stored";
    }

    const LaunchProof& p_;
    Context& context_;
    Doubts& doubts_;
    std::optional<Doubt> doubt_;  // of this step
};

}  // namespace

Row decide_launch(const Context& context, const std::vector<Fit>& launcher_fits, const SymbolicLaunch& launch,
                  const ptx::Module& module, const ptx::Function& kernel, const LaunchLimits& limits, Doubts& doubts) {
    if (Row numbers = row_of_fits(context, launcher_fits, Obligation::launch, doubts); !numbers.is_proved)
        return numbers;
    const std::uint32_t most_blocks[] = {limits.max_grid.x, limits.max_grid.y, limits.max_grid.z};
    const std::uint32_t most_threads[] = {limits.max_block.x, limits.max_block.y, limits.max_block.z};
    Integer threads = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::string name = std::string(".") + "xyz"[axis];
        try {
            for (const Condition& limit : {at_least(launch.grid[axis], 1),
                                           at_least(static_cast<Integer>(most_blocks[axis]), launch.grid[axis])}) {
                if (context.holds({}, limit)) continue;
                doubts[Obligation::launch] = {{opposite(limit)}};
                return open(Obligation::launch, "gridDim" + name + " may be outside of CUDA's limits", launch.line);
            }
        } catch (const Unsupported& why) {
            return open(Obligation::launch, why.why, launch.line);
        }
        if (!launch.block[axis].is_constant())
            return open(Obligation::launch, "the block depends on the shape", launch.line);
        const Integer size = launch.block[axis].constant();
        if (size < 1 || size > most_threads[axis])
            return open(Obligation::launch, "blockDim" + name + " is outside of CUDA's limits", launch.line);
        threads *= size;
    }
    Integer most = limits.max_threads_per_block;
    if (const auto bounds = kernel.directives.find("maxntid"); bounds != kernel.directives.end()) {
        Integer allowed = 1;
        for (const std::uint32_t one : bounds->second) allowed *= one;
        most = std::min(most, allowed);
    }
    if (threads > most) return open(Obligation::launch, "a block has more threads than the kernel allows", launch.line);
    for (const auto& [word, values] : kernel.directives)
        if (word != "maxntid" && word != "minnctapersm" && word != "maxnreg")
            return open(Obligation::launch, "the directive ." + word + " of the kernel", launch.line);
    Polynomial bytes = launch.dynamic_shared_bytes;
    for (const std::vector<ptx::Variable>* variables : {&module.variables, &kernel.variables})
        for (const ptx::Variable& variable : *variables)
            if (variable.space == ptx::Space::shared) bytes += Polynomial(static_cast<Integer>(variable.bytes));
    if (!bytes.is_constant() || bytes.constant() > limits.shared_bytes_per_block)
        return open(Obligation::launch, "a block may ask for more shared memory than it gets", launch.line);
    return proved(Obligation::launch);
}

std::vector<Row> decide(const LaunchProof& proof, Doubts& doubts) {
    std::vector<Row> rows = Decision(proof, doubts).rows();
    std::set<int> global, shared, barriers, stores;
    for (const Event& event : proof.run.events) {
        (event.at.is_shared ? shared : global).insert(event.line);
        if (!event.at.is_shared && event.is_store) stores.insert(event.line);
    }
    for (const BarrierReached& barrier : proof.run.barriers) barriers.insert(barrier.line);
    std::set<int> all = global;
    all.insert(shared.begin(), shared.end());
    const std::set<int> launch{proof.launch.line}, none;
    const std::set<int>* const lines[] = {&launch, &none, &barriers, &all, &shared, &stores, &stores, &stores};
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].lines.assign(lines[i]->begin(), lines[i]->end());
    return rows;
}

}  // namespace warpgrade::proof
