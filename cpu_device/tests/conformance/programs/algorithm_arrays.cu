// SPDX-License-Identifier: MIT
// Algorithms on arrays, graphs and text.
#include <cstring>

#include "../check.h"
#include "../parts.h"

// A bitonic sort of keys with values in shared memory.
namespace bitonic_sort {

__global__ void sort_kernel(unsigned* keys, int* values) {
  __shared__ unsigned sorted[512];
  __shared__ int carried[512];
  const unsigned i = threadIdx.x, n = blockDim.x;
  sorted[i] = keys[i];
  carried[i] = values[i];
  __syncthreads();
  for (unsigned size = 2; size <= n; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      const unsigned other = i ^ distance;
      if (other > i) {
        const bool ascending = (i & size) == 0;
        if ((sorted[i] > sorted[other]) == ascending) {
          const unsigned key = sorted[i];
          const int value = carried[i];
          sorted[i] = sorted[other], carried[i] = carried[other];
          sorted[other] = key, carried[other] = value;
        }
      }
      __syncthreads();
    }
  }
  keys[i] = sorted[i];
  values[i] = carried[i];
}

PART(bitonic_sort) {
  const int n = 512;
  std::vector<unsigned> keys(n);
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) {
    keys[i] = (i * 2654435761u) >> 8;  // all different
    values[i] = i;
  }
  DeviceArray<unsigned> d_keys(keys);
  DeviceArray<int> d_values(values);
  sort_kernel<<<1, n>>>(d_keys.data(), d_values.data());
  CHECK_LAUNCH();
  const std::vector<unsigned> sorted = d_keys.host();
  const std::vector<int> carried = d_values.host();
  int disorder = 0, mismatch = 0;
  for (int i = 0; i < n; ++i) {
    disorder += i > 0 && sorted[i - 1] > sorted[i];
    mismatch += keys[carried[i]] != sorted[i];
  }
  show("disorder, mismatch", disorder, mismatch);
  show("ends", sorted[0], sorted[n - 1], carried[0], carried[n - 1]);
}

}  // namespace bitonic_sort

/* Prints:
disorder, mismatch: 0 0
ends: 0 16757301 0 377
*/

// Sum, minimum and maximum of a block by a tree in shared memory, for sizes that are no power of
// two.
namespace block_reduction {

struct Summary {
  int sum, smallest, largest;
};

template <int kThreads>
__global__ void reduce_kernel(const int* in, int n, Summary* out) {
  __shared__ int sums[kThreads], smallest[kThreads], largest[kThreads];
  const int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  sums[t] = i < n ? in[i] : 0;
  smallest[t] = i < n ? in[i] : 1 << 30;
  largest[t] = i < n ? in[i] : -(1 << 30);
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (t < half) {
      sums[t] += sums[t + half];
      smallest[t] = min(smallest[t], smallest[t + half]);
      largest[t] = max(largest[t], largest[t + half]);
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = {sums[0], smallest[0], largest[0]};
}

template <int kThreads>
void run(int n) {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = (i * 7919) % 10007 - 5000;
  const int blocks = (n + kThreads - 1) / kThreads;
  DeviceArray<int> in(values);
  DeviceArray<Summary> out(blocks);
  reduce_kernel<kThreads><<<blocks, kThreads>>>(in.data(), n, out.data());
  CHECK_LAUNCH();
  Summary all = {0, 1 << 30, -(1 << 30)};
  for (const Summary& block : out.host()) {
    all.sum += block.sum;
    all.smallest = block.smallest < all.smallest ? block.smallest : all.smallest;
    all.largest = block.largest > all.largest ? block.largest : all.largest;
  }
  show("sum, smallest, largest", all.sum, all.smallest, all.largest);
}

PART(block_reduction) {
  run<256>(5000);
  run<64>(100);
  run<1024>(1024);
  run<32>(1);
}

}  // namespace block_reduction

/* Prints:
sum, smallest, largest: 31078 -5000 5006
sum, smallest, largest: 1981 -5000 4930
sum, smallest, largest: 4312 -5000 4997
sum, smallest, largest: -5000 -5000 -5000
*/

// Distances in a graph, level by level, until a kernel reports that nothing changed.
namespace breadth_first_search {

__global__ void level_kernel(const int* first_edge, const int* edges, int* distance, int level,
                             int n, int* changed) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= n || distance[node] != level) return;
  for (int e = first_edge[node]; e < first_edge[node + 1]; ++e) {
    if (atomicCAS(&distance[edges[e]], -1, level + 1) == -1) atomicExch(changed, 1);
  }
}

PART(breadth_first_search) {
  const int n = 500;
  std::vector<int> first_edge(n + 1), edges, distance(n, -1);
  for (int node = 0; node < n; ++node) {
    first_edge[node] = edges.size();
    edges.push_back((node * 7 + 3) % n);
    edges.push_back((node * 3 + 11) % n);
  }
  first_edge[n] = edges.size();
  distance[0] = 0;
  DeviceArray<int> d_first(first_edge), d_edges(edges), d_distance(distance);
  int *changed = nullptr, level = 0;
  CHECK(cudaMallocManaged(&changed, sizeof(int)));
  do {
    *changed = 0;
    level_kernel<<<4, 128>>>(d_first.data(), d_edges.data(), d_distance.data(), level++, n,
                             changed);
    CHECK_LAUNCH();
  } while (*changed);
  CHECK(cudaFree(changed));
  std::vector<int> queue = {0};
  for (size_t k = 0; k < queue.size(); ++k) {
    for (int e = first_edge[queue[k]]; e < first_edge[queue[k] + 1]; ++e) {
      if (distance[edges[e]] != -1) continue;
      distance[edges[e]] = distance[queue[k]] + 1;
      queue.push_back(edges[e]);
    }
  }
  expect("distances", d_distance.host() == distance);
  show("levels, reached", level, queue.size());
}

}  // namespace breadth_first_search

/* Prints:
distances: ok
levels, reached: 10 100
*/

// Keeping some elements in order: votes within a warp, a scan over warps, an offset for each block.
namespace compaction {

__global__ void compact_kernel(const int* in, int n, int* out, int* kept) {
  __shared__ int warp_counts[8], block_first;
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32,
            warp = threadIdx.x / 32;
  const bool keep = i < n && in[i] % 3 == 0;
  const unsigned mask = __ballot_sync(0xffffffff, keep);
  const int before = __popc(mask & ((1u << lane) - 1));
  if (lane == 0) warp_counts[warp] = __popc(mask);
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int w = 0; w < 8; ++w) {
      const int count = warp_counts[w];
      warp_counts[w] = sum;
      sum += count;
    }
    block_first = atomicAdd(kept, sum);
  }
  __syncthreads();
  if (keep) out[block_first + warp_counts[warp] + before] = in[i];
}

PART(compaction) {
  const int n = 1000;
  std::vector<int> values(n);
  long long expected = 0;
  for (int i = 0; i < n; ++i) {
    values[i] = (i * 37) % 1009;
    if (values[i] % 3 == 0) expected += values[i];
  }
  DeviceArray<int> in(values), out(n), kept(1);
  compact_kernel<<<4, 256>>>(in.data(), n, out.data(), kept.data());
  CHECK_LAUNCH();
  const int count = kept.host()[0];
  const std::vector<int> got = out.host();
  long long sum = 0;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    sum += got[i];
    wrong += i < count ? got[i] % 3 != 0 : got[i] != 0;
  }
  show("kept, wrong", count, wrong);
  expect("sum", sum == expected);
}

}  // namespace compaction

/* Prints:
kept, wrong: 334 0
sum: ok
*/

// A sum over a grid: grid-stride loop, shuffles in a warp, shared memory between warps, one atomic
// a block.
namespace grid_reduction {

__device__ double warp_sum(double value) {
  for (int by = 16; by > 0; by /= 2) value += __shfl_down_sync(0xffffffff, value, by);
  return value;
}

__global__ void dot_kernel(const float* x, const float* y, int n, double* out) {
  static __shared__ double warps[32];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += static_cast<double>(x[i]) * y[i];
  }
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  sum = warp_sum(sum);
  if (lane == 0) warps[warp] = sum;
  __syncthreads();
  if (warp != 0) return;
  sum = warp_sum(lane < static_cast<int>(blockDim.x) / 32 ? warps[lane] : 0.0);
  if (lane == 0) atomicAdd(out, sum);
}

PART(grid_reduction) {
  const int n = 100000;
  std::vector<float> x(n), y(n);
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    x[i] = (i % 17) * 0.25f;
    y[i] = (i % 5) - 2.0f;
    expected += static_cast<double>(x[i]) * y[i];
  }
  DeviceArray<float> d_x(x), d_y(y);
  for (int threads : {32, 128, 1024}) {
    DeviceArray<double> out(1);
    dot_kernel<<<13, threads>>>(d_x.data(), d_y.data(), n, out.data());
    CHECK_LAUNCH();
    const double got = out.host()[0];
    std::printf("%d threads: %.2f %s\n", threads, got, got == expected ? "exact" : "WRONG");
  }
}

}  // namespace grid_reduction

/* Prints:
32 threads: -1.25 exact
128 threads: -1.25 exact
1024 threads: -1.25 exact
*/

// A histogram of bytes: counted in shared memory, then added up with global atomics.
namespace histogram {

__global__ void histogram_kernel(const unsigned char* text, int n, unsigned* bins) {
  __shared__ unsigned local[256];
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) local[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[text[i]], 1u);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) {
    if (local[bin] != 0) atomicAdd(&bins[bin], local[bin]);
  }
}

PART(histogram) {
  const int n = 50000;
  std::vector<unsigned char> text(n);
  std::vector<unsigned> expected(256);
  unsigned state = 1;
  for (unsigned char& letter : text) {
    state = state * 1664525u + 1013904223u;
    letter = (state >> 24) & (state >> 16);
    ++expected[letter];
  }
  DeviceArray<unsigned char> d_text(text);
  DeviceArray<unsigned> bins(256);
  histogram_kernel<<<10, 96>>>(d_text.data(), n, bins.data());
  CHECK_LAUNCH();
  const std::vector<unsigned> got = bins.host();
  expect("bins", got == expected);
  show("some", got[0], got[1], got[255]);
}

}  // namespace histogram

/* Prints:
bins: ok
some: 5096 1654 2
*/

// Pi by points from a generator of whole numbers: the count is the same everywhere.
namespace monte_carlo {

__host__ __device__ int hits_of(unsigned seed, int points) {
  unsigned state = seed * 747796405u + 2891336453u;
  int hits = 0;
  for (int i = 0; i < points; ++i) {
    state = state * 1664525u + 1013904223u;
    const unsigned x = state >> 16;
    state = state * 1664525u + 1013904223u;
    const unsigned y = state >> 16;
    hits += static_cast<unsigned long long>(x) * x + static_cast<unsigned long long>(y) * y <
            (1ull << 32);
  }
  return hits;
}

__global__ void points_kernel(int points, unsigned* total) {
  const int hits = hits_of(blockIdx.x * blockDim.x + threadIdx.x, points);
  const unsigned mask = 0xffffffff;
  unsigned sum = hits;
  for (int by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(mask, sum, by);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}

PART(monte_carlo) {
  const int points = 200, blocks = 10, threads = 128;
  DeviceArray<unsigned> total(1);
  points_kernel<<<blocks, threads>>>(points, total.data());
  CHECK_LAUNCH();
  unsigned expected = 0;
  for (int t = 0; t < blocks * threads; ++t) expected += hits_of(t, points);
  const unsigned got = total.host()[0];
  expect("hits", got == expected);
  std::printf("pi is about %.1f\n", 4.0 * got / (points * blocks * threads));
}

}  // namespace monte_carlo

/* Prints:
hits: ok
pi is about 3.1
*/

// A radix sort by single bits: each pass scans flags in shared memory and scatters.
namespace radix_sort {

__global__ void sort_kernel(unsigned* keys, int n) {
  __shared__ unsigned values[256];
  __shared__ int scan[2][256];
  const int i = threadIdx.x;
  values[i] = i < n ? keys[i] : 0xffffffffu;
  for (int bit = 0; bit < 16; ++bit) {
    __syncthreads();
    const unsigned mine = values[i];
    const int zero = !(mine >> bit & 1);
    int from = 0;
    scan[0][i] = zero;
    for (int by = 1; by < 256; by *= 2, from = 1 - from) {
      __syncthreads();
      scan[1 - from][i] = scan[from][i] + (i >= by ? scan[from][i - by] : 0);
    }
    __syncthreads();
    const int zeros = scan[from][255], before = scan[from][i] - zero;
    values[zero ? before : zeros + i - before] = mine;
  }
  __syncthreads();
  if (i < n) keys[i] = values[i];
}

PART(radix_sort) {
  const int n = 200;
  std::vector<unsigned> keys(n);
  for (int i = 0; i < n; ++i) keys[i] = (i * 40503u + 7) & 0xffff;
  DeviceArray<unsigned> d_keys(keys);
  sort_kernel<<<1, 256>>>(d_keys.data(), n);
  CHECK_LAUNCH();
  const std::vector<unsigned> sorted = d_keys.host();
  int disorder = 0;
  unsigned sum = 0, expected = 0;
  for (int i = 0; i < n; ++i) {
    disorder += i > 0 && sorted[i - 1] > sorted[i];
    sum += sorted[i], expected += keys[i];
  }
  show("disorder, same sum", disorder, sum == expected);
  show("ends", sorted[0], sorted[n - 1]);
}

}  // namespace radix_sort

/* Prints:
disorder, same sum: 0 1
ends: 7 65271
*/

// saxpy three ways: a thread an element, a grid-stride loop, four elements a thread with a tail.
namespace saxpy {

__global__ void element_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void stride_kernel(float a, const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    y[i] = a * x[i] + y[i];
  }
}

__global__ void vector_kernel(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 < n) {
    const float4 u = reinterpret_cast<const float4*>(x)[i];
    float4 v = reinterpret_cast<float4*>(y)[i];
    v.x += a * u.x, v.y += a * u.y, v.z += a * u.z, v.w += a * u.w;
    reinterpret_cast<float4*>(y)[i] = v;
  } else {
    for (int k = 4 * i; k < n; ++k) y[k] = a * x[k] + y[k];
  }
}

PART(saxpy) {
  const int n = 10001;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) x[i] = i % 100, y[i] = -(i % 50);
  DeviceArray<float> d_x(x), d_y(y);
  element_kernel<<<(n + 255) / 256, 256>>>(2.0f, d_x.data(), d_y.data(), n);
  stride_kernel<<<3, 100>>>(-0.5f, d_x.data(), d_y.data(), n);
  vector_kernel<<<(n / 4 + 1 + 63) / 64, 64>>>(4.0f, d_x.data(), d_y.data(), n);
  CHECK_LAUNCH();
  const std::vector<float> got = d_y.host();
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += got[i] != 5.5f * x[i] + y[i];
  show("wrong", wrong);
  show("some", got[1], got[77], got[n - 2]);
}

}  // namespace saxpy

/* Prints:
wrong: 0
some: 4.5 396.5 495.5
*/

// Prefix sums: Hillis and Steele's and Blelloch's in one block, and over blocks in three kernels.
namespace scan {

__global__ void inclusive_kernel(int* data) {
  __shared__ int buffers[2][128];
  const int i = threadIdx.x, n = blockDim.x;
  int from = 0;
  buffers[from][i] = data[i];
  for (int by = 1; by < n; by *= 2) {
    __syncthreads();
    const int* in = buffers[from];
    buffers[1 - from][i] = i >= by ? in[i] + in[i - by] : in[i];
    from = 1 - from;
  }
  data[i] = buffers[from][i];
}

__global__ void exclusive_kernel(int* data, int* totals) {
  extern __shared__ int tree[];
  const int i = threadIdx.x, n = 2 * blockDim.x;
  int* mine = data + blockIdx.x * n;
  tree[2 * i] = mine[2 * i];
  tree[2 * i + 1] = mine[2 * i + 1];
  int offset = 1;
  for (int d = n / 2; d > 0; d /= 2, offset *= 2) {
    __syncthreads();
    if (i < d) tree[offset * (2 * i + 2) - 1] += tree[offset * (2 * i + 1) - 1];
  }
  if (i == 0) {
    totals[blockIdx.x] = tree[n - 1];
    tree[n - 1] = 0;
  }
  for (int d = 1; d < n; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (i < d) {
      const int left = offset * (2 * i + 1) - 1, right = offset * (2 * i + 2) - 1;
      const int kept = tree[left];
      tree[left] = tree[right];
      tree[right] += kept;
    }
  }
  __syncthreads();
  mine[2 * i] = tree[2 * i];
  mine[2 * i + 1] = tree[2 * i + 1];
}

__global__ void add_kernel(int* data, const int* offsets) {
  data[blockIdx.x * blockDim.x + threadIdx.x] += offsets[blockIdx.x];
}

PART(scan) {
  std::vector<int> values(100);
  for (int i = 0; i < 100; ++i) values[i] = i % 7;
  DeviceArray<int> data(values);
  inclusive_kernel<<<1, 100>>>(data.data());
  CHECK_LAUNCH();
  const std::vector<int> inclusive = data.host();
  show("inclusive", inclusive[0], inclusive[6], inclusive[7], inclusive[99]);

  const int blocks = 8, size = 64, n = blocks * size;
  std::vector<int> many(n);
  for (int i = 0; i < n; ++i) many[i] = i % 11 - 3;
  DeviceArray<int> d_many(many), totals(blocks), unused(1);
  exclusive_kernel<<<blocks, size / 2, size * sizeof(int)>>>(d_many.data(), totals.data());
  exclusive_kernel<<<1, blocks / 2, blocks * sizeof(int)>>>(totals.data(), unused.data());
  add_kernel<<<blocks, size>>>(d_many.data(), totals.data());
  CHECK_LAUNCH();
  int wrong = 0, sum = 0;
  const std::vector<int> got = d_many.host();
  for (int i = 0; i < n; sum += many[i++]) wrong += got[i] != sum;
  show("exclusive, wrong", wrong);
  show("last, total", got[n - 1], unused.host()[0]);
}

}  // namespace scan

/* Prints:
inclusive: 0 21 21 295
exclusive, wrong: 0
last, total: 1007 1009
*/

// Work on bytes: a cipher, counting words across blocks, reversing strings in shared memory.
namespace text {

__global__ void rotate_kernel(char* text, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const char c = text[i];
  if (c >= 'a' && c <= 'z') text[i] = 'a' + (c - 'a' + by) % 26;
  if (c >= 'A' && c <= 'Z') text[i] = 'A' + (c - 'A' + by) % 26;
}

__global__ void words_kernel(const char* text, int n, int* words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool starts = i < n && text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
  const int count = __syncthreads_count(starts);
  if (threadIdx.x == 0) atomicAdd(words, count);
}

__global__ void reverse_kernel(char* text, int n) {
  extern __shared__ char letters[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) letters[i] = text[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) text[i] = letters[n - 1 - i];
}

PART(text) {
  const char* text = "Pack my box with five dozen liquor jugs";
  const int n = std::strlen(text);
  DeviceArray<char> d_text(std::vector<char>(text, text + n));
  DeviceArray<int> words(1);
  const auto print_text = [&](const char* name) {
    const std::vector<char> host = d_text.host();
    std::printf("%s: %.*s\n", name, n, host.data());
  };
  rotate_kernel<<<2, 32>>>(d_text.data(), n, 13);
  print_text("rotated");
  words_kernel<<<4, 16>>>(d_text.data(), n, words.data());
  show("words", words.host());
  reverse_kernel<<<1, 16, n>>>(d_text.data(), n);
  print_text("reversed");
  rotate_kernel<<<1, 64>>>(d_text.data(), n, 13);
  print_text("rotated back");
}

}  // namespace text

/* Prints:
rotated: Cnpx zl obk jvgu svir qbmra yvdhbe whtf
words: 8
reversed: fthw ebhdvy armbq rivs ugvj kbo lz xpnC
rotated back: sguj rouqil nezod evif htiw xob ym kcaP
*/
