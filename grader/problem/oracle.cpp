#include "problem/oracle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "compile/compiler.hpp"
#include "problem/oracle_source.hpp"
#include "ptx/module.hpp"

namespace warpgrade {

namespace {

constexpr std::uint64_t most_kept_bytes = std::uint64_t{192} << 20;
// Of one kernel. A plain loop over 16 million elements takes a tenth of it, some seconds on a laptop.
constexpr std::uint64_t most_warp_instructions = std::uint64_t{1} << 30;
constexpr std::uint64_t chunk_bytes = 16 << 10;
constexpr std::uint32_t threads_a_block = 256;

Diagnostic course_error(std::string code, std::string title, const std::string& path, int line, std::string fact,
                        std::string help = {}) {
    Diagnostic diagnostic;
    diagnostic.blame = Blame::course;
    diagnostic.code = std::move(code);
    diagnostic.title = std::move(title);
    diagnostic.marks.push_back({path, line, 0, 1, ""});
    if (!fact.empty()) diagnostic.facts.push_back(std::move(fact));
    diagnostic.help = std::move(help);
    return diagnostic;
}

vgpu::Launch over(std::string kernel, std::uint64_t elements, std::vector<std::byte> parameters) {
    vgpu::Launch launch;
    launch.kernel = std::move(kernel);
    launch.block = {threads_a_block, 1, 1};
    const std::uint64_t blocks = (elements + threads_a_block - 1) / threads_a_block;
    launch.grid = {static_cast<std::uint32_t>(std::clamp<std::uint64_t>(blocks, 1, 4096)), 1, 1};
    launch.parameters = std::move(parameters);
    return launch;
}

std::string key_of(const Shape& shape, std::uint64_t seed) {
    std::string key = shape.type + "/" + shape.contents + "/" + std::to_string(seed);
    for (const std::int64_t extent : shape.extents) key += "/" + std::to_string(extent);
    return key;
}

}  // namespace

std::uint64_t KnownCase::bytes() const {
    std::uint64_t all = expected.size();
    for (const auto& input : inputs) all += input.size();
    return all;
}

void ParameterBytes::add(std::uint64_t value, std::size_t bytes) {
    add_bytes({reinterpret_cast<const std::byte*>(&value), bytes});
}

void ParameterBytes::add_bytes(std::span<const std::byte> value) {
    bytes_.resize((bytes_.size() + value.size() - 1) / value.size() * value.size());
    bytes_.insert(bytes_.end(), value.begin(), value.end());
}

std::vector<std::vector<std::byte>> arguments_of(const ProblemDescription& problem, const DescribedValues& values,
                                                 std::span<const std::uint64_t> addresses) {
    std::vector<std::vector<std::byte>> all;
    const auto add = [&](const auto& value) {
        const auto* first = reinterpret_cast<const std::byte*>(&value);
        all.emplace_back(first, first + sizeof value);
    };
    for (const LauncherParameter& parameter : problem.launcher.parameters) {
        if (parameter.is_pointer) {
            for (std::size_t b = 0; b < problem.buffers.size(); ++b)
                if (problem.buffers[b].name == parameter.name) add(addresses[b]);
            continue;
        }
        const std::int64_t value = values.scope.names.at(parameter.name);
        if (parameter.type == "float") add(static_cast<float>(value));
        else if (parameter.type == "double") add(static_cast<double>(value));
        else if (type_named(parameter.type)->bytes == 4) add(static_cast<std::int32_t>(value));
        else add(value);
    }
    return all;
}

const std::string& contents_of(const DescribedBuffer& buffer, const std::string& variant) {
    const auto found = buffer.variants.find(variant);
    return found == buffer.variants.end() ? buffer.contents : found->second;
}

// One memory with the buffers of one shape. The output is there twice: what the reference leaves, and what is compared.
struct Oracle::Run {
    const ProblemDescription& problem;
    Shape shape;
    DescribedValues values;
    vgpu::Memory memory;
    std::unique_ptr<vgpu::Session> session;
    std::vector<int> buffers;
    std::vector<std::uint64_t> addresses;  // of the buffers

    Run(const ProblemDescription& described, const Shape& of, DescribedValues numbers)
        : problem(described), shape(of), values(std::move(numbers)), memory(std::uint64_t{12} << 30, vgpu::Memory::Pages::small) {}

    std::size_t out() const { return buffers.size() - 1; }

    Result<int> allocate(std::uint64_t bytes, int element_bytes) {
        vgpu::BufferSpec spec;
        spec.name = "buffer";
        spec.bytes = bytes;
        spec.element_bytes = element_bytes;
        spec.is_written = true;
        return memory.allocate(spec);
    }

    Status add_buffers() {
        for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
            const auto buffer = allocate(values.bytes[b], problem.element_bytes(problem.buffers[b], shape.type));
            if (!buffer) return buffer.error();
            buffers.push_back(*buffer);
            addresses.push_back(memory.buffer(*buffer).address);
        }
        return Nothing{};
    }

    Status launch(const vgpu::Launch& launch, bool is_one_thread = false) {
        vgpu::RunOptions options;
        options.check_races = false;
        // A few elements are done before another thread has begun.
        options.threads = is_one_thread || launch.grid.x < 64 ? 1 : 0;
        options.limits.warp_instructions = most_warp_instructions;
        const vgpu::RunResult run = session->run(launch, options);
        if (run.findings.empty()) return Nothing{};
        const vgpu::Finding& first = run.findings.front();
        std::string what = std::string(to_string(first.kind)) + (first.detail.empty() ? "" : ": " + first.detail);
        return course_error("reference_fails", fmt::format("a function of the problem fails on {}", describe_case(shape)),
                            problem.cuda_path, first.place.line, std::move(what),
                            "it runs as a kernel on the virtual GPU: look at its indices, and at extents of 0");
    }

    void add_extents(ParameterBytes& parameters) const {
        for (const std::int64_t value : values.extents) parameters.add(static_cast<std::uint64_t>(value));
    }
    void add_arguments(ParameterBytes& parameters) const {
        for (const auto& argument : arguments_of(problem, values, addresses)) parameters.add_bytes(argument);
    }
    std::uint64_t terms() const {
        return problem.compare.terms.empty() ? 0 : static_cast<std::uint64_t>(number_of(problem.compare.terms, values));
    }

    Status fill(std::size_t b, std::uint64_t seed, std::uint64_t to, std::uint64_t first, std::uint64_t count) {
        ParameterBytes parameters;
        for (const std::uint64_t value : {to, first, count, seed + b}) parameters.add(value);
        add_extents(parameters);
        return launch(over(fill_kernel(b, contents_of(problem.buffers[b], shape.contents)), count, parameters.take()));
    }

    // The reference, or a mistake, into the output buffer.
    Status leave(const std::string& kernel, ReferenceForm form, const int* tried) {
        const std::uint64_t count = form == ReferenceForm::gather    ? values.elements[out()]
                                    : form == ReferenceForm::scatter ? static_cast<std::uint64_t>(number_of(problem.scatter_over, values))
                                                                     : 1;
        if (form == ReferenceForm::scatter) memory.clear(buffers[out()]);
        if (count == 0) return Nothing{};
        ParameterBytes parameters;
        for (const std::uint64_t value : {addresses[out()], std::uint64_t{0}, count}) parameters.add(value);
        add_arguments(parameters);
        if (tried) parameters.add(static_cast<std::uint64_t>(*tried), 4);
        vgpu::Launch call = over(kernel, count, parameters.take());
        if (form == ReferenceForm::sequential) call.block = {1, 1, 1};
        return launch(call, form == ReferenceForm::sequential);
    }

    void put(std::size_t b, std::span<const std::byte> bytes) {
        if (!bytes.empty()) std::memcpy(memory.bytes(buffers[b]).data(), bytes.data(), bytes.size());
    }
    std::vector<std::byte> take(std::size_t b) {
        const auto bytes = memory.bytes(buffers[b]);
        return {bytes.begin(), bytes.end()};
    }
};

Result<std::shared_ptr<const vgpu::Program>> Oracle::program(const std::string& type) {
    const std::lock_guard lock(mutex_);
    auto& known = programs_[problem_.launcher.uses_type() ? type : ""];
    if (known) return known;
    const OracleSource text = oracle_source(problem_, type);
    CompileRequest request;
    request.path = problem_.cuda_path;
    request.source = text.source;
    request.appended = text.appended;
    const auto compiled = compile(request);
    if (!compiled) return compiled.error();
    if (!compiled->ok) {
        for (const CompilerMessage& message : compiled->messages) {
            if (message.severity != "error") continue;
            const bool is_own = message.path == problem_.cuda_path;
            return course_error("reference_does_not_compile", "problem.cu does not compile as this problem",
                                problem_.cuda_path, is_own ? message.line : 0, message.message,
                                is_own ? "" : "the functions that problem.toml names take the launcher's parameters: see "
                                              "handouts/authoring.md");
        }
        return course_error("reference_does_not_compile", "problem.cu does not compile", problem_.cuda_path, 0, "");
    }
    const auto module = ptx::parse(compiled->ptx);
    if (!module) return module.error();
    auto loaded = vgpu::load(*module, problem_.cuda_path);
    if (!loaded) return loaded.error();
    known = *loaded;
    return known;
}

Result<std::unique_ptr<Oracle::Run>> Oracle::begin(const Shape& shape) {
    const auto loaded = program(shape.type);
    if (!loaded) return loaded.error();
    auto values = values_of(problem_, shape.extents, shape.type);
    if (!values) return values.error();
    auto run = std::make_unique<Run>(problem_, shape, std::move(*values));
    auto session = vgpu::Session::open(*loaded, run->memory);
    if (!session) return session.error();
    run->session = std::move(*session);
    return run;
}

Result<std::shared_ptr<const KnownCase>> Oracle::known(const Shape& shape, std::uint64_t seed, bool with_expected) {
    const std::string key = key_of(shape, seed);
    std::shared_ptr<const KnownCase> inputs;
    {
        const std::lock_guard lock(mutex_);
        for (auto at = kept_.begin(); at != kept_.end(); ++at) {
            if (at->first != key) continue;
            std::rotate(at, at + 1, kept_.end());
            inputs = kept_.back().second;
            break;
        }
    }
    if (inputs && (inputs->has_expected || !with_expected)) return inputs;
    auto run = begin(shape);
    if (!run) return run.error();
    if (auto status = (*run)->add_buffers(); !status) return status.error();
    auto found = std::make_shared<KnownCase>();
    for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
        if (problem_.buffers[b].role != BufferRole::in) break;
        if (inputs) {
            (*run)->put(b, inputs->inputs[b]);
        } else if ((*run)->values.elements[b] != 0) {
            auto status = (*run)->fill(b, seed, (*run)->addresses[b], 0, (*run)->values.elements[b]);
            if (!status) return status.error();
        }
        found->inputs.push_back((*run)->take(b));
    }
    if (with_expected) {
        if (auto status = (*run)->leave(reference_kernel, problem_.reference, nullptr); !status) return status.error();
        found->expected = (*run)->take((*run)->out());
        found->has_expected = true;
    }
    const std::lock_guard lock(mutex_);
    std::erase_if(kept_, [&](const auto& each) { return each.first == key; });
    kept_.emplace_back(key, found);
    std::uint64_t bytes = 0;
    for (const auto& [name, each] : kept_) bytes += each->bytes();
    while (bytes > most_kept_bytes && kept_.size() > 1) {
        bytes -= kept_.front().second->bytes();
        kept_.erase(kept_.begin());
    }
    return std::shared_ptr<const KnownCase>(found);
}

Result<std::vector<unsigned char>> Oracle::wrong(const Shape& shape, const KnownCase& known,
                                                 std::span<const std::byte> found) {
    auto run = begin(shape);
    if (!run) return run.error();
    Run& r = **run;
    if (auto status = r.add_buffers(); !status) return status.error();
    for (std::size_t b = 0; b < known.inputs.size(); ++b) r.put(b, known.inputs[b]);
    r.put(r.out(), found);
    const std::uint64_t count = r.values.elements[r.out()];
    const auto expected = r.allocate(known.expected.size(), 4), flags = r.allocate(count, 1);
    if (!expected) return expected.error();
    if (!flags) return flags.error();
    if (count == 0) return std::vector<unsigned char>();
    std::memcpy(r.memory.bytes(*expected).data(), known.expected.data(), known.expected.size());
    ParameterBytes parameters;
    for (const std::uint64_t value : {r.addresses[r.out()], r.memory.buffer(*expected).address, r.memory.buffer(*flags).address, count, r.terms()})
        parameters.add(value);
    r.add_arguments(parameters);
    if (auto status = r.launch(over(compare_kernel, count, parameters.take())); !status) return status.error();
    const auto bytes = r.memory.view<unsigned char>(*flags);
    return std::vector<unsigned char>(bytes.begin(), bytes.end());
}

Result<std::vector<std::byte>> Oracle::mistaken(const Shape& shape, const KnownCase& known, std::size_t mistake, int tried) {
    auto run = begin(shape);
    if (!run) return run.error();
    Run& r = **run;
    if (auto status = r.add_buffers(); !status) return status.error();
    for (std::size_t b = 0; b < known.inputs.size(); ++b) r.put(b, known.inputs[b]);
    const DescribedMistake& what = problem_.mistakes[mistake];
    if (auto status = r.leave(mistake_kernel(mistake), what.form, what.tries.empty() ? nullptr : &tried); !status)
        return status.error();
    return r.take(r.out());
}

Result<bool> Oracle::passes_card_check(const Shape& shape, const KnownCase& known, std::span<const std::byte> found) {
    auto run = begin(shape);
    if (!run) return run.error();
    Run& r = **run;
    if (auto status = r.add_buffers(); !status) return status.error();
    for (std::size_t b = 0; b < known.inputs.size(); ++b) r.put(b, known.inputs[b]);
    r.put(r.out(), found);
    const std::uint64_t count = r.values.elements[r.out()];
    if (count == 0) return true;
    const auto expected = r.allocate(known.expected.size(), 4), report = r.allocate(sizeof(CardReport), 8);
    if (!expected) return expected.error();
    if (!report) return report.error();
    std::memcpy(r.memory.bytes(*expected).data(), known.expected.data(), known.expected.size());
    ParameterBytes parameters;
    for (const std::uint64_t value : {r.memory.buffer(*expected).address, count, r.memory.buffer(*report).address, r.terms()})
        parameters.add(value);
    r.add_arguments(parameters);
    if (auto status = r.launch(over(card_kernel, count, parameters.take())); !status) return status.error();
    return r.memory.view<CardReport>(*report).front().wrong == 0;
}

// Chunks of one shape's buffers, as they are asked for.
struct Oracle::Lazy {
    std::string key;
    std::uint64_t seed = 0;
    std::unique_ptr<Run> maker;   // of inputs; the reference runs in another session, which asks for them as it reads
    std::unique_ptr<Run> reader;  // of the reference
    int made = 0, left = 0;       // their buffers of one chunk
    std::map<std::pair<std::size_t, std::uint64_t>, std::vector<std::byte>> chunks;

    // Error: of the reference.
    Result<const std::vector<std::byte>*> chunk(std::size_t b, std::uint64_t number) {
        auto& known = chunks[{b, number}];
        if (!known.empty()) return &known;
        const bool is_input = maker->problem.buffers[b].role == BufferRole::in;
        Run& r = is_input ? *maker : *reader;
        const int to = is_input ? made : left;
        const auto size = static_cast<std::uint64_t>(r.problem.element_bytes(r.problem.buffers[b], r.shape.type));
        const std::uint64_t first = number * chunk_bytes / size;
        if (first >= r.values.elements[b]) return &known;  // past the end: nothing is asked of it
        const std::uint64_t count = std::min(chunk_bytes / size, r.values.elements[b] - first);
        const std::uint64_t address = r.memory.buffer(to).address;
        if (is_input) {
            if (auto status = r.fill(b, seed, address, first, count); !status) return status.error();
        } else {
            ParameterBytes parameters;
            for (const std::uint64_t value : {address, first, count}) parameters.add(value);
            r.add_arguments(parameters);
            if (auto status = r.launch(over(reference_kernel, count, parameters.take()), true); !status) return status.error();
        }
        const auto bytes = r.memory.bytes(to);
        known.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count * size));
        return &known;
    }

    Status read(std::size_t b, std::uint64_t first, std::span<std::byte> bytes) {
        for (std::uint64_t done = 0; done < bytes.size();) {
            const auto piece = chunk(b, (first + done) / chunk_bytes);
            if (!piece) return piece.error();
            const std::uint64_t within = (first + done) % chunk_bytes;
            if (within >= (*piece)->size()) break;
            const std::uint64_t count = std::min<std::uint64_t>((*piece)->size() - within, bytes.size() - done);
            std::memcpy(bytes.data() + done, (*piece)->data() + within, count);
            done += count;
        }
        return Nothing{};
    }
};

Status Oracle::elements(const Shape& shape, std::uint64_t seed, std::size_t buffer, std::uint64_t first,
                        std::span<std::byte> bytes) {
    const std::lock_guard lock(lazy_mutex_);
    const std::string key = key_of(shape, seed);
    if (!lazy_ || lazy_->key != key) {
        auto lazy = std::make_shared<Lazy>();
        auto maker = begin(shape), reader = begin(shape);
        if (!maker) return maker.error();
        if (!reader) return reader.error();
        lazy->key = key;
        lazy->seed = seed;
        lazy->maker = std::move(*maker);
        lazy->reader = std::move(*reader);
        Run& r = *lazy->reader;
        for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
            vgpu::BufferSpec spec;
            spec.name = problem_.buffers[b].name;
            const bool is_input = problem_.buffers[b].role == BufferRole::in;
            spec.bytes = is_input ? r.values.bytes[b] : 0;  // nothing is stored to the others
            spec.element_bytes = problem_.element_bytes(problem_.buffers[b], shape.type);
            spec.is_written = true;
            if (is_input)
                spec.contents = [at = lazy.get(), b](std::uint64_t from, std::span<std::byte> piece) {
                    (void)at->read(b, from, piece);
                };
            const auto allocated = r.memory.allocate(spec);
            if (!allocated) return allocated.error();
            r.buffers.push_back(*allocated);
            r.addresses.push_back(r.memory.buffer(*allocated).address);
        }
        const auto made = lazy->maker->allocate(chunk_bytes, 4), left = r.allocate(chunk_bytes, 4);
        if (!made) return made.error();
        if (!left) return left.error();
        lazy->made = *made;
        lazy->left = *left;
        lazy_ = std::move(lazy);
    }
    constexpr std::size_t most_chunks = 8192;
    if (lazy_->chunks.size() > most_chunks) lazy_->chunks.clear();
    return lazy_->read(buffer, first, bytes);
}

}  // namespace warpgrade
