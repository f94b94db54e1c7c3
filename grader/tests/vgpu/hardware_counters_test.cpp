// Whole kernels against an H200: tests/data/counters.csv holds Nsight Compute's counters for kernels of the same access
// pattern as tests/data/counter_kernels.cu, compiled to tests/data/counter_kernels.ptx by its script. Global requests
// and sectors are equal in every row, shared store wavefronts too (one row may differ by one); shared load wavefronts
// are equal or up to 6 % below, never above: the hardware's counter adds arbitration to the rule.
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>

#include "ptx/module.hpp"
#include "support/catch.hpp"
#include "vgpu/vgpu.hpp"

using namespace warpgrade;
using namespace warpgrade::vgpu;

namespace {

std::string data_file(const std::string& name) {
    return std::string(WARPGRADE_SOURCE_DIR) + "/grader/tests/data/" + name;
}

// Cells of a CSV line, with quotes.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    bool is_quoted = false;
    for (const char c : line) {
        if (c == '"')
            is_quoted = !is_quoted;
        else if (c == ',' && !is_quoted)
            cells.emplace_back();
        else
            cells.back() += c;
    }
    return cells;
}
std::uint64_t number(std::string text) {
    std::erase(text, ',');
    return text.empty() ? 0 : std::stoull(text);
}
Dim3 extent(const std::string& text) {
    Dim3 d;
    std::sscanf(text.c_str(), "(%u, %u, %u)", &d.x, &d.y, &d.z);
    return d;
}

}  // namespace

TEST_CASE("kernels count as an H200 counts them", "[counts]") {
    std::ifstream ptx_file(data_file("counter_kernels.ptx"));
    std::stringstream text;
    text << ptx_file.rdbuf();
    const auto module = ptx::parse(text.str());
    REQUIRE(module.ok());
    const auto program = load(*module, "counter_kernels.cu");
    REQUIRE(program.ok());

    std::ifstream file(data_file("counters.csv"));
    std::string line;
    std::getline(file, line);
    const std::vector<std::string> names = cells_of(line);
    std::getline(file, line);  // units
    int rows = 0, off_by_one = 0;
    while (std::getline(file, line)) {
        const std::vector<std::string> cells = cells_of(line);
        std::map<std::string, std::string> row;
        for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = cells.at(i);
        // "void smem<16, 0>(const float *, ...)" -> "smem<16, 0>"
        std::string kernel = row["Kernel Name"];
        if (kernel.starts_with("void ")) kernel.erase(0, 5);
        kernel.resize(kernel.find('('));
        const Dim3 grid = extent(row["Grid Size"]), block = extent(row["Block Size"]);
        // The transposes ran on 1024 x 1024, then on 1000 x 777; the others on as many elements as their grid says.
        const bool is_odd = number(row["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]) % 1024 != 0;
        const bool is_transpose = kernel.find('<') != std::string::npos || kernel == "vec4";
        const int height = is_odd ? 1000 : 1024, width = is_odd ? 777 : 1024;
        const std::uint64_t count =
            kernel[0] == 'r' ? (is_odd ? 1000003 : 1 << 20) : std::uint64_t(height) * static_cast<unsigned>(width);
        const KernelInfo* info = nullptr;
        const std::vector<KernelInfo> all = kernels(**program);
        for (const KernelInfo& k : all) {
            if (k.display_name == kernel) info = &k;
        }
        INFO(row["Kernel Name"] << " " << row["Grid Size"]);
        REQUIRE(info != nullptr);
        Memory memory;
        const int in = *memory.allocate({"in", count * 4 + 64, 4, true, true, 0});
        const int out = *memory.allocate({"out", count * 4 + 64, 4, false, false, 0});
        auto session = Session::open(*program, memory);
        REQUIRE(session.ok());
        Launch launch;
        launch.kernel = info->name;
        launch.grid = grid;
        launch.block = block;
        launch.parameters.resize(info->parameter_total_bytes);
        const std::uint64_t addresses[] = {memory.buffer(in).address, memory.buffer(out).address};
        std::memcpy(launch.parameters.data(), addresses, 16);
        if (is_transpose) {
            const int extents[] = {height, width};
            std::memcpy(launch.parameters.data() + 16, extents, 8);
        } else {
            const std::uint64_t n = kernel == "copy4" ? count / 4 : count;
            std::memcpy(launch.parameters.data() + 16, &n, 8);
        }
        const Counters c = (*session)->run(launch, {}).counters;
        CHECK(c.global_load_requests == number(row["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"]));
        CHECK(c.global_load_sectors == number(row["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]));
        CHECK(c.global_store_requests == number(row["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"]));
        CHECK(c.global_store_sectors == number(row["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"]));
        const std::uint64_t stores = number(row["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"]);
        if (c.shared_store_wavefronts != stores) {
            ++off_by_one;
            CHECK(c.shared_store_wavefronts + 1 >= stores);
            CHECK(c.shared_store_wavefronts <= stores + 1);
        }
        const std::uint64_t loads = number(row["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"]);
        CHECK(c.shared_load_wavefronts <= loads);
        CHECK(static_cast<double>(c.shared_load_wavefronts) >= 0.94 * static_cast<double>(loads));
        ++rows;
    }
    CHECK(rows == 47);
    CHECK(off_by_one <= 1);
}
