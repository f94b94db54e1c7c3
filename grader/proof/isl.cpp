#include "proof/isl.hpp"

#include <dlfcn.h>
#include <time.h>

#include <algorithm>
#include <map>
#include <optional>

namespace warpgrade::proof {
namespace {

using IslContext = struct IslContextHandle*;
using IslSet = struct IslSetHandle*;
using IslBasicSet = struct IslBasicSetHandle*;
using IslSpace = struct IslSpaceHandle*;
using IslMatrix = struct IslMatrixHandle*;
using IslValue = struct IslValueHandle*;

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
    IslSpace (*allocate_set_space)(IslContext, unsigned parameters, unsigned dimensions) = nullptr;
    IslMatrix (*allocate_matrix)(IslContext, unsigned rows, unsigned columns) = nullptr;
    IslMatrix (*set_number)(IslMatrix, int row, int column, int value) = nullptr;
    IslMatrix (*set_value)(IslMatrix, int row, int column, IslValue) = nullptr;
    IslValue (*value_of_chunks)(IslContext, std::size_t count, std::size_t bytes, const void* chunks) = nullptr;
    IslValue (*negated)(IslValue) = nullptr;
    IslBasicSet (*of_matrices)(IslSpace, IslMatrix equations, IslMatrix inequalities, int, int, int, int) = nullptr;
    int (*is_basic_set_empty)(IslBasicSet) = nullptr;
    IslBasicSet (*free_basic_set)(IslBasicSet) = nullptr;
};

constexpr int continue_on_error = 1;  // ISL_ON_ERROR_CONTINUE in isl/options.h
// isl_dim_type in isl/space_type.h, in the order of a matrix' columns.
constexpr int columns_of_constant = 0, columns_of_parameters = 1, columns_of_set = 3, columns_of_quotients = 4;
constexpr int most_systems = 200;  // of one question, by its cases
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
        find(library, "isl_set_free", isl.free_set) && find(library, "isl_space_set_alloc", isl.allocate_set_space) &&
        find(library, "isl_mat_alloc", isl.allocate_matrix) &&
        find(library, "isl_mat_set_element_si", isl.set_number) &&
        find(library, "isl_mat_set_element_val", isl.set_value) &&
        find(library, "isl_val_int_from_chunks", isl.value_of_chunks) && find(library, "isl_val_neg", isl.negated) &&
        find(library, "isl_basic_set_from_constraint_matrices", isl.of_matrices) &&
        find(library, "isl_basic_set_is_empty", isl.is_basic_set_empty) &&
        find(library, "isl_basic_set_free", isl.free_basic_set);
    return are_there ? std::optional(isl) : std::nullopt;
}

const std::optional<IslFunctions>& functions() {
    static const std::optional<IslFunctions> loaded = load();
    return loaded;
}

double thread_seconds() {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

class IslSets final : public Sets {
public:
    IslSets(const IslFunctions& isl, double seconds)
        : isl_(isl), context_(isl.allocate_context()), begin_(thread_seconds()), most_seconds_(seconds) {
        isl_.set_on_error(context_, continue_on_error);
        isl_.set_max_operations(context_, most_operations);
    }
    ~IslSets() override { isl_.free_context(context_); }
    IslSets(const IslSets&) = delete;
    IslSets& operator=(const IslSets&) = delete;

    Emptiness emptiness(const LinearSystem& system) override {
        const auto known = known_.find(system);
        if (known != known_.end()) return known->second;
        if (is_time_over()) return Emptiness::unknown;
        ++asked_;
        isl_.reset_operations(context_);
        systems_ = 0;
        std::vector<LinearConstraint> constraints = system.all;
        const Emptiness found = emptiness(system, 0, constraints);
        isl_.reset_error(context_);
        return known_[system] = found;
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

    bool is_time_over() const override { return seconds() > most_seconds_; }
    double seconds() const override { return thread_seconds() - begin_; }
    std::uint64_t asked() const override { return asked_; }

private:
    // One case after the other. Where the constraints so far are empty, no choice makes them less so: that is asked
    // where it may save many cases.
    Emptiness emptiness(const LinearSystem& system, std::size_t choice, std::vector<LinearConstraint>& constraints) {
        constexpr std::size_t few_cases = 6;
        const bool is_last = choice == system.choices.size();
        std::size_t cases = 1;
        for (std::size_t i = choice; i < system.choices.size() && cases <= few_cases; ++i)
            cases *= system.choices[i].size();
        if (is_last || cases > few_cases) {
            const Emptiness here = emptiness(system.variables, constraints);
            if (is_last || here != Emptiness::not_empty) return here;
        }
        const std::size_t count = constraints.size();
        for (const auto& one : system.choices[choice]) {
            constraints.insert(constraints.end(), one.begin(), one.end());
            const Emptiness of_case = emptiness(system, choice + 1, constraints);
            constraints.resize(count);
            if (of_case != Emptiness::empty) return of_case;
        }
        return Emptiness::empty;
    }

    Emptiness emptiness(std::size_t variables, const std::vector<LinearConstraint>& constraints) {
        if (++systems_ > most_systems) return Emptiness::unknown;
        const auto equations = static_cast<unsigned>(std::count_if(
            constraints.begin(), constraints.end(), [](const LinearConstraint& one) { return one.is_equation; }));
        const auto columns = static_cast<unsigned>(1 + variables);
        IslMatrix equal = zeros(equations, columns);
        IslMatrix more = zeros(static_cast<unsigned>(constraints.size()) - equations, columns);
        int equal_row = 0, more_row = 0;
        for (const LinearConstraint& constraint : constraints) {
            IslMatrix& matrix = constraint.is_equation ? equal : more;
            const int row = constraint.is_equation ? equal_row++ : more_row++;
            matrix = with(matrix, row, 0, constraint.constant);
            for (const auto& [variable, factor] : constraint.factors) matrix = with(matrix, row, 1 + variable, factor);
        }
        IslBasicSet set =
            isl_.of_matrices(isl_.allocate_set_space(context_, 0, static_cast<unsigned>(variables)), equal, more,
                             columns_of_constant, columns_of_parameters, columns_of_set, columns_of_quotients);
        const int is_empty = set == nullptr ? -1 : isl_.is_basic_set_empty(set);
        if (set != nullptr) isl_.free_basic_set(set);
        if (is_empty < 0) return Emptiness::unknown;
        return is_empty > 0 ? Emptiness::empty : Emptiness::not_empty;
    }

    IslMatrix zeros(unsigned rows, unsigned columns) {
        IslMatrix matrix = isl_.allocate_matrix(context_, rows, columns);
        for (unsigned row = 0; row < rows; ++row)
            for (unsigned column = 0; column < columns; ++column)
                matrix = isl_.set_number(matrix, static_cast<int>(row), static_cast<int>(column), 0);
        return matrix;
    }

    IslMatrix with(IslMatrix matrix, int row, int column, Integer number) {
        if (number >= INT32_MIN && number <= INT32_MAX)
            return isl_.set_number(matrix, row, column, static_cast<int>(number));
        const bool is_negative = number < 0;
        const auto size =
            is_negative ? -static_cast<unsigned __int128>(number) : static_cast<unsigned __int128>(number);
        IslValue value = isl_.value_of_chunks(context_, 1, sizeof size, &size);
        return isl_.set_value(matrix, row, column, is_negative ? isl_.negated(value) : value);
    }

    IslFunctions isl_;
    IslContext context_;
    double begin_, most_seconds_;
    std::uint64_t asked_ = 0;
    int systems_ = 0;  // of the question that is being answered
    std::map<LinearSystem, Emptiness> known_;
};

}  // namespace

bool Sets::are_available() { return functions().has_value(); }

std::unique_ptr<Sets> Sets::open(double seconds) {
    if (!are_available()) return nullptr;
    return std::make_unique<IslSets>(*functions(), seconds);
}

}  // namespace warpgrade::proof
