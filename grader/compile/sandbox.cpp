#include "compile/sandbox.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace warpgrade {
namespace {

void set_limit(int resource, rlim_t soft, rlim_t hard) {
    rlimit current{};
    if (getrlimit(resource, &current) != 0) return;
    const rlimit limit{std::min(soft, current.rlim_max), std::min(hard, current.rlim_max)};
    setrlimit(resource, &limit);
}
void set_limit(int resource, rlim_t value) { set_limit(resource, value, value); }

void close_from(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, ~0u, 0) == 0) return;
#endif
    for (int fd = first; fd < 65536; ++fd) close(fd);
}

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
constexpr std::uint64_t read_file = 1u << 2, read_folder = 1u << 3;

std::uint64_t filesystem_rights(long abi) {
    // 13 rights in ABI 1; then refer, truncate and device ioctl.
    std::uint64_t rights = (1u << 13) - 1;
    if (abi >= 2) rights |= 1u << 13;
    if (abi >= 3) rights |= 1u << 14;
    if (abi >= 5) rights |= 1u << 15;
    return rights;
}

void allow_reading(int ruleset, const std::string& path) {
    const int fd = open(path.c_str(), O_PATH | O_CLOEXEC);
    if (fd < 0) return;
    struct stat status {};
    const bool is_folder = fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
    const PathBeneath rule{is_folder ? read_file | read_folder : read_file, fd};
    syscall(add_rule_call, ruleset, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &rule, 0);
    close(fd);
}

}  // namespace

void limit_worker(const CompileLimits& limits) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close_from(3);
    // Between the two, SIGXCPU tells a time limit from other ends.
    set_limit(RLIMIT_CPU, limits.cpu_seconds, limits.cpu_seconds + 1);
    set_limit(RLIMIT_FSIZE, 0);
    set_limit(RLIMIT_CORE, 0);
#ifndef __SANITIZE_ADDRESS__  // AddressSanitizer maps terabytes it never touches
    set_limit(RLIMIT_AS, limits.memory_bytes);
#endif
}

std::string confine_worker(const std::vector<std::string>& readable) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return std::string("none: ") + std::strerror(errno);
    const long abi = syscall(create_ruleset_call, nullptr, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
    if (abi < 1) return std::string("none: ") + std::strerror(errno);
    const RulesetAttributes attributes{filesystem_rights(abi), abi >= 4 ? 3u : 0u, abi >= 6 ? 3u : 0u};
    const std::size_t size = abi >= 6 ? 24 : abi >= 4 ? 16 : 8;
    const int ruleset = static_cast<int>(syscall(create_ruleset_call, &attributes, size, 0));
    if (ruleset < 0) return std::string("none: ") + std::strerror(errno);
    for (const std::string& path : readable) allow_reading(ruleset, path);
    const bool is_confined = syscall(restrict_self_call, ruleset, 0) == 0;
    const std::string reason = std::strerror(errno);
    close(ruleset);
    return is_confined ? "landlock " + std::to_string(abi) : "none: " + reason;
}

}  // namespace warpgrade
