#include "proof/core.hpp"

#include <algorithm>
#include <set>

#include "proof/decision.hpp"

namespace warpgrade::proof {

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

std::vector<Row> Decision::rows() {
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
            rows.push_back(open(what, "it rests on `" + std::string(to_string(missing->what)) + "`", missing->line));
            continue;
        }
        if (what >= Obligation::once && !p_.is_only_launch) {
            rows.push_back(open(what, "what several launches leave together is not followed", p_.launch.line));
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

const Row* Decision::missing_before(Obligation what, const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        const bool is_base = row.what == Obligation::launch || row.what == Obligation::width;
        const bool is_needed = is_base || what == Obligation::values ||
                               (what == Obligation::races && row.what == Obligation::barriers) ||
                               (what >= Obligation::races && row.what == Obligation::bounds);
        if (is_needed && !row.is_proved) return &row;
    }
    return nullptr;
}

bool Decision::may_be(const Path& conditions) {
    doubt_ = {conditions};
    if (context_.emptiness(conditions) != Emptiness::empty) return true;
    doubt_.reset();
    return false;
}

bool Decision::holds(const Path& path, const Condition& condition) {
    return condition.is_true() || !may_be(joined(path, {opposite(condition)}));
}

bool Decision::is_within(const std::vector<Atom>& shown, const Path& conditions, const std::vector<Path>& others) {
    doubt_ = {conditions, shown, others};
    if (context_.emptiness_without(shown, conditions, others) != Emptiness::empty) return false;
    doubt_.reset();
    return true;
}

Row Decision::barriers() {
    for (const BarrierReached& barrier : p_.run.barriers) {
        const Condition reaches = all_of(barrier.path);
        const auto& block = context_.block();
        if (barrier.is_of_warp && block[0] * block[1] * block[2] % lanes != 0)
            return open(Obligation::barriers, "a warp that has not all of its lanes", barrier.line);
        if (context_.holds({}, reaches)) continue;
        Path apart{reaches, opposite(context_.twin(reaches, true))};
        if (barrier.is_of_warp) apart.push_back(is_zero(warp() - context_.twin(warp(), true)));
        if (may_be(apart))
            return open(Obligation::barriers,
                        barrier.is_of_warp ? "a shuffle may be reached by a part of a warp"
                                           : "a barrier may be reached by a part of a block",
                        barrier.line);
    }
    return proved(Obligation::barriers);
}

Polynomial Decision::warp() {
    const auto& tid = context_.thread_index();
    const auto& block = context_.block();
    return context_.quotient(tid[0] + (tid[1] + tid[2] * Polynomial(block[1])) * Polynomial(block[0]), lanes, {});
}

const Array& Decision::array_of(const Event& event) const {
    return p_.task.arrays.at(static_cast<std::size_t>(event.at.buffer));
}

bool Decision::is_flat(std::size_t array) const {
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

Size Decision::size_of(std::size_t array) const {
    const std::vector<Polynomial>& extents = p_.task.arrays[array].extents;
    if (extents.empty()) throw Unsupported{"the size of `" + p_.task.arrays[array].name + "` is not known"};
    if (extents.size() == 1) return {1, extents[0]};
    return is_flat(array) ? Size{1, extents[0] * extents[1]} : Size{extents[0], extents[1]};
}

Element Decision::element_of(const Event& event) const {
    const Array& array = array_of(event);
    if (event.width_bytes != array.element_bytes) throw Unsupported{"an access that is not of one element", event.line};
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

Row Decision::bounds() {
    for (const Event& event : p_.run.events) {
        if (event.at.is_shared) {
            if (const auto why = shared_fault(event); !why.empty()) return open(Obligation::bounds, why, event.line);
            continue;
        }
        const Array& array = array_of(event);
        try {
            const Element element = element_of(event);
            const Size size = size_of(static_cast<std::size_t>(event.at.buffer));
            if (!holds(event.path, within(element.row, 0, size.rows - 1)) ||
                !holds(event.path, within(element.column, 0, size.columns - 1)))
                return open(Obligation::bounds, "an index of `" + array.name + "` may be outside of it", event.line);
        } catch (const Unsupported& why) {
            return open(Obligation::bounds, why.why, event.line);
        }
    }
    return proved(Obligation::bounds);
}

std::string Decision::shared_fault(const Event& event) {
    const SharedArray& array = p_.run.shared.at(static_cast<std::size_t>(event.at.buffer));
    const Polynomial size =
        array.bytes == 0 ? p_.launch.dynamic_shared_bytes : Polynomial(static_cast<Integer>(array.bytes));
    if (array.align_bytes % static_cast<std::uint64_t>(event.width_bytes) != 0 ||
        !event.at.offset.divided(event.width_bytes))
        return "an address in shared memory may lie between two words";
    if (holds(event.path, within(event.at.offset, 0, size - event.width_bytes))) return "";
    return "an index in shared memory may be outside of its array";
}

Row Decision::races() {
    for (const Event& event : p_.run.events)
        if (!event.at.is_shared && event.is_store && array_of(event).role == BufferRole::in)
            return open(Obligation::races, "an input is written", event.line);
    for (std::size_t a = 0; a < p_.run.events.size(); ++a)
        for (std::size_t b = a; b < p_.run.events.size(); ++b) {
            const Event &one = p_.run.events[a], &other = p_.run.events[b];
            if (may_race(one, other))
                return open(Obligation::races, "two threads may touch a word of shared memory, one of them storing",
                            one.line);
            if (may_race_in_global(one, other))
                return open(Obligation::races,
                            "two threads may touch an element of `" + array_of(one).name + "`, one of them storing",
                            one.line);
        }
    return proved(Obligation::races);
}

bool Decision::may_race_in_global(const Event& a, const Event& b) {
    const bool is_output = a.at.buffer == static_cast<int>(p_.task.output) && p_.is_only_launch;
    if (a.at.is_shared || b.at.is_shared || a.at.buffer != b.at.buffer || (!a.is_store && !b.is_store) ||
        (is_output && a.is_store && b.is_store))
        return false;
    Path conditions = same_element(a, b);
    conditions.push_back(other_thread(false));
    if (a.barriers != b.barriers) conditions.push_back(other_block());
    return may_be(conditions);
}

Path Decision::same_element(const Event& a, const Event& b) {
    const Element one = element_of(a), other = element_of(b);
    Path conditions = joined(a.path, context_.twin(b.path, false));
    conditions.push_back(is_zero(one.row - context_.twin(other.row, false)));
    conditions.push_back(is_zero(one.column - context_.twin(other.column, false)));
    return conditions;
}

bool Decision::may_race(const Event& a, const Event& b) {
    if (!a.at.is_shared || !b.at.is_shared || a.at.buffer != b.at.buffer || a.barriers != b.barriers ||
        (!a.is_store && !b.is_store))
        return false;
    const Polynomial distance = a.at.offset - context_.twin(b.at.offset, true);
    Path conditions = joined(a.path, context_.twin(b.path, true));
    conditions.push_back(within(distance, 1 - a.width_bytes, b.width_bytes - 1));
    conditions.push_back(other_thread(true));
    return may_be(conditions);
}

Condition Decision::other_block() {
    std::vector<Atom> of_block;
    for (const Atom atom : context_.coordinates())
        if (!context_.is_of_thread(atom)) of_block.push_back(atom);
    return differs(of_block, false);
}

Condition Decision::differs(const std::vector<Atom>& coordinates, bool is_in_same_block) {
    std::vector<Condition> each;
    for (const Atom atom : coordinates) {
        const Polynomial own = Polynomial::of(atom);
        each.push_back(opposite(is_zero(own - context_.twin(own, is_in_same_block))));
    }
    return any_of(std::move(each));
}

std::vector<const Event*> Decision::output_stores() const {
    std::vector<const Event*> stores;
    for (const Event& event : p_.run.events)
        if (!event.at.is_shared && event.is_store && event.at.buffer == static_cast<int>(p_.task.output))
            stores.push_back(&event);
    return stores;
}

Row Decision::once() {
    const auto stores = output_stores();
    for (std::size_t a = 0; a < stores.size(); ++a)
        for (std::size_t b = a; b < stores.size(); ++b) {
            Path conditions = same_element(*stores[a], *stores[b]);
            if (a == b) conditions.push_back(other_thread(false));
            if (may_be(conditions))
                return open(Obligation::once, "an element of the output may be written twice", stores[b]->line);
        }
    return proved(Obligation::once);
}

Row Decision::covered() {
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

// One array after the other, each at a multiple of its alignment; what is dynamic begins after them, at a multiple of
// its own.
static Integer static_shared_bytes(const ptx::Module& module, const ptx::Function& kernel) {
    Integer bytes = 0, dynamic_align = 1;
    const auto rounded_up = [&](Integer align) { return (bytes + align - 1) / align * align; };
    for (const std::vector<ptx::Variable>* variables : {&module.variables, &kernel.variables})
        for (const ptx::Variable& variable : *variables) {
            if (variable.space != ptx::Space::shared) continue;
            const auto align = static_cast<Integer>(variable.align_bytes);
            if (variable.bytes == 0 || variable.is_external)
                dynamic_align = std::max(dynamic_align, align);
            else
                bytes = rounded_up(align) + static_cast<Integer>(variable.bytes);
        }
    return rounded_up(dynamic_align);
}

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
    const Polynomial bytes = launch.dynamic_shared_bytes + static_shared_bytes(module, kernel);
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
