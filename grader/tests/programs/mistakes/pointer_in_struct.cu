#include <cstdio>
struct Node { int value; Node *next; };
__global__ void walk(const Node *node, int *sum) {
    *sum = 0;
    for (int i = 0; node && i < 4; node = node->next, i++) *sum += node->value;
}
int main() {
    Node second = {2, nullptr}, first = {1, &second}, *d_first, *d_second;
    int *d_sum, sum;
    cudaMalloc(&d_first, sizeof(Node));
    cudaMalloc(&d_second, sizeof(Node));
    cudaMalloc(&d_sum, sizeof(int));
    cudaMemcpy(d_second, &second, sizeof(Node), cudaMemcpyHostToDevice);
    // The second node is where it was.  // right: first.next = d_second;
    cudaMemcpy(d_first, &first, sizeof(Node), cudaMemcpyHostToDevice);
    walk<<<1, 1>>>(d_first, d_sum);
    if (cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    printf("%d\n", sum);
    cudaFree(d_first);
    cudaFree(d_second);
    cudaFree(d_sum);
}
