// SPDX-License-Identifier: MIT
#include "cpu_device/engine/kernels.h"

#include <link.h>

#include <map>
#include <mutex>

#include "cpu_device/engine/shared_memory.h"

namespace convkit::simt {
namespace {

std::mutex g_mutex;
std::map<const void*, size_t> g_limits;

int find_in_data(dl_phdr_info* object, size_t, void* data) {
  const auto address = reinterpret_cast<ElfW(Addr)>(data);
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const ElfW(Addr) begin = object->dlpi_addr + segment.p_vaddr;
    if (address >= begin && address < begin + segment.p_memsz) return 1;
  }
  return 0;
}

}  // namespace

size_t dynamic_shared_limit(const void* function) {
  const std::lock_guard lock(g_mutex);
  // A template launched with deduced arguments has no address to look up.
  if (!function && !g_limits.empty()) return kSharedBytesOptIn;
  const auto found = g_limits.find(function);
  return found == g_limits.end() ? kSharedBytesPerBlock : found->second;
}

void set_dynamic_shared_limit(const void* function, size_t bytes) {
  const std::lock_guard lock(g_mutex);
  g_limits[function] = bytes;
}

bool is_in_program_data(const void* address) {
  return dl_iterate_phdr(find_in_data, const_cast<void*>(address)) != 0;
}

}  // namespace convkit::simt
