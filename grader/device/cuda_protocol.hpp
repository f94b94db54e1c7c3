// What the kit asks of the process that holds a CUDA context, and what that process answers. Both ends are this
// executable, so numbers travel as they lie in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/wire.hpp"
#include "vgpu/finding.hpp"

namespace warpgrade::cuda {

// What a card says of itself.
struct CardFacts {
    std::string name;  // "NVIDIA H200"
    std::string pci_bus_id;
    std::string driver;    // "580.159.04"; empty without NVML
    int cuda_version = 0;  // the newest that the driver takes: 13000 = 13.0
    int device_count = 0;
    int compute_major = 0, compute_minor = 0;
    int multiprocessors = 0;
    double sm_clock_mhz = 0, memory_clock_mhz = 0;  // the highest
    int memory_bus_bits = 0;
    std::uint64_t l2_bytes = 0;
    std::uint64_t total_bytes = 0, free_bytes = 0;
    std::uint64_t registers_per_sm = 0, shared_bytes_per_sm = 0;
    std::uint32_t shared_bytes_per_block = 0, shared_bytes_per_block_optin = 0;
    int max_threads_per_sm = 0, max_blocks_per_sm = 0;
    std::uint32_t max_threads_per_block = 0;
    vgpu::Dim3 max_block, max_grid;

    // Two transfers a clock, as every memory of these cards makes; 0 where the driver does not say.
    double peak_gb_per_s() const { return 2.0 * memory_clock_mhz * 1e6 * memory_bus_bits / 8 / 1e9; }
};

struct Telemetry {
    double sm_clock_mhz = 0, memory_clock_mhz = 0;  // 0: unknown
    double temperature_c = 0, power_w = 0;
    std::uint64_t throttle_reasons = 0;  // nvmlClocksThrottleReason bits
};
// The names of the reasons that slow a card down: "power cap", "thermal"; not idling and not clocks set by a person.
std::vector<std::string> throttle_names(std::uint64_t reasons);

// One thing to put on the stream.
struct Command {
    enum class Kind : std::uint8_t {
        launch,     // kernel of module with grid, block, shared_bytes, parameters
        fill,       // count 4-byte words at address with value
        fill_byte,  // count bytes
        copy,       // count bytes from source to address
        mark,       // an event: the reply has the time between one mark and the next
        graph,      // module = the number of a graph made before
        reset_l2,   // lines that a kernel asked to keep in L2 become ordinary ones
        wait        // until the stream is empty
    };
    Kind kind = Kind::mark;
    int module = 0;
    std::string kernel;
    vgpu::Dim3 grid, block;
    vgpu::Dim3 cluster{0, 0, 0};  // 0: as the kernel says
    std::uint32_t shared_bytes = 0;
    std::vector<std::byte> parameters;
    std::uint64_t address = 0, source = 0, count = 0;
    std::uint32_t value = 0;
};

// A CUDA call that failed, with what was being done.
struct CudaError {
    int code = 0;
    std::string name;   // "CUDA_ERROR_ILLEGAL_ADDRESS"
    std::string words;  // "an illegal memory access was encountered"
    std::string call;   // "cuStreamSynchronize", or what was to be done
    std::string log;    // of the JIT compiler
};

std::string to_bytes(const CardFacts& facts);
std::optional<CardFacts> facts_from(std::string_view bytes);
std::string to_bytes(const Telemetry& telemetry);
std::optional<Telemetry> telemetry_from(std::string_view bytes);
std::string to_bytes(const std::vector<Command>& commands);
std::optional<std::vector<Command>> commands_from(std::string_view bytes);
wire::Fields to_fields(const CudaError& error);  // the first is "error"
std::optional<CudaError> error_from(const wire::Fields& fields);

// The child's side: opens the card named in the first message and does what is asked until the parent is gone.
// Requests, each a message; answers begin with "ok", or are a CudaError:
//   open DEVICE walled   -> facts, WallSet::bits of what stands around the worker from then on; "walls" where the
//                           driver does not work behind them: then another worker is to be asked to
//   open DEVICE free     -> facts, 0
//   load PTX             -> number of the module                                       reload MODULE (globals afresh)
//   allocate BYTES       -> address        free ADDRESS   unload MODULE
//   write ADDRESS BYTES                    read ADDRESS COUNT -> bytes
//   graph COMMANDS       -> number         drop_graph NUMBER
//   run COMMANDS         -> nanoseconds between marks, as doubles                      telemetry -> a reading
//   reset                (modules, graphs and memory are gone; compiled machine code is kept)
//   end                  (and the process ends in order, as profilers want it)
int worker_main();

}  // namespace warpgrade::cuda
