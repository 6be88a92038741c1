// SPDX-License-Identifier: MIT
#include "repair/streams.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "repair/words.h"

namespace convkit::repair {
namespace {

using rewrite::kNone;
using rewrite::Stream;

constexpr size_t kMostStreams = 2;

struct OnStream {
  std::string_view name;  // of the call that takes a stream
  size_t arguments;       // without the stream
  std::string_view more;  // what stands between, where the call itself has fewer
};
const std::map<std::string_view, std::vector<OnStream>> kOnStream = {
    {"cudaMemset", {{"cudaMemsetAsync", 3, ""}}},
    {"cudaMemcpy", {{"cudaMemcpyAsync", 4, ""}}},
    {"cudaMemcpyToSymbol",
     {{"cudaMemcpyToSymbolAsync", 5, ""},
      {"cudaMemcpyToSymbolAsync", 3, ", 0, cudaMemcpyDefault"}}},
    {"cudaMemsetAsync", {{"cudaMemsetAsync", 3, ""}}},
    {"cudaMemcpyAsync", {{"cudaMemcpyAsync", 4, ""}}},
    {"cudaMemcpyToSymbolAsync", {{"cudaMemcpyToSymbolAsync", 5, ""}}},
    {"cudaEventRecord", {{"cudaEventRecord", 1, ""}}}};
const std::map<std::string_view, std::string_view> kSetters = {
    {"cublasHandle_t", "cublasSetStream"}, {"cudnnHandle_t", "cudnnSetStream"}};

std::vector<std::string> all_of_type(const Draft& d, std::string_view type) {
  Kind kind;
  kind.type = type;
  std::vector<std::string> all;
  for (const std::string_view v : d.variables.others_like("", kind)) all.emplace_back(v);
  for (const std::string& v : d.variables.members_like(kind)) all.push_back(v);
  return all;
}

std::vector<std::string> streams(const Draft& d) {
  std::vector<std::string> all = all_of_type(d, "cudaStream_t");
  // The innermost ones.
  if (all.size() > kMostStreams) all.erase(all.begin(), all.end() - kMostStreams);
  return all;
}

bool is_no_stream(const Draft& d, Part argument) {
  const Stream& s = d.code.tokens();
  return argument.size() == 1 && (s.is(argument.begin, "0") || s.is(argument.begin, "nullptr"));
}

bool launches(const Stream& s, size_t k, size_t end) {
  for (; k < end; ++k) {
    if (s.is(k, "<<<")) return true;
  }
  return false;
}

// The arrays of floats that a function may write, by names that it has got or made.
std::vector<std::string_view> arrays(const Draft& d) {
  Kind kind = number_of(true);
  kind.indices = 1;
  return d.variables.others_like("", kind);
}

// What tells how many elements an array has.
std::vector<std::string> sizes(const Draft& d) {
  std::vector<std::string> all;
  const auto tells_size = [](std::string_view name) {
    return name.ends_with("size") || name.ends_with("size()") || name.ends_with("count");
  };
  for (const std::string_view v : d.variables.others_like("", number_of(false))) {
    if (tells_size(v) || v == "n") all.emplace_back(v);
  }
  for (const std::string& v : d.variables.members_like(number_of(false))) {
    if (tells_size(v)) all.push_back(v);
  }
  return all;
}

void clear_before(Draft& d, size_t k) {
  constexpr size_t kMost = 24;
  const std::vector<std::string> all = streams(d);
  size_t count = 0;
  for (const std::string_view array : arrays(d)) {
    for (const std::string& size : sizes(d)) {
      if (++count > kMost) return;
      const std::string to = std::string(array) + ", 0, sizeof(float) * " + size;
      const std::string call = all.empty() ? "cudaMemset(" + to + ");"
                                           : "cudaMemsetAsync(" + to + ", " + all.back() + ");";
      d.list.put_before(k, call, {Cause::clearing, kSeldom});
    }
  }
}

}  // namespace

void put_call_on_stream(Draft& d, size_t k) {
  const auto known = kOnStream.find(d.code.tokens()[k].text);
  const size_t open = k + 1;
  if (known == kOnStream.end() || d.code.tokens().match(open) == kNone) return;
  const std::vector<Part> arguments = d.code.arguments(open);
  const Part call = {k, d.code.tokens().match(open) + 1};
  for (const OnStream& other : known->second) {
    const bool has_stream = arguments.size() == other.arguments + 1;
    if (arguments.size() != other.arguments && !has_stream) continue;
    if (has_stream && !is_no_stream(d, arguments.back())) continue;
    const size_t end = has_stream ? arguments.back().begin - 1 : call.end - 1;
    const std::string before = d.code.text({open, end});
    for (const std::string& stream : streams(d)) {
      d.list.replace(
          call, std::string(other.name) + before + std::string(other.more) + ", " + stream + ")",
          {Cause::stream, kLikely});
    }
  }
}

void put_launch_on_stream(Draft& d, Part statement) {
  const Stream& s = d.code.tokens();
  const Part whole = {statement.begin, statement.end + 1};
  for (size_t k = statement.begin; k < statement.end; ++k) {
    if (!s.is(k, "<<<")) continue;
    std::vector<Part> arguments = {{k + 1, k + 1}};
    size_t end = k + 1;
    for (; end < statement.end && !s.is(end, ">>>"); end = d.code.past(end)) {
      if (s.is(end, ",")) {
        arguments.push_back({end + 1, end + 1});
      } else {
        arguments.back().end = d.code.past(end);
      }
    }
    if (!s.is(end, ">>>")) continue;
    for (const std::string& stream : streams(d)) {
      if (arguments.size() == 4) {
        if (!is_no_stream(d, arguments[3])) continue;
        d.list.replace_in_statement(whole, arguments[3], stream, {Cause::stream, kLikely});
      } else if (arguments.size() >= 2) {
        const std::string memory = arguments.size() == 2 ? ", 0, " : ", ";
        d.list.replace_in_statement(whole, {end, end + 1}, memory + stream + ">>>",
                                    {Cause::stream, kLikely});
      }
    }
  }
}

void prepare_device(Draft& d, size_t k, size_t end, size_t depth) {
  constexpr size_t kDeepest = 3;
  if (d.on_device || depth > kDeepest) return;
  const Stream& s = d.code.tokens();
  const std::vector<std::string> all = streams(d);
  for (const std::string& stream : all) {
    d.list.put_before(k, "cudaStreamSynchronize(" + stream + ");", {Cause::wait, kPlain});
    for (const auto& [type, setter] : kSetters) {
      for (const std::string& handle : all_of_type(d, type)) {
        d.list.put_before(k, std::string(setter) + "(" + handle + ", " + stream + ");",
                          {Cause::stream, kPlain});
      }
    }
  }
  if (launches(s, k, end)) clear_before(d, k);
}

}  // namespace convkit::repair
