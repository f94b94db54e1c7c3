// The cases of single instructions on a real GPU, through the driver: that the expectations are NVIDIA's, not only
// ours. Skipped, in words, where there is no driver or no GPU of compute capability 9.0 or above.
#include <dlfcn.h>

#include <cstdio>
#include <iostream>

#include "support/catch.hpp"
#include "vgpu/op_case.hpp"

using namespace warpgrade;
using op_case::OpCase;

namespace {

// The few driver calls that are needed, by their names in libcuda.so.1.
struct Driver {
    using Pointer = std::uint64_t;
    int (*cuInit)(unsigned) = nullptr;
    int (*cuDeviceGetAttribute)(int*, int, int) = nullptr;
    int (*cuDevicePrimaryCtxRetain)(void**, int) = nullptr;
    int (*cuCtxSetCurrent)(void*) = nullptr;
    int (*cuMemAlloc_v2)(Pointer*, std::size_t) = nullptr;
    int (*cuMemFree_v2)(Pointer) = nullptr;
    int (*cuMemcpyHtoD_v2)(Pointer, const void*, std::size_t) = nullptr;
    int (*cuMemcpyDtoH_v2)(void*, Pointer, std::size_t) = nullptr;
    int (*cuModuleLoadDataEx)(void**, const void*, unsigned, int*, void**) = nullptr;
    int (*cuModuleUnload)(void*) = nullptr;
    int (*cuModuleGetFunction)(void**, void*, const char*) = nullptr;
    int (*cuLaunchKernel)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                          void**) = nullptr;
    int (*cuCtxSynchronize)() = nullptr;
    std::string why_not;

    Driver() {
        void* library = ::dlopen("libcuda.so.1", RTLD_NOW);
        if (library == nullptr) {
            why_not = "no libcuda.so.1 on this machine";
            return;
        }
        const auto get = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::decay_t<decltype(function)>>(::dlsym(library, name));
            if (function == nullptr) why_not = std::string("no ") + name + " in libcuda.so.1";
        };
        get(cuInit, "cuInit");
        get(cuDeviceGetAttribute, "cuDeviceGetAttribute");
        get(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
        get(cuCtxSetCurrent, "cuCtxSetCurrent");
        get(cuMemAlloc_v2, "cuMemAlloc_v2");
        get(cuMemFree_v2, "cuMemFree_v2");
        get(cuMemcpyHtoD_v2, "cuMemcpyHtoD_v2");
        get(cuMemcpyDtoH_v2, "cuMemcpyDtoH_v2");
        get(cuModuleLoadDataEx, "cuModuleLoadDataEx");
        get(cuModuleUnload, "cuModuleUnload");
        get(cuModuleGetFunction, "cuModuleGetFunction");
        get(cuLaunchKernel, "cuLaunchKernel");
        get(cuCtxSynchronize, "cuCtxSynchronize");
        if (!why_not.empty()) return;
        int major = 0;
        void* context = nullptr;
        constexpr int kComputeCapabilityMajor = 75;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
        if (cuInit(0) != 0 || cuDeviceGetAttribute(&major, kComputeCapabilityMajor, 0) != 0) {
            why_not = "no GPU answers";
        } else if (major < 9) {
            why_not = "the cases need compute capability 9.0";
        } else if (cuDevicePrimaryCtxRetain(&context, 0) != 0 || cuCtxSetCurrent(context) != 0) {
            why_not = "the GPU gives no context";
        }
    }
};

std::string run(const Driver& driver, void* module, const OpCase& c, const std::string& kernel, std::uint32_t mask,
                Driver::Pointer from, Driver::Pointer to) {
    void* function = nullptr;
    if (driver.cuModuleGetFunction(&function, module, kernel.c_str()) != 0) return "  no kernel " + kernel + "\n";
    std::vector<std::uint64_t> in(8 * 32), out(8 * 32);
    for (unsigned i = 0; i < 32; ++i) {
        for (std::size_t k = 0; k < c.inputs.size(); ++k) in[k * 32 + i] = c.inputs[k].at(i);
        for (std::size_t k = 0; k < c.outputs.size(); ++k) out[k * 32 + i] = op_case::old_value(c.outputs[k], i);
    }
    driver.cuMemcpyHtoD_v2(from, in.data(), in.size() * 8);
    driver.cuMemcpyHtoD_v2(to, out.data(), out.size() * 8);
    void* parameters[] = {&from, &to, &mask};
    const int launched = driver.cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr);
    const int finished = driver.cuCtxSynchronize();
    if (launched != 0 || finished != 0)
        return "  " + kernel + ": CUDA error " + std::to_string(launched != 0 ? launched : finished) + "\n";
    driver.cuMemcpyDtoH_v2(out.data(), to, out.size() * 8);
    std::string wrong;
    for (std::size_t k = 0; k < c.outputs.size(); ++k) {
        const op_case::Values& output = c.outputs[k];
        const unsigned width = std::max(op_case::bits_of(op_case::kind_of(output.name)), 8u);
        for (unsigned i = 0; i < 32; ++i) {
            const std::uint64_t got =
                out[k * 32 + i] & (width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1);
            const bool is_active = ((mask >> i) & 1) != 0;
            if (is_active ? op_case::agrees(output, i, got, c.near) : got == op_case::old_value(output, i)) continue;
            std::ostringstream text;
            text << "  " << kernel << ", mask " << std::hex << mask << std::dec << ", lane " << i << ": " << output.name
                 << " = 0x" << std::hex << got << ", expected 0x"
                 << (is_active ? output.at(i) : op_case::old_value(output, i)) << ";";
            for (const op_case::Values& v : c.inputs) text << " " << v.name << " = 0x" << v.at(i);
            wrong += text.str() + "\n";
        }
    }
    return wrong;
}

}  // namespace

TEST_CASE("instruction cases hold on a real GPU", "[gpu]") {
    const Driver driver;
    if (!driver.why_not.empty()) {
        std::cout << "skipped: " << driver.why_not << "\n";
        return;
    }
    std::map<std::string, std::vector<OpCase>> by_file;
    for (OpCase& c : op_case::read_folder(std::string(WARPGRADE_SOURCE_DIR) + "/grader/tests/golden/ops")) {
        if (c.assembles) by_file[c.file].push_back(std::move(c));
    }
    Driver::Pointer from = 0, to = 0;
    REQUIRE(driver.cuMemAlloc_v2(&from, 8 * op_case::kRegisterBytes) == 0);
    REQUIRE(driver.cuMemAlloc_v2(&to, 8 * op_case::kRegisterBytes) == 0);
    std::string messages;
    std::size_t cases = 0;
    for (const auto& [file, list] : by_file) {
        std::string text = op_case::kHeader;
        for (std::size_t k = 0; k < list.size(); ++k)
            text += op_case::kernel_from_memory(list[k], "case_" + std::to_string(k), false);
        std::vector<char> log(4096);
        int options[] = {5, 6};  // CU_JIT_ERROR_LOG_BUFFER, its size
        void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
        void* module = nullptr;
        if (driver.cuModuleLoadDataEx(&module, text.c_str(), 2, options, values) != 0) {
            messages += file + " does not load:\n" + log.data() + "\n";
            continue;
        }
        for (std::size_t k = 0; k < list.size(); ++k) {
            const OpCase& c = list[k];
            std::string wrong =
                run(driver, module, c, "case_" + std::to_string(k), c.lanes != 0 ? c.lanes : 0xFFFFFFFFu, from, to);
            if (wrong.empty() && c.lanes == 0)
                wrong = run(driver, module, c, "case_" + std::to_string(k), 0x55555555u, from, to);
            if (!wrong.empty()) messages += c.where() + "\n" + wrong;
            ++cases;
        }
        driver.cuModuleUnload(module);
    }
    driver.cuMemFree_v2(from);
    driver.cuMemFree_v2(to);
    std::cout << cases << " cases on a real GPU\n";
    INFO(messages);
    CHECK(messages.empty());
}
