// What somebody who has taken over a process tries next: system calls, without the C library's help.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace warpgrade::tests {

// What there is to harm. Made by the test, before the walls go up.
struct Prey {
    std::string folder;       // may be written by this user
    std::string secret;       // a file in it
    std::string unix_socket;  // somebody listens there
    std::string abstract_name;
    int tcp_port = 0, udp_port = 0;
    int process = 0;  // of the same user; it waits
    int parent = 0;
    int message_queue = -1, shared_memory = -1;  // keys of System V; -1: this machine has none
};

struct Attack {
    const char* name;
    bool landlock_stops;           // alone, on a kernel with ABI 1
    long (*attempt)(const Prey&);  // negative: it failed
};

template <class... T>
long call(long number, T... arguments) {
    return ::syscall(number, arguments...);
}

// The instruction itself: a filter sits in the kernel, not in the library.
#if defined(__x86_64__)
inline long bare_call(long number, long a, long b = 0, long c = 0, long d = 0) {
    long result;
    register long r10 asm("r10") = d;
    asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
    return result;
}
#else
inline long bare_call(long number, long a, long b = 0, long c = 0, long d = 0) { return ::syscall(number, a, b, c, d); }
#endif
inline long address_of(const void* pointer) { return reinterpret_cast<long>(pointer); }

inline std::string in(const Prey& prey, const char* name) { return prey.folder + "/" + name; }

inline long connect_to(int family, int type, const sockaddr* address, socklen_t size) {
    const long fd = call(SYS_socket, family, type, 0);
    return fd < 0 ? fd : call(SYS_connect, fd, address, size);
}

inline sockaddr_in local(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

inline long connect_tcp(const Prey& prey) {
    const sockaddr_in address = local(prey.tcp_port);
    return connect_to(AF_INET, SOCK_STREAM, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}
inline long send_udp(const Prey& prey) {
    const sockaddr_in address = local(prey.udp_port);
    const long fd = call(SYS_socket, AF_INET, SOCK_DGRAM, 0);
    return fd < 0 ? fd : call(SYS_sendto, fd, "x", 1, 0, &address, sizeof address);
}
inline long connect_unix(const Prey& prey) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, prey.unix_socket.c_str(), sizeof address.sun_path - 1);
    return connect_to(AF_UNIX, SOCK_STREAM, reinterpret_cast<const sockaddr*>(&address), sizeof address);
}
inline long connect_abstract(const Prey& prey) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, prey.abstract_name.data(), prey.abstract_name.size());
    return connect_to(AF_UNIX, SOCK_STREAM, reinterpret_cast<const sockaddr*>(&address),
                      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + prey.abstract_name.size()));
}

inline long run_program(const Prey&) {
    const char* words[] = {"/bin/true", nullptr};
    const char* nothing[] = {nullptr};
    return call(SYS_execve, words[0], words, nothing);
}
inline long run_descriptor(const Prey&) {
    const long fd = call(SYS_openat, AT_FDCWD, "/bin/true", O_PATH);
    const char* words[] = {"true", nullptr};
    return fd < 0 ? fd : call(SYS_execveat, fd, "", words, words + 1, AT_EMPTY_PATH);
}
inline long start_process(const Prey&) {
    const long pid = call(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (pid == 0) _exit(0);
    return pid;
}

inline long read_memory_of(int process) {
    int here = 0;
    const iovec own{&here, sizeof here};
    const iovec theirs{&here, sizeof here};  // a copy of this process has the same addresses
    return call(SYS_process_vm_readv, process, &own, 1, &theirs, 1, 0);
}
inline long write_memory_of(int process) {
    static int here = 0;
    const iovec own{&here, sizeof here};
    return call(SYS_process_vm_writev, process, &own, 1, &own, 1, 0);
}
inline long open_memory_of(int process) {
    const std::string path = "/proc/" + std::to_string(process) + "/mem";
    return call(SYS_openat, AT_FDCWD, path.c_str(), O_RDWR);
}

inline long map_new_code(const Prey&) {
    void* at = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? -1 : 0;
}

inline long mount_over(const Prey& prey) {
    const long done = call(SYS_mount, "none", prey.folder.c_str(), "tmpfs", 0, nullptr);
    if (done == 0) call(SYS_umount2, prey.folder.c_str(), 0);
    return done;
}
inline long open_message_queue(const Prey&) {
    const long queue = call(SYS_mq_open, "warpgrade-attack", O_RDWR | O_CREAT, 0600, nullptr);
    if (queue >= 0) call(SYS_mq_unlink, "warpgrade-attack");
    return queue;
}

inline const std::vector<Attack>& attacks() {
    static const std::vector<Attack> all{
        {"read a file", true, [](const Prey& p) { return call(SYS_openat, AT_FDCWD, p.secret.c_str(), O_RDONLY); }},
        {"read a file, with the bare instruction", true,
         [](const Prey& p) { return bare_call(SYS_openat, AT_FDCWD, address_of(p.secret.c_str()), O_RDONLY); }},
        {"read /etc/passwd", true, [](const Prey&) { return call(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY); }},
        {"list a folder", true,
         [](const Prey& p) { return call(SYS_openat, AT_FDCWD, p.folder.c_str(), O_RDONLY | O_DIRECTORY); }},
        {"create a file", true,
         [](const Prey& p) { return call(SYS_openat, AT_FDCWD, in(p, "new").c_str(), O_WRONLY | O_CREAT, 0600); }},
        {"write into a file", true,
         [](const Prey& p) { return call(SYS_openat, AT_FDCWD, p.secret.c_str(), O_WRONLY); }},
        {"rename a file", true,
         [](const Prey& p) {
             return call(SYS_renameat2, AT_FDCWD, p.secret.c_str(), AT_FDCWD, in(p, "renamed").c_str(), 0);
         }},
        {"link a file", true,
         [](const Prey& p) {
             return call(SYS_linkat, AT_FDCWD, p.secret.c_str(), AT_FDCWD, in(p, "link").c_str(), 0);
         }},
        {"make a folder", true, [](const Prey& p) { return call(SYS_mkdirat, AT_FDCWD, in(p, "d").c_str(), 0700); }},
        {"make a symbolic link", true,
         [](const Prey& p) { return call(SYS_symlinkat, "/etc/passwd", AT_FDCWD, in(p, "s").c_str()); }},
        {"change a file's mode", false,
         [](const Prey& p) { return call(SYS_fchmodat, AT_FDCWD, p.secret.c_str(), 0777); }},
        {"remove a file", true, [](const Prey& p) { return call(SYS_unlinkat, AT_FDCWD, p.secret.c_str(), 0); }},
        {"connect by TCP", false, connect_tcp},
        {"send by UDP", false, send_udp},
        {"connect to a socket by its path", false, connect_unix},
        {"connect to an abstract socket", false, connect_abstract},
        {"talk to the kernel by netlink", false, [](const Prey&) { return call(SYS_socket, AF_NETLINK, SOCK_RAW, 0); }},
        {"make a pair of sockets", false,
         [](const Prey&) {
             int ends[2];
             return call(SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, ends);
         }},
        {"run a program", true, run_program},
        {"run a program by a descriptor", true, run_descriptor},
        {"start a process", false, start_process},
        {"start a process by clone3", false,
         [](const Prey&) {
             std::uint64_t arguments[11] = {};
             arguments[4] = SIGCHLD;
             const long pid = call(435, arguments, sizeof arguments);
             if (pid == 0) _exit(0);
             return pid;
         }},
        {"end another process", false, [](const Prey& p) { return call(SYS_kill, p.process, SIGTERM); }},
        {"signal the parent", false, [](const Prey& p) { return call(SYS_kill, p.parent, 0); }},
        {"signal the parent's thread", false, [](const Prey& p) { return call(SYS_tgkill, p.parent, p.parent, 0); }},
        {"signal the own group", false, [](const Prey&) { return call(SYS_kill, 0, 0); }},
        {"signal everybody", false, [](const Prey&) { return call(SYS_kill, -1, 0); }},
        {"queue a signal", false,
         [](const Prey& p) {
             siginfo_t info{};
             info.si_code = SI_QUEUE;
             return call(SYS_rt_sigqueueinfo, p.parent, 0, &info);
         }},
        {"hold a process by a descriptor", false, [](const Prey& p) { return call(434, p.parent, 0); }},
        {"trace another process", false,
         [](const Prey& p) { return call(SYS_ptrace, PTRACE_SEIZE, p.process, nullptr, nullptr); }},
        {"be traced", false, [](const Prey&) { return call(SYS_ptrace, PTRACE_TRACEME, 0, nullptr, nullptr); }},
        {"read another process's memory", false, [](const Prey& p) { return read_memory_of(p.parent); }},
        {"write another process's memory", false, [](const Prey& p) { return write_memory_of(p.parent); }},
        {"open the parent's memory", true, [](const Prey& p) { return open_memory_of(p.parent); }},
        {"change another process's limits", false,
         [](const Prey& p) {
             rlimit limit{0, 0};
             return call(SYS_prlimit64, p.process, RLIMIT_CORE, &limit, nullptr);
         }},
        {"map new code", false, map_new_code},
        {"mount", true, mount_over},
        {"change the root", false, [](const Prey& p) { return call(SYS_chroot, p.folder.c_str()); }},
        {"become another user", false, [](const Prey&) { return call(SYS_setuid, 1); }},
        {"become root", false, [](const Prey&) { return call(SYS_setresuid, 0, 0, 0); }},
        {"a new user name space", false, [](const Prey&) { return call(SYS_unshare, CLONE_NEWUSER); }},
        {"a new mount name space", false, [](const Prey&) { return call(SYS_unshare, CLONE_NEWNS); }},
        {"load a BPF program", false,
         [](const Prey&) {
             bpf_attr attributes{};
             attributes.map_type = BPF_MAP_TYPE_ARRAY;
             attributes.key_size = attributes.value_size = 4;
             attributes.max_entries = 1;
             return call(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes);
         }},
        {"io_uring", false,
         [](const Prey&) {
             io_uring_params parameters{};
             return call(425, 4, &parameters);
         }},
        {"userfaultfd", false, [](const Prey&) { return call(SYS_userfaultfd, O_CLOEXEC | 1 /* user mode only */); }},
        {"perf_event_open", false,
         [](const Prey&) {
             perf_event_attr attributes{};
             attributes.type = PERF_TYPE_SOFTWARE;
             attributes.size = sizeof attributes;
             attributes.exclude_kernel = 1;
             return call(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
         }},
        {"be dumpable again", false, [](const Prey&) { return call(SYS_prctl, PR_SET_DUMPABLE, 1, 0, 0, 0); }},
        {"outlive the parent", false, [](const Prey&) { return call(SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0); }},
        {"a file in memory", false, [](const Prey&) { return call(SYS_memfd_create, "x", 0); }},
        {"System V shared memory", false,
         [](const Prey& p) { return p.shared_memory < 0 ? -1 : call(SYS_shmget, p.shared_memory, 16, 0); }},
        {"a System V message queue", false,
         [](const Prey& p) { return p.message_queue < 0 ? -1 : call(SYS_msgget, p.message_queue, 0); }},
        {"a POSIX message queue", false, open_message_queue},
        {"the session's keys", false,
         [](const Prey&) { return call(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 1); }},
        {"change the personality", false, [](const Prey&) { return call(SYS_personality, 0x0040000); }},
        {"set the clock", false, [](const Prey&) { return call(SYS_settimeofday, nullptr, nullptr); }},
    };
    return all;
}

}  // namespace warpgrade::tests
