// Single pieces of what a described problem holds and expects, for shapes too large to be kept: the time model runs a
// few blocks of a launch on gigabytes.

#include <algorithm>
#include <cstring>

#include "problem/oracle.hpp"
#include "problem/oracle_run.hpp"

namespace warpgrade {

namespace {

constexpr std::uint64_t chunk_bytes = 1 << 10;
// Of an input that is read in order, twice as many chunks are made at a time as the last time. Tiles of outputs, and
// loops that step by the grid, ask for single ones, far apart.
constexpr std::uint64_t most_chunks_at_a_time = 16;

}  // namespace

// Chunks of one shape's buffers, as they are asked for.
struct Oracle::Lazy {
    std::mutex mutex;  // of all that follows but the key
    std::string key;
    std::uint64_t seed = 0;
    // A session for each buffer that is made, as it asks for others while it runs: an input for those that its contents
    // are made from, the output for what the reference reads.
    struct Maker {
        std::unique_ptr<OracleRun> run;
        int chunks = 0;                         // its buffer of a few chunks
        std::uint64_t next = 0, at_a_time = 1;  // behind those that were made last, and how many they were
    };
    std::map<std::size_t, Maker> makers;
    std::map<std::pair<std::size_t, std::uint64_t>, std::vector<std::byte>> chunks;

    bool is_input(std::size_t b) const { return makers.at(b).run->problem.buffers[b].role == BufferRole::in; }

    // Error: of the reference.
    Result<const std::vector<std::byte>*> chunk(std::size_t b, std::uint64_t number) {
        auto& known = chunks[{b, number}];
        if (!known.empty()) return &known;
        Maker& maker = makers.at(b);
        OracleRun& r = *maker.run;
        const auto size = static_cast<std::uint64_t>(r.problem.element_bytes(r.problem.buffers[b], r.shape.type));
        const std::uint64_t first = number * chunk_bytes / size;
        if (first >= r.values.elements[b]) return &known;  // past the end: nothing is asked of it
        const std::uint64_t left = r.values.elements[b] - first;
        if (is_input(b)) {
            known.resize(std::min(chunk_bytes / size, left) * size);
            if (fill_known(r.problem, r.values, r.shape, seed, b, first, known)) return &known;
        }
        const bool is_in_order = is_input(b) && number == maker.next;
        maker.at_a_time = is_in_order ? std::min(2 * maker.at_a_time, most_chunks_at_a_time) : 1;
        maker.next = number + maker.at_a_time;
        const std::uint64_t count = std::min(maker.at_a_time * chunk_bytes / size, left);
        const std::uint64_t address = r.memory.buffer(maker.chunks).address;
        if (is_input(b)) {
            if (auto status = r.fill(b, seed, address, first, count); !status) return status.error();
        } else {
            ParameterBytes parameters{address, first, count};
            r.add_arguments(parameters);
            if (auto status = r.launch(over_elements(reference_kernel, count, parameters.take()), true); !status)
                return status.error();
        }
        const auto made = r.memory.bytes(maker.chunks).first(count * size);
        for (std::uint64_t i = 0; i * chunk_bytes < made.size(); ++i) {
            const auto piece = made.subspan(i * chunk_bytes, std::min(chunk_bytes, made.size() - i * chunk_bytes));
            chunks[{b, number + i}].assign(piece.begin(), piece.end());
        }
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

Status Oracle::add_maker(Lazy& lazy, const Shape& shape, std::size_t of) {
    auto run = begin(shape, vgpu::Memory::Pages::small);
    if (!run) return run.error();
    OracleRun& r = **run;
    const bool is_input = problem_.buffers[of].role == BufferRole::in;
    const std::vector<std::size_t>& sources = problem_.buffers[of].after;
    for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
        const bool is_read =
            problem_.buffers[b].role == BufferRole::in && (!is_input || std::ranges::find(sources, b) != sources.end());
        vgpu::BufferSpec spec;
        spec.name = problem_.buffers[b].name;
        spec.bytes = is_read ? r.values.bytes[b] : 0;  // nothing is stored to the others
        spec.element_bytes = problem_.element_bytes(problem_.buffers[b], shape.type);
        spec.is_written = spec.is_read_only = true;  // which takes no shadow
        if (is_read)
            spec.contents = [&lazy, b](std::uint64_t from, std::span<std::byte> piece) {
                (void)lazy.read(b, from, piece);
            };
        const auto allocated = r.memory.allocate(spec);
        if (!allocated) return allocated.error();
        r.buffers.push_back(*allocated);
        r.addresses.push_back(r.memory.buffer(*allocated).address);
    }
    const auto chunks = r.allocate(chunk_bytes * most_chunks_at_a_time, 4);
    if (!chunks) return chunks.error();
    lazy.makers[of] = {std::move(*run), *chunks};
    return Nothing{};
}

// Three shapes are sampled at a time, and pieces of each asked for in turn.
Result<std::shared_ptr<Oracle::Lazy>> Oracle::lazy(const Shape& shape, std::uint64_t seed) {
    constexpr std::size_t most = 3;
    const std::lock_guard lock(lazy_mutex_);
    const std::string key = case_key(shape, seed);
    const auto known = std::ranges::find_if(lazy_, [&](const auto& one) { return one->key == key; });
    if (known != lazy_.end()) {
        std::rotate(known, known + 1, lazy_.end());
        return lazy_.back();
    }
    auto lazy = std::make_shared<Lazy>();
    lazy->key = key;
    lazy->seed = seed;
    for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
        if (problem_.buffers[b].role == BufferRole::scratch) continue;
        if (auto status = add_maker(*lazy, shape, b); !status) return status.error();
    }
    if (lazy_.size() == most) lazy_.erase(lazy_.begin());
    lazy_.push_back(lazy);
    return lazy;
}

Status Oracle::elements(const Shape& shape, std::uint64_t seed, std::size_t buffer, std::uint64_t first,
                        std::span<std::byte> bytes) {
    const auto of_shape = lazy(shape, seed);
    if (!of_shape) return of_shape.error();
    const std::lock_guard lock((*of_shape)->mutex);
    constexpr std::size_t most_chunks = 131'072;  // all inputs of 2^25 elements
    if ((*of_shape)->chunks.size() > most_chunks) (*of_shape)->chunks.clear();
    return (*of_shape)->read(buffer, first, bytes);
}

}  // namespace warpgrade
