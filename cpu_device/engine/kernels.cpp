// SPDX-License-Identifier: MIT
#include "cpu_device/engine/kernels.h"

#include <link.h>

#include <map>
#include <mutex>

#include "cpu_device/engine/kernel_work.h"
#include "cpu_device/engine/shared_memory.h"

namespace convkit::simt {
namespace {

std::mutex g_mutex;
std::map<const void*, size_t> g_limits;

// It is used before main().
std::map<const void*, ConvkitSimtReadArguments>& readers() {
  static auto* const all = new std::map<const void*, ConvkitSimtReadArguments>;
  return *all;
}
std::mutex& readers_mutex() {
  static auto* const mutex = new std::mutex;
  return *mutex;
}

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

ConvkitSimtReadArguments reader_of_arguments(const void* function) {
  const std::lock_guard lock(readers_mutex());
  const auto found = readers().find(function);
  return found == readers().end() ? nullptr : found->second;
}

bool is_in_program_data(const void* address) {
  return dl_iterate_phdr(find_in_data, const_cast<void*>(address)) != 0;
}

}  // namespace convkit::simt

using namespace convkit::simt;

void convkit_simt_kernel_type(const void* function, ConvkitSimtReadArguments read) {
  const std::lock_guard lock(readers_mutex());
  readers()[function] = read;
}
