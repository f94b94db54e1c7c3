#include "vgpu/memory.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "ptx/module.hpp"
#include "support/catch.hpp"
#include "vgpu/vgpu.hpp"

using namespace warpgrade;
using namespace warpgrade::vgpu;

namespace {

BufferSpec spec(const char* name, std::uint64_t bytes, std::uint64_t offset_bytes = 0) {
    BufferSpec s;
    s.name = name;
    s.bytes = bytes;
    s.offset_bytes = offset_bytes;
    return s;
}

// One thread stores one byte, two or four at an address: what a kernel's stores do to the written state.
void store(Memory& memory, std::uint64_t address, int bytes) {
    const std::string bits = std::to_string(8 * bytes);
    const auto module = ptx::parse(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry poke(.param .u64 p)
{
    .reg .b64 %rd<2>;
    .reg .b32 %r<2>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, 0;
    st.global.b)" + bits + R"( [%rd1], %r1;
    ret;
}
)");
    REQUIRE(module.ok());
    const auto program = load(*module, "poke.cu");
    REQUIRE(program.ok());
    auto session = Session::open(*program, memory);
    REQUIRE(session.ok());
    Launch launch;
    launch.kernel = "poke";
    launch.parameters.resize(8);
    std::memcpy(launch.parameters.data(), &address, 8);
    RunOptions options;
    options.threads = 1;
    REQUIRE((*session)->run(launch, options).findings.empty());
}

}  // namespace

TEST_CASE("buffers start on 256-byte boundaries, zeroed, and keep what is put in") {
    Memory memory;
    const int a = *memory.allocate(spec("a", 1000)), b = *memory.allocate(spec("b", 12));
    CHECK(memory.count() == 2);
    CHECK(memory.buffer(a).address % 256 == 0);
    CHECK(memory.buffer(b).address % 256 == 0);
    CHECK(memory.bytes(a).size() == 1000);
    CHECK(memory.view<std::uint32_t>(b).size() == 3);
    for (const std::byte v : memory.bytes(a)) REQUIRE(v == std::byte{0});
    memory.view<float>(a)[249] = 2.5f;
    CHECK(memory.view<float>(a)[249] == 2.5f);
    CHECK(memory.view<float>(b)[0] == 0.0f);
    CHECK(memory.buffer(b).spec.name == "b");
}

TEST_CASE("a buffer may start off a boundary") {
    Memory memory;
    for (const std::uint64_t offset : {4u, 8u, 16u, 100u, 252u}) {
        const int b = *memory.allocate(spec("off", 64, offset));
        CHECK(memory.buffer(b).address % 256 == offset);
        CHECK(memory.bytes(b).size() == 64);
        // The host sees the same misalignment, so that vector accesses of the handlers do too.
        CHECK(reinterpret_cast<std::uintptr_t>(memory.bytes(b).data()) % 256 == offset);
    }
}

TEST_CASE("between buffers lies a gap no stray index crosses") {
    Memory memory;
    const int a = *memory.allocate(spec("a", 4096)), b = *memory.allocate(spec("b", 4096));
    const Buffer& first = memory.buffer(a);
    const Buffer& second = memory.buffer(b);
    CHECK(second.address - (first.address + 4096) >= std::uint64_t{1} << 31);
    CHECK(first.address >= std::uint64_t{1} << 31);  // a small integer taken for a pointer points nowhere
    CHECK(memory.find(0) == -1);
    CHECK(memory.find(4096) == -1);
}

TEST_CASE("find knows the first and last byte of a buffer and nothing beside it") {
    Memory memory;
    const int a = *memory.allocate(spec("a", 100)), b = *memory.allocate(spec("b", 1));
    const std::uint64_t at = memory.buffer(a).address;
    CHECK(memory.find(at) == a);
    CHECK(memory.find(at + 99) == a);
    CHECK(memory.find(at + 100) == -1);
    CHECK(memory.find(at - 1) == -1);
    CHECK(memory.find(memory.buffer(b).address) == b);
    CHECK(memory.find(memory.buffer(b).address + 1) == -1);
    CHECK(memory.find(~std::uint64_t{0}) == -1);
}

TEST_CASE("find_nearest names the buffer a message should speak of") {
    Memory memory;
    CHECK(memory.find_nearest(0x1234) == -1);
    const int a = *memory.allocate(spec("a", 100)), b = *memory.allocate(spec("b", 100));
    const std::uint64_t at = memory.buffer(a).address;
    CHECK(memory.find_nearest(at + 50) == a);
    CHECK(memory.find_nearest(at + 100) == a);
    CHECK(memory.find_nearest(at - 4) == a);
    CHECK(memory.find_nearest(at + (1 << 20)) == a);
    CHECK(memory.find_nearest(memory.buffer(b).address - 4) == b);
    CHECK(memory.find_nearest(0) == -1);  // nothing is near
    CHECK(memory.find_nearest(std::uint64_t{1} << 60) == -1);
}

TEST_CASE("a freed buffer is no longer found, but still the nearest one, and its addresses stay unused") {
    Memory memory;
    const int a = *memory.allocate(spec("a", 1 << 20));
    const std::uint64_t at = memory.buffer(a).address, used = memory.used_bytes();
    memory.release(a);
    CHECK(memory.buffer(a).is_freed);
    CHECK(memory.used_bytes() < used);
    CHECK(memory.used_bytes() == 0);
    memory.release(a);  // once is enough
    CHECK(memory.used_bytes() == 0);
    CHECK(memory.find_nearest(at + 8) == a);
    const int b = *memory.allocate(spec("b", 1 << 20));
    CHECK(memory.buffer(b).address >= at + (1 << 20));
    CHECK(memory.find(memory.buffer(b).address) == b);
}

TEST_CASE("the budget counts data and shadows and is given back") {
    Memory memory(1 << 20);
    const auto large = memory.allocate(spec("large", 2 << 20));
    REQUIRE_FALSE(large.ok());
    CHECK(large.error().blame == Blame::host);
    CHECK(large.error().code == "out_of_memory");
    CHECK_FALSE(large.error().help.empty());
    CHECK(large.error().facts.at(0).find("large") != std::string::npos);
    CHECK(memory.count() == 0);
    const int a = *memory.allocate(spec("a", 400 << 10));
    CHECK(memory.used_bytes() >= 800u << 10);  // 400 KiB and as much shadow
    CHECK_FALSE(memory.allocate(spec("b", 400 << 10)).ok());
    memory.release(a);
    CHECK(memory.allocate(spec("b", 400 << 10)).ok());
}

TEST_CASE("a size that wraps round is refused") {
    Memory memory;
    CHECK_FALSE(memory.allocate(spec("huge", ~std::uint64_t{0} - 100)).ok());
    CHECK_FALSE(memory.allocate(spec("huge", std::uint64_t{1} << 62)).ok());
    CHECK(memory.count() == 0);
}

TEST_CASE("an empty buffer holds nothing") {
    Memory memory;
    const int empty = *memory.allocate(spec("empty", 0)), next = *memory.allocate(spec("next", 4));
    CHECK(memory.bytes(empty).empty());
    CHECK(memory.find(memory.buffer(empty).address) == -1);
    CHECK(memory.buffer(next).address > memory.buffer(empty).address);
}

TEST_CASE("poison fills with a pattern and forgets what was written") {
    Memory memory;
    for (const std::uint64_t bytes : {4u, 16u, 18u, 19u, 1u}) {
        BufferSpec s = spec("out", bytes);
        s.is_written = true;
        const int out = *memory.allocate(s);
        CHECK(memory.is_written(out, 0, bytes));
        memory.poison(out, 0x7FC0FEEDu);
        CHECK_FALSE(memory.is_written(out, 0, bytes));
        CHECK_FALSE(memory.is_written(out, 0, 1));
        const std::uint8_t pattern[] = {0xED, 0xFE, 0xC0, 0x7F};
        for (std::uint64_t i = 0; i < bytes; ++i) CHECK(memory.bytes(out)[i] == std::byte{pattern[i % 4]});
    }
}

TEST_CASE("written state is kept byte by byte, wherever the buffer starts") {
    for (const std::uint64_t offset : {0u, 1u, 2u, 3u, 4u, 6u}) {
        INFO("the buffer starts " << offset << " bytes past a boundary");
        Memory memory;
        const int out = *memory.allocate(spec("out", 64, offset));
        const std::uint64_t at = memory.buffer(out).address;
        CHECK_FALSE(memory.is_written(out, 0, 1));
        CHECK(memory.is_written(out, 5, 0));
        store(memory, at + 5, 1);
        CHECK(memory.is_written(out, 5, 1));
        CHECK_FALSE(memory.is_written(out, 4, 1));
        CHECK_FALSE(memory.is_written(out, 6, 1));
        CHECK_FALSE(memory.is_written(out, 4, 4));
        const std::uint64_t half = 20 + offset % 2;  // its address is even
        store(memory, at + half, 2);
        CHECK(memory.is_written(out, half, 2));
        CHECK_FALSE(memory.is_written(out, half - 1, 1));
        CHECK_FALSE(memory.is_written(out, half + 2, 1));
        const std::uint64_t word = 32 + (4 - offset % 4) % 4;
        store(memory, at + word, 4);
        CHECK(memory.is_written(out, word, 4));
        CHECK(memory.is_written(out, word + 1, 2));
        CHECK_FALSE(memory.is_written(out, word, 5));
        CHECK_FALSE(memory.is_written(out, word - 1, 2));
        memory.poison(out, 0);
        CHECK_FALSE(memory.is_written(out, word, 1));
        CHECK_FALSE(memory.is_written(out, 5, 1));
    }
}

TEST_CASE("of a buffer with contents only what is touched counts against a limit on memory", "[machine]") {
#ifdef __SANITIZE_ADDRESS__
    WARN("skipped: AddressSanitizer's own memory counts against the limit");
    return;
#endif
    constexpr std::uint64_t far = std::uint64_t{30} << 30;
    for (const std::uint64_t offset : {0u, 4u}) {
        const pid_t child = fork();
        if (child == 0) {
            const rlimit limit{std::uint64_t{1} << 30, std::uint64_t{1} << 30};
            setrlimit(RLIMIT_DATA, &limit);
            Memory memory(std::uint64_t{1} << 40, Memory::Pages::small);
            BufferSpec large = spec("out", far + 4096, offset);
            large.contents = [](std::uint64_t first, std::span<std::byte> piece) {
                std::fill(piece.begin(), piece.end(), static_cast<std::byte>(first / Memory::piece_bytes));
            };
            const int out = *memory.allocate(large);
            const std::uint64_t at = memory.buffer(out).address;
            store(memory, at + far, 4);
            bool is_right = memory.is_written(out, far, 4) && !memory.is_written(out, far + 4, 1);
            is_right = is_right && !memory.is_written(out, far / 2, 1);
            is_right =
                is_right && memory.buffer(out).data[far + 4] == static_cast<std::byte>(far / Memory::piece_bytes);
            memory.forget_tags();
            _exit(is_right && memory.is_written(out, far, 4) ? 0 : 1);
        }
        int status = 0;
        REQUIRE(waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
    }
}
