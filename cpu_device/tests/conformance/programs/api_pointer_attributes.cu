// SPDX-License-Identifier: MIT
// cudaPointerGetAttributes tells device, pinned, managed and ordinary memory apart.
#include "../check.h"

void tell(const char* name, const void* pointer) {
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, pointer));
  std::printf("%s: type %d, host %s, device %s\n", name, attributes.type,
              attributes.hostPointer ? "yes" : "no", attributes.devicePointer ? "yes" : "no");
}

int main() {
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

/* Prints:
types: 0 1 2 3
device: type 2, host no, device yes
inside device: type 2, host no, device yes
pinned: type 1, host yes, device yes
managed: type 3, host yes, device yes
ordinary, type: 0
address: ok
*/
