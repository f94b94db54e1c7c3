// Cyclic reduction of many tridiagonal systems, one a block, in dynamic shared memory of doubles; cudaFuncSetAttribute.
#include <cmath>
#include <cstdio>
#include <vector>
__global__ void reduce_systems(const double *a, const double *b, const double *c, const double *d, double *x, int n) {
    extern __shared__ double s[];
    double *sa = s, *sb = sa + n, *sc = sb + n, *sd = sc + n;
    int t = threadIdx.x, at = blockIdx.x * n + t;
    sa[t] = a[at]; sb[t] = b[at]; sc[t] = c[at]; sd[t] = d[at];
    __syncthreads();
    for (int step = 1; step < n; step *= 2) {
        double na = 0, nb = sb[t], nc = 0, nd = sd[t];
        if (t - step >= 0) {
            double k = sa[t] / sb[t - step];
            na = -sa[t - step] * k; nb -= sc[t - step] * k; nd -= sd[t - step] * k;
        }
        if (t + step < n) {
            double k = sc[t] / sb[t + step];
            nc = -sc[t + step] * k; nb -= sa[t + step] * k; nd -= sd[t + step] * k;
        }
        __syncthreads();
        sa[t] = na; sb[t] = nb; sc[t] = nc; sd[t] = nd;
        __syncthreads();
    }
    x[at] = sd[t] / sb[t];
}
int main() {
    const int n = 512, systems = 3;
    const size_t bytes = sizeof(double) * n * systems;
    std::vector<double> a(n * systems), b(a), c(a), d(a), x(a);
    for (int i = 0; i < n * systems; i++) {
        a[i] = i % n == 0 ? 0 : -1; c[i] = i % n == n - 1 ? 0 : -1; b[i] = 4 + i / n; d[i] = (i * 31) % 17;
    }
    double *da, *db, *dc, *dd, *dx;
    for (auto p : {&da, &db, &dc, &dd, &dx}) cudaMalloc(p, bytes);
    cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(dc, c.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(dd, d.data(), bytes, cudaMemcpyHostToDevice);
    const int shared = 4 * n * sizeof(double);
    cudaFuncSetAttribute(reduce_systems, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    reduce_systems<<<systems, n, shared>>>(da, db, dc, dd, dx, n);
    if (cudaError_t e = cudaPeekAtLastError(); e != cudaSuccess) { printf("%s\n", cudaGetErrorString(e)); return 1; }
    cudaMemcpy(x.data(), dx, bytes, cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int i = 0; i < n * systems; i++) {
        double r = b[i] * x[i] - d[i];
        if (a[i] != 0) r += a[i] * x[i - 1];
        if (c[i] != 0) r += c[i] * x[i + 1];
        worst = std::max(worst, std::abs(r));
    }
    printf("%s\n", worst < 1e-9 ? "solved" : "not solved");
    for (auto p : {da, db, dc, dd, dx}) cudaFree(p);
}
