// SPDX-License-Identifier: MIT
#include "stage/sizes.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <string_view>

#include "convkit/kit_error.h"

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

namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text + at);
  for (std::string part; std::getline(in, part, at);) {
    const size_t first = part.find_first_not_of(' ');
    const size_t last = part.find_last_not_of(' ');
    parts.push_back(first == std::string::npos ? "" : part.substr(first, last - first + 1));
  }
  return parts;
}

bool all_digits(const std::string& word) {
  return std::ranges::all_of(word, [](unsigned char ch) { return std::isdigit(ch) != 0; });
}

bool is_name(const std::string& word) {
  return !std::isdigit(static_cast<unsigned char>(word.front())) &&
         std::ranges::all_of(word,
                             [](unsigned char ch) { return std::isalnum(ch) != 0 || ch == '_'; });
}

}  // namespace

std::optional<SizeFormula> SizeFormula::parse(const std::string& text) {
  SizeFormula formula;
  formula.text_ = text;
  for (const std::string& product : split(text, '+')) {
    std::vector<Factor> factors;
    for (const std::string& word : split(product, '*')) {
      if (word.empty() || word.size() > 12) return std::nullopt;
      if (all_digits(word)) {
        factors.push_back({"", std::stoll(word)});
      } else if (is_name(word)) {
        factors.push_back({word, 1});
      } else {
        return std::nullopt;
      }
    }
    formula.sum_.push_back(std::move(factors));
  }
  return formula;
}

std::vector<std::string> SizeFormula::names() const {
  std::vector<std::string> names;
  for (const auto& product : sum_) {
    for (const Factor& factor : product) {
      if (!factor.name.empty()) names.push_back(factor.name);
    }
  }
  return names;
}

int64_t SizeFormula::value(const Params& params) const {
  int64_t sum = 0;
  bool overflow = false;
  for (const auto& product : sum_) {
    int64_t value = 1;
    for (const Factor& factor : product) {
      int64_t number = factor.number;
      if (!factor.name.empty()) {
        const auto param = params.find(factor.name);
        if (param == params.end()) {
          throw KitError(fmt::format("`{}`: there is no parameter `{}`.", text_, factor.name));
        }
        number = static_cast<int64_t>(param->second.value);
      }
      overflow |= __builtin_mul_overflow(value, number, &value);
    }
    overflow |= __builtin_add_overflow(sum, value, &sum);
  }
  if (overflow) throw KitError(fmt::format("`{}` does not fit 64 bits.", text_));
  return sum;
}

}  // namespace convkit
