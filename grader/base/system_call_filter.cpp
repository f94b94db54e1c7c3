#include "base/system_call_filter.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace warpgrade {
namespace {

constexpr std::uint32_t allow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;
constexpr std::uint32_t unknown = SECCOMP_RET_ERRNO | ENOSYS;  // the C library then does without

// Of an argument only the low half is looked at: all of these are ints, or flags below 2^32 to the kernel as well.
struct Test {
    int argument = -1;  // -1: any
    std::uint32_t mask = 0, value = 0;
};
constexpr Test any{};

// The program that the kernel runs at every call. The first rule that fits decides.
class Filter {
public:
    Filter() {
#if defined(__x86_64__)
        load(offsetof(seccomp_data, arch));
        add(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
        add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
        load(offsetof(seccomp_data, nr));
        add(BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1);  // the x32 calls are the same ones under other numbers
        add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
#elif defined(__aarch64__)
        load(offsetof(seccomp_data, arch));
        add(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_AARCH64, 1, 0);
        add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
        load(offsetof(seccomp_data, nr));
#endif
    }
    void rule(int call, std::uint32_t action, const Test& test = any) {
        const std::uint8_t skipped = test.argument < 0 ? 1 : 5;
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, skipped);
        if (test.argument >= 0) {
            // Little-endian: the low half comes first.
            load(offsetof(seccomp_data, args) + 8u * static_cast<std::uint32_t>(test.argument));
            add(BPF_ALU | BPF_AND | BPF_K, test.mask);
            add(BPF_JMP | BPF_JEQ | BPF_K, test.value, 0, 1);
            add(BPF_RET | BPF_K, action);
            load(offsetof(seccomp_data, nr));
        } else {
            add(BPF_RET | BPF_K, action);
        }
    }
    void rules(std::initializer_list<int> calls, std::uint32_t action) {
        for (const int call : calls) rule(call, action);
    }
    void above(int call, std::uint32_t action) {
        add(BPF_JMP | BPF_JGT | BPF_K, static_cast<std::uint32_t>(call), 0, 1);
        add(BPF_RET | BPF_K, action);
    }
    bool install(std::uint32_t otherwise) {
        add(BPF_RET | BPF_K, otherwise);
        const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
        return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
    }

private:
    void add(int code, std::uint32_t k, std::uint8_t if_true = 0, std::uint8_t if_false = 0) {
        code_.push_back({static_cast<std::uint16_t>(code), if_true, if_false, k});
    }
    void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
    std::vector<sock_filter> code_;
};

// A thread, and nothing that could be called a process or a name space.
constexpr std::uint32_t thread_flags = CLONE_VM | CLONE_THREAD | CLONE_SIGHAND;
constexpr std::uint32_t namespace_flags =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
constexpr Test is_thread{0, thread_flags | namespace_flags, thread_flags};

Test is_own_process() { return {0, ~0u, static_cast<std::uint32_t>(getpid())}; }

// What the interpreter, the C++ library and the allocator ask for once everything is open.
bool filter_all_but_own_memory() {
    Filter filter;
    filter.rules({SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise}, allow);
    for (const int call : {SYS_mmap, SYS_mprotect}) filter.rule(call, allow, {2, PROT_EXEC, 0});  // no new code
    filter.rule(SYS_clone, allow, is_thread);
    filter.rules({SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_set_tid_address, SYS_gettid, SYS_getpid, SYS_exit,
                  SYS_exit_group, SYS_sched_yield, SYS_sched_getaffinity, SYS_getcpu, SYS_restart_syscall},
                 allow);
    filter.rules({SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack}, allow);
    filter.rule(SYS_tgkill, allow, is_own_process());  // abort()
    filter.rule(SYS_prlimit64, allow, {0, ~0u, 0});    // its own: up to what was set for good
    filter.rules({SYS_read, SYS_write, SYS_recvfrom, SYS_sendto, SYS_ppoll, SYS_close}, allow);
    filter.rules({SYS_clock_gettime, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_getrusage, SYS_getrandom,
                  SYS_sysinfo, SYS_uname},
                 allow);
#if defined(__x86_64__)
    filter.rules({SYS_poll, SYS_time}, allow);
#endif
#ifdef __SANITIZE_ADDRESS__
    filter.rule(SYS_pipe2, allow);  // with a pipe of its own UBSan sees whether memory is there, before it reads a type
#endif
    return filter.install(unknown);
}

// Calls that change something outside of the process, or look into another one.
void refuse_harm(Filter& filter) {
    // Programs and processes.
    filter.rules({SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, SYS_kill,
                  SYS_tkill, SYS_rt_sigqueueinfo, SYS_setpgid, SYS_setsid, SYS_setpriority, SYS_ioprio_set,
                  SYS_sched_setparam, SYS_sched_setscheduler, SYS_sched_setattr, SYS_migrate_pages, SYS_move_pages},
                 refuse);
    filter.rule(SYS_clone, allow, is_thread);
    filter.rules({SYS_clone, SYS_unshare, SYS_setns}, refuse);
    for (const int call : {SYS_tgkill, SYS_rt_tgsigqueueinfo}) {
        filter.rule(call, allow, is_own_process());
        filter.rule(call, refuse);
    }
    for (const int call : {SYS_prlimit64, SYS_sched_setaffinity}) {
        filter.rule(call, allow, {0, ~0u, 0});
        filter.rule(call, refuse);
    }
    for (const std::uint32_t command : {F_SETOWN, F_SETOWN_EX}) filter.rule(SYS_fcntl, refuse, {1, ~0u, command});
    // What can be traced, and by whom; an end with the parent.
    for (const std::uint32_t option : {PR_SET_DUMPABLE, PR_SET_PTRACER, PR_SET_PDEATHSIG, PR_SET_MM})
        filter.rule(SYS_prctl, refuse, {0, ~0u, option});
    // Names of files, and what they stand for.
    filter.rules({SYS_linkat,
                  SYS_symlinkat,
                  SYS_unlinkat,
                  SYS_renameat,
                  SYS_renameat2,
                  SYS_mkdirat,
                  SYS_mknodat,
                  SYS_truncate,
                  SYS_fchmod,
                  SYS_fchmodat,
                  SYS_fchown,
                  SYS_fchownat,
                  SYS_utimensat,
                  SYS_setxattr,
                  SYS_lsetxattr,
                  SYS_fsetxattr,
                  SYS_removexattr,
                  SYS_lremovexattr,
                  SYS_fremovexattr,
                  SYS_chroot,
                  SYS_pivot_root,
                  SYS_mount,
                  SYS_umount2,
                  SYS_swapon,
                  SYS_swapoff,
                  SYS_quotactl,
                  SYS_acct,
                  SYS_fanotify_init,
                  SYS_inotify_add_watch,
                  SYS_name_to_handle_at,
                  SYS_open_by_handle_at},
                 refuse);
    // The kernel's own state, and what it runs for others.
    filter.rules({SYS_bpf,         SYS_perf_event_open, SYS_userfaultfd,   SYS_keyctl,        SYS_add_key,
                  SYS_request_key, SYS_init_module,     SYS_finit_module,  SYS_delete_module, SYS_kexec_load,
                  SYS_reboot,      SYS_settimeofday,    SYS_clock_settime, SYS_adjtimex,      SYS_clock_adjtime,
                  SYS_sethostname, SYS_setdomainname,   SYS_personality,   SYS_syslog,        SYS_vhangup},
                 refuse);
    // Memory that processes share, and who the process is.
    filter.rules({SYS_shmget,   SYS_shmat,    SYS_shmctl,    SYS_semget,   SYS_semop,     SYS_semctl,
                  SYS_msgget,   SYS_msgsnd,   SYS_msgrcv,    SYS_msgctl,   SYS_mq_open,   SYS_mq_unlink,
                  SYS_setuid,   SYS_setgid,   SYS_setreuid,  SYS_setregid, SYS_setresuid, SYS_setresgid,
                  SYS_setfsuid, SYS_setfsgid, SYS_setgroups, SYS_capset},
                 refuse);
#if defined(__x86_64__)
    // What other machines never had.
    filter.rules(
        {SYS_fork,  SYS_vfork,  SYS_link,       SYS_symlink, SYS_unlink, SYS_rename, SYS_mkdir,          SYS_rmdir,
         SYS_mknod, SYS_creat,  SYS_chmod,      SYS_chown,   SYS_lchown, SYS_utime,  SYS_utimes,         SYS_futimesat,
         SYS_iopl,  SYS_ioperm, SYS_modify_ldt, SYS_uselib,  SYS_ustat,  SYS_sysfs,  SYS_kexec_file_load},
        refuse);
#endif
    filter.rules({SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4}, refuse);
}

// From here on (Linux 5.1) calls have one number on all machines, and every one has an older sister that does for what
// is wanted here: io_uring, pidfd_open, clone3, openat2, the new mount calls, memfd_secret.
constexpr int newest_needed_call = 423;

bool filter_harm(SystemCalls calls) {
    Filter filter;
    filter.above(newest_needed_call, unknown);
    refuse_harm(filter);
    if (calls == SystemCalls::reading) {
        constexpr std::uint32_t writing = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
#if defined(__x86_64__)
        filter.rule(SYS_open, allow, {1, writing, O_RDONLY});
        filter.rule(SYS_open, refuse);
#endif
        filter.rule(SYS_openat, allow, {2, writing, O_RDONLY});
        filter.rules({SYS_openat, SYS_memfd_create, SYS_ftruncate, SYS_fallocate}, refuse);
    }
    return filter.install(allow);
}

}  // namespace

bool filter_system_calls(SystemCalls calls) {
#if defined(__x86_64__) || defined(__aarch64__)
    return calls == SystemCalls::own_memory ? filter_all_but_own_memory() : filter_harm(calls);
#else
    static_cast<void>(calls);
    return false;
#endif
}

}  // namespace warpgrade
