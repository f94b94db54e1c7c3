#ifndef SUPPORT_CHECK_H
#define SUPPORT_CHECK_H
#include <cstdio>
#include <cstdlib>
#include <cstring>

// The name of the file without its folder.
inline const char *short_name(const char *path) {
    const char *slash = std::strrchr(path, '/');
    return slash ? slash + 1 : path;
}

#define CHECK(call)                                                                                        \
    do {                                                                                                   \
        cudaError_t error_ = (call);                                                                       \
        if (error_ != cudaSuccess) {                                                                       \
            std::printf("%s:%d: %s\n", short_name(__FILE__), __LINE__, cudaGetErrorString(error_));        \
            std::exit(3);                                                                                  \
        }                                                                                                  \
    } while (0)
#endif
