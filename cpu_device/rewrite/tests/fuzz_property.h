// SPDX-License-Identifier: MIT
// What holds for every input of the rewriter, C++ or not.
#pragma once

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cpu_device/rewrite/rewrite.h"

namespace convkit::rewrite::test {

// Throws std::logic_error saying what does not hold.
inline void check_properties(std::string_view bytes) {
  const Source source{std::string(bytes)};
  Names names;
  names.add(source);
  names.finish();
  const Rewritten result = rewrite(source, names);
  const auto lines = std::count(bytes.begin(), bytes.end(), '\n');
  if (std::count(result.text.begin(), result.text.end(), '\n') != lines) {
    throw std::logic_error("the number of lines changed");
  }
  const QuietCode quiet(names);
  const std::string looped = rewrite(source, names, {}, DeviceCode::whole, &quiet).text;
  if (std::count(looped.begin(), looped.end(), '\n') != lines) {
    throw std::logic_error("the number of lines changed with loops over threads");
  }
  for (const Diagnostic& each : result.diagnostics) {
    if (each.line < 1 || each.line > static_cast<size_t>(lines) + 1 || each.column < 1 ||
        each.message.empty()) {
      throw std::logic_error("a diagnostic lies outside the text");
    }
  }
  const bool changed = result.text != bytes;
  const bool reason = result.launches > 0 || result.dynamic_shared > 0 ||
                      result.text.find("GCC ") != std::string::npos ||
                      result.text.find("CONVKIT_SIMT_TEXT(") != std::string::npos ||
                      bytes.find("__launch_bounds__") != std::string_view::npos ||
                      bytes.find("static") != std::string_view::npos ||
                      bytes.find("__device__") != std::string_view::npos ||
                      bytes.find("__constant__") != std::string_view::npos ||
                      bytes.find("__managed__") != std::string_view::npos ||
                      bytes.find("alignas") != std::string_view::npos ||
                      bytes.find('[') != std::string_view::npos ||
                      bytes.find("cudaLaunchKernel") != std::string_view::npos ||
                      result.text.find("kernel_type->*") != std::string::npos ||
                      result.text.find("#error") != std::string::npos ||
                      bytes.starts_with("\xef\xbb\xbf");
  if (changed && !reason) throw std::logic_error("something else was rewritten");
  for (size_t line = 1; line <= 3; ++line) {
    for (size_t column = 1; column < 200; column += 7) {
      if (result.columns.original(line, column) < 1) throw std::logic_error("column 0");
    }
  }
}

// Text in which the rewriter's cases are frequent: pieces of CUDA programs in random order.
inline std::string random_program(std::mt19937& random) {
  static const std::vector<std::string> kPieces = {"<<<",
                                                   ">>>",
                                                   "<<",
                                                   ">>",
                                                   "<",
                                                   ">",
                                                   "(",
                                                   ")",
                                                   "[",
                                                   "]",
                                                   "{",
                                                   "}",
                                                   ";",
                                                   ",",
                                                   "::",
                                                   "->",
                                                   ".",
                                                   "\n",
                                                   "\\\n",
                                                   " ",
                                                   "\"",
                                                   "'",
                                                   "R\"(",
                                                   ")\"",
                                                   "/*",
                                                   "*/",
                                                   "//",
                                                   "#if 0\n",
                                                   "#if X\n",
                                                   "#else\n",
                                                   "#elif 1\n",
                                                   "#endif\n",
                                                   "\n#define M(a, b) ",
                                                   "\n#define K ",
                                                   "#",
                                                   "##",
                                                   "k",
                                                   "k",
                                                   "k<int>",
                                                   "k<<<g, b>>>(x)",
                                                   "__global__ void ",
                                                   "__device__ ",
                                                   "__constant__ ",
                                                   "extern ",
                                                   "static ",
                                                   "__shared__ ",
                                                   "float s[]",
                                                   "template <class T> ",
                                                   "operator",
                                                   "return ",
                                                   "if (a) ",
                                                   "struct S ",
                                                   "asm(\"",
                                                   "tex2DLod",
                                                   "cudaMipmappedArray_t ",
                                                   "__syncthreads()",
                                                   "1'000",
                                                   "0x",
                                                   "=",
                                                   ":",
                                                   "?",
                                                   "...",
                                                   "\\",
                                                   "\r\n",
                                                   "\xef\xbb\xbf",
                                                   "#include \"a.h\"\n",
                                                   "#include <mma.h>\n",
                                                   "alignas(16) ",
                                                   "cudaLaunchKernel((void*)",
                                                   "p.func = (void*)",
                                                   "int f() ",
                                                   "[=](int i) ",
                                                   "namespace n ",
                                                   "decltype(x)",
                                                   "é",
                                                   "$",
                                                   std::string(1, '\0'),
                                                   "@",
                                                   "T::template "};
  std::uniform_int_distribution<size_t> piece(0, kPieces.size() - 1), length(0, 120);
  std::string text;
  for (size_t i = length(random); i > 0; --i) text += kPieces[piece(random)];
  return text;
}

// A program with some bytes or pieces changed.
inline std::string mutated(std::string text, std::mt19937& random) {
  std::uniform_int_distribution<int> kind(0, 3), byte(0, 255), times(1, 6);
  for (int i = times(random); i > 0 && !text.empty(); --i) {
    const size_t at = std::uniform_int_distribution<size_t>(0, text.size() - 1)(random);
    const size_t length = std::uniform_int_distribution<size_t>(1, 40)(random);
    switch (kind(random)) {
      case 0:
        text[at] = static_cast<char>(byte(random));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at / 2, length));
        break;
      default:
        text.insert(at, random_program(random).substr(0, length));
    }
  }
  return text;
}

}  // namespace convkit::rewrite::test
