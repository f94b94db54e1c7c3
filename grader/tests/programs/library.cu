// What the C and C++ libraries give: numbers, distributions, formats. NAME.out is what g++ prints.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>
int main() {
    srand(42);
    std::vector<int> a(512);
    for (int& x : a) x = rand() % 10000;
    std::sort(a.begin(), a.end());
    printf("%d %d ... %d\n", a[0], a[1], a[511]);
    srand(1);
    for (int i = 0; i < 3; i++) printf("%d ", rand());
    puts("");
    std::mt19937 gen(2024);
    std::vector<int> x(500);
    std::generate(x.begin(), x.end(), [&] { return (int)(gen() % 1000); });
    std::sort(x.begin(), x.end());
    std::cout << "min " << x.front() << ", median " << x[250] << ", max " << x.back() << "\n"
              << std::fixed << std::setprecision(3) << std::accumulate(x.begin(), x.end(), 0.0) / 500 << "\n";
    std::mt19937 g(42);
    std::uniform_real_distribution<float> u(0, 1);
    std::uniform_int_distribution<int> ui(1, 6);
    std::normal_distribution<double> n(0, 1);
    std::mt19937_64 g6(7);
    std::uniform_real_distribution<double> ud(-1, 1);
    std::default_random_engine de;
    std::cout << std::setprecision(6) << u(g) << " " << ui(g) << " " << n(g) << " " << g6() << " " << ud(g6) << " "
              << ud(g) << " " << de() << " " << ui(de) << " " << u(de) << "\n";
    std::cout << 1e10 << " " << 0.1f << " " << std::defaultfloat << 1e10 << " " << 123456789.0 << " " << 1.0 / 3 << " "
              << std::hex << 255 << std::dec << " " << true << " " << 'c' << " " << (void*)0x10 << " " << std::setw(6)
              << std::setfill('*') << 42 << " " << -7 << "\n";
    printf("%5s|%-5s|%05d|%+d|%x|%lu|%zu|%e|%g|%c|%%|%8.3f|%lld\n", "ab", "cd", 42, 7, 255, 123456789012ul, (size_t)5,
           12345.678, 0.0001, 'z', 3.14159, -5ll);
}
