#pragma once

#include <cstdlib>
#include <ctime>

[[noreturn]] static __device__ inline void _exit(int code) { _Exit(code); }
static __device__ inline int usleep(unsigned) { return 0; }
static __device__ inline unsigned sleep(unsigned) { return 0; }
