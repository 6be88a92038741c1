// SPDX-License-Identifier: MIT
#include "build/symbols.h"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace convkit {
namespace {

class ElfFile {
 public:
  ElfFile(std::string bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {}

  template <class T>
  T at(uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) malformed();
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  std::string text_at(uint64_t offset, uint64_t end) const {
    if (end > bytes_.size() || offset >= end) malformed();
    const std::string_view rest(bytes_.data() + offset, end - offset);
    return std::string(rest.substr(0, rest.find('\0')));
  }
  [[noreturn]] void malformed() const {
    throw std::runtime_error(name_ + " is not a well-formed shared object.");
  }

 private:
  std::string bytes_;
  std::string name_;
};

}  // namespace

Symbols dynamic_symbols(const std::filesystem::path& library) {
  std::ifstream in(library, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  const ElfFile elf(bytes.str(), library.filename().string());

  const auto head = elf.at<Elf64_Ehdr>(0);
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64) {
    elf.malformed();
  }
  Symbols symbols;
  const auto section = [&](uint64_t index) {
    if (index >= head.e_shnum) elf.malformed();
    return elf.at<Elf64_Shdr>(head.e_shoff + index * sizeof(Elf64_Shdr));
  };
  for (uint64_t i = 0; i < head.e_shnum; ++i) {
    const Elf64_Shdr table = section(i);
    if (table.sh_type != SHT_DYNSYM) continue;
    const Elf64_Shdr names = section(table.sh_link);
    for (uint64_t s = 1; s < table.sh_size / sizeof(Elf64_Sym); ++s) {
      const auto symbol = elf.at<Elf64_Sym>(table.sh_offset + s * sizeof(Elf64_Sym));
      std::string name =
          elf.text_at(names.sh_offset + symbol.st_name, names.sh_offset + names.sh_size);
      (symbol.st_shndx == SHN_UNDEF ? symbols.undefined : symbols.defined)
          .push_back(std::move(name));
    }
  }
  return symbols;
}

}  // namespace convkit
