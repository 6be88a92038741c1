// SPDX-License-Identifier: MIT
#include "cpu_device/dnn/arguments.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace convkit::simt::dnn {
namespace {

struct Axis {
  int64_t size, stride;
};

// The axes from the one with the smallest distance on; those that lie together are one.
struct Axes {
  std::array<Axis, CUDNN_DIM_MAX> all{};
  int count = 0;
};

Axes joined(const cudnnTensorStruct& tensor) {
  std::array<Axis, CUDNN_DIM_MAX> sorted{};
  int count = 0;
  for (int i = 0; i < tensor.dims; ++i) {
    if (tensor.size[i] == 1) continue;
    const Axis axis{tensor.size[i], std::abs(int64_t{tensor.stride[i]})};
    auto place = static_cast<size_t>(count++);
    for (; place > 0 && sorted[place - 1].stride > axis.stride; --place) {
      sorted[place] = sorted[place - 1];
    }
    sorted[place] = axis;
  }
  Axes axes;
  for (int i = 0; i < count; ++i) {
    const Axis& axis = sorted[static_cast<size_t>(i)];
    if (axes.count > 0) {
      Axis& last = axes.all[static_cast<size_t>(axes.count - 1)];
      if (axis.stride == last.size * last.stride) {
        last.size *= axis.size;
        continue;
      }
    }
    axes.all[static_cast<size_t>(axes.count++)] = axis;
  }
  return axes;
}

Operand operand_of(const char* argument, const void* begin, size_t bytes, const Axes& axes,
                   Use use) {
  Operand operand;
  operand.argument = argument;
  operand.begin = begin;
  operand.element_bytes = bytes;
  operand.reads = use != Use::write;
  operand.writes = use != Use::read;
  int next = 0;
  const auto more = [&] { return next < axes.count; };
  const auto take_axis = [&]() -> const Axis& { return axes.all[static_cast<size_t>(next++)]; };
  if (more() && axes.all[0].stride == 1) operand.rows = take_axis().size;
  operand.ld = operand.rows;
  if (more()) {
    const Axis& axis = take_axis();
    operand.columns = axis.size;
    operand.ld = axis.stride;
  }
  if (more()) {
    const Axis& axis = take_axis();
    operand.batches = axis.size;
    operand.batch_stride = axis.stride;
  }
  return operand;
}

// An operand has three axes; the elements along the first one are neighbours in memory.
bool is_one_operand(const Axes& axes) {
  const int most = axes.count > 0 && axes.all[0].stride == 1 ? 3 : 2;
  return axes.count <= most;
}

// More axes are gone through.
bool may_use_axes(const LibraryCall& call, const char* argument, const unsigned char* begin,
                  size_t bytes, Axes axes, Use use) {
  if (is_one_operand(axes)) {
    return simt::may_use(call, operand_of(argument, begin, bytes, axes, use));
  }
  const Axis outer = axes.all[static_cast<size_t>(--axes.count)];
  for (int64_t i = 0; i < outer.size; ++i) {
    const int64_t way = i * outer.stride * static_cast<int64_t>(bytes);
    if (!may_use_axes(call, argument, begin + way, bytes, axes, use)) return false;
  }
  return true;
}

}  // namespace

bool take(const LibraryCall& call, const void* alpha, const void* beta, Factors& factors) {
  if (!is_read_on_host(call, "alpha", alpha) || !is_read_on_host(call, "beta", beta)) return false;
  factors = {*static_cast<const float*>(alpha), *static_cast<const float*>(beta)};
  return true;
}

bool is_read_on_host(const LibraryCall& call, const char* argument, const void* factor) {
  if (is_host_memory(call, argument, factor, ", which is read on the host")) return true;
  Refusal(call.name).with(CUDNN_STATUS_EXECUTION_FAILED,
                          said(argument, " is a device pointer, and is read on the host"));
  return false;
}

bool is_computed(const cudnnTensorStruct& tensor) {
  return (tensor.type == CUDNN_DATA_FLOAT || tensor.type == CUDNN_DATA_HALF) &&
         std::all_of(tensor.stride, tensor.stride + tensor.dims,
                     [](int each) { return each >= 0; });
}

bool may_use(const LibraryCall& call, const char* argument, const void* begin,
             const cudnnTensorStruct& tensor, Use use) {
  return may_use_axes(call, argument, static_cast<const unsigned char*>(begin),
                      element_bytes(tensor.type), joined(tensor), use);
}

void expect_apart(const LibraryCall& call, const TensorUse& result,
                  std::initializer_list<TensorUse> sources) {
  const auto operand = [](const TensorUse& used, Use use) {
    const Axes axes = joined(used.tensor);
    const size_t bytes = element_bytes(used.tensor.type);
    return is_one_operand(axes) ? operand_of(used.argument, used.begin, bytes, axes, use)
                                : Operand{};
  };
  for (const TensorUse& source : sources) {
    const Operand read = operand(source, Use::read), written = operand(result, Use::write);
    if (read.begin && written.begin) simt::expect_apart(call, {written, read});
  }
}

bool may_use_bytes(const LibraryCall& call, const char* argument, const void* begin, size_t bytes,
                   Use use) {
  Operand operand;
  operand.argument = argument;
  operand.begin = begin;
  operand.rows = operand.ld = static_cast<int64_t>(bytes);
  operand.reads = use != Use::write;
  operand.writes = use != Use::read;
  return simt::may_use(call, operand);
}

cudnnTensorStruct as_tensor(const cudnnFilterStruct& filter) {
  cudnnTensorStruct tensor;
  tensor.type = filter.type;
  tensor.dims = filter.dims;
  int64_t stride[CUDNN_DIM_MAX];
  packed_strides(filter.format, filter.dims, filter.size, stride);
  for (int i = 0; i < filter.dims; ++i) {
    tensor.size[i] = filter.size[i];
    tensor.stride[i] = static_cast<int>(stride[i]);
  }
  return tensor;
}

bool same_sizes(const cudnnTensorStruct& one, const cudnnTensorStruct& other) {
  return one.dims == other.dims && std::equal(one.size, one.size + one.dims, other.size);
}

}  // namespace convkit::simt::dnn
