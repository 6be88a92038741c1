// SPDX-License-Identifier: MIT
#include "grade/device/told_apart.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>

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
// host's vector instructions, and the compiler's own atomics and copies.
bool switches_off(std::string_view name) {
  for (const std::string_view begin :
       {"_mm_", "_mm256_", "_mm512_", "__builtin_ia32_", "__builtin_mem", "__builtin_bcopy",
        "__atomic_", "__sync_"}) {
    if (name.starts_with(begin)) return true;
  }
  name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
  return name.starts_with("no_sanitize") || name.starts_with("disable_sanitizer_instrumentation");
}

// Of the dynamic linker: functions, and what it loaded, by names that no source need spell out.
bool finds_functions(std::string_view name) {
  static const std::set<std::string_view> names = {
      "dlsym",   "dlvsym", "dlopen",          "dlmopen",         "dladdr",
      "dladdr1", "dlinfo", "dl_iterate_phdr", "_dl_find_object", "_r_debug"};
  return names.contains(name);
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

// In a kernel's own source it is refused.
bool is_assembly(std::string_view name) {
  return name == "asm" || name == "__asm" || name == "__asm__";
}

std::optional<Found> first_that_tells_apart(const rewrite::Lexed& lexed, bool of_kernels) {
  std::optional<Found> first;
  const auto offer = [&](Found found) {
    if (!first || found.begin < first->begin) first = std::move(found);
  };
  for (const auto* tokens : {&lexed.code, &lexed.directive_tokens}) {
    for (size_t i = 0; i < tokens->size(); ++i) {
      const rewrite::Token& token = (*tokens)[i];
      if (token.is_identifier()) {
        const bool off = switches_off(token.text) || (!of_kernels && is_assembly(token.text));
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
    const auto found = first_that_tells_apart(lexed, file.ends_with(".cu"));
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

std::vector<std::string> notes_on_symbols(const fs::path& plain, const fs::path& for_check_mode) {
  std::vector<std::string> notes;
  const auto belongs_to_check_mode = [](const std::string& name) {
    return std::ranges::any_of(
        std::initializer_list<std::string_view>{"__tsan_", "__sanitizer_", "__real_", "__wrap_",
                                                "convkit_simt_check"},
        [&](std::string_view begin) { return name.starts_with(begin); });
  };
  const auto note = [&](const std::string& begin, const std::string& name) {
    notes.push_back(fmt::format(
        "The submission {} {}, so check mode may run other code than a GPU does.", begin, name));
  };
  std::vector<std::string> names = symbols_that_begin_with("", plain);
  if (!for_check_mode.empty()) {
    const auto more = symbols_that_begin_with("convkit_simt_check", for_check_mode);
    names.insert(names.end(), more.begin(), more.end());
  }
  const auto found = std::ranges::find_if(names, belongs_to_check_mode);
  if (found != names.end()) note("has the symbol", *found + ", which belongs to check mode");
  if (for_check_mode.empty()) return notes;
  // Not of `plain`: nvcc links CUDA's runtime into it, which calls dlsym().
  for (const std::string& name : dynamic_symbols(for_check_mode).undefined) {
    if (finds_functions(name)) {
      note("calls", name + "(), which can find functions of check mode");
      break;
    }
  }
  return notes;
}

std::vector<std::string> notes_on_signals(const fs::path& library) {
  for (const std::string& name : dynamic_symbols(library).undefined) {
    static const std::set<std::string_view> names = {
        "sigaction", "signal",   "sysv_signal",   "__sysv_signal", "bsd_signal", "ssignal",
        "sigset",    "mprotect", "pkey_mprotect", "syscall",       "userfaultfd"};
    if (!names.contains(name)) continue;
    return {
        fmt::format("The submission calls {}(), so what it reads or writes outside its arrays "
                    "may stay unseen. Staff should look at it.",
                    name)};
  }
  return {};
}

}  // namespace convkit
