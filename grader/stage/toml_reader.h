// SPDX-License-Identifier: MIT
// Reading tables of a TOML file so that every mistake in it is named with file, line and key.
#pragma once

#include <fmt/core.h>

#include <toml++/toml.h>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "stage/sizes.h"

namespace convkit {

// The table that `text`, of `file`, is. Throws KitError naming file and line.
toml::table parse_toml(const std::string& text, const std::filesystem::path& file);

// A table of the file. Every key must be known: a misspelt one would otherwise be ignored in
// silence.
class TomlReader {
 public:
  TomlReader(const toml::table& table, std::string file, std::string where)
      : table_(table), file_(std::move(file)), where_(std::move(where)) {}

  // Throws KitError; `at` nullptr: the line of the table.
  [[noreturn]] void fail(const toml::node* at, const std::string& what) const;
  // The same, at the line of a key that is there.
  [[noreturn]] void fail_at(const char* key, const std::string& what) const {
    fail(table_.get(key), what);
  }

  void only(std::initializer_list<const char*> known) const;
  bool has(const char* key) const { return table_.get(key) != nullptr; }
  const toml::table& table() const { return table_; }
  // The table once more as TOML, without comments: two that say the same have the same text.
  // `without`: keys that are left out.
  std::string text(std::initializer_list<const char*> without = {}) const;

  template <class T>
  T get(const char* key) const {
    const toml::node* node = table_.get(key);
    if (!node) fail(nullptr, fmt::format("`{}` is missing.", key));
    return as<T>(*node, key);
  }
  template <class T>
  T get_or(const char* key, T fallback) const {
    const toml::node* node = table_.get(key);
    return node ? as<T>(*node, key) : fallback;
  }
  // A number in [least, most]; NaN is in no range.
  template <class T>
  T get_in(const char* key, T least, T most, std::optional<T> fallback = std::nullopt) const {
    const T value = fallback ? get_or<T>(key, *fallback) : get<T>(key);
    if (!(value >= least && value <= most)) {
      fail_at(key, fmt::format("`{}` must be between {} and {}.", key, least, most));
    }
    return value;
  }
  // A time limit, in the file from 1 to `most` seconds, times CONVKIT_TIME_SCALE: a machine may be
  // much slower than those that the limits are for, such as one that is emulated. Zero would mean
  // "no limit" further on. Throws UsageError for a scale that is none.
  std::chrono::seconds time_limit(const char* key, int64_t most,
                                  std::optional<int64_t> fallback) const;
  // A name that other files refer to: each once among its kind.
  std::string name(const char* key, std::set<std::string>& taken) const;
  bool flag(const char* key) const;  // false where there is none
  std::vector<std::string> strings(const char* key) const;
  // "c*kh*kw + 1"
  SizeFormula formula(const char* key) const;

  std::vector<TomlReader> tables(const char* key) const;  // [[key]]
  TomlReader section(const char* key) const;              // [key], empty where there is none
  // A table within this one, for the words of a failure.
  TomlReader inner(const toml::table& table, const std::string& where) const {
    return {table, file_, where};
  }
  Params params(const char* key) const;                    // {n = 1, slope = 0.5}
  std::vector<TensorShape> shapes(const char* key) const;  // {x = [1, 4]}

  template <class T>
  T as(const toml::node& node, const std::string& key) const {
    if constexpr (std::is_same_v<T, double>) {
      if (auto value = node.value<double>()) return *value;
      fail(&node, fmt::format("`{}` must be a number.", key));
    } else if constexpr (std::is_same_v<T, int64_t>) {
      if (node.is_integer()) return *node.value<int64_t>();
      fail(&node, fmt::format("`{}` must be an integer.", key));
    } else {
      if (auto value = node.value<std::string>()) return *value;
      fail(&node, fmt::format("`{}` must be a string.", key));
    }
  }
  SizeFormula formula_of(const toml::node& node, const std::string& key) const;

 private:
  const toml::table& table_;
  std::string file_;
  std::string where_;
};

}  // namespace convkit
