// The card of this machine: that it is the card that runs, what stops it, and that right programs are right on it.
#include <cstring>
#include <iostream>
#include <set>

#include "compile/support.hpp"
#include "corpus/program.hpp"
#include "device/card_program.hpp"
#include "device/launchers.hpp"
#include "grade/stage_grader.hpp"
#include "support/catch.hpp"
#include "timing/measure.hpp"

using namespace launchers;

namespace {

const std::string root = WARPGRADE_SOURCE_DIR;

// nullptr, with the reason printed, where there is none.
std::unique_ptr<Card> card_of_this_machine() {
    setenv("WARPGRADE_WORKER", WARPGRADE_BINARY, 1);
    auto card = Card::open();
    if (card) return std::move(*card);
    if (card.error().blame != Blame::host) FAIL(card.error().title << ": " << card.error().facts.at(0));
    std::cout << "skipped: " << card.error().title << "\n";
    return nullptr;
}

std::unique_ptr<DeviceProgram> load_kernels(Device& device) {
    auto program = device.load(read_text("card_kernels.ptx"), "card_kernels.cu");
    if (!program) FAIL(program.error().title << " " << program.error().facts.at(0));
    return std::move(*program);
}

int allocate(DeviceProgram& program, std::uint64_t bytes) {
    BufferSpec spec;
    spec.name = "out";
    spec.bytes = bytes;
    const auto buffer = program.allocate(spec);
    REQUIRE(buffer);
    program.poison(*buffer, 0x7FA5A5A5u);
    return *buffer;
}

template <class T>
T value_at(DeviceProgram& program, int buffer, std::size_t index) {
    T value{};
    std::memcpy(&value, program.bytes(buffer).data() + index * sizeof value, sizeof value);
    return value;
}

}  // namespace

TEST_CASE("the kernels run on the card: its blocks are on many multiprocessors, and it says how many there are") {
    const auto card = card_of_this_machine();
    if (!card) return;
    std::cout << card->facts().name << ", driver " << card->facts().driver << "\n";
    const auto virtual_gpu = make_virtual_device();
    const auto real = make_cuda_device(*card);
    constexpr int blocks = 512;
    for (Device* device : {virtual_gpu.get(), real.get()}) {
        const auto program = load_kernels(*device);
        const int out = allocate(*program, (blocks + 1) * sizeof(int));
        const auto run = program->run("_Z6placesPii", arguments(program->address(out), blocks), {});
        REQUIRE(run);
        REQUIRE(run->device_error.empty());
        REQUIRE(program->download(out));
        std::set<int> places;
        for (int i = 0; i < blocks; ++i) places.insert(value_at<int>(*program, out, static_cast<std::size_t>(i)));
        const int processors = value_at<int>(*program, out, blocks);
        if (device == virtual_gpu.get()) {
            CHECK(processors == static_cast<int>(LaunchLimits{}.multiprocessors));
        } else {
            // %nsmid may count places that this card leaves empty.
            CHECK(processors >= card->facts().multiprocessors);
            CHECK(static_cast<int>(places.size()) == card->facts().multiprocessors);
        }
    }
}

TEST_CASE("a plan of several steps, a large tile and __device__ variables work on the card") {
    const auto card = card_of_this_machine();
    if (!card) return;
    const auto device = make_cuda_device(*card);
    const auto program = load_kernels(*device);
    const int out = allocate(*program, 128);
    REQUIRE(program->run("_Z5chainPfi", arguments(program->address(out), 5), {}));
    REQUIRE(program->download(out));
    CHECK(value_at<float>(*program, out, 31) == 57);
    REQUIRE(program->run("_Z10large_tilePf", arguments(program->address(out)), {}));
    REQUIRE(program->download(out));
    CHECK(value_at<float>(*program, out, 0) == 31);
    for (int fresh = 0; fresh < 2; ++fresh) {
        program->release_all();
        const int counter = allocate(*program, 4);
        for (int call = 1; call <= 2; ++call) {
            REQUIRE(program->run("_Z7countedPf", arguments(program->address(counter)), {}));
            REQUIRE(program->download(counter));
            CHECK(value_at<float>(*program, counter, 0) == static_cast<float>(call));
        }
    }
}

TEST_CASE("red zones, address errors, traps and kernels without end are seen on the card, and the next one runs") {
    const auto card = card_of_this_machine();
    if (!card) return;
    const int first_generation = card->generation();  // a driver that does not work behind walls is opened twice
    const auto device = make_cuda_device(*card);
    const auto program = load_kernels(*device);
    const auto store_at = [&](long long index) {
        program->release_all();
        const int out = allocate(*program, 64 * 4);
        const auto run = program->run("_Z8store_atPfx", arguments(program->address(out), index), {});
        REQUIRE(run);
        return run->device_error;
    };
    CHECK(store_at(63).empty());
    CHECK(store_at(64) == "a write 0 bytes past the end of `out`");
    CHECK(store_at(-1) == "a write 4 bytes before the start of `out`");
    CHECK(store_at(1ll << 40) == "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered");
    CHECK(store_at(0).empty());

    const auto trapped = program->run("_Z7trappedv", {}, {});
    REQUIRE(trapped);
    CHECK(trapped->device_error.find("CUDA_ERROR_") == 0);
    CHECK(store_at(0).empty());

    program->release_all();
    const int flag = allocate(*program, 4);
    const auto start = std::chrono::steady_clock::now();
    const auto endless = program->run("_Z7endlessPi", arguments(program->address(flag)), {});
    REQUIRE(endless);
    CHECK(endless->is_device_timeout);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
    CHECK(store_at(0).empty());
    CHECK(card->generation() == first_generation + 3);
}

TEST_CASE("every right program of the corpus is right on the card") {
    const auto card = card_of_this_machine();
    if (!card || test::lacks_nvrtc()) return;
    const auto course = load_course(root);
    REQUIRE(course);
    const auto device = make_virtual_device();
    int programs = 0;
    for (const corpus::Program& program : corpus::all_programs(root + "/grader/tests/submissions/right")) {
        const auto match = find_stage(*course, program.stage);
        REQUIRE(match);
        GradeOptions options;
        options.seed = 7;
        options.card = card.get();
        const auto result = grade_stage(*match->assignment, *match->stage, program.path, *device, options);
        INFO(program.name);
        if (!result) {
            UNSCOPED_INFO(result.error().title);
            for (const std::string& fact : result.error().facts) UNSCOPED_INFO(fact);
        }
        REQUIRE(result);
        int on_card = 0;
        for (const CaseResult& one : result->cases) {
            const bool is_on_card = one.variant == "on " + card->facts().name;
            on_card += is_on_card;
            if (!is_on_card || one.verdict == Verdict::pass) continue;
            UNSCOPED_INFO(describe_case(one.shape) << ": " << to_string(one.verdict) << " " << one.detail);
            CHECK(one.verdict == Verdict::pass);
        }
        CHECK(on_card > 0);
        ++programs;
    }
    std::cout << programs << " programs on the card\n";
    CHECK(programs > 40);
}

TEST_CASE("a reference is graded on the card with all its points, and a slow one with none of the speed's") {
    const auto card = card_of_this_machine();
    if (!card || test::lacks_nvrtc()) return;
    const auto course = load_course(root);
    REQUIRE(course);
    const auto match = find_stage(*course, "transpose/coarsening");
    REQUIRE(match);
    const auto device = make_virtual_device();
    Measurer measurer(*card, nullptr);
    GradeOptions options;
    options.seed = 3;
    options.card = card.get();
    options.bandwidths = &measurer;
    auto result =
        grade_stage(*match->assignment, *match->stage, root + "/solutions/transpose/5_coarsening.cu", *device, options);
    REQUIRE(result);
    CHECK(result->score.total == Approx(result->score.max));
    CHECK(result->score.state == ScoreState::final);
    REQUIRE(result->bandwidth);
    CHECK(result->bandwidth->origin == Origin::measured);
    CHECK(result->bandwidth->share_of_reference == Approx(1).margin(0.05));
    CHECK(result->bandwidth->copy_gb_per_s > result->bandwidth->gb_per_s);
    CHECK(result->bandwidths.size() >= 3);
    CHECK(result->bandwidth->sm_clock_mhz > 0);

    const auto open = find_stage(*course, "transpose/open");
    REQUIRE(open);
    result =
        grade_stage(*open->assignment, *open->stage, root + "/solutions/transpose/1_naive_read.cu", *device, options);
    REQUIRE(result);
    CHECK(result->score.correctness == Approx(result->correctness_points));
    CHECK(result->score.performance == 0);
    REQUIRE(result->bandwidth);
    CHECK(result->bandwidth->share_of_reference < 0.5);
}
