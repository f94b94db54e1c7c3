// Clocks, throttle reasons, temperature and power of a card, by NVML (libnvidia-ml, which comes with the driver),
// opened at run time. Reads only.
#pragma once

#include <string>

#include "device/cuda_protocol.hpp"

namespace warpgrade::cuda {

class Nvml {
public:
    // Absent or unwilling: every reading is empty.
    explicit Nvml(const std::string& pci_bus_id);
    std::string driver_version() const;  // "580.159.04"
    Telemetry read() const;
    double max_sm_clock_mhz() const;
    double max_memory_clock_mhz() const;

private:
    unsigned number(int (*function)(void*, unsigned, unsigned*), unsigned kind) const;
    void* library_ = nullptr;
    void* device_ = nullptr;
    int (*clock_)(void*, unsigned, unsigned*) = nullptr;
    int (*max_clock_)(void*, unsigned, unsigned*) = nullptr;
    int (*temperature_)(void*, unsigned, unsigned*) = nullptr;
    int (*power_)(void*, unsigned*) = nullptr;
    int (*reasons_)(void*, unsigned long long*) = nullptr;
};

}  // namespace warpgrade::cuda
