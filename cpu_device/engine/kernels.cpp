// SPDX-License-Identifier: MIT
#include "cpu_device/engine/kernels.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <vector>

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

// The loaded object of an address, and what its addresses have been shifted by.
struct Loaded {
  std::string path;
  ElfW(Addr) shift = 0;
};

Loaded object_of(const void* function) {
  Dl_info info{};
  link_map* map = nullptr;
  if (dladdr1(function, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return {};
  // The program itself has no name there.
  const bool is_program = map->l_name[0] == '\0';
  return {is_program ? "/proc/self/exe" : map->l_name, map->l_addr};
}

template <class T>
std::vector<T> read_at(std::ifstream& file, uint64_t offset, uint64_t bytes) {
  std::vector<T> result(bytes / sizeof(T));
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(result.data()),
            static_cast<std::streamsize>(result.size() * sizeof(T)));
  if (!file) result.clear();
  return result;
}

// The symbol of the function at the address, or "".
std::string symbol_at(const Loaded& object, ElfW(Addr) address) {
  std::ifstream file(object.path, std::ios::binary);
  const auto header = read_at<ElfW(Ehdr)>(file, 0, sizeof(ElfW(Ehdr)));
  if (header.empty()) return "";
  const auto sections =
      read_at<ElfW(Shdr)>(file, header[0].e_shoff, header[0].e_shnum * sizeof(ElfW(Shdr)));
  for (const ElfW(Shdr) & table : sections) {
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections.size()) continue;
    for (const ElfW(Sym) & symbol : read_at<ElfW(Sym)>(file, table.sh_offset, table.sh_size)) {
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_value != address) continue;
      const ElfW(Shdr)& names = sections[table.sh_link];
      const auto text = read_at<char>(file, names.sh_offset, names.sh_size);
      if (symbol.st_name < text.size()) return std::string(text.data() + symbol.st_name);
    }
  }
  return "";
}

// "void ns::k<float>(float*, int)" is "ns::k<float>".
std::string without_type(std::string name) {
  if (name.rfind("void ", 0) == 0) name.erase(0, 5);
  if (name.empty() || name.back() != ')') return name;
  size_t depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    depth += name[i] == ')';
    depth -= name[i] == '(';
    if (depth == 0) return name.substr(0, i);
  }
  return name;
}

std::string look_up(const void* function) {
  const Loaded object = object_of(function);
  if (object.path.empty()) return "";
  const std::string symbol =
      symbol_at(object, reinterpret_cast<ElfW(Addr)>(function) - object.shift);
  int status = 0;
  char* demangled = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 && demangled ? without_type(demangled) : symbol;
  std::free(demangled);
  return name;
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

const std::string& name_of_kernel(const void* function, const char* fallback) {
  static std::mutex mutex;
  static auto* const names = new std::map<const void*, std::string>;
  const std::lock_guard lock(mutex);
  std::string& name = (*names)[function];
  if (name.empty()) name = look_up(function);
  if (name.empty()) name = fallback;
  return name;
}

}  // namespace convkit::simt

using namespace convkit::simt;

void convkit_simt_kernel_type(const void* function, ConvkitSimtReadArguments read) {
  const std::lock_guard lock(readers_mutex());
  readers()[function] = read;
}
