// SPDX-License-Identifier: MIT
// Whether the wrong outputs are those whose window reaches beyond an edge of the input.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compare/patterns.h"

namespace convkit {
namespace {

// Along one axis.
struct Window {
  int64_t stride, pad, reach, length;  // `reach`: from its first place to its last

  bool is_before(int64_t output) const { return output * stride - pad < 0; }
  bool is_behind(int64_t output) const { return output * stride - pad + reach >= length; }
};

std::optional<Window> window_of(const Evidence& evidence, const char* axis, const char* kernel,
                                const char* length) {
  const auto of = [&](const std::string& name, double otherwise) {
    const auto found = evidence.params.find(name);
    return int64_t(found == evidence.params.end() ? otherwise : found->second);
  };
  if (!evidence.params.contains(kernel) || !evidence.params.contains(length)) return std::nullopt;
  return Window{of(std::string("stride_") + axis, 1), of(std::string("pad_") + axis, 0),
                (of(kernel, 1) - 1) * of(std::string("dilation_") + axis, 1), of(length, 1)};
}

// The number of an edge at which all outputs of the first image are right and most of the others
// are wrong; -1 if there is none. is_at(cell, edges) tells whether it lies at one of the edges.
template <class IsAt>
int right_at_first(const Field& field, const IsAt& is_at) {
  for (int edge = 0; edge < 4; ++edge) {
    int64_t in_first = 0, wrong_in_first = 0, later = 0, wrong_later = 0;
    for (int64_t i = 0; i < field.size(); ++i) {
      const Cell at = field.cell(i);
      if (!is_at(at, 1 << edge)) continue;
      (at.image == 0 ? in_first : later) += 1;
      (at.image == 0 ? wrong_in_first : wrong_later) += field.bad(i);
    }
    if (in_first > 0 && wrong_in_first == 0 && 2 * wrong_later > later) return edge;
  }
  return -1;
}

}  // namespace

std::string beyond_edges(const Field& field) {
  const Evidence& evidence = field.evidence();
  const bool is_window_op = evidence.op.find("forward") != std::string::npos ||
                            evidence.op.starts_with("conv2d_") ||
                            evidence.op.find("pool") != std::string::npos;
  const bool is_of_outputs = evidence.got.name == "y" && evidence.got.dims.size() == 4;
  const Comparison& seen = evidence.comparison;
  // (What "same" padding comes to is not among the parameters.)
  const bool has_pads = evidence.op.find("_same_") == std::string::npos;
  if (!has_pads || !is_window_op || !is_of_outputs || !field.is_padded() || seen.unwritten > 0)
    return "";
  const auto rows = window_of(evidence, "h", "kh", "h"),
             columns = window_of(evidence, "w", "kw", "w");
  if (!rows || !columns) return "";
  const std::pair<const char*, int> kEdges[] = {{"the upper", 1},
                                                {"the lower", 2},
                                                {"the left", 4},
                                                {"the right", 8},
                                                {"the upper or the left", 5},
                                                {"the lower or the right", 10},
                                                {"the upper or the lower", 3},
                                                {"the left or the right", 12}};
  for (const auto& [name, edges] : kEdges) {
    const auto is_at = [&](const Cell& at, int of_edges) {
      return ((of_edges & 1) && rows->is_before(at.row)) ||
             ((of_edges & 2) && rows->is_behind(at.row)) ||
             ((of_edges & 4) && columns->is_before(at.column)) ||
             ((of_edges & 8) && columns->is_behind(at.column));
    };
    int64_t beyond = 0;
    bool holds_all = true;
    for (int64_t i = 0; i < field.size() && holds_all; ++i) {
      const bool is_beyond = is_at(field.cell(i), edges);
      beyond += is_beyond;
      holds_all = is_beyond || !field.bad(i);
    }
    // Few right ones among them, and as many others that are right.
    if (!holds_all || 2 * seen.wrong < beyond || 4 * beyond > 3 * field.size()) continue;
    if (const int edge = right_at_first(field, is_at); edge >= 0) {
      return fmt::format(
          "Only windows that reach beyond an edge of x, into the padding, are wrong, and at {} "
          "edge those of the first image are right: is memory used again there, which holds older "
          "values where zeros belong? Set the padding to 0 each time.",
          kEdges[edge].first);
    }
    return fmt::format(
        "Only windows that reach beyond {} edge of x, into the padding, are wrong: is each place "
        "outside skipped by itself, and does the loop go on behind it? Where do the tests let a "
        "place pass?",
        name);
  }
  return "";
}

}  // namespace convkit
