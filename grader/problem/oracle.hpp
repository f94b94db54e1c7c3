// Runs a described problem's CUDA on the virtual GPU: contents, expected output, what mistakes would leave.
//
// Theory of operation. What the kit knows by name (contents.hpp), and what is only moved or added up, is made on this
// machine. For the rest problem.cu is compiled once a process and element type (compile's cache keeps it between
// processes), as a submission is, and runs in a memory of its own. What a case holds and should come to is kept for the
// next one on the same shape: hazard passes and sweeps judge a shape several times. Safe to use from several threads.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "problem/case_bytes.hpp"
#include "problem/description.hpp"
#include "ptx/module.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade {

// What a case starts with, and what it should leave; bytes by buffer of the description, inputs only.
struct KnownCase {
    std::vector<std::vector<std::byte>> inputs;
    std::vector<std::byte> start;  // what an output that is updated holds before
    std::vector<std::byte> expected;
    bool has_expected = false;
    std::uint64_t bytes() const;
};

struct OracleRun;

// problem.cu as it is compiled for an element type. Error: it does not compile (blame course); host.
Result<ptx::Module> module_of(const ProblemDescription& problem, const std::string& type);

struct ElementRange {
    std::uint64_t first = 0, count = 0;
};

class Oracle {
public:
    explicit Oracle(const ProblemDescription& problem) : problem_(problem) {}

    // The inputs of a shape; with its expected output. Error: problem.cu does not compile, or fails on this shape
    // (blame course); host.
    Result<std::shared_ptr<const KnownCase>> known(const Shape& shape, std::uint64_t seed, bool with_expected);
    // Where the reference is a move: where its input's elements are due. Nothing of it is kept.
    std::vector<std::byte> moved(const Shape& shape, std::span<const std::byte> input) const;

    // Input `buffer` as the virtual GPU makes it, whatever the kit knows of it.
    Result<std::vector<std::byte>> made(const Shape& shape, std::uint64_t seed, std::size_t buffer);

    // Flags, one an element of the output: 1 = wrong.
    Result<std::vector<unsigned char>> wrong(const Shape& shape, const KnownCase& known,
                                             std::span<const std::byte> found);
    // The output that the mistake leaves; `tried` where it has tries. `only`: of a gather, these elements alone.
    Result<std::vector<std::byte>> mistaken(const Shape& shape, const KnownCase& known, std::size_t mistake, int tried,
                                            std::optional<ElementRange> only = {});

    // What the check kernels of a card say of this output; `known` of this shape and seed.
    Result<bool> passes_card_check(const Shape& shape, std::uint64_t seed, const KnownCase& known,
                                   std::span<const std::byte> found);

    // Some elements only, of shapes too large to be kept. `buffer`: of the description; of the output (reference of the
    // form gather only) what it should hold.
    Status elements(const Shape& shape, std::uint64_t seed, std::size_t buffer, std::uint64_t first,
                    std::span<std::byte> bytes);

private:
    struct Lazy;
    Status make_inputs(const Shape& shape, std::uint64_t seed, const DescribedValues& values, KnownCase& known);
    void keep(const std::string& key, const std::shared_ptr<KnownCase>& found);
    Result<std::shared_ptr<const vgpu::Program>> program(const std::string& type);
    Result<std::shared_ptr<Lazy>> lazy(const Shape& shape, std::uint64_t seed);
    Status add_maker(Lazy& lazy, const Shape& shape, std::size_t of);
    // With the problem's buffers, and the inputs in them.
    Result<std::unique_ptr<OracleRun>> begin_with(const Shape& shape, const KnownCase& known);
    Result<std::unique_ptr<OracleRun>> begin(const Shape& shape,
                                             vgpu::Memory::Pages pages = vgpu::Memory::Pages::large);

    const ProblemDescription& problem_;
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<const vgpu::Program>> programs_;
    std::vector<std::pair<std::string, std::shared_ptr<KnownCase>>> kept_;  // the last used last
    std::mutex lazy_mutex_;
    std::vector<std::shared_ptr<Lazy>> lazy_;  // the last used last
};

}  // namespace warpgrade
