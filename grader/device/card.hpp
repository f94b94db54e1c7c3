// A real GPU, seen from the grader: a worker process holds the CUDA context, and can be killed.
//
// Theory of operation. Everything the card is asked to do goes to the worker as a message, with a limit on the time to
// the answer. A CUDA error poisons a context, so the worker ends with the first one; so it does when the time is over.
// The next request starts a new worker, whose memory is empty: `generation` says so, and who owns buffers and modules
// makes them again. A process that was forked has no worker of its own: its copy of a Card asks the parent's
// (`card_services`), so that only the parent starts and ends workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/confined.hpp"
#include "base/result.hpp"
#include "base/worker.hpp"
#include "device/cuda_protocol.hpp"
#include "device/device.hpp"

namespace warpgrade {

class Card {
public:
    ~Card();
    // Starts the worker and opens card `index`. Error: host, when there is no driver or no card, with what to install.
    static Result<std::unique_ptr<Card>> open(int index = 0);

    const cuda::CardFacts& facts() const { return facts_; }
    // Around the worker. None: the driver does not work behind any, or a profiler's library is with it.
    WallSet walls() const { return walls_; }
    LaunchLimits limits() const;
    // "compute_90": what to compile for, no newer than the virtual GPU understands.
    std::string arch() const;
    // Rises with every new worker: modules, buffers and graphs of an earlier one are gone.
    int generation() const { return generation_; }

    // A run that failed for what was run, not for how it was asked.
    struct Fault {
        bool is_timeout = false;
        cuda::CudaError error;
        double limit_seconds = 0;  // where is_timeout
        std::string text() const;  // "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered"
    };
    struct Run {
        std::vector<double> seconds;  // between one mark and the next
        std::optional<Fault> fault;   // then the worker is gone
    };
    // Puts the commands on the stream and waits. Error: the worker does not obey (kit), or the driver failed for
    // reasons of its own (host).
    Result<Run> run(const std::vector<cuda::Command>& commands, double limit_seconds);

    // PTX of a submission, its calls of the device runtime given empty bodies. Error: host, when the driver is too old
    // for the PTX, with what to install; kit otherwise.
    Result<int> load(std::string_view ptx);
    Status reload(int module);  // __device__ variables have their initial values again
    Status unload(int module);
    Result<std::uint64_t> variable(int module, const std::string& name);  // where a __device__ variable is
    Result<std::uint64_t> allocate(std::uint64_t bytes);                  // Error: host, out of memory
    Status free(std::uint64_t address);
    Status write(std::uint64_t address, std::span<const std::byte> bytes);
    Result<std::string> read(std::uint64_t address, std::uint64_t bytes);
    Result<int> make_graph(const std::vector<cuda::Command>& commands);
    Status drop_graph(int graph);
    Result<cuda::Telemetry> telemetry();
    // Between submissions: everything that was loaded or allocated is gone, as with a new worker, in less time.
    void reset();
    // While it is held, no other process of this kit uses the card: timing wants it alone. Waits for the others.
    class Turn {
    public:
        explicit Turn(const std::string& path);  // "": the parent takes it
        ~Turn();
        Turn(const Turn&) = delete;

    private:
        int fd_ = -1;
        bool is_parents_ = false;
    };
    std::unique_ptr<Turn> take_turn() const;
    int worker_pid() const { return worker_ ? worker_->pid() : -1; }

private:
    friend Services card_services(Card& card);
    explicit Card(int index) : index_(index) {}
    struct Answer {
        wire::Fields fields;
        std::optional<cuda::CudaError> error;
        bool is_timeout = false;
    };
    Status start();
    enum class Opening { opened, not_behind_walls };
    Result<Opening> open_worker(bool is_walled);
    Result<Answer> ask(const wire::Fields& request, double limit_seconds);
    Result<Answer> ask_parent(const wire::Fields& request, double limit_seconds);
    // For requests that run nothing of a submission's: any failure is an error.
    Result<wire::Fields> tell(const wire::Fields& request, std::size_t fields);
    Diagnostic failed(const cuda::CudaError& error, const std::string& verb) const;
    Diagnostic too_old(const cuda::CudaError& error, std::string_view ptx) const;

    int index_;
    std::optional<Worker> worker_;
    cuda::CardFacts facts_;
    WallSet walls_;
    bool works_behind_walls_ = true;  // as far as was tried
    int generation_ = 0;
};

// What forked processes ask for with their copies of this card: all but to open, reset or end it, within the time that
// anything here takes.
Services card_services(Card& card);

// The plan as the worker is to do it.
std::vector<cuda::Command> commands_of(const LaunchPlan& plan, int module);

// The watchdog of a plan: 5 s for each launch, 20 s for all of them.
double seconds_for(std::size_t launches);

// A card as a Device: plans recorded by the virtual GPU, replayed on the card. No hazard is looked for. The plans of
// one program together may take `most_seconds` of the card; what goes on for longer is a device timeout.
std::unique_ptr<Device> make_cuda_device(Card& card, double most_seconds = 60);

}  // namespace warpgrade
