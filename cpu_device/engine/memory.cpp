// SPDX-License-Identifier: MIT
#include "cpu_device/engine/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "cpu_device/engine/device.h"
#include "cpu_device/engine/faults.h"
#include "cpu_device/engine/hooks.h"
#include "cpu_device/engine/settings.h"
#include "simt/named_memory.h"

namespace convkit::simt {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kAlignment = 256;  // of cudaMalloc
// Larger allocations are not poisoned: they are paid for when they are touched.
constexpr size_t kPoisonedBytes = 64 << 20;
// Closing the gate costs a system call for each allocation and a walk over its pages, so a large
// one is closed only at its beginning and its end, which host code touches if it uses device memory
// by mistake.
constexpr size_t kGatedBytes = 64 << 20;
constexpr size_t kGatedAllocations = 32;
constexpr size_t kGatedBeginning = 64 << 10;
// A program that made no such mistake in this many closings probably never makes one, so from then
// on the gate closes only sometimes. The interval is a prime number, so that in a loop with several
// closings each of them is tried.
constexpr uint64_t kClosings = 256;
constexpr uint64_t kLaterClosings = 101;

size_t rounded_up(size_t value, size_t unit) {
  return (value + unit - 1) / unit * unit;
}

class Memory {
 public:
  Memory() {
    install_fault_handlers();
    // Addresses are plenty, unless a limit says otherwise: freed ones need not come back soon.
    const size_t wanted[] = {settings().memory_bytes * 16, settings().memory_bytes * 2};
    for (size_t bytes : wanted) {
      void* at =
          mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (at == MAP_FAILED) continue;
      arena_ = static_cast<unsigned char*>(at);
      arena_bytes_ = bytes;
      break;
    }
  }

  cudaError_t allocate(void** pointer, size_t bytes, MemoryKind kind, bool is_array) {
    const std::lock_guard lock(mutex_);
    if (kind == MemoryKind::pinned) return allocate_pinned(pointer, bytes);
    if (bytes > settings().memory_bytes || used_ + bytes > settings().memory_bytes) {
      return cudaErrorMemoryAllocation;
    }
    const size_t data = rounded_up(bytes, kAlignment);
    const size_t pages = rounded_up(data, kPage);
    unsigned char* place = take_addresses(pages + kPage);
    if (!place) return cudaErrorMemoryAllocation;
    if (mprotect(place, pages, PROT_READ | PROT_WRITE) != 0) return cudaErrorMemoryAllocation;
    unsigned char* begin = place + pages - data;
    if (bytes <= kPoisonedBytes) std::memset(begin, settings().global_poison, data);
    used_ += bytes;
    ++live_;
    allocations_[begin] = {kind, begin, bytes, ++count_, false, current_device(), is_array};
    *pointer = begin;
    if (gate_closed_ && kind == MemoryKind::device) {
      if (cheap_to_close()) {
        set_access(allocations_[begin], PROT_NONE);
      } else {
        set_access(PROT_READ | PROT_WRITE);
        gate_closed_ = false;
      }
    }
    return cudaSuccess;
  }

  cudaError_t release(void* pointer, MemoryKind kind) {
    const std::lock_guard lock(mutex_);
    const auto found = allocations_.find(static_cast<unsigned char*>(pointer));
    if (found == allocations_.end() || found->second.freed) return cudaErrorInvalidValue;
    Allocation& allocation = found->second;
    const bool pinned = allocation.kind == MemoryKind::pinned;
    if (allocation.number == 0 || pinned != (kind == MemoryKind::pinned)) {
      return cudaErrorInvalidValue;
    }
    if (pinned) {
      if (!owned_by_us(allocation.begin)) return cudaErrorInvalidValue;
      std::free(allocation.begin);
      allocations_.erase(found);
      return cudaSuccess;
    }
    unsigned char* place = page_of(allocation.begin);
    const size_t pages = rounded_up(rounded_up(allocation.bytes, kAlignment), kPage);
    // A fresh mapping gives the pages back and leaves the addresses inaccessible.
    mmap(place, pages, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    allocation.freed = true;
    used_ -= allocation.bytes;
    --live_;
    return cudaSuccess;
  }

  cudaError_t register_host(void* pointer, size_t bytes) {
    const std::lock_guard lock(mutex_);
    auto* begin = static_cast<unsigned char*>(pointer);
    if (allocations_.count(begin)) return cudaErrorHostMemoryAlreadyRegistered;
    allocations_[begin] = {MemoryKind::pinned, begin, bytes, ++count_, false, current_device()};
    registered_[begin] = true;
    return cudaSuccess;
  }

  cudaError_t unregister_host(void* pointer) {
    const std::lock_guard lock(mutex_);
    auto* begin = static_cast<unsigned char*>(pointer);
    if (!registered_.erase(begin)) return cudaErrorHostMemoryNotRegistered;
    allocations_.erase(begin);
    return cudaSuccess;
  }

  void register_variables(void* pointer, size_t bytes, MemoryKind kind, std::string name) {
    auto* begin = static_cast<unsigned char*>(pointer);
    const auto known = find(begin, 0);
    if (known && !known->freed) return;  // a symbol among the __managed__ variables
    const std::lock_guard lock(mutex_);
    allocations_.insert({begin, {kind, begin, bytes, 0, false, 0}});
    variable_names_[begin] = std::move(name);
  }

  std::optional<Allocation> find(const void* address, size_t slack) {
    const std::lock_guard lock(mutex_);
    auto* at = static_cast<unsigned char*>(const_cast<void*>(address));
    auto next = allocations_.upper_bound(at);
    std::optional<Allocation> before;
    if (next != allocations_.begin()) {
      before = std::prev(next)->second;
      if (at < before->begin + before->bytes) return before;
    }
    const size_t behind =
        before ? static_cast<size_t>(at - before->begin) - before->bytes : ~size_t{0};
    const size_t ahead =
        next != allocations_.end() ? static_cast<size_t>(next->first - at) : ~size_t{0};
    // Behind a variable may begin any other one; behind an allocation, nothing does.
    const bool of_others = before && before->number == 0 && slack == 0;
    if (behind <= ahead && behind <= slack && !of_others) return before;
    if (ahead <= slack) return next->second;
    return std::nullopt;
  }

  void name(const void* pointer, size_t bytes, const char* name) {
    const auto found = find(pointer, 0);
    if (!found || found->number == 0) return;
    const std::lock_guard lock(mutex_);
    auto* begin = static_cast<unsigned char*>(const_cast<void*>(pointer));
    const bool is_word = std::strchr(name, ' ') == nullptr;
    named_[found->number] = {is_word ? "`" + std::string(name) + "`" : name, begin, bytes};
  }

  void shape(const void* pointer, std::vector<int64_t> dims, size_t element_bytes, bool output) {
    const auto found = find(pointer, 0);
    if (!found) return;
    const std::lock_guard lock(mutex_);
    const auto named = named_.find(found->number);
    if (named == named_.end() || named->second.begin != pointer) return;
    named->second.dims = std::move(dims);
    named->second.element_bytes = element_bytes;
    named->second.output = output;
  }

  std::vector<NamedPart> outputs() {
    const std::lock_guard lock(mutex_);
    std::vector<NamedPart> parts;
    for (const auto& [begin, allocation] : allocations_) {
      const auto named = named_.find(allocation.number);
      const bool known = named != named_.end() && named->second.output;
      if (known && !allocation.freed) parts.push_back(named->second);
    }
    return parts;
  }

  NamedPart named_part(const Allocation& allocation) {
    const std::lock_guard lock(mutex_);
    if (allocation.number == 0) {
      return {variable_names_.at(allocation.begin), allocation.begin, allocation.bytes};
    }
    const auto found = named_.find(allocation.number);
    if (found != named_.end()) return found->second;
    const char* what = allocation.is_array ? "CUDA array " : "allocation ";
    return {what + std::to_string(allocation.number), allocation.begin, allocation.bytes};
  }

  DeviceRange range() const { return {arena_, arena_bytes_}; }

  bool in_range(const void* address) const {
    const auto* at = static_cast<const unsigned char*>(address);
    return at >= arena_ && at < arena_ + arena_bytes_;
  }

  void info(size_t& free_bytes, size_t& total_bytes) {
    const std::lock_guard lock(mutex_);
    total_bytes = settings().memory_bytes;
    free_bytes = total_bytes - used_;
  }

  void for_each_leak(void (*visit)(const Allocation&, void*), void* context) {
    for (const auto& entry : allocations_) {
      const Allocation& allocation = entry.second;
      if (!allocation.freed && allocation.number != 0 && !registered_.count(allocation.begin)) {
        visit(allocation, context);
      }
    }
  }

  void open() {
    const std::lock_guard lock(mutex_);
    if (open_++ == 0 && gate_closed_) {
      set_access(PROT_READ | PROT_WRITE);
      gate_closed_ = false;
    }
  }

  void close() {
    const std::lock_guard lock(mutex_);
    if (--open_ != 0 || gate_closed_) return;
    if (++closings_ > kClosings && closings_ % kLaterClosings != 0) return;
    if (cheap_to_close()) {
      set_access(PROT_NONE);
      gate_closed_ = true;
    }
  }

  // Returns how many gates there were. Host functions are few, so it closes for each of them.
  int begin_host_turn() {
    const std::lock_guard lock(mutex_);
    const int gates = std::exchange(open_, 0);
    if (!gate_closed_ && cheap_to_close()) {
      set_access(PROT_NONE);
      gate_closed_ = true;
    }
    return gates;
  }

  void end_host_turn(int gates) {
    const std::lock_guard lock(mutex_);
    open_ += gates;
    if (open_ == 0 || !gate_closed_) return;
    set_access(PROT_READ | PROT_WRITE);
    gate_closed_ = false;
  }

 private:
  bool cheap_to_close() const { return used_ <= kGatedBytes && live_ <= kGatedAllocations; }

  static unsigned char* page_of(unsigned char* at) {
    return reinterpret_cast<unsigned char*>(reinterpret_cast<uintptr_t>(at) / kPage * kPage);
  }

  void set_access(int protection) {
    for (const auto& entry : allocations_) {
      const Allocation& allocation = entry.second;
      if (allocation.kind != MemoryKind::device || allocation.freed) continue;
      set_access(allocation, protection);
    }
  }

  static void set_access(const Allocation& allocation, int protection) {
    unsigned char* place = page_of(allocation.begin);
    const size_t pages = rounded_up(rounded_up(allocation.bytes, kAlignment), kPage);
    mprotect(place, std::min(pages, kGatedBeginning), protection);
    if (pages > kGatedBeginning) mprotect(place + pages - kPage, kPage, protection);
  }

  cudaError_t allocate_pinned(void** pointer, size_t bytes) {
    void* memory = nullptr;
    if (posix_memalign(&memory, kPage, bytes ? bytes : 1) != 0) return cudaErrorMemoryAllocation;
    auto* begin = static_cast<unsigned char*>(memory);
    allocations_[begin] = {MemoryKind::pinned, begin, bytes, ++count_, false, current_device()};
    *pointer = memory;
    return cudaSuccess;
  }

  bool owned_by_us(unsigned char* begin) const { return !registered_.count(begin); }

  // Addresses are handed out from front to back; when the range is used up, from its front again,
  // skipping what is in use.
  unsigned char* take_addresses(size_t bytes) {
    for (int pass = 0; pass < 2; ++pass) {
      while (cursor_ + bytes <= arena_bytes_) {
        unsigned char* place = arena_ + cursor_;
        const auto blocker = first_live_in(place, bytes);
        if (!blocker) {
          forget_freed_in(place, bytes);
          cursor_ += bytes;
          return place;
        }
        cursor_ = static_cast<size_t>(blocker - arena_);
      }
      cursor_ = 0;
    }
    return nullptr;
  }

  // The end (rounded up to a page behind the guard) of a live allocation in the way.
  unsigned char* first_live_in(unsigned char* place, size_t bytes) {
    for (auto it = allocations_.lower_bound(place); it != allocations_.end(); ++it) {
      if (it->first >= place + bytes) break;
      if (it->second.freed) continue;
      return page_of(it->first + it->second.bytes + kPage - 1) + kPage;
    }
    return nullptr;
  }

  void forget_freed_in(unsigned char* place, size_t bytes) {
    auto it = allocations_.lower_bound(place);
    while (it != allocations_.end() && it->first < place + bytes) {
      named_.erase(it->second.number);
      it = allocations_.erase(it);
    }
  }

  std::mutex mutex_;
  unsigned char* arena_ = nullptr;
  size_t arena_bytes_ = 0;
  size_t cursor_ = kPage;
  size_t used_ = 0, live_ = 0;
  uint64_t count_ = 0;
  int open_ = 0;
  uint64_t closings_ = 0;  // asked for
  bool gate_closed_ = true;
  std::map<unsigned char*, Allocation> allocations_;
  std::map<uint64_t, NamedPart> named_;  // by the allocation's number
  std::map<unsigned char*, std::string> variable_names_;
  std::map<unsigned char*, bool> registered_;
};

// Never destroyed: destructors of the program may still free device memory.
Memory& memory() {
  static Memory* const the_memory = new Memory;
  return *the_memory;
}

}  // namespace

std::optional<Allocation> find_allocation(const void* address, size_t slack) {
  return memory().find(address, slack);
}

NamedPart named_part(const Allocation& allocation) {
  return memory().named_part(allocation);
}

std::vector<NamedPart> named_outputs() {
  return memory().outputs();
}

bool in_device_range(const void* address) {
  return memory().in_range(address);
}

DeviceRange device_range() {
  return memory().range();
}

std::string describe_address(const void* address) {
  const auto found = find_allocation(address, 1 << 20);
  if (!found) return "";
  const auto* at = static_cast<const unsigned char*>(address);
  const NamedPart part = named_part(*found);
  const std::string what = part.name + " (" + std::to_string(part.bytes) + " bytes)";
  if (at < part.begin) {
    return std::to_string(part.begin - at) + " bytes before the beginning of " + what;
  }
  const auto offset = static_cast<size_t>(at - part.begin);
  if (offset >= part.bytes) {
    return std::to_string(offset - part.bytes) + " bytes past the end of " + what;
  }
  return "byte " + std::to_string(offset) + " of " + what +
         (found->freed ? ", which has been freed" : "");
}

namespace {

cudaError_t allocate(void** pointer, size_t bytes, MemoryKind kind, bool is_array) {
  const cudaError_t error = memory().allocate(pointer, bytes, kind, is_array);
  if (check_hooks && error == cudaSuccess) check_hooks->allocated(*find_allocation(*pointer));
  return error;
}

}  // namespace

cudaError_t allocate(void** pointer, size_t bytes, MemoryKind kind) {
  return allocate(pointer, bytes, kind, false);
}
cudaError_t allocate_array(void** pointer, size_t bytes) {
  return allocate(pointer, bytes, MemoryKind::device, true);
}
cudaError_t release(void* pointer, MemoryKind kind) {
  const auto allocation = check_hooks ? find_allocation(pointer) : std::nullopt;
  const cudaError_t error = memory().release(pointer, kind);
  if (!check_hooks) return error;
  if (error == cudaSuccess) {
    check_hooks->freed(*allocation);
  } else {
    check_hooks->free_refused(pointer);
  }
  return error;
}
cudaError_t register_host(void* pointer, size_t bytes) {
  const cudaError_t error = memory().register_host(pointer, bytes);
  const auto allocation = check_hooks ? find_allocation(pointer) : std::nullopt;
  if (allocation && error == cudaSuccess) check_hooks->allocated(*allocation);
  return error;
}
cudaError_t unregister_host(void* pointer) {
  const auto allocation = check_hooks ? find_allocation(pointer) : std::nullopt;
  const cudaError_t error = memory().unregister_host(pointer);
  if (allocation && error == cudaSuccess) check_hooks->freed(*allocation);
  return error;
}
void register_symbol(void* pointer, size_t bytes) {
  memory().register_variables(pointer, bytes, MemoryKind::symbol, "the `__device__` variable");
}

void register_managed(void* pointer, size_t bytes, std::string name) {
  memory().register_variables(pointer, bytes, MemoryKind::managed, std::move(name));
}

void register_all_managed(void* pointer, size_t bytes) {
  if (check_hooks && check_hooks->managed_variables(pointer, bytes)) return;
  register_managed(pointer, bytes, "the `__managed__` variables");
}
void memory_info(size_t& free_bytes, size_t& total_bytes) {
  memory().info(free_bytes, total_bytes);
}
void for_each_leak(void (*visit)(const Allocation&, void*), void* context) {
  memory().for_each_leak(visit, context);
}

Gate::Gate() {
  memory().open();
}
Gate::~Gate() {
  memory().close();
}

HostTurn::HostTurn() : gates_(memory().begin_host_turn()) {}
HostTurn::~HostTurn() {
  memory().end_host_turn(gates_);
}

}  // namespace convkit::simt

void convkit_simt_name_memory(const void* pointer, size_t bytes, const char* name) {
  convkit::simt::memory().name(pointer, bytes, name);
}

void convkit_simt_shape_memory(const void* pointer, const int64_t* dims, size_t count,
                               size_t element_bytes, int output) {
  convkit::simt::memory().shape(pointer, {dims, dims + count}, element_bytes, output != 0);
}
