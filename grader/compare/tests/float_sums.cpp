// SPDX-License-Identifier: MIT
#include "float_sums.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>

#include "compare/precision.h"

namespace convkit {
namespace {

using Floats = std::span<const float>;
constexpr int kOutputs = 1024;

std::vector<float> draw(size_t count, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<float> values(count);
  for (float& value : values) value = float(uniform(random));
  return values;
}

// A product that the compiler does not contract to an FMA.
float product(float x, float w) {
  const volatile float rounded = x * w;
  return rounded;
}

float sequential(Floats x, Floats w) {
  float sum = 0;
  for (size_t i = 0; i < x.size(); ++i) sum += product(x[i], w[i]);
  return sum;
}

float with_fma(Floats x, Floats w) {
  float sum = 0;
  for (size_t i = 0; i < x.size(); ++i) sum = std::fma(x[i], w[i], sum);
  return sum;
}

float pairwise(Floats x, Floats w) {
  if (x.size() == 1) return product(x[0], w[0]);
  const size_t half = x.size() / 2;
  return pairwise(x.first(half), w.first(half)) + pairwise(x.subspan(half), w.subspan(half));
}

float blocked(Floats x, Floats w) {
  float sum = 0;
  for (size_t i = 0; i < x.size(); i += 32) {
    const size_t count = std::min<size_t>(32, x.size() - i);
    sum += sequential(x.subspan(i, count), w.subspan(i, count));
  }
  return sum;
}

float kahan(Floats x, Floats w) {
  volatile float sum = 0, lost = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const float term = product(x[i], w[i]) - lost;
    const volatile float next = sum + term;
    const volatile float added = next - sum;
    lost = added - term;
    sum = next;
  }
  return sum;
}

float in_double(Floats x, Floats w) {
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i) sum += double(x[i]) * double(w[i]);
  return float(sum);
}

// Parts of the sum in the order in which atomics happen to come.
float split_k(Floats x, Floats w) {
  static std::mt19937 random(7);
  const size_t size = (x.size() + 7) / 8;
  std::vector<float> parts;
  for (size_t i = 0; i < x.size(); i += size) {
    const size_t count = std::min(size, x.size() - i);
    parts.push_back(sequential(x.subspan(i, count), w.subspan(i, count)));
  }
  std::ranges::shuffle(parts, random);
  float sum = 0;
  for (const float part : parts) sum += part;
  return sum;
}

// The error of each product is about 2^-22 of it.
template <int tf32>
float three_tf32(Floats x, Floats w) {
  const auto round = input_formats()[tf32].rounded;
  float sum = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const float xh = round(x[i], 1), wh = round(w[i], 1);
    const float xl = round(x[i] - xh, 1), wl = round(w[i] - wh, 1);
    sum = std::fma(xl, wh, sum);
    sum = std::fma(xh, wl, sum);
    sum = std::fma(xh, wh, sum);
  }
  return sum;
}

void add_expected(Simulation& all, Floats x, Floats w) {
  double sum = 0, magnitude = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    sum += double(x[i]) * double(w[i]);
    magnitude += std::fabs(double(x[i]) * double(w[i]));
  }
  all.reference.push_back(sum);
  all.magnitude.push_back(magnitude);
}

FloatProgram dot(const std::string& name, int fewest, float (*sum)(Floats, Floats),
                 const InputFormat* format = nullptr, bool only_first = false) {
  return {name, fewest, !format, [=](int products, unsigned seed) {
            std::mt19937_64 random(seed);
            Simulation all;
            for (int i = 0; i < kOutputs; ++i) {
              auto x = draw(size_t(products), random), w = draw(size_t(products), random);
              add_expected(all, x, w);
              all.first.insert(all.first.end(), x.begin(), x.end());
              all.second.insert(all.second.end(), w.begin(), w.end());
              if (format) {
                for (float& value : x) value = format->rounded(value, 1);
                for (float& value : w) value = only_first ? value : format->rounded(value, 1);
              }
              all.got.push_back(sum(x, w));
            }
            return all;
          }};
}

using Matrix = std::vector<std::vector<float>>;

Matrix times(const Matrix& a, const Matrix& b) {
  Matrix c(a.size(), std::vector<float>(b[0].size()));
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t p = 0; p < b.size(); ++p) {
      for (size_t j = 0; j < b[0].size(); ++j) c[i][j] += product(a[i][p], b[p][j]);
    }
  }
  return c;
}

Matrix turned(const Matrix& a) {
  Matrix b(a[0].size(), std::vector<float>(a.size()));
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < a[0].size(); ++j) b[j][i] = a[i][j];
  }
  return b;
}

Matrix plus(const Matrix& a, const Matrix& b, float sign = 1) {
  Matrix c = a;
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < a[0].size(); ++j) c[i][j] += sign * b[i][j];
  }
  return c;
}

Matrix drawn(size_t rows, size_t columns, std::mt19937_64& random, std::vector<float>& all) {
  Matrix a(rows);
  for (auto& row : a) {
    row = draw(columns, random);
    all.insert(all.end(), row.begin(), row.end());
  }
  return a;
}

// A. Lavin and S. Gray, "Fast algorithms for convolutional neural networks" (2016): 3x3 filters,
// products summed over the channels.
Simulation winograd(const Matrix& bt, const Matrix& g, const Matrix& at, int products,
                    unsigned seed) {
  const size_t tile = bt.size(), outputs = at.size();
  std::mt19937_64 random(seed);
  Simulation all;
  while (all.got.size() < kOutputs) {
    Matrix sum(tile, std::vector<float>(tile));
    std::vector<Matrix> d, w;
    for (int c = 0; c < products / 9; ++c) {
      d.push_back(drawn(tile, tile, random, all.first));
      w.push_back(drawn(3, 3, random, all.second));
      const Matrix v = times(times(bt, d.back()), turned(bt));
      const Matrix u = times(times(g, w.back()), turned(g));
      for (size_t i = 0; i < tile; ++i) {
        for (size_t j = 0; j < tile; ++j) sum[i][j] += product(u[i][j], v[i][j]);
      }
    }
    const Matrix y = times(times(at, sum), turned(at));
    for (size_t i = 0; i < outputs; ++i) {
      for (size_t j = 0; j < outputs; ++j) {
        std::vector<float> x, f;
        for (size_t c = 0; c < d.size(); ++c) {
          for (size_t k = 0; k < 9; ++k) {
            x.push_back(d[c][i + k / 3][j + k % 3]);
            f.push_back(w[c][k / 3][k % 3]);
          }
        }
        add_expected(all, x, f);
        all.got.push_back(y[i][j]);
      }
    }
  }
  return all;
}

Simulation winograd_2(int products, unsigned seed) {
  return winograd({{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}},
                  {{1, 0, 0}, {.5, .5, .5}, {.5, -.5, .5}, {0, 0, 1}},
                  {{1, 1, 1, 0}, {0, 1, -1, -1}}, products, seed);
}

Simulation winograd_4(int products, unsigned seed) {
  constexpr float a = 1 / 6.f, b = 1 / 12.f, c = 1 / 24.f;
  return winograd(
      {{4, 0, -5, 0, 1, 0},
       {0, -4, -4, 1, 1, 0},
       {0, 4, -4, -1, 1, 0},
       {0, -2, -1, 2, 1, 0},
       {0, 2, -1, -2, 1, 0},
       {0, 4, 0, -5, 0, 1}},
      {{.25, 0, 0}, {-a, -a, -a}, {-a, a, -a}, {c, b, a}, {c, -b, a}, {0, 0, 1}},
      {{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}},
      products, seed);
}

Matrix block(const Matrix& a, size_t row, size_t column) {
  const size_t rows = a.size() / 2, columns = a[0].size() / 2;
  Matrix b;
  for (size_t i = row * rows; i < (row + 1) * rows; ++i) {
    const auto first = a[i].begin() + std::ptrdiff_t(column * columns);
    b.emplace_back(first, first + std::ptrdiff_t(columns));
  }
  return b;
}

// One level, 32 x 32 outputs.
Simulation strassen(int products, unsigned seed) {
  std::mt19937_64 random(seed);
  Simulation all;
  const Matrix a = drawn(32, size_t(products / 2 * 2), random, all.first);
  const Matrix b = drawn(size_t(products / 2 * 2), 32, random, all.second);
  const Matrix a11 = block(a, 0, 0), a12 = block(a, 0, 1), a21 = block(a, 1, 0),
               a22 = block(a, 1, 1), b11 = block(b, 0, 0), b12 = block(b, 0, 1),
               b21 = block(b, 1, 0), b22 = block(b, 1, 1);
  const Matrix m1 = times(plus(a11, a22), plus(b11, b22)), m2 = times(plus(a21, a22), b11),
               m3 = times(a11, plus(b12, b22, -1)), m4 = times(a22, plus(b21, b11, -1)),
               m5 = times(plus(a11, a12), b22), m6 = times(plus(a21, a11, -1), plus(b11, b12)),
               m7 = times(plus(a12, a22, -1), plus(b21, b22));
  const Matrix c[2][2] = {{plus(plus(plus(m1, m4), m5, -1), m7), plus(m3, m5)},
                          {plus(m2, m4), plus(plus(plus(m1, m2, -1), m3), m6)}};
  const Matrix bt = turned(b);
  for (size_t i = 0; i < 32; ++i) {
    for (size_t j = 0; j < 32; ++j) {
      add_expected(all, a[i], bt[j]);
      all.got.push_back(c[i / 16][j / 16][i % 16][j % 16]);
    }
  }
  return all;
}

using Complex = std::complex<float>;

void fourier(std::vector<Complex>& values, float sign) {
  const size_t half = values.size() / 2;
  if (half == 0) return;
  std::vector<Complex> even(half), odd(half);
  for (size_t i = 0; i < half; ++i) even[i] = values[2 * i], odd[i] = values[2 * i + 1];
  fourier(even, sign), fourier(odd, sign);
  for (size_t i = 0; i < half; ++i) {
    const double angle = sign * M_PI * double(i) / double(half);
    const Complex turned = Complex(float(std::cos(angle)), float(std::sin(angle))) * odd[i];
    values[i] = even[i] + turned, values[i + half] = even[i] - turned;
  }
}

// Rows of 64 elements, filters of 9, as many channels as give the products.
Simulation fft(int products, unsigned seed) {
  constexpr size_t length = 64, taps = 9, outputs = 32;
  std::mt19937_64 random(seed);
  Simulation all;
  while (all.got.size() < kOutputs) {
    std::vector<Complex> sum(length);
    std::vector<std::vector<float>> rows, filters;
    for (int c = 0; c < products / int(taps); ++c) {
      rows.push_back(draw(length, random)), filters.push_back(draw(taps, random));
      std::vector<Complex> x(rows.back().begin(), rows.back().end()), w(length);
      for (size_t k = 0; k < taps; ++k) w[(length - k) % length] = filters.back()[k];
      fourier(x, -1), fourier(w, -1);
      for (size_t i = 0; i < length; ++i) sum[i] += x[i] * w[i];
      all.first.insert(all.first.end(), rows.back().begin(), rows.back().end());
      all.second.insert(all.second.end(), filters.back().begin(), filters.back().end());
    }
    fourier(sum, 1);
    for (size_t j = 0; j < outputs; ++j) {
      std::vector<float> x, w;
      for (size_t c = 0; c < rows.size(); ++c) {
        x.insert(x.end(), rows[c].begin() + std::ptrdiff_t(j),
                 rows[c].begin() + std::ptrdiff_t(j + taps));
        w.insert(w.end(), filters[c].begin(), filters[c].end());
      }
      add_expected(all, x, w);
      all.got.push_back(sum[j].real() / float(length));
    }
  }
  return all;
}

}  // namespace

std::vector<FloatProgram> programs() {
  std::vector<FloatProgram> all = {
      dot("sequential", 4, sequential),
      dot("sequential, FMA", 4, with_fma),
      dot("pairwise", 4, pairwise),
      dot("blocks of 32", 4, blocked),
      dot("Kahan", 4, kahan),
      dot("float64", 4, in_double),
      dot("split-K, 8 parts in random order", 4, split_k),
      {"Strassen, one level", 4, true, strassen},
      {"FFT of 64, 9 taps", 9, true, fft},
      {"Winograd F(2x2, 3x3)", 9, true, winograd_2},
      {"Winograd F(4x4, 3x3)", 9, true, winograd_4},
      dot("3xTF32", 4, three_tf32<0>),
      dot("3xTF32, cut", 9, three_tf32<1>),
  };
  for (const InputFormat& format : input_formats()) {
    all.push_back(dot(std::string(format.name) + " inputs", 4, sequential, &format));
    all.push_back(dot(std::string(format.name) + ", one factor", 4, sequential, &format, true));
  }
  return all;
}

}  // namespace convkit
