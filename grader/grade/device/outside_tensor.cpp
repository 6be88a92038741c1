// SPDX-License-Identifier: MIT
#include "grade/device/outside_tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grade/across_cases.h"

namespace convkit {
namespace {

struct SeenAccess {
  enum class Kind { reads, writes, writes_twice } kind;
  std::string memory;  // "x", "allocation 4"
  std::optional<int64_t> elements, index;
};

struct FailedCall {
  CaseResult* result;
  const Params* params;
  std::optional<SeenAccess> access;
  std::vector<TensorSpec> inputs, outputs;

  const TensorSpec* tensor(std::string_view name) const {
    for (const auto* tensors : {&inputs, &outputs}) {
      const auto found = std::ranges::find(*tensors, name, &TensorSpec::name);
      if (found != tensors->end()) return &*found;
    }
    return nullptr;
  }
};

struct FailedCalls {
  std::vector<FailedCall> failed;
  std::vector<const Params*> passed;

  // Those whose report names an access.
  std::vector<const FailedCall*> with_access() const {
    std::vector<const FailedCall*> found;
    for (const FailedCall& one : failed) {
      if (one.access) found.push_back(&one);
    }
    return found;
  }
};

struct AccessCause {
  std::function<std::string(const FailedCall&)> sentence;
  std::string hint;
};

std::function<std::string(const FailedCall&)> in_all_cases(std::string sentence) {
  return [sentence = std::move(sentence)](const FailedCall&) { return sentence; };
}

// --- what a report says ------------------------------------------------------------------------

std::optional<int64_t> number_at(std::string_view text, size_t at) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
  return error == std::errc() ? std::optional(number) : std::nullopt;
}

std::optional<int64_t> number_after(std::string_view text, std::string_view before) {
  const size_t at = text.find(before);
  return at == std::string_view::npos ? std::nullopt : number_at(text, at + before.size());
}

// "`x`" or "allocation 4", at the beginning.
std::string memory_in(std::string_view text) {
  if (text.starts_with('`')) return std::string(text.substr(1, text.find('`', 1) - 1));
  return std::string(text.substr(0, std::min(text.find(" ("), text.size())));
}

// "... reads 4 bytes at a.cu:5, 4 bytes before the beginning of `x` (2 x 3, 24 bytes): as elements
// of 4 bytes, it has 6, and this is index -1", and "f read before the beginning of `x` (at element
// -2)" of a program without a device.
std::optional<SeenAccess> outside_in(std::string_view text) {
  for (const std::string_view where : {"before the beginning of ", "past the end of "}) {
    const size_t at = text.find(where);
    if (at == std::string_view::npos) continue;
    const std::string_view before = text.substr(0, at), rest = text.substr(at + where.size());
    const bool reads =
        before.find(" reads ") != std::string_view::npos || before.ends_with(" read ");
    SeenAccess access{
        reads ? SeenAccess::Kind::reads : SeenAccess::Kind::writes, memory_in(rest), {}, {}};
    access.index = number_after(rest, "and this is index ");
    if (access.index) {
      access.elements = number_after(rest, ", it has ");
    } else {
      access.index = number_after(rest, "(at element ");
    }
    return access;
  }
  return std::nullopt;
}

// "... both write y[0,4,0,0] (`y` is 2 x 8 x 5 x 6)"
std::optional<SeenAccess> twice_in(std::string_view text, const FailedCall& of) {
  constexpr std::string_view kWrite = " both write ";
  const size_t at = text.find(kWrite);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(at + kWrite.size());
  const size_t open = rest.find('[');
  if (open == std::string_view::npos) return std::nullopt;
  const TensorSpec* tensor = of.tensor(rest.substr(0, open));
  if (!tensor) return std::nullopt;
  int64_t index = 0;
  size_t next = open;
  for (const int64_t dim : tensor->dims) {
    const auto coordinate = next < rest.size() ? number_at(rest, next + 1) : std::nullopt;
    if (!coordinate) return std::nullopt;
    index = index * dim + *coordinate;
    next = rest.find_first_of(",]", next + 1);
  }
  return SeenAccess{SeenAccess::Kind::writes_twice, tensor->name, {}, index};
}

// --- sizes -------------------------------------------------------------------------------------

int64_t element_count(const TensorSpec& tensor) {
  int64_t all = 1;
  for (const int64_t dim : tensor.dims) all *= dim;
  return all;
}

// --- no test of the border ---------------------------------------------------------------------

// What is not tested.
struct Border {
  bool row, column;
  bool is_far = false;  // behind the last row or column, not before the first

  // Whether a window of the case reaches there.
  bool matters(const Params& params) const {
    const auto reaches = [&](char axis) {
      const auto windows = windows_of(params, axis);
      if (!windows) return false;
      return is_far ? windows->last() >= windows->extent : windows->pad > 0;
    };
    return (row && reaches('h')) || (column && reaches('w'));
  }
  std::string what() const { return row && column ? "row and column" : row ? "row" : "column"; }
  std::string cases() const {
    return row && column ? "padding" : row ? "pad_h above 0" : "pad_w above 0";
  }
};

// Row and column of an element of the first image's plane that is not there.
struct RowAndColumn {
  int64_t row, column;
};

// Likewise, of the last image, where only one of the two is not tested.
std::optional<RowAndColumn> first_behind(const Border& border, const TensorSpec& x, int64_t index,
                                         const Windows& rows, const Windows& columns) {
  const int64_t behind = index - element_count(x), h = rows.extent, w = columns.extent;
  if (behind < 0) return std::nullopt;
  const int64_t row = border.column ? h - 1 : h + behind / w;
  const int64_t column = border.column ? w + behind : behind % w;
  const bool fits = rows.reach(row) && columns.reach(column);
  return fits ? std::optional(RowAndColumn{row, column}) : std::nullopt;
}

// Where the first access outside of the tensor lies if only this is not tested.
std::optional<RowAndColumn> first_outside(const Border& border, const FailedCall& failure) {
  const TensorSpec* x = failure.tensor("x");
  const auto rows = windows_of(*failure.params, 'h'), columns = windows_of(*failure.params, 'w');
  const SeenAccess& access = *failure.access;
  if (!x || !rows || !columns || access.memory != "x" || x->dims.size() != 4) return std::nullopt;
  if (access.kind != SeenAccess::Kind::reads || !access.index) return std::nullopt;
  if (border.is_far) return first_behind(border, *x, *access.index, *rows, *columns);
  if (*access.index >= 0) return std::nullopt;
  const int64_t index = *access.index, w = columns->extent;
  if (border.row && border.column) {
    const bool fits = index == -rows->pad * w - columns->pad && rows->pad > 0;
    return fits ? std::optional(RowAndColumn{-rows->pad, -columns->pad}) : std::nullopt;
  }
  if (border.column) {
    const bool fits = index >= -columns->pad && columns->reach(index) && rows->reach(0);
    return fits ? std::optional(RowAndColumn{0, index}) : std::nullopt;
  }
  const int64_t row = -((-index + w - 1) / w), column = index - row * w;
  // Columns from 0 on: the first are read first.
  const bool is_early = column <= (columns->kernel - 1) * columns->dilation;
  const bool fits = is_early && rows->reach(row) && columns->reach(column);
  return fits ? std::optional(RowAndColumn{row, column}) : std::nullopt;
}

double share_of_choices(size_t all, size_t with, size_t chosen) {
  double share = 1;
  for (size_t i = 0; i < chosen; ++i) {
    share *= double(with - std::min(with, i)) / double(all - std::min(all - 1, i));
  }
  return share;
}

// The cases with padding that fail are those of one kind, and there is code of its own for them.
std::string own_code(const Border& border, const FailedCalls& of,
                     const std::vector<const Params*>& padded) {
  const std::string beside = border.row ? "pad_w" : "pad_h", own = border.row ? "pad_h" : "pad_w";
  const auto has_none = [&](const Params* params) { return size_in(*params, beside, 0) == 0; };
  std::vector<const Params*> failed;
  for (const FailedCall& one : of.failed) failed.push_back(one.params);
  constexpr double kAccident = 0.25;
  if (border.row != border.column && std::ranges::all_of(failed, has_none)) {
    const size_t without = size_t(std::ranges::count_if(padded, has_none));
    const double accident =
        share_of_choices(failed.size() + padded.size(), failed.size() + without, failed.size());
    if (accident <= kAccident) {
      return fmt::format(
          " {} with {} above 0 and {} above 0, too, {}: in cases without {} other code runs, which "
          "has no test of the border. Choose it only where both are 0.",
          padded.size() - without == 1 ? "The case" : "Cases", own, beside,
          padded.size() - without == 1 ? "passes" : "pass", beside);
    }
  }
  const std::string condition = condition_of_failure(failed, padded);
  if (condition.empty()) return "";
  return fmt::format(
      " Of the {} cases with {}, exactly those {} fail in which {}: is there code of its own for "
      "them?",
      failed.size() + padded.size(), border.cases(), failed.size(), condition);
}

bool explains_all(const Border& border, const FailedCalls& of) {
  return std::ranges::all_of(of.failed, [&](const FailedCall& one) {
    if (!border.matters(*one.params)) return false;
    return !one.access || first_outside(border, one).has_value();
  });
}

std::vector<const Params*> passed_beyond(const Border& border, const FailedCalls& of) {
  std::vector<const Params*> padded;
  std::ranges::copy_if(of.passed, std::back_inserter(padded),
                       [&](const Params* params) { return border.matters(*params); });
  return padded;
}

AccessCause cause_of(const Border& border, std::string beyond) {
  const auto sentence = [border, beyond = std::move(beyond)](const FailedCall& one) {
    const RowAndColumn at = *first_outside(border, one);
    return fmt::format(
        "Probably: Nothing tests whether the {} of x {} {}. This is row {}, column "
        "{} of the {} image, in the padding.{}",
        border.what(), border.row && border.column ? "are" : "is",
        !border.is_far ? "below 0"
        : border.row   ? "below h"
                       : "below w",
        at.row, at.column, border.is_far ? "last" : "first", beyond);
  };
  return {sentence,
          "Output (i, j) reads row i * stride_h - pad_h + p * dilation_h and column j * stride_w - "
          "pad_w + q * dilation_w of x for kernel element (p, q); only 0 <= row < h and 0 <= "
          "column < w."};
}

std::string all_fail(const Border& border, const FailedCalls& of) {
  if (of.failed.size() < 2) return "";
  const std::string cases =
      border.is_far ? fmt::format("whose windows reach behind the last {}", border.what())
                    : "with " + border.cases();
  return fmt::format(" All {} cases {} fail, and the {} others pass.", of.failed.size(), cases,
                     of.passed.size());
}

std::optional<AccessCause> untested_border(const FailedCalls& of) {
  for (const Border border : {Border{false, true}, Border{true, true}, Border{true, false}}) {
    if (!explains_all(border, of)) continue;
    const std::vector<const Params*> padded = passed_beyond(border, of);
    if (padded.empty()) return cause_of(border, all_fail(border, of));
    std::string own = own_code(border, of, padded);
    if (!own.empty()) return cause_of(border, std::move(own));
  }
  // An element behind the last may be the next in its row, or in its column.
  std::vector<Border> far = {{false, true, true}, {true, false, true}};
  std::erase_if(far, [&](const Border& border) {
    return !explains_all(border, of) || !passed_beyond(border, of).empty();
  });
  if (far.size() != 1) return std::nullopt;
  return cause_of(far[0], all_fail(far[0], of));
}

// --- rows beyond the last ----------------------------------------------------------------------

// What is stored below the last row of a map lies in the next map's first rows.
std::optional<AccessCause> rows_beyond(const FailedCalls& of) {
  constexpr size_t kFewest = 3;
  constexpr int64_t kMostMaps = 8;  // of a thread or a block, where maps go beyond the last
  size_t past_end = 0, in_next_map = 0;
  bool maps_are_full = false;
  const SeenAccess* first = nullptr;
  for (const FailedCall& one : of.failed) {
    const TensorSpec* y = one.access ? one.tensor(one.access->memory) : nullptr;
    const bool is_output =
        y && std::ranges::find(one.outputs, y->name, &TensorSpec::name) != one.outputs.end();
    if (!is_output || y->dims.size() != 4 || !one.access->index) return std::nullopt;
    if (one.access->kind == SeenAccess::Kind::reads) return std::nullopt;
    const int64_t maps = y->dims[1], rows = y->dims[2], plane = rows * y->dims[3];
    const int64_t index = *one.access->index, all = y->dims[0] * maps * plane;
    if (index == all) {
      ++past_end;
      continue;
    }
    const bool is_first_of_map = index > 0 && index < all && index % plane == 0;
    if (!is_first_of_map || rows < 2 || index / plane % maps == 0) return std::nullopt;
    ++in_next_map;
    maps_are_full |= maps % kMostMaps == 0;
    if (!first) first = &*one.access;
  }
  if (past_end == 0 || in_next_map == 0 || !maps_are_full || past_end + in_next_map < kFewest) {
    return std::nullopt;
  }
  return AccessCause{
      in_all_cases(
          fmt::format("Probably: A row below the last one is stored, too: row oh of a map lies "
                      "where row 0 of the next map does, and behind the end of {} after the "
                      "last map.",
                      first->memory)),
      "A thread that computes several rows tests each of them: only i < oh is stored."};
}

// --- an array of the wrong size ----------------------------------------------------------------

using Product = std::pair<std::string, std::string>;

int64_t value_of(const Product& product, const Params& params) {
  return size_in(params, product.first, 0) * size_in(params, product.second, 0);
}

// All products of two sizes, in the order of the names.
std::vector<Product> products_of(const Params& params) {
  std::vector<Product> products;
  for (auto a = params.begin(); a != params.end(); ++a) {
    for (auto b = std::next(a); b != params.end(); ++b) {
      if (a->second.integer && b->second.integer) products.emplace_back(b->first, a->first);
    }
  }
  return products;
}

// An allocation for the output has another product's size: where it is larger, the copy back goes
// beyond the output.
std::optional<AccessCause> sized_by_another_product(const FailedCalls& of) {
  const std::vector<const FailedCall*> seen = of.with_access();
  if (seen.size() < of.failed.size() || of.failed[0].outputs.size() != 1) return std::nullopt;
  const std::string output = of.failed[0].outputs[0].name;
  std::vector<Product> needed, given;
  const auto keep = [](std::vector<Product>& products, const auto& holds) {
    std::erase_if(products, [&](const Product& product) { return !holds(product); });
  };
  needed = given = products_of(*of.failed[0].params);
  size_t allocations = 0;
  for (const FailedCall* one : seen) {
    const SeenAccess& access = *one->access;
    const bool of_allocation = access.memory.starts_with("allocation ");
    const bool fits = access.kind == SeenAccess::Kind::writes && one->outputs.size() == 1 &&
                      (of_allocation ? access.elements.has_value() : access.memory == output);
    if (!fits) return std::nullopt;
    const int64_t all = element_count(one->outputs[0]);
    keep(needed, [&](const Product& p) { return value_of(p, *one->params) == all; });
    keep(given, [&](const Product& p) {
      const int64_t size = value_of(p, *one->params);
      return of_allocation ? size == *access.elements && size < all : size > all;
    });
    allocations += of_allocation ? 1 : 0;
  }
  if (needed.size() != 1 || allocations == 0) return std::nullopt;
  keep(given, [&](const Product& p) {  // too small an array would show
    return std::ranges::all_of(of.passed, [&](const Params* params) {
      return value_of(p, *params) >= value_of(needed[0], *params);
    });
  });
  if (given.size() != 1 || seen.size() < 2) return std::nullopt;
  return AccessCause{
      in_all_cases(
          fmt::format("Probably: The array for {} on the device has {} * {} elements; it needs "
                      "{} * {}.",
                      output, given[0].first, given[0].second, needed[0].first, needed[0].second)),
      "Compare the sizes that each allocation and each copy is given with the shapes of "
      "the arrays."};
}

// --- parts behind one another ------------------------------------------------------------------

std::optional<AccessCause> parts_behind_the_first(const FailedCalls& of) {
  constexpr const char* kMemory = "workspace";
  const auto has_parts = [](const Params& params) {
    const int64_t at_once = size_in(params, "workspace_images", 0);
    return at_once > 0 && size_in(params, "n", 0) > at_once;
  };
  for (const FailedCall& one : of.failed) {
    if (!has_parts(*one.params) || !one.access || one.access->memory != kMemory) {
      return std::nullopt;
    }
    if (one.access->kind != SeenAccess::Kind::writes || !one.access->index ||
        !one.access->elements) {
      return std::nullopt;
    }
    if (*one.access->index < *one.access->elements) return std::nullopt;
  }
  if (of.failed.size() < 2 || of.passed.empty()) return std::nullopt;
  if (std::ranges::any_of(of.passed, [&](const Params* one) { return has_parts(*one); })) {
    return std::nullopt;
  }
  return AccessCause{
      in_all_cases(
          fmt::format("Probably: The second part of the images is written behind the first: "
                      "exactly the {} cases fail in which not all images fit into the "
                      "workspace at once.",
                      of.failed.size())),
      "Every part uses the workspace from its beginning again: only the places in the "
      "input and the output advance from part to part."};
}

std::vector<TensorSpec> tensors_of(Case& one, bool inputs) {
  const auto trial = one.trial(0);
  return inputs ? trial->inputs() : trial->outputs();
}

}  // namespace

void explain_accesses(std::span<const std::unique_ptr<Case>> cases, std::span<CaseResult> results) {
  std::map<std::string_view, FailedCalls> of_function;
  std::set<std::string_view> unclear;
  for (size_t i = 0; i < results.size(); ++i) {
    CaseResult& one = results[i];
    if (one.hidden || !cases[i]->own_params()) continue;
    FailedCalls& failures = of_function[one.op];
    if (one.status == Status::pass) {
      failures.passed.push_back(cases[i]->own_params());
    } else if (has_failed(one.status)) {
      failures.failed.push_back({&one, cases[i]->own_params(), {}, {}, {}});
    } else {
      unclear.insert(one.op);
    }
  }
  for (auto& [function, failures] : of_function) {
    if (failures.failed.empty() || unclear.contains(function)) continue;
    const auto may_name = [](const FailedCall& one) {
      return outside_in(one.result->message).has_value() ||
             one.result->message.find(" both write ") != std::string::npos;
    };
    if (std::ranges::none_of(failures.failed, may_name)) continue;
    for (size_t i = 0; i < results.size(); ++i) {
      for (FailedCall& one : failures.failed) {
        if (one.result != &results[i]) continue;
        one.inputs = tensors_of(*cases[i], true);
        one.outputs = tensors_of(*cases[i], false);
        const bool is_crash = one.result->by_device || one.result->status == Status::crashed;
        if (!is_crash) continue;
        one.access = outside_in(one.result->message);
        if (!one.access) one.access = twice_in(one.result->message, one);
      }
    }
    if (failures.with_access().empty()) continue;
    std::optional<AccessCause> cause;
    for (const auto find :
         {untested_border, rows_beyond, sized_by_another_product, parts_behind_the_first}) {
      if (!cause) cause = find(failures);
    }
    if (!cause) continue;
    for (FailedCall& one : failures.failed) {
      if (!one.access) continue;
      one.result->message += '\n' + cause->sentence(one);
      one.result->hint = cause->hint;
      one.result->explained = true;
    }
  }
}

}  // namespace convkit
