// SPDX-License-Identifier: MIT
#include "stage/size_formula.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "convkit/kit_error.h"

namespace convkit {
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
