// The one include for Catch2, so that v2 (Debian 12) and v3 both serve.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;  // where v2 has it
#else
#include <catch2/catch.hpp>
#endif
