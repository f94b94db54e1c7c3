#include "base/sha256.hpp"

#include "support/catch.hpp"

using namespace warpgrade;

// Expected digests: FIPS 180-4's examples and coreutils' sha256sum.
TEST_CASE("SHA-256 gives the published digests") {
    CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(sha256_hex(std::string(1'000'000, 'a')) ==
          "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("SHA-256 does not depend on how the bytes arrive") {
    const std::string text(200, 'x');
    for (std::size_t cut : {0u, 1u, 55u, 56u, 63u, 64u, 65u, 128u, 199u}) {
        Sha256 hash;
        hash.add(std::string_view(text).substr(0, cut));
        hash.add(std::string_view(text).substr(cut));
        CHECK(hash.hex() == sha256_hex(text));
    }
}

TEST_CASE("fields are told apart from their concatenation") {
    Sha256 one, two;
    one.add_field("ab");
    one.add_field("c");
    two.add_field("a");
    two.add_field("bc");
    CHECK(one.hex() != two.hex());
}
