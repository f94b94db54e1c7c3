#include "device/nvml.hpp"

#include <dlfcn.h>

namespace warpgrade::cuda {
namespace {

// nvml.h: nvmlClockType_t, nvmlTemperatureSensors_t.
constexpr unsigned clock_sm = 1, clock_memory = 2, sensor_gpu = 0;

template <class Function>
Function bound(void* library, const char* name) {
    return library ? reinterpret_cast<Function>(dlsym(library, name)) : nullptr;
}

}  // namespace

Nvml::Nvml(const std::string& pci_bus_id) {
    library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto init = bound<int (*)()>(library_, "nvmlInit_v2");
    const auto find = bound<int (*)(const char*, void**)>(library_, "nvmlDeviceGetHandleByPciBusId_v2");
    if (!init || !find || init() != 0 || find(pci_bus_id.c_str(), &device_) != 0) {
        library_ = device_ = nullptr;
        return;
    }
    clock_ = bound<decltype(clock_)>(library_, "nvmlDeviceGetClockInfo");
    max_clock_ = bound<decltype(max_clock_)>(library_, "nvmlDeviceGetMaxClockInfo");
    temperature_ = bound<decltype(temperature_)>(library_, "nvmlDeviceGetTemperature");
    power_ = bound<decltype(power_)>(library_, "nvmlDeviceGetPowerUsage");
    reasons_ = bound<decltype(reasons_)>(library_, "nvmlDeviceGetCurrentClocksThrottleReasons");
    if (!reasons_) reasons_ = bound<decltype(reasons_)>(library_, "nvmlDeviceGetCurrentClocksEventReasons");
}

std::string Nvml::driver_version() const {
    char text[96] = {};
    const auto get = bound<int (*)(char*, unsigned)>(library_, "nvmlSystemGetDriverVersion");
    return get && get(text, sizeof text) == 0 ? text : "";
}

unsigned Nvml::number(int (*function)(void*, unsigned, unsigned*), unsigned kind) const {
    unsigned value = 0;
    return device_ && function && function(device_, kind, &value) == 0 ? value : 0;
}

double Nvml::max_sm_clock_mhz() const { return number(max_clock_, clock_sm); }
double Nvml::max_memory_clock_mhz() const { return number(max_clock_, clock_memory); }

Telemetry Nvml::read() const {
    Telemetry reading;
    reading.sm_clock_mhz = number(clock_, clock_sm);
    reading.memory_clock_mhz = number(clock_, clock_memory);
    reading.temperature_c = number(temperature_, sensor_gpu);
    unsigned milliwatts = 0;
    if (device_ && power_ && power_(device_, &milliwatts) == 0) reading.power_w = milliwatts / 1000.0;
    unsigned long long reasons = 0;
    if (device_ && reasons_ && reasons_(device_, &reasons) == 0) reading.throttle_reasons = reasons;
    return reading;
}

}  // namespace warpgrade::cuda
