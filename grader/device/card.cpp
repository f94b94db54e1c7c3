#include "device/card.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>

#include <cstring>

#include "device/card_ptx.hpp"
#include "device/cuda_driver.hpp"

namespace warpgrade {
namespace {

constexpr double open_seconds = 120;  // the first start on a server with many cards
constexpr double tell_seconds = 120;
constexpr std::size_t largest_answer = std::size_t{5} << 30;

Diagnostic defect(const std::string& what) {
    return {.blame = Blame::kit,
            .code = "gpu_worker",
            .title = "the process that holds the GPU did not do its job",
            .marks = {},
            .facts = {what},
            .help = "run the command again; if it stays, report it with the output of `warpgrade doctor`"};
}

Diagnostic no_card(const cuda::CudaError& error) {
    const bool is_there = error.name != "CUDA_ERROR_NO_DEVICE";
    return {.blame = Blame::host,
            .code = "no_cuda_device",
            .title = is_there ? "the NVIDIA driver does not open the GPU"
                              : "the NVIDIA driver is installed, but sees no GPU",
            .marks = {},
            .facts = {fmt::format("{}: {} ({})", error.call, error.name, error.words)},
            .help = is_there ? "`nvidia-smi` says more; or use `--device virtual`" : "use `--device virtual`"};
}

std::uint64_t number_in(const std::string& text) { return std::strtoull(text.c_str(), nullptr, 10); }

}  // namespace

std::string Card::Fault::text() const {
    if (is_timeout) return fmt::format("the kernels did not end within {} s", limit_seconds);
    return error.words.empty() ? error.name : error.name + ": " + error.words;
}

Result<std::unique_ptr<Card>> Card::open(int index) {
    std::unique_ptr<Card> card(new Card(index));
    if (auto status = card->start(); !status) return status.error();
    return card;
}

// A profiler that looks at the worker wants it to end in order; nobody waits for that.
Card::~Card() {
    if (!worker_) return;
    const auto bye = worker_->exchange(wire::pack({"end"}), Worker::Clock::now() + std::chrono::seconds(1), 1000, true);
    if (bye.received == wire::pack({"ok"})) worker_->let_go();
}

Status Card::start() {
    worker_.reset();
    auto worker = Worker::start("gpu-worker", WorkerEnvironment::inherited);
    if (!worker) return worker.error();
    worker_ = std::move(*worker);
    ++generation_;
    auto answer = ask({"open", std::to_string(index_)}, open_seconds);
    if (!answer) return answer.error();
    if (answer->is_timeout) return defect(fmt::format("it did not open the GPU within {} s", open_seconds));
    if (answer->error) {
        worker_.reset();
        return no_card(*answer->error);
    }
    const wire::Fields& fields = answer->fields;
    if (fields.size() == 5 && fields[0] == "no_driver") {
        worker_.reset();
        return Diagnostic{.blame = Blame::host,
                          .code = fields[1],
                          .title = fields[2],
                          .marks = {},
                          .facts = {fields[3]},
                          .help = fields[4]};
    }
    const auto facts = fields.size() == 2 ? cuda::facts_from(fields[1]) : std::nullopt;
    if (!facts) return defect("its first answer makes no sense");
    facts_ = *facts;
    return Nothing{};
}

Result<Card::Answer> Card::ask(const wire::Fields& request, double limit_seconds) {
    if (!worker_)
        if (auto status = start(); !status) return status.error();
    const auto limit =
        std::chrono::duration_cast<Worker::Clock::duration>(std::chrono::duration<double>(limit_seconds));
    const auto exchange = worker_->exchange(wire::pack(request), Worker::Clock::now() + limit, largest_answer, true);
    Answer answer;
    if (exchange.is_out_of_time) {
        answer.is_timeout = true;
        worker_.reset();
        return answer;
    }
    const auto fields = wire::unpack(exchange.received);
    if (!fields) {
        const int status = worker_->stop();
        worker_.reset();
        return defect(fmt::format("it ended while it was asked to `{}`, wait status {}", request.front(), status));
    }
    answer.error = cuda::error_from(*fields);
    answer.fields = *fields;
    return answer;
}

Result<wire::Fields> Card::tell(const wire::Fields& request, std::size_t fields) {
    auto answer = ask(request, tell_seconds);
    if (!answer) return answer.error();
    if (answer->is_timeout)
        return defect(fmt::format("it did not answer `{}` within {} s", request.front(), tell_seconds));
    if (answer->error) return failed(*answer->error, request.front());
    if (answer->fields.size() != fields) return defect("it answered `" + request.front() + "` with something else");
    return std::move(answer->fields);
}

Diagnostic Card::failed(const cuda::CudaError& error, const std::string& verb) const {
    if (error.name == "CUDA_ERROR_OUT_OF_MEMORY")
        return {.blame = Blame::host,
                .code = "out_of_memory",
                .title = "the GPU has not enough free memory",
                .marks = {},
                .facts = {fmt::format("{} has {} MiB, of which {} MiB were free at the start", facts_.name,
                                      facts_.total_bytes >> 20, facts_.free_bytes >> 20)},
                .help = "end other programs that use the GPU, or give a smaller --shape"};
    Diagnostic diagnostic = defect(fmt::format("{} failed in {}: {} ({})", verb, error.call, error.name, error.words));
    if (!error.log.empty()) diagnostic.facts.push_back(error.log.substr(0, 2000));
    return diagnostic;
}

Diagnostic Card::too_old(const cuda::CudaError& error, std::string_view ptx) const {
    const int major = facts_.cuda_version / 1000, minor = facts_.cuda_version % 1000 / 10;
    Diagnostic diagnostic{
        .blame = Blame::host,
        .code = "old_driver",
        .title = "the NVIDIA driver is older than NVRTC and does not take its PTX",
        .marks = {},
        .facts = {fmt::format("the driver is for CUDA {}.{}, the PTX has version {}", major, minor, ptx_version(ptx))},
        .help = fmt::format("`pip install \"nvidia-cuda-nvrtc{}=={}.{}.*\"` and point WARPGRADE_NVRTC "
                            "at its libnvrtc.so, or install a newer driver",
                            major >= 13 ? "" : fmt::format("-cu{}", major), major, minor)};
    if (!error.log.empty()) diagnostic.facts.push_back(error.log.substr(0, 500));
    return diagnostic;
}

Result<int> Card::load(std::string_view ptx) {
    const std::string text = with_host_calls_emptied(ptx);
    auto answer = ask({"load", text}, tell_seconds);
    if (!answer) return answer.error();
    // The instructions of a course are older than the newest PTX: the driver's own version mostly has all of them.
    if (answer->error && answer->error->code == cuda::error_unsupported_ptx_version) {
        const std::string version = ptx_version_of(facts_.cuda_version);
        if (version.empty()) return too_old(*answer->error, ptx);
        answer = ask({"load", with_ptx_version(text, version)}, tell_seconds);
        if (!answer) return answer.error();
        if (answer->error) return too_old(*answer->error, ptx);
    }
    if (answer->is_timeout) return defect(fmt::format("the driver did not compile the PTX within {} s", tell_seconds));
    if (answer->error) return failed(*answer->error, "load");
    return static_cast<int>(number_in(answer->fields.at(1)));
}

Result<Card::Run> Card::run(const std::vector<cuda::Command>& commands, double limit_seconds) {
    auto answer = ask({"run", cuda::to_bytes(commands)}, limit_seconds);
    if (!answer) return answer.error();
    Run run;
    if (answer->is_timeout || answer->error) {
        run.fault = Fault{answer->is_timeout, answer->error.value_or(cuda::CudaError{}), limit_seconds};
        worker_.reset();  // the context is poisoned, or still busy
        return run;
    }
    const std::string& times = answer->fields.at(1);
    run.seconds.resize(times.size() / sizeof(double));
    std::memcpy(run.seconds.data(), times.data(), run.seconds.size() * sizeof(double));
    for (double& seconds : run.seconds) seconds /= 1e9;
    return run;
}

Status Card::reload(int module) {
    auto answer = tell({"reload", std::to_string(module)}, 1);
    return answer ? Status(Nothing{}) : Status(answer.error());
}

Status Card::unload(int module) {
    auto answer = tell({"unload", std::to_string(module)}, 1);
    return answer ? Status(Nothing{}) : Status(answer.error());
}

Result<std::uint64_t> Card::allocate(std::uint64_t bytes) {
    auto answer = tell({"allocate", std::to_string(bytes)}, 2);
    if (!answer) return answer.error();
    return number_in((*answer)[1]);
}

Status Card::free(std::uint64_t address) {
    auto answer = tell({"free", std::to_string(address)}, 1);
    return answer ? Status(Nothing{}) : Status(answer.error());
}

Status Card::write(std::uint64_t address, std::span<const std::byte> bytes) {
    auto answer = tell(
        {"write", std::to_string(address), std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())}, 1);
    return answer ? Status(Nothing{}) : Status(answer.error());
}

Result<std::string> Card::read(std::uint64_t address, std::uint64_t bytes) {
    auto answer = tell({"read", std::to_string(address), std::to_string(bytes)}, 2);
    if (!answer) return answer.error();
    if ((*answer)[1].size() != bytes) return defect("it sent fewer bytes than were asked for");
    return std::move((*answer)[1]);
}

Result<int> Card::make_graph(const std::vector<cuda::Command>& commands) {
    auto answer = tell({"graph", cuda::to_bytes(commands)}, 2);
    if (!answer) return answer.error();
    return static_cast<int>(number_in((*answer)[1]));
}

Status Card::drop_graph(int graph) {
    auto answer = tell({"drop_graph", std::to_string(graph)}, 1);
    return answer ? Status(Nothing{}) : Status(answer.error());
}

Result<cuda::Telemetry> Card::telemetry() {
    auto answer = tell({"telemetry"}, 2);
    if (!answer) return answer.error();
    const auto reading = cuda::telemetry_from((*answer)[1]);
    if (!reading) return defect("its reading of the clocks makes no sense");
    return *reading;
}

Card::Turn::Turn(const std::string& path) {
    fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    while (fd_ >= 0 && flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
    }
}

Card::Turn::~Turn() {
    if (fd_ >= 0) close(fd_);
}

std::unique_ptr<Card::Turn> Card::take_turn() const {
    std::string name = facts_.pci_bus_id;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    const char* folder = std::getenv("TMPDIR");
    return std::make_unique<Turn>(
        fmt::format("{}/warpgrade-gpu-{}-{}.lock", folder && *folder ? folder : "/tmp", getuid(), name));
}

LaunchLimits Card::limits() const {
    LaunchLimits limits;
    limits.max_threads_per_block = facts_.max_threads_per_block;
    limits.max_block = facts_.max_block;
    limits.max_grid = facts_.max_grid;
    limits.shared_bytes_per_block = facts_.shared_bytes_per_block;
    limits.shared_bytes_per_block_optin = facts_.shared_bytes_per_block_optin;
    limits.multiprocessors = static_cast<std::uint32_t>(facts_.multiprocessors);
    return limits;
}

std::string Card::arch() const {
    const int card = facts_.compute_major * 10 + facts_.compute_minor;
    int newest = 75;
    for (const int known : {75, 80, 86, 87, 89, 90})  // what NVRTC 12 and 13 know and the virtual GPU executes
        if (known <= card) newest = known;
    return "compute_" + std::to_string(newest);
}

}  // namespace warpgrade
