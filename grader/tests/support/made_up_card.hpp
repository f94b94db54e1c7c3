// A card for tests on machines without one: the workers of the tests, with the driver of made_up_driver.cpp.
#pragma once

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace warpgrade::test {

// While it lives, workers are the made-up driver's.
class MadeUpCard {
public:
    // `name` is one more variable of the worker's environment.
    explicit MadeUpCard(const char* name = nullptr, const char* value = "") {
        set("WARPGRADE_LIBCUDA", "self");
        if (name) set(name, value);
    }
    ~MadeUpCard() {
        for (const auto& [name, value] : before_)
            value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
    }

private:
    void set(const std::string& name, const std::string& value) {
        const char* old = std::getenv(name.c_str());
        before_[name] = old ? std::optional<std::string>(old) : std::nullopt;
        setenv(name.c_str(), value.c_str(), 1);
    }
    std::map<std::string, std::optional<std::string>> before_;
};

}  // namespace warpgrade::test
