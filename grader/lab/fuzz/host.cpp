// Calls of a program's host: functions of CUDA's runtime and of the C library, with any values, in any order.
//
// The bytes become a PTX program. Of each call one byte picks the function (host/calls.cpp), and one each of its
// arguments: a number of a list of extremes, what an earlier call returned, or what one has stored.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "host/runtime.hpp"
#include "target.hpp"

using namespace warpgrade;

namespace {

constexpr std::size_t most_calls = 40;
constexpr int arguments = 8, room_bytes = 512;

// Where a pointer goes: into `room`, or `text`, which is a format.
constexpr const char* head = R"(.version 8.0
.target sm_80
.address_size 64
.visible .global .align 8 .b8 room[512];
.visible .global .align 8 .b8 text[24] = {37, 100, 32, 37, 115, 32, 37, 102, 32, 37, 42, 99, 37, 110, 0};
.visible .const .align 4 .b8 constants[64];
.visible .entry kernel(.param .u64 p, .param .u32 n) {
.reg .u64 %a<4>; .reg .u32 %r<4>;
ld.param.u64 %a1, [p]; ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x; mul.wide.u32 %a2, %r2, 4; add.u64 %a3, %a1, %a2; st.u32 [%a3], %r1; ret; }
)";

constexpr std::uint64_t extremes[] = {0,
                                      1,
                                      2,
                                      3,
                                      4,
                                      7,
                                      8,
                                      16,
                                      64,
                                      100,
                                      255,
                                      256,
                                      1000,
                                      1024,
                                      1025,
                                      4096,
                                      65535,
                                      65536,
                                      0x7FFFFFFF,
                                      0x80000000,
                                      0xFFFFFFFF,
                                      1ull << 32,
                                      1ull << 33,
                                      1ull << 40,
                                      1ull << 47,
                                      1ull << 62,
                                      1ull << 63,
                                      ~0ull - 15,
                                      ~0ull - 1,
                                      ~0ull,
                                      0x7E0000000000,
                                      0x7F0000000000};

class Program {
public:
    Program(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

    std::string text() {
        std::string body;
        std::size_t calls = 0;
        while (at_ < size_ && calls < most_calls) body += call(calls++);
        std::string externs;
        for (const auto& [name, row] : host::rows()) externs += declaration(std::string(name));
        return head + externs +
               fmt::format(
                   ".visible .func (.param .b32 result) main(.param .b32 argc, .param .b64 argv, .param .b64 env) {{\n"
                   ".reg .b64 %v<{}>; .reg .b64 %w<{}>; .reg .b32 %c;\n{}mov.b32 %c, 0; st.param.b32 [result], %c; "
                   "ret; }}\n",
                   most_calls + 1, arguments + 2, body);
    }

private:
    static bool is_buffer(const std::string& name) { return name == "__cudaCDP2GetParameterBufferV2"; }
    static std::string declaration(const std::string& name) {
        std::string parameters;
        for (int i = 0; i < arguments; ++i)
            parameters += (i > 0 ? ", " : "") + (is_buffer(name) && (i == 1 || i == 2)
                                                     ? fmt::format(".param .align 4 .b8 p{}[12]", i)
                                                     : fmt::format(".param .b64 p{}", i));
        return fmt::format(".extern .func (.param .b64 r) {}({});\n", name, parameters);
    }
    std::uint8_t next() { return at_ < size_ ? data_[at_++] : 0; }

    // Into %w<i>.
    std::string argument(int i, std::size_t calls) {
        const std::uint8_t pick = next();
        if (pick < 64) return fmt::format("mov.b64 %w{}, {};\n", i, extremes[pick % std::size(extremes)]);
        if (pick < 112 && calls > 0) return fmt::format("mov.b64 %w{}, %v{};\n", i, pick % calls);
        const std::string variable = pick < 128 ? "text" : pick < 136 ? "constants" : pick < 144 ? "kernel" : "room";
        const std::string space = pick >= 128 && pick < 136 ? "const" : "global";
        const std::string address =
            variable == "kernel" ? fmt::format("mov.b64 %w{}, kernel;\n", i)
                                 : fmt::format("mov.b64 %w{0}, {1}; cvta.{2}.u64 %w{0}, %w{0};\n", i, variable, space);
        if (pick < 144) return address;
        const int offset = pick % 32 * 8 % room_bytes;
        return pick < 200 ? address + fmt::format("add.u64 %w{0}, %w{0}, {1};\n", i, offset)
                          : fmt::format("ld.global.b64 %w{}, [room+{}];\n", i, offset);
    }

    std::string call(std::size_t calls) {
        auto row = host::rows().begin();
        std::advance(row, next() % host::rows().size());
        const std::string name(row->first);
        std::string prepared, made = "{ .param .b64 r;\n", names;
        for (int i = 0; i < arguments; ++i) {
            prepared += argument(i, calls);
            const bool is_size = is_buffer(name) && (i == 1 || i == 2);
            made += is_size ? fmt::format(
                                  ".param .align 4 .b8 p{0}[12]; .reg .b32 %s{0}; cvt.u32.u64 %s{0}, %w{0};\n"
                                  "st.param.b32 [p{0}], %s{0}; st.param.b32 [p{0}+4], 1; st.param.b32 [p{0}+8], 1;\n",
                                  i)
                            : fmt::format(".param .b64 p{0}; st.param.b64 [p{0}], %w{0};\n", i);
            names += fmt::format("{}p{}", i > 0 ? ", " : "", i);
        }
        return prepared + made +
               fmt::format("call.uni (r), {}, ({}); ld.param.b64 %v{}, [r]; }}\n", name, names, calls);
    }

    const std::uint8_t* data_;
    std::size_t size_, at_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    host::Program program;
    program.ptx = Program(data, size).text();
    program.text = host::text_of_file("fuzz.cu", "int main() { return 0; }\n");
    program.arguments = {"./fuzz", "7"};
    host::ProgramLimits limits;
    limits.host_work = limits.launch_work = std::uint64_t{1} << 20;
    limits.memory_bytes = std::uint64_t{64} << 20;
    limits.output_bytes = 4096;
    int reads = 0;
    const host::Outside outside{[](host::Outside::Stream, std::string_view) {},
                                [&] { return ++reads > 2 ? std::string() : std::string("12 x 3.5\n"); }};
    const auto run = host::run_program(program, limits, outside);
    if (run) (void)host::findings_of(*run, program.text.path, program.text.text);
    return 0;
}
