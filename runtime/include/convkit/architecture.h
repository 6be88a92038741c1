// SPDX-License-Identifier: MIT
// Reads the text of a network. Given: submissions and the training program use it; nobody changes
// it.
#pragma once

#include <cctype>
#include <cstdint>
#include <cstdio>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

// Channels, height, width of what a layer takes or puts out; a vector is {size, 1, 1}.
struct Shape3 {
  int c = 1, h = 1, w = 1;
  int64_t size() const { return int64_t(c) * h * w; }
  bool operator==(const Shape3& o) const { return c == o.c && h == o.h && w == o.w; }
  std::string text() const {
    if (h == 1 && w == 1) return std::to_string(c);
    return std::to_string(c) + "x" + std::to_string(h) + "x" + std::to_string(w);
  }
};

struct LayerSpec {
  std::string kind;  // "conv"
  std::string name;  // "conv1"
  std::string line;  // as written
  Shape3 in, out;
  int kh = 0, kw = 0, pad = 0;  // of conv; kh and kw of pooling
  float probability = 0;        // of dropout
};

struct Architecture {
  Shape3 input;
  std::vector<LayerSpec> layers;  // the last one is the softmax
};

namespace architecture_text {

inline void refuse(int number, const std::string& line, const std::string& why) {
  throw std::invalid_argument("Line " + std::to_string(number) + " of the network, `" + line +
                              "`: " + why);
}

// "5x5" -> {5, 5}, exactly `count` whole numbers from 1 to 65535.
inline std::vector<int> sizes(const std::string& word, size_t count) {
  std::vector<int> result;
  size_t at = 0;
  while (at < word.size() && result.size() < count) {
    size_t end = at;
    while (end < word.size() && std::isdigit(static_cast<unsigned char>(word[end]))) ++end;
    if (end == at || end - at > 5) return {};
    const int value = std::stoi(word.substr(at, end - at));
    if (value < 1 || value > 65535) return {};
    result.push_back(value);
    if (end == word.size()) return result.size() == count ? result : std::vector<int>{};
    if (word[end] != 'x') return {};
    at = end + 1;
  }
  return {};
}

inline void set_outputs(LayerSpec& layer, const std::vector<std::string>& words, int number) {
  const auto fail = [&](const std::string& why) { refuse(number, layer.line, why); };
  const std::string& kind = layer.kind;
  const Shape3& in = layer.in;
  layer.out = in;
  if (kind == "conv") {
    const bool padded = words.size() == 5 && words[3] == "pad";
    if (words.size() != 3 && !padded) fail("expected `conv MAPS KHxKW` or `... pad P`.");
    const std::vector<int> maps = sizes(words[1], 1), kernel = sizes(words[2], 2);
    const std::vector<int> pad =
        !padded || words[4] == "0" ? std::vector<int>{0} : sizes(words[4], 1);
    if (maps.empty() || kernel.empty() || pad.empty()) fail("sizes are whole numbers from 1.");
    layer.kh = kernel[0], layer.kw = kernel[1], layer.pad = pad[0];
    layer.out = {maps[0], in.h + 2 * layer.pad - layer.kh + 1, in.w + 2 * layer.pad - layer.kw + 1};
    if (layer.out.h < 1 || layer.out.w < 1) fail("its input is only " + in.text() + ".");
  } else if (kind == "maxpool" || kind == "avgpool") {
    const std::vector<int> window = words.size() == 2 ? sizes(words[1], 2) : std::vector<int>();
    if (window.empty()) fail("expected `" + kind + " KHxKW`.");
    layer.kh = window[0], layer.kw = window[1];
    layer.out = {in.c, in.h / layer.kh, in.w / layer.kw};
    if (layer.out.h < 1 || layer.out.w < 1) fail("its input is only " + in.text() + ".");
  } else if (kind == "dense") {
    const std::vector<int> out = words.size() == 2 ? sizes(words[1], 1) : std::vector<int>();
    if (out.empty()) fail("expected `dense OUTPUTS`.");
    if (in.h != 1 || in.w != 1) fail("it takes a vector: put `flatten` before it.");
    layer.out = {out[0], 1, 1};
  } else if (kind == "dropout") {
    std::istringstream value(words.size() == 2 ? words[1] : "");
    if (!(value >> layer.probability) || !value.eof() || !(layer.probability >= 0) ||
        !(layer.probability < 1)) {
      fail("expected `dropout P` with P from 0 to less than 1.");
    }
  } else if (kind == "flatten" || kind == "relu" || kind == "batchnorm" || kind == "softmax") {
    if (words.size() != 1) fail("expected `" + kind + "` alone.");
    if (kind == "flatten") layer.out = {static_cast<int>(in.size()), 1, 1};
    if (kind == "softmax" && (in.h != 1 || in.w != 1)) fail("it takes a vector.");
  } else {
    fail("there is no layer `" + kind + "`.");
  }
  if (layer.out.size() > (int64_t(1) << 24)) fail("it is too large.");
}

}  // namespace architecture_text

// Throws std::invalid_argument with a sentence that names the line.
inline Architecture parse_architecture(const std::string& text) {
  using architecture_text::refuse;
  Architecture result;
  std::map<std::string, int> counts;
  std::istringstream lines(text);
  std::string line;
  bool has_input = false;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    if (words.empty()) continue;
    if (!has_input) {
      const std::vector<int> input = words[0] == "input" && words.size() == 2
                                         ? architecture_text::sizes(words[1], 3)
                                         : std::vector<int>();
      if (input.empty()) refuse(number, line, "expected `input CxHxW`.");
      result.input = {input[0], input[1], input[2]};
      has_input = true;
      continue;
    }
    if (!result.layers.empty() && result.layers.back().kind == "softmax") {
      refuse(number, line, "`softmax` is always the last layer.");
    }
    if (result.layers.size() == 100) refuse(number, line, "100 layers are the most.");
    LayerSpec layer;
    layer.kind = words[0];
    layer.line = line;
    layer.in = result.layers.empty() ? result.input : result.layers.back().out;
    architecture_text::set_outputs(layer, words, number);
    layer.name = layer.kind + std::to_string(++counts[layer.kind]);
    result.layers.push_back(layer);
  }
  if (result.layers.empty() || result.layers.back().kind != "softmax") {
    throw std::invalid_argument("The network's last line must be `softmax`.");
  }
  return result;
}
