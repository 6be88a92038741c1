// SPDX-License-Identifier: MIT
#include "cpu_device/check/loaded_objects.h"

#include <link.h>

#include <map>

namespace convkit::simt::check {
namespace {

struct Search {
  uintptr_t at;
  LoadedObject found;
};

int look_at(dl_phdr_info* info, size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  LoadedObject object;
  bool here = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    const Range range{info->dlpi_addr + segment.p_vaddr, segment.p_memsz};
    if (segment.p_type == PT_TLS && info->dlpi_tls_data != nullptr) {
      object.thread_local_ = {reinterpret_cast<uintptr_t>(info->dlpi_tls_data), segment.p_memsz};
      here = here || object.thread_local_.holds(search.at);
    } else if (segment.p_type == PT_LOAD && range.holds(search.at)) {
      object.segment = range;
      object.writable = (segment.p_flags & PF_W) != 0;
      here = true;
    } else if (segment.p_type == PT_GNU_RELRO) {
      object.made_read_only = range;
    }
  }
  if (!here) return 0;
  object.base = info->dlpi_addr;
  const bool named = info->dlpi_name != nullptr && info->dlpi_name[0] != '\0';
  object.path = named ? info->dlpi_name : "/proc/self/exe";
  search.found = object;
  return 1;
}

}  // namespace

LoadedObject loaded_object_at(uintptr_t at) {
  Search search{at, {}};
  dl_iterate_phdr(look_at, &search);
  return search.found;
}

const ElfVariables& variables_of(const LoadedObject& object) {
  static auto* const known = new std::map<std::string, ElfVariables>;
  const auto found = known->find(object.path);
  if (found != known->end()) return found->second;
  return (*known)[object.path] = read_elf_variables(object.path);
}

}  // namespace convkit::simt::check
