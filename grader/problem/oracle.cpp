#include "problem/oracle.hpp"

#include <algorithm>
#include <cstring>

#include "base/make_diagnostic.hpp"
#include "base/parallel.hpp"
#include "compile/compiler.hpp"
#include "problem/contents.hpp"
#include "problem/moves.hpp"
#include "problem/oracle_run.hpp"
#include "problem/sum_input.hpp"
#include "ptx/module.hpp"

namespace warpgrade {

namespace {

constexpr std::uint64_t most_kept_bytes = std::uint64_t{192} << 20;
constexpr std::uint32_t threads_a_block = 256;

// Of what needs no function.
std::vector<std::byte> expected_of(const ProblemDescription& problem, const DescribedValues& values, const Shape& shape,
                                   std::uint64_t seed, std::span<const std::byte> input) {
    std::vector<std::byte> expected(values.bytes.back());
    if (problem.reference == ReferenceForm::moves) {
        const auto axes = moved_axes(problem.moves, values.buffer_extents.front());
        move_elements(axes, static_cast<std::size_t>(problem.element_bytes(problem.output(), shape.type)), input,
                      expected);
    } else {
        const auto sum = static_cast<float>(
            SumInput(values.elements.front(), seed, contents_of(problem.input(), shape.contents)).sum());
        std::memcpy(expected.data(), &sum, sizeof sum);
    }
    return expected;
}

}  // namespace

Diagnostic fault_of_problem(std::string code, std::string title, const std::string& path, int line, std::string fact,
                            std::string help) {
    Diagnostic diagnostic = make_error(Blame::course, std::move(code), std::move(title), {{path, line, 0, 1, ""}});
    if (!fact.empty()) diagnostic.facts.push_back(std::move(fact));
    diagnostic.help = std::move(help);
    return diagnostic;
}

vgpu::Launch over_elements(std::string kernel, std::uint64_t elements, std::vector<std::byte> parameters) {
    vgpu::Launch launch;
    launch.kernel = std::move(kernel);
    launch.block = {threads_a_block, 1, 1};
    const std::uint64_t blocks = (elements + threads_a_block - 1) / threads_a_block;
    launch.grid = {static_cast<std::uint32_t>(std::clamp<std::uint64_t>(blocks, 1, 4096)), 1, 1};
    launch.parameters = std::move(parameters);
    return launch;
}

std::string case_key(const Shape& shape, std::uint64_t seed) {
    std::string key = shape.type + "/" + shape.contents + "/" + std::to_string(seed);
    for (const std::int64_t extent : shape.extents) key += "/" + std::to_string(extent);
    return key;
}

std::uint64_t KnownCase::bytes() const {
    std::uint64_t all = expected.size() + start.size();
    for (const auto& input : inputs) all += input.size();
    return all;
}

Result<ptx::Module> module_of(const ProblemDescription& problem, const std::string& type) {
    const OracleSource text = oracle_source(problem, type);
    CompileRequest request;
    request.path = problem.cuda_path;
    request.source = text.source;
    request.appended = text.appended;
    const auto compiled = compile(request);
    if (!compiled) return compiled.error();
    if (compiled->ok) return ptx::parse(compiled->ptx);
    for (const CompilerMessage& message : compiled->messages) {
        if (message.severity != Severity::error) continue;
        const bool is_own = message.path == problem.cuda_path;
        return fault_of_problem("reference_does_not_compile", "problem.cu does not compile as this problem",
                                problem.cuda_path, is_own ? message.line : 0, message.message,
                                is_own ? ""
                                       : "the functions that problem.toml names take the launcher's parameters: see "
                                         "handouts/authoring.md");
    }
    return fault_of_problem("reference_does_not_compile", "problem.cu does not compile", problem.cuda_path, 0, "");
}

Result<std::shared_ptr<const vgpu::Program>> Oracle::program(const std::string& type) {
    const std::lock_guard lock(mutex_);
    auto& known = programs_[problem_.launcher.uses_type() ? type : ""];
    if (known) return known;
    const auto module = module_of(problem_, type);
    if (!module) return module.error();
    auto loaded = vgpu::load(*module, problem_.cuda_path);
    if (!loaded) return loaded.error();
    known = *loaded;
    return known;
}

Result<std::unique_ptr<OracleRun>> Oracle::begin(const Shape& shape, vgpu::Memory::Pages pages) {
    const auto loaded = program(shape.type);
    if (!loaded) return loaded.error();
    auto values = values_of(problem_, shape.extents, shape.type);
    if (!values) return values.error();
    auto run = std::make_unique<OracleRun>(problem_, shape, std::move(*values), pages);
    auto session = vgpu::Session::open(*loaded, run->memory);
    if (!session) return session.error();
    run->session = std::move(*session);
    return run;
}

Result<std::unique_ptr<OracleRun>> Oracle::begin_with(const Shape& shape, const KnownCase& known) {
    auto run = begin(shape);
    if (!run) return run;
    if (auto status = (*run)->add_buffers(); !status) return status.error();
    for (std::size_t b = 0; b < known.inputs.size(); ++b) (*run)->put(b, known.inputs[b]);
    if (auto status = (*run)->add_start(known.start); !status) return status.error();
    return run;
}

Status Oracle::make_inputs(const Shape& shape, std::uint64_t seed, const DescribedValues& values, KnownCase& known) {
    for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
        if (problem_.buffers[b].role != BufferRole::in) break;
        auto& bytes = known.inputs.emplace_back();
        if (fill_known(problem_, values, shape, seed, b, 0, {})) {
            bytes.resize(values.bytes[b]);
            fill_known_in_parallel(problem_, values, shape, seed, b, bytes);
        } else if (values.bytes[b] != 0) {
            auto own = made(shape, seed, b);
            if (!own) return own.error();
            bytes = std::move(*own);
        }
    }
    if (problem_.output().is_updated()) {
        known.start.resize(values.bytes.back());
        fill_known_in_parallel(problem_, values, shape, seed, problem_.buffers.size() - 1, known.start);
    }
    return Nothing{};
}

void Oracle::keep(const std::string& key, const std::shared_ptr<KnownCase>& found) {
    // One as large would be all that is kept, beside the memory that it is run in.
    if (found->bytes() > most_kept_bytes) return;
    const std::lock_guard lock(mutex_);
    std::erase_if(kept_, [&](const auto& each) { return each.first == key; });
    kept_.emplace_back(key, found);
    std::uint64_t bytes = 0;
    for (const auto& [name, each] : kept_) bytes += each->bytes();
    while (bytes > most_kept_bytes && kept_.size() > 1) {
        bytes -= kept_.front().second->bytes();
        kept_.erase(kept_.begin());
    }
}

Result<std::shared_ptr<const KnownCase>> Oracle::known(const Shape& shape, std::uint64_t seed, bool with_expected) {
    const std::string key = case_key(shape, seed);
    std::shared_ptr<KnownCase> found;
    {
        const std::lock_guard lock(mutex_);
        for (auto at = kept_.begin(); at != kept_.end(); ++at) {
            if (at->first != key) continue;
            std::rotate(at, at + 1, kept_.end());
            found = kept_.back().second;
            if (found->has_expected || !with_expected) return std::shared_ptr<const KnownCase>(found);
            kept_.pop_back();
            break;
        }
    }
    auto values = values_of(problem_, shape.extents, shape.type);
    if (!values) return values.error();
    const bool has_inputs = found != nullptr;
    // Its inputs are taken over where nobody else looks at them.
    if (!has_inputs)
        found = std::make_shared<KnownCase>();
    else if (found.use_count() > 1)
        found = std::make_shared<KnownCase>(*found);
    if (!has_inputs)
        if (auto status = make_inputs(shape, seed, *values, *found); !status) return status.error();
    if (with_expected) {
        if (has_function(problem_.reference)) {
            auto run = begin_with(shape, *found);
            if (!run) return run.error();
            auto status = (*run)->leave(reference_kernel, problem_.reference, nullptr);
            if (!status) return status.error();
            found->expected = (*run)->take((*run)->out());
        } else {
            found->expected = expected_of(problem_, *values, shape, seed, found->inputs.front());
        }
        found->has_expected = true;
    }
    keep(key, found);
    return std::shared_ptr<const KnownCase>(found);
}

std::vector<std::byte> Oracle::moved(const Shape& shape, std::span<const std::byte> input) const {
    return expected_of(problem_, *values_of(problem_, shape.extents, shape.type), shape, 0, input);
}

Result<std::vector<std::byte>> Oracle::made(const Shape& shape, std::uint64_t seed, std::size_t buffer) {
    auto run = begin_with(shape, KnownCase());
    if (!run) return run.error();
    OracleRun& r = **run;
    for (const std::size_t source : problem_.buffers[buffer].after) {
        std::vector<std::byte> bytes(r.values.bytes[source]);
        if (!fill_known(problem_, r.values, shape, seed, source, 0, bytes)) {
            auto own = made(shape, seed, source);
            if (!own) return own;
            bytes = std::move(*own);
        }
        r.put(source, bytes);
    }
    if (r.values.elements[buffer] != 0)
        if (auto status = r.fill(buffer, seed, r.addresses[buffer], 0, r.values.elements[buffer]); !status)
            return status.error();
    return r.take(buffer);
}

Result<std::vector<unsigned char>> Oracle::wrong(const Shape& shape, const KnownCase& known,
                                                 std::span<const std::byte> found) {
    auto run = begin_with(shape, known);
    if (!run) return run.error();
    OracleRun& r = **run;
    r.put(r.out(), found);
    const std::uint64_t count = r.values.elements[r.out()];
    const auto expected = r.allocate(known.expected.size(), 4), flags = r.allocate(count, 1);
    if (!expected) return expected.error();
    if (!flags) return flags.error();
    if (count == 0) return std::vector<unsigned char>();
    std::memcpy(r.memory.bytes(*expected).data(), known.expected.data(), known.expected.size());
    ParameterBytes parameters{r.addresses[r.out()], r.memory.buffer(*expected).address, r.memory.buffer(*flags).address,
                              count, r.terms()};
    r.add_arguments(parameters);
    if (auto status = r.launch(over_elements(compare_kernel, count, parameters.take())); !status) return status.error();
    const auto bytes = r.memory.view<unsigned char>(*flags);
    return std::vector<unsigned char>(bytes.begin(), bytes.end());
}

Result<std::vector<std::byte>> Oracle::mistaken(const Shape& shape, const KnownCase& known, std::size_t mistake,
                                                int tried, std::optional<ElementRange> only) {
    auto run = begin_with(shape, known);
    if (!run) return run.error();
    OracleRun& r = **run;
    const DescribedMistake& what = problem_.mistakes[mistake];
    if (auto status = r.leave(mistake_kernel(mistake), what.form, what.tries.empty() ? nullptr : &tried, only); !status)
        return status.error();
    auto left = r.take(r.out());
    if (only) left.resize(left.size() / r.values.elements[r.out()] * only->count);
    return left;
}

Result<bool> Oracle::passes_card_check(const Shape& shape, std::uint64_t seed, const KnownCase& known,
                                       std::span<const std::byte> found) {
    auto run = begin_with(shape, known);
    if (!run) return run.error();
    OracleRun& r = **run;
    r.put(r.out(), found);
    const std::uint64_t count = r.values.elements[r.out()];
    if (count == 0) return true;
    const auto expected = r.allocate(known.expected.size(), 4), report = r.allocate(sizeof(CardReport), 8);
    if (!expected) return expected.error();
    if (!report) return report.error();
    // What an output held before, which the check's own run of a gather reads.
    const auto& compared =
        known.start.empty() || problem_.reference != ReferenceForm::gather ? known.expected : known.start;
    std::memcpy(r.memory.bytes(*expected).data(), compared.data(), compared.size());
    if (problem_.reference == ReferenceForm::sum) {
        ParameterBytes parameters{r.memory.buffer(*report).address, r.values.elements[0], seed};
        r.add_extents(parameters);
        if (auto status = r.launch(over_elements(sum_kernel, r.values.elements[0], parameters.take())); !status)
            return status.error();
    }
    ParameterBytes parameters{r.memory.buffer(*expected).address, count, r.memory.buffer(*report).address, r.terms()};
    r.add_arguments(parameters);
    if (auto status = r.launch(over_elements(card_kernel(problem_), count, parameters.take())); !status)
        return status.error();
    return r.memory.view<CardReport>(*report).front().wrong == 0;
}

}  // namespace warpgrade
