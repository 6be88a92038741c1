// SPDX-License-Identifier: MIT
#include "cpu_device/check/loaded_objects.h"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <string_view>

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

namespace {

// A file mapped for reading; every access checks that it stays inside.
class Mapped {
 public:
  explicit Mapped(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status {};
    if (fstat(file, &status) == 0 && status.st_size > 0) {
      bytes_ = static_cast<size_t>(status.st_size);
      void* at = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file, 0);
      if (at != MAP_FAILED) data_ = static_cast<const char*>(at);
    }
    close(file);
  }
  ~Mapped() {
    if (data_ != nullptr) munmap(const_cast<char*>(data_), bytes_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  // Null where `count` objects do not fit.
  template <class T>
  const T* at(uint64_t offset, uint64_t count = 1) const {
    if (data_ == nullptr || offset > bytes_ || count > (bytes_ - offset) / sizeof(T))
      return nullptr;
    return reinterpret_cast<const T*>(data_ + offset);
  }
  const char* text(uint64_t offset) const {
    if (data_ == nullptr || offset >= bytes_) return "";
    return std::memchr(data_ + offset, 0, bytes_ - offset) ? data_ + offset : "";
  }

 private:
  const char* data_ = nullptr;
  size_t bytes_ = 0;
};

// Its number (simt/qualifiers.h names it); 0: there is none.
unsigned section_of_constant_memory(const Mapped& file, const ElfW(Ehdr) & header,
                                    const ElfW(Shdr) * sections) {
  if (header.e_shstrndx >= header.e_shnum) return 0;
  const uint64_t names = sections[header.e_shstrndx].sh_offset;
  for (unsigned i = 1; i < header.e_shnum; ++i) {
    if (std::strcmp(file.text(names + sections[i].sh_name), "convkit_constant_memory") == 0)
      return i;
  }
  return 0;
}

// Objects of launch.h, <iostream> and GCC's start-up code, which lie beside the program's variables
// and are none.
constexpr std::string_view kNoVariables[] = {"_ZN7convkit4simtL13object_anchorE", "_ZStL8__ioinit",
                                             "completed.0"};

void add_symbols(const Mapped& file, const ElfW(Shdr) & table, const ElfW(Shdr) & names,
                 unsigned constant_memory, ElfVariables& result) {
  const uint64_t count = table.sh_size / sizeof(ElfW(Sym));
  const auto* symbols = file.at<ElfW(Sym)>(table.sh_offset, count);
  if (symbols == nullptr) return;
  for (uint64_t i = 0; i < count; ++i) {
    const ElfW(Sym)& symbol = symbols[i];
    const unsigned type = ELF64_ST_TYPE(symbol.st_info);
    if (symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0) continue;
    if (type != STT_OBJECT && type != STT_TLS) continue;
    const char* name = file.text(names.sh_offset + symbol.st_name);
    if (std::ranges::find(kNoVariables, name) != std::end(kNoVariables)) continue;
    auto& list = type == STT_TLS ? result.thread_local_ : result.data;
    list.push_back({symbol.st_value, symbol.st_size, name, symbol.st_shndx == constant_memory});
  }
}

}  // namespace

// "kernel(float*)::tile", "(anonymous namespace)::tile".
std::string Variable::name() const {
  int status = 0;
  char* demangled = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string text = status == 0 && demangled != nullptr ? demangled : symbol;
  std::free(demangled);
  const size_t colons = text.rfind("::");
  if (colons != std::string::npos) text = text.substr(colons + 2);
  // Statics of C functions are told apart by a number: "tile.0".
  const size_t dot = text.find('.');
  return dot == std::string::npos || dot == 0 ? text : text.substr(0, dot);
}

ElfVariables read_elf_variables(const std::string& path) {
  ElfVariables result;
  const Mapped file(path);
  const auto* header = file.at<ElfW(Ehdr)>(0);
  if (header == nullptr || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return result;
  const auto* sections = file.at<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
  if (sections == nullptr) return result;
  const unsigned constant_memory = section_of_constant_memory(file, *header, sections);
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
    add_symbols(file, sections[i], sections[sections[i].sh_link], constant_memory, result);
  }
  for (auto* list : {&result.data, &result.thread_local_}) {
    std::sort(list->begin(), list->end(),
              [](const Variable& a, const Variable& b) { return a.begin < b.begin; });
  }
  return result;
}

const Variable* nearest_variable(const std::vector<Variable>& variables, uint64_t at) {
  const auto after = std::upper_bound(
      variables.begin(), variables.end(), at,
      [](uint64_t value, const Variable& variable) { return value < variable.begin; });
  const Variable* behind = after == variables.end() ? nullptr : &*after;
  const Variable* before = after == variables.begin() ? nullptr : &*std::prev(after);
  if (before == nullptr || behind == nullptr) return before != nullptr ? before : behind;
  if (at < before->begin + before->bytes) return before;
  return at - (before->begin + before->bytes) <= behind->begin - at ? before : behind;
}

}  // namespace convkit::simt::check
