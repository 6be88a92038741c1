// SPDX-License-Identifier: MIT
// Walks through several tensors together, a row at a time. Axes that lie together in all of them
// are one, so a row is as long as the layouts allow: of packed tensors it is all they hold.
#pragma once

#include <algorithm>
#include <array>

#include "cpu_device/dnn/arguments.h"

namespace convkit::simt::dnn {

// The sizes are the first tensor's. If another tensor has size 1 along an axis, its element is used
// for all.
template <size_t kTensors>
class Rows {
 public:
  using Places = std::array<int64_t, kTensors>;

  explicit Rows(const std::array<const cudnnTensorStruct*, kTensors>& tensors) {
    const cudnnTensorStruct& lead = *tensors[0];
    for (int i = 0; i < lead.dims; ++i) {
      Axis axis{lead.size[i], {}};
      if (axis.size == 1) continue;
      for (size_t t = 0; t < kTensors; ++t) {
        axis.step[t] = tensors[t]->size[i] == 1 ? 0 : tensors[t]->stride[i];
      }
      auto place = count_++;
      for (; place > 0 && axes_[place - 1].step[0] > axis.step[0]; --place) {
        axes_[place] = axes_[place - 1];
      }
      axes_[place] = axis;
    }
    join();
  }

  // visit(places, steps, count): `count` elements of each tensor from its place on.
  template <class Visit>
  void visit(const Visit& visit) const {
    std::array<int64_t, CUDNN_DIM_MAX> position{};
    Places places{};
    const Axis row = count_ > 0 ? axes_[0] : Axis{1, {}};
    for (;;) {
      visit(places, row.step, row.size);
      size_t i = 1;
      for (; i < count_; ++i) {
        const Axis& axis = axes_[i];
        move(places, axis.step, 1);
        if (++position[i] < axis.size) break;
        move(places, axis.step, -axis.size);
        position[i] = 0;
      }
      if (i >= count_) return;
    }
  }

 private:
  struct Axis {
    int64_t size = 1;
    Places step{};
  };

  static void move(Places& places, const Places& step, int64_t times) {
    for (size_t t = 0; t < kTensors; ++t) places[t] += step[t] * times;
  }

  void join() {
    size_t kept = 0;
    for (size_t i = 0; i < count_; ++i) {
      if (kept > 0 && continues(axes_[kept - 1], axes_[i])) {
        axes_[kept - 1].size *= axes_[i].size;
      } else {
        axes_[kept++] = axes_[i];
      }
    }
    count_ = kept;
  }

  static bool continues(const Axis& inner, const Axis& outer) {
    for (size_t t = 0; t < kTensors; ++t) {
      if (outer.step[t] != inner.size * inner.step[t]) return false;
    }
    return true;
  }

  std::array<Axis, CUDNN_DIM_MAX> axes_{};  // the one with the smallest steps in the lead first
  size_t count_ = 0;
};

template <class... Tensor>
Rows<sizeof...(Tensor)> rows_of(const Tensor&... tensors) {
  return Rows<sizeof...(Tensor)>({&tensors...});
}

// Calls run(step_of), where step_of(tensor) is its step. Steps of 1 are known to the compiler.
template <size_t kTensors, class Run>
void with_steps(const std::array<int64_t, kTensors>& step, const Run& run) {
  if (std::count(step.begin(), step.end(), 1) == static_cast<int64_t>(kTensors)) {
    run([](size_t) { return int64_t{1}; });
  } else if (kTensors == 2 && step[0] == 1 && step[1] == 0) {
    run([](size_t t) { return int64_t{t == 0}; });
  } else {
    run([&](size_t t) { return step[t]; });
  }
}

// The places of the i-th element of a row.
template <size_t kTensors, class StepOf>
std::array<int64_t, kTensors> moved(const std::array<int64_t, kTensors>& begin,
                                    const StepOf& step_of, int64_t i) {
  std::array<int64_t, kTensors> at{};
  for (size_t t = 0; t < kTensors; ++t) at[t] = begin[t] + i * step_of(t);
  return at;
}

// Calls each(places) for the elements of a row.
template <size_t kTensors, class Each>
void for_row(const std::array<int64_t, kTensors>& begin, const std::array<int64_t, kTensors>& step,
             int64_t count, const Each& each) {
  with_steps(step, [&](const auto& step_of) {
    for (int64_t i = 0; i < count; ++i) each(moved(begin, step_of, i));
  });
}

// result = alpha * value(places) + beta * result; the result is the first of the tensors.
template <size_t kTensors, class Value>
void blend_rows(const Rows<kTensors>& rows, Factors factors, float* result, const Value& value) {
  using Places = std::array<int64_t, kTensors>;
  const float alpha = factors.alpha, beta = factors.beta;
  rows.visit([&](const Places& begin, const Places& step, int64_t count) {
    if (beta == 0) {
      for_row(begin, step, count, [&](const Places& at) { result[at[0]] = alpha * value(at); });
    } else {
      for_row(begin, step, count,
              [&](const Places& at) { result[at[0]] = alpha * value(at) + beta * result[at[0]]; });
    }
  });
}

}  // namespace convkit::simt::dnn
