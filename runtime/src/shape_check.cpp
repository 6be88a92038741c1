// SPDX-License-Identifier: MIT
#include "convkit/shape_check.h"

#include <initializer_list>
#include <limits>

#include "convkit/checked_size.h"

namespace convkit {
namespace {

struct Field {
  const char* name;
  int value;
};

std::string text_of(const Field& field) {
  return std::string(field.name) + " is " + std::to_string(field.value);
}

std::string check_at_least(int least, std::initializer_list<Field> fields) {
  for (const Field& field : fields) {
    if (field.value < least) {
      return text_of(field) + "; it must be at least " + std::to_string(least) + ".";
    }
  }
  return {};
}

// One axis of the input with its kernel. In 64 bits: none of these sums of ints overflows there.
std::string check_axis(Field size, Field kernel, Field pad, int dilation) {
  const int64_t padded = int64_t{size.value} + 2 * int64_t{pad.value};
  const int64_t extent = int64_t{dilation} * (kernel.value - 1) + 1;
  if (padded > std::numeric_limits<int>::max()) {
    return text_of(pad) + "; the padded input would be too large for an int.";
  }
  if (extent > padded) {
    return text_of(kernel) + "; with its dilation the kernel spans " + std::to_string(extent) +
           ", more than the padded input's " + std::to_string(padded) + ".";
  }
  return {};
}

// The largest tensor element is 8 bytes (float64 references and magnitudes).
std::string check_bytes(const char* tensor, std::initializer_list<int64_t> dims) {
  const auto count = checked_product(dims);
  if (count && checked_product({*count, 8})) return {};
  return std::string("The size of ") + tensor + " in bytes overflows 64 bits.";
}

std::string first_of(std::initializer_list<std::string> complaints) {
  for (const std::string& complaint : complaints) {
    if (!complaint.empty()) return complaint;
  }
  return {};
}

}  // namespace

std::string check_shape(const Conv2dShape& s) {
  // In stages: later checks compute with what earlier ones have found sound.
  std::string complaint = first_of({check_at_least(1, {{"n", s.n},
                                                       {"c", s.c},
                                                       {"h", s.h},
                                                       {"w", s.w},
                                                       {"m", s.m},
                                                       {"kh", s.kh},
                                                       {"kw", s.kw},
                                                       {"stride_h", s.stride_h},
                                                       {"stride_w", s.stride_w},
                                                       {"dilation_h", s.dilation_h},
                                                       {"dilation_w", s.dilation_w},
                                                       {"groups", s.groups}}),
                                    check_at_least(0, {{"pad_h", s.pad_h}, {"pad_w", s.pad_w}})});
  if (!complaint.empty()) return complaint;
  for (const Field& field : {Field{"c", s.c}, Field{"m", s.m}}) {
    if (field.value % s.groups != 0) {
      return text_of({"groups", s.groups}) + "; it must divide " + field.name + ", which is " +
             std::to_string(field.value) + ".";
    }
  }
  complaint = first_of({check_axis({"h", s.h}, {"kh", s.kh}, {"pad_h", s.pad_h}, s.dilation_h),
                        check_axis({"w", s.w}, {"kw", s.kw}, {"pad_w", s.pad_w}, s.dilation_w)});
  if (!complaint.empty()) return complaint;
  return first_of({check_bytes("x", {s.n, s.c, s.h, s.w}),
                   check_bytes("w", {s.m, s.c / s.groups, s.kh, s.kw}),
                   check_bytes("y", {s.n, s.m, s.oh(), s.ow()})});
}

std::string check_shape(const Pool2dShape& s) {
  std::string complaint = first_of({check_at_least(1, {{"n", s.n},
                                                       {"c", s.c},
                                                       {"h", s.h},
                                                       {"w", s.w},
                                                       {"kh", s.kh},
                                                       {"kw", s.kw},
                                                       {"stride_h", s.stride_h},
                                                       {"stride_w", s.stride_w}}),
                                    check_at_least(0, {{"pad_h", s.pad_h}, {"pad_w", s.pad_w}})});
  if (!complaint.empty()) return complaint;
  for (const auto& [pad, kernel] : {std::pair{Field{"pad_h", s.pad_h}, Field{"kh", s.kh}},
                                    std::pair{Field{"pad_w", s.pad_w}, Field{"kw", s.kw}}}) {
    if (pad.value >= kernel.value) {
      return text_of(pad) + " and " + text_of(kernel) +
             "; a pad this large gives windows that hold no input.";
    }
  }
  complaint = first_of({check_axis({"h", s.h}, {"kh", s.kh}, {"pad_h", s.pad_h}, 1),
                        check_axis({"w", s.w}, {"kw", s.kw}, {"pad_w", s.pad_w}, 1)});
  if (!complaint.empty()) return complaint;
  return first_of(
      {check_bytes("x", {s.n, s.c, s.h, s.w}), check_bytes("y", {s.n, s.c, s.oh(), s.ow()})});
}

}  // namespace convkit
