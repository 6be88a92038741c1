// SPDX-License-Identifier: MIT
// A pass of a convolution by oneDNN called directly, on one thread. Tensors come and go as plain
// NCHW; the library computes on them as they lie, or on layouts of its own choice, whose reorders
// are part of every call. Primitives and buffers are prepared once.
#pragma once

#include <time.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <unordered_map>

struct Shape {
  int n, c, h, w, m, k, pad, stride;
  int oh() const { return (h + 2 * pad - k) / stride + 1; }
  int ow() const { return (w + 2 * pad - k) / stride + 1; }
  int x() const { return n * c * h * w; }
  int filter() const { return m * c * k * k; }
  int y() const { return n * m * oh() * ow(); }
};

enum Pass { kForward, kData, kFilter, kPasses };

// The three tensors: of a pass two are read and one is written.
struct Tensors {
  float *x, *w, *y;
};

class Direct {
 public:
  Direct(const Shape& s, Pass pass, dnnl::memory::format_tag nchw, dnnl::memory::format_tag oihw)
      : pass_(pass) {
    const auto desc = [](dnnl::memory::dims size, dnnl::memory::format_tag tag) {
      return dnnl::memory::desc(size, dnnl::memory::data_type::f32, tag);
    };
    using Tag = dnnl::memory::format_tag;
    const dnnl::memory::dims x{s.n, s.c, s.h, s.w}, w{s.m, s.c, s.k, s.k},
        y{s.n, s.m, s.oh(), s.ow()}, stride{s.stride, s.stride}, gaps{0, 0}, pad{s.pad, s.pad};
    const auto asked = [&](Tag plane, Tag filter) {
      return std::array{desc(x, plane), desc(w, filter), desc(y, plane)};
    };
    const auto wanted = asked(nchw, oihw);
    const auto hinted = pass == kForward ? wanted : asked(Tag::any, Tag::any);
    constexpr auto kAlgorithm = dnnl::algorithm::convolution_direct;
#if DNNL_VERSION_MAJOR >= 3
    const dnnl::convolution_forward::primitive_desc forward(
        engine(), dnnl::prop_kind::forward_training, kAlgorithm, hinted[0], hinted[1], hinted[2],
        stride, gaps, pad, pad);
    const auto backward = [&](auto* result) {
      using Desc = typename std::remove_pointer_t<decltype(result)>::primitive_desc;
      return Desc(engine(), kAlgorithm, wanted[0], wanted[1], wanted[2], stride, gaps, pad, pad,
                  forward);
    };
#else
    const dnnl::convolution_forward::primitive_desc forward(
        {dnnl::prop_kind::forward_training, kAlgorithm, hinted[0], hinted[1], hinted[2], stride,
         gaps, pad, pad},
        engine());
    const auto backward = [&](auto* result) {
      using Desc = typename std::remove_pointer_t<decltype(result)>::primitive_desc;
      return Desc({kAlgorithm, wanted[0], wanted[1], wanted[2], stride, gaps, pad, pad}, engine(),
                  forward);
    };
#endif
    dnnl::memory::desc inner[3];
    if (pass == kForward) {
      primitive_ = dnnl::convolution_forward(forward);
      inner[0] = forward.src_desc(), inner[1] = forward.weights_desc();
      inner[2] = forward.dst_desc();
    } else if (pass == kData) {
      const auto data = backward(static_cast<dnnl::convolution_backward_data*>(nullptr));
      primitive_ = dnnl::convolution_backward_data(data);
      inner[0] = data.diff_src_desc(), inner[1] = data.weights_desc();
      inner[2] = data.diff_dst_desc();
    } else {
      const auto filter = backward(static_cast<dnnl::convolution_backward_weights*>(nullptr));
      primitive_ = dnnl::convolution_backward_weights(filter);
      inner[0] = filter.src_desc(), inner[1] = filter.diff_weights_desc();
      inner[2] = filter.diff_dst_desc();
    }
    const auto plain = asked(Tag::nchw, Tag::oihw);
    const int names[kPasses][3] = {{DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST},
                                   {DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST},
                                   {DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST}};
    for (int i = 0; i < 3; ++i) {
      plain_[i] = inner_[i] = dnnl::memory(plain[i], engine(), nullptr);
      if (inner[i] != plain[i]) {
        inner_[i] = dnnl::memory(inner[i], engine());
        pack_[i].emplace(plain_[i], inner_[i]);
        unpack_[i].emplace(inner_[i], plain_[i]);
      }
      arguments_[names[pass][i]] = inner_[i];
    }
  }

  void run(const Tensors& tensors) {
    float* data[] = {tensors.x, tensors.w, tensors.y};
    const int result = pass_ == kForward ? 2 : pass_ == kData ? 0 : 1;
    for (int i = 0; i < 3; ++i) {
      plain_[i].set_data_handle(data[i]);
      if (i != result && pack_[i]) pack_[i]->execute(stream(), plain_[i], inner_[i]);
    }
    primitive_.execute(stream(), arguments_);
    if (unpack_[result]) unpack_[result]->execute(stream(), inner_[result], plain_[result]);
    stream().wait();
  }

 private:
  static dnnl::engine& engine() {
    static dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
    return cpu;
  }
  static dnnl::stream& stream() {
    static dnnl::stream queue(engine());
    return queue;
  }

  Pass pass_;
  dnnl::primitive primitive_;
  dnnl::memory plain_[3], inner_[3];
  std::optional<dnnl::reorder> pack_[3], unpack_[3];
  std::unordered_map<int, dnnl::memory> arguments_;
};

inline double cpu_time_us() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

// The faster of the library's own layouts and the plain ones.
inline std::unique_ptr<Direct> fastest(const Shape& shape, Pass pass, const Tensors& tensors) {
  using Tag = dnnl::memory::format_tag;
  std::unique_ptr<Direct> best;
  double best_time = std::numeric_limits<double>::infinity();
  for (const bool plain : {false, true}) {
    auto way = plain ? std::make_unique<Direct>(shape, pass, Tag::nchw, Tag::oihw)
                     : std::make_unique<Direct>(shape, pass, Tag::any, Tag::any);
    double time = std::numeric_limits<double>::infinity();
    for (int trial = 0; trial < 8; ++trial) {
      const double start = cpu_time_us();
      way->run(tensors);
      time = std::min(time, cpu_time_us() - start);
    }
    if (time < best_time) {
      best_time = time;
      best = std::move(way);
    }
  }
  return best;
}
