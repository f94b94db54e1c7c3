#include "base/walls.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace warpgrade {
namespace {

// linux/landlock.h, written out because older systems' headers lack the later members. Numbers: the kernel's
// Documentation/userspace-api/landlock.rst.
struct RulesetAttributes {
    std::uint64_t handled_access_fs;
    std::uint64_t handled_access_net;  // ABI 4
    std::uint64_t scoped;              // ABI 6
};
struct [[gnu::packed]] PathBeneath {
    std::uint64_t allowed_access;
    std::int32_t parent_fd;
};
constexpr long create_ruleset_call = 444, add_rule_call = 445, restrict_self_call = 446;
constexpr std::uint64_t write_file = 1u << 1, read_file = 1u << 2, read_folder = 1u << 3, truncate_file = 1u << 14,
                        control_device = 1u << 15;
constexpr std::uint64_t bind_and_connect = 3, signals_and_abstract_sockets = 3;

std::uint64_t filesystem_rights(long abi) {
    // 13 rights in ABI 1; then refer, truncate and device ioctl.
    std::uint64_t rights = (1u << 13) - 1;
    if (abi >= 2) rights |= 1u << 13;
    if (abi >= 3) rights |= truncate_file;
    if (abi >= 5) rights |= control_device;
    return rights;
}

void allow_below(int ruleset, const std::string& path, std::uint64_t of_files, std::uint64_t of_folders) {
    const int fd = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (fd < 0) return;
    struct stat status {};
    const bool is_folder = fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
    const PathBeneath rule{is_folder ? of_files | of_folders : of_files, fd};
    syscall(add_rule_call, ruleset, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &rule, 0);
    close(fd);
}

bool put_up_files(const Walls& walls) {
    const long abi = syscall(create_ruleset_call, nullptr, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
    if (abi < 1) return false;
    const std::uint64_t rights = filesystem_rights(abi);
    const RulesetAttributes attributes{rights, abi >= 4 ? bind_and_connect : 0,
                                       abi >= 6 ? signals_and_abstract_sockets : 0};
    const std::size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
    const int ruleset = static_cast<int>(syscall(create_ruleset_call, &attributes, size, 0));
    if (ruleset < 0) return false;
    for (const std::string& path : walls.readable) allow_below(ruleset, path, read_file, read_folder);
    for (const std::string& path : walls.devices)
        allow_below(ruleset, path, (read_file | write_file | truncate_file | control_device) & rights, read_folder);
    const bool stands = syscall(restrict_self_call, ruleset, 0) == 0;
    close(ruleset);
    return stands;
}

bool put_up_namespaces(unsigned threads) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC) != 0) return false;
    const rlimit limit{threads, threads};
    if (threads != 0) setrlimit(RLIMIT_NPROC, &limit);
    return true;
}

// After the user namespace, which comes with every capability over itself.
bool put_up_privileges() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct nothing[_LINUX_CAPABILITY_U32S_3] = {};
    const bool has_dropped = syscall(SYS_capset, &header, nothing) == 0;
    return has_dropped && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

void set_limit(int resource, rlim_t soft, rlim_t hard) {
    rlimit current{};
    if (getrlimit(resource, &current) != 0) return;
    const rlimit limit{std::min(soft, current.rlim_max), std::min(hard, current.rlim_max)};
    setrlimit(resource, &limit);
}
void set_limit(int resource, rlim_t value) { set_limit(resource, value, value); }

}  // namespace

const std::vector<WallWords>& wall_words() {
    static const std::vector<WallWords> words{
        {Wall::system_calls, "seccomp", "files, connections, programs, signals, other processes",
         "a kernel with CONFIG_SECCOMP_FILTER; in a container, its own profile must let filters be set"},
        {Wall::files, "landlock", "files, TCP connections, signals to other processes",
         "Linux 5.13 or newer with CONFIG_SECURITY_LANDLOCK; in a container, its profile must allow it"},
        {Wall::namespaces, "namespaces", "every network, and memory that processes share",
         "allow user namespaces to those who are not root: sysctl kernel.unprivileged_userns_clone, or "
         "kernel.apparmor_restrict_unprivileged_userns"},
        {Wall::privileges, "privileges", "set-user-ID programs, capabilities, being looked into", ""},
    };
    return words;
}

WallSet WallSet::all() {
    WallSet set;
    for (const WallWords& one : wall_words()) set = set.with(one.wall);
    return set;
}

WallSet WallSet::from_bits(unsigned bits) {
    WallSet set;
    for (const WallWords& one : wall_words()) set.bits_ |= bits & bit(one.wall);
    return set;
}

std::vector<std::string> WallSet::list() const {
    std::vector<std::string> names;
    for (const WallWords& one : wall_words())
        if (has(one.wall)) names.push_back(one.name);
    return names;
}

std::string WallSet::names() const {
    std::string text;
    for (const std::string& name : list()) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "none" : text;
}

WallSet put_up(const Walls& walls) {
    WallSet standing;
    const auto raise = [&](Wall wall, auto&& put) {
        if (walls.wanted.has(wall) && put()) standing = standing.with(wall);
    };
    raise(Wall::namespaces, [&] { return put_up_namespaces(walls.threads); });
    // Landlock and seccomp ask for it as well.
    const bool is_bound = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    raise(Wall::privileges, [&] { return is_bound && put_up_privileges(); });
    end_with_parent();
    raise(Wall::files, [&] { return put_up_files(walls); });
    raise(Wall::system_calls, [&] { return filter_system_calls(walls.calls); });
    return standing;
}

void end_with_parent() { prctl(PR_SET_PDEATHSIG, SIGKILL); }

void limit_process(const ProcessLimits& limits) {
    end_with_parent();
    // Between the two, SIGXCPU tells a time limit from other ends.
    if (limits.cpu_seconds != 0) set_limit(RLIMIT_CPU, limits.cpu_seconds, limits.cpu_seconds + 1);
    set_limit(RLIMIT_FSIZE, 0);
    set_limit(RLIMIT_CORE, 0);
#ifndef __SANITIZE_ADDRESS__  // AddressSanitizer maps terabytes it never touches
    if (limits.address_space_bytes != 0) set_limit(RLIMIT_AS, limits.address_space_bytes);
    if (limits.data_bytes != 0) set_limit(RLIMIT_DATA, limits.data_bytes);
#endif
}

void close_descriptors_from(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, ~0u, 0) == 0) return;
#endif
    for (int fd = first; fd < 65536; ++fd) close(fd);
}

}  // namespace warpgrade
