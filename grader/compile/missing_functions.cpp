// SPDX-License-Identifier: MIT
#include "compile/missing_functions.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "runner/protocol.h"

namespace convkit {
namespace {

constexpr std::string_view kLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.";
constexpr std::string_view kQuotes = "`'\"\xe2\x80\x98";  // the last three: an opening quote
constexpr std::string_view kText = "convkit: missing function ";
constexpr size_t kMostSymbols = 1000;
constexpr size_t kLongestSymbol = 4096;

}  // namespace

std::vector<std::string> undefined_symbols(const std::string& log) {
  // GNU ld and gold; lld and mold; GNU ld of a name with hidden visibility.
  static constexpr std::array<std::string_view, 3> kWords = {
      "undefined reference to ", "undefined symbol: ", "hidden symbol "};
  std::vector<std::string> symbols;
  std::istringstream lines(log);
  std::string line;
  while (std::getline(lines, line) && symbols.size() < kMostSymbols) {
    for (const std::string_view words : kWords) {
      const size_t at = line.find(words);
      if (at == std::string::npos) continue;
      const std::string_view rest = std::string_view(line).substr(at + words.size());
      const size_t begin = std::min(rest.find_first_not_of(kQuotes), rest.size());
      const size_t end = std::min(rest.find_first_not_of(kLetters, begin), rest.size());
      std::string symbol(rest.substr(begin, end - begin));
      if (symbol.empty() || symbol.size() > kLongestSymbol) continue;
      if (std::ranges::find(symbols, symbol) == symbols.end()) symbols.push_back(std::move(symbol));
      break;
    }
  }
  return symbols;
}

std::string stubs_for(const std::vector<std::string>& symbols) {
  std::string source = fmt::format(
      "#include <sys/mman.h>\n#include <cstdlib>\n#include <cstring>\n"
      "[[noreturn]] static void reached(const char* text) {{\n"
      "  void* page = mmap(nullptr, {}, PROT_READ | PROT_WRITE, MAP_SHARED, {}, 0);\n"
      "  if (page != MAP_FAILED) std::strcpy(static_cast<char*>(page) + {}, text);\n"
      "  std::abort();\n}}\n",
      sizeof(protocol::FlightRecord), protocol::kFlightRecordFd,
      offsetof(protocol::FlightRecord, text));
  for (size_t i = 0; i < symbols.size(); ++i) {
    source += fmt::format(
        "extern \"C\" __attribute__((weak, visibility(\"hidden\"))) void missing_{0}() "
        "__asm__(\"{1}\");\nvoid missing_{0}() {{ reached(\"{2}{0}\"); }}\n",
        i, symbols[i], kText);
  }
  return source;
}

std::optional<size_t> reached_stub(std::string_view record_text) {
  if (!record_text.starts_with(kText)) return std::nullopt;
  const std::string_view digits = record_text.substr(kText.size());
  size_t index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return index;
}

std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;  // "a" would be read as a type
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? name.get() : symbol;
}

}  // namespace convkit
