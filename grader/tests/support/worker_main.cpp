// The kit's workers as a program of its own, with the made-up driver inside.
#include <cstring>

#include "compile/compiler.hpp"
#include "device/cuda_protocol.hpp"

int main(int argc, char* argv[]) {
    if (argc == 2 && std::strcmp(argv[1], "compile-worker") == 0) return warpgrade::compile_worker_main();
    if (argc == 2 && std::strcmp(argv[1], "gpu-worker") == 0) return warpgrade::cuda::worker_main();
    return 2;
}
