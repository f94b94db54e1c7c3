// The functions that a program may call outside of itself, and what answers each.
#include "host/runtime.hpp"

namespace warpgrade::host {

const std::map<std::string_view, void (Runtime::*)(Call&)>& rows() {
    static const std::map<std::string_view, void (Runtime::*)(Call&)> all{
        {"__cudaCDP2GetParameterBufferV2", &Runtime::parameter_buffer},
        {"__cudaCDP2LaunchDeviceV2", &Runtime::launch_buffer},
        {"__warpgrade_launch", &Runtime::launch_kernel},
        {"__warpgrade_malloc", &Runtime::allocate},
        {"__warpgrade_free", &Runtime::free_memory},
        {"__warpgrade_memcpy", &Runtime::copy},
        {"__warpgrade_memcpy_2d", &Runtime::copy_2d},
        {"__warpgrade_memcpy_symbol", &Runtime::copy_symbol},
        {"__warpgrade_memset", &Runtime::set_memory},
        {"__warpgrade_symbol", &Runtime::symbol},
        {"__warpgrade_pointer_kind", &Runtime::pointer_kind},
        {"__warpgrade_memory_info", &Runtime::memory_info},
        {"__warpgrade_last_error", &Runtime::last_error},
        {"__warpgrade_peek_error", &Runtime::peek_error},
        {"__warpgrade_note_error", &Runtime::note_error},
        {"__warpgrade_error_text", &Runtime::error_text},
        {"__warpgrade_synchronize", &Runtime::synchronize},
        {"__warpgrade_reset", &Runtime::reset},
        {"__warpgrade_stream_create", &Runtime::stream_create},
        {"__warpgrade_stream_destroy", &Runtime::stream_destroy},
        {"__warpgrade_stream_synchronize", &Runtime::stream_synchronize},
        {"__warpgrade_stream_query", &Runtime::stream_query},
        {"__warpgrade_stream_wait", &Runtime::stream_wait},
        {"__warpgrade_event_create", &Runtime::event_create},
        {"__warpgrade_event_destroy", &Runtime::event_destroy},
        {"__warpgrade_event_record", &Runtime::event_record},
        {"__warpgrade_event_synchronize", &Runtime::event_synchronize},
        {"__warpgrade_event_query", &Runtime::event_query},
        {"__warpgrade_event_elapsed", &Runtime::event_elapsed},
        {"__warpgrade_attribute", &Runtime::attribute},
        {"__warpgrade_device_name", &Runtime::device_name},
        {"__warpgrade_kernel_attributes", &Runtime::kernel_attributes},
        {"__warpgrade_set_kernel_attribute", &Runtime::set_kernel_attribute},
        {"__warpgrade_occupancy", &Runtime::occupancy},
        {"vprintf", &Runtime::print},
        {"__warpgrade_fprintf", &Runtime::print_to},
        {"__warpgrade_snprintf", &Runtime::print_into},
        {"__warpgrade_write", &Runtime::write},
        {"__warpgrade_no_file", &Runtime::no_file},
        {"__warpgrade_unread", &Runtime::unread},
        {"__warpgrade_read", &Runtime::read},
        {"__warpgrade_scanf", &Runtime::scan},
        {"__assertfail", &Runtime::fail_assertion},
        {"__warpgrade_exit", &Runtime::exit_program},
        {"__warpgrade_quick_exit", &Runtime::exit_quickly},
        {"__warpgrade_thrown", &Runtime::throw_exception},
        {"__warpgrade_abort", &Runtime::abort_program},
        {"malloc", &Runtime::host_allocate},
        {"free", &Runtime::host_free},
        {"__warpgrade_realloc", &Runtime::host_reallocate},
        {"__warpgrade_rand", &Runtime::random_number},
        {"__warpgrade_srand", &Runtime::seed_random},
        {"__warpgrade_strtod", &Runtime::text_to_real},
        {"__warpgrade_strtoll", &Runtime::text_to_whole},
        {"__warpgrade_outside", &Runtime::note_outside},
        {"__warpgrade_now", &Runtime::now},
        {vgpu::touch_call, &Runtime::touch},
    };
    return all;
}

vgpu::Session::HostReply Runtime::answer(const vgpu::Session::HostCall& asked) {
    Call call(asked, loaded_.memory);
    time_.pass(host_seconds * static_cast<double>(asked.work - std::min(asked.work, host_work_)));
    host_work_ = asked.work;
    const auto row = rows().find(asked.name);
    if (row != rows().end()) {
        (this->*row->second)(call);
    } else {
        unsupported = vgpu::display_name(std::string(asked.name));
        vgpu::Finding finding;
        finding.kind = vgpu::FindingKind::unsupported;
        finding.place.line = asked.line;
        finding.detail = "a call of " + unsupported + " in the program";
        run.findings.push_back(std::move(finding));
        call.reply.stop = true;
    }
    return std::move(call.reply);
}

}  // namespace warpgrade::host
