#pragma once

#include <cstdlib>
#include <ctime>

[[noreturn]] static __HOST_CODE inline void _exit(int code) { _Exit(code); }
static __HOST_CODE inline int usleep(unsigned) { return 0; }
static __HOST_CODE inline unsigned sleep(unsigned) { return 0; }
