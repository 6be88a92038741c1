// SPDX-License-Identifier: MIT
// Memory: allocation, copies, symbols, attributes.
#include <cstdint>

#include "../check.h"
#include "../parts.h"

// cudaMalloc's alignment, distinct blocks, freeing null; cudaMemset of parts.
namespace malloc_and_memset {

PART(malloc_and_memset) {
  unsigned char* blocks[5];
  bool aligned = true;
  for (int i = 0; i < 5; ++i) {
    CHECK(cudaMalloc(&blocks[i], 100 + i));
    aligned = aligned && reinterpret_cast<uintptr_t>(blocks[i]) % 256 == 0;
    CHECK(cudaMemset(blocks[i], 10 * i, 100 + i));
  }
  expect("aligned to 256 bytes", aligned);
  CHECK(cudaMemset(blocks[2] + 3, 0xff, 4));
  for (int i = 1; i < 4; ++i) {
    unsigned char host[104];
    CHECK(cudaMemcpy(host, blocks[i], 100 + i, cudaMemcpyDeviceToHost));
    show("block", host[0], host[2], host[3], host[6], host[7], host[99 + i]);
  }
  for (unsigned char* block : blocks) CHECK(cudaFree(block));
  CHECK(cudaFree(nullptr));
  CHECK(cudaFree(0));
  float* d_x = nullptr;
  CHECK(cudaMalloc((void**)&d_x, 4 * sizeof(float)));
  CHECK(cudaMemset(d_x, 0x3f, 4 * sizeof(float)));
  float x[4];
  CHECK(cudaMemcpy(x, d_x, sizeof(x), cudaMemcpyDeviceToHost));
  show("bytes of a float", x[0], x[3]);
  CHECK(cudaMemset(d_x, 0, 0));
  CHECK(cudaFree(d_x));
  int* empty = reinterpret_cast<int*>(1);
  std::printf("no bytes: %s\n", cudaGetErrorName(cudaMalloc(&empty, 0)));
  expect("null", empty == nullptr);
}

}  // namespace malloc_and_memset

/* Prints:
aligned to 256 bytes: ok
block: 10 10 10 10 10 10
block: 20 20 255 255 20 20
block: 30 30 30 30 30 30
bytes of a float: 0.747059 0.747059
no bytes: cudaSuccess
null: ok
*/

// Managed memory can be asked to be near the device, then near the host; other memory cannot.
namespace managed_hints {

__global__ void twice_kernel(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
}

PART(managed_hints) {
  const int n = 1000;
  int* data = nullptr;
  CHECK(cudaMallocManaged(&data, n * sizeof(int)));
  for (int i = 0; i < n; ++i) data[i] = i;
  const cudaMemLocation device = {cudaMemLocationTypeDevice, 0},
                        host = {cudaMemLocationTypeHost, 0};
  CHECK(cudaMemAdvise(data, n * sizeof(int), cudaMemAdviseSetPreferredLocation, device));
  CHECK(cudaMemPrefetchAsync(data, n * sizeof(int), device, 0));
  twice_kernel<<<(n + 255) / 256, 256>>>(data, n);
  CHECK_LAUNCH();
  CHECK(cudaMemPrefetchAsync(data + 500, 500 * sizeof(int), host, 0));
  CHECK(cudaDeviceSynchronize());
  std::printf("%d %d\n", data[1], data[999]);
  int* d_data = nullptr;
  CHECK(cudaMalloc(&d_data, n * sizeof(int)));
  std::printf("cudaMalloc: %s\n",
              cudaGetErrorName(cudaMemPrefetchAsync(d_data, n * sizeof(int), device, 0)));
  std::printf("no bytes: %s\n", cudaGetErrorName(cudaMemPrefetchAsync(data, 0, device, 0)));
  CHECK(cudaFree(d_data));
  CHECK(cudaFree(data));
}

}  // namespace managed_hints

/* Prints:
2 1998
cudaMalloc: cudaErrorInvalidValue
no bytes: cudaErrorInvalidValue
*/

// cudaMallocManaged: host and kernels follow the same pointers, turn by turn.
namespace managed_memory {

struct Node {
  int value;
  Node* next;
};

__global__ void sum_kernel(Node* head, int* sum) {
  *sum = 0;
  for (Node* node = head; node != nullptr; node = node->next) {
    *sum += node->value;
    node->value = -node->value;
  }
}

PART(managed_memory) {
  Node* nodes = nullptr;
  int* sum = nullptr;
  CHECK(cudaMallocManaged(&nodes, 5 * sizeof(Node)));
  CHECK(cudaMallocManaged(&sum, sizeof(int), cudaMemAttachGlobal));
  for (int i = 0; i < 5; ++i) nodes[i] = {i * i, i + 1 < 5 ? &nodes[i + 1] : nullptr};
  sum_kernel<<<1, 1>>>(nodes, sum);
  CHECK_LAUNCH();
  show("sum", *sum, nodes[4].value);
  nodes[1].next = &nodes[4];
  sum_kernel<<<1, 1>>>(&nodes[0], sum);
  CHECK_LAUNCH();
  show("shorter list", *sum, nodes[4].value, nodes[2].value);
  int copy = 0;
  CHECK(cudaMemcpy(&copy, sum, sizeof(int), cudaMemcpyDefault));
  CHECK(cudaMemset(sum, 0, sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  show("copied, cleared", copy, *sum);
  CHECK(cudaFree(nodes));
  CHECK(cudaFree(sum));
}

}  // namespace managed_memory

/* Prints:
sum: 30 -16
shorter list: -17 16 -4
copied, cleared: -17 0
*/

// cudaMemcpy in all directions, with cudaMemcpyDefault, with offsets, of nothing.
namespace memcpy_kinds {

PART(memcpy_kinds) {
  int host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {}, *d_a = nullptr, *d_b = nullptr;
  CHECK(cudaMalloc(&d_a, sizeof(host)));
  CHECK(cudaMalloc(&d_b, sizeof(host)));
  CHECK(cudaMemcpy(d_a, host, sizeof(host), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_b, d_a + 4, 4 * sizeof(int), cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy(d_b + 4, d_a, 4 * sizeof(int), cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy(back, d_b, sizeof(back), cudaMemcpyDeviceToHost));
  show("halves swapped", std::vector<int>(back, back + 8));
  CHECK(cudaMemcpy(back, host + 6, 2 * sizeof(int), cudaMemcpyHostToHost));
  CHECK(cudaMemcpy(d_a, back, 3 * sizeof(int), cudaMemcpyDefault));
  CHECK(cudaMemcpy(d_a + 3, d_b + 3, sizeof(int), cudaMemcpyDefault));
  CHECK(cudaMemcpy(back, d_a, sizeof(back), cudaMemcpyDefault));
  show("default", std::vector<int>(back, back + 8));
  CHECK(cudaMemcpy(back, d_a, 0, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpyAsync(back + 7, d_a, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaDeviceSynchronize());
  show("asynchronous", back[7]);
  CHECK(cudaFree(d_a));
  CHECK(cudaFree(d_b));
}

}  // namespace memcpy_kinds

/* Prints:
halves swapped: 5 6 7 8 1 2 3 4
default: 7 8 7 8 5 6 7 8
asynchronous: 7
*/

// Memory of three dimensions: allocated with a pitch, set, copied as a box, and read by a kernel.
namespace memory_3d {

constexpr int kWidth = 5, kHeight = 3, kDepth = 2;

__global__ void double_all(cudaPitchedPtr box) {
  const unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  char* slice = static_cast<char*>(box.ptr) + z * box.pitch * box.ysize;
  int* row = reinterpret_cast<int*>(slice + y * box.pitch);
  row[x] *= 2;
}

PART(memory_3d) {
  const cudaExtent extent = make_cudaExtent(kWidth * sizeof(int), kHeight, kDepth);
  cudaPitchedPtr box;
  CHECK(cudaMalloc3D(&box, extent));
  expect("pitch", box.pitch >= extent.width && box.xsize == extent.width && box.ysize == kHeight);
  CHECK(cudaMemset3D(box, 0, extent));

  std::vector<int> host(kWidth * kHeight * kDepth);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i);
  cudaMemcpy3DParms in = {};
  in.srcPtr = make_cudaPitchedPtr(host.data(), kWidth * sizeof(int), kWidth, kHeight);
  in.dstPtr = box;
  in.extent = extent;
  in.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&in));
  double_all<<<1, dim3(kWidth, kHeight, kDepth)>>>(box);
  CHECK_LAUNCH();

  // A box from inside: 2 columns, 2 rows, both slices, from column 1 and row 1.
  std::vector<int> part(2 * 2 * kDepth);
  cudaMemcpy3DParms out = {};
  out.srcPtr = box;
  out.srcPos = make_cudaPos(sizeof(int), 1, 0);
  out.dstPtr = make_cudaPitchedPtr(part.data(), 2 * sizeof(int), 2, 2);
  out.extent = make_cudaExtent(2 * sizeof(int), 2, kDepth);
  out.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&out));
  show("part", part);
  CHECK(cudaFree(box.ptr));
}

}  // namespace memory_3d

/* Prints:
pitch: ok
part: 12 14 22 24 42 44 52 54
*/

// Pinned host memory: cudaMallocHost, cudaHostAlloc, their device addresses, use from kernels.
namespace pinned_memory {

__global__ void double_kernel(int* data) {
  data[threadIdx.x] *= 2;
}

PART(pinned_memory) {
  int *pinned = nullptr, *mapped = nullptr, *d_mapped = nullptr, *d_copy = nullptr;
  CHECK(cudaMallocHost(&pinned, 4 * sizeof(int)));
  CHECK(cudaHostAlloc(&mapped, 4 * sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable));
  CHECK(cudaMalloc(&d_copy, 4 * sizeof(int)));
  for (int i = 0; i < 4; ++i) pinned[i] = mapped[i] = i + 1;
  double_kernel<<<1, 4>>>(pinned);  // one address for both sides
  CHECK_LAUNCH();
  show("pinned", std::vector<int>(pinned, pinned + 4));
  CHECK(cudaHostGetDevicePointer(&d_mapped, mapped, 0));
  double_kernel<<<1, 4>>>(d_mapped);
  CHECK_LAUNCH();
  show("mapped", std::vector<int>(mapped, mapped + 4));
  CHECK(cudaMemcpyAsync(d_copy, pinned, 4 * sizeof(int), cudaMemcpyHostToDevice));
  double_kernel<<<1, 4>>>(d_copy);
  CHECK(cudaMemcpyAsync(mapped, d_copy, 4 * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaStreamSynchronize(cudaStreamLegacy));
  show("copied", std::vector<int>(mapped, mapped + 4));
  // Either side may be pinned memory, whatever the kind says.
  const int plain[4] = {9, 8, 7, 6};
  CHECK(cudaMemcpy(pinned, plain, sizeof plain, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(mapped, pinned, sizeof plain, cudaMemcpyDeviceToHost));
  show("copied as device memory", std::vector<int>(mapped, mapped + 4));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFreeHost(mapped));
  CHECK(cudaFreeHost(nullptr));
  CHECK(cudaFree(d_copy));
}

}  // namespace pinned_memory

/* Prints:
pinned: 2 4 6 8
mapped: 2 4 6 8
copied: 4 8 12 16
copied as device memory: 9 8 7 6
*/

// cudaMemset of memory that the host uses waits; what the host writes afterwards stays.
namespace memset_of_host_memory {

PART(memset_of_host_memory) {
  unsigned char *pinned = nullptr, *managed = nullptr;
  const size_t bytes = 4 * 4 * 4;
  CHECK(cudaMallocHost(&pinned, bytes));
  CHECK(cudaMallocManaged(&managed, bytes));
  for (unsigned char* memory : {pinned, managed}) {
    CHECK(cudaMemset(memory, 1, bytes));
    memory[0] = 7;
    show("row", memory[0], memory[1]);
    CHECK(cudaMemset2D(memory, 4, 2, 4, 4));
    memory[0] = 8;
    show("plane", memory[0], memory[15], memory[16]);
    CHECK(cudaMemset3D(make_cudaPitchedPtr(memory, 4, 4, 4), 3, make_cudaExtent(4, 4, 4)));
    memory[0] = 9;
    CHECK(cudaDeviceSynchronize());
    show("box", memory[0], memory[bytes - 1]);
  }
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(managed));
}

}  // namespace memset_of_host_memory

/* Prints:
row: 7 1
plane: 8 2 1
box: 9 3
row: 7 1
plane: 8 2 1
box: 9 3
*/

// cudaMallocPitch, cudaMemset2D and cudaMemcpy2D: rows of a pitch, windows into a plane.
namespace pitched_memory {

__global__ void fill_kernel(char* base, size_t pitch, int width, int height) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x >= width || y >= height) return;
  reinterpret_cast<float*>(base + y * pitch)[x] = 10.0f * y + x;
}

PART(pitched_memory) {
  const int width = 5, height = 4;
  char* d_plane = nullptr;
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&d_plane, &pitch, width * sizeof(float), height));
  expect("pitch", pitch >= width * sizeof(float) && pitch % 32 == 0);
  CHECK(cudaMemset2D(d_plane, pitch, 0, width * sizeof(float), height));
  fill_kernel<<<1, dim3(8, 8)>>>(d_plane, pitch, width, height);
  CHECK(cudaGetLastError());
  std::vector<float> host(width * height);
  CHECK(cudaMemcpy2D(host.data(), width * sizeof(float), d_plane, pitch, width * sizeof(float),
                     height, cudaMemcpyDeviceToHost));
  show("plane", host);
  // A window of 2 x 3 from row 1, column 2 goes to row 0, column 1 of a plane of 4 columns.
  std::vector<float> window(4 * 3, -1.0f);
  CHECK(cudaMemcpy2D(&window[1], 4 * sizeof(float), d_plane + pitch + 2 * sizeof(float), pitch,
                     2 * sizeof(float), 3, cudaMemcpyDeviceToHost));
  show("window", window);
  CHECK(cudaMemset2D(d_plane + pitch, pitch, 0, 2 * sizeof(float), 2));
  CHECK(cudaMemcpy2DAsync(host.data(), width * sizeof(float), d_plane, pitch, width * sizeof(float),
                          height, cudaMemcpyDefault, 0));
  CHECK(cudaStreamSynchronize(0));
  show("cleared", host);
  CHECK(cudaMemcpy2D(d_plane, pitch, window.data(), 4 * sizeof(float), 4 * sizeof(float), 2,
                     cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2D(host.data(), width * sizeof(float), d_plane, pitch, width * sizeof(float),
                     height, cudaMemcpyDeviceToHost));
  show("written", host);
  std::printf(
      "pitch too small: %s\n",
      cudaGetErrorName(cudaMemcpy2D(host.data(), 4, d_plane, pitch, 8, 2, cudaMemcpyDeviceToHost)));
  CHECK(cudaFree(d_plane));
}

}  // namespace pitched_memory

/* Prints:
pitch: ok
plane: 0 1 2 3 4 10 11 12 13 14 20 21 22 23 24 30 31 32 33 34
window: -1 12 13 -1 -1 22 23 -1 -1 32 33 -1
cleared: 0 1 2 3 4 0 0 12 13 14 0 0 22 23 24 30 31 32 33 34
written: -1 12 13 -1 4 -1 22 23 -1 14 0 0 22 23 24 30 31 32 33 34
pitch too small: cudaErrorInvalidPitchValue
*/

// cudaPointerGetAttributes tells device, pinned, managed and ordinary memory apart.
namespace pointer_attributes {

void tell(const char* name, const void* pointer) {
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, pointer));
  std::printf("%s: type %d, host %s, device %s\n", name, attributes.type,
              attributes.hostPointer ? "yes" : "no", attributes.devicePointer ? "yes" : "no");
}

PART(pointer_attributes) {
  int ordinary[4] = {}, *d_data = nullptr, *pinned = nullptr, *managed = nullptr;
  CHECK(cudaMalloc(&d_data, 64));
  CHECK(cudaMallocHost(&pinned, 64));
  CHECK(cudaMallocManaged(&managed, 64));
  show("types", cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice,
       cudaMemoryTypeManaged);
  tell("device", d_data);
  tell("inside device", d_data + 5);
  tell("pinned", pinned + 3);
  tell("managed", managed);
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, ordinary));
  show("ordinary, type", attributes.type);
  CHECK(cudaPointerGetAttributes(&attributes, d_data + 5));
  expect("address", attributes.devicePointer == d_data + 5 && attributes.device == 0);
  CHECK(cudaFree(d_data));
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(managed));
}

}  // namespace pointer_attributes

/* Prints:
types: 0 1 2 3
device: type 2, host no, device yes
inside device: type 2, host no, device yes
pinned: type 1, host yes, device yes
managed: type 3, host yes, device yes
ordinary, type: 0
address: ok
*/

// cudaHostRegister makes ordinary memory usable from kernels; registering twice is an error.
namespace registered_memory {

__global__ void add_kernel(int* data, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += by;
}

PART(registered_memory) {
  const int n = 3000;
  std::vector<int> host(n, 5);
  CHECK(cudaHostRegister(host.data(), n * sizeof(int), cudaHostRegisterMapped));
  int* d_host = nullptr;
  CHECK(cudaHostGetDevicePointer(&d_host, host.data(), 0));
  add_kernel<<<12, 256>>>(d_host, n, 10);
  CHECK_LAUNCH();
  int wrong = 0;
  for (int value : host) wrong += value != 15;
  show("wrong", wrong);
  std::printf("again: %s\n", cudaGetErrorName(cudaHostRegister(host.data(), n * sizeof(int), 0)));
  CHECK(cudaHostUnregister(host.data()));
  std::printf("no longer: %s\n", cudaGetErrorName(cudaHostUnregister(host.data())));
  std::printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
}

}  // namespace registered_memory

/* Prints:
wrong: 0
again: cudaErrorHostMemoryAlreadyRegistered
no longer: cudaErrorHostMemoryNotRegistered
last: cudaErrorHostMemoryNotRegistered
*/

// More than 48 KiB of dynamic shared memory: refused, then allowed by cudaFuncSetAttribute.
namespace shared_memory_opt_in {

template <class T>
__global__ void fill_kernel(T* out, int n) {
  extern __shared__ char shared_bytes[];
  T* shared = reinterpret_cast<T*>(shared_bytes);
  for (int i = threadIdx.x; i < n; i += blockDim.x) shared[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) *out = shared[n - 1] + shared[n / 2];
}

PART(shared_memory_opt_in) {
  DeviceArray<int> out(1);
  const int bytes = 60 * 1024, n = bytes / sizeof(int);
  int limit = 0;
  CHECK(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  expect("limit", limit >= bytes);
  fill_kernel<<<1, 128, bytes>>>(out.data(), n);
  std::printf("before: %s\n", cudaGetErrorName(cudaGetLastError()));
  fill_kernel<<<1, 128, 48 * 1024>>>(out.data(), 48 * 1024 / 4);
  std::printf("48 KiB: %s\n", cudaGetErrorName(cudaGetLastError()));
  show("out", out.host());
  CHECK(cudaFuncSetAttribute(fill_kernel<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  fill_kernel<<<1, 128, bytes>>>(out.data(), n);
  std::printf("after: %s\n", cudaGetErrorName(cudaGetLastError()));
  show("out", out.host());
  fill_kernel<int><<<1, 128, bytes + 1024>>>(out.data(), n);
  std::printf("beyond: %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("absurd: %s\n",
              cudaGetErrorName(cudaFuncSetAttribute(
                  fill_kernel<int>, cudaFuncAttributeMaxDynamicSharedMemorySize, limit + 1)));
  (void)cudaGetLastError();
}

}  // namespace shared_memory_opt_in

/* Prints:
limit: ok
before: cudaErrorInvalidValue
48 KiB: cudaSuccess
out: 18431
after: cudaSuccess
out: 23039
beyond: cudaErrorInvalidValue
absurd: cudaErrorInvalidValue
*/

// Copies to and from symbols with offsets, symbol to symbol, their addresses and sizes.
namespace symbols {

__device__ int table[6] = {1, 2, 3, 4, 5, 6};
__constant__ float factors[3];
__device__ double scalar;
template <class T>
__device__ T of_template[2];

__global__ void use_kernel(float* out) {
  out[0] = factors[0] + factors[1] + factors[2];
  out[1] = static_cast<float>(scalar);
  scalar += 1;
  of_template<int>[1] = 9;
}

PART(symbols) {
  int host[6] = {};
  const int two[2] = {40, 50};
  CHECK(cudaMemcpyToSymbol(table, two, sizeof(two), 3 * sizeof(int)));
  CHECK(cudaMemcpyFromSymbol(host, table, sizeof(host)));
  show("table", std::vector<int>(host, host + 6));
  CHECK(cudaMemcpyFromSymbol(host, table, sizeof(int), 4 * sizeof(int), cudaMemcpyDeviceToHost));
  show("one element", host[0]);
  int* d_table = nullptr;
  size_t bytes = 0;
  CHECK(cudaGetSymbolAddress((void**)&d_table, table));
  CHECK(cudaGetSymbolSize(&bytes, table));
  CHECK(cudaMemset(d_table, 0, 2 * sizeof(int)));
  CHECK(cudaMemcpy(host, d_table, bytes, cudaMemcpyDeviceToHost));
  show("through the address", std::vector<int>(host, host + bytes / sizeof(int)));
  DeviceArray<float> device({0.5f, 1.5f, 2.5f}), out(2);
  CHECK(cudaMemcpyToSymbol(factors, device.data(), 3 * sizeof(float), 0, cudaMemcpyDeviceToDevice));
  const double start = 10.5;
  CHECK(cudaMemcpyToSymbolAsync(scalar, &start, sizeof(start), 0, cudaMemcpyHostToDevice, 0));
  use_kernel<<<1, 1>>>(out.data());
  CHECK(cudaGetLastError());
  show("in a kernel", out.host());
  double end = 0;
  int nine[2] = {};
  CHECK(cudaMemcpyFromSymbolAsync(&end, scalar, sizeof(end)));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpyFromSymbol(nine, of_template<int>, sizeof(nine)));
  show("after it", end, nine[0], nine[1]);
  std::printf("too much: %s\n", cudaGetErrorName(cudaMemcpyFromSymbol(host, table, 100)));
}

}  // namespace symbols

/* Prints:
table: 1 2 3 40 50 6
one element: 50
through the address: 0 0 3 40 50 6
in a kernel: 4.5 10.5
after it: 11.5 0 9
too much: cudaErrorInvalidValue
*/

// Pools of memory, the device's own and one that was made: what they count, and calls that they
// refuse.
namespace memory_pools {

constexpr std::size_t kMiB = 1 << 20;

unsigned long long attribute(cudaMemPool_t pool, cudaMemPoolAttr which) {
  unsigned long long value = 0;
  CHECK(cudaMemPoolGetAttribute(pool, which, &value));
  return value;
}

__global__ void fill_kernel(int* x, int value) {
  x[threadIdx.x] = value + threadIdx.x;
}

void use(const char* name, cudaMemPool_t pool, cudaStream_t stream, bool named) {
  int *one = nullptr, *two = nullptr;
  std::vector<int> host(64);
  if (named) {
    CHECK(cudaMallocFromPoolAsync(&one, 4 * kMiB, pool, stream));
    CHECK(cudaMallocAsync(&two, 2 * kMiB, pool, stream));
  } else {
    CHECK(cudaMallocAsync(&one, 4 * kMiB, stream));
    CHECK(cudaMallocAsync(&two, 2 * kMiB, stream));
  }
  fill_kernel<<<1, 64, 0, stream>>>(one, 5);
  CHECK(cudaMemcpyAsync(host.data(), one, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("%s: %d %d\n", name, host[0], host[63]);
  show("used", attribute(pool, cudaMemPoolAttrUsedMemCurrent) / kMiB,
       attribute(pool, cudaMemPoolAttrUsedMemHigh) / kMiB);
  CHECK(cudaFreeAsync(one, stream));
  CHECK(cudaStreamSynchronize(stream));
  show("one freed", attribute(pool, cudaMemPoolAttrUsedMemCurrent) / kMiB);
  CHECK(cudaFreeAsync(two, stream));
  CHECK(cudaStreamSynchronize(stream));
  show("both freed", attribute(pool, cudaMemPoolAttrUsedMemCurrent) / kMiB,
       attribute(pool, cudaMemPoolAttrUsedMemHigh) / kMiB);
}

PART(memory_pools) {
  int supported = 0, device = 0;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaMemPool_t own = nullptr, current = nullptr, made = nullptr;
  CHECK(cudaDeviceGetDefaultMemPool(&own, device));
  CHECK(cudaDeviceGetMemPool(&current, device));
  show("supported, current is the default", supported, own == current);
  show("threshold", attribute(own, cudaMemPoolAttrReleaseThreshold));
  unsigned long long all = ~0ull, none = 0;
  CHECK(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &all));
  show("threshold is all", attribute(own, cudaMemPoolAttrReleaseThreshold) == all);
  use("default", own, stream, false);
  expect("the pool keeps its memory",
         attribute(own, cudaMemPoolAttrReservedMemCurrent) >= 6 * kMiB &&
             attribute(own, cudaMemPoolAttrReservedMemHigh) >= 6 * kMiB);
  CHECK(cudaMemPoolTrimTo(own, 0));
  show("trimmed", attribute(own, cudaMemPoolAttrReservedMemCurrent));
  CHECK(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &none));
  show("high mark", attribute(own, cudaMemPoolAttrUsedMemHigh));

  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = device;
  CHECK(cudaMemPoolCreate(&made, &properties));
  use("made", made, stream, true);
  CHECK(cudaDeviceSetMemPool(device, made));
  CHECK(cudaDeviceGetMemPool(&current, device));
  show("current is the one that was made", current == made);
  use("made, by default", made, stream, false);
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  CHECK(cudaMemPoolGetAccess(&flags, made, &properties.location));
  int reuse = 0;
  CHECK(cudaMemPoolGetAttribute(made, cudaMemPoolReuseAllowOpportunistic, &reuse));
  show("access, reuse", static_cast<int>(flags), reuse);
  CHECK(cudaMemPoolDestroy(made));
  CHECK(cudaDeviceGetMemPool(&current, device));
  show("current is the default again", current == own);
  show("destroying the default", cudaGetErrorName(cudaMemPoolDestroy(own)));
  show("marking",
       cudaGetErrorName(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &none)));
  CHECK(cudaStreamDestroy(stream));
}

}  // namespace memory_pools

/* Prints:
supported, current is the default: 1 1
threshold: 0
threshold is all: 1
default: 5 68
used: 6 6
one freed: 2
both freed: 0 6
the pool keeps its memory: ok
trimmed: 0
high mark: 0
made: 5 68
used: 6 6
one freed: 2
both freed: 0 6
current is the one that was made: 1
made, by default: 5 68
used: 6 6
one freed: 2
both freed: 0 6
access, reuse: 3 1
current is the default again: 1
destroying the default: cudaErrorInvalidValue
marking: cudaErrorInvalidValue
*/
