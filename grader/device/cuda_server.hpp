// What the parent asks of the process that holds the CUDA context, one answer a request.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/cuda_driver.hpp"
#include "device/cuda_protocol.hpp"
#include "device/nvml.hpp"

namespace warpgrade::cuda {

struct Module {
    Handle handle = nullptr;
    std::string image;  // machine code, kept so that a reload compiles nothing
    std::map<std::string, Handle> functions;
};

class Server {
public:
    explicit Server(const Driver& driver) : driver_(driver) {}
    std::optional<CardFacts> open(int index);
    wire::Fields open_failure() { return reply({}); }
    // Compiles, loads and runs a kernel that does nothing: what a driver opens late, it opens now.
    bool works();
    wire::Fields answer(const wire::Fields& request);

private:
    // Every driver call goes through here: the first that fails is what the parent hears of.
    bool call(int result, const char* what) {
        if (result == success) return true;
        if (!error_) error_ = CudaError{result, driver_.name_of(result), driver_.words_of(result), what, log_};
        return false;
    }
    wire::Fields reply(wire::Fields fields) {
        if (!error_) return fields;
        const wire::Fields failed = to_fields(*error_);
        error_.reset();
        log_.clear();
        return failed;
    }
    wire::Fields broken() { return to_fields(CudaError{-1, "broken request", "", "", ""}); }

    bool compile(const std::string& ptx, std::string& image);
    std::uint64_t load(const std::string& ptx);
    void reload(Module& module);
    Handle function(const Command& command);
    void enqueue(const Command& command);
    void enqueue_launch(const Command& command);
    void mark();
    std::uint64_t graph(const std::vector<Command>& commands);
    std::string run(const std::vector<Command>& commands);
    CardFacts facts(int device);
    Address allocate(std::uint64_t bytes);
    void release(Address address);
    void reset();

    const Driver& driver_;
    std::unique_ptr<Nvml> nvml_;
    Handle stream_ = nullptr;
    std::map<std::string, std::string> images_;  // machine code by PTX: compiling takes the driver a tenth of a second
    std::map<std::uint64_t, Module> modules_;
    std::map<std::uint64_t, Handle> graphs_;
    // Small blocks are kept: the driver takes its time to give memory and to take it back, and cases are many.
    std::map<Address, std::uint64_t> sizes_;
    std::multimap<std::uint64_t, Address> spare_;
    std::uint64_t next_ = 1;
    std::vector<Handle> events_;
    std::size_t marks_ = 0;
    std::optional<CudaError> error_;
    std::string log_;
};

// Of a request; 0 where it is no number.
std::uint64_t number_in(const std::string& text);

}  // namespace warpgrade::cuda
