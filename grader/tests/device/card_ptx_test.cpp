#include "device/card_ptx.hpp"

#include "device/launchers.hpp"
#include "ptx/module.hpp"

using namespace launchers;

TEST_CASE("calls that only the recorder answers get empty bodies, and nothing else changes") {
    const std::string text = with_host_calls_emptied(ptx_text());
    const auto before = ptx::parse(ptx_text());
    const auto after = ptx::parse(text);
    REQUIRE(before.ok());
    REQUIRE(after.ok());
    REQUIRE(before->functions.size() == after->functions.size());
    int emptied = 0;
    for (std::size_t i = 0; i < before->functions.size(); ++i) {
        const ptx::Function &a = before->functions[i], &b = after->functions[i];
        INFO(a.name);
        const bool is_printf = a.name == "vprintf";
        CHECK(b.name == (is_printf ? "__warpgrade_vprintf" : a.name));
        const bool is_call = is_printf || a.name.starts_with("__cudaCDP2") || a.name.starts_with("__warpgrade_");
        if (a.is_declaration && is_call) {
            CHECK_FALSE(b.is_declaration);
            CHECK(b.body.size() == 1);
            ++emptied;
        } else {
            CHECK(a.is_declaration == b.is_declaration);
            CHECK(a.body.size() == b.body.size());
        }
    }
    CHECK(emptied >= 3);
}

TEST_CASE("what the driver knows stays external") {
    const std::string text =
        ".version 9.0\n.extern .func  (.param .b32 r) __assertfail\n(\n.param .b64 a\n)\n;\n.extern .func  "
        "(.param .b32 r) __cudaCDP2LaunchDeviceV2\n(\n.param .b64 a\n)\n;\nrest";
    CHECK(with_host_calls_emptied(text) ==
          ".version 9.0\n.extern .func  (.param .b32 r) __assertfail\n(\n.param .b64 a\n)\n;\n.func  (.param .b32 r) "
          "__cudaCDP2LaunchDeviceV2\n(\n.param .b64 a\n)\n{\n\tret;\n}\nrest");
}

TEST_CASE("printf says nothing on the card, and names that only contain it are other names") {
    CHECK(
        with_host_calls_emptied(".extern .func (.param .b32 r) vprintf(.param .b64 vprintf_param_0);call vprintf, x") ==
        ".func (.param .b32 r) __warpgrade_vprintf(.param .b64 vprintf_param_0){\n\tret;\n}call __warpgrade_vprintf, "
        "x");
}

TEST_CASE("the PTX version of a driver, and PTX made to say it") {
    CHECK(ptx_version_of(13000) == "9.0");
    CHECK(ptx_version_of(12090) == "8.8");
    CHECK(ptx_version_of(12060) == "8.5");
    CHECK(ptx_version_of(12050) == "8.5");
    CHECK(ptx_version_of(12040) == "8.4");
    CHECK(ptx_version_of(11080) == "7.8");
    CHECK(ptx_version_of(10020).empty());
    CHECK(ptx_version("//\n.version 9.0\n.target sm_80") == "9.0");
    CHECK(ptx_version("nothing").empty());
    CHECK(with_ptx_version(".version 9.0\n.target sm_80", "8.4") == ".version 8.4\n.target sm_80");
}
