// The grader's side of a card and the worker behind it, with the made-up driver: what a real card would do to it.
#include "device/card.hpp"

#include <unistd.h>

#include <chrono>

#include "device/launchers.hpp"
#include "support/made_up_card.hpp"

using namespace launchers;
using cuda::Command;
using test::MadeUpCard;

namespace {

const std::string& kernels() {
    static const std::string text = read_text("card_kernels.ptx");
    return text;
}

std::unique_ptr<Card> open_card() {
    auto card = Card::open();
    INFO((card ? std::string() : card.error().title));
    REQUIRE(card);
    return std::move(*card);
}

struct Loaded {
    std::unique_ptr<Device> device;
    std::unique_ptr<DeviceProgram> program;
};
Loaded load(Card& card, const std::string& ptx) {
    Loaded loaded{make_cuda_device(card), nullptr};
    auto program = loaded.device->load(ptx, "card_kernels.cu");
    INFO((program ? std::string() : program.error().title));
    REQUIRE(program);
    loaded.program = std::move(*program);
    return loaded;
}

int allocate(DeviceProgram& program, std::uint64_t bytes, std::uint64_t offset = 0) {
    BufferSpec spec;
    spec.name = "out";
    spec.bytes = bytes;
    spec.offset_bytes = offset;
    const auto buffer = program.allocate(spec);
    REQUIRE(buffer);
    program.poison(*buffer, 0x7FA5A5A5u);
    return *buffer;
}

float value_at(DeviceProgram& program, int buffer, std::size_t index) {
    REQUIRE(program.download(buffer));
    float value = 0;
    std::memcpy(&value, program.bytes(buffer).data() + index * sizeof value, sizeof value);
    return value;
}

}  // namespace

TEST_CASE("a card says what it is") {
    const MadeUpCard made_up;
    const auto card = open_card();
    CHECK(card->facts().name == "Made-up GPU");
    CHECK(card->facts().multiprocessors == 7);
    CHECK(card->facts().cuda_version == 13000);
    CHECK(card->facts().peak_gb_per_s() == Approx(2));
    CHECK(card->limits().multiprocessors == 7);
    CHECK(card->limits().shared_bytes_per_block_optin == 166912);
    CHECK(card->limits().max_grid.y == 65535);
    CHECK(card->arch() == "compute_80");
    CHECK(make_cuda_device(*card)->info().kind == "cuda");
    CHECK(card->worker_pid() != getpid());
    CHECK(card->worker_pid() > 0);
}

TEST_CASE("a plan of several steps runs on the card as on the virtual GPU") {
    const MadeUpCard made_up;
    const auto card = open_card();
    const Loaded on_card = load(*card, kernels());
    for (const int launches : {0, 1, 5}) {
        const int out = allocate(*on_card.program, 32 * 4);
        const auto run = on_card.program->run("_Z5chainPfi", arguments(on_card.program->address(out), launches), {});
        REQUIRE(run);
        CHECK(run->is_valid);
        CHECK(run->plan.steps.size() == static_cast<std::size_t>(launches) + 1);
        // 1, 2 * 1 + 2, ...: 0, 1, 57
        CHECK(value_at(*on_card.program, out, 31) == (launches == 0 ? 0 : launches == 1 ? 1 : 57));
        on_card.program->release_all();
    }
    const int out = allocate(*on_card.program, 32 * 4);
    const auto run = on_card.program->run("_Z10large_tilePf", arguments(on_card.program->address(out)), {});
    REQUIRE(run);
    CHECK(run->device_error.empty());
    CHECK(value_at(*on_card.program, out, 0) == 31);
}

TEST_CASE("__device__ variables keep their values between runs, and start afresh with new buffers") {
    const MadeUpCard made_up;
    const auto card = open_card();
    const Loaded loaded = load(*card, kernels());
    for (int fresh = 0; fresh < 2; ++fresh) {
        const int out = allocate(*loaded.program, 4);
        for (int call = 1; call <= 2; ++call) {
            REQUIRE(loaded.program->run("_Z7countedPf", arguments(loaded.program->address(out)), {}));
            CHECK(value_at(*loaded.program, out, 0) == static_cast<float>(call));
        }
        loaded.program->release_all();
    }
}

TEST_CASE("a write into a red zone is seen, on either side and with a shifted base") {
    const MadeUpCard made_up;
    const auto card = open_card();
    const Loaded loaded = load(*card, kernels());
    for (const std::uint64_t offset : {0u, 4u}) {
        const auto error_of = [&](long long index) {
            const int out = allocate(*loaded.program, 64 * 4, offset);
            CHECK(loaded.program->address(out) % 256 == offset);
            const auto run = loaded.program->run("_Z8store_atPfx", arguments(loaded.program->address(out), index), {});
            REQUIRE(run);
            CHECK(run->is_valid == run->device_error.empty());
            const std::string error = run->device_error;
            loaded.program->release_all();
            return error;
        };
        CHECK(error_of(63).empty());
        CHECK(error_of(64) == "a write 0 bytes past the end of `out`");
        CHECK(error_of(66) == "a write 8 bytes past the end of `out`");
        CHECK(error_of(-1) == "a write 4 bytes before the start of `out`");
    }
}

TEST_CASE("an address error ends the worker, and the next case runs in a new one") {
    const MadeUpCard made_up;
    const auto card = open_card();
    const Loaded loaded = load(*card, kernels());
    const int worker = card->worker_pid();
    int out = allocate(*loaded.program, 64 * 4);
    auto run = loaded.program->run("_Z8store_atPfx", arguments(loaded.program->address(out), 1ll << 28), {});
    REQUIRE(run);
    CHECK_FALSE(run->is_valid);
    CHECK_FALSE(run->is_device_timeout);
    CHECK(run->device_error == "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered");
    CHECK(loaded.program->download(out));  // nothing to fetch, and no error either

    loaded.program->release_all();
    out = allocate(*loaded.program, 64 * 4);
    run = loaded.program->run("_Z8store_atPfx", arguments(loaded.program->address(out), 3ll), {});
    REQUIRE(run);
    CHECK(run->is_valid);
    CHECK(value_at(*loaded.program, out, 3) == 1);
    CHECK(card->generation() == 2);
    CHECK(card->worker_pid() != worker);

    run = loaded.program->run("_Z7trappedv", {}, {});
    REQUIRE(run);
    CHECK(run->device_error.starts_with("CUDA_ERROR_LAUNCH_FAILED"));
}

TEST_CASE("a kernel that does not end is killed with its worker") {
    const MadeUpCard made_up;
    const auto card = open_card();
    const auto module = card->load(kernels());
    REQUIRE(module);
    const auto flag = card->allocate(4);
    REQUIRE(flag);
    Command launch;
    launch.kind = Command::Kind::launch;
    launch.module = *module;
    launch.kernel = "_Z8wait_forPVi";
    launch.block = {32, 1, 1};
    launch.parameters = bytes_of(*flag);
    const auto start = std::chrono::steady_clock::now();
    const auto run = card->run({launch}, 2);
    REQUIRE(run);
    REQUIRE(run->fault);
    CHECK(run->fault->is_timeout);
    CHECK(run->fault->text() == "the kernels did not end within 2 s");
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(8));
    CHECK(card->worker_pid() == -1);
    CHECK(card->allocate(4));  // in a new worker
    CHECK(card->generation() == 2);
}

TEST_CASE("marks are timed, and a graph does what its launches do") {
    const MadeUpCard made_up;
    const auto card = open_card();
    const auto module = card->load(kernels());
    const auto out = card->allocate(128);
    REQUIRE(module);
    REQUIRE(out);
    Command zero;
    zero.kind = Command::Kind::fill;
    zero.address = *out;
    zero.count = 32;
    Command add;
    add.kind = Command::Kind::launch;
    add.module = *module;
    add.kernel = "_Z3addPff";
    add.block = {32, 1, 1};
    add.parameters = bytes_of(*out);
    const auto one = bytes_of(1.0f);
    add.parameters.insert(add.parameters.end(), one.begin(), one.end());
    const auto graph = card->make_graph({add, add, add});
    REQUIRE(graph);
    Command play;
    play.kind = Command::Kind::graph;
    play.module = *graph;
    const auto run = card->run({zero, Command{}, play, Command{}, play, play, Command{}}, 10);
    REQUIRE(run);
    REQUIRE_FALSE(run->fault);
    REQUIRE(run->seconds.size() == 2);
    CHECK(run->seconds[0] > 6e-6);
    CHECK(run->seconds[1] == Approx(2 * run->seconds[0]).epsilon(0.01));
    const auto bytes = card->read(*out, 4);
    REQUIRE(bytes);
    float value = 0;
    std::memcpy(&value, bytes->data(), 4);
    CHECK(value == 511);  // 2^9 - 1
    CHECK(card->drop_graph(*graph));
}

TEST_CASE("memory that runs out is the machine's, with the card's size") {
    const MadeUpCard made_up("WARPGRADE_MADE_UP_BYTES", "1048576");
    const auto card = open_card();
    const auto much = card->allocate(2'000'000);
    REQUIRE_FALSE(much);
    CHECK(much.error().blame == Blame::host);
    CHECK(much.error().code == "out_of_memory");
    CHECK(much.error().facts.at(0) == "Made-up GPU has 1 MiB, of which 1 MiB were free at the start");
    CHECK(card->generation() == 1);
}

TEST_CASE("a driver older than NVRTC is given PTX that it knows") {
    const MadeUpCard made_up("WARPGRADE_MADE_UP_CUDA", "12040");
    const auto card = open_card();
    CHECK(card->facts().cuda_version == 12040);
    CHECK(card->load(kernels()));  // .version 9.0, retried as 8.4
}

TEST_CASE("a driver that is too old is told apart from one that is not there") {
    {
        const MadeUpCard made_up("WARPGRADE_MADE_UP_CUDA", "10020");
        const auto card = open_card();
        const auto module = card->load(kernels());
        REQUIRE_FALSE(module);
        CHECK(module.error().blame == Blame::host);
        CHECK(module.error().code == "old_driver");
        CHECK(module.error().facts.at(0) == "the driver is for CUDA 10.2, the PTX has version 9.0");
    }
    {
        const MadeUpCard made_up("WARPGRADE_MADE_UP_CUDA", "0");
        const auto card = Card::open();
        REQUIRE_FALSE(card);
        CHECK(card.error().code == "no_cuda_device");
        CHECK(card.error().title == "the NVIDIA driver is installed, but sees no GPU");
    }
    const MadeUpCard made_up("WARPGRADE_LIBCUDA", "/no/such/libcuda.so");
    const auto card = Card::open();
    REQUIRE_FALSE(card);
    CHECK(card.error().blame == Blame::host);
    CHECK(card.error().code == "no_driver");
}

TEST_CASE("PTX that the driver's compiler refuses is shown with its log") {
    const MadeUpCard made_up;
    const auto card = open_card();
    const auto module = card->load(".version 9.0\n.target sm_80\n.address_size 64\nnonsense\n");
    REQUIRE_FALSE(module);
    CHECK(module.error().blame == Blame::kit);
    REQUIRE(module.error().facts.size() == 2);
    CHECK(module.error().facts[0].find("CUDA_ERROR_INVALID_PTX") != std::string::npos);
}

TEST_CASE("the worker of a card stands behind walls, unless the driver does not work there") {
    {
        const MadeUpCard made_up;
        const auto card = open_card();
        const WallSet here = walls_here();
        for (const Wall wall : {Wall::system_calls, Wall::files, Wall::privileges})
            CHECK(card->walls().has(wall) == here.has(wall));
    }
    const std::string path = "/tmp/warpgrade-made-up-" + std::to_string(getpid());
    const MadeUpCard made_up("WARPGRADE_MADE_UP_FILE", path.c_str());
    const auto card = open_card();
    unlink(path.c_str());
    CHECK((card->walls() == WallSet::none() || !walls_here().holds()));
    const Loaded loaded = load(*card, kernels());
    CHECK(allocate(*loaded.program, 64) == 0);
    unlink(path.c_str());
}

TEST_CASE("a profiler's library keeps the walls down") {
    const MadeUpCard made_up("CUDA_INJECTION64_PATH", "/no/such/library.so");
    CHECK(open_card()->walls() == WallSet::none());
}

TEST_CASE("the kernels of all shapes have one time on the card, and a plan of many launches its own") {
    CHECK(seconds_for(0) == 5);
    CHECK(seconds_for(3) == 15);
    CHECK(seconds_for(4096) == 20);
    const MadeUpCard made_up;
    const auto card = open_card();
    const auto device = make_cuda_device(*card, 1.5);
    const auto program = device->load(kernels(), "card_kernels.cu");
    REQUIRE(program);
    const auto wait = [&] {
        BufferSpec flag;
        flag.name = "flag";
        flag.bytes = 4;
        (*program)->release_all();
        const auto buffer = (*program)->allocate(flag);
        REQUIRE(buffer);
        const auto run = (*program)->run("_Z7endlessPi", arguments((*program)->address(*buffer)), {});
        REQUIRE(run);
        CHECK(run->is_device_timeout);
        return run->device_error;
    };
    const auto start = std::chrono::steady_clock::now();
    CHECK(wait() == "the kernels of all shapes did not end within 1.5 s");
    CHECK(wait() == "the kernels of all shapes did not end within 1.5 s");
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(8));
}

TEST_CASE("a card is as new after a reset, with the same worker") {
    const MadeUpCard made_up;
    const auto card = open_card();
    const int worker = card->worker_pid(), generation = card->generation();
    const auto module = card->load(kernels());
    REQUIRE(module);
    const auto block = card->allocate(1 << 20);
    REQUIRE(block);
    card->reset();
    CHECK(card->generation() > generation);
    CHECK(card->worker_pid() == worker);
    CHECK_FALSE(card->unload(*module));
    CHECK_FALSE(card->free(*block));
    CHECK(card->load(kernels()));
}

TEST_CASE("a process behind walls uses the card through its parent, and a crash of the kernels ends no parent") {
    const MadeUpCard made_up;
    const auto card = open_card();
    const int worker = card->worker_pid();
    const std::string& ptx = kernels();  // read now
    const auto run = run_confined(
        [&]() -> wire::Fields {
            const auto device = make_cuda_device(*card);
            const auto program = device->load(ptx, "card_kernels.cu");
            if (!program) return {program.error().title};
            const auto turn = card->take_turn();
            BufferSpec spec;
            spec.name = "out";
            spec.bytes = 256;
            const auto buffer = (*program)->allocate(spec);
            if (!buffer) return {buffer.error().title};
            const auto opened = Card::open();
            std::vector<Command> commands(1);
            commands[0].kind = Command::Kind::fill;
            commands[0].address = 16;  // nobody's
            commands[0].count = 1;
            const auto faulty = card->run(commands, 5);
            const auto again = card->allocate(64);
            return {"fine", opened ? "opened" : "not opened",
                    faulty && faulty->fault ? faulty->fault->error.name : "no fault",
                    again ? "works again" : again.error().title, std::to_string(card->generation())};
        },
        card_services(*card));
    REQUIRE(run);
    INFO(run->what);
    REQUIRE(run->end == ConfinedRun::End::done);
    REQUIRE(run->reply.at(0) == "fine");
    CHECK(run->reply.at(1) == "not opened");
    CHECK(run->reply.at(2) == "CUDA_ERROR_ILLEGAL_ADDRESS");
    CHECK(run->reply.at(3) == "works again");
    CHECK(run->reply.at(4) == std::to_string(card->generation()));
    CHECK(card->worker_pid() != worker);
}

TEST_CASE("what nobody asks of a card is not passed on") {
    const MadeUpCard made_up;
    const auto card = open_card();
    const Services services = card_services(*card);
    const Service& ask = services.at("card");
    CHECK(ask({"1", "telemetry"}).front() == "answer");
    for (const wire::Fields& request :
         {wire::Fields{}, wire::Fields{"1"}, wire::Fields{"1", "end"}, wire::Fields{"1", "open", "0", "free"},
          wire::Fields{"1", "reset"}, wire::Fields{"0", "telemetry"}, wire::Fields{"1e9", "telemetry"},
          wire::Fields{"nan", "telemetry"}, wire::Fields{"x", "telemetry"}})
        CHECK(ask(request).front() == "error");
    CHECK(card->worker_pid() > 0);
}
