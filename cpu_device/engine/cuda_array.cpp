// SPDX-License-Identifier: MIT
#include "cpu_device/engine/cuda_array.h"

#include <memory>
#include <mutex>
#include <set>

#include "cpu_device/engine/refusal.h"

namespace convkit::simt {
namespace {

struct ByAddress {
  using is_transparent = void;
  static const void* address(const void* handle) { return handle; }
  static const void* address(const std::unique_ptr<cudaArray>& array) { return array.get(); }
  template <class A, class B>
  bool operator()(const A& a, const B& b) const {
    return std::less<>()(address(a), address(b));
  }
};

// Never destroyed, as memory is not.
struct Arrays {
  std::mutex mutex;
  std::set<std::unique_ptr<cudaArray>, ByAddress> all;
};
Arrays& arrays() {
  static auto* const the_arrays = new Arrays;
  return *the_arrays;
}

}  // namespace

size_t texel_bytes(const cudaChannelFormatDesc& format) {
  const int bits = format.x;
  const bool one = format.y == 0 && format.z == 0 && format.w == 0;
  const bool two = format.y == bits && format.z == 0 && format.w == 0;
  const bool four = format.y == bits && format.z == bits && format.w == bits;
  const bool is_float = format.f == cudaChannelFormatKindFloat;
  const bool is_kind = is_float || format.f == cudaChannelFormatKindSigned ||
                       format.f == cudaChannelFormatKindUnsigned;
  if (!is_kind || !(one || two || four)) return 0;
  if (bits != 32 && bits != 16 && (bits != 8 || is_float)) return 0;
  return static_cast<size_t>(bits / 8 * (one ? 1 : two ? 2 : 4));
}

std::string format_text(const cudaChannelFormatDesc& format) {
  constexpr const char* kKinds[] = {"signed", "unsigned", "float", "no format"};
  const auto kind = static_cast<unsigned>(format.f);
  return said(format.x, ", ", format.y, ", ", format.z, ", ", format.w, " bits, ",
              kind < 4 ? kKinds[kind] : "an unknown kind");
}

cudaArray_t add_array(const cudaArray& array) {
  const std::lock_guard lock(arrays().mutex);
  return arrays().all.insert(std::make_unique<cudaArray>(array)).first->get();
}

bool is_array(const void* handle) {
  const std::lock_guard lock(arrays().mutex);
  return arrays().all.find(handle) != arrays().all.end();
}

std::string array_fault(const char* argument, cudaArray_const_t array) {
  if (!array) return said(argument, " is null");
  if (!is_array(array)) return said(argument, " is not an array of cudaMallocArray()");
  if (array->freed) return said(argument, " is an array that has been freed");
  return "";
}

std::string extent_text(const cudaExtent& extent) {
  std::string text = std::to_string(extent.width);
  if (extent.height != 0) text += " x " + std::to_string(extent.height);
  if (extent.depth != 0) text += " x " + std::to_string(extent.depth);
  return text + " texels";
}

}  // namespace convkit::simt
