// No exception crosses a submission: what is thrown while its PTX is read or run becomes the error of that submission
// alone, as a value.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "base/result.hpp"

namespace warpgrade {

Diagnostic failed_to(const std::string& what, const std::exception& failure);  // blame kit
Diagnostic out_of_memory_while(const std::string& what);                       // blame host
bool is_out_of_memory(const Diagnostic& error);                                // this one, or of device memory

// work() gives a Result. `what` completes "while", as in "reading the PTX".
template <class F>
auto guarded(const std::string& what, F&& work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return out_of_memory_while(what);
    } catch (const std::exception& failure) {
        return failed_to(what, failure);
    }
}

}  // namespace warpgrade
