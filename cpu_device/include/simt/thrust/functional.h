// SPDX-License-Identifier: MIT
// Thrust on the CPU device: function objects.
#pragma once

#include <cuda_runtime.h>

#include <functional>

#include "simt/thrust/placeholders.h"

namespace thrust {

#define CONVKIT_SIMT_BINARY(name, expression)                                      \
  template <class T = void>                                                        \
  struct name {                                                                    \
    using result_type = T;                                                         \
    using first_argument_type = T;                                                 \
    using second_argument_type = T;                                                \
    constexpr auto operator()(const T& a, const T& b) const { return expression; } \
  };                                                                               \
  template <>                                                                      \
  struct name<void> {                                                              \
    template <class A, class B>                                                    \
    constexpr auto operator()(const A& a, const B& b) const {                      \
      return expression;                                                           \
    }                                                                              \
  };
CONVKIT_SIMT_BINARY(plus, a + b)
CONVKIT_SIMT_BINARY(minus, a - b)
CONVKIT_SIMT_BINARY(multiplies, a* b)
CONVKIT_SIMT_BINARY(divides, a / b)
CONVKIT_SIMT_BINARY(modulus, a % b)
CONVKIT_SIMT_BINARY(maximum, a < b ? b : a)
CONVKIT_SIMT_BINARY(minimum, b < a ? b : a)
CONVKIT_SIMT_BINARY(equal_to, a == b)
CONVKIT_SIMT_BINARY(not_equal_to, a != b)
CONVKIT_SIMT_BINARY(less, a < b)
CONVKIT_SIMT_BINARY(greater, a > b)
CONVKIT_SIMT_BINARY(less_equal, a <= b)
CONVKIT_SIMT_BINARY(greater_equal, a >= b)
CONVKIT_SIMT_BINARY(logical_and, a&& b)
CONVKIT_SIMT_BINARY(logical_or, a || b)
CONVKIT_SIMT_BINARY(bit_and, a& b)
CONVKIT_SIMT_BINARY(bit_or, a | b)
CONVKIT_SIMT_BINARY(bit_xor, a ^ b)
#undef CONVKIT_SIMT_BINARY

#define CONVKIT_SIMT_UNARY(name, expression)                           \
  template <class T = void>                                            \
  struct name {                                                        \
    using result_type = T;                                             \
    using argument_type = T;                                           \
    constexpr auto operator()(const T& a) const { return expression; } \
  };                                                                   \
  template <>                                                          \
  struct name<void> {                                                  \
    template <class A>                                                 \
    constexpr auto operator()(const A& a) const {                      \
      return expression;                                               \
    }                                                                  \
  };
CONVKIT_SIMT_UNARY(identity, a)
CONVKIT_SIMT_UNARY(negate, -a)
CONVKIT_SIMT_UNARY(square, a* a)
CONVKIT_SIMT_UNARY(logical_not, !a)
#undef CONVKIT_SIMT_UNARY

template <class A, class B>
struct unary_function {
  using argument_type = A;
  using result_type = B;
};
template <class A, class B, class C>
struct binary_function {
  using first_argument_type = A;
  using second_argument_type = B;
  using result_type = C;
};

}  // namespace thrust
