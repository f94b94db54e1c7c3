// The errors of the CUDA runtime, and what it says of the GPU.
#include "host/runtime.hpp"

namespace warpgrade::host {

void Runtime::finish_call(Call& call, int error, const char* name) {
    const bool is_launch = name[0] == '\0';
    time_.pass(is_launch ? 3 * call_seconds : call_seconds);
    if (error == success && !is_launch) error = failure_of_gpu();
    if (error != success) {
        last_error_ = error;
        const bool is_dropped = is_launch || ignores_result(program_.text.text, call.line(), name);
        const bool is_of_gpu = is_gpu_error_known_ && error == gpu_error_;
        if (is_of_gpu && !is_dropped) is_gpu_error_told_ = true;
        if (is_dropped && !outstanding_ && error != not_ready && !(is_of_gpu && is_gpu_error_told_))
            outstanding_ = Outstanding{error, call.line(), name};
        else if (!is_dropped)
            outstanding_.reset();
    }
    call.give(error);
}

// A kernel that failed makes every later call fail. These two look at the calls alone: on an H200 a second
// cudaGetLastError() behind one that failed is cudaSuccess.
void Runtime::last_error(Call& call) {
    look_at_last_error(call, "cudaGetLastError");
    last_error_ = success;
}

void Runtime::peek_error(Call& call) { look_at_last_error(call, "cudaPeekAtLastError"); }

void Runtime::look_at_last_error(Call& call, const char* name) {
    if (is_gpu_error_known_ && last_error_ == gpu_error_) is_gpu_error_told_ = true;
    if (!ignores_result(program_.text.text, call.line(), name)) outstanding_.reset();
    call.give(last_error_);
}

void Runtime::note_error(Call& call) { finish_call(call, call.value<int>(0), "cudaSetDevice"); }

void Runtime::error_text(Call& call) {
    const int error = call.value<int>(0);
    const bool is_name = call.value<int>(1) != 0;
    const std::string text = is_name ? name_of(error) : text_of(error);
    const int known = text == text_of(-1) ? -1 : error;
    std::uint64_t& address = error_texts_[2 * known + (is_name ? 1 : 0)];
    if (address == 0) {
        address = heap_.allocate(text.size() + 1, 0, {});
        if (address != 0) call.store(address, std::as_bytes(std::span(text.c_str(), text.size() + 1)));
    }
    call.give(address);
}

void Runtime::attribute(Call& call) {
    const int attribute = call.value<int>(1);
    constexpr int cooperative_launch = 95;
    const std::optional<int> value = attribute == cooperative_launch ? 1 : device_attribute(program_.gpu, attribute);
    if (!value) return finish_call(call, invalid_value, "cudaDeviceGetAttribute");
    call.store_value(call.address(0), *value);
    call.give(int{success});  // also behind a kernel that failed: it asks nothing of the GPU
}

void Runtime::device_name(Call& call) {
    const std::string name = program_.gpu_name.substr(0, call.value<std::uint64_t>(1) - 1);
    call.store(call.address(0), std::as_bytes(std::span(name.c_str(), name.size() + 1)));
    call.give(int{success});
}

}  // namespace warpgrade::host
