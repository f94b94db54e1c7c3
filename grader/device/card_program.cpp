#include "device/card_program.hpp"

namespace warpgrade {

Result<std::unique_ptr<CardProgram>> CardProgram::load(Card& card, std::string_view ptx, std::string_view source_file) {
    const Result<ptx::Module> module = ptx::parse(ptx);
    if (!module) return module.error();
    auto program = vgpu::load(*module, source_file);
    if (!program) return program.error();
    std::unique_ptr<CardProgram> loaded(new CardProgram(card));
    loaded->ptx_ = ptx;
    loaded->program_ = std::move(*program);
    auto session = vgpu::Session::open(loaded->program_, loaded->memory_);
    if (!session) return session.error();
    loaded->session_ = std::move(*session);
    if (auto ready = loaded->ensure_loaded(); !ready) return ready.error();
    return loaded;
}

CardProgram::~CardProgram() {
    free_temporaries();
    if (module_ > 0 && is_current()) (void)card_.unload(module_);
}

Result<bool> CardProgram::ensure_loaded() {
    if (module_ > 0 && is_current()) return false;
    temporaries_.clear();  // of another worker
    const auto module = card_.load(ptx_);
    if (!module) return module.error();
    module_ = *module;
    generation_ = card_.generation();
    return true;
}

void CardProgram::free_temporaries() {
    if (is_current())
        for (const std::uint64_t address : temporaries_) (void)card_.free(address);
    temporaries_.clear();
}

Result<LaunchPlan> CardProgram::plan(const std::string& launcher, std::span<const std::vector<std::byte>> arguments) {
    free_temporaries();
    vgpu::Limits budget;
    budget.warp_instructions = std::uint64_t{1} << 24;
    return record_plan(
        *session_, *program_, launcher, arguments, card_.limits(), budget,
        [&](const std::string& name) { return card_.variable(module_, name); },
        [&](std::uint64_t bytes, int) {
            auto place = card_.allocate(bytes);
            if (place) temporaries_.push_back(*place);
            return place;
        });
}

}  // namespace warpgrade
