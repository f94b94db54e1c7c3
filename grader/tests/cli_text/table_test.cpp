#include "cli/table.hpp"

#include "support/catch.hpp"

using namespace warpgrade;
using namespace warpgrade::cli;

TEST_CASE("columns line up, and no line ends in blanks") {
    Table table({{"stage"}, {"points", true}, {"state"}}, 2);
    table.add({{"padding"}, {"12.5"}, {"done"}});
    table.add({{"größe"}, {"8"}, {""}});
    CHECK(table.text({}) ==
          "  stage    points  state\n"
          "  padding    12.5  done\n"
          "  größe         8\n");
}

TEST_CASE("the flexible column gives way") {
    Table table({{""}, {"", false, true}});
    table.add({{"key"}, {"a text that is much longer than the room that there is"}});
    RenderStyle narrow;
    narrow.columns = 30;
    CHECK(table.text(narrow) == "key  a text that is much lo...\n");
}
