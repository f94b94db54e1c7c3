#include "device/card.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
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
constexpr double longest_run_seconds = 8 * 3600;  // every launch of the longest plan at its limit
constexpr const char *request_service = "card", *turn_service = "card_turn";
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

// What kernels do to themselves. Numbers of CUresult (cuda.h): illegal address, launch out of resources, launch
// time-out, assert, hardware stack error, illegal instruction, misaligned address, invalid address space, invalid pc,
// launch failure, cooperative launch too large. Anything else is no fault of what was launched.
bool is_of_kernels(int code) {
    constexpr int codes[] = {700, 701, 702, 710, 714, 715, 716, 717, 718, 719, 720};
    return std::find(std::begin(codes), std::end(codes), code) != std::end(codes);
}

// Calls that ask for what cannot be: invalid value, PTX or handle.
bool is_of_kit(int code) { return code == 1 || code == 218 || code == 400; }

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
    if (!worker_ || has_parent_to_ask()) return;
    const auto bye = worker_->exchange(wire::pack({"end"}), Worker::Clock::now() + std::chrono::seconds(1), 1000, true);
    if (bye.received == wire::pack({"ok"})) worker_->let_go();
}

Status Card::start() {
    if (works_behind_walls_) {
        const auto opening = open_worker(true);
        if (!opening) return opening.error();
        if (*opening == Opening::opened) return Nothing{};
    }
    const auto opening = open_worker(false);
    if (!opening) return opening.error();
    works_behind_walls_ = false;
    return Nothing{};
}

Result<Card::Opening> Card::open_worker(bool is_walled) {
    worker_.reset();
    auto worker = Worker::start("gpu-worker", WorkerEnvironment::inherited);
    if (!worker) return worker.error();
    worker_ = std::move(*worker);
    ++generation_;
    auto answer = ask({"open", std::to_string(index_), is_walled ? "walled" : "free"}, open_seconds);
    // Whatever goes wrong behind walls may be their doing.
    if (is_walled && (!answer || answer->is_timeout || answer->error || answer->fields == wire::Fields{"walls"})) {
        worker_.reset();
        return Opening::not_behind_walls;
    }
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
    const auto facts = fields.size() == 3 ? cuda::facts_from(fields[1]) : std::nullopt;
    if (!facts) return defect("its first answer makes no sense");
    facts_ = *facts;
    walls_ = WallSet::from_bits(static_cast<unsigned>(number_in(fields[2])));
    return Opening::opened;
}

Result<Card::Answer> Card::ask(const wire::Fields& request, double limit_seconds) {
    if (has_parent_to_ask()) return ask_parent(request, limit_seconds);
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
    if (answer.error && request.front() == "run") worker_.reset();  // the context is poisoned
    return answer;
}

Result<Card::Answer> Card::ask_parent(const wire::Fields& request, double limit_seconds) {
    wire::Fields message = request;
    message.insert(message.begin(), wire::real_text(limit_seconds));
    wire::Fields reply = ask_outside(request_service, message);
    if (auto error = wire::diagnostic_from(reply)) return std::move(*error);
    if (reply.size() < 3) return defect("no card is offered to this process");
    wire::Reader in(reply);
    Answer answer;
    answer.is_timeout = in.text() == "timeout";
    generation_ = static_cast<int>(in.number());
    answer.fields.assign(reply.begin() + 2, reply.end());
    answer.error = cuda::error_from(answer.fields);
    return answer;
}

Services card_services(Card& card) {
    const auto answer = [&card](const wire::Fields& request) -> wire::Fields {
        static constexpr std::string_view offered[] = {"load",     "reload", "unload",     "variable",
                                                       "allocate", "free",   "write",      "read",
                                                       "graph",    "run",    "drop_graph", "telemetry"};
        wire::Reader in(request);
        const double limit_seconds = in.real();
        const bool is_offered = std::find(std::begin(offered), std::end(offered), in.text()) != std::end(offered);
        if (!in.is_good() || !is_offered || !(limit_seconds > 0 && limit_seconds <= longest_run_seconds))
            return wire::to_fields(defect("it was asked for what nobody asks for"));
        auto got = card.ask({request.begin() + 1, request.end()}, limit_seconds);
        if (!got) return wire::to_fields(got.error());
        wire::Fields reply = std::move(got->fields);
        reply.insert(reply.begin(), {got->is_timeout ? "timeout" : "answer", std::to_string(card.generation())});
        if (reply.size() == 2) reply.push_back("");
        return reply;
    };
    const auto turn = [&card, held = std::shared_ptr<Card::Turn>()](const wire::Fields& request) mutable {
        held.reset();
        if (request == wire::Fields{"take"}) held = card.take_turn();
        return wire::Fields{"ok"};
    };
    return {{request_service, answer}, {turn_service, turn}};
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
    const std::string what = fmt::format("{} failed in {}: {} ({})", verb, error.call, error.name, error.words);
    Diagnostic diagnostic = is_of_kit(error.code)
                                ? defect(what)
                                : Diagnostic{.blame = Blame::host,
                                             .code = "gpu_failed",
                                             .title = "the GPU or its driver has failed",
                                             .marks = {},
                                             .facts = {what, "this says nothing of the submission"},
                                             .help =
                                                 "run the command again; `nvidia-smi` and `dmesg` may say more; "
                                                 "or use `--device virtual`"};
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
    if (answer->error && !is_of_kernels(answer->error->code)) return failed(*answer->error, "run");
    if (answer->is_timeout || answer->error) {
        run.fault = Fault{answer->is_timeout, answer->error.value_or(cuda::CudaError{}), limit_seconds};
        return run;
    }
    const std::string& times = answer->fields.at(1);
    run.seconds.resize(times.size() / sizeof(double));
    if (!run.seconds.empty()) std::memcpy(run.seconds.data(), times.data(), run.seconds.size() * sizeof(double));
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

Result<std::uint64_t> Card::variable(int module, const std::string& name) {
    auto answer = tell({"variable", std::to_string(module), name}, 2);
    if (!answer) return answer.error();
    return number_in((*answer)[1]);
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

void Card::reset() {
    ++generation_;
    if (!worker_) return;
    const auto answer = ask({"reset"}, tell_seconds);
    if (!answer || answer->error) worker_.reset();  // then a new one
}

Card::Turn::Turn(const std::string& path) : is_parents_(path.empty()) {
    if (is_parents_) ask_outside(turn_service, {"take"});
    if (is_parents_) return;
    fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    while (fd_ >= 0 && flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
    }
}

Card::Turn::~Turn() {
    if (is_parents_) ask_outside(turn_service, {"give"});
    if (fd_ >= 0) close(fd_);
}

std::unique_ptr<Card::Turn> Card::take_turn() const {
    if (has_parent_to_ask()) return std::make_unique<Turn>("");
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
    limits.l2_bytes = static_cast<std::uint32_t>(facts_.l2_bytes);
    limits.shared_bytes_per_multiprocessor = static_cast<std::uint32_t>(facts_.shared_bytes_per_sm);
    limits.registers_per_multiprocessor = static_cast<std::uint32_t>(facts_.registers_per_sm);
    limits.threads_per_multiprocessor = static_cast<std::uint32_t>(facts_.max_threads_per_sm);
    limits.blocks_per_multiprocessor = static_cast<std::uint32_t>(facts_.max_blocks_per_sm);
    limits.memory_bytes = facts_.total_bytes;
    limits.clock_khz = static_cast<std::uint32_t>(1000 * facts_.sm_clock_mhz);
    limits.memory_clock_khz = static_cast<std::uint32_t>(1000 * facts_.memory_clock_mhz);
    limits.memory_bus_bits = static_cast<std::uint32_t>(facts_.memory_bus_bits);
    limits.compute_capability_major = facts_.compute_major;
    limits.compute_capability_minor = facts_.compute_minor;
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
