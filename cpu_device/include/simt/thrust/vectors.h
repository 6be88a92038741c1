// SPDX-License-Identifier: MIT
// Thrust on the CPU device: host_vector and device_vector. Elements of a device_vector are copied
// bit by bit.
#pragma once

#include <initializer_list>
#include <vector>

#include "simt/thrust/algorithms.h"

namespace thrust {

template <class T, class Allocator = std::allocator<T>>
class device_vector;

template <class T, class Allocator = std::allocator<T>>
class host_vector : public std::vector<T, Allocator> {
 public:
  using Base = std::vector<T, Allocator>;
  using Base::Base;
  host_vector() = default;
  host_vector(const Base& other) : Base(other) {}
  template <class U, class A>
  host_vector(const std::vector<U, A>& other) : Base(other.begin(), other.end()) {}
  template <class U, class A>
  host_vector(const device_vector<U, A>& other) {
    *this = other;
  }
  template <class I, class = std::enable_if_t<convkit_simt::OnDevice<I>::value>, class = void>
  host_vector(I first, I last) : Base(static_cast<size_t>(last - first)) {
    thrust::copy(first, last, Base::begin());
  }
  template <class U, class A>
  host_vector& operator=(const device_vector<U, A>& other) {
    Base::resize(other.size());
    thrust::copy(other.begin(), other.end(), Base::begin());
    return *this;
  }
};

template <class T, class Allocator>
class device_vector {
 public:
  using value_type = T;
  using size_type = size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = device_ptr<T>;
  using const_pointer = device_ptr<const T>;
  using reference = device_reference<T>;
  using const_reference = device_reference<const T>;
  using iterator = device_ptr<T>;
  using const_iterator = device_ptr<const T>;

  device_vector() = default;
  explicit device_vector(size_t size) { resize(size); }
  device_vector(size_t size, const T& value) { resize(size, value); }
  device_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  template <class I, class = typename std::iterator_traits<I>::iterator_category>
  device_vector(I first, I last) {
    assign(first, last);
  }
  device_vector(const device_vector& other) { assign(other.begin(), other.end()); }
  device_vector(device_vector&& other) noexcept { swap(other); }
  template <class U, class A>
  device_vector(const device_vector<U, A>& other) {
    assign(other.begin(), other.end());
  }
  template <class U, class A>
  device_vector(const std::vector<U, A>& other) {
    assign(other.begin(), other.end());
  }
  ~device_vector() {
    if (data_) cudaFree(data_);
  }
  device_vector& operator=(const device_vector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  device_vector& operator=(device_vector&& other) noexcept {
    swap(other);
    return *this;
  }
  template <class U, class A>
  device_vector& operator=(const std::vector<U, A>& other) {
    assign(other.begin(), other.end());
    return *this;
  }

  template <class I, class = typename std::iterator_traits<I>::iterator_category>
  void assign(I first, I last) {
    size_ = 0;  // what is there need not be kept
    reserve(static_cast<size_t>(std::distance(first, last)));
    size_ = static_cast<size_t>(std::distance(first, last));
    thrust::copy(first, last, begin());
  }
  void assign(size_t size, const T& value) {
    size_ = 0;
    resize(size, value);
  }
  void resize(size_t size, const T& value = T()) {
    reserve(size);
    const size_t before = size_;
    size_ = size;
    if (size > before) thrust::fill(begin() + static_cast<std::ptrdiff_t>(before), end(), value);
  }
  void reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    T* data = nullptr;
    convkit_simt::throw_if(cudaMalloc(&data, capacity * sizeof(T)), "device_vector");
    if (size_ != 0) {
      convkit_simt::throw_if(cudaMemcpy(data, data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice),
                             "device_vector");
    }
    if (data_) cudaFree(data_);
    data_ = data;
    capacity_ = capacity;
  }
  void shrink_to_fit() {}
  void clear() { size_ = 0; }
  void push_back(const T& value) {
    if (size_ == capacity_) reserve(capacity_ == 0 ? 4 : 2 * capacity_);
    ++size_;
    back() = value;
  }
  void pop_back() { --size_; }
  iterator erase(iterator first, iterator last) {
    const host_vector<T> rest(last, end());
    thrust::copy(rest.begin(), rest.end(), first);
    size_ -= static_cast<size_t>(last - first);
    return first;
  }
  iterator erase(iterator at) { return erase(at, at + 1); }
  void swap(device_vector& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  pointer data() { return pointer(data_); }
  const_pointer data() const { return const_pointer(data_); }
  iterator begin() { return iterator(data_); }
  iterator end() { return iterator(data_ + size_); }
  const_iterator begin() const { return const_iterator(data_); }
  const_iterator end() const { return const_iterator(data_ + size_); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  std::reverse_iterator<iterator> rbegin() { return std::make_reverse_iterator(end()); }
  std::reverse_iterator<iterator> rend() { return std::make_reverse_iterator(begin()); }
  reference operator[](size_t i) { return begin()[static_cast<std::ptrdiff_t>(i)]; }
  const_reference operator[](size_t i) const { return begin()[static_cast<std::ptrdiff_t>(i)]; }
  reference front() { return (*this)[0]; }
  reference back() { return (*this)[size_ - 1]; }
  const_reference front() const { return (*this)[0]; }
  const_reference back() const { return (*this)[size_ - 1]; }

  friend bool operator==(const device_vector& a, const device_vector& b) {
    return a.size_ == b.size_ && thrust::equal(a.begin(), a.end(), b.begin());
  }
  friend bool operator!=(const device_vector& a, const device_vector& b) { return !(a == b); }

 private:
  T* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

template <class T, class A>
bool operator==(const device_vector<T, A>& a, const host_vector<T>& b) {
  return host_vector<T>(a) == b;
}
template <class T, class A>
bool operator==(const host_vector<T>& a, const device_vector<T, A>& b) {
  return a == host_vector<T>(b);
}

template <class T>
device_ptr<T> device_malloc(size_t count) {
  T* pointer = nullptr;
  convkit_simt::throw_if(cudaMalloc(&pointer, count * sizeof(T)), "device_malloc");
  return device_ptr<T>(pointer);
}
template <class T>
void device_free(device_ptr<T> pointer) {
  convkit_simt::throw_if(cudaFree(pointer.get()), "device_free");
}

}  // namespace thrust
