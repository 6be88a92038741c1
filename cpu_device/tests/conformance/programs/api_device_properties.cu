// SPDX-License-Identifier: MIT
// Properties and attributes of the device: present, in sane ranges, and agreeing with each other.
#include <cstring>

#include "../check.h"

int attribute(cudaDeviceAttr which) {
  int value = -1;
  CHECK(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

int main() {
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, 0));
  expect("name", std::strlen(p.name) > 3 && std::strlen(p.name) < sizeof(p.name));
  expect("compute capability", p.major >= 7 && p.minor >= 0 && p.minor < 10);
  show("warp", p.warpSize);
  show("threads in a block", p.maxThreadsPerBlock);
  show("block", p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]);
  show("grid", p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]);
  show("shared in a block", p.sharedMemPerBlock);
  show("constant", p.totalConstMem);
  expect("opt-in", p.sharedMemPerBlockOptin >= 64 * 1024 && p.sharedMemPerBlockOptin <= 256 * 1024);
  expect("global", p.totalGlobalMem >= (size_t{64} << 20) && p.totalGlobalMem < (size_t{1} << 44));
  expect("processors", p.multiProcessorCount >= 1 && p.multiProcessorCount <= 1024);
  expect("registers", p.regsPerBlock >= 32768);
  expect("threads in a processor",
         p.maxThreadsPerMultiProcessor >= 1024 && p.maxThreadsPerMultiProcessor % 32 == 0);
  expect("addresses", p.unifiedAddressing == 1 && p.managedMemory == 1);
  expect("attributes",
         attribute(cudaDevAttrMaxThreadsPerBlock) == p.maxThreadsPerBlock &&
             attribute(cudaDevAttrMaxBlockDimZ) == p.maxThreadsDim[2] &&
             attribute(cudaDevAttrMaxGridDimY) == p.maxGridSize[1] &&
             attribute(cudaDevAttrWarpSize) == p.warpSize &&
             attribute(cudaDevAttrMaxSharedMemoryPerBlock) == int(p.sharedMemPerBlock) &&
             attribute(cudaDevAttrMultiProcessorCount) == p.multiProcessorCount &&
             attribute(cudaDevAttrComputeCapabilityMajor) == p.major &&
             attribute(cudaDevAttrComputeCapabilityMinor) == p.minor);
  expect("clock rate", attribute(cudaDevAttrClockRate) > 0);
}

/* Prints:
name: ok
compute capability: ok
warp: 32
threads in a block: 1024
block: 1024 1024 64
grid: 2147483647 65535 65535
shared in a block: 49152
constant: 65536
opt-in: ok
global: ok
processors: ok
registers: ok
threads in a processor: ok
addresses: ok
attributes: ok
clock rate: ok
*/
