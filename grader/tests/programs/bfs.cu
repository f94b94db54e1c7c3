// Breadth-first search by levels, with a flag that the host reads after each.
#include <cstdio>
#include <queue>
#include <vector>

__global__ void expand(const int *first, const int *edges, int *level, int depth, int n, int *changed) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] != depth) return;
    for (int e = first[v]; e < first[v + 1]; ++e) {
        if (atomicCAS(&level[edges[e]], -1, depth + 1) == -1) atomicExch(changed, 1);
    }
}

int main() {
    const int n = 200;
    std::vector<int> first(n + 1), edges;
    for (int v = 0; v < n; ++v) {
        first[v] = (int)edges.size();
        if (2 * v + 1 < n) edges.push_back(2 * v + 1);
        if (2 * v + 2 < n) edges.push_back(2 * v + 2);
        edges.push_back((v * 7 + 3) % n);
    }
    first[n] = (int)edges.size();
    std::vector<int> level(n, -1), expected(n, -1);
    level[0] = expected[0] = 0;
    std::queue<int> queue;
    queue.push(0);
    while (!queue.empty()) {
        int v = queue.front();
        queue.pop();
        for (int e = first[v]; e < first[v + 1]; ++e)
            if (expected[edges[e]] < 0) {
                expected[edges[e]] = expected[v] + 1;
                queue.push(edges[e]);
            }
    }
    int *d_first, *d_edges, *d_level, *d_changed;
    cudaMalloc(&d_first, first.size() * sizeof(int));
    cudaMalloc(&d_edges, edges.size() * sizeof(int));
    cudaMalloc(&d_level, n * sizeof(int));
    cudaMalloc(&d_changed, sizeof(int));
    cudaMemcpy(d_first, first.data(), first.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_edges, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_level, level.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    int changed = 1, depth = 0;
    while (changed) {
        changed = 0;
        cudaMemcpy(d_changed, &changed, sizeof(int), cudaMemcpyHostToDevice);
        expand<<<(n + 127) / 128, 128>>>(d_first, d_edges, d_level, depth++, n, d_changed);
        cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(level.data(), d_level, n * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d levels, as on the host: %s, level of the last %d\n", depth, level == expected ? "yes" : "no", level[n - 1]);
    cudaFree(d_first);
    cudaFree(d_edges);
    cudaFree(d_level);
    cudaFree(d_changed);
}
