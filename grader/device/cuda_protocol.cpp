#include "device/cuda_protocol.hpp"

#include <cstring>
#include <type_traits>

namespace warpgrade::cuda {
namespace {

class Writer {
public:
    template <class T>
    void number(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void text(std::string_view value) {
        number(static_cast<std::uint64_t>(value.size()));
        bytes.append(value);
    }
    std::string bytes;
};

class Reader {
public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}
    template <class T>
    void number(T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        if (!is_good || rest_.size() < sizeof value) {
            is_good = false;
            return;
        }
        std::memcpy(&value, rest_.data(), sizeof value);
        rest_.remove_prefix(sizeof value);
    }
    void text(std::string& value) {
        std::uint64_t size = 0;
        number(size);
        if (!is_good || rest_.size() < size) {
            is_good = false;
            return;
        }
        value = rest_.substr(0, size);
        rest_.remove_prefix(size);
    }
    bool is_done() const { return is_good && rest_.empty(); }
    bool is_good = true;

private:
    std::string_view rest_;
};

// One list of members for both directions.
template <class Stream, class Facts>
void each_member(Stream& stream, Facts& facts) {
    stream.text(facts.name);
    stream.text(facts.pci_bus_id);
    stream.text(facts.driver);
    stream.number(facts.cuda_version);
    stream.number(facts.device_count);
    stream.number(facts.compute_major);
    stream.number(facts.compute_minor);
    stream.number(facts.multiprocessors);
    stream.number(facts.sm_clock_mhz);
    stream.number(facts.memory_clock_mhz);
    stream.number(facts.memory_bus_bits);
    stream.number(facts.l2_bytes);
    stream.number(facts.total_bytes);
    stream.number(facts.free_bytes);
    stream.number(facts.registers_per_sm);
    stream.number(facts.shared_bytes_per_sm);
    stream.number(facts.shared_bytes_per_block);
    stream.number(facts.shared_bytes_per_block_optin);
    stream.number(facts.max_threads_per_sm);
    stream.number(facts.max_blocks_per_sm);
    stream.number(facts.max_threads_per_block);
    stream.number(facts.max_block);
    stream.number(facts.max_grid);
}

template <class Stream, class One>
void each_command_member(Stream& stream, One& one) {
    stream.number(one.kind);
    stream.number(one.module);
    stream.text(one.kernel);
    stream.number(one.grid);
    stream.number(one.block);
    stream.number(one.cluster);
    stream.number(one.shared_bytes);
    stream.number(one.address);
    stream.number(one.source);
    stream.number(one.count);
    stream.number(one.value);
}

}  // namespace

std::vector<std::string> throttle_names(std::uint64_t reasons) {
    // nvml.h, nvmlClocksThrottleReason*; idle (0x1), application clocks (0x2) and display clocks (0x100) are no faults.
    static constexpr std::pair<std::uint64_t, const char*> named[] = {
        {0x4, "power cap"}, {0x8, "hardware slowdown"}, {0x10, "sync boost"},
        {0x20, "thermal"},  {0x40, "hardware thermal"}, {0x80, "power brake"},
    };
    std::vector<std::string> names;
    for (const auto& [bit, name] : named)
        if (reasons & bit) names.push_back(name);
    return names;
}

std::string to_bytes(const CardFacts& facts) {
    Writer writer;
    each_member(writer, facts);
    return writer.bytes;
}

std::optional<CardFacts> facts_from(std::string_view bytes) {
    Reader reader(bytes);
    CardFacts facts;
    each_member(reader, facts);
    return reader.is_done() ? std::optional(facts) : std::nullopt;
}

std::string to_bytes(const Telemetry& telemetry) {
    Writer writer;
    writer.number(telemetry);
    return writer.bytes;
}

std::optional<Telemetry> telemetry_from(std::string_view bytes) {
    Reader reader(bytes);
    Telemetry telemetry;
    reader.number(telemetry);
    return reader.is_done() ? std::optional(telemetry) : std::nullopt;
}

std::string to_bytes(const std::vector<Command>& commands) {
    Writer writer;
    writer.number(static_cast<std::uint64_t>(commands.size()));
    for (const Command& one : commands) {
        each_command_member(writer, one);
        writer.text({reinterpret_cast<const char*>(one.parameters.data()), one.parameters.size()});
    }
    return writer.bytes;
}

std::optional<std::vector<Command>> commands_from(std::string_view bytes) {
    Reader reader(bytes);
    std::uint64_t count = 0;
    reader.number(count);
    std::vector<Command> commands;
    for (std::uint64_t i = 0; i < count && reader.is_good; ++i) {
        Command one;
        each_command_member(reader, one);
        std::string parameters;
        reader.text(parameters);
        const auto* first = reinterpret_cast<const std::byte*>(parameters.data());
        one.parameters.assign(first, first + parameters.size());
        commands.push_back(std::move(one));
    }
    return reader.is_done() ? std::optional(std::move(commands)) : std::nullopt;
}

wire::Fields to_fields(const CudaError& error) {
    return {"error", std::to_string(error.code), error.name, error.words, error.call, error.log};
}

std::optional<CudaError> error_from(const wire::Fields& fields) {
    if (fields.size() != 6 || fields[0] != "error") return std::nullopt;
    return CudaError{std::atoi(fields[1].c_str()), fields[2], fields[3], fields[4], fields[5]};
}

}  // namespace warpgrade::cuda
