// Result<T>: a value, or the Diagnostic that says why there is none. Expected failures travel this way; bugs throw.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

#include "base/diagnostic.hpp"

namespace warpgrade {

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Diagnostic diagnostic) : state_(std::in_place_index<1>, std::move(diagnostic)) {}

    [[nodiscard]] bool ok() const { return state_.index() == 0; }
    explicit operator bool() const { return ok(); }

    T& value() & { return require(); }
    const T& value() const& { return const_cast<Result*>(this)->require(); }
    T&& value() && { return std::move(require()); }
    T* operator->() { return &require(); }
    const T* operator->() const { return &const_cast<Result*>(this)->require(); }
    T& operator*() & { return require(); }
    const T& operator*() const& { return value(); }

    // Only when !ok().
    const Diagnostic& error() const& { return std::get<1>(state_); }
    Diagnostic&& error() && { return std::get<1>(std::move(state_)); }

private:
    T& require() {
        if (!ok()) throw std::logic_error("Result read without checking: " + std::get<1>(state_).title);
        return std::get<0>(state_);
    }
    std::variant<T, Diagnostic> state_;
};

struct Nothing {};
using Status = Result<Nothing>;

}  // namespace warpgrade
