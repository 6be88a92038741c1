// SPDX-License-Identifier: MIT
#include "compile/symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <set>
#include <stdexcept>
#include <string_view>

#include "process/file_descriptor.h"

namespace convkit {
namespace {

// Mapped, not read: a library may be hundreds of megabytes, of which a few pages are looked at.
class ElfFile {
 public:
  explicit ElfFile(const std::filesystem::path& file) : name_(file.filename().string()) {
    const FileDescriptor fd(open(file.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat info {};
    if (!fd || fstat(fd.get(), &info) != 0) {
      throw std::runtime_error(file.string() + " cannot be read.");
    }
    if (info.st_size == 0) malformed();
    const auto size = static_cast<size_t>(info.st_size);
    void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
    if (memory == MAP_FAILED) throw std::runtime_error(file.string() + " cannot be mapped.");
    bytes_ = {static_cast<const char*>(memory), size};
  }
  ~ElfFile() { munmap(const_cast<char*>(bytes_.data()), bytes_.size()); }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  template <class T>
  T at(uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) malformed();
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  std::string text_at(uint64_t offset, uint64_t end) const {
    if (end > bytes_.size() || offset >= end) malformed();
    const std::string_view rest = bytes_.substr(offset, end - offset);
    return std::string(rest.substr(0, rest.find('\0')));
  }
  std::string bytes() const { return std::string(bytes_); }
  [[noreturn]] void malformed() const {
    throw std::runtime_error(name_ + " is not a well-formed shared object.");
  }

 private:
  std::string_view bytes_;
  std::string name_;
};

// Calls `visit` with the name, the symbol and its place of each entry of the tables of these types.
template <class Visit>
void for_each_symbol(const ElfFile& elf, std::initializer_list<uint32_t> types,
                     const Visit& visit) {
  const auto head = elf.at<Elf64_Ehdr>(0);
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64) {
    elf.malformed();
  }
  const auto section = [&](uint64_t index) {
    if (index >= head.e_shnum) elf.malformed();
    return elf.at<Elf64_Shdr>(head.e_shoff + index * sizeof(Elf64_Shdr));
  };
  for (uint64_t i = 0; i < head.e_shnum; ++i) {
    const Elf64_Shdr table = section(i);
    if (std::ranges::find(types, table.sh_type) == types.end()) continue;
    const Elf64_Shdr names = section(table.sh_link);
    for (uint64_t s = 1; s < table.sh_size / sizeof(Elf64_Sym); ++s) {
      const uint64_t place = table.sh_offset + s * sizeof(Elf64_Sym);
      const auto symbol = elf.at<Elf64_Sym>(place);
      visit(elf.text_at(names.sh_offset + symbol.st_name, names.sh_offset + names.sh_size), symbol,
            place);
    }
  }
}

bool is_strong_definition(const Elf64_Sym& symbol) {
  return ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL && symbol.st_shndx != SHN_UNDEF;
}

}  // namespace

Symbols dynamic_symbols(const std::filesystem::path& library) {
  Symbols symbols;
  for_each_symbol(
      ElfFile(library), {SHT_DYNSYM}, [&](std::string name, const Elf64_Sym& symbol, uint64_t) {
        auto& names = symbol.st_shndx == SHN_UNDEF ? symbols.undefined : symbols.defined;
        names.push_back(std::move(name));
      });
  return symbols;
}

ObjectNames names_defined_in(const std::filesystem::path& object) {
  ObjectNames names;
  for_each_symbol(ElfFile(object), {SHT_SYMTAB},
                  [&](std::string name, const Elf64_Sym& symbol, uint64_t) {
                    if (symbol.st_shndx == SHN_UNDEF) return;
                    if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) return;
                    if (is_strong_definition(symbol)) names.strong.push_back(name);
                    names.all.push_back(std::move(name));
                  });
  return names;
}

std::string without_definitions(const std::vector<std::string>& names,
                                const std::filesystem::path& object) {
  const ElfFile elf(object);
  std::string bytes = elf.bytes();
  for_each_symbol(
      elf, {SHT_SYMTAB}, [&](const std::string& name, Elf64_Sym symbol, uint64_t place) {
        if (!is_strong_definition(symbol) || std::ranges::find(names, name) == names.end()) return;
        symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE);
        symbol.st_other = STV_DEFAULT;
        symbol.st_shndx = SHN_UNDEF;
        symbol.st_value = symbol.st_size = 0;
        std::memcpy(bytes.data() + place, &symbol, sizeof symbol);
      });
  return bytes;
}

std::vector<std::string> symbols_that_begin_with(const std::string& prefix,
                                                 const std::filesystem::path& library) {
  std::set<std::string> names;
  for_each_symbol(ElfFile(library), {SHT_DYNSYM, SHT_SYMTAB},
                  [&](std::string name, const Elf64_Sym&, uint64_t) {
                    if (name.starts_with(prefix)) names.insert(std::move(name));
                  });
  return {names.begin(), names.end()};
}

}  // namespace convkit
