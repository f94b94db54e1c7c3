// Streams and events: what was waited for, and what the host touches before.
#include "host/runtime.hpp"

namespace warpgrade::host {

bool Runtime::is_stream(Call& call, std::uint64_t stream, const char* name) {
    if (time_.has_stream(stream)) return true;
    Mistake mistake{MistakeKind::invalid_handle, call.line(), 0, name, ""};
    mistake.is_store = time_.was_made(stream);
    mistakes_.add(std::move(mistake));
    return false;
}

Timeline::Event* Runtime::event_of(Call& call, std::uint64_t handle, const char* name) {
    Timeline::Event* const event = time_.event(handle);
    if (event != nullptr) return event;
    Mistake mistake{MistakeKind::invalid_handle, call.line(), 0, name, ""};
    mistake.reason = MistakeReason::event;
    mistake.is_store = time_.was_made(handle);
    mistakes_.add(std::move(mistake));
    return nullptr;
}

void Runtime::settle(std::optional<std::uint64_t> stream) {
    if (stream)
        time_.wait_for(*stream);
    else
        time_.wait_for_all();
    release_uses([&](const Use& use) { return !stream || time_.covers(*stream, use.stream, use.done); });
}

// What the GPU has done with the memory is waited for.
void Runtime::release_uses(const std::function<bool(const Use&)>& is_done) {
    for (auto use = in_use_.begin(); use != in_use_.end();) {
        if (!is_done(use->second)) {
            ++use;
            continue;
        }
        if (!loaded_.memory.buffer(use->first).is_freed) loaded_.memory.set_reach(use->first, vgpu::Reach::both);
        use = in_use_.erase(use);
    }
    is_gpu_error_known_ = gpu_error_ != success;
    if (!kernel_output_.empty()) console_.write(Outside::Stream::output, kernel_output_);
    kernel_output_.clear();
}

// Until the work that was added to the stream last is done, the host is not to touch it.
void Runtime::hold(Call& call, int buffer, std::uint64_t stream, bool is_store) {
    Timeline::Event end;
    time_.record(end, stream, call.line());
    in_use_[buffer] = {stream, call.line(), is_store, end.at};
    loaded_.memory.set_reach(buffer, vgpu::Reach::launches);
    call.reply.has_released = true;
}

void Runtime::touch(Call& call) {
    const int buffer = loaded_.memory.find(call.address(0));
    const auto use = in_use_.find(buffer);
    if (use == in_use_.end()) {
        call.reply.stop = true;
        return;
    }
    const bool is_store = call.value<std::uint8_t>(1) != 0;
    if (use->second.is_store || is_store) {
        Mistake mistake{MistakeKind::unsynchronized_access, call.line(), use->second.line, "",
                        loaded_.memory.buffer(buffer).spec.name};
        mistake.is_store = is_store;
        mistake.is_target = use->second.is_store;
        mistakes_.add(std::move(mistake));
    }
    loaded_.memory.set_reach(buffer, vgpu::Reach::both);
    in_use_.erase(use);
}

int Runtime::failure_of_gpu() { return is_gpu_error_known_ ? gpu_error_ : success; }

void Runtime::synchronize(Call& call) {
    settle(std::nullopt);
    finish_call(call, failure_of_gpu(), "cudaDeviceSynchronize");
}

void Runtime::reset(Call& call) {
    settle(std::nullopt);
    for (auto& [buffer, allocation] : allocations_) {
        if (loaded_.memory.buffer(buffer).is_freed) continue;
        loaded_.memory.release(buffer);
        allocation.freed_line = call.line();
    }
    live_allocations_ = 0;
    call.reply.has_released = true;
    gpu_error_ = last_error_ = success;
    is_gpu_error_known_ = false;
    call.give(int{success});
}

void Runtime::stream_create(Call& call) {
    constexpr unsigned non_blocking = 1;
    if (!time_.has_room()) return finish_call(call, memory_allocation, "cudaStreamCreate");
    call.store_value(call.address(0), time_.make_stream((call.value<unsigned>(1) & non_blocking) == 0));
    finish_call(call, success, "cudaStreamCreate");
}

void Runtime::stream_destroy(Call& call) {
    const std::uint64_t stream = call.address(0);
    if (!is_stream(call, stream, "cudaStreamDestroy") || stream <= Timeline::per_thread)
        return finish_call(call, invalid_resource_handle, "cudaStreamDestroy");
    time_.destroy_stream(stream);
    finish_call(call, success, "cudaStreamDestroy");
}

void Runtime::stream_synchronize(Call& call) {
    if (!is_stream(call, call.address(0), "cudaStreamSynchronize"))
        return finish_call(call, invalid_resource_handle, "cudaStreamSynchronize");
    settle(call.address(0));
    finish_call(call, failure_of_gpu(), "cudaStreamSynchronize");
}

void Runtime::stream_query(Call& call) {
    const std::uint64_t stream = call.address(0);
    if (!is_stream(call, stream, "cudaStreamQuery"))
        return finish_call(call, invalid_resource_handle, "cudaStreamQuery");
    if (!time_.is_done(stream)) {
        time_.pass(call_seconds);
        return call.give(int{not_ready});
    }
    settle(stream);
    finish_call(call, failure_of_gpu(), "cudaStreamQuery");
}

void Runtime::stream_wait(Call& call) {
    Timeline::Event* const event = event_of(call, call.address(1), "cudaStreamWaitEvent");
    if (event == nullptr || !is_stream(call, call.address(0), "cudaStreamWaitEvent"))
        return finish_call(call, invalid_resource_handle, "cudaStreamWaitEvent");
    if (event->is_recorded) time_.delay(call.address(0), *event);
    finish_call(call, success, "cudaStreamWaitEvent");
}

void Runtime::event_create(Call& call) {
    constexpr unsigned disable_timing = 2;
    if (!time_.has_room()) return finish_call(call, memory_allocation, "cudaEventCreate");
    call.store_value(call.address(0), time_.make_event((call.value<unsigned>(1) & disable_timing) == 0));
    finish_call(call, success, "cudaEventCreate");
}

void Runtime::event_destroy(Call& call) {
    const bool is_known = event_of(call, call.address(0), "cudaEventDestroy") != nullptr;
    if (is_known) time_.destroy_event(call.address(0));
    finish_call(call, is_known ? success : invalid_resource_handle, "cudaEventDestroy");
}

void Runtime::event_record(Call& call) {
    Timeline::Event* const event = event_of(call, call.address(0), "cudaEventRecord");
    if (event == nullptr || !is_stream(call, call.address(1), "cudaEventRecord"))
        return finish_call(call, invalid_resource_handle, "cudaEventRecord");
    time_.record(*event, call.address(1), call.line());
    event->launches = run.launch_count;
    event->copies = copies_;
    finish_call(call, success, "cudaEventRecord");
}

void Runtime::event_synchronize(Call& call) {
    Timeline::Event* const event = event_of(call, call.address(0), "cudaEventSynchronize");
    if (event == nullptr) return finish_call(call, invalid_resource_handle, "cudaEventSynchronize");
    if (event->is_recorded) {
        time_.wait_until(event->at);
        release_uses(
            [&](const Use& use) { return use.done <= event->at && time_.covers(event->stream, use.stream, use.done); });
    }
    finish_call(call, failure_of_gpu(), "cudaEventSynchronize");
}

void Runtime::event_query(Call& call) {
    Timeline::Event* const event = event_of(call, call.address(0), "cudaEventQuery");
    if (event == nullptr) return finish_call(call, invalid_resource_handle, "cudaEventQuery");
    if (event->is_recorded && event->at > time_.now()) {
        time_.pass(call_seconds);
        return call.give(int{not_ready});
    }
    if (event->is_recorded) time_.wait_until(event->at);
    finish_call(call, failure_of_gpu(), "cudaEventQuery");
}

void Runtime::event_elapsed(Call& call) {
    const char* const name = "cudaEventElapsedTime";
    Timeline::Event* const start = event_of(call, call.address(1), name);
    Timeline::Event* const end = event_of(call, call.address(2), name);
    if (start == nullptr || end == nullptr) return finish_call(call, invalid_resource_handle, name);
    run.asked_for_time = true;
    Mistake mistake{MistakeKind::event_not_recorded, call.line(), 0, name, ""};
    if (!start->is_recorded || !end->is_recorded || !start->is_timed || !end->is_timed) {
        mistake.is_target = start->is_recorded;  // the second one
        if (!start->is_timed || !end->is_timed) mistake.reason = MistakeReason::timing;
        mistakes_.add(std::move(mistake));
        return finish_call(call, invalid_resource_handle, name);
    }
    if (!time_.has_waited_until(std::max(start->at, end->at))) {
        mistake.kind = MistakeKind::event_not_ready;
        mistake.other_line = end->line;
        mistakes_.add(std::move(mistake));
        return finish_call(call, not_ready, name);
    }
    call.store_value(call.address(0), static_cast<float>(1e3 * (end->at - start->at)));
    if (end->launches > start->launches)
        run.numbers.timed_launches += static_cast<double>(end->launches - start->launches);
    if (end->copies > start->copies) run.numbers.timed_copies += static_cast<double>(end->copies - start->copies);
    finish_call(call, success, name);
}

}  // namespace warpgrade::host
