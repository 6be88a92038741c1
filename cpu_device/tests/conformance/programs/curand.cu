// SPDX-License-Identifier: MIT
// cuRAND in kernels and from the host. The numbers are those of NVIDIA's headers, compiled for the
// host, and of its generators for the host. Link with -lcurand.
#include <curand.h>
#include <curand_kernel.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform_reduce.h>

#include <cmath>
#include <cstring>

#include "../check.h"
#include "../parts.h"

inline void check(curandStatus_t status, const char* call, const char* file, int line) {
  if (status == CURAND_STATUS_SUCCESS) return;
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: status %d in: %s\n", file, line, static_cast<int>(status), call);
  std::exit(1);
}

// The seed, the subsequence and the offset of each of six states; then skips and uniform numbers.
namespace bits_in_kernels {

template <class State>
__global__ void draw(unsigned* bits, unsigned long long* doubles) {
  const unsigned long long begin[6][3] = {{0, 0, 0},
                                          {1234, 0, 0},
                                          {1234, 1, 0},
                                          {1234, 7, 1000003},
                                          {0xdeadbeefcafef00dull, 4095, 3},
                                          {42, 1ull << 40, 1ull << 45}};
  State state;
  for (int i = 0; i < 6; ++i) {
    curand_init(begin[i][0], begin[i][1], begin[i][2], &state);
    for (int k = 0; k < 3; ++k) bits[3 * i + k] = curand(&state);
  }
  curand_init(1234, 5, 0, &state);
  skipahead(6ull, &state);
  skipahead_sequence(2ull, &state);
  bits[18] = curand(&state);
  bits[19] = __float_as_uint(curand_uniform(&state));
  doubles[0] = static_cast<unsigned long long>(__double_as_longlong(curand_uniform_double(&state)));
}

template <class State>
void run(const char* name) {
  const DeviceArray<unsigned> bits(20);
  const DeviceArray<unsigned long long> doubles(1);
  draw<State><<<1, 1>>>(bits.data(), doubles.data());
  CHECK_LAUNCH();
  show(name, bits.host());
  show("double", doubles.host());
}

PART(bits_in_kernels) {
  run<curandState>("XORWOW");
  run<curandStatePhilox4_32_10_t>("Philox");
  run<curandStateMRG32k3a_t>("MRG32k3a");
  show("sizes", sizeof(curandState), sizeof(curandStatePhilox4_32_10_t),
       sizeof(curandStateMRG32k3a_t));
}

}  // namespace bits_in_kernels

/* Prints:
XORWOW: 3179217846 1883133293 2220552389 624778773 1867875844 3739671282 3522650202 3978931785 2198015705 3471185442 2285108773 1755120962 264390882 2498844619 2967037770 2891324362 1426213385 3440256106 906701663 1055226400
double: 4605208105245219244
Philox: 1713891541 3781805453 3159862348 546353992 3665621163 1140953199 3507855656 1392278645 3354607383 1428886500 514058494 2710726983 1301659741 2550639625 1774517143 892426038 2164587620 1139261148 3571722420 1032661030
double: 4606543974268665856
MRG32k3a: 545508615 1368065476 1327943825 3379073520 2521876100 213678209 653317650 2890950871 2749090064 64728199 3350013470 3205932042 802106845 3087563258 850573764 954257920 340498833 919660095 3860053668 1062990091
double: 4604817179372930279
sizes: 48 64 48
*/

// States stay in global memory between two kernels; a skipped state is where a stepped one is.
namespace states_in_memory {

__global__ void begin(curandState* states) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(1234, i, 0, &states[i]);
}

__global__ void draw(curandState* states, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state = states[i];
  out[i] = curand(&state);
  states[i] = state;
}

template <class State>
__global__ void skip(int* same) {
  const unsigned i = threadIdx.x;
  State stepped, skipped;
  curand_init(99, 3, 0, &stepped);
  for (unsigned k = 0; k < 17 * i; ++k) curand(&stepped);
  curand_init(99, 3, 5 * i, &skipped);
  skipahead(12ull * i, &skipped);
  same[i] = curand(&stepped) == curand(&skipped);
}

template <class State>
bool skips() {
  const DeviceArray<int> same(32);
  skip<State><<<1, 32>>>(same.data());
  CHECK_LAUNCH();
  for (const int each : same.host()) {
    if (!each) return false;
  }
  return true;
}

PART(states_in_memory) {
  const int threads = 4096;
  curandState* states;
  CHECK(cudaMalloc(&states, threads * sizeof(curandState)));
  const DeviceArray<unsigned> out(threads);
  begin<<<threads / 128, 128>>>(states);
  for (int round = 0; round < 2; ++round) {
    draw<<<threads / 128, 128>>>(states, out.data());
    const std::vector<unsigned> host = out.host();
    show("draws", host[0], host[1], host[2], host[3]);
  }
  CHECK(cudaFree(states));
  expect("XORWOW", skips<curandState>());
  expect("Philox", skips<curandStatePhilox4_32_10_t>());
  expect("MRG32k3a", skips<curandStateMRG32k3a_t>());
}

}  // namespace states_in_memory

/* Prints:
draws: 624778773 3522650202 2363946744 1266286439
draws: 1867875844 3978931785 3486847504 1325236058
XORWOW: ok
Philox: ok
MRG32k3a: ok
*/

// Philox's functions for four numbers give what those for one do.
namespace four_at_a_time {

__global__ void compare(int* same) {
  curandStatePhilox4_32_10_t a, b;
  for (unsigned offset = 0; offset < 4; ++offset) {
    curand_init(1234, 0, offset, &a);
    b = a;
    const uint4 bits = curand4(&a);
    same[offset] = bits.x == curand(&b) && bits.y == curand(&b) && bits.z == curand(&b) &&
                   bits.w == curand(&b);
    const float4 uniform = curand_uniform4(&a);
    same[offset] &= uniform.x == curand_uniform(&b) && uniform.y == curand_uniform(&b) &&
                    uniform.z == curand_uniform(&b) && uniform.w == curand_uniform(&b);
    const float4 normal = curand_normal4(&a);
    const float normals[4] = {normal.x, normal.y, normal.z, normal.w};
    for (const float each : normals) same[offset] &= fabsf(each - curand_normal(&b)) < 1e-5f;
    const double2 pair = curand_normal2_double(&a);
    same[offset] &= fabs(pair.x - curand_normal_double(&b)) < 1e-12;
    same[offset] &= fabs(pair.y - curand_normal_double(&b)) < 1e-12;
    same[offset] &= curand(&a) == curand(&b);
  }
}

PART(four_at_a_time) {
  const DeviceArray<int> same(4);
  compare<<<1, 1>>>(same.data());
  CHECK_LAUNCH();
  show("same", same.host());
}

}  // namespace four_at_a_time

/* Prints:
same: 1 1 1 1
*/

// Normal numbers are Box and Muller's of the same draws. A GPU's fast sine is off by less than
// 2^-21 there, and the radius is below 6.7.
namespace normal_in_kernels {

template <class State>
__global__ void draw(float* normal, float* uniform, double* doubles, double* uniforms) {
  State state, copy;
  curand_init(1234, threadIdx.x, 0, &state);
  copy = state;
  float* const n = normal + 4 * threadIdx.x;
  float* const u = uniform + 4 * threadIdx.x;
  n[0] = curand_normal(&state);
  n[1] = curand_normal(&state);
  const float2 pair = curand_log_normal2(&state, 0.5f, 0.25f);
  n[2] = pair.x;
  n[3] = pair.y;
  for (int k = 0; k < 4; ++k) u[k] = curand_uniform(&copy);
  if (curand(&state) != curand(&copy)) n[0] = 100;
  for (int k = 0; k < 2; ++k) doubles[2 * threadIdx.x + k] = curand_normal_double(&state);
  uniforms[threadIdx.x] = curand_uniform_double(&state);
}

template <class State>
void run(const char* name) {
  const int threads = 256;
  const DeviceArray<float> normal(4 * threads), uniform(4 * threads);
  const DeviceArray<double> doubles(2 * threads), uniforms(threads);
  draw<State><<<1, threads>>>(normal.data(), uniform.data(), doubles.data(), uniforms.data());
  CHECK_LAUNCH();
  const std::vector<float> n = normal.host(), u = uniform.host();
  bool all = true;
  for (int i = 0; i < 4 * threads; i += 2) {
    const double radius = std::sqrt(-2 * std::log(static_cast<double>(u[i])));
    const double angle = 6.283185307179586 * u[i + 1];
    double sine = radius * std::sin(angle), cosine = radius * std::cos(angle);
    if (i % 4 == 2) {
      sine = std::exp(0.5 + 0.25 * sine);
      cosine = std::exp(0.5 + 0.25 * cosine);
    }
    all = all && std::fabs(n[i] - sine) < 2e-5 && std::fabs(n[i + 1] - cosine) < 2e-5;
  }
  double sum = 0, squares = 0;
  for (const double x : doubles.host()) {
    sum += x;
    squares += x * x;
  }
  all = all && std::fabs(sum / (2 * threads)) < 0.2 && std::fabs(squares / (2 * threads) - 1) < 0.3;
  for (const double x : uniforms.host()) all = all && x > 0 && x <= 1;
  expect(name, all);
}

PART(normal_in_kernels) {
  run<curandState>("XORWOW");
  run<curandStatePhilox4_32_10_t>("Philox");
  run<curandStateMRG32k3a_t>("MRG32k3a");
}

}  // namespace normal_in_kernels

/* Prints:
XORWOW: ok
Philox: ok
MRG32k3a: ok
*/

// A Monte Carlo estimate and dropout, as programs write them.
namespace usual_kernels {

__global__ void count_in_circle(unsigned long long seed, int tries, int* count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state;
  curand_init(seed, i, 0, &state);
  int inside = 0;
  for (int k = 0; k < tries; ++k) {
    const float x = curand_uniform(&state), y = curand_uniform(&state);
    inside += __fadd_rn(__fmul_rn(x, x), __fmul_rn(y, y)) <= 1.0f;
  }
  atomicAdd(count, inside);
}

__global__ void dropout(const float* x, float* y, unsigned char* mask, int n, float p,
                        unsigned long long seed) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, i, 0, &state);
  const float4 r = curand_uniform4(&state);
  const float draws[4] = {r.x, r.y, r.z, r.w};
  for (int k = 0; k < 4; ++k) {
    const int at = static_cast<int>(4 * i) + k;
    if (at >= n) return;
    mask[at] = draws[k] > p;
    y[at] = mask[at] ? x[at] / (1 - p) : 0;
  }
}

PART(usual_kernels) {
  const DeviceArray<int> count(1);
  count_in_circle<<<8, 64>>>(2024, 100, count.data());
  const double pi = 4.0 * count.host()[0] / (8 * 64 * 100);
  expect("pi", std::fabs(pi - 3.14159) < 0.03);

  const int n = 1001;
  const DeviceArray<float> x(std::vector<float>(n, 1.0f)), y(n);
  const DeviceArray<unsigned char> mask(n);
  dropout<<<4, 64>>>(x.data(), y.data(), mask.data(), n, 0.25f, 7);
  CHECK_LAUNCH();
  int kept = 0;
  bool scaled = true;
  const std::vector<float> values = y.host();
  const std::vector<unsigned char> keeps = mask.host();
  for (int i = 0; i < n; ++i) {
    kept += keeps[i];
    scaled = scaled && values[i] == (keeps[i] ? 1.0f / 0.75f : 0.0f);
  }
  expect("kept", kept > 690 && kept < 810);
  expect("scaled", scaled);
}

}  // namespace usual_kernels

/* Prints:
pi: ok
kept: ok
scaled: ok
*/

// The example of cuRAND's guide that estimates pi in a functor of Thrust, which is not const.
namespace in_a_functor {

struct Estimate {
  __device__ float operator()(unsigned i) {
    curandState state;
    curand_init(i, 0, 0, &state);
    int inside = 0;
    for (int k = 0; k < 500; ++k) {
      const float x = curand_uniform(&state), y = curand_uniform(&state);
      if (sqrtf(x * x + y * y) <= 1.0f) ++inside;
    }
    return 4.0f * inside / 500;
  }
};

PART(in_a_functor) {
  const int n = 100;
  const float sum = thrust::transform_reduce(thrust::device, thrust::counting_iterator<unsigned>(0),
                                             thrust::counting_iterator<unsigned>(n), Estimate(),
                                             0.0f, thrust::plus<float>());
  expect("pi", std::fabs(sum / n - 3.14159f) < 0.03f);
}

}  // namespace in_a_functor

/* Prints:
pi: ok
*/

// Where the host API puts the numbers of the subsequences, over calls of several lengths. The
// order LEGACY is the one that is the same for all cards and versions.
namespace host_api {

unsigned at(const std::vector<unsigned>& values, size_t i) {
  return values[i];
}

void run(const char* name, curandRngType_t type, const char* next) {
  curandGenerator_t device, host;
  CHECK(curandCreateGenerator(&device, type));
  CHECK(curandCreateGeneratorHost(&host, type));
  for (const curandGenerator_t each : {device, host}) {
    CHECK(curandSetPseudoRandomGeneratorSeed(each, 1234));
    CHECK(curandSetGeneratorOrdering(each, CURAND_ORDERING_PSEUDO_LEGACY));
  }
  const size_t n = 300000;
  const DeviceArray<unsigned> out(n);
  CHECK(curandGenerate(device, out.data(), 5));
  CHECK(curandGenerate(device, out.data() + 5, n - 5));
  const std::vector<unsigned> bits = out.host();
  show(name, at(bits, 0), at(bits, 1), at(bits, 2), at(bits, 3), at(bits, 4096), at(bits, 262144));
  std::vector<unsigned> on_host(n);
  CHECK(curandGenerate(host, on_host.data(), n));
  expect("same on the host", on_host == bits);

  CHECK(curandSetGeneratorOffset(device, 262144));
  CHECK(curandGenerate(device, out.data(), 1));
  show(next, out.host()[0]);
  CHECK(curandDestroyGenerator(device));
  CHECK(curandDestroyGenerator(host));
}

PART(host_api) {
  run("XORWOW", CURAND_RNG_PSEUDO_DEFAULT, "at 262144");
  run("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, "at 262144");
  run("MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A, "at 262144");
}

}  // namespace host_api

/* Prints:
XORWOW: 624778773 3522650202 2363946744 1266286439 1867875844 1080851290
same on the host: ok
at 262144: 1080851290
Philox: 546353992 3665621163 1140953199 3419031310 2053518784 2666454581
same on the host: ok
at 262144: 2666454581
MRG32k3a: 3379073520 653317650 4012281984 4237272334 2521876100 463367017
same on the host: ok
at 262144: 463367017
*/

// Uniform and normal numbers on a stream, and what is refused.
namespace host_distributions {

template <class T>
bool looks_normal(const std::vector<T>& values, double mean, double stddev) {
  double sum = 0, squares = 0;
  for (const T value : values) {
    sum += value;
    squares += (value - mean) * (value - mean);
  }
  const double n = static_cast<double>(values.size());
  return std::fabs(sum / n - mean) < 0.05 * stddev &&
         std::fabs(std::sqrt(squares / n) / stddev - 1) < 0.05;
}

PART(host_distributions) {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  const int n = 10000;
  const DeviceArray<float> floats(n);
  const DeviceArray<double> doubles(n);
  const DeviceArray<unsigned> bits(n);
  CHECK(cudaDeviceSynchronize());
  for (const curandRngType_t type :
       {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_PSEUDO_MRG32K3A}) {
    curandGenerator_t generator;
    CHECK(curandCreateGenerator(&generator, type));
    CHECK(curandSetStream(generator, stream));
    CHECK(curandSetPseudoRandomGeneratorSeed(generator, 42));

    CHECK(curandGenerateNormal(generator, floats.data(), n, 3.0f, 0.5f));
    CHECK(curandGenerateNormalDouble(generator, doubles.data(), n, -1.0, 2.0));
    CHECK(cudaStreamSynchronize(stream));
    expect("normal", looks_normal(floats.host(), 3, 0.5) && looks_normal(doubles.host(), -1, 2));

    CHECK(curandGenerateLogNormal(generator, floats.data(), n, 1.0f, 0.25f));
    CHECK(curandGenerateUniformDouble(generator, doubles.data(), n - 1));
    CHECK(cudaStreamSynchronize(stream));
    std::vector<double> logarithms;
    for (const float value : floats.host()) logarithms.push_back(std::log(value));
    expect("log-normal", looks_normal(logarithms, 1, 0.25));
    std::vector<double> uniform = doubles.host();
    uniform.pop_back();
    expect("uniform", looks_normal(uniform, 0.5, 0.288675));

    CHECK(curandSetGeneratorOffset(generator, 0));
    CHECK(curandGenerateUniform(generator, floats.data(), n));
    CHECK(curandSetGeneratorOffset(generator, 0));
    CHECK(curandGenerate(generator, bits.data(), n));
    CHECK(cudaStreamSynchronize(stream));
    const std::vector<float> u = floats.host();
    const std::vector<unsigned> b = bits.host();
    bool same = true;
    for (int i = 0; i < n; ++i) same = same && std::fabs(u[i] - b[i] * 0x1p-32) < 1e-6;
    expect("bits", same);
    if (type != CURAND_RNG_PSEUDO_PHILOX4_32_10) {
      show("odd", static_cast<int>(curandGenerateNormal(generator, floats.data(), 3, 0, 1)));
    }
    CHECK(curandDestroyGenerator(generator));
  }
  show("no generator", static_cast<int>(curandGenerate(nullptr, bits.data(), 4)));
  CHECK(cudaStreamDestroy(stream));
}

}  // namespace host_distributions

/* Prints:
normal: ok
log-normal: ok
uniform: ok
bits: ok
odd: 105
normal: ok
log-normal: ok
uniform: ok
bits: ok
normal: ok
log-normal: ok
uniform: ok
bits: ok
odd: 105
no generator: 101
*/
