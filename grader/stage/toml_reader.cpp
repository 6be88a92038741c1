// SPDX-License-Identifier: MIT
#include "stage/toml_reader.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "convkit/kit_error.h"

namespace convkit {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 32;

int64_t time_scale() {
  constexpr int64_t kMostScale = 1000;
  const char* variable = std::getenv("CONVKIT_TIME_SCALE");
  if (!variable || !*variable) return 1;
  const std::string_view text = variable;
  int64_t scale = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), scale);
  if (error != std::errc() || end != text.data() + text.size() || scale < 1 || scale > kMostScale) {
    throw UsageError(fmt::format(
        "CONVKIT_TIME_SCALE must be an integer between 1 and {}, not \"{}\".", kMostScale, text));
  }
  return scale;
}

}  // namespace

toml::table parse_toml(const std::string& text, const std::filesystem::path& file) {
  try {
    return toml::parse(text, file.string());
  } catch (const toml::parse_error& error) {
    throw KitError(
        fmt::format("{}:{}: {}", file.string(), error.source().begin.line, error.description()));
  }
}

void TomlReader::fail(const toml::node* at, const std::string& what) const {
  const auto line = at ? at->source().begin.line : table_.source().begin.line;
  throw KitError(fmt::format("{}:{}: {}{}", file_, line, where_, what));
}

void TomlReader::only(std::initializer_list<const char*> known) const {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (std::none_of(known.begin(), known.end(), [&](const char* k) { return name == k; })) {
      fail(&node, fmt::format("unknown key `{}`.", name));
    }
  }
}

std::string TomlReader::text(std::initializer_list<const char*> without) const {
  toml::table rest = table_;
  for (const char* key : without) rest.erase(key);
  std::ostringstream out;
  out << toml::toml_formatter(rest);
  return out.str();
}

std::chrono::seconds TomlReader::time_limit(const char* key, int64_t most,
                                            std::optional<int64_t> fallback) const {
  return std::chrono::seconds(get_in<int64_t>(key, 1, most, fallback) * time_scale());
}

std::string TomlReader::name(const char* key, std::set<std::string>& taken) const {
  const auto value = get<std::string>(key);
  if (!taken.insert(value).second) {
    fail_at(key, fmt::format("`{}` \"{}\" is defined twice.", key, value));
  }
  return value;
}

bool TomlReader::flag(const char* key) const {
  const toml::node* node = table_.get(key);
  if (node && !node->is_boolean()) fail(node, fmt::format("`{}` must be true or false.", key));
  return node && *node->value<bool>();
}

std::vector<std::string> TomlReader::strings(const char* key) const {
  std::vector<std::string> result;
  if (const toml::node* node = table_.get(key)) {
    const toml::array* array = node->as_array();
    if (!array) fail(node, fmt::format("`{}` must be an array of strings.", key));
    for (const toml::node& item : *array) result.push_back(as<std::string>(item, key));
  }
  return result;
}

SizeFormula TomlReader::formula_of(const toml::node& node, const std::string& key) const {
  const std::string text =
      node.is_integer() ? std::to_string(*node.value<int64_t>()) : node.value_or(std::string());
  auto formula = SizeFormula::parse(text);
  if (!formula) {
    fail(&node, fmt::format("`{}` must be a size, such as \"c*kh*kw + 1\".", key));
  }
  return *formula;
}

SizeFormula TomlReader::formula(const char* key) const {
  const toml::node* node = table_.get(key);
  if (!node) fail(nullptr, fmt::format("`{}` is missing.", key));
  return formula_of(*node, key);
}

std::vector<TomlReader> TomlReader::tables(const char* key) const {
  std::vector<TomlReader> result;
  if (const toml::node* node = table_.get(key)) {
    const toml::array* array = node->as_array();
    if (!array) fail(node, fmt::format("`{}` must be written as [[{}]].", key, key));
    for (const toml::node& item : *array) {
      if (!item.as_table()) fail(&item, fmt::format("`{}` must be written as [[{}]].", key, key));
      result.emplace_back(*item.as_table(), file_, fmt::format("[[{}]] ", key));
    }
  }
  return result;
}

TomlReader TomlReader::section(const char* key) const {
  static const toml::table empty;
  const toml::node* node = table_.get(key);
  if (node && !node->as_table()) fail(node, fmt::format("`{}` must be a table.", key));
  return TomlReader(node ? *node->as_table() : empty, file_, fmt::format("[{}] ", key));
}

Params TomlReader::params(const char* key) const {
  Params params;
  for (const auto& [name, node] : section(key).table()) {
    if (!node.is_number()) fail(&node, fmt::format("`{}` must be a number.", name.str()));
    const auto value = node.value<double>();
    if (!value) fail(&node, fmt::format("`{}` must be an integer up to 2^53.", name.str()));
    params[std::string(name.str())] = {*value, node.is_integer()};
  }
  return params;
}

std::vector<TensorShape> TomlReader::shapes(const char* key) const {
  std::vector<TensorShape> result;
  const toml::node* node = table_.get(key);
  if (!node || !node->as_table()) {
    fail(node, fmt::format("`{}` must be a table of shapes, such as {{x = [1, 4]}}.", key));
  }
  for (const auto& [name, dims] : *node->as_table()) {
    TensorShape shape{std::string(name.str()), {}};
    int64_t elements = 1;
    if (!dims.as_array()) fail(&dims, fmt::format("`{}` must be an array of sizes.", shape.name));
    for (const toml::node& dim : *dims.as_array()) {
      shape.dims.push_back(as<int64_t>(dim, key));
      if (shape.dims.back() < 1) fail(&dim, fmt::format("`{}` has a size below 1.", shape.name));
      if (shape.dims.back() > kMostElements / elements) {
        fail(&dim, fmt::format("`{}` has too many elements.", shape.name));
      }
      elements *= shape.dims.back();
    }
    result.push_back(std::move(shape));
  }
  return result;
}

}  // namespace convkit
