// SPDX-License-Identifier: MIT
// Device, managed and pinned memory.
//
// Device memory lies in one reserved range of addresses, so that an address tells what it is. Each
// allocation ends at a page's end (up to 255 bytes of CUDA's alignment) with an inaccessible page
// behind it, and freed addresses are not given out again until the range is used up: an access past
// the end or after the free faults. While host code runs, device memory is inaccessible (as long as
// that is cheap; see Gate), because on a GPU it is elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simt/runtime_types.h"

namespace convkit::simt {

enum class MemoryKind { device, managed, pinned, symbol };

struct Allocation {
  MemoryKind kind = MemoryKind::device;
  unsigned char* begin = nullptr;
  size_t bytes = 0;
  uint64_t number = 0;  // 1 for the program's first; 0: variables
  bool freed = false;
  int device = 0;         // that was current when it was made
  bool is_array = false;  // the storage of a CUDA array, device memory that no pointer leads to
};

// The allocation that holds `address`, a freed one, too; or, if none does, the one that ends or
// begins nearest to it within `slack` bytes.
std::optional<Allocation> find_allocation(const void* address, size_t slack = 0);

// For reports: what an allocation is called, "`x`" or "allocation 2", and the bytes that this name
// stands for, which margins may surround.
struct NamedPart {
  std::string name;
  unsigned char* begin;
  size_t bytes;
  // Of a tensor in C order; empty if it is not known to be one.
  std::vector<int64_t> dims{};
  size_t element_bytes = 0;
  bool output = false;
};
__attribute__((visibility("default"))) NamedPart named_part(const Allocation& allocation);
// The tensors that are outputs.
__attribute__((visibility("default"))) std::vector<NamedPart> named_outputs();

// Whether the address lies in the range of device memory, allocated or not.
bool in_device_range(const void* address);

// "16 bytes past the end of allocation 2 (4096 bytes)"; empty where no allocation is near.
std::string describe_address(const void* address);

cudaError_t allocate(void** pointer, size_t bytes, MemoryKind kind);
// The storage of a CUDA array. It is released as other device memory is.
cudaError_t allocate_array(void** pointer, size_t bytes);
// kind: device (cudaFree, managed memory, too) or pinned (cudaFreeHost).
cudaError_t release(void* pointer, MemoryKind kind);
cudaError_t register_host(void* pointer, size_t bytes);
cudaError_t unregister_host(void* pointer);
// A __device__ or __constant__ variable becomes device memory when a program asks for its address.
void register_symbol(void* pointer, size_t bytes);
// A __managed__ variable, or several side by side, are managed memory that is never freed.
__attribute__((visibility("default"))) void register_managed(void* pointer, size_t bytes,
                                                             std::string name);
// All those of a loaded object: one by one in check mode, which knows where each begins.
void register_all_managed(void* pointer, size_t bytes);

void memory_info(size_t& free_bytes, size_t& total_bytes);

// Calls `visit` for each allocation that was never freed.
void for_each_leak(void (*visit)(const Allocation&, void*), void* context);

// Device memory is accessible while a Gate lives. Nests.
class Gate {
 public:
  Gate();
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
};

// Host code runs in the middle of the device's work, as a host function does: device memory is
// inaccessible, whatever Gates live, but for those that are made meanwhile.
class HostTurn {
 public:
  HostTurn();
  ~HostTurn();
  HostTurn(const HostTurn&) = delete;
  HostTurn& operator=(const HostTurn&) = delete;

 private:
  int gates_;
};

}  // namespace convkit::simt
