// SPDX-License-Identifier: MIT
// Thrust on the CPU device: its algorithms, over the host's standard library. Sums are taken from
// left to right.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "simt/thrust/execution.h"
#include "simt/thrust/functional.h"

namespace thrust {
namespace convkit_simt {

// The elements of [first, last) as values of their own.
template <class I>
std::vector<ValueOf<I>> values_of(I first, I last) {
  std::vector<ValueOf<I>> values;
  values.reserve(static_cast<size_t>(last - first));
  for (; first != last; ++first) values.push_back(static_cast<ValueOf<I>>(*first));
  return values;
}

// The places of the elements in order, equal ones as they lie. (std::stable_sort takes memory by a
// call that check mode does not know.)
template <class T, class F>
std::vector<size_t> stable_order(const std::vector<T>& values, F before) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (before(values[a], values[b])) return true;
    return a < b && !before(values[b], values[a]);
  });
  return order;
}

template <class I>
constexpr bool kIsPlainPointer = std::is_pointer<decltype(unwrapped(std::declval<I>()))>::value;

struct Copy {
  template <class P, class I, class O>
  static O call(const P& policy, I first, I last, O out) {
    constexpr bool kFrom = OnDevice<I>::value, kTo = OnDevice<O>::value;
    if constexpr (std::is_same<typename std::iterator_traits<O>::iterator_category,
                               std::output_iterator_tag>::value &&
                  !kTo) {
      return out_of_sequence(policy, first, last, out);
    } else {
      return into_sequence<kFrom, kTo>(policy, first, last, out);
    }
  }

 private:
  template <bool kFrom, bool kTo, class P, class I, class O>
  static O into_sequence(const P& policy, I first, I last, O out) {
    const auto count = std::distance(first, last);
    if constexpr (std::is_base_of<OnTheDevice, P>::value && kFrom != kTo) {
      if (!in_kernel()) {
        between(policy, first, last, out);
        return out + count;
      }
    }
    const auto from = unwrapped(first), to = unwrapped(last);
    auto at = unwrapped(out);
    policy.run("thrust::copy", [=]() mutable {
      for (auto i = from; i != to; ++i, ++at) *at = *i;
    });
    return out + count;
  }

  // To an iterator that can only be written in order, such as std::ostream_iterator.
  template <class P, class I, class O>
  static O out_of_sequence(const P& policy, I first, I last, O out) {
    std::vector<ValueOf<I>> values(static_cast<size_t>(std::distance(first, last)));
    call(policy, first, last, values.begin());
    return std::copy(values.begin(), values.end(), out);
  }

  // From the host to the device or back.
  template <class I, class O>
  static void between(const OnTheDevice& policy, I first, I last, O out) {
    using From = ValueOf<I>;
    using To = ValueOf<O>;
    const auto count = static_cast<size_t>(std::distance(first, last));
    if (count == 0) return;
    if constexpr (OnDevice<I>::value) {
      static_assert(kIsPlainPointer<I>, "copy to an array of the device first");
      std::unique_ptr<From[]> values(new From[count]);
      throw_if(cudaMemcpyAsync(values.get(), unwrapped(first), count * sizeof(From),
                               cudaMemcpyDefault, policy.stream),
               "thrust::copy");
      throw_if(cudaStreamSynchronize(policy.stream), "thrust::copy");
      for (size_t i = 0; i < count; ++i, ++out) *out = values[i];
    } else {
      static_assert(kIsPlainPointer<O>, "copy to an array of the device first");
      std::unique_ptr<To[]> values(new To[count]);
      for (size_t i = 0; i < count; ++i, ++first) values[i] = static_cast<To>(*first);
      throw_if(cudaMemcpyAsync(unwrapped(out), values.get(), count * sizeof(To), cudaMemcpyDefault,
                               policy.stream),
               "thrust::copy");
      throw_if(cudaStreamSynchronize(policy.stream), "thrust::copy");
    }
  }
};

struct CopyN {
  template <class P, class I, class N, class O>
  static O call(const P& policy, I first, N count, O out) {
    return Copy::call(policy, first, first + count, out);
  }
};

struct Fill {
  template <class P, class I, class T>
  static void call(const P& policy, I first, I last, const T& value) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    policy.run("thrust::fill", [=]() mutable {
      for (auto i = begin; i != end; ++i) *i = value;
    });
  }
};

struct FillN {
  template <class P, class I, class N, class T>
  static I call(const P& policy, I first, N count, const T& value) {
    Fill::call(policy, first, first + count, value);
    return first + count;
  }
};

struct Sequence {
  template <class P, class I>
  static void call(const P& policy, I first, I last) {
    call(policy, first, last, ValueOf<I>(0), ValueOf<I>(1));
  }
  template <class P, class I, class T>
  static void call(const P& policy, I first, I last, T init) {
    call(policy, first, last, init, T(1));
  }
  template <class P, class I, class T, class S>
  static void call(const P& policy, I first, I last, T init, S step) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    policy.run("thrust::sequence", [=]() mutable {
      ValueOf<I> number(0);
      for (auto i = begin; i != end; ++i, number = ValueOf<I>(number + ValueOf<I>(1))) {
        *i = static_cast<ValueOf<I>>(init + step * number);
      }
    });
  }
};

struct ForEach {
  template <class P, class I, class F>
  static I call(const P& policy, I first, I last, F function) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    policy.run("thrust::for_each", [=]() mutable {
      for (auto i = begin; i != end; ++i) {
        auto&& element = *i;
        function(element);
      }
    });
    return last;
  }
};
struct ForEachN {
  template <class P, class I, class N, class F>
  static I call(const P& policy, I first, N count, F function) {
    return ForEach::call(policy, first, first + count, function);
  }
};

struct Generate {
  template <class P, class I, class F>
  static void call(const P& policy, I first, I last, F function) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    policy.run("thrust::generate", [=]() mutable {
      for (auto i = begin; i != end; ++i) *i = function();
    });
  }
};

struct Transform {
  template <class P, class I, class O, class F>
  static O call(const P& policy, I first, I last, O out, F function) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    auto at = unwrapped(out);
    policy.run("thrust::transform", [=]() mutable {
      for (auto i = begin; i != end; ++i, ++at) *at = function(*i);
    });
    return out + (last - first);
  }
  template <class P, class I, class J, class O, class F>
  static O call(const P& policy, I first, I last, J second, O out, F function) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    auto j = unwrapped(second);
    auto at = unwrapped(out);
    policy.run("thrust::transform", [=]() mutable {
      for (auto i = begin; i != end; ++i, ++j, ++at) *at = function(*i, *j);
    });
    return out + (last - first);
  }
};

struct TransformIf {
  template <class P, class I, class O, class F, class T>
  static O call(const P& policy, I first, I last, O out, F function, T test) {
    return call(policy, first, last, first, out, function, test);
  }
  template <class P, class I, class S, class O, class F, class T>
  static O call(const P& policy, I first, I last, S stencil, O out, F function, T test) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    auto mark = unwrapped(stencil);
    auto at = unwrapped(out);
    policy.run("thrust::transform_if", [=]() mutable {
      for (auto i = begin; i != end; ++i, ++mark, ++at) {
        if (test(*mark)) *at = function(*i);
      }
    });
    return out + (last - first);
  }
};

struct Reduce {
  template <class P, class I>
  static ValueOf<I> call(const P& policy, I first, I last) {
    return call(policy, first, last, ValueOf<I>());
  }
  template <class P, class I, class T>
  static T call(const P& policy, I first, I last, T init) {
    return call(policy, first, last, init, plus<>());
  }
  template <class P, class I, class T, class F>
  static T call(const P& policy, I first, I last, T init, F function) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    return policy.result("thrust::reduce", [=]() mutable {
      T sum = init;
      for (auto i = begin; i != end; ++i) sum = static_cast<T>(function(sum, *i));
      return sum;
    });
  }
};

struct TransformReduce {
  template <class P, class I, class F, class T, class G>
  static T call(const P& policy, I first, I last, F function, T init, G combine) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    return policy.result("thrust::transform_reduce", [=]() mutable {
      T sum = init;
      for (auto i = begin; i != end; ++i) sum = static_cast<T>(combine(sum, function(*i)));
      return sum;
    });
  }
};

struct InnerProduct {
  template <class P, class I, class J, class T>
  static T call(const P& policy, I first, I last, J second, T init) {
    return call(policy, first, last, second, init, plus<>(), multiplies<>());
  }
  template <class P, class I, class J, class T, class F, class G>
  static T call(const P& policy, I first, I last, J second, T init, F combine, G function) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    const auto other = unwrapped(second);
    return policy.result("thrust::inner_product", [=]() mutable {
      T sum = init;
      auto j = other;
      for (auto i = begin; i != end; ++i, ++j) sum = static_cast<T>(combine(sum, function(*i, *j)));
      return sum;
    });
  }
};

struct InclusiveScan {
  template <class P, class I, class O>
  static O call(const P& policy, I first, I last, O out) {
    return call(policy, first, last, out, plus<>());
  }
  template <class P, class I, class O, class F>
  static O call(const P& policy, I first, I last, O out, F function) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    auto at = unwrapped(out);
    policy.run("thrust::inclusive_scan", [=]() mutable {
      if (begin == end) return;
      ValueOf<I> sum = *begin;
      *at = sum;
      ++at;
      for (auto i = begin + 1; i != end; ++i, ++at) {
        sum = static_cast<ValueOf<I>>(function(sum, *i));
        *at = sum;
      }
    });
    return out + (last - first);
  }
};

struct ExclusiveScan {
  template <class P, class I, class O>
  static O call(const P& policy, I first, I last, O out) {
    return call(policy, first, last, out, ValueOf<I>());
  }
  template <class P, class I, class O, class T>
  static O call(const P& policy, I first, I last, O out, T init) {
    return call(policy, first, last, out, init, plus<>());
  }
  template <class P, class I, class O, class T, class F>
  static O call(const P& policy, I first, I last, O out, T init, F function) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    auto at = unwrapped(out);
    policy.run("thrust::exclusive_scan", [=]() mutable {
      T sum = init;
      for (auto i = begin; i != end; ++i, ++at) {
        const T next = static_cast<T>(function(sum, *i));  // the result may lie on the input
        *at = sum;
        sum = next;
      }
    });
    return out + (last - first);
  }
};

struct AdjacentDifference {
  template <class P, class I, class O>
  static O call(const P& policy, I first, I last, O out) {
    return call(policy, first, last, out, minus<>());
  }
  template <class P, class I, class O, class F>
  static O call(const P& policy, I first, I last, O out, F function) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    auto at = unwrapped(out);
    policy.run("thrust::adjacent_difference", [=]() mutable {
      if (begin == end) return;
      ValueOf<I> before = *begin;
      *at = before;
      ++at;
      for (auto i = begin + 1; i != end; ++i, ++at) {
        const ValueOf<I> value = *i;
        *at = function(value, before);
        before = value;
      }
    });
    return out + (last - first);
  }
};

struct Sort {
  template <class P, class I>
  static void call(const P& policy, I first, I last) {
    call(policy, first, last, less<>());
  }
  template <class P, class I, class F>
  static void call(const P& policy, I first, I last, F before) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    policy.run("thrust::sort", [=]() mutable {
      const auto values = values_of(begin, end);
      auto at = begin;
      for (const size_t from : stable_order(values, before)) {
        *at = values[from];
        ++at;
      }
    });
  }
};

struct SortByKey {
  template <class P, class K, class V>
  static void call(const P& policy, K first, K last, V values) {
    call(policy, first, last, values, less<>());
  }
  template <class P, class K, class V, class F>
  static void call(const P& policy, K first, K last, V values, F before) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    const auto others = unwrapped(values);
    policy.run("thrust::sort_by_key", [=]() mutable {
      const auto old_keys = values_of(begin, end);
      const auto old_values = values_of(others, others + (end - begin));
      auto key = begin;
      auto value = others;
      for (const size_t from : stable_order(old_keys, before)) {
        *key = old_keys[from];
        *value = old_values[from];
        ++key;
        ++value;
      }
    });
  }
};

struct ReduceByKey {
  template <class P, class K, class V, class OK, class OV>
  static std::pair<OK, OV> call(const P& policy, K first, K last, V values, OK keys, OV sums) {
    return call(policy, first, last, values, keys, sums, equal_to<>());
  }
  template <class P, class K, class V, class OK, class OV, class E>
  static std::pair<OK, OV> call(const P& policy, K first, K last, V values, OK keys, OV sums,
                                E equal) {
    return call(policy, first, last, values, keys, sums, equal, plus<>());
  }
  template <class P, class K, class V, class OK, class OV, class E, class F>
  static std::pair<OK, OV> call(const P& policy, K first, K last, V values, OK keys, OV sums,
                                E equal, F function) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    const auto from = unwrapped(values);
    const auto to_keys = unwrapped(keys);
    const auto to_sums = unwrapped(sums);
    const std::ptrdiff_t count = policy.result("thrust::reduce_by_key", [=]() mutable {
      std::ptrdiff_t groups = 0;
      auto value = from;
      auto key_at = to_keys;
      auto sum_at = to_sums;
      for (auto i = begin; i != end; ++groups, ++key_at, ++sum_at) {
        const ValueOf<K> key = *i;
        ValueOf<V> sum = *value;
        for (++i, ++value; i != end && equal(key, *i); ++i, ++value) {
          sum = static_cast<ValueOf<V>>(function(sum, *value));
        }
        *key_at = key;
        *sum_at = sum;
      }
      return groups;
    });
    return {keys + count, sums + count};
  }
};

// The first of each run of equal keys, with its value.
struct UniqueByKeyCopy {
  template <class P, class K, class V, class OK, class OV>
  static std::pair<OK, OV> call(const P& policy, K first, K last, V values, OK keys, OV kept) {
    return call(policy, first, last, values, keys, kept, equal_to<>());
  }
  template <class P, class K, class V, class OK, class OV, class E>
  static std::pair<OK, OV> call(const P& policy, K first, K last, V values, OK keys, OV kept,
                                E equal) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    const auto from = unwrapped(values);
    const auto to_keys = unwrapped(keys);
    const auto to_values = unwrapped(kept);
    const std::ptrdiff_t count = policy.result("thrust::unique_by_key", [=]() mutable {
      std::ptrdiff_t groups = 0;
      auto value = from;
      auto key_at = to_keys;
      auto value_at = to_values;
      for (auto i = begin; i != end; ++groups, ++key_at, ++value_at) {
        const ValueOf<K> key = *i;
        const ValueOf<V> first_value = *value;
        for (++i, ++value; i != end && equal(key, *i);) ++i, ++value;
        *key_at = key;
        *value_at = first_value;
      }
      return groups;
    });
    return {keys + count, kept + count};
  }
};

struct UniqueByKey {
  template <class P, class K, class V, class... E>
  static std::pair<K, V> call(const P& policy, K first, K last, V values, E... equal) {
    return UniqueByKeyCopy::call(policy, first, last, values, first, values, equal...);
  }
};

struct UniqueCopy {
  template <class P, class I, class O>
  static O call(const P& policy, I first, I last, O out) {
    return call(policy, first, last, out, equal_to<>());
  }
  template <class P, class I, class O, class E>
  static O call(const P& policy, I first, I last, O out, E equal) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    const auto to = unwrapped(out);
    return out + policy.result("thrust::unique_copy", [=]() mutable {
      return static_cast<std::ptrdiff_t>(std::unique_copy(begin, end, to, equal) - to);
    });
  }
};

// Those that pass the test, and those that do not, each in their order.
struct PartitionCopy {
  template <class P, class I, class O, class R, class T>
  static std::pair<O, R> call(const P& policy, I first, I last, O passed, R others, T test) {
    return call(policy, first, last, first, passed, others, test);
  }
  template <class P, class I, class S, class O, class R, class T>
  static std::pair<O, R> call(const P& policy, I first, I last, S stencil, O passed, R others,
                              T test) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    const auto marks = unwrapped(stencil);
    const auto to = unwrapped(passed);
    const auto to_others = unwrapped(others);
    const std::ptrdiff_t count = policy.result("thrust::partition_copy", [=]() mutable {
      std::ptrdiff_t found = 0;
      auto mark = marks;
      auto at = to;
      auto other_at = to_others;
      for (auto i = begin; i != end; ++i, ++mark) {
        if (test(*mark)) {
          *at = *i;
          ++at;
          ++found;
        } else {
          *other_at = *i;
          ++other_at;
        }
      }
      return found;
    });
    return {passed + count, others + (last - first - count)};
  }
};

struct InclusiveScanByKey {
  template <class P, class K, class V, class O>
  static O call(const P& policy, K first, K last, V values, O out) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    auto value = unwrapped(values);
    auto at = unwrapped(out);
    policy.run("thrust::inclusive_scan_by_key", [=]() mutable {
      ValueOf<V> sum{};
      for (auto i = begin; i != end; ++i, ++value, ++at) {
        sum = i != begin && *(i - 1) == *i ? static_cast<ValueOf<V>>(sum + *value)
                                           : static_cast<ValueOf<V>>(*value);
        *at = sum;
      }
    });
    return out + (last - first);
  }
};

// How many elements are left, or where the wanted one is: a place, as a distance.
#define CONVKIT_SIMT_PLACE(Algorithm, text, parameters, arguments, ...) \
  struct Algorithm {                                                    \
    template <class P, class I, class T>                                \
    static I call(const P& policy, I first, I last, T parameters) {     \
      const auto begin = unwrapped(first), end = unwrapped(last);       \
      return first + policy.result(text, [=]() mutable {                \
        return static_cast<std::ptrdiff_t>(__VA_ARGS__ - begin);        \
      });                                                               \
    }                                                                   \
  };
CONVKIT_SIMT_PLACE(Find, "thrust::find", value, , std::find(begin, end, value))
CONVKIT_SIMT_PLACE(FindIf, "thrust::find_if", test, , std::find_if(begin, end, test))
CONVKIT_SIMT_PLACE(Remove, "thrust::remove", value, , std::remove(begin, end, value))
CONVKIT_SIMT_PLACE(RemoveIf, "thrust::remove_if", test, , std::remove_if(begin, end, test))
#undef CONVKIT_SIMT_PLACE

// Searches in a sorted range: for one value, or for each of several, whose answers (places as
// distances, or bool) go to `out`.
template <class Found>
struct Search {
  template <class P, class I, class T>
  static auto call(const P& policy, I first, I last, T value) {
    return call(policy, first, last, value, less<>());
  }
  template <class P, class I, class T, class F>
  static auto call(const P& policy, I first, I last, T value, F before) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    return Found::answer(first, policy.result(Found::kName, [=]() mutable {
      return Found::find(begin, end, value, before);
    }));
  }
  template <class P, class I, class V, class O>
  static O call(const P& policy, I first, I last, V values, V values_end, O out) {
    return call(policy, first, last, values, values_end, out, less<>());
  }
  template <class P, class I, class V, class O, class F>
  static O call(const P& policy, I first, I last, V values, V values_end, O out, F before) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    const auto wanted = unwrapped(values), wanted_end = unwrapped(values_end);
    auto at = unwrapped(out);
    policy.run(Found::kName, [=]() mutable {
      for (auto value = wanted; value != wanted_end; ++value, ++at) {
        *at = static_cast<ValueOf<O>>(Found::find(begin, end, *value, before));
      }
    });
    return out + (values_end - values);
  }
};

// `one` is what a search for one value gives.
#define CONVKIT_SIMT_SEARCH(Algorithm, text, one, ...)           \
  struct Algorithm : Search<Algorithm> {                         \
    static constexpr const char* kName = text;                   \
    template <class I, class T, class F>                         \
    static auto find(I begin, I end, const T& value, F before) { \
      return __VA_ARGS__;                                        \
    }                                                            \
    template <class I, class Answer>                             \
    static auto answer([[maybe_unused]] I first, Answer found) { \
      return one;                                                \
    }                                                            \
  };
CONVKIT_SIMT_SEARCH(LowerBound, "thrust::lower_bound", first + found,
                    static_cast<std::ptrdiff_t>(std::lower_bound(begin, end, value, before) -
                                                begin))
CONVKIT_SIMT_SEARCH(UpperBound, "thrust::upper_bound", first + found,
                    static_cast<std::ptrdiff_t>(std::upper_bound(begin, end, value, before) -
                                                begin))
CONVKIT_SIMT_SEARCH(BinarySearch, "thrust::binary_search", found,
                    std::binary_search(begin, end, value, before))
#undef CONVKIT_SIMT_SEARCH

struct Partition {
  template <class P, class I, class T>
  static I call(const P& policy, I first, I last, T test) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    return first + policy.result("thrust::partition", [=]() mutable {
      const auto values = values_of(begin, end);
      auto at = begin;
      for (const auto& value : values) {
        if (test(value)) *at++ = value;
      }
      const auto count = static_cast<std::ptrdiff_t>(at - begin);
      for (const auto& value : values) {
        if (!test(value)) *at++ = value;
      }
      return count;
    });
  }
};

struct Unique {
  template <class P, class I>
  static I call(const P& policy, I first, I last) {
    return call(policy, first, last, equal_to<>());
  }
  template <class P, class I, class E>
  static I call(const P& policy, I first, I last, E equal) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    return first + policy.result("thrust::unique", [=]() mutable {
      return static_cast<std::ptrdiff_t>(std::unique(begin, end, equal) - begin);
    });
  }
};

struct CopyIf {
  template <class P, class I, class O, class T>
  static O call(const P& policy, I first, I last, O out, T test) {
    return call(policy, first, last, first, out, test);
  }
  template <class P, class I, class S, class O, class T>
  static O call(const P& policy, I first, I last, S stencil, O out, T test) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    const auto marks = unwrapped(stencil);
    const auto to = unwrapped(out);
    return out + policy.result("thrust::copy_if", [=]() mutable {
      std::ptrdiff_t count = 0;
      auto mark = marks;
      auto at = to;
      for (auto i = begin; i != end; ++i, ++mark) {
        if (!test(*mark)) continue;
        *at = *i;
        ++at;
        ++count;
      }
      return count;
    });
  }
};

// What is asked of a whole range.
#define CONVKIT_SIMT_ANSWER(Algorithm, text, ...)                        \
  struct Algorithm {                                                     \
    template <class P, class I, class T>                                 \
    static auto call(const P& policy, I first, I last, T wanted) {       \
      const auto begin = unwrapped(first), end = unwrapped(last);        \
      return policy.result(text, [=]() mutable { return __VA_ARGS__; }); \
    }                                                                    \
  };
CONVKIT_SIMT_ANSWER(Count, "thrust::count",
                    static_cast<std::ptrdiff_t>(std::count(begin, end, wanted)))
CONVKIT_SIMT_ANSWER(CountIf, "thrust::count_if",
                    static_cast<std::ptrdiff_t>(std::count_if(begin, end, wanted)))
CONVKIT_SIMT_ANSWER(AllOf, "thrust::all_of", std::all_of(begin, end, wanted))
CONVKIT_SIMT_ANSWER(AnyOf, "thrust::any_of", std::any_of(begin, end, wanted))
CONVKIT_SIMT_ANSWER(NoneOf, "thrust::none_of", std::none_of(begin, end, wanted))
#undef CONVKIT_SIMT_ANSWER

struct IsSorted {
  template <class P, class I>
  static bool call(const P& policy, I first, I last) {
    return call(policy, first, last, less<>());
  }
  template <class P, class I, class F>
  static bool call(const P& policy, I first, I last, F before) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    return policy.result("thrust::is_sorted",
                         [=]() mutable { return std::is_sorted(begin, end, before); });
  }
};

struct Equal {
  template <class P, class I, class J>
  static bool call(const P& policy, I first, I last, J second) {
    return call(policy, first, last, second, equal_to<>());
  }
  template <class P, class I, class J, class E>
  static bool call(const P& policy, I first, I last, J second, E equal) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    const auto other = unwrapped(second);
    return policy.result("thrust::equal",
                         [=]() mutable { return std::equal(begin, end, other, equal); });
  }
};

struct MinElement {
  template <class P, class I>
  static I call(const P& policy, I first, I last) {
    return call(policy, first, last, less<>());
  }
  template <class P, class I, class F>
  static I call(const P& policy, I first, I last, F before) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    return first + policy.result("thrust::min_element", [=]() mutable {
      return static_cast<std::ptrdiff_t>(std::min_element(begin, end, before) - begin);
    });
  }
};
struct MaxElement {
  template <class P, class I>
  static I call(const P& policy, I first, I last) {
    return call(policy, first, last, less<>());
  }
  template <class P, class I, class F>
  static I call(const P& policy, I first, I last, F before) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    return first + policy.result("thrust::max_element", [=]() mutable {
      return static_cast<std::ptrdiff_t>(std::max_element(begin, end, before) - begin);
    });
  }
};
struct MinMaxElement {
  template <class P, class I>
  static std::pair<I, I> call(const P& policy, I first, I last) {
    return {MinElement::call(policy, first, last), MaxElement::call(policy, first, last)};
  }
};

struct Replace {
  template <class P, class I, class T, class U>
  static void call(const P& policy, I first, I last, T old_value, U new_value) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    policy.run("thrust::replace", [=]() mutable {
      for (auto i = begin; i != end; ++i) {
        if (*i == old_value) *i = new_value;
      }
    });
  }
};
struct ReplaceIf {
  template <class P, class I, class T, class U>
  static void call(const P& policy, I first, I last, T test, U new_value) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    policy.run("thrust::replace_if", [=]() mutable {
      for (auto i = begin; i != end; ++i) {
        if (test(*i)) *i = new_value;
      }
    });
  }
};

struct Reverse {
  template <class P, class I>
  static void call(const P& policy, I first, I last) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    policy.run("thrust::reverse", [=]() mutable { std::reverse(begin, end); });
  }
};

struct Gather {
  template <class P, class M, class I, class O>
  static O call(const P& policy, M first, M last, I from, O out) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    const auto elements = unwrapped(from);
    auto at = unwrapped(out);
    policy.run("thrust::gather", [=]() mutable {
      for (auto i = begin; i != end; ++i, ++at) *at = elements[static_cast<std::ptrdiff_t>(*i)];
    });
    return out + (last - first);
  }
};
struct Scatter {
  template <class P, class I, class M, class O>
  static void call(const P& policy, I first, I last, M map, O out) {
    const auto begin = unwrapped(first), end = unwrapped(last);
    auto place = unwrapped(map);
    const auto to = unwrapped(out);
    policy.run("thrust::scatter", [=]() mutable {
      for (auto i = begin; i != end; ++i, ++place) to[static_cast<std::ptrdiff_t>(*place)] = *i;
    });
  }
};

// Of two sorted ranges.
#define CONVKIT_SIMT_MERGED(Algorithm, text, function)                                     \
  struct Algorithm {                                                                       \
    template <class P, class I, class J, class O>                                          \
    static O call(const P& policy, I first, I last, J first_2, J last_2, O out) {          \
      const auto begin = unwrapped(first), end = unwrapped(last);                          \
      const auto begin_2 = unwrapped(first_2), end_2 = unwrapped(last_2);                  \
      const auto to = unwrapped(out);                                                      \
      return out + policy.result(text, [=]() mutable {                                     \
        return static_cast<std::ptrdiff_t>(function(begin, end, begin_2, end_2, to) - to); \
      });                                                                                  \
    }                                                                                      \
  };
CONVKIT_SIMT_MERGED(Merge, "thrust::merge", std::merge)
CONVKIT_SIMT_MERGED(SetUnion, "thrust::set_union", std::set_union)
CONVKIT_SIMT_MERGED(SetIntersection, "thrust::set_intersection", std::set_intersection)
CONVKIT_SIMT_MERGED(SetDifference, "thrust::set_difference", std::set_difference)
#undef CONVKIT_SIMT_MERGED

}  // namespace convkit_simt

CONVKIT_SIMT_THRUST(copy, Copy)
CONVKIT_SIMT_THRUST(copy_n, CopyN)
CONVKIT_SIMT_THRUST(copy_if, CopyIf)
CONVKIT_SIMT_THRUST(fill, Fill)
CONVKIT_SIMT_THRUST(fill_n, FillN)
CONVKIT_SIMT_THRUST(uninitialized_fill, Fill)
CONVKIT_SIMT_THRUST(sequence, Sequence)
CONVKIT_SIMT_THRUST(for_each, ForEach)
CONVKIT_SIMT_THRUST(for_each_n, ForEachN)
CONVKIT_SIMT_THRUST(generate, Generate)
CONVKIT_SIMT_THRUST(transform, Transform)
CONVKIT_SIMT_THRUST(transform_if, TransformIf)
CONVKIT_SIMT_THRUST(reduce, Reduce)
CONVKIT_SIMT_THRUST(transform_reduce, TransformReduce)
CONVKIT_SIMT_THRUST(inner_product, InnerProduct)
CONVKIT_SIMT_THRUST(inclusive_scan, InclusiveScan)
CONVKIT_SIMT_THRUST(exclusive_scan, ExclusiveScan)
CONVKIT_SIMT_THRUST(inclusive_scan_by_key, InclusiveScanByKey)
CONVKIT_SIMT_THRUST(adjacent_difference, AdjacentDifference)
CONVKIT_SIMT_THRUST(sort, Sort)
CONVKIT_SIMT_THRUST(stable_sort, Sort)
CONVKIT_SIMT_THRUST(sort_by_key, SortByKey)
CONVKIT_SIMT_THRUST(stable_sort_by_key, SortByKey)
CONVKIT_SIMT_THRUST(reduce_by_key, ReduceByKey)
CONVKIT_SIMT_THRUST(find, Find)
CONVKIT_SIMT_THRUST(find_if, FindIf)
CONVKIT_SIMT_THRUST(remove, Remove)
CONVKIT_SIMT_THRUST(remove_if, RemoveIf)
CONVKIT_SIMT_THRUST(partition, Partition)
CONVKIT_SIMT_THRUST(stable_partition, Partition)
CONVKIT_SIMT_THRUST(lower_bound, LowerBound)
CONVKIT_SIMT_THRUST(upper_bound, UpperBound)
CONVKIT_SIMT_THRUST(binary_search, BinarySearch)
CONVKIT_SIMT_THRUST(partition_copy, PartitionCopy)
CONVKIT_SIMT_THRUST(stable_partition_copy, PartitionCopy)
CONVKIT_SIMT_THRUST(unique, Unique)
CONVKIT_SIMT_THRUST(unique_copy, UniqueCopy)
CONVKIT_SIMT_THRUST(unique_by_key, UniqueByKey)
CONVKIT_SIMT_THRUST(unique_by_key_copy, UniqueByKeyCopy)
CONVKIT_SIMT_THRUST(count, Count)
CONVKIT_SIMT_THRUST(count_if, CountIf)
CONVKIT_SIMT_THRUST(all_of, AllOf)
CONVKIT_SIMT_THRUST(any_of, AnyOf)
CONVKIT_SIMT_THRUST(none_of, NoneOf)
CONVKIT_SIMT_THRUST(is_sorted, IsSorted)
CONVKIT_SIMT_THRUST(equal, Equal)
CONVKIT_SIMT_THRUST(min_element, MinElement)
CONVKIT_SIMT_THRUST(max_element, MaxElement)
CONVKIT_SIMT_THRUST(minmax_element, MinMaxElement)
CONVKIT_SIMT_THRUST(replace, Replace)
CONVKIT_SIMT_THRUST(replace_if, ReplaceIf)
CONVKIT_SIMT_THRUST(reverse, Reverse)
CONVKIT_SIMT_THRUST(gather, Gather)
CONVKIT_SIMT_THRUST(scatter, Scatter)
CONVKIT_SIMT_THRUST(merge, Merge)
CONVKIT_SIMT_THRUST(set_union, SetUnion)
CONVKIT_SIMT_THRUST(set_intersection, SetIntersection)
CONVKIT_SIMT_THRUST(set_difference, SetDifference)

using std::distance;
using std::swap;

}  // namespace thrust
