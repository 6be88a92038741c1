// SPDX-License-Identifier: MIT
// CUB on the CPU device: what the threads of a block and the lanes of a warp do together. Values go
// through the temporary storage; as in CUB, __syncthreads() must come before it is used again.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace cub {

struct Sum {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return a + b;
  }
};
struct Max {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

namespace convkit_simt {

inline unsigned thread_number() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
inline unsigned threads_of_block() {
  return blockDim.x * blockDim.y * blockDim.z;
}

// One value for each thread. Bytes, because shared variables have no constructors.
template <class T, int kThreads>
struct Exchange {
  alignas(T) unsigned char bytes[kThreads * sizeof(T)];
  T& operator[](unsigned i) { return reinterpret_cast<T*>(bytes)[i]; }
};

// Of a collective that is given none: one for each type, which all of the block use.
template <class Storage>
Storage& own_storage() {
  __shared__ Storage storage;
  return storage;
}

}  // namespace convkit_simt

// The result is that of thread 0; what other threads get is their own part.
template <class T, int kX, BlockReduceAlgorithm kAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS,
          int kY = 1, int kZ = 1, int kArchitecture = 0>
class BlockReduce {
 public:
  using TempStorage = convkit_simt::Exchange<T, kX * kY * kZ>;
  BlockReduce() : storage_(convkit_simt::own_storage<TempStorage>()) {}
  explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

  template <class F>
  T Reduce(T value, F function, int valid = kX * kY * kZ) {
    const unsigned thread = convkit_simt::thread_number();
    storage_[thread] = value;
    __syncthreads();
    if (thread != 0) return value;
    T sum = value;
    for (int i = 1; i < valid; ++i) sum = function(sum, storage_[static_cast<unsigned>(i)]);
    return sum;
  }
  template <int kItems, class F>
  T Reduce(T (&values)[kItems], F function) {
    T sum = values[0];
    for (int i = 1; i < kItems; ++i) sum = function(sum, values[i]);
    return Reduce(sum, function);
  }
  T Sum(T value, int valid = kX * kY * kZ) { return Reduce(value, cub::Sum(), valid); }
  template <int kItems>
  T Sum(T (&values)[kItems]) {
    return Reduce(values, cub::Sum());
  }

 private:
  TempStorage& storage_;
};

template <class T, int kX, BlockScanAlgorithm kAlgorithm = BLOCK_SCAN_RAKING, int kY = 1,
          int kZ = 1, int kArchitecture = 0>
class BlockScan {
 public:
  using TempStorage = convkit_simt::Exchange<T, kX * kY * kZ>;
  BlockScan() : storage_(convkit_simt::own_storage<TempStorage>()) {}
  explicit BlockScan(TempStorage& storage) : storage_(storage) {}

  template <class F>
  void InclusiveScan(T input, T& output, F function, T& aggregate) {
    scan(input, function);
    const unsigned thread = convkit_simt::thread_number();
    output = storage_[0];
    for (unsigned i = 1; i <= thread; ++i) output = function(output, storage_[i]);
    aggregate = total(function);
  }
  template <class F>
  void InclusiveScan(T input, T& output, F function) {
    T unused;
    InclusiveScan(input, output, function, unused);
  }
  template <class F>
  void ExclusiveScan(T input, T& output, T init, F function, T& aggregate) {
    scan(input, function);
    const unsigned thread = convkit_simt::thread_number();
    output = init;
    for (unsigned i = 0; i < thread; ++i) output = function(output, storage_[i]);
    aggregate = total(function);
  }
  template <class F>
  void ExclusiveScan(T input, T& output, T init, F function) {
    T unused;
    ExclusiveScan(input, output, init, function, unused);
  }
  void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
  void InclusiveSum(T input, T& output, T& aggregate) {
    InclusiveScan(input, output, cub::Sum(), aggregate);
  }
  void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(), cub::Sum()); }
  void ExclusiveSum(T input, T& output, T& aggregate) {
    ExclusiveScan(input, output, T(), cub::Sum(), aggregate);
  }
  template <int kItems>
  void InclusiveSum(T (&input)[kItems], T (&output)[kItems]) {
    T before, sum = T();
    for (const T& each : input) sum = sum + each;
    ExclusiveSum(sum, before);
    for (int i = 0; i < kItems; ++i) output[i] = before = before + input[i];
  }
  template <int kItems>
  void ExclusiveSum(T (&input)[kItems], T (&output)[kItems]) {
    T before, sum = T();
    for (const T& each : input) sum = sum + each;
    ExclusiveSum(sum, before);
    for (int i = 0; i < kItems; ++i) {
      const T value = input[i];  // the result may be the input
      output[i] = before;
      before = before + value;
    }
  }

 private:
  template <class F>
  void scan(const T& input, const F&) {
    storage_[convkit_simt::thread_number()] = input;
    __syncthreads();
  }
  template <class F>
  T total(F function) {
    T sum = storage_[0];
    for (unsigned i = 1; i < convkit_simt::threads_of_block(); ++i) {
      sum = function(sum, storage_[i]);
    }
    return sum;
  }
  TempStorage& storage_;
};

// In a blocked arrangement: thread i has the items from kItems * i on. BLOCK_LOAD_STRIPED and its
// twin: items lie a block apart.
template <class T, int kX, int kItems, BlockLoadAlgorithm kAlgorithm = BLOCK_LOAD_DIRECT>
class BlockLoad {
 public:
  struct TempStorage {};
  BlockLoad() = default;
  explicit BlockLoad(TempStorage&) {}
  template <class I>
  void Load(I from, T (&items)[kItems]) {
    for (int i = 0; i < kItems; ++i) items[i] = from[place(i)];
  }
  template <class I>
  void Load(I from, T (&items)[kItems], int valid) {
    for (int i = 0; i < kItems; ++i) {
      if (place(i) < valid) items[i] = from[place(i)];
    }
  }
  template <class I, class D>
  void Load(I from, T (&items)[kItems], int valid, D fallback) {
    for (int i = 0; i < kItems; ++i) {
      items[i] = place(i) < valid ? static_cast<T>(from[place(i)]) : static_cast<T>(fallback);
    }
  }

 private:
  static int place(int i) {
    const int thread = static_cast<int>(convkit_simt::thread_number());
    return kAlgorithm == BLOCK_LOAD_STRIPED ? thread + i * kX : thread * kItems + i;
  }
};
template <class T, int kX, int kItems, BlockStoreAlgorithm kAlgorithm = BLOCK_STORE_DIRECT>
class BlockStore {
 public:
  struct TempStorage {};
  BlockStore() = default;
  explicit BlockStore(TempStorage&) {}
  template <class O>
  void Store(O to, T (&items)[kItems]) {
    Store(to, items, kX * kItems);
  }
  template <class O>
  void Store(O to, T (&items)[kItems], int valid) {
    const int thread = static_cast<int>(convkit_simt::thread_number());
    for (int i = 0; i < kItems; ++i) {
      const int place = kAlgorithm == BLOCK_STORE_STRIPED ? thread + i * kX : thread * kItems + i;
      if (place < valid) to[place] = items[i];
    }
  }
};

// The lanes of a logical warp. As with a block, the result is that of lane 0.
template <class T, int kLanes = 32, int kArchitecture = 0>
class WarpReduce {
 public:
  using TempStorage = convkit_simt::Exchange<T, kLanes>;
  explicit WarpReduce(TempStorage& storage) : storage_(storage) {}

  template <class F>
  T Reduce(T value, F function, int valid = kLanes) {
    const unsigned lane = convkit_simt::thread_number() % kLanes;
    storage_[lane] = value;
    __syncwarp(mask());
    T sum = value;
    if (lane == 0) {
      for (int i = 1; i < valid; ++i) sum = function(sum, storage_[static_cast<unsigned>(i)]);
    }
    __syncwarp(mask());
    return sum;
  }
  T Sum(T value, int valid = kLanes) { return Reduce(value, cub::Sum(), valid); }

 private:
  static unsigned mask() {
    const unsigned first = convkit_simt::thread_number() % 32 / kLanes * kLanes;
    return kLanes == 32 ? 0xffffffffu : ((1u << kLanes % 32) - 1) << first;
  }
  TempStorage& storage_;
};

template <class T, int kLanes = 32, int kArchitecture = 0>
class WarpScan {
 public:
  using TempStorage = convkit_simt::Exchange<T, kLanes>;
  explicit WarpScan(TempStorage& storage) : storage_(storage) {}

  template <class F>
  void InclusiveScan(T input, T& output, F function) {
    const unsigned lane = publish(input);
    T sum = storage_[0];
    for (unsigned i = 1; i <= lane; ++i) sum = function(sum, storage_[i]);
    __syncwarp(mask());
    output = sum;
  }
  template <class F>
  void ExclusiveScan(T input, T& output, T init, F function) {
    const unsigned lane = publish(input);
    T sum = init;
    for (unsigned i = 0; i < lane; ++i) sum = function(sum, storage_[i]);
    __syncwarp(mask());
    output = sum;
  }
  void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
  void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(), cub::Sum()); }

 private:
  static unsigned mask() {
    const unsigned first = convkit_simt::thread_number() % 32 / kLanes * kLanes;
    return kLanes == 32 ? 0xffffffffu : ((1u << kLanes % 32) - 1) << first;
  }
  unsigned publish(const T& input) {
    const unsigned lane = convkit_simt::thread_number() % kLanes;
    storage_[lane] = input;
    __syncwarp(mask());
    return lane;
  }
  TempStorage& storage_;
};

struct NullType {};

namespace convkit_simt {

// The bits of a number, in whose order as unsigned ones the numbers are sorted.
template <class Key>
unsigned long long sorted_bits(const Key& key, int begin_bit, int end_bit) {
  constexpr int kBits = 8 * static_cast<int>(sizeof(Key));
  static_assert(kBits <= 64, "keys have at most 64 bits");
  unsigned long long bits = 0;
  std::memcpy(&bits, &key, sizeof key);
  const unsigned long long sign = 1ull << (kBits - 1);
  if (std::is_floating_point<Key>::value) {
    bits = (bits & sign) != 0 ? ~bits : bits | sign;
  } else if (std::is_signed<Key>::value) {
    bits ^= sign;
  }
  if (end_bit < 64) bits &= (1ull << end_bit) - 1;
  return bits >> begin_bit;
}

}  // namespace convkit_simt

// Sorts the items of all threads; equal keys keep their order. Thread i has items i * kItems ...
// before; after `BlockedToStriped`, i, i + threads ...
template <class Key, int kX, int kItems, class Value = NullType, int kRadixBits = 4,
          bool kMemoize = true, BlockScanAlgorithm kScan = BLOCK_SCAN_WARP_SCANS, int kBankSize = 0,
          int kY = 1, int kZ = 1>
class BlockRadixSort {
  static constexpr int kThreads = kX * kY * kZ, kAll = kThreads * kItems;
  static constexpr bool kKeysOnly = std::is_same<Value, NullType>::value;
  static constexpr int kBits = 8 * static_cast<int>(sizeof(Key));

 public:
  struct TempStorage {
    convkit_simt::Exchange<Key, kAll> keys;
    convkit_simt::Exchange<Value, kKeysOnly ? 1 : kAll> values;
    convkit_simt::Exchange<int, kAll> order;
  };
  BlockRadixSort() : storage_(convkit_simt::own_storage<TempStorage>()) {}
  explicit BlockRadixSort(TempStorage& storage) : storage_(storage) {}

  void Sort(Key (&keys)[kItems], int begin_bit = 0, int end_bit = kBits) {
    sort(keys, nullptr, begin_bit, end_bit, false, false);
  }
  void Sort(Key (&keys)[kItems], Value (&values)[kItems], int begin_bit = 0, int end_bit = kBits) {
    sort(keys, values, begin_bit, end_bit, false, false);
  }
  void SortDescending(Key (&keys)[kItems], int begin_bit = 0, int end_bit = kBits) {
    sort(keys, nullptr, begin_bit, end_bit, true, false);
  }
  void SortDescending(Key (&keys)[kItems], Value (&values)[kItems], int begin_bit = 0,
                      int end_bit = kBits) {
    sort(keys, values, begin_bit, end_bit, true, false);
  }
  void SortBlockedToStriped(Key (&keys)[kItems], int begin_bit = 0, int end_bit = kBits) {
    sort(keys, nullptr, begin_bit, end_bit, false, true);
  }
  void SortBlockedToStriped(Key (&keys)[kItems], Value (&values)[kItems], int begin_bit = 0,
                            int end_bit = kBits) {
    sort(keys, values, begin_bit, end_bit, false, true);
  }
  void SortDescendingBlockedToStriped(Key (&keys)[kItems], int begin_bit = 0, int end_bit = kBits) {
    sort(keys, nullptr, begin_bit, end_bit, true, true);
  }
  void SortDescendingBlockedToStriped(Key (&keys)[kItems], Value (&values)[kItems],
                                      int begin_bit = 0, int end_bit = kBits) {
    sort(keys, values, begin_bit, end_bit, true, true);
  }

 private:
  void sort(Key* keys, Value* values, int begin_bit, int end_bit, bool descending, bool striped) {
    const unsigned thread = convkit_simt::thread_number();
    for (unsigned i = 0; i < kItems; ++i) {
      const unsigned at = thread * kItems + i;
      storage_.keys[at] = keys[i];
      if (values) storage_.values[at] = values[i];
      storage_.order[at] = static_cast<int>(at);
    }
    __syncthreads();
    if (thread == 0) {
      int* const order = &storage_.order[0];
      std::sort(order, order + kAll, [&](int a, int b) {
        const auto one = bits(a, begin_bit, end_bit), other = bits(b, begin_bit, end_bit);
        if (one == other) return a < b;
        return descending ? other < one : one < other;
      });
    }
    __syncthreads();
    for (unsigned i = 0; i < kItems; ++i) {
      const unsigned at = striped ? i * kThreads + thread : thread * kItems + i;
      const auto from = static_cast<unsigned>(storage_.order[at]);
      keys[i] = storage_.keys[from];
      if (values) values[i] = storage_.values[from];
    }
  }
  unsigned long long bits(int item, int begin_bit, int end_bit) {
    return convkit_simt::sorted_bits(storage_.keys[static_cast<unsigned>(item)], begin_bit,
                                     end_bit);
  }

  TempStorage& storage_;
};

}  // namespace cub
