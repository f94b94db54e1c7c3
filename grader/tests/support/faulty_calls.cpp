// Loaded into a program with LD_PRELOAD: one call of one function of the C library fails, as it may on any machine.
//
//   WARPGRADE_FAULT="write:3:28"   the third write to a file fails with errno 28 (no space left on the device)
//   WARPGRADE_FAULT_DONE=FILE      is created when that has happened: the program made that many calls
//
// Functions: open (for writing), write (to files), short_write (writes half and says so; the next fails), fsync,
// rename, mkdir, read (of files), malloc (of 64 KiB and more), thread (pthread_create), fork, spawn (posix_spawn),
// socketpair, clock (from the call on, the real-time clock is an hour ahead and then an hour behind, in turns).
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

extern "C" void* __libc_malloc(std::size_t);

namespace {

struct Fault {
    char function[16] = {};
    long number = 0;
    int error = 0;
    const char* done = nullptr;
};

// Read on first use, without memory from malloc: the first use may be in malloc.
const Fault& fault() {
    static Fault one;
    static std::atomic<bool> is_read{false};
    if (!is_read.load(std::memory_order_acquire)) {
        Fault read;
        if (const char* text = std::getenv("WARPGRADE_FAULT")) {
            const char* colon = std::strchr(text, ':');
            if (colon && colon - text < 16) {
                std::memcpy(read.function, text, static_cast<std::size_t>(colon - text));
                char* end = nullptr;
                read.number = std::strtol(colon + 1, &end, 10);
                if (end && *end == ':') read.error = std::atoi(end + 1);
            }
        }
        read.done = std::getenv("WARPGRADE_FAULT_DONE");
        one = read;
        is_read.store(true, std::memory_order_release);
    }
    return one;
}

bool is_wanted(const char* function) { return std::strcmp(fault().function, function) == 0; }

void note() {
    if (fault().done) {
        const long fd = syscall(SYS_openat, AT_FDCWD, fault().done, O_WRONLY | O_CREAT, 0600);
        if (fd >= 0) syscall(SYS_close, fd);
    }
}

std::atomic<long> calls{0};

// True for the call that is to fail; errno is set then.
bool fails(const char* function) {
    if (!is_wanted(function) || calls.fetch_add(1) + 1 != fault().number) return false;
    note();
    errno = fault().error;
    return true;
}

bool is_file(int fd) {
    struct stat status {};
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

template <class F>
F next(const char* name) {
    return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

bool writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY; }

mode_t mode_in(int flags, va_list list) { return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, mode_t) : 0; }

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    const mode_t mode = mode_in(flags, list);
    va_end(list);
    if (writes(flags) && fails("open")) return -1;
    return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
int open64(const char* path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    const mode_t mode = mode_in(flags, list);
    va_end(list);
    if (writes(flags) && fails("open")) return -1;
    return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
int openat(int folder, const char* path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    const mode_t mode = mode_in(flags, list);
    va_end(list);
    if (writes(flags) && fails("open")) return -1;
    return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}
ssize_t write(int fd, const void* bytes, size_t count) {
    if (is_wanted("short_write") && is_file(fd)) {
        const long number = calls.fetch_add(1) + 1;
        if (number == fault().number && count > 1) {
            note();
            count /= 2;
        } else if (number == fault().number + 1) {
            errno = fault().error;
            return -1;
        }
    } else if (is_wanted("write") && is_file(fd) && fails("write")) {
        return -1;
    }
    return syscall(SYS_write, fd, bytes, count);
}
ssize_t read(int fd, void* bytes, size_t count) {
    if (is_wanted("read") && is_file(fd) && fails("read")) return -1;
    return syscall(SYS_read, fd, bytes, count);
}
int fsync(int fd) { return fails("fsync") ? -1 : static_cast<int>(syscall(SYS_fsync, fd)); }
int rename(const char* from, const char* to) {
    return fails("rename") ? -1 : static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
    return fails("rename") ? -1 : static_cast<int>(syscall(SYS_renameat2, from_folder, from, to_folder, to, 0));
}
int mkdir(const char* path, mode_t mode) {
    return fails("mkdir") ? -1 : static_cast<int>(syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}
int mkdirat(int folder, const char* path, mode_t mode) {
    return fails("mkdir") ? -1 : static_cast<int>(syscall(SYS_mkdirat, folder, path, mode));
}
void* malloc(size_t size) {
    if (size >= 65536 && fails("malloc")) return nullptr;
    return __libc_malloc(size);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
    if (fails("thread")) return fault().error;
    static const auto real = next<decltype(&pthread_create)>("pthread_create");
    return real(thread, attributes, run, argument);
}
pid_t fork() {
    if (fails("fork")) return -1;
    static const auto real = next<decltype(&fork)>("fork");
    return real();
}
int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const arguments[], char* const environment[]) {
    if (fails("spawn")) return fault().error;
    static const auto real = next<decltype(&posix_spawn)>("posix_spawn");
    return real(pid, path, actions, attributes, arguments, environment);
}
int socketpair(int domain, int type, int protocol, int ends[2]) {
    return fails("socketpair") ? -1 : static_cast<int>(syscall(SYS_socketpair, domain, type, protocol, ends));
}
int clock_gettime(clockid_t clock, timespec* time) {
    const int status = static_cast<int>(syscall(SYS_clock_gettime, clock, time));
    if (status == 0 && clock == CLOCK_REALTIME && is_wanted("clock")) {
        const long number = calls.fetch_add(1) + 1;
        if (number == fault().number) note();
        if (number >= fault().number) time->tv_sec += number % 2 != 0 ? 3600 : -3600;
    }
    return status;
}

}  // extern "C"
