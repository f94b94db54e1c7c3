// What is done at the end of a program: destructors of globals, of statics, and atexit.
// exit: 3
#include <cstdio>
#include <cstdlib>

__global__ void fill(int *v, int value) { v[threadIdx.x] = value; }

class Pool {
public:
    explicit Pool(int n) : n_(n) { cudaMalloc(&v_, n * sizeof(int)); }
    ~Pool() {
        cudaFree(v_);
        printf("pool of %d freed\n", n_);
    }
    int *get() { return v_; }

private:
    int *v_;
    int n_;
};

Pool pool(32);

void goodbye() { printf("goodbye\n"); }

Pool &second() {
    static Pool other(64);
    return other;
}

int main() {
    atexit(goodbye);
    fill<<<1, 32>>>(pool.get(), 7);
    fill<<<1, 64>>>(second().get(), 8);
    int a, b;
    cudaMemcpy(&a, pool.get() + 31, sizeof a, cudaMemcpyDeviceToHost);
    cudaMemcpy(&b, second().get() + 63, sizeof b, cudaMemcpyDeviceToHost);
    printf("%d %d\n", a, b);
    exit(3);
}
