// SPDX-License-Identifier: MIT
// Inline PTX: asm statements in kernels, functions, templates and macros. What is expected follows
// from the PTX ISA.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "../check.h"
#include "../parts.h"

__device__ inline unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Thread and block indices, lanes and their masks, clocks.
namespace ptx_special_registers {

#define READ(name)                                          \
  __device__ inline unsigned long long read_##name() {      \
    unsigned long long value;                               \
    asm volatile("mov.u64 %0, %%" #name ";" : "=l"(value)); \
    return value;                                           \
  }
READ(clock64)
READ(globaltimer)

#define SPECIAL(name)                                      \
  [] {                                                     \
    unsigned value;                                        \
    asm volatile("mov.u32 %0, %%" name ";" : "=r"(value)); \
    return value;                                          \
  }()

__global__ void indices_kernel(int* wrong) {
  const uint3 t = {SPECIAL("tid.x"), SPECIAL("tid.y"), SPECIAL("tid.z")};
  const uint3 b = {SPECIAL("ctaid.x"), SPECIAL("ctaid.y"), SPECIAL("ctaid.z")};
  const uint3 n = {SPECIAL("ntid.x"), SPECIAL("ntid.y"), SPECIAL("ntid.z")};
  const uint3 g = {SPECIAL("nctaid.x"), SPECIAL("nctaid.y"), SPECIAL("nctaid.z")};
  if (t.x != threadIdx.x || t.y != threadIdx.y || t.z != threadIdx.z) atomicAdd(&wrong[0], 1);
  if (b.x != blockIdx.x || b.y != blockIdx.y || b.z != blockIdx.z) atomicAdd(&wrong[1], 1);
  if (n.x != blockDim.x || n.y != blockDim.y || n.z != blockDim.z) atomicAdd(&wrong[2], 1);
  if (g.x != gridDim.x || g.y != gridDim.y || g.z != gridDim.z) atomicAdd(&wrong[3], 1);
}

__global__ void lanes_kernel(unsigned* masks, int* wrong) {
  unsigned lane, eq, lt, le, gt, ge;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%lanemask_eq;" : "=r"(eq));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
  asm("mov.u32 %0, %%lanemask_le;" : "=r"(le));
  asm("mov.u32 %0, %lanemask_gt;" : "=r"(gt));
  asm("mov.u32 %0, %lanemask_ge;" : "=r"(ge));
  if (lane != threadIdx.x % 32) atomicAdd(&wrong[4], 1);
  if (threadIdx.x == 37) {
    masks[0] = eq;
    masks[1] = lt;
    masks[2] = le;
    masks[3] = gt;
    masks[4] = ge;
  }
  if (SPECIAL("smid") >= SPECIAL("nsmid")) atomicAdd(&wrong[5], 1);
  const unsigned long long clock = read_clock64(), timer = read_globaltimer();
  unsigned begin, end;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(begin));
  asm volatile("mov.u32 %0, %%clock;" : "=r"(end));
  if (end - begin > 1u << 30) atomicAdd(&wrong[6], 1);
  if (read_clock64() < clock || read_globaltimer() < timer) atomicAdd(&wrong[7], 1);
}

PART(ptx_special_registers) {
  DeviceArray<int> wrong(std::vector<int>(8, 0));
  DeviceArray<unsigned> masks(5);
  indices_kernel<<<dim3(3, 2, 2), dim3(5, 4, 3)>>>(wrong.data());
  CHECK_LAUNCH();
  lanes_kernel<<<2, 64>>>(masks.data(), wrong.data());
  CHECK_LAUNCH();
  show("wrong", wrong.host());
  for (const unsigned mask : masks.host()) std::printf("%08x\n", mask);
}

}  // namespace ptx_special_registers

/* Prints:
wrong: 0 0 0 0 0 0 0 0
00000020
0000001f
0000003f
ffffffc0
ffffffe0
*/

// Loads and stores with cache operators, vectors, offsets and small types.
namespace ptx_loads_and_stores {

template <int kOffset>
__device__ float load_beyond(const float* p) {
  float value;
  asm volatile("ld.global.ca.f32 %0, [%1+%2];" : "=f"(value) : "l"(p), "n"(4 * kOffset));
  return value;
}

#define LOAD_NC "ld.global.nc"
#define STORE(to, value) asm volatile("st.global.cs.f32 [%0], %1;" ::"l"(to), "f"(value) : "memory")

__global__ void floats_kernel(const float* x, float* y) {
  float a, b, c, d;
  asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(a) : "l"(x));
  asm volatile("ld.global.cs.f32 %0, [%1 + 4];" : "=f"(b) : "l"(x));
  asm volatile(LOAD_NC ".f32 %0, [%1];" : "=f"(c) : "l"(x + 2));
  asm volatile(LOAD_NC
               ".L1::no_allocate.L2::128B"
               ".f32 %0, [%1+-4];"
               : "=f"(d)
               : "l"(x + 4));
  STORE(y, a);
  STORE(y + 1, b);
  asm volatile("st.global.v2.f32 [%0+8], {%1, %2};" ::"l"(y), "f"(c), "f"(d) : "memory");
  asm volatile("ld.volatile.global.f32 %0, [%1];" : "=f"(a) : "l"(x + 4) : "memory");
  asm volatile("st.volatile.global.f32 [%0], %1;" ::"l"(y + 4), "f"(a) : "memory");
  y[5] = load_beyond<5>(x);
  float4 v;
  asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
               : "l"(x + 4));
  asm volatile("st.global.wt.v4.f32 [%0], {%1, %2, %3, %4};"
               :
               : "l"(y + 8), "f"(v.w), "f"(v.z), "f"(v.y), "f"(v.x)
               : "memory");
  y[6] = 0;
  asm volatile("prefetch.global.L2 [%0];" ::"l"(x));
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, %2, 0; mov.f32 %0, 0f40E00000; "
      "@p ld.global.f32 %0, [%1]; }"
      : "=f"(y[7])
      : "l"(x), "r"(0));
}

__global__ void small_types_kernel(const signed char* bytes, int* y) {
  asm("ld.global.s8 %0, [%1];" : "=r"(y[0]) : "l"(bytes));
  asm("ld.global.u8 %0, [%1];" : "=r"(y[1]) : "l"(bytes));
  asm("ld.global.s16 %0, [%1];" : "=r"(y[2]) : "l"(bytes));
  asm("ld.global.u16 %0, [%1];" : "=r"(y[3]) : "l"(bytes));
  unsigned short half;
  asm("ld.b16 %0, [%1+2];" : "=h"(half) : "l"(bytes));
  y[4] = half;
  long long wide;
  asm("ld.global.s32 %0, [%1];" : "=l"(wide) : "l"(bytes));
  y[5] = wide < 0;
  unsigned long long both;
  asm("ld.global.u64 %0, [%1];" : "=l"(both) : "l"(bytes));
  y[6] = static_cast<int>(both >> 32);
  asm volatile("st.global.u8 [%0], %1;" ::"l"(&y[7]), "r"(0x1234) : "memory");
}

PART(ptx_loads_and_stores) {
  DeviceArray<float> x(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}), y(12);
  floats_kernel<<<1, 1>>>(x.data(), y.data());
  CHECK_LAUNCH();
  show("y", y.host());
  DeviceArray<signed char> bytes(std::vector<signed char>{-2, -1, 3, -4, 5, 6, 7, 8});
  DeviceArray<int> values(std::vector<int>(8, 0));
  small_types_kernel<<<1, 1>>>(bytes.data(), values.data());
  CHECK_LAUNCH();
  show("values", values.host());
}

}  // namespace ptx_loads_and_stores

/* Prints:
y: 1 2 3 4 5 6 0 7 8 7 6 5
values: -2 254 -2 65534 64515 1 134678021 52
*/

// Shared memory by 32-bit addresses: static and dynamic arrays, and back to pointers.
namespace ptx_shared_addresses {

__global__ void addresses_kernel(int* y) {
  __shared__ int fixed[64];
  extern __shared__ int dynamic[];
  const int t = threadIdx.x;
  const unsigned a = shared_address(&fixed[t]), b = shared_address(dynamic);
  asm volatile("st.shared.s32 [%0], %1;" ::"r"(a), "r"(t * t) : "memory");
  asm volatile("st.shared::cta.u32 [%0+%1], %2;" ::"r"(b + 4 * t), "n"(256), "r"(t + 100)
               : "memory");
  __syncthreads();
  const unsigned other = shared_address(&fixed[63 - t]);
  int own, beyond;
  asm volatile("ld.shared.s32 %0, [%1];" : "=r"(own) : "r"(other));
  asm volatile(
      "{ .reg .u64 s; cvta.to.shared.u64 s, %1; cvt.u32.u64 %0, s; ld.shared.u32 %0, [%0]; }"
      : "=r"(beyond)
      : "l"(&dynamic[64 + t]));
  unsigned long long back;
  asm("{ .reg .u64 s; cvt.u64.u32 s, %1; cvta.shared.u64 %0, s; }" : "=l"(back) : "r"(a));
  y[t] = own + beyond;
  if (reinterpret_cast<int*>(back) != &fixed[t]) y[t] = -1;
  if (__cvta_shared_to_generic(b) != dynamic) y[t] = -2;
  if (a - shared_address(fixed) != 4u * t) y[t] = -3;
}

PART(ptx_shared_addresses) {
  DeviceArray<int> y(64);
  addresses_kernel<<<1, 64, 512>>>(y.data());
  CHECK_LAUNCH();
  const std::vector<int> host = y.host();
  show("y", std::vector<int>(host.begin(), host.begin() + 4));
  show("end", std::vector<int>(host.end() - 4, host.end()));
}

}  // namespace ptx_shared_addresses

/* Prints:
y: 4069 3945 3823 3703
end: 169 165 163 163
*/

// red and atom, in both memories.
namespace ptx_atomics {

__global__ void atomics_kernel(int* y, float* f, unsigned long long* u) {
  __shared__ unsigned count, largest;
  const int t = threadIdx.x;
  if (t == 0) count = largest = 0;
  __syncthreads();
  const unsigned c = shared_address(&count);
  unsigned ticket;
  asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(ticket) : "r"(c), "r"(1) : "memory");
  asm volatile("red.shared.max.u32 [%0], %1;" ::"r"(shared_address(&largest)), "r"(ticket)
               : "memory");
  asm volatile("red.global.add.s32 [%0], %1;" ::"l"(y), "r"(t) : "memory");
  asm volatile("red.relaxed.gpu.global.min.s32 [%0], %1;" ::"l"(y + 1), "r"(-t) : "memory");
  asm volatile("red.release.gpu.global.or.b32 [%0], %1;" ::"l"(y + 2), "r"(1 << (t % 8))
               : "memory");
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(f), "f"(0.5f) : "memory");
  asm volatile("red.add.u64 [%0], %1;" ::"l"(u), "l"(1ull << 32) : "memory");
  __syncthreads();
  if (t != 0) return;
  y[3] = count;
  y[4] = largest;
  int old;
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
               : "=r"(old)
               : "l"(y + 5), "r"(7), "r"(8)
               : "memory");
  y[6] = old;
  asm volatile("atom.acquire.gpu.global.exch.b32 %0, [%1], %2;"
               : "=r"(y[7])
               : "l"(y + 5), "r"(99)
               : "memory");
  asm volatile("atom.global.inc.u32 %0, [%1], 3;" : "=r"(y[8]) : "l"(y + 9) : "memory");
  asm volatile("atom.global.inc.u32 %0, [%1], 3;" : "=r"(y[8]) : "l"(y + 9) : "memory");
}

PART(ptx_atomics) {
  DeviceArray<int> y(std::vector<int>{0, 0, 0, 0, 0, 7, 0, 0, 0, 3});
  DeviceArray<float> f(std::vector<float>{0});
  DeviceArray<unsigned long long> u(std::vector<unsigned long long>{5});
  atomics_kernel<<<1, 128>>>(y.data(), f.data(), u.data());
  CHECK_LAUNCH();
  show("y", y.host());
  show("f", f.host());
  std::printf("u: %llu\n", u.host()[0]);
}

}  // namespace ptx_atomics

/* Prints:
y: 8128 -127 255 128 127 99 7 8 0 1
f: 64
u: 549755813893
*/

// A flag that one warp raises with a release, and another waits for with an acquire.
namespace ptx_release_and_acquire {

__device__ inline int load_acquire(const int* p) {
  int value;
  asm volatile("ld.global.acquire.gpu.s32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
  return value;
}

__device__ inline void store_release(int* p, int value) {
  asm volatile("st.global.release.gpu.s32 [%0], %1;" ::"l"(p), "r"(value) : "memory");
}

__global__ void flag_kernel(int* flag, int* data, int* y) {
  if (threadIdx.x == 0) {
    while (load_acquire(flag) == 0) {
    }
    *y = *data + 1;
  }
  if (threadIdx.x == 32) {
    *data = 41;
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    store_release(flag, 1);
    asm volatile("membar.gl;");
  }
}

PART(ptx_release_and_acquire) {
  DeviceArray<int> flag(std::vector<int>{0}), data(1), y(1);
  flag_kernel<<<1, 64>>>(flag.data(), data.data(), y.data());
  CHECK_LAUNCH();
  show("y", y.host());
}

}  // namespace ptx_release_and_acquire

/* Prints:
y: 42
*/

// Barriers of the whole block, of some warps, and of warps that do not wait.
namespace ptx_barriers {

__device__ inline void named_sync(int number, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

__global__ void halves_kernel(int* y) {
  __shared__ int x[128];
  const int t = threadIdx.x, half = t / 64;
  x[t] = t;
  named_sync(1 + half, 64);  // each half on its own
  const int sum = x[t] + x[64 * half + (t + 1) % 64];
  asm volatile("bar.sync 0;" ::: "memory");
  x[t] = sum;
  asm volatile("barrier.sync 0;" ::: "memory");
  y[t] = x[127 - t];
}

// The second warp makes, the first one takes.
__global__ void producer_kernel(int* y) {
  __shared__ int x[32];
  const int t = threadIdx.x % 32;
  int sum = 0;
  for (int round = 1; round <= 3; ++round) {
    if (threadIdx.x < 32) {
      asm volatile("bar.sync 3, 64;" ::: "memory");
      sum += x[31 - t];
      asm volatile("bar.arrive 4, 64;" ::: "memory");
    } else {
      x[t] = round * t;
      asm volatile("bar.arrive 3, 64;" ::: "memory");
      asm volatile("bar.sync 4, 64;" ::: "memory");
    }
  }
  if (threadIdx.x < 32) y[t] = sum;
}

__global__ void votes_kernel(int* y) {
  unsigned count, all;
  asm volatile(
      "{ .reg .pred p, q; setp.lt.u32 p, %2, 10; bar.red.popc.u32 %0, 0, p;\n"
      "bar.red.and.pred q, 0, p; selp.u32 %1, 1, 0, q; }"
      : "=r"(count), "=r"(all)
      : "r"(threadIdx.x));
  if (threadIdx.x == 0) {
    y[0] = count;
    y[1] = all;
  }
  asm volatile("bar.warp.sync 0xffffffff;");
}

PART(ptx_barriers) {
  DeviceArray<int> y(128), z(32), w(2);
  halves_kernel<<<1, 128>>>(y.data());
  producer_kernel<<<1, 64>>>(z.data());
  votes_kernel<<<1, 64>>>(w.data());
  CHECK_LAUNCH();
  const std::vector<int> host = y.host(), made = z.host();
  show("halves", std::vector<int>{host[0], host[1], host[63], host[64], host[127]});
  show("made", std::vector<int>{made[0], made[1], made[31]});
  show("votes", w.host());
}

}  // namespace ptx_barriers

/* Prints:
halves: 191 253 129 63 1
made: 186 180 0
votes: 10 0
*/

// shfl, vote, match, redux, activemask.
namespace ptx_warp {

__device__ inline int shuffle_down(int value, int by, int& inside) {
  int got;
  asm volatile(
      "{ .reg .pred p; shfl.sync.down.b32 %0|p, %2, %3, 0x1f, 0xffffffff; "
      "selp.s32 %1, 1, 0, p; }"
      : "=r"(got), "=r"(inside)
      : "r"(value), "r"(by));
  return got;
}

__global__ void warp_kernel(int* y) {
  const int lane = threadIdx.x;
  int up, butterfly, index, inside;
  asm volatile("shfl.sync.up.b32 %0, %1, 3, 0, -1;" : "=r"(up) : "r"(lane * 10));
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 0x1f, -1;" : "=r"(butterfly) : "r"(lane));
  // Parts of 8 lanes: c is (32 - 8) << 8 | 31.
  asm volatile("shfl.sync.idx.b32 %0, %1, 2, 0x181f, -1;" : "=r"(index) : "r"(lane));
  const int down = shuffle_down(lane, 30, inside);
  unsigned odd, all, same, equal, total, active;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(odd)
               : "r"(lane & 1));
  asm volatile(
      "{ .reg .pred p, q; setp.lt.s32 p, %1, 32; vote.sync.all.pred q, p, 0xffffffff; "
      "selp.u32 %0, 1, 0, q; }"
      : "=r"(all)
      : "r"(lane));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(same) : "r"(lane / 16));
  asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %1, 0xffffffff; }"
               : "=r"(equal)
               : "r"(lane / 32));
  asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(total) : "r"(lane));
  asm volatile("activemask.b32 %0;" : "=r"(active));
  if (lane == 17) {
    const unsigned values[] = {unsigned(up),
                               unsigned(butterfly),
                               unsigned(index),
                               unsigned(down),
                               unsigned(inside),
                               odd,
                               all,
                               same,
                               equal,
                               total,
                               active};
    for (int i = 0; i < 11; ++i) y[i] = static_cast<int>(values[i]);
  }
  if (lane == 1) {
    y[11] = down;
    y[12] = inside;
    y[13] = up;
  }
}

PART(ptx_warp) {
  DeviceArray<int> y(14);
  warp_kernel<<<1, 32>>>(y.data());
  CHECK_LAUNCH();
  for (const int value : y.host()) std::printf("%x ", static_cast<unsigned>(value));
  std::printf("\n");
}

}  // namespace ptx_warp

/* Prints:
8c 10 12 11 0 aaaaaaaa 1 ffff0000 ffffffff 1f0 ffffffff 1f 1 a 
*/

// Copies of 4, 8 and 16 bytes, filled up with zeros, in groups.
namespace ptx_async_copies {

#define CP_ASYNC_CA(to, from, bytes) \
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;\n" ::"r"(to), "l"(from), "n"(bytes))
#define CP_ASYNC_COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define CP_ASYNC_WAIT(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))

__device__ inline void copy_or_zero(void* to, const void* from, bool wanted) {
  const int size = wanted ? 16 : 0;
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(shared_address(to)),
               "l"(from), "r"(size)
               : "memory");
}

__global__ void copies_kernel(const float* x, float* y) {
  __shared__ __align__(16) float tile[3][32][4];
  const int t = threadIdx.x;
  CP_ASYNC_CA(shared_address(&tile[0][t][0]), x + 4 * t, 8);
  CP_ASYNC_CA(shared_address(&tile[0][t][2]), x + 4 * t + 2, 4);
  CP_ASYNC_CA(shared_address(&tile[0][t][3]), x + 4 * t + 3, 4);
  CP_ASYNC_COMMIT();
  copy_or_zero(&tile[1][t][0], x + 4 * t, t % 2 == 0);
  CP_ASYNC_COMMIT();
  asm volatile(
      "{ .reg .pred p; setp.ne.b32 p, %0, 0;\n"
      "  @p cp.async.cg.shared.global [%1], [%2], 16; }\n" ::"r"(t < 16 ? 1 : 0),
      "r"(shared_address(&tile[2][t][0])), "l"(x + 4 * t)
      : "memory");
  if (t >= 16) tile[2][t][1] = -1;
  CP_ASYNC_WAIT(1);
  __syncthreads();
  y[t] = tile[0][31 - t][3];
  asm volatile("cp.async.wait_all;\n" ::: "memory");
  __syncthreads();
  y[32 + t] = tile[1][t][2];
  y[64 + t] = tile[2][31 - t][1];
}

PART(ptx_async_copies) {
  std::vector<float> values(128);
  for (int i = 0; i < 128; ++i) values[i] = static_cast<float>(i);
  DeviceArray<float> x(values), y(96);
  copies_kernel<<<1, 32>>>(x.data(), y.data());
  CHECK_LAUNCH();
  const std::vector<float> host = y.host();
  show("groups", std::vector<float>{host[0], host[1], host[31]});
  show("zeros", std::vector<float>{host[32], host[33], host[34], host[35]});
  show("predicate", std::vector<float>{host[64], host[79], host[80], host[95]});
}

}  // namespace ptx_async_copies

/* Prints:
groups: 127 123 3
zeros: 2 0 10 0
predicate: -1 -1 61 1
*/

// ldmatrix and stmatrix: element (r, c) of matrix t is 64 t + 8 r + c.
namespace ptx_ldmatrix {

#define LDMATRIX_X4(r, address)                                                     \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n" \
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])                     \
               : "r"(address))

__global__ void matrices_kernel(int* wrong, unsigned* shown) {
  __shared__ __align__(16) unsigned short x[4][8][8];
  __shared__ __align__(16) unsigned short z[2][8][8];
  const int lane = threadIdx.x;
  for (int i = lane; i < 256; i += 32) (&x[0][0][0])[i] = static_cast<unsigned short>(i);
  __syncthreads();
  unsigned r[4], s[2], one, t[4];
  LDMATRIX_X4(r, shared_address(x[lane / 8][lane % 8]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(s[0]), "=r"(s[1])
               : "r"(shared_address(x[lane / 8 % 2][lane % 8])));
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16 {%0}, [%1];"
               : "=r"(one)
               : "r"(shared_address(x[3][lane % 8])));
  asm volatile("ldmatrix.sync.aligned.x4.m8n8.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(t[0]), "=r"(t[1]), "=r"(t[2]), "=r"(t[3])
               : "r"(shared_address(x[lane / 8][lane % 8])));
  const int row = lane / 4, column = lane % 4 * 2;
  for (int m = 0; m < 4; ++m) {
    const unsigned low = 64 * m + 8 * row + column, across = 64 * m + 8 * column + row;
    if (r[m] != (low | (low + 1) << 16)) atomicAdd(&wrong[0], 1);
    if (t[m] != (across | (across + 8) << 16)) atomicAdd(&wrong[1], 1);
    if (m < 2 && s[m] != t[m]) atomicAdd(&wrong[2], 1);
  }
  if (one != r[3]) atomicAdd(&wrong[3], 1);
  asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(
                   shared_address(z[lane / 8 % 2][lane % 8])),
               "r"(t[0]), "r"(r[1])
               : "memory");
  __syncthreads();
  shown[lane] = static_cast<unsigned>(z[0][lane % 8][lane / 8]) << 16 | z[1][lane % 8][lane / 8];
}

PART(ptx_ldmatrix) {
  DeviceArray<int> wrong(std::vector<int>(4, 0));
  DeviceArray<unsigned> shown(32);
  matrices_kernel<<<1, 32>>>(wrong.data(), shown.data());
  CHECK_LAUNCH();
  show("wrong", wrong.host());
  const std::vector<unsigned> host = shown.host();
  std::printf("%x %x %x %x\n", host[0], host[1], host[8], host[31]);
}

}  // namespace ptx_ldmatrix

/* Prints:
wrong: 0 0 0 0
40 10048 80041 1f007b
*/

// Lane l of mma: g is l / 4, t is l % 4. Register i of a holds row g + 8 (i % 2), of b column g; c
// and d have row g in the first two elements (PTX ISA, "Matrix Fragments for mma").
namespace ptx_mma {

template <class T>
__device__ unsigned word(const T* from, int stride) {
  T elements[4 / sizeof(T)];
  for (int i = 0; i < static_cast<int>(4 / sizeof(T)); ++i) elements[i] = from[i * stride];
  unsigned bits;
  memcpy(&bits, elements, 4);
  return bits;
}

#define MMA_FLOAT(shape, types) "mma.sync.aligned." shape ".row.col." types " {%0,%1,%2,%3}, "

struct HalfK16 {
  using T = half;
  using Sum = float;
  static constexpr int m = 16, k = 16;
  __device__ static void multiply(float* d, const unsigned* a, const unsigned* b, const float* c) {
    asm volatile(
        MMA_FLOAT("m16n8k16", "f32.f16.f16.f32") "{%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};\n"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]),
          "f"(c[2]), "f"(c[3]));
  }
};

struct HalfK8 {
  using T = half;
  using Sum = float;
  static constexpr int m = 16, k = 8;
  __device__ static void multiply(float* d, const unsigned* a, const unsigned* b, const float* c) {
    asm volatile(MMA_FLOAT("m16n8k8", "f32.f16.f16.f32") "{%4,%5}, {%6}, {%7,%8,%9,%10};\n"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
  }
};

struct Bfloat16K16 {
  using T = __nv_bfloat16;
  using Sum = float;
  static constexpr int m = 16, k = 16;
  __device__ static void multiply(float* d, const unsigned* a, const unsigned* b, const float* c) {
    for (int i = 0; i < 4; ++i) d[i] = c[i];
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

struct Tf32K8 {
  using T = float;
  using Sum = float;
  static constexpr int m = 16, k = 8;
  __device__ static void multiply(float* d, const unsigned* a, const unsigned* b, const float* c) {
    asm volatile(
        MMA_FLOAT("m16n8k8", "f32.tf32.tf32.f32") "{%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};\n"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "f"(c[0]), "f"(c[1]),
          "f"(c[2]), "f"(c[3]));
  }
};

struct Tf32K4 {
  using T = float;
  using Sum = float;
  static constexpr int m = 16, k = 4;
  __device__ static void multiply(float* d, const unsigned* a, const unsigned* b, const float* c) {
    asm volatile(MMA_FLOAT("m16n8k4", "f32.tf32.tf32.f32") "{%4,%5}, {%6}, {%7,%8,%9,%10};\n"
                 : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
  }
};

struct BytesK32 {
  using T = signed char;
  using Sum = int;
  static constexpr int m = 16, k = 32;
  __device__ static void multiply(int* d, const unsigned* a, const unsigned* b, const int* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(c[0]), "r"(c[1]),
          "r"(c[2]), "r"(c[3]));
  }
};

struct BytesK16 {
  using T = signed char;
  using Sum = int;
  static constexpr int m = 16, k = 16;
  __device__ static void multiply(int* d, const unsigned* a, const unsigned* b, const int* c) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32 "
        "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"
        : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
  }
};

__host__ __device__ inline int value_of_a(int row, int inner) {
  return (row * 5 + inner * 3 + row * inner) % 8 - 4;
}
__host__ __device__ inline int value_of_b(int inner, int column) {
  return (inner * 7 + column * 3 + inner * column) % 8 - 4;
}

template <class Shape>
__global__ void product_kernel(const typename Shape::T* a, const typename Shape::T* b,
                               typename Shape::Sum* d) {
  using T = typename Shape::T;
  constexpr int run = 4 / sizeof(T), k = Shape::k;
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  unsigned a_words[4] = {}, b_words[2] = {};
  for (int i = 0; i < 16 * k / 32 / run; ++i) {
    a_words[i] = word(&a[(g + 8 * (i % 2)) * k + 4 * run * (i / 2) + run * t], 1);
  }
  for (int i = 0; i < 8 * k / 32 / run; ++i) {
    b_words[i] = word(&b[(4 * run * i + run * t) * 8 + g], 8);
  }
  typename Shape::Sum c[4], sums[4];
  for (int i = 0; i < 4; ++i) c[i] = (g + 8 * (i / 2)) - (2 * t + i % 2);
  Shape::multiply(sums, a_words, b_words, c);
  for (int i = 0; i < 4; ++i) d[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = sums[i];
}

template <class Shape>
int count_wrong() {
  using T = typename Shape::T;
  constexpr int k = Shape::k;
  std::vector<T> a(16 * k), b(8 * k);
  for (int i = 0; i < k; ++i) {
    for (int row = 0; row < 16; ++row) a[row * k + i] = T(float(value_of_a(row, i)));
    for (int column = 0; column < 8; ++column) b[i * 8 + column] = T(float(value_of_b(i, column)));
  }
  DeviceArray<T> d_a(a), d_b(b);
  DeviceArray<typename Shape::Sum> d_d(128);
  product_kernel<Shape><<<1, 32>>>(d_a.data(), d_b.data(), d_d.data());
  CHECK_LAUNCH();
  const std::vector<typename Shape::Sum> d = d_d.host();
  int wrong = 0;
  for (int row = 0; row < 16; ++row) {
    for (int column = 0; column < 8; ++column) {
      int sum = row - column;
      for (int i = 0; i < k; ++i) sum += value_of_a(row, i) * value_of_b(i, column);
      if (d[row * 8 + column] != sum) ++wrong;
    }
  }
  return wrong;
}

// d and c of halves, and doubles.
__global__ void others_kernel(unsigned* halves, double* doubles) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  const half2 two = __floats2half2_rn(2, 2), own = __floats2half2_rn(float(g), float(g));
  unsigned a, b, d[2], c[2] = {0x3c003c00, 0};  // 1, 1, 0, 0
  memcpy(&a, &own, 4);
  memcpy(&b, &two, 4);
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%2}, {%3}, {%4,%5};"
               : "=r"(d[0]), "=r"(d[1])
               : "r"(a), "r"(b), "r"(c[0]), "r"(c[1]));
  halves[2 * threadIdx.x] = d[0];
  halves[2 * threadIdx.x + 1] = d[1];
  double sums[2];
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
               : "=d"(sums[0]), "=d"(sums[1])
               : "d"(10.0 * g + t), "d"(double(t)), "d"(0.5), "d"(0.25));
  doubles[2 * threadIdx.x] = sums[0];
  doubles[2 * threadIdx.x + 1] = sums[1];
}

PART(ptx_mma) {
  show("wrong",
       std::vector<int>{count_wrong<HalfK16>(), count_wrong<HalfK8>(), count_wrong<Bfloat16K16>(),
                        count_wrong<Tf32K8>(), count_wrong<Tf32K4>(), count_wrong<BytesK32>(),
                        count_wrong<BytesK16>()});
  DeviceArray<unsigned> halves(64);
  DeviceArray<double> doubles(64);
  others_kernel<<<1, 32>>>(halves.data(), doubles.data());
  CHECK_LAUNCH();
  std::printf("halves: %x %x %x\n", halves.host()[0], halves.host()[62], halves.host()[63]);
  show("doubles", std::vector<double>{doubles.host()[0], doubles.host()[1], doubles.host()[63]});
}

}  // namespace ptx_mma

/* Prints:
wrong: 0 0 0 0 0 0 0
halves: 3c003c00 57105710 57005700
doubles: 14.5 14.25 434.25
*/

// Integers and their bits.
namespace ptx_integers {

__global__ void integers_kernel(unsigned* y, unsigned a, unsigned b, int s) {
  int i = 0;
#define TWO(text, x, z) asm(text " %0, %1, %2;" : "=r"(y[i++]) : "r"(x), "r"(z))
  TWO("add.u32", a, b);
  TWO("sub.s32", 3, 5);
  TWO("mul.lo.u32", a, b);
  TWO("mul.hi.u32", a, b);
  TWO("mul.hi.s32", s, 1 << 20);
  TWO("min.s32", s, 4);
  TWO("max.u32", s, 4);
  TWO("rem.s32", s, 7);
  TWO("shl.b32", a, 33);
  TWO("shr.s32", s, 40);
  TWO("shr.u32", a, 4);
  TWO("add.sat.s32", 0x7fffffff, 9);
  unsigned long long wide;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(wide) : "r"(a), "r"(b));
  y[i++] = static_cast<unsigned>(wide >> 32);
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(y[i++]) : "r"(a), "r"(3), "r"(1));
  asm("mad.wide.s32 %0, %1, 2, %2;" : "=l"(wide) : "r"(s), "l"(5ll));
  y[i++] = static_cast<unsigned>(wide);
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(y[i++]) : "r"(a), "r"(b), "r"(0xff));
  asm("lop3.b32 %0, %1, %2, %3, %4;"
      : "=r"(y[i++])
      : "r"(a), "r"(0x000f000f), "r"(0x64006400), "n"((0xf0 & 0xcc) | 0xaa));
  asm("prmt.b32 %0, %1, %2, 0x5140;" : "=r"(y[i++]) : "r"(0x33221100), "r"(0x77665544));
  asm("prmt.b32 %0, %1, %2, 0xb8a9;" : "=r"(y[i++]) : "r"(0x80ff7f01), "r"(0));
  asm("bfe.u32 %0, %1, 4, 8;" : "=r"(y[i++]) : "r"(a));
  asm("bfe.s32 %0, %1, 28, 8;" : "=r"(y[i++]) : "r"(0x90000000));
  asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(y[i++]) : "r"(0xff), "r"(0x12345678));
  asm("shf.l.wrap.b32 %0, %1, %2, 8;" : "=r"(y[i++]) : "r"(a), "r"(b));
  asm("shf.r.clamp.b32 %0, %1, %2, 40;" : "=r"(y[i++]) : "r"(a), "r"(b));
  asm("popc.b32 %0, %1;" : "=r"(y[i++]) : "r"(a));
  asm("clz.b64 %0, %1;" : "=r"(y[i++]) : "l"(1ull << 40));
  asm("brev.b32 %0, %1;" : "=r"(y[i++]) : "r"(1));
  asm("bfind.u32 %0, %1;" : "=r"(y[i++]) : "r"(0x1000));
  asm("sad.s32 %0, %1, 5, 100;" : "=r"(y[i++]) : "r"(s));
  asm("dp4a.s32.u32 %0, %1, %2, 1;" : "=r"(y[i++]) : "r"(0xff010203), "r"(0x02020202));
  asm("abs.s32 %0, %1;" : "=r"(y[i++]) : "r"(s));
  asm("{ .reg .b16 low, high; mov.b32 {low, high}, %1; mov.b32 %0, {high, low}; }"
      : "=r"(y[i++])
      : "r"(0x12345678));
}

PART(ptx_integers) {
  DeviceArray<unsigned> y(32);
  integers_kernel<<<1, 1>>>(y.data(), 0xdeadbeef, 0x01020304, -20);
  CHECK_LAUNCH();
  const std::vector<unsigned> host = y.host();
  for (size_t i = 0; i < host.size(); ++i) std::printf("%x%s", host[i], i % 8 == 7 ? "\n" : " ");
}

}  // namespace ptx_integers

/* Prints:
dfafc1f3 fffffffe f0d1c8bc e06db9 ffffffff ffffffec ffffffec fffffffa
0 ffffffff deadbee 7fffffff e06db9 9c093cce ffffffdd dfafbd14
640d640f 55114400 ff00ff00 ee fffffff9 12345f78 20304de 1020304
18 17 80000000 c 7d b 14 56781234
*/

// Floats, halves, conversions and comparisons.
namespace ptx_floats {

__device__ inline float bits_as_float(unsigned bits) {
  return __uint_as_float(bits);
}

__global__ void floats_kernel(float* y, float a, float b, float nan) {
  int i = 0;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(y[i++]) : "f"(a), "f"(b), "f"(1.0f));
  asm("add.rz.f32 %0, %1, %2;" : "=f"(y[i++]) : "f"(1.0f), "f"(-0x1p-40f));
  asm("mul.ftz.f32 %0, %1, 0f3F000000;" : "=f"(y[i++]) : "f"(0x1p-126f));
  asm("add.sat.f32 %0, %1, %2;" : "=f"(y[i++]) : "f"(a), "f"(b));
  asm("sub.f32 %0, %1, 0.5;" : "=f"(y[i++]) : "f"(a));
  asm("div.rn.f32 %0, %1, %2;" : "=f"(y[i++]) : "f"(a), "f"(4.0f));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y[i++]) : "f"(4.0f));
  asm("sqrt.rn.f32 %0, %1;" : "=f"(y[i++]) : "f"(9.0f));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y[i++]) : "f"(5.0f));
  asm("lg2.approx.f32 %0, %1;" : "=f"(y[i++]) : "f"(8.0f));
  asm("min.f32 %0, %1, %2;" : "=f"(y[i++]) : "f"(nan), "f"(b));
  asm("copysign.f32 %0, %1, %2;" : "=f"(y[i++]) : "f"(-1.0f), "f"(b));
  asm("neg.f32 %0, %1;" : "=f"(y[i++]) : "f"(a));
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(1.0f + 0x1p-11f));
  y[i++] = (bits_as_float(bits) - 1) * 1024;
  int whole;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(whole) : "f"(2.5f));
  y[i++] = static_cast<float>(whole);
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(whole) : "f"(-2.75f));
  y[i++] = static_cast<float>(whole);
  asm("cvt.rn.f32.s32 %0, %1;" : "=f"(y[i++]) : "r"(-7));
  double wide;
  asm("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(a));
  y[i++] = static_cast<float>(wide);
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(whole) : "r"(300));
  y[i++] = static_cast<float>(whole);
  asm("{ .reg .pred p; setp.lt.f32 p, %1, %2; selp.f32 %0, 1.0, 2.0, p; }"
      : "=f"(y[i++])
      : "f"(nan), "f"(b));
  asm("{ .reg .pred p; setp.ltu.f32 p, %1, %2; selp.f32 %0, 1.0, 2.0, p; }"
      : "=f"(y[i++])
      : "f"(nan), "f"(b));
  asm("{ .reg .pred p, q; setp.gt.f32 q, %1, 0.0; setp.gt.and.f32 p, %2, 0.0, q; @!p mov.f32 %0, "
      "3.0; @p mov.f32 %0, 4.0; }"
      : "=f"(y[i++])
      : "f"(a), "f"(b));
}

__global__ void halves_kernel(unsigned* y) {
  unsigned pair, other;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(2.0f), "f"(1.0f));  // upper, lower
  y[0] = pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(y[1]) : "f"(2.0f), "f"(1.0f));
  asm("fma.rn.f16x2 %0, %1, %1, %2;" : "=r"(other) : "r"(pair), "r"(pair));
  y[2] = other;
  asm("add.f16x2 %0, %1, %2;" : "=r"(y[3]) : "r"(other), "r"(pair));
  unsigned short single;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(single) : "f"(65504.0f));
  y[4] = single;
  float back;
  asm("{ .reg .b16 low, high; mov.b32 {low, high}, %1; cvt.f32.f16 %0, high; }"
      : "=f"(back)
      : "r"(pair));
  y[5] = static_cast<unsigned>(back);
}

PART(ptx_floats) {
  DeviceArray<float> y(22);
  floats_kernel<<<1, 1>>>(y.data(), 3, 2, NAN);
  CHECK_LAUNCH();
  show("y", y.host());
  DeviceArray<unsigned> z(6);
  halves_kernel<<<1, 1>>>(z.data());
  CHECK_LAUNCH();
  for (const unsigned each : z.host()) std::printf("%x ", each);
  std::printf("\n");
}

}  // namespace ptx_floats

/* Prints:
y: 7 1 0 1 2.5 0.75 0.25 3 32 3 2 -2 -3 1 2 -2 -7 3 255 2 1 4
40003c00 40003f80 46004000 48004200 7bff 2 
*/
