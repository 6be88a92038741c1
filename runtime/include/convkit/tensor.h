// SPDX-License-Identifier: MIT
// Tensors in host memory: a view (pointer, dims, strides) and an owner.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <type_traits>

#include "convkit/checked_size.h"

namespace convkit {

inline constexpr int kMaxRank = 8;
inline constexpr size_t kTensorAlignment = 64;  // a cache line, and the widest vector register

// Up to kMaxRank sizes, outermost first. Throws std::invalid_argument for a negative size, too
// many of them, or a number of elements that does not fit 64 bits.
class Dims {
 public:
  constexpr Dims() = default;
  constexpr Dims(std::initializer_list<int64_t> sizes)
      : Dims(std::span<const int64_t>(sizes.begin(), sizes.size())) {}
  constexpr explicit Dims(std::span<const int64_t> sizes) : rank_(static_cast<int>(sizes.size())) {
    if (sizes.size() > kMaxRank) throw std::invalid_argument("A tensor has at most 8 dimensions.");
    const auto count = checked_product(sizes);
    if (!count) throw std::invalid_argument("A tensor's size is negative or overflows 64 bits.");
    count_ = *count;
    std::copy(sizes.begin(), sizes.end(), sizes_.begin());
  }

  constexpr int rank() const { return rank_; }
  constexpr int64_t count() const { return count_; }  // elements; 1 for rank 0
  constexpr int64_t operator[](int axis) const { return sizes_[static_cast<size_t>(axis)]; }
  constexpr bool operator==(const Dims&) const = default;

  // Row-major (C order) strides in elements: the last axis is contiguous.
  constexpr std::array<int64_t, kMaxRank> strides() const {
    std::array<int64_t, kMaxRank> strides{};
    int64_t step = 1;
    for (int axis = rank_ - 1; axis >= 0; --axis) {
      strides[static_cast<size_t>(axis)] = step;
      step *= sizes_[static_cast<size_t>(axis)];
    }
    return strides;
  }

 private:
  int rank_ = 0;
  int64_t count_ = 1;
  std::array<int64_t, kMaxRank> sizes_{};
};

// A contiguous row-major tensor that somebody else owns. Copying it copies no elements.
template <class T>
class TensorView {
 public:
  TensorView() = default;
  TensorView(T* data, const Dims& dims) : data_(data), dims_(dims), strides_(dims.strides()) {}
  // A view of T converts to a view of const T.
  template <class U>
  requires(std::same_as<T, const U> && !std::is_const_v<U>) TensorView(const TensorView<U>& other)
      : TensorView(other.data(), other.dims()) {}

  T* data() const { return data_; }
  const Dims& dims() const { return dims_; }
  int64_t count() const { return dims_.count(); }
  int64_t stride(int axis) const { return strides_[static_cast<size_t>(axis)]; }
  std::span<T> values() const { return {data_, static_cast<size_t>(count())}; }

  // One index per axis: view.element(n, c, h, w). Indices are checked in debug builds only.
  template <std::integral... Index>
  T& element(Index... index) const {
    assert(sizeof...(Index) == static_cast<size_t>(dims_.rank()));
    int axis = 0;
    int64_t offset = 0;
    const auto add = [&](int64_t i) {
      assert(i >= 0 && i < dims_[axis]);
      offset += i * strides_[static_cast<size_t>(axis++)];
    };
    (add(static_cast<int64_t>(index)), ...);
    return data_[offset];
  }

 private:
  T* data_ = nullptr;
  Dims dims_;
  std::array<int64_t, kMaxRank> strides_{};
};

// Owns its elements: zero at first, aligned to kTensorAlignment. Move-only; a moved-from tensor
// may only be assigned to or destroyed.
template <class T>
requires std::is_trivially_copyable_v<T>
class Tensor {
 public:
  Tensor() = default;
  // Throws std::bad_alloc where the memory cannot be had.
  explicit Tensor(const Dims& dims) : dims_(dims), memory_(allocate(dims)) {}

  TensorView<T> view() { return {memory_.get(), dims_}; }
  TensorView<const T> view() const { return {memory_.get(), dims_}; }
  T* data() { return memory_.get(); }
  const T* data() const { return memory_.get(); }
  const Dims& dims() const { return dims_; }
  int64_t count() const { return memory_ ? dims_.count() : 0; }
  std::span<T> values() { return {data(), static_cast<size_t>(count())}; }
  std::span<const T> values() const { return {data(), static_cast<size_t>(count())}; }

  template <std::integral... Index>
  T& element(Index... index) {
    return view().element(index...);
  }
  template <std::integral... Index>
  const T& element(Index... index) const {
    return view().element(index...);
  }

 private:
  struct Free {
    void operator()(T* memory) const {
      ::operator delete (memory, std::align_val_t{kTensorAlignment});
    }
  };

  static T* allocate(const Dims& dims) {
    const auto bytes = checked_product({dims.count(), static_cast<int64_t>(sizeof(T))});
    if (!bytes) throw std::bad_alloc();
    void* memory = ::operator new (static_cast<size_t>(*bytes), std::align_val_t{kTensorAlignment});
    T* elements = static_cast<T*>(memory);
    std::uninitialized_value_construct_n(elements, dims.count());
    return elements;
  }

  Dims dims_;
  std::unique_ptr<T, Free> memory_;
};

}  // namespace convkit
