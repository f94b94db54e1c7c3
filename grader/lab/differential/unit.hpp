// A unit of random kernels as both sides run it. Shared by run_virtual.cpp and run_card.cu, so it knows neither the kit
// nor CUDA.
//
// STEM.ptx is the text; STEM.txt says what to launch, a line for each kernel:
//
//     seed 17
//     k000 GRID_X BLOCK_X BLOCK_Y SHARED_BYTES OUT_WORDS
//
// Each kernel takes (const unsigned* in, unsigned* out), with `in` of in_words words and `out` of its OUT_WORDS; both
// are filled from the seed before each launch. What comes of it lands in STEM.SIDE.bin, a record for each kernel in
// their order: one word, 0 if the kernel ran to its end, then the words of `out`. STEM.SIDE.txt says in words what went
// wrong.
#pragma once

#include <cstdint>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace differential {

inline constexpr std::uint32_t in_words = 4096;

struct Kernel {
    std::string name;
    std::uint32_t grid_x = 1, block_x = 1, block_y = 1, shared_bytes = 0, out_words = 0;
};

struct Unit {
    std::string stem, ptx;
    std::uint32_t seed = 0;
    std::vector<Kernel> kernels;
    std::uint32_t most_out_words() const {
        std::uint32_t most = 1;
        for (const Kernel& k : kernels) most = k.out_words > most ? k.out_words : most;
        return most;
    }
};

inline std::uint32_t mixed(std::uint32_t x) {  // every bit of x moves about half of the bits
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

// Any bits; small integers; f32 of all sizes; the values at which arithmetic has its corners (as the high word of a
// double, too).
inline std::uint32_t in_word(std::uint32_t seed, std::uint32_t i) {
    static const std::uint32_t corners[] = {
        0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fffffff, 0xffffffff,
        0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x3f000000, 0x40000000,
        0x4f000000, 0xcf000000, 0x4f800000, 0x4effffff, 0x5f000000, 0x3fc00000, 0xbfc00000, 0x40200000,
        0x3ff00000, 0xbff00000, 0x7ff00000, 0xfff00000, 0x7ff80000, 0x000fffff, 0x00100000, 0x41dfffff,
        0x41efffff, 0x43e00000, 0x47efffff, 0x36a00000, 0x00003c00, 0x7c007c00, 0x00010001, 0x7bff7bff,
        0x04000400, 0x7e007e00, 0x00003f80, 0x7f807f80, 0x0000ffff, 0x00008000, 0x00007fff, 0x7fff8000};
    const std::uint32_t bits = mixed(mixed(seed) + i), kind = mixed(bits + 1) % 8;
    if (kind == 0) return corners[bits % (sizeof corners / sizeof corners[0])];
    if (kind == 1) return bits % 33 - 16;
    if (kind <= 3) return (bits & 0x807fffffu) | ((112 + (bits >> 23) % 32) << 23);   // 2^-15 to 2^16
    if (kind == 4) return (bits & 0x800fffffu) | ((1008 + (bits >> 20) % 32) << 20);  // the high word of a double
    if (kind == 5) return bits & (bits >> 7) & (bits << 5);                           // few ones
    return bits;
}
inline std::uint32_t out_word(std::uint32_t seed, std::uint32_t i) { return mixed(mixed(seed + 77) + i); }

inline std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline Unit read_unit(const std::string& stem) {
    Unit unit;
    unit.stem = stem;
    unit.ptx = read_file(stem + ".ptx");
    std::istringstream lines(read_file(stem + ".txt"));
    std::string line, word;
    while (std::getline(lines, line)) {
        std::istringstream words(line);
        if (!(words >> word)) continue;
        if (word == "seed") {
            words >> unit.seed;
            continue;
        }
        Kernel k;
        k.name = word;
        if (!(words >> k.grid_x >> k.block_x >> k.block_y >> k.shared_bytes >> k.out_words))
            throw std::runtime_error("not a kernel's line in " + stem + ".txt: " + line);
        unit.kernels.push_back(k);
    }
    return unit;
}

// Collects what a side has to say of a unit, and writes it at the end.
class Outcome {
public:
    Outcome(std::string stem, std::string side) : path_(std::move(stem) + "." + std::move(side)) {}
    void add(std::uint32_t status, const std::uint32_t* words, std::uint32_t count) {
        words_.push_back(status);
        words_.insert(words_.end(), words, words + count);
    }
    void say(const std::string& line) { text_ += line + "\n"; }
    void write() const {
        std::ofstream bin(path_ + ".bin", std::ios::binary), txt(path_ + ".txt");
        bin.write(reinterpret_cast<const char*>(words_.data()), static_cast<std::streamsize>(words_.size() * 4));
        txt << text_;
        if (!bin.flush() || !txt.flush()) throw std::runtime_error("cannot write " + path_ + ".bin");
    }

private:
    std::string path_, text_;
    std::vector<std::uint32_t> words_;
};

// Runs each stem named, or, for "-", those that come on standard input: a line "done STEM" says that one is written.
template <class Run>
int run_stems(int count, char** arguments, Run&& run) {
    for (int i = 1; i < count; ++i) {
        if (std::string(arguments[i]) != "-") {
            run(std::string(arguments[i]));
            continue;
        }
        for (std::string stem; std::getline(std::cin, stem);) {
            run(stem);
            std::cout << "done " << stem << std::endl;
        }
    }
    return 0;
}

}  // namespace differential
