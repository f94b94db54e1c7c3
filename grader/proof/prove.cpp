#include "proof/prove.hpp"

#include <algorithm>
#include <charconv>

#include "base/text.hpp"
#include "proof/core.hpp"
#include "proof/witness.hpp"

namespace warpgrade::proof {
namespace {

// The shapes that are spoken of: larger ones need more memory than a GPU has.
constexpr Integer most_extent = Integer{1} << 30, most_elements = Integer{1} << 34;
constexpr std::size_t most_witnesses = 4;
constexpr std::size_t longest_function = 20'000;  // instructions

// Shapes of which one should be spoken of wherever a proof is made: small, thin, and large ones.
std::vector<std::vector<std::int64_t>> sample_shapes(std::size_t extents) {
    if (extents == 1) return {{1}, {33}, {4097}, {1'000'003}, {(std::int64_t{1} << 29) + 4099}};
    if (extents != 2) return {};
    return {{33, 65},     {1, 1},       {64, 96},       {1000, 777}, {2097121, 1},
            {1, 2097121}, {4096, 4096}, {32771, 32779}, {40, 900001}};
}

// An expression of problem.toml, of sums, products and quotients by constants: "n / 32 + 4096".
std::optional<Polynomial> extent_of(Context& context, const ProblemDescription& description, std::string_view text) {
    const auto trimmed = [](std::string_view part) {
        while (part.starts_with(' ')) part.remove_prefix(1);
        while (part.ends_with(' ')) part.remove_suffix(1);
        return part;
    };
    text = trimmed(text);
    for (const char* const signs : {"+", "*/"}) {
        const auto at = text.find_last_of(signs);
        if (at == std::string_view::npos) continue;
        const char sign = text[at];
        const auto left = extent_of(context, description, text.substr(0, at));
        const auto right = extent_of(context, description, text.substr(at + 1));
        if (!left || !right || (sign == '/' && (!right->is_constant() || right->constant() < 1))) return std::nullopt;
        if (sign == '+') return *left + *right;
        return sign == '*' ? *left * *right : context.quotient(*left, *right, {});
    }
    for (std::size_t i = 0; i < description.extents.size(); ++i)
        if (description.extents[i] == text) return context.extent(i);
    if (const auto constant = description.constants.find(std::string(text)); constant != description.constants.end())
        return Polynomial(constant->second);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return Polynomial(number);
}

Task task_of(Context& context, const ProblemDescription& description, const std::string& type) {
    Task task;
    for (const DescribedBuffer& buffer : description.buffers) {
        Array array;
        array.name = buffer.name;
        array.role = buffer.role;
        array.element_bytes = description.element_bytes(buffer, type);
        for (const std::string& text : buffer.extents) {
            const auto extent = extent_of(context, description, text);
            if (extent && array.extents.size() < 2) {
                array.extents.push_back(*extent);
            } else {
                array.extents.clear();
                break;
            }
        }
        task.arrays.push_back(std::move(array));
    }
    task.output = task.arrays.size() - 1;
    const bool has_two = task.arrays[0].extents.size() == 2 && task.arrays[task.output].extents.size() == 2;
    task.is_move = description.reference == ReferenceForm::moves && has_two && description.moves.size() == 2;
    task.moves = description.moves;
    task.why_no_values = "what the problem computes is not proved here, only what it moves";
    return task;
}

class Prover {
public:
    Prover(const ProofRequest& request, Sets& sets)
        : request_(request),
          context_(sets, std::vector<Integer>(request.description.extents.size(), most_extent), most_elements),
          task_(task_of(context_, request.description, request.type)) {
        for (std::size_t i = 0; i < obligations; ++i) {
            Row& row = rows_.emplace_back();
            row.what = static_cast<Obligation>(i);
            row.is_proved = true;
        }
    }

    void prove(Claim& claim) {
        try {
            const ptx::Function& launcher = function(request_.launcher);
            find_reference(launcher);
            Executed run =
                execute(context_, request_.module, launcher, launcher_arguments(launcher), request_.source_file);
            if (!run.events.empty()) throw Unsupported{"the launcher touches the GPU's memory", run.events[0].line};
            if (!run.barriers.empty()) throw Unsupported{"the launcher has a barrier", run.barriers[0].line};
            // What goes wrong in a short one is the simpler example.
            std::stable_sort(run.ways.begin(), run.ways.end(),
                             [](const Way& a, const Way& b) { return a.launches.size() < b.launches.size(); });
            for (const Way& way : run.ways) prove_way(way, run.fits, claim);
            if (run.ways.empty()) throw Unsupported{"the launcher has no end"};
            if (claim.shapes.empty()) throw Unsupported{"no shape was found that the proof speaks of"};
        } catch (const Unsupported& why) {
            for (Row& row : rows_) note_open(row, why.why, why.line);
        }
        claim.rows = rows_;
    }

private:
    const ptx::Function& function(const std::string& name) const {
        const ptx::Function* const found = request_.module.find(name);
        if (found == nullptr || found->is_declaration) throw Unsupported{"a function that is not in the program"};
        if (found->body.size() > longest_function) throw Unsupported{"a function that is too long"};
        return *found;
    }

    static void note_open(Row& row, const std::string& why, int line) {
        if (!row.is_proved) return;
        row.is_proved = false;
        row.why = why;
        row.line = line;
    }

    std::map<std::string, Value> launcher_arguments(const ptx::Function& launcher) {
        const auto& described = request_.description.launcher.parameters;
        if (launcher.parameters.size() != described.size()) throw Unsupported{"another launcher"};
        std::map<std::string, Value> values;
        for (std::size_t i = 0; i < described.size(); ++i) {
            Value& value = values[launcher.parameters[i].name];
            for (std::size_t k = 0; k < task_.arrays.size(); ++k)
                if (task_.arrays[k].name == described[i].name) value = Pointer{static_cast<int>(k), false, {}};
            if (const auto extent = extent_of(context_, request_.description, described[i].name)) value = *extent;
            const bool is_real =
                !described[i].is_pointer && (described[i].type == "float" || described[i].type == "double");
            if (is_real || std::holds_alternative<std::monostate>(value))
                throw Unsupported{"the parameter `" + described[i].name + "` of the launcher"};
        }
        return values;
    }

    // `reference` of problem.cu, by the beginning of its mangled name.
    void find_reference(const ptx::Function& launcher) {
        if (request_.reference == nullptr || request_.description.reference != ReferenceForm::gather) return;
        const std::map<std::string, Value> arguments = launcher_arguments(launcher);
        for (const ptx::Function& function : request_.reference->functions)
            if (function.name.starts_with("_Z9referencey")) task_.reference = &function;
        task_.reference_module = request_.reference;
        for (const ptx::Variable& parameter : launcher.parameters)
            task_.parameters.push_back(arguments.at(parameter.name));
    }

    // The arguments of a kernel lie in its buffer one after the other, each at a multiple of its own size.
    static std::map<std::string, Value> kernel_arguments(const ptx::Function& kernel, const SymbolicLaunch& launch) {
        std::map<std::string, Value> values;
        std::uint64_t offset = 0;
        for (const ptx::Variable& parameter : kernel.parameters) {
            const std::uint64_t align = std::max<std::uint64_t>(1, parameter.align_bytes);
            offset = (offset + align - 1) / align * align;
            const auto found = launch.arguments.find(static_cast<std::int64_t>(offset));
            if (found != launch.arguments.end() && static_cast<std::uint64_t>(found->second.bytes) == parameter.bytes)
                values[parameter.name] = found->second.value;
            offset += parameter.bytes;
        }
        return values;
    }

    // Ways have their first launches in common.
    void prove_way(const Way& way, const std::vector<Fit>& fits, Claim& claim) {
        if (way.launches.empty()) throw Unsupported{"nothing is launched", way.line};
        for (std::size_t i = 0; i < way.launches.size(); ++i) {
            // Of a single one that has its end behind it: of the shapes that take this way.
            const bool is_only = way.launches.size() == 1;
            SymbolicLaunch launch = way.launches[i];
            if (is_only) launch.path = way.path;
            if (std::find(proved_.begin(), proved_.end(), launch) != proved_.end()) continue;
            proved_.push_back(launch);
            prove_launch(launch, is_only, i, fits, claim);
        }
    }

    // It must be known that a shape takes this way: of none at all everything is true.
    std::vector<std::int64_t> example_of(const Context& context, const Path& path) const {
        for (const auto& shape : sample_shapes(request_.description.extents.size()))
            if (context.truth_at(path, shape) == true) return shape;
        const auto found = find_witness(context, Obligation::launch, {path});
        if (found && context.truth_at(path, found->shape) == true) return found->shape;
        return {};
    }

    void prove_launch(const SymbolicLaunch& launch, bool is_only, std::size_t number, const std::vector<Fit>& fits,
                      Claim& claim) {
        Context context = context_;
        context.assumed = launch.path;
        const std::vector<std::int64_t> example = example_of(context, launch.path);
        if (example.empty()) throw Unsupported{"no shape was found that takes a way through the launcher", launch.line};
        claim.shapes.push_back(example);
        const ptx::Function& kernel = function(launch.kernel);
        Doubts doubts;
        Row first = decide_launch(context, fits, launch, request_.module, kernel, request_.limits, doubts);
        if (!first.is_proved) {
            look_for_witnesses(context, {first}, doubts, number, claim);
            for (Row& row : rows_)
                note_open(row, row.what == Obligation::launch ? first.why : "it rests on `launch`", first.line);
            return;
        }
        Tried best;
        for (const BlockOrder& order : orders_of(kernel)) {
            Tried tried = prove_in(context, order, launch, is_only, kernel, fits, example);
            if (best.rows.empty() || count(tried.rows) > count(best.rows)) best = std::move(tried);
            if (count(best.rows) == obligations || context.sets().is_time_over()) break;
        }
        for (std::size_t i = 0; i < obligations; ++i) {
            const Row& row = best.rows[i];
            if (!row.is_proved) note_open(rows_[i], row.why, row.line);
            rows_[i].lines.insert(rows_[i].lines.end(), row.lines.begin(), row.lines.end());
        }
        if (best.context) look_for_witnesses(*best.context, best.rows, best.doubts, number, claim);
    }

    static void look_for_witnesses(const Context& context, const std::vector<Row>& rows, const Doubts& doubts,
                                   std::size_t launch, Claim& claim) {
        for (const auto& [what, doubt] : doubts) {
            if (claim.witnesses.size() == most_witnesses) return;
            auto witness = find_witness(context, what, doubt);
            if (!witness) continue;
            const auto row =
                std::find_if(rows.begin(), rows.end(), [&what = what](const Row& one) { return one.what == what; });
            if (row != rows.end()) witness->line = row->line;
            witness->launch = launch;
            claim.witnesses.push_back(std::move(*witness));
        }
    }

    static std::size_t count(const std::vector<Row>& rows) {
        return static_cast<std::size_t>(
            std::count_if(rows.begin(), rows.end(), [](const Row& row) { return row.is_proved; }));
    }

    // Two axes are folded into one where the kernel reads what that takes.
    static std::vector<BlockOrder> orders_of(const ptx::Function& kernel) {
        std::vector<std::string> names;
        for (const ptx::Instruction& instruction : kernel.body)
            for (const ptx::Operand& operand : instruction.operands)
                if (operand.kind == ptx::Operand::Kind::special) names.push_back(operand.name);
        const auto reads = [&](const char* word, int axis) {
            return std::find(names.begin(), names.end(), std::string(word) + "xyz"[axis]) != names.end();
        };
        std::vector<BlockOrder> orders;
        for (const auto& [low, high] : {std::pair{1, 2}, {0, 1}, {1, 0}, {0, 2}, {2, 1}, {2, 0}})
            if (reads("%ctaid.", low) && reads("%ctaid.", high) && reads("%nctaid.", low))
                orders.push_back({low, high});
        orders.emplace_back();
        return orders;
    }

    struct Tried {
        std::vector<Row> rows;
        Doubts doubts;
        std::optional<Context> context;  // of these
    };

    Tried prove_in(const Context& before, BlockOrder order, const SymbolicLaunch& launch, bool is_only,
                   const ptx::Function& kernel, const std::vector<Fit>& fits,
                   const std::vector<std::int64_t>& example) {
        std::array<Integer, 3> block{};
        for (std::size_t i = 0; i < 3; ++i) block[i] = launch.block[i].constant();
        try {
            for (int splits = 0;; ++splits) {
                Context context = before;
                try {
                    context.enter_kernel(block, launch.grid, order);
                    require_threads_at(context, example);
                    const Executed run = execute(context, request_.module, kernel, kernel_arguments(kernel, launch),
                                                 request_.source_file);
                    for (const Way& end : run.ways)
                        if (!end.launches.empty()) throw Unsupported{"a launch inside of a kernel", end.line};
                    Tried tried;
                    tried.rows =
                        decide({context, task_, launch, request_.module, kernel, run, fits, request_.limits, is_only},
                               tried.doubts);
                    require_facts(context);
                    tried.context = std::move(context);
                    return tried;
                } catch (const SplitWanted& wanted) {
                    if (splits > 0) throw Unsupported{"a block's index is divided twice"};
                    order.split = wanted.axis;
                    order.row = wanted.row;
                }
            }
        } catch (const Unsupported& why) {
            std::vector<Row> rows(obligations);
            for (std::size_t i = 0; i < obligations; ++i) {
                rows[i].what = static_cast<Obligation>(i);
                rows[i].is_proved = rows[i].what == Obligation::launch;
                if (!rows[i].is_proved) rows[i].why = why.why, rows[i].line = why.line;
            }
            return {std::move(rows), {}, std::nullopt};
        }
    }

    // What isl is told must leave the shapes that there are: that is asked before, and each fact is tried after.
    static void require_threads_at(const Context& context, const std::vector<std::int64_t>& example) {
        Path here;
        for (std::size_t i = 0; i < example.size(); ++i)
            here.push_back(is_zero(context.extent(i) - Polynomial(example[i])));
        for (const Atom atom : context.coordinates()) here.push_back(at_least_zero(Polynomial::of(atom)));
        const Emptiness found = context.emptiness(here);
        if (found == Emptiness::empty) throw Unsupported{"the proof would speak of no shape at all"};
        if (found == Emptiness::unknown) throw Unsupported{time_is_over};
    }

    void require_facts(const Context& context) const {
        for (const auto& shape : sample_shapes(request_.description.extents.size()))
            if (!context.facts_hold_at(shape)) throw std::logic_error("a fact of a proof does not hold of a shape");
    }

    const ProofRequest& request_;
    Context context_;
    Task task_;
    std::vector<Row> rows_;
    std::vector<SymbolicLaunch> proved_;
};

}  // namespace

bool is_available() { return Sets::are_available(); }

bool speaks_of(std::span<const std::int64_t> extents) {
    Integer elements = 1;
    for (const std::int64_t extent : extents) {
        if (extent < 1 || extent > most_extent) return false;
        elements *= extent;
        if (elements > most_elements) return false;
    }
    return true;
}

Claim prove(const ProofRequest& request) {
    Claim claim;
    const auto sets = Sets::open(request.seconds);
    if (!sets) {
        claim.why_not = "isl (libisl.so.23) is not installed";
        return claim;
    }
    claim.was_tried = true;
    std::string extents, product;
    for (const std::string& name : request.description.extents) {
        extents += (extents.empty() ? "" : ", ") + name;
        product += (product.empty() ? "" : " * ") + name;
    }
    claim.assumptions = {"1 <= " + extents + " <= 2^30"};
    if (request.description.extents.size() > 1) claim.assumptions.push_back(product + " <= 2^34");
    claim.assumptions.push_back("the buffers do not overlap");
    claim.assumptions.push_back("the code is the optimised one");
    if (request.reference != nullptr)
        claim.assumptions.push_back("elements are real numbers, whose sums and products are not rounded");
    Prover(request, *sets).prove(claim);
    for (Row& row : claim.rows) {
        std::sort(row.lines.begin(), row.lines.end());
        row.lines.erase(std::unique(row.lines.begin(), row.lines.end()), row.lines.end());
    }
    const auto elements = [](const Witness& one) {
        double all = 1;
        for (const std::int64_t extent : one.shape) all *= static_cast<double>(extent);
        return all;
    };
    std::stable_sort(claim.witnesses.begin(), claim.witnesses.end(),
                     [&](const Witness& a, const Witness& b) { return elements(a) < elements(b); });
    claim.sets = sets->asked();
    claim.seconds = sets->seconds();
    return claim;
}

}  // namespace warpgrade::proof
