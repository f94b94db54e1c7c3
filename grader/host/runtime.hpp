// What answers a program: the CUDA runtime and the C library, with their state. A row of calls.cpp for each function.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "device/explained_run.hpp"
#include "device/launch_check.hpp"
#include "host/call.hpp"
#include "host/console.hpp"
#include "host/errors.hpp"
#include "host/heap.hpp"
#include "host/mistakes.hpp"
#include "host/program.hpp"
#include "host/timeline.hpp"
#include "vgpu/code.hpp"

namespace warpgrade::host {

inline constexpr int code_of_segmentation_fault = 139;  // as a shell shows SIGSEGV

enum class MemoryKind : int { device = 0, pinned = 1, managed = 2 };

class Runtime;
// By the names that a program calls.
const std::map<std::string_view, void (Runtime::*)(Call&)>& rows();

class Runtime {
public:
    Runtime(const Program& program, const ProgramLimits& limits, const Outside& outside, const LoadedProgram& loaded);

    vgpu::Session::HostReply answer(const vgpu::Session::HostCall& call);
    std::uint64_t place_arguments();  // argv, in memory of the host
    // What stopped main(), by the virtual GPU.
    void take_host_findings(std::vector<vgpu::Finding>&& findings);
    // After main(): what is left, and what was never asked for.
    void finish();
    ProgramRun run;
    bool has_exited = false;
    bool has_returned = false;  // from main(), or by exit()
    std::string unsupported;    // what was called and has no answer

private:
    friend const std::map<std::string_view, void (Runtime::*)(Call&)>& rows();

    bool note_host_fault(const vgpu::Finding& finding);
    // device_memory.cpp
    void allocate(Call& call);
    void free_memory(Call& call);
    void memory_info(Call& call);
    void pointer_kind(Call& call);
    void symbol(Call& call);
    void set_memory(Call& call);
    // copies.cpp
    void copy(Call& call);
    void copy_2d(Call& call);
    void copy_symbol(Call& call);
    struct Side {
        enum class Where : std::uint8_t { nowhere, freed, host, pinned, managed, device };
        Where where = Where::nowhere;
        std::uint64_t address = 0, room = 0;  // bytes from there to the end
        int buffer = -1;
        std::span<std::byte> bytes;
        bool on_host() const { return where == Where::host; }
        bool on_device() const { return where == Where::device; }
    };
    struct Copy {
        std::uint64_t to = 0, from = 0, bytes = 0;
        int kind = 0;
        std::uint64_t stream = 0;
        bool is_async = false;
        const char* name = "cudaMemcpy";
        bool is_of_symbol = false;
    };
    Side side_of(Call& call, std::uint64_t address) const;
    int copy(Call& call, const Copy& copy);
    bool names_variable(Call& call, const Copy& copy, const Side& side, bool is_target);
    int refuse_copy(Call& call, const Copy& copy, const Side& side, bool is_target);
    bool fits_direction(const Copy& copy, const Side& to, const Side& from) const;
    void look_at_size(Call& call, const Copy& copy, const Side& to, const Side& from);
    void move_bytes(Call& call, const Copy& copy, const Side& to, const Side& from);
    void note_unwritten(Call& call, const Copy& copy, const Side& from, std::ptrdiff_t bytes);
    void wait_after_copy(Call& call, const Copy& copy, const Side& to, const Side& from);
    bool spend_copy(Call& call, std::uint64_t bytes);
    // launches.cpp
    void parameter_buffer(Call& call);
    void launch_buffer(Call& call);
    void launch_kernel(Call& call);
    void set_kernel_attribute(Call& call);
    void kernel_attributes(Call& call);
    void occupancy(Call& call);
    struct Pending {
        const vgpu::Code* kernel = nullptr;
        vgpu::Dim3 grid, block;
        std::uint64_t shared_bytes = 0;
        bool is_cooperative = false;
        vgpu::Dim3 cluster{0, 0, 0};
    };
    std::uint64_t resident_blocks(const vgpu::Code& kernel, const Pending& asked) const;
    std::uint64_t cleared_grid_barrier();
    int launch(Call& call, const Pending& asked, std::uint64_t stream, std::vector<std::byte> parameters);
    int refuse_launch(Call& call, const Pending& asked, const AskedLaunch& sizes);
    vgpu::RunOptions options_of(const Pending& asked);
    std::map<int, std::size_t> shared_arguments(const vgpu::Launch& launch);
    void take_results(Call& call, vgpu::RunResult&& result);
    void note_host_pointer(Call& call, const vgpu::Finding& finding);
    void note_unset_symbols(Call& call);
    int note_refused(Call& call, const Pending& asked, const RefusedLaunch& refused);
    const vgpu::Code* kernel_at(std::uint64_t address) const;
    // streams.cpp
    void synchronize(Call& call);
    void reset(Call& call);
    void stream_create(Call& call);
    void stream_destroy(Call& call);
    void stream_synchronize(Call& call);
    void stream_query(Call& call);
    void stream_wait(Call& call);
    void event_create(Call& call);
    void event_destroy(Call& call);
    void event_record(Call& call);
    void event_synchronize(Call& call);
    void event_query(Call& call);
    void event_elapsed(Call& call);
    bool is_stream(Call& call, std::uint64_t stream, const char* name);
    Timeline::Event* event_of(Call& call, std::uint64_t handle, const char* name);
    // Of the GPU's work on a stream, or on all: it is waited for.
    void settle(std::optional<std::uint64_t> stream);
    struct Use {  // of pinned and managed memory, by the GPU
        std::uint64_t stream = 0;
        int line = 0;
        bool is_store = true;
        double done = 0;
    };
    void release_uses(const std::function<bool(const Use&)>& is_done);
    int failure_of_gpu();
    void hold(Call& call, int buffer, std::uint64_t stream, bool is_store);
    void touch(Call& call);
    // device.cpp
    void last_error(Call& call);
    void peek_error(Call& call);
    void look_at_last_error(Call& call, const char* name);
    void note_error(Call& call);
    void error_text(Call& call);
    void attribute(Call& call);
    void device_name(Call& call);
    // Every call of the runtime ends here: the error is its result, and kept for who asks.
    void finish_call(Call& call, int error, const char* name);
    // library.cpp
    void print(Call& call);
    void print_to(Call& call);
    bool is_file(Call& call);
    void no_file(Call& call);
    void unread(Call& call);
    void print_into(Call& call);
    void write(Call& call);
    void read(Call& call);
    void scan(Call& call);
    void fail_assertion(Call& call);
    void exit_program(Call& call);
    void exit_quickly(Call& call);
    void throw_exception(Call& call);
    void abort_program(Call& call);
    void host_allocate(Call& call);
    void host_free(Call& call);
    void note_other_free(Call& call, std::uint64_t address);
    void host_reallocate(Call& call);
    void random_number(Call& call);
    void seed_random(Call& call);
    bool is_text(Call& call, std::uint64_t address);
    void text_to_real(Call& call);
    void text_to_whole(Call& call);
    void now(Call& call);
    void note_outside(Call& call);
    void put(Call& call, Outside::Stream stream, std::string_view text);
    void stop(Call& call, int code);

    const Program& program_;
    const ProgramLimits& limits_;
    LoadedProgram loaded_;
    Console console_;
    Heap heap_;
    Timeline time_;
    Mistakes mistakes_;
    vgpu::Budget budget_;

    struct Allocation {
        MemoryKind kind{};
        int line = 0, freed_line = 0, column = 0;
    };
    std::map<int, Allocation> allocations_;  // by buffer
    int live_allocations_ = 0;
    int grid_barrier_ = -1;  // buffer
    std::set<std::string> symbols_set_;
    std::set<std::string> addressed_;  // variables whose address the host has asked for
    std::map<std::uint64_t, Pending> pending_;
    std::map<const vgpu::Code*, std::uint32_t> opted_in_;
    std::set<const vgpu::Code*> allow_large_clusters_;
    std::map<int, Use> in_use_;  // by buffer
    std::set<std::uint64_t> streams_with_launch_;
    std::map<int, std::size_t> allocations_of_line_;
    std::uint64_t copies_ = 0;
    std::uint64_t host_work_ = 0;  // whose time has passed
    std::map<int, vgpu::Counters> by_line_;
    int last_error_ = success;
    int gpu_error_ = success;  // of a launch that failed: every call gets it from the next synchronisation on
    bool is_gpu_error_known_ = false, is_gpu_error_told_ = false;
    struct Outstanding {
        int error = success, line = 0;
        std::string name;  // of the call; "" of a launch
    };
    std::optional<Outstanding> outstanding_;
    std::string kernel_output_;  // not shown yet
    int kernel_output_line_ = 0;
    std::vector<std::uint32_t> random_;
    std::size_t random_at_ = 0;
    std::map<int, std::uint64_t> error_texts_;
};

}  // namespace warpgrade::host
