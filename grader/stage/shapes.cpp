// SPDX-License-Identifier: MIT
#include "stage/shapes.h"

#include <fmt/format.h>

#include <set>
#include <string_view>

namespace convkit {
namespace {

// Two parameters that are told as one: "kernel 3 x 5".
struct Pair {
  const char *word, *high, *wide;
  double usual;  // not told; below 0: always told
};
constexpr Pair kPairs[] = {{"kernel", "kh", "kw", -1},
                           {"stride", "stride_h", "stride_w", 1},
                           {"padding", "pad_h", "pad_w", 0},
                           {"dilation", "dilation_h", "dilation_w", 1}};

std::string number(const Param& param) {
  return param.integer ? fmt::format("{}", static_cast<int64_t>(param.value))
                       : fmt::format("{:g}", param.value);
}

}  // namespace

std::string size_words(const Params& params) {
  std::string words;
  std::set<std::string_view> told;
  const auto add = [&](std::string_view name, const std::string& value) {
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", name, value);
  };
  for (const char* name : {"n", "c", "h", "w", "m"}) {
    const auto found = params.find(name);
    if (found == params.end()) continue;
    told.insert(name);
    add(name, number(found->second));
  }
  for (const Pair& pair : kPairs) {
    const auto high = params.find(pair.high), wide = params.find(pair.wide);
    if (high == params.end() || wide == params.end()) continue;
    told.insert({pair.high, pair.wide});
    const double a = high->second.value, b = wide->second.value;
    if (a == pair.usual && b == pair.usual) continue;
    const bool is_kernel = pair.usual < 0;
    add(pair.word, a == b && !is_kernel ? number(high->second)
                                        : number(high->second) + " x " + number(wide->second));
  }
  for (const auto& [name, param] : params) {
    const bool usual =
        (name == "groups" && param.value == 1) || (param.integer && param.value == 0);
    if (!told.contains(name) && !usual) add(name, number(param));
  }
  return words;
}

}  // namespace convkit
