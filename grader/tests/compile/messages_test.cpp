// What a learner reads when a submission does not compile.
#include "compile/support.hpp"

using namespace warpgrade;
using namespace warpgrade::test;

namespace {
constexpr const char* belongs = "a submission holds kernels and the launcher only";
}

TEST_CASE("a main of one's own is an error with its line, unless it is guarded") {
    if (lacks_nvrtc()) return;
    const std::string kernel = "__global__ void k(int* p) { *p = 1; }\nvoid launch(int* p) { k<<<1, 1>>>(p); }\n";
    const CompileOutput output = compiled(kernel + "int main(int argc, char** argv) { launch(nullptr); return 0; }\n");
    CHECK_FALSE(output.ok);
    CHECK(output.ptx.empty());
    CHECK(mentions(message_at(output, 3).message, "a submission has no main()"));
    CHECK(message_at(output, 3).severity == Severity::error);

    const CompileOutput enabled = compiled(kernel + "#if 1\nint main() { return 0; }\n#endif\n");
    CHECK_FALSE(enabled.ok);
    CHECK(mentions(message_at(enabled, 0).message, "a submission has no main()"));

    CHECK(compiled(kernel + "#ifndef __WARPGRADE__\n#include <iostream>\nint main() { std::cout << 1; }\n#endif\n").ok);
    CHECK(compiled(kernel + "int domain(int x) { return x; }\n").ok);
}

TEST_CASE("host headers are named with their lines, all at once") {
    if (lacks_nvrtc()) return;
    const CompileOutput output = compiled(
        "#include <iostream>\n#include <vector>\n#include <thrust/device_vector.h>\n\nint main() { std::cout << 1; "
        "}\n");
    CHECK_FALSE(output.ok);
    for (int line : {1, 2, 3}) {
        CHECK(message_at(output, line).severity == Severity::error);
        CHECK(mentions(message_at(output, line).message, belongs));
    }
    CHECK(mentions(message_at(output, 5).message, "no main()"));
    const CompileOutput conditional = compiled("#if 1\n#include <iostream>\n#endif\n");
    CHECK_FALSE(conditional.ok);
    CHECK(mentions(message_at(conditional, 2).message, "<iostream> is for host programs"));
}

TEST_CASE("host API calls say what the grader does instead") {
    if (lacks_nvrtc()) return;
    const CompileOutput output = compiled(R"(void launch(float* p, int n) {
    float* d;
    cudaMallocHost(&d, n);
    cudaMemcpy2D(d, n, p, n, n, 1, cudaMemcpyDeviceToDevice);
    cudaMemcpyPeer(d, 0, p, 0, n);
    cudaFreeHost(d);
    cudaStream_t s; cudaStreamCreate(&s);
    gettimeofday(nullptr, nullptr);
    std::vector<float> v(10);
    thrust::sort(p, p + n);
    cub::DeviceReduce::Sum(p);
    auto t = std::chrono::steady_clock::now();
    cudaLaunchHostFunc(0, nullptr, nullptr);
    rand();
}
)");
    CHECK_FALSE(output.ok);
    const auto says = [&](int line, const std::string& words) {
        INFO(line << ": " << message_at(output, line).message);
        CHECK(mentions(message_at(output, line).message, words));
        CHECK(mentions(message_at(output, line).message, belongs));
        CHECK(message_at(output, line).column > 0);
    };
    says(3, "`cudaMallocHost` is not available: the grader allocates");
    says(4, "`cudaMemcpy2D` is not available: the grader copies");
    says(5, "`cudaMemcpyPeer` is not available: the grader copies");
    says(6, "`cudaFreeHost` is not available");
    says(7, "default stream");
    says(8, "the grader times");
    says(9, "`std::vector` is for host programs");
    says(10, "`thrust` is not available");
    says(11, "`cub` is not available");
    says(12, "`std::chrono` is for host programs");
    says(13, "kernel<<<grid, block, shared_bytes>>>");
    says(14, "`rand` is not available");
    CHECK(output.messages.size() == 12);  // nothing that only follows from these
    for (const CompilerMessage& message : output.messages) CHECK_FALSE(mentions(message.message, "__warpgrade"));
}

TEST_CASE("ordinary mistakes keep NVRTC's words, in the learner's places") {
    if (lacks_nvrtc()) return;
    const CompileOutput output = compiled(
        "__global__ void k(float* p) {\n"
        "    int i = treadIdx.x;\n"
        "    int j = 3  // no semicolon\n"
        "\n"
        "    p[i] = j;\n"
        "    __syncthread();\n"
        "}\n"
        "void launch(float* p) { cudaMemset(p); }\n");
    CHECK_FALSE(output.ok);
    CHECK(message_at(output, 2).message == "identifier \"treadIdx\" is undefined; is it `threadIdx`?");
    CHECK(message_at(output, 2).column == 13);
    CHECK(message_at(output, 3).message == "expected a `;` at the end of this line");
    CHECK(message_at(output, 3).column == 14);  // behind the 3, where it is missing
    CHECK(mentions(message_at(output, 6).message, "is it `__syncthreads`?"));
    CHECK(message_at(output, 8).severity == Severity::error);
}

TEST_CASE("a comment does not move the column where a semicolon is missing") {
    if (lacks_nvrtc()) return;
    const CompileOutput output = compiled("void launch(float* p) {\n    /* a */ int j = 3\n    p[0] = j;\n}\n");
    CHECK(message_at(output, 2).message == "expected a `;` at the end of this line");
    CHECK(message_at(output, 2).column == 22);
}

TEST_CASE("a launcher's host-only language says why it is refused") {
    if (lacks_nvrtc()) return;
    const CompileOutput output =
        compiled("void launch(int* p) {\n    try { *p = 1; } catch (...) {}\n}\nthread_local int x;\n");
    CHECK_FALSE(output.ok);
    for (int line : {2, 4}) CHECK(mentions(message_at(output, line).message, "the launcher too, as device code"));
}

TEST_CASE("a stub that is not filled yet has no warnings about what it does not use") {
    if (lacks_nvrtc()) return;
    const CompileOutput output =
        compiled("constexpr int TILE = 32;\nstatic int helper() { return TILE; }\nvoid launch(float* p) {}\n");
    CHECK(output.ok);
    CHECK(output.messages.empty());
}

TEST_CASE("no submission makes a message of another file's lines") {
    if (lacks_nvrtc()) return;
    std::ifstream passwd("/etc/passwd");
    std::string first_line;
    std::getline(passwd, first_line);
    REQUIRE(first_line.size() > 5);
    for (const char* source :
         {"#include \"/etc/passwd\"\n", "#include </etc/passwd>\n", "#define P \"/etc/passwd\"\n#include P\n",
          "#define Q(x) <x>\n#include Q(/etc/passwd)\n", "#line 1 \"/etc/passwd\"\nint x = y;\n",
          "#embed \"/etc/passwd\"\n", "#if 1\n%:include \"../../../../../../../../../../etc/passwd\"\n#endif\n",
          "#error \"/etc/passwd(1): error: x\"\n", "_Pragma(\"GCC dependency \\\"/etc/passwd\\\"\") int x = y;\n",
          "#pragma GCC dependency \"/etc/passwd\"\nint x = y;\n"}) {
        INFO(source);
        const CompileOutput output = compiled(source);
        CHECK_FALSE(output.ok);
        CHECK_FALSE(output.messages.empty());
        for (const CompilerMessage& message : output.messages) {
            CHECK(message.path == "stage.cu");
            CHECK_FALSE(mentions(message.message, first_line));
            CHECK_FALSE(mentions(message.message, first_line.substr(0, first_line.find('/'))));
        }
    }
    const CompileOutput data =
        compiled("void f() { asm(\".file 1 \\\"/etc/passwd\\\"\"); asm(\".include \\\"/etc/passwd\\\"\"); }\n");
    CHECK_FALSE(mentions(data.ptx, first_line));
    CHECK_FALSE(mentions(data.ptx, ".file 1 \"/etc/passwd\""));
}
