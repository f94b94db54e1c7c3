// One call of an external function, as what answers it sees it.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "vgpu/memory.hpp"
#include "vgpu/printed.hpp"
#include "vgpu/vgpu.hpp"

namespace warpgrade::host {

class Call {
public:
    Call(const vgpu::Session::HostCall& asked, vgpu::Memory& memory) : asked_(asked), memory_(memory) {}

    int line() const { return asked_.line; }
    template <class T>
    T value(std::size_t index) const {
        T value{};
        if (index < asked_.arguments.size())
            std::memcpy(&value, asked_.arguments[index].data(), std::min(sizeof value, asked_.arguments[index].size()));
        return value;
    }
    std::uint64_t address(std::size_t index) const { return value<std::uint64_t>(index); }

    std::span<std::byte> bytes(std::uint64_t address, std::uint64_t most) const {
        return asked_.view == nullptr ? std::span<std::byte>() : asked_.view->bytes(address, most);
    }
    vgpu::BytesAt reader() const {
        return [this](std::uint64_t address, std::uint64_t most) { return bytes(address, most); };
    }
    std::string text(std::uint64_t address, std::uint64_t most = std::uint64_t{1} << 20) const {
        return vgpu::text_at(reader(), address, most);
    }
    // The program's own memory; false, with nothing stored, where it has none.
    bool store(std::uint64_t address, std::span<const std::byte> value) {
        const auto to = bytes(address, value.size());
        if (to.size() < value.size()) return false;
        if (const int buffer = memory_.find(address); buffer >= 0 && memory_.buffer(buffer).shadow != nullptr)
            memory_.fill(buffer, address, value.size(), 0);
        std::copy(value.begin(), value.end(), to.begin());
        return true;
    }
    template <class T>
    bool store_value(std::uint64_t address, T value) {
        return store(address, std::as_bytes(std::span<const T, 1>(&value, 1)));
    }
    template <class T>
    void give(T value) {
        reply.result.resize(sizeof value);
        std::memcpy(reply.result.data(), &value, sizeof value);
    }

    vgpu::Session::HostReply reply;

private:
    const vgpu::Session::HostCall& asked_;
    vgpu::Memory& memory_;
};

}  // namespace warpgrade::host
