// SPDX-License-Identifier: MIT
#include "grade/device/told_apart.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "compile/symbols.h"
#include "convkit/file_text.h"
#include "cpu_device/rewrite/lexer.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;

bool tells_apart(std::string_view name) {
  // Of the CPU device, of a compiler that instruments, of nvcc.
  for (const std::string_view begin :
       {"CONVKIT_SIMT", "__SANITIZE_", "__tsan_", "__CUDACC_VER_", "__CUDA_ARCH_"}) {
    if (name.starts_with(begin)) return true;
  }
  return name == "__NVCC__" || name == "thread_sanitizer";
}

// What the compiler does not instrument: functions with an attribute, in all its spellings, the
// host's vector instructions, and the compiler's own atomics.
bool switches_off(std::string_view name) {
  for (const std::string_view begin :
       {"_mm_", "_mm256_", "_mm512_", "__builtin_ia32_", "__atomic_", "__sync_"}) {
    if (name.starts_with(begin)) return true;
  }
  name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
  return name.starts_with("no_sanitize") || name.starts_with("disable_sanitizer_instrumentation");
}

std::string_view contents(std::string_view literal) {
  const size_t open = literal.find('"'), close = literal.rfind('"');
  return open < close && close != literal.npos ? literal.substr(open + 1, close - open - 1) : "";
}

struct Found {
  uint32_t begin;
  std::string name;
  bool off;  // the instrumentation does not see it
};

// In strings that stand side by side: an assembler's name, or a pragma's attribute.
std::optional<std::string_view> told_by_string(const std::string& text) {
  for (const std::string_view name : {"__tsan_", "no_sanitize"}) {
    if (text.find(name) != text.npos) return name;
  }
  return std::nullopt;
}

std::optional<Found> first_that_tells_apart(const rewrite::Lexed& lexed) {
  std::optional<Found> first;
  const auto offer = [&](Found found) {
    if (!first || found.begin < first->begin) first = std::move(found);
  };
  for (const auto* tokens : {&lexed.code, &lexed.directive_tokens}) {
    for (size_t i = 0; i < tokens->size(); ++i) {
      const rewrite::Token& token = (*tokens)[i];
      if (token.is_identifier()) {
        const bool off = switches_off(token.text);
        if (off || tells_apart(token.text)) offer({token.begin, std::string(token.text), off});
      }
      if (token.kind != rewrite::Token::Kind::string) continue;
      std::string text;
      for (; i < tokens->size() && (*tokens)[i].kind == rewrite::Token::Kind::string; ++i) {
        text += contents((*tokens)[i].text);
      }
      --i;
      if (const auto name = told_by_string(text)) {
        offer({token.begin, std::string(*name), *name == "no_sanitize"});
      }
    }
  }
  return first;
}

}  // namespace

std::vector<std::string> names_that_tell_devices_apart(const fs::path& folder,
                                                       const std::vector<std::string>& files) {
  std::vector<std::string> sentences;
  for (const std::string& file : files) {
    const std::string text = file_text(folder / file);
    const rewrite::JoinedText joined(text);
    const rewrite::Lexed lexed = rewrite::lex(text, joined);
    const auto found = first_that_tells_apart(lexed);
    if (!found) continue;
    const auto line = 1 + std::count(text.begin(), text.begin() + found->begin, '\n');
    sentences.push_back(
        found->off
            ? fmt::format("{}:{} uses {}, so check mode cannot see what that code does.", file,
                          line, found->name)
            : fmt::format("{}:{} uses {}, so check mode and the CPU device may run other code than "
                          "a GPU does.",
                          file, line, found->name));
  }
  return sentences;
}

std::string note_on_symbols_of_check_mode(const fs::path& library) {
  const auto names = symbols_that_begin_with("__tsan_", library);
  if (names.empty()) return "";
  return fmt::format(
      "The submission has the symbol {}, which belongs to check mode, so check mode may run other "
      "code than a GPU does.",
      names.front());
}

}  // namespace convkit
