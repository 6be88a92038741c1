// SPDX-License-Identifier: MIT
// CUB on the CPU device: sums, scans, sorting and selecting on arrays in device memory. As in CUB a
// first call with no temporary storage says how much is needed (a byte), and a second one works, as
// an operation of its stream: a kernel of one thread.
#pragma once

#include <limits>

#include "simt/cub/block.h"
#include "simt/thrust/algorithms.h"

namespace cub {

template <class T>
using CountingInputIterator = thrust::counting_iterator<T>;
template <class T>
using ConstantInputIterator = thrust::constant_iterator<T>;
template <class T, class Function, class Base>
using TransformInputIterator = thrust::transform_iterator<Function, Base>;

template <class K, class V>
struct KeyValuePair {
  K key;
  V value;
};

// Two arrays, of which one is current.
template <class T>
struct DoubleBuffer {
  T* d_buffers[2] = {nullptr, nullptr};
  int selector = 0;
  DoubleBuffer() = default;
  DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

namespace convkit_simt {

// Runs `body` in the stream, or says how much storage it needs.
template <class Body>
cudaError_t work(void* storage, size_t& bytes, const char* name, cudaStream_t stream, Body body) {
  if (!storage) {
    bytes = 1;
    return cudaSuccess;
  }
  CONVKIT_SIMT_LAUNCH_WITH((thrust::convkit_simt::algorithm_kernel<Body>), name,
                           ::convkit::simt::LaunchConfig(dim3(1), dim3(1), 0, stream))
  (body);
  return cudaPeekAtLastError();
}

template <class I>
using ValueOf = thrust::convkit_simt::ValueOf<I>;

template <class I>
auto raw(const I& iterator) {
  return thrust::convkit_simt::unwrapped(iterator);
}

// The bits [from, to) of a key, in the order of its values.
template <class K>
unsigned long long radix(K key, int from, int to) {
  unsigned long long bits = 0;
  std::memcpy(&bits, &key, sizeof key);
  const unsigned long long top = 1ull << (8 * sizeof(K) - 1);
  if constexpr (std::is_floating_point<K>::value) {
    bits = bits & top ? ~bits : bits | top;
  } else if constexpr (std::is_signed<K>::value) {
    bits ^= top;
  }
  if (to < 64) bits &= (1ull << to) - 1;
  return bits >> from;
}

}  // namespace convkit_simt

struct DeviceReduce {
  template <class I, class O, class N, class F, class T>
  static cudaError_t Reduce(void* storage, size_t& bytes, I in, O out, N count, F function, T init,
                            cudaStream_t stream = nullptr) {
    return convkit_simt::work(storage, bytes, "cub::DeviceReduce", stream,
                              [in = convkit_simt::raw(in), out = convkit_simt::raw(out), count,
                               function, init]() mutable {
                                T sum = init;
                                for (N i = 0; i < count; ++i) {
                                  sum = static_cast<T>(function(sum, in[i]));
                                }
                                *out = sum;
                              });
  }
  template <class I, class O, class N>
  static cudaError_t Sum(void* storage, size_t& bytes, I in, O out, N count,
                         cudaStream_t stream = nullptr) {
    return Reduce(storage, bytes, in, out, count, cub::Sum(), convkit_simt::ValueOf<I>(), stream);
  }
  template <class I, class O, class N>
  static cudaError_t Max(void* storage, size_t& bytes, I in, O out, N count,
                         cudaStream_t stream = nullptr) {
    using T = convkit_simt::ValueOf<I>;
    return Reduce(storage, bytes, in, out, count, cub::Max(), std::numeric_limits<T>::lowest(),
                  stream);
  }
  template <class I, class O, class N>
  static cudaError_t Min(void* storage, size_t& bytes, I in, O out, N count,
                         cudaStream_t stream = nullptr) {
    using T = convkit_simt::ValueOf<I>;
    return Reduce(storage, bytes, in, out, count, cub::Min(), std::numeric_limits<T>::max(),
                  stream);
  }
  template <class I, class O, class N>
  static cudaError_t ArgMax(void* storage, size_t& bytes, I in, O out, N count,
                            cudaStream_t stream = nullptr) {
    return first(storage, bytes, in, out, count, stream,
                 [](const auto& a, const auto& b) { return b < a; });
  }
  template <class I, class O, class N>
  static cudaError_t ArgMin(void* storage, size_t& bytes, I in, O out, N count,
                            cudaStream_t stream = nullptr) {
    return first(storage, bytes, in, out, count, stream,
                 [](const auto& a, const auto& b) { return a < b; });
  }

 private:
  template <class I, class O, class N, class F>
  static cudaError_t first(void* storage, size_t& bytes, I in, O out, N count, cudaStream_t stream,
                           F before) {
    return convkit_simt::work(
        storage, bytes, "cub::DeviceReduce", stream,
        [in = convkit_simt::raw(in), out = convkit_simt::raw(out), count, before]() mutable {
          N best = 0;
          for (N i = 1; i < count; ++i) {
            if (before(in[i], in[best])) best = i;
          }
          *out = {static_cast<decltype(out->key)>(best), in[best]};
        });
  }
};

struct DeviceScan {
  template <class I, class O, class F, class N>
  static cudaError_t InclusiveScan(void* storage, size_t& bytes, I in, O out, F function, N count,
                                   cudaStream_t stream = nullptr) {
    return convkit_simt::work(
        storage, bytes, "cub::DeviceScan", stream,
        [in = convkit_simt::raw(in), out = convkit_simt::raw(out), count, function]() mutable {
          if (count == 0) return;
          convkit_simt::ValueOf<I> sum = in[0];
          out[0] = sum;
          for (N i = 1; i < count; ++i) out[i] = sum = function(sum, in[i]);
        });
  }
  template <class I, class O, class F, class T, class N>
  static cudaError_t ExclusiveScan(void* storage, size_t& bytes, I in, O out, F function, T init,
                                   N count, cudaStream_t stream = nullptr) {
    return convkit_simt::work(storage, bytes, "cub::DeviceScan", stream,
                              [in = convkit_simt::raw(in), out = convkit_simt::raw(out), count,
                               function, init]() mutable {
                                T sum = init;
                                for (N i = 0; i < count; ++i) {
                                  const T next = static_cast<T>(function(sum, in[i]));
                                  out[i] = sum;
                                  sum = next;
                                }
                              });
  }
  template <class I, class O, class N>
  static cudaError_t InclusiveSum(void* storage, size_t& bytes, I in, O out, N count,
                                  cudaStream_t stream = nullptr) {
    return InclusiveScan(storage, bytes, in, out, cub::Sum(), count, stream);
  }
  template <class I, class O, class N>
  static cudaError_t ExclusiveSum(void* storage, size_t& bytes, I in, O out, N count,
                                  cudaStream_t stream = nullptr) {
    return ExclusiveScan(storage, bytes, in, out, cub::Sum(), convkit_simt::ValueOf<I>(), count,
                         stream);
  }
};

struct DeviceRadixSort {
  template <class K, class N>
  static cudaError_t SortKeys(void* storage, size_t& bytes, const K* in, K* out, N count,
                              int from = 0, int to = 8 * sizeof(K), cudaStream_t stream = nullptr) {
    return sort<false>(storage, bytes, in, out, in, out, count, from, to, stream, false);
  }
  template <class K, class N>
  static cudaError_t SortKeysDescending(void* storage, size_t& bytes, const K* in, K* out, N count,
                                        int from = 0, int to = 8 * sizeof(K),
                                        cudaStream_t stream = nullptr) {
    return sort<true>(storage, bytes, in, out, in, out, count, from, to, stream, false);
  }
  template <class K, class V, class N>
  static cudaError_t SortPairs(void* storage, size_t& bytes, const K* keys, K* keys_out,
                               const V* values, V* values_out, N count, int from = 0,
                               int to = 8 * sizeof(K), cudaStream_t stream = nullptr) {
    return sort<false>(storage, bytes, keys, keys_out, values, values_out, count, from, to, stream,
                       true);
  }
  template <class K, class V, class N>
  static cudaError_t SortPairsDescending(void* storage, size_t& bytes, const K* keys, K* keys_out,
                                         const V* values, V* values_out, N count, int from = 0,
                                         int to = 8 * sizeof(K), cudaStream_t stream = nullptr) {
    return sort<true>(storage, bytes, keys, keys_out, values, values_out, count, from, to, stream,
                      true);
  }
  template <class K, class N>
  static cudaError_t SortKeys(void* storage, size_t& bytes, DoubleBuffer<K>& keys, N count,
                              int from = 0, int to = 8 * sizeof(K), cudaStream_t stream = nullptr) {
    const cudaError_t error =
        SortKeys(storage, bytes, keys.Current(), keys.Alternate(), count, from, to, stream);
    if (storage) keys.selector ^= 1;
    return error;
  }
  template <class K, class V, class N>
  static cudaError_t SortPairs(void* storage, size_t& bytes, DoubleBuffer<K>& keys,
                               DoubleBuffer<V>& values, N count, int from = 0,
                               int to = 8 * sizeof(K), cudaStream_t stream = nullptr) {
    const cudaError_t error =
        SortPairs(storage, bytes, keys.Current(), keys.Alternate(), values.Current(),
                  values.Alternate(), count, from, to, stream);
    if (storage) {
      keys.selector ^= 1;
      values.selector ^= 1;
    }
    return error;
  }

 private:
  template <bool kDown, class K, class V, class N>
  static cudaError_t sort(void* storage, size_t& bytes, const K* keys, K* keys_out, const V* values,
                          V* values_out, N count, int from, int to, cudaStream_t stream,
                          bool pairs) {
    return convkit_simt::work(storage, bytes, "cub::DeviceRadixSort", stream, [=] {
      std::vector<unsigned long long> bits(static_cast<size_t>(count));
      for (size_t i = 0; i < bits.size(); ++i) bits[i] = convkit_simt::radix(keys[i], from, to);
      const auto order = thrust::convkit_simt::stable_order(
          bits, [](unsigned long long a, unsigned long long b) { return kDown ? b < a : a < b; });
      for (size_t i = 0; i < order.size(); ++i) {
        keys_out[i] = keys[order[i]];
        if (pairs) values_out[i] = values[order[i]];
      }
    });
  }
};

struct DeviceSelect {
  template <class I, class O, class C, class N, class T>
  static cudaError_t If(void* storage, size_t& bytes, I in, O out, C selected, N count, T test,
                        cudaStream_t stream = nullptr) {
    return keep(storage, bytes, in, out, selected, count, stream,
                [test](const auto& from, N i) { return test(from[i]); });
  }
  template <class I, class M, class O, class C, class N>
  static cudaError_t Flagged(void* storage, size_t& bytes, I in, M flags, O out, C selected,
                             N count, cudaStream_t stream = nullptr) {
    return keep(storage, bytes, in, out, selected, count, stream,
                [flags = convkit_simt::raw(flags)](const auto&, N i) { return flags[i]; });
  }
  template <class I, class O, class C, class N>
  static cudaError_t Unique(void* storage, size_t& bytes, I in, O out, C selected, N count,
                            cudaStream_t stream = nullptr) {
    return keep(storage, bytes, in, out, selected, count, stream,
                [](const auto& from, N i) { return i == 0 || !(from[i] == from[i - 1]); });
  }

 private:
  // The elements whose `is_kept(in, index)` holds.
  template <class I, class O, class C, class N, class F>
  static cudaError_t keep(void* storage, size_t& bytes, I in, O out, C selected, N count,
                          cudaStream_t stream, F is_kept) {
    return convkit_simt::work(storage, bytes, "cub::DeviceSelect", stream,
                              [in = convkit_simt::raw(in), out = convkit_simt::raw(out),
                               selected = convkit_simt::raw(selected), count, is_kept]() mutable {
                                N kept = 0;
                                for (N i = 0; i < count; ++i) {
                                  if (is_kept(in, i)) out[kept++] = in[i];
                                }
                                *selected = kept;
                              });
  }
};

struct DeviceHistogram {
  // `levels` - 1 bins of equal width from `lower` up to, and without, `upper`.
  template <class I, class C, class L, class N>
  static cudaError_t HistogramEven(void* storage, size_t& bytes, I samples, C* histogram,
                                   int levels, L lower, L upper, N count,
                                   cudaStream_t stream = nullptr) {
    return convkit_simt::work(
        storage, bytes, "cub::DeviceHistogram", stream,
        [in = convkit_simt::raw(samples), histogram, levels, lower, upper, count] {
          const int bins = levels - 1;
          for (int b = 0; b < bins; ++b) histogram[b] = 0;
          for (N i = 0; i < count; ++i) {
            const auto sample = in[i];
            if (sample < lower || !(sample < upper)) continue;
            const auto bin = static_cast<int>(static_cast<double>(sample - lower) * bins /
                                              static_cast<double>(upper - lower));
            ++histogram[bin < bins ? bin : bins - 1];
          }
        });
  }
};

}  // namespace cub
