// SPDX-License-Identifier: MIT
// One pass of a convolution, by whoever does it best. oneDNN knows neither alpha and beta nor
// mirrored filters: they are applied before or after.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

#include "cpu_device/dnn/convolution.h"
#include "cpu_device/dnn/float_copies.h"
#include "cpu_device/dnn/onednn.h"
#include "cpu_device/dnn/places.h"
#include "cpu_device/dnn/rows.h"
#include "cpu_device/engine/library_call.h"

namespace convkit::simt::dnn {
namespace {

std::vector<float> room_for(const cudnnTensorStruct& tensor) {
  return std::vector<float>(static_cast<size_t>(extent(tensor)));
}

// The filter with its window turned around.
std::vector<float> mirrored(const float* w, const cudnnTensorStruct& tensor) {
  std::vector<float> result = room_for(tensor);
  for_each_place(tensor, [&](const int* position, int64_t place) {
    int64_t to = place;
    for (int axis = 2; axis < tensor.dims; ++axis) {
      to += int64_t{tensor.size[axis] - 1 - 2 * position[axis]} * tensor.stride[axis];
    }
    result[static_cast<size_t>(to)] = w[place];
  });
  return result;
}

// In milliseconds; 0 if there was none.
std::atomic<double> g_shortest = 0;

void note_time(double ms) {
  double known = g_shortest;
  while ((known == 0 || ms < known) && !g_shortest.compare_exchange_weak(known, ms)) {
  }
}

void blend_into(const std::vector<float>& computed, const cudnnTensorStruct& tensor,
                Factors factors, float* result) {
  blend_rows(rows_of(tensor), factors, result,
             [&](const auto& at) { return computed[static_cast<size_t>(at[0])]; });
}

bool compute_with_onednn(Pass pass, const Convolution& conv, Factors factors, const float* one,
                         const float* other, float* result) {
  OneDnnPlan* plan = onednn().plan(pass, conv);
  if (!plan) return false;
  const cudnnTensorStruct& to = tensors_of(pass, conv).result;
  const bool turns_result = conv.flipped && pass == Pass::filter;
  std::vector<float> filter, computed;
  if (conv.flipped && pass == Pass::forward) {
    filter = mirrored(other, conv.w_tensor);
    other = filter.data();
  }
  if (conv.flipped && pass == Pass::data) {
    filter = mirrored(one, conv.w_tensor);
    one = filter.data();
  }
  if (factors.alpha == 1 && factors.beta == 0 && !turns_result) {
    return onednn().run(plan, one, other, result);
  }
  computed = room_for(to);
  if (!onednn().run(plan, one, other, computed.data())) return false;
  if (turns_result) computed = mirrored(computed.data(), to);
  blend_into(computed, to, factors, result);
  return true;
}

}  // namespace

void compute(Pass pass, const Convolution& conv, Factors factors, const void* one,
             const void* other, void* result) {
  const auto start = std::chrono::steady_clock::now();
  const auto [one_tensor, other_tensor, result_tensor] = tensors_of(pass, conv);
  const FloatInput first(one, one_tensor), second(other, other_tensor);
  FloatResult to(result, result_tensor, factors.beta != 0);
  if (!compute_with_onednn(pass, conv, factors, first.data(), second.data(), to.data())) {
    compute_plainly(pass, conv, factors, first.data(), second.data(), to.data());
  }
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  if (pass == Pass::forward) note_time(std::max(taken.count(), 1e-9));
}

}  // namespace convkit::simt::dnn

// The milliseconds of the shortest forward convolution since the last call of this function, or 0
// if there was none: how long the library took at least. A time that a program measured around a
// convolution is never shorter, however busy the machine is. Programs that may run without the
// library look for it.
extern "C" CONVKIT_SIMT_EXPORT double convkit_simt_dnn_shortest_forward_ms();
extern "C" double convkit_simt_dnn_shortest_forward_ms() {
  return convkit::simt::dnn::g_shortest.exchange(0);
}
