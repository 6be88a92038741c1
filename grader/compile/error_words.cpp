// SPDX-License-Identifier: MIT
#include "compile/error_words.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace convkit {
namespace {

bool has(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> several) {
  return std::ranges::any_of(several, [=](std::string_view words) { return has(text, words); });
}

// A pointer to const where the callee writes, as g++, clang and nvcc say it.
bool loses_const(std::string_view error) {
  if (has_any(error, {"invalid conversion from \xe2\x80\x98"
                      "const ",
                      "invalid conversion from 'const "})) {
    return has(error, "*");
  }
  if (has(error, "no matching function for call to")) return false;
  return has(error, "is incompatible with parameter of type") && has(error, "\"const ");
}

bool speaks_of_a_stream(std::string_view error) {
  return has_any(error, {"cudaStream_t", "CUstream_st"});
}

struct Known {
  bool (*is)(std::string_view error, std::string_view source);
  std::string_view words;
};

constexpr std::array<Known, 6> kKnown = {{
    {[](std::string_view error, std::string_view source) {
       return loses_const(error) && has_any(source, {"cudaMemcpy", "memcpy("});
     },
     "A copy takes the destination first, then the source: cudaMemcpy(to, from, bytes, kind)."},
    {[](std::string_view error, std::string_view) { return loses_const(error); },
     "A pointer to const memory, which is only read, is given where memory is written: are the "
     "arguments in the right order?"},
    {[](std::string_view error, std::string_view source) {
       return speaks_of_a_stream(error) && has(source, "<<<");
     },
     "The third number of a launch is the bytes of dynamic shared memory, the fourth is the "
     "stream: <<<grid, block, 0, stream>>>."},
    {[](std::string_view error, std::string_view) {
       return has(error, "operator^") ||
              (has(error, "invalid operands to binary expression") && has(error, "^"));
     },
     "In C++ ^ is the exclusive or of whole numbers: a square is x * x, a power powf(x, n)."},
    {[](std::string_view error, std::string_view) {
       return has_any(error, {"expected ';'", "expected \xe2\x80\x98;\xe2\x80\x99",
                              "expected \xe2\x80\x98,\xe2\x80\x99 or \xe2\x80\x98;\xe2\x80\x99",
                              "expected a \";\""});
     },
     "A semicolon is missing before this place, often at the end of the line above."},
    {[](std::string_view error, std::string_view source) {
       return has(source, "cudaMalloc") && has_any(error, {"convert", "no matching function"}) &&
              !has(source, "&");
     },
     "cudaMalloc writes the address into your pointer, so it takes the pointer's address: "
     "cudaMalloc(&d_x, bytes)."},
}};

}  // namespace

std::string_view words_for_error(std::string_view error, std::string_view source) {
  const auto known =
      std::ranges::find_if(kKnown, [&](const Known& one) { return one.is(error, source); });
  return known == kKnown.end() ? std::string_view() : known->words;
}

}  // namespace convkit
