#include "classroom/release_parts.hpp"

#include "support/catch.hpp"

using namespace warpgrade::classroom;

TEST_CASE("hints up to a level, whatever stands in them") {
    const std::string toml =
        "id = \"a\"\nhints = [\n    \"one [1], \\\"x\\\"\",\n    'two ]',\n    \"three\",\n]\n\n[[stage.rule]]\nsays = "
        "\"]\"\n";
    CHECK(with_hints(toml, 1) ==
          "id = \"a\"\nhints = [\n    \"one [1], \\\"x\\\"\",\n]\n\n[[stage.rule]]\nsays = \"]\"\n");
    CHECK(with_hints(toml, 2) ==
          "id = \"a\"\nhints = [\n    \"one [1], \\\"x\\\"\",\n    'two ]',\n]\n\n[[stage.rule]]\nsays = \"]\"\n");
    CHECK(with_hints(toml, 0) == "id = \"a\"\nhints = []\n\n[[stage.rule]]\nsays = \"]\"\n");
    CHECK(with_hints("id = 1\n", 0) == "id = 1\n");
}

TEST_CASE("a handout without what is not handed out") {
    const std::string text =
        "# T\nsee reduction\n## 1. A\n`transpose/padding`\n```sh\n## no heading, reduction_x/y\n```\n## 2. "
        "B\n```sh\ncheck reduction/strided\n```\n## 3. C\nend\n";
    CHECK(without_assignments(text, {"reduction"}) ==
          "# T\nsee reduction\n## 1. A\n`transpose/padding`\n```sh\n## no heading, reduction_x/y\n```\n## 3. C\nend\n");
    CHECK(without_dead_links("[A](a.md), [B](b.md#x) and [C](../README.md), [D](https://d.md)", "handouts",
                             {"handouts/a.md", "README.md"}) ==
          "[A](a.md), B and [C](../README.md), [D](https://d.md)");
}
