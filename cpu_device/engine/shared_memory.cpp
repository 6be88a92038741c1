// SPDX-License-Identifier: MIT
#include "cpu_device/engine/shared_memory.h"

#include <link.h>

#include <atomic>
#include <mutex>

#include "cpu_device/engine/memory.h"
#include "simt/launch.h"

extern "C" {
// `extern __shared__ T x[]` is a declaration of this array under another name and type.
__thread unsigned char convkit_simt_dynamic_shared[convkit::simt::kSharedBytesOptIn]
    __attribute__((aligned(128), tls_model("initial-exec"), visibility("default")));

struct tls_index {
  unsigned long module, offset;
};
void* __tls_get_addr(tls_index*);
}

namespace convkit::simt {
namespace {

std::mutex g_mutex;
std::vector<const void*> g_anchors;  // an address in each registered object
std::atomic<unsigned> g_generation{0};

bool contains(const dl_phdr_info& object, const void* address) {
  const auto at = reinterpret_cast<ElfW(Addr)>(address);
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const ElfW(Addr) begin = object.dlpi_addr + segment.p_vaddr;
    if (at >= begin && at < begin + segment.p_memsz) return true;
  }
  return false;
}

int add_object(dl_phdr_info* object, size_t, void* result) {
  bool registered = false;
  for (const void* anchor : g_anchors) registered = registered || contains(*object, anchor);
  if (!registered || object->dlpi_tls_modid == 0) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_TLS || segment.p_memsz == 0) continue;
    // Asking for its address makes the storage of this thread exist.
    tls_index first{object->dlpi_tls_modid, 0};
    static_cast<std::vector<SharedRange>*>(result)->push_back(
        {static_cast<unsigned char*>(__tls_get_addr(&first)), segment.p_memsz});
  }
  return 0;
}

}  // namespace

std::vector<SharedRange> static_shared_ranges() {
  const std::lock_guard lock(g_mutex);
  std::vector<SharedRange> ranges;
  dl_iterate_phdr(add_object, &ranges);
  return ranges;
}

bool is_shared_memory(const void* address) {
  const auto* at = static_cast<const unsigned char*>(address);
  if (at >= dynamic_shared() && at < dynamic_shared() + kSharedBytesOptIn) return true;
  for (const SharedRange& range : static_shared_ranges()) {
    if (at >= range.begin && at < range.begin + range.bytes) return true;
  }
  return false;
}

unsigned shared_generation() {
  return g_generation.load(std::memory_order_acquire);
}

unsigned char* dynamic_shared() {
  return convkit_simt_dynamic_shared;
}

}  // namespace convkit::simt

void convkit_simt_register_object(const void* address_in_it, void* managed, void* managed_end) {
  using namespace convkit::simt;
  if (managed != nullptr) {
    register_all_managed(managed, static_cast<size_t>(static_cast<char*>(managed_end) -
                                                      static_cast<char*>(managed)));
  }
  const std::lock_guard lock(g_mutex);
  g_anchors.push_back(address_in_it);
  g_generation.fetch_add(1, std::memory_order_release);
}
