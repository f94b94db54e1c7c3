// malloc, free, new and delete inside of a kernel.
#include <cstdio>

struct Node {
    int value;
    Node *next;
};

__global__ void lists(int *sums, int n) {
    Node *head = nullptr;
    for (int i = 0; i < n; i++) {
        Node *node = new Node;
        node->value = threadIdx.x * i;
        node->next = head;
        head = node;
    }
    int *copy = (int *)malloc(n * sizeof(int));
    int count = 0, sum = 0;
    while (head) {
        copy[count++] = head->value;
        Node *next = head->next;
        delete head;
        head = next;
    }
    for (int i = 0; i < count; i++) sum += copy[i];
    free(copy);
    sums[threadIdx.x] = sum;
}

int main() {
    int h[8], *d;
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20);
    cudaMalloc(&d, sizeof(h));
    lists<<<1, 8>>>(d, 10);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++) printf("%d ", h[i]);
    printf("\n");
    cudaFree(d);
}
