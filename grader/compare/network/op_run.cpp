// SPDX-License-Identifier: MIT
#include "compare/network/op_run.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "compare/diagnose.h"
#include "compare/network/op_case.h"
#include "convkit/counter_random.h"

namespace convkit {
namespace {

using Values = std::vector<double>;
using Choice = NetworkOp::Choice;

class OpRun {
 public:
  OpRun(const NetworkOp& op, const std::vector<const Values*>& inputs, int64_t image,
        std::vector<Values>& outputs)
      : op_(op), inputs_(inputs), outputs_(outputs) {
    const bool one_only = image >= 0 && op.by_image();
    begin_ = one_only ? image : 0;
    end_ = one_only ? std::min(image + 1, op.n) : op.n;
    outputs_.resize(op.out.size());
  }

  void all() {
    switch (op_.kind) {
      case OpKind::pixels:
        return each([&](double byte) { return (byte / 255 - op_.a) / op_.b; });
      case OpKind::gather:
        return gather();
      case OpKind::convolution:
        return convolution();
      case OpKind::pool_max:
      case OpKind::pool_average:
        return pool();
      case OpKind::relu:
        return each([](double x) { return x > 0 || std::isnan(x) ? x : 0; });
      case OpKind::dense:
        return dense();
      case OpKind::normalise:
        return normalise();
      case OpKind::normalise_by_running:
        return normalise_by_running();
      case OpKind::dropout:
        return dropout();
      case OpKind::softmax:
        return softmax();
      case OpKind::reordered:
        return reordered();
      case OpKind::cross_entropy:
        return cross_entropy();
      case OpKind::convolution_dx:
        return convolution_dx();
      case OpKind::convolution_dw:
        return convolution_dw();
      case OpKind::channel_sums:
      case OpKind::dense_db:
        return channel_sums();
      case OpKind::pool_max_back:
      case OpKind::pool_average_back:
        return pool_back();
      case OpKind::relu_back:
        return relu_back();
      case OpKind::dense_dx:
        return dense_dx();
      case OpKind::dense_dw:
        return dense_dw();
      case OpKind::normalise_back:
        return normalise_back();
      case OpKind::sgd:
        return sgd();
      case OpKind::adam:
        return adam();
      case OpKind::scaled:
        return each([&](double x) { return op_.a * x; });
      case OpKind::sum:
        return sum();
    }
  }

 private:
  // At least `size` elements.
  const double* in(size_t k, int64_t size) {
    const Values& given = *inputs_[k];
    if (int64_t(given.size()) >= size) return given.data();
    Values& longer = extended_.emplace_back(given);
    longer.resize(size_t(size), predicted_anything());
    return longer.data();
  }
  double* out(size_t k, int64_t size, double fill = 0) {
    Values& values = outputs_[k];
    if (int64_t(values.size()) != size) values.assign(size_t(size), fill);
    return values.data();
  }

  template <class Function>
  void each(Function function) {
    const int64_t part = op_.size() / op_.n;
    const double* x = in(0, op_.size());
    double* y = out(0, op_.size());
    for (int64_t i = begin_ * part; i < end_ * part; ++i) y[i] = function(x[i]);
  }

  void gather() {
    const int64_t rows = int64_t(inputs_[0]->size()) / op_.c;
    const double* all = in(0, rows * op_.c);
    const double* order = in(1, op_.first + op_.n);
    double* some = out(0, op_.n * op_.c);
    for (int64_t i = 0; i < op_.n; ++i) {
      const double row = order[op_.first + i];
      const bool is_there = row >= 0 && row < double(rows);
      for (int64_t k = 0; k < op_.c; ++k) {
        some[i * op_.c + k] = is_there ? all[int64_t(row) * op_.c + k] : predicted_anything();
      }
    }
  }

  void convolution() {
    const NetworkOp& s = op_;
    const int64_t oh = s.oh(), ow = s.ow();
    const int64_t image_size = s.c * s.h * s.w, filter_size = s.c * s.kh * s.kw;
    const int64_t image_step = s.image_step > 0 ? s.image_step : image_size;
    const int64_t filter_step = s.filter_step > 0 ? s.filter_step : filter_size;
    const double* x = in(0, (s.n - 1) * image_step + image_size);
    const double* w = in(1, (s.m - 1) * filter_step + filter_size);
    const double* b = in(2, s.m);
    double* y = out(0, s.n * s.m * oh * ow);
    for (int64_t n = begin_; n < end_; ++n) {
      for (int64_t m = 0; m < s.m; ++m) {
        double* plane = y + (n * s.m + m) * oh * ow;
        std::fill(plane, plane + oh * ow, b[m]);
        for_each_tap([&](int64_t k, int64_t p, int64_t q) {
          const double weight = w[m * filter_step + (k * s.kh + p) * s.kw + q];
          const double* image = x + n * image_step + k * s.h * s.w;
          for_each_meeting(p, q, [&](int64_t at_y, int64_t at_x, int64_t count) {
            for (int64_t j = 0; j < count; ++j) plane[at_y + j] += image[at_x + j] * weight;
          });
        });
      }
    }
  }

  template <class Visit>
  void for_each_tap(Visit visit) {
    for (int64_t k = 0; k < op_.c; ++k) {
      for (int64_t p = 0; p < op_.kh; ++p) {
        for (int64_t q = 0; q < op_.kw; ++q) visit(k, p, q);
      }
    }
  }
  // Runs of places of an output plane and of an input plane that this tap joins.
  template <class Visit>
  void for_each_meeting(int64_t p, int64_t q, Visit visit) {
    const int64_t oh = op_.oh(), ow = op_.ow();
    const int64_t first = std::max<int64_t>(op_.pad - q, 0);
    const int64_t last = std::min(ow, op_.w + op_.pad - q);
    for (int64_t i = 0; i < oh && first < last; ++i) {
      const int64_t row = i - op_.pad + p;
      if (row < 0 || row >= op_.h) continue;
      visit(i * ow + first, row * op_.w + first - op_.pad + q, last - first);
    }
  }

  // visit(place in y, places in x of its window) for the images to be computed.
  template <class Visit>
  void for_each_window(Visit visit) {
    const NetworkOp& s = op_;
    const int64_t oh = s.oh(), ow = s.ow();
    const int64_t row_step = s.row_step > 0 ? s.row_step : s.w;
    const int64_t plane_step = s.plane_step > 0 ? s.plane_step : s.h * s.w;
    std::vector<int64_t> window(size_t(s.kh * s.kw));
    for (int64_t plane = begin_ * s.c; plane < end_ * s.c; ++plane) {
      for (int64_t i = 0; i < oh; ++i) {
        for (int64_t j = 0; j < ow; ++j) {
          for (int64_t at = 0; at < s.kh * s.kw; ++at) {
            const int64_t row = i * s.kh + at / s.kw, column = j * s.kw + at % s.kw;
            window[size_t(at)] = plane * plane_step + row * row_step + column;
          }
          visit((plane * oh + i) * ow + j, window);
        }
      }
    }
  }

  void pool() {
    const double* x = in(0, op_.size());
    double* y = out(0, op_.n * op_.c * op_.oh() * op_.ow());
    const double area = op_.choice == Choice::sum ? 1 : double(op_.kh * op_.kw);
    for_each_window([&](int64_t at, const std::vector<int64_t>& window) {
      double sum = 0, largest = op_.choice == Choice::from_zero ? 0 : x[window[0]];
      for (const int64_t i : window) {
        sum += x[i];
        if (x[i] > largest || std::isnan(x[i])) largest = x[i];
      }
      y[at] = op_.kind == OpKind::pool_max ? largest : sum / area;
    });
  }

  void pool_back() {
    const bool is_max = op_.kind == OpKind::pool_max_back;
    const int64_t outputs = op_.n * op_.c * op_.oh() * op_.ow();
    const double* x = is_max ? in(0, op_.size()) : nullptr;
    const double* dy = in(is_max ? 1 : 0, outputs);
    outputs_[0].clear();
    double* dx = out(0, op_.size(), op_.rest);
    const double area = op_.choice == Choice::sum ? 1 : double(op_.kh * op_.kw);
    for_each_window([&](int64_t at, const std::vector<int64_t>& window) {
      for (const int64_t i : window) dx[i] = 0;
      int64_t winner = window[0];
      for (const int64_t i : window) {
        if (is_max && (op_.choice == Choice::last ? x[i] >= x[winner] : x[i] > x[winner])) {
          winner = i;
        }
      }
      for (const int64_t i : window) {
        if (!is_max) {
          dx[i] = dy[at] / area;
        } else if (op_.choice == Choice::all || i == winner) {
          dx[i] = dy[at];
        }
      }
    });
  }

  void dense() {
    const int64_t inner = op_.c;
    const double* x = in(0, op_.n * inner);
    const double* w = in(1, op_.m * inner);
    const double* b = in(2, op_.m);
    double* y = out(0, op_.n * op_.m);
    for (int64_t i = begin_; i < end_; ++i) {
      for (int64_t o = 0; o < op_.m; ++o) {
        double sum = b[o];
        for (int64_t k = 0; k < inner; ++k) sum += x[i * inner + k] * w[o * inner + k];
        y[i * op_.m + o] = sum;
      }
    }
  }

  int64_t area() const { return op_.h * op_.w; }
  template <class Visit>
  void for_each_of_channel(int64_t channel, Visit visit) {
    for_each_of_channel(channel, 0, op_.n, visit);
  }
  template <class Visit>
  void for_each_of_channel(int64_t channel, int64_t first, int64_t behind, Visit visit) {
    for (int64_t i = first; i < behind; ++i) {
      for (int64_t at = 0; at < area(); ++at) visit((i * op_.c + channel) * area() + at);
    }
  }

  // a: momentum, b: epsilon. Mean, inverse and the running means are those of the last batch.
  void normalise() {
    const int64_t c = op_.c, batch = op_.batch > 0 ? op_.batch : op_.n;
    const double *x = in(0, op_.size()), *scale = in(1, c), *shift = in(2, c);
    const double *mean0 = in(3, c), *variance0 = in(4, c);
    double *y = out(0, op_.size()), *mean = out(1, c), *inverse = out(2, c);
    double *new_mean = out(3, c), *new_variance = out(4, c);
    const int64_t batches = (op_.n + batch - 1) / batch;
    for (int64_t at = 0; at < c * batches; ++at) {
      const int64_t k = at / batches, first = at % batches * batch;
      const int64_t behind = std::min(first + batch, op_.n);
      const double count = double((behind - first) * area());
      double sum = 0, squares = 0;
      for_each_of_channel(k, first, behind, [&](int64_t i) { sum += x[i]; });
      mean[k] = sum / count;
      for_each_of_channel(k, first, behind,
                          [&](int64_t i) { squares += (x[i] - mean[k]) * (x[i] - mean[k]); });
      inverse[k] = 1 / std::sqrt(squares / count + op_.b);
      for_each_of_channel(k, first, behind, [&](int64_t i) {
        y[i] = (x[i] - mean[k]) * inverse[k] * scale[k] + shift[k];
      });
      new_mean[k] = mean0[k] + op_.a * (mean[k] - mean0[k]);
      const double unbiased = squares / std::max(count - 1, 1.0);
      new_variance[k] = variance0[k] + op_.a * (unbiased - variance0[k]);
    }
  }

  void normalise_by_running() {
    const int64_t c = op_.c;
    const double *x = in(0, op_.size()), *scale = in(1, c), *shift = in(2, c);
    const double *mean = in(3, c), *variance = in(4, c);
    double* y = out(0, op_.size());
    for (int64_t i = begin_ * c * area(); i < end_ * c * area(); ++i) {
      const int64_t k = i / area() % c;
      y[i] = (x[i] - mean[k]) / std::sqrt(variance[k] + op_.b) * scale[k] + shift[k];
    }
  }

  void normalise_back() {
    const int64_t c = op_.c;
    const double count = double(op_.n * area());
    const double *x = in(0, op_.size()), *dy = in(1, op_.size()), *scale = in(2, c);
    const double *mean = in(3, c), *inverse = in(4, c);
    double *dx = out(0, op_.size()), *dscale = out(1, c), *dshift = out(2, c);
    for (int64_t k = 0; k < c; ++k) {
      double sum = 0, with_h = 0;
      for_each_of_channel(k, [&](int64_t i) {
        sum += dy[i];
        with_h += dy[i] * (x[i] - mean[k]) * inverse[k];
      });
      for_each_of_channel(k, [&](int64_t i) {
        const double h = (x[i] - mean[k]) * inverse[k];
        dx[i] = scale[k] * inverse[k] * (dy[i] - sum / count - h * with_h / count);
      });
      dscale[k] = with_h;
      dshift[k] = sum;
    }
  }

  void dropout() {
    const Values keep = kept_by_dropout(op_);
    const double* x = in(0, op_.size());
    double* y = out(0, op_.size());
    for (int64_t i = 0; i < op_.size(); ++i) y[i] = keep[size_t(i)] != 0 ? x[i] / (1 - op_.a) : 0;
  }

  // Rows of softmax are `count` elements, `step` apart.
  static void softmax_of(const double* x, double* y, int64_t count, int64_t step, bool logarithm) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (int64_t i = 0; i < count; ++i) {
      if (x[i * step] > largest || std::isnan(x[i * step])) largest = x[i * step];
    }
    for (int64_t i = 0; i < count; ++i) sum += std::exp(x[i * step] - largest);
    for (int64_t i = 0; i < count; ++i) {
      const double below = x[i * step] - largest;
      y[i * step] = logarithm ? below - std::log(sum) : std::exp(below) / sum;
    }
  }

  void softmax() {
    const int64_t n = op_.n, c = op_.c;
    const double* x = in(0, n * c);
    double* y = out(0, n * c);
    if (op_.choice == Choice::whole_batch) return softmax_of(x, y, n * c, 1, false);
    if (op_.choice == Choice::columns) {
      for (int64_t k = 0; k < c; ++k) softmax_of(x + k, y + k, n, c, false);
      return;
    }
    for (int64_t i = begin_; i < end_; ++i) {
      softmax_of(x + i * c, y + i * c, c, 1, op_.choice == Choice::logarithm);
    }
  }

  void reordered() {
    const int64_t extent[3] = {op_.c, op_.h, op_.w};
    const int64_t step[3] = {op_.h * op_.w, op_.w, 1};
    const int* order = op_.order;
    const int64_t part = op_.c * op_.h * op_.w;
    const double* x = in(0, op_.size());
    double* y = out(0, op_.size());
    for (int64_t n = begin_; n < end_; ++n) {
      int64_t at = n * part;
      for (int64_t i = 0; i < extent[order[0]]; ++i) {
        for (int64_t j = 0; j < extent[order[1]]; ++j) {
          for (int64_t k = 0; k < extent[order[2]]; ++k) {
            y[at++] = x[n * part + i * step[order[0]] + j * step[order[1]] + k * step[order[2]]];
          }
        }
      }
    }
  }

  void cross_entropy() {
    const int64_t n = op_.n, c = op_.c;
    const double *logits = in(0, n * c), *labels = in(1, n);
    double* dlogits = out(0, n * c);
    for (int64_t i = 0; i < n; ++i) {
      softmax_of(logits + i * c, dlogits + i * c, c, 1, false);
      for (int64_t k = 0; k < c; ++k) {
        double& one = dlogits[i * c + k];
        one = (one - (double(k) == labels[i] ? 1 : 0)) / op_.a;
      }
    }
  }

  void convolution_dx() {
    const NetworkOp& s = op_;
    const int64_t outputs = s.oh() * s.ow();
    const double* dy = in(0, s.n * s.m * outputs);
    const double* w = in(1, s.m * s.c * s.kh * s.kw);
    outputs_[0].clear();
    double* dx = out(0, s.size());
    for (int64_t n = 0; n < s.n; ++n) {
      for (int64_t m = 0; m < s.m; ++m) {
        const double* plane = dy + (n * s.m + m) * outputs;
        for_each_tap([&](int64_t k, int64_t p, int64_t q) {
          const double weight = w[((m * s.c + k) * s.kh + p) * s.kw + q];
          double* image = dx + (n * s.c + k) * s.h * s.w;
          for_each_meeting(p, q, [&](int64_t at_y, int64_t at_x, int64_t count) {
            for (int64_t j = 0; j < count; ++j) image[at_x + j] += plane[at_y + j] * weight;
          });
        });
      }
    }
  }

  void convolution_dw() {
    const NetworkOp& s = op_;
    const int64_t outputs = s.oh() * s.ow();
    const double *x = in(0, s.size()), *dy = in(1, s.n * s.m * outputs);
    outputs_[0].clear();
    double* dw = out(0, s.m * s.c * s.kh * s.kw);
    for (int64_t n = 0; n < s.n; ++n) {
      for (int64_t m = 0; m < s.m; ++m) {
        const double* plane = dy + (n * s.m + m) * outputs;
        for_each_tap([&](int64_t k, int64_t p, int64_t q) {
          const double* image = x + (n * s.c + k) * s.h * s.w;
          double sum = 0;
          for_each_meeting(p, q, [&](int64_t at_y, int64_t at_x, int64_t count) {
            for (int64_t j = 0; j < count; ++j) sum += plane[at_y + j] * image[at_x + j];
          });
          dw[((m * s.c + k) * s.kh + p) * s.kw + q] += sum;
        });
      }
    }
  }

  void channel_sums() {
    const int64_t outputs = op_.kind == OpKind::dense_db ? 1 : op_.oh() * op_.ow();
    const double* dy = in(0, op_.n * op_.m * outputs);
    outputs_[0].clear();
    double* db = out(0, op_.m);
    for (int64_t i = 0; i < op_.n * op_.m * outputs; ++i) db[i / outputs % op_.m] += dy[i];
  }

  void relu_back() {
    const double *y = in(0, op_.size()), *dy = in(1, op_.size());
    double* dx = out(0, op_.size());
    for (int64_t i = 0; i < op_.size(); ++i) dx[i] = y[i] > 0 ? dy[i] : 0;
  }

  void dense_dx() {
    const double *dy = in(0, op_.n * op_.m), *w = in(1, op_.m * op_.c);
    outputs_[0].clear();
    double* dx = out(0, op_.n * op_.c);
    for (int64_t i = 0; i < op_.n; ++i) {
      for (int64_t o = 0; o < op_.m; ++o) {
        for (int64_t k = 0; k < op_.c; ++k) {
          dx[i * op_.c + k] += dy[i * op_.m + o] * w[o * op_.c + k];
        }
      }
    }
  }

  void dense_dw() {
    const double *x = in(0, op_.n * op_.c), *dy = in(1, op_.n * op_.m);
    outputs_[0].clear();
    double* dw = out(0, op_.m * op_.c);
    for (int64_t i = 0; i < op_.n; ++i) {
      for (int64_t o = 0; o < op_.m; ++o) {
        for (int64_t k = 0; k < op_.c; ++k) {
          dw[o * op_.c + k] += dy[i * op_.m + o] * x[i * op_.c + k];
        }
      }
    }
  }

  void sgd() {
    const int64_t size = op_.c;
    const double *w0 = in(0, size), *g = in(1, size), *before = in(2, size);
    double *w = out(0, size), *velocity = out(1, size);
    for (int64_t i = 0; i < size; ++i) {
      velocity[i] = op_.b * before[i] + g[i] + op_.decay * w0[i];
      w[i] = w0[i] - op_.a * velocity[i];
    }
  }

  void adam() {
    const int64_t size = op_.c;
    const double *w0 = in(0, size), *gradient = in(1, size), *m0 = in(2, size), *v0 = in(3, size);
    double *w = out(0, size), *m = out(1, size), *v = out(2, size);
    const double t = double(op_.step + 1);
    const double m_share = 1 - std::pow(0.9, t), v_share = 1 - std::pow(0.999, t);
    for (int64_t i = 0; i < size; ++i) {
      const double g = gradient[i] + op_.decay * w0[i];
      m[i] = 0.9 * m0[i] + 0.1 * g;
      v[i] = 0.999 * v0[i] + 0.001 * g * g;
      w[i] = w0[i] - op_.a * (m[i] / m_share) / (std::sqrt(v[i] / v_share) + 1e-8);
    }
  }

  void sum() {
    const double *x = in(0, op_.c), *y = in(1, op_.c);
    double* z = out(0, op_.c);
    for (int64_t i = 0; i < op_.c; ++i) z[i] = x[i] + y[i];
  }

  const NetworkOp& op_;
  const std::vector<const Values*>& inputs_;
  std::vector<Values>& outputs_;
  int64_t begin_, end_;
  std::deque<Values> extended_;
};

}  // namespace

void compute_op(const NetworkOp& op, const std::vector<const Values*>& inputs, int64_t image,
                std::vector<Values>& outputs) {
  OpRun(op, inputs, image, outputs).all();
  if (op.formula) compute_formula(op, inputs, image, outputs);
  if (op.whole_parts > 0) {
    const auto computed = int64_t(outputs[0].size()) / op.whole_parts * op.whole_parts;
    std::fill(outputs[0].begin() + computed, outputs[0].end(), 0.0);
  }
}

int64_t work_of(const NetworkOp& op) {
  switch (op.kind) {
    case OpKind::convolution:
    case OpKind::convolution_dx:
    case OpKind::convolution_dw:
      return op.n * op.m * op.oh() * op.ow() * op.c * op.kh * op.kw;
    case OpKind::dense:
    case OpKind::dense_dx:
    case OpKind::dense_dw:
      return op.n * op.m * op.c;
    case OpKind::channel_sums:
      return op.n * op.m * op.oh() * op.ow();
    default:
      return 4 * op.size();
  }
}

Values kept_by_dropout(const NetworkOp& op) {
  Values keep(size_t(op.size()));
  const uint64_t stream = uint64_t(op.step + 1) * 65536 + uint64_t(op.index);
  for (size_t i = 0; i < keep.size(); ++i) {
    keep[i] = double(uniform_float(op.seed, stream, i)) >= double(float(op.a)) ? 1 : 0;
  }
  return keep;
}

}  // namespace convkit
