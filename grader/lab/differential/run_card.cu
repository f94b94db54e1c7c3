// The card's side of the differential test: runs units of kernels (unit.hpp) through the driver and writes what `out`
// holds. Knows nothing of the kit.
//
//     nvcc -O2 -std=c++17 -o run_card run_card.cu -lcuda
//     run_card [--timeout SECONDS] STEM...      or "-": stems on standard input
//
// STEM.card.txt has a line for each kernel that did not run to its end: kernel, number and name of the driver's error.
// A kernel that takes longer than the timeout (20 s) ends the program with code 3: the card's context is lost with it.
#include <cuda.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "unit.hpp"

namespace {

unsigned timeout_seconds = 20;

std::string name_of(CUresult error) {
    const char* name = nullptr;
    cuGetErrorName(error, &name);
    return std::to_string(static_cast<int>(error)) + " " + (name != nullptr ? name : "?");
}

void must(CUresult error, const char* what) {
    if (error != CUDA_SUCCESS) throw std::runtime_error(std::string(what) + ": " + name_of(error));
}

// A context with a module in it. After a fault both are of no use, and another one is made.
class Card {
public:
    explicit Card(const differential::Unit& unit) : unit_(unit) { open(); }
    ~Card() { close(); }
    std::string load_error() const { return load_error_; }

    // An empty text: the kernel ran to its end.
    std::string run(const differential::Kernel& k, std::vector<std::uint32_t>& words) {
        const std::string error = try_to_run(k, words);
        if (!error.empty()) {
            close();
            CUdevice device;
            must(cuDeviceGet(&device, 0), "cuDeviceGet");
            must(cuDevicePrimaryCtxReset(device), "cuDevicePrimaryCtxReset");
            open();
        }
        return error;
    }

private:
    void open() {
        CUdevice device;
        CUcontext context;
        must(cuDeviceGet(&device, 0), "cuDeviceGet");
        must(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
        must(cuCtxSetCurrent(context), "cuCtxSetCurrent");
        const std::size_t out_bytes = std::size_t(unit_.most_out_words()) * 4;
        must(cuMemAlloc(&in_, differential::in_words * 4), "cuMemAlloc");
        must(cuMemAlloc(&out_, out_bytes), "cuMemAlloc");
        std::vector<std::uint32_t> words(differential::in_words);
        for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = differential::in_word(unit_.seed, i);
        must(cuMemcpyHtoD(in_, words.data(), words.size() * 4), "cuMemcpyHtoD");
        fill_.resize(unit_.most_out_words());
        for (std::uint32_t i = 0; i < fill_.size(); ++i) fill_[i] = differential::out_word(unit_.seed, i);
        std::vector<char> log(8192);
        CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
        const CUresult error = cuModuleLoadDataEx(&module_, unit_.ptx.c_str(), 2, names, values);
        if (error != CUDA_SUCCESS) {
            module_ = nullptr;
            load_error_ = name_of(error) + " " + log.data();
            for (char& c : load_error_) c = c == '\n' ? ' ' : c;
        }
    }
    void close() {
        if (module_ != nullptr) cuModuleUnload(module_);
        cuMemFree(in_);
        cuMemFree(out_);
        module_ = nullptr;
        CUdevice device;
        if (cuDeviceGet(&device, 0) == CUDA_SUCCESS) cuDevicePrimaryCtxRelease(device);
    }
    std::string try_to_run(const differential::Kernel& k, std::vector<std::uint32_t>& words) {
        CUfunction function;
        if (const CUresult error = cuModuleGetFunction(&function, module_, k.name.c_str())) return name_of(error);
        if (const CUresult error = cuMemcpyHtoD(out_, fill_.data(), k.out_words * 4)) return name_of(error);
        void* parameters[] = {&in_, &out_};
        alarm(timeout_seconds);
        CUresult error = cuLaunchKernel(function, k.grid_x, 1, 1, k.block_x, k.block_y, 1, k.shared_bytes, nullptr,
                                        parameters, nullptr);
        if (error == CUDA_SUCCESS) error = cuCtxSynchronize();
        alarm(0);
        if (error == CUDA_SUCCESS) error = cuMemcpyDtoH(words.data(), out_, k.out_words * 4);
        return error == CUDA_SUCCESS ? "" : name_of(error);
    }

    const differential::Unit& unit_;
    CUmodule module_ = nullptr;
    CUdeviceptr in_ = 0, out_ = 0;
    std::vector<std::uint32_t> fill_;
    std::string load_error_;
};

void run_unit(const std::string& stem) {
    const differential::Unit unit = differential::read_unit(stem);
    differential::Outcome outcome(stem, "card");
    Card card(unit);
    if (!card.load_error().empty()) outcome.say("* " + card.load_error());
    std::vector<std::uint32_t> words(unit.most_out_words());
    for (const differential::Kernel& k : unit.kernels) {
        std::string error = card.load_error();
        if (error.empty()) {
            error = card.run(k, words);
            if (!error.empty()) outcome.say(k.name + " " + error);
        }
        outcome.add(error.empty() ? 0 : card.load_error().empty() ? 1 : 2, words.data(), k.out_words);
    }
    outcome.write();
}

}  // namespace

int main(int count, char** arguments) {
    if (count > 2 && std::strcmp(arguments[1], "--timeout") == 0) {
        timeout_seconds = static_cast<unsigned>(std::atoi(arguments[2]));
        arguments += 2;
        count -= 2;
    }
    signal(SIGALRM, [](int) { _exit(3); });
    try {
        must(cuInit(0), "cuInit");
        // The context is kept over all units: each run_unit retains it once more.
        CUdevice device;
        CUcontext context;
        must(cuDeviceGet(&device, 0), "cuDeviceGet");
        must(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
        return differential::run_stems(count, arguments, run_unit);
    } catch (const std::exception& e) {
        std::cerr << "run_card: " << e.what() << "\n";
        return 2;
    }
}
