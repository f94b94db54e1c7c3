// Particles as structures, moved by a method, with virtual functions on the host.
#include <cmath>
#include <cstdio>
#include <vector>

struct vec3 {
    float x, y, z;
    __host__ __device__ vec3 operator+(const vec3 &o) const { return {x + o.x, y + o.y, z + o.z}; }
    __host__ __device__ vec3 operator*(float f) const { return {x * f, y * f, z * f}; }
    __host__ __device__ float length() const { return sqrtf(x * x + y * y + z * z); }
};

class Particle {
    vec3 position, velocity;

public:
    __host__ __device__ Particle() : position{0, 0, 0}, velocity{0, 0, 0} {}
    __host__ __device__ Particle(vec3 p, vec3 v) : position(p), velocity(v) {}
    __host__ __device__ void advance(float dt) { position = position + velocity * dt; }
    __host__ __device__ const vec3 &where() const { return position; }
};

__global__ void advanceParticles(float dt, Particle *p, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) p[i].advance(dt);
}

struct Report {
    virtual void print(const Particle &p) const = 0;
    virtual ~Report() {}
};
struct ByPlace : Report {
    void print(const Particle &p) const override { printf("at (%g, %g, %g)\n", p.where().x, p.where().y, p.where().z); }
};
struct ByDistance : Report {
    void print(const Particle &p) const override { printf("%g away\n", p.where().length()); }
};

int main() {
    const int n = 100;
    Particle *all = new Particle[n];
    for (int i = 0; i < n; i++) all[i] = Particle({float(i), 0, 0}, {0, 1, 0.5f});
    Particle *d = NULL;
    cudaMalloc(&d, n * sizeof(Particle));
    cudaMemcpy(d, all, n * sizeof(Particle), cudaMemcpyHostToDevice);
    for (int i = 0; i < 8; i++) advanceParticles<<<(n + 63) / 64, 64>>>(0.5f, d, n);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        printf("1: %s\n", cudaGetErrorString(error));
        return 1;
    }
    cudaMemcpy(all, d, n * sizeof(Particle), cudaMemcpyDeviceToHost);
    std::vector<Report *> reports{new ByPlace, new ByDistance};
    for (Report *report : reports) {
        report->print(all[3]);
        delete report;
    }
    cudaFree(d);
    delete[] all;
}
