// SPDX-License-Identifier: MIT
// Calls about other devices, as programs make them that run on one device, too.
#include <cstring>

#include "../check.h"

int main() {
  int count = 0, can = -1;
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 0));
  show("itself", can);
  std::printf("enable itself: %s\n", cudaGetErrorName(cudaDeviceEnablePeerAccess(0, 0)));
  std::printf("enable none: %s\n", cudaGetErrorName(cudaDeviceEnablePeerAccess(count, 0)));
  cudaGetLastError();

  char bus[20] = "";
  CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
  expect("bus", std::strlen(bus) == 12);
  int device = -1;
  CHECK(cudaDeviceGetByPCIBusId(&device, bus));
  show("device", device);

  // From each device to the last one: with one device, a copy within it.
  const int last = count - 1;
  int *d_from = nullptr, *d_to = nullptr;
  const int values[3] = {7, 8, 9};
  int back[3] = {};
  CHECK(cudaSetDevice(0));
  CHECK(cudaMalloc(&d_from, sizeof values));
  CHECK(cudaMemcpy(d_from, values, sizeof values, cudaMemcpyHostToDevice));
  CHECK(cudaSetDevice(last));
  CHECK(cudaMalloc(&d_to, sizeof values));
  CHECK(cudaMemcpyPeer(d_to, last, d_from, 0, sizeof values));
  CHECK(cudaMemcpy(back, d_to, sizeof back, cudaMemcpyDeviceToHost));
  show("copied", back[0], back[1], back[2]);
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, d_to));
  expect("on the last", attributes.device == last);
  CHECK(cudaFree(d_to));
  CHECK(cudaFree(d_from));
}

/* Prints:
itself: 0
enable itself: cudaErrorPeerAccessUnsupported
enable none: cudaErrorInvalidDevice
bus: ok
device: 0
copied: 7 8 9
on the last: ok
*/
