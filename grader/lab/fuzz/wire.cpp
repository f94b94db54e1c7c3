// What a worker answers. The worker has read a submission, so that its answer is hostile too.
#include "base/wire.hpp"
#include "compile/job.hpp"
#include "device/cuda_protocol.hpp"
#include "target.hpp"

using namespace warpgrade;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view bytes = fuzz::text_of(data, size);
    (void)cuda::facts_from(bytes);
    if (const auto telemetry = cuda::telemetry_from(bytes)) (void)cuda::throttle_names(telemetry->throttle_reasons);
    if (const auto commands = cuda::commands_from(bytes)) (void)cuda::to_bytes(*commands);
    while (const auto fields = wire::take(bytes)) {
        // What is read back is what was sent.
        if (wire::unpack(wire::pack(*fields)) != fields) __builtin_trap();
        if (const auto job = job_from(*fields)) (void)to_fields(*job);
        if (const auto reply = reply_from(*fields)) (void)to_fields(*reply);
        (void)cuda::error_from(*fields);
    }
    return 0;
}
