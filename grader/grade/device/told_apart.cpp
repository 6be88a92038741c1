// SPDX-License-Identifier: MIT
#include "grade/device/told_apart.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

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

const rewrite::Token* first_that_tells_apart(const rewrite::Lexed& lexed) {
  const rewrite::Token* first = nullptr;
  for (const auto* tokens : {&lexed.code, &lexed.directive_tokens}) {
    const auto found = std::ranges::find_if(*tokens, [](const rewrite::Token& token) {
      return token.is_identifier() && tells_apart(token.text);
    });
    if (found != tokens->end() && (!first || found->begin < first->begin)) first = &*found;
  }
  return first;
}

}  // namespace

std::vector<std::string> names_that_tell_devices_apart(const fs::path& folder,
                                                       const std::vector<std::string>& files) {
  std::vector<std::string> sentences;
  for (const std::string& file : files) {
    std::ifstream in(folder / file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const rewrite::JoinedText joined(text);
    const rewrite::Lexed lexed = rewrite::lex(text, joined);
    const rewrite::Token* token = first_that_tells_apart(lexed);
    if (!token) continue;
    const auto line = 1 + std::count(text.begin(), text.begin() + token->begin, '\n');
    sentences.push_back(fmt::format(
        "{}:{} uses {}, so what check mode and the CPU device run may not be what a GPU runs.",
        file, line, token->text));
  }
  return sentences;
}

}  // namespace convkit
