// One instruction at a time against tests/golden/ops/*.txt (the format: op_case.hpp): on the virtual GPU, with each of
// its instruction sets, and through ptxas where it is found. That the files cover the opcode table is asserted as well.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "ptx/module.hpp"
#include "support/catch.hpp"
#include "support/sample.hpp"
#include "vgpu/code.hpp"
#include "vgpu/op_case.hpp"
#include "vgpu/ops/table.hpp"
#include "vgpu/vgpu.hpp"

using namespace warpgrade;
using namespace warpgrade::vgpu;
using op_case::OpCase;

namespace {

const std::vector<OpCase>& cases() {
    static const std::vector<OpCase> all =
        op_case::read_folder(std::string(WARPGRADE_SOURCE_DIR) + "/grader/tests/golden/ops");
    return all;
}

std::string module_text(const OpCase& c) {
    std::string text = op_case::kHeader + op_case::kernel_from_memory(c, "branched", false);
    if (c.lanes == 0)
        text += op_case::kernel_from_memory(c, "guarded", true) + op_case::kernel_from_parameters(c, "early");
    return text;
}

// A memory with values in and values out.
class Bench {
public:
    Bench() {
        BufferSpec spec{"values", 8 * op_case::kRegisterBytes, 8, false, true, 0};
        from_ = *memory_.allocate(spec);
        to_ = *memory_.allocate(spec);
    }

    // Empty, or what went wrong.
    std::string run(const OpCase& c) {
        const auto module = ptx::parse(module_text(c));
        if (!module.ok()) return c.where() + "\n  does not parse: " + module.error().title;
        const auto program = load(*module, "case.cu");
        if (!program.ok()) return c.where() + "\n  does not load: " + program.error().title;
        auto session = Session::open(*program, memory_);
        if (!session.ok()) return c.where() + "\n  " + session.error().title;
        session_ = session->get();
        std::string wrong;
        if (c.lanes != 0) {
            wrong += run_from_memory(c, "branched", c.lanes);
        } else {
            wrong += run_from_memory(c, "branched", 0xFFFFFFFFu);
            wrong += run_from_memory(c, "branched", 0x55555555u);
            wrong += run_from_memory(c, "guarded", 0x0FF0F00Fu);
            for (unsigned column = 0; column < c.columns(); ++column) wrong += run_early(c, column);
        }
        return wrong;
    }

private:
    std::uint64_t& lane(int buffer, std::size_t k, unsigned i) {
        return memory_.view<std::uint64_t>(buffer)[k * 32 + i];
    }

    std::string launch(const std::string& kernel, const std::vector<std::uint64_t>& parameters) {
        Launch launch;
        launch.kernel = kernel;
        launch.block = {32, 1, 1};
        launch.parameters.resize(parameters.size() * 8);
        std::memcpy(launch.parameters.data(), parameters.data(), launch.parameters.size());
        RunOptions options;
        options.threads = 1;
        const RunResult result = session_->run(launch, options);
        if (result.findings.empty()) return "";
        const Finding& f = result.findings[0];
        return "  " + kernel + ": finding " + to_string(f.kind) + " " + f.detail + "\n";
    }

    void set_outputs(const OpCase& c) {
        for (std::size_t k = 0; k < c.outputs.size(); ++k) {
            for (unsigned i = 0; i < 32; ++i) lane(to_, k, i) = op_case::old_value(c.outputs[k], i);
        }
    }

    std::string compare(const OpCase& c, std::size_t k, unsigned i, bool is_active, unsigned column,
                        const std::string& run) {
        const op_case::Values& output = c.outputs[k];
        const unsigned width = std::max(op_case::bits_of(op_case::kind_of(output.name)), 8u);
        const std::uint64_t got = lane(to_, k, i) & (width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1);
        if (is_active ? op_case::agrees(output, column, got, 0) : got == op_case::old_value(output, i)) return "";
        std::ostringstream text;
        text << "  " << run << ", lane " << i << (is_active ? "" : " (not active)") << ": " << output.name << " = 0x"
             << std::hex << got << ", expected 0x" << (is_active ? output.at(column) : op_case::old_value(output, i))
             << ";";
        for (const op_case::Values& v : c.inputs) text << " " << v.name << " = 0x" << v.at(column);
        return text.str() + "\n";
    }

    std::string run_from_memory(const OpCase& c, const std::string& kernel, std::uint32_t mask) {
        for (std::size_t k = 0; k < c.inputs.size(); ++k) {
            for (unsigned i = 0; i < 32; ++i) lane(from_, k, i) = c.inputs[k].at(i);
        }
        set_outputs(c);
        std::string wrong = launch(kernel, {memory_.buffer(from_).address, memory_.buffer(to_).address, mask});
        char run[64];
        std::snprintf(run, sizeof run, "%s, mask %08x", kernel.c_str(), mask);
        for (std::size_t k = 0; k < c.outputs.size(); ++k) {
            for (unsigned i = 0; i < 32; ++i) wrong += compare(c, k, i, ((mask >> i) & 1) != 0, i, run);
        }
        return wrong;
    }

    std::string run_early(const OpCase& c, unsigned column) {
        std::vector<std::uint64_t> parameters{memory_.buffer(to_).address};
        for (const op_case::Values& v : c.inputs) parameters.push_back(v.at(column));
        set_outputs(c);
        std::string wrong = launch("early", parameters);
        for (std::size_t k = 0; k < c.outputs.size(); ++k) {
            for (const unsigned i : {0u, 31u}) wrong += compare(c, k, i, true, column, "from parameters");
        }
        return wrong;
    }

    Memory memory_;
    int from_ = -1, to_ = -1;
    Session* session_ = nullptr;
};

// What a child process prints, and its exit status.
std::pair<std::string, int> run_command(const std::string& command) {
    FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string text;
    char part[4096];
    for (std::size_t n = 0; (n = std::fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
    const int status = ::pclose(pipe);
    return {text, WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

// What this processor can run, said when it is not everything.
std::vector<std::string> instruction_sets() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {"baseline", "avx2"};
    std::cout << "skipped: this processor has no avx2, only the baseline is tested\n";
#endif
    return {"baseline"};
}

bool starts_with_any(std::string_view key, std::initializer_list<std::string_view> prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view p) { return key.starts_with(p); });
}

// The table key an instruction is looked up by: its name, or its name without what lowering drops.
std::string key_of(const OpCase& c, bool drops_words) {
    std::istringstream words(c.op.substr(0, c.op.find(' ')));
    std::string key, word;
    while (std::getline(words, word, '.')) {
        if (drops_words && (word == "rn" || word == "approx" || word == "full")) continue;
        key += (key.empty() ? "" : ".") + word;
    }
    return key;
}

}  // namespace

TEST_CASE("every case of a single instruction gives what the PTX manual says", "[op-cases]") {
    int wrong = 0;
    std::string messages;
    const std::vector<OpCase>& all = cases();
    const test::Part part = test::part_of(1, "cases of an instruction");
    for (std::size_t i = part.which; i < all.size(); i += part.parts) {
        const std::string message = Bench().run(all[i]);
        if (message.empty()) continue;
        if (++wrong <= 10) messages += all[i].where() + "\n" + message;
    }
    INFO(all.size() << " cases, instruction set " << op_table_isa() << "\n" << messages);
    CHECK(wrong == 0);
    CHECK(all.size() > 1500);
    std::cout << "instruction set " << op_table_isa() << ": " << all.size() << " cases\n";
}

// The table is chosen once a process, so each instruction set has a process of its own.
TEST_CASE("an approximate instruction may be off on a GPU by what its case allows, and by no more") {
    const auto expects = [](const char* name, std::uint64_t bits) { return op_case::Values{name, {bits}, {false}}; };
    CHECK(op_case::agrees(expects("%rs1", 0x3a18), 0, 0x3a17, 5e-4));  // f16: 0.7617 and 0.7612
    CHECK_FALSE(op_case::agrees(expects("%rs1", 0x3a18), 0, 0x3a16, 5e-4));
    CHECK_FALSE(op_case::agrees(expects("%rs1", 0x3a18), 0, 0x3a17, 0));
    CHECK(op_case::agrees(expects("%r1", 0xba183a18), 0, 0xba173a17, 5e-4));
    CHECK_FALSE(op_case::agrees(expects("%r1", 0xba183a18), 0, 0x3a183a18, 5e-4));
    CHECK_FALSE(op_case::agrees(expects("%r1", 0x3a183a18), 0, 0x3a187e00, 5e-4));  // a NaN
    CHECK(op_case::agrees(expects("%f1", 0x3f800000), 0, 0x3f800001, 1e-6));
    CHECK_FALSE(op_case::agrees(expects("%f1", 0x3f800000), 0, 0x3f800010, 1e-6));
}

TEST_CASE("instruction cases hold with every instruction set of this machine", "[machine]") {
    for (const std::string& isa : instruction_sets()) {
        const auto [text, status] =
            run_command("WARPGRADE_ISA=" + isa + " /proc/" + std::to_string(::getpid()) + "/exe '[op-cases]'");
        INFO(text);
        CHECK(status == 0);
        CHECK(text.find("instruction set " + isa + ":") != std::string::npos);
    }
}

TEST_CASE("every row of the opcode table has a case", "[counts]") {
    std::set<std::string> named;
    std::set<Handler> reached;
    for (const OpCase& c : cases()) {
        named.insert(key_of(c, false));
        named.insert(key_of(c, true));
        const auto module = ptx::parse(module_text(c));
        REQUIRE(module.ok());
        const auto program = load(*module, "case.cu");
        if (!program.ok()) continue;  // said by the test above
        for (const Code& code : (*program)->functions) {
            for (const auto* list : {&code.instructions, &code.launch_code, &code.block_code, &code.slot_code}) {
                for (const Inst& in : *list) reached.insert(in.masked);
            }
        }
    }
    std::string missing;
    int rows = 0;
    for (const OpEntry* row : op_table().rows()) {
        // Memory, control, clusters and the clock: tested where they are used (one_warp_test, execution_test,
        // matrix_test, clusters_test).
        if (starts_with_any(row->key, {"ld.", "st.", "atom.", "cp.", "guard.", "special.", "isspacep", "fence", "trap",
                                       "nothing", "divisor.", "mbarrier.", "poll", "tell", "ldmatrix.", "stmatrix.",
                                       "cluster.", "mapa.", "getctarank."}))
            continue;
        ++rows;
        // Rows without a PTX name of their own, and those that come second in their cases, are known by their handler.
        const bool is_ours = starts_with_any(row->key, {"resize.", "pack.", "unpack.", "addc.", "subc.", "madc."});
        const bool has_case = is_ours ? reached.contains(row->masked) : named.contains(row->key);
        if (!has_case) missing += "  " + row->key + "\n";
    }
    INFO("no case in tests/golden/ops for\n" << missing);
    CHECK(missing.empty());
    CHECK(rows > 1000);
}

TEST_CASE("ptxas takes every instruction case", "[machine]") {
    const char* ptxas = "/usr/local/cuda/bin/ptxas";
    if (!std::filesystem::exists(ptxas)) {
        std::cout << "skipped: no " << ptxas << ", so the cases' PTX is not assembled\n";
        return;
    }
    const auto folder = std::filesystem::temp_directory_path() / ("warpgrade-ops-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const auto assemble = [&](bool valid) {
        std::ofstream file(folder / "cases.ptx");
        file << op_case::kHeader;
        int count = 0;
        for (const OpCase& c : cases()) {
            if (c.assembles == valid) file << op_case::kernel_from_memory(c, "case_" + std::to_string(count++), false);
        }
        file.close();
        auto [text, status] = run_command(std::string(ptxas) + " -O0 -arch=sm_90 " + (folder / "cases.ptx").string() +
                                          " -o " + (folder / "cases.cubin").string());
        return std::tuple(text, status, count);
    };
    const auto [text, status, count] = assemble(true);
    INFO(count << " kernels\n" << text.substr(0, 4000));
    CHECK(status == 0);
    // And refuses those that say so, each of them.
    const auto [refusals, refused, number] = assemble(false);
    std::istringstream lines(refusals);
    std::string line;
    int errors = 0;
    while (std::getline(lines, line)) errors += line.find(", line ") != std::string::npos ? 1 : 0;
    INFO(refusals.substr(0, 2000));
    CHECK(refused != 0);
    CHECK(errors == number);
    std::filesystem::remove_all(folder);
}

// Weak symbols are merged by name: one that two instruction sets share would run AVX2 code on a machine without it.
TEST_CASE("objects of one instruction set share no code with another", "[machine]") {
#ifdef __SANITIZE_ADDRESS__
    WARN("skipped: the sanitizers add symbols of their own");
    return;
#endif
    const auto objects = std::filesystem::path(WARPGRADE_BINARY).parent_path() / "vgpu/CMakeFiles";
    for (const std::string& isa : instruction_sets()) {
        const auto folder = objects.lexically_normal() / ("warpgrade_ops_" + isa + ".dir");
        INFO(folder);
        REQUIRE(std::filesystem::exists(folder));
        std::string shared;
        int objects_seen = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (entry.path().extension() != ".o") continue;
            ++objects_seen;
            const auto [text, status] = run_command("nm -C --defined-only '" + entry.path().string() + "'");
            REQUIRE(status == 0);
            std::istringstream lines(text);
            std::string line;
            while (std::getline(lines, line)) {
                if (line.size() < 20 || std::string_view("WwVvu").find(line[17]) == std::string_view::npos) continue;
                if (line.find("warpgrade::vgpu::" + isa + "::") == std::string::npos)
                    shared += entry.path().filename().string() + ": " + line.substr(17) + "\n";
            }
        }
        INFO("weak symbols outside warpgrade::vgpu::" << isa << ":\n" << shared);
        CHECK(shared.empty());
        CHECK(objects_seen > 10);
    }
}
