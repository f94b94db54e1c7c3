#include "proof/isl.hpp"

#include <dlfcn.h>

#include <optional>
#include <unordered_map>

namespace warpgrade::proof {
namespace {

using IslContext = struct IslContextHandle*;
using IslSet = struct IslSetHandle*;

// Names and signatures from isl's manual; isl_bool and isl_stat are int, -1 on error. A function eats its first
// argument where the manual says __isl_take.
struct IslFunctions {
    IslContext (*allocate_context)() = nullptr;
    void (*free_context)(IslContext) = nullptr;
    int (*set_on_error)(IslContext, int) = nullptr;
    void (*set_max_operations)(IslContext, unsigned long) = nullptr;
    void (*reset_operations)(IslContext) = nullptr;
    void (*reset_error)(IslContext) = nullptr;
    IslSet (*read_set)(IslContext, const char*) = nullptr;
    IslSet (*subtract)(IslSet, IslSet) = nullptr;
    int (*is_empty)(IslSet) = nullptr;
    IslSet (*free_set)(IslSet) = nullptr;
};

constexpr int continue_on_error = 1;  // ISL_ON_ERROR_CONTINUE in isl/options.h
// Of one question. The proofs of the course's solutions need at most some thousands.
constexpr unsigned long most_operations = 200'000;

template <class Function>
bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

std::optional<IslFunctions> load() {
    void* library = dlopen("libisl.so.23", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::nullopt;
    IslFunctions isl;
    const bool are_there =
        find(library, "isl_ctx_alloc", isl.allocate_context) && find(library, "isl_ctx_free", isl.free_context) &&
        find(library, "isl_options_set_on_error", isl.set_on_error) &&
        find(library, "isl_ctx_set_max_operations", isl.set_max_operations) &&
        find(library, "isl_ctx_reset_operations", isl.reset_operations) &&
        find(library, "isl_ctx_reset_error", isl.reset_error) && find(library, "isl_set_read_from_str", isl.read_set) &&
        find(library, "isl_set_subtract", isl.subtract) && find(library, "isl_set_is_empty", isl.is_empty) &&
        find(library, "isl_set_free", isl.free_set);
    return are_there ? std::optional(isl) : std::nullopt;
}

const std::optional<IslFunctions>& functions() {
    static const std::optional<IslFunctions> loaded = load();
    return loaded;
}

class IslSets final : public Sets {
public:
    IslSets(const IslFunctions& isl, Clock::time_point deadline)
        : isl_(isl), context_(isl.allocate_context()), deadline_(deadline) {
        isl_.set_on_error(context_, continue_on_error);
        isl_.set_max_operations(context_, most_operations);
    }
    ~IslSets() override { isl_.free_context(context_); }
    IslSets(const IslSets&) = delete;
    IslSets& operator=(const IslSets&) = delete;

    Emptiness emptiness(const std::string& set) override {
        const auto known = known_.find(set);
        if (known != known_.end()) return known->second;
        return known_[set] = emptiness_without(set, {});
    }

    Emptiness emptiness_without(const std::string& set, const std::vector<std::string>& others) override {
        if (is_time_over()) return Emptiness::unknown;
        ++asked_;
        isl_.reset_operations(context_);
        IslSet left = isl_.read_set(context_, set.c_str());
        for (const std::string& other : others)
            if (left != nullptr) left = isl_.subtract(left, isl_.read_set(context_, other.c_str()));
        const int is_empty = left == nullptr ? -1 : isl_.is_empty(left);
        if (left != nullptr) isl_.free_set(left);
        isl_.reset_error(context_);
        if (is_empty < 0) return Emptiness::unknown;
        return is_empty > 0 ? Emptiness::empty : Emptiness::not_empty;
    }

    bool is_time_over() const override { return Clock::now() > deadline_; }
    std::uint64_t asked() const override { return asked_; }

private:
    IslFunctions isl_;
    IslContext context_;
    Clock::time_point deadline_;
    std::uint64_t asked_ = 0;
    std::unordered_map<std::string, Emptiness> known_;
};

}  // namespace

bool Sets::are_available() { return functions().has_value(); }

std::unique_ptr<Sets> Sets::open(Clock::time_point deadline) {
    if (!are_available()) return nullptr;
    return std::make_unique<IslSets>(*functions(), deadline);
}

}  // namespace warpgrade::proof
