// A compiled submission on a card: its module there, and the virtual GPU's reading of its launchers.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/card.hpp"

namespace warpgrade {

class CardProgram {
public:
    // Error: PTX that the virtual GPU cannot read (kit), or the driver does not take (host).
    static Result<std::unique_ptr<CardProgram>> load(Card& card, std::string_view ptx, std::string_view source_file);
    ~CardProgram();

    // Loads again if the worker is a new one. True: what was on the card is gone.
    Result<bool> ensure_loaded();
    int module() const { return module_; }
    bool is_current() const { return card_.generation() == generation_; }
    // What the launcher asks for on this card, with these argument bytes.
    Result<LaunchPlan> plan(const std::string& launcher, std::span<const std::vector<std::byte>> arguments);

private:
    explicit CardProgram(Card& card) : card_(card) {}
    Card& card_;
    std::string ptx_;
    std::shared_ptr<const vgpu::Program> program_;
    vgpu::Memory memory_;  // of the launcher's interpretation only
    std::unique_ptr<vgpu::Session> session_;
    std::vector<std::uint64_t> temporaries_;  // of the last plan
    void free_temporaries();
    int module_ = 0;
    int generation_ = 0;
};

}  // namespace warpgrade
