// Containers of the host around one kernel.
#include <algorithm>
#include <bitset>
#include <cinttypes>
#include <cstdio>
#include <deque>
#include <list>
#include <optional>
#include <set>
#include <stack>
#include <unordered_map>
#include <vector>

__global__ void square(int *v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= v[i];
}

std::optional<int> first_above(const std::vector<int> &v, int limit) {
    for (int x : v)
        if (x > limit) return x;
    return std::nullopt;
}

int main() {
    std::deque<int> window;
    std::list<int> chain{3, 1, 2};
    chain.push_front(0);
    for (int x : chain) window.push_back(x);
    window.push_front(9);
    std::vector<int> v(window.begin(), window.end());
    int *d;
    cudaMalloc(&d, v.size() * sizeof(int));
    cudaMemcpy(d, v.data(), v.size() * sizeof(int), cudaMemcpyHostToDevice);
    square<<<1, 32>>>(d, v.size());
    cudaMemcpy(v.data(), d, v.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d);
    std::set<int> sorted(v.begin(), v.end());
    for (int x : sorted) printf("%d ", x);
    printf("\n");
    std::stack<int> s;
    for (int x : v) s.push(x);
    while (!s.empty()) {
        printf("%d ", s.top());
        s.pop();
    }
    printf("\n");
    std::unordered_map<int, int> index;
    for (int i = 0; i < (int)v.size(); ++i) index[v[i]] = i;
    printf("9 is at %d\n", index[9]);
    if (auto found = first_above(v, 4)) printf("%d\n", *found);
    printf("%d\n", first_above(v, 100).value_or(-1));
    std::bitset<8> bits(0xA5);
    bits.flip(0);
    printf("%zu %s\n", bits.count(), bits.to_string().c_str());
    uint64_t big = 1;
    big <<= 40;
    printf("%" PRIu64 "\n", big);
    return 0;
}
