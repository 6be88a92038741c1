// SPDX-License-Identifier: MIT
// Thrust on the CPU device: where data lie (device_ptr, device_reference) and the iterators that
// compute what they give. An iterator of device memory knows it; unwrapped() makes of it one that a
// kernel walks along.
#pragma once

#include <cuda_runtime.h>

#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>

namespace thrust {

template <class... T>
using tuple = std::tuple<T...>;
template <class A, class B>
using pair = std::pair<A, B>;
using std::get;
using std::make_pair;
using std::make_tuple;
using std::tie;
template <class T>
using tuple_size = std::tuple_size<T>;
template <size_t kIndex, class T>
using tuple_element = std::tuple_element<kIndex, T>;

class system_error : public std::runtime_error {
 public:
  explicit system_error(cudaError_t error, const std::string& call)
      : std::runtime_error(call + ": " + cudaGetErrorName(error) + ": " +
                           cudaGetErrorString(error)),
        error_(error) {}
  std::error_code code() const { return {static_cast<int>(error_), std::generic_category()}; }

 private:
  cudaError_t error_;
};
namespace system {
using thrust::system_error;
}

namespace convkit_simt {

// Kernels have a grid; host threads have none.
inline bool in_kernel() {
  return gridDim.x != 0;
}

inline void throw_if(cudaError_t error, const char* call) {
  if (error != cudaSuccess) throw system_error(error, call);
}

}  // namespace convkit_simt

template <class T>
class device_reference;

// A pointer into device memory. Host code reads and writes through it by copies.
template <class T>
class device_ptr {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_cv_t<T>;
  using difference_type = std::ptrdiff_t;
  using pointer = device_ptr;
  using reference = device_reference<T>;

  device_ptr() = default;
  device_ptr(std::nullptr_t) {}
  explicit device_ptr(T* raw) : pointer_(raw) {}
  template <class U, class = std::enable_if_t<std::is_convertible<U*, T*>::value>>
  device_ptr(const device_ptr<U>& other) : pointer_(other.get()) {}

  T* get() const { return pointer_; }
  reference operator*() const { return reference(*this); }
  reference operator[](difference_type i) const { return reference(*this + i); }
  explicit operator bool() const { return pointer_ != nullptr; }

  device_ptr& operator+=(difference_type n) {
    pointer_ += n;
    return *this;
  }
  device_ptr& operator-=(difference_type n) {
    pointer_ -= n;
    return *this;
  }
  device_ptr& operator++() { return *this += 1; }
  device_ptr& operator--() { return *this -= 1; }
  device_ptr operator++(int) { return device_ptr(pointer_++); }
  device_ptr operator--(int) { return device_ptr(pointer_--); }
  friend device_ptr operator+(device_ptr p, difference_type n) { return p += n; }
  friend device_ptr operator+(difference_type n, device_ptr p) { return p += n; }
  friend device_ptr operator-(device_ptr p, difference_type n) { return p -= n; }
  friend difference_type operator-(device_ptr a, device_ptr b) { return a.pointer_ - b.pointer_; }
  friend bool operator==(device_ptr a, device_ptr b) { return a.pointer_ == b.pointer_; }
  friend bool operator!=(device_ptr a, device_ptr b) { return a.pointer_ != b.pointer_; }
  friend bool operator<(device_ptr a, device_ptr b) { return a.pointer_ < b.pointer_; }
  friend bool operator>(device_ptr a, device_ptr b) { return a.pointer_ > b.pointer_; }
  friend bool operator<=(device_ptr a, device_ptr b) { return a.pointer_ <= b.pointer_; }
  friend bool operator>=(device_ptr a, device_ptr b) { return a.pointer_ >= b.pointer_; }

 private:
  T* pointer_ = nullptr;
};

// One element of device memory, as host code names it.
template <class T>
class device_reference {
 public:
  using value_type = std::remove_cv_t<T>;

  explicit device_reference(device_ptr<T> at) : at_(at) {}
  device_reference(const device_reference&) = default;

  operator value_type() const {
    if (convkit_simt::in_kernel()) return *at_.get();
    alignas(value_type) unsigned char bytes[sizeof(value_type)];
    convkit_simt::throw_if(cudaMemcpy(bytes, at_.get(), sizeof(value_type), cudaMemcpyDeviceToHost),
                           "reading an element");
    return *reinterpret_cast<value_type*>(bytes);
  }
  device_reference& operator=(const value_type& value) {
    if (convkit_simt::in_kernel()) {
      *at_.get() = value;
    } else {
      convkit_simt::throw_if(
          cudaMemcpy(at_.get(), &value, sizeof(value_type), cudaMemcpyHostToDevice),
          "writing an element");
    }
    return *this;
  }
  device_reference& operator=(const device_reference& other) {
    return *this = static_cast<value_type>(other);
  }
  device_ptr<T> operator&() const { return at_; }

#define CONVKIT_SIMT_UPDATE(op)                            \
  device_reference& operator op##=(const value_type& by) { \
    return *this = static_cast<value_type>(*this) op by;   \
  }
  CONVKIT_SIMT_UPDATE(+)
  CONVKIT_SIMT_UPDATE(-)
  CONVKIT_SIMT_UPDATE(*)
  CONVKIT_SIMT_UPDATE(/)
#undef CONVKIT_SIMT_UPDATE
  device_reference& operator++() {
    return *this += value_type(1);
  }
  device_reference& operator--() {
    return *this -= value_type(1);
  }

 private:
  device_ptr<T> at_;
};

template <class T>
device_ptr<T> device_pointer_cast(T* pointer) {
  return device_ptr<T>(pointer);
}
template <class T>
device_ptr<T> device_pointer_cast(const device_ptr<T>& pointer) {
  return pointer;
}
template <class T>
T* raw_pointer_cast(const device_ptr<T>& pointer) {
  return pointer.get();
}
template <class T>
T* raw_pointer_cast(T* pointer) {
  return pointer;
}

// What iterators that compute their elements share: a place that is moved.
template <class Self, class Value, class Reference>
class convkit_simt_iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Value;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = Reference;

  Self& operator+=(difference_type n) {
    self().advance(n);
    return self();
  }
  Self& operator-=(difference_type n) { return *this += -n; }
  Self& operator++() { return *this += 1; }
  Self& operator--() { return *this += -1; }
  Self operator++(int) {
    Self before = self();
    ++*this;
    return before;
  }
  Self operator--(int) {
    Self before = self();
    --*this;
    return before;
  }
  Reference operator[](difference_type n) const { return *(self() + n); }
  friend Self operator+(Self a, difference_type n) { return a += n; }
  friend Self operator+(difference_type n, Self a) { return a += n; }
  friend Self operator-(Self a, difference_type n) { return a += -n; }
  friend difference_type operator-(const Self& a, const Self& b) { return a.distance_from(b); }
  friend bool operator==(const Self& a, const Self& b) { return a - b == 0; }
  friend bool operator!=(const Self& a, const Self& b) { return a - b != 0; }
  friend bool operator<(const Self& a, const Self& b) { return a - b < 0; }
  friend bool operator>(const Self& a, const Self& b) { return a - b > 0; }
  friend bool operator<=(const Self& a, const Self& b) { return a - b <= 0; }
  friend bool operator>=(const Self& a, const Self& b) { return a - b >= 0; }

 private:
  Self& self() { return static_cast<Self&>(*this); }
  const Self& self() const { return static_cast<const Self&>(*this); }
};

template <class T>
class counting_iterator : public convkit_simt_iterator<counting_iterator<T>, T, T> {
 public:
  counting_iterator() = default;
  explicit counting_iterator(T value) : value_(value) {}
  T operator*() const { return value_; }
  void advance(std::ptrdiff_t n) { value_ = static_cast<T>(value_ + static_cast<T>(n)); }
  std::ptrdiff_t distance_from(const counting_iterator& other) const {
    return static_cast<std::ptrdiff_t>(value_) - static_cast<std::ptrdiff_t>(other.value_);
  }

 private:
  T value_{};
};
template <class T>
counting_iterator<T> make_counting_iterator(T value) {
  return counting_iterator<T>(value);
}

template <class T>
class constant_iterator : public convkit_simt_iterator<constant_iterator<T>, T, T> {
 public:
  explicit constant_iterator(T value, std::ptrdiff_t at = 0) : value_(value), at_(at) {}
  T operator*() const { return value_; }
  void advance(std::ptrdiff_t n) { at_ += n; }
  std::ptrdiff_t distance_from(const constant_iterator& other) const { return at_ - other.at_; }

 private:
  T value_;
  std::ptrdiff_t at_;
};
template <class T>
constant_iterator<T> make_constant_iterator(T value) {
  return constant_iterator<T>(value);
}

// Takes what is assigned, and forgets it.
class discard_iterator {
 public:
  struct Sink {
    template <class T>
    const Sink& operator=(const T&) const {
      return *this;
    }
  };
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Sink;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = Sink;
  explicit discard_iterator(std::ptrdiff_t at = 0) : at_(at) {}
  Sink operator*() const { return {}; }
  Sink operator[](std::ptrdiff_t) const { return {}; }
  discard_iterator& operator++() {
    ++at_;
    return *this;
  }
  friend discard_iterator operator+(discard_iterator a, std::ptrdiff_t n) {
    return discard_iterator(a.at_ + n);
  }
  friend std::ptrdiff_t operator-(discard_iterator a, discard_iterator b) { return a.at_ - b.at_; }

 private:
  std::ptrdiff_t at_;
};
inline discard_iterator make_discard_iterator() {
  return discard_iterator();
}

template <class Function, class Base>
using convkit_simt_transformed = std::decay_t<
    std::invoke_result_t<const Function&, typename std::iterator_traits<Base>::value_type>>;

template <class Function, class Base>
class transform_iterator : public convkit_simt_iterator<transform_iterator<Function, Base>,
                                                        convkit_simt_transformed<Function, Base>,
                                                        convkit_simt_transformed<Function, Base>> {
 public:
  transform_iterator(Base base, Function function) : base_(base), function_(function) {}
  convkit_simt_transformed<Function, Base> operator*() const {
    return function_(static_cast<typename std::iterator_traits<Base>::value_type>(*base_));
  }
  transform_iterator& operator=(const transform_iterator& other) {
    base_ = other.base_;  // a lambda cannot be assigned, and is the same
    return *this;
  }
  transform_iterator(const transform_iterator&) = default;
  void advance(std::ptrdiff_t n) { base_ += n; }
  std::ptrdiff_t distance_from(const transform_iterator& other) const {
    return base_ - other.base_;
  }
  Base base() const { return base_; }
  Function functor() const { return function_; }

 private:
  Base base_;
  Function function_;
};
template <class Base, class Function>
transform_iterator<Function, Base> make_transform_iterator(Base base, Function function) {
  return {base, function};
}

template <class Elements, class Indices>
class permutation_iterator
    : public convkit_simt_iterator<permutation_iterator<Elements, Indices>,
                                   typename std::iterator_traits<Elements>::value_type,
                                   typename std::iterator_traits<Elements>::reference> {
 public:
  permutation_iterator(Elements elements, Indices indices)
      : elements_(elements), indices_(indices) {}
  typename std::iterator_traits<Elements>::reference operator*() const {
    return elements_[static_cast<std::ptrdiff_t>(
        static_cast<typename std::iterator_traits<Indices>::value_type>(*indices_))];
  }
  void advance(std::ptrdiff_t n) { indices_ += n; }
  std::ptrdiff_t distance_from(const permutation_iterator& other) const {
    return indices_ - other.indices_;
  }
  Elements elements() const { return elements_; }
  Indices indices() const { return indices_; }

 private:
  Elements elements_;
  Indices indices_;
};
template <class Elements, class Indices>
permutation_iterator<Elements, Indices> make_permutation_iterator(Elements elements,
                                                                  Indices indices) {
  return {elements, indices};
}

template <class Tuple>
class zip_iterator;
template <class... Base>
class zip_iterator<std::tuple<Base...>>
    : public convkit_simt_iterator<zip_iterator<std::tuple<Base...>>,
                                   std::tuple<typename std::iterator_traits<Base>::value_type...>,
                                   std::tuple<typename std::iterator_traits<Base>::reference...>> {
 public:
  zip_iterator() = default;
  explicit zip_iterator(std::tuple<Base...> bases) : bases_(bases) {}
  std::tuple<typename std::iterator_traits<Base>::reference...> operator*() const {
    return std::apply(
        [](const Base&... base) {
          return std::tuple<typename std::iterator_traits<Base>::reference...>(*base...);
        },
        bases_);
  }
  void advance(std::ptrdiff_t n) {
    std::apply([n](Base&... base) { ((base += n), ...); }, bases_);
  }
  std::ptrdiff_t distance_from(const zip_iterator& other) const {
    return std::get<0>(bases_) - std::get<0>(other.bases_);
  }
  const std::tuple<Base...>& get_iterator_tuple() const { return bases_; }

 private:
  std::tuple<Base...> bases_;
};
template <class... Base>
zip_iterator<std::tuple<Base...>> make_zip_iterator(std::tuple<Base...> bases) {
  return zip_iterator<std::tuple<Base...>>(bases);
}
template <class... Base>
zip_iterator<std::tuple<Base...>> make_zip_iterator(Base... bases) {
  return zip_iterator<std::tuple<Base...>>(std::tuple<Base...>(bases...));
}

template <class Base>
using reverse_iterator = std::reverse_iterator<Base>;
template <class Base>
reverse_iterator<Base> make_reverse_iterator(Base base) {
  return reverse_iterator<Base>(base);
}

namespace convkit_simt {

// Whether an iterator reads or writes device memory.
template <class I>
struct OnDevice : std::false_type {};
template <class T>
struct OnDevice<device_ptr<T>> : std::true_type {};
template <class F, class B>
struct OnDevice<transform_iterator<F, B>> : OnDevice<B> {};
template <class E, class I>
struct OnDevice<permutation_iterator<E, I>>
    : std::bool_constant<OnDevice<E>::value || OnDevice<I>::value> {};
template <class... B>
struct OnDevice<zip_iterator<std::tuple<B...>>> : std::bool_constant<(OnDevice<B>::value || ...)> {
};
template <class B>
struct OnDevice<std::reverse_iterator<B>> : OnDevice<B> {};

template <class I>
I unwrapped(const I& iterator) {
  return iterator;
}
template <class T>
T* unwrapped(const device_ptr<T>& pointer) {
  return pointer.get();
}
template <class F, class B>
auto unwrapped(const transform_iterator<F, B>& i);
template <class E, class I>
auto unwrapped(const permutation_iterator<E, I>& i);
template <class... B>
auto unwrapped(const zip_iterator<std::tuple<B...>>& i);
template <class B>
auto unwrapped(const std::reverse_iterator<B>& i);

template <class F, class B>
auto unwrapped(const transform_iterator<F, B>& i) {
  return make_transform_iterator(unwrapped(i.base()), i.functor());
}
template <class E, class I>
auto unwrapped(const permutation_iterator<E, I>& i) {
  return make_permutation_iterator(unwrapped(i.elements()), unwrapped(i.indices()));
}
template <class... B>
auto unwrapped(const zip_iterator<std::tuple<B...>>& i) {
  return std::apply([](const B&... base) { return make_zip_iterator(unwrapped(base)...); },
                    i.get_iterator_tuple());
}
template <class B>
auto unwrapped(const std::reverse_iterator<B>& i) {
  return std::make_reverse_iterator(unwrapped(i.base()));
}

template <class I>
using ValueOf = typename std::iterator_traits<I>::value_type;

}  // namespace convkit_simt
}  // namespace thrust
