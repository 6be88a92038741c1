// SPDX-License-Identifier: MIT
#include "cpu_device/dnn/onednn/plan.h"

namespace convkit::simt::dnn {
namespace {

using dnnl::memory;
using Dims = memory::dims;
constexpr auto kAlgorithm = dnnl::algorithm::convolution_direct;

struct Device {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
};

Device& device() {
  static auto* const cpu = new Device;
  return *cpu;
}

memory::desc with_strides(const Dims& size, const Dims& stride) {
  return {size, memory::data_type::f32, stride};
}

// If an axis has one element, its distance has no meaning and may be 0.
void add_axis(Dims& size, Dims& stride, int64_t elements, int64_t distance) {
  size.push_back(elements);
  stride.push_back(elements == 1 ? 1 : distance);
}

memory::desc given(const cudnnTensorStruct& tensor) {
  Dims size, stride;
  for (int i = 0; i < tensor.dims; ++i) add_axis(size, stride, tensor.size[i], tensor.stride[i]);
  return with_strides(size, stride);
}

// Groups are an axis of their own.
memory::desc given_filter(const Convolution& conv) {
  const cudnnTensorStruct& w = conv.w_tensor;
  if (conv.groups == 1) return given(w);
  Dims size, stride;
  add_axis(size, stride, conv.groups, int64_t{w.stride[0]} * conv.filters);
  add_axis(size, stride, conv.filters, w.stride[0]);
  for (int i = 1; i < w.dims; ++i) add_axis(size, stride, w.size[i], w.stride[i]);
  return with_strides(size, stride);
}

memory::desc any(const memory::desc& desc) {
#if DNNL_VERSION_MAJOR >= 3
  const Dims size = desc.get_dims();
#else
  const Dims size = desc.dims();
#endif
  return {size, memory::data_type::f32, memory::format_tag::any};
}

// oneDNN's own layouts are the faster way nearly always, reorders counted. Its kernels for the
// gradient of few channels compute as many as fit a vector: that one is left as it lies. (Which is
// faster is not measured: the same program gives the same bits in every run.)
OneDnnShape asked(Pass pass, const Convolution& conv, const OneDnnShape& all) {
  constexpr int kFewChannels = 8;
  if (pass == Pass::data && conv.channels < kFewChannels) return all;
  return {any(all.x), any(all.w), any(all.y)};
}

struct Space {
  Dims stride, dilation, pad;
};

Space space_of(const Convolution& conv) {
  Space space;
  for (int axis = kSpace - conv.space_dims; axis < kSpace; ++axis) {
    space.stride.push_back(conv.stride[axis]);
    space.dilation.push_back(conv.dilation[axis] - 1);  // the gaps between taps
    space.pad.push_back(conv.pad[axis]);
  }
  return space;
}

#if DNNL_VERSION_MAJOR >= 3
template <class Primitive, class... Hint>
typename Primitive::primitive_desc describe(const OneDnnShape& s, const Space& space,
                                            const Hint&... hint) {
  const dnnl::engine& engine = device().engine;
  if constexpr (sizeof...(Hint) == 0) {
    return {engine,       dnnl::prop_kind::forward_training,
            kAlgorithm,   s.x,
            s.w,          s.y,
            space.stride, space.dilation,
            space.pad,    space.pad};
  } else {
    return {engine,       kAlgorithm,     s.x,       s.w,       s.y,
            space.stride, space.dilation, space.pad, space.pad, hint...};
  }
}
#else
template <class Primitive, class... Hint>
typename Primitive::primitive_desc describe(const OneDnnShape& s, const Space& space,
                                            const Hint&... hint) {
  const dnnl::engine& engine = device().engine;
  if constexpr (sizeof...(Hint) == 0) {
    return {{dnnl::prop_kind::forward_training, kAlgorithm, s.x, s.w, s.y, space.stride,
             space.dilation, space.pad, space.pad},
            engine};
  } else {
    return {{kAlgorithm, s.x, s.w, s.y, space.stride, space.dilation, space.pad, space.pad},
            engine,
            hint...};
  }
}
#endif

}  // namespace

OneDnnTensor::OneDnnTensor(const memory::desc& given, const memory::desc& wanted)
    : given_(given, device().engine, nullptr), inner_(given_) {
  if (wanted == given) return;
  inner_ = memory(wanted, device().engine);
  pack_.emplace(given_, inner_);
  unpack_.emplace(inner_, given_);
}

void OneDnnTensor::take(const float* data) {
  given_.set_data_handle(const_cast<float*>(data));  // it is only read
  if (pack_) pack_->execute(device().stream, given_, inner_);
}

void OneDnnTensor::give() {
  if (unpack_) unpack_->execute(device().stream, inner_, given_);
}

OneDnnPlan::OneDnnPlan(Pass pass, const Convolution& conv) {
  const OneDnnShape all{given(conv.x_tensor), given_filter(conv), given(conv.y_tensor)};
  const OneDnnShape wanted = asked(pass, conv, all);
  const Space space = space_of(conv);
  using Forward = dnnl::convolution_forward;
  const auto forward = describe<Forward>(
      pass == Pass::forward ? wanted : OneDnnShape{any(all.x), any(all.w), any(all.y)}, space);
  if (pass == Pass::forward) {
    primitive_ = Forward(forward);
    one_ = {all.x, forward.src_desc()};
    other_ = {all.w, forward.weights_desc()};
    result_ = {all.y, forward.dst_desc()};
    arguments_ = {{DNNL_ARG_SRC, one_.inner()},
                  {DNNL_ARG_WEIGHTS, other_.inner()},
                  {DNNL_ARG_DST, result_.inner()}};
  } else if (pass == Pass::data) {
    using Backward = dnnl::convolution_backward_data;
    const auto data = describe<Backward>(wanted, space, forward);
    primitive_ = Backward(data);
    one_ = {all.w, data.weights_desc()};
    other_ = {all.y, data.diff_dst_desc()};
    result_ = {all.x, data.diff_src_desc()};
    arguments_ = {{DNNL_ARG_WEIGHTS, one_.inner()},
                  {DNNL_ARG_DIFF_DST, other_.inner()},
                  {DNNL_ARG_DIFF_SRC, result_.inner()}};
  } else {
    using Backward = dnnl::convolution_backward_weights;
    const auto filter = describe<Backward>(wanted, space, forward);
    primitive_ = Backward(filter);
    one_ = {all.x, filter.src_desc()};
    other_ = {all.y, filter.diff_dst_desc()};
    result_ = {all.w, filter.diff_weights_desc()};
    arguments_ = {{DNNL_ARG_SRC, one_.inner()},
                  {DNNL_ARG_DIFF_DST, other_.inner()},
                  {DNNL_ARG_DIFF_WEIGHTS, result_.inner()}};
  }
}

void OneDnnPlan::run(const float* one, const float* other, float* result) {
  one_.take(one);
  other_.take(other);
  result_.point_to(result);
  primitive_.execute(device().stream, arguments_);
  result_.give();
  device().stream.wait();
}

}  // namespace convkit::simt::dnn
